"""Pictures of pairs: their kinds and coefficients, what a threshold changes, and what ties do to groups and buckets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from tiekit.api import correlate
from tiekit.base.results import KIND_STYLE, REASON_STYLE
from tiekit.base.validation import FloatArray
from tiekit.charts.style import GRID, INK, KIND_COLOR, ON_COLOR, PALE, PICKED, Figure, apply_theme
from tiekit.core.pairs import classify_pairs, count_pairs
from tiekit.core.registry import COEFFICIENTS
from tiekit.core.ties import chance_level

GLYPHS_UP_TO = 18
"""The largest number of items whose cells have room for a glyph."""


def value_frame(human: Sequence[float], metric: Sequence[float], epsilon: float, names: Sequence[str]) -> pd.DataFrame:
    """Evaluate coefficients on two vectors: one row each, ``name``, ``label``, ``value``, and ``shown``, its text.

    Pearson and Spearman do not depend on epsilon.
    """
    counts = count_pairs(human, metric, epsilon=epsilon)
    entries = [COEFFICIENTS[name] for name in names]
    values = [e.value(counts) if e.formula else correlate(human, metric, e.name).value for e in entries]
    shown = ["undefined" if np.isnan(value) else f"{value:.3f}" for value in values]
    return pd.DataFrame({"name": names, "label": [e.label for e in entries], "value": values, "shown": shown})


@lru_cache
def value_chart(labels: tuple[str, ...], theme: str) -> Figure:
    """Draw the values of `value_frame` as bars from −1 to 1, with the number beside each."""
    scale = alt.Scale(domain=[-1, 2.1], nice=False)
    axis = alt.Axis(values=[-1, 0, 1], format="d", grid=True)
    rows = alt.Scale(domain=list(labels))  # also where a value is undefined and draws no bar
    y = alt.Y("label:N", sort=None, title=None, scale=rows, axis=alt.Axis(labelOverlap=False))
    bars = alt.Chart().mark_bar(color=PALE[theme], height=14)
    numbers = alt.Chart().mark_text(align="left", fontSize=14, color=INK[theme])
    layers = alt.layer(
        bars.encode(y=y, x=alt.X("value:Q", title=None, scale=scale, axis=axis)),
        numbers.encode(y=y, x=alt.datum(1.06), text="shown:N"),
    )
    return apply_theme(layers.properties(height=24 * len(labels) + 50), theme)


def matrix_frame(
    human: Sequence[float], metric: Sequence[float], epsilon: float, difference: str = "absolute"
) -> pd.DataFrame:
    """Return the pairs of `classify_pairs` with items counted from 1, a ``glyph``, and the kind in ``words``."""
    pairs = classify_pairs(human, metric, epsilon=epsilon, difference=difference)
    kinds = pairs["kind"].astype(str)
    glyphs, words = (kinds.map({kind: style[part] for kind, style in KIND_STYLE.items()}) for part in (1, 2))
    return pairs.assign(i=pairs["i"] + 1, j=pairs["j"] + 1, kind=kinds, glyph=glyphs, words=words)


def step_frame(
    human: Sequence[float], metric: Sequence[float], epsilon: float, before: float, difference: str = "absolute"
) -> pd.DataFrame:
    """Add to `matrix_frame` each pair's kind at the epsilon ``before``; ``fresh`` marks pairs whose kind differs."""
    pairs, earlier = (matrix_frame(human, metric, one, difference) for one in (epsilon, before))
    return pairs.assign(before=earlier["kind"], fresh=earlier["kind"] != pairs["kind"])


