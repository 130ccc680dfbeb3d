"""Is the evaluation fair? Calibration over shares of human ties, correlations of metrics, scores over length."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from tiekit.charts.style import GRID, INK, PICKED, Figure, styled
from tiekit.research.sentinels.bias import LengthBias

LINES = {
    "light": ("#0072B2", "#B34700", "#00714F", "#A0457A", "#636363", "#7A5C00", "#5B3FA0", "#111111"),
    "dark": ("#56B4E9", "#FF8F45", "#2DBE92", "#E39AC4", "#A8A8A8", "#E6C84A", "#B8A1F0", "#FAFAFA"),
}
"""Colors of metrics, used in turn; at least 4.5:1 on the background of the theme."""

METRIC_KINDS = {"discrete": [1, 0], "sentinel": [6, 4], "continuous": [1, 0]}
"""Kinds of metrics, and the dashes of their lines; lines of discrete metrics are thick."""

NUMBERED_UP_TO = 14
"""The largest number of metrics whose correlations are written into the squares."""


def share_frame(found: pd.DataFrame, kinds: Mapping[str, str]) -> pd.DataFrame:
    """Add the ``kind`` of each metric, a name of `METRIC_KINDS`, to a frame of `tie_shares` or `held_out_shares`."""
    columns = ["metric", "share", "value", "epsilon", "n_pairs"]
    return found[columns].assign(kind=found["metric"].map(dict(kinds)))


def line_colors(metrics: tuple[str, ...], kinds: tuple[str, ...], theme: str) -> list[str]:
    """Return one color per metric; a sentinel has the color of the metric with whose name its own name begins."""
    palette, turn = LINES[theme], 0
    colors: dict[str, str] = {}
    for name, kind in sorted(zip(metrics, kinds, strict=True), key=lambda metric: metric[1] == "sentinel"):
        origins = [other for other in colors if kind == "sentinel" and name.startswith(other)]
        colors[name] = colors[max(origins, key=len)] if origins else palette[turn % len(palette)]
        turn += not origins
    return [colors[name] for name in metrics]


@lru_cache
def share_chart(column: str, title: str, metrics: tuple[str, ...], kinds: tuple[str, ...], theme: str) -> Figure:
    """Draw a column of `share_frame`, ``value`` or ``epsilon``, over the share of human ties; sentinels are dashed."""
    names = list(metrics)
    legend = alt.Legend(title=None, orient="top", columns=2, symbolType="stroke", symbolSize=600)
    scale = alt.Scale(domain=names, range=line_colors(metrics, kinds, theme))
    dashes = alt.Scale(domain=names, range=[METRIC_KINDS[kind] for kind in kinds])
    across = alt.Axis(format="%", grid=False, tickCount=6)
    tooltip: Any = ["metric:N", "kind:N", alt.Tooltip("share:Q", format=".1%")]
    tooltip += [alt.Tooltip(f"{n}:Q", format=f) for n, f in (("value", ".4f"), ("epsilon", ".5g"), ("n_pairs", ",.0f"))]
    base = alt.Chart().encode(
        x=alt.X("share:Q", title="human ties among the pairs", axis=across, scale=alt.Scale(domain=[0, 1])),
        y=alt.Y(f"{column}:Q", title=title, scale=alt.Scale(zero=column == "epsilon"), axis=alt.Axis(tickCount=6)),
        color=alt.Color("metric:N", scale=scale, legend=legend),
        strokeDash=alt.StrokeDash("metric:N", scale=dashes, legend=legend),
        tooltip=tooltip,
    )
    heavy = base.transform_filter("datum.kind === 'discrete'").mark_line(strokeWidth=4, point={"size": 50})
    light = base.transform_filter("datum.kind !== 'discrete'").mark_line(strokeWidth=2, point={"size": 30})
    rows = (len(names) + 1) // 2
    return styled(alt.layer(heavy, light).properties(height=340 + 24 * rows), theme)


def correlations_frame(found: pd.DataFrame) -> pd.DataFrame:
    """Return `metric_correlations` with one row per square: ``row``, ``column``, ``value``, ``words``."""
    long = found.rename_axis("row").reset_index().melt("row", var_name="column", value_name="value")
    words = [f"{round(value, 2) + 0:.2f}".replace("-", "−") if value == value else "–" for value in long["value"]]
    return long.assign(words=words)


@lru_cache
def correlations_chart(metrics: tuple[str, ...], title: str, theme: str) -> Figure:
    """Draw the squares of `correlations_frame`, blue where two metrics agree, orange where they disagree."""
    names = list(metrics)
    labels: Any = {"labelOverlap": False, "labelLimit": 150, "labelFlush": False}
    x = alt.X("column:N", sort=None, title=None, scale=alt.Scale(domain=names), axis=alt.Axis(labelAngle=-60, **labels))
    y = alt.Y("row:N", sort=None, title=None, scale=alt.Scale(domain=names), axis=alt.Axis(**labels))
    middle = "#FFFFFF" if theme == "light" else "#262730"
    scale = alt.Scale(domain=[-1, 0, 1], range=["#D55E00", middle, "#0072B2"], interpolate="rgb")
    legend = alt.Legend(title=title, orient="top", gradientLength=180)
    tooltip: Any = ["row:N", "column:N", alt.Tooltip("value:Q", format=".4f")]
    base = alt.Chart().encode(x=x, y=y, tooltip=tooltip)
    squares = base.mark_rect(stroke=GRID[theme]).encode(
        fill=alt.condition("isValid(datum.value)", alt.Fill("value:Q", scale=scale, legend=legend), alt.value(middle))
    )
    ends: Any = [{"test": "datum.value > 0.94", "value": "#FFF"}, {"test": "datum.value < -0.8", "value": "#000"}]
    layers = [squares]
    if len(names) <= NUMBERED_UP_TO:
        ink = alt.ColorValue(condition=ends, value=INK[theme])
        room = alt.expr(f"width / {len(names)} < 30 ? 0 : 1")
        layers.append(base.mark_text(fontSize=12, opacity=room).encode(text="words:N", color=ink))
    return styled(alt.layer(*layers).properties(height=26 * len(names) + 200), theme)


def length_frame(bias: LengthBias) -> pd.DataFrame:
    """Add the heights of both lines to the points of `length_bias`; ``end`` marks the shortest and the longest one."""
    frame = bias.points
    for side in ("human", "metric"):
        line = bias.lines.loc[side]
        frame = frame.assign(**{f"{side}_line": line["intercept"] + line["slope"] * frame["length"]})
    place, length = np.arange(len(frame)), frame["length"].to_numpy()
    return frame.assign(end=(place == length.argmin()) | (place == length.argmax()))


@lru_cache
def length_chart(side: str, name: str, theme: str) -> Figure:
    """Draw the scores of one side of `length_frame`, "human" or "metric", over length, with the least-squares line."""
    x = alt.X("length:Q", title="characters of the translation", axis=alt.Axis(grid=False, tickCount=6))
    y = alt.Y(f"{side}:Q", title=name, scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=6))
    points = alt.Chart().mark_point(size=14, filled=True, opacity=0.35, color=PICKED[theme][0])
    line = alt.Chart().transform_filter("datum.end").mark_line(strokeWidth=3, color=PICKED[theme][1])
    tooltip = ["system:N", "segment:N", "length:Q", "human:Q", "metric:Q"]
    layers = [
        points.encode(x=x, y=y, tooltip=tooltip),
        line.encode(x=x, y=alt.Y(f"{side}_line:Q", title=name)),
    ]
    return styled(alt.layer(*layers).properties(height=320), theme)


def perfect_frame(bias: LengthBias) -> pd.DataFrame:
    """Return shares of perfect scores in long form: ``range`` of length, ``n``, ``what`` (human, metric), ``share``."""
    perfect = bias.perfect
    ranges = [f"{low}–{high}" for low, high in zip(perfect["shortest"], perfect["longest"], strict=True)]
    return perfect.assign(range=ranges).melt(["range", "n"], ["human", "metric"], "what", "share")


@lru_cache
def perfect_chart(names: tuple[str, str], theme: str) -> Figure:
    """Draw the shares of `perfect_frame`; ``names`` are the printed names of the human and the metric scores."""
    words = f"datum.value === 'human' ? {json.dumps(names[0])} : {json.dumps(names[1])}"
    sides = ["human", "metric"]
    legend = alt.Legend(title=None, orient="top", labelExpr=words, symbolType="stroke", symbolSize=500)
    x = alt.X("range:N", sort=None, title="characters of the translation", axis=alt.Axis(labelAngle=-40))
    y = alt.Y("share:Q", title="perfect scores", axis=alt.Axis(format="%", tickCount=6), scale=alt.Scale(domainMin=0))
    dash = alt.StrokeDash("what:N", scale=alt.Scale(domain=sides, range=[[1, 0], [7, 4]]), legend=legend)
    color = alt.Color("what:N", scale=alt.Scale(domain=sides, range=PICKED[theme]), legend=legend)
    tooltip = ["what:N", "range:N", alt.Tooltip("share:Q", format=".1%"), alt.Tooltip("n:Q", format=",")]
    line = alt.Chart().mark_line(strokeWidth=2.5, point={"size": 60})
    line = line.encode(x=x, y=y, color=color, strokeDash=dash, tooltip=tooltip)
    return styled(alt.layer(line).properties(height=320), theme)
