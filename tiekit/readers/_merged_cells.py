"""Which cells of a workbook are merged with those below them? A merged cell's value is that of each of its rows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

_MERGED = re.compile(rb"<(?:\w+:)?mergeCell\b[^<>]*\bref=[\"']([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})[\"']")

Merged = Mapping[int, Mapping[int, int]]
"""By column, from 0, the last row of each merged cell by its first one, from 1."""


def merged_cells(content: bytes) -> Merged:
    """The cells of a sheet that are merged with others below them, in its first columns, as pandas writes an index.

    A column has some only where those before it do; cells merged with others beside them are titles.
    """
    found: dict[int, dict[int, int]] = {}
    for column, first, last_column, last in _MERGED.findall(content):
        if column == last_column and int(first) < int(last):
            place = sum(26**power * (letter - 64) for power, letter in enumerate(reversed(column))) - 1
            found.setdefault(place, {})[int(first)] = int(last)
    return {place: rows for place, rows in found.items() if all(before in found for before in range(place))}


class MergedCells:
    """The values of merged cells, while the rows of a sheet are read from its first to its last one."""

    def __init__(self, merged: Merged) -> None:
        self._merged = merged
        self._open: dict[int, tuple[int, Any]] = {}

    def fill(self, number: int, cells: Sequence[str]) -> list[str]:
        """The cells of a row, with the values of those that are merged with cells above them."""
        filled = list(cells)
        for place, rows in self._merged.items():
            if place >= len(filled):
                continue
            if number in rows:
                self._open[place] = rows[number], filled[place]
            elif place in self._open and number <= self._open[place][0]:
                filled[place] = filled[place] or self._open[place][1]
        return filled
