"""How are pairs weighted that are kept with a probability? Weighted counts, samples, and their objective.

A pair's weight depends on whether the human ties it, which no threshold changes. So the weights of a group's pairs have
the same sum at every threshold, and each column of the counts has one weight.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tiekit.calibration._objectives import MeanOfGroups, Totals, most_listed
from tiekit.calibration._search import Candidate, Listing, Objective, list_between, maximize, widest
from tiekit.calibration.exact import best_epsilon, gains_of
from tiekit.calibration.keep import EVERY, Keep
from tiekit.coefficients.coefficient import Coefficient
from tiekit.coefficients.formula import Formula
from tiekit.counting.grouping import DOCUMENT_GROUPINGS, Grouped
from tiekit.counting.means import row_means, smallest_of_each
from tiekit.counting.pairs import Counted, count_sorted, count_within
from tiekit.errors import InputError
from tiekit.progress import Progress
from tiekit.scores import FloatArray, IntArray

MOST_SAMPLED = 1_000_000
"""The largest number of pairs from which a sample is drawn, as each pair is listed."""

TIED, UNTIED = [2, 4], [0, 1, 3]
"""Columns of counts: pairs that the human ties, and all others. No threshold moves a pair from one to the other."""


class Weighed(Formula):
    """A formula of counts in which a pair's weight is the probability with which it is kept."""

    def __init__(self, formula: Formula, keep: Keep) -> None:
        super().__init__(formula.text)
        self.weights = np.ones(7)
        self.weights[TIED], self.weights[UNTIED] = keep

    def weigh(self, counts: NDArray[Any]) -> FloatArray:
        """Return weighted counts; n becomes the number of scores that have the weighted number of pairs."""
        weighed: FloatArray = counts * self.weights
        total = weighed[..., :5].sum(axis=-1)
        weighed[..., 5] = np.where(total > 0, (1 + np.sqrt(1 + 8 * total)) / 2, 0)
        return weighed

    def __call__(self, counts: NDArray[Any]) -> FloatArray:
        """Evaluate on unweighted counts; NaN for a division by zero, as where no pair is kept."""
        return super().__call__(self.weigh(counts))

    def upper(self, low: NDArray[Any], high: NDArray[Any]) -> FloatArray:
        """Return an upper bound as `Formula` does, from unweighted counts."""
        return super().upper(self.weigh(low), self.weigh(high))


class WholePairs:
    """All pairs of some groups. The last listings are cached, because other weights need the same ones."""

    def __init__(self, grouped: Grouped) -> None:
        self.grouped, self.at_zero = grouped, count_within(grouped.scores, 0.0)
        self.largest, self.listed = widest(grouped.scores), 0

    @cached_property
    def listing(self) -> Callable[..., Listing]:
        """Lists the pairs with a difference between two thresholds."""
        return lru_cache(2)(partial(list_between, self.grouped.scores))

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled: all but the listings that are cached."""
        return {name: value for name, value in vars(self).items() if name != "listing"}

    def counts_at(self, epsilon: float) -> IntArray:
        """Counts of every group, shape (groups, 7)."""
        return count_sorted(self.grouped.scores, epsilon)


class SampledPairs:
    """A sample of the pairs of some groups: each pair's metric difference, kind and group."""

    def __init__(self, grouped: Grouped, difference: FloatArray, kind: NDArray[np.int8], owner: IntArray) -> None:
        self.grouped = grouped
        tied = difference == 0
        counts = np.zeros((grouped.index.size, 7), np.int64)
        column = np.where(tied, np.where(kind == 2, 4, 3), kind)
        np.add.at(counts, (owner, column), 1)
        counts[:, 5:] = count_sorted(grouped.scores, 0.0)[:, 5:]
        order = np.argsort(difference[~tied])
        self.difference = smallest_of_each(difference[~tied][order], grouped.scores.slack)
        self.kind = kind[~tied][order]
        self.owner = owner[~tied][order].astype(np.int32)
        self.largest, self.listed = float(self.difference.max(initial=0.0)), difference.size
        self.at_zero = Counted(counts, 0.0, float(self.difference.min(initial=np.inf)))

    def listing(self, low: float, high: float, size: int) -> Listing:
        """List the pairs with a difference strictly between; they are never more than ``size``."""
        del size
        between = slice(np.searchsorted(self.difference, low, "right"), np.searchsorted(self.difference, high, "left"))
        return self.difference[between], self.kind[between], self.owner[between]

    def counts_at(self, epsilon: float) -> IntArray:
        """Counts of every group, shape (groups, 7)."""
        counts = self.at_zero.counts.copy()
        up_to = slice(np.searchsorted(self.difference, epsilon + self.grouped.scores.slack, "right"))
        owner, kind = self.owner[up_to], self.kind[up_to]
        np.subtract.at(counts, (owner, kind), 1)
        np.add.at(counts, (owner, np.where(kind == 2, 4, 3)), 1)
        return counts


