"""What is computed once for all visitors? Long work with progress and a way to cancel, short work at once."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from threading import Event, Lock, Thread
from typing import Any, TypeAlias, TypeVar

import streamlit as st

from tiekit.core import Progress, short
from tiekit.errors import TiekitError, collect_warnings
from ui.work import streamlit_internals
from ui.work.places import COMPUTED, Places
from ui.work.render_queue import aside
from ui.work.sizes import size_of
from ui.work.text import count_noun, plain
from ui.work.visitor import Visitor, computing, current_visitor

Task: TypeAlias = tuple[Hashable, Callable[[Progress], Any]]
"""What a result depends on, and how it is computed."""

KEPT, KEPT_BYTES = 2_000, 64 * 2**20
"""The number of results that are kept, three hundred of them prepared, and of bytes: each visitor's own files add some
dozen, one or two of them with some numbers per segment.

They hold numbers, not a visitor's scores.
"""

TRIFLES, TRIFLES_BYTES = 400, 32 * 2**20
"""The number of results of milliseconds that are kept, such as the frame of a chart, and of bytes."""

AT_ONCE, SLICE, PATIENCE = 1, 1.0, 3.0
"""Maximum number of results that are computed at the same time, the seconds after which one that is being computed lets
others pass whose turn it is, and those after which one that does not is waited for by its own address alone.

