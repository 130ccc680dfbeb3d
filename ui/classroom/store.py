"""Which classes are going on? All of them by their codes, in memory only; none outlives three hours."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable
from hmac import compare_digest
from threading import RLock
from unicodedata import normalize

from ui.classroom.lesson import Lesson
from ui.work.visitor import Limit, Visitor

LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""What a code consists of: nothing that looks like something else (0 and O, 1, I and L)."""

LENGTH = 7
"""Letters of a code, one of 31 each: of a million guesses at twenty classes fewer than one in 1,000 hits one."""

LASTS = 3 * 60 * 60.0
"""Seconds after which a class ends by itself."""

MOST = 20
"""Maximum number of classes at the same time."""

IDLE = 5 * 60.0
"""Seconds without anybody present after which a class gives its place to a new one, if all places are taken."""

STARTS_OF_SESSION, STARTS_OF_ADDRESS, STARTS_PER = 5, 15, 600.0
"""Maximum number of classes that one session and one address start in this many seconds."""

WRONG_OF_SESSION, WRONG_OF_ADDRESS, PER = 10, 300, 60.0
"""Maximum number of wrong codes, or keys, of one session and of one address in this many seconds.

A lecture hall has one address: after so many wrong codes from it, each session there has one try a minute, so whoever
types the right code first joins all the same.
"""

KEY = "TIEKIT_CLASS_KEY"
"""The environment variable whose text, if it is set, must be typed to start a class."""


class RefusedError(Exception):
    """A class cannot be started, or a code is not looked up; the message says why."""


class Store:
    """All classes of a server; where there is a ``key``, it must be typed to start one.

    Every method may be called from any thread. The ``clock`` returns seconds and never goes back.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, key: str = "") -> None:
        self._clock, self._key, self._lock = clock, key, RLock()
        self._lessons: dict[str, Lesson] = {}
        self._wrong, self._starts = Limit(PER), Limit(STARTS_PER)

    @property
    def asks_for_key(self) -> bool:
        """Whether a key must be typed to start a class."""
        return bool(self._key)

    def now(self) -> float:
        """Return the time by the store's clock."""
        return self._clock()

    def start(self, visitor: Visitor, key: str = "") -> Lesson:
        """Begin a class with a code of its own; where all places are taken, in place of the one that is idle longest.

        It is refused if the key is wrong, if the visitor's session or address has started too many, or if somebody was
        present in each of `MOST` classes in the last `IDLE` seconds.
        """
        with self._lock:
            self._sweep()
            now = self._clock()
            self._check_key(visitor, key)
            if (
                self._starts.count(visitor.session, now) >= STARTS_OF_SESSION
                or self._starts.count(visitor.address, now) >= STARTS_OF_ADDRESS
            ):
                raise RefusedError("Too many classes were started from here just now. Please try again in ten minutes.")
            if len(self._lessons) >= MOST:
                idle = min(self._lessons.values(), key=lambda lesson: lesson.last_present)
                if now - idle.last_present < IDLE:
                    raise RefusedError(
                        f"All {MOST} places for classes are taken. A place becomes free when a class ends, or when "
                        "nobody has been in it for five minutes."
                    )
                self.end(idle.code)
            self._starts.add(visitor.session, now)
            self._starts.add(visitor.address, now)
            code = _new_code()
            while code in self._lessons:
                code = _new_code()
            self._lessons[code] = Lesson(code, now)
            return self._lessons[code]

    def _check_key(self, visitor: Visitor, key: str) -> None:
        if not self._key:
            return
        if not key:
            raise RefusedError("This server asks for a key to start a class: type it on the page Teach this.")
        if self._may_not_try(visitor):
            raise RefusedError("Too many wrong keys were typed just now. Please try again in a minute.")
        typed, wanted = (normalize("NFC", one).encode(errors="replace") for one in (key, self._key))
        if not compare_digest(typed, wanted):
            self._note_wrong(visitor)
            raise RefusedError("This is not the key for starting a class. The operator of this server knows it.")

    def find(self, typed: str, visitor: Visitor) -> Lesson | None:
        """Return the class with a code as somebody typed it, None if there is none; refuse after many wrong codes."""
        with self._lock:
            self._sweep()
            if self._may_not_try(visitor):
                raise RefusedError("Too many wrong codes were typed just now. Please try again in a minute.")
            lesson = self._lessons.get(normal(typed))
            if lesson is None:
                self._note_wrong(visitor)
            return lesson

    def _may_not_try(self, visitor: Visitor) -> bool:
        now = self._clock()
        is_crowded = self._wrong.count(visitor.address, now) >= WRONG_OF_ADDRESS
        return self._wrong.count(visitor.session, now) >= (1 if is_crowded else WRONG_OF_SESSION)

    def _note_wrong(self, visitor: Visitor) -> None:
        self._wrong.add(visitor.session, self._clock())
        self._wrong.add(visitor.address, self._clock())

    def lesson_of_host(self, host: str) -> Lesson | None:
        """Return the class whose lecturer has this key; None if there is none."""
        with self._lock:
            self._sweep()
            if not host.isascii():
                return None
            found = (one for one in self._lessons.values() if compare_digest(one.host, host))
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


STORE = Store(key=os.environ.get(KEY, ""))
"""The classes of this server."""
