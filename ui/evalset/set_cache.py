"""What is made of an evaluation set once for all visitors who have it open? It is dropped together with the set."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import TypeVar
from weakref import WeakKeyDictionary

import tiekit as tk
from ui.work.result_cache import Results

KEPT = 24
"""So many things are kept of each set; the largest are copies of its scores without some systems or segments."""

T = TypeVar("T")

_guard = Lock()
_made: WeakKeyDictionary[tk.EvalSet, Results] = WeakKeyDictionary()


def once(data: tk.EvalSet, key: Hashable, make: Callable[[], T]) -> T:
    """Return something made of a set, which never changes; ``key`` names it and holds all else that it depends on.

    It is made once for all visitors: it must not be changed, and must not refer to the set.
    """
    with _guard:
        made = _made.setdefault(data, Results(KEPT))
    found: T = made.get(key, lambda _: make(), lambda _: None)
    return found
