"""What if pages take more memory than anybody counted? The sessions for which the server grew most are ended.

What is known to grow is counted before it is made, and refused in words. This bounds the rest: the server looks at its
own size ten times a second, puts what it has grown by, without what is counted, down to the sessions whose threads
computed meanwhile, and above a limit ends the worst of them, as many as it is too large by. A browser whose session was
ended comes back as after a restart: its page opens anew at the same address, and says which files to give again.
"""

from __future__ import annotations

import asyncio
import ctypes
import logging
import os
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import streamlit as st

import tiekit as tk
from ui.work import streamlit_internals, upload_quota, visitor

LIMIT, LIMIT_NAME = 2.5, "TIEKIT_MEMORY"
"""The number of GB above which sessions are ended, unless the environment names another one."""

ROOM = 2**29
"""The number of bytes, beyond what is counted, by which the server may grow from its start whatever else it holds."""

WATCHED = 1 / 3
"""The share of the limit from which on it is noted for whom the server grows."""

LITTLE = 2**25
"""Bytes that may be put down to an address by chance: where the sessions of one have fewer, none of them is ended."""

LOOK = 0.1
"""Seconds between two looks."""

EASE = 1.0
"""Seconds in which sessions that were ended give their memory back, before others are ended."""

WORDS = (
    "The server ran short of memory and ended this page, which took most of it. Give its files again, or smaller ones."
)

REMEMBERED = 1_000
"""The number of sessions that were ended and are remembered until their browsers come back."""

TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
"""Number of parts of a second in which Linux counts the processor time of a thread."""

TRIES = 20
"""The number of looks, in the time between two looks at the size, for a moment when what a session computes may end."""

HERE, LIBRARY = str(Path(__file__).parent), (str(Path(threading.__file__).parent), "<frozen ")
"""Where the code lies that takes and leaves places, and how the paths of Python's own begin, which it calls."""

connections: dict[str, Callable[[], object]] = {}
"""The sessions with a connection, each with what cuts it."""

_ended: deque[str] = deque(maxlen=REMEMBERED)

_log = logging.getLogger(__name__)


class OutOfMemoryError(tk.TiekitError):
    """Ends what is computed for a session for which the server has grown too much."""

    def __init__(self) -> None:
        super().__init__("This takes more memory than the server has. Choose less, or use tiekit on your own computer.")


class Who(NamedTuple):
    """A session, and the address that it comes from."""

    address: str
    session: str


class Blame:
    """By how many bytes that nobody counts a process grew while each session computed.

    What it shrinks by counts for all of them.
    """

    def __init__(self) -> None:
        self._size = self._beyond = 0
        self._grown: dict[Who, float] = {}

    def note(self, size: int, counted: int, seconds: Mapping[Who, float]) -> None:
        """Note the size of the process, what of it is counted, and each session's processor time since the last look.

        If nothing grew but less is counted, nobody is blamed.
        """
        larger, more = size - self._size, size - counted - self._beyond
        self._size, self._beyond = size, size - counted
        growth, together, grown = min(larger, more), sum(seconds.values()), sum(self._grown.values())
        if growth > 0 and together > 0:
            for who, used in seconds.items():
                self._grown[who] = self._grown.get(who, 0.0) + growth * used / together
        elif more < 0 and grown > 0:
            left = max(0.0, 1 + more / grown)
            self._grown = {who: left * one for who, one in self._grown.items() if left * one >= 1}

    def take_worst(self, excess: float) -> list[Who]:
        """Forget and return the sessions for which the process has grown by an excess, the worst first.

        The worst is the session with most of the address with most; addresses with little have none.
        """
        of_address = Counter[str]()
        for who, grown in self._grown.items():
            of_address[who.address] += int(grown)
        found: list[Who] = []
        while excess > 0:
            [(address, most)] = of_address.most_common(1) or [("", 0)]
            if most < LITTLE:
                break
            worst = max((who for who in self._grown if who.address == address), key=self._grown.__getitem__)
            of_address[address] -= int(self._grown[worst])
            excess -= self._grown.pop(worst)
            found.append(worst)
        return found


def limit() -> float:
    """Return the number of bytes above which sessions are ended."""
    with suppress(ValueError):
        if 0 < (number := float(os.environ.get(LIMIT_NAME) or LIMIT)) < float("inf"):
            return number * 2**30
    raise SystemExit(f"{LIMIT_NAME}: expected a number of GB, such as 3; found {os.environ[LIMIT_NAME]!r}")


