"""How do rows become matrices? Every row names a system and a segment, in any order; some cells come several times."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, repeat
from operator import eq, ne
from typing import Any, Literal, TypeAlias, cast, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tiekit.base.errors import InputError, ReadError, RoleWarning, quote, warn
from tiekit.base.names import are_nameless, count_different, fold, normal_form
from tiekit.base.validation import FloatArray, IntArray
from tiekit.readers._columns import Table, Texts
from tiekit.readers._numbers import AT_ONCE
from tiekit.readers._odd_scores import ask_codes
from tiekit.readers._source import TextFile
from tiekit.sets.alignment import ORDERS_DIFFER
from tiekit.sets.evalset import SINGLE_SYSTEM, EvalSet
from tiekit.sets.labels import NUMBERED
from tiekit.sets.same_texts import text_key

Aggregate: TypeAlias = Literal["error", "mean", "median", "sum"]

FILL_DOWN = (
    "; if a name is that of the rows below it, too, as in merged cells, fill its column and pass the DataFrame: "
    "frame[COLUMN] = frame[COLUMN].ffill()"
)
"""What to do where names stand only in the first of several rows."""

KEEP_ONE = (
    'pass aggregate="mean" if each row is a rating, or aggregate="sum" if each row is an error; or keep one of the two'
)

MAX_CELLS = 20_000_000
"""Maximum number of scores that files may lay out."""

SPARSEST = 100
"""Maximum number of cells for one score of a file, where they are more than a million."""

MAX_EMPTY = 5_000_000
"""Maximum number of cells without a score, which take eight bytes each, whatever the file's size."""


