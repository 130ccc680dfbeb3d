"""What opens the NaN page? Segment tiles of typed scores; two scores of the worst metric are tied by hand."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import tiekit as tk
from tiekit.figures import FIGURES, TITLE_OF_PUZZLE, is_tie, nan_puzzle, tied
from ui.nan_problem.inputs import Typed
from ui.page import stage

MOVING = stage.Moving("nan_tiles", "nan_explorer", {"ties": "ties"}, {"ties": []})
"""Whether a link's ties have the form of ties is seen at once, whether they fit the scores when these are known."""


def show(typed: Typed, entry: tk.Coefficient) -> tuple[Typed, Callable[[], str]]:
    """Show the tiles; return the scores with the user's ties, and what writes the tiles as a page of their own."""
    count = [str(number) for number in range(1, 1 + max(len(typed.human), len(typed.human[0])))]
    systems, segments = (count[:size] for size in (len(typed.human[0]), len(typed.human)))
    shown = nan_puzzle(typed.human, typed.metrics, entry, systems, segments)
    figure, goal, moved = FIGURES["nan_explorer"], shown["goal"], MOVING.read()["ties"]
    ties = [one for one in moved if is_tie(typed.metrics[goal], one)]
    shown["ties"] = ties
    stage.show(figure, shown, "nan_tiles", MOVING.keep)
    scores = {**typed.metrics, goal: tied(typed.metrics[goal], ties)}
    made = f"Scores of the human and of {', '.join(typed.metrics)} on {len(typed.human)} segments."
    return Typed(typed.human, scores), partial(figure.page, shown, made, TITLE_OF_PUZZLE)
