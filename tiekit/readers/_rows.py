"""How is a text read row by row? Cells between delimiters, with the line on which each row begins."""

from __future__ import annotations

import csv
import io
from array import array
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

from tiekit.base.errors import InputError, ReadError
from tiekit.base.validation import FloatArray
from tiekit.readers import _columns
from tiekit.readers._source import DECIMAL_COMMA, File, Files, check_source, parse_scores, quoted


def one_file(argument: str, source: str | Path | Mapping[str, bytes], expected: str) -> File:
    """The file at a path, or the only one of a mapping."""
    check_source(argument, source)
    if not isinstance(source, Mapping):
        return File(Path(source).name, str(source), Path(source))
    if len(source) != 1:
        raise InputError(f"{argument}: expected one {expected}, found {len(source)} files")
    [(path, content)] = source.items()
    return File(Path(path).name, path, content)


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


MISSING = _columns.MISSING | {"nan", "NaN"}
"""Cells that stand for a missing score."""


@dataclass(frozen=True)
class Rows:
    """The cells of every line that is not blank; ``path`` is how the caller named the file."""

    path: str
    stem: str
    digest: str
    lines: Sequence[int]
    cells: Sequence[Sequence[str]]

    def columns(self, names: Sequence[str], *, most: int | None = None) -> dict[str, Sequence[str]]:
        """The cells of each column by name; a line may have up to ``most`` cells, the last of which are not read."""
        width = len(names)
        if not {len(row) for row in self.cells} <= set(range(width, (most or width) + 1)):
            bad = next(place for place, row in enumerate(self.cells) if not width <= len(row) <= (most or width))
            problem = f"found {len(self.cells[bad])} cells, expected {width}: {' '.join(names)}"
            raise ReadError(self.path, f"{problem}; mend or delete this line", line=self.lines[bad])
        if not self.cells:
            raise ReadError(self.path, f"has a header and no rows; expected lines of {' '.join(names)}", line=1)
        return dict(zip(names, zip(*self.cells, strict=False), strict=False))

    def below_header(self) -> Rows:
        """All lines but the first."""
        return Rows(self.path, self.stem, self.digest, self.lines[1:], self.cells[1:])

    def scores(self, tokens: Sequence[str], *, column: str, missing: AbstractSet[str] = MISSING) -> FloatArray:
        """The numbers of a column, NaN where missing."""
        return parse_scores(tokens, self.lines, self.path, missing=missing, column=column)


def open_rows(source: str | Path | Mapping[str, bytes], what: str, delimiter: str | None) -> Rows:
    """Divide every line of a file; None divides at any blanks. Cells that come again are kept once."""
    file, files = one_file("source", source, what), Files({})
    lines, cells, known = array("q"), [], dict[str, str]()
    for place, line in enumerate(files.lines(file), start=1):
        if line and not line.isspace():
            lines.append(place)
            cells.append(tuple([known.setdefault(cell, cell) for cell in line.split(delimiter)]))
    stem = file.base.removesuffix(".gz").rpartition(".")[0] or file.base
    return Rows(file.path, stem, files.digest, lines, cells)


def check_header(rows: Rows, expected: Sequence[str]) -> None:
    """Refuse a file whose first line does not begin with the expected names, in any case."""
    found = [cell.strip().casefold() for cell in rows.cells[0]][: len(expected)]
    if found != [name.casefold() for name in expected]:
        problem = f"found {quoted(' '.join(rows.cells[0]))}, expected the header {' '.join(expected)}"
        raise ReadError(rows.path, f"{problem}; add it, or read the file as a table", line=rows.lines[0])


def head_line(head: bytes) -> str:
    """The first line at the start of a file."""
    return head.decode("utf-8-sig", errors="replace").lstrip("\r\n").partition("\n")[0].rstrip("\r")
