"""How do kinds of pairs and undefined groups look, and what are they called? The same in every picture and table."""

from __future__ import annotations

KIND_STYLE = {
    "concordant": ("#0072B2", "C", "concordant"),
    "discordant": ("#D55E00", "D", "discordant"),
    "ties_human": ("#CC79A7", "h", "tied by the human only"),
    "ties_metric": ("#767676", "m", "tied by the metric only"),
    "ties_both": ("#009E73", "=", "tied by both"),
}
"""Color (at least 3:1 on both backgrounds, distinct for color-blind eyes), glyph and name of each kind of pair."""

REASON_STYLE = {
    "all human scores tie": ("#CC79A7", "h", "human ties"),
    "all metric scores tie": ("#767676", "m", "metric ties"),
    "all human scores tie and all metric scores tie": ("#009E73", "=", "both tie"),
    "fewer than two items have both scores": ("#E69F00", "–", "too few scores"),
}
"""Color, glyph and name of each reason why a group has no value, see `why_undefined`."""
