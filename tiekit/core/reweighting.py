"""With which probability are pairs kept? So that the human ties a given share of the kept pairs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiekit.base.errors import InputError
from tiekit.base.parallel import Progress, tell
from tiekit.base.results import ResultOfScores
from tiekit.base.validation import (
    FloatArray,
    IntArray,
    as_generator,
    check_epsilon,
    check_probability,
)
from tiekit.core._threshold_search import (
    Candidate,
    Ends,
    Listing,
    MeanOfGroups,
    Objective,
    Pairs,
    Totals,
    list_between,
    maximize,
    most_listed,
    widest,
)
from tiekit.core.calibration import best_epsilon, gains_of
from tiekit.core.coefficients import Coefficient, average
from tiekit.core.formula import Formula
from tiekit.core.grouping import DOCUMENT_GROUPINGS, Grouped, row_means, smallest_of_each
from tiekit.core.pairs import Counted, count_sorted, count_within
from tiekit.core.ties import Ties, weight_in_mean


class Keep(NamedTuple):
    """The probabilities with which pairs are kept: those that the human ties, and the others."""

    tied: float
    untied: float


EVERY = Keep(1.0, 1.0)
"""Every pair is kept."""

SHARES_OF = {
    "pairs": "the kept pairs of all groups together, as Perrella et al. (2024) count",
    "mean": "the mean over groups, where a metric that ties everything has just this acc_eq",
}
"""What the share of human ties is a share of."""


def own_share(ties: Ties, share_of: str) -> float:
    """The human's own share of ties, of all pairs or of the mean over groups."""
    if share_of not in SHARES_OF:
        raise InputError(f"share_of: must be one of {', '.join(SHARES_OF)}, found {share_of!r}")
    return ties.share if share_of == "pairs" else ties.in_mean()


def reachable(ties: Ties, shares: Iterable[float], share_of: str) -> list[float]:
    """Leave out the shares of the mean that groups tied throughout, and groups without a tie, put out of reach."""
    own, (lowest, highest) = own_share(ties, share_of), reach_in_mean(ties)
    return [share for share in shares if share_of == "pairs" or share in (0, own, 1) or lowest < share < highest]


def reach_in_mean(ties: Ties) -> tuple[float, float]:
    """The shares of groups tied throughout and of groups with a tie: shares of the mean lie between, or are 0 or 1."""
    tied, other = ties.by_group.T
    return float((other == 0).mean()), float((tied > 0).mean())


def keep_by_ties(ties: Ties, share: float, argument: str = "share", *, share_of: str = "pairs") -> Keep:
    """Find the probabilities where the human ties are counted already; ``argument`` is what the caller passed."""
    wanted, tied, untied = check_probability(argument, share), ties.n_tied, ties.n_pairs - ties.n_tied
    if (wanted > 0 and not tied) or (wanted < 1 and not untied):
        raise InputError(f"{argument}: the human ties {tied} of {ties.n_pairs} pairs, so {share!r} cannot be reached")
    if wanted == own_share(ties, share_of):
        return EVERY
    if share_of == "mean" and 0 < wanted < 1:
        return _keep_in_mean(ties, wanted, argument)
    if wanted < ties.share:
        return Keep(wanted * untied / ((1 - wanted) * tied), 1.0)
    return Keep(1.0, (1 - wanted) * tied / (wanted * untied))


def _keep_in_mean(ties: Ties, wanted: float, argument: str) -> Keep:
    """Find the probabilities for a share of the mean, which rises with their ratio; to the last digit, by bisection."""
    lowest, highest = reach_in_mean(ties)
    if not lowest < wanted < highest:
        raise InputError(
            f"{argument}: {lowest:.4g} of the groups are tied throughout and {1 - highest:.4g} have no tie, so their "
            f"share of the mean lies between {lowest:.4g} and {highest:.4g}, found {wanted!r}"
        )
    few = wanted < ties.in_mean()

    def keep(ratio: float) -> Keep:
        return Keep(ratio, 1.0) if few else Keep(1.0, ratio)

    low, high = 2.0**-500, 1.0
    while low < (middle := math.sqrt(low) * math.sqrt(high)) < high:
        if (ties.in_mean(*keep(middle)) < wanted) == few:
            low = middle
        else:
            high = middle
    return min((keep(low), keep(high)), key=lambda found: abs(ties.in_mean(*found) - wanted))


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


