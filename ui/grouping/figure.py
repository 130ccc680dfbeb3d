"""Which picture opens the page? The scores, the frames of four groupings, and the metric that wins by each."""

from __future__ import annotations

from typing import Any

from tiekit.figures.grouping.data import given
from tiekit.figures.grouping.page import FIGURE, KEYS, TITLE
from ui.grouping.input import SEGMENTS, SYSTEMS
from ui.grouping.values import GroupingValues
from ui.page import stage
from ui.work import downloads

USUAL: dict[str, Any] = {"grp_grouping": "global", "grp_cell": None}
"""What moves, by its key in the link: the grouping, and the cell that is picked."""


def show(judged: GroupingValues) -> None:
    """Show the figure."""
    stage.show(FIGURE, _data(judged), "grp_figure", _hear)


def offer_page(judged: GroupingValues) -> None:
    """Offer the figure as a page of its own."""
    names = " and ".join(judged.scores.metrics)
    made = f"{judged.scores.example or 'Typed scores'}: {names}, by {judged.entry.label}."
    downloads.embed(lambda: FIGURE.as_page(_data(judged), KEYS, TITLE, made), "grouping.html")


def _data(judged: GroupingValues) -> dict[str, Any]:
    """What the figure shows: the scores, and what the user did with it."""
    scores = judged.scores
    moved = stage.moving("grouping", USUAL, _is_sound)
    cell = moved["grp_cell"]
    if cell is not None and (cell[0] >= scores.shape[0] or cell[1] >= scores.shape[1]):
        cell = None  # picked when there were more systems or segments
    fixed = given(scores.human, scores.metrics, judged.entry.name, *scores.names)
    return {**fixed, "grouping": moved["grp_grouping"], "cell": cell}


def _hear(said: dict[str, Any]) -> None:
    """Keep the grouping and the cell that the user chose."""
    stage.keep({f"grp_{key}": said[key] for key in KEYS if key in said})


def _is_sound(key: str, value: Any) -> bool:
    """Whether a value of a link can be shown."""
    if key == "grp_grouping":
        return value in ("global", "item", "system", "system_means")
    bounds = (SYSTEMS, SEGMENTS)
    return value is None or (
        isinstance(value, list)
        and len(value) == len(bounds)
        and all(type(at) is int and 0 <= at < bound for at, bound in zip(value, bounds, strict=True))
    )