@dataclass(frozen=True, eq=False)
class Cells:
    """Where each row of a file belongs: the place in flat matrices of systems × segments.

    Systems and segments are in the order in which they first occur; ``orders_differ`` says whether those of some system
    stand in another one.
    """

    path: str
    systems: tuple[str, ...]
    segments: tuple[str, ...]
    places: IntArray
    aggregate: Aggregate = "error"
    orders_differ: bool = False

    @property
    def rows(self) -> IntArray:
        """The system of each row of the file."""
        return self.places // len(self.segments)

    @property
    def columns(self) -> IntArray:
        """The segment of each row of the file."""
        return self.places % len(self.segments)

    @property
    def raters(self) -> IntArray:
        """The number of rows of each cell, counted at each call: a set of many cells keeps none of them."""
        return np.bincount(self.places, minlength=self._size).reshape(len(self.systems), len(self.segments))

    @property
    def _size(self) -> int:
        return len(self.systems) * len(self.segments)

    def matrix(self, scores: FloatArray, name: str = "") -> FloatArray:
        """Scores of the file's rows as (systems, segments), read-only; what is missing is NaN, and in no average.

        Of scores with a ``name``, what seems to stand for a missing one is asked about before it is in an average.
        """
        if name and self.aggregate != "error" and int(self.raters.max(initial=0)) > 1:
            ask_codes(self.path, {name: scores}, self.aggregate)
        known, flat, values = ~np.isnan(scores), self.places, scores
        if not known.all():
            flat, values = flat[known], scores[known]
        whole = np.full((len(self.systems), len(self.segments)), np.nan)
        found = whole.reshape(-1)
        if self.aggregate == "median":
            order = np.lexsort((values, flat))
            places, starts = np.unique(flat[order], return_index=True)
            parts = np.split(values[order], starts[1:]) if places.size else []
            found[places] = [np.median(part) for part in parts]
        elif self.aggregate in ("mean", "sum"):
            number = np.bincount(flat, minlength=self._size)
            total = np.bincount(flat, weights=values, minlength=self._size)
            np.divide(total, number if self.aggregate == "mean" else 1, out=found, where=number > 0)
        if self.aggregate == "mean":
            low, high = np.full(self._size, np.inf), np.full(self._size, -np.inf)
            np.minimum.at(low, flat, values)
            np.maximum.at(high, flat, values)
            found[low == high] = low[low == high]  # the mean of equal scores is that score, to the last digit
        elif self.aggregate == "error":
            found[flat] = values
        whole += 0.0  # -0.0 becomes 0.0
        whole.flags.writeable = False  # a set keeps it as it is
        return whole

    def with_raters(self, name: str, scores: FloatArray, raters: Sequence[str] = ()) -> dict[str, FloatArray]:
        """Scores as one matrix, and those of each rater as one more, named after both; no raters make none."""
        check_size(self.path, (len(self.systems), len(self.segments)), self.places.size, 1 + len(set(raters)))
        of_rater = np.array(raters)
        found = {name: self.matrix(scores, name)}
        for rater in dict.fromkeys(raters):
            found[f"{name}-{rater}"] = self.matrix(np.where(of_rater == rater, scores, np.nan))
        return found

    def part(self, rows: IntArray, lines: Sequence[int], advice: Callable[[], str] | None = None) -> Cells:
        """Some rows of the file, in matrices of the same cells; ``advice`` is for one that repeats."""
        cells = replace(self, places=self.places[rows])
        if self.aggregate == "error":
            _refuse_repeated(cells, lines, advice)
        return cells

    def scores_per_cell(self, scores: FloatArray) -> IntArray:
        """How many scores each cell has."""
        counts = np.bincount(self.places[~np.isnan(scores)], minlength=self._size)
        return counts.reshape(len(self.systems), len(self.segments))

    def evalset(
        self,
        file: TextFile | Table,
        human: Mapping[str, FloatArray],
        metrics: Mapping[str, FloatArray],
        *,
        name: str | None = None,
        pair: str = "",
        notes: tuple[str, ...] = (),
        **known: Any,
    ) -> EvalSet:
        """The set of these cells; None names it after the file."""
        notes += (ORDERS_DIFFER,) * self.orders_differ
        name = file.stem if name is None else name
        return EvalSet(
            name, pair, self.systems, self.segments, human, metrics, digest=file.digest, notes=notes, **known
        )

    def labels(self, labels: Sequence[str], lines: Sequence[int], what: str) -> tuple[str, ...]:
        """The label of each segment, which must be the same in all its rows."""
        codes, names = number_labels(labels)
        found = np.zeros(len(self.segments), np.int64)
        columns = self.columns
        found[columns[::-1]] = codes[::-1]  # that of the first row
        if (differs := found[columns] != codes).any():
            row = int(np.argmax(differs))
            label, first = names[codes[row]], names[found[columns[row]]]
            problem = f"found {quote(label)} in {what}, but {quote(first)} for the same segment before"
            raise ReadError(self.path, f"{problem}; expected one label for each segment", line=lines[row])
        return tuple(names[code] for code in found.tolist())

    def sources(self, texts: Sequence[str], lines: Sequence[int]) -> tuple[str, ...]:
        """The source of each segment, which is the same in all its rows that have one; none where no row has one."""
        found: dict[int, tuple[int, str]] = {}
        for line, segment, text in zip(lines, self.columns.tolist(), texts, strict=False):
            first, source = found.setdefault(segment, (line, text)) if text else (line, text)
            if source != text and text_key(source) != text_key(text):
                problem = f"found another source for segment {quote(self.segments[segment])} than in line {first}"
                raise ReadError(
                    self.path, f"{problem}; score all systems on the same segments, in the same order", line=line
                )
        return tuple(found.get(segment, (0, ""))[1] for segment in range(len(self.segments))) if found else ()

    def outputs(self, texts: Sequence[str], *, complete: bool = False) -> dict[str, tuple[str, ...]]:
        """The outputs of each system that has any, empty where no row has one; of several rows the last counts.

        ``complete`` are those of every system, and of none where a cell has no row, or several.
        """
        if not texts or (complete and not (self.raters == 1).all()):
            return {}
        whole = np.full(self._size, "", object)
        whole[self.places] = np.fromiter(texts, object, len(texts))
        each = map(tuple, whole.reshape(len(self.systems), len(self.segments)).tolist())
        return {name: found for name, found in zip(self.systems, each, strict=True) if complete or any(found)}


