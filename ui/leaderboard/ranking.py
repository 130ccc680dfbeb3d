"""Which metric is best? The table of values, ranks, clusters and fairness, and the chart of ranks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

from tiekit import charts
from tiekit.core import DEFAULT_GROUPING
from tiekit.figures import FIGURES, display_names
from tiekit.ranking import (
    CHECKS,
    SIGN,
    add_fairness,
    exceeds_limit,
    fairness_of,
    format_check,
    has_fairness,
    notes_of,
    signs_of,
    texts_and_lengths,
)
from ui.evalset import notes
from ui.leaderboard.question import Question, file_stem, numbers_of, once
from ui.link.controls import toggle
from ui.page import glossary, lecture, stage, tables
from ui.work import downloads, result_cache
from ui.work.text import format_number, percent, plain

HERE = Path(__file__).parent

_ranking = st.components.v2.component(
    "tiekit_ranking",
    html='<div class="ranking"></div>',
    css=(HERE / "ranking.css").read_text(encoding="utf-8"),
    js=(HERE / "ranking.js").read_text(encoding="utf-8"),
)

NAMES = {"acc_eq": "accuracy with ties"}
"""What abbreviations of coefficients mean."""

SORTED, TURNED = "ranking", "worst first by "
"""The key of the table whose order the link holds, and what stands there before a column if it is turned around."""

FEW = 10
"""So many rows are shown at first where there are more; a button shows the others."""

ASKED = "acc_eq", "tau_10"
"""The page tells a rank by the first, and asks for that by the second."""

KEY = "ranked_metric"
"""The link's key for the chosen metric."""

Cells: TypeAlias = dict[str, dict[str, Any]]
"""Of one column, the cell of each metric."""


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


def add_fairness_columns(frame: pd.DataFrame, question: Question, place: AbstractContextManager[Any]) -> pd.DataFrame:
    """Return the leaderboard with the columns on fairness if the user asks for them, in ``place``."""
    with place:
        if not toggle("Columns on fairness: ties, noise, length, held-out ε, coverage", "fairness"):
            return frame
    contest, texts, tasks = question.contest, texts_and_lengths(question.data), dict[str, result_cache.Task]()
    lengths = tuple(values.tobytes() for values in texts.lengths.values())
    of_set = contest.grouping, texts.documents, hash(lengths)
    for name, digest in contest.digests.items():
        key = ("fairness", name, digest, *of_set)
        tasks[name] = key, partial(fairness_of, contest, name, texts, 0)
    done = result_cache.compute("Measuring fairness", tasks)
    if not set(map(str, frame.index)) <= set(done):
        return frame

    def make() -> pd.DataFrame:
        made = frame.copy()
        add_fairness(made, done, contest.human, texts)
        return made

    made = once("fair board", make, *map(str, of_set))
    st.session_state["board_of"] = (*st.session_state["board_of"], "fairness")
    return made


def say_fairness(board: pd.DataFrame) -> None:
    """Show a sentence for each number that is bad, where the columns are there."""
    if not has_fairness(board):
        return
    notes = once("fairness notes", partial(notes_of, board))
    lines = [f"- {plain(line)}" for name in notes for line in notes[name]]
    rules = "; ".join(f"{check.label}: {check.rule}" for check in CHECKS)
    with st.expander(f"What the ▲ mean: {len(lines)} remarks on {sum(map(bool, notes.values()))} metrics"):
        st.markdown("\n".join(lines) or "No number is beyond its limit.")
        st.markdown(f"Limits: {plain(rules)}. Noise is drawn with seed 0.")


@dataclass(frozen=True)
class Marks:
    """What the table says of its metrics besides their values."""

    probes: Collection[str] = ()
    added: Collection[str] = ()
    tested: str | None = None
    clusters: Mapping[str, int] = field(default_factory=dict)
    intervals: Mapping[str, str] = field(default_factory=dict)
    chosen: str | None = None
    grouping: str = DEFAULT_GROUPING

    def words(self, column: str) -> str:
        """Say what a column of values is, where that is not known by its name; else nothing."""
        name, is_calibrated = NAMES.get(column.rstrip("*"), ""), column.endswith("*")
        if not name and not is_calibrated:
            return ""
        by = "without grouping" if self.grouping == "global" else f"by {self.grouping.replace('_', ' ')}"
        return ", ".join(filter(None, [name, "calibrated" * is_calibrated, by]))


