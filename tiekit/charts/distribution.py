"""Which scores occur how often? Scores of one side as bars, scores of two sides as points."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from tiekit.base.validation import FloatArray, IntArray
from tiekit.charts.style import GRID, INK, PICKED, Figure, styled

BARS = 40
"""The number of bars of equal width, and of cells along each side of a grid of points."""

ROUNDING = 1e-13
"""Cells are wider than this, relative to the scores."""

POINTS = 1000
"""Where there are more points than this, they are counted on a grid."""


def distribution_frame(values: ArrayLike, marks: Mapping[str, float] | None = None) -> pd.DataFrame:
    """Count values in bars of equal width.

    Parameters
    ----------
    values : array_like
        NaN is left out.
    marks : mapping of str to float, optional
        Named values to point out; NaN is left out.

    Returns
    -------
    pandas.DataFrame
        One row per bar with values, ``low``, ``high`` and ``count``, and one per mark, ``mark`` and ``at``.
    """
    given = np.asarray(values, np.float64).ravel()
    place, ends = _cells(given[~np.isnan(given)])
    filled, counts = np.unique(place, return_counts=True)
    bars = {"low": _at(filled, ends), "high": _at(filled + 1, ends), "count": counts.astype(np.float64)}
    marked = [(name, at) for name, at in (marks or {}).items() if at == at]
    lines = {"mark": [name for name, _ in marked], "at": [at for _, at in marked]}
    return pd.concat([pd.DataFrame(bars), pd.DataFrame(lines)], ignore_index=True)


def _cells(values: FloatArray) -> tuple[IntArray, tuple[float, float]]:
    """Number the `BARS` cells of equal width that values lie in, from one end to the other.

    Values that differ by rounding alone share one.
    """
    if not values.size:
        return np.empty(0, np.int64), (0.0, 1.0)
    low, high = float(values.min()), float(values.max())
    width = high / BARS - low / BARS
    if width <= ROUNDING * max(abs(low), abs(high)):
        reach, middle = max(1.0, abs(low) / 100), BARS // 2 + 0.5  # the values are in the middle of one cell
        ends = low - reach * middle / BARS, low + reach * (1 - middle / BARS)
        return np.full(values.size, BARS // 2, np.int64), ends
    place = (values / BARS - low / BARS) / width * BARS
    return np.minimum(place.astype(np.int64), BARS - 1), (low, high)


def _at(place: NDArray[Any], ends: tuple[float, float]) -> FloatArray:
    """Where a cell begins; halves of a number are middles."""
    part = place / BARS
    return ends[0] * (1 - part) + ends[1] * part


@lru_cache
def distribution_chart(title: str, counted: str, theme: str) -> Figure:
    """Draw the bars of `distribution_frame` with a line and a name at each mark; ``counted`` says what is counted."""
    x = alt.X("low:Q", title=title, scale=alt.Scale(zero=False), axis=alt.Axis(grid=False, tickCount=8))
    y = alt.Y("count:Q", title=counted, axis=alt.Axis(tickCount=5))
    tooltip: Any = [alt.Tooltip("low:Q", format=".4~g"), alt.Tooltip("high:Q", format=".4~g"), "count:Q"]
    bars = alt.Chart().transform_filter("isValid(datum.count)")
    bars = bars.mark_bar(color=PICKED[theme][0], stroke=GRID[theme], strokeWidth=0.5)
    marks = alt.Chart().transform_filter("isValid(datum.at)").encode(x="at:Q")
    words: Any = {"align": "left", "dx": 5, "baseline": "top", "fontSize": 13, "color": INK[theme]}
    layers = [
        bars.encode(x=x, x2="high:Q", y=y, y2=alt.datum(0), tooltip=tooltip),
        marks.mark_rule(color=INK[theme], strokeWidth=2),
        marks.mark_text(**words).encode(y=alt.value(4), text="mark:N"),
    ]
    return styled(alt.layer(*layers).properties(height=300), theme)


def scatter_frame(human: ArrayLike, metric: ArrayLike) -> pd.DataFrame:
    """Count how often each two scores occur together.

    Parameters
    ----------
    human, metric : array_like of one shape
        Cells where one is NaN are left out.

    Returns
    -------
    pandas.DataFrame
        One row per point: ``human``, ``metric``, ``count``. More than `POINTS` distinct points are counted in the
        cells of a grid, and a point is the middle of its cell.
    """
    both = np.stack([np.asarray(side, np.float64).ravel() for side in (human, metric)])
    points = both[:, ~np.isnan(both).any(axis=0)].T
    distinct, counts = np.unique(points, axis=0, return_counts=True)
    if len(distinct) > POINTS:
        middles = [_at(place + 0.5, ends) for place, ends in map(_cells, points.T)]
        distinct, counts = np.unique(np.transpose(middles), axis=0, return_counts=True)
    return pd.DataFrame({"human": distinct[:, 0], "metric": distinct[:, 1], "count": counts})


@lru_cache
def scatter_chart(theme: str) -> Figure:
    """Draw the points of `scatter_frame`; the area shows how often a point occurs."""
    scale, axis = alt.Scale(zero=False, padding=10), alt.Axis(tickCount=6)
    points = alt.Chart().mark_point(filled=True, opacity=0.6, color=PICKED[theme][0])
    points = points.encode(
        x=alt.X("human:Q", title="human score", scale=scale, axis=axis),
        y=alt.Y("metric:Q", title="metric score", scale=scale, axis=axis),
        size=alt.Size("count:Q", scale=alt.Scale(range=[25, 400]), legend=None),
        tooltip=[alt.Tooltip("human:Q", format=".4~g"), alt.Tooltip("metric:Q", format=".4~g"), "count:Q"],
    )
    return styled(alt.layer(points).properties(height=340), theme)
