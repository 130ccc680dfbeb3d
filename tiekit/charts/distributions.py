"""Pictures of chance: how scores and resamples are spread, and what swaps, p-values and intervals say."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from tiekit.base.validation import FloatArray, IntArray
from tiekit.charts.style import GRID, INK, PICKED, Figure, apply_theme
from tiekit.significance.clusters import rank_clusters
from tiekit.significance.permutation import is_extreme

BARS = 40
"""The number of bars of equal width, and of cells along each side of a grid of points."""

ROUNDING = 1e-13
"""Cells are wider than this, relative to the scores."""

POINTS = 1000
"""Where there are more points than this, they are counted on a grid."""


def distribution_frame(values: ArrayLike, marks: Mapping[str, float] | None = None) -> pd.DataFrame:
    """Count values in bars of equal width: one row per bar with values, ``low``, ``high`` and ``count``.

    Named values in ``marks`` have a row each, ``mark`` and ``at``. NaN is left out of both.
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
    return apply_theme(alt.layer(*layers).properties(height=300), theme)


def scatter_frame(human: ArrayLike, metric: ArrayLike) -> pd.DataFrame:
    """Count how often each two scores occur together, without NaN: ``human``, ``metric``, ``count``.

    More than `POINTS` distinct points are counted in the cells of a grid, and a point is the middle of its cell.
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
    return apply_theme(alt.layer(points).properties(height=340), theme)


AS_LARGE, SMALLER = "at least as large as observed", "smaller"
"""What the differences of resamples are, beside the observed one."""

ROOM = 30
"""Width in pixels that a p-value needs in its square."""

NOT_TESTED = "not tested"

BINS = ("p ≤ .001", "p ≤ .01", "p ≤ .05", "p ≤ .1", "p > .1", NOT_TESTED)
"""Classes of p-values."""

SHADES = {
    "light": ("#00497A", "#0072B2", "#56B4E9", "#CFE4F2", "#FFFFFF", "#E3E1DC"),
    "dark": ("#9AD2F5", "#56B4E9", "#2F7FB0", "#23465C", "#262730", "#4A4843"),
}
"""One color per class, paler for larger p-values; gray where nothing was tested."""

ON_SHADE = {
    "light": ("#FFFFFF", "#FFFFFF", "#000000", "#000000", "#111111", "#111111"),
    "dark": ("#000000", "#000000", "#FFFFFF", "#FFFFFF", "#FAFAFA", "#FAFAFA"),
}
"""Color of the text on each of the shades."""


def swap_frame(samples: ArrayLike, difference: float, *, alternative: str = "two-sided") -> pd.DataFrame:
    """Count the differences under swaps that `PermutationTest.samples` holds; undefined ones are in no bar.

    One row per bar and kind: ``low`` and ``high``, ``kind`` (`AS_LARGE` or `SMALLER`), ``count``, stacked from
    ``bottom`` to ``top``, and ``observed``: the observed difference in the first row, NaN in the others.
    """
    drawn = np.asarray(samples, np.float64)
    defined = drawn[~np.isnan(drawn)]
    reach = max(float(np.abs(defined).max(initial=0.0)), abs(float(np.nan_to_num(difference)))) or 1.0
    edges = np.linspace(-reach, reach, BARS + 1)
    large = is_extreme(defined, difference, alternative)
    place = np.clip(np.searchsorted(edges, defined, side="right") - 1, 0, BARS - 1)
    rows, top = [], np.zeros(BARS, np.int64)
    for kind, members in ((AS_LARGE, large), (SMALLER, ~large)):
        counts = np.bincount(place[members], minlength=BARS)
        rows += [(edges[at], edges[at + 1], kind, counts[at], top[at]) for at in np.flatnonzero(counts)]
        top += counts
    frame = pd.DataFrame(rows, columns=["low", "high", "kind", "count", "bottom"])
    return frame.assign(top=frame["bottom"] + frame["count"], observed=np.where(frame.index == 0, difference, np.nan))


@lru_cache
def swap_chart(title: str, theme: str, *, one_sided: bool = False) -> Figure:
    """Draw the bars of `swap_frame` and mark the observed difference; in a two-sided test, also its mirror image."""
    legend = alt.Legend(title=None, orient="top", symbolStrokeWidth=1)
    ink = INK[theme]
    colors = alt.Scale(domain=[AS_LARGE, SMALLER], range=[PICKED[theme][1], PICKED[theme][0]])
    x = alt.X("low:Q", title=title, scale=alt.Scale(zero=False), axis=alt.Axis(grid=False, tickCount=8))
    y = alt.Y("bottom:Q", title="ways of swapping", axis=alt.Axis(tickCount=5))
    tooltip: Any = [alt.Tooltip("low:Q", format=".4f"), alt.Tooltip("high:Q", format=".4f"), "kind:N", "count:Q"]
    fill = alt.Fill("kind:N", scale=colors, legend=legend)
    bars = alt.Chart().mark_rect(stroke=GRID[theme], strokeWidth=0.5)
    bars = bars.encode(x=x, x2="high:Q", y=y, y2="top:Q", fill=fill, tooltip=tooltip)
    seen = alt.Chart().transform_filter("isValid(datum.observed)")
    layers: list[Any] = [bars, seen.mark_rule(color=ink, strokeWidth=3, aria=False).encode(x="observed:Q")]
    words: Any = {"align": "left", "dx": 6, "baseline": "top", "fontSize": 14, "color": ink, "aria": False}
    layers.append(seen.mark_text(**words).encode(x="observed:Q", y=alt.value(4), text=alt.value("observed")))
    if not one_sided:
        mirrored = seen.transform_calculate(mirrored="-datum.observed")
        layers.append(mirrored.mark_rule(color=ink, strokeDash=[5, 4], aria=False).encode(x="mirrored:Q"))
    return apply_theme(alt.layer(*layers).properties(height=300), theme)


def interval_frame(intervals: Mapping[str, tuple[float, float, float]]) -> pd.DataFrame:
    """Return one row per metric: ``metric``, ``value``, and the ends of its interval, ``low`` and ``high``."""
    rows = [(name, *found) for name, found in intervals.items()]
    return pd.DataFrame(rows, columns=["metric", "value", "low", "high"])


@lru_cache
def interval_chart(metrics: tuple[str, ...], title: str, theme: str) -> Figure:
    """Draw the value and interval of each metric of `interval_frame`; ``metrics`` gives their order."""
    names: Any = alt.Axis(labelOverlap=False, labelLimit=170, labelFlush=False)
    y = alt.Y("metric:N", sort=None, title=None, scale=alt.Scale(domain=list(metrics)), axis=names)
    tooltip: Any = ["metric:N", *(alt.Tooltip(f"{name}:Q", format=".4f") for name in ("value", "low", "high"))]
    scale = alt.Scale(zero=False)
    base = alt.Chart().encode(y=y, tooltip=tooltip)
    lines = base.mark_rule(strokeWidth=4, color=PICKED[theme][0], opacity=0.6).encode(
        x=alt.X("low:Q", title=title, scale=scale, axis=alt.Axis(tickCount=6)), x2="high:Q"
    )
    points = base.mark_point(size=90, filled=True, opacity=1, color=INK[theme]).encode(x=alt.X("value:Q", scale=scale))
    return apply_theme(alt.layer(lines, points).properties(height=26 * len(metrics) + 40), theme)


def pvalue_frame(
    pvalues: pd.DataFrame, *, alpha: float = 0.05, correction: str | None = None, untested: Collection[str] = ()
) -> pd.DataFrame:
    """Return one row per pair of metrics: ``row``, ``column``, ``p``, ``words``, ``kind`` and ``apart``.

    ``kind`` is one of `BINS`; ``apart`` says that the two metrics are in different clusters. Metrics are in the order
    of the matrix, the best first, and each is compared with those after it. Metrics in ``untested``, see
    `Comparison.untested`, have squares without p and no cluster.
    """
    left_out = pvalues.index.isin(list(untested))
    matrix = pvalues.to_numpy(np.float64, copy=True)
    matrix[left_out], matrix[:, left_out] = np.nan, np.nan
    names, cluster = list(pvalues.index), np.zeros(len(pvalues), np.int64)
    cluster[~left_out] = rank_clusters(matrix[~left_out][:, ~left_out], alpha=alpha, correction=correction)
    rows = []
    for i, row in enumerate(names):
        for j in range(i + 1, len(names)):
            p = float(matrix[i, j])
            words = "–" if p != p else f"{p:.3f}".removeprefix("0")
            kind = BINS[int(np.searchsorted([0.001, 0.01, 0.05, 0.1], p))] if p == p else NOT_TESTED
            apart = bool(cluster[i] != cluster[j]) and not (left_out[i] or left_out[j])
            rows.append((row, names[j], p, words, kind, apart))
    return pd.DataFrame(rows, columns=["row", "column", "p", "words", "kind", "apart"])


@lru_cache
def pvalue_chart(metrics: tuple[str, ...], theme: str) -> Figure:
    """Draw the squares of `pvalue_frame`: the smaller p, the darker (in the dark theme, lighter); best metric first."""
    labels: Any = {"labelOverlap": False, "labelLimit": 150, "labelFlush": False}
    down, across = list(metrics)[:-1], list(metrics)[1:]
    x = alt.X("column:N", sort=None, title=None, scale=alt.Scale(domain=across))
    x = x.axis(labelAngle=-60, **labels)
    y = alt.Y("row:N", sort=None, title=None, scale=alt.Scale(domain=down)).axis(**labels)
    scale = alt.Scale(domain=list(BINS), range=list(SHADES[theme]))
    legend = alt.Legend(
        title=None,
        orient="top",
        columns=3,
        symbolType="square",
        symbolStrokeColor=GRID[theme],
        symbolStrokeWidth=1,
        symbolSize=200,
    )
    tooltip: Any = ["row:N", "column:N", alt.Tooltip("p:Q", format=".4f"), "kind:N"]
    base = alt.Chart().encode(x=x, y=y, tooltip=tooltip)
    squares = base.mark_rect(stroke=GRID[theme]).encode(fill=alt.Fill("kind:N", scale=scale, legend=legend))
    layers = [squares]
    if len(metrics) <= 14:
        ink = alt.Color("kind:N", scale=alt.Scale(domain=list(BINS), range=list(ON_SHADE[theme])), legend=None)
        shown = alt.ExprRef(f"width < {ROOM * len(across)} ? 0 : 1")  # on a phone they would overlap
        layers.append(base.mark_text(fontSize=12, opacity=shown).encode(text="words:N", color=ink))
    else:
        empty = base.transform_filter(alt.datum.kind == NOT_TESTED)
        layers.append(empty.mark_text(fontSize=12, color=ON_SHADE[theme][-1]).encode(text="words:N"))
    grown = alt.layer(*layers).properties(height=26 * len(metrics) + 160)
    return apply_theme(grown, theme)
