"""Which metric wins by the official rules of WMT, in the folder that is open?"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import streamlit as st

import tiekit as tk
from tiekit.core import Progress
from tiekit.official import PRESETS, OfficialRanking
from ui.link.controls import choose, toggle
from ui.page import tables
from ui.work import downloads, result_cache
from ui.work.text import count_noun, format_number, plain

SECONDS = {True: 60.0, False: 18.0}
"""How long the test of a task took with `METRICS` metrics on WMT22 zh-en and two cores: of calibrated measures and soft
pairwise accuracy, and of others."""

METRICS = 21


def rank_folder(root: str) -> None:
    """Let the user rank the metrics of a folder by the rules of a WMT metrics task."""
    if not toggle("Compute an official ranking on this folder", "official_compute"):
        return
    there = [name for name in PRESETS if (Path(root) / tk.official.read_preset(name).testset).is_dir()]
    others = [name for name in PRESETS if name not in there]
    preset = choose("Rules", [*there, *others], "official_preset", help=", ".join(others) and _say_others(others))
    found = _compute("Computing the tasks", root, preset, compare=False)
    if found is None:
        return
    if toggle(f"Test the differences; this takes {estimate(found)}", "official_test"):
        found = _compute("Testing the differences of every task", root, preset, compare=True) or found
    _show(found, root, preset)


def _say_others(names: list[str]) -> str:
    return f"The folder does not hold the test set of {', '.join(names)}."


def _compute(title: str, root: str, preset: str, *, compare: bool) -> OfficialRanking | None:
    folder = Path(root) / tk.official.read_preset(preset).testset
    files = sorted((str(file), _stamp(file)) for kind in ("human", "metric") for file in folder.glob(f"{kind}-*/**/*"))
    key = ("official ranking", preset, compare, root, tuple(files))
    compute = partial(_rank, root, preset, compare)
    return result_cache.compute(title, {preset: (key, compute)}).get(preset)


def _stamp(file: Path) -> tuple[int, int]:
    """When a file was changed and how long it is; zeros if it was deleted meanwhile."""
    try:
        found = file.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def _rank(root: str, preset: str, compare: bool, progress: Progress) -> OfficialRanking:
    return tk.official_ranking(root, preset, compare=compare, partial=True, progress=progress)


def estimate(found: OfficialRanking) -> str:
    """Return in words about how long the tests take."""
    number = len(found.average)
    share = number * (number - 1) / (METRICS * (METRICS - 1))
    slow = (task.parsed.calibrated or task.parsed.coefficient.name == "spa" for task in found.preset.tasks)
    minutes = share * sum(SECONDS[is_slow] for is_slow in slow) / 60
    return "about a minute or less" if minutes < 1.5 else f"about {count_noun(round(minutes), 'minute')}"


def _show(found: OfficialRanking, root: str, preset: str) -> None:
    """Show the ranking, what is missing, and the downloads."""
    frame = found.to_frame().dropna(axis="columns", how="all")
    st.markdown(say_winner(found))
    if found.notes:
        st.warning("\n".join(f"- {plain(note[0].upper() + note[1:])}." for note in found.notes))
    name = f"official-{preset}"
    words = f"Official ranking of {preset}: {count_noun(len(frame), 'metric')}, {frame.index[0]} leads"
    numbers = {column: "%.3f" for column in frame if column not in ("rank", "cluster")}
    tables.grid(frame, name, words, formats=numbers)
    if found.methods:
        st.markdown(" ".join(f"{plain(said[0].upper() + said[1:])}." for said in found.methods))
    st.markdown("As WMT prints names: \\_ is a baseline, \\* is not a primary metric, \\[noref\\] reads no reference.")
    downloads.offer("Official ranking as LaTeX", found.to_latex, f"{name}.tex", "text/x-tex", key="official latex")
    with st.expander("Show the code"):
        call = f"ranking = tk.official_ranking({root!r}, {preset!r}, compare={bool(found.n_resamples)}, partial=True)"
        st.code(downloads.source(f"{call}\nranking.to_frame()", {}), language=None, wrap_lines=True)
        st.code(found.signature, language=None, wrap_lines=True)


def say_winner(found: OfficialRanking) -> str:
    """Return a sentence: who wins, and who is not significantly worse."""
    rules, average = found.preset, found.average
    what = "average rank" if rules.combine == "average_rank" else "average"
    where = f"of {count_noun(len(rules.tasks), 'task')}" + " that this folder holds" * rules.partial
    if average.isna().iloc[0]:
        return "No metric has a value in every task, so none has an average."
    first = [str(name) for name in average.index[average == average.iloc[0]]]
    leads = "lead" if len(first) > 1 else "leads"
    text = f"**{' and '.join(map(plain, first))} {leads}**: {what} {format_number(average.iloc[0])} {where}."
    if found.clusters.notna().any():
        alike = [str(name) for name in found.clusters.index[found.clusters == 1] if name not in first]
        if alike:
            return f"{text} Not significantly worse, in the same cluster: {', '.join(map(plain, alike))}."
        return f"{text} Every other metric is significantly worse."
    return text
