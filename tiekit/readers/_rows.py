"""How is a file read whose cells have no quotation marks? Line by line, cells divided by tabs or by blanks."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

from tiekit.base.errors import ReadError
from tiekit.base.validation import FloatArray
from tiekit.readers import _columns
from tiekit.readers._delimited import one_file
from tiekit.readers._text import Files, parse_scores, quoted

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
