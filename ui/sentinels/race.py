"""Which metrics win when the human ties fewer pairs, or more? The page's first picture."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tiekit.figures.tie_shares import data as shares_data
from tiekit.figures.tie_shares import page as figure
from ui.evalset.compared_set import ComparedSet
from ui.evalset.groupings import grouping_phrase
from ui.evalset.tie_kinds import weights_of_ties
from ui.page import stage
from ui.sentinels.curves import ShareCurves
from ui.sentinels.shares import Scope
from ui.work import downloads

USUAL: dict[str, Any] = {"sen_ties": shares_data.FIRST, "line": ""}
"""Where the rule stands, and the metric that stands out; without a name, the best discrete metric."""


def show(case: ComparedSet, scope: Scope, curves: ShareCurves) -> Callable[[], str]:
    """Show the metrics at a share of human ties that can be dragged; return what writes them as a page."""
    moved = stage.moving("share of human ties", USUAL, _is_sound)
    given = shares_data.given(
        curves.found, curves.kinds, scope.coefficient, curves.own, moved["line"], moved["sen_ties"]
    )
    given["weights"] = [*weights_of_ties(case, scope.grouping, given["shares"], scope.share_of).values()]
    stage.show(figure.FIGURE, given, "tie_shares", _hear)
    origin = f"{given['label']} {grouping_phrase(scope.grouping)} of {len(given['metrics'])} metrics of "
    return figure.as_page(given, f"{origin}{case.contest.selection['set']}, human score {case.rated}.")


def _is_sound(key: str, value: Any) -> bool:
    if key == "line":
        return isinstance(value, str)
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _hear(said: dict[str, Any]) -> None:
    """Keep where the rule stands, and which metric stands out."""
    names = {"share": "sen_ties", "chosen": "line"}
    stage.keep({names[key]: value for key, value in said.items() if key in names})


def offer_embed(write: Callable[[], str]) -> None:
    """Offer the picture as a page of its own."""
    downloads.embed(write, "human-ties.html")
