"""What opens the page? Two tables of votes, two agreements each, and a tie threshold for each judge."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tiekit.figures import FIGURES
from ui.llm_as_a_judge.sides import Sides
from ui.page import stage
from ui.work import result_cache

MOVING = stage.Moving("tie threshold", "judge_votes", {"threshold": "vote_tie"}, {"threshold": 0.0})
"""Where the sliders stand: a number for all judges, or a list with one for each."""


def show(sides: Sides) -> tuple[dict[str, float], Callable[[], str]]:
    """Show the figure; return each judge's threshold, and what writes the figure as a page of its own."""
    figure = FIGURES["judge_votes"]
    moved = MOVING.read()["threshold"]
    wanted = moved if isinstance(moved, list) else [moved] * len(sides.judges)
    wanted = [*wanted, *[0.0] * len(sides.judges)][: len(sides.judges)]
    data: dict[str, Any] = result_cache.once(
        ("judge votes", *sides.key),
        lambda: figure.data(sides.judges, sides.human, sides.human_name, orders=sides.orders),
    )
    data = {**data, "threshold": wanted}
    stage.show(figure, data, "judge_votes", _hear)
    made = f"Votes of {', '.join(sides.judges)} and {sides.human_name}, {sides.opened.name}."
    limits = {
        judge["name"]: float(min((step["epsilon"] for step in judge["steps"]), key=lambda one: abs(one - threshold)))
        for judge, threshold in zip(data["judges"], wanted, strict=True)
    }
    return limits, partial(figure.page, data, made)


def _hear(said: dict[str, Any]) -> None:
    """Keep where the sliders stand."""
    if "threshold" in said:
        MOVING.keep({"threshold": said["threshold"] if any(said["threshold"]) else MOVING.usual["threshold"]})
