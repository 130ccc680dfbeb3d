"""Which part of the sentinels page is shown?"""

from __future__ import annotations

from ui.link.controls import choose_among_few

PARTS = ("share of ties", "held out", "probes", "metric by metric", "length", "tied pairs")


def choose_part() -> str:
    """Let the user choose what is shown; nothing else is computed."""
    return choose_among_few("What shall be looked at?", PARTS, "part")
