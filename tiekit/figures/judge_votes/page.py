"""How does the figure of judges' votes become a page of its own? Its figure, and what moves in it."""

from tiekit.figures.figures import FIGURES

FIGURE = FIGURES["judge_votes"]
KEYS = ("threshold",)
"""What moves; the address of a page holds it."""

TITLE = "Which judge agrees with people? It depends on how ties are counted"
