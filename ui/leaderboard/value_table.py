"""How is a value written with its rank, and of how many groups is it the mean?"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pandas as pd
import pyarrow as pa
import streamlit as st

from tiekit import charts
from ui.base.text import format_number
from ui.leaderboard.board import file_stem, numbers_of, once
from ui.leaderboard.question import Question
from ui.page import glossary, tables


def value_writer(board: pd.DataFrame, column: str) -> Callable[[float], str]:
    """Return a function that writes a value with its rank; equal values share a rank."""
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
    """Show how many groups each value is the mean of."""
    with st.expander("Groups used and undefined"):
        glossary.terms("grouping", "undefined group", "NaN problem")
        st.markdown(
            "A mean over fewer groups is a mean over other groups: two metrics with different numbers here are not "
            "judged on the same segments."
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
