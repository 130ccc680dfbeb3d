"""What do the columns of a table hold? Rows between delimiters, and cells by column, as texts or as numbers."""

from __future__ import annotations

import csv
import io
import re
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain, compress, count, filterfalse, islice, repeat, tee
from pathlib import Path
from typing import Any, TypeAlias, overload

import numpy as np

from tiekit.base.errors import InputError, ReadError, quote
from tiekit.base.names import as_names, count_different, did_you_mean, known_names, split_names
from tiekit.base.validation import FloatArray, text_labels
from tiekit.readers._amounts import check_cells, each_line, each_piece
from tiekit.readers._numbers import (
    AT_ONCE,
    COMMAS_READ,
    DECIMAL_COMMA,
    MISSING,
    SIGN,
    advise_points,
    mend_number,
    number_like,
    parse_scores,
    to_floats,
)
from tiekit.readers._source import TextFile, file_stem, read_text

LISTS_LOOKED_FOR = 100
"""In so many first cells of a column is a list looked for."""

DECIMAL_POINT = re.compile(rf"{SIGN}?\d*\.\d+", re.ASCII)
_WRAPPED = re.compile(
    rf"((np|numpy|torch)\.)?(float\d*|int\d*|tensor|array|Decimal)?\(+'?{SIGN}?(\d+(\.\d+)?|\.\d+)\D{{0,30}}", re.ASCII
)
_MISTYPED = re.compile(rf"{SIGN}?[.,]?\d\S{{0,15}}", re.ASCII)

_BESIDE = re.compile(rf"{_WRAPPED.pattern}|[^.,:]*[.,]\d[^.,:]*|.*%|[^.,\n]*([.,](?!\d)[^.,\n]*)*[.,]\d.*[±+(\[|/].*")
"""A score with something beside it, such as .85* or .85±.02; no date, time or name of a file."""

Order: TypeAlias = Mapping[str, float]
"""The number that stands for each label of an ordered scale."""


class Texts(Sequence[str]):
    """The cells of a column, thousands in one text; each is a text of its own, of fifty bytes more, while looked at."""

    def __init__(self, cells: Iterable[str] = ()) -> None:
        self._parts: list[str] = []
        self._last: list[str] = []
        self._place, self._seen = -1, list[str]()
        self._numbers: FloatArray | None = None
        self.extend(cells)

    def append(self, cell: str) -> None:
        """Add one cell."""
        self._last.append(cell)
        if len(self._last) == AT_ONCE:
            self._parts.append(_join_cells(self._last))
            self._last = []

    def extend(self, cells: Iterable[str]) -> None:
        """Add cells."""
        rest = iter(cells)
        while some := list(islice(rest, AT_ONCE - len(self._last))):
            self._last += some
            if len(self._last) == AT_ONCE:
                self._parts.append(_join_cells(self._last))
                self._last = []

    def __len__(self) -> int:
        return len(self._parts) * AT_ONCE + len(self._last)

    def __iter__(self) -> Iterator[str]:
        return chain(chain.from_iterable(map(_divide_cells, self._parts)), self._last)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> list[str]: ...

    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return list(islice(self, *place.indices(len(self))))
        part, inside = divmod(range(len(self))[place], AT_ONCE)
        if part == len(self._parts):
            return self._last[inside]
        if part != self._place:  # who looks for one often looks for its neighbors
            self._place, self._seen = part, _divide_cells(self._parts[part])
        return self._seen[inside]

    def numbers(self, *, is_last: bool = False) -> FloatArray:
        """The numbers of all cells, NaN where missing, kept until the last time; a ValueError where one is none."""
        numbers = self._numbers
        if numbers is None:
            numbers = np.concatenate([to_floats(_divide_cells(part)) for part in self._parts] + [to_floats(self._last)])
        self._numbers = None if is_last else numbers
        return numbers


def _join_cells(cells: Sequence[str]) -> str:
    """The cells with a mark before each that is in none of them."""
    letters = "".join(cells)
    mark = next(mark for mark in map(chr, count()) if mark not in letters)
    return mark + mark.join(cells)


