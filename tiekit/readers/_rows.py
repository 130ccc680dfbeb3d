"""How is a text read row by row? Cells between delimiters, with the line on which each row begins."""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tiekit.base.errors import ReadError, quote
from tiekit.readers._columns import Table
from tiekit.readers._numbers import DECIMAL_COMMA
from tiekit.readers._source import TextFile, read_text


def delimiter_of(text: str) -> str:
    """What divides the cells of the first line: tabs, semicolons or commas."""
    first = text.lstrip("\n").partition("\n")[0]
    return next((mark for mark in "\t;" if mark in first), ",")


def with_points(cells: Sequence[str], delimiter: str) -> Sequence[str]:
    """Cells with decimal points for decimal commas, which files divided by semicolons have."""
    if delimiter != ";":
        return cells
    return [cell.replace(",", ".") if DECIMAL_COMMA.fullmatch(cell) else cell for cell in cells]


def read_rows(path: str, text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The line and the cells of every row that is not empty or blank.

    A cell that begins with a quotation mark goes on to the next single one, over line ends too; two of them stand for
    one. A quotation that is damaged is refused, and so is one that swallows rows: most of the lines that it joins have
    as many cells as the first row. In a table divided by tabs whose lines all have as many cells as the first one, such
    quotation marks are text.
    """
    try:
        rows = list(_quoted_rows(text, delimiter))
    except _QuotationError as damage:
        rows = [(line, row.split(delimiter)) for line, row in enumerate(text.split("\n"), start=1) if row.strip()]
        if delimiter != "\t" or len({len(row) for _, row in rows}) > 1:
            raise ReadError(path, str(damage), line=damage.line) from None
    return iter(rows)


class _QuotationError(Exception):
    """A quotation that does not end as it should, and the line in which its row begins."""

    def __init__(self, problem: str, line: int) -> None:
        super().__init__(problem)
        self.line = line


def _quoted_rows(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The rows up to the first damaged quotation."""
    joined: list[str] = []  # the lines that the next row joins

    def lines() -> Iterator[str]:
        for line in io.StringIO(text, newline=""):
            joined.append(line)
            yield line

    reader = csv.reader(lines(), delimiter=delimiter, strict=True)
    begin, width = 1, 0
    try:
        for row in reader:
            width = width or len(row)
            if len(joined) > 1 and _swallows(joined, delimiter, width):
                problem = f"has a quotation mark that ends only in line {reader.line_num}; close it in its own line"
                raise _QuotationError(f"{problem}, or double it where it is text", begin)
            if row and (len(row) > 1 or row[0].strip()):
                yield begin, row
            joined.clear()
            begin = reader.line_num + 1
    except csv.Error as error:
        problem = f"is not a table ({error}); check the quotation marks from here on: close each, or double it"
        raise _QuotationError(problem, begin) from None


def _swallows(lines: list[str], delimiter: str, width: int) -> bool:
    """Whether most lines of a row are rows by themselves."""
    return width > 1 and 2 * sum(line.count(delimiter) == width - 1 for line in lines) > len(lines)


def read_columns(file: TextFile) -> Table:
    """The columns of a text with delimiters below its header, whose names are put into lower case."""
    delimiter = delimiter_of(file.text)
    (begin, header), *rows = read_rows(file.path, file.text, delimiter)
    names = [name.strip().casefold() for name in header]
    twice = next((name for place, name in enumerate(names) if name and name in names[:place]), None)
    if twice is not None:
        raise ReadError(file.path, f"two columns are named {quote(twice)}; rename one of them", line=begin)
    for line, row in rows:
        if len(row) != len(names):
            problem = f"found {len(row)} cells, expected {len(names)} as in the header, line {begin}"
            raise ReadError(file.path, f"{problem}; mend this row, or check its quotation marks", line=line)
    if not rows:
        raise ReadError(file.path, "has a header and no rows; expected one row per score", line=begin)
    columns = dict(zip(names, zip(*(row for _, row in rows), strict=True), strict=True))
    return Table(file.path, file.digest, [line for line, _ in rows], columns, commas=delimiter == ";")


@dataclass(frozen=True)
class ColumnLayout:
    """Columns of a text whose cells have no quotation marks.

    Attributes
    ----------
    names : tuple of str
        What code calls the columns, in their order.
    header : tuple of str, optional
        How the first line begins, in any case; None: as the names. Empty: there is no header.
    delimiter : str, optional
        What divides the cells; None: blanks.
    most : int
        Maximum number of cells in a line, the last of which are not read; 0: as many as there are names.
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
    """The cells of every line that is not blank."""

    path: str
    digest: str
    lines: Sequence[int]
    cells: Sequence[Sequence[str]]

    def table(self, layout: ColumnLayout) -> Table:
        """The columns of a layout; another header and lines of another number of cells are refused."""
        if not layout.begins(self.cells[0]):
            problem = f"found {quote(' '.join(self.cells[0]))}, expected the header {' '.join(layout.first_line)}"
            raise ReadError(self.path, f"{problem}; add it, or read the file as a table", line=self.lines[0])
        begin = bool(layout.first_line)
        lines, cells, width = self.lines[begin:], self.cells[begin:], len(layout.names)
        most = layout.most or width
        if not {len(row) for row in cells} <= set(range(width, most + 1)):
            bad = next(place for place, row in enumerate(cells) if not width <= len(row) <= most)
            problem = f"found {len(cells[bad])} cells, expected {width}: {' '.join(layout.names)}"
            raise ReadError(self.path, f"{problem}; mend or delete this line", line=lines[bad])
        if not cells:
            raise ReadError(self.path, f"has a header and no rows; expected lines of {' '.join(layout.names)}", line=1)
        columns = dict(zip(layout.names, zip(*cells, strict=False), strict=False))
        return Table(self.path, self.digest, lines, columns)


def open_rows(source: str | Path | Mapping[str, bytes], what: str, delimiter: str | None) -> Rows:
    """Divide every line of a file; None divides at any blanks. Cells that come again are kept once."""
    file = read_text(source, what)
    lines, cells, known = array("q"), [], dict[str, str]()
    for place, line in enumerate(file.lines, start=1):
        if line and not line.isspace():
            lines.append(place)
            cells.append(tuple([known.setdefault(cell, cell) for cell in line.split(delimiter)]))
    return Rows(file.path, file.digest, lines, cells)


def head_line(head: bytes) -> str:
    """The first line at the start of a file."""
    return head.decode("utf-8-sig", errors="replace").lstrip("\r\n").partition("\n")[0].rstrip("\r")