def show_values(board: pd.DataFrame, columns: list[str], marks: Marks, key: str = "ranking") -> None:
    """Show values with ranks in brackets, the best in bold, means over fewer groups with †.

    A press on a heading puts the best on top, one on a row chooses its metric, as in the chart of ranks. Probes are
    marked ◆, metrics that the user added ✚.
    """
    draw(once("ranking", lambda: table(numbers_of(board), columns, marks), *columns, repr(marks)), key)


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
            data={**data, "sort": sort, "turned": TURNED, "large": lecture.is_on()},
            on_order_change=partial(_hear_order, f"{key} table") if key == SORTED else None,
        )


def _hear_order(key: str) -> None:
    """Keep by which column the user sorted the table."""
    said: Any = (st.session_state.get(key) or {}).get("order")
    if isinstance(said, str):
        stage.keep({"table_sort": said})


def table(board: pd.DataFrame, columns: list[str], marks: Marks) -> dict[str, Any]:
    """Return what the browser shows: headings, and for each metric the texts of its cells and their places."""
    names, of_human = [str(name) for name in board.index], board.attrs.get("human_lengths", {})
    headings, cells = {"metric": ("Metric", "")}, dict[str, Cells]()
    if marks.clusters:
        label = charts.label_of(str(marks.tested))
        headings["cluster"] = f"Cluster ({label})", f"Within a cluster no difference in {label} is significant."
        cells["cluster"] = {name: cell(str(marks.clusters.get(name, "–")), marks.clusters.get(name)) for name in names}
    for column in reversed(columns):
        headings[column] = charts.label_of(column), marks.words(column).capitalize()
        below = marks.intervals if column == marks.tested else {}
        cells[column] = ranked_cells(value_texts(board, column), board[column], board[f"rank({column})"], below)
    for column in columns:
        if column.endswith("*"):
            epsilon = f"epsilon({column[:-1]})"
            headings[epsilon] = f"ε* of {charts.label_of(column[:-1])}", "The threshold within which two scores tie."
            cells[epsilon] = _ascending(board[epsilon], (format_number(one, ".3g") for one in board[epsilon]))
    for check in CHECKS if has_fairness(board) else ():
        values, human = board[check.column].astype(float), of_human.get(check.column, 0.0)
        headings[check.column] = check.label, f"▲: {check.rule}."
        texts = (
            f"{'▲ ' * exceeds_limit(check, value, human)}{format_check(check, value)}" for value in board[check.column]
        )
        cells[check.column] = _ascending(values, texts)
    if "coverage" not in headings and (board["coverage"] < 1).any():
        headings["coverage"] = "Coverage", "The share of translations that the metric scored."
        cells["coverage"] = _ascending(board["coverage"], (percent(c, 1) for c in board["coverage"]), best=-1)
    number, label = notes.count_metrics(len(board), len(marks.probes)), charts.label_of(columns[-1])
    return {
        **lay_out(names, headings, cells, marks),
        "sorted": columns[-1],
        "note": f"{label} {marks.words(columns[-1])}" if marks.words(columns[-1]) else "",
        "tested": marks.tested if marks.clusters else None,
        "alt": f"Leaderboard of {number}, best first by {label}: {names[0]} leads",
        "few": FEW,
        "chosen": marks.chosen,
    }


def lay_out(
    names: list[str],
    headings: Mapping[str, tuple[str, str]],
    cells: Mapping[str, Cells],
    marks: Marks | None = None,
) -> dict[str, Any]:
    """Return columns (label and help of each) and rows as the browser takes them; the column of names is added."""
    marks = marks or Marks()
    by_name = {name: cell(name, place) for place, name in enumerate(sorted(names, key=str.casefold), 1)}
    every, labels = {"metric": by_name, **cells}, display_names(names)
    return {
        "columns": [{"key": key, "label": label, "help": words} for key, (label, words) in headings.items()],
        "rows": [
            {
                "name": name,
                "short": labels[name],
                "mark": "◆" if name in marks.probes else "✚" if name in marks.added else "",
                "isNew": name in marks.added,
                "order": place,
                "cells": {key: every[key][name] for key in headings},
            }
            for place, name in enumerate(names)
        ],
    }


