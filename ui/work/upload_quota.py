"""How much may be uploaded? The server counts what it takes, and the page says in words that it refused a file.

A session may hold so much, and on a server for others all sessions from one address, and all together, with what their
pages keep of what was read: of that an object stands beside it, and tells by its own end that it is freed. So does one
in the state of each session. What a browser removes is in the session's state until two more runs have begun.

Where an upload is refused, the browser shows a number beside the file. The words come from a component that watches the
answers to uploads, so that they are there at once and without a run of the page.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager, suppress
from copy import copy
from dataclasses import dataclass, field
from html import escape
from threading import Lock
from typing import Any, TypeVar

import streamlit as st

import tiekit as tk
from ui.work import bounded_reading, presets, streamlit_internals
from ui.work.sizes import size_of
from ui.work.visitor import current_visitor

T = TypeVar("T")

LARGEST = 64
"""The size of a file, in MB, above which it is refused (.streamlit/config.toml has it for the server)."""

MOST_FILES = 10_000
"""Maximum number of uploaded files of a session: twice what is read at once."""

MOST_BYTES = 256 * 2**20
"""Maximum number of bytes of uploaded files of a session."""

MOST_OF_ALL = 3 * 2**29
"""Maximum number of bytes of the uploads of all sessions and of what was read of them: of the 9 GB that compose.yaml
gives a process, two large ones that are read take up to 3 GB, two small ones 1 GB, what is computed 2 GB, and the app
1 GB."""

MOST_OF_ADDRESS = MOST_OF_ALL // 2
"""Maximum number of these bytes of all sessions from one address: others have room beside one stranger, and sixty in a
lecture hall, which is one address, may bring 5 MB twice each."""

RESERVE, LITTLE, LITTLE_HERE = 2**28, 2**26, 2**24
"""Number of bytes of those of all that are for addresses with little, and of those of an address that are for sessions
with little, and how much that is: two strangers who hold as much as they may deny uploads to each other, not to a
third, and two in a lecture hall not to its others."""

BYTES_BESIDE = 2**10
"""Number of bytes that count for each file beside its own: its names and records."""

NO_ROOM = (
    "The server has no room for what was read of this upload: it keeps as much as it can now, of all visitors and of "
    "your address. Upload less, or reload the page and try again in some minutes."
)

WORDS = (
    "The server did not take all files. A session may hold up to 256 MB of uploaded files, and up to 10,000 of them: "
    "remove some, or upload the files of one language pair. If you uploaded less, the server holds as much as it can "
    "now: reload the page, and try again in some minutes."
)

CSS = """
p {
    font: inherit; margin: 0; padding: 1rem; color: var(--st-yellow-text-color, var(--st-text-color));
    background: var(--st-yellow-background-color, none); border-radius: var(--st-base-radius, 0.5rem);
}
p[hidden] { display: none; }
"""

_refused = presets.component(
    "tiekit_refused_upload", "work/upload_quota.js", f'<p role="alert" hidden>{escape(WORDS)}</p>', CSS
)

KEY = "may upload"
"""The session's key for what ends with it; no page may delete it."""

_admitted: dict[str, int] = {}
"""The sessions that have drawn a page and are not freed, each with how many runs it has begun. Each operation on a
dictionary is atomic."""

_addresses: dict[str, str] = {}
"""Where the browser of each of them was at first."""


class _Presence:
    """Stands in a session's state, and ends with it."""

    def __init__(self, session: str) -> None:
        self._session = session
        _admitted[session], _addresses[session] = 0, current_visitor().address

    def __del__(self) -> None:
        _admitted.pop(self._session, None)
        _addresses.pop(self._session, None)


def admit_session() -> None:
    """Let the session whose page this thread draws upload files, until Streamlit frees it; call it in each run."""
    session = streamlit_internals.session()
    if session is not None and KEY not in st.session_state:
        st.session_state[KEY] = _Presence(session)
    if session is not None:
        _admitted[session] = _admitted.get(session, 0) + 1


def is_admitted(session: str) -> bool:
    """Return whether a session has drawn a page and is there, as that of every browser that uploads."""
    return session in _admitted


def address_of(session: str) -> str | None:
    """Return the address of a session that has drawn a page and is there; None of any other one."""
    return _addresses.get(session)


@dataclass(eq=False)
class Coming:
    """An upload that is under way: its bytes, and how many of them have arrived."""

    size: int
    arrived: int = 0


@dataclass
class _Uploads:
    """The address of a session, its files' bytes by file, all of them together, those under way, those that it removed
    by the number of its runs, and what its pages keep."""

    address: str
    files: dict[str, int] = field(default_factory=dict)
    held: int = 0
    coming: list[Coming] = field(default_factory=list)
    removed: dict[int, int] = field(default_factory=dict)
    kept: list[int] = field(default_factory=list)

    def has_room(self, size: int) -> bool:
        """Return whether the session may hold so many bytes more; what is under way counts as held."""
        is_one_more = len(self.files) + len(self.coming) < MOST_FILES
        return is_one_more and self.held + self.announced + size <= MOST_BYTES

    def drop(self, file: str, run: int) -> None:
        """Hold a file no longer, which the session's state may have for two runs more."""
        if (size := self.files.pop(file, None)) is not None:
            self.held -= size
            self.removed[run] = self.removed.get(run, 0) + size + BYTES_BESIDE

    @property
    def charge(self) -> int:
        """The bytes that count for all sessions."""
        of_files = self.announced + BYTES_BESIDE * len(self.coming) + sum(self.removed.values())
        return self.bytes_here + of_files

    @property
    def announced(self) -> int:
        """The bytes of what is under way."""
        return sum(one.size for one in tuple(self.coming))

    @property
    def bytes_here(self) -> int:
        """The bytes that are counted and in memory for certain, but those of uploads under way."""
        return self.held + BYTES_BESIDE * len(self.files) + sum(tuple(self.kept))


