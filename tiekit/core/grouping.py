"""Which pairs are compared: groupings, documents, systems' means, and scores on one scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tiekit.base.errors import InputError
from tiekit.base.validation import FloatArray, IntArray, check_pair, check_tie_human
from tiekit.core.pairs import SortedScores, sort_scores, text_numbers


def unit_scale(scores: FloatArray) -> tuple[FloatArray, IntArray]:
    """Rows (the last axis) divided by 2 to the power of an exponent: exactly, and so that no difference overflows."""
    largest = np.abs(scores).max(axis=-1, keepdims=True, initial=0.0)
    exponent = np.frexp(largest)[1].astype(np.int64) + 1
    return np.ldexp(scores, -exponent), exponent


def center(scores: FloatArray) -> tuple[FloatArray, IntArray]:
    """Differences from the mean of each row (the last axis), in units of 2 to the power of each row's exponent.

    The first score is subtracted before anything is added up, so that no offset costs digits. A row that is constant
    is exactly 0.
    """
    scaled, exponent = unit_scale(scores)
    from_first = scaled - scaled[..., :1]
    return from_first - from_first.mean(axis=-1, keepdims=True), exponent


def spread_of(scores: FloatArray, used: Any) -> float:
    """The standard deviation over the cells ``used``; infinite for a constant, of which no share is a threshold.

    One that is too small for float64 is the smallest number, as 0 would mean a constant.
    """
    values = scores[used]
    if not values.size:
        return float("inf")
    centered, exponent = center(values.ravel())
    if not centered.any():
        return float("inf")
    return max(float(np.ldexp(np.sqrt(np.square(centered).mean()), exponent[0])), math.ulp(0.0))


def standardize(scores: FloatArray, used: Any) -> FloatArray:
    """Scores with mean 0 and standard deviation 1 over the cells ``used``, NaN elsewhere; a constant is 0."""
    standard = np.full_like(scores, np.nan)
    values = scores[used]
    if values.size:
        inside, _ = unit_scale(values)  # no difference overflows, and none is lost
        from_middle = inside - (inside[0] / 2 + inside[-1] / 2)
        largest = np.abs(from_middle).max()
        scaled = from_middle / (largest or 1.0)
        standard[used] = (scaled - scaled.mean()) / scaled.std() if largest else 0.0
    return standard


SAME = 1e-11
"""Means that lie closer than this share of the scores' standard deviation are equal."""


def tolerance_of(scores: FloatArray, scored: NDArray[np.bool_]) -> float:
    """How close means of these scores are equal; infinite where the scores are constant."""
    return SAME * spread_of(scores, scored)


def row_means(scores: FloatArray, scored: NDArray[np.bool_]) -> FloatArray:
    """Mean of each row's scored cells, near-equal ones made equal; NaN for a row without one.

    Each is of the exact sum, so that the order of segments does not matter.
    """
    return merge_near_equal(exact_means(scores, scored), tolerance_of(scores, scored))


def exact_means(scores: FloatArray, scored: NDArray[np.bool_]) -> FloatArray:
    """Mean of each row's scored cells, of their exact sum; NaN for a row without one."""
    return np.array([_mean(row[cells].tolist()) for row, cells in zip(scores, scored, strict=True)], np.float64)


def _mean(values: list[float]) -> float:
    """The mean of some scores, also where their sum is more than float64 holds; NaN where there is none."""
    try:
        return math.fsum(values) / len(values) if values else float("nan")
    except OverflowError:
        return float(sum(map(Fraction, values)) / len(values))


def merge_near_equal(values: FloatArray, tolerance: float) -> FloatArray:
    """Values of which those of a row that lie within the tolerance of the next smaller one are made equal to it."""
    from tiekit.core import _kernels

    equal = np.array(values, np.float64, order="C")  # so that rows are views
    for row in equal.reshape(-1, max(equal.shape[-1], 1)):
        known = ~np.isnan(row)
        row[known] = _kernels.merge_near_equal(row[known], tolerance)
    return equal


def smallest_of_each(differences: FloatArray, tolerance: float) -> FloatArray:
    """Differences in ascending order, each replaced by the smallest of those that no threshold tells apart."""
    if not tolerance or not differences.size:
        return differences
    begins = np.append(0, np.flatnonzero(differences[1:] > differences[:-1] + tolerance) + 1)  # told apart in any case
    ends = np.append(begins[1:], differences.size)
    merged = np.repeat(differences[begins], ends - begins)
    wide = differences[ends - 1] > differences[begins] + tolerance
    for first, end in zip(begins[wide].tolist(), ends[wide].tolist(), strict=True):
        while first < end:
            last = first + int(np.searchsorted(differences[first:end], differences[first] + tolerance, "right"))
            merged[first:last] = differences[first]
            first = last
    return merged


