"""How is a value written with its rank, and of how many groups is it the mean?"""

from __future__ import annotations

from functools import partial

import pandas as pd
import pyarrow as pa
import streamlit as st

from tiekit import charts
from tiekit.ranking import SIGN, signs_of
from ui.leaderboard.board import file_stem, numbers_of, once
from ui.leaderboard.question import Question
from ui.page import glossary, tables
from ui.work.text import format_number


def value_texts(board: pd.DataFrame, column: str) -> dict[str, str]:
    """Return the value of each metric with its rank; marks say what makes a value less than it seems.

    † where it is a mean over fewer groups than another, ‡ where calibration ties nearly all pairs.
    """
    groups, signs = board[f"groups({column})"].tolist(), signs_of(board, column).tolist()
    parts = board[column].tolist(), board[f"rank({column})"].tolist(), groups, signs
    return {
        str(name): _write(value, rank, " †" * (number < max(groups)) + f" {SIGN}" * bool(sign))
        for name, value, rank, number, sign in zip(board.index, *parts, strict=True)
    }


def _write(value: float, rank: int, marks: str) -> str:
    """A value with its rank, with a star before the best; a metric that stands apart has no rank."""
    if value != value:
        return "undefined"
    if pd.isna(rank):
        return f"{format_number(value)} (–){marks}"
    return f"{'★ ' if rank == 1 else ''}{format_number(value)} ({rank}){marks}"


def group_table(board: pd.DataFrame, question: Question) -> None:
    """Show how many groups each value is the mean of."""
    with st.expander("How many groups each mean uses"):
        glossary.terms("grouping", "undefined group", "NaN problem")
        st.markdown(
            "A group whose coefficient is undefined is left out of the mean. Two metrics with different numbers here "
            "are not compared on the same segments."
        )
        shown, values = once("groups", partial(_groups, numbers_of(board), question.columns))
        words = "Groups used and groups undefined, by metric and coefficient"
        tables.grid(shown, f"{file_stem(question)}-groups", words, values=values)


def _groups(board: pd.DataFrame, columns: list[str]) -> tuple[pa.Table, pd.DataFrame]:
    """The numbers of groups as shown, and as numbers."""
    shown = pd.DataFrame(index=board.index)
    for column in columns:
        used, missing = board[f"groups({column})"], board[f"undefined({column})"]
        shown[charts.label_of(column)] = [f"{u:,} used, {m:,} undefined" for u, m in zip(used, missing, strict=True)]
    values = board[[f"{what}({column})" for column in columns for what in ("groups", "undefined")]]
    return pa.Table.from_pandas(shown), values
