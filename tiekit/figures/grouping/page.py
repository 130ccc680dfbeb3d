"""How does the figure of groupings become a page of its own, or a part of the app's page?"""

from __future__ import annotations

from tiekit.figures.figures import FIGURES

FIGURE = FIGURES["grouping"]
KEYS = ("grouping", "cell")
"""What moves; the address of a page holds it."""

TITLE = "Which pairs does a grouping compare, and which metric wins by it?"
