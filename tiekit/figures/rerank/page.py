"""How does the rerank figure become a page of its own? Its figure, and what moves in it."""

from tiekit.figures.figures import FIGURES

RERANK = FIGURES["rerank"]
KEYS = ("metric",)
"""What moves; the address of a page holds it."""

TITLE = "How high can a metric score? Rank the translations"
