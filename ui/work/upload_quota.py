"""How much may a session upload? The server counts what it takes, and the page says in words that it refused a file.

Where an upload is refused, the browser shows a number beside the file. The words come from a component that watches the
answers to uploads, so that they are there at once and without a run of the page.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import escape

from ui.work import presets

LARGEST = 64
"""The size of a file, in MB, above which it is refused (.streamlit/config.toml has it for the server)."""

MOST_FILES = 10_000
"""Maximum number of uploaded files of a session: twice what is read at once."""

MOST_BYTES = 256 * 2**20
"""Maximum number of bytes of uploaded files of a session."""

MOST_COUNTED = 500_000
"""Maximum number of files of all sessions that are counted; who uploaded nothing for the longest is forgotten first."""

WORDS = (
    "The server did not take all files: a session may hold up to 256 MB of uploaded files, and up to 10,000 of them. "
    "Remove some, or upload the files of one language pair."
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


@dataclass
class _Uploads:
    """The bytes of a session's files, by file; all of them together; and those under way."""

    files: dict[str, int] = field(default_factory=dict)
    held: int = 0
    coming: int = 0


class Quota:
    """What each session holds, as the requests that passed tell; to be used by one thread."""

    def __init__(self) -> None:
        self._sessions: OrderedDict[str, _Uploads] = OrderedDict()
        self._counted = 0

    def has_room(self, session: str, size: int) -> bool:
        """Return whether a session may hold so many bytes more; what is under way counts as held."""
        uploads = self._sessions.get(session, _Uploads())
        return len(uploads.files) < MOST_FILES and uploads.held + uploads.coming + size <= MOST_BYTES

    @contextmanager
    def upload(self, session: str, size: int) -> Iterator[None]:
        """Hold room for an upload while it is under way."""
        uploads = self._sessions.setdefault(session, _Uploads())
        self._sessions.move_to_end(session)
        uploads.coming += size
        try:
            yield
        finally:
            uploads.coming -= size
            if not uploads.files and not uploads.coming:
                self._sessions.pop(session, None)
            while self._counted > MOST_COUNTED and len(self._sessions) > 1:
                self._counted -= len(self._sessions.popitem(last=False)[1].files)

    def keep(self, session: str, file: str, size: int) -> None:
        """Count a file that has arrived, in place of an earlier one of this name."""
        uploads = self._sessions.setdefault(session, _Uploads())
        self._counted += file not in uploads.files
        uploads.held += size - uploads.files.get(file, 0)
        uploads.files[file] = size

    def remove(self, session: str, file: str) -> None:
        """Count a file no longer."""
        uploads = self._sessions.get(session, _Uploads())
        self._counted -= file in uploads.files
        uploads.held -= uploads.files.pop(file, 0)
        if not uploads.files and not uploads.coming:
            self._sessions.pop(session, None)


def warn_if_refused(key: str) -> None:
    """Let the page say below a field for files that one was refused, until a file is removed."""
    _refused(key=f"{key} refused")
