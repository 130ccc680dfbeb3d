"""The process that reads uploads of a visitor for `ui.work.bounded_reading`: a call comes in, its outcome goes out.

It does not import Streamlit, which takes longer than most files.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from copy import copy
from pathlib import Path
from typing import Any, TypeAlias

from tiekit import EvalSet
from tiekit.core import short
from tiekit.errors import InputError, TiekitError, collect_warnings
from tiekit.readers import FORMATS, Choice, Choices, arrange

READY = b"!"
"""What this process says when it waits for a call."""

LOWER, LONG = 5, 5.0
"""By how much this process has a lower priority than the server, and again once a call took so many seconds of
processor time."""

READ, REFUSED, TOO_LARGE, FAILED = "read", "refused", "too large", "failed"
"""What becomes of a call: it returns, raises an error of tiekit, needs too much memory, or fails."""


def main() -> None:
    """Make the calls of the standard input, each within its limits, and write what became of it."""
    reply = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing that is printed gets into the reply
    reply.write(READY)
    reply.flush()
    with suppress(EOFError):
        while True:
            call, memory, seconds = pickle.load(sys.stdin.buffer)
            set_limits(memory, seconds)
            reply.write(answer(call))
            reply.flush()
            del call


def set_limits(memory: int, seconds: int) -> None:
    """Limit this process to so many bytes and seconds of processor time more than it has taken so far.

    After `LONG` seconds it gives way to others that read.
    Where the computer runs out of memory all the same, Linux ends this process before the server.
    """
    if sys.platform == "linux":
        import resource  # Windows has none

        signal.signal(signal.SIGPROF, lambda *_: os.nice(LOWER))
        signal.setitimer(signal.ITIMER_PROF, LONG)
        held = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        used = resource.getrusage(resource.RUSAGE_SELF)
        most = int(used.ru_utime + used.ru_stime) + 1 + seconds
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for kind, limit in ((resource.RLIMIT_AS, held + memory), (resource.RLIMIT_CPU, most)):
            resource.setrlimit(kind, (limit, resource.getrlimit(kind)[1]))  # the next call has others


def answer(call: Callable[[], Any]) -> bytes:
    """Return what becomes of a call, pickled: the outcome, what it returned or raised, and tiekit's warnings."""
    with collect_warnings() as said:
        try:
            return pickle.dumps((READ, call(), said))
        except MemoryError:
            return pickle.dumps((TOO_LARGE, None, []))
        except TiekitError as error:
            return pickle.dumps((REFUSED, error, said))
        except Exception:
            return pickle.dumps((FAILED, traceback.format_exc(), []))


MOST_SCORES, MOST_SYSTEMS, LONGEST_NAME = 500, 2_000, 1_000
"""Maximum number of human scores and metrics of files on a page, which computes something of each, of systems, which it
lets its visitor choose from, and of characters of a name."""


def read_for_page(read: Callable[[], EvalSet]) -> EvalSet:
    """Return the set that a call reads; refuse one of more scores than a page compares, or of longer names."""
    data = read()
    _check_size(data, "These files hold")
    return data


def _check_size(data: EvalSet, told: str) -> None:
    if len(data.systems) > MOST_SYSTEMS:
        problem = f"{told} {len(data.systems):,} systems; the limit of a page is {MOST_SYSTEMS:,}."
        raise InputError(f"{problem} Compare them in Python, or see whether another column names the systems.")
    longest = max((*data.systems, *data.human, *data.metrics, *data.documents, *data.domains), key=len, default="")
    if len(longest) > LONGEST_NAME:
        problem = f"{told} the name {short(longest)!r} of {len(longest):,} characters; the limit of a page is"
        raise InputError(f"{problem} {LONGEST_NAME:,}. See whether a column of texts is taken for one of names.")
    if (number := len(data.human) + len(data.metrics)) > MOST_SCORES:
        problem = f"{told} {number:,} metrics and human scores; the limit of a page is {MOST_SCORES}."
        raise InputError(f"{problem} Choose fewer columns, or compare them in Python.")


def read_to_add(
    read: Callable[[], EvalSet], data: EvalSet, files: Mapping[str, bytes]
) -> tuple[str, EvalSet | TiekitError]:
    """Return the digest of the set that a call reads, and its scores by the names of another, or why they fit none."""
    scores = read_for_page(read)
    try:
        return scores.digest, arrange(data, scores, files)
    except TiekitError as error:
        return scores.digest, copy(error)


ADDED = "human", "metrics", "raters", "gold", "digest", "notes"
"""The fields of a set that change when scores are added to it."""


def join(data: EvalSet, scores: EvalSet, given: Mapping[str, Any], of_people: bool) -> dict[str, Any]:
    """Return what changes when scores are added to a set, by field; of human scores and metrics the new ones alone."""
    joined = (data.with_human if of_people else data.with_scores)(scores, **given)
    _check_size(joined, "With these files there are")
    fields = {name: getattr(joined, name) for name in ADDED}
    for kind in ("human", "metrics"):
        fields[kind] = {name: one for name, one in fields[kind].items() if name not in getattr(data, kind)}
    return fields


Asked: TypeAlias = list[tuple[Choices, Choice | TiekitError | None]]
"""Questions, each with the answers before it; None after the last one, or an error in its place."""


def look_ahead(name: str, files: Mapping[str, bytes], answers: Choices, known: Choices) -> Asked:
    """Return all that a format asks about files, if what is not in the answers is answered as usual."""
    given = dict(known)
    found: Asked = []
    try:
        for one in FORMATS[name].questions(files, given):
            found.append((dict(given), one))
            if one.argument in answers:
                given[one.argument] = answers[one.argument]
            elif one.several:
                given[one.argument] = one.usual
            elif one.argument == "score_column":  # nothing is usual: who needs the answer asks for it alone
                continue
            elif one.options:
                given[one.argument] = one.options[0]
            else:
                return found
    except TiekitError as error:
        return [*found, (given, copy(error))]
    return [*found, (given, None)]


if __name__ == "__main__":
    main()
