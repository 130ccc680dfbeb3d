"""The leaderboard: computed with progress, shown as a table, compared two by two, taken away."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Mapping
from functools import partial
from typing import Any, TypeVar

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

from tiekit import charts
from tiekit.ranking.board import Result, add_system_level, assemble, collect_notes, evaluate
from tiekit.signature import digest_of
from ui.base import download, resampling, work
from ui.base.frames import cell
from ui.base.text import format_number, format_p, plain
from ui.base.work import Task
from ui.evalset import probes as probed
from ui.evalset.notes import say_notes
from ui.leaderboard import export, significance
from ui.leaderboard.question import Question
from ui.link.controls import choose
from ui.page import shell, tables

T = TypeVar("T")


def compute(question: Question) -> pd.DataFrame | None:
    """Compute the leaderboard metric by metric and say what is suspicious; None where it was stopped at once."""
    contest, wanted = question.contest, (question.counted, question.calibrated)
    tasks: dict[str, Task] = {}
    for name, scores in contest.metrics.items():
        key = (name, contest.selection["human"], contest.grouping, digest_of(contest.human, scores), *wanted)
        tasks[name] = key, partial(evaluate, contest, name, *wanted)
    results = work.do("Counting pairs and calibrating" if question.calibrated else "Counting pairs", tasks)
    if not results:
        return None
    say_notes(collect_notes(results))
    asked = question.undefined, tuple(contest.selection.items()), question.system_level
    made_of = *asked, *(tasks[name][0] for name in results)
    if st.session_state.get("board_of") != made_of:
        made = assemble(contest, results, question.undefined) if any(wanted) else _empty(results)
        st.session_state["board"], st.session_state["board_of"] = _with_system_level(made, question), made_of
    board: pd.DataFrame = st.session_state["board"]
    return board


def _empty(results: Mapping[str, Result]) -> pd.DataFrame:
    """A leaderboard without a number yet."""
    board = pd.DataFrame({"coverage": {name: result.coverage for name, result in results.items()}})
    board.attrs["signatures"] = {}
    return board.rename_axis("metric")


def _with_system_level(board: pd.DataFrame, question: Question) -> pd.DataFrame:
    """Add the numbers that compare systems, each of all groups at once; where there are no others, rank by the last."""
    for name in question.system_level:
        with st.spinner(f"Comparing systems: {charts.label_of(name)} …"):
            add_system_level(board, question.contest, name)
        defined = board[name].notna()
        board[f"groups({name})"], board[f"undefined({name})"] = defined.astype(int), (~defined).astype(int)
    only = question.system_level if not (question.counted or question.calibrated) else ()
    return board.sort_values(only[-1], ascending=False, kind="stable") if only else board


def table(board: pd.DataFrame, columns: list[str], probes: Collection[str] = ()) -> None:
    """Values with ranks in brackets as in the papers' tables, the best starred, means over fewer groups marked †.

    Probes are marked ◆.
    """
    board = _numbers(board)
    shown = board[[c for column in columns for c in _with_epsilon(column)] + ["coverage"]].rename(
        index=probed.mark(probes)
    )
    formats: dict[Any, Any] = {column: _value_writer(board, column) for column in columns}
    formats |= {f"epsilon({column[:-1]})": "{:.4g}".format for column in columns if column.endswith("*")}
    styler = shown.style.format({**formats, "coverage": "{:.1%}".format}, na_rep="undefined")
    first = board[[f"rank({column})" for column in columns]].eq(1).fillna(value=False).to_numpy(bool)
    bold = np.where(first, "font-weight: bold", "")
    styler = styler.apply(lambda _: bold, axis=None, subset=list[Hashable](columns))
    headings = {column: charts.label_of(column) for column in columns}
    headings |= {
        f"epsilon({column[:-1]})": f"ε* of {charts.label_of(column[:-1])}" for column in columns if column[-1] == "*"
    }
    best, number = shown.index[0], probed.how_many(len(board), len(probes))
    tables.spread(
        styler,
        f"Leaderboard of {number}, best first by {headings[columns[-1]]}: {best} leads",
        headings=headings,
        height="content",
        placeholder="undefined",
    )


def _numbers(board: pd.DataFrame) -> pd.DataFrame:
    """The same without signatures, all of which pandas would copy at every step."""
    numbers = board.copy(deep=False)
    numbers.attrs = {}
    return numbers


def _with_epsilon(column: str) -> list[str]:
    return [column, f"epsilon({column[:-1]})"] if column.endswith("*") else [column]


def _value_writer(board: pd.DataFrame, column: str) -> Callable[[float], str]:
    """Write a value with its rank; equal values share both, so the value alone finds them."""
    values, groups = board[column].tolist(), board[f"groups({column})"].tolist()
    ranks = dict(zip(values, board[f"rank({column})"].tolist(), strict=True))
    fewer = {value for value, number in zip(values, groups, strict=True) if number < max(groups)}

    def write(value: float) -> str:
        if value != value:
            return "undefined"
        shown = format_number(value)
        return f"{'★ ' if ranks[value] == 1 else ''}{shown} ({ranks[value]}){' †' if value in fewer else ''}"

    return write


def group_table(board: pd.DataFrame, question: Question) -> None:
    """How many groups stand behind each value."""
    st.markdown(
        "A mean over fewer groups is a mean over other groups: two metrics with different numbers here are not "
        "judged on the same segments."
    )
    board = _numbers(board)
    shown = _once("groups", partial(_groups, board, question.columns))
    values = board[[f"{what}({column})" for column in question.columns for what in ("groups", "undefined")]]
    words = "Groups used and groups undefined, by metric and coefficient"
    tables.grid(shown, f"{file_stem(question)}-groups", words, values=values)


def _groups(board: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    shown = pd.DataFrame(index=board.index)
    for column in columns:
        used, missing = board[f"groups({column})"], board[f"undefined({column})"]
        shown[charts.label_of(column)] = [f"{u:,} used, {m:,} undefined" for u, m in zip(used, missing, strict=True)]
    return shown


def _once(what: str, make: Callable[[], T], *choices: str) -> T:
    """Something made of the present leaderboard and of choices, once for all visitors."""
    return work.once((what, st.session_state["board_of"], *choices), make)


def side_by_side(board: pd.DataFrame, question: Question) -> None:
    """Two metrics beside each other, and how ranks move between coefficients."""
    board, names, columns = _numbers(board), list(board.index), question.columns
    if len(names) < 2:
        st.info("There is one metric only.")
        return
    left, right = st.columns(2, gap="medium")
    with left:
        first = choose("First metric", names, "first")
    with right:
        rivals = _once("rivals", partial(_rivals, board, first, columns), first)
        second = choose("Second metric", rivals, "second")
    shown, values = _once("two metrics", partial(_two_metrics, board, columns, first, second), first, second)
    if pvalues := significance.p_values_of_two(question, first, second):
        shown = shown.assign(
            Ahead=[_with_p(row, pvalues.get(c)) for row, c in zip(shown["Ahead"], columns, strict=True)]
        )
        values = values.assign(p=[pvalues.get(column, math.nan) for column in columns])
    words = f"{first} and {second}, coefficient by coefficient"
    tables.show(shown, f"{file_stem(question)}-two-metrics", words, values=values)
    if any(p != p for p in pvalues.values()):
        st.markdown("Not tested: one of the two gives every translation the same score, or has no value.")
    if len(columns) > 1:
        _rank_picture(board, columns, (first, second))


def _two_metrics(board: pd.DataFrame, columns: list[str], first: str, second: str) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Two metrics beside each other, as shown and in numbers."""
    shown = pd.DataFrame({"Coefficient": [charts.label_of(column) for column in columns]})
    write = {column: _value_writer(board, column) for column in columns}
    for name in (first, second):
        shown[plain(name)] = [write[column](cell(board, name, column)) for column in columns]
    gaps = [cell(board, first, column) - cell(board, second, column) for column in columns]
    shown["Ahead"] = [_ahead(gap, first, second) for gap in gaps]
    values = pd.DataFrame({"coefficient": columns})
    for name in dict.fromkeys((first, second)):
        values[name] = [cell(board, name, column) for column in columns]
        values[f"rank({name})"] = [cell(board, name, f"rank({column})") for column in columns]
    return shown, values


