"""Which class does this visitor hold? The lecturer's session knows it; it ends by a button or after three hours.

A reload begins a new session. So the lecturer's tab keeps the key of the class, and gives it back; no link holds it.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from ui.classroom.lesson import Lesson
from ui.classroom.store import STORE, RefusedError
from ui.work import presets
from ui.work.visitor import current_visitor

HELD, PAGE, OVER = "class held", "class page", "class over"
"""The session's keys for the class, for the page that the lecturer shows, and for whether the class has ended.

All begin with "class ".
"""

KEY, REFUSED = "class key", "class refused"
"""The session's keys for the key that is typed to start, and for why it was refused."""

TAB = "class_tab"
"""The key of the script that keeps the class in the tab."""

_tab = presets.component("tiekit_class_tab", "classroom/tab.js")


def current_lesson() -> Lesson | None:
    """Return the class that this visitor holds and that is going on."""
    lesson: Lesson | None = st.session_state.get(HELD)
    if lesson is not None and not STORE.is_on(lesson):
        _forget()
        return None
    if lesson is not None:
        lesson.last_present = STORE.now()
    return lesson


def _forget() -> None:
    del st.session_state[HELD]
    st.session_state[OVER] = True


def keep_in_tab() -> None:
    """Keep the class in the browser's tab, from where a reload has it back; call it once in each run."""
    lesson = current_lesson()
    data = {"host": lesson.host if lesson is not None else None, "over": st.session_state.get(OVER, False)}
    _tab(key=TAB, width="content", data=data, on_host_change=_take_back)


def _take_back() -> None:
    """Hold the class again whose key the tab has kept."""
    host: Any = (st.session_state.get(TAB) or {}).get("host")
    lesson = STORE.lesson_of_host(host) if isinstance(host, str) else None
    if lesson is None:
        st.session_state[OVER] = True
    elif current_lesson() is None:
        st.session_state[HELD] = lesson


def start() -> None:
    """Begin a class, or note why that is refused; a callback."""
    if current_lesson() is None:
        st.session_state.pop(REFUSED, None)
        try:
            st.session_state[HELD] = STORE.start(current_visitor(), st.session_state.get(KEY, ""))
        except RefusedError as error:
            st.session_state[REFUSED] = str(error)


def end() -> None:
    """End the class; a callback."""
    if (lesson := current_lesson()) is not None:
        STORE.end(lesson.code)
        _forget()


def open_page(title: str) -> None:
    """Note which page is shown."""
    st.session_state[PAGE] = title


def page() -> str:
    """Return the title of the page that is shown."""
    return str(st.session_state.get(PAGE, ""))
