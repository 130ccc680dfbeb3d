"""What do all pictures share? Colors, glyphs, and text that is readable on both backgrounds."""

from __future__ import annotations

from typing import Any

import altair as alt

from tiekit.base.results import KIND_STYLE
from tiekit.core.pairs import KINDS

Figure = dict[str, Any]
"""A Vega-Lite specification whose data is a frame named ``source``."""

KIND_TEXT = {
    "light": dict(zip(KINDS, ("#0072B2", "#B34700", "#A0457A", "#636363", "#00714F"), strict=True)),
    "dark": dict(zip(KINDS, ("#56B4E9", "#FF8F45", "#E39AC4", "#A8A8A8", "#2DBE92"), strict=True)),
}
"""The same hues for text, at least 4.5:1 on the background of the theme."""

INK = {"light": "#111111", "dark": "#FAFAFA"}
PALE = {"light": "#6B6B6B", "dark": "#A6A6A6"}
GRID = {"light": "#D9D9D9", "dark": "#4A4A4A"}
PICKED = {"light": ["#0072B2", "#D55E00"], "dark": ["#56B4E9", "#E69F00"]}
KIND_COLOR = alt.Color(
    "kind:N", scale=alt.Scale(domain=list(KINDS), range=[KIND_STYLE[kind][0] for kind in KINDS]), legend=None
)
ON_COLOR: Any = alt.condition("datum.kind === 'concordant'", alt.value("#FFFFFF"), alt.value("#000000"))


TIP_WORDS = {
    "what": "quantity",
    "epsilon": "ε",
    "tied": "pairs tied by the metric",
    "i": "item",
    "j": "and item",
    "human_difference": "difference of the human scores",
    "metric_difference": "difference of the metric's scores",
    "words": "pair",
    "n_pairs": "pairs",
    "low": "from",
    "high": "to",
    "count": "number",
    "k": "buckets",
    "G": "levels of the metric",
    "row": "row",
    "column": "column",
    "label": "measure",
    "first": "measure",
    "second": "and measure",
    "n": "translations",
    "range": "characters",
    "length": "characters",
    "share": "share",
    "p": "p-value",
    "DP": "mean p-value (DP)",
    "RC": "ranking consistency (RC)",
}
"""The words of a tooltip for a column, where the column's own name does not say it."""


def apply_theme(chart: Any, theme: str) -> Figure:
    """Make labels, titles and grid readable in the theme, and return the figure as a dict."""
    ink = INK[theme]
    text = {"labelColor": ink, "titleColor": ink, "labelFontSize": 13, "titleFontSize": 13}
    chart = chart.configure_axis(gridColor=GRID[theme], labelFlush=False, **text).configure_legend(
        labelLimit=300, **text
    )
    # The tests validate each figure; here it would be a sixth of a page's first load.
    figure: Figure = chart.configure_view(stroke=None).to_dict(validate=False)
    for part in (figure, *figure["layer"]):  # Altair's placeholder for missing data would be drawn as an empty row
        part.pop("datasets", None)
        part.pop("data", None)
    _name_tips(figure)
    return figure | {"data": {"name": "source"}}


def _name_tips(part: Any) -> None:
    """Give every line of a tooltip words, wherever it stands in a figure."""
    if isinstance(part, list):
        for one in part:
            _name_tips(one)
    elif isinstance(part, dict):
        tips = part.get("tooltip")
        for tip in tips if isinstance(tips, list) else [tips]:
            if isinstance(tip, dict) and "field" in tip:
                tip.setdefault("title", TIP_WORDS.get(tip["field"], tip["field"].replace("_", " ")))
        for one in part.values():
            _name_tips(one)
