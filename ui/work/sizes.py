"""How many bytes does a value take? What is kept for a visitor is bounded by it, and what is sent to a page."""

from __future__ import annotations

import io
import pickle
import sys
from typing import Any

OBJECT = 64
"""The bytes that a text or the like takes beside those that are pickled of it."""

UNKNOWN = 2**16
"""The bytes that are counted for a result that cannot be pickled."""


class _Sizing(pickle.Pickler):
    """Finds the texts that are not ASCII, and what they take before they are pickled, up to four bytes a letter.

    Once they are, Python keeps their UTF-8 beside them.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.texts: dict[int, int] = {}

    def persistent_id(self, value: Any) -> None:
        """Note a text; it is pickled as ever."""
        if type(value) is str and not value.isascii():
            self.texts.setdefault(id(value), sys.getsizeof(value))


def size_of(value: object) -> int:
    """Return about how many bytes a value takes: those of its arrays and texts, and of all else when it is pickled."""
    arrays: list[pickle.PickleBuffer] = []
    pickler = _Sizing(pickled := io.BytesIO(), 5, buffer_callback=arrays.append)
    try:
        pickler.dump(value)
    except (pickle.PicklingError, TypeError, AttributeError):
        return UNKNOWN
    rest = pickled.getvalue()
    of_arrays = sum(memoryview(array).nbytes for array in arrays)
    return len(rest) + OBJECT * rest.count(pickle.MEMOIZE) + sum(pickler.texts.values()) + of_arrays
