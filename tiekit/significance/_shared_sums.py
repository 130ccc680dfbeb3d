"""What are the values of many pairs of metrics on the same swaps? What is swapped is added up once a metric.

Sums of the scores that a slot holds are those of one metric's scores that stay plus those of the other's that are
swapped in. So a resample is added up once for each metric, and a pair of metrics only adds two of these sums.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tiekit.base.validation import FloatArray, IntArray
from tiekit.core._compile import is_interpreted
from tiekit.core.calibration import gains_of
from tiekit.core.grouping import SAME, spread_of, standardize
from tiekit.core.measure import Measure
from tiekit.core.system_level import Swaps, confidence, swaps_of
from tiekit.significance._recount import mean_of_groups

UNSURE = 1e-3
"""A sum of squares below this share of what it is the difference of loses digits, or is one of equal scores."""

NOISE = 2e-15
"""The share of the largest possible sum that rounding may add to a sum of swapped scores."""


class Together(Protocol):
    """Values of pairs of metrics, all on the same swaps."""

    def values(self, swapped: NDArray[np.uint8], pairs: IntArray) -> tuple[FloatArray, NDArray[np.bool_]]:
        """Return values, shape (draws, pairs, 2), and whether they must be found another way, shape (draws, pairs).

        ``swapped`` holds 0 or 1 for each cell, shape (draws, systems · segments); ``pairs`` has two numbers of metrics
        in each row.
        """
        ...


def take_together(
    human: FloatArray, metrics: Sequence[FloatArray], measure: Measure, epsilons: Sequence[float]
) -> Together | None:
    """Prepare metrics for a measure whose pairs share their sums; None where each pair must be tested by itself."""
    entry = measure.coefficient
    if is_interpreted():
        return None
    if entry.together == "confidences":
        return _confidences(human, metrics)
    if measure.grouping == "system_means" and entry.recounts:
        return Means.of(human, metrics, measure, epsilons)
    if entry.together == "sums" and (not entry.by_group or measure.grouping in ("global", "vector")):
        return Sums.of(human, metrics, measure)
    return None


@dataclass(frozen=True, eq=False)
class Sums:
    """Measures that are made of sums of squares and products, of all groups together."""

    measure: Measure
    order: IntArray
    starts: IntArray
    human: FloatArray
    metrics: FloatArray
    whole: FloatArray

    @staticmethod
    def of(human: FloatArray, metrics: Sequence[FloatArray], measure: Measure) -> Sums:
        """Standardize the metrics, and subtract from each group what is about its mean, so that no digits are lost."""
        rated = ~np.isnan(human)
        order, starts = in_groups(rated, measure.grouping)
        z = np.array([standardize(metric, rated & ~np.isnan(metric)).ravel()[order] for metric in metrics])
        h = standardize(human, rated).ravel()[order]
        owner = np.repeat(np.arange(starts.size - 1), np.diff(starts))
        h = h - _means(h[None], owner, starts)[0][owner]
        z = z - _means(z, owner, starts).mean(axis=0)[owner]
        return Sums(measure, order, starts, h, z, _whole(h, z, starts))

    def values(self, swapped: NDArray[np.uint8], pairs: IntArray) -> tuple[FloatArray, NDArray[np.bool_]]:
        """See `Together`."""
        from tiekit.significance._kernels import join_sums, sums_of_swapped

        sums, sizes = np.empty((len(swapped), len(pairs), 2, 4)), np.empty((len(swapped), len(pairs), 2, 2))
        for r, cells in enumerate(swapped):
            moved = sums_of_swapped(cells[self.order], self.human, self.metrics, self.starts)
            sums[r], sizes[r] = join_sums(pairs, self.whole, moved)
        least = UNSURE * np.maximum(sizes, self.human.size)  # of a constant metric, rounding may be all there is
        unsure = np.asarray((sums[..., 1:3] <= least).any(axis=(2, 3)), np.bool_)
        sums[..., 0] = 1.0  # n is multiplied already
        drawn = _Added(sums.reshape(-1, 2, 1, 4))
        return self.measure.coefficient.recount(drawn).reshape(sums.shape[:3]), unsure


@dataclass(frozen=True, eq=False)
class Means:
    """Measures of systems, each by its mean score."""

    measure: Measure
    order: IntArray
    starts: IntArray
    human: FloatArray
    metrics: FloatArray
    half: FloatArray
    whole: FloatArray

    @staticmethod
    def of(human: FloatArray, metrics: Sequence[FloatArray], measure: Measure, epsilons: Sequence[float]) -> Means:
        """Standardize the metrics; half a threshold is on that scale, too."""
        rated = ~np.isnan(human)
        used = [rated & ~np.isnan(metric) for metric in metrics]
        order, starts = in_groups(rated, "system")
        h = standardize(human, rated).ravel()[order]
        z = np.array([standardize(metric, cells).ravel()[order] for metric, cells in zip(metrics, used, strict=True)])
        shares = [e / spread_of(m, cells) for e, m, cells in zip(epsilons, metrics, used, strict=True)]
        return Means(measure, order, starts, h, z, np.array(shares) / 2, _whole(h, z, starts))

    def values(self, swapped: NDArray[np.uint8], pairs: IntArray) -> tuple[FloatArray, NDArray[np.bool_]]:
        """See `Together`."""
        from tiekit.significance._kernels import join_means, judge_means, sums_of_swapped

        found = np.empty((len(swapped), len(pairs), 2))
        for r, cells in enumerate(swapped):
            moved = sums_of_swapped(cells[self.order], self.human, self.metrics, self.starts)
            judged = judge_means(join_means(pairs, self.whole, moved, self.half), SAME)
            found[r] = self.measure.coefficient.recount(_Judged(*judged))
        return found, np.zeros(found.shape[:2], np.bool_)


class _Added:
    """What a coefficient is recounted from where sums are known, a `Drawn`."""

    multiplicity: IntArray | None = None

    def __init__(self, added: FloatArray) -> None:
        self.added = added

    def counts(self, distinct: bool) -> IntArray:
        """Refuse: there are none."""
        raise NotImplementedError

    def sums(self, ranked: bool) -> FloatArray:  # noqa: ARG002
        """Sums of scores."""
        return self.added

    def mean(self, values: FloatArray) -> FloatArray:
        """Mean over the groups that are defined."""
        return mean_of_groups(values)


class _Judged(_Added):
    """The same where counts and sums of ranks are known, too."""

    def __init__(self, counted: IntArray, added: FloatArray, ranks: FloatArray) -> None:
        super().__init__(added)
        self.counted, self.ranks = counted, ranks

    def counts(self, distinct: bool) -> IntArray:  # noqa: ARG002
        """Counts of pairs of systems."""
        return self.counted

    def sums(self, ranked: bool) -> FloatArray:
        """Sums of means or of their ranks."""
        return self.ranks if ranked else self.added


@dataclass(frozen=True, eq=False)
class Confidences:
    """Soft pairwise accuracy of metrics that score every segment of every system."""

    cells: IntArray
    swaps: Swaps
    human: FloatArray
    metrics: FloatArray
    base: FloatArray
    largest: FloatArray

    def values(self, swapped: NDArray[np.uint8], pairs: IntArray) -> tuple[FloatArray, NDArray[np.bool_]]:
        """See `Together`."""
        from tiekit.core.system_level import soft_errors

        asked, places = np.unique(pairs, return_inverse=True)
        among = places.reshape(pairs.shape)
        metrics, base = self.metrics[asked], self.base[asked]
        apart, found = metrics - metrics[0], np.empty((len(swapped), len(pairs), 2))
        shape, change = metrics.shape[1:], np.zeros_like(base)
        for r, row in enumerate(swapped):
            cells = row[self.cells].reshape(shape)
            moved = (apart[1:] * cells).reshape(-1, shape[1])
            change[1:] = self.swaps.sum(moved).reshape(change[1:].shape)
            given = among, base, change, metrics, cells, self.largest, self.human
            found[r] = 1 - soft_errors(*given, SAME, NOISE)
        return found, np.zeros(found.shape[:2], np.bool_)


def _confidences(human: FloatArray, metrics: Sequence[FloatArray]) -> Confidences | None:
    """Prepare soft pairwise accuracy; None where a score is missing in some systems only, or in some metrics only."""
    rated = ~np.isnan(human)
    rows, columns = np.flatnonzero(rated.any(axis=1)), np.flatnonzero(rated.any(axis=0))
    which = np.ix_(rows, columns)
    if rows.size < 2 or not rated[which].all() or any(np.isnan(metric[which]).any() for metric in metrics):
        return None
    z = np.array([standardize(metric, rated)[which] for metric in metrics])
    first = z - z[:1, :1]
    z = first - first.mean(axis=(0, 1))
    swaps = swaps_of(columns.size)
    base = swaps.sum(z.reshape(-1, columns.size)).reshape(*z.shape[:2], -1)
    cells = (rows[:, None] * human.shape[1] + columns).ravel()
    return Confidences(cells, swaps, confidence(swaps, human[which])[0], z, base, np.abs(z).max(axis=0).sum(axis=1))


def in_groups(rated: NDArray[np.bool_], grouping: str) -> tuple[IntArray, IntArray]:
    """Return the cells with a human score in the order of their groups, and where each group begins."""
    cells, n_segments = np.flatnonzero(rated), max(rated.shape[1], 1)
    places = {"item": (cells % n_segments, rated.shape[1]), "system": (cells // n_segments, rated.shape[0])}
    owner, number = places.get(grouping, (np.zeros_like(cells), 1))
    order = np.argsort(owner, kind="stable")
    return cells[order], np.searchsorted(owner[order], np.arange(number + 1)).astype(np.int64)


def _means(scores: FloatArray, owner: IntArray, starts: IntArray) -> FloatArray:
    """Return each group's mean of what is there, shape (rows, groups); 0 where nothing is."""
    there = ~np.isnan(scores)
    size = max(starts.size - 1, 1)
    sums = [np.bincount(owner, np.where(know, row, 0.0), size) for row, know in zip(scores, there, strict=True)]
    numbers = [np.bincount(owner, know, size) for know in there]
    return np.asarray(np.array(sums) / np.maximum(numbers, 1), np.float64)