class ClassedPairs(Pairs):
    """Pairs whose groups are divided into classes: of the same numbers of human-tied and of other pairs."""

    at_zero: Counted
    largest: float

    @cached_property
    def classes(self) -> tuple[IntArray, IntArray, IntArray]:
        """The numbers of human-tied and other pairs of each class, the class of each group, and how many have it."""
        by_group = np.stack([self.at_zero.counts[:, kinds].sum(axis=1) for kinds in (TIED, UNTIED)], axis=1)
        classes, class_of, number = np.unique(by_group, axis=0, return_inverse=True, return_counts=True)
        return classes, class_of.ravel(), number


class WholePairs(ClassedPairs):
    """All pairs of some groups. The last listings are cached, because other weights need the same ones."""

    def __init__(self, grouped: Grouped) -> None:
        super().__init__(grouped)
        self.at_zero, self.largest = count_within(grouped.scores, 0.0), widest(grouped.scores)

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


class SampledPairs(ClassedPairs):
    """A sample of the pairs of some groups: each pair's metric difference, kind and group."""

    def __init__(self, grouped: Grouped, difference: FloatArray, kind: NDArray[np.int8], owner: IntArray) -> None:
        super().__init__(grouped)
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


class WeighedPairs(Totals):
    """The mean of a coefficient whose denominator is the weight of all pairs of a group.

    Groups with the same numbers of human-tied and other pairs have the same denominator and form a class. The state has
    two columns of whole numbers per class, for its untied and its tied pairs. So candidates are compared exactly,
    whatever the probabilities are.
    """

    def __init__(self, pairs: WholePairs | SampledPairs, gains: IntArray, keep: Keep) -> None:
        counts = pairs.at_zero.counts
        self.pairs, self.start = pairs, counts[:, :3]
        classes, self.class_of, _ = pairs.classes
        self.n_classes = len(classes)
        weights = Fraction(keep.untied), Fraction(keep.tied)
        totals = [untied * weights[0] + tied * weights[1] for tied, untied in classes.tolist()]
        shares = [weight / total if total else Fraction(0) for total in totals for weight in weights]
        super().__init__(gains, shares, len(counts))
        self.listed = most_listed(pairs)

    def at(self, epsilon: float, counts: IntArray) -> Candidate:
        """Evaluate a candidate from its counts."""
        now_ties = self.start - counts[:, :3]
        by_class = [np.bincount(self.class_of, kind, self.n_classes).astype(np.int64) for kind in now_ties.T]
        state = np.zeros((2, 2 * self.n_classes), np.int64)
        for row, gains in enumerate((np.maximum(self.gains, 0), np.maximum(-self.gains, 0))):
            state[row, 0::2] = by_class[0] * gains[0] + by_class[1] * gains[1]
            state[row, 1::2] = by_class[2] * gains[2]
        return self.candidate(epsilon, state)

    def best_between(self, low: Candidate, ends: Ends, size: int, floor: float) -> list[Candidate]:
        """Evaluate the candidates of one sorted list of all pairs."""
        pairs = self.pairs.listing(*ends, size)
        return self.walk(low, pairs, 2 * self.class_of[pairs[2]] + (pairs[1] == 2), floor)


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


