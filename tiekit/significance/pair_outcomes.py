"""What if outcomes of single pairs were swapped? The distribution of WMT's test, drawn without a list of pairs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tiekit.coefficients.coefficient import Coefficient
from tiekit.counting.means import row_means, tolerance_of
from tiekit.errors import InputError
from tiekit.resampling.draws import DRAWS_A_PART, Plan
from tiekit.resampling.layout import lay_out
from tiekit.resampling.panel import Panel
from tiekit.resampling.recount import mean_of_groups
from tiekit.scores import FloatArray, IntArray

EXCHANGED = ((0, 1), (0, 3), (1, 3), (2, 4))
"""Two kinds that a pair can have under the two metrics, numbered as in `tiekit.counting.pairs.KINDS`."""

PAIRS_AT_ONCE = 50_000_000
"""Pairs between two moments at which Ctrl-C is heard."""


@dataclass(frozen=True, eq=False)
class PairOutcomes:
    """How many pairs are of which kind under each of two metrics.

    Where the metrics differ in a pair, each of them gets either outcome with probability 1/2. So among the pairs of a
    group that are concordant under one metric and discordant under the other, a binomially distributed number becomes
    concordant for the first metric, and the rest for the second.

    Attributes
    ----------
    table : int64, shape (groups, 5, 5)
        Pairs by their kind under the first metric and under the second.
    n_scores : int64, shape (groups,)
    coefficient : Coefficient
    """

    table: IntArray
    n_scores: IntArray
    coefficient: Coefficient

    def observed(self) -> FloatArray:
        """Return both values of the scores as they are, shape (1, 2, 1)."""
        return self._values(np.stack((self.table.sum(axis=2), self.table.sum(axis=1)))[None])

    def draw(self, plan: Plan, part: int) -> FloatArray:
        """Return values for one part of the resamples, shape (draws, 2, 1)."""
        number = min(DRAWS_A_PART, plan.size - part * DRAWS_A_PART)
        rng = np.random.default_rng(np.random.SeedSequence(plan.seed, spawn_key=(part,)))
        kinds = np.arange(5)
        counts = np.repeat(self.table[None, :, kinds, kinds][:, None], 2, axis=1).repeat(number, axis=0)
        for one, other in EXCHANGED:
            pairs = self.table[:, one, other] + self.table[:, other, one]
            first = rng.binomial(pairs, 0.5, (number, pairs.size))
            counts[:, 0, :, one] += first
            counts[:, 0, :, other] += pairs - first
            counts[:, 1, :, one] += pairs - first
            counts[:, 1, :, other] += first
        return self._values(counts)

    def _values(self, counts: IntArray) -> FloatArray:
        rest = np.zeros((*counts.shape[:-1], 2), np.int64)
        rest[..., 0] = self.n_scores
        return mean_of_groups(self.coefficient.from_counts(np.concatenate((counts, rest), axis=-1)))[..., None]


def compare_pairs(panel: Panel) -> PairOutcomes:
    """Count the pairs of cells that have all three scores, in time proportional to their number."""
    from tiekit.resampling import _kernels

    human, metrics, measure = panel.human, panel.metrics, panel.measures[0]
    entry = measure.coefficient
    if not entry.of_pairs:
        raise InputError(f"swap: {entry.name} is not computed from outcomes of pairs alone, so it must not be 'pairs'")
    if panel.recalibrate:
        raise InputError(
            "epsilon: swapped outcomes of pairs leave no scores to calibrate, so it must not be 'recalibrated'"
        )
    missing = np.isnan(human) | np.isnan(metrics[0]) | np.isnan(metrics[1])
    common, grouping, places = np.where(missing, np.nan, human), measure.grouping, panel.places
    epsilon_a, epsilon_b = panel.epsilons[0]
    if grouping == "system_means":
        epsilon_a, epsilon_b = (e + tolerance_of(m, ~missing) for e, m in zip(panel.epsilons[0], metrics, strict=True))
        common, *means = (row_means(scores, ~missing)[None, :] for scores in (human, *metrics))
        metrics, grouping, places = (means[0], means[1]), "global", None
    a, b = (lay_out(common, (metric,), grouping, (0.0,), places) for metric in metrics)
    sizes, asked = np.diff(a.starts), (a.starts, a.rank, a.metric, b.metric, epsilon_a, epsilon_b)
    step = max(1, PAIRS_AT_ONCE // int(sizes.max(initial=1)))
    parts = [_kernels.cross_pairs(*asked, begin, begin + step) for begin in range(0, max(1, a.metric.size), step)]
    return PairOutcomes(sum(parts[1:], parts[0]), sizes, entry)
