"""Which rank has each metric, and each discrete one plus noise, where people tie few pairs, or many?"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, TypeVar

import numpy as np
import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit.core import DEFAULT_GROUPING, FloatArray, Progress, fit_folds, own_share, reachable
from tiekit.figures import FIGURES, FIRST_SHARE, NOISE_ENDING, moves_of
from tiekit.ranking import FOLDS
from tiekit.sentinels import intervals_of
from ui.evalset.compared_set import ComparedSet
from ui.evalset.groupings import grouping_phrase
from ui.evalset.tie_kinds import kinds_of, tasks_of_curves, ties_of, usual
from ui.page import question, stage
from ui.work import downloads, result_cache
from ui.work.result_cache import Task

COEFFICIENT = "acc_eq"

BETWEEN = (0.0, 0.04, 0.08, 0.15, 0.3, 0.6)
"""Shares of human ties beside those of published sets and the set's own."""

MOVING = stage.Moving(
    "picture of few ties", "few_ties", {"share": "tied", "chosen": "row"}, {"share": FIRST_SHARE, "chosen": ""}
)
"""The share of human ties, and the metric that stands out; without a name, the best discrete one."""

MOVED = stage.Moving("ranks where people tie less", "bump", {"metric": "moved"}, {"metric": None})
"""The metric whose ranks at two shares stand out; without one that which moves farthest."""

EXPERTS = {"hum_judge": "wmt-appraise", "hum_row": "mqm"}
"""The link that lets other people judge the experts."""

TRY = """
- Drag the ball from MQM to ESA: which metrics rise, and which fall? At which share does noise stop helping?
- Which metric has the narrowest rank interval? Does its rank without calibration change, too?
- Choose WMT23 Chinese–English, the paper's own set, with MaTESe: between which shares does its ε\\* stay the same?
- Under *probes*, choose acc\\_eq: which metrics does a constant outrank by item, and why?
- Under *held out*, which metric loses most where ε\\* comes from other documents?
- Find scores where noise does not help. What must the metric avoid?
"""

TITLES = {"shares": "Calibrating at the tie shares of published sets", "folds": "Calibrating on other documents"}


T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Curves:
    """Values at each share, the set's own, of what they are shares, which metrics have a row, and their kinds."""

    found: pd.DataFrame
    own: float
    share_of: str
    shown: tuple[str, ...]
    kinds: dict[str, str]
    key: Hashable

    def once(self, what: Hashable, make: Callable[[], T]) -> T:
        """What is made of the curves, kept for all visitors; do not change it."""
        return result_cache.once((self.key, what), make)

    def intervals(self, column: str) -> pd.DataFrame:
        """Ranks at the set's own share and over those of published sets; ``column`` as in `intervals_of`."""
        kept = {*published_shares()["share"], self.own}
        is_metric = ~self.found["metric"].str.endswith(NOISE_ENDING)
        among = self.found[is_metric & self.found["share"].isin(kept)]
        return self.once(("intervals", column), lambda: intervals_of(among, self.own, column))

    def at(self, share: float) -> pd.DataFrame:
        """One row per metric and sentinel at the computed share nearest to a given one."""
        shares = np.array(sorted(set(self.found["share"])))
        nearest = shares[np.argmin(np.abs(shares - share))]
        rows: pd.DataFrame = self.found[self.found["share"] == nearest].set_index("metric")
        return rows


@cache
def published_shares() -> pd.DataFrame:
    """The shares of human ties of published test sets, which are read once; do not change them."""
    return tk.sentinels.published_tie_shares()


def tasks_of(case: ComparedSet, grouping: str, share_of: str = "pairs") -> dict[str, Task]:
    """Return what is computed for the picture: the curve of each metric, and of each discrete one plus noise."""
    ties = ties_of(case, grouping)
    shares = reachable(ties, sorted({*BETWEEN, *published_shares()["share"], own_share(ties, share_of)}), share_of)
    asked = {"grouping": grouping, "shares": tuple(shares), "share_of": share_of}
    return tasks_of_curves(case, case.metrics, tk.sentinels.tie_shares, COEFFICIENT, **asked)


def compute(case: ComparedSet, grouping: str, share_of: str = "pairs") -> Curves | None:
    """Compute all curves; None if the work was canceled before anything was finished."""
    tasks = tasks_of(case, grouping, share_of)
    done = result_cache.compute(TITLES["shares"], tasks)
    if not done:
        return None

    key = "few ties", share_of, *(tasks[name][0] for name in done)

    def make() -> Curves:
        shown = [curve for name in usual(case) for curve in (name, name + NOISE_ENDING) if curve in done]
        found = pd.concat(list(done.values()), ignore_index=True)
        found.attrs["share_of"] = share_of
        own = own_share(ties_of(case, grouping), share_of)
        return Curves(found, own, share_of, tuple(shown or done), kinds_of(case, done), key)

    return result_cache.once(key, make)


def evaluate_held_out(case: ComparedSet, grouping: str) -> dict[str, dict[str, float]]:
    """Evaluate each metric at thresholds from other documents, where there are two; the metrics that are finished."""
    documents = case.data.documents or tuple(case.data.segments)
    folds = min(FOLDS, len(set(documents)))
    if folds < 2:
        return {}

    def evaluate(scores: FloatArray, progress: Progress) -> dict[str, float]:
        """The mean over parts of whole documents at the threshold of the others, and what that loses."""
        asked = COEFFICIENT, grouping, "absolute", folds, documents
        found = fit_folds(case.human, scores, *asked, progress=progress)
        return {"value": found.value, "loss": float(found.folds["loss"].mean())}

    tasks: dict[str, Task] = {}
    for name, scores in case.metrics.items():
        key = ("few ties, held out", name, case.contest.digests[name], documents, grouping)
        tasks[name] = key, partial(evaluate, scores)
    return result_cache.compute(TITLES["folds"], tasks)


def show(case: ComparedSet, grouping: str, curves: Curves, now: dict[str, Any]) -> Callable[[], None]:
    """Show the picture; return what offers it as a page of its own."""
    figure, shown, kinds = FIGURES["few_ties"], curves.shown, curves.kinds
    set_name = case.data.name.upper()
    data = curves.once(
        ("picture", set_name, now["chosen"], now["share"]),
        lambda: figure.data(curves.found, shown, kinds, COEFFICIENT, curves.own, **now, set_name=set_name),
    )
    stage.show(figure, data, "few_ties", MOVING.keep)
    origin = f"{data['label']} {grouping_phrase(grouping)}, ranks among {data['total']} metrics of "
    write = partial(figure.page, data, f"{origin}{case.contest.selection['set']}, human score {case.rated}.")
    return partial(downloads.embed, write, "few-ties.html")


def show_moves(case: ComparedSet) -> dict[str, str]:
    """Show the rank of each metric with the set's ties and with few; return how many stay, and how many move far."""
    curves = compute(case, DEFAULT_GROUPING)
    if curves is None:
        return {"kept": "–", "far": "–", "metrics": "–"}
    now = MOVED.read()["metric"]
    data, numbers = curves.once(("moves", now), lambda: moves_of(curves.found, curves.own, now))
    stage.show(FIGURES["bump"], {**data, "metric": None} if question.asks() else data, "moves", MOVED.keep)
    return numbers


def lead_to_experts() -> None:
    """Lead to what becomes of the experts where other people judge them."""
    st.page_link(
        "pages/11_Humans_as_metrics.py",
        label="Another page: what if other people judge the experts?",
        icon=":material/arrow_forward:",
        icon_position="right",
        query_params=EXPERTS,
    )
