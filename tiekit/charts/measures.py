"""Pictures of measures: their power, consistency and granularity, and whether they are fair to all metrics."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from tiekit.charts.style import GRID, INK, PALE, PICKED, Figure, apply_theme
from tiekit.core.system_level import GROUPING_WORDS, label_of, measure_label
from tiekit.sentinels.bias import LengthBias

GROUPING_STYLE = {
    "global": ("#0072B2", "#56B4E9"),
    "item": ("#B34700", "#E69F00"),
    "system": ("#00714F", "#2DBE92"),
    "system_means": ("#8A2E6B", "#E39AC4"),
    "document": ("#4D4D9E", "#A9A9F5"),
    "document_means": ("#6B6100", "#F0E442"),
}
"""The color of each grouping on a light and on a dark background (4.5:1, distinct for color-blind eyes)."""

DASHES = ([1, 0], [7, 3], [2, 3], [9, 3, 2, 3], [14, 4], [4, 2, 1, 2], [1, 1], [10, 6], [5, 5], [3, 6])
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-left", "triangle-right")
"""Dashes and shapes of the coefficients, used in turn."""


def add_labels(frame: pd.DataFrame) -> pd.DataFrame:
    """Add ``label``, ``grouping`` and ``coefficient`` as printed to a frame with a column ``measure``."""
    parts = [measure.split("/") for measure in frame["measure"]]
    return frame.assign(
        label=[measure_label(measure) for measure in frame["measure"]],
        grouping=[GROUPING_WORDS[grouping] for grouping, _ in parts],
        coefficient=[label_of(coefficient) for _, coefficient in parts],
    )


def power_frame(curve: pd.DataFrame) -> pd.DataFrame:
    """Add ``label``, ``grouping``, ``coefficient`` as printed and ``pair`` to `DiscriminativePower.curve`."""
    return add_labels(curve).assign(pair=curve["first"] + " – " + curve["second"])


@lru_cache
def power_chart(measures: tuple[str, ...], theme: str, *, alpha: float = 0.05) -> Figure:
    """Draw the sorted p-values of `power_frame`, one line per measure, a rule at ``alpha``: lower is more power."""
    x = alt.X(
        "place:Q", title="pairs of metrics, largest p first", axis=alt.Axis(grid=False, format="d", tickMinStep=1)
    )
    y = alt.Y("p:Q", title="p-value", scale=alt.Scale(domain=[0, 1]))
    tooltip: Any = ["label:N", alt.Tooltip("pair:N", title="metrics"), alt.Tooltip("p:Q", format=".3f")]
    level = alt.Chart().mark_rule(color=PALE[theme], strokeDash=[4, 4], aria=False).encode(y=alt.datum(alpha))
    lines = _lines(alt.Chart().encode(x=x, y=y, tooltip=tooltip), measures, theme)
    return apply_theme(alt.layer(level, *lines).properties(height=420), theme)


def trust_frame(table: pd.DataFrame) -> pd.DataFrame:
    """Add ``measure``, ``label``, ``grouping``, ``coefficient`` as printed, ``rank_dp``, ``rank_rc`` to a comparison.

    ``table`` is what `compare_measures` returns.
    """
    ranks = {"rank(DP)": "rank_dp", "rank(RC)": "rank_rc"}
    return add_labels(table.rename(columns=ranks).rename_axis("measure").reset_index())


@lru_cache
def trust_chart(measures: tuple[str, ...], theme: str) -> Figure:
    """Draw power against ranking consistency, one mark per measure: the upper left is best."""
    up = alt.Y("RC:Q", title="ranking consistency (higher is better)", scale=alt.Scale(zero=False))
    across = alt.X("DP:Q", title="mean p-value (lower is better)", scale=alt.Scale(zero=False))
    numbers = [alt.Tooltip("DP:Q", format=".3f"), alt.Tooltip("RC:Q", format=".3f")]
    ranks = [alt.Tooltip("rank_dp:Q", title="rank by DP"), alt.Tooltip("rank_rc:Q", title="rank by RC")]
    base = alt.Chart().encode(x=across, y=up, tooltip=["label:N", *numbers, *ranks])
    return apply_theme(alt.layer(_marks(base, measures, theme, 180)).properties(height=420), theme)


def granularity_frame(values: pd.DataFrame) -> pd.DataFrame:
    """Return `granularity`, or the means of a `SimulatedGranularity`, in long form.

    One row per G and measure: ``G``, ``measure`` and its names as printed, ``value``, and ``change``, the value minus
    the value at the smallest G where it is defined, so that measures can be compared.
    """
    frame = values.rename_axis("G").reset_index().melt("G", var_name="measure", value_name="value").dropna()
    first = frame.groupby("measure")["value"].transform("first")
    return add_labels(frame.assign(change=frame["value"] - first))


@lru_cache
def granularity_chart(measures: tuple[str, ...], theme: str, *, column: str = "value", title: str = "value") -> Figure:
    """Draw the value of each measure as the metric's scale gets finer; ``column`` is ``value`` or ``change``."""
    ticks = alt.Axis(grid=False, format="d", values=[2, 3, 5, 10, 20, 50, 100, 200])
    x = alt.X("G:Q", title="levels of the metric, G", scale=alt.Scale(type="log", nice=False), axis=ticks)
    y = alt.Y(f"{column}:Q", title=title, scale=alt.Scale(zero=column == "change"))
    tooltip: Any = ["label:N", "G:Q", alt.Tooltip("value:Q", format=".4f"), alt.Tooltip("change:Q", format="+.4f")]
    base = alt.Chart().encode(x=x, y=y, tooltip=tooltip)
    return apply_theme(alt.layer(*_lines(base, measures, theme)).properties(height=420), theme)