def cell(text: str, place: float | None, *, below: str = "", value: float | None = None) -> dict[str, Any]:
    """Return a cell: its text, its place when the table is sorted by its column, and the unrounded value."""
    known = place is not None and place == place
    title = None if value is None or value != value else repr(value)
    whole = int(place) if known and place is not None else None
    return {"text": text, "place": whole, "below": below, "title": title, "isBest": False}


def ranked_cells(
    texts: Mapping[str, str], values: pd.Series, ranks: pd.Series, below: Mapping[str, str] | None = None
) -> Cells:
    """Return the cells of values by which metrics are ranked, the first of them marked; ``below`` stands under some."""
    found = {}
    for name, value, rank in zip(map(str, values.index), values, ranks, strict=True):
        place = None if pd.isna(rank) else float(rank)
        made = cell(texts[name], place, below=(below or {}).get(name, ""), value=value)
        found[name] = {**made, "isBest": place == 1}
    return found


def _ascending(values: pd.Series[float], texts: Iterable[str], best: int = 1) -> Cells:
    """The cells of other numbers: the smallest come first, or with ``best`` -1 the largest."""
    places = (best * values).rank(method="min")
    rows = zip(map(str, values.index), values, places, texts, strict=True)
    return {name: cell(text, place, value=value) for name, value, place, text in rows}


def choose_metric(board: pd.DataFrame, columns: list[str], added: Sequence[str] = ()) -> str | None:
    """Return the chosen metric, none if the user chose none.

    At first that is the metric that the user ``added`` last, or else the one whose ranks differ most.
    """
    names, now = [str(name) for name in board.index], st.session_state
    of_user = [name for name in added if name in names]
    usual = of_user[-1] if of_user else _widest(board, columns)
    before, first = now.get("ranks before", ([], None))
    if now.get(f"stage {KEY}", "") not in ("", *names):
        del now[f"stage {KEY}"]  # it was a metric of another set
    elif before != of_user and now.get(f"stage {KEY}") == first:
        now.pop(f"stage {KEY}", None)  # the user chose none of those that were there before
    now["ranks before"] = of_user, usual
    found = stage.moving("ranks", {KEY: usual}, lambda _, name: name in ("", *names))[KEY]
    return found if found in names else None


def _widest(board: pd.DataFrame, columns: list[str]) -> str:
    """The metric whose best and worst ranks lie furthest apart; empty where no rank changes."""
    ranks = np.array([board[f"rank({column})"].to_numpy(np.float64) for column in columns])
    spread = np.nan_to_num(np.fmax.reduce(ranks) - np.fmin.reduce(ranks))  # a metric without a rank spans none
    return str(board.index[spread.argmax()]) if spread.max() > 0 else ""


def show_ranks(
    board: pd.DataFrame,
    columns: list[str],
    of: str,
    marks: Mapping[str, Collection[str]] | None = None,
    asked: str | None = None,
) -> Callable[[], None]:
    """Show the chart of ranks, best first by the last column, and return what offers it as a page of its own.

    ``of`` says in a few words which values are ranked; ``marks`` are signs before names, each with its metrics. As long
    as a rank is ``asked`` of a metric, that one is chosen.
    """
    keys = columns[::-1]  # as the table has them
    by_column = board[[f"rank({key})" for key in keys]].astype(float)
    ranks = dict(zip(map(str, board.index), by_column.to_numpy().tolist(), strict=True))
    signs = {name: sign for sign, names in (marks or {}).items() for name in names}
    labels = {key: charts.label_of(key) for key in keys}
    now = choose_metric(board, columns, [name for name, sign in signs.items() if sign == "✚"])
    figure = FIGURES["bump"]
    data = figure.data(labels, ranks, signs, asked or now, f"Ranks by coefficient: {of}", ASKED)
    stage.show(figure, data, "bump", _hear_metric)
    return partial(downloads.embed, partial(figure.page, data, f"{of}."), "ranks.html")


def _hear_metric(said: dict[str, Any]) -> None:
    """Keep the metric that the user chose; none as an empty text."""
    if "metric" in said:
        stage.keep({KEY: said["metric"] or ""})
