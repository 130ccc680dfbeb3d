"""How does the swap explorer become a part of the app's page, or a page of its own?"""

from __future__ import annotations

from tiekit.figures.figure import Figure

FIGURE = Figure("swap_explorer", "openSwapExplorer")
KEYS = ("coefficient", "swapped", "draws", "seed")
"""What moves; the address of a page and the traits of a widget hold it."""

TITLE = "A permutation test by hand"