def _whole(human: FloatArray, metrics: FloatArray, starts: IntArray) -> FloatArray:
    """Return the sums of all scores."""
    from tiekit.significance._kernels import sums_of_swapped

    found: FloatArray = sums_of_swapped(np.ones(human.size, np.uint8), human, metrics, starts)
    return found


MOST_PAIRS = 1_000_000
"""More pairs within groups are not listed, four times each."""

MOST_TOTAL = 2**30
"""Totals up to this are counted in 32 bits."""


@dataclass(frozen=True, eq=False)
class FoundAgain:
    """Two metrics that score the same cells, in groups, by a coefficient whose denominator is the number of pairs.

    Attributes
    ----------
    order : int64, shape (cells,)
        The cells with all scores, in the order of their groups.
    changes : tuple of arrays
        Differences in descending order, both atoms, and what a tie of the two gains; see `_lane_kernels.list_changes`.
    tied : int
        The total where all pairs are tied.
    whole : int
        What a total is divided by.
    """

    order: IntArray
    changes: tuple[FloatArray, NDArray[np.int32], NDArray[np.int32], NDArray[np.int32 | np.int64]]
    tied: int
    whole: int

    @staticmethod
    def of(human: FloatArray, metrics: Sequence[FloatArray], measure: Measure, crossed: bool) -> FoundAgain | None:
        """List the pairs; None where each resample must be calibrated by itself."""
        from tiekit.significance._kernels import list_changes

        gains, used = gains_of(measure.coefficient), [~np.isnan(human) & ~np.isnan(metric) for metric in metrics]
        if is_interpreted() or gains is None or measure.grouping == "system_means" or (used[0] != used[1]).any():
            return None
        order, starts = in_groups(used[0], measure.grouping)
        sizes = np.diff(starts)
        pairs = sizes * (sizes - 1) // 2
        counted = pairs[pairs > 0]
        if not counted.size or int(counted.sum()) > MOST_PAIRS:
            return None
        pools = measure.coefficient.pools  # then each pair counts alike
        shared, whole = (1, int(counted.sum())) if pools else _shares(counted)
        most = 4 * whole * int(np.abs(gains).max(initial=1))
        if most > 2**62:
            return None
        kept = np.int32 if most <= MOST_TOTAL else np.int64
        share = np.where(pairs > 0, 1 if pools else shared // np.maximum(pairs, 1), 0).astype(kept)
        h = human.ravel()[order]
        z = np.array([standardize(metric, cells).ravel()[order] for metric, cells in zip(metrics, used, strict=True)])
        difference, first, second, gain = list_changes(starts, h, z, crossed, gains, share)
        down = np.argsort(-difference)
        assert measure.coefficient.table is not None
        (_, of_tie, _), (_, of_both, _), _ = np.array(measure.coefficient.table, np.int64).tolist()
        alike = np.array([_tied_pairs(h[a:b]) for a, b in pairwise(starts)], np.int64)
        tied = int((share.astype(np.int64) * (of_both * alike + of_tie * (pairs - alike))).sum())
        changes = difference[down], first[down], second[down], gain[down]
        return FoundAgain(order, changes, tied, whole)

    def values(self, swapped: NDArray[np.uint8]) -> FloatArray:
        """Return values, shape (draws, 2), where ``swapped`` holds 0 or 1 for each cell."""
        from tiekit.significance._kernels import LANES, best_lanes

        found, gain = np.empty((len(swapped), 2)), self.changes[-1]
        bit = np.uint32(1) << np.arange(LANES, dtype=np.uint32)
        for first in range(0, len(swapped), LANES // 2):
            some = swapped[first : first + LANES // 2, self.order].astype(np.uint32)
            number = len(some)
            stays, goes = bit[: 2 * number : 2] @ (1 - some), bit[1 : 2 * number : 2] @ some
            back, forth = bit[: 2 * number : 2] @ some, bit[1 : 2 * number : 2] @ (1 - some)
            stands = np.stack((stays + goes, back + forth), axis=1).ravel().astype(np.uint32)
            total, best = np.full(LANES, self.tied, gain.dtype), np.empty(LANES, gain.dtype)
            best_lanes(stands, *self.changes, total, best)
            found[first : first + number] = best[: 2 * number].reshape(number, 2) / self.whole
        return found


def _shares(counted: IntArray) -> tuple[int, int]:
    """What every group's number of pairs divides, and that times the number of groups."""
    shared = math.lcm(*set(counted.tolist()))
    return shared, shared * counted.size


def _tied_pairs(scores: FloatArray) -> int:
    """Count the pairs of equal scores."""
    number = np.unique(scores, return_counts=True)[1]
    return int((number * (number - 1) // 2).sum())
