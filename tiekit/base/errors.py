"""What can go wrong: every error and warning of tiekit, by name."""

from __future__ import annotations

import functools
import sys
import threading
import warnings
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_BETWEEN = str(Path(__file__).parents[1]), functools.__file__


LONGEST, LONGEST_MESSAGE = 80, 4000
"""So many characters of a value stand in a message; and so many has a message: somebody's files tell what is in it."""


def quote(value: object) -> str:
    """Return a value as Python writes it, cut to `LONGEST` characters."""
    try:
        text = repr(value)
    except ValueError:  # Python writes no whole number of more than 4,300 digits
        return f"a {type(value).__name__} too long to be written"
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


class TiekitError(Exception):
    """Base of every error that tiekit raises on purpose."""

    def __init__(self, message: str = "") -> None:
        super().__init__(message[:LONGEST_MESSAGE])


class InputError(TiekitError, ValueError):
    """An argument breaks a rule; the message names the argument, the rule and the value."""


class ReadError(TiekitError):
    """A file cannot be read; the message names the file, the line and what was found.

    Attributes
    ----------
    path : str
        The file, as the caller named it.
    line : int or None
        The line at fault, counted from 1; None where the file as a whole is.
    """

    def __init__(self, path: str, problem: str, *, line: int | None = None) -> None:
        self.path, self.line, self.problem = path, line, problem[:LONGEST_MESSAGE]
        super().__init__(f"{path}, line {line}: {problem}" if line else f"{path}: {problem}")

    def __reduce__(self) -> tuple[object, ...]:
        return functools.partial(type(self), line=self.line), (self.path, self.problem)


class DownloadError(TiekitError):
    """A download did not come to an end; the message says why, what is kept, and what to do."""


class UnknownNameError(InputError, KeyError):
    """Nothing has that name; the message asks for those that are spelled alike."""

    __str__ = Exception.__str__


class NotInstalledError(TiekitError, ImportError):
    """An optional package is missing; the message says which, and how to install it."""


class TiekitWarning(UserWarning):
    """Base of every warning that tiekit gives."""


class NearTieWarning(TiekitWarning):
    """Scores, or differences of scores at a threshold, that are equal but for rounding count as different."""


class CoverageWarning(TiekitWarning):
    """Some metrics lack scores that others have, so they are compared on other pairs."""


class DirectionWarning(TiekitWarning):
    """A metric falls where the human score rises: perhaps lower is better on it."""


class CalibrationWarning(TiekitWarning):
    """A coefficient that does not handle ties was calibrated: its optimum may exploit its flaws."""


class TruncationWarning(TiekitWarning):
    """Noise was truncated so narrowly that its distribution is no longer the one asked for."""


class OrientationWarning(TiekitWarning):
    """A matrix has far more rows than columns: perhaps its rows are segments, not systems."""


class SelectionWarning(TiekitWarning):
    """Scores of an evaluation set hold systems that it leaves out by default, such as its standard reference."""


class RoleWarning(TiekitWarning):
    """What a file's columns are was guessed: which one is human, which are metrics, which are left out."""


class OrderWarning(TiekitWarning):
    """The scores of a file may be in another order than the set's systems and segments, or were put in their order."""


class LeftOutWarning(TiekitWarning):
    """A part of what was read is left out, such as a metric whose file breaks a rule."""


class ResamplesWarning(TiekitWarning):
    """So few resamples were drawn that nothing can be significant after the correction for many tests."""


_collected: ContextVar[list[tuple[type[TiekitWarning], str]] | None] = ContextVar("collected", default=None)


@contextmanager
def collect_warnings() -> Iterator[list[tuple[type[TiekitWarning], str]]]:
    """Collect tiekit's warnings instead of giving them.

    `warnings.catch_warnings` changes the state of all threads, and each visitor of the app has one; this does not.
    """
    found: list[tuple[type[TiekitWarning], str]] = []
    token = _collected.set(found)
    try:
        yield found
    finally:
        _collected.reset(token)


def join_warnings(
    said: Sequence[tuple[type[TiekitWarning], str]], label: str, names: Collection[str]
) -> list[tuple[type[TiekitWarning], str]]:
    """Return warnings of several files, where what is said of all of them (``NAME: TEXT``) is said once."""
    rest = [next((text[len(name) + 2 :] for name in names if text.startswith(f"{name}: ")), "") for _, text in said]
    found = [
        (kind, f"{label}: {one}" if one and rest.count(one) == len(names) else text)
        for (kind, text), one in zip(said, rest, strict=True)
    ]
    return [*dict.fromkeys(found)]


SAID: dict[str, None] = {}
"""What was warned of once, the oldest first."""

MOST_SAID = 1000
"""So much is kept of what was warned of once; the oldest is forgotten first, and may be warned of again."""

KNOWN: set[str] = set()
"""What is never warned of: nobody can act on what is known of the scores that come along with tiekit."""

_saying = threading.Lock()


def unsaid(keys: Iterable[str]) -> list[str]:
    """Return of what nobody has been warned, and is to be; where warnings are collected, each collection gets all."""
    said = SAID if _collected.get() is None else {}
    return [key for key in keys if key not in said and key not in KNOWN]


def warn(message: str, category: type[TiekitWarning], *, once: Collection[str] = ()) -> None:
    """Warn in the name of the first caller outside tiekit; of each of ``once`` a single time in a process.

    Where tiekit's warnings are collected, each collection gets it.
    """
    message, collected = message[:LONGEST_MESSAGE], _collected.get()
    if collected is not None:
        if not once or (category, message) not in collected:
            collected.append((category, message))
        return
    if once and not _is_first(once):
        return
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_BETWEEN):
        frame, level = frame.f_back, level + 1
    try:
        warnings.warn(message, category, stacklevel=level)
    except TiekitWarning:  # a filter makes an error of it, which is raised each time
        for one in once:
            SAID.pop(one, None)
        raise


def _is_first(once: Iterable[str]) -> bool:
    """Remember what is warned of once; return whether any of it is new. Of two threads, one is told so."""
    with _saying:
        new = [one for one in once if one not in SAID and one not in KNOWN]
        SAID.update(dict.fromkeys(new))
        while len(SAID) > MOST_SAID:
            del SAID[next(iter(SAID))]
        return bool(new)


for _kind in (TiekitError, TiekitWarning):
    for _class in (_kind, *_kind.__subclasses__()):
        _class.__module__ = "tiekit.errors"  # their public address, which a traceback shows
