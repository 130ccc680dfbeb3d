"""What tells several rows of one system and segment apart, such as criteria and judges, and which of them to keep?"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice, pairwise

import numpy as np

from tiekit.base.errors import LONGEST, RoleWarning, quote, warn
from tiekit.base.names import count_different, known_names, plain_name
from tiekit.base.validation import FloatArray, IntArray
from tiekit.readers._cells import KEEP_ONE, Cells, count_rows, number_labels
from tiekit.readers._columns import Table
from tiekit.readers._labels import NAME_IT, PAIRS, number_rows
from tiekit.readers._score_names import MEASURES, PERSONS, REMARKS
from tiekit.readers._systems import advise_system
from tiekit.readers._told_steps import where_frame

_SPLIT = re.compile(r"(.*_)?(lang|language|tgt|trg|target|year|dataset|domain|corpus|split|testset|set|part|subset)")
"""Names of columns whose values are of other texts each, in lower case with _ for other signs."""

EVEN = 0.5
"""The values of a column of groups are spread over cells so much more evenly than by chance, at most."""

FEW = 5
"""So few values may be those of groups in any table."""

_EXACT = 1e-9
"""A column of scores may be one of groups, such as layers, if its values are spread as evenly as this."""

FEWEST_OF_TEXT, FEWEST_SCORES = 4, 3
"""A text that has so many rows, with one score in all of them, says the score, where there are so many scores."""

FEW_JOINED = 4
"""Where one in so many cells, or more, has several scores, these are ratings as well."""

MOST_ROWS = 1_000_000
"""In longer tables no column is looked for that tells repeated rows apart."""


_NAME_DOCUMENTS = "if its numbers begin anew in each document, write the set's names of these into a column document"


@dataclass(frozen=True)
class Groups:
    """The fewest columns that tell the rows of a cell apart; ``is_all`` if no two rows are alike in them.

    Each value of the ``even`` columns has about as many rows in every cell, as a criterion has. Those of the others,
    which are needed to tell all rows apart, have not: persons of whom a few rate each cell.
    """

    table: Table
    even: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    is_all: bool = False

    def say(self, names: Iterable[str], most: int = 3) -> str:
        """Columns with some of their values."""
        said = [f"{quote(name)} ({known_names(sorted({*self.table.cells(name)}), most)})" for name in names]
        return " and ".join(filter(None, [", ".join(said[:-1]), *said[-1:]]))

    def say_apart(self) -> str:
        """Which columns tell rows apart."""
        names, some = [*self.even, *self.others], "" if self.is_all else "some "
        if len(names) == 1:
            return f"column {quote(names[0])} tells {some}such rows apart"
        return f"columns {self.say(names)} tell {some}such rows apart together"

    def keep_one(self, system: str | None) -> str:
        """How the rows of the first value of each of the even columns are kept; ``system`` as for `tell_apart`."""
        first = self.even[0]
        one = "each" if len(self.even) > 1 else quote(first)
        if not self.others and len(self.even) == 1:
            one = f"({known_names(dict.fromkeys(self.table.cells(first)), most=3)})"
        return f"keep the rows of one {one}, {_choose(self.table, self.even, system)}"

    def say_joined(self, aggregate: str) -> str:
        """What the mean of each cell is over, other than persons; of errors, which are added, those that are even."""
        names = [*self.even, *(self.others if aggregate != "sum" else ())]
        names = [name for name in names if not PERSONS.fullmatch(plain_name(name))]
        names = [name for name in names if aggregate != "sum" or not REMARKS.fullmatch(plain_name(name))]
        told = f"each score is the {aggregate} over {self.say(names)}"
        return f"{told}; without aggregate=, a message says how to keep these apart" if names else ""


def find_groups(
    table: Table, labels: Sequence[Sequence[str]], free: Iterable[str], scored: Collection[str] = ()
) -> Groups:
    """The groups of rows whose ``labels`` (system, segment) are the same, among the ``free`` columns.

    Columns that differ in nearly every row, such as reasons and times, are none; one of those ``scored`` is such only
    if all cells have the same values.
    """
    size = len(table.lines)
    cells = _codes(labels) if size <= MOST_ROWS else np.arange(size)
    spreads = dict[str, float]()
    for name in free if cells.max(initial=0) + 1 < size else ():
        column = table.cells(name)
        spread = _spread(cells, _codes([column])) if 1 < count_different(column) <= max(size / 2, FEW) else None
        if spread is not None and (name not in scored or spread < _EXACT) and not _writes_score(table, name, scored):
            spreads[name] = round(spread, 6)
    likely = sorted(spreads, key=lambda name: (spreads[name], count_different(table.cells(name))))

    def count(names: Iterable[str]) -> int:
        return count_rows(cells.tolist(), *map(table.cells, names))

    is_all = bool(likely) and count(likely) == size
    even = [name for name in likely if spreads[name] <= EVEN]
    found = likely if is_all else [name for name in even if not REMARKS.fullmatch(plain_name(name))]
    total = count(found)
    for name in found[::-1]:
        fewer = [one for one in found if one != name]
        found = fewer if count(fewer) == total else found
    found.sort(key=lambda name: (not MEASURES.fullmatch(plain_name(name)), [*table.columns].index(name)))
    even = [name for name in found if spreads[name] <= EVEN] or found
    return Groups(table, tuple(even), tuple(name for name in found if name not in even), is_all)


def _writes_score(table: Table, name: str, scored: Iterable[str]) -> bool:
    """Whether the score of a row follows from its text, such as a judge's answer: not so by chance, of many rows."""
    number, size = count_different(table.cells(name)), len(table.lines)
    if name in scored or size < FEWEST_OF_TEXT * number:
        return False
    scores = [column for column in scored if count_different(table.cells(column)) >= FEWEST_SCORES]
    return any(count_rows(table.cells(name), table.cells(column)) == number for column in scores)


