"""Pictures of rankings: by value, by rank, by grouping, and of judgments that contradict each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from tiekit.charts.style import GRID, INK, PALE, PICKED, Figure, apply_theme
from tiekit.core.system_level import label_of
from tiekit.judgments.caps import Attainable
from tiekit.judgments.rankings import Preferences


def rank_frame(board: pd.DataFrame, columns: Sequence[str], picked: Sequence[str]) -> pd.DataFrame:
    """Return the ranks of a leaderboard in long form, without undefined ones.

    Columns are ``metric``, ``coefficient`` (as printed), ``rank``, ``value``, ``picked``, and ``end``: at the last
    coefficient, the name of the first metric of each rank and how many more share the rank.
    """
    parts = []
    for column in columns:
        values = {"rank": board[f"rank({column})"].to_numpy(), "value": board[column].to_numpy()}
        parts.append(pd.DataFrame({"metric": board.index, "coefficient": label_of(column), **values}))
    frame = pd.concat(parts, ignore_index=True).dropna(subset=["rank"]).astype({"rank": int})
    last = frame[frame["coefficient"] == label_of(columns[-1])]
    ends = {}
    for _, sharing in last.groupby("rank"):
        more = f" +{len(sharing) - 1}" if len(sharing) > 1 else ""
        ends[sharing.index[0]] = f"{sharing['metric'].iloc[0]}{more}"
    frame["end"] = [ends.get(row, "") for row in frame.index]
    return frame.assign(picked=frame["metric"].isin(list(picked)))


@lru_cache
def rank_chart(
    columns: tuple[str, ...], n_ranks: int, picked: tuple[str, ...], theme: str, *, alone: bool, names: bool
) -> Figure:
    """Draw ranks over coefficients, one line per metric, with the picked metrics in color.

    ``alone`` says that no other metric has a rank: an empty layer would have no accessible name. ``names`` writes the
    names of the metrics at the right end.
    """
    ranks = alt.Axis(values=list(range(1, n_ranks + 1)), grid=False, format="d", labelOverlap=False)
    order = [label_of(column) for column in columns]
    x = alt.X("coefficient:N", sort=order, title=None, axis=alt.Axis(labelAngle=-40, labelOverlap=False, orient="top"))
    y = alt.Y("rank:Q", title="rank", scale=alt.Scale(domain=[n_ranks + 0.5, 0.5], nice=False), axis=ranks)
    tooltip = ["metric:N", "coefficient:N", "rank:Q", alt.Tooltip("value:Q", format=".4f")]
    scale = alt.Scale(domain=list(picked), range=PICKED[theme][: len(picked)])
    color = alt.Color("metric:N", scale=scale, legend=alt.Legend(title=None, orient="top"))
    dots = alt.OverlayMarkDef(color=PALE[theme], size=30)
    others = alt.Chart().transform_filter("!datum.picked").mark_line(point=dots, strokeWidth=1, color=PALE[theme])
    chosen = alt.Chart().transform_filter("datum.picked").mark_line(point={"size": 80}, strokeWidth=4)
    ends = alt.Chart().transform_filter("datum.end != ''")
    ends = ends.mark_text(align="left", dx=12, fontSize=13, color=INK[theme], limit=135)
    layers = [chosen.encode(x=x, y=y, color=color, tooltip=tooltip)]
    if names:
        layers.append(ends.encode(x=x, y=y, text="end:N"))
    if not alone:
        layers.insert(0, others.encode(x=x, y=y, detail="metric:N", tooltip=tooltip))
    height = max(260, 24 * n_ranks + 100)
    return apply_theme(alt.layer(*layers).properties(height=height, padding={"right": 140 if names else 5}), theme)


def dot_frame(values: pd.Series, clusters: pd.Series | None = None) -> pd.DataFrame:
    """Return one row per metric with a value: ``metric``, ``value`` and ``cluster``, text that is empty without one."""
    frame = pd.DataFrame({"metric": values.index, "value": values.to_numpy(float, na_value=float("nan"))})
    named = [""] * len(frame) if clusters is None else ["" if pd.isna(rank) else str(rank) for rank in clusters]
    return frame.assign(cluster=named).dropna(subset=["value"])


@lru_cache
def dot_chart(metrics: tuple[str, ...], title: str, theme: str, *, clusters: bool) -> Figure:
    """Draw the value of each metric of `dot_frame`; metrics of neighboring clusters differ in color."""
    names = alt.Axis(labelOverlap=False, labelLimit=220, labelFlush=False)
    y = alt.Y("metric:N", sort=None, title=None, scale=alt.Scale(domain=list(metrics)), axis=names)
    x = alt.X("value:Q", title=title, scale=alt.Scale(zero=False, padding=15), axis=alt.Axis(tickCount=6))
    tooltip: Any = ["metric:N", alt.Tooltip("value:Q", format=".4f"), *(["cluster:N"] if clusters else [])]
    base = alt.Chart().encode(x=x, y=y, tooltip=tooltip)
    odd = alt.condition("toNumber(datum.cluster) % 2 === 1", *map(alt.value, PICKED[theme]))
    points = base.mark_point(size=110, filled=True, opacity=1, color=PICKED[theme][0])
    layers = [points.encode(color=odd) if clusters else points]
    if clusters:
        layers.append(base.mark_text(dx=14, fontSize=12, color=INK[theme]).encode(text="cluster:N"))
    return apply_theme(alt.layer(*layers).properties(height=22 * len(metrics) + 40), theme)


def turn_frame(values: pd.DataFrame) -> pd.DataFrame:
    """Return values of metrics (columns) by grouping (rows) in long form; ``place`` is the position of the grouping."""
    rows = [
        {"grouping": grouping, "metric": metric, "value": value, "place": place}
        for metric in values
        for place, (grouping, value) in enumerate(values[metric].items())
    ]
    return pd.DataFrame(rows, columns=["grouping", "metric", "value", "place"])


@lru_cache
def turn_chart(groupings: tuple[str, ...], metrics: tuple[str, ...], label: str, theme: str) -> Figure:
    """Draw one line per metric over the groupings of `turn_frame`; where lines cross, the ranking reverses."""
    legend = alt.Legend(title=None, orient="top", symbolSize=160)
    color = alt.Color("metric:N", scale=alt.Scale(domain=metrics, range=PICKED[theme]), legend=legend)
    shape = alt.Shape("metric:N", scale=alt.Scale(domain=metrics, range=["circle", "square"]), legend=legend)
    dash = alt.StrokeDash("metric:N", scale=alt.Scale(domain=metrics, range=[[1, 0], [7, 4]]), legend=None)
    across = alt.Axis(labelAngle=0, labelOverlap=False, grid=True)
    x = alt.X("grouping:N", sort=list(groupings), title=None, axis=across, scale=alt.Scale(domain=groupings))
    base = alt.Chart().encode(x=x, y=alt.Y("value:Q", title=label, axis=alt.Axis(tickCount=6)))
    tooltip = ["metric:N", "grouping:N", alt.Tooltip("value:Q", format=".4f")]
    layers = [
        base.mark_line(strokeWidth=3).encode(color=color, strokeDash=dash),
        base.mark_point(size=160, filled=True, opacity=1).encode(color=color, shape=shape, tooltip=tooltip),
    ]
    return apply_theme(alt.layer(*layers).properties(height=320), theme)


CAPS = ("each two by themselves", "one score for each")
"""Whether a metric may decide each pair of translations on its own, or gives one score to each translation."""

UNITY_STYLE = {
    "all alike": ("#009E73", "=", "all judgments alike"),
    "a majority": ("#0072B2", ">", "most judgments alike"),
    "a draw": ("#D55E00", "?", "no outcome is the most frequent"),
}
"""Color, glyph and meaning of each way in which the judgments of two translations agree."""


def cap_frame(found: Mapping[str, Attainable], values: Mapping[str, float] | None = None) -> pd.DataFrame:
    """Return the lowest and highest value that any metric can reach, and a metric's ``value`` or NaN, by name.

    Two rows per name of a result: ``name``, ``what`` (a name of `CAPS`), ``low``, ``high``, ``value``. Drawn is what
    a metric without ties reaches; for acc_eq, a metric that may tie.
    """
    given = values or {}
    rows = []
    for name, one in found.items():
        ends = (one.floor, one.cap), (one.reachable_floor, one.reachable)
        rows += [
            {"name": name, "what": what, "low": low, "high": high, "value": given.get(name, float("nan"))}
            for what, (low, high) in zip(CAPS, ends, strict=True)
        ]
    return pd.DataFrame(rows, columns=["name", "what", "low", "high", "value"])


@lru_cache
def cap_chart(names: tuple[str, ...], label: str, low: float, theme: str, *, metric: str = "") -> Figure:
    """Draw lowest and highest value of `cap_frame` as bars, on an axis from ``low`` (-1, or 0 for acc_eq) to 1.

    Where ``metric``, the name of a metric, is given, its value is a diamond.
    """
    scale = alt.Scale(domain=[low, 1.25 + low / -6], nice=False)  # room for a number
    axis = alt.Axis(values=[low, low / 2, 0, 0.5, 1] if low else [0, 0.25, 0.5, 0.75, 1], format=".2~f")
    y = alt.Y("name:N", sort=None, title=None, scale=alt.Scale(domain=list(names)), axis=alt.Axis(labelLimit=220))
    across = alt.YOffset("what:N", sort=list(CAPS), scale=alt.Scale(domain=list(CAPS)))
    middle = alt.YOffset("what:N", sort=list(CAPS), scale=alt.Scale(domain=list(CAPS)), bandPosition=0.5)
    legend = alt.Legend(title=None, orient="top", direction="vertical")
    color = alt.Color("what:N", scale=alt.Scale(domain=list(CAPS), range=PICKED[theme]), legend=legend)
    ends: Any = [alt.Tooltip(f"{end}:Q", format=".4f") for end in ("low", "high")]
    base = alt.Chart().encode(y=y)
    bars = base.encode(yOffset=across, x=alt.X("low:Q", title=label, scale=scale, axis=axis), x2="high:Q")
    layers: list[Any] = [
        bars.mark_bar(height={"band": 0.7}).encode(color=color, tooltip=["name:N", "what:N", *ends]),
        base.encode(yOffset=middle, x=alt.X("high:Q", scale=scale))
        .mark_text(align="left", dx=5, dy=5, fontSize=13, color=INK[theme])
        .encode(text=alt.Text("high:Q", format=".3f")),
    ]
    if metric:
        point = base.transform_filter(f"datum.what === '{CAPS[0]}' && isValid(datum.value)")
        value = alt.Tooltip("value:Q", format=".4f", title=metric)
        layers.append(
            point.mark_point(shape="diamond", size=170, filled=True, opacity=1, fill=INK[theme], stroke=GRID[theme])
            .encode(x=alt.X("value:Q", scale=scale), tooltip=["name:N", value])
        )  # fmt: skip
    return apply_theme(alt.layer(*layers).properties(height=64 * len(names) + 150), theme)


def unity_frame(preferences: Preferences, most: int = 8) -> pd.DataFrame:
    """Count pairs of translations by how often they were judged and by how far their judgments agree.

    One row per number of ``judgments`` (text; from ``most`` on counted together as "or more") and name of
    `UNITY_STYLE`: ``what``, ``pairs``, and ``share`` of the pairs with that many judgments.
    """
    counts = preferences.pairs.counts
    number, top = counts.sum(axis=1), counts.max(axis=1, initial=0)
    draw = (counts == top[:, None]).sum(axis=1) > 1
    kind = np.select([top == number, draw], [0, 2], 1)
    sizes = np.minimum(number, most)
    rows = []
    for size in range(1, int(sizes.max(initial=0)) + 1):
        found = np.bincount(kind[sizes == size], minlength=3)
        label = f"{size} or more" if size == most else str(size)
        for what, pairs in zip(UNITY_STYLE, found.tolist(), strict=True):
            share = pairs / found.sum() if found.any() else float("nan")
            rows.append({"judgments": label, "what": what, "pairs": pairs, "share": share})
    return pd.DataFrame(rows, columns=["judgments", "what", "pairs", "share"])


@lru_cache
def unity_chart(judgments: tuple[str, ...], theme: str) -> Figure:
    """Draw the pairs of `unity_frame` as stacked bars over the number of judgments."""
    names = list(UNITY_STYLE)
    scale = alt.Scale(domain=names, range=[style[0] for style in UNITY_STYLE.values()])
    legend = alt.Legend(title=None, orient="top")
    axis = alt.Axis(labelAngle=0, labelOverlap=False)
    x = alt.X("judgments:N", sort=None, title="judgments of the same two translations", axis=axis,
              scale=alt.Scale(domain=list(judgments)))  # fmt: skip
    y = alt.Y("pairs:Q", title="pairs of translations", stack="zero")
    tooltip = ["judgments:N", "what:N", "pairs:Q", alt.Tooltip("share:Q", format=".1%")]
    bars = alt.Chart().mark_bar(stroke=GRID[theme]).encode(
        x=x, y=y, color=alt.Color("what:N", scale=scale, legend=legend), order=alt.Order("rank:Q"), tooltip=tooltip
    )  # fmt: skip
    ranked = bars.transform_calculate(rank=_index("what", names))
    return apply_theme(alt.layer(ranked).properties(height=300), theme)


def _index(field: str, names: Sequence[str]) -> str:
    """A Vega expression for the position of a field's value among names."""
    return f"indexof({list(names)!r}, datum.{field})"
