"""Which classes are going on? All of them by their codes, in memory only; none outlives three hours."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from hmac import compare_digest
from threading import RLock

from ui.classroom.lesson import Lesson
from ui.classroom.limit import Limit

LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""What a code consists of: nothing that looks like something else (0 and O, 1, I and L)."""

LENGTH = 7
"""Letters of a code: with 31 letters each, a million guesses hit one of twenty classes less than once in 1,000 days."""

LASTS = 3 * 60 * 60.0
"""Seconds after which a class ends by itself."""

MOST = 20
"""How many classes can go on at the same time; the oldest ends when one more begins."""

WRONG_BY_ONE, WRONG_BY_ALL, PER = 30, 300, 60.0
"""How many wrong codes are read from one address, and from all together, in this many seconds."""


class TooManyTriesError(Exception):
    """So many wrong codes were tried that none is read for a while."""


class Store:
    """All classes of a server. Every method may be called from any thread.

    Parameters
    ----------
    clock : function
        Returns the time in seconds; it never goes back.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._lock = clock, RLock()
        self._lessons: dict[str, Lesson] = {}
        self._wrong = Limit(WRONG_BY_ONE, WRONG_BY_ALL, PER)

    def now(self) -> float:
        """Return the time by the store's clock."""
        return self._clock()

    def start(self) -> Lesson:
        """Begin a class with a code of its own."""
        with self._lock:
            self._sweep()
            while len(self._lessons) >= MOST:
                self.end(next(iter(self._lessons)))
            code = _new_code()
            while code in self._lessons:
                code = _new_code()
            self._lessons[code] = Lesson(code, self._clock())
            return self._lessons[code]

    def find(self, typed: str, address: str) -> Lesson | None:
        """Return the class with a code as somebody typed it; None if there is none.

        Raises
        ------
        TooManyTriesError
            If too many wrong codes came from this address, or from all addresses, in the last minute.
        """
        with self._lock:
            self._sweep()
            if self._wrong.is_reached(address, self._clock()):
                raise TooManyTriesError
            lesson = self._lessons.get(normal(typed))
            if lesson is None:
                self._wrong.count(address, self._clock())
            return lesson

    def lesson_of_host(self, host: str) -> Lesson | None:
        """Return the class whose lecturer has this key; None if there is none."""
        with self._lock:
            self._sweep()
            found = (one for one in self._lessons.values() if compare_digest(one.host.encode(), host.encode()))
            return next(found, None)

    def is_on(self, lesson: Lesson) -> bool:
        """Return whether a class is still going on."""
        with self._lock:
            self._sweep()
            return self._lessons.get(lesson.code) is lesson

    def end(self, code: str) -> None:
        """End a class; nothing of it is kept."""
        with self._lock:
            if (lesson := self._lessons.pop(code, None)) is not None:
                lesson.end()

    def __len__(self) -> int:
        with self._lock:
            self._sweep()
            return len(self._lessons)

    def _sweep(self) -> None:
        """End the classes whose time is over."""
        now = self._clock()
        for code in [code for code, lesson in self._lessons.items() if now - lesson.started >= LASTS]:
            self.end(code)


def _new_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def normal(typed: str) -> str:
    """Return a code as it is kept: capitals, without spaces and hyphens."""
    return "".join(letter for letter in typed.upper() if letter.isalnum())


def space_code(code: str) -> str:
    """Return a code as it is read aloud, in two parts."""
    return f"{code[:3]} {code[3:]}"


STORE = Store()
"""The classes of this server."""
