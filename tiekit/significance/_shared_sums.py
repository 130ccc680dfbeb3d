"""What are the values of many pairs of metrics on the same swaps? What is swapped is summed once per metric.

Sums of the scores that a slot holds are those of one metric's scores that stay plus those of the other's that are
swapped in. So a resample is summed once for each metric, and a pair of metrics only adds two of these sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tiekit.base.parallel import beat
from tiekit.base.validation import FloatArray, IntArray
from tiekit.core._compile import is_interpreted
from tiekit.core.grouping import SAME, spread_of, standardize
from tiekit.core.measure import Measure
from tiekit.core.system_level import Swaps, confidence, rows_at_once, swaps_of
from tiekit.significance._recount import KnownSums

UNSURE = 1e-3
"""A sum of squares below this share of what it is the difference of loses digits, or is one of equal scores."""

NOISE = 2e-15
"""The share of the largest possible sum that rounding may add to a sum of swapped scores."""


class SharedSums(Protocol):
    """Values of pairs of metrics that swap scores, all on the same swaps."""

    def pair_values(self, swapped: NDArray[np.uint8], pairs: IntArray) -> tuple[FloatArray, NDArray[np.bool_]]:
        """Return values, shape (draws, pairs, 2), and whether they must be found another way, shape (draws, pairs).

        ``swapped`` holds 0 or 1 for each cell, shape (draws, systems · segments); ``pairs`` has two numbers of metrics
        in each row.
        """
        ...


def prepare_shared_sums(
    human: FloatArray, metrics: Sequence[FloatArray], measure: Measure, epsilons: Sequence[float]
) -> SharedSums | None:
    """Prepare metrics for a measure whose pairs share their sums; None where each pair must be tested by itself."""
    entry = measure.coefficient
    if is_interpreted():
        return None
    if entry.together == "confidences":
        return _soft_accuracies(human, metrics)
    if measure.grouping == "system_means" and entry.recounts:
        return SystemMeans.of(human, metrics, measure, epsilons)
    if entry.together == "sums" and (not entry.by_group or measure.grouping in ("global", "vector")):
        return SumsOfProducts.of(human, metrics, measure)
    return None


@dataclass(frozen=True, eq=False)
class _GroupSums:
    """Cells with a human score in the order of their groups; ``whole`` holds the sums of all scores."""

    measure: Measure
    order: IntArray
    starts: IntArray
    human: FloatArray
    metrics: FloatArray
    whole: FloatArray

    def _swapped_sums(self, cells: NDArray[np.uint8]) -> FloatArray:
        """Return the sums of the scores that one resample swaps."""
        return _sums(cells[self.order], self.human, self.metrics, self.starts)


@dataclass(frozen=True, eq=False)
class SumsOfProducts(_GroupSums):
    """Measures that are made of sums of squares and products, of all groups together."""

    @staticmethod
    def of(human: FloatArray, metrics: Sequence[FloatArray], measure: Measure) -> SumsOfProducts:
        """Standardize the metrics, and subtract from each group what is about its mean, so that no digits are lost."""
        rated = ~np.isnan(human)
        order, starts = cells_by_group(rated, measure.grouping)
        z = np.array([standardize(metric, rated & ~np.isnan(metric)).ravel()[order] for metric in metrics])
        h = standardize(human, rated).ravel()[order]
        owner = np.repeat(np.arange(starts.size - 1), np.diff(starts))
        h = h - _means(h[None], owner, starts)[0][owner]
        z = z - _means(z, owner, starts).mean(axis=0)[owner]
        return SumsOfProducts(measure, order, starts, h, z, _sums(np.ones(h.size, np.uint8), h, z, starts))

    def pair_values(self, swapped: NDArray[np.uint8], pairs: IntArray) -> tuple[FloatArray, NDArray[np.bool_]]:
        """See `SharedSums`."""
        from tiekit.significance._kernels import join_sums

        sums, sizes = np.empty((len(swapped), len(pairs), 2, 4)), np.empty((len(swapped), len(pairs), 2, 2))
        for r, cells in enumerate(swapped):
            sums[r], sizes[r] = join_sums(pairs, self.whole, self._swapped_sums(cells))
            beat()
        least = UNSURE * np.maximum(sizes, self.human.size)  # of a constant metric, rounding may be all there is
        unsure = np.asarray((sums[..., 1:3] <= least).any(axis=(2, 3)), np.bool_)
        sums[..., 0] = 1.0  # n is multiplied already
        values = self.measure.coefficient.recount(KnownSums(sums.reshape(-1, 2, 1, 4)))
        return values.reshape(sums.shape[:3]), unsure


@dataclass(frozen=True, eq=False)
class SystemMeans(_GroupSums):
    """Measures of systems, each by its mean score; ``half`` is half of each metric's threshold on the common scale."""

    half: FloatArray

    @staticmethod
    def of(
        human: FloatArray, metrics: Sequence[FloatArray], measure: Measure, epsilons: Sequence[float]
    ) -> SystemMeans:
        """Standardize the metrics."""
        rated = ~np.isnan(human)
        used = [rated & ~np.isnan(metric) for metric in metrics]
        order, starts = cells_by_group(rated, "system")
        h = standardize(human, rated).ravel()[order]
        z = np.array([standardize(metric, cells).ravel()[order] for metric, cells in zip(metrics, used, strict=True)])
        shares = [e / spread_of(m, cells) for e, m, cells in zip(epsilons, metrics, used, strict=True)]
        whole = _sums(np.ones(h.size, np.uint8), h, z, starts)
        return SystemMeans(measure, order, starts, h, z, whole, np.array(shares) / 2)

    def pair_values(self, swapped: NDArray[np.uint8], pairs: IntArray) -> tuple[FloatArray, NDArray[np.bool_]]:
        """See `SharedSums`."""
        from tiekit.significance._kernels import join_means

        values = np.empty((len(swapped), len(pairs), 2))
        for r, cells in enumerate(swapped):
            moved = self._swapped_sums(cells)
            for first, last in rows_at_once(len(pairs), 50 * (self.starts.size - 1) ** 2):
                means = join_means(pairs[first:last], self.whole, moved, self.half)
                values[r, first:last] = self.measure.coefficient.recount(KnownSums.of_means(means))
        return values, np.zeros(values.shape[:2], np.bool_)


