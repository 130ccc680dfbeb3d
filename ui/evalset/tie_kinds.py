"""Which metrics of a set are discrete, which are drawn at first, and are there human ties to ask about?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import streamlit as st

import tiekit as tk
from tiekit.calibration.exact import fit
from tiekit.counting.ties import Ties
from ui.base import work
from ui.base.text import plain
from ui.evalset.compared_set import ComparedSet

FEW = 30
"""The most distinct scores of a discrete metric."""

CONTINUOUS = 3
"""The number of continuous metrics that are drawn at first."""


def discrete_metrics(case: ComparedSet) -> list[str]:
    """Return the metrics with few distinct scores, the fewest first; among equals those with a reference first."""
    count = case.levels
    few = [name for name, number in count.items() if 1 < number <= FEW]
    return sorted(few, key=lambda name: (count[name], name.endswith("-src")))


def usual(case: ComparedSet) -> list[str]:
    """Return two discrete metrics of different families, and the continuous ones with the highest acc_eq*."""
    families = {name.split("-")[0]: name for name in reversed(discrete_metrics(case))}
    few = sorted(families.values(), key=discrete_metrics(case).index)[:2]

    def best() -> list[str]:
        fine = {
            name: fit(case.human, case.metrics[name], "acc_eq", None, "absolute").value
            for name in set(case.metrics) - set(discrete_metrics(case))
        }
        return sorted(fine, key=lambda name: (-np.nan_to_num(fine[name]), name))[:CONTINUOUS]

    return few + work.once(("best continuous", *case.key), best)


def ties_of(case: ComparedSet, grouping: str) -> Ties:
    """Count the human ties among the pairs that are compared."""

    def count() -> Ties:
        return tk.count_ties(case.human, grouping=grouping, documents=case.documents)

    return work.once(("human ties", *case.key, *case.pairs_key(grouping)), count)


def weights_of_ties(case: ComparedSet, grouping: str, shares: Sequence[float]) -> dict[float, float]:
    """Return how much human ties weigh in the mean over groups, where they are a share of all pairs together.

    It is what a constant metric gets by acc_eq: a group in which everything is tied keeps its full weight in the mean.
    """

    def weigh() -> dict[float, float]:
        constant = {"constant": np.where(np.isnan(case.human), np.nan, 0.0)}
        asked: dict[str, Any] = {"grouping": grouping, "documents": case.documents, "progress": False}
        found = tk.sentinels.tie_shares(case.human, constant, "acc_eq", shares=shares, **asked)
        return dict(zip(found["share"].tolist(), found["value_at_zero"].tolist(), strict=True))

    return work.once(("weights of ties", *case.key, *case.pairs_key(grouping), *shares), weigh)


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
