"""Does a table in memory have the columns that a tool writes? Then it is read as that tool's file would be."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import pandas as pd

from tiekit.readers._frame import FRAME, flat
from tiekit.readers.format import Format
from tiekit.readers.registry import FORMATS, recognize
from tiekit.sets.evalset import KEPT

Rows: TypeAlias = pd.DataFrame | Sequence[Mapping[str, Any]]

NO_COLUMNS = ("mtme", "scores", "score_lines", "score_lists", "table")
"""Formats that no columns tell."""

FIRST_ROWS = 20
"""A table in memory is recognized by so many rows."""


def as_file(table: Rows, wanted: Format | None) -> tuple[Format, dict[str, bytes]] | None:
    """The format of a table's columns and the file that the table would be; None for a plain table."""
    if wanted is FORMATS["table"] or (isinstance(table, pd.DataFrame) and KEPT in table.attrs):
        return None
    for ending, write in _WRITERS.items():
        name = f"{FRAME}{ending}"
        try:
            found = recognize({name: write(_first(table))})
        except (TypeError, ValueError):
            continue
        if found and found.name not in NO_COLUMNS and wanted in (None, found):
            return found, {name: write(table)}
    return None


def _first(table: Rows) -> Rows:
    """The first rows."""
    return table.head(FIRST_ROWS) if isinstance(table, pd.DataFrame) else table[:FIRST_ROWS]


def _frame(table: Rows) -> pd.DataFrame:
    """A frame whose levels of the index with names are columns."""
    return flat(table if isinstance(table, pd.DataFrame) else pd.DataFrame(list(table)))


def _csv(table: Rows) -> bytes:
    """The table as CSV; columns that are numbered have no header."""
    frame = _frame(table)
    return str(frame.to_csv(index=False, header=not pd.api.types.is_integer_dtype(frame.columns))).encode()


def _tsv(table: Rows) -> bytes:
    """The table with tabs between the cells, in which quotation marks mean themselves."""
    frame = _frame(table).replace(r"[\t\r\n]+", " ", regex=True)
    return str(frame.to_csv(index=False, sep="\t", quoting=csv.QUOTE_NONE)).encode()


def _json_lines(table: Rows) -> bytes:
    """One object per row."""
    records = _frame(table).to_dict("records") if isinstance(table, pd.DataFrame) else table
    return "".join(json.dumps(record) + "\n" for record in records).encode()


_WRITERS: dict[str, Callable[[Rows], bytes]] = {".csv": _csv, ".tsv": _tsv, ".jsonl": _json_lines}