def _divide_cells(part: str) -> list[str]:
    """The cells that were joined."""
    return part[1:].split(part[0])


def to_columns(rows: Iterator[Sequence[str]], width: int, clean: Callable[[str], str] = str) -> list[Texts]:
    """The columns of rows that all are so wide, each cell as ``clean`` makes it."""
    columns = [Texts() for _ in range(width)]
    while some := list(islice(rows, AT_ONCE)):
        for column, cells in zip(columns, zip(*some, strict=True), strict=True):
            column.extend(map(clean, cells))
    return columns


QUOTED = re.compile(r'"(?:[^"]|"")*"')


def unquote(cell: str) -> str:
    """A cell without the quotation marks around it."""
    if len(cell) > 1 and cell.startswith('"') and QUOTED.fullmatch(cell):
        return cell[1:-1].replace('""', '"')
    return cell


def may_be_decimals(head: bytes) -> str:
    """The first line, if each line of a file is two whole numbers with a comma between them; empty elsewhere."""
    rows = head.decode("utf-8-sig", errors="replace").split()[:-1] or [head_line(head)]
    return rows[0] if rows and all(DECIMAL_COMMA.fullmatch(row) for row in rows) else ""


MOST_DIVIDED = 100
"""Maximum number of columns of a table whose lines are divided many at once; of more, few lines make many cells."""


def even_columns(text: str, delimiter: str) -> tuple[list[str], list[Texts]] | None:
    """The first row, and the cells below by column, of a text whose lines are rows of as many cells; None of another.

    Neither is it one where a quotation mark may join lines, a row is empty, or the first one comes again.
    """
    first = text.partition("\n")[0]
    marks = first.count(delimiter)
    if not first or marks >= MOST_DIVIDED or delimiter == " " or '"' in text or "\r" in text:
        return None
    top, columns, times = first.split(delimiter), [Texts() for _ in range(marks + 1)], 0
    is_first = True
    for piece in each_piece(text):
        lines, words = piece.split("\n"), piece.replace(delimiter, ",")
        are_bare = words.split() == (lines if words is piece else words.split("\n"))  # no blanks, and no empty line
        inside = lines if are_bare else map(str.strip, map(str.replace, lines, repeat(delimiter), repeat("")))
        times += lines.count(first)
        if times > 1 or (delimiter * marks in lines if are_bare else not all(inside)):
            return None
        if {*map(str.count, lines, repeat(delimiter))} != {marks}:
            return None
        cells = delimiter.join(lines).split(delimiter)
        for place, column in enumerate(columns):
            some = cells[place + (marks + 1) * is_first :: marks + 1]
            column.extend(some if are_bare else map(str.strip, some))
        is_first = False
    return [*map(str.strip, top)], columns