def watch(
    loop: asyncio.AbstractEventLoop, give_back: Callable[[], object], counted: Collection[Callable[[], int]] = ()
) -> None:
    """Watch the size of this process on Linux, and end sessions, as long as the program runs; begin it in a thread.

    Sessions are ended in the server's ``loop``; then ``give_back`` frees what they held. What ``counted`` return, the
    bytes that others bound, is held against nobody.
    """
    while True:
        try:
            _watch(loop, give_back, counted)
        except Exception:  # whatever it is, memory is watched
            _log.exception("The size of the server is watched anew.")
            time.sleep(EASE)


def _watch(
    loop: asyncio.AbstractEventLoop, give_back: Callable[[], object], counted: Collection[Callable[[], int]]
) -> None:
    most, blame, used_before, ended = limit(), Blame(), dict[int, float](), -EASE
    is_to_give_back, looked, first = False, time.monotonic(), None
    while True:
        time.sleep(LOOK)
        size, before, looked = _size(), looked, time.monotonic()
        of_others = sum(count() for count in counted)
        first = size - of_others if first is None else first
        if size < WATCHED * most:
            used_before.clear()
            blame.note(size, of_others, {})
            continue
        used, seconds = dict[int, float](), dict[Who, float]()
        for thread, who in _at_work().items():
            used[thread] = _processor_time(thread)
            taken = min(used[thread] - used_before.get(thread, 0.0), looked - before)
            seconds[who] = seconds.get(who, 0.0) + max(0.0, taken)
        used_before = used
        blame.note(size, of_others, seconds)
        excess = min(size - most, size - of_others - first - ROOM)
        if excess <= 0 or looked - ended < EASE:
            continue
        if is_to_give_back:
            give_back()
            is_to_give_back, excess = False, excess - size + _size()
        if worst := blame.take_worst(excess):
            words = "The server takes %.1f GB, and ends the sessions that it grew for most (%d)."
            _log.warning(words, size / 2**30, len(worst))
            end([who.session for who in worst], loop)
            is_to_give_back, ended = True, looked


def end(sessions: Collection[str], loop: asyncio.AbstractEventLoop) -> None:
    """End what is computed for some sessions, their connections, and what is kept of them."""
    works = [(thread, visitor.session_of(thread)) for thread in threading.enumerate()]
    rest = [(thread, session) for thread, session in works if session in sessions]
    for number in range(1, TRIES + 1):
        rest = [one for one in rest if not _end_computing(*one, is_urgent=number == TRIES)]
        if not rest:
            break
        time.sleep(LOOK / TRIES)
    for session in sessions:
        _ended.append(session)
        loop.call_soon_threadsafe(_disconnect, session)


def _end_computing(thread: threading.Thread, session: str | None, *, is_urgent: bool) -> bool:
    """End what a thread computes for a session; unless it ``is_urgent``, not while the thread takes or leaves places.

    The error may come at any line, and what gives back a place, or counts one less, would be left undone. Return
    whether there is nothing to end any more.
    """
    with visitor.LOCK:  # else the thread could be about to do something else when the error comes
        frame = sys._current_frames().get(thread.ident or 0)
        if frame is None or visitor.session_of(thread) != session:
            return True
        while not is_urgent and frame is not None and frame.f_code.co_filename.startswith(LIBRARY):
            frame = frame.f_back
        if not is_urgent and frame is not None and frame.f_code.co_filename.startswith(HERE):
            return False
        raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
        raise_in(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(OutOfMemoryError))
        return True


def _disconnect(session: str) -> None:
    """Let Streamlit forget a session, and its browser come back with another one; in the server's loop."""
    streamlit_internals.close_session(session)
    if cut := connections.get(session):
        cut()


def tell_if_ended() -> None:
    """Tell the visitor whose session was ended, in the first run of the one with which his browser comes back."""
    before = str(st.context.headers.get("Sec-WebSocket-Protocol", "")).rpartition(",")[2].strip()
    with suppress(ValueError):
        _ended.remove(before)
        st.toast(WORDS, icon=":material/memory:", duration="infinite")


def _at_work() -> dict[int, Who]:
    """The threads that draw pages or compute, by the numbers that the system gives them."""
    sessions = {thread.native_id: visitor.session_of(thread) for thread in threading.enumerate()}
    return {
        number: Who(upload_quota.address_of(session) or "", session)
        for number, session in sessions.items()
        if number is not None and session is not None
    }


def _size() -> int:
    """The bytes of memory that this process takes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _processor_time(thread: int) -> float:
    """The seconds of processor time that a thread has taken; 0 for one that has ended."""
    with suppress(OSError):
        fields = Path(f"/proc/self/task/{thread}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICK  # in user mode and in the kernel; the third field is first
    return 0.0
