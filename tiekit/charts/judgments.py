"""What do contradictory judgments look like, and which value can a metric still reach?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from tiekit.charts.style import GRID, INK, PICKED, Figure, apply_theme
from tiekit.judgments.caps import Attainable
from tiekit.judgments.rankings import Preferences

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