@dataclass(frozen=True, eq=False)
class Table:
    """Cells by column, texts without spaces around them or numbers, and the line on which each row begins.

    ``commas`` in numbers are decimal; ``headed`` tables have names of columns of their own; ``orders`` are numbers of
    labels by column, those under the empty name for all; ``kept`` is what the set knew that the table was made of.
    ``counted`` is the name that a first column without one got where it may count the rows.
    """

    path: str
    digest: str
    lines: Sequence[int]
    columns: Mapping[str, Sequence[str] | FloatArray]
    commas: bool = False
    headed: bool = True
    orders: Mapping[str, Order] = field(default_factory=dict)
    kept: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    counted: str = ""
    _as_texts: dict[str, Texts] = field(default_factory=dict, init=False, repr=False)

    @property
    def stem(self) -> str:
        """The name of the file without folders and endings."""
        return file_stem(self.path)

    def where(self, column: str, value: str) -> Table:
        """The rows whose cell in a column of texts is this value."""
        return self.keep([cell == value for cell in self.columns[column]])

    def keep(self, mask: Sequence[bool]) -> Table:
        """The rows of a table of texts where the mask is true."""
        if all(mask):
            return self
        columns = {name: Texts(compress(self.cells(name), mask)) for name in self.columns}
        return replace(self, lines=array("I", compress(self.lines, mask)), columns=columns)

    def find_columns(self, argument: str, wanted: str | Iterable[str]) -> tuple[str, ...]:
        """The columns with these names; case is ignored."""
        return names_among(argument, wanted, self.columns)

    def cells(self, column: str) -> Sequence[str]:
        """The cells of a column as texts, those of numbers kept: who finds out what a table holds asks many times."""
        cells = self.columns[column]
        if not isinstance(cells, np.ndarray):
            return cells
        if column not in self._as_texts:
            parts = (text_labels(cells[start : start + AT_ONCE].tolist()) for start in range(0, len(cells), AT_ONCE))
            self._as_texts[column] = Texts("" if label == "nan" else label for part in parts for label in part)
        return self._as_texts[column]

    def is_scores(self, column: str) -> bool:
        """Whether most cells with a score are numbers, or labels whose order is known."""
        cells = self.columns[column]
        if isinstance(cells, np.ndarray):
            return not np.isnan(cells).all()
        if self._order(column):
            return True
        with suppress(ValueError):  # the usual case: faster than looking at each
            (cells if isinstance(cells, Texts) else Texts(cells)).numbers()
            return not MISSING.issuperset(cells)
        return _are_mostly_numbers(cells)

    def find_mistyped(self, column: str) -> str | None:
        """A cell of a column of texts that look like numbers with a slip, such as 3O.

        Where none is a number, and all differ, texts such as 12-3 and 15a are labels.
        """
        cells = self.columns[column]
        if isinstance(cells, np.ndarray):
            return None
        odd = next(filter(_looks_mistyped, filterfalse(MISSING.__contains__, cells)), None)
        if odd is None:
            return None
        scored = filterfalse(MISSING.__contains__, cells)
        found = Counter(number_like(cell) or _looks_mistyped(cell) for cell in scored)
        if count_different(cells) == len(cells) and not any(map(_like_score, cells)):
            return None
        return odd if found[True] > found[False] else None

    def scores(self, column: str) -> FloatArray:
        """The numbers of a column, NaN where missing."""
        cells = self.columns[column]
        if isinstance(cells, np.ndarray):
            return cells
        if order := self._order(column):
            return np.fromiter((order.get(cell, np.nan) for cell in cells), np.float64, len(cells))
        if not any(map(number_like, filterfalse(MISSING.__contains__, cells))):
            self._refuse_labels(column)
        return self.numbers(column)

    def numbers(self, column: str, *, missing: AbstractSet[str] = MISSING) -> FloatArray:
        """The numbers of a column of texts that has no labels, NaN where missing."""
        cells = self.cells(column)
        if self.commas:
            cells = with_points(cells, ";")
        known = None
        with suppress(ValueError):
            known = cells.numbers(is_last=True) if isinstance(cells, Texts) and missing is MISSING else None
        return parse_scores(cells, self.lines, self.path, missing=missing, column=column, known=known)

    def _order(self, column: str) -> Order | None:
        """The numbers of a column's labels, where there are some and all of them have one."""
        cells = self.columns[column]
        found = [order for order in map(self.orders.get, (column, "")) if order]
        if not found or MISSING.issuperset(cells):
            return None
        return next((order for order in found if all(cell in order or cell in MISSING for cell in cells)), None)

    def _refuse_labels(self, column: str) -> None:
        """Ask for the order of labels where a column of scores holds a few of them."""
        labels = dict.fromkeys(filterfalse(MISSING.__contains__, self.columns[column]))
        if order := say_order(labels, sum(cell in labels for cell in self.columns[column])):
            line = next(line for line, cell in zip(self.lines, self.columns[column], strict=True) if cell in labels)
            problem = f"column {quote(column)} holds labels, not numbers; {order}"
            remedy = "if it holds no scores, name the columns that do by human= and metrics="
            raise ReadError(self.path, f"{problem}; {remedy}", line=line)


MOST_LABELS = 11
"""So many labels may be those of an ordered scale."""
LONGEST_LABEL = 40
"""Maximum number of characters of such a label."""
_WITH_NUMBER = re.compile(r"[(\[]?(0|[1-9]\d?)[ .:=)\]-].*", re.ASCII | re.DOTALL)


