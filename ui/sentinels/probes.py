"""How high does a spurious signal rank? Probes that know only the source, only the candidate or nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit.core import DEFAULT_GROUPING, FloatArray, average, digest_of
from tiekit.ranking import MetricValues
from ui.evalset import choices
from ui.evalset.compared_set import ComparedSet
from ui.evalset.groupings import (
    CALIBRATED,
    GroupingContests,
    GroupingTable,
    evaluate_all,
    grouping_phrase,
    tasks_of,
)
from ui.link.controls import choose, choose_among_few
from ui.page import glossary, predict, tables
from ui.work import result_cache
from ui.work.text import cell, format_number, plain

PARTS = ("probes", "metric by metric", "length", "share of ties", "held out", "tied pairs")
"""In the order of Perrella et al. (2024): spurious correlations in Section 3, ties in Section 4."""


LEAK = "segment mean"
LENGTH = "source length"
COLUMNS = ("pearson", "tau_b", "tau_a", "acc_eq", "acc_eq*", "spearman")
FIRST, AMONG, LAST, NOWHERE = "ahead of every metric", "among the metrics", "behind every metric", "it has no value"

REASONS = {
    "global": (
        "Think of what most pairs compare: two translations of two segments, one of which is harder.",
        "It cannot tell two translations of a segment apart, but it knows which segments are hard, and most pairs are "
        "of two segments.",
    ),
    "item": (
        "Within a segment all translations have the same score here.",
        "Within a segment it orders nothing; what that is worth depends on the coefficient.",
    ),
}
"""Why a prediction is wrong, and why the answer is right."""

MEANINGS = {
    "source length": "longer sources get lower scores, because they are harder",
    "candidate length": "longer translations get lower scores, because they may have more errors",
    "segment mean": "the mean human score of the segment's translations, including the very score being predicted",
    "random": "a random number for each translation",
    "constant": "the same score for every translation",
}

CALL = """with_probes = tk.sentinels.with_probes(chosen, human={human!r}, exclude=())
{{
    grouping: tk.leaderboard(
        with_probes, {human!r}, grouping=grouping, coefficients={coefficients}, calibrated={starred}, exclude=()
    )[{column!r}].to_dict()
    for grouping in {groupings}
}}"""


def choose_part() -> str:
    """Let the user choose what is shown; nothing else is computed."""
    return choose_among_few("Question", PARTS, "part")


def ranks_of_probes(case: ComparedSet, grouping: str) -> None:
    """Show what a spurious signal outranks, then metrics and probes under every grouping, after a prediction.

    A grouping by document is among them where it is the one that is chosen: with acc_eq* it takes seconds.
    """
    st.markdown(
        "A **probe** is not a metric: it uses one simple signal, named below, that cannot tell how good a translation "
        "is. Where a probe outranks metrics, the evaluation rewards something other than judging translations."
    )
    glossary.terms("probe", "spurious correlation", "grouping")
    column = choose("Coefficient", COLUMNS, "sen_measure", help=CALIBRATED, printed=tk.charts.label_of)
    ranked, leaking = rankings_of(case, column, grouping)
    honest = [name for name in case.probes if not tk.sentinels.PROBES[name].leaks]
    table = evaluate_all(ranked, honest)
    if table is None:
        return
    _headline(table.values, honest, ranked.label)
    _describe(case.probes)
    leak = _leaking_values(leaking)
    if leak is not None and not _predict_ranks(case, table.values, leak, column):
        return
    _show(ranked, table, honest)
    if leak is not None:
        _show_leak(case, ranked, table.values, leak)
    plainly, starred = ranked.wanted
    wanted = {"column": column, "groupings": list(ranked.contests), "coefficients": plainly, "starred": starred}
    call = CALL.format(human=case.rated, **wanted)
    case.show_code("probes by grouping", list(case.metrics), call, lengths=True)


def rankings_of(case: ComparedSet, column: str, grouping: str = DEFAULT_GROUPING) -> list[GroupingContests]:
    """Return what is evaluated under every grouping: metrics and probes, and the probes made of the human scores."""
    groupings = list(dict.fromkeys([*choices.groupings(case.data), grouping]))
    apart = {
        leaks: {n: s for n, s in case.probes.items() if tk.sentinels.PROBES[n].leaks is leaks}
        for leaks in (False, True)
    }
    return [_contests(case, one, column, groupings) for one in ({**case.metrics, **apart[False]}, apart[True])]


def _contests(
    case: ComparedSet, scores: Mapping[str, FloatArray], column: str, groupings: Sequence[str]
) -> GroupingContests:
    contest = replace(case.contest, metrics=scores)
    contests = {by: replace(contest, grouping=by) for by in groupings}
    return GroupingContests(case.selection, contests, column)


def _leaking_values(case: GroupingContests) -> dict[str, float] | None:
    """The values of the segment mean by grouping; None if the work was canceled."""
    tasks = tasks_of(case)
    found: dict[str, MetricValues] = result_cache.compute("Evaluating the segment mean", tasks)
    if len(found) < len(tasks):
        return None
    per_group = (one.per_group[case.column][one.is_group] for one in found.values())
    return {by: average(values, "drop") for by, values in zip(case.contests, per_group, strict=True)}


def _headline(values: pd.DataFrame, probes: list[str], label: str) -> None:
    """Say how many metrics the length of the source outranks under each grouping (Perrella et al. 2024, Section 3)."""
    if LENGTH not in values.index:
        st.info("This set holds neither texts nor their lengths, so the probes that measure length are left out.")
        return
    beaten, number = _count_outranked(values, LENGTH, probes)
    words = [f"{beaten[by] or 'none'} {grouping_phrase(by)}" for by in ("global", "system", "item") if by in beaten]
    st.subheader(f"The source's length outranks {beaten.get('global', 0)} of {number} metrics")
    st.markdown(
        "Counting the characters of the source gives no information about a translation. Yet as a metric (longer "
        f"sources get lower scores) it has a higher {plain(label)} than, of {number} metrics, "
        f"**{', '.join(words)}**: pairs across "
        "segments reward knowing which segments are hard."
    )


def _count_outranked(values: pd.DataFrame, name: str, probes: Sequence[str]) -> tuple[dict[str, int], int]:
    """How many metrics a probe outranks under each grouping, and how many metrics there are."""
    metrics = values.drop(index=list(probes), errors="ignore")
    return {by: int((metrics[by] < cell(values, name, by)).sum()) for by in map(str, values)}, len(metrics)


def _describe(probes: Mapping[str, FloatArray]) -> None:
    """What each probe knows."""
    entries = {name: tk.sentinels.PROBES[name] for name in probes}
    rows = [(name, entry.knows, MEANINGS[name], "yes" if entry.leaks else "no") for name, entry in entries.items()]
    known = pd.DataFrame(rows, columns=["probe", "knows", "score", "uses the human scores"])
    tables.show(known, "probes", "The probes, what each knows, its score, and whether it uses the human scores")


def _predict_ranks(case: ComparedSet, metrics: pd.DataFrame, leak: dict[str, float], column: str) -> bool:
    """Let the user predict the rank of the segment mean without grouping and by item."""
    metrics, key = metrics.drop(index=list(case.probes), errors="ignore"), digest_of(case.human)
    for by in ("global", "item"):
        if by not in metrics or metrics.empty:
            continue
        value, best, worst = leak[by], metrics[by].max(), metrics[by].min()
        truth = NOWHERE if value != value else FIRST if value > best else LAST if value < worst else AMONG
        mistaken, why = REASONS[by]
        options = {FIRST: mistaken, AMONG: mistaken, LAST: mistaken, NOWHERE: mistaken} | {truth: why}
        number = "It has no value" if truth == NOWHERE else format_number(value)
        options[truth] = f"{number}; the best metric has {format_number(best)}. {options[truth]}"
        question = f"**{LEAK}** gives every translation of a segment one score, the mean of the human's. Where is it "
        question = f"{question}{grouping_phrase(by)}?"
        if not predict.predict_first(f"probe {by}: {column} {key}", question, options, truth, is_about_files=True):
            return False
    return True


def _show(ranked: GroupingContests, table: GroupingTable, probes: list[str]) -> None:
    """Show the ranking of metrics and probes, and what each probe outranks."""
    values, numbers, shown, _ = table
    marked = shown.rename(index={name: f"◆ {name}" for name in probes})
    words = f"{ranked.label} and rank of {len(values)} metrics and probes by grouping; ◆ is a probe"
    tables.grid(marked, "probes-by-grouping", words, values=numbers, height="content")
    st.markdown(f"{plain(ranked.label)}, with the rank among all in brackets. ◆ is a probe.")
    lines = []
    for name in values.index.intersection(probes):
        beaten, of = _count_outranked(values, name, probes)
        words = ", ".join(f"{number} {grouping_phrase(by)}" for by, number in beaten.items() if number)
        lines.append(f"- **{name}** outranks {f'{words}, of {of} metrics' if words else 'no metric'}.")
    st.markdown("\n".join(lines))


def _show_leak(case: ComparedSet, ranked: GroupingContests, values: pd.DataFrame, leak: dict[str, float]) -> None:
    """Show the segment mean apart from the others: it is computed from the human scores."""
    st.subheader("Not comparable: the segment mean uses the human scores")
    metrics = values.drop(index=list(case.probes), errors="ignore")
    cells = {
        by: f"{format_number(value)} (higher than {int((metrics[by] < value).sum())} of {len(metrics)})"
        if value == value
        else format_number(value)
        for by, value in leak.items()
    }
    shown = pd.DataFrame([{"probe": LEAK} | {grouping_phrase(by): words for by, words in cells.items()}])
    words = f"{ranked.label} of the segment mean by grouping"
    tables.show(shown, "segment-mean", words, values=pd.DataFrame([{"probe": LEAK, **leak}]))
    st.warning(
        "The segment mean is **computed from the human scores themselves**, including the very score being predicted. "
        "No metric could know them; it shows how far knowing the segment alone would carry. By item it is constant: "
        "acc\\_eq then equals the share of human ties, "
        f"{format_number(tk.count_ties(case.human, grouping='item').share)}, and coefficients that need an order are "
        "undefined."
    )
