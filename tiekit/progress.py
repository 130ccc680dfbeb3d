"""How much of the work is done?"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[float], None]
"""Called now and then with the fraction done; raise an exception to cancel."""


def part_of(progress: Progress | None, number: int, total: int) -> Progress | None:
    """Return the progress function of one of several equal parts of the work, numbered from 0."""
    return None if progress is None else lambda fraction: progress((number + fraction) / total)
