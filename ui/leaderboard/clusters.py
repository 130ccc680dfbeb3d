"""Which two metrics of the leaderboard differ significantly? p-values as a picture, clusters and pairs as tables."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import pyarrow as pa
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.core import Progress
from tiekit.errors import collect_warnings
from tiekit.significance import SWAPS
from ui.evalset import notes
from ui.leaderboard import answer, significance_tables
from ui.leaderboard.tested_column import TestedColumn
from ui.page import shell
from ui.work import presets, result_cache
from ui.work.text import format_number, plain

CORRECTIONS = {"none": None, "Holm": "holm", "Bonferroni": "bonferroni", "Benjamini–Hochberg": "bh"}
CORRECTIONS |= {"Benjamini–Yekutieli": "by"}
ALPHA = presets.SIGNIFICANT

COMPARE = """found = tk.significance.compare_metrics(
    human, metrics, {coefficient!r}, grouping={grouping!r}, swap={swap!r}{documents}{cells}
)
found.{end}"""


def test_all_pairs(tested: TestedColumn, correction: str) -> None:
    """Test every two metrics; show p-values as a picture, clusters and all pairs as tables."""
    contest, key = tested.contest, key_of(tested)
    if len(contest.ranked) < 2:
        st.info("There is one metric only.")
        return
    found = compare(tested, "Testing every two metrics")
    if found is None:
        return
    names, corrected = tuple(found.pvalues.index), CORRECTIONS[correction]
    frame = result_cache.once(("p", key, correction), partial(_frame, found, corrected))
    left, right = st.columns([3, 2], gap="large")
    with left:
        number = notes.count_metrics(len(names), len(tested.question.probes))
        words = f"p-values of every two of {number}, {tested.label}, best first: {_few(found)}"
        figure = answer.mark_added(charts.pvalue_chart(names, shell.theme()), tested.question.added)
        shell.draw(frame, figure, words, "p_values")
        st.markdown(
            "Each square is the p-value of its row's metric against its column's, where "
            f"{_say_swap(tested.unit)}. The stronger the color, the smaller p." + _of_many(corrected)
        )
    with right:
        if SWAPS[tested.unit].caution:
            st.warning(
                "Outcomes of pairs of one segment depend on each other. This test, WMT's of calibrated accuracy, calls "
                "metrics different far too often, so it is not used for clusters."
            )
            st.markdown(significance_tables.say_untested(found))
        else:
            significance_tables.clusters(found, tested.label, ALPHA, corrected, tested.question.probes)
    significance_tables.pairs(found, tested.label, corrected, key)
    end = "pvalues" if SWAPS[tested.unit].caution else f"clusters({ALPHA}, {corrected!r})"
    asked = {"grouping": tested.grouping, "swap": tested.unit, "documents": tested.documents_code}
    asked["cells"] = ', cells="own"' * tested.question.selection.own_cells
    call = COMPARE.format(coefficient=tested.column, end=end, **asked)
    tested.show_code("clusters", call)


def key_of(tested: TestedColumn) -> tuple[object, ...]:
    """Return what the tests of every two metrics depend on."""
    contest = tested.contest
    return "clusters", *tested.key, tested.question.selection.own_cells, tuple(contest.metrics), contest.digest


def is_known(tested: TestedColumn) -> bool:
    """Return whether every two metrics have been tested before."""
    return result_cache.is_known(key_of(tested))


def compare(tested: TestedColumn, title: str) -> tk.significance.Comparison | None:
    """Test every two metrics, with progress; None where the visitor has stopped it."""
    found: tk.significance.Comparison | None = result_cache.compute(title, tasks_of(tested)).get(tested.label)
    return found


def tasks_of(tested: TestedColumn) -> dict[str, result_cache.Task]:
    """Return the test of every two metrics."""
    return {tested.label: (key_of(tested), partial(_compare, tested))}


def _compare(tested: TestedColumn, progress: Progress) -> tk.significance.Comparison:
    contest = tested.contest
    with collect_warnings():  # which cells are left out is said above the table
        return tk.significance.compare_metrics(
            contest.rated, contest.metrics, tested.column, **tested.test, progress=progress
        )


def _frame(found: tk.significance.Comparison, correction: str | None) -> pa.Table:
    frame = charts.pvalue_frame(found.pvalues, alpha=ALPHA, correction=correction, untested=found.untested)
    return pa.Table.from_pandas(frame)


def _few(found: tk.significance.Comparison) -> str:
    """The p-values of neighbors in rank, and the metrics without one."""
    with_p = [name for name in found.pvalues.index if name not in found.untested]
    neighbors = [f"{a} and {b} {format_number(found.pvalues.loc[a, b])}" for a, b in pairwise(with_p)]
    return ", ".join(neighbors) + "".join(f"; {name} not tested" for name in found.untested)


def _say_swap(swap: str) -> str:
    return plain(SWAPS[swap].text.split(" (")[0])


def _of_many(correction: str | None) -> str:
    return (
        ""
        if correction is None
        else " The squares show uncorrected p-values; the clusters use the corrected ones (table below)."
    )
