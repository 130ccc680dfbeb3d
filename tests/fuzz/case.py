"""What may hostile input do? It is used, or refused by one of tiekit's errors: quickly, in little memory, said once."""

from __future__ import annotations

import ctypes
import gc
import os
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import tiekit as tk
from tiekit.errors import collect_warnings

MB = 2**20
SECONDS = 2.0 if "PYTEST_XDIST_WORKER" in os.environ else 1.0
"""Processor time that each megabyte may take. Beside other tests it is twice as much: processes that share a core and
its caches take longer, though they do no more."""

LEAST_SECONDS = 2.0
"""Processor time that anything may take, however small: a hundred kilobytes may name 10,000 columns."""

MEMORY_FACTOR, MEMORY_MORE = 5, 100 * MB
"""The memory that a case may take: so many times its size, and so much more."""

LONGEST_MESSAGE = 4_000

clock = time.process_time

Said: TypeAlias = Iterable[str] | None
"""What was said about the input: warnings, notes or messages on a page."""


@dataclass(frozen=True)
class Case:
    """One hostile input.

    Attributes
    ----------
    what : str
        What it is, for whoever reads the report.
    size : int
        Its size in bytes.
    run : function
        Gives it to tiekit. Returns what was said; raises one of tiekit's errors where the input is refused.
    seconds : float
        Processor time that is needed whatever the input is, such as that of a page.
    """

    what: str
    size: int
    run: Callable[[], Said]
    seconds: float = 0.0


Kind: TypeAlias = Callable[[int], Case]
"""Makes the case of a number, the same in every run."""


TRIES = 3
"""What takes too long counts if it does so each time: another process may hold the processor's caches."""


def problem_of(case: Case) -> str | None:
    """Return what is wrong with the answer to a case; None if it is as it must be."""
    _reset_peak()
    before, start = memory("VmRSS"), clock()
    said: list[str] = []
    error = None
    with collect_warnings() as found:
        try:
            said += case.run() or ()
        except tk.TiekitError as refused:
            said.append(str(refused))
        except Exception as broken:  # whatever it is, it is no answer
            error = f"{type(broken).__name__}: {broken!s:.300}"
    took, grown = clock() - start, memory("VmHWM") - before
    said += dict.fromkeys(text for _, text in found)  # Python shows the same warning once
    if error is not None:
        return error
    if took > case.seconds + max(SECONDS * case.size / MB, LEAST_SECONDS):
        return f"took {took:.1f} s for {case.size / MB:.2f} MB"
    if grown > MEMORY_FACTOR * case.size + MEMORY_MORE:
        return f"took {grown / MB:.0f} MB for {case.size / MB:.2f} MB"
    return _problem_of_messages(said)


def confirmed(kind: Kind, number: int) -> str | None:
    """Return what is wrong with a case; what took too long or too much counts if it does so twice."""
    problem = problem_of(kind(number))
    return problem_of(kind(number)) if problem and problem.startswith("took") else problem


def _problem_of_messages(said: list[str]) -> str | None:
    """Whether each problem has one message, which can be read."""
    twice = [text for text, number in Counter(said).items() if number > 1]
    if twice:
        return f"said twice: {twice[0]:.300}"
    if not all(text.encode("utf-8", "replace").strip() for text in said):
        return "a message without words"
    long = next((text for text in said if len(text) > LONGEST_MESSAGE), None)
    return None if long is None else f"a message of {len(long):,} characters: {long:.300}"


def quiet(call: Callable[[], object]) -> Said:
    """Call something whose warnings do not count."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        call()
    return None


def _reset_peak() -> None:
    """Let Linux forget how much memory this process has had, and holds for later; elsewhere it is not measured."""
    path = Path("/proc/self/clear_refs")
    if path.exists():
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)
        path.write_text("5")


def memory(field: str) -> int:
    """Return the memory of this process in bytes: VmRSS now, VmHWM at most since the peak was reset; else 0."""
    path = Path("/proc/self/status")
    for line in path.read_text().splitlines() if path.exists() else ():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) * 1024
    return 0
