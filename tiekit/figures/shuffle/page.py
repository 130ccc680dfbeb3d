"""How does the figure of a permutation test become a page of its own, or a part of the app's page?"""

from __future__ import annotations

from tiekit.figures.figure import Figure

FIGURE = Figure("shuffle", "openShuffle")
KEYS = ("drawn",)
"""What moves; the address of a page holds it."""

TITLE = "Is the difference between two metrics significant?"
