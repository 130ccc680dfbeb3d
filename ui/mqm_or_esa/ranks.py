"""Which rank has each metric where people tie few pairs, or many? The page's first picture."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tiekit.figures import FIGURES, FIRST_SHARE
from ui.evalset.compared_set import ComparedSet
from ui.evalset.groupings import grouping_phrase
from ui.evalset.tie_kinds import weights_of_ties
from ui.mqm_or_esa.curves import COEFFICIENT, Curves
from ui.page import stage

MOVING = stage.Moving(
    "picture of few ties", "few_ties", {"share": "tied", "chosen": "row"}, {"share": FIRST_SHARE, "chosen": ""}
)
"""The share of human ties, and the metric that stands out; without a name, the best discrete one."""


def chosen_share_and_metric() -> dict[str, Any]:
    """Return the share and the metric that are chosen in the picture."""
    return MOVING.read()


def show(case: ComparedSet, grouping: str, curves: Curves, now: dict[str, Any]) -> Callable[[], str]:
    """Show the picture; return what writes it as a page of its own."""
    figure, shown, kinds = FIGURES["few_ties"], curves.shown, curves.kinds
    data = curves.once(
        ("picture", now["chosen"], now["share"]),
        lambda: figure.data(curves.found, shown, kinds, COEFFICIENT, curves.own, **now),
    )
    data = {**data, "weights": [*weights_of_ties(case, grouping, data["shares"], curves.share_of).values()]}
    stage.show(figure, data, "few_ties", MOVING.keep)
    origin = f"{data['label']} {grouping_phrase(grouping)}, ranks among {data['total']} metrics of "
    return partial(figure.page, data, f"{origin}{case.contest.selection['set']}, human score {case.rated}.")
