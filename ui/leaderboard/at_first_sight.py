"""Which differences does the table itself mark as significant? Clusters and intervals of the column it ranks by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType

import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit.errors import collect_warnings
from tiekit.significance import RESAMPLES, SWAPS
from ui.leaderboard import answer, rank_chart
from ui.leaderboard.board import numbers_of
from ui.leaderboard.clusters import ALPHA, compare, is_known, key_of
from ui.leaderboard.intervals import bounds_of
from ui.leaderboard.question import Question
from ui.leaderboard.ranking import Marks, show_values
from ui.leaderboard.tested_column import TestedColumn
from ui.link.controls import choose
from ui.work import result_cache
from ui.work.text import format_number

CLUSTERS, INTERVALS, NEITHER = "clusters", "clusters and intervals", "neither"

MOST = 60
"""So many metrics are tested without being asked: a second or two."""

UNTESTED = (
    f"No difference is tested yet: tests take longer with more than {MOST} metrics, if pairs are not grouped by item, "
    f"or by coefficients that compare systems. To run them, choose **{CLUSTERS}** under **Significance**."
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


def show(frame: pd.DataFrame, question: Question, tests: str) -> tk.significance.Comparison | None:
    """Show the table below what is said of added metrics, at first without tests that take a while; return them."""
    answered = st.container()
    found = _show_table(frame, question, tests)
    with answered:
        answer.say(frame, question, found)
    return found


def _show_table(frame: pd.DataFrame, question: Question, tests: str) -> tk.significance.Comparison | None:
    """Show the table; return what was tested."""
    columns = question.columns
    chosen = rank_chart.choose_metric(numbers_of(frame), columns, question.added)
    plain_marks = Marks(question.probes, question.added, chosen=chosen, grouping=question.contest.grouping)
    tested = column_to_test(question)
    if tests == NEITHER or tested.column not in tested.testable(question) or len(question.contest.ranked) < 2:
        show_values(frame, columns, plain_marks)
        if tests == NEITHER and not _is_quick(question):
            st.caption(UNTESTED)
        return None
    place = st.empty()
    if tests == INTERVALS or not is_known(tested):
        with place.container():
            show_values(frame, columns, plain_marks, key="ranking_before")
    found = compare(tested, "Testing every two metrics for the table")
    clusters: Mapping[str, int] = {}
    if found is not None:
        clusters = result_cache.once(("clusters in the table", key_of(tested)), partial(_clusters, found))
    intervals = {}
    if tests == INTERVALS:
        resampled = TestedColumn(question, columns[-1], TestedColumn.units(question, RESAMPLES, columns[-1])[0])
        bounds = bounds_of(resampled, "Resampling every metric for the table")
        intervals = {
            name: f"[{format_number(one.low)}, {format_number(one.high)}]"
            for name, one in bounds.items()
            if one.value == one.value
        }
    place.empty()
    marks = replace(plain_marks, tested=tested.column, clusters=clusters, intervals=intervals)
    show_values(frame, columns, marks)
    return found


def column_to_test(question: Question) -> TestedColumn:
    """Return what is tested: the column that the table ranks by."""
    column = question.columns[-1]
    return TestedColumn(question, column, TestedColumn.units(question, SWAPS, column)[0])


def _clusters(found: tk.significance.Comparison) -> Mapping[str, int]:
    """The cluster of every metric that has one; below the table it is said where resamples are too few for any."""
    with collect_warnings():
        clusters = found.clusters(ALPHA).dropna()
    return MappingProxyType({str(name): int(place) for name, place in clusters.to_dict().items()})


def show_ranks(frame: pd.DataFrame, question: Question) -> None:
    """Show how ranks change with the coefficient, where there is more than one."""
    if len(question.columns) < 2:
        st.info("Choose at least two coefficients to see how ranks change between them.")
        return
    contest = question.contest.selection
    of = f"{contest['set']}, human score {contest['human']}, grouped by {question.contest.grouping}"
    rank_chart.show(numbers_of(frame), question.columns, of, {"◆": question.probes, "✚": question.added})
