"""What do ties change? Groups without a value, the gain from buckets, the cost of broken ties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import pandas as pd

from tiekit.base.results import REASON_STYLE
from tiekit.charts.style import INK, PICKED, Figure, styled
from tiekit.core.registry import COEFFICIENTS


def group_words(value: float, reason: str) -> str:
    """Return the text of a cell: the value, or the glyph and name of the reason why there is none."""
    if value == value:
        return f"{value:.2f}".replace("-", "−")
    _, glyph, name = REASON_STYLE[reason]
    return f"{glyph}  {name}"


def bucket_frame(curve: pd.DataFrame, coefficients: Sequence[str], k: int) -> pd.DataFrame:
    """Return `bucket_curve` in long form: ``k``, ``what``, ``value``, ``groups``, and ``now``, true at the chosen k."""
    parts = [
        pd.DataFrame(
            {"k": curve.index, "what": COEFFICIENTS[n].label, "value": curve[n], "groups": curve[f"groups({n})"]}
        )
        for n in coefficients
    ]
    frame = pd.concat(parts, ignore_index=True)
    return frame.assign(now=frame["k"] == k)


CROWDED = 0.05
"""A level this close below another would run through its name."""


@lru_cache
def bucket_chart(
    column: str,
    title: str,
    labels: tuple[str, ...],
    untouched: tuple[float, float],
    theme: str,
    named: tuple[tuple[str, float], ...] = (),
) -> Figure:
    """Draw a column of `bucket_frame`, ``value`` or ``groups``, over k, with a large mark at the chosen k.

    Dotted lines show the values of the scores without buckets (``untouched``). ``named`` levels are solid lines with
    their names: the first above its line at the right end, the others at the left end, below the line where there is
    room. Only rows of the frame whose ``what`` is one of the two or three labels are drawn.
    """
    colors, dashes = (
        alt.Scale(domain=list(labels), range=[*PICKED[theme], INK[theme]][: len(labels)]),
        [[1, 0], [8, 4], [2, 3]],
    )
    legend = alt.Legend(title=None, orient="top", symbolType="stroke", symbolSize=600)
    ticks: Any = {"values": [2, 3, 5, 10, 20, 50, 100], "grid": False, "format": "d"}
    x = alt.X("k:Q", title="k, number of buckets", scale=alt.Scale(type="log", domain=[2, 100]), axis=alt.Axis(**ticks))
    y = alt.Y(f"{column}:Q", title=title, scale=alt.Scale(zero=column == "groups"), axis=alt.Axis(tickCount=6))
    shown: Any = alt.FieldOneOfPredicate("what", list(labels))
    base = alt.Chart().transform_filter(shown).encode(x=x, y=y, color=alt.Color("what:N", scale=colors, legend=legend))
    dash = alt.StrokeDash("what:N", scale=alt.Scale(domain=list(labels), range=dashes[: len(labels)]), legend=legend)
    tooltip = ["what:N", "k:Q", alt.Tooltip("value:Q", format=".4f"), "groups:Q"]
    layers = [
        alt.Chart().mark_rule(color=PICKED[theme][place], strokeDash=[2, 4], aria=False).encode(y=alt.datum(level))
        for place, level in enumerate(untouched)
        if level == level
    ]
    layers += [
        base.mark_line(strokeWidth=2.5, point={"size": 30}).encode(strokeDash=dash, tooltip=tooltip),
        base.transform_filter("datum.now").mark_point(size=220, filled=True, opacity=1).encode(tooltip=tooltip),
    ]
    for place, (name, level) in enumerate(named):
        line = alt.Chart().transform_aggregate(n="count()").encode(y=alt.datum(level))  # drawn once, not once per row
        crowded = any(0 <= level - other < CROWDED for other in untouched)
        at: Any = {"x": 4, "align": "left"} if place else {"x": "width", "align": "right"}
        at |= {"baseline": "bottom", "dy": -3} if crowded or place == 0 else {"baseline": "top", "dy": 4}
        layers += [
            line.mark_rule(color=INK[theme], aria=False),
            line.mark_text(text=name, fontSize=13, color=INK[theme], aria=False, **at),
        ]
    return styled(alt.layer(*layers).properties(height=320), theme)


def untied_frame(before: Mapping[str, float], after: Mapping[str, Sequence[float]]) -> pd.DataFrame:
    """Return one row per value: ``what``, ``value``, and ``when`` (with ties, or in one repetition without)."""
    rows = [{"what": what, "value": value, "when": "with its ties"} for what, value in before.items()]
    rows += [
        {"what": what, "value": value, "when": "ties broken"} for what, values in after.items() for value in values
    ]
    return pd.DataFrame(rows)


@lru_cache
def untied_chart(labels: tuple[str, ...], theme: str) -> Figure:
    """Draw the values of `untied_frame` on one line per label."""
    names, shapes = ["with its ties", "ties broken"], ["diamond", "circle"]
    legend = alt.Legend(title=None, orient="top", symbolSize=160)
    y = alt.Y("what:N", sort=None, title=None, scale=alt.Scale(domain=list(labels)), axis=alt.Axis(labelFontSize=15))
    x = alt.X("value:Q", title=None, scale=alt.Scale(zero=False, padding=20), axis=alt.Axis(tickCount=6))
    points = alt.Chart().mark_point(size=160, filled=True, opacity=0.8)
    points = points.encode(
        x=x,
        y=y,
        color=alt.Color("when:N", scale=alt.Scale(domain=names, range=PICKED[theme][::-1]), legend=legend),
        shape=alt.Shape("when:N", scale=alt.Scale(domain=names, range=shapes), legend=legend),
        tooltip=["what:N", "when:N", alt.Tooltip("value:Q", format=".4f")],
    )
    return styled(alt.layer(points).properties(height=50 * len(labels) + 90), theme)
