"""How high can a metric score on a file of rankings? Counts, agreement and caps for each language pair."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeAlias, TypeVar

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.core import FloatArray, Progress
from ui.judgments.caps import TIES_GAIN, gains_by_tying
from ui.judgments.inputs import COEFFICIENTS
from ui.link import own_data
from ui.link.controls import choose
from ui.page import predict, shell, tables
from ui.work import downloads, presets, result_cache
from ui.work.result_cache import Task
from ui.work.text import format_number, plain, rows_of

KNOWS_SYSTEM = "knows only the system"

TIES = {"excluded, as WMT did": "omit", "included": "keep"}
"""How judges' ties are treated, as shown and as the library's argument."""

T = TypeVar("T")

RankingsFile: TypeAlias = own_data.OpenFile[tk.judgments.Rankings]
"""Rankings and the file that they were read from."""


def _choose_rankings() -> RankingsFile | None:
    """Let the user choose the sample or an upload; None while there is none, with the reason on the page."""
    label = "File: a CSV as WMT published it, with five ranked systems per line"
    opened = own_data.choose_file("rankings", "jud_source", "rankings/synthetic.csv", label, tk.judgments.read_rankings)
    if opened is not None and opened.is_bundled:
        st.markdown(
            "These rankings are **synthetic**: invented judges, each with errors of their own, rank outputs of the "
            "synthetic evaluation set. They are no evidence about real judges."
        )
    return opened


def _say_read(opened: RankingsFile) -> None:
    """Say what was read and what was left out."""
    rankings = opened.read
    skipped = [f"{number:,} lines with {reason}" for reason, number in rankings.skipped.items()]
    blank = [f"{rankings.n_blank:,} ranks that were left blank"] if rankings.n_blank else []
    name = own_data.SAMPLE if opened.is_bundled else plain(opened.name)
    st.markdown(
        f"**{name}**: {rankings.n_sets:,} ranked sets by {len(rankings.judges):,} judges, "
        f"{len(rankings.systems)} systems, {len(rankings.segments):,} segments. "
        f"Left out: {plain(' and '.join(skipped + blank)) or 'nothing'}."
    )


@dataclass(frozen=True)
class LanguagePairNumbers:
    """All numbers of one language pair; they are kept for all visitors, the rankings for one."""

    counts: dict[str, int]
    kappa: tk.judgments.Agreement
    limits: dict[str, tk.judgments.Attainable]
    resolved: dict[str, tk.judgments.Attainable]
    n_resolved: int
    n_draws: int
    unity: pd.DataFrame
    metrics: dict[str, dict[str, float]]
    metrics_resolved: dict[str, dict[str, float]]


def _tasks_of(opened: RankingsFile, ties: str) -> dict[str, Task]:
    """Return what is to be computed, by language pair."""
    return {
        name: (
            ("judgments", opened.read.digest[:12], name, ties, opened.is_bundled),
            partial(_compute, opened, name, ties),
        )
        for name in opened.read.language_pairs
    }


def _compute(opened: RankingsFile, pair: str, ties: str, progress: Progress) -> LanguagePairNumbers:
    """All numbers of one language pair."""
    rankings = opened.read.select(pair)
    kept, given = (rankings.preferences(name).select(pair) for name in (tk.judgments.TIES[1], ties))
    decided = tk.judgments.resolve(given)
    progress(0.3)
    limits, after = (
        {name: _slim(tk.judgments.attainable(part, name)) for name in COEFFICIENTS} for part in (given, decided)
    )
    progress(0.8)
    matrices = _metrics(opened, given, pair)
    scored, scored_after = (
        {
            metric: {name: tk.judgments.judge_metric(part, matrix, name).value for name in COEFFICIENTS}
            for metric, matrix in matrices.items()
        }
        for part in (given, decided)
    )
    counts = {
        "sets": rankings.n_sets,
        "judges": np.unique(rankings.judge).size,
        "segments": np.unique(rankings.segment).size,
        "judgments": given.n_judgments,
        "ties excluded": given.n_omitted,
        "pairs": given.n_pairs,
        "repeated": given.repeated,
        "contradicted": given.contradictory,
    }
    unity = charts.unity_frame(given)
    return LanguagePairNumbers(
        counts,
        tk.judgments.agreement(kept),
        limits,
        after,
        decided.n_judgments,
        decided.n_omitted,
        unity,
        scored,
        scored_after,
    )


def _slim(limit: tk.judgments.Attainable) -> tk.judgments.Attainable:
    return replace(limit, best=np.empty((0, 0)))


def _metrics(opened: RankingsFile, given: tk.judgments.Preferences, pair: str) -> dict[str, FloatArray]:
    """Scores by metric: each system's share of wins, the same on every segment, and the metrics of the bundled set."""
    names, wins = given.rankings, given.matrix().to_numpy()
    shares = wins.sum(axis=1) / np.maximum(wins.sum(axis=0) + wins.sum(axis=1), 1)
    found = {KNOWS_SYSTEM: np.repeat(shares[:, None], len(names.segments), axis=1)}
    if opened.is_bundled:
        data, here = presets.sample(pair), names.pair_of_segment == names.language_pairs.index(pair)
        rows = [data.systems.index(name) for name in names.systems]
        columns = [data.segments.index(name) for name, is_here in zip(names.segments, here, strict=True) if is_here]
        for metric, scores in data.metrics.items():
            found[metric] = np.full((len(rows), here.size), np.nan)
            found[metric][:, here] = scores[np.ix_(rows, columns)]
    return found


