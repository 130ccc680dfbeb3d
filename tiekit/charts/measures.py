"""How do measures differ? Agreement of their rankings, p-values, power, consistency, and coarser scales."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import pandas as pd

from tiekit.charts.style import INK, PALE, Figure, label_of, styled
from tiekit.core.system_level import SYSTEM_LEVEL

GROUPING_STYLE = {
    "global": ("without grouping", "#0072B2", "#56B4E9"),
    "item": ("by item", "#B34700", "#E69F00"),
    "system": ("by system", "#00714F", "#2DBE92"),
    "system_means": ("system means", "#8A2E6B", "#E39AC4"),
    "document": ("by document", "#4D4D9E", "#A9A9F5"),
    "document_means": ("document means", "#6B6100", "#F0E442"),
}
"""Name of each grouping, and its color on a light and on a dark background (4.5:1, distinct for color-blind eyes)."""

DASHES = ([1, 0], [7, 3], [2, 3], [9, 3, 2, 3], [14, 4], [4, 2, 1, 2], [1, 1], [10, 6], [5, 5], [3, 6])
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-left", "triangle-right")
"""Dashes and shapes of the coefficients, used in turn."""


def measure_label(measure: str) -> str:
    """Return the printed name of a measure: ``by item, acc_eq*`` for ``item/acc_eq*``."""
    grouping, coefficient = measure.split("/")
    return f"{GROUPING_STYLE[grouping][0]}, {_printed(coefficient)}"


def _printed(coefficient: str) -> str:
    return SYSTEM_LEVEL[coefficient].label if coefficient in SYSTEM_LEVEL else label_of(coefficient)


def named(frame: pd.DataFrame) -> pd.DataFrame:
    """Add ``label``, ``grouping`` and ``coefficient`` as printed to a frame with a column ``measure``."""
    parts = [measure.split("/") for measure in frame["measure"]]
    return frame.assign(
        label=[measure_label(measure) for measure in frame["measure"]],
        grouping=[GROUPING_STYLE[grouping][0] for grouping, _ in parts],
        coefficient=[_printed(coefficient) for _, coefficient in parts],
    )


def power_frame(curve: pd.DataFrame) -> pd.DataFrame:
    """Add ``label``, ``grouping``, ``coefficient`` as printed and ``pair`` to `DiscriminativePower.curve`."""
    return named(curve).assign(pair=curve["first"] + " – " + curve["second"])


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
    return styled(alt.layer(level, *lines).properties(height=420), theme)


def trust_frame(table: pd.DataFrame) -> pd.DataFrame:
    """Add ``measure``, ``label``, ``grouping``, ``coefficient`` as printed, ``rank_dp``, ``rank_rc`` to a comparison.

    ``table`` is what `compare_measures` returns.
    """
    ranks = {"rank(DP)": "rank_dp", "rank(RC)": "rank_rc"}
    return named(table.rename(columns=ranks).rename_axis("measure").reset_index())


@lru_cache
def trust_chart(measures: tuple[str, ...], theme: str) -> Figure:
    """Draw power against ranking consistency, one mark per measure: the upper left is best."""
    up = alt.Y("RC:Q", title="ranking consistency (higher is better)", scale=alt.Scale(zero=False))
    across = alt.X("DP:Q", title="mean p-value (lower is better)", scale=alt.Scale(zero=False))
    numbers = [alt.Tooltip("DP:Q", format=".3f"), alt.Tooltip("RC:Q", format=".3f")]
    ranks = [alt.Tooltip("rank_dp:Q", title="rank by DP"), alt.Tooltip("rank_rc:Q", title="rank by RC")]
    base = alt.Chart().encode(x=across, y=up, tooltip=["label:N", *numbers, *ranks])
    return styled(alt.layer(_marks(base, measures, theme, 180)).properties(height=420), theme)


def granularity_frame(values: pd.DataFrame) -> pd.DataFrame:
    """Return `granularity`, or the means of a `SimulatedGranularity`, in long form.

    One row per G and measure: ``G``, ``measure`` and its names as printed, ``value``, and ``change``, the value minus
    the value at the smallest G where it is defined, so that measures can be compared.
    """
    frame = values.rename_axis("G").reset_index().melt("G", var_name="measure", value_name="value").dropna()
    first = frame.groupby("measure")["value"].transform("first")
    return named(frame.assign(change=frame["value"] - first))


@lru_cache
def granularity_chart(measures: tuple[str, ...], theme: str, *, column: str = "value", title: str = "value") -> Figure:
    """Draw the value of each measure as the metric's scale gets finer; ``column`` is ``value`` or ``change``."""
    ticks = alt.Axis(grid=False, format="d", values=[2, 3, 5, 10, 20, 50, 100, 200])
    x = alt.X("G:Q", title="levels of the metric, G", scale=alt.Scale(type="log", nice=False), axis=ticks)
    y = alt.Y(f"{column}:Q", title=title, scale=alt.Scale(zero=column == "change"))
    tooltip: Any = ["label:N", "G:Q", alt.Tooltip("value:Q", format=".4f"), alt.Tooltip("change:Q", format="+.4f")]
    base = alt.Chart().encode(x=x, y=y, tooltip=tooltip)
    return styled(alt.layer(*_lines(base, measures, theme)).properties(height=420), theme)


def _names(measures: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(_printed(measure.split("/")[1]) for measure in measures))


def _color(measures: Sequence[str], theme: str) -> Any:
    """One color per grouping that is used."""
    used = [name for name in GROUPING_STYLE if any(measure.startswith(name + "/") for measure in measures)]
    colors = [GROUPING_STYLE[name][1 if theme == "light" else 2] for name in used]
    scale = alt.Scale(domain=[GROUPING_STYLE[name][0] for name in used], range=colors)
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
    own = [list(DASHES[names.index(_printed(measure.split("/")[1])) % len(DASHES)]) for measure in measures]
    dashes = alt.Scale(domain=[measure_label(measure) for measure in measures], range=own)
    # another field than the shapes have: one field would merge both legends
    dash = alt.StrokeDash("label:N", scale=dashes, legend=None)
    lines = base.mark_line(strokeWidth=2).encode(color=_color(measures, theme), strokeDash=dash)
    return [lines, _marks(base, measures, theme, 50)]
