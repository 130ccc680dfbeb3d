"""Compile a loop at its first call, keep it on disk, and say so where that takes more than a second."""

from __future__ import annotations

import functools
import logging
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import config, njit


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a loop that Python calls; it is interpreted where ``NUMBA_DISABLE_JIT`` is set."""
    return _interpreted(function) if config.DISABLE_JIT else _compiled(function)  # type: ignore[attr-defined]


def _compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    try:
        compiled = njit(cache=True, nogil=True)(function)
    except RuntimeError:  # nowhere to keep it: neither beside this file nor in the user's cache folder
        compiled = njit(nogil=True)(function)

    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        if compiled.signatures:
            return compiled(*arguments)
        timer = threading.Timer(1.0, _notice)
        timer.daemon = True
        timer.start()
        try:
            return compiled(*arguments)
        finally:
            timer.cancel()

    return call


def _interpreted(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function itself, silent about overflow, as compiled loops are."""

    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        with np.errstate(all="ignore"):
            return function(*arguments)

    return call


@functools.cache
def _notice() -> None:
    logging.getLogger("tiekit").warning("tiekit compiles its counting loops; this happens once and takes some seconds.")