class Sheet(dict[str, LanguagePairNumbers]):
    """The numbers by language pair; tables and pictures of them are made once for all visitors."""

    def __init__(self, found: dict[str, LanguagePairNumbers], key: tuple[object, ...]) -> None:
        super().__init__(found)
        self.key = key

    def once(self, what: str, make: Callable[[], T], *choices: str) -> T:
        """Return something made of the numbers and of choices, computed once."""
        return result_cache.once((what, self.key, *choices), make)


def rankings_of_file() -> None:
    """Let the user choose a file; show what was judged, how far judges agree and what any metric can reach."""
    with st.container(border=True):
        opened = _choose_rankings()
    if opened is None:
        return
    _say_read(opened)
    one, two, three = st.columns(3, gap="medium")
    with one:
        ties = TIES[choose("Ties of judges", list(TIES), "jud_ties")]
    with two:
        entry = tk.COEFFICIENTS[
            choose("Coefficient of the pictures", list(COEFFICIENTS), "jud_file_coefficient", printed=charts.label_of)
        ]
    with three:
        pair = choose("Language pair of the pictures", opened.read.language_pairs, "jud_pair")
    tasks = _tasks_of(opened, ties)
    done: dict[str, LanguagePairNumbers] = result_cache.compute("Weighing judgments", tasks)
    if pair in done:
        found = Sheet(done, tuple(tasks[name][0] for name in done))
        _counts(found)
        _agreement(found, pair)
        if _predict_largest(opened, found[pair], entry, pair, ties):
            _caps(found, entry, pair)
            _show_resolution(found, pair)
        _code(opened, ties)


# ----------------------------------------------------------------------------------------------------- the pictures


def _counts(found: Sheet) -> None:
    st.subheader("What was judged")

    def make() -> pd.DataFrame:
        return pd.DataFrame({pair: one.counts for pair, one in found.items()}).T.rename_axis("language pair")

    table = found.once("judgments counted", make)
    tables.grid(table, "what was judged", "Judgments by language pair", values=table)
    st.markdown(
        "**repeated**: pairs of translations that were judged more than once, by one judge or several. "
        "**contradicted**: pairs in which each translation was preferred at least once."
    )


def _agreement(found: Sheet, pair: str) -> None:
    """Show how often two judgments of the same two translations agree."""
    st.subheader("How often do judges agree?")
    shown, table = found.once("judges' agreement", lambda: _kappas(found))
    left, right = st.columns([3, 2], gap="large")
    with left:
        tables.show(shown, "agreement", "Agreement within and between judges", values=table)
        st.markdown(
            "κ = (P(A) − P(E)) / (1 − P(E)): P(A) is how often two judgments of the same two translations agree, ties "
            "counted; P(E) = P(<)² + P(=)² + P(>)² is how often they would by chance. **same judge**: one judge judged "
            "the same two translations twice."
        )
    with right:
        frame, labels, words, table = found.once("unity", lambda: _unity(found[pair], pair), pair)
        shell.draw(frame, charts.unity_chart(labels, shell.theme()), words, "jud_unity")
    with st.expander(f"Pairs of {plain(pair)} by their judgments"):
        tables.grid(table, "pairs by judgments", words, values=found[pair].unity, hide_index=True)


