"""Which rank has each metric where people tie few pairs, or many? The page's first picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tiekit.figures.few_ties import data as few_ties
from tiekit.figures.few_ties import page as figure
from ui.evalset.compared_set import ComparedSet
from ui.evalset.groupings import grouping_phrase
from ui.evalset.tie_kinds import weights_of_ties
from ui.mqm_or_esa.curves import COEFFICIENT, Curves
from ui.page import stage

USUAL: dict[str, Any] = {"tied": few_ties.FIRST, "row": ""}
"""The share of human ties, and the metric that stands out; without a name, the best discrete one."""


def moved() -> dict[str, Any]:
    """Return the share and the metric that are chosen in the picture."""
    return stage.moving("picture of few ties", USUAL, _is_sound)


def show(case: ComparedSet, grouping: str, curves: Curves, now: dict[str, Any]) -> Callable[[], str]:
    """Show the picture; return what writes it as a page of its own."""
    shown, kinds = curves.shown, curves.kinds
    at = now["row"], now["tied"]
    given = curves.once(
        ("picture", *at), lambda: few_ties.given(curves.found, shown, kinds, COEFFICIENT, curves.own, *at)
    )
    given = {**given, "weights": [*weights_of_ties(case, grouping, given["shares"], curves.share_of).values()]}
    stage.show(figure.FIGURE, given, "few_ties", _hear)
    origin = f"{given['label']} {grouping_phrase(grouping)}, ranks among {given['total']} metrics of "
    return figure.as_page(given, f"{origin}{case.contest.selection['set']}, human score {case.rated}.")


def _is_sound(key: str, value: Any) -> bool:
    if key == "row":
        return isinstance(value, str)
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _hear(said: dict[str, Any]) -> None:
    """Keep the share and the metric that stands out."""
    names = {"share": "tied", "chosen": "row"}
    stage.keep({names[key]: value for key, value in said.items() if key in names})
