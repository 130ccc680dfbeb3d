"""What are the counts and sums of a layout on each resample?"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tiekit.coefficients.formula import OfAllGroups
from tiekit.counting.interpreted import is_interpreted
from tiekit.counting.means import SAME
from tiekit.resampling.draws import Draws
from tiekit.resampling.layout import Atoms
from tiekit.scores import FloatArray, IntArray

if TYPE_CHECKING:
    from tiekit.coefficients.coefficient import Coefficient
    from tiekit.resampling._kernels import Slots


class Recount:
    """One layout counted on some resamples, a `Drawn`; what several coefficients need is counted once."""

    def __init__(self, atoms: Atoms, grouping: str, draws: Draws) -> None:
        self.atoms, self.grouping, self.draws, self.means = atoms, grouping, draws, grouping == "system_means"
        self.multiplicity = draws.group_multiplicities(grouping)
        self.kept: dict[bool, IntArray] = {}

    @cached_property
    def slots(self) -> Slots:
        """Which atoms stand in which slot, for the compiled loops."""
        from tiekit.resampling._kernels import Slots

        a = self.atoms
        return Slots(self.draws.cell_multiplicities(self.grouping), self.draws.swap, a.cell, a.source, a.starts)

    @cached_property
    def judged(self) -> tuple[IntArray, FloatArray, FloatArray]:
        """Counts, sums of means and sums of ranks of system means."""
        from tiekit.resampling import _kernels

        a = self.atoms
        outer = np.ones_like(self.draws.rows) if self.draws.swap else self.draws.rows
        means = _kernels.mean_draws(self.slots, outer, a.human, a.z, a.half)
        counts, sums, ranks = _kernels.judge_means(means, SAME)
        return counts, sums, ranks

    def mean(self, values: FloatArray) -> FloatArray:
        """Average over the groups that are drawn and defined, shape (draws, slots)."""
        return mean_of_groups(values, self.multiplicity)

    def counts(self, distinct: bool) -> IntArray:
        """Return counts, shape (draws, slots, groups, 7); k only where distinct scores are asked for."""
        from tiekit.resampling import _kernels

        if self.means:
            return self.judged[0]
        if distinct not in self.kept:
            a = self.atoms
            if distinct or is_interpreted():
                n_values = int(a.value.max(initial=-1)) + 1 if distinct else 0
                self.kept[distinct] = _kernels.count_draws(self.slots, a.rank, a.value, n_values, a.events)
            else:
                self.kept[distinct] = count_side_by_side(self.slots, a)
        return self.kept[distinct]

    def sums(self, ranked: bool) -> FloatArray:
        """Return sums of scores or ranks about their mean, shape (draws, slots, groups, 4)."""
        from tiekit.resampling import _kernels

        a = self.atoms
        if self.means:
            return self.judged[2] if ranked else self.judged[1]
        if ranked:
            found: FloatArray = _kernels.rank_draws(self.slots, a.rank, a.by_rank, a.value, a.by_value)
        else:
            found = _kernels.sum_draws(self.slots, *a.scaled)
        return found


def count_side_by_side(slots: Slots, atoms: Atoms) -> IntArray:
    """Count the pairs of every group on many resamples, shape (draws, slots, groups, 7); k is 0."""
    from tiekit.resampling import _lane_kernels as lanes

    n_draws, n_slots, n_groups = len(slots.draws), 2 if slots.swap else 1, atoms.starts.size - 1
    counts = np.zeros((n_draws, n_slots, n_groups, 7), np.int64)
    weight, found = np.zeros((atoms.cell.size, lanes.LANES), np.int32), np.zeros((n_groups, 6, lanes.LANES), np.int64)
    cell, source, rank, events = atoms.in_order
    n_ranks, side_by_side = int(rank.max(initial=-1)) + 1, lanes.LANES // n_slots
    for first in range(0, n_draws, side_by_side):
        some = np.ascontiguousarray(slots.draws[first : first + side_by_side].T, np.int32)
        lanes.weigh_lanes(some, slots.swap, cell, source, weight)
        lanes.count_lanes(weight, atoms.starts, rank, n_ranks, events, found)
        number = some.shape[1]
        by_slot = found.reshape(n_groups, 6, side_by_side, n_slots)[:, :, :number]
        counts[first : first + number, :, :, :6] = by_slot.transpose(2, 3, 0, 1)
    return counts


def mean_of_groups(values: FloatArray, multiplicity: IntArray | None = None) -> FloatArray:
    """Average what is defined over the last axis, weighted by how often it was drawn; NaN where nothing is defined."""
    weight = 1.0 * ~np.isnan(values) if multiplicity is None else ~np.isnan(values) * multiplicity[:, None, :]
    with np.errstate(invalid="ignore"):
        return np.asarray((np.nan_to_num(values) * weight).sum(axis=-1) / weight.sum(axis=-1), np.float64)


def average_groups(values: FloatArray, which: IntArray, swap: bool, _: Coefficient) -> FloatArray:
    """Average values (metrics, groups) over the defined groups that stand in each slot, shape (draws, metrics)."""
    defined = ~np.isnan(values)
    value, weight = np.where(defined, values, 0.0), which.astype(np.float64)
    if not swap:
        total, number = weight @ value.T, weight @ defined.T.astype(np.float64)
    else:
        change, more = value[1] - value[0], defined[1] * 1.0 - defined[0]
        moved, joined = weight @ change, weight @ more
        total = value.sum(axis=1) + np.stack((moved, -moved), axis=1)
        number = defined.sum(axis=1) + np.stack((joined, -joined), axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(number > 0.5, total / number, np.nan)


def pool_groups(counts: FloatArray, which: IntArray, swap: bool, entry: Coefficient) -> FloatArray:
    """Evaluate the summed counts of the groups that stand in each slot, shape (draws, metrics)."""
    assert isinstance(entry.formula, OfAllGroups)
    weight = which.astype(np.float64)
    if not swap:
        total = np.stack([weight @ one for one in counts], axis=1)
    else:
        moved = weight @ (counts[1] - counts[0])
        total = counts.sum(axis=1) + np.stack((moved, -moved), axis=1)
    return entry.formula.of_one(total)
