"""Which metric wins by the official rules of WMT, of 2023 by other weights, and of a folder that is open?"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit.official import PRESETS, OfficialRanking, Preset, Task
from ui.leaderboard import ranking
from ui.link.controls import choose, slide, toggle
from ui.page import glossary, tables
from ui.work import downloads, result_cache
from ui.work.text import cell, count_noun, format_number, percent, plain

WEIGHTS = tuple(map(str, range(7)))
"""What a slider offers; the official weights are 1 and 3."""

EACH, UNMAPPED = "official_each", "official_unmapped"
"""The keys of the two switches."""

CALL = """rules, printed = tk.official.read_preset("wmt23"), tk.official.printed_values("wmt23")
weights = {weights!r}
tk.official.average_tasks(printed.drop(columns="average"), weights, {mapped})"""


SECONDS = {True: 60.0, False: 18.0}
"""How long the test of a task took with `METRICS` metrics on WMT22 zh-en and two cores: of calibrated measures and soft
pairwise accuracy, and of others."""

METRICS = 21


class Kind(NamedTuple):
    """Tasks of one measure: how they are called, and the key of their weight."""

    label: str
    short: str
    key: str


KINDS = {
    "system_means/pairwise_accuracy": Kind("accuracy over all pairs of systems", "accuracy", "official_accuracy"),
    "system_means/pearson": Kind("r of systems, per language pair", "r of systems", "official_systems"),
    "global/pearson": Kind("r of segments, per language pair", "r of segments", "official_segments"),
    "item/acc_eq*": Kind("acc_eq*, per language pair", "acc_eq*", "official_item"),
}


@cache
def _official_values() -> tuple[Preset, pd.DataFrame, pd.DataFrame]:
    """The rules of WMT23, the values of its tasks, and what the official weights make of them."""
    rules = tk.official.read_preset("wmt23")
    values = tk.official.printed_values("wmt23").drop(columns="average")
    return rules, values, tk.official.average_tasks(values, rules.weights, rules.mapped)


def show(root: str) -> None:
    """Show the lesson and, where a folder of test sets is open, an official ranking of what is in it."""
    st.header("The official WMT ranking")
    st.markdown(
        "The official ranking of WMT23 is a weighted average of ten numbers per metric. Change the weights and see "
        "which metric wins."
    )
    rules, values, official = _official_values()
    st.markdown(
        f"These are the {len(values)} primary metrics and baselines of 2023. One number is the "
        "accuracy over all pairs of systems, of three language pairs together; the others are Pearson's r of systems, "
        "r of segments and acc\\_eq\\* by item, of each language pair. Try 0 for both weights of segments (r of "
        "segments and acc\\_eq\\*), so that only systems count: GEMBA-MQM wins."
    )
    glossary.terms("system level", "acc_eq")
    weights, mapped = _choose_weights(rules)
    if not any(weights.values()):
        st.info("Every weight is 0. Give at least one task a weight above 0.")
    else:

        def average() -> tuple[pd.DataFrame, dict[str, Any]]:
            board = tk.official.average_tasks(values, weights, mapped)
            return board, table(board, official, rules.tasks, weights)

        board, data = result_cache.once(("official ranking", tuple(weights.items()), mapped), average)
        is_official = mapped == rules.mapped and weights == {task.name: task.weight for task in rules.tasks}
        st.markdown(say_winner(board, official, is_official=is_official))
        ranking.draw(data, "official_ranking")
        call = CALL.format(weights=weights, mapped="rules.mapped" if mapped else "()")
        downloads.show_code("WMT23-official-ranking", call, {})
    st.markdown(
        "Source: the rules are those of the [WMT23 metrics task](https://aclanthology.org/2023.wmt-1.51) (Freitag et "
        "al., 2023). The values are computed from the [public scores](https://github.com/wmt-conference/"
        "ErrorSpanAnnotation) of its metrics and MQM raters, and equal those of WMT's program, mt-metrics-eval."
    )
    if root:
        _rank_folder(root)


def _choose_weights(rules: Preset) -> tuple[dict[str, float], tuple[str, ...]]:
    """Let the user choose the weight of every task, and which tasks are mapped."""
    each = toggle("One weight per task", EACH)
    usual = {task.measure: f"{task.weight:.0f}" for task in rules.tasks}
    chosen: dict[str, str] = {}
    columns = st.columns(5 if each else len(KINDS), gap="medium")
    if each:
        for number, task in enumerate(rules.tasks):
            with columns[number % len(columns)]:
                chosen[task.name] = slide(_heading(task), WEIGHTS, usual[task.measure], f"official_task_{number}")
    else:
        for column, (measure, kind) in zip(columns, KINDS.items(), strict=True):
            with column:
                weight = slide(f"Weight of {kind.label}", WEIGHTS, usual[measure], kind.key)
            chosen |= {task.name: weight for task in rules.tasks if task.measure == measure}
    with st.container(horizontal=True, vertical_alignment="center"):
        unmapped = toggle("Average r itself, not (r + 1)/2", UNMAPPED)
        st.button("Official weights", key="official_again", on_click=_set, args=(rules, usual))
        only = {measure: weight if "system_means" in measure else "0" for measure, weight in usual.items()}
        st.button("Only systems", key="official_only", on_click=_set, args=(rules, only))
    return {name: float(weight) for name, weight in chosen.items()}, () if unmapped else rules.mapped


def _set(rules: Preset, weights: Mapping[str, str]) -> None:
    """Set all sliders, and average as WMT did."""
    state = {kind.key: weights[measure] for measure, kind in KINDS.items()}
    state |= {f"official_task_{number}": weights[task.measure] for number, task in enumerate(rules.tasks)}
    st.session_state.update(state)
    st.session_state[UNMAPPED] = False


def say_winner(board: pd.DataFrame, official: pd.DataFrame, *, is_official: bool) -> str:
    """Return a sentence: who wins with these weights, and what the official ones say."""
    first, second = _at(board, 1), board.index[1]
    win = "win" if len(first) > 1 else "wins"
    names, best = " and ".join(map(plain, first)), format_number(cell(board, first[0], "average"))
    if is_official:
        ahead = f"ahead of {plain(second)} ({format_number(cell(board, second, 'average'))})"
        return f"**By the official weights {names} {win} with an average of {best}**, {ahead}."
    now = f"**With these weights {names} {win} with an average of {best}.**"
    if first == _at(official, 1):
        same = "they win" if len(first) > 1 else "it wins"
        return f"{now} By the official weights {same} too ({format_number(cell(official, first[0], 'average'))})."
    champion = official.index[0]
    places = ", ".join(f"{plain(name)} has rank {cell(official, name, 'rank')}" for name in first)
    value = format_number(cell(official, champion, "average"))
    return f"{now} By the official weights {plain(champion)} wins ({value}), and {places}."


def _at(board: pd.DataFrame, rank: int) -> list[str]:
    return [str(name) for name in board.index[board["rank"] == rank]]


def _heading(task: Task) -> str:
    """A task in a few words."""
    where = "all" if len(task.language_pairs) > 1 else task.language_pairs[0]
    return f"{where}: {KINDS[task.measure].short}"


def table(
    board: pd.DataFrame, official: pd.DataFrame, tasks: tuple[Task, ...], weights: Mapping[str, float]
) -> dict[str, Any]:
    """Return what the browser shows: averages and ranks, now and official, and the tasks' values."""
    names, total = [str(name) for name in board.index], sum(weights.values())
    headings = {
        "metric": ("Metric", ""),
        "average": ("Average (rank)", "With the weights above."),
        "official": ("Official average (rank)", "With the official weights."),
    }
    cells: dict[str, ranking.Cells] = {}
    for key, source in (("average", board), ("official", official.loc[board.index])):
        rows = zip(names, source["average"], source["rank"], strict=True)
        texts = {name: f"{'★ ' if rank == 1 else ''}{format_number(value)} ({rank:.0f})" for name, value, rank in rows}
        cells[key] = ranking.ranked_cells(texts, source["average"], source["rank"])
    for task in tasks:
        share = percent(weights[task.name] / total)
        headings[task.name] = f"{_heading(task)}, {share}", f"Weight {share}"
        values = board[task.name]
        texts = dict(zip(names, map(format_number, values), strict=True))
        cells[task.name] = ranking.ranked_cells(texts, values, values.rank(ascending=False, method="min"))
    return {
        **ranking.lay_out(names, headings, cells),
        "sorted": "average",
        "tested": None,
        "alt": f"{len(names)} metrics of WMT23, best first by the weighted average: {names[0]} leads",
    }


