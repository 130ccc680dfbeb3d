"""How does the rank of each metric change with the coefficient? The bump chart, and which metric is chosen in it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from tiekit import charts
from tiekit.figures import FIGURES
from ui.page import stage, tables
from ui.work import downloads

KEY = "ranked_metric"
"""The link's key for the chosen metric."""


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


def show(board: pd.DataFrame, columns: list[str], of: str, marks: Mapping[str, Collection[str]] | None = None) -> None:
    """Show the chart of ranks, best first by the last column, and offer it as a page of its own and as CSV.

    ``of`` says in a few words which values are ranked; ``marks`` are signs before names, each with its metrics.
    """
    keys = columns[::-1]  # as the table has them
    by_column = board[[f"rank({key})" for key in keys]].astype(float)
    ranks = dict(zip(map(str, board.index), by_column.to_numpy().tolist(), strict=True))
    signs = {name: sign for sign, names in (marks or {}).items() for name in names}
    labels = {key: charts.label_of(key) for key in keys}
    now = choose_metric(board, columns, [name for name, sign in signs.items() if sign == "✚"])
    figure = FIGURES["bump"]
    data = figure.data(labels, ranks, signs, now, f"Ranks by coefficient: {of}")
    stage.show(figure, data, "bump", _hear)
    with st.container(horizontal=True):
        frame = pd.DataFrame.from_dict(ranks, orient="index", columns=keys).rename_axis("metric")
        downloads.offer("Ranks (CSV)", partial(tables.to_csv, frame, index=True), "ranks.csv", "text/csv")
        downloads.embed(partial(figure.page, data, f"{of}."), "ranks.html")


def _hear(said: dict[str, Any]) -> None:
    """Keep the metric that the user chose; none as an empty text."""
    if "metric" in said:
        stage.keep({KEY: said["metric"] or ""})
