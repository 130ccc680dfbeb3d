"""Which class does this visitor hold? The lecturer's session knows it; it ends by a button or after three hours."""

from __future__ import annotations

import streamlit as st

from ui.classroom.lesson import Lesson
from ui.classroom.store import STORE

HELD, PAGE = "class held", "class page"
"""The session's keys for the class, and for the page that the lecturer shows. Both begin with "class "."""


def held() -> Lesson | None:
    """Return the class that this visitor holds and that is going on."""
    lesson: Lesson | None = st.session_state.get(HELD)
    if lesson is not None and not STORE.is_on(lesson):
        del st.session_state[HELD]
        return None
    return lesson


def start() -> None:
    """Begin a class; a callback."""
    if held() is None:
        st.session_state[HELD] = STORE.start()


def end() -> None:
    """End the class; a callback."""
    if (lesson := held()) is not None:
        STORE.end(lesson.code)
        del st.session_state[HELD]


def open_page(title: str) -> None:
    """Note which page is shown."""
    st.session_state[PAGE] = title


def page() -> str:
    """Return the title of the page that is shown."""
    return str(st.session_state.get(PAGE, ""))