class Kept:
    """Stands beside what a page keeps; its bytes count until it is freed."""

    def __init__(self, uploads: _Uploads, size: int) -> None:
        self._uploads, self._size = uploads, size
        uploads.kept.append(size)

    def __del__(self) -> None:
        self._uploads.kept.remove(self._size)


class Quota:
    """What each session holds, as the requests that passed and the pages tell."""

    def __init__(self) -> None:
        self._sessions: dict[str, _Uploads] = {}
        self._turn = Lock()

    def has_room(self, session: str, address: str, size: int) -> bool:
        """Return whether a session may bring so many bytes more; they count for the address of its first upload."""
        with self._turn:
            self._forget_what_is_freed()
            uploads = self._sessions.get(session) or _Uploads(address)
            return uploads.has_room(size) and self._have_all_room(uploads, size + BYTES_BESIDE)

    def hold(self, session: str, address: str, size: int) -> Kept | None:
        """Count bytes that a page of a session keeps, until what is returned is freed; None where there is no room."""
        with self._turn:
            self._forget_what_is_freed()
            uploads = self._sessions.get(session) or _Uploads(address)
            if not self._have_all_room(uploads, size):
                return None
            self._sessions[session] = uploads
            return Kept(uploads, size)

    def bytes_here(self) -> int:
        """Return how many bytes of memory are counted for all sessions, as far as they have arrived."""
        with self._turn:
            all_uploads = self._sessions.values()
            arrived = sum(one.arrived for uploads in all_uploads for one in tuple(uploads.coming))
            return arrived + sum(uploads.bytes_here for uploads in all_uploads)

    def _have_all_room(self, uploads: _Uploads, size: int) -> bool:
        """Whether there is room for so many bytes of a session."""
        if not bounded_reading.is_for_others():
            return True
        charges = [(one.charge, one.address == uploads.address) for one in self._sessions.values()]
        of_all = size + sum(one for one, _ in charges)
        of_address = size + sum(one for one, is_here in charges if is_here)
        for_strangers = RESERVE * (of_address > LITTLE)
        for_neighbors = RESERVE * (uploads.charge + size > LITTLE_HERE)
        return of_all <= MOST_OF_ALL - for_strangers and of_address <= MOST_OF_ADDRESS - for_neighbors

    @contextmanager
    def upload(self, session: str, address: str, size: int) -> Iterator[Coming]:
        """Hold room for an upload while it is under way; tell the block's value what arrives."""
        with self._turn:
            uploads = self._sessions.setdefault(session, _Uploads(address))
        coming = Coming(size)
        uploads.coming.append(coming)
        try:
            yield coming
        finally:
            uploads.coming.remove(coming)

    def keep(self, session: str, file: str, size: int) -> None:
        """Count a file whose upload has arrived, in place of an earlier one of this name."""
        with self._turn:
            uploads = self._sessions[session]
            uploads.drop(file, _admitted.get(session, 0))
            uploads.held += size
            uploads.files[file] = size

    def remove(self, session: str, file: str) -> None:
        """Let a session hold a file no longer."""
        with self._turn:
            if uploads := self._sessions.get(session):
                uploads.drop(file, _admitted.get(session, 0))

    def _forget_what_is_freed(self) -> None:
        """Count no longer what Streamlit has freed; what is under way, and what is kept, counts to its end."""
        for name, one in list(self._sessions.items()):
            one.removed = {run: size for run, size in one.removed.items() if _admitted.get(name, 0) < run + 2}
            if name not in _admitted and not one.coming and not one.kept:
                del self._sessions[name]


QUOTA = Quota()
"""That of the server."""


def hold(size: int) -> Kept:
    """Count bytes that the page of this thread keeps of uploads until what is returned is freed: keep it beside them.

    `InputError` says that there is no room.
    """
    kept = QUOTA.hold(streamlit_internals.session() or "", current_visitor().address, size)
    if kept is None:
        raise tk.InputError(NO_ROOM)
    return kept


AHEAD = "read ahead"
"""The session's key for what was read with the usual answers before they were given, by the key of its reading."""


def read(
    call: Callable[[], T], files: Mapping[str, bytes], key: Hashable, beside: int = 0
) -> tuple[T, bounded_reading.Said, Kept]:
    """Return what a call reads from uploaded files, tiekit's warnings, and what counts it, to be kept with it.

    What is refused under a ``key`` is refused in the session's next runs without being read; so many bytes are kept
    ``beside`` what is read.
    """
    with bounded_reading.refuse_once(key):
        if key in (ahead := st.session_state.get(AHEAD, {})):
            found, said = ahead.pop(key)[:2]  # what counted it ends here
            if isinstance(found, tk.TiekitError):
                raise copy(found)  # else it and this frame would hold each other
        else:
            found, said = bounded_reading.read(call, files)
        return found, said, hold(size_of(found) + beside)


def keep_ahead(key: Hashable, found: Any, said: bounded_reading.Said) -> None:
    """Keep what is wanted next, or its error, in place of what was kept before, if there is room for it."""
    st.session_state[AHEAD] = {}
    with suppress(tk.InputError):
        st.session_state[AHEAD] = {key: (found, said, hold(size_of(found)))}


def warn_if_refused(key: str) -> None:
    """Let the page say below a field for files that one was refused, until one is removed or another try is taken.

    Where there is such a field, a file may come.
    """
    bounded_reading.expect_files()
    _refused(key=f"{key} refused")
