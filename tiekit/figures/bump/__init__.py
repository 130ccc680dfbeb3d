"""What does the bump chart show? Ranks of metrics, coefficient by coefficient."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from tiekit.base.errors import InputError
from tiekit.core.system_level import label_of
from tiekit.figures.arguments import scope_of_result
from tiekit.figures.figure import WHOLE, Picture
from tiekit.figures.figures import FIGURES
from tiekit.figures.json_values import display_names, is_coefficient


def figure_data(
    columns: Mapping[str, str],
    ranks: Mapping[str, Sequence[float]],
    marks: Mapping[str, str] | None = None,
    metric: str | None = None,
    title: str = FIGURES["bump"].title,
    asked: Sequence[str] = (),
) -> dict[str, Any]:
    """Return what the chart shows.

    ``columns`` are the printed names of coefficients by key, ``ranks`` those of each metric, one per column, NaN where
    the coefficient is undefined; ``marks`` stand before the names of some metrics, ``title`` above saved pictures. A
    question that is open gives the ranks in the first of two columns that are ``asked``, and asks for those in the other.
    """
    marks, labels = marks or {}, display_names(ranks)
    return {
        "columns": [{"key": key, "label": label} for key, label in columns.items()],
        "metrics": [
            {
                "name": name,
                "short": labels[name],
                "mark": marks.get(name, ""),
                "ranks": [None if rank != rank else int(rank) for rank in line],
            }
            for name, line in ranks.items()
        ],
        "metric": metric if metric in ranks else None,
        "title": title,
        "asked": list(asked),
        "large": False,
    }


def picture(board: pd.DataFrame, columns: Sequence[str] | None = None) -> Picture:
    """Show the rank of each metric from coefficient to coefficient, or in other columns of ranks under their names."""
    known = [str(name)[5:-1] for name in getattr(board, "columns", ()) if str(name).startswith("rank(")]
    wanted = known if columns is None else list(columns)
    if not wanted or not set(wanted) <= set(known):
        raise InputError(f"columns: must be of those that the leaderboard ranks, {known}; found {wanted}")
    ranks = board[[f"rank({name})" for name in wanted]].astype(float)
    lines = dict(zip(map(str, board.index), ranks.to_numpy().tolist(), strict=True))
    labels = {name: label_of(name) if is_coefficient(name) else name for name in wanted}
    data = figure_data(labels, lines)
    signatures = [one for column in board.attrs.get("signatures", {}).values() for one in column.values()]
    scope = scope_of_result(signatures[0]) if signatures else WHOLE
    return Picture(FIGURES["bump"], data, f"Ranks of {len(lines)} metrics.", scope)
