"""What opens the NaN page? Segment tiles of typed scores; two scores of the worst metric are tied by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import tiekit as tk
from tiekit.figures.nan_explorer import data
from ui.nan_problem.input import Typed
from ui.page import stage

MOST_TIES = 60
"""A link with more is refused; so many cannot change anything any more."""


def show(typed: Typed, entry: tk.Coefficient) -> tuple[Typed, Callable[[], str]]:
    """Show the tiles; return the scores with the user's ties, and what writes the tiles as a page of their own."""
    count = [str(number) for number in range(1, 1 + max(len(typed.human), len(typed.human[0])))]
    systems, segments = (count[:size] for size in (len(typed.human[0]), len(typed.human)))
    shown = data.puzzle(typed.human, typed.metrics, entry, systems, segments)
    goal, moved = shown["goal"], stage.moving("nan_tiles", {"ties": []}, _is_sound)["ties"]
    ties = [one for one in moved if data.is_tie(typed.metrics[goal], one)]
    shown["ties"] = ties
    stage.show(data.FIGURE, shown, "nan_tiles", keep_ties)
    tied = {**typed.metrics, goal: data.tied(typed.metrics[goal], ties)}
    made = f"Scores of the human and of {', '.join(typed.metrics)} on {len(typed.human)} segments."
    return Typed(typed.human, tied), partial(data.FIGURE.page, shown, made, data.TITLE_OF_PUZZLE)


def keep_ties(said: Mapping[str, Any]) -> None:
    """Keep the ties."""
    stage.keep({"ties": said["ties"]} if "ties" in said else {})


def _is_sound(_: str, value: Any) -> bool:
    """Whether a link's ties have the form of ties; whether they fit the scores is seen later."""
    return (
        isinstance(value, list)
        and len(value) <= MOST_TIES
        and all(isinstance(one, list) and [type(place) for place in one] == [int] * 3 for one in value)
    )
