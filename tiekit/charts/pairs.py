"""What do pairs look like, and the coefficients made of them?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import altair as alt
import numpy as np
import pandas as pd

from tiekit.base.results import KIND_STYLE
from tiekit.charts.style import GRID, INK, KIND_COLOR, ON_COLOR, PALE, Figure, styled
from tiekit.core.correlation import correlate
from tiekit.core.pairs import classify_pairs, count_pairs
from tiekit.core.registry import COEFFICIENTS

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
    return styled(layers.properties(height=24 * len(labels) + 50), theme)


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
    return styled(alt.layer(*layers).properties(height=matrix_height(n_items)), theme)


def matrix_height(n_items: int) -> int:
    """Return the height of `matrix_chart` in pixels, for a picture beside it."""
    return max(160, min(460, 34 * n_items + 60))