# --------------------------------------------------------------------------------------------- the folder that is open


def _rank_folder(root: str) -> None:
    """Let the user rank the metrics of a folder by the rules of a WMT metrics task."""
    if not toggle("Compute an official ranking on this folder", "official_compute"):
        return
    there = [name for name in PRESETS if (Path(root) / tk.official.read_preset(name).testset).is_dir()]
    others = [name for name in PRESETS if name not in there]
    why = f"The folder does not hold the test set of {', '.join(others)}." if others else ""
    preset = choose("Rules", [*there, *others], "official_preset", help=why)
    found = _compute("Computing the tasks", root, preset, compare=False)
    if found is None:
        return
    if toggle(f"Test the differences; this takes {estimate(found)}", "official_test"):
        found = _compute("Testing the differences of every task", root, preset, compare=True) or found
    _show(found, root, preset)


def _compute(title: str, root: str, preset: str, *, compare: bool) -> OfficialRanking | None:
    folder = Path(root) / tk.official.read_preset(preset).testset
    files = sorted((str(file), _stamp(file)) for kind in ("human", "metric") for file in folder.glob(f"{kind}-*/**/*"))
    key = ("official ranking", preset, compare, root, tuple(files))
    rank = partial(tk.official_ranking, root, preset, compare=compare, partial=True)
    return result_cache.compute(title, {preset: (key, lambda progress: rank(progress=progress))}).get(preset)


def _stamp(file: Path) -> tuple[int, int]:
    """When a file was changed and how long it is; zeros if it was deleted meanwhile."""
    try:
        found = file.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


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
    st.markdown(say_leader(found))
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


def say_leader(found: OfficialRanking) -> str:
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