def ask_raters(table: Table, cells: Cells, free: Iterable[str], keys: Sequence[str], scored: Sequence[str]) -> None:
    """Ask about sums of errors that several people found, more of them in some cells than in others."""
    for name in free:
        if not PERSONS.fullmatch(plain_name(name)) or not scored:
            continue
        pairs = np.unique(np.column_stack([cells.places, _codes([table.cells(name)])]), axis=0)
        numbers = np.bincount(pairs[:, 0])
        numbers = numbers[numbers > 0]
        if numbers.max() < 2 or numbers.min() == numbers.max():
            continue
        found = f"{int((numbers > 1).sum()):,} of {len(numbers):,} scores are sums over several of {quote(name)}"
        each = f"frame.groupby({[*keys, name]}, as_index=False)[{[*scored]}].sum()"
        why = (
            "if fewer people rated the others, and a rating without errors has a row of 0, take the mean of their sums"
        )
        step = f"pass {each} with aggregate='mean'{where_frame(table, keys[0])}"
        warn(f"{table.path}: {found}; {why}: {step}", RoleWarning)


def ask_retries(path: str, cells: Cells, columns: Mapping[str, FloatArray], keys: Sequence[str]) -> None:
    """Ask about means where most cells have one row and some have others that differ, as of a second try.

    ``keys`` are the columns of systems and segments.
    """
    for name, scores in columns.items() if cells.aggregate in ("mean", "median") else ():
        known = ~np.isnan(scores)
        places, first = np.unique(cells.places[known], return_index=True)
        values = scores[known]
        differs = values != values[first][np.searchsorted(places, cells.places[known])]
        number = len({*cells.places[known][differs].tolist()})
        if not 0 < FEW_JOINED * number < len(places):
            continue
        step = f"frame.drop_duplicates({[*keys]}, keep='last')"
        told = (
            f"{quote(name)}: {number:,} of {len(places):,} scores are the {cells.aggregate} of several different ones"
        )
        warn(
            f"{path}: {told}, all others of one; if these are second tries, keep the last of each: {step}", RoleWarning
        )


def say_pairs(table: Table, system: str | None) -> str:
    """Advice where a column holds several language pairs; ``system`` as for `tell_apart`."""
    for name in filter(lambda name: plain_name(name) in PAIRS, table.columns):
        pairs = dict.fromkeys(table.cells(name))
        if len(pairs) > 1:
            keep = f"a set is of one language pair, so keep one, such as by {_choose(table, [name], system)}"
            return f"column {quote(name)} holds {known_names(pairs, most=3)}; {keep}"
    return ""


def _codes(columns: Sequence[Sequence[str]]) -> IntArray:
    """A number for each different row of columns."""
    codes = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        numbers, names = number_labels(column)
        codes = np.unique(codes * len(names) + numbers, return_inverse=True)[1].astype(np.int64)
    return codes


