"""What do the columns of a table hold? Cells by column, as texts or as numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import Any, TypeAlias

import numpy as np

from tiekit.base.by_label import text_labels
from tiekit.base.errors import InputError, ReadError, quote
from tiekit.base.names import as_names, did_you_mean, known_names
from tiekit.base.validation import FloatArray
from tiekit.readers._numbers import COMMAS_READ, DECIMAL_COMMA, MISSING, number_like, parse_scores
from tiekit.readers._source import file_stem

LABELS_SHOWN = 5

_DECIMAL_POINT = re.compile(r"[+-]?\d*\.\d+", re.ASCII)
_MISTYPED = re.compile(r"[+-]?[.,]?\d\S{0,15}", re.ASCII)

Order: TypeAlias = Mapping[str, float]
"""The number that stands for each label of an ordered scale."""


@dataclass(frozen=True, eq=False)
class Table:
    """Cells by column, texts without spaces around them or numbers, and the line on which each row begins.

    Attributes
    ----------
    commas : bool
        Whether a comma in a number is a decimal comma.
    headed : bool
        Whether the names of the columns are the table's own.
    orders : mapping of str to mapping of str to float
        The numbers of labels, by column; those under the empty name are for all columns.
    kept : mapping
        What the set knew that the table was made of.
    notes : tuple of str
        What was done to read the cells.
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
        columns = {name: tuple(compress(self.cells(name), mask)) for name in self.columns}
        return replace(self, lines=list(compress(self.lines, mask)), columns=columns)

    def find_columns(self, argument: str, wanted: str | Iterable[str]) -> tuple[str, ...]:
        """The columns with these names; case is ignored."""
        return names_among(argument, wanted, self.columns)

    def cells(self, column: str) -> Sequence[str]:
        """The cells of a column as texts."""
        cells = self.columns[column]
        if isinstance(cells, np.ndarray):
            return ["" if label == "nan" else label for label in text_labels(cells.tolist())]
        return cells

    def is_scores(self, column: str) -> bool:
        """Whether most cells with a score are numbers, or labels whose order is known."""
        cells = self.columns[column]
        if isinstance(cells, np.ndarray):
            return True
        scored = [cell for cell in cells if cell not in MISSING]
        if scored and self._order(column, scored):
            return True
        return 2 * sum(map(number_like, scored)) > len(scored)

    def find_mistyped(self, column: str) -> str | None:
        """A cell of a column of texts that look like numbers with a slip, such as 3O."""
        cells = self.columns[column]
        scored = [] if isinstance(cells, np.ndarray) else [cell for cell in cells if cell not in MISSING]
        odd = next((cell for cell in scored if _looks_mistyped(cell)), None)
        likely = sum(number_like(cell) or _looks_mistyped(cell) for cell in scored)
        return odd if 2 * likely > len(scored) else None

    def scores(self, column: str) -> FloatArray:
        """The numbers of a column, NaN where missing."""
        cells = self.columns[column]
        if isinstance(cells, np.ndarray):
            return cells
        scored = [cell for cell in cells if cell not in MISSING]
        if scored and (order := self._order(column, scored)):
            return np.array([order.get(cell, np.nan) for cell in cells])
        if scored and not any(map(number_like, scored)):
            self._refuse_labels(column, scored)
        return self.numbers(column)

    def numbers(self, column: str, *, missing: AbstractSet[str] = MISSING) -> FloatArray:
        """The numbers of a column of texts that has no labels, NaN where missing."""
        cells = self.cells(column)
        if self.commas:
            cells = [cell.replace(",", ".") if DECIMAL_COMMA.fullmatch(cell) else cell for cell in cells]
        return parse_scores(cells, self.lines, self.path, missing=missing, column=column)

    def _order(self, column: str, scored: Sequence[str]) -> Order | None:
        """The numbers of a column's labels, where all of them have one."""
        found = (self.orders.get(name) for name in (column, ""))
        return next((order for order in found if order and all(cell in order for cell in scored)), None)

    def _refuse_labels(self, column: str, scored: Sequence[str]) -> None:
        """Ask for the order of labels where a column of scores holds a few of them."""
        labels = list(dict.fromkeys(scored))
        if len(labels) <= LABELS_SHOWN and len(labels) < len(scored):
            example = ", ".join(f"{quote(label)}: …" for label in labels)
            line = next(line for line, cell in zip(self.lines, self.columns[column], strict=True) if cell == labels[0])
            raise ReadError(
                self.path,
                f"column {quote(column)} holds labels, not numbers; give each a number, higher is better: "
                f"labels={{{example}}}",
                line=line,
            )


def names_among(argument: str, wanted: str | Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
    """The known names that are wanted; case is ignored unless two names differ in nothing else."""
    exact = dict.fromkeys(known)
    folded = {name.casefold(): name for name in exact}
    found = []
    for name in as_names(wanted, argument):
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


def plain_name(name: str) -> str:
    """A name in lower case with ``_`` between its words: ``SYSTEM-ID`` and ``systemID`` are ``system_id``."""
    return "_".join(re.findall(r"[^\W_]+", re.sub(r"(?<=[a-z])I[Dd]$", "_id", name).lower()))


def _looks_mistyped(cell: str) -> bool:
    """Whether a cell is no number but at least half digits, and begins like a number."""
    if number_like(cell) or not _MISTYPED.fullmatch(cell):
        return False
    return 2 * sum(character.isdigit() for character in cell) >= len(cell)


def check_commas(table: Table, columns: Iterable[str]) -> tuple[str, ...]:
    """Refuse scores with decimal points beside scores with decimal commas; return a note where there are commas."""
    found: dict[str, str] = {}
    for column in columns if table.commas else ():
        cells = table.columns[column]
        for what, pattern in (("commas", DECIMAL_COMMA), ("points", _DECIMAL_POINT)):
            if not isinstance(cells, np.ndarray) and any(pattern.fullmatch(cell) for cell in cells):
                found[what] = column
    if len(found) == 2:
        raise ReadError(
            table.path,
            f"has decimal commas in column {quote(found['commas'])} and decimal points in column "
            f"{quote(found['points'])}; write decimal points in both",
        )
    return (COMMAS_READ,) if "commas" in found else ()
