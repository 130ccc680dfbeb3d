"""How does a DataFrame or a list of dicts become a table? Columns of numbers stay numbers, all others become texts."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from tiekit.base.by_label import is_default, text_labels
from tiekit.base.errors import InputError, ReadError, shown
from tiekit.base.names import check_unique
from tiekit.base.validation import FloatArray
from tiekit.readers._columns import Table
from tiekit.readers._labels import ALIASES
from tiekit.sets.evalset import KEPT

FRAME = "DataFrame"
"""What messages call a frame; a line is a row, counted from 1."""


def frame_table(frame: pd.DataFrame) -> Table:
    """The cells of a frame; levels of its index with names, or of text, are columns."""
    kept = frame.attrs.get(KEPT, {})
    frame = flat(frame)
    names = [name.strip() for name in text_labels(frame.columns)]
    check_unique("source", names)
    if frame.empty:
        raise ReadError(FRAME, "has no rows; expected one row per system and segment")
    columns, notes = {}, []
    for name, (_, column) in zip(names, frame.items(), strict=True):
        if isinstance(column.dtype, pd.CategoricalDtype) and column.dtype.ordered:
            order = text_labels(column.dtype.categories)
            notes.append(f"The ordered labels of {name!r} are numbers from 0: {' < '.join(order)[:200]}.")
        columns[name] = _cells(name, column)
    lines = range(1, len(frame) + 1)
    known = kept if isinstance(kept, Mapping) else {}
    return Table(FRAME, _digest(columns), lines, columns, kept=known, notes=tuple(notes))


def records_table(path: str, digest: str | None, lines: Sequence[int], records: Sequence[Any]) -> Table:
    """The cells of objects with names; a field that an object lacks is missing."""
    if not records or not all(isinstance(record, Mapping) for record in records):
        found = type(next((record for record in records if not isinstance(record, Mapping)), None)).__name__
        raise InputError(
            f"source: must be a list of dicts, one for each row; found {found if records else 'an empty list'}"
        )
    names = list(dict.fromkeys(name for record in records for name in record))
    check_unique("source", text_labels(names))
    columns = {
        label.strip(): _cells(label, pd.Series([record.get(name) for record in records], dtype=object).infer_objects())
        for name, label in zip(names, text_labels(names), strict=True)
    }
    if not columns:
        raise ReadError(path, "holds objects without fields; expected system, segment and scores")
    return Table(path, digest or _digest(columns), lines, columns)


def flat(frame: pd.DataFrame) -> pd.DataFrame:
    """A frame whose rows are systems × segments, without labels in its index."""
    if frame.columns.nlevels > 1:
        known = {alias for kind in ("system", "segment") for alias in ALIASES[kind]}
        level = next((name for name in frame.columns.names if str(name).casefold() in known), None)
        if frame.columns.nlevels != 2 or level is None:
            raise InputError(
                "source: columns with two levels must be scores × systems (or segments), and the level of these be "
                f"named system (or segment); found levels {list(frame.columns.names)}"
            )
        frame = pd.DataFrame(frame.stack(level, future_stack=True))  # noqa: PD013
    index = frame.index
    is_named = any(name is not None for name in index.names)
    if is_named or not (is_default(index) or pd.api.types.is_numeric_dtype(index.dtype)):
        clash = [name for name in index.names if name is not None and name in frame.columns]
        if clash:
            raise InputError(f"source: {clash[0]!r} names both a column and a level of the index; rename one of them")
        frame = frame.reset_index()
    return frame


def _cells(name: str, column: pd.Series) -> list[str] | FloatArray:
    """Numbers as float64, texts otherwise; a missing cell is NaN, or empty."""
    if isinstance(column.dtype, pd.CategoricalDtype) and column.dtype.ordered:
        codes = column.cat.codes.to_numpy(dtype=np.float64)
        return np.where(codes < 0, np.nan, codes)
    if pd.api.types.is_numeric_dtype(column.dtype) and not pd.api.types.is_complex_dtype(column.dtype):
        numbers = column.to_numpy(dtype=np.float64, na_value=np.nan)
        if np.isinf(numbers).any():
            row = int(np.argmax(np.isinf(numbers))) + 1
            raise ReadError(
                FRAME, f"{numbers[row - 1]} in column {shown(name)} is not a score; expected a finite number", line=row
            )
        return numbers
    return ["" if missing else _text(value) for value, missing in zip(column.tolist(), _gaps(column), strict=True)]


def _gaps(column: pd.Series) -> list[bool]:
    """Where a cell is missing; a list or an array in a cell is not."""
    return [bool(missing) if np.ndim(missing) == 0 else False for missing in map(pd.isna, column.tolist())]


def _text(value: object) -> str:
    """A cell as text; whole numbers without a decimal point, truth values as numbers."""
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    return text_labels([value])[0].strip()


def _digest(columns: Mapping[str, Sequence[str] | FloatArray]) -> str:
    """SHA-256 of names and cells."""
    digest = hashlib.sha256()
    for name, cells in columns.items():
        digest.update(repr(name).encode())
        digest.update(cells.tobytes() if isinstance(cells, np.ndarray) else repr(list(cells)).encode())
    return digest.hexdigest()
