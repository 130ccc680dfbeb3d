"""What is the p-value of every two metrics, by each of several measures? All on the same swaps."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from tiekit.coefficients.measure import Measure
from tiekit.parallel import run_parts
from tiekit.progress import Progress
from tiekit.resampling.draws import plan_swaps
from tiekit.resampling.panel import Epsilon, Panel, make_panel
from tiekit.resampling.schemes import SWAPS
from tiekit.scores import FloatArray, check_count
from tiekit.significance.pair_outcomes import compare_pairs
from tiekit.significance.permutation import differing, extreme, is_constant


class Asked(NamedTuple):
    """Checked arguments: matrices, measures, what is swapped, the alternative."""

    human: FloatArray
    metrics: dict[str, FloatArray]
    measures: tuple[Measure, ...]
    swap: str
    alternative: str


class Outcomes(NamedTuple):
    """Each metric's values by measure; p-values, shape (pairs, measures), of the first against the second and back."""

    by_metric: dict[str, FloatArray]
    forth: FloatArray
    back: FloatArray


def pvalues_of_pairs(
    asked: Asked,
    epsilon: Epsilon,
    n_resamples: int,
    seed: int,
    n_jobs: int | None,
    progress: Progress | None,
) -> Outcomes:
    """Lay out each metric by itself once, then test every two of them."""
    size = check_count("n_resamples", n_resamples)
    alone = [make_panel(asked.human, (metric,), asked.measures, epsilon) for metric in asked.metrics.values()]
    values = {name: panel.observed()[0, 0] for name, panel in zip(asked.metrics, alone, strict=True)}
    pairs = list(combinations(range(len(alone)), 2))
    found = np.array(list(run_parts(_test_pair, (asked, alone, size, seed), pairs, n_jobs=n_jobs, progress=progress)))
    return Outcomes(values, found[:, 0], found[:, 1])


def _test_pair(asked: Asked, alone: Sequence[Panel], n_resamples: int, seed: int, pair: tuple[int, int]) -> FloatArray:
    """P-values forth and back, shape (2, measures)."""
    panel = alone[pair[0]].beside(alone[pair[1]])
    human, (a, b) = panel.human, panel.metrics
    plan = plan_swaps(asked.swap, differing(human, a, b), n_resamples, seed)
    source = panel if SWAPS[asked.swap].of_scores else compare_pairs(panel)
    observed = source.observed()[0]
    difference = observed[0] - observed[1]
    counts = np.zeros((2, difference.size), np.int64)
    other = {"greater": "less", "less": "greater"}.get(asked.alternative, asked.alternative)
    for part in plan.parts:
        drawn = source.draw(plan, part)
        samples = drawn[:, 0] - drawn[:, 1]
        for i, alternative in enumerate((asked.alternative, other)):
            counts[i] += extreme(samples, difference, alternative).sum(axis=0)
    more = 0 if plan.exact else 1
    pvalues = np.where(np.isnan(difference), np.nan, (counts + more) / (plan.size + more))
    return np.ones_like(pvalues) if is_constant(human, a) or is_constant(human, b) else pvalues
