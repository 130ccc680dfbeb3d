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
from tiekit.figures.json_values import FIRST_SHARE, NOISE_ENDING, display_names, is_coefficient, values_of

FAR = 5
"""So many places are called a far move."""


def figure_data(
    columns: Mapping[str, str],
    ranks: Mapping[str, Sequence[float]],
    marks: Mapping[str, str] | None = None,
    metric: str | None = None,
    title: str = FIGURES["bump"].title,
    asked: Sequence[str] = (),
    by: str = "by",
) -> dict[str, Any]:
    """Return what the chart shows.

    ``columns`` are the printed names of coefficients by key, ``ranks`` those of each metric, one per column, NaN where
    the coefficient is undefined; ``marks`` stand before the names of some metrics, ``title`` above saved pictures. A
    question that is open gives the ranks in the first of two columns that are ``asked``, and asks for those in the
    other. A metric has a rank ``by`` a column.
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
        "by": by,
        "large": False,
    }


def moves_of(found: pd.DataFrame, own: float, chosen: str | None = None) -> tuple[dict[str, Any], dict[str, str]]:
    """Return how ranks move where people tie few pairs, not an ``own`` share, and how many stay or move far.

    ``found`` is what `tiekit.sentinels.tie_shares` found; without a ``chosen`` metric the one that moves farthest is.
    """
    values = values_of(found)[[own, FIRST_SHARE]]
    ranks = values[~values.index.str.endswith(NOISE_ENDING)].round(12).rank(ascending=False, method="min")
    steps = (ranks[own] - ranks[FIRST_SHARE]).abs()
    columns = {"own": f"{100 * own:.0f}\u00a0%", "few": f"{100 * FIRST_SHARE:.0f}\u00a0%"}
    lines = dict(zip(map(str, ranks.index), ranks.to_numpy().tolist(), strict=True))
    title = "Ranks by acc_eq* where people tie {own} of the pairs, and where they tie {few}".format(**columns)
    data = figure_data(columns, lines, None, chosen or str(steps.idxmax()), title, ("own", "few"), "where people tie")
    kept, far = int((steps == 0).sum()), int((steps >= FAR).sum())
    return data, {"kept": str(kept), "far": str(far), "metrics": str(len(steps))}


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