Python runs one thread at a time, and two results that take and give this right thousands of times a second hinder each
other: of two boards of three seconds, both come after twelve if computed at once, after seven if one after the other.
"""

BEGUN, MEMORY = (4, 8, 16), 2**28
"""The number of results that an address may have begun and not ended in any case, the most that it may, and the most in
all, and about how many bytes each holds of a set of five million cells: beside some long ones another can begin."""

_places = Places(AT_ONCE, begun=BEGUN, patience=PATIENCE, served=COMPUTED, step=SLICE)
"""Who computes and who waits, of all visitors."""

T = TypeVar("T")

FIRST_ESTIMATE = 5.0
"""Seconds after which it is said how long the work will still take."""

HEARTBEAT = 0.1
"""Seconds between two looks at a computation: the bar is updated, and Streamlit may stop the run."""

SELDOM, FAR = 2.0, 4
"""The most seconds between two looks of somebody who waits for a result that another one's visit computes; who waits
for a place looks more seldom, up to so many times, the farther behind he is in the line."""


class _UnwantedError(Exception):
    """Ends a computation whose result nobody wants any more."""


class _Job:
    """A result that is being computed, how many want it, and the visitors among them."""

    def __init__(self) -> None:
        self.ended, self.wanted, self.share = Event(), 0, 0.0
        self.number = 0  # in the line; 0 with a place
        self.visitors: list[Visitor] = []
        self.session = streamlit_internals.session()  # whose page wants it first
        self.result: Any = None
        self.error: BaseException | None = None


class Results:
    """The most recent results of all visitors. Who wants one that another is computing waits for it, and can cancel.

    The oldest go first where there are more than ``kept``, or where all but the newest have more than ``kept_bytes``
    with their keys, which hold names.
    """

    def __init__(self, kept: int | None = None, kept_bytes: float = float("inf")) -> None:
        self._kept = KEPT if kept is None else kept
        self._kept_bytes = kept_bytes
        self._guard = Lock()
        self._done: OrderedDict[Hashable, Any] = OrderedDict()
        self._sizes: dict[Hashable, int] = {}
        self._jobs: dict[Hashable, _Job] = {}
        self._visitors = 0

    @contextmanager
    def visitor(self) -> Iterator[None]:
        """Somebody waits for results in this block."""
        with self._guard:
            self._visitors += 1
        try:
            yield
        finally:
            with self._guard:
                self._visitors -= 1

    def let_visitors_pass(self, key: Hashable = None) -> None:
        """Wait until nobody waits for results, or somebody for the one of ``key``, which is being computed here."""
        while self._visitors:
            job = self._jobs.get(key)
            if job is not None and job.wanted > 1:
                return
            time.sleep(HEARTBEAT / 2)

    def find(self, key: Hashable) -> tuple[Any, ...]:
        """Return the result in a tuple of one; an empty tuple where there is none."""
        with self._guard:
            if key not in self._done:
                return ()
            self._done.move_to_end(key)
            return (self._done[key],)

    def get(
        self, key: Hashable, compute: Callable[[Progress], Any], beat: Progress, visitor: Visitor | None = None
    ) -> Any:
        """Return the result of a key, computed if it is unknown; for a visitor, in one of the places.

        For visitors it is computed in a thread of its own, for all that want it: if one of them leaves, the others get
        it when they would have. It stands in the line for each of them, and ends when nobody is left.
        """
        with self._guard:
            if key in self._done:
                self._done.move_to_end(key)
                return self._done[key]
            if is_first := key not in self._jobs:
                self._jobs[key] = _Job()
            job = self._jobs[key]
            job.wanted += 1
            if visitor is not None:
                job.visitors.append(visitor)
        try:
            if is_first and visitor is None:
                self._run(key, job, partial(compute, beat))
            elif is_first:
                in_place = partial(self._in_place, key, job, compute)
                try:
                    Thread(target=self._run, args=(key, job, in_place), name="result", daemon=True).start()
                except RuntimeError:  # the system has no room for a further thread
                    self._run(key, job, in_place)
            # however many wait, together they look ten times a second: a hundred bars would hinder who computes
            while not job.ended.wait(min(SELDOM, HEARTBEAT * max(job.wanted, min(job.number, FAR)))):
                beat(job.share)
        finally:
            with self._guard:
                job.wanted -= 1
                if visitor is not None:
                    job.visitors.remove(visitor)
        if job.error is not None:
            raise job.error
        return job.result

    def _run(self, key: Hashable, job: _Job, compute: Callable[[], Any]) -> None:
        """Compute a result and keep it, or the error for all that want it."""
        try:
            with computing(job.session), collect_warnings():  # the page itself says what is odd about scores
                job.result = self._keep(key, compute())
        except BaseException as error:  # whatever it is, it ends the wait of others
            job.error = error
        finally:
            with self._guard:
                self._forget(key, job)
            job.ended.set()

    def _forget(self, key: Hashable, job: _Job) -> None:
        """Let who wants a result from now on begin anew, unless somebody has."""
        if self._jobs.get(key) is job:
            del self._jobs[key]

    def _in_place(self, key: Hashable, job: _Job, compute: Callable[[Progress], Any]) -> Any:
        """What is computed for visitors, in one of the places."""

        def look(number: int) -> None:
            job.number = number
            with self._guard:
                if not job.wanted:
                    self._forget(key, job)
                    raise _UnwantedError

        def compute_on(beat: Progress) -> Any:
            def tell(share: float) -> None:
                job.share = share
                beat(share)

            return compute(tell)

        return in_turn(compute_on, look, job.visitors)

    def _keep(self, key: Hashable, result: Any) -> Any:
        size = size_of(key) + size_of(result) if self._kept_bytes < float("inf") else 0
        with self._guard:
            self._done[key], self._sizes[key] = result, size
            while len(self._done) > self._kept or (len(self._done) > 1 and self.held_bytes() > self._kept_bytes):
                oldest, _ = self._done.popitem(last=False)
                del self._sizes[oldest]
        return result

    def held_bytes(self) -> int:
        """The number of bytes that the results take; 0 where these are not bounded."""
        return sum(self._sizes.values())


def in_turn(
    compute: Callable[[Progress], T],
    look: Callable[[int], object],
    visitors: Sequence[Visitor],
    *,
    is_alone: bool = False,
) -> T:
    """Compute what visitors want in one of the places, a slice of time after the other; an error of ``look`` ends it.

    It is called with the number in the line while they wait, and with 0 while it is computed. If it ``is_alone``, their
    page wants nothing next.
    """
    with _places.wait(look, HEARTBEAT / 2, visitors, is_alone=is_alone) as let_pass:
        since = time.monotonic()

        def beat(_: float) -> None:
            nonlocal since
            look(0)
            if time.monotonic() - since >= SLICE:
                let_pass()
                since = time.monotonic()

        return compute(beat)


@st.cache_resource(show_spinner=False)
def _results() -> Results:
    return Results(KEPT, KEPT_BYTES)


@st.cache_resource(show_spinner=False)
def _trifles() -> Results:
    return Results(TRIFLES, TRIFLES_BYTES)


def once(key: Hashable, make: Callable[[], T]) -> T:
    """Return a result that takes milliseconds, such as the frame of a chart, computed once for all visitors.

    The key names the result and holds all that it depends on. Do not change the result.
    """
    found: T = _trifles().get(key, lambda _: make(), lambda _: None)
    return found


def is_known(key: Hashable) -> bool:
    """Return whether the result of a task is there, so that `compute` returns it at once."""
    return bool(_results().find(key))


def prepare(tasks: Mapping[str, Task]) -> None:
    """Compute what is not known yet, for `compute` to find; nothing is shown, visitors' own work goes first."""
    for key, compute in tasks.values():
        _results().let_visitors_pass()
        _results().get(key, compute, _let_visitors_pass(key))


