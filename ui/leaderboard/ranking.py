"""Which metric is best? The table of values, ranks, clusters and intervals, which the browser sorts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from tiekit import charts
from ui.evalset import notes
from ui.leaderboard import fairness
from ui.leaderboard.board import numbers_of, once
from ui.leaderboard.value_table import value_texts
from ui.page import lecture, stage
from ui.work.text import format_epsilon, percent

_ranking = st.components.v2.component(
    "tiekit_ranking",
    html='<div class="ranking"></div>',
    css=(Path(__file__).parent / "ranking.css").read_text(encoding="utf-8"),
    js=(Path(__file__).parent / "ranking.js").read_text(encoding="utf-8"),
)


@dataclass(frozen=True)
class Marks:
    """What the table says of its metrics besides their values."""

    probes: Collection[str] = ()
    added: Collection[str] = ()
    tested: str | None = None
    clusters: Mapping[str, int] = field(default_factory=dict)
    intervals: Mapping[str, str] = field(default_factory=dict)
    chosen: str | None = None
    grouping: str = "item"

    def words(self, column: str) -> str:
        """Say what a column of values is, where that is not known by its name; else nothing."""
        name, is_calibrated = NAMES.get(column.rstrip("*"), ""), column.endswith("*")
        if not name and not is_calibrated:
            return ""
        by = "without grouping" if self.grouping == "global" else f"by {self.grouping.replace('_', ' ')}"
        return ", ".join(filter(None, [name, "calibrated" * is_calibrated, by]))


NAMES = {"acc_eq": "accuracy with ties"}
"""What abbreviations of coefficients mean."""

SORTED, TURNED = "ranking", "worst first by "
"""The key of the table whose order the link holds, and what stands there before a column if it is turned around."""

FEW = 10
"""So many rows are shown at first where there are more; a button shows the others."""


def show_values(board: pd.DataFrame, columns: list[str], marks: Marks, key: str = "ranking") -> None:
    """Show values with ranks in brackets, the best in bold, means over fewer groups with †.

    A press on a heading puts the best on top, one on a row chooses its metric, as in the chart of ranks. Probes are
    marked ◆, metrics that the user added ✚.
    """
    is_large = lecture.is_on()
    draw(
        once(
            "ranking",
            lambda: table(numbers_of(board), columns, marks, is_large=is_large),
            *columns,
            repr(marks),
            str(is_large),
        ),
        key,
    )


def draw(data: dict[str, Any], key: str) -> None:
    """Show the headings and the rows of `table`, or others of the same form."""
    sort = ""
    if key == SORTED:
        columns = {column["key"] for column in data["columns"]}
        sort = stage.moving(
            "leaderboard's order", {"table_sort": ""}, lambda _, text: text.removeprefix(TURNED) in columns
        )["table_sort"]
    with st.container(key=key):
        _ranking(
            key=f"{key} table",
            data={**data, "sort": sort, "turned": TURNED},
            on_order_change=partial(_hear, f"{key} table") if key == SORTED else None,
        )


def _hear(key: str) -> None:
    """Keep by which column the user sorted the table."""
    said: Any = (st.session_state.get(key) or {}).get("order")
    if isinstance(said, str):
        stage.keep({"table_sort": said})


def table(board: pd.DataFrame, columns: list[str], marks: Marks, *, is_large: bool = False) -> dict[str, Any]:
    """Return what the browser shows: headings, and for each metric the texts of its cells and their places."""
    names = [str(name) for name in board.index]
    cells = {"metric": {name: cell(name, place) for place, name in enumerate(sorted(names, key=str.casefold), 1)}}
    headings = {"metric": ("Metric", "")}
    if marks.clusters:
        headings["cluster"] = (
            f"Cluster ({charts.label_of(str(marks.tested))})",
            f"Within a cluster no difference in {charts.label_of(str(marks.tested))} is significant.",
        )
        cells["cluster"] = {name: cell(str(marks.clusters.get(name, "–")), marks.clusters.get(name)) for name in names}
    for column in reversed(columns):
        headings[column] = charts.label_of(column), marks.words(column).capitalize()
        cells[column] = _values(board, column, marks.intervals if column == marks.tested else {})
    for column in columns:
        if column.endswith("*"):
            epsilon = f"epsilon({column[:-1]})"
            headings[epsilon] = f"ε* of {charts.label_of(column[:-1])}", "The threshold within which two scores tie."
            cells[epsilon] = _places(board[epsilon], format_epsilon)
    for column, (label, words, of_metric) in fairness.columns(board).items():
        headings[column] = label, words
        places = pd.Series({name: value for name, (_, value) in of_metric.items()}, dtype=float).rank(method="min")
        cells[column] = {name: cell(text, places[name], value=value) for name, (text, value) in of_metric.items()}
    if "coverage" not in headings and (board["coverage"] < 1).any():
        headings["coverage"] = "Coverage", "The share of translations that the metric scored."
        cells["coverage"] = _places(-board["coverage"], lambda value: percent(-value, 1))
    number = notes.count_metrics(len(board), len(marks.probes))
    return {
        "columns": [{"key": key, "label": label, "help": words} for key, (label, words) in headings.items()],
        "rows": [
            {
                "name": name,
                "mark": "◆" if name in marks.probes else "✚" if name in marks.added else "",
                "isNew": name in marks.added,
                "order": place,
                "cells": {key: cells[key][name] for key in headings},
            }
            for place, name in enumerate(names)
        ],
        "sorted": columns[-1],
        "note": f"{charts.label_of(columns[-1])} {marks.words(columns[-1])}" if marks.words(columns[-1]) else "",
        "tested": marks.tested if marks.clusters else None,
        "alt": f"Leaderboard of {number}, best first by {charts.label_of(columns[-1])}: {names[0]} leads",
        "large": is_large,
        "few": FEW,
        "chosen": marks.chosen,
    }


def cell(text: str, place: float | None, *, below: str = "", value: float | None = None) -> dict[str, Any]:
    """Return a cell: its text, its place when the table is sorted by its column, and the unrounded value."""
    known = place is not None and place == place
    title = None if value is None or value != value else repr(value)
    whole = int(place) if known and place is not None else None
    return {"text": text, "place": whole, "below": below, "title": title, "isBest": False}


def _values(board: pd.DataFrame, column: str, intervals: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    """Values with their ranks."""
    texts, found = value_texts(board, column), {}
    for name, value, rank in zip(map(str, board.index), board[column], board[f"rank({column})"], strict=True):
        place = None if pd.isna(rank) else float(rank)
        found[name] = {**cell(texts[name], place, below=intervals.get(name, ""), value=value), "isBest": place == 1}
    return found


def _places(values: pd.Series[float], write: Callable[[float], str]) -> dict[str, dict[str, Any]]:
    """Numbers, the smallest first."""
    ranks = values.rank(method="min")
    return {
        name: cell("undefined" if value != value else write(value), rank, value=abs(value))
        for name, value, rank in zip(map(str, values.index), values, ranks, strict=True)
    }
