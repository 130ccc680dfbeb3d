"""Which of two metrics is ahead? Both side by side, coefficient by coefficient, with p-values."""

from __future__ import annotations

import math
from functools import partial

import pandas as pd
import pyarrow as pa
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.core import Progress, digest_of
from tiekit.ranking import ComparisonInputs
from tiekit.significance import SWAPS
from ui.leaderboard.question import Question, file_stem, numbers_of, of_two, once
from ui.leaderboard.ranking import value_texts
from ui.leaderboard.significance import TestedColumn
from ui.link.controls import choose, toggle
from ui.page import tables
from ui.work import presets, result_cache
from ui.work.text import breakable, cell, format_number, p_alone, plain


def side_by_side(board: pd.DataFrame, question: Question) -> None:
    """Show two metrics side by side, with p-values where they are asked for."""
    st.header("Two metrics, coefficient by coefficient")
    board, columns = numbers_of(board), question.columns
    names = sorted(board.index, key=lambda name: name not in question.added)
    if len(names) < 2:
        st.info("There is one metric only.")
        return
    left, right = st.columns(2, gap="medium")
    with left:
        first = choose("First metric", names, "first")
    with right:
        rivals = once("rivals", partial(_rivals, board, first, columns), first)
        second = choose("Second metric", rivals, "second")
    contest = question.contest
    if {first, second} & set(contest.apart):
        try:
            alone = of_two(question, (first, second))
        except tk.TiekitError as error:
            st.info(plain(str(error).partition("; cells=")[0]))
            return
        if alone is None:
            return
        board, contest = alone[0].pipe(numbers_of), alone[1]
        st.markdown(f"Both on the {int(contest.selection['cells'].split()[0]):,} translations that both have scored.")
    shown, values = once("two metrics", partial(_two_metrics, board, columns, first, second), first, second)
    if pvalues := _p_values_of_two(question, contest, first, second):
        p_of = [pvalues.get(column, math.nan) for column in columns]
        shown = shown.append_column("p", pa.array([_write_p(p) for p in p_of]))
        resamples = pd.array([pd.NA if p != p else presets.RESAMPLES for p in p_of], "Int64")
        values = values.assign(p=p_of, resamples=resamples)
    words = f"{first} and {second}, coefficient by coefficient"
    tables.show(shown, f"{file_stem(question)}-two-metrics", words, values=values)
    if pvalues:
        swapped = SWAPS[TestedColumn.units(question, SWAPS, next(iter(pvalues)))[0]].label
        least = format_number(1 / (presets.RESAMPLES + 1))
        st.markdown(f"Each p is of {presets.RESAMPLES} swaps of {swapped}; the smallest possible is {least}.")
    if any(p != p for p in pvalues.values()):
        st.markdown("Not tested: one of the two metrics is constant, or has no value.")


def _p_values_of_two(question: Question, contest: ComparisonInputs, first: str, second: str) -> dict[str, float]:
    """The p-values of two metrics by column, NaN where nothing was tested; empty unless they are asked for.

    ``contest`` holds the scores that are compared: those of the table, or of the two metrics alone.
    """
    columns = [name for name in question.columns if name not in tk.measures.SYSTEM_LEVEL]
    if not columns:
        return {}
    unit = TestedColumn.units(question, SWAPS, columns[-1])[0]
    if not toggle(f"Show p-values (permuting {SWAPS[unit].label})", "test_two"):
        return {}
    scores = contest.human, contest.metrics[first], contest.metrics[second]

    def test(tested: TestedColumn, progress: Progress) -> float:
        found = tk.significance.permutation_test(*scores, tested.column, **tested.test_arguments, progress=progress)
        return math.nan if found.note else found.pvalue  # of a constant metric

    tasks: dict[str, result_cache.Task] = {}
    for column in columns:
        tested = TestedColumn(question, column, unit)
        key = ("two", *tested.key, question.selection.own_cells, digest_of(*scores))
        tasks[tested.label] = key, partial(test, tested)
    done = result_cache.compute(f"Swapping {SWAPS[unit].label}, number by number", tasks)
    return {column: done[label] for column in columns if (label := charts.label_of(column)) in done}


def _two_metrics(board: pd.DataFrame, columns: list[str], first: str, second: str) -> tuple[pa.Table, pd.DataFrame]:
    """Two metrics side by side, as shown and in numbers."""
    shown = pd.DataFrame({"Coefficient": [charts.label_of(column) for column in columns]})
    texts = {column: value_texts(board, column) for column in columns}
    for name in (first, second):
        shown[breakable(name)] = [texts[column][name].replace(" ", "\u00a0") for column in columns]
    gaps = [cell(board, first, column) - cell(board, second, column) for column in columns]
    shown["Ahead"] = [_ahead(gap, first, second) for gap in gaps]
    values = pd.DataFrame({"coefficient": columns})
    for name in dict.fromkeys((first, second)):
        values[name] = [cell(board, name, column) for column in columns]
        values[f"rank({name})"] = [cell(board, name, f"rank({column})") for column in columns]
    values["difference"] = gaps
    return pa.Table.from_pandas(shown), values


def _rivals(board: pd.DataFrame, first: str, columns: list[str]) -> list[str]:
    """The other metrics; first those that reverse with this one between coefficients."""
    others = [name for name in board.index if name != first] or [first]
    gaps = board[columns] - board.loc[first, columns]
    turns = (gaps > 0).any(axis=1) & (gaps < 0).any(axis=1)
    return sorted(others, key=lambda name: not turns[name])


def _ahead(difference: float, first: str, second: str) -> str:
    if difference != difference:
        return "undefined"
    if difference == 0:
        return "neither"
    gap = format_number(abs(difference)) if abs(difference) >= 0.0005 else "less than 0.001"
    return f"{breakable(first if difference > 0 else second)} by {gap}"


def _write_p(p: float) -> str:
    """A p-value, in bold where it is significant."""
    if p != p:
        return "not tested"
    return f"**{p_alone(p)}**" if p <= presets.SIGNIFICANT else p_alone(p)
