"""What do the columns of a table hold? Labels, human scores or metric scores, as header and cells tell."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tiekit.errors import InputError, ReadError
from tiekit.names import as_names, did_you_mean
from tiekit.readers._delimited import one_file, read_rows
from tiekit.readers._text import DECIMAL_COMMA, Files, parse_scores, quoted

MISSING = frozenset({"", "-", "NA", "N/A", "None", "null", "NULL"})
"""Cells that stand for a missing score."""

ALIASES = {
    "system": ("system", "sys", "system_id"),
    "segment": ("segment", "seg", "seg_id", "segment_id", "item", "sid"),
    "domain": ("domain",),
    "document": ("document", "doc", "document_id", "doc_id"),
}
"""Usual names of the columns of labels, in lower case."""

HUMAN = re.compile(r"(human|mqm|esa|gold).*|da", re.IGNORECASE)
"""Usual names of the columns of human scores."""


@dataclass(frozen=True)
class Table:
    """Cells by column, without spaces around them, and the line on which each row begins."""

    path: str
    digest: str
    lines: Sequence[int]
    columns: Mapping[str, Sequence[str]]

    def named(self, argument: str, wanted: str | Iterable[str]) -> tuple[str, ...]:
        """The columns with these names; case is ignored."""
        known = {column.casefold(): column for column in self.columns}
        names = as_names(wanted)
        for name in names:
            if name.casefold() not in known:
                hint = did_you_mean(name, self.columns) or f"known: {', '.join(self.columns)}"
                raise InputError(f"{argument}: there is no column {name!r}; {hint}")
        return tuple(known[name.casefold()] for name in names)

    def label(self, kind: str) -> str | None:
        """The column with one of the usual names of a label."""
        known = {column.casefold(): column for column in self.columns}
        return next((known[alias] for alias in ALIASES[kind] if alias in known), None)

    def numeric(self, labels: Collection[str | None]) -> tuple[str, ...]:
        """The columns of scores: most of their cells are numbers, or they are named like a human score."""
        return tuple(
            name
            for name, cells in self.columns.items()
            if name not in labels and (HUMAN.fullmatch(name) or _numeric(cells))
        )

    def scores(self, column: str) -> NDArray[np.float64]:
        """The numbers of a column, NaN where missing."""
        return parse_scores(self.columns[column], self.lines, self.path, missing=MISSING, column=column)


def open_table(source: str | Path | Mapping[str, bytes]) -> Table:
    """Read the cells of a table."""
    file, files = one_file("source", source, "table"), Files({})
    header, lines, rows = _rows(file.path, files.text(file))
    if not rows:
        raise ReadError(file.path, "has a header and no rows; expected one row per system and segment", line=1)
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
            hint = "; a decimal comma also divides cells, so write decimal points" if delimiter == "," else ""
            raise ReadError(path, f"found {len(row)} cells, expected {width} as in line {lines[0]}{hint}", line=line)
    if width == 2 and all(cell in MISSING or _number_like(cell) for cell in rows[0]):
        return ["human", "metric"], lines, rows
    _check_header(path, rows[0], lines[0])
    return rows[0], lines[1:], rows[1:]


def _check_header(path: str, header: list[str], line: int) -> None:
    """Refuse columns without a name, with the same name, or a single one."""
    folded = [name.casefold() for name in header]
    for place, name in enumerate(folded):
        if not name:
            raise ReadError(path, f"column {place + 1} has no name; expected a name for every column", line=line)
        if name in folded[:place]:
            raise ReadError(path, f"two columns are named {quoted(header[place])}; rename one of them", line=line)
    if len(header) < 2:
        problem = f"found one column, {quoted(header[0])}; expected several, divided by tab, comma or semicolon"
        raise ReadError(path, problem, line=line)


def _number_like(cell: str) -> bool:
    """Whether a cell is meant as a number, even if it is refused later (nan, 1,5)."""
    try:
        float(cell)
    except ValueError:
        return DECIMAL_COMMA.fullmatch(cell) is not None
    return True


def _numeric(cells: Sequence[str]) -> bool:
    """Whether most cells with a score are numbers."""
    scored = [cell for cell in cells if cell not in MISSING]
    return 2 * sum(map(_number_like, scored)) > len(scored)
