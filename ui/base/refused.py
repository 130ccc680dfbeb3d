"""Was an upload refused because its session is full? The browser shows a number alone, the page says it in words.

The server notes it and runs the page again. It is said until the session holds less than it did then.
"""

from __future__ import annotations

import streamlit as st

from ui.base import streamlit_internals

MOST = 1000
"""So many sessions are remembered; the oldest is forgotten."""

WORDS = (
    "The server did not take all files: a session may hold up to 256 MB of uploaded files. Remove some, or upload the "
    "files of one language pair."
)

_held: dict[str, int] = {}


def note(session: str, held: int) -> None:
    """Remember that a session, which holds so many bytes, may not upload more; its page says so at once."""
    is_new = session not in _held
    _held[session] = max(held, _held.get(session, 0))
    if is_new:
        while len(_held) > MOST:
            _held.pop(next(iter(_held)), None)
        streamlit_internals.run_again(session)


def say() -> None:
    """Say below a field for files whether one was refused."""
    session = streamlit_internals.this_session()
    if session not in _held:
        return
    held = sum(streamlit_internals.uploaded_sizes(session))
    if held < _held[session]:
        _held.pop(session, None)
        return
    _held[session] = held
    st.warning(WORDS)
