"""What does a threshold change? The curve of a coefficient over epsilon, step by step and as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from tiekit.base.validation import FloatArray
from tiekit.charts.style import INK, PALE, PICKED, Figure, styled
from tiekit.core.registry import COEFFICIENTS


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
    return styled(alt.layer(*layers).properties(height=height), theme)


def accuracy_frame(curve: pd.DataFrame, coefficient: str, epsilon: float) -> pd.DataFrame:
    """Return `Calibration.curve` in long form: ``epsilon``, ``tied``, ``what``, ``value``, ``label`` at epsilon*."""
    names = {"value": COEFFICIENTS[coefficient].label, "tie_f1": "F1 of ties", "rank_f1": "F1 of ranks"}
    long = curve.rename(columns=names).melt(["epsilon", "tied"], list(names.values()), "what", "value")
    best = (long["epsilon"] == epsilon) & (long["what"] == names["value"])
    long["label"] = np.where(
        best, [f"{value:.4f} at ε* = {epsilon:.5g}".replace("-0.", "−0.") for value in long["value"]], ""
    )
    return pd.DataFrame(long[np.isfinite(long["epsilon"])])


@lru_cache
def accuracy_chart(label: str, across: str, title: str, theme: str, *, on_left: bool) -> Figure:
    """Draw the curves of `accuracy_frame` over a column, ``epsilon`` or ``tied``, and mark epsilon*.

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
    return styled(alt.layer(*layers).properties(height=420), theme)