def _let_visitors_pass(key: Hashable) -> Progress:
    return lambda _: _results().let_visitors_pass(key)


def compute(title: str, tasks: Mapping[str, Task], *, briefly: bool = False) -> dict[str, Any]:
    """Return the results of tasks by name; only the finished ones if the visitor has canceled the work.

    A task that raises a `TiekitError` is left out, and its message is shown.

    Known results are returned at once. For the others there is a progress bar and a button to cancel; the work stays
    canceled, with a button to continue, until the tasks change. The titles on one page differ. What takes much room,
    such as a visitor's own votes, is kept ``briefly``, among what can be made again in no time.
    """
    results, job = _trifles() if briefly else _results(), hash(tuple(key for key, _ in tasks.values()))
    message, place = st.empty(), st.empty()  # two places: in one, the old button would take the click on the new one
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
        with aside(computing=True), results.visitor():
            for number, (name, task) in enumerate(tasks.items()):
                words = f"{title}: {plain(short(name))}" + (f", {number + 1} of {len(tasks)}" if len(tasks) > 1 else "")
                try:
                    beat = _beat(bar, number, len(tasks), words)
                    found[name] = found[name] or (results.get(*task, beat, current_visitor()),)
                except TiekitError as error:
                    st.error(plain(f"{short(name)}: {error}"))
        place.empty()
    return {name: result[0] for name, result in found.items() if result}


def _say_stopped(missing: int, total: int) -> str:
    if total == 1:
        return "Stopped before the first result, so there is nothing to show. Continuing restarts the computation."
    return f"Stopped: {missing} of {total} are not computed and left out below."


def _beat(bar: Any, number: int, total: int, words: str) -> Progress:
    """A function that updates the progress bar from time to time, if what it shows has changed.

    Each message wakes several threads: those of two dozen bars that stand still would slow down who computes.
    """
    last, shown, began = 0.0, (-1, ""), time.monotonic()

    def beat(share: float) -> None:
        nonlocal last, shown
        if time.monotonic() - last >= HEARTBEAT:
            last = time.monotonic()
            part = min(1.0, (number + share) / total)
            now = round(100 * part), words + say_left(last - began, share, total - number - 1)
            if now != shown:
                shown = now
                bar.progress(part, now[1])
            else:
                st.session_state.get("stopped_jobs")  # whatever is asked of it lets Streamlit stop the run

    beat(0.0)
    return beat


def say_left(seconds: float, share: float, more: int = 0) -> str:
    """About how long the work will still take, with so many more tasks that take as long; empty at first.

    It is told from the share of the task that is done after so many seconds.
    """
    if seconds < FIRST_ESTIMATE or share <= 0:
        return ""
    left = seconds * (1 - share + more) / share
    return ", less than a minute left" if left < 60 else f", about {count_noun(round(left / 60), 'minute')} left"


def _stop(job: int, stop: bool) -> None:
    others: set[int] = st.session_state.get("stopped_jobs", set()) - {job}
    st.session_state["stopped_jobs"] = others | {job} if stop else others
