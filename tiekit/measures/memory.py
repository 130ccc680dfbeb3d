"""How does a long computation go on after it was interrupted? What it found is kept in a `joblib.Memory`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def remember(memory: Any, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that reads from the memory what it computed before; the function itself without a memory."""
    remembered: Callable[..., Any] = function if memory is None else memory.cache(function)
    return remembered
