"""What is each metric, and each discrete one plus noise, worth at the human tie shares of published test sets?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, TypeVar

import numpy as np
import pandas as pd

import tiekit as tk
from tiekit.core import FloatArray, Progress, add_noise, fit_folds, own_share, reachable
from tiekit.figures import NOISE_ENDING
from tiekit.ranking import DEVIATION, FOLDS
from tiekit.sentinels import intervals_of
from ui.evalset.compared_set import ComparedSet
from ui.evalset.tie_kinds import discrete_metrics, ties_of, usual
from ui.work import result_cache
from ui.work.result_cache import Task

COEFFICIENT = "acc_eq"

BETWEEN = (0.0, 0.04, 0.08, 0.15, 0.3, 0.6)
"""Shares of human ties beside those of published sets and the set's own."""

TITLES = {"shares": "Calibrating at the tie shares of published sets", "folds": "Calibrating on other documents"}


MOST_MADE = 64
"""So many frames and pictures are kept of one set's curves."""

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Curves:
    """Values at each share, the set's own, of what they are shares, which metrics have a row, and their kinds."""

    found: pd.DataFrame
    own: float
    share_of: str
    shown: tuple[str, ...]
    kinds: dict[str, str]
    made: dict[Any, Any] = field(default_factory=dict, repr=False)

    def once(self, key: object, make: Callable[[], T]) -> T:
        """What is made of the curves, kept with them for all visitors; do not change it."""
        found: T | None = self.made.get(key)
        if found is None:
            if len(self.made) >= MOST_MADE:
                self.made.clear()
            found = self.made[key] = make()
        return found

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
    shares = sorted({*BETWEEN, *published_shares()["share"], own_share(ties, share_of)})
    asked = {"grouping": grouping, "shares": tuple(reachable(ties, shares, share_of)), "share_of": share_of}
    tasks, discrete = dict[str, Task](), discrete_metrics(case)
    for name, scores in case.metrics.items():
        for curve in (name, *[name + NOISE_ENDING] * (name in discrete)):
            key = ("few ties", curve, case.contest.digests[name], *case.pairs_key(grouping), asked["shares"], share_of)
            tasks[curve] = key, partial(_curve, case.human, curve, scores, asked | {"documents": case.documents})
    return tasks


def compute(case: ComparedSet, grouping: str, share_of: str = "pairs") -> Curves | None:
    """Compute all curves; None if the work was canceled before anything was finished."""
    tasks = tasks_of(case, grouping, share_of)
    done = result_cache.compute(TITLES["shares"], tasks)
    if not done:
        return None

    def make() -> Curves:
        discrete, metrics = discrete_metrics(case), usual(case)
        kinds = {
            name: "sentinel" if name.endswith(NOISE_ENDING) else "discrete" if name in discrete else "continuous"
            for name in done
        }
        shown = [curve for name in metrics for curve in (name, name + NOISE_ENDING) if curve in done]
        found = pd.concat(list(done.values()), ignore_index=True)
        found.attrs["share_of"] = share_of
        return Curves(found, own_share(ties_of(case, grouping), share_of), share_of, tuple(shown or done), kinds)

    return result_cache.once(("few ties", *(tasks[name][0] for name in done)), make)


def _curve(human: FloatArray, name: str, scores: FloatArray, asked: dict[str, Any], progress: Progress) -> pd.DataFrame:
    """One metric's or sentinel's values at each share."""
    if name.endswith(NOISE_ENDING):
        scores = add_noise(scores, DEVIATION, np.random.default_rng(0))[0]
    return tk.sentinels.tie_shares(human, {name: scores}, COEFFICIENT, **asked, progress=progress)


def evaluate_held_out(case: ComparedSet, grouping: str) -> dict[str, dict[str, float]]:
    """Evaluate each metric at thresholds from other documents, where there are two; the metrics that are finished."""
    documents = case.data.documents or tuple(case.data.segments)
    folds = min(FOLDS, len(set(documents)))
    if folds < 2:
        return {}
    tasks: dict[str, Task] = {}
    for name, scores in case.metrics.items():
        key = ("few ties, held out", name, case.contest.digests[name], documents, grouping)
        tasks[name] = key, partial(_mean_over_folds, case.human, scores, grouping, folds, documents)
    return result_cache.compute(TITLES["folds"], tasks)


def _mean_over_folds(
    human: FloatArray, scores: FloatArray, grouping: str, folds: int, documents: tuple[str, ...], progress: Progress
) -> dict[str, float]:
    """The mean over parts of whole documents at the threshold of the others, and what that loses."""
    found = fit_folds(human, scores, COEFFICIENT, grouping, "absolute", folds, documents, progress=progress)
    return {"value": found.value, "loss": float(found.folds["loss"].mean())}
