"""Which schemes are there? What a permutation test may swap, and what a bootstrap may draw; one entry each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tiekit.counting.scores import IntArray
from tiekit.errors import InputError
from tiekit.seeds import bits

Which: TypeAlias = tuple[IntArray, IntArray, IntArray | None]
"""Numbers for rows, columns and, where they are drawn by themselves, cells; shape (draws, …), as in `Draws`."""


def multiplicities(rng: np.random.Generator, shape: tuple[int, int]) -> IntArray:
    """How often each of so many was drawn, with replacement, as many times as there are."""
    if shape[1] == 0:
        return np.zeros(shape, np.int64)
    chosen = rng.integers(0, shape[1], shape) + np.arange(shape[0])[:, None] * shape[1]
    return np.asarray(np.bincount(chosen.ravel(), minlength=shape[0] * shape[1]).reshape(shape), np.int64)


@dataclass(frozen=True, kw_only=True)
class Swap:
    """What a permutation test swaps between two metrics: a scheme says how to draw, and how to try everything.

    Attributes
    ----------
    name : str
        In code.
    label : str
        What is swapped, as a table says it.
    text : str
        What is swapped, in a sentence.
    caution : str
        Why its p-values say less than they seem to, so that they decide no clusters; empty where they do not.
    needs_systems : bool
        Whether it makes no sense for vectors.
    of_scores : bool
        Whether scores are swapped, or the outcomes of single pairs.
    """

    name: str
    label: str
    text: str
    caution: str = ""
    needs_systems: bool = False
    of_scores: bool = True

    def draw(self, rng: np.random.Generator, number: int, shape: tuple[int, int]) -> Which:
        """Swap at random, so many times."""
        raise NotImplementedError

    def units(self, differs: NDArray[np.bool_]) -> IntArray | None:  # noqa: ARG002
        """What can change something when it is swapped; None where not every way to swap can be tried."""
        return None

    def place(self, chosen: IntArray, units: IntArray, shape: tuple[int, int]) -> Which:
        """Swap exactly the units that are chosen (1, not 0), shape (draws, units)."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class LineSwap(Swap):
    """Whole rows (systems), whole columns (segments), or both; units are numbered through rows, then columns."""

    rows: bool = False
    columns: bool = False

    def draw(self, rng: np.random.Generator, number: int, shape: tuple[int, int]) -> Which:
        """Each line by itself with chance 1/2."""
        return _draw_lines(bits, (self.rows, self.columns), rng, number, shape)

    def units(self, differs: NDArray[np.bool_]) -> IntArray:
        """Lines in which the metrics differ; swapping all systems is swapping all segments."""
        rows: IntArray = np.flatnonzero(differs.any(axis=1))
        columns: IntArray = np.flatnonzero(differs.any(axis=0)) + differs.shape[0]
        if not self.columns:
            return rows
        return np.concatenate((rows[1:], columns)) if self.rows else columns

    def place(self, chosen: IntArray, units: IntArray, shape: tuple[int, int]) -> Which:
        """Rows and columns side by side."""
        both = np.zeros((len(chosen), sum(shape)), np.int64)
        both[:, units] = chosen
        return both[:, : shape[0]], both[:, shape[0] :], None


@dataclass(frozen=True, kw_only=True)
class CellSwap(Swap):
    """Every cell by itself; units are numbered through cells."""

    def draw(self, rng: np.random.Generator, number: int, shape: tuple[int, int]) -> Which:
        """Each cell with chance 1/2."""
        return self._of(bits(rng, (number, shape[0] * shape[1])), shape)

    def units(self, differs: NDArray[np.bool_]) -> IntArray:
        """Cells in which the metrics differ."""
        return np.flatnonzero(differs)

    def place(self, chosen: IntArray, units: IntArray, shape: tuple[int, int]) -> Which:
        """The chosen cells."""
        single = np.zeros((len(chosen), shape[0] * shape[1]), np.int64)
        single[:, units] = chosen
        return self._of(single, shape)

    def _of(self, single: IntArray, shape: tuple[int, int]) -> Which:
        rows, columns = (np.zeros((len(single), n), np.int64) for n in shape)
        return rows, columns, single


@dataclass(frozen=True, kw_only=True)
class Redraw:
    """What a bootstrap draws with replacement: rows (systems), columns (segments), or both."""

    name: str
    text: str
    rows: bool = False
    columns: bool = False

    def draw(self, rng: np.random.Generator, number: int, shape: tuple[int, int]) -> Which:
        """As many lines as there are."""
        return _draw_lines(multiplicities, (self.rows, self.columns), rng, number, shape)


def _draw_lines(
    draw: Callable[[np.random.Generator, tuple[int, int]], IntArray],
    which: tuple[bool, bool],
    rng: np.random.Generator,
    number: int,
    shape: tuple[int, int],
) -> Which:
    """Rows first, then columns; what is not drawn stays as it is."""
    still = 0 if draw is bits else 1
    rows, columns = (
        draw(rng, (number, n)) if drawn else np.full((number, n), still, np.int64)
        for drawn, n in zip(which, shape, strict=True)
    )
    return rows, columns, None


_SCHEMES: tuple[Swap, ...] = (
    LineSwap(
        name="segments",
        label="whole segments",
        text="all scores of a segment are swapped together",
        columns=True,
    ),
    CellSwap(
        name="cells",
        label="single scores",
        text="every single score is swapped by itself (Gao et al., Algorithm 1; WMT's PERM-BOTH)",
    ),
    LineSwap(
        name="systems",
        label="whole systems",
        text="all scores of a system are swapped together",
        rows=True,
        needs_systems=True,
    ),
    LineSwap(
        name="both",
        label="systems and segments",
        text="systems are swapped, then segments (nlpstats' and Deutsch et al.'s PERM-BOTH)",
        rows=True,
        columns=True,
        needs_systems=True,
    ),
    Swap(
        name="pairs",
        label="outcomes of pairs",
        text="outcomes of single pairs are swapped (WMT's test of calibrated accuracy); anti-conservative",
        caution="pairs share scores, so their outcomes are not independent: p-values are far too small",
        of_scores=False,
    ),
)

SWAPS: dict[str, Swap] = {scheme.name: scheme for scheme in _SCHEMES}
"""What a permutation test may swap between two metrics."""

RESAMPLES: dict[str, Redraw] = {
    scheme.name: scheme
    for scheme in (
        Redraw(name="segments", text="segments", columns=True),
        Redraw(name="systems", text="systems", rows=True),
        Redraw(name="both", text="systems and segments", rows=True, columns=True),
    )
}
"""What a bootstrap may draw with replacement."""


def check_kind(name: str, kind: str, allowed: Iterable[str]) -> str:
    """Check what is to be swapped or drawn."""
    if kind not in (names := list(allowed)):
        raise InputError(f"{name}: must be one of {', '.join(names)}, found {kind!r}")
    return kind


def check_swap(swap: str, n_dimensions: int) -> Swap:
    """Look up a scheme of swaps; some make no sense for vectors."""
    scheme = SWAPS[check_kind("swap", swap, SWAPS)]
    if n_dimensions == 1 and scheme.needs_systems:
        allowed = " or ".join(name for name, one in SWAPS.items() if one.of_scores and not one.needs_systems)
        raise InputError(f"swap: items of vectors have no systems, so it must be {allowed}, found {swap!r}")
    return scheme
