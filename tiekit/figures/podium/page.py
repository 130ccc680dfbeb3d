"""How does the podium become a page of its own?"""

from __future__ import annotations

from tiekit.figures.figures import FIGURES
from tiekit.figures.podium import data

FIGURE = FIGURES["podium"]
KEYS = ("epsilon",)
"""What moves; the address of a page holds it."""

TITLE = "Which metric is better? It depends on what counts as a tie"


def podium_page() -> str:
    """Return the text of a page that shows the podium."""
    return FIGURE.as_page(data.given(play=True), KEYS, TITLE, "Six made-up translations and two made-up metrics.")
