"""What do all public results have in common? float(), to_dict(), a short repr, and tables in HTML and LaTeX."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, fields
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tiekit.display import html_table
from tiekit.latex import escape, number, tabular
from tiekit.signature import digest_of

LINES = 10
"""The longest repr."""

WIDTH = 120

FIELDS = "field"
"""The column of a table that has one row per field of a result."""


class Result:
    """Base of a frozen dataclass that holds a result.

    A subclass names its headline number in ``_number``; without one, `float` raises a TypeError. Fields with
    ``repr=False``, such as the scores, are left out of `to_dict` and of the repr.
    """

    _number: ClassVar[str | None] = "value"

    def __float__(self) -> float:
        if self._number is None:
            raise TypeError(f"{type(self).__name__} is not a single number; see to_dict()")
        return float(getattr(self, self._number))

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else str(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain Python values (numbers, text, lists, dicts), its signature included."""
        found = {field.name: plain(getattr(self, field.name)) for field in _shown(self)}
        signature = getattr(self, "signature", None)
        return found if signature is None else found | {"signature": signature}

    def to_latex(self) -> str:
        """Return what a notebook shows as a LaTeX table, which needs the package booktabs."""
        grid, signature = self._grid(), getattr(self, "signature", "")
        heads = [] if _is_of_fields(grid) else [["", *map(escape, grid.columns)]]
        rows = [[escape(row[0]), *map(_latex_cell, row[1:])] for row in grid.itertuples()]
        comments = [f"{type(self).__name__}; needs the package booktabs.", signature]
        return tabular(heads, rows, filter(None, comments), "ll" if _is_of_fields(grid) else "")

    def _repr_html_(self) -> str:
        grid = self._grid()
        notes = filter(None, [getattr(self, "signature", "")])
        return html_table(type(self).__name__, grid, notes, head=not _is_of_fields(grid))

    def _grid(self) -> pd.DataFrame:
        """What is displayed as a table: one row per field, unless a subclass has a table of its own."""
        values = {field.name: _cell(getattr(self, field.name)) for field in _shown(self)}
        return pd.DataFrame({FIELDS: pd.Series(values, dtype=object)})

    def __repr__(self) -> str:
        parts = [f"{field.name}={_short(getattr(self, field.name))}" for field in _shown(self)]
        name = type(self).__name__
        line = f"{name}({', '.join(parts)})"
        if len(line) <= WIDTH:
            return line
        lines, left = [""], list(parts)
        while left:
            part = left.pop(0) + (", " if left else ")")
            if lines[-1] and len(lines[-1]) + len(part) > WIDTH - 8:
                lines.append("")
            lines[-1] += part
        kept = lines if len(lines) < LINES else [*lines[: LINES - 2], "…)"]
        return "\n    ".join([f"{name}(", *(line.rstrip() for line in kept)])


class ResultOfScores(Result):
    """A result that keeps the scores that it was computed from."""

    scores: tuple[NDArray[np.float64], ...]

    @property
    def digest(self) -> str:
        """Of the scores; made only when it is asked for, as it takes longer than counting."""
        return digest_of(*self.scores)


def plain(value: Any) -> Any:
    """A value as plain Python: arrays and frames as lists and dicts, other results as dicts."""
    if isinstance(value, Result):
        return value.to_dict()
    if isinstance(value, pd.DataFrame):
        return {"index": plain(value.index), "columns": {str(name): plain(value[name]) for name in value.columns}}
    if isinstance(value, pd.Series):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, np.ndarray | pd.Index):
        return [plain(one) for one in value.tolist()]
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, tuple | list):
        return [plain(one) for one in value]
    return None if value is pd.NA else value


def _shown(result: Result) -> list[Field[Any]]:
    return [field for field in fields(result) if field.repr]  # type: ignore[arg-type]  # every Result is a dataclass


def _is_of_fields(grid: pd.DataFrame) -> bool:
    return list(grid.columns) == [FIELDS]


def _cell(value: Any) -> object:
    """A number as it is, anything else as text."""
    if isinstance(value, bool | np.bool_) or value is None:
        return "–" if value is None else "yes" if value else "no"
    if isinstance(value, int | float | np.number | str):
        return value
    if isinstance(value, tuple) and len(value) <= 3 and all(isinstance(one, float | int) for one in value):
        return ", ".join(f"{one:.4g}" for one in value)
    return _short(value)


def _latex_cell(value: Any) -> str:
    return number(value, ".4g") if isinstance(value, int | float | np.number) or pd.isna(value) else escape(value)


def _short(value: Any) -> str:
    if isinstance(value, Result):
        return f"<{type(value).__name__}>"
    if isinstance(value, np.ndarray | pd.DataFrame | pd.Series):
        return f"<{' × '.join(map(str, value.shape))} {'values' if value.ndim == 1 else 'table'}>"
    if isinstance(value, Mapping) and len(value) > 3:
        return f"<{len(value)} entries>"
    text = repr(value.item() if isinstance(value, np.generic) else value)
    return text if len(text) <= WIDTH - 40 else f"{text[: WIDTH - 41]}…"
