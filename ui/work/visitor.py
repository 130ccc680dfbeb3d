"""Who asks, and how much of late? A session and its network address, and what each has caused in the last seconds."""

from __future__ import annotations

import secrets
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from threading import Lock, RLock, Thread, get_ident

import streamlit as st

from ui.work import streamlit_internals

SESSION = "class session"
"""The session's key for what names it to those who count; it is kept as all that begins with "class " is."""


_computing: dict[int, str] = {}
"""The threads that draw no page, and the session for which each computes."""

LOCK = Lock()
"""Held where it matters that a thread goes on computing for the same session."""


@dataclass(frozen=True)
class Visitor:
    """Who asks: a session, and the address that it comes from; of IPv6 its network."""

    session: str
    address: str


def network_of(address: str) -> str:
    """Return an address, of IPv6 the network of 56 bits: a household has all of it."""
    with suppress(ValueError):
        given = ip_address(address)
        if given.version == 6:
            return str(given.ipv4_mapped or ip_network((int(given), 56), strict=False))
    return address


def current_address() -> str:
    """Return where the browser is whose page is drawn; behind a trusted proxy, what the proxy names."""
    return network_of(str(st.context.ip_address or "this computer"))


def current_visitor() -> Visitor:
    """Return whose page is drawn."""
    session = st.session_state.setdefault(SESSION, secrets.token_hex(8))
    return Visitor(f"session {session}", current_address())


@contextmanager
def computing(session: str | None) -> Iterator[None]:
    """Compute for a session in this block, in a thread that draws no page."""
    thread = get_ident()
    before = _computing.get(thread)  # a result may need another one
    if session is not None:
        _computing[thread] = session
    try:
        yield
    finally:
        with LOCK:
            _computing.pop(thread, None)
            if before is not None:
                _computing[thread] = before


def session_of(thread: Thread) -> str | None:
    """Return the session for which a thread draws a page or computes; None of any other one."""
    return _computing.get(thread.ident or 0) or streamlit_internals.session_of(thread)


class Limit:
    """Counts the events of the last ``per`` seconds by what caused them. Every method may be called from any thread."""

    def __init__(self, per: float) -> None:
        self._per = per
        self._lock = RLock()  # Python may end a page's turn, which notes its time, in the midst of another note
        self._events: deque[tuple[float, str, int]] = deque(maxlen=100_000)
        self._numbers: Counter[str] = Counter()

    def add(self, cause: str, now: float, number: int = 1) -> None:
        """Note an event, or one that counts as a number of them."""
        with self._lock:
            if len(self._events) == self._events.maxlen:
                self._forget_oldest()
            self._events.append((now, cause, number))
            self._numbers[cause] += number

    def count(self, cause: str, now: float) -> int:
        """Return how many events of a cause lie within the last seconds."""
        with self._lock:
            while self._events and now - self._events[0][0] >= self._per:
                self._forget_oldest()
            return self._numbers[cause]

    def _forget_oldest(self) -> None:
        _, cause, number = self._events.popleft()
        self._numbers[cause] -= number
        if not self._numbers[cause]:
            del self._numbers[cause]
