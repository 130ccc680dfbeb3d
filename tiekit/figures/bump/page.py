"""What is the bump chart given, and how does it become a page of its own?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tiekit.figures.figures import FIGURES

FIGURE = FIGURES["bump"]
KEYS = ("metric",)
"""What moves; the address of a page holds it."""

TITLE = "How the ranks of metrics change with the coefficient"


def given(
    columns: Mapping[str, str],
    ranks: Mapping[str, Sequence[float]],
    marks: Mapping[str, str] | None = None,
    metric: str | None = None,
    title: str = TITLE,
) -> dict[str, Any]:
    """Return what the chart shows.

    Parameters
    ----------
    columns : mapping of str to str
        The coefficients by key, each with its printed name; at least one.
    ranks : mapping of str to sequence of float
        The ranks of each metric, one per column, 1 being the best; NaN where the coefficient is undefined.
    marks : mapping of str to str, optional
        A sign before the name of some metrics.
    metric : str, optional
        The metric that is chosen at first.
    title : str
        The title of saved pictures.
    """
    marks = marks or {}
    return {
        "columns": [{"key": key, "label": label} for key, label in columns.items()],
        "metrics": [
            {"name": name, "mark": marks.get(name, ""), "ranks": [None if rank != rank else int(rank) for rank in line]}
            for name, line in ranks.items()
        ],
        "metric": metric if metric in ranks else None,
        "title": title,
        "large": False,
    }