def sample_pairs(
    grouped: Grouped, human: FloatArray, metric: FloatArray, keep: Keep, rng: np.random.Generator
) -> SampledPairs:
    """Draw a number for every pair of cells, scored or not, so that the sample is the same for every metric."""
    if grouped.grouping in DOCUMENT_GROUPINGS:
        raise InputError(f"sample: none is drawn by {grouped.grouping}; sample=False weights all pairs, exactly")
    if grouped.grouping == "system_means":
        scored = ~(np.isnan(human) | np.isnan(metric))
        human, metric = row_means(human, scored), row_means(metric, scored)
    h, m = (
        side if grouped.grouping == "item" else side.T if grouped.grouping == "system" else side.reshape(-1, 1)
        for side in (human, metric)
    )
    if len(h) * (len(h) - 1) // 2 * h.shape[1] > MOST_SAMPLED:
        raise InputError(f"sample: it is drawn from at most {MOST_SAMPLED} pairs; sample=False weights all, exactly")
    i, j = np.triu_indices(len(h), 1)
    with np.errstate(over="ignore"):
        by_human, by_metric = h[i] - h[j], m[i] - m[j]
    tied = h[i] == h[j]
    kept = rng.random(tied.shape) < np.where(tied, keep.tied, keep.untied)
    kept &= ~np.isnan(by_human) & ~np.isnan(by_metric)
    kind = np.where(tied, 2, np.sign(by_human) != np.sign(by_metric)).astype(np.int8)
    place = np.zeros(grouped.n_possible, np.int64)
    place[grouped.index] = np.arange(grouped.index.size)
    owner = np.broadcast_to(place, tied.shape)
    return SampledPairs(grouped, np.abs(by_metric[kept]), kind[kept], owner[kept])


class WeighedPairs:
    """The mean of a coefficient whose denominator is the weight of all pairs of a group.

    Groups with the same numbers of human-tied and other pairs have the same denominator and form a class. The state has
    two columns of whole numbers per class, for its untied and its tied pairs. So candidates are compared exactly,
    whatever the probabilities are.
    """

    def __init__(self, pairs: WholePairs | SampledPairs, gains: IntArray, keep: Keep) -> None:
        counts = pairs.at_zero.counts
        self.pairs, self.start = pairs, counts[:, :3]
        sorts = np.stack([counts[:, UNTIED].sum(axis=1), counts[:, TIED].sum(axis=1)], axis=1)
        classes, class_of = np.unique(sorts, axis=0, return_inverse=True)
        self.class_of, self.n_classes = class_of.ravel(), len(classes)
        weights = Fraction(keep.untied), Fraction(keep.tied)
        totals = [untied * weights[0] + tied * weights[1] for untied, tied in classes.tolist()]
        shares = [weight / total if total else Fraction(0) for total in totals for weight in weights]
        self.totals = Totals(gains, shares, len(counts))
        self.slack, self.listed = self.totals.slack, most_listed(pairs)

    def at(self, epsilon: float, counts: IntArray) -> Candidate:
        """Evaluate a candidate from its counts."""
        now_ties = self.start - counts[:, :3]
        by_class = [np.bincount(self.class_of, kind, self.n_classes).astype(np.int64) for kind in now_ties.T]
        state = np.zeros((2, 2 * self.n_classes), np.int64)
        for row, gains in enumerate((np.maximum(self.totals.gains, 0), np.maximum(-self.totals.gains, 0))):
            state[row, 0::2] = by_class[0] * gains[0] + by_class[1] * gains[1]
            state[row, 1::2] = by_class[2] * gains[2]
        return self.totals.candidate(epsilon, state)

    def bound(self, low: Candidate, high: Candidate) -> float:
        """See `Totals.bound`."""
        return self.totals.bound(low, high)

    def best_between(self, low: Candidate, high: Candidate, size: int, floor: float) -> list[Candidate]:
        """Evaluate the candidates of one sorted list of all pairs."""
        pairs = self.pairs.listing(low.epsilon, high.epsilon, size)
        return self.totals.walk(low, pairs, 2 * self.class_of[pairs[2]] + (pairs[1] == 2), floor)

    def settle(self, race: list[Candidate]) -> float:
        """See `Totals.settle`."""
        return self.totals.settle(race)


def best_threshold(
    pairs: WholePairs | SampledPairs, entry: Coefficient, weighed: Coefficient, keep: Keep, progress: Progress | None
) -> float:
    """Find the smallest candidate that maximizes the mean of the weighted coefficient."""
    grouped, at_zero = pairs.grouped, pairs.at_zero
    if not any(keep[kind] * at_zero.counts[:, columns].sum() for kind, columns in enumerate((TIED, UNTIED))):
        return 0.0
    if keep == EVERY and isinstance(pairs, WholePairs):
        return best_epsilon(grouped, entry, at_zero, progress)
    gains = gains_of(entry)
    objective: Objective = MeanOfGroups(pairs, weighed) if gains is None else WeighedPairs(pairs, gains, keep)
    return maximize(grouped.scores, at_zero, objective, progress, pairs.largest)
