"""What opens the page? Two tables of votes, two agreements each, and a tie threshold for each judge."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tiekit.figures.judge_votes.data import given
from tiekit.figures.judge_votes.page import FIGURE, KEYS, TITLE
from ui.llm_as_a_judge.sides import Sides
from ui.page import stage
from ui.work import result_cache

USUAL: dict[str, Any] = {"vote_tie": 0.0}
"""Where the sliders stand, by their key in the link: a number for all judges, or a list with one for each."""


def show(sides: Sides) -> tuple[dict[str, float], Callable[[], str]]:
    """Show the figure; return each judge's threshold, and what writes the figure as a page of its own."""
    moved = stage.moving("tie threshold", USUAL, _is_sound)["vote_tie"]
    wanted = moved if isinstance(moved, list) else [moved] * len(sides.judges)
    wanted = [*wanted, *[0.0] * len(sides.judges)][: len(sides.judges)]
    data: dict[str, Any] = result_cache.once(
        ("judge votes", *sides.key), lambda: given(sides.judges, sides.human, sides.human_name, orders=sides.orders)
    )
    data = {**data, "threshold": wanted}
    stage.show(FIGURE, data, "judge_votes", _hear)
    made = f"Votes of {', '.join(sides.judges)} and {sides.human_name}, {sides.opened.name}."
    limits = {
        judge["name"]: float(min((step["epsilon"] for step in judge["steps"]), key=lambda one: abs(one - threshold)))
        for judge, threshold in zip(data["judges"], wanted, strict=True)
    }
    return limits, partial(FIGURE.as_page, data, KEYS, TITLE, made)


def _is_sound(_: str, value: Any) -> bool:
    numbers = value if isinstance(value, list) and value else [value]
    return all(isinstance(one, int | float) and type(one) is not bool and 0 <= one < float("inf") for one in numbers)


def _hear(said: dict[str, Any]) -> None:
    """Keep where the sliders stand."""
    if "threshold" in said:
        stage.keep({"vote_tie": said["threshold"] if any(said["threshold"]) else USUAL["vote_tie"]})
