"""Which metrics are discrete, which other shares of human ties can be reached, and what are metrics worth there?"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit.core import FloatArray, Progress, Ties, calibrate_scores, digest_of, is_discrete, reach_in_mean
from tiekit.figures import NOISE_ENDING
from ui.evalset.compared_set import ComparedSet, scores_to_look_at
from ui.link.controls import toggle
from ui.work import result_cache
from ui.work.text import percent, plain

CONTINUOUS = 3
"""The number of continuous metrics that are drawn at first."""


def discrete_metrics(case: ComparedSet) -> list[str]:
    """Return the metrics with few distinct scores, the fewest first; among equals those with a reference first."""
    count = case.levels

    def find() -> list[str]:
        return [name for name, number in count.items() if number > 1 and is_discrete(case.metrics[name])]

    few = result_cache.once(("discrete metrics", *case.key), find)
    return sorted(few, key=lambda name: (count[name], name.endswith("-src")))


def usual(case: ComparedSet) -> list[str]:
    """Return two discrete metrics of different families, and the continuous ones with the highest acc_eq*."""
    families = {name.split("-")[0]: name for name in reversed(discrete_metrics(case))}
    few = sorted(families.values(), key=discrete_metrics(case).index)[:2]

    def best() -> list[str]:
        discrete = set(discrete_metrics(case))
        human, metrics = scores_to_look_at(
            case.human, {name: one for name, one in case.metrics.items() if name not in discrete}
        )
        fine = {
            name: calibrate_scores(human, scores, "acc_eq", None, "absolute").value for name, scores in metrics.items()
        }
        return sorted(fine, key=lambda name: (-np.nan_to_num(fine[name]), name))[:CONTINUOUS]

    return few + result_cache.once(("best continuous", *case.key), best)


def kinds_of(case: ComparedSet, curves: Iterable[str]) -> dict[str, str]:
    """Return the kind of each metric or sentinel: "sentinel", "discrete" or "continuous"."""
    few = discrete_metrics(case)
    return {
        name: "sentinel" if name.endswith(NOISE_ENDING) else "discrete" if name in few else "continuous"
        for name in curves
    }


def tasks_of_curves(
    case: ComparedSet, names: Iterable[str], trial: Callable[..., pd.DataFrame], coefficient: str, **asked: Hashable
) -> dict[str, result_cache.Task]:
    """Return what is computed: the curve of each metric over shares of human ties, and of each discrete one's noise.

    ``trial`` is `tk.sentinels.tie_shares` or `tk.sentinels.held_out_shares`, and ``asked`` its arguments. A curve is
    the frame that it returns, with ε* in standard deviations too (``deviations``).
    """

    def compute(name: str, scores: FloatArray, progress: Progress) -> pd.DataFrame:
        scores = tk.sentinels.perturb(scores, rng=0) if name.endswith(NOISE_ENDING) else scores
        how: dict[str, Any] = {**asked, "documents": case.documents, "progress": progress}
        found = trial(case.human, {name: scores}, coefficient, **how)
        found["deviations"] = found["epsilon"] / np.nanstd(scores)
        return found

    few, tasks = discrete_metrics(case), dict[str, result_cache.Task]()
    for name in names:
        scores = case.metrics[name]
        key = digest_of(case.human, scores), coefficient, *case.pairs_key(str(asked["grouping"])), *asked.values()
        for curve in (name, *[name + NOISE_ENDING] * (name in few)):
            tasks[curve] = (trial.__name__, curve, *key), partial(compute, curve, scores)
    return tasks


def ties_of(case: ComparedSet, grouping: str) -> Ties:
    """Count the human ties among the pairs that are compared."""

    def count() -> Ties:
        return tk.count_ties(case.human, grouping=grouping, documents=case.documents)

    return result_cache.once(("human ties", *case.key, *case.pairs_key(grouping)), count)


def choose_share_of(case: ComparedSet, grouping: str) -> str:
    """Let the user choose of what the shares of human ties are: "pairs" (of all groups together) or "mean"."""
    if not toggle(
        "Share of ties in the mean over groups",
        "ties_in_mean",
        help="Off: the share among the pairs of all groups together, as Perrella et al. (2024) simulate. "
        "On: the weight of ties in the mean over groups, so that a constant metric has just this acc\\_eq.",
    ):
        return "pairs"
    if has_other_shares(case, grouping):
        lowest, highest = reach_in_mean(ties_of(case, grouping))
        why = [
            (lowest > 0, f"below {percent(lowest, 1)} (except 0 %), as groups tied throughout have full weight"),
            (highest < 1, f"above {percent(highest, 1)}, as groups without a tie have none"),
        ]
        if words := "; ".join(reason for holds, reason in why if holds):
            st.caption(f"Shares that cannot be reached are left out: {words}.")
    return "mean"


def weights_of_ties(
    case: ComparedSet, grouping: str, shares: Sequence[float], share_of: str = "pairs"
) -> dict[float, float]:
    """Return how much human ties weigh in the mean over groups at each share, of all pairs together or of that mean.

    It is what a constant metric gets by acc_eq: a group in which everything is tied keeps its full weight in the mean.
    """

    def weigh() -> dict[float, float]:
        constant = {"constant": np.where(np.isnan(case.human), np.nan, 0.0)}
        asked: dict[str, Any] = {"grouping": grouping, "documents": case.documents, "progress": False}
        found = tk.sentinels.tie_shares(case.human, constant, "acc_eq", shares=shares, share_of=share_of, **asked)
        return dict(zip(found["share"].tolist(), found["value_at_zero"].tolist(), strict=True))

    return result_cache.once(("weights of ties", *case.key, *case.pairs_key(grouping), share_of, *shares), weigh)


def has_other_shares(case: ComparedSet, grouping: str) -> bool:
    """Return whether other shares of human ties can be reached: the human ties some pairs, but not all."""
    ties = ties_of(case, grouping)
    return 0 < ties.n_tied < ties.n_pairs


def can_be_shown(case: ComparedSet, grouping: str) -> bool:
    """Return whether other shares of human ties can be reached; if not, say why."""
    if has_other_shares(case, grouping):
        return True
    what = "every pair" if ties_of(case, grouping).n_tied else "no pair"
    st.info(f"The human score **{plain(case.rated)}** ties {what} here, so no other share of ties can be looked at.")
    return False
