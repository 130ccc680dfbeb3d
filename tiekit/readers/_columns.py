"""What stands in the columns of a table? Labels, human scores or metric scores, by header and cells."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tiekit.errors import InputError, ReadError
from tiekit.readers._delimited import one_file, read_rows
from tiekit.readers._text import DECIMAL_COMMA, Files, parse_scores, quoted

MISSING = frozenset({"", "-", "NA", "N/A", "None", "null", "NULL"})
ALIASES = {
    "system": ("system", "sys", "system_id"),
    "segment": ("segment", "seg", "seg_id", "segment_id", "item", "sid"),
    "domain": ("domain",),
    "document": ("document", "doc", "document_id", "doc_id"),
}
HUMAN = re.compile(r"(human|mqm|esa|gold).*|da", re.IGNORECASE)


@dataclass(frozen=True)
class Table:
    """Cells by column, stripped, and the line on which every row begins."""

    path: str
    digest: str
    lines: Sequence[int]
    columns: Mapping[str, Sequence[str]]

    def named(self, argument: str, wanted: str | Iterable[str]) -> tuple[str, ...]:
        """The columns of these names, whatever their case."""
        known = {column.casefold(): column for column in self.columns}
        names = (wanted,) if isinstance(wanted, str) else tuple(wanted)
        for name in names:
            if name.casefold() not in known:
                raise InputError(f"{argument}: there is no column {name!r}; known: {', '.join(self.columns)}")
        return tuple(known[name.casefold()] for name in names)

    def label(self, kind: str) -> str | None:
        """The column that goes by one of the usual names of a label."""
        known = {column.casefold(): column for column in self.columns}
        return next((known[alias] for alias in ALIASES[kind] if alias in known), None)

    def numeric(self, labels: Collection[str | None]) -> tuple[str, ...]:
        """The columns, labels apart, that hold scores; one that is named like a human score does, or is at fault."""
        return tuple(
            name
            for name, cells in self.columns.items()
            if name not in labels and (HUMAN.fullmatch(name) or _numeric(cells))
        )

    def scores(self, column: str) -> NDArray[np.float64]:
        return parse_scores(self.columns[column], self.lines, self.path, missing=MISSING, column=column)


def open_table(source: str | Path | Mapping[str, bytes]) -> Table:
    """Read the cells of a table."""
    file, files = one_file("source", source, "table"), Files({})
    header, lines, rows = _rows(file.path, files.text(file))
    if not rows:
        raise ReadError(file.path, "has a header and no rows", line=1)
    return Table(file.path, files.digest, lines, dict(zip(header, zip(*rows, strict=True), strict=True)))


def _rows(path: str, text: str) -> tuple[list[str], list[int], list[list[str]]]:
    """Header, line numbers and rows; a table of two columns may have no header."""
    first = text.lstrip("\n").partition("\n")[0]
    delimiter = next((mark for mark in "\t;" if mark in first), ",")
    numbered = [(line, [cell.strip() for cell in row]) for line, row in read_rows(path, text, delimiter)]
    lines, rows = [line for line, _ in numbered], [row for _, row in numbered]
    width = len(rows[0])
    for row, line in zip(rows, lines, strict=True):
        if len(row) != width:
            hint = "; a decimal comma also divides cells" if delimiter == "," else ""
            raise ReadError(path, f"found {len(row)} cells, expected {width} as in line {lines[0]}{hint}", line=line)
    if width == 2 and all(cell in MISSING or _number_like(cell) for cell in rows[0]):
        return ["human", "metric"], lines, rows
    _check_header(path, rows[0], lines[0])
    return rows[0], lines[1:], rows[1:]


def _check_header(path: str, header: list[str], line: int) -> None:
    folded = [name.casefold() for name in header]
    for place, name in enumerate(folded):
        if not name:
            raise ReadError(path, f"column {place + 1} has no name; expected a header", line=line)
        if name in folded[:place]:
            raise ReadError(path, f"two columns are named {quoted(header[place])}; expected different names", line=line)
    if len(header) < 2:
        problem = f"found one column, {quoted(header[0])}; expected several, divided by tab, comma or semicolon"
        raise ReadError(path, problem, line=line)


def _number_like(cell: str) -> bool:
    """True of what was meant as a number, also of those that are refused later (nan, 1,5)."""
    try:
        float(cell)
    except ValueError:
        return DECIMAL_COMMA.fullmatch(cell) is not None
    return True


def _numeric(cells: Sequence[str]) -> bool:
    scored = [cell for cell in cells if cell not in MISSING]
    return 2 * sum(map(_number_like, scored)) > len(scored)
