"""What lower rooms call in higher ones: `tiekit/__init__`, which alone knows all rooms, fills these slots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def _empty(*_: Any, **__: Any) -> Any:
    raise RuntimeError("tiekit is not imported as a whole: nothing fills this slot")


plot: Callable[..., Any] = _empty
"""Draw a result: ``plot(result, theme, what)``."""

table_to_set: Callable[..., Any] = _empty
"""Read a frame as a table: what `EvalSet.from_frame` calls, with its arguments."""

add_scores: Callable[..., Any] = _empty
"""Add a metric's scores from a file: what `EvalSet.with_scores` calls, the set first."""
