"""Which differences of the leaderboard are significant? The tests that the user asks for."""

from __future__ import annotations

from functools import partial

import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.core import FloatArray, Progress, digest_of
from tiekit.errors import collect_warnings
from tiekit.ranking import Contest
from tiekit.significance import RESAMPLES, SWAPS
from ui.leaderboard.clusters import CORRECTIONS, test_all_pairs
from ui.leaderboard.intervals import show_intervals
from ui.leaderboard.question import Question
from ui.leaderboard.tested_column import TestedColumn
from ui.link import controls
from ui.link.controls import choose, choose_among_few
from ui.page import glossary
from ui.work import presets, result_cache

NOTHING, CLUSTERS, INTERVALS = "off", "p-values and clusters", "intervals"


def test_differences(question: Question) -> None:
    """Let the user choose a test or intervals, and show them."""
    glossary.terms("permutation test", "p-value", "rank cluster", "bootstrap interval")
    chosen = choose_among_few("Test the differences", (NOTHING, CLUSTERS, INTERVALS), "resampled")
    if chosen == NOTHING:
        st.markdown(
            "Ranks alone do not show which differences are due to chance: on other segments another metric might lead. "
            "**Significance**, below the table, adds the clusters of the coefficient that the table is ranked by. Here "
            "you see every p-value, and can test another coefficient, swap differently or correct for many tests. "
            f"Each takes {presets.RESAMPLES} resamples of every metric: seconds for most "
            "coefficients by item, minutes for others. The bar says how long, from the first resamples."
        )
        return
    if question.undefined != "drop":
        st.markdown("Resamples always leave undefined groups out (*drop*), even if the table above does not.")
    columns = TestedColumn.testable(question)
    if not columns:
        st.info("These coefficients have no value by this grouping, so there is nothing to test.")
        return
    why = TestedColumn.why_documents(question)
    one, two, three = st.columns(3, gap="medium")
    with one:
        column = choose("Test which coefficient?", columns, "resampled_column", printed=tk.charts.label_of)
    with two:
        if chosen == CLUSTERS:
            swaps = TestedColumn.units(question, SWAPS, column)
            unit = choose("What is swapped between the two metrics?", swaps, "resampled_swap", help=why)
        else:
            draws = TestedColumn.units(question, RESAMPLES, column)
            unit = choose("What is resampled?", draws, "resampled_draw", help=why)
    if chosen == INTERVALS:
        show_intervals(TestedColumn(question, column, unit))
        return
    with three:
        correction = choose("Correction for many tests", list(CORRECTIONS), "resampled_correction")
    test_all_pairs(TestedColumn(question, column, unit), correction)


def p_values_of_two(question: Question, contest: Contest, first: str, second: str) -> dict[str, float]:
    """Return the p-values of two metrics by column, NaN where nothing was tested; empty unless they are asked for.

    ``contest`` holds the scores that are compared: those of the table, or of the two metrics alone.
    """
    columns = [name for name in question.columns if name not in tk.measures.SYSTEM_LEVEL]
    if not columns:
        return {}
    unit = TestedColumn.units(question, SWAPS, columns[-1])[0]
    if not controls.toggle(f"Show p-values (permuting {SWAPS[unit].label})", "test_two"):
        return {}
    tasks, sides = {}, (contest.metrics[first], contest.metrics[second])
    for column in columns:
        tested = TestedColumn(question, column, unit)
        key = ("two", *tested.key, question.selection.own_cells, digest_of(contest.human, *sides))
        tasks[charts.label_of(column)] = key, partial(_test, tested, contest.human, *sides)
    done = result_cache.compute(f"Swapping {SWAPS[unit].label}, number by number", tasks)
    return {column: done[charts.label_of(column)] for column in question.columns if charts.label_of(column) in done}


def _test(tested: TestedColumn, human: FloatArray, a: FloatArray, b: FloatArray, progress: Progress) -> float:
    with collect_warnings():  # which cells are left out is said above the table
        found = tk.significance.permutation_test(human, a, b, tested.column, **tested.test, progress=progress)
    return float("nan") if found.note else found.pvalue  # of a constant metric
