"""How do the NaN tiles become a page of their own? Their figure, and what moves in it."""

from tiekit.figures.figure import Figure

NAN_TILES = Figure("nan_tiles", "openNanTiles")
KEYS = ("ties",)
"""What moves; the address of a page holds it."""

TITLE = "The NaN problem: make the worse metric win"
