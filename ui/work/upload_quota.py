"""How much may be uploaded? The server counts what it takes, and the page says in words that it refused a file.

A session may hold so much, and on a server for others all sessions from one address, and all together. A page may keep
what a browser has removed. So all that a session brought counts for the others until Streamlit has freed the session:
an object in its state tells of that by its own end.

Where an upload is refused, the browser shows a number beside the file. The words come from a component that watches the
answers to uploads, so that they are there at once and without a run of the page.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape

import streamlit as st

from ui.work import bounded_reading, presets, streamlit_internals

LARGEST = 64
"""The size of a file, in MB, above which it is refused (.streamlit/config.toml has it for the server)."""

MOST_FILES = 10_000
"""Maximum number of uploaded files of a session: twice what is read at once."""

MOST_BYTES = 256 * 2**20
"""Maximum number of bytes of uploaded files of a session."""

MOST_OF_ALL = 3 * 2**29
"""Maximum number of bytes that all sessions together bring: of the 6 GB that compose.yaml gives a process, two uploads
that are read may take 1.5 GB each; the app takes less than 1 GB, and sessions keep what was read."""

MOST_OF_ADDRESS = MOST_OF_ALL // 2
"""Maximum number of bytes that all sessions from one address bring: others have room beside one stranger, and sixty in
a lecture hall, which is one address, may bring 5 MB twice each."""

RESERVE, LITTLE = 2**28, 2**26
"""Number of bytes of those of all that are for addresses which brought little, and how much that is: two strangers who
bring as much as they may deny uploads to each other, not to a third."""

BYTES_BESIDE = 2**10
"""Number of bytes that count for each file beside its own: its names and records."""

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

_admitted: set[str] = set()
"""The sessions that have drawn a page and are not freed. Each operation on a set is atomic."""


class _Presence:
    """Stands in a session's state, and ends with it."""

    def __init__(self, session: str) -> None:
        self._session = session
        _admitted.add(session)

    def __del__(self) -> None:
        _admitted.discard(self._session)


def admit_session() -> None:
    """Let the session whose page this thread draws upload files, until Streamlit frees it."""
    session = streamlit_internals.session()
    if session is not None and KEY not in st.session_state:
        st.session_state[KEY] = _Presence(session)


def is_admitted(session: str) -> bool:
    """Return whether a session has drawn a page and is there, as that of every browser that uploads."""
    return session in _admitted


@dataclass
class _Uploads:
    """The address of a session, its files' bytes by file, all of them together, those under way, and all it brought."""

    address: str
    files: dict[str, int] = field(default_factory=dict)
    held: int = 0
    coming: list[int] = field(default_factory=list)
    brought: int = 0

    def has_room(self, size: int) -> bool:
        """Return whether the session may hold so many bytes more; what is under way counts as held."""
        is_one_more = len(self.files) + len(self.coming) < MOST_FILES
        return is_one_more and self.held + sum(self.coming) + size <= MOST_BYTES

    @property
    def charge(self) -> int:
        """The bytes that count for all sessions."""
        return self.brought + sum(self.coming) + BYTES_BESIDE * len(self.coming)


class Quota:
    """What each session holds and brought, as the requests that passed tell; to be used by one thread."""

    def __init__(self) -> None:
        self._sessions: dict[str, _Uploads] = {}

    def has_room(self, session: str, address: str, size: int) -> bool:
        """Return whether a session may bring so many bytes more; they count for the address of its first upload."""
        self._forget_who_has_gone()
        uploads = self._sessions.get(session, _Uploads(address))
        if not bounded_reading.is_for_others():
            return uploads.has_room(size)
        charges = [(one.charge, one.address == uploads.address) for one in self._sessions.values()]
        of_all, of_address = sum(one for one, _ in charges), sum(one for one, is_here in charges if is_here)
        room = min(MOST_OF_ALL - RESERVE - of_all, MOST_OF_ADDRESS - of_address)
        reserved = min(MOST_OF_ALL - of_all, LITTLE - of_address)
        return uploads.has_room(size) and size + BYTES_BESIDE <= max(room, reserved)

    @contextmanager
    def upload(self, session: str, address: str, size: int) -> Iterator[None]:
        """Hold room for an upload while it is under way."""
        uploads = self._sessions.setdefault(session, _Uploads(address))
        uploads.coming.append(size)
        try:
            yield
        finally:
            uploads.coming.remove(size)

    def keep(self, session: str, file: str, size: int) -> None:
        """Count a file whose upload has arrived, in place of an earlier one of this name."""
        uploads = self._sessions[session]
        uploads.held += size - uploads.files.get(file, 0)
        uploads.files[file] = size
        uploads.brought += size + BYTES_BESIDE

    def remove(self, session: str, file: str) -> None:
        """Let a session hold a file no longer."""
        if uploads := self._sessions.get(session):
            uploads.held -= uploads.files.pop(file, 0)

    def _forget_who_has_gone(self) -> None:
        """Count no longer what Streamlit has freed; what is still under way is counted to its end."""
        for session in [name for name, one in self._sessions.items() if name not in _admitted and not one.coming]:
            del self._sessions[session]


def warn_if_refused(key: str) -> None:
    """Let the page say below a field for files that one was refused, until one is removed or another try is taken."""
    _refused(key=f"{key} refused")
