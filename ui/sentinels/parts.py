"""Which part of the sentinels page is shown?"""

from __future__ import annotations

from ui.link.controls import choose_among_few

PARTS = ("probes", "metric by metric", "length", "share of ties", "held out", "tied pairs")
"""In the order of Perrella et al. (2024): spurious correlations in Section 3, ties in Section 4."""


def choose_part() -> str:
    """Let the user choose what is shown; nothing else is computed."""
    return choose_among_few("Question", PARTS, "part")