@dataclass(frozen=True, eq=False, repr=False)
class Reweighted(ResultOfScores):
    """The best tie threshold where pairs that the human ties, or all other pairs, have a lower weight.

    Attributes
    ----------
    epsilon : float
        The smallest candidate that maximizes the coefficient; 0 where no pair is kept.
    value : float
        The coefficient at epsilon, averaged over the groups in which it is defined; NaN where no pair is kept.
    value_at_zero : float
        The coefficient without calibration.
    share_of_ties : float
        The share of the kept pairs of all groups that the human ties; NaN where no pair is kept.
    share_in_mean : float
        The mean over groups of each one's share of human ties: the weight that ties have in ``value``, and acc_eq of a
        metric that ties everything. Larger than ``share_of_ties`` where groups that are tied throughout keep few pairs.
    n_pairs : float
        Number of kept pairs: the expected number, or that of the sample.
    n_groups, n_undefined : int
        Groups in the mean at epsilon; groups with at least two scored cells whose coefficient is undefined there.
    coefficient, grouping, keep_tied, keep_untied
        What was asked for.
    seed : str
        The seed of the sample, or "generator"; "none" where pairs are weighted.
    scores : tuple of two arrays
        The human and metric scores as they were read.
    pairs : WholePairs or SampledPairs
        The pairs that were calibrated on.
    entry : Coefficient
        The coefficient of weighted pairs.
    """

    epsilon: float
    value: float
    value_at_zero: float
    share_of_ties: float
    share_in_mean: float
    n_pairs: float
    n_groups: int
    n_undefined: int
    coefficient: str
    grouping: str
    keep_tied: float
    keep_untied: float
    seed: str
    scores: tuple[FloatArray, FloatArray] = field(repr=False)
    pairs: WholePairs | SampledPairs = field(repr=False)
    entry: Coefficient = field(repr=False)

    def _facts(self) -> dict[str, object]:
        return {
            "coefficient": f"{self.coefficient}*",
            "grouping": self.grouping,
            "keep_tied": self.keep_tied,
            "keep_untied": self.keep_untied,
            "epsilon": self.epsilon,
            "undefined": "drop",
            "groups": self.n_groups,
            "undefined_groups": self.n_undefined,
            "scores": self.digest,
            "seed": self.seed,
        }

    def value_at(self, epsilon: float) -> float:
        """Return the coefficient at another threshold, averaged over the groups in which it is defined.

        Examples
        --------
        >>> from tiekit.sentinels import calibrate_reweighted
        >>> calibrate_reweighted([1, 2, 2, 3], [1, 5, 6, 9], keep_tied=0.5).value_at(1)
        1.0
        """
        return average(self.entry.from_counts(self.pairs.counts_at(check_epsilon(epsilon))), "drop")


def check_sample(sample: bool, rng: np.random.Generator | int | None) -> None:
    """Refuse a seed where nothing is drawn."""
    if not isinstance(sample, bool | np.bool_):
        raise InputError(f"sample: must be True or False, found {sample!r}")
    if rng is not None and not sample:
        raise InputError(f"rng: nothing is drawn unless sample=True, found {rng!r}")


def resample(
    grouped: Grouped,
    scores: tuple[FloatArray, FloatArray],
    entry: Coefficient,
    keep: Keep,
    rng: np.random.Generator | int | None,
    progress: Progress | None = None,
) -> Reweighted:
    """Calibrate on a sample of the pairs, without a warning."""
    pairs = sample_pairs(grouped, *scores, keep, as_generator(rng))
    seed = "0" if rng is None else str(rng) if isinstance(rng, Integral) else "generator"
    found = reweigh(pairs, scores, entry, EVERY, progress=progress)
    return replace(found, keep_tied=keep.tied, keep_untied=keep.untied, seed=seed)


def reweigh(
    pairs: WholePairs | SampledPairs,
    scores: tuple[FloatArray, FloatArray],
    entry: Coefficient,
    keep: Keep,
    *,
    progress: Progress | None = None,
) -> Reweighted:
    """Calibrate on pairs with weights, without a warning."""
    assert entry.formula is not None
    weighed = replace(entry, formula=Weighed(entry.formula, keep))
    epsilon = best_threshold(pairs, entry, weighed, keep, progress)
    values = weighed.from_counts(pairs.counts_at(epsilon))
    tell(progress, 1.0)
    n_undefined = int(np.isnan(values).sum())
    classes, _, n_of_class = pairs.classes
    tied, untied = (n_of_class @ classes).tolist()
    n_pairs = keep.tied * tied + keep.untied * untied
    return Reweighted(
        epsilon=epsilon,
        value=average(values, "drop"),
        value_at_zero=average(weighed.from_counts(pairs.at_zero.counts), "drop"),
        share_of_ties=keep.tied * tied / n_pairs if n_pairs else float("nan"),
        share_in_mean=weight_in_mean(classes, n_of_class, *keep),
        n_pairs=n_pairs,
        n_groups=values.size - n_undefined,
        n_undefined=n_undefined,
        coefficient=entry.name,
        grouping=pairs.grouped.grouping,
        keep_tied=keep.tied,
        keep_untied=keep.untied,
        seed="none",
        scores=scores,
        pairs=pairs,
        entry=weighed,
    )
