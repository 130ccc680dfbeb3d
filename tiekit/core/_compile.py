"""Compile a loop at its first call and keep it on disk; where there is no compiler, Python interprets it."""

from __future__ import annotations

import contextlib
import functools
import inspect
import logging
import pickle
import threading
from collections.abc import Callable
from importlib import import_module
from types import FunctionType
from typing import Any

import numpy as np

NOTICE_AFTER = 1.0
"""Seconds of compiling after which it is said."""

CANNOT_KEEP = (OSError, EOFError, pickle.UnpicklingError)
"""What numba raises where compiled loops cannot be kept or read: a full disk, a folder that is gone, a damaged file."""

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
"""Loops run beside others; that nothing is divided by 0 they see to themselves, and unchecked they are faster."""

READ_ONE_BY_ONE = frozenset({"rank", "metric", "plus", "minus", "kind", "group"})
"""Arguments that no loop changes. Interpreted, they hold Python's numbers, which are as exact as NumPy's and faster."""


_parts: dict[Callable[..., Any], dict[str, Any]] = {}
"""Functions that compiled loops call, and how each is compiled."""

_making = threading.Lock()


def within(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function that compiled loops call, as a part of them."""
    _parts[function] = OPTIONS
    return function


def inline(function: Callable[..., Any]) -> Callable[..., Any]:
    """As `within`, its code put in the place of each call."""
    _parts[function] = {"inline": "always", **OPTIONS}
    return function


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a loop that Python calls. Numba, which takes a third of a second, is imported at the first call."""
    loop: Callable[..., Any] | None = None

    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        nonlocal loop
        if loop is None:
            loop = _interpret(function) if is_interpreted() else _compile(function)
        return loop(*arguments)

    return call


@functools.cache
def is_interpreted() -> bool:
    """Tell whether loops are interpreted: without numba, and where ``NUMBA_DISABLE_JIT`` is set.

    Then NumPy's functions on whole arrays are faster than loops.
    """
    with contextlib.suppress(RuntimeError):  # no threads, as in a browser
        importing = threading.Thread(target=_import_numba, daemon=True)
        importing.start()
        importing.join()
    try:
        from numba import config
    except ModuleNotFoundError:
        return True
    return bool(config.DISABLE_JIT)  # type: ignore[attr-defined]


def _import_numba() -> None:
    """Import numba where no Ctrl-C reaches it: half imported, it would fail until Python ends."""
    with contextlib.suppress(Exception):  # which whoever waits meets again
        import_module("numba")


def _compile_parts(names: dict[str, Any]) -> None:
    """Put numba's form of each part in its place, by the global names of a module and of those it has parts from."""
    for name, value in list(names.items()):
        if isinstance(value, FunctionType) and value in _parts:
            if value.__globals__ is not names:
                _compile_parts(value.__globals__)
            names[name] = _compiled_part(value)


@functools.cache
def _compiled_part(part: Callable[..., Any]) -> Callable[..., Any]:
    from numba import njit

    compiled: Callable[..., Any] = njit(**_parts[part])(part)
    return compiled


def _compile(function: Callable[..., Any]) -> Callable[..., Any]:
    from numba import njit

    with _making:
        _compile_parts(function.__globals__)
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
