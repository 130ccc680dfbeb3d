"""What does the page answer? Where the user's metric stands, the table with clusters, and the chart of ranks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any

import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.ranking import ordinal, say_assumed, standing_of
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
from ui.work.text import cell, format_number, plain

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
    "MQM",
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
    """Show the table, at first without tests that take a while; return what was tested."""
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


def show_ranks(frame: pd.DataFrame, question: Question) -> Callable[[], None]:
    """Show how ranks change with the coefficient, where there is more than one; return what offers that as a page."""
    if len(question.columns) < 2:
        st.info("Choose at least two coefficients to see how ranks change between them.")
        return lambda: None
    contest = question.contest.selection
    of = f"{contest['set']}, human score {contest['human']}, grouped by {question.contest.grouping}"
    marks = {"◆": question.probes, "✚": question.added}
    asked = SUBJECT if page_question.asks() else None
    return ranking.show_ranks(numbers_of(frame), question.columns, of, marks, asked)


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


def say_standings(board: pd.DataFrame, question: Question, found: Comparison | None, where: Any) -> None:
    """Say where each added metric stands, as `tk.standing` does; without tests, its rank alone."""
    column, gold = question.columns[-1], question.contest.selection["human"]
    for name in (name for name in question.added if name in board.index):
        rank, value = (cell(board, name, one) for one in (f"rank({column})", column))
        place = "has no rank" if pd.isna(rank) else f"is {ordinal(int(rank))} of {len(question.contest.ranked)}"
        said = f"{name} {place} by {charts.label_of(column)} ({format_number(value)}). No difference is tested."
        said = f"{said} {say_assumed(question.data, (name, gold))}".rstrip()
        if found is not None:
            said = standing_of(found, name, question.data, gold, alpha=presets.SIGNIFICANT).sentence
        where.markdown(f"✚ {plain(said)}")