def _kappas(found: Sheet) -> tuple[pa.Table, pd.DataFrame]:
    """P(A), P(E) and κ, two rows per language pair; as shown and for a file."""
    rows = [
        {
            "language pair": name,
            "judges": who,
            "n": part.n,
            "P(A)": part.observed,
            "P(E)": part.expected,
            "κ": part.value,
        }
        for name, one in found.items()
        for who, part in (("same judge", one.kappa.within), ("two judges", one.kappa.between))
    ]
    table = pd.DataFrame(rows)
    shown = table.assign(**{name: table[name].map(format_number) for name in ("P(A)", "P(E)", "κ")})
    shown["n"] = [f"{number:,}" for number in table["n"]]
    shown["language pair"] = shown["language pair"].map(plain)
    return pa.Table.from_pandas(shown), table


def _unity(found: LanguagePairNumbers, pair: str) -> tuple[pa.Table, tuple[str, ...], str, pd.DataFrame]:
    """The bars that show how far judgments agree: the frame, their names, the words, and one row per bar."""
    unity = found.unity
    words = "; ".join(
        f"judged {row.judgments} times: {row.pairs} pairs, {row.what}" for row in rows_of(unity) if row.pairs
    )
    labels = tuple(dict.fromkeys(unity["judgments"]))
    counts = unity.pivot_table("pairs", "judgments", "what", aggfunc="sum")
    counts = counts.reindex(index=list(labels), columns=list(charts.UNITY_STYLE)).reset_index()
    title = f"Pairs of translations of {pair} by their judgments: {words}"
    return pa.Table.from_pandas(unity), labels, title, counts.rename_axis(columns=None)


def _predict_largest(
    opened: RankingsFile, found: LanguagePairNumbers, entry: tk.Coefficient, pair: str, ties: str
) -> bool:
    """Let the user predict what any metric can reach on the sample; a file of the user is shown at once."""
    limit, label = found.limits[entry.name], plain(entry.label)
    if not opened.is_bundled or np.isnan(limit.cap):
        return True
    most = limit.reachable_tying
    reasons = {format_number(most): f"{_loss(limit)} {_gap(limit)}"}
    reasons.setdefault("1.000", "There are pairs on which judges contradict each other.")
    reasons.setdefault(
        format_number(limit.cap),
        "That follows every majority. Some majorities form a cycle, which scores cannot follow.",
    )
    reasons.setdefault(
        format_number(found.kappa.between.value), "That is κ between judges: how often *two* agree beyond chance."
    )
    reasons.setdefault(
        format_number(found.kappa.between.observed),
        "That is P(A), how often two judges agree. A metric can agree with the majority.",
    )
    return predict.predict_first(
        f"judgments sample: {pair} {entry.name} {ties}",
        f"What is the **largest {label}** that any metric can reach on {plain(pair)}?",
        dict(sorted(reasons.items())),
        format_number(most),
    )


def _loss(limit: tk.judgments.Attainable) -> str:
    if gains_by_tying(limit):
        return f"{TIES_GAIN} Without ties, a metric that follows every majority gets {format_number(limit.cap)}."
    return f"Following every majority gives {format_number(limit.cap)} on {limit.n_judgments:,} judgments."


def _gap(limit: tk.judgments.Attainable) -> str:
    """What cycles cost, in words."""
    if not limit.n_intransitive:
        return "No majorities form a cycle."
    bound = "" if limit.exact else f", at most {format_number(limit.reachable_at_most)}"
    cycles = (
        "have most frequent answers that no scores give"
        if tk.COEFFICIENTS[limit.coefficient].handles_ties
        else "form a cycle"
    )
    return (
        f"{limit.n_intransitive:,} of {limit.n_triples:,} triples of translations {cycles}, so the best single score "
        f"per translation reaches {format_number(limit.reachable)}{bound}."
    )


def _caps(found: Sheet, entry: tk.Coefficient, pair: str) -> None:
    """Show the range of any metric on every language pair, with a metric in it."""
    st.subheader("How high can any metric score?")
    metric = choose("Metric in the picture", list(found[pair].metrics), "jud_file_metric")
    frame, table, words = found.once("caps", lambda: _caps_by_pair(found, entry, metric), entry.name, metric)
    low = entry.range[0]
    figure = charts.cap_chart(tuple(found), entry.label, low, shell.theme(), metric=metric)
    shell.draw(frame, figure, words, "jud_caps")
    with st.expander("The numbers"):
        tables.grid(table.style.format(_write_number), "caps by language pair", words, values=table)
    limit = found[pair].limits[entry.name]
    st.markdown(
        f"**{plain(pair)}:** {_loss(limit)} {_gap(limit)} The diamond is *{plain(metric)}*. {_beside_the_paper(limit)}"
    )