def lay_out(
    path: str,
    systems: Sequence[str],
    segments: Sequence[str],
    lines: Sequence[int],
    *,
    aggregate: Aggregate = "error",
    columns: int = 1,
    named: tuple[str, str] = ("system", "segment"),
    advice: Callable[[], str] | None = None,
) -> Cells:
    """Find the cell of every row of a file; ``columns`` is the number of matrices that will be made.

    ``named`` says what is empty where a name is missing. A cell that comes twice is refused, unless ``aggregate`` says
    how to join its scores; ``advice`` then says what to do.
    """
    if aggregate not in get_args(Aggregate):
        raise InputError(f"aggregate: must be one of {', '.join(get_args(Aggregate))}, found {aggregate!r}")
    (at_row, names), (at_column, labels) = (
        _codes(path, values, lines, what) for values, what in zip((systems, segments), named, strict=True)
    )
    check_size(path, (len(names), len(labels)), len(lines), columns)
    cells = Cells(path, names, labels, at_row * len(labels) + at_column, aggregate)
    if aggregate == "error" and cells.raters.max(initial=0) > 1:
        _refuse_repeated(cells, lines, advice)
    ask_spelling(path, names, labels, at_row, at_column)
    del at_row, at_column
    return replace(cells, orders_differ=_orders_differ(cells))


