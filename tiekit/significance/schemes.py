"""What may a permutation test swap, and what may a bootstrap resample? One entry per scheme, and the one bootstrap.

A resample says how often each unit (segment, system, document, item of votes) was drawn. `draw_multiplicities` draws
it. What is a function of sums over units is found by `resample_sums`, from the sums of each unit; coefficients of
pairs are counted again by `tiekit.significance.bootstrap_interval`. `percentile_interval` makes an interval of the
values on the resamples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tiekit.base.errors import InputError
from tiekit.base.parallel import Progress
from tiekit.base.validation import FloatArray, IntArray, as_generator, bits, check_confidence, check_count
from tiekit.core.grouping import document_places
from tiekit.core.measure import Measure
from tiekit.sets.arguments import Human, documents_of

Ends: TypeAlias = tuple[float, float]
"""The lower and the upper end of an interval."""

Draw: TypeAlias = Callable[[np.random.Generator, tuple[int, int]], IntArray]
"""How often each unit was drawn, shape (resamples, units), from a generator and that shape."""

NUMBERS_AT_ONCE = 2_000_000
"""Maximum number of multiplicities that are drawn in one go."""

Sizes: TypeAlias = Sequence[int]
"""How many resamples are made at a time."""


def draw_multiplicities(rng: np.random.Generator, shape: tuple[int, int]) -> IntArray:
    """Draw as many units as there are with replacement; return how often each was drawn, shape (resamples, units)."""
    if shape[1] == 0:
        return np.zeros(shape, np.int64)
    drawn = rng.integers(0, shape[1], shape) + np.arange(shape[0])[:, None] * shape[1]
    return np.asarray(np.bincount(drawn.ravel(), minlength=shape[0] * shape[1]).reshape(shape), np.int64)


def draw_rows(rng: np.random.Generator, sizes: Sizes, n_units: int) -> Iterator[IntArray]:
    """Yield what `draw_multiplicities` draws, so many resamples at a time; where these are many numbers, in 16 bits."""
    for size in sizes:
        if size * n_units <= NUMBERS_AT_ONCE:
            yield draw_multiplicities(rng, (size, n_units))
        else:
            yield np.array([draw_multiplicities(rng, (1, n_units))[0].astype(np.uint16) for _ in range(size)])


def draw_multinomial(rng: np.random.Generator, shape: tuple[int, int]) -> IntArray:
    """Draw from the same distribution other numbers than `draw_multiplicities`: those of seeds of `classify`."""
    if shape[1] == 0:
        return np.zeros(shape, np.int64)
    return np.asarray(rng.multinomial(shape[1], np.full(shape[1], 1 / shape[1]), size=shape[0]), np.int64)


def resample_sums(
    sums: NDArray[Any],
    n_resamples: int,
    rng: np.random.Generator | int | None = None,
    *,
    draw: Draw = draw_multiplicities,
    progress: Progress | None = None,
) -> NDArray[Any]:
    """Sum over resampled units; ``sums`` holds those of each unit, shape (units, …). Returns shape (resamples, …).

    One seed gives the same resamples of as many units, whatever is summed: two statistics are compared on the same.
    """
    number, generator, n_units = check_count("n_resamples", n_resamples), as_generator(rng), len(sums)
    by_unit = sums.reshape(n_units, int(np.prod(sums.shape[1:])))
    whole = np.issubdtype(sums.dtype, np.integer)
    # products of floats are compiled; whole numbers are exact in them, too, as no sum comes near their 2**53
    factor = by_unit.astype(np.float64) if whole else by_unit
    parts = [drawn @ factor for drawn in draw_some(n_units, number, generator, draw=draw, progress=progress)]
    return np.concatenate(parts).astype(sums.dtype).reshape(number, *sums.shape[1:])


def draw_some(
    n_units: int,
    number: int,
    generator: np.random.Generator,
    *,
    draw: Draw = draw_multiplicities,
    progress: Progress | None = None,
) -> Iterator[IntArray]:
    """Draw resamples, so many at a time that they take little memory; tell the share after each."""
    step = max(1, NUMBERS_AT_ONCE // max(n_units, 1))
    for first in range(0, number, step):
        yield draw(generator, (min(step, number - first), n_units))
        if progress is not None:
            progress(min(first + step, number) / number)


def percentile_interval(samples: FloatArray, confidence: float) -> Ends:
    """Return percentiles of the resamples on which a value is defined, so that a share lies between; NaN for none."""
    check_confidence(confidence)
    defined, tail = samples[~np.isnan(samples)], (1 - confidence) / 2
    low, high = np.quantile(defined, (tail, 1 - tail)).tolist() if defined.size else (float("nan"),) * 2
    return low, high


Which: TypeAlias = tuple[NDArray[Any], NDArray[Any], NDArray[Any] | None]
"""Whole numbers, of few bits where they are many, for rows, columns and, where swapped by themselves, cells: `Draws`.
"""


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

    def draw(self, rng: np.random.Generator, sizes: Sizes, shape: tuple[int, int]) -> Iterator[Which]:
        """Make random swaps, so many at a time; they do not depend on how many these are."""
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

    def draw(self, rng: np.random.Generator, sizes: Sizes, shape: tuple[int, int]) -> Iterator[Which]:
        """Swap each line with probability 1/2."""
        return _draw_lines(bits, (self.rows, self.columns), rng, sizes, shape)

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

    def draw(self, rng: np.random.Generator, sizes: Sizes, shape: tuple[int, int]) -> Iterator[Which]:
        """Swap each cell with probability 1/2."""
        return (self._of(single, shape) for single in bits(rng, sizes, shape[0] * shape[1]))

    def units(self, differs: NDArray[np.bool_]) -> IntArray:
        """Number the cells in which the metrics differ."""
        return np.flatnonzero(differs)

    def place(self, chosen: IntArray, units: IntArray, shape: tuple[int, int]) -> Which:
        """Swap the chosen cells."""
        single = np.zeros((len(chosen), shape[0] * shape[1]), np.int64)
        single[:, units] = chosen
        return self._of(single, shape)

    def _of(self, single: NDArray[Any], shape: tuple[int, int]) -> Which:
        rows, columns = (np.zeros((len(single), n), single.dtype) for n in shape)
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

    def draw(self, rng: np.random.Generator, sizes: Sizes, shape: tuple[int, int]) -> Iterator[Which]:
        """Draw as many lines as there are, so many times at a time."""
        return _draw_lines(draw_rows, (self.rows, self.columns), rng, sizes, shape)


def _draw_lines(
    draw: Callable[[np.random.Generator, Sizes, int], Iterator[NDArray[Any]]],
    which: tuple[bool, bool],
    rng: np.random.Generator,
    sizes: Sizes,
    shape: tuple[int, int],
) -> Iterator[Which]:
    """Draw all rows first, then columns, so many at a time; leave the others as they are."""
    still, first = (np.zeros, 0) if draw is bits else (np.ones, 0)
    rows = next(draw(rng, [sum(sizes)], shape[0])) if which[0] else still((sum(sizes), shape[0]), np.uint8)
    drawn = draw(rng, sizes, shape[1]) if which[1] else (still((size, shape[1]), np.uint8) for size in sizes)
    for columns in drawn:
        yield rows[first : first + len(columns)], columns, None
        first += len(columns)


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


DRAWS_A_PART = 64
"""Number of resamples that are made from one seed, and counted together."""

DRAWS_OF_LARGE, LARGE = 16, 250_000
"""Number of resamples that are counted together of more cells than that: as many as are counted side by side."""


def draws_at_once(n_cells: int) -> int:
    """So many resamples of a set are made together that they take little memory."""
    return DRAWS_A_PART if n_cells <= LARGE else DRAWS_OF_LARGE


@dataclass(frozen=True)
class Draws:
    """Some resamples: how often each line was drawn or, where scores are swapped, whether (0 or 1)."""

    swap: bool
    rows: IntArray  # shape (draws, systems)
    columns: IntArray  # shape (draws, segments)
    single: IntArray | None = None  # shape (draws, systems · segments), where cells are swapped by themselves
    whole_documents: bool = False  # whether all segments of a document are swapped or drawn together

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, which: IntArray) -> Draws:
        """Return some of these resamples."""
        single = None if self.single is None else self.single[which]
        return Draws(self.swap, self.rows[which], self.columns[which], single, self.whole_documents)

    @property
    def cells(self) -> IntArray:
        """One number per cell, shape (draws, systems · segments)."""
        return self.cell_multiplicities("global")

    def cell_multiplicities(self, grouping: str) -> IntArray:
        """Return one number per cell within its group; by item, a segment that is drawn twice makes two groups."""
        if self.single is not None:
            return self.single
        rows, columns = self.rows[:, :, None], self.columns[:, None, :]
        if not self.swap and grouping == "item":
            columns = np.ones_like(columns)
        if not self.swap and grouping in ("system", "system_means"):
            rows = np.ones_like(rows)
        return (rows ^ columns if self.swap else rows * columns).reshape(len(self), -1)

    def group_multiplicities(self, grouping: str) -> IntArray | None:
        """Return how often each group occurs, shape (draws, groups); None where each occurs once."""
        if self.swap:
            return None
        return {"item": self.columns, "system": self.rows}.get(grouping)


@dataclass(frozen=True)
class Plan:
    """How resamples are made, part by part; they do not depend on which worker makes them."""

    swap: bool
    kind: str  # a name of `SWAPS` or `RESAMPLES`
    shape: tuple[int, int]  # systems, segments
    size: int  # number of resamples
    seed: int
    units: IntArray | None = None  # what to swap in every possible way, see `Swap.units`; None: swaps are random
    documents: IntArray | None = None  # the number of each segment's document, where these take the place of segments

    @property
    def exact(self) -> bool:
        """Whether every possible way to swap is tried."""
        return self.units is not None

    @property
    def parts(self) -> list[int]:
        """Numbers of the parts."""
        return list(range(-(-self.size // DRAWS_A_PART)))

    def number(self, part: int) -> int:
        """The number of resamples of one part."""
        return min(DRAWS_A_PART, self.size - part * DRAWS_A_PART)

    def draws(self, part: int) -> Draws:
        """Make the resamples of one part."""
        return next(self.blocks(part, DRAWS_A_PART))

    def blocks(self, part: int, step: int | None = None) -> Iterator[Draws]:
        """Make the resamples of one part, so many at a time; None: so many that they take little memory."""
        if step is None:
            step = draws_at_once(self.shape[0] * self.shape[1])
        first, last = part * DRAWS_A_PART, part * DRAWS_A_PART + self.number(part)
        sizes = [min(step, last - number) for number in range(first, last, step)]
        if self.units is not None:
            ways = np.split(np.arange(first, last), np.cumsum(sizes)[:-1])
            chosen = (some[:, None] >> np.arange(self.units.size) & 1 for some in ways)
            scheme = SWAPS[self.kind]
            return (self._spread(scheme.place(some, self.units, self._drawn_shape)) for some in chosen)
        rng = np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(part,)))
        drawn = (SWAPS if self.swap else RESAMPLES)[self.kind].draw(rng, sizes, self._drawn_shape)
        return (self._spread(which) for which in drawn)

    @property
    def _drawn_shape(self) -> tuple[int, int]:
        """Systems, and segments or documents."""
        if self.documents is None:
            return self.shape
        return self.shape[0], int(self.documents.max(initial=-1)) + 1

    def _spread(self, which: Which) -> Draws:
        """Give each segment the number of its document."""
        rows, columns, single = which
        if self.documents is None:
            return Draws(self.swap, rows, columns, single)
        return Draws(self.swap, rows, columns[:, self.documents], single, whole_documents=True)


def plan_swaps(
    kind: str, differs: NDArray[np.bool_], n_resamples: int, seed: int, documents: IntArray | None = None
) -> Plan:
    """Plan all ways to swap where there are at most `n_resamples` + 1 of them; otherwise random ones."""
    shape = differs.shape[0], differs.shape[1]
    if documents is not None:
        numbers = range(int(documents.max(initial=-1)) + 1)
        whole = [differs[:, documents == number].any(axis=1) for number in numbers]
        differs = np.array(whole, np.bool_).reshape(len(numbers), shape[0]).T
    units = SWAPS[kind].units(differs)
    if units is not None and units.size < 63 and 2**units.size <= n_resamples + 1:
        return Plan(True, kind, shape, 2**units.size, seed, units, documents)
    return Plan(True, kind, shape, n_resamples, seed, documents=documents)


def name_documents(data: Human, documents: Sequence[str] | None, n_segments: int) -> tuple[str, ...] | None:
    """Name the document of each segment: those that are given, or those of the set; None where neither has any."""
    given = documents_of(data) if documents is None else documents
    if isinstance(given, str) or not (given is None or np.ndim(given) == 1):
        raise InputError(f"documents: must be a sequence of names, one per segment, found {given!r}")
    if given is None:
        return None
    if len(given) != n_segments:
        raise InputError(f"documents: must have one name for each of the {n_segments} segments, found {len(given)}")
    return tuple(map(str, given))


def number_documents(scheme: Swap | Redraw, names: tuple[str, ...] | None) -> IntArray | None:
    """Number the documents in the order of their first segments, shape (segments,); None where none are needed."""
    if not scheme.needs_documents:
        return None
    if names is None:
        raise InputError(
            f"documents: {scheme.name!r} needs the document of each segment; give an EvalSet that has them, or names"
        )
    return document_places(names, len(names))[0]


def usual_swap(measure: Measure) -> str:
    """The name of the scheme that suits a measure: means are swapped whole, as is what a measure compares at WMT."""
    if measure.of_means:
        return "system_means"
    return {"system_means": "cells", "document_means": "documents"}.get(measure.grouping, "segments")


def check_means(argument: str, scheme: Swap | Redraw, measures: Iterable[Measure]) -> None:
    """Check that means stay whole: a scheme of other cells would change them, and one of means has nothing else."""
    if scheme.of_means and (other := [measure.name for measure in measures if not measure.of_means]):
        raise InputError(
            f"{argument}: {scheme.name!r} is for measures that are made of one mean score per system, found {other[0]}"
        )
    if not scheme.needs_documents and any(measure.grouping == "document_means" for measure in measures):
        raise InputError(
            f"{argument}: by document_means whole documents are resampled, so it must be 'documents', "
            f"found {scheme.name!r}"
        )