def _spread(cells: IntArray, values: IntArray) -> float | None:
    """How far numbers of rows of each value in each cell are from even ones, 1 by chance; None if no cell has two."""
    size, number = len(cells), int(values.max()) + 1
    pairs, times = np.unique(cells * number + values, return_counts=True)
    in_cell, shares = np.bincount(cells), np.bincount(values) / size
    if len(pairs) == len(in_cell):
        return None
    expected = in_cell[pairs // number] * shares[pairs % number]
    squares = float((times**2).sum() - 2 * (times * expected).sum() + (in_cell**2).sum() * (shares**2).sum())
    return squares / (size * (1 - float((shares**2).sum())))


def tell_apart(
    table: Table,
    labels: Sequence[Sequence[str]],
    free: Iterable[str],
    scored: Sequence[str],
    system: str | None,
    systems: Collection[str] = (),
    segments: Collection[str] = (),
) -> str:
    """Advice where rows have the same ``labels``: which columns tell them apart, and which rows to keep.

    The labels are those of systems, segments, and perhaps scorers; ``system`` is the column of systems, and ``systems``
    and ``segments`` are those of a set.
    """
    if pairs := say_pairs(table, system):
        return pairs
    groups = find_groups(table, labels, free, scored)
    names = [*groups.even, *groups.others]
    score = repr(scored[0]) if len(scored) == 1 and len(scored[0]) <= LONGEST else "COLUMN"
    scorer = f"pass scorer={quote(names[0])} and score={score} to compare " if names and len(labels) < 3 else ""
    over = f", which averages over {groups.say(names)}," if groups.is_all else ""
    mean = f'; if these are repetitions, pass aggregate="mean"{over} or aggregate="sum" if each row is an error'
    if not groups.is_all:
        mean = mean.replace("these", "rows that are left")
    elif any(MEASURES.fullmatch(plain_name(name)) for name in names):
        mean = ""
    sizes = _sizes_of_parts(labels[0], labels[1])
    if len(names) == 1:
        [name] = names
        told = groups.say_apart()
        if systems and _begin_anew(table.cells(name), labels[1]):
            told += (
                f"; if its values are the set's domains, in each of which segments are numbered anew, pass "
                f"domain={name!r} (document={name!r} if they are its documents)"
            )
            if sizes == {len(segments)}:
                return f"{told}; else {_number_rows(table, system)}"
            told += "; else"
        one = groups.keep_one(system)
        if _SPLIT.fullmatch(plain_name(name)):
            keep = "" if systems else f", or pass segment=[…, {quote(name)}] to keep all"
            return f"{told}: {one}{keep}"
        advice = advise_system(table, name, labels[0], labels[1], systems)
        if advice.endswith("set"):
            return f"{told}: {advice}"
        keep = "" if systems else f"segment=[…, {quote(name)}] to keep them as segments, or "
        return f"{told}: {advice}{scorer and scorer + 'its values as metrics, or '}{keep}{one}{mean}"
    if names:
        told = f"{groups.say_apart()}: {groups.keep_one(system)}"
        if groups.others:
            return f'{told}, and pass aggregate="mean" if those of other {groups.say(groups.others)} are repetitions'
        if scorer:
            told += f"; without its first condition, {scorer}the values of {quote(names[0])} as metrics"
        return told + mean
    if sizes == {len(segments)}:
        told = "its numbers begin anew within each system, as in each document, so these rows are no ratings of one"
        return f"{told}; {_number_rows(table, system)}"
    if sizes and max(sizes) < len(segments):
        return f"{_NAME_DOCUMENTS}; else {KEEP_ONE}"
    if system is None:
        named = f"no column names systems; {NAME_IT.format('system')}, or {KEEP_ONE}"
        return f"{named}; found: {known_names(table.columns)}"
    if any(" " in name for name in islice(labels[1], 9)):
        return f"{KEEP_ONE}; where two segments have one text: {number_rows(table, system)}"
    return KEEP_ONE


def _choose(table: Table, names: Sequence[str], system: str | None) -> str:
    """The expression that keeps the rows with the first value of each column, and what the frame in it is."""
    conditions = [_condition(table, name) for name in names]
    step = " & ".join(conditions if len(names) == 1 else map("({})".format, conditions))
    return f"frame[{step}]{where_frame(table, system)}"


def _number_rows(table: Table, system: str | None) -> str:
    """How the rows of each system are numbered as the set's segments."""
    step = f"frame['segment'] = frame.groupby({system or 'system'!r}).cumcount() + 1"
    return f"if the rows of each system stand in the set's order, {step}{where_frame(table, system)}"


def _condition(table: Table, name: str) -> str:
    """The condition that holds in rows with the first value of a column."""
    value, column = next(filter(None, table.cells(name))), f"frame[{name!r}]"
    if len(name) > LONGEST:
        column = f"frame.iloc[:, {[*table.columns].index(name)}]"
    is_number = isinstance(table.columns[name], np.ndarray)
    if not is_number and ".json" not in table.path and table.path != "DataFrame":  # pandas makes numbers of such texts
        with suppress(ValueError):
            is_number = [*map(float, filter(None, table.cells(name)))] != []
    if is_number:
        number = float(value)
        return f"{column} == {int(number) if number.is_integer() else number!r}"
    if len(value) > LONGEST:
        return f"{column} == {column}.iloc[0]"
    return f"{column}.astype(str) == {value!r}"


def _begin_anew(values: Iterable[str], segments: Iterable[str]) -> bool:
    """Whether whole numbers of segments begin with 0 or 1 at each value of a column, and do not all end alike."""
    first, last = dict[str, int](), dict[str, int]()
    for value, cell in zip(values, segments, strict=True):
        if not (cell.isascii() and cell.isdecimal()):
            return False
        number = int(cell[:LONGEST])
        first[value], last[value] = min(number, first.get(value, number)), max(number, last.get(value, number))
    return set(first.values()) <= {0, 1} and len({*last.values()}) > 1


def _sizes_of_parts(systems: Sequence[str], segments: Sequence[str]) -> set[int]:
    """The numbers of rows of systems whose segments count from 0 or 1 in each of several parts; empty of others."""
    rows = dict[str, list[int]]()
    for system, cell in zip(systems, segments, strict=True):
        if not (cell.isascii() and cell.isdecimal()):
            return set()
        rows.setdefault(system, []).append(int(cell[:LONGEST]))
    for numbers in rows.values():
        if numbers[0] > 1 or not all(then > one or then == numbers[0] for one, then in pairwise(numbers)):
            return set()
    return {*map(len, rows.values())}