def _rank_picture(board: pd.DataFrame, columns: list[str], picked: tuple[str, str]) -> None:
    frame, ranked, alone, n_ranks = _once("ranks", partial(_ranks, board, columns, picked), *picked)
    if not ranked:
        st.info("Neither metric has a rank: every coefficient chosen is undefined for both.")
        return
    moves = "; ".join(f"{name} {_path(board, name, columns)}" for name in picked)
    for key, names in (("wide", True), ("narrow", False)):
        figure = charts.rank_chart(tuple(columns), n_ranks, ranked, shell.theme(), alone=alone, names=names)
        with st.container(key=key):
            shell.draw(frame, figure, f"Ranks by coefficient: {moves}", f"ranks_{key}")
    missing = board.index[board[[f"rank({column})" for column in columns]].isna().any(axis=1)]
    if len(missing):
        st.markdown(f"Undefined somewhere, and without a rank there: {plain(', '.join(missing))}.")


def _ranks(
    board: pd.DataFrame, columns: list[str], picked: tuple[str, str]
) -> tuple[pa.Table, tuple[str, ...], bool, int]:
    """Ranks of all metrics, those of the picked that have any, whether there are no others, the number of ranks."""
    frame = charts.rank_frame(board, columns, picked)
    ranked = tuple(name for name in picked if name in set(frame["metric"]))
    return pa.Table.from_pandas(frame), ranked, bool(frame["picked"].all()), int(frame["rank"].max() if ranked else 0)


