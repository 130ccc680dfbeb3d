"""Work that takes seconds: done once for all visitors, with progress, and a button that stops it."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from threading import Lock
from typing import Any, TypeAlias

import streamlit as st

from ui.text import plain

Progress: TypeAlias = Callable[[float], None]
Task: TypeAlias = tuple[Hashable, Callable[[Progress], Any]]
"""What a result depends on, and how it is computed."""

KEPT = 2000
HEARTBEAT = 0.1
"""Seconds between two signs of life; each lets Streamlit stop the run."""


class Results:
    """The last results, for all visitors. Who wants one that another is computing waits for it, and can be stopped."""

    def __init__(self) -> None:
        self._guard = Lock()
        self._done: OrderedDict[Hashable, Any] = OrderedDict()
        self._running: dict[Hashable, Lock] = {}

    def __contains__(self, key: Hashable) -> bool:
        with self._guard:
            return key in self._done

    def get(self, key: Hashable, compute: Callable[[Progress], Any], beat: Progress) -> Any:
        """The result of a key, computed where it is not there; ``beat`` hears of progress, and stops by raising."""
        with self._guard:
            turn = self._running.setdefault(key, Lock())
        while not turn.acquire(timeout=HEARTBEAT):
            beat(0.0)
        try:
            with self._guard:
                if key in self._done:
                    self._done.move_to_end(key)
                    return self._done[key]
            result = compute(beat)
            with self._guard:
                self._done[key] = result
                if len(self._done) > KEPT:
                    self._done.popitem(last=False)
            return result
        finally:
            with self._guard:
                self._running.pop(key, None)
            turn.release()


@st.cache_resource(show_spinner=False)
def _results() -> Results:
    return Results()


def do(title: str, tasks: Mapping[str, Task]) -> dict[str, Any]:
    """The tasks' results by name; only the finished ones where the visitor has stopped the work.

    What is at hand comes at once. For the rest there is a bar and a button to stop; it stays stopped, with a button
    to go on, until the tasks are others. On one page titles differ.
    """
    results, job = _results(), hash(tuple(key for key, _ in tasks.values()))
    place = st.empty()
    stopped = job in st.session_state.get("stopped_jobs", ())
    missing = [name for name, (key, _) in tasks.items() if key not in results]
    if not missing:
        return {name: results.get(key, compute, _ignore) for name, (key, compute) in tasks.items()}
    if stopped:
        with place.container():
            st.info(f"Stopped: {len(missing)} of {len(tasks)} are not computed and left out below.")
            st.button("Go on", key=f"go on {title}", on_click=_stop, args=(job, False))
        return {
            name: results.get(key, compute, _ignore) for name, (key, compute) in tasks.items() if name not in missing
        }
    with place.container(horizontal=True, vertical_alignment="bottom"):
        bar = st.progress(0.0, f"{title} …")
        st.button("Stop", key=f"stop {title}", on_click=_stop, args=(job, True))
    found = {}
    for number, (name, (key, compute)) in enumerate(tasks.items()):
        words = f"{title}: {plain(name)}, {number + 1} of {len(tasks)}"
        found[name] = results.get(key, compute, _beat(bar, number, len(tasks), words))
    place.empty()
    return found


def _beat(bar: Any, number: int, total: int, words: str) -> Progress:
    """Move the bar, now and then."""
    last = 0.0

    def beat(share: float) -> None:
        nonlocal last
        if time.monotonic() - last >= HEARTBEAT:
            last = time.monotonic()
            bar.progress(min(1.0, (number + share) / total), words)

    beat(0.0)
    return beat


def _ignore(_share: float) -> None:
    """Nothing to show."""


def _stop(job: int, stop: bool) -> None:
    others: set[int] = st.session_state.get("stopped_jobs", set()) - {job}
    st.session_state["stopped_jobs"] = others | {job} if stop else others