@dataclass(frozen=True, eq=False)
class SoftAccuracies:
    """Soft pairwise accuracy of metrics that score every segment of every system."""

    cells: IntArray
    swaps: Swaps
    human: FloatArray
    metrics: FloatArray
    base: FloatArray
    largest: FloatArray

    def pair_values(self, swapped: NDArray[np.uint8], pairs: IntArray) -> tuple[FloatArray, NDArray[np.bool_]]:
        """See `SharedSums`."""
        from tiekit.core.system_level import soft_errors

        asked, places = np.unique(pairs, return_inverse=True)
        among = places.reshape(pairs.shape)
        metrics, base = self.metrics[asked], self.base[asked]
        differences, values = metrics - metrics[0], np.empty((len(swapped), len(pairs), 2))
        shape, change, steps = metrics.shape[1:], np.zeros_like(base), base[0].size
        for r, row in enumerate(swapped):
            cells = row[self.cells].reshape(shape)
            moved = (differences[1:] * cells).reshape(-1, shape[1])
            change[1:] = self.swaps.sum(moved).reshape(change[1:].shape)
            errors, rest = np.zeros((len(pairs), 2)), (metrics, cells, self.largest, self.human, SAME, NOISE)
            for first, last in rows_at_once(len(pairs), shape[0] * steps):
                for begin, end in rows_at_once(shape[0], (last - first) * steps):
                    soft_errors(among[first:last], base, change, *rest, begin, end, errors[first:last])
            values[r] = 1 - errors / (shape[0] * (shape[0] - 1) // 2)
        return values, np.zeros(values.shape[:2], np.bool_)


def _soft_accuracies(human: FloatArray, metrics: Sequence[FloatArray]) -> SoftAccuracies | None:
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
    return SoftAccuracies(cells, swaps, confidence(swaps, human[which])[0], z, base, np.abs(z).max(axis=0).sum(axis=1))


def cells_by_group(rated: NDArray[np.bool_], grouping: str) -> tuple[IntArray, IntArray]:
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


def _sums(swapped: NDArray[np.uint8], human: FloatArray, metrics: FloatArray, starts: IntArray) -> FloatArray:
    """Sum the scores of every metric that are swapped, shape (metrics, groups, 6)."""
    from tiekit.significance._kernels import sums_of_swapped

    sums: FloatArray = sums_of_swapped(swapped, human, metrics, starts)
    return sums
