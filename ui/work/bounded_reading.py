"""How are uploads read on a server for others? Each in a process of its own with limits, two at a time, and two small.

A small one that takes long gives way to others. Processes begin before a file comes: that takes longer than to read.

What several visitors wait for, as in a lecture hall, is not read for each of them, and they share what was read. The
contents are somebody's, the process is ours: what it sends back may be unpickled. Elsewhere, and where the system has
no such limits (all but Linux), files are read where the page is drawn; what readers count bounds them.
"""

from __future__ import annotations

import atexit
import os
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import dataclass
from hashlib import sha256
from selectors import EVENT_READ, PollSelector
from signal import SIGXCPU
from threading import Lock
from time import monotonic
from types import SimpleNamespace
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import streamlit as st

import tiekit as tk
from tiekit.errors import collect_warnings
from ui.work import reader_process, streamlit_internals
from ui.work.places import Places
from ui.work.render_queue import aside
from ui.work.text import count_noun, format_number
from ui.work.visitor import computing, current_visitor

PUBLIC = "TIEKIT_PUBLIC"
"""The environment variable that says that the server is for others: nobody opens its folders."""

LOOPBACK = ("localhost", "127.0.0.1", "::1")
"""What a server listens on that answers on its own computer alone."""

AT_ONCE = 2
"""Maximum number of uploads that are read at the same time; as many small ones are read beside them."""

MEMORY = 3 * 2**29
"""Bytes that a reading may take, beside the process as it starts and the files."""

SECONDS, SECONDS_PER_MB = 20, 1
"""Processor time that a reading may take: so much, and for each MB that the files unpack to so much more."""

SMALL, MEMORY_OF_SMALL, SECONDS_OF_SMALL = 32, 2**29, 10
"""The MB up to which files are small, and what their reading may take; what takes more is read as large ones are."""

PATIENCE, BEGUN = 5.0, (1, AT_ONCE, AT_ONCE)
"""A small file that is read for longer than so many seconds takes a place from its own address alone. And how many such
readings an address may have whatever others have, how many at most, and beyond how many in all it has but the first."""

SPARES = 2
"""Number of processes that wait for a file that may come: to begin one takes longer than to read most files."""

KEPT, KEPT_SECONDS = 4, 20.0
"""Number of processes that wait for the next call of the session for which they read a small file, and how long: what
is answered otherwise than usual, and what is put beside a set, needs a further one."""

SLOWEST = 20
"""A reading is ended after so many times its processor time, in which others use the processors too."""

PACKED, UNPACKED_FACTOR, UNPACKED, LARGEST, ALL = (b"\x1f\x8b", b"PK"), 100, 16, 64, 256
"""How compressed files begin; how many times its size one may unpack to, or to so many MB, and to how many MB at most;
and the MB of all files that count."""

REFUSED, MOST_REFUSED = "refused files", 128
"""The session's key for the errors of files that were refused; maximum number of them."""

PAUSE = 0.25
"""Seconds between two looks at what is waited for."""

T = TypeVar("T")
Said = reader_process.Said

_places, _places_of_small = Places(AT_ONCE), Places(AT_ONCE, begun=BEGUN, patience=PATIENCE)
"""Who reads and who waits, of all visitors."""


class _TakesMoreError(Exception):
    """A reading needs more than its limit, which is the text."""


class _IsReadError(Exception):
    """Ends the wait of who wants what another one's process has read meanwhile."""


@dataclass(eq=False)
class _Reading:
    """What becomes of a call, for all that want it now; it goes with the last of them. Do not change it."""

    outcome: tuple[str, Any, Said] = "", None, []


_readings = WeakValueDictionary[tuple[bytes, int, int], _Reading]()
"""What is wanted now, by the digest of the call, which holds the files, and its limits."""

_guard = Lock()

_spares = deque[subprocess.Popen[bytes]]()
"""Processes that wait for a call, of anybody."""

_kept: dict[str, tuple[float, subprocess.Popen[bytes]]] = {}
"""Those that wait for the next call of a session, and since when; the oldest first."""


def is_for_others() -> bool:
    """Return whether the server is for others than the owner of this computer: it is said, or it listens to others."""
    return bool(os.environ.get(PUBLIC)) or st.get_option("server.address") not in LOOPBACK