def _caps_by_pair(found: Sheet, entry: tk.Coefficient, metric: str) -> tuple[pa.Table, pd.DataFrame, str]:
    """Caps by language pair: for the picture, as a table, in words."""
    limits = {name: one.limits[entry.name] for name, one in found.items()}
    values = {name: one.metrics[metric][entry.name] for name, one in found.items() if metric in one.metrics}
    rows = {
        name: {
            "floor": limit.floor,
            "cap": limit.cap,
            "single scores: lowest": limit.reachable_floor,
            "single scores: highest": limit.reachable,
            "with ties: highest": limit.reachable_tying,
            metric: values.get(name, float("nan")),
        }
        for name, limit in limits.items()
    }
    words = "; ".join(
        f"{name} from {format_number(limit.floor)} to {format_number(limit.cap)}, "
        f"single scores {format_number(limit.reachable)}, "
        f"{metric} {format_number(values.get(name, float('nan')))}"
        for name, limit in limits.items()
    )
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis("language pair")
    frame = pa.Table.from_pandas(charts.cap_frame(limits, values))
    return frame, table, f"{entry.label} by language pair: {words}"


def _write_number(value: Any) -> str:
    """A number of a table, with a true minus sign."""
    return format_number(value)


def _beside_the_paper(limit: tk.judgments.Attainable) -> str:
    """Say what the paper prints, and which number comes close to it."""
    if tk.COEFFICIENTS[limit.coefficient].handles_ties or np.isnan(limit.cap):
        return ""
    share = (1 + limit.cap) / 2
    return f"The share of judgments on the majority's side is (1 + cap) / 2 = **{format_number(share)}**."


def _show_resolution(found: Sheet, pair: str) -> None:
    """Show every metric and what any can reach, before and after contradictions are resolved by majority."""
    st.subheader("Contradictions resolved by majority")
    table, one = found.once("resolved", lambda: _board(found[pair]), pair), found[pair]
    words = f"Metrics on {pair}, before and after"
    tables.grid(table.style.format(_write_number), f"metrics on {pair}", words, values=table)
    risen = sum(one.metrics_resolved[name]["tau_14"] > before["tau_14"] for name, before in one.metrics.items())
    st.markdown(
        f"For each pair, keep only the majority judgment: **{one.n_resolved:,}** of {one.counts['judgments']:,} "
        f"judgments remain, and {one.n_draws:,} evenly split pairs are left out. No judgment is contradicted any more, "
        f"so the cap is 1; cycles remain. τ\\_14 rises for {risen} of {len(one.metrics)} metrics in the table although "
        "no metric has changed."
    )


def _board(found: LanguagePairNumbers) -> pd.DataFrame:
    """The cap, the most that any metric reaches, and every metric, by each coefficient before and after."""
    labels = {name: tk.COEFFICIENTS[name].label for name in COEFFICIENTS}

    def row(before: dict[str, float], after: dict[str, float]) -> dict[str, float]:
        resolved = {f"{labels[name]} resolved": after[name] for name in COEFFICIENTS}
        return {labels[name]: before[name] for name in COEFFICIENTS} | resolved

    ends = [
        {name: getattr(limit, end) for name, limit in limits.items()}
        for end in ("cap", "reachable_tying")
        for limits in (found.limits, found.resolved)
    ]
    rows = {"cap": row(ends[0], ends[1]), "highest of any metric": row(ends[2], ends[3])}
    rows |= {name: row(before, found.metrics_resolved[name]) for name, before in found.metrics.items()}
    table = pd.DataFrame.from_dict(rows, orient="index").rename_axis("metric")
    return table[[label for name in COEFFICIENTS for label in (labels[name], f"{labels[name]} resolved")]]


def _code(opened: RankingsFile, ties: str) -> None:
    call = (
        f"rankings = tk.judgments.read_rankings({{{opened.name!r}: file}})\n"
        f"preferences = rankings.preferences({ties!r})\n"
        'tk.judgments.agreement(rankings, by="language_pair"), '
        'tk.judgments.attainable(preferences, "tau_14", by="language_pair"), '
        'tk.judgments.attainable(tk.judgments.resolve(preferences), "tau_14", by="language_pair")'
    )
    downloads.show_code("Rankings of a file", call, {"file": opened.content}, opened.load)
