"""How are a million texts kept in little more than their letters? A few thousand of them in one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, count, islice
from typing import overload

AT_ONCE = 4096
"""The number of texts that are kept in one."""


class Texts(Sequence[str]):
    """The cells of a column; each is a text of its own, which takes fifty bytes more, only while it is looked at."""

    def __init__(self, cells: Iterable[str] = ()) -> None:
        self._parts: list[str] = []
        self._last: list[str] = []
        self._place, self._seen = -1, list[str]()
        self.extend(cells)

    def append(self, cell: str) -> None:
        """Add one cell."""
        self._last.append(cell)
        if len(self._last) == AT_ONCE:
            self._parts.append(_join(self._last))
            self._last = []

    def extend(self, cells: Iterable[str]) -> None:
        """Add cells."""
        rest = iter(cells)
        while some := list(islice(rest, AT_ONCE - len(self._last))):
            self._last += some
            if len(self._last) == AT_ONCE:
                self._parts.append(_join(self._last))
                self._last = []

    def __len__(self) -> int:
        return len(self._parts) * AT_ONCE + len(self._last)

    def __iter__(self) -> Iterator[str]:
        return chain(chain.from_iterable(map(_divide, self._parts)), self._last)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> list[str]: ...

    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return list(self)[place]
        part, inside = divmod(range(len(self))[place], AT_ONCE)
        if part == len(self._parts):
            return self._last[inside]
        if part != self._place:  # who looks for one often looks for its neighbors
            self._place, self._seen = part, _divide(self._parts[part])
        return self._seen[inside]


def _join(cells: Sequence[str]) -> str:
    """The cells with a mark before each that is in none of them."""
    letters = "".join(cells)
    mark = next(mark for mark in map(chr, count()) if mark not in letters)
    return mark + mark.join(cells)


def _divide(part: str) -> list[str]:
    """The cells that were joined."""
    return part[1:].split(part[0])


def to_columns(rows: Iterator[Sequence[str]], width: int, clean: Callable[[str], str] = str) -> list[Texts]:
    """The columns of rows that all are so wide, each cell as ``clean`` makes it."""
    columns = [Texts() for _ in range(width)]
    while some := list(islice(rows, AT_ONCE)):
        for column, cells in zip(columns, zip(*some, strict=True), strict=True):
            column.extend(map(clean, cells))
    return columns