@lru_cache
def matrix_chart(n_items: int, theme: str, *, fresh: bool = False) -> Figure:
    """Draw every pair of `matrix_frame` as a cell of a triangle, with color and glyph.

    With ``fresh``, the pairs of a `step_frame` that have just become ties are outlined.
    """
    items = alt.Scale(domain=list(range(1, n_items + 1)))
    base = alt.Chart().encode(
        x=alt.X("j:O", title="item j", scale=items, axis=alt.Axis(labelAngle=0)),
        y=alt.Y("i:O", title="item i", scale=items),
    )
    tooltip = ["i:O", "j:O", "words:N", "human_difference:Q", "metric_difference:Q"]
    cells = base.mark_rect(stroke=GRID[theme]).encode(color=KIND_COLOR, tooltip=tooltip)
    glyphs = base.mark_text(fontSize=max(9, 16 - n_items // 3), fontWeight="bold")
    layers = [cells, glyphs.encode(text="glyph:N", color=ON_COLOR)] if n_items <= GLYPHS_UP_TO else [cells]
    if fresh:
        width = 3 if n_items <= GLYPHS_UP_TO else 1.5
        outline = base.transform_filter("datum.fresh").mark_rect(filled=False, stroke=INK[theme], strokeWidth=width)
        layers.append(outline.encode(tooltip=tooltip))
    return apply_theme(alt.layer(*layers).properties(height=matrix_height(n_items)), theme)


def matrix_height(n_items: int) -> int:
    """Return the height of `matrix_chart` in pixels, for a picture beside it."""
    return max(160, min(460, 34 * n_items + 60))


def curve_frame(candidates: Sequence[float], values: Sequence[float] | FloatArray, best: int) -> pd.DataFrame:
    """Return the values of a coefficient at the first candidates as corners of steps.

    Each value holds until the next candidate. Columns are ``epsilon`` and ``value`` (NaN leaves a gap); ``now`` marks
    the last candidate, ``best`` the candidate with the number ``best``, and ``label`` is its text.
    """
    corner = np.arange(2 * len(candidates) - 1)
    is_best = corner == 2 * best
    label = np.where(is_best, f"best {values[best]:.3f} at ε = {candidates[best]:.6g}", "")
    steps = {"epsilon": np.repeat(candidates, 2)[1:], "value": np.repeat(values, 2)[:-1]}
    return pd.DataFrame({**steps, "now": corner == corner[-1], "best": is_best, "label": label})


@lru_cache
def curve_chart(
    title: str, span: tuple[float, float, float], height: int, theme: str, *, now: bool, on_left: bool
) -> Figure:
    """Draw the steps of `curve_frame` with a large mark at the current candidate and a star at the best so far.

    ``span`` is the largest candidate, the smallest and the largest value of the whole curve, so that the axes stay
    while the curve grows. ``now`` says that the current value is defined; ``on_left`` puts the label of the best to
    its left, where there is no room on the right.
    """
    last, low, high = span[0] or 1, *span[1:]
    room = (high - low or 0.4) / 10
    line: Any = {"grid": False, "domain": True, "domainColor": PALE[theme], "tickCount": 6}
    numbers = alt.Axis(**line, labelExpr=f"datum.value > {high + room / 100} ? '' : datum.label")
    across = alt.Scale(domain=[-0.03 * last, 1.03 * last], nice=False)
    up = alt.Scale(domain=[low - room, high + 2.5 * room], nice=False, zero=False)
    x = alt.X("epsilon:Q", title="ε", scale=across, axis=alt.Axis(**line))
    base = alt.Chart().encode(x=x, y=alt.Y("value:Q", title=title, scale=up, axis=numbers))
    here, best = base.transform_filter("datum.now"), base.transform_filter("datum.best")
    foot = here.encode(y2=alt.datum(low - room)) if now else here.encode(y=alt.datum(low), y2=alt.datum(low - room))
    color, tooltip = PICKED[theme][0], ["epsilon:Q", alt.Tooltip("value:Q", format=".4f")]
    words: Any = {"align": "right", "dx": -12} if on_left else {"align": "left", "dx": 12}
    layers = [
        base.mark_line(color=color, strokeWidth=2.5),
        foot.mark_rule(color=PALE[theme], strokeDash=[4, 4]),
        *([here.mark_point(size=220, filled=True, opacity=1, color=color).encode(tooltip=tooltip)] if now else []),
        best.mark_text(text="★", fontSize=22, color=INK[theme]),
        best.mark_text(fontSize=14, dy=-20, color=INK[theme], **words).encode(text="label:N"),
    ]
    return apply_theme(alt.layer(*layers).properties(height=height), theme)


def accuracy_frame(curve: pd.DataFrame, coefficient: str, epsilon: float) -> pd.DataFrame:
    """Return `Calibration.curve` in long form: ``epsilon``, ``tied``, ``what``, ``value``, ``label`` at epsilon*.

    There ``chance`` is, too: the acc_eq of a metric that knows nothing and ties all pairs or none, whichever is better.
    """
    names = {"value": COEFFICIENTS[coefficient].label, "tie_f1": "F1 of ties", "rank_f1": "F1 of ranks"}
    long = curve.rename(columns=names).melt(["epsilon", "tied"], list(names.values()), "what", "value")
    best = (long["epsilon"] == epsilon) & (long["what"] == names["value"])
    long["label"] = np.where(
        best, [f"{value:.4f} at ε* = {epsilon:.5g}".replace("-0.", "−0.") for value in long["value"]], ""
    )
    at_end = curve.iloc[-1]  # of acc_eq the share of human ties, where all pairs are tied
    level = chance_level(at_end["value"]) if coefficient == "acc_eq" and at_end["tied"] == 1 else np.nan
    long["chance"] = np.where(best, level, np.nan)
    return pd.DataFrame(long[np.isfinite(long["epsilon"])])


@lru_cache
def accuracy_chart(label: str, across: str, title: str, theme: str, *, on_left: bool) -> Figure:
    """Draw the curves of `accuracy_frame` over a column, ``epsilon`` or ``tied``, mark epsilon* and the chance level.

    ``on_left`` puts the label of epsilon* to its left, where there is no room on the right.
    """
    style: Any = {"domain": [label, "F1 of ties", "F1 of ranks"], "range": [*PICKED[theme], PALE[theme]]}
    dashes = alt.Scale(domain=style["domain"], range=[[1, 0], [7, 3], [2, 3]])
    legend = alt.Legend(title=None, orient="top", symbolType="stroke", symbolSize=600)
    share: Any = {"format": "%"} if across == "tied" else {}
    x = alt.X(f"{across}:Q", title=title, axis=alt.Axis(grid=False, **share), scale=alt.Scale(nice=False))
    above: Any = {"condition": {"test": "datum.value > 1", "value": 0}, "value": 1}  # that space is for the label of ε*
    numbers = alt.Axis(labelExpr="datum.value > 1 ? '' : datum.label", gridOpacity=above, tickOpacity=above)
    base = alt.Chart().encode(x=x, y=alt.Y("value:Q", title=None, scale=alt.Scale(domainMax=1.2), axis=numbers))
    tooltip = ["what:N", alt.Tooltip("epsilon:Q", format=".5g"), alt.Tooltip("tied:Q", format=".1%")]
    lines = base.mark_line(interpolate="step-after", strokeWidth=2.5).encode(
        color=alt.Color("what:N", scale=alt.Scale(**style), legend=legend),
        strokeDash=alt.StrokeDash("what:N", scale=dashes, legend=legend),
        tooltip=[*tooltip, alt.Tooltip("value:Q", format=".4f")],
    )
    best = base.transform_filter("datum.label != ''")
    at_top: Any = {"align": "right", "dx": -8} if on_left else {"align": "left", "dx": 8}
    label_of_best = best.mark_text(fontSize=15, color=INK[theme], **at_top)
    layers = [
        lines,
        best.mark_rule(color=PALE[theme], strokeDash=[4, 4]).encode(y=alt.value(0), y2=alt.value("height")),
        best.mark_text(text="★", fontSize=22, color=INK[theme]),
        label_of_best.encode(text="label:N", y=alt.value(12)),
    ]
    level = alt.Tooltip("chance:Q", format=".4f")
    chance = alt.Chart().transform_filter("isValid(datum.chance)").encode(y="chance:Q", tooltip=[level])
    layers += [
        chance.mark_rule(color=INK[theme], strokeDash=[2, 4]),
        chance.mark_text(text="chance", x="width", align="right", dy=10, fontSize=13, color=INK[theme]),
    ]
    return apply_theme(alt.layer(*layers).properties(height=420), theme)


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
    return apply_theme(alt.layer(*layers).properties(height=320), theme)


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
    return apply_theme(alt.layer(points).properties(height=50 * len(labels) + 90), theme)