def check_documents(documents: Sequence[str], n_segments: int) -> list[str]:
    """Check the names of the segments' documents."""
    is_row = np.ndim(documents) == 1 if hasattr(documents, "ndim") else _is_row(documents)
    if not is_row:
        raise InputError(f"documents: must be a sequence of names, one per segment, found {documents!r}")
    if len(documents) != n_segments:
        raise InputError(f"documents: must have one name for each of the {n_segments} segments, found {len(documents)}")
    return [str(name) for name in documents]


def _is_row(documents: object) -> bool:
    """Whether these are names one after the other; an array of them would take as much for each as for the longest."""
    if isinstance(documents, str) or not isinstance(documents, Sequence):
        return False
    return not any(isinstance(name, (list, tuple, np.ndarray)) for name in documents)


def document_places(documents: Sequence[str], n_segments: int) -> tuple[IntArray, int]:
    """The number of each segment's document, in the order in which they first occur, and how many there are."""
    places: dict[str, int] = {}
    codes = [places.setdefault(name, len(places)) for name in check_documents(documents, n_segments)]
    return np.array(codes, np.int64), len(places)


def document_means(scores: FloatArray, scored: NDArray[np.bool_], place: IntArray, n: int) -> FloatArray:
    """Mean of each system's scored cells in each of n documents, shape (systems, n); NaN where there is none.

    Means of one document that differ by rounding alone are equal, see `tiekit.core.grouping`.
    """
    means, order = np.empty((n, scores.shape[0])), np.argsort(place, kind="stable")
    for row, known in enumerate(scored[:, order]):
        values = scores[row, order[known]].tolist()
        ends = np.cumsum(np.bincount(place[order[known]], minlength=n)).tolist()
        means[:, row] = [_mean(values[first:end]) for first, end in pairwise([0, *ends])]
    return merge_near_equal(means, tolerance_of(scores, scored)).T


GROUPINGS = {
    "global": "all translations with each other",
    "item": "the systems' translations of one segment",
    "system": "one system's translations of all segments",
    "system_means": "the systems, each by its mean score",
}
"""The groupings of any matrix and what each compares."""

DOCUMENT_GROUPINGS = {
    "document": "all translations of one document's segments",
    "document_means": "the systems' mean scores in one document",
}
"""The groupings of scores whose segments have documents: an evaluation set's, or arrays given with ``documents=``."""

PAPER_NAMES = {
    "Deutsch et al. 2023": ("no-grouping", "group-by-item", "group-by-system", "system-level"),
    "Perrella et al. 2024": ("No Grouping", "Segment Grouping", "System Grouping", "system level"),
    "Gao et al. 2024": ("global level", "input level", "item level", "system level"),
}
"""What papers call the groupings, in the order of `GROUPINGS`; Gao's item level is not group-by-item."""

ALIASES = {
    "none": "global",
    "no-grouping": "global",
    "global-level": "global",
    "segment-grouping": "item",
    "group-by-item": "item",
    "input": "item",
    "input-level": "item",
    "group-by-system": "system",
    "system-grouping": "system",
    "system-level": "system_means",
    "system-means": "system_means",
    "group-by-document": "document",
    "document-grouping": "document",
    "document-means": "document_means",
    "document-level": "document_means",
}
"""Other names of the groupings, the papers' among them; blanks and hyphens are alike, and so is case."""

AMBIGUOUS = {
    "item-level": "Gao et al. (2024) call item level what is 'system' here; say 'system' or 'item'",
    "segment": "segment level has been 'global' and 'item' at WMT; say 'item' or 'global'",
}
AMBIGUOUS["segment-level"] = AMBIGUOUS["segment"]
"""Names that mean different groupings in different papers."""


