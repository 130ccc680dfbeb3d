"""Which threshold is the best on each of many resamples? Pairs are listed once, in order of their difference."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tiekit.base.validation import FloatArray, IntArray
from tiekit.core._compile import is_interpreted
from tiekit.core.calibration import gains_of
from tiekit.core.grouping import standardize
from tiekit.core.measure import Measure
from tiekit.significance._shared_sums import cells_by_group
from tiekit.significance.schemes import Draws

MAX_PAIRS = 1_000_000
"""Maximum number of pairs within groups that are listed, four times each."""

MAX_32_BIT = 2**30
"""Maximum total that is counted in 32 bits."""


@dataclass(frozen=True, eq=False)
class BatchRecalibration:
    """The best values of two metrics that swap scores, calibrated again on every resample, a `Strategy`.

    Both metrics score the same cells, and the coefficient's denominator is the number of pairs: so a value is a total
    of integers over pairs, and a threshold that rises past a difference changes the total by what a tie there gains.
    """

    order: IntArray  # the cells with all scores, in the order of their groups
    # of `_kernels.list_changes`, in descending order of differences
    changes: tuple[FloatArray, NDArray[np.int32], NDArray[np.int32], NDArray[np.int32 | np.int64]]
    tied: int  # the total where all pairs are tied
    whole: int  # what a total is divided by

    @staticmethod
    def of(
        human: FloatArray, metrics: Sequence[FloatArray], measure: Measure, crossed: bool
    ) -> BatchRecalibration | None:
        """List the pairs, those of two metrics' scores where they are ``crossed``; None where that is not possible."""
        from tiekit.significance._kernels import list_changes

        gains, used = gains_of(measure.coefficient), [~np.isnan(human) & ~np.isnan(metric) for metric in metrics]
        if is_interpreted() or gains is None or measure.grouping == "system_means" or (used[0] != used[1]).any():
            return None
        order, starts = cells_by_group(used[0], measure.grouping)
        sizes = np.diff(starts)
        pairs = sizes * (sizes - 1) // 2
        n_pairs = pairs[pairs > 0]
        if not n_pairs.size or int(n_pairs.sum()) > MAX_PAIRS:
            return None
        pools = measure.coefficient.pools  # then each pair counts alike
        shared, whole = (1, int(n_pairs.sum())) if pools else _shares(n_pairs)
        most = 4 * whole * int(np.abs(gains).max(initial=1))
        if most > 2**62:
            return None
        kind = np.int32 if most <= MAX_32_BIT else np.int64
        share = np.where(pairs > 0, 1 if pools else shared // np.maximum(pairs, 1), 0).astype(kind)
        h = human.ravel()[order]
        z = np.array([standardize(metric, cells).ravel()[order] for metric, cells in zip(metrics, used, strict=True)])
        difference, first, second, gain = list_changes(starts, h, z, crossed, gains, share)
        down = np.argsort(-difference)
        assert measure.coefficient.table is not None
        (_, of_tie, _), (_, of_both, _), _ = np.array(measure.coefficient.table, np.int64).tolist()
        alike = np.array([_tied_pairs(h[a:b]) for a, b in pairwise(starts)], np.int64)
        tied = int((share.astype(np.int64) * (of_both * alike + of_tie * (pairs - alike))).sum())
        changes = difference[down], first[down], second[down], gain[down]
        return BatchRecalibration(order, changes, tied, whole)

    def values(self, draws: Draws) -> FloatArray:
        """See `Strategy`."""
        from tiekit.significance._kernels import LANES, best_lanes

        swapped = draws.cells.astype(np.uint8)
        values, gain = np.empty((len(swapped), 2, 1)), self.changes[-1]
        bit = np.uint32(1) << np.arange(LANES, dtype=np.uint32)
        for first in range(0, len(swapped), LANES // 2):
            some = swapped[first : first + LANES // 2, self.order].astype(np.uint32)
            number = len(some)
            stays, goes = bit[: 2 * number : 2] @ (1 - some), bit[1 : 2 * number : 2] @ some
            back, forth = bit[: 2 * number : 2] @ some, bit[1 : 2 * number : 2] @ (1 - some)
            stands = np.stack((stays + goes, back + forth), axis=1).ravel().astype(np.uint32)
            total, best = np.full(LANES, self.tied, gain.dtype), np.empty(LANES, gain.dtype)
            best_lanes(stands, *self.changes, total, best)
            values[first : first + number, :, 0] = best[: 2 * number].reshape(number, 2) / self.whole
        return values


def _shares(n_pairs: IntArray) -> tuple[int, int]:
    """What every group's number of pairs divides, and that times the number of groups."""
    shared = math.lcm(*set(n_pairs.tolist()))
    return shared, shared * n_pairs.size


def _tied_pairs(scores: FloatArray) -> int:
    """Count the pairs of equal scores."""
    number = np.unique(scores, return_counts=True)[1]
    return int((number * (number - 1) // 2).sum())
