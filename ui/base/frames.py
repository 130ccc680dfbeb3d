"""What is in a frame? Single cells and rows, whose types pandas does not know."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import pandas as pd


def cell(frame: pd.DataFrame, row: Hashable, column: Hashable) -> Any:
    """Return the value at a row and a column."""
    return frame.loc[row, column]  # type: ignore[index]  # labels may be of any type that has a hash


def rows_of(frame: pd.DataFrame) -> Iterator[Any]:
    """Return the rows; their cells are attributes named after the columns."""
    return iter(frame.itertuples())
