"""What is a measure worth when two metrics swap scores and the best threshold is found again after each swap?

All pairs that any swap can make are listed once, in order of their differences. A resample only says which of them
there are; one walk through the list finds the best thresholds of many resamples side by side.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tiekit.calibration.exact import gains_of
from tiekit.coefficients.measure import Measure
from tiekit.counting.interpreted import is_interpreted
from tiekit.counting.spread import standardize
from tiekit.resampling.together import in_groups
from tiekit.scores import FloatArray, IntArray

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
        from tiekit.resampling._lane_kernels import list_changes

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
        from tiekit.resampling._lane_kernels import LANES, best_lanes

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
