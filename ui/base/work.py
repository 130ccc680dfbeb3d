"""Work done once for all visitors: what takes seconds with progress and a way to stop it, small things at once."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from threading import Lock
from typing import Any, TypeAlias, TypeVar

import streamlit as st

from tiekit.errors import TiekitError
from tiekit.progress import Progress
from ui.base.text import plain

Task: TypeAlias = tuple[Hashable, Callable[[Progress], Any]]
"""What a result depends on, and how it is computed."""

KEPT = 400
"""Results hold numbers, not the scores that a visitor gave; the largest are some values for each segment."""

T = TypeVar("T")

HEARTBEAT = 0.1
"""Seconds between two signs of life; each lets Streamlit stop the run."""


class _Turn:
    """Whose turn it is to compute a result, and how many want it."""

    def __init__(self) -> None:
        self.lock, self.wanted = Lock(), 0


class Results:
    """The last results, for all visitors. Who wants one that another is computing waits for it, and can be stopped."""

    def __init__(self) -> None:
        self._guard = Lock()
        self._done: OrderedDict[Hashable, Any] = OrderedDict()
        self._turns: dict[Hashable, _Turn] = {}

    def find(self, key: Hashable) -> tuple[Any, ...]:
        """The result alone in a tuple; an empty one where there is none."""
        with self._guard:
            if key not in self._done:
                return ()
            self._done.move_to_end(key)
            return (self._done[key],)

    def get(self, key: Hashable, compute: Callable[[Progress], Any], beat: Progress) -> Any:
        """The result of a key, computed where it is not there; ``beat`` hears of progress, and stops by raising."""
        with self._guard:
            turn = self._turns.setdefault(key, _Turn())
            turn.wanted += 1
        try:
            while not turn.lock.acquire(timeout=HEARTBEAT):
                beat(0.0)
            try:
                found = self.find(key)
                return found[0] if found else self._keep(key, compute(beat))
            finally:
                turn.lock.release()
        finally:
            with self._guard:
                turn.wanted -= 1
                if not turn.wanted:
                    del self._turns[key]

    def _keep(self, key: Hashable, result: Any) -> Any:
        with self._guard:
            self._done[key] = result
            if len(self._done) > KEPT:
                self._done.popitem(last=False)
        return result


@st.cache_resource(show_spinner=False)
def _results() -> Results:
    return Results()


@st.cache_resource(show_spinner=False)
def _trifles() -> Results:
    return Results()


def once(key: Hashable, make: Callable[[], T]) -> T:
    """What takes milliseconds, such as a frame for a chart: a class of thirty runs a page at once.

    The key holds all that the result depends on, and what it is; nobody changes the result.
    """
    found: T = _trifles().get(key, lambda _: make(), lambda _: None)
    return found


def do(title: str, tasks: Mapping[str, Task]) -> dict[str, Any]:
    """The tasks' results by name; only the finished ones where the visitor has stopped the work.

    What fails on purpose is said on the page and left out.

    What is at hand comes at once. For the rest there is a bar and a button to stop; it stays stopped, with a button
    to go on, until the tasks are others. On one page titles differ.
    """
    results, job = _results(), hash(tuple(key for key, _ in tasks.values()))
    message, place = st.empty(), st.empty()  # apart: in one, the button of before takes the click of the next
    stopped = job in st.session_state.get("stopped_jobs", ())
    found = {name: results.find(key) for name, (key, _) in tasks.items()}
    missing = sum(not result for result in found.values())
    if stopped and missing:
        with message.container():
            st.info(_say_stopped(missing, len(tasks)))
            st.button("Go on", key=f"go on {title}", on_click=_stop, args=(job, False))
    if missing and not stopped:
        with place.container(horizontal=True, vertical_alignment="bottom"):
            bar = st.progress(0.0, f"{title} …")
            st.button("Stop", key=f"stop {title}", on_click=_stop, args=(job, True))
        for number, (name, task) in enumerate(tasks.items()):
            words = f"{title}: {plain(name)}" + (f", {number + 1} of {len(tasks)}" if len(tasks) > 1 else "")
            try:
                found[name] = found[name] or (results.get(*task, _beat(bar, number, len(tasks), words)),)
            except TiekitError as error:
                st.error(plain(f"{name}: {error}"))
        place.empty()
    return {name: result[0] for name, result in found.items() if result}


def _say_stopped(missing: int, total: int) -> str:
    if total == 1:
        return "Stopped before it was done, so there is nothing to show here. To go on is to begin again."
    return f"Stopped: {missing} of {total} are not computed and left out below."


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


def _stop(job: int, stop: bool) -> None:
    others: set[int] = st.session_state.get("stopped_jobs", set()) - {job}
    st.session_state["stopped_jobs"] = others | {job} if stop else others
