"""Whose page is drawn now? A few at a time: thirty at once would hinder each other, and all of them come later.

Python lets one thread run at a time. Where thirty are ready, it goes from one to the next every few milliseconds, and
each change costs. A page that has its turn is drawn in about a tenth of a second.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import BoundedSemaphore, local
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

AT_A_TIME = 2
"""So many pages are drawn at a time: while one waits for a file or a kernel, Python draws the other."""

PATIENCE = 3.0
"""Seconds after which a page is drawn although it is not its turn: one that takes long holds up nobody for good."""

_turns = BoundedSemaphore(AT_A_TIME)
_mine = local()


def in_turn(draw: Callable[P, T]) -> Callable[P, T]:
    """Let a function wait for its turn, which ends with it, or where it calls `give_up`."""

    @wraps(draw)
    def wait_and_draw(*args: P.args, **kwargs: P.kwargs) -> T:
        _mine.turn = _turns.acquire(timeout=PATIENCE)
        try:
            return draw(*args, **kwargs)
        finally:
            give_up()

    return wait_and_draw


def give_up() -> None:
    """End this thread's turn, if it has one, because it computes or waits for long; it goes on without.

    It does not wait for another turn: it may hold a lock for which those who have one wait.
    """
    if getattr(_mine, "turn", False):
        _mine.turn = False
        _turns.release()