def say_order(labels: Collection[str], times: int) -> str:
    """How labels of a scale get numbers, those before their words where all have one; empty where they are no scale.

    Such are few, and one comes twice.
    """
    if not 0 < len(labels) <= MOST_LABELS or len(labels) >= times or max(map(len, labels)) > LONGEST_LABEL:
        return ""
    numbers = [found[1] if (found := _WITH_NUMBER.fullmatch(label)) else "" for label in labels]
    known = numbers if all(numbers) and len({*numbers}) == len(numbers) else ["…"] * len(numbers)
    order = ", ".join(f"{label!r}: {number}" for label, number in zip(labels, known, strict=True))
    return f"give each a number, higher is better: labels={{{order}}}"


_IN_LIST = re.compile(r"\[\s*([^\[\],\s]+)\s*\]")


def without_lists(table: Table) -> Table:
    """A table with the numbers of columns whose cells are lists of one number each, or missing."""
    found: dict[str, Texts] = {}
    for name, cells in table.columns.items():
        if isinstance(cells, np.ndarray) or not any(cell[:1] == "[" for cell in islice(cells, LISTS_LOOKED_FOR)):
            continue
        inner = [(_IN_LIST.fullmatch(cell), cell) for cell in cells]
        if all(number_like(one[1]) if one else cell in MISSING or cell == "[]" for one, cell in inner):
            found[name] = Texts(one[1] if one else "" for one, _ in inner)
    if not any(any(cells) for cells in found.values()):
        return table
    note = f"Each cell of {known_names(map(quote, found), most=3)} is a list of one number, which was taken out of it."
    return replace(table, columns={**table.columns, **found}, notes=(*table.notes, note))


