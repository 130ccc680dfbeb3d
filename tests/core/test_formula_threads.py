"""Formulas are read by several threads at once."""

from __future__ import annotations

import gc
import sys
from threading import Event, Thread

import pytest

from tiekit.core.formula import Formula


@pytest.mark.sampled(4)
@pytest.mark.skipif(sys.implementation.name != "cpython", reason="only CPython calls a function when it collects")
@pytest.mark.parametrize("place", range(0, 60, 3))
def test_two_threads_read_formulas_at_once(place):
    """CPython 3.11 counts the depth of what it parses once for all threads; a collection lets another thread parse."""
    reading, read, found, collections = Event(), Event(), [], []

    def other() -> None:
        assert reading.wait(10)
        found.append(Formula(f"C / (C + D + {place})"))
        read.set()

    def collected(phase: str, _: object) -> None:
        collections.append(phase)
        if phase == "start" and len(collections) > place and not reading.is_set():
            reading.set()
            read.wait(0.05)

    thread, before = Thread(target=other), gc.get_threshold()
    thread.start()
    gc.callbacks.append(collected)
    try:
        gc.set_threshold(1)
        found.append(Formula(f"(C + C + C + C + C + C + C + C) / (C + D + {place})"))
    finally:
        gc.set_threshold(*before)
        gc.callbacks.remove(collected)
        reading.set()
        thread.join()
    assert len({formula.text for formula in found}) == 2
