"""What does the grouping do to the ranking of metrics on the open evaluation set?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import pandas as pd
import pyarrow as pa
import streamlit as st

import tiekit as tk
from tiekit.core import digest_of, group_checked
from tiekit.ranking import ComparisonInputs
from ui.classroom.scale import Scale
from ui.evalset import choices, notes
from ui.evalset.groupings import CALIBRATED, GroupingContests, evaluate_all, name_in_words, reversal_gaps
from ui.evalset.selection import Selection
from ui.evalset.sources import OpenSet
from ui.grouping.values import ahead, draw_reversals, say_reversals
from ui.link.controls import choose
from ui.page import predict, tables
from ui.work import result_cache
from ui.work.text import percent, plain

MOST = "the largest flip"
"""Always the first option, so that a link that names no metric means the same on every data set."""

CALL = """{select}
values = {{}}
for grouping in {groupings}:
    board = tk.leaderboard(
        chosen,
        {human!r},
        metrics={metrics},
        grouping=grouping,
        coefficients={coefficients},
        calibrated={calibrated},
        exclude=(),
    )
    values[grouping] = board[{column!r}].to_dict()
values"""


def choose_comparison(opened: OpenSet) -> GroupingContests | None:
    """Let the user choose what is compared; None where that leaves nothing, with the reason."""
    data = opened.data
    one, two, three = st.columns(3, gap="medium")
    with one:
        human = choices.choose_human(data)
    with two:
        column = choose("Coefficient", columns(), "grp_measure", help=CALIBRATED, printed=tk.charts.label_of)
    with three:
        domain = choices.choose_domain(data)
    with notes.drawer("Metrics, systems, direction of scores, rounding"):
        metrics = choices.choose_metrics(data)
        exclude, adjustment = choices.choose_excluded(data), choices.choose_adjustment(data)
    selection = Selection(opened, human, metrics, exclude, domain, adjustment)
    if not selection.say():
        return None
    return by_all_groupings(selection, column)


def by_all_groupings(selection: Selection, column: str) -> GroupingContests:
    """Return what is compared, under every grouping that makes sense; metrics that stand apart are left out."""

    def lay_out() -> Mapping[str, ComparisonInputs]:
        groupings, ranked = choices.groupings(selection.source.data), MappingProxyType(selection.contest.ranked)
        return MappingProxyType({by: replace(selection.contest, grouping=by, metrics=ranked) for by in groupings})

    return GroupingContests(selection, selection.once("by grouping", lay_out), column)


def columns() -> list[str]:
    """Return the columns on offer; τ_a first, because a constant group counts as 0 and is not undefined."""
    return ["tau_a", "acc_eq*", *(name for name in tk.COEFFICIENTS if name != "tau_a")]


def show(case: GroupingContests) -> None:
    """Show how many pairs there are, the ranks of all metrics, and which rankings flip."""
    _pair_table(case)
    table = evaluate_all(case)
    if table is None:
        return
    values, numbers, shown, moves = table
    if not _predict_moves(case, values):
        return
    if case.column == "tau_a":
        st.markdown(
            "The coefficient is τ\\_a at first: acc\\_eq without calibration credits a metric that ties all pairs for "
            "every pair that the human ties, while τ\\_a gives it 0. τ\\_a has a value in every group."
        )
    words = f"{case.label} and rank of {len(values)} metrics by grouping"
    tables.grid(shown, "ranks by grouping", words, values=numbers, height="content")
    st.markdown(
        f"{plain(case.label)} with ranks in brackets. A metric without a value in a grouping has no rank there."
    )
    st.markdown(moves)
    if len(values) > 1 and values.shape[1] > 1:
        _two(case, values)
    _show_code(case)


def _predict_moves(case: GroupingContests, values: pd.DataFrame) -> bool:
    """Let the user predict how many rankings flip; return whether the answer may be drawn."""
    total = len(values) * (len(values) - 1) // 2
    if total < 2 or values.shape[1] < 2:
        return True
    flipped = int((reversal_gaps(values) > 0).sum()) // 2
    why = f"That is {percent(flipped / total)} of the {total} pairs."
    question = (
        f"The {len(values)} metrics of this set make {total} pairs. **How many of these pairs of metrics change their "
        f"order by {plain(case.label)} when the grouping changes?**"
    )
    key, scale = f"grouping set: {case.column} {digest_of(values.to_numpy())}", Scale(0, total, unit="pair")
    return predict.draw_first(key, question, scale, flipped, why, is_about_files=True)


def _show_code(case: GroupingContests) -> None:
    """Show the same table in Python."""
    selection, coefficients, calibrated = case.selection, *map(list, case.wanted)
    names, human = list(case.contests["global"].metrics), selection.human
    asked = {"metrics": names, "coefficients": coefficients, "calibrated": calibrated, "column": case.column}
    select, groupings = selection.selecting_code(names), list(case.contests)
    call = CALL.format(select=select, groupings=groupings, human=human, **asked)
    selection.show_code("Ranks by grouping", call, names)


def _pair_table(case: GroupingContests) -> None:
    """Show the groups and pairs of each grouping."""
    human = case.contests["global"].human

    def count() -> tuple[pa.Table, pd.DataFrame]:
        groups = {name_in_words(by): group_checked(human, human, by) for by in case.contests}
        rows = [(name, found.index.size, found.n_pairs) for name, found in groups.items()]
        table = pd.DataFrame(rows, columns=["grouping", "groups", "pairs of human scores"])
        shown = table.map(lambda cell: cell if isinstance(cell, str) else f"{cell:,}")
        return pa.Table.from_pandas(shown), table

    shown, table = result_cache.once(("pairs by grouping", digest_of(human), *case.contests), count)
    tables.show(shown, "pairs by grouping", "Groups and pairs of each grouping", values=table)


def _two(case: GroupingContests, values: pd.DataFrame) -> None:
    """Compare two metrics, at first those with the largest flip between groupings of single translations."""
    names = [str(name) for name in values.index]
    turned = reversal_gaps(values.drop(columns="system_means", errors="ignore"))
    st.subheader("Two metrics")
    left, right = st.columns([2, 3], gap="large")
    with left:
        first = choose("First metric", [MOST, *sorted(names)], "grp_first")
        first = names[int(turned.max(axis=1).argmax())] if first == MOST else first
        others = [name for name in names if name != first]
        second = choose("Second metric", [MOST, *sorted(others)], "grp_second")
        gaps = dict(zip(names, turned[names.index(first)], strict=True))
        second = max(others, key=lambda name: gaps[name]) if second == MOST else second
        couple = values.loc[[first, second]].T
        winners = {str(by): ahead(dict(zip(map(str, couple), row, strict=True))) for by, row in couple.iterrows()}
        st.markdown(f"**{say_reversals(winners)}**")
        if couple.isna().to_numpy().any():
            st.markdown("Some coefficients are undefined for a metric that ties every pair of every group.")
    with right:
        draw_reversals(couple, case.label, "grp_two")
