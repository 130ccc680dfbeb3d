"""Compile a loop at its first call and keep it on disk; where there is no compiler, Python interprets it."""

from __future__ import annotations

import contextlib
import functools
import inspect
import logging
import pickle
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

try:
    from numba import config, njit

    INTERPRETED = bool(config.DISABLE_JIT)  # type: ignore[attr-defined]
    """Whether loops are interpreted: without numba, and where ``NUMBA_DISABLE_JIT`` is set."""
except ModuleNotFoundError:
    INTERPRETED = True


NOTICE_AFTER = 1.0
"""Seconds of compiling after which it is said."""

CANNOT_KEEP = (OSError, EOFError, pickle.UnpicklingError)
"""What numba raises where compiled loops cannot be kept or read: a full disk, a folder that is gone, a damaged file."""

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
"""Loops run beside others; that nothing is divided by 0 they see to themselves, and unchecked they are faster."""

READ_ONE_BY_ONE = frozenset({"rank", "metric", "plus", "minus", "kind", "group"})
"""Arguments that no loop changes. Interpreted, they hold Python's numbers, which are as exact as NumPy's and faster."""


def within(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function that compiled loops call, as a part of them."""
    return function if INTERPRETED else njit(**OPTIONS)(function)


def inline(function: Callable[..., Any]) -> Callable[..., Any]:
    """As `within`, its code put in the place of each call."""
    return function if INTERPRETED else njit(inline="always", **OPTIONS)(function)


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a loop that Python calls."""
    return _interpret(function) if INTERPRETED else _compile(function)


def _compile(function: Callable[..., Any]) -> Callable[..., Any]:
    try:
        compiled = njit(cache=True, **OPTIONS)(function)
    except RuntimeError:  # nowhere to keep it: neither beside this file nor in the user's cache folder
        compiled = njit(**OPTIONS)(function)

    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        nonlocal compiled
        try:
            return compiled(*arguments) if compiled.overloads else _first_call(compiled, arguments)
        except CANNOT_KEEP:  # no loop has run yet, and none of tiekit's reads or writes files
            compiled = njit(**OPTIONS)(function)
            return _first_call(compiled, arguments)
        except SystemError as error:  # what numba makes of Ctrl-C when a loop returns
            if isinstance(error.__cause__, KeyboardInterrupt):
                raise KeyboardInterrupt from None
            raise

    return call


def _first_call(compiled: Any, arguments: tuple[Any, ...]) -> Any:
    """Load or compile a loop and call it; say so where compiling takes more than a second."""
    done = threading.Event()
    with contextlib.suppress(RuntimeError):  # no threads, as in a browser
        threading.Thread(target=_watch, args=(compiled, done), daemon=True).start()
    try:
        return compiled(*arguments)
    finally:
        done.set()


def _watch(compiled: Any, done: threading.Event) -> None:
    """Say that a loop is compiled; nothing where it is only loaded from disk, however long that takes."""
    while not done.wait(NOTICE_AFTER):
        if compiled.stats.cache_misses:
            _say()
            return


def _interpret(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function itself, silent about overflow, as compiled loops are."""
    names = list(inspect.signature(function).parameters)
    places = [place for place, name in enumerate(names) if name in READ_ONE_BY_ONE]

    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        given = list(arguments)
        for place in places:
            given[place] = given[place].astype(object)
        with np.errstate(all="ignore"):
            return function(*given)

    return call


@functools.cache
def _say() -> None:
    logging.getLogger("tiekit").warning("tiekit compiles its counting loops; this happens once and takes some seconds.")


def is_interpreted() -> bool:
    """Tell whether loops are interpreted, so that NumPy's functions on whole arrays are faster than they are."""
    from tiekit.core._compile import INTERPRETED

    return INTERPRETED