def names_among(argument: str, wanted: str | Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
    """The known names that are wanted; case is ignored unless two names differ in nothing else."""
    exact = dict.fromkeys(known)
    folded = {name.casefold(): name for name in exact}
    found = []
    several = as_names(wanted, argument)
    if isinstance(wanted, str) and wanted not in exact and wanted.casefold() not in folded and "," in wanted:
        several = split_names(wanted, argument)  # as in a terminal
    for name in several:
        if name not in exact and (not isinstance(name, str) or name.casefold() not in folded):
            hint = did_you_mean(str(name), exact) or f"known: {known_names(exact)}"
            raise InputError(f"{argument}: there is no column {name!r}; {hint}")
        found.append(name if name in exact else folded[name.casefold()])
    return tuple(found)


def check_orders(labels: object) -> dict[str, Order]:
    """The numbers of labels by column, from what the caller passed."""
    if labels is None:
        return {}
    if not isinstance(labels, Mapping) or not labels:
        raise InputError(
            f"labels: must be a mapping of labels to numbers, such as {{'bad': 0, 'good': 1}}, found {labels!r}"
        )
    by_column = labels if all(isinstance(order, Mapping) for order in labels.values()) else {"": labels}
    for order in by_column.values():
        for label, number in order.items():
            if isinstance(number, bool) or not isinstance(number, (int, float)) or not np.isfinite(number):
                raise InputError(f"labels: must give a finite number for each label, found {label!r}: {number!r}")
    return {
        column: {str(label): float(number) for label, number in order.items()} for column, order in by_column.items()
    }


def _are_mostly_numbers(cells: Sequence[str]) -> bool:
    """Whether more of the cells with a score are numbers than are not; when half of all are none, no more are read."""
    numbers = others = 0
    for is_number in map(number_like, filterfalse(MISSING.__contains__, cells)):
        numbers, others = numbers + is_number, others + (not is_number)
        if 2 * others >= len(cells):
            return False
    return numbers > others


def _looks_mistyped(cell: str) -> bool:
    """Whether a cell is no number but at least half digits, and begins like a number, or has brackets around one."""
    if _WRAPPED.fullmatch(cell):
        return True
    if not _MISTYPED.fullmatch(cell) or number_like(cell):
        return False
    return 2 * sum(character.isdigit() for character in cell) >= len(cell)


def _like_score(cell: str) -> bool:
    """Whether a cell is a number, or one decimal, share or number in brackets with something beside it."""
    return number_like(cell) or cell in MISSING or bool(_BESIDE.fullmatch(cell) or mend_number(cell))


def check_commas(table: Table, columns: Sequence[str], systems: Collection[str] = ()) -> tuple[str, ...]:
    """Refuse scores with decimal points beside scores with decimal commas; return a note where there are commas.

    Refused are commas that may divide thousands, too. Columns named as ``systems`` hold scores of one metric.
    """
    found: dict[str, str] = {}
    if table.commas:
        _refuse_thousands(table, [column for column in columns if column in systems])
        for column in columns:
            _refuse_thousands(table, [column])
    for column in columns if table.commas else ():
        cells = table.columns[column]
        for what, pattern in (("commas", DECIMAL_COMMA), ("points", DECIMAL_POINT)):
            if not isinstance(cells, np.ndarray) and any(pattern.fullmatch(cell) for cell in cells):
                found[what] = column
    if len(found) == 2:
        name = found["commas"]
        step = advise_points(table.cells(name), table.path, name).replace("read_csv(PATH)", "read_csv(PATH, sep=';')")
        problem = f"has decimal commas in column {quote(name)} and decimal points in column {quote(found['points'])}"
        raise ReadError(table.path, f"{problem}; write decimal points in both{step}")
    return (COMMAS_READ,) if "commas" in found else ()


_GROUPED = re.compile(rf"{SIGN}?[1-9]\d{{0,2}}[.,]\d{{3}}", re.ASCII)
_HUNDREDS = re.compile(rf"{SIGN}?(?!100$)[1-9]\d\d", re.ASCII)
"""Whole numbers of three digits, but 100, which is the end of a scale."""
FEWEST_GROUPED = 30
"""Of so many fractions, some would have fewer than three digits if they were none of thousands."""


def _refuse_thousands(table: Table, columns: Iterable[str]) -> None:
    """Refuse commas in scores of one metric that all have three digits behind them, beside whole hundreds."""
    texts = {name: cells for name in columns if not isinstance(cells := table.columns[name], np.ndarray)}
    if not all(_GROUPED.fullmatch(cell) for cells in texts.values() for cell in cells if "," in cell):
        return
    whole = next(filter(_HUNDREDS.fullmatch, chain.from_iterable(texts.values())), "")
    for name, cells in texts.items() if whole else ():
        for line, cell in zip(table.lines, cells, strict=True):
            if "," in cell:
                written = f"write {cell.replace(',', '.')} if it is decimal, {cell.replace(',', '')} if it divides"
                problem = f"{quote(cell)} in column {quote(name)} has a comma beside {whole}; {written} thousands"
                advice = advise_points(cells, table.path, name) if len(texts) == 1 else ""
                raise ReadError(table.path, problem + advice, line=line)


def doubt_points(table: Table, columns: Iterable[str]) -> list[str]:
    """What to say of columns whose points may divide thousands: three digits behind each, beside whole hundreds."""
    found = []
    for column in columns:
        cells = table.columns[column]
        if isinstance(cells, np.ndarray):
            continue
        fractions = list(islice((cell for cell in cells if "." in cell), FEWEST_GROUPED))
        may_be = len(fractions) == FEWEST_GROUPED and all(map(_GROUPED.fullmatch, fractions))
        whole = next(filter(_HUNDREDS.fullmatch, cells), "") if may_be else ""
        if whole and all(_GROUPED.fullmatch(cell) for cell in cells if "." in cell):
            first = fractions[0]
            thousands = f"write {first.replace('.', '')} if the point divides thousands"
            found.append(f"column {quote(column)} holds {first} beside {whole}; {thousands}")
    return found


def delimiter_of(text: str) -> str:
    """What divides the cells of the first line: tabs, semicolons or commas."""
    first = text.lstrip("\n").partition("\n")[0]
    return next((mark for mark in "\t;" if mark in first), ",")


def with_points(cells: Sequence[str], delimiter: str) -> Sequence[str]:
    """Cells with decimal points for decimal commas, which files divided by semicolons have."""
    if delimiter != ";":
        return cells
    return Texts(cell.replace(",", ".") if DECIMAL_COMMA.fullmatch(cell) else cell for cell in cells)


def read_rows(path: str, text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The line and the cells of every row that is not empty or blank.

    A cell that begins with a quotation mark goes on to the next single one, over line ends too; two of them stand for
    one. A quotation that is damaged is refused, and so is one that swallows rows: most of the lines that it joins have
    as many cells as the first row. In a table divided by tabs whose lines all have as many cells as the first one, such
    quotation marks are text.
    """
    check_cells(path, text, delimiter)
    try:
        for _ in _quoted_rows(text, delimiter):
            pass
    except _QuotationError as damage:
        if delimiter != "\t" or not is_even(text, delimiter):
            raise ReadError(path, str(damage), line=damage.line) from None
        numbered = enumerate(each_line(text), start=1)
        return ((number, line.split(delimiter)) for number, line in numbered if line.strip())
    return _quoted_rows(text, delimiter)


def is_even(text: str, delimiter: str) -> bool:
    """Whether all lines have equally many cells."""
    return len({line.count(delimiter) for line in each_line(text) if line.strip()}) == 1


class _QuotationError(Exception):
    """A quotation that does not end as it should, and the line in which its row begins."""

    def __init__(self, problem: str, line: int) -> None:
        super().__init__(problem)
        self.line = line


def _quoted_rows(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The rows up to the first damaged quotation."""
    read, lines = tee(io.StringIO(text, newline=""))
    reader = csv.reader(read, delimiter=delimiter, strict=True)
    begin, width, usual = 1, 0, list[bool]()
    try:
        for row in reader:
            end = reader.line_num
            joined = list(islice(lines, end + 1 - begin))
            if end > begin and _swallows(joined, delimiter, row, width, usual):
                problem = f"has a quotation mark that ends only in line {end}; close it in its own line"
                problem += ", or double it where it is text; if pandas.read_csv reads it right, give what that returns"
                raise _QuotationError(problem, begin)
            if width and not usual and end == begin and len(row) == width:
                usual = _which_numbers(row)
            width = width or len(row)
            if row and (len(row) > 1 or row[0].strip()):
                yield begin, row
            begin = end + 1
    except csv.Error as error:
        problem = f"is not a table ({error}); check the quotation marks from here on: close each, or double it"
        raise _QuotationError(problem, begin) from None


def _which_numbers(cells: Iterable[str]) -> list[bool]:
    """Which cells of a row are numbers, or missing ones."""
    return [number_like(cell) or cell.strip() in MISSING for cell in cells]


def _swallows(lines: list[str], delimiter: str, row: list[str], width: int, usual: list[bool]) -> bool:
    """Whether most lines that a row joins are rows by themselves: as long as the first, with numbers where it has them.

    Beside the cells of several lines, these are the numbers of the row, or, if it is not as long, the ``usual`` ones,
    which those of the lines of a text hardly are.
    """
    if width < 2 or delimiter not in "".join(lines):  # a million rows of quotation marks alone
        return False
    kinds = _which_numbers(row) if len(row) == width else usual or _which_numbers(row)
    known = enumerate(zip(kinds[:width], row, strict=False))
    numbers = [place for place, (kind, cell) in known if kind and "\n" not in cell]
    as_long = (line.split(delimiter) for line in lines if line.count(delimiter) == width - 1)
    found = ([cells[place].strip() for place in numbers] for cells in as_long)
    alike = sum(all(_which_numbers(some)) and (not some or any(some)) for some in found)  # not a line of commas alone
    return 2 * alike > len(lines)


def read_columns(file: TextFile) -> Table:
    """The columns of a text with delimiters below its header, whose names are put into lower case."""
    delimiter = delimiter_of(file.text)
    rows = read_rows(file.path, file.text, delimiter)
    begin, header = next(rows, (1, [""]))
    if not any(header):
        raise ReadError(file.path, "begins with no names of columns; write them above its rows", line=begin)
    names = [name.strip().casefold() for name in header]
    twice = next((name for name, number in Counter(names).items() if name and number > 1), None)
    if twice is not None:
        raise ReadError(file.path, f"two columns are named {quote(twice)}; rename one of them", line=begin)
    lines = array("I")

    def below() -> Iterator[list[str]]:
        for line, row in rows:
            if len(row) != len(names):
                problem = f"found {len(row)} cells, expected {len(names)} as in the header, line {begin}"
                raise ReadError(file.path, f"{problem}; mend this row, or check its quotation marks", line=line)
            lines.append(line)
            yield row

    columns = dict(zip(names, to_columns(below(), len(names)), strict=True))
    if not lines:
        raise ReadError(file.path, "has a header and no rows; expected one row per score", line=begin)
    return Table(file.path, file.digest, lines, columns, commas=delimiter == ";")


@dataclass(frozen=True)
class ColumnLayout:
    """Columns of a text whose cells have no quotation marks, by the names that code gives them.

    The first line begins with ``header`` in any case (None: the names, empty: there is none). Blanks divide cells where
    there is no ``delimiter``. Lines have as many cells as there are names, or up to ``most``, the last of which are not
    read.
    """

    names: tuple[str, ...]
    header: tuple[str, ...] | None = None
    delimiter: str | None = None
    most: int = 0

    @property
    def first_line(self) -> tuple[str, ...]:
        """The names that the first line begins with."""
        return self.names if self.header is None else self.header

    def begins(self, cells: Sequence[str]) -> bool:
        """Whether a first line begins with the names of the header, in any case."""
        found = [cell.strip().casefold() for cell in cells[: len(self.first_line)]]
        return found == [name.casefold() for name in self.first_line]

    def begins_head(self, head: bytes) -> bool:
        """Whether the start of a file does, with no further names unless lines may have more cells."""
        cells = head_line(head).split(self.delimiter)
        return (self.most > 0 or len(cells) == len(self.first_line)) and self.begins(cells)


@dataclass(frozen=True)
class Rows:
    """The cells of every line that is not blank, as ``divide`` makes them; the first ``skipped`` do not count."""

    path: str
    digest: str
    text: str
    divide: Callable[[str], list[str]]
    skipped: int = 0

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        """The number and the cells of each line."""
        lines = enumerate(each_line(self.text), start=1)
        filled = ((place, line) for place, line in lines if line and not line.isspace())
        return ((place, self.divide(line)) for place, line in islice(filled, self.skipped, None))

    def head(self) -> list[list[str]]:
        """The cells of the first lines, at most two."""
        return [row for _, row in islice(self, 2)]

    @property
    def begin(self) -> int:
        """The number of the first line."""
        return next(iter(self))[0]

    def table(self, layout: ColumnLayout) -> Table:
        """The columns of a layout; another header and lines of another number of cells are refused."""
        first = self.head()[0]
        if not layout.begins(first):
            problem = f"found {quote(' '.join(first))}, expected the header {' '.join(layout.first_line)}"
            raise ReadError(self.path, f"{problem}; add it, or read the file as a table", line=self.begin)
        lines, width = array("I"), len(layout.names)
        most = layout.most or width

        def below() -> Iterator[list[str]]:
            for line, row in islice(self, bool(layout.first_line), None):
                if not width <= len(row) <= most:
                    problem = f"found {len(row)} cells, expected {width}: {' '.join(layout.names)}"
                    raise ReadError(self.path, f"{problem}; mend or delete this line", line=line)
                lines.append(line)
                yield row[:width]

        columns = dict(zip(layout.names, to_columns(below(), width), strict=True))
        if not lines:
            raise ReadError(self.path, f"has a header and no rows; expected lines of {' '.join(layout.names)}", line=1)
        return Table(self.path, self.digest, lines, columns)


def open_rows(source: str | Path | Mapping[str, bytes], what: str, delimiter: str | None) -> Rows:
    """Divide every line of a file; None divides at any blanks."""
    file = read_text(source, what)
    check_cells(file.path, file.text, delimiter)
    return Rows(file.path, file.digest, file.text, lambda line: line.split(delimiter))


def head_line(head: bytes) -> str:
    """The first line at the start of a file."""
    return head.decode("utf-8-sig", errors="replace").lstrip("\r\n").partition("\n")[0].rstrip("\r")
