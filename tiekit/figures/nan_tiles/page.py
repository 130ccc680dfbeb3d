"""How do the NaN tiles become a page of their own? Their figure, and what moves in it."""

from tiekit.figures.figures import FIGURES

NAN_TILES = FIGURES["nan_tiles"]
KEYS = ("ties",)
"""What moves; the address of a page holds it."""

TITLE = "The NaN problem: make the worse metric win"
