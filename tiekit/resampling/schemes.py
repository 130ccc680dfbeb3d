"""What may a permutation test swap, and what may a bootstrap resample? One entry per scheme."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tiekit.errors import InputError
from tiekit.scores import IntArray
from tiekit.seeds import bits

Which: TypeAlias = tuple[IntArray, IntArray, IntArray | None]
"""Numbers for rows, for columns and, where they are swapped by themselves, for cells; see `Draws`."""


def multiplicities(rng: np.random.Generator, shape: tuple[int, int]) -> IntArray:
    """Draw with replacement, as many as there are, and count how often each was drawn; shape (draws, number)."""
    if shape[1] == 0:
        return np.zeros(shape, np.int64)
    chosen = rng.integers(0, shape[1], shape) + np.arange(shape[0])[:, None] * shape[1]
    return np.asarray(np.bincount(chosen.ravel(), minlength=shape[0] * shape[1]).reshape(shape), np.int64)


@dataclass(frozen=True, kw_only=True)
class Swap:
    """What a permutation test swaps between two metrics: how to swap at random, and how to try every way.

    Attributes
    ----------
    name : str
        The name in calls.
    label : str
        What is swapped, in two or three words for tables.
    text : str
        What is swapped, in a sentence.
    caution : str
        Why its p-values are no evidence, so that they decide no clusters; empty where they are sound.
    needs_systems : bool
        Whether it is defined for matrices only.
    of_scores : bool
        Whether scores are swapped; otherwise the outcomes of single pairs are.
    needs_documents : bool
        Whether its columns are documents instead of segments, so that the document of each segment must be known.
    of_means : bool
        Whether the mean score of each system is swapped, so that measures must be made of these means.
    """

    name: str
    label: str
    text: str
    caution: str = ""
    needs_systems: bool = False
    of_scores: bool = True
    needs_documents: bool = False
    of_means: bool = False

    def draw(self, rng: np.random.Generator, number: int, shape: tuple[int, int]) -> Which:
        """Make a number of random swaps."""
        raise NotImplementedError

    def units(self, differs: NDArray[np.bool_]) -> IntArray | None:  # noqa: ARG002
        """Number what changes something when it is swapped; None where not every way to swap can be tried."""
        return None

    def place(self, chosen: IntArray, units: IntArray, shape: tuple[int, int]) -> Which:
        """Swap exactly the chosen units: 1 in an array of shape (draws, units)."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class LineSwap(Swap):
    """Whole rows (systems), whole columns (segments), or both; units are numbered through rows, then columns."""

    rows: bool = False
    columns: bool = False

    def draw(self, rng: np.random.Generator, number: int, shape: tuple[int, int]) -> Which:
        """Swap each line with probability 1/2."""
        return _draw_lines(bits, (self.rows, self.columns), rng, number, shape)

    def units(self, differs: NDArray[np.bool_]) -> IntArray:
        """Number the lines in which the metrics differ; swapping all systems is the same as swapping all segments."""
        rows: IntArray = np.flatnonzero(differs.any(axis=1))
        columns: IntArray = np.flatnonzero(differs.any(axis=0)) + differs.shape[0]
        if not self.columns:
            return rows
        return np.concatenate((rows[1:], columns)) if self.rows else columns

    def place(self, chosen: IntArray, units: IntArray, shape: tuple[int, int]) -> Which:
        """Swap the chosen rows and columns."""
        both = np.zeros((len(chosen), sum(shape)), np.int64)
        both[:, units] = chosen
        return both[:, : shape[0]], both[:, shape[0] :], None


@dataclass(frozen=True, kw_only=True)
class CellSwap(Swap):
    """Every cell by itself; units are numbered through cells."""

    def draw(self, rng: np.random.Generator, number: int, shape: tuple[int, int]) -> Which:
        """Swap each cell with probability 1/2."""
        return self._of(bits(rng, (number, shape[0] * shape[1])), shape)

    def units(self, differs: NDArray[np.bool_]) -> IntArray:
        """Number the cells in which the metrics differ."""
        return np.flatnonzero(differs)

    def place(self, chosen: IntArray, units: IntArray, shape: tuple[int, int]) -> Which:
        """Swap the chosen cells."""
        single = np.zeros((len(chosen), shape[0] * shape[1]), np.int64)
        single[:, units] = chosen
        return self._of(single, shape)

    def _of(self, single: IntArray, shape: tuple[int, int]) -> Which:
        rows, columns = (np.zeros((len(single), n), np.int64) for n in shape)
        return rows, columns, single


@dataclass(frozen=True, kw_only=True)
class Redraw:
    """What a bootstrap resamples with replacement: rows (systems), columns (segments or documents), or both."""

    name: str
    text: str
    rows: bool = False
    columns: bool = False
    needs_documents: bool = False
    of_means: ClassVar[bool] = False

    def draw(self, rng: np.random.Generator, number: int, shape: tuple[int, int]) -> Which:
        """Draw as many lines as there are."""
        return _draw_lines(multiplicities, (self.rows, self.columns), rng, number, shape)


def _draw_lines(
    draw: Callable[[np.random.Generator, tuple[int, int]], IntArray],
    which: tuple[bool, bool],
    rng: np.random.Generator,
    number: int,
    shape: tuple[int, int],
) -> Which:
    """Draw rows first, then columns; leave the others as they are."""
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
        name="system_means",
        label="means of systems",
        text="the mean scores of a system are swapped, standardized as means (WMT's test at system level)",
        rows=True,
        needs_systems=True,
        of_means=True,
    ),
    LineSwap(
        name="both",
        label="systems and segments",
        text="systems are swapped, then segments (nlpstats' and Deutsch et al.'s PERM-BOTH)",
        rows=True,
        columns=True,
        needs_systems=True,
    ),
    LineSwap(
        name="documents",
        label="whole documents",
        text="all scores of a document's segments are swapped together",
        columns=True,
        needs_documents=True,
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
        Redraw(name="documents", text="documents", columns=True, needs_documents=True),
    )
}
"""What a bootstrap may resample with replacement."""


def check_kind(name: str, kind: str, allowed: Iterable[str]) -> str:
    """Check that an argument is one of the allowed names."""
    if kind not in (names := list(allowed)):
        raise InputError(f"{name}: must be one of {', '.join(names)}, found {kind!r}")
    return kind


def check_swap(swap: str, n_dimensions: int) -> Swap:
    """Look up a scheme of swaps; refuse one that needs systems where there are none."""
    scheme = SWAPS[check_kind("swap", swap, SWAPS)]
    if n_dimensions == 1 and scheme.needs_systems:
        allowed = " or ".join(
            name for name, one in SWAPS.items() if one.of_scores and not (one.needs_systems or one.needs_documents)
        )
        raise InputError(f"swap: items of vectors have no systems, so it must be {allowed}, found {swap!r}")
    return scheme