@dataclass(frozen=True)
class Grouped:
    """Scores in groups of at least two scored cells, ready to be counted.

    ``index`` says which segment, system or document each group is; ``n_possible`` counts the groups before those with
    fewer than two scored cells were left out, ``n_missing`` the cells without a score. ``grouping`` may be
    ``"vector"``.
    """

    grouping: str
    scores: SortedScores
    index: IntArray
    n_possible: int
    n_missing: int

    @property
    def sizes(self) -> IntArray:
        """Scored cells of each group."""
        return np.diff(self.scores.starts)

    @property
    def n_pairs(self) -> int:
        """Pairs that are compared, of all groups together."""
        return int((self.sizes * (self.sizes - 1) // 2).sum())

    def spread(self, values: FloatArray) -> FloatArray:
        """Values of the groups at the places of their segments or systems, NaN elsewhere."""
        spread = np.full(self.n_possible, np.nan)
        spread[self.index] = values
        return spread


DEFAULT_GROUPING = "item"
"""The grouping of matrices where none is named, here, in every function, command and page."""


def resolve_grouping(grouping: str | None, n_dimensions: int, *, documents: bool = False) -> str:
    """Name the grouping: None is `DEFAULT_GROUPING` for matrices; vectors are one group, `global` by name.

    A grouping by document is refused unless the caller says that it knows the segments' documents.
    """
    name = DEFAULT_GROUPING if grouping is None else find_grouping(grouping)
    if n_dimensions == 1:
        if grouping is not None and name != "global":
            raise InputError(f"grouping: vectors are one group, so it must be None or 'global', found {grouping!r}")
        return "vector"
    if name in DOCUMENT_GROUPINGS and not documents:
        where = "correlate, calibrate, leaderboard, evaluate_measures, sentinels and tests of significance"
        raise InputError(
            f"grouping: {name!r} needs the documents of the segments; {where} take an EvalSet that has some, or names"
        )
    return name


def find_grouping(grouping: str) -> str:
    """A name of `GROUPINGS`, from one of the papers' names too."""
    spelled = str(grouping).strip().casefold().replace(" ", "-").replace("_", "-")
    if spelled in AMBIGUOUS:
        raise InputError(f"grouping: {AMBIGUOUS[spelled]}, found {grouping!r}")
    name = ALIASES.get(spelled, spelled)
    if name not in GROUPINGS and name not in DOCUMENT_GROUPINGS:
        listed = ", ".join((*GROUPINGS, *DOCUMENT_GROUPINGS))
        raise InputError(f"grouping: must be one of {listed} or None, found {grouping!r}")
    return name


def group(
    human: ArrayLike, metric: ArrayLike, grouping: str | None = None, documents: Sequence[str] | None = None
) -> Grouped:
    """Put scores into groups.

    Parameters
    ----------
    human, metric : array_like, shape (n,) or (systems, segments)
        NaN is a missing score; such cells are left out. A system's mean is over its cells with both scores; means
        that differ by rounding alone are equal, see `tiekit.core.grouping`.
    grouping : str or None
        A name of `GROUPINGS` or `DOCUMENT_GROUPINGS`, or what a paper calls it; None is item for matrices, one group
        for vectors.
    documents : sequence of str, optional
        The document of every segment; a grouping by document needs it.

    Returns
    -------
    Grouped

    Raises
    ------
    InputError
        For an unknown grouping, one named for vectors, and for what `count_pairs` refuses.

    Examples
    --------
    >>> group([[1, 2, 3], [4, 5, 6]], [[2, 1, 4], [3, 3, 7]], "item").sizes
    array([2, 2, 2])
    """
    return group_checked(*check_pair(human, metric), grouping, documents)


def group_checked(
    h: FloatArray,
    m: FloatArray,
    grouping: str | None = None,
    documents: Sequence[str] | None = None,
    identical: IntArray | None = None,
    tie_human: bool = False,
) -> Grouped:
    """Put checked scores into groups, see `group`; pairs of ``identical`` texts, see `check_identical`, are ties."""
    check_tie_human(tie_human, identical)
    name = resolve_grouping(grouping, h.ndim, documents=documents is not None)
    if identical is not None:
        check_no_means(name)
    scored = ~(np.isnan(h) | np.isnan(m))
    n_missing, tolerance = int(h.size - scored.sum()), 0.0
    if name == "system_means":
        tolerance = tolerance_of(m, scored)
        h, m = row_means(h, scored), row_means(m, scored)
        scored = ~np.isnan(h)
    if name == "document_means":
        assert documents is not None
        tolerance = tolerance_of(m, scored)
        places = document_places(documents, h.shape[1])
        h, m = document_means(h, scored, *places), document_means(m, scored, *places)
        scored = ~np.isnan(h)
    rows, columns = np.nonzero(np.atleast_2d(scored))
    found, n_possible = owners(name, (rows, columns), h.shape, documents)
    owner = found.astype(np.int32)
    del rows, columns, found
    size = np.bincount(owner, minlength=n_possible)
    index, cells = np.flatnonzero(size >= 2), None
    if index.size < n_possible:
        kept = (size >= 2)[owner]
        owner = (np.cumsum(size >= 2, dtype=np.int32) - 1)[owner[kept]]
        cells = np.flatnonzero(scored)[kept]
    elif not scored.all():
        cells = np.flatnonzero(scored)
    h, m = (side.ravel() if cells is None else side.ravel()[cells] for side in (h, m))
    text = None
    if identical is not None and name != "system":  # by system, no two cells of a group are of one segment
        text = text_numbers(identical).ravel()
        text = text if cells is None else text[cells]
    del cells
    scores = sort_scores(h, m, owner, tolerance, text, tie_human)
    return Grouped(name, scores, index, n_possible, n_missing)


def check_no_means(grouping: str) -> None:
    """Refuse to tie identical texts where means are compared."""
    if grouping in ("system_means", "document_means"):
        raise InputError(
            f"identical: {grouping} compares means of scores, which have no texts; choose another grouping"
        )


def owners(
    grouping: str, cells: tuple[IntArray, IntArray], shape: tuple[int, ...], documents: Sequence[str] | None
) -> tuple[IntArray, int]:
    """Return the number of the group that each cell (rows, columns) belongs to, and how many groups there are."""
    rows, columns = cells
    if grouping == "document":
        assert documents is not None
        place, number = document_places(documents, shape[1])
        return place[columns], number
    if grouping in ("item", "document_means"):
        return columns, shape[1]
    return (rows, shape[0]) if grouping == "system" else (np.zeros_like(rows), 1)
