"""Which metrics win when the human ties fewer pairs, or more? The page's first picture."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tiekit.figures import FIGURES, FIRST_SHARE
from ui.evalset.compared_set import ComparedSet
from ui.evalset.groupings import grouping_phrase
from ui.evalset.tie_kinds import weights_of_ties
from ui.page import stage
from ui.sentinels.curves import ShareCurves
from ui.sentinels.shares import Scope
from ui.work import downloads

MOVING = stage.Moving(
    "share of human ties",
    "tie_shares",
    {"share": "sen_ties", "chosen": "line"},
    {"share": FIRST_SHARE, "chosen": ""},
)
"""Where the rule stands, and the metric that stands out; without a name, the best discrete metric."""


def show(case: ComparedSet, scope: Scope, curves: ShareCurves) -> Callable[[], str]:
    """Show the metrics at a share of human ties that can be dragged; return what writes them as a page."""
    figure = FIGURES["tie_shares"]
    data = figure.data(curves.found, curves.kinds, scope.coefficient, curves.own, **MOVING.read())
    data["weights"] = [*weights_of_ties(case, scope.grouping, data["shares"], scope.share_of).values()]
    stage.show(figure, data, "tie_shares", MOVING.keep)
    origin = f"{data['label']} {grouping_phrase(scope.grouping)} of {len(data['metrics'])} metrics of "
    return partial(figure.page, data, f"{origin}{case.contest.selection['set']}, human score {case.rated}.")


def offer_embed(write: Callable[[], str]) -> None:
    """Offer the picture as a page of its own."""
    downloads.embed(write, "human-ties.html")