def is_bounded() -> bool:
    """Return whether uploads are read in processes of their own."""
    return sys.platform == "linux" and is_for_others()


@contextmanager
def refuse_once(key: Hashable) -> Iterator[None]:
    """What this block refuses is refused in the session's next runs without being read."""
    refused = st.session_state.setdefault(REFUSED, {})
    if key in refused:
        raise copy(refused[key])  # the frames that a raised error holds hold the files
    try:
        yield
    except tk.TiekitError as error:
        if len(refused) >= MOST_REFUSED:
            del refused[next(iter(refused))]
        refused[key] = copy(error)
        raise


def read(call: Callable[[], T], files: Mapping[str, bytes]) -> tuple[T, Said]:
    """Return what a call reads from uploaded files, and tiekit's warnings; errors of tiekit are raised as ever.

    On a server for others the call and its result are pickled. Whoever leaves the page, or changes it, ends the
    reading: Streamlit ends the page's run when it next draws, so something is drawn at each look.
    """
    with st.spinner("Reading the file …" if len(files) == 1 else "Reading the files …"):
        if is_bounded():
            key = _digest(call)  # before the page stands aside: it takes time that counts
            with aside():
                return _read_in_turn(call, key, files)
        with collect_warnings() as said:
            return call(), said


def _read_in_turn(call: Callable[[], T], key: bytes, files: Mapping[str, bytes]) -> tuple[T, Said]:
    """Read in one of the places, once for all who have this key: small files, if they need little, in one of theirs."""
    size = min(sum(map(_unpacked_size, files.values())) >> 20, ALL)
    if size <= SMALL:
        with suppress(_TakesMoreError):
            return _read_in_place(_places_of_small, call, key, MEMORY_OF_SMALL, SECONDS_OF_SMALL)
    try:
        return _read_in_place(_places, call, key, MEMORY, SECONDS + SECONDS_PER_MB * size)
    except _TakesMoreError as error:
        raise _too_much(files, str(error)) from None


def _read_in_place(places: Places, call: Callable[[], T], key: bytes, memory: int, seconds: int) -> tuple[T, Said]:
    """Wait for one of the places, and say the number in the line; give the place back, whatever happens.

    Everybody stands in the line himself, and leaves it when another has read what he wants.
    """
    place = st.empty()
    with _guard:
        reading = _readings.setdefault((key, memory, seconds), _Reading())

    def say(number: int) -> None:
        if reading.outcome[0]:
            raise _IsReadError
        place.info(f"The server reads {AT_ONCE} uploads at a time. Yours is number {number} of those that wait.")

    with suppress(_IsReadError), places.wait(say, PAUSE):
        place.empty()
        if not reading.outcome[0]:
            reading.outcome = _read_in_process(call, memory, seconds, place.empty)
    place.empty()
    outcome, found, said = reading.outcome
    if outcome == reader_process.READ:
        return found, said
    if outcome == reader_process.REFUSED:
        raise copy(found)  # else it and this frame would hold each other
    if outcome == reader_process.FAILED:
        raise RuntimeError(f"the process that reads uploads failed: {found}")
    raise _TakesMoreError(f"{format_number(memory / 2**30, '.1f')} GB of memory")


def _digest(value: object) -> bytes:
    """A digest of a value and all that it holds, made without a copy of it."""
    digest = sha256()
    pickle.Pickler(SimpleNamespace(write=digest.update)).dump(value)
    return digest.digest()


def _read_in_process(
    call: Callable[[], Any], memory: int, seconds: int, look: Callable[[], Any]
) -> tuple[str, Any, Said]:
    """Return what becomes of a call in a process of its visitor, with a look now and then; whoever leaves ends it."""
    session = current_visitor().session
    process = _take_ready_process(session, look)
    until = monotonic() + SLOWEST * seconds
    outcome: tuple[str, Any, Said] | None = None
    with ThreadPoolExecutor(1) as sender:
        try:
            reply = sender.submit(_ask, process, (call, memory, seconds), streamlit_internals.session())
            while not wait([reply], PAUSE).done:
                look()
                if monotonic() > until:
                    raise _TakesMoreError(f"{SLOWEST * seconds:,} s")
            outcome = reply.result()
        finally:
            if outcome and outcome[0] in (reader_process.READ, reader_process.REFUSED) and memory == MEMORY_OF_SMALL:
                _keep_process(session, process)
            else:
                _end_process(process)
            expect_files()
    if outcome is None and process.returncode == -SIGXCPU:
        raise _TakesMoreError(f"{seconds:,} s of processor time")
    if outcome is None and process.returncode > 0:
        raise RuntimeError(f"the process that reads uploads failed: {process.returncode}")
    return outcome or (reader_process.TOO_LARGE, None, [])


