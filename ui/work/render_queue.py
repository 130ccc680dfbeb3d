"""Whose page is drawn now? A few at a time: thirty at once would hinder each other, and all of them come later.

Python lets one thread run at a time. Where thirty are ready, it goes from one to the next every few milliseconds, and
each change costs. A page that has its turn is drawn in about a tenth of a second. A page that is asked for again while
it waits has one place in the line: the last run's. Of two that wait, first comes whose address took less processor time
for pages of late, and then, whose last turn is longer ago: so all who are at one address wait for each other, and hold
up somebody else by a page or two, however long theirs take. While another address computes, the pages of each have a
share of the time, and who has had his waits, as pages and results hinder each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import wraps
from threading import Condition, Lock, local
from time import monotonic, thread_time
from typing import ParamSpec

import streamlit as st

from ui.work import streamlit_internals
from ui.work.places import COMPUTED, RECENT, note
from ui.work.visitor import Limit, Visitor, current_visitor

P = ParamSpec("P")

AT_A_TIME = 2
"""Maximum number of pages that are drawn at a time: while one waits for a file or a kernel, Python draws the other."""

PATIENCE = 3.0
"""Seconds after which a turn no longer counts: a page that takes longer goes on, but holds up nobody."""

SHARE, AT_ONCE = 1 / 3, 5.0
"""The share of the processor's time that the pages of one address may take while others compute, and how many seconds
of it at once: a page that comes thereafter waits until the share has made up for those before it."""

LONGEST = 15.0
"""Maximum number of seconds that an address waits for its share: a page that compiles takes a minute of it at once."""

LOOK = 0.5
"""Seconds after which the first page that waits of an address looks again whether it is next."""

STEP = 0.5
"""Seconds by which the processor time of addresses is compared: who took less than these is as one who took none."""

COMPUTING, COMPUTING_OF_ADDRESS, MEMORY = 90, 30, 2**23
"""Maximum number of pages that compute, or wait to, in all and from one address, and about how many bytes each holds
beside what it computes. Where there are more, pages begin when others have ended; addresses share the first number."""

FORGETTING = 1000
"""Number of addresses beyond which those that wait for nothing are forgotten."""


class _Place(Condition):
    """Where a thread waits, the address for whose sake, whether its page computes for long, and whether it has."""

    def __init__(self, lock: Lock, address: str, *, computes: bool, goes_on: bool) -> None:
        super().__init__(lock)
        self.address, self.computes, self.goes_on = address, computes, goes_on


class _Share:
    """What the pages of each address took beyond their share of the time while others computed."""

    def __init__(self) -> None:
        self._owed: dict[str, tuple[float, float]] = {}  # seconds of processor time of each address, and as of when

    def is_over(self, address: str, now: float) -> bool:
        """Whether an address has had its share, and the seconds that it may have at once."""
        return self._owes(address, now) > AT_ONCE

    def add(self, address: str, now: float, seconds: float, *, alone: bool) -> None:
        """Note what a page took; ``alone``, while nobody else computed, it holds back none that come later."""
        before = self._owes(address, now)
        owed = min(before + seconds, AT_ONCE + SHARE * LONGEST)
        self._owed[address] = (min(owed, max(before, AT_ONCE)) if alone else owed, now)
        if len(self._owed) > FORGETTING:
            self._owed = {one: owed for one, owed in self._owed.items() if self._owes(one, now)}

    def _owes(self, address: str, now: float) -> float:
        owed, when = self._owed.get(address, (0.0, now))
        return max(0.0, owed - SHARE * (now - when))


class Turns:
    """Turns in the order of asking within an address; addresses take turns with each other."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: list[_Place] = []
        self._last: dict[object, _Place] = {}  # where each owner waits
        self._since: dict[object, float] = {}  # when each turn began; the oldest first
        self._drawn = Limit(RECENT)  # the milliseconds of processor time that pages of each address took
        self._share = _Share()
        self._served: dict[str, int] = {}  # addresses, each with the number of the last turn that it had
        self._n_turns = 0
        self._computing = Counter[str]()  # how many pages compute, by address

    def take(self, owner: object = None, address: str = "", *, computes: bool = True, goes_on: bool = False) -> object:
        """Wait until it is this thread's turn; return what `end` takes.

        It has room however many pages compute, if its own never ``computes`` for long, or has, and ``goes_on``.

        A thread of the same ``owner`` that still waits gives its place to this one, and goes on without a turn:
        Streamlit ends it at its next step.
        """
        turn, place = object(), _Place(self._lock, address, computes=computes, goes_on=goes_on)
        with self._lock:
            if (older := self._last.pop(owner, None)) is None:
                self._waiting.append(place)
            else:
                self._waiting[self._waiting.index(older)] = place
                older.notify()
                self._call_next()  # another may be next, if the owner asks from elsewhere
            if owner is not None:
                self._last[owner] = place
            try:
                while place in self._waiting and (self._next() is not place or self._count() >= AT_A_TIME):
                    # a turn, and being held back, may end without a word: the first of each address looks now and then
                    place.wait(LOOK if self._first_of(address) is place else None)
                    self._call_next()
                if place in self._waiting:
                    self._since[turn] = monotonic()
                    self._note_served(address)
            finally:  # its session may be ended while it waits
                self._leave(place, owner)
        return turn

    def _leave(self, place: _Place, owner: object) -> None:
        """Let a place be in the line no more, if it is in it."""
        if place in self._waiting:
            self._waiting.remove(place)
            self._last.pop(owner, None)
            self._call_next()
            if first := self._first_of(place.address):
                first.notify()

    @contextmanager
    def computing(self, address: str) -> Iterator[None]:
        """A page from an address computes in this block, or waits to, or for its turn thereafter."""
        with self._lock:
            self._computing[address] += 1
        try:
            yield
        finally:
            with self._lock:
                self._computing -= Counter([address])
                self._call_next()

    def end(self, turn: object, address: str = "", seconds: float = 0.0) -> None:
        """End a turn, if it is not over; of an address it took so many seconds of processor time."""
        with self._lock:
            self._since.pop(turn, None)
            now = monotonic()
            self._drawn.add(address, now, round(1000 * seconds))
            self._share.add(address, now, seconds, alone=not self._computing.keys() - {address})
            self._call_next()

    def n_taken(self) -> int:
        """The number of turns that count now."""
        with self._lock:
            return self._count()

    def _count(self) -> int:
        """The number of turns that count, without those that took too long, which are forgotten."""
        for turn in [turn for turn, since in self._since.items() if monotonic() - since >= PATIENCE]:
            del self._since[turn]
        return len(self._since)

    def _first_of(self, address: str) -> _Place | None:
        """Who of an address has waited for longest."""
        return next((place for place in self._waiting if place.address == address), None)

    def _next(self) -> _Place | None:
        """Who is next of those who wait: the first of the address for which pages were drawn least of late."""
        most = min(COMPUTING_OF_ADDRESS, max(1, COMPUTING // max(1, len(self._computing))))
        without_room = {address for address, number in self._computing.items() if number >= most}
        now, first = monotonic(), dict[str, _Place]()
        held_back = self._held_back(now)
        for place in self._waiting:
            has_room = place.goes_on or place.address not in without_room
            if not place.computes or (has_room and place.address not in held_back):
                first.setdefault(place.address, place)

        def rank(address: str) -> tuple[int, int]:
            return self._drawn.count(address, now) // round(1000 * STEP), self._served.get(address, 0)

        return first[min(first, key=rank)] if first else None

    def _held_back(self, now: float) -> set[str]:
        """The addresses whose pages had their share of the time, while another one computes."""
        waiting = {place.address for place in self._waiting}
        return {one for one in waiting if self._computing.keys() - {one} and self._share.is_over(one, now)}

    def _note_served(self, address: str) -> None:
        """Remember that an address had a turn."""
        self._n_turns += 1
        self._served[address] = self._n_turns
        if len(self._served) > FORGETTING:
            waiting = {place.address for place in self._waiting}
            self._served = {one: turn for one, turn in self._served.items() if one in waiting}

    def _call_next(self) -> None:
        if place := self._next():
            place.notify()


class _Turn:
    """A turn of a visitor that ends with the thread that holds it, whatever becomes of the page; its time counts."""

    def __init__(self, visitor: Visitor, *, computes: bool = True, goes_on: bool = False) -> None:
        self._turns, self._visitor = _turns, visitor
        owner = streamlit_internals.session()
        self._turn = self._turns.take(owner, visitor.address, computes=computes, goes_on=goes_on)
        self._used = thread_time()

    def __del__(self) -> None:
        used, now = thread_time() - self._used, monotonic()
        self._turns.end(self._turn, self._visitor.address, used)
        note(COMPUTED, self._visitor, now - used, now)


_turns = Turns()
_mine = local()


def take_turn(*, computes: bool = True) -> None:
    """Wait until the page that this thread draws has its turn. It ends with the thread, or when that draws again.

    A page that never ``computes`` for long needs no room beside those of its address that do.
    """
    _mine.turn = None
    _mine.turn = _Turn(current_visitor(), computes=computes)


@contextmanager
def aside(*, computing: bool = False) -> Iterator[None]:
    """Give up this thread's turn, if it has one, while it waits for long or is ``computing``; then wait for another."""
    turns, had = _turns, getattr(_mine, "turn", None) is not None
    with turns.computing(current_visitor().address) if computing and had else nullcontext():
        _mine.turn = None
        yield
        if had:
            _mine.turn = _Turn(current_visitor(), goes_on=computing)


def fragment(draw: Callable[P, None], run_every: float | None = None) -> Callable[P, None]:
    """Return a part of this page that Streamlit draws again by itself, as `st.fragment` does; then it takes a turn."""
    is_of_page = [True]

    @wraps(draw)
    def draw_in_turn(*args: P.args, **named: P.kwargs) -> None:
        if is_of_page:
            is_of_page.clear()
            draw(*args, **named)
            return
        take_turn(computes=False)
        try:
            draw(*args, **named)
        finally:
            _mine.turn = None

    return st.fragment(draw_in_turn, run_every=run_every)
