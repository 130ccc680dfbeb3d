"""How does a pair of each kind look, and what is it called? The same in every picture, chart and table."""

from __future__ import annotations

KIND_STYLE = {
    "concordant": ("#0072B2", "C", "concordant"),
    "discordant": ("#D55E00", "D", "discordant"),
    "ties_human": ("#CC79A7", "h", "tied by the human only"),
    "ties_metric": ("#767676", "m", "tied by the metric only"),
    "ties_both": ("#009E73", "=", "tied by both"),
}
"""Color (at least 3:1 on both backgrounds, distinct for color-blind eyes), glyph and name of each kind of pair."""
