"""Which picture opens the page? The scores, the frames of four groupings, and the metric that wins by each."""

from __future__ import annotations

from typing import Any

from tiekit.figures import FIGURES
from ui.grouping.inputs import SEGMENTS, SYSTEMS
from ui.grouping.values import GroupingValues
from ui.page import stage
from ui.work import downloads

FIGURE = FIGURES["grouping"]
MOVING = stage.Moving(
    "grouping",
    "grouping",
    {"grouping": "grp_grouping", "cell": "grp_cell"},
    {"grouping": "global", "cell": None},
)

LARGEST = {"systems": [""] * SYSTEMS, "segments": [""] * SEGMENTS}
"""The largest scores of the page, in which a cell of a link must lie."""


def show(judged: GroupingValues) -> None:
    """Show the figure."""
    stage.show(FIGURE, _data(judged), "grp_figure", MOVING.keep)


def offer_page(judged: GroupingValues) -> None:
    """Offer the figure as a page of its own."""
    names = " and ".join(judged.scores.metrics)
    made = f"{judged.scores.example or 'Typed scores'}: {names}, by {judged.entry.label}."
    downloads.embed(lambda: FIGURE.page(_data(judged), made), "grouping.html")


def _data(judged: GroupingValues) -> dict[str, Any]:
    """What the figure shows: the scores, and what the user did with it."""
    scores = judged.scores
    moved = MOVING.read(LARGEST)
    cell = moved["cell"]
    if cell is not None and (cell[0] >= scores.shape[0] or cell[1] >= scores.shape[1]):
        cell = None  # picked when there were more systems or segments
    fixed = FIGURE.data(scores.human, scores.metrics, judged.entry.name, *scores.names)
    return {**fixed, "grouping": moved["grouping"], "cell": cell}