def _names(measures: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(label_of(measure.split("/")[1]) for measure in measures))


def _color(measures: Sequence[str], theme: str) -> Any:
    """One color per grouping that is used."""
    used = [name for name in GROUPING_STYLE if any(measure.startswith(name + "/") for measure in measures)]
    colors = [GROUPING_STYLE[name][theme == "dark"] for name in used]
    scale = alt.Scale(domain=[GROUPING_WORDS[name] for name in used], range=colors)
    return alt.Color("grouping:N", scale=scale, legend=alt.Legend(title=None, orient="top", columns=4))


def _marks(base: Any, measures: Sequence[str], theme: str, size: int) -> Any:
    """Points: one color per grouping, one shape per coefficient."""
    names = _names(measures)
    shapes = alt.Scale(domain=names, range=[SHAPES[i % len(SHAPES)] for i in range(len(names))])
    legend = alt.Legend(title=None, orient="bottom", symbolFillColor=INK[theme], symbolStrokeWidth=0, columns=5)
    shape = alt.Shape("coefficient:N", scale=shapes, legend=legend)
    return base.mark_point(filled=True, size=size, opacity=1).encode(color=_color(measures, theme), shape=shape)


def _lines(base: Any, measures: Sequence[str], theme: str) -> list[Any]:
    """One line with points per measure: one color per grouping, one dash and shape per coefficient."""
    names = _names(measures)
    own = [list(DASHES[names.index(label_of(measure.split("/")[1])) % len(DASHES)]) for measure in measures]
    dashes = alt.Scale(domain=[measure_label(measure) for measure in measures], range=own)
    # another field than the shapes have: one field would merge both legends
    dash = alt.StrokeDash("label:N", scale=dashes, legend=None)
    lines = base.mark_line(strokeWidth=2).encode(color=_color(measures, theme), strokeDash=dash)
    return [lines, _marks(base, measures, theme, 50)]


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
    return apply_theme(alt.layer(heavy, light).properties(height=340 + 24 * rows), theme)


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
    return apply_theme(alt.layer(*layers).properties(height=26 * len(names) + 200), theme)


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
    return apply_theme(alt.layer(*layers).properties(height=320), theme)


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
    return apply_theme(alt.layer(line).properties(height=320), theme)