def _ask(
    process: subprocess.Popen[bytes], asked: tuple[Callable[[], Any], int, int], session: str | None
) -> tuple[str, Any, Said] | None:
    """What a process answers to a call for a session; None if it ends."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        with computing(session):
            process.stdin.write(pickle.dumps(asked))
            process.stdin.flush()
            answer: tuple[str, Any, Said] = pickle.load(process.stdout)
    except (OSError, EOFError, pickle.UnpicklingError):
        process.wait()
        return None
    return answer


def expect_files() -> None:
    """Let processes begin that read what is uploaded next."""
    with _guard:
        while is_bounded() and len(_spares) < SPARES:
            _spares.append(_begin_process())


def _take_ready_process(session: str, look: Callable[[], Any]) -> subprocess.Popen[bytes]:
    """The process that a session had, or a new one; whoever leaves before it is ready gives it back."""
    with _guard:
        _, process = _kept.pop(session, (0.0, None))
    if process is not None:
        if process.poll() is None:
            return process
        _end_process(process)
    while True:
        with _guard:
            is_spare = bool(_spares)
            process = _spares.popleft() if is_spare else _begin_process()
        assert process.stdout is not None
        try:
            with PollSelector() as selector:
                selector.register(process.stdout, EVENT_READ)
                while not selector.select(PAUSE):
                    look()
        except BaseException:
            with _guard:
                _spares.appendleft(process)
            raise
        if os.read(process.stdout.fileno(), len(reader_process.READY)):
            return process
        _end_process(process)  # or it has by itself
        if not is_spare:
            raise RuntimeError(f"the process that reads uploads does not begin: {process.returncode}")


def _keep_process(session: str, process: subprocess.Popen[bytes]) -> None:
    """Keep the process of a session for its next call."""
    with _guard:
        _kept[session] = monotonic(), process
    _end_oldest(KEPT)


def end_idle() -> None:
    """End the processes that nobody has used for `KEPT_SECONDS`."""
    with _guard:
        n_used = sum(since > monotonic() - KEPT_SECONDS for since, _ in _kept.values())
    _end_oldest(n_used)


def _end_oldest(but: int) -> None:
    """End all kept processes but so many."""
    with _guard:
        oldest = [_kept.pop(session)[1] for session in list(_kept)[: max(0, len(_kept) - but)]]
    for process in oldest:
        _end_process(process)


def _end_process(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    with suppress(BrokenPipeError), process:
        pass


def _begin_process() -> subprocess.Popen[bytes]:
    command = [sys.executable, "-P", "-m", reader_process.__name__]
    paths = os.pathsep.join(path for path in sys.path if path)
    one_thread = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")  # each takes memory
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": paths, **one_thread},
    )
    os.setpriority(os.PRIO_PROCESS, process.pid, os.getpriority(os.PRIO_PROCESS, 0) + reader_process.LOWER)
    return process


@atexit.register
def end_all() -> None:
    """End the processes that wait."""
    _end_oldest(0)
    while _spares:
        _end_process(_spares.pop())


def _unpacked_size(content: bytes) -> int:
    """The number of bytes that a file may have once it is unpacked."""
    if not content.startswith(PACKED):
        return len(content)
    return min(max(UNPACKED_FACTOR * len(content), UNPACKED * 2**20), LARGEST * 2**20)


def _too_much(files: Mapping[str, bytes], limit: str) -> tk.ReadError:
    """The error that says which limit the reading of these files exceeds."""
    name = next(iter(files)) if len(files) == 1 else count_noun(len(files), "file")
    return tk.ReadError(name, f"needs more than {limit} to be read; the server gives no more; split it")
