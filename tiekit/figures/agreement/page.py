"""How does the figure of measures become a page of its own, or a part of the app's page?"""

from __future__ import annotations

from tiekit.figures.figures import FIGURES

FIGURE = FIGURES["agreement"]
KEYS = ("chosen",)
"""What moves; the address of a page holds it."""

TITLE = "Which measures rank metrics alike?"
