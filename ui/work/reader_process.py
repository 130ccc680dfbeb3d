"""The process that reads uploads of a visitor for `ui.work.bounded_reading`: a call comes in, its outcome goes out.

It does not import Streamlit, which takes longer than most files.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import tiekit as tk
from tiekit import EvalSet
from tiekit.core import short
from tiekit.errors import LONGEST_MESSAGE, InputError, TiekitError, TiekitWarning, collect_warnings
from tiekit.readers import (
    FORMATS,
    Choice,
    Choices,
    Format,
    arrange,
    ask_about,
    is_human,
    names_in,
    preview_table,
    recognize,
    refusal,
    unclear_columns,
)
from ui.work.sizes import size_of

T = TypeVar("T")

Said: TypeAlias = list[tuple[type[TiekitWarning], str]]
"""Warnings of tiekit: of which kind, and what is said."""

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
            return pickle.dumps((READ, _check_bytes(call()), first_of(said)))
        except MemoryError:
            return pickle.dumps((TOO_LARGE, None, []))
        except TiekitError as error:
            return pickle.dumps((REFUSED, error, first_of(said)))
        except Exception:
            return pickle.dumps((FAILED, traceback.format_exc(), []))


MOST_SAID = 20
"""Maximum number of warnings that a page shows of a reading: each has a box."""


def first_of(said: Said) -> Said:
    """Warnings, but of more than a page shows the first ones and how many more there are."""
    more = len(said) - MOST_SAID
    return [*said[:MOST_SAID], (TiekitWarning, f"and {more:,} more warnings")] if more > 0 else said


LARGEST = 2**29
"""Maximum number of bytes of what a call returns: no session may keep more, and the server counts it too late."""


def _check_bytes(found: T) -> T:
    if (size := size_of(found)) > LARGEST:
        problem = f"What is read of these files takes {size >> 20:,} MB; a page gets at most {LARGEST >> 20:,}"
        raise InputError(f"{problem}. Split them, or compare them in Python.")
    return found


def name_format(firsts: Mapping[str, bytes]) -> str:
    """Return the name of the format of files by their names and first bytes; refuse those of none."""
    if (entry := recognize(firsts) or _layout(firsts)) is None:
        raise refusal(firsts)
    return entry.name


def belong_together(firsts: Mapping[str, bytes], systems: Collection[str]) -> bool:
    """Return whether files are of one format that is several files, or each is named after another of the systems."""
    if (entry := recognize(firsts)) is None:
        return False
    named = set(names_in(firsts, systems).values())
    return bool(entry.several) or (len(named) == len(firsts) and None not in named)


def _layout(files: Iterable[str]) -> Format | None:
    """The format of a folder that holds further files, such as a README, beside those of a layout."""
    fits = (entry for entry in FORMATS.values() if entry.several == "directory")
    return next((entry for entry in fits if any(entry.recognizes(name, b"") for name in files)), None)


MOST_COLUMNS = 12
"""Maximum number of columns of labels that a page offers as names of systems."""


def label_columns(files: Mapping[str, bytes]) -> tuple[str, ...]:
    """Return the columns of a table that hold labels, the first of many; one may name the systems."""
    found = preview_table(files)
    columns = [name for name in found.columns if name not in found.numeric]
    _check_names(columns, "These files hold", LONGEST_NAME)
    return tuple(columns[:MOST_COLUMNS])


LONGEST_OF_SEGMENTS = 10_000
"""Maximum number of characters of the name of a segment, which may be its text: a page shows some at a time."""

MOST_SCORES, MOST_SYSTEMS, LONGEST_NAME, LONGEST_OF_SCORES = 500, 2_000, 1_000, 200
"""Maximum number of human scores and metrics of files on a page, which computes something of each, of systems, which it
lets its visitor choose from, and of characters of a name; of those that a page writes beside each of its numbers."""


def read_for_page(read: Callable[[], EvalSet]) -> EvalSet:
    """Return the set that a call reads; refuse more scores than a page compares, and long names; ask what is odd."""
    data = read()
    _check_size(data, "These files hold")
    ask_about(data)
    return replace(data, notes=_short_notes(data.notes)) if data.notes != _short_notes(data.notes) else data


def _short_notes(notes: Iterable[str]) -> tuple[str, ...]:
    """Notes as long as messages: both are looked through on the page."""
    return tuple(note[:LONGEST_MESSAGE] for note in notes)


def _check_size(data: EvalSet, told: str) -> None:
    if len(data.systems) > MOST_SYSTEMS:
        problem = f"{told} {len(data.systems):,} systems; the limit of a page is {MOST_SYSTEMS:,}."
        raise InputError(f"{problem} Compare them in Python, or see whether another column names the systems.")
    _check_names((*data.systems, *data.human, *data.metrics, *data.domains), told, LONGEST_OF_SCORES)
    _check_names((data.name, data.language_pair, *data.documents), told, LONGEST_NAME)
    _check_names(data.segments, told, LONGEST_OF_SEGMENTS)
    if (number := len(data.human) + len(data.metrics)) > MOST_SCORES:
        problem = f"{told} {number:,} metrics and human scores; the limit of a page is {MOST_SCORES}."
        raise InputError(f"{problem} Choose fewer columns, or compare them in Python.")


def _check_names(names: Iterable[str], told: str, most: int) -> None:
    longest = max(names, key=len, default="")
    if len(longest) > most:
        problem = f"{told} the name {short(longest)!r} of {len(longest):,} characters; the limit of a page is"
        raise InputError(f"{problem} {most:,}. See whether a column of texts is taken for one of names.")


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
    fields = {name: getattr(joined, name) for name in ADDED} | {"notes": _short_notes(joined.notes)}
    for kind in ("human", "metrics"):
        fields[kind] = {name: one for name, one in fields[kind].items() if name not in getattr(data, kind)}
    return fields


class Use:
    """What files are read for, and what is answered to what they ask: a set of their own, or what a subclass says."""

    def usual(self, one: Choice) -> Any:
        """The usual answer, else the first option; None where there is none."""
        return one.usual if one.several else next(iter(one.options), None)

    def tell(self, asked: Iterable[Choice], answers: Choices) -> Choices | None:  # noqa: ARG002
        """What the reader is told: all answers; None where one is missing."""
        return answers if all(answers.values()) else None

    def reads(self, entry: Format, files: Any, told: Choices) -> Callable[[], Any]:
        """The call that reads files, or what their format has opened."""
        return partial(read_for_page, partial(entry.read, files, **told))


@dataclass(frozen=True, eq=False)
class Addition(Use):
    """Files are read to be added to a set, all of them, also where a format asks about the first."""

    data: EvalSet
    files: Mapping[str, bytes]

    def usual(self, one: Choice) -> Any:
        """What the set knows; human scores are left out, and where a column may be human, none is usual."""
        if one.argument == "human":
            people = tuple(filter(is_human, one.usual))
            return () if set(people) == set(one.options) else people
        if one.several:
            return () if unclear_columns(one) else one.usual
        likely = {self.data.language_pair, self.data.name, self.data.standard_reference}
        return next((name for name in one.options if name in likely), next(iter(one.options), None))

    def tell(self, asked: Iterable[Choice], answers: Choices) -> Choices | None:
        """The answers but those that are clear, for then the reader says what it took."""
        told = dict(answers)
        for one in asked:
            answer, is_unclear = answers.get(one.argument), bool(unclear_columns(one))
            if answer is None or (is_unclear and not answer):
                return None
            is_asked = one.several and one.argument != "human" and not is_unclear
            if is_asked and answer == one.usual and not any(map(is_human, one.usual)):
                del told[one.argument]
        return told

    def reads(self, entry: Format, files: Any, told: Choices) -> Callable[[], Any]:  # noqa: ARG002
        """A call of `read_to_add`."""
        return partial(read_to_add, partial(tk.read, self.files, format=entry.name, **told), self.data, self.files)


Asked: TypeAlias = list[tuple[Choices, Choice | TiekitError | None]]
"""Questions, each with the answers before it that were not known unasked; None after the last one, or an error."""

Ahead: TypeAlias = tuple[Choices, Any, Said]
"""What a reader was told, what it returned, or its error, and its warnings."""


def look_ahead(
    name: str, files: Mapping[str, bytes], answers: Choices, known: Choices, use: Use
) -> tuple[Asked, Ahead | None]:
    """Return all that a format asks about files, if what is not in the answers is answered as usual, and what is read.

    So files are parsed once. If reading fails or takes too much, that is left to who asks for it alone.
    """
    entry, given = FORMATS[name], dict(known)
    found: Asked = []
    opened = entry.opens(files) if entry.opens else files

    def list_answers() -> Choices:
        return {argument: given[argument] for argument in given.keys() - known}

    try:
        for one in entry.questions(opened, given):
            _check_names(one.options, "These files hold", LONGEST_NAME)
            found.append((list_answers(), one))
            if one.argument in answers:
                given[one.argument] = answers[one.argument]
            elif one.argument == "score_column":  # nothing is usual: who needs the answer asks for it alone
                continue
            elif (answer := use.usual(one)) is not None:
                given[one.argument] = answer
            else:
                return found, None
    except TiekitError as error:
        return [*found, (list_answers(), copy(error))], None
    told = use.tell([one for _, one in found if isinstance(one, Choice)], given)
    return [*found, (list_answers(), None)], None if told is None else _read_ahead(use.reads(entry, opened, told), told)


def check_reading(name: str, files: Mapping[str, bytes], told: Choices) -> None:
    """Read files of a format, of which nothing is kept, to see what their reader refuses."""
    FORMATS[name].read(files, **told)


def _read_ahead(call: Callable[[], Any], told: Choices) -> Ahead | None:
    with collect_warnings() as said:
        try:
            return told, call(), first_of(said)
        except TiekitError as error:
            return told, copy(error), first_of(said)
        except Exception:
            return None


if __name__ == "__main__":
    main()
