"""What is swapped between two metrics, or drawn again, in each resample?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tiekit.counting.scores import IntArray
from tiekit.errors import InputError
from tiekit.seeds import bits

SWAPS = {
    "segments": "all scores of a segment change places together",
    "cells": "every single score changes places by itself (Gao et al., Algorithm 1; WMT's PERM-BOTH)",
    "systems": "all scores of a system change places together",
    "both": "systems change places, then segments (nlpstats' and Deutsch et al.'s PERM-BOTH)",
    "pairs": "outcomes of single pairs change places (WMT's test of calibrated accuracy); anti-conservative",
}
"""What a permutation test may swap between two metrics."""

RESAMPLES = {"segments": "segments", "systems": "systems", "both": "systems and segments"}
"""What a bootstrap may draw with replacement."""

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
        What to swap in every possible way (exact), numbered through rows, then columns, or through cells.
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
        n_rows, n_columns = self.shape
        rows, columns = (np.full((number, n), 0 if self.swap else 1, np.int64) for n in self.shape)
        if self.units is not None:
            which = np.arange(first, first + number)[:, None] >> np.arange(self.units.size) & 1
            if self.kind == "cells":
                single = np.zeros((number, n_rows * n_columns), np.int64)
                single[:, self.units] = which
                return Draws(True, rows, columns, single)
            both = np.concatenate((rows, columns), axis=1)
            both[:, self.units] = which
            return Draws(True, both[:, :n_rows], both[:, n_rows:])
        rng = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(part,)))
        if self.kind == "cells":
            return Draws(True, rows, columns, bits(rng, (number, n_rows * n_columns)))
        draw = bits if self.swap else multiplicities
        if self.kind in ("systems", "both"):
            rows = draw(rng, rows.shape)
        if self.kind in ("segments", "both"):
            columns = draw(rng, columns.shape)
        return Draws(self.swap, rows, columns)


def multiplicities(rng: np.random.Generator, shape: tuple[int, int]) -> IntArray:
    """How often each of so many was drawn, with replacement, as many times as there are."""
    if shape[1] == 0:
        return np.zeros(shape, np.int64)
    chosen = rng.integers(0, shape[1], shape) + np.arange(shape[0])[:, None] * shape[1]
    return np.asarray(np.bincount(chosen.ravel(), minlength=shape[0] * shape[1]).reshape(shape), np.int64)


def units_of(kind: str, differs: NDArray[np.bool_]) -> IntArray:
    """What can change something when it is swapped, as `Plan.units` numbers it; ``differs`` is systems × segments."""
    if kind == "cells":
        return np.flatnonzero(differs)
    rows: IntArray = np.flatnonzero(differs.any(axis=1))
    columns: IntArray = np.flatnonzero(differs.any(axis=0)) + differs.shape[0]
    if kind == "systems":
        return rows
    if kind == "segments":
        return columns
    both: IntArray = np.concatenate((rows[1:], columns))  # swapping all systems is swapping all segments
    return both


def plan_swaps(kind: str, differs: NDArray[np.bool_], n_resamples: int, seed: int) -> Plan:
    """All ways to swap, where there are no more of them than resamples are asked for; otherwise random ones."""
    shape = differs.shape[0], differs.shape[1]
    if kind == "pairs":
        return Plan(True, kind, shape, n_resamples, seed)
    units = units_of(kind, differs)
    if units.size < 63 and 2**units.size <= n_resamples + 1:
        return Plan(True, kind, shape, 2**units.size, seed, units)
    return Plan(True, kind, shape, n_resamples, seed)


def check_kind(name: str, kind: str, allowed: dict[str, str]) -> str:
    """Check what is to be swapped or drawn."""
    if kind not in allowed:
        raise InputError(f"{name}: must be one of {', '.join(allowed)}, found {kind!r}")
    return kind
