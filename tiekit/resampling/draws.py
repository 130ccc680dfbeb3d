"""What is swapped between two metrics, or drawn again, in each resample? Some draws, and a plan for all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tiekit.counting.scores import IntArray
from tiekit.resampling.schemes import RESAMPLES, SWAPS

DRAWS_A_PART = 64
"""Draws that are made from one seed and counted in one go."""


@dataclass(frozen=True)
class Draws:
    """Some resamples.

    Attributes
    ----------
    swap : bool
        Whether numbers say what changes places (0 or 1), or how often something was drawn.
    rows : int64, shape (draws, systems)
    columns : int64, shape (draws, segments)
    single : int64, shape (draws, systems · segments), or None
        Cells that are drawn by themselves.
    """

    swap: bool
    rows: IntArray
    columns: IntArray
    single: IntArray | None = None

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def cells(self) -> IntArray:
        """A number a cell, shape (draws, systems · segments)."""
        return self.cell_multiplicities("global")

    def cell_multiplicities(self, grouping: str) -> IntArray:
        """A number a cell for what happens within groups; by item a segment drawn twice makes two groups."""
        if self.single is not None:
            return self.single
        rows, columns = self.rows[:, :, None], self.columns[:, None, :]
        if not self.swap and grouping == "item":
            columns = np.ones_like(columns)
        if not self.swap and grouping in ("system", "system_means"):
            rows = np.ones_like(rows)
        return (rows ^ columns if self.swap else rows * columns).reshape(len(self), -1)

    def group_multiplicities(self, grouping: str) -> IntArray | None:
        """How often each group is there, shape (draws, groups); None where all are, once."""
        if self.swap:
            return None
        return {"item": self.columns, "system": self.rows}.get(grouping)


@dataclass(frozen=True)
class Plan:
    """How resamples are made, part by part: the same ones whoever makes them.

    Attributes
    ----------
    swap : bool
    kind : str
        A name of `SWAPS` or `RESAMPLES`.
    shape : tuple of int
        Systems, segments.
    size : int
        Resamples in all.
    seed : int
    units : int64 array or None
        What to swap in every possible way (exact), as `Swap.units` numbers it.
    """

    swap: bool
    kind: str
    shape: tuple[int, int]
    size: int
    seed: int
    units: IntArray | None = None

    @property
    def exact(self) -> bool:
        """Whether every way to swap is in it."""
        return self.units is not None

    @property
    def parts(self) -> list[int]:
        """The numbers of the parts."""
        return list(range(-(-self.size // DRAWS_A_PART)))

    def draws(self, part: int) -> Draws:
        """The resamples of one part."""
        first = part * DRAWS_A_PART
        number = min(DRAWS_A_PART, self.size - first)
        if self.units is not None:
            chosen = np.arange(first, first + number)[:, None] >> np.arange(self.units.size) & 1
            return Draws(True, *SWAPS[self.kind].place(chosen, self.units, self.shape))
        rng = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(part,)))
        scheme = SWAPS[self.kind] if self.swap else RESAMPLES[self.kind]
        return Draws(self.swap, *scheme.draw(rng, number, self.shape))


def plan_swaps(kind: str, differs: NDArray[np.bool_], n_resamples: int, seed: int) -> Plan:
    """All ways to swap, where there are no more of them than resamples are asked for; otherwise random ones."""
    shape = differs.shape[0], differs.shape[1]
    units = SWAPS[kind].units(differs)
    if units is not None and units.size < 63 and 2**units.size <= n_resamples + 1:
        return Plan(True, kind, shape, 2**units.size, seed, units)
    return Plan(True, kind, shape, n_resamples, seed)
