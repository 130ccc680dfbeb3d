"""Does the first column of a table only count its rows, beside the one that names them?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count
from operator import eq

from tiekit.base.errors import ReadError, RoleWarning, quote, warn
from tiekit.base.names import ROW_COUNTS, known_names, plain_name
from tiekit.readers._cells import count_rows
from tiekit.readers._columns import Table
from tiekit.readers._labels import FEWEST_COUNTED, NEARLY_ALL, Labels, find_labels
from tiekit.readers._numbers import are_whole
from tiekit.readers._score_names import is_metric, is_named_human
from tiekit.readers._systems import find_wide
from tiekit.sets.labels import labels_as_numbers

COUNT_LEFT_OUT = "The first column, which counts the rows, was left out."
"""The note of a table in which another column names the rows."""

_OF_ROWS = re.compile(r"|x|rn|row_?names?|unnamed_\d+|1", re.ASCII)
"""How R, pandas and readr call the names of rows where they have none, in lower case with _ for other signs."""


def without_row_count(
    table: Table,
    segment: str | Iterable[str] | None,
    document: str | None,
    systems: Sequence[str] = (),
    segments: Sequence[str] = (),
    chosen: Mapping[str, Sequence[str]] | None = None,
    *,
    is_asked: bool = True,
) -> tuple[Table, str | Iterable[str] | None]:
    """A table without a first column that counts the rows, where another one names them, and what names the segments.

    Such a column holds whole numbers, other ones in each row of a system or document: the ``segments`` of the set, or
    without a set 1, 2, 3 and so on in any order. Refused are two that name the rows otherwise; where it holds other
    numbers, which are not in order, both columns are named by a RoleWarning. Nothing is said unless it ``is_asked``.
    """
    if (first := _row_count(table, chosen)) is None:
        return table, segment
    rest = replace(
        table,
        columns={name: cells for name, cells in table.columns.items() if name != first},
        notes=(*table.notes, COUNT_LEFT_OUT),
        counted="",
    )
    is_name = first != table.counted and plain_name(first) in ROW_COUNTS
    if segment is not None and not is_name:
        asked = [segment] if isinstance(segment, str) else [*segment]
        is_wanted = not asked or first.casefold() in [str(name).casefold() for name in asked]
        return (table if is_wanted else rest), segment
    if segment is not None or (is_name and not is_asked):
        return table, segment
    labels = find_labels(rest, None, None, None, document, systems, segments, chosen)
    likely = _likely_names(rest, labels, systems, chosen)
    found = [name for name in likely if _are_segments(rest, labels, name, segments)]
    if is_name:
        likely = found if labels.system is None else []
    elif labels.segment and (set(found).issuperset(labels.segment) or labels.document in labels.segment):
        return without_row_count(rest, None, document, systems, segments, chosen, is_asked=is_asked)
    elif not is_asked:
        return (rest if likely else table), (found[0] if len(found) == 1 else None)
    elif len({tuple(rest.cells(name)) for name in found}) > 1:
        options = " or ".join(f"segment={name!r}" for name in found)
        names = known_names(map(quote, found))
        problem = f"columns {names} may each name the rows, which the first column only counts"
        raise ReadError(table.path, f"{problem}; pass {options}", line=1)
    elif found:
        return rest, found[0]
    known = {*map(str, labels_as_numbers(segments))} if is_name else set[str]()  # such columns are told elsewhere
    if other := next((name for name in likely if not (_rises(cells := rest.cells(name)) or known >= {*cells})), None):
        called = "the first column" if table.counted else quote(first)
        told = f"took {called} for segment=, which counts the rows, not {quote(other)}"
        warn(f"{table.path}: {told}; pass segment={other!r} if that names them", RoleWarning)
    return table, None


def _row_count(table: Table, chosen: Mapping[str, Sequence[str]] | None) -> str | None:
    """The first column of several, if it is named like the rows' names of a tool and counts them from 0 or from 1."""
    first = next(iter(table.columns))
    is_called = first == table.counted or plain_name(first) in ROW_COUNTS or _OF_ROWS.fullmatch(plain_name(first))
    if not is_called or first in chain.from_iterable((chosen or {}).values()) or len(table.columns) < 3:
        return None
    cells = table.cells(first)
    return first if any(all(map(eq, cells, map(str, count(start)))) for start in (0, 1)) else None


def _likely_names(
    table: Table, labels: Labels, systems: Sequence[str], chosen: Mapping[str, Sequence[str]] | None
) -> list[str]:
    """The columns of whole numbers, named like no score, that differ in each row of a system or document."""
    scores = {*chain.from_iterable((chosen or {}).values()), *find_wide(table, systems)}
    rows = [table.cells(name) for name in (labels.system, labels.document) if name is not None]
    free = [name for name in table.columns if name not in {*scores, labels.system, labels.document}]
    numeric = [name for name in free if table.is_scores(name) and are_whole(table.cells(name))]
    if len(table.lines) < FEWEST_COUNTED or not (scores or len(list(filter(table.is_scores, free))) > 1):
        return []
    likely = [name for name in numeric if not (is_named_human(name) or is_metric(name) or "rank" in plain_name(name))]
    return [name for name in likely if count_rows(*rows, table.cells(name)) == len(table.lines)]


def _are_segments(table: Table, labels: Labels, name: str, segments: Sequence[str]) -> bool:
    """Whether nearly all numbers of a column are those of the set's segments, or without a set count the rows."""
    numbers = {*map(int, map(float, table.cells(name)))}
    if labels.document is None and labels.system is None and not segments:
        return any(numbers == {*range(start, start + len(table.lines))} for start in (0, 1))
    ours = {*labels_as_numbers(segments)} | {*range(len(segments or numbers) + 1)}
    return len(numbers & ours) >= NEARLY_ALL * len(numbers)


def _rises(cells: Sequence[str]) -> bool:
    """Whether numbers are in order."""
    numbers = list(map(float, cells))
    return numbers == sorted(numbers)