def _rivals(board: pd.DataFrame, first: str, columns: list[str]) -> list[str]:
    """The other metrics, those first that some coefficient puts ahead and some behind."""
    others = [name for name in board.index if name != first] or [first]
    gaps = board[columns] - board.loc[first, columns]
    turns = (gaps > 0).any(axis=1) & (gaps < 0).any(axis=1)
    return sorted(others, key=lambda name: not turns[name])


def _ahead(difference: float, first: str, second: str) -> str:
    if difference != difference:
        return "undefined"
    if difference == 0:
        return "neither"
    gap = f"{abs(difference):.3f}" if abs(difference) >= 0.0005 else "less than 0.001"
    return f"{plain(first if difference > 0 else second)} by {gap}"


def _with_p(words: str, p: float | None) -> str:
    """Who is ahead, with the p-value, in bold where that is significant."""
    if p is None:
        return words
    if p != p:
        return f"{words}, not tested"
    return f"{words}, **{format_p(p)}**" if p <= resampling.SIGNIFICANT else f"{words}, {format_p(p)}"


def _path(board: pd.DataFrame, name: str, columns: list[str]) -> str:
    return ", ".join(f"{charts.label_of(column)} {cell(board, name, f'rank({column})')}" for column in columns)


def file_stem(question: Question) -> str:
    """A file's name for a leaderboard, without its end."""
    contest = question.contest.selection
    parts = [*contest["set"].split("/"), contest["human"], question.contest.grouping]
    return "-".join(part.replace(" ", "_") for part in parts if part)


def offer_downloads(board: pd.DataFrame, question: Question) -> None:
    """Downloads, and the line that makes each number reproducible."""
    left, middle, right = st.columns(3)
    file = file_stem(question)
    with left:
        download.offer("Table as CSV", board.to_csv, f"{file}.csv", "text/csv", width="stretch")
    with middle:
        text = partial(export.latex_table, board, question.columns)
        download.offer("Table as LaTeX", text, f"{file}.tex", "text/x-tex", width="stretch")
    with right:
        label = "Every number with its signature (CSV)"
        download.offer(
            label,
            lambda: export.with_signatures(board, question.columns).to_csv(index=False),
            f"{file}-signatures.csv",
            "text/csv",
            width="stretch",
        )
    with st.expander("Signatures of the first metric's numbers"):
        lines = [board.attrs["signatures"][column][board.index[0]] for column in question.columns]
        st.code("\n".join(lines), language=None, wrap_lines=True)
