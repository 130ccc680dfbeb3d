"""Has a session room for another upload? Where one was refused the browser shows a number, the page says it in words.

The server notes it and runs the page again. It is said until there is room for the smallest that was refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from ui.work import streamlit_internals

MOST_FILES = 10_000
"""So many uploaded files a session may hold: twice what is read at once."""

MOST_BYTES = 256 * 2**20
"""So many bytes of uploaded files a session may hold; each file is at most 64 MB (.streamlit/config.toml)."""

MOST = 1000
"""So many sessions are remembered that were refused one; the oldest is forgotten."""

WORDS = (
    "The server did not take all files: a session may hold up to 256 MB of uploaded files, and up to 10,000 of them. "
    "Remove some, or upload the files of one language pair."
)

_coming: Counter[str] = Counter()
"""Bytes under way, by session."""

_refused: dict[str, int] = {}
"""The bytes of the smallest upload that was refused, by session."""


def has_room(session: str, size: int) -> bool:
    """Return whether a session may hold so many bytes more; what is under way counts as held."""
    sizes = streamlit_internals.uploaded_sizes(session)
    return len(sizes) < MOST_FILES and sum(sizes) + _coming[session] + size <= MOST_BYTES


@contextmanager
def taken(session: str, size: int) -> Iterator[None]:
    """Hold room for an upload while it is under way."""
    _coming[session] += size
    try:
        yield
    finally:
        _coming[session] -= size
        if not _coming[session]:
            del _coming[session]


def refuse(session: str, size: int) -> None:
    """Remember that a session has no room for an upload of so many bytes; its page says so at once."""
    is_new = session not in _refused
    _refused[session] = min(size, _refused.get(session, size))
    if is_new:
        while len(_refused) > MOST:
            _refused.pop(next(iter(_refused)), None)
        streamlit_internals.run_again(session)


def say_if_refused() -> None:
    """Say below a field for files whether one was refused."""
    session = streamlit_internals.this_session()
    if session not in _refused:
        return
    if has_room(session, _refused[session]):
        _refused.pop(session, None)
    else:
        st.warning(WORDS)
