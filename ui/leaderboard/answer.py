"""What does the page say at first sight? The table with clusters and intervals, and where the user's metric stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType

import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.ranking import ordinal
from tiekit.significance import RESAMPLES, SWAPS, Comparison
from ui.evalset import groupings
from ui.leaderboard import published_values, ranking
from ui.leaderboard.question import Question, file_stem, numbers_of
from ui.leaderboard.ranking import Marks, show_values
from ui.leaderboard.significance import ALPHA, TestedColumn, bounds_of, compare, key_of
from ui.link.controls import choose
from ui.page import glossary, pages
from ui.page import question as page_question
from ui.work import presets, result_cache
from ui.work.text import cell, format_number, join_words, plain

TWO_METRICS = "Two metrics, coefficient by coefficient"
"""The heading under which any two metrics are compared."""

ANCHOR = "two-metrics"

COMPARE = f"Compare with another metric below: [{TWO_METRICS}](#{ANCHOR})."

CLUSTERS, INTERVALS, NEITHER = "clusters", "clusters and intervals", "neither"

SUBJECT = "GEMBA-Dav3-DA-refA"
"""Which metric the page asks about."""

MOST = 60
"""So many metrics are tested without being asked: a second or two."""

UNTESTED = (
    f"No difference is tested yet: tests take longer with more than {MOST} metrics, if pairs are not grouped by item, "
    f"or by coefficients that compare systems. To run them, choose **{CLUSTERS}** under **Significance**."
)

TERMS = (
    *("metric", "MQM", "segment", "pair"),
    *("τ_a", "τ_b", "τ_c", "τ_10", "τ_13", "τ_14", "acc_eq", "calibration ε*"),
)


def choose_tests(question: Question) -> str:
    """Let the user choose what the table says of chance; what takes long is not done unless it is asked for."""
    if _is_quick(question):
        return choose("Significance", [CLUSTERS, INTERVALS, NEITHER], "table_tests")
    return choose("Significance", [NEITHER, CLUSTERS, INTERVALS], "slow_tests")


def _is_quick(question: Question) -> bool:
    """Whether tests take a second or two: items are swapped whole, so nothing is counted again."""
    is_by_group = question.columns[-1] not in tk.measures.SYSTEM_LEVEL
    return is_by_group and question.contest.grouping == "item" and len(question.contest.metrics) <= MOST


def show(frame: pd.DataFrame, question: Question, tests: str) -> Comparison | None:
    """Show the table below what is said of added metrics, at first without tests that take a while; return them."""
    answered = st.container()
    found = _show_table(frame, question, tests)
    with answered:
        _say(numbers_of(frame), question, found)
    return found


def _show_table(frame: pd.DataFrame, question: Question, tests: str) -> Comparison | None:
    """Show the table; return what was tested."""
    columns = question.columns
    chosen = ranking.choose_metric(numbers_of(frame), columns, question.added)
    plain_marks = Marks(question.probes, question.added, chosen=chosen, grouping=question.contest.grouping)
    tested = column_to_test(question)
    if tests == NEITHER or tested.column not in tested.testable(question) or len(question.contest.ranked) < 2:
        show_values(frame, columns, plain_marks)
        if tests == NEITHER and not _is_quick(question):
            st.caption(UNTESTED)
        return None
    place = st.empty()
    if tests == INTERVALS or not result_cache.is_known(key_of(tested)):
        with place.container():
            show_values(frame, columns, plain_marks, key="ranking_before")
    found = compare(tested, "Testing every two metrics for the table")
    clusters: Mapping[str, int] = {}
    if found is not None:
        clusters = result_cache.once(("clusters in the table", key_of(tested)), partial(_clusters, found))
    intervals = {}
    if tests == INTERVALS:
        resampled = TestedColumn.by_usual(question, RESAMPLES, columns[-1])
        bounds = bounds_of(resampled, "Resampling every metric for the table")
        intervals = {name: one.ends for name, one in bounds.items() if one.ends}
    place.empty()
    marks = replace(plain_marks, tested=tested.column, clusters=clusters, intervals=intervals)
    show_values(frame, columns, marks)
    return found


def column_to_test(question: Question) -> TestedColumn:
    """Return what is tested: the column that the table ranks by."""
    return TestedColumn.by_usual(question, SWAPS, question.columns[-1])


def _clusters(found: Comparison) -> Mapping[str, int]:
    """The cluster of every metric that has one; below the table it is said where resamples are too few for any."""
    clusters = found.clusters(ALPHA).dropna()
    return MappingProxyType({str(name): int(place) for name, place in clusters.to_dict().items()})


def show_ranks(frame: pd.DataFrame, question: Question) -> None:
    """Show how ranks change with the coefficient, where there is more than one."""
    if len(question.columns) < 2:
        st.info("Choose at least two coefficients to see how ranks change between them.")
        return
    contest = question.contest.selection
    of = f"{contest['set']}, human score {contest['human']}, grouped by {question.contest.grouping}"
    marks = {"◆": question.probes, "✚": question.added}
    ranking.show_ranks(numbers_of(frame), question.columns, of, marks, SUBJECT if page_question.asks() else None)


def explain(title: str) -> None:
    """Explain the words of the question and of the chart."""
    page_question.explain(pages.find(title), is_why_told=False)
    glossary.terms(*TERMS)


def say_how_to_read() -> None:
    """Say how to read the table, and explain its words."""
    st.markdown(
        "Higher is better. Click a heading to sort. A star means calibrated: scores that differ by at most "
        "ε\\* count as tied."
    )
    glossary.terms("coverage", "rank cluster", "reference-based", "system")


def show_below(frame: pd.DataFrame, question: Question) -> None:
    """Show what the table was made of."""
    ranking.say_fairness(frame)
    question.show_code(f"{file_stem(question)}-leaderboard")
    ranking.group_table(frame, question)
    published_values.compare(frame, question)
    with st.expander("What do the papers call these groupings?"):
        groupings.paper_names()


def _say(board: pd.DataFrame, question: Question, found: Comparison | None) -> None:
    """Say where each added metric stands; with what was tested, where that was asked for."""
    for name in question.added:
        if name in question.contest.apart:
            st.markdown(f"✚ {_below_the_others(found, name)}")
        elif name in board.index:
            said = f"✚ {_ranks(board, question.columns, name)} {_neighbors(found, name)}".strip()
            st.markdown(f"{said} {COMPARE}" if len(board) > 1 else said)


def _ranks(board: pd.DataFrame, columns: list[str], name: str) -> str:
    """Return a metric's rank by each coefficient as a sentence, the last column's first."""
    first, *others = reversed(columns)
    label, value = plain(charts.label_of(first)), cell(board, name, first)
    if value != value:
        words = f"**{plain(name)}** has no rank by {label}, which is undefined for it"
    else:
        number = int(board[first].notna().sum())
        place = ordinal(int(cell(board, name, f"rank({first})")))
        words = f"**{plain(name)}** is **{place} of {number}** by {label} ({format_number(value)})"
    by_rank: dict[str, list[str]] = {}
    for column in reversed(others):
        rank = cell(board, name, f"rank({column})")
        by_rank.setdefault("undefined" if pd.isna(rank) else ordinal(int(rank)), []).append(
            plain(charts.label_of(column))
        )
    return "; ".join([words, *(f"{place} by {join_words(labels)}" for place, labels in by_rank.items())]) + "."


def _below_the_others(found: Comparison | None, name: str) -> str:
    """Say from which metrics one without a rank differs, on the translations that both have scored."""
    start = f"**{plain(name)}** has no rank"
    if found is None:
        return f"{start}: choose **clusters** under **Significance** to compare it with each of the others. {COMPARE}"
    pairs = found.apart[(found.apart["first"] == name) & found.apart["pvalue"].notna()]
    is_far = pairs["pvalue"] <= presets.SIGNIFICANT
    sides = {"better": is_far & (pairs["difference"] > 0), "worse": is_far & (pairs["difference"] < 0)}
    said = [
        f"it is significantly {how} than {join_words([plain(str(other)) for other in pairs['second'][side]])}"
        for how, side in sides.items()
        if side.any()
    ]
    near = int((~is_far).sum())
    said += [f"it does not differ significantly from {'one' if near == 1 else near} of them"] * bool(near)
    return (
        f"{start}. Compared with each of the others on the translations that both have scored, {'; '.join(said)}. "
        f"Each p is of {found.n_resamples} swaps of whole segments. {COMPARE}"
    )


def _neighbors(found: Comparison | None, name: str) -> str:
    """A metric's cluster, and whether it differs from the next metrics above and below."""
    return "" if found is None else plain(found.say_neighbors(name, presets.SIGNIFICANT))