def _orders_differ(cells: Cells) -> bool:
    """Whether the segments of some system stand in another order than in the file."""
    places, rows = np.unique(cells.places, return_index=True)
    in_system = np.diff(places // len(cells.segments)) == 0
    return bool((np.diff(rows)[in_system] < 0).any())


def ask_spelling(path: str, systems: Sequence[str], segments: Sequence[str], rows: IntArray, columns: IntArray) -> None:
    """Ask about systems, and segments, that seem to be one spelled in two ways; there are scores in these cells."""
    _ask_spelling(path, systems, rows, columns, ("system", "segment"), fold)
    _ask_spelling(path, segments, columns, rows, ("segment", "system"), _spelling)


def _spelling(label: str) -> object:
    """A segment's label without its case and the zeros of its number: 7, 007 and 7.0 are spelled alike."""
    text = normal_form("NFC", label).casefold()
    number = NUMBERED.fullmatch(text)
    return (number[1], int(number[2])) if number else text


def _ask_spelling(
    path: str,
    names: Sequence[str],
    codes: IntArray,
    others: IntArray,
    kinds: tuple[str, str],
    spelling: Callable[[str], object],
) -> None:
    """Ask whether names are one that are spelled alike and never stand beside each other in a file."""
    if not others.any():
        return
    keys = np.fromiter((hash(spelling(name)) for name in names), np.int64, len(names))
    if not (np.diff(np.sort(keys)) == 0).any():
        return
    _, form, counts = np.unique(keys, return_inverse=True, return_counts=True)
    width = int(others.max()) + 1
    cells, places = (np.unique(at * width + others) for at in (codes, form[codes]))
    apart = (counts > 1) & (np.bincount(form[cells // width]) == np.bincount(places // width))
    if apart.any():
        alike = [names[code] for code in np.flatnonzero(form == form[np.argmax(apart[form])]).tolist()]
        show = quote if len({normal_form("NFC", name) for name in alike}) > 1 else ascii
        more = f" (and {apart.sum() - 1:,} more such)" if apart.sum() > 1 else ""
        found = f"the {kinds[0]}s {' and '.join(map(show, alike))}{more} have no {kinds[1]} in common"
        warn(f"{path}: {found} and count as different {kinds[0]}s; if they are one, spell it in one way", RoleWarning)


def join_names(*columns: Sequence[str]) -> Sequence[str]:
    """Names with colons between their parts, empty where a part is."""
    if len(columns) == 1:
        return columns[0]
    return Texts(":".join(row) if all(row) else "" for row in zip(*columns, strict=True))


def count_rows(*columns: Sequence[str]) -> int:
    """How many different rows columns have, by their hashes."""
    return count_different(*columns)


def line_label(text: str) -> str | None:
    """The line, counted from 1, of a number that counts lines from 0; None where it is no such number."""
    return str(int(text) + 1) if text.isascii() and text.isdigit() and len(text) < 10 else None


def check_size(path: str, shape: tuple[int, int], rows: int, matrices: int) -> None:
    """Refuse to lay out far more cells than there are scores in the rows of a file."""
    scores = rows * matrices
    limit = min(MAX_CELLS, scores + MAX_EMPTY, max(1_000_000, SPARSEST * scores))
    if shape[0] * shape[1] * matrices > limit:
        found = f"{shape[0]:,} systems × {shape[1]:,} segments"
        problem = f"has {found} in {rows:,} rows, too {'many' if limit == MAX_CELLS else 'sparse'} to lay out"
        limits = f"the limit is {limit // matrices:,} cells; check the columns of systems and segments"
        raise ReadError(path, f"{problem}; {limits}")


def rows_by_label(labels: Sequence[str]) -> dict[str, IntArray]:
    """The rows of each label, in the order in which the labels first occur."""
    codes, names = number_labels(labels)
    return dict(zip(names, rows_by_code(codes), strict=True))


def rows_by_code(codes: IntArray) -> list[IntArray]:
    """The rows of each number from 0, none of which is left out."""
    return np.split(np.argsort(codes, kind="stable"), np.cumsum(np.bincount(codes))[:-1])


MOST_SHARED = 50_000
"""Maximum number of different labels that are kept once each; longer columns hardly repeat any."""


def number_labels(labels: Sequence[str]) -> tuple[IntArray, tuple[str, ...]]:
    """Numbers from 0 in the order in which the labels first occur, and the labels."""
    if are_nameless(labels):
        return np.arange(len(labels)), cast("tuple[str, ...]", labels)
    if len(labels) and all(map(eq, labels, repeat(labels[0]))):
        return np.zeros(len(labels), np.int64), (labels[0],)
    known: dict[str, str] = {}
    every, rest = np.empty(len(labels), object), iter(labels)
    for start in range(0, len(labels), AT_ONCE):
        some = [*islice(rest, AT_ONCE)]
        every[start : start + AT_ONCE] = [*map(known.setdefault if len(known) < MOST_SHARED else known.get, some, some)]
    if _differ(every):
        return np.arange(len(labels)), labels if isinstance(labels, tuple) else tuple(every)
    codes, names = pd.factorize(every)
    return codes.astype(np.int64, copy=False), tuple(names)


def _codes(path: str, labels: Sequence[str], lines: Sequence[int], what: str) -> tuple[IntArray, tuple[str, ...]]:
    """The numbers of labels, and the labels, none of which may be empty."""
    codes, names = number_labels(labels)
    if "" in names:
        line = lines[int(np.argmax(codes == names.index("")))]
        hint = FILL_DOWN if labels[0] and 2 * labels.count("") >= len(labels) else ""
        raise ReadError(path, f"found an empty {what}; expected a name in every row, without totals{hint}", line=line)
    return codes, names


def _differ(labels: NDArray[np.object_]) -> bool:
    """Whether all labels of a long file differ; sorted, for a table of them takes seventy bytes a label."""
    sample = labels[:: max(1, len(labels) // 1_000)]
    if len(labels) < 100_000 or len(set(sample)) < len(sample):
        return False
    ordered = sorted(labels)
    return all(map(ne, ordered, islice(ordered, 1, None)))


def _refuse_repeated(cells: Cells, lines: Sequence[int], advice: Callable[[], str] | None = None) -> None:
    """Name the first row whose system and segment have been there before."""
    first: dict[tuple[int, int], int] = {}
    for line, cell in zip(lines, zip(cells.rows.tolist(), cells.columns.tolist(), strict=True), strict=True):
        if first.setdefault(cell, line) != line:
            names = f"segment {quote(cells.segments[cell[1]])}"
            if cells.systems != (SINGLE_SYSTEM,):
                names = f"system {quote(cells.systems[cell[0]])} and {names}"
            text = advice() if advice is not None else KEEP_ONE
            raise ReadError(cells.path, f"found {names} again, after line {first[cell]}; {text}", line=line)
