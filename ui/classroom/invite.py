"""How do students join? By a QR code, or by typing a code at an address."""

from __future__ import annotations

from typing import Literal
from urllib.parse import urlencode

import streamlit as st

from ui.classroom import session
from ui.classroom.lesson import Lesson
from ui.classroom.store import STORE, space_code
from ui.work import public_url
from ui.work.render_queue import fragment

PATH, PARAM = "Join", "class"
"""The page on which students answer, and its link's key for the code."""

POLL = 2.0
"""Seconds between two counts of those who are present."""


def address(code: str) -> str | None:
    """Return the address at which a phone joins a class; None if phones cannot reach this server."""
    origin = public_url.origin(str(st.context.url or ""))
    return None if origin is None else f"{origin}/{PATH}?{urlencode({PARAM: code})}"


def explain() -> None:
    """Say what a class is."""
    st.markdown(
        "Students open a page on their phones, see the question that you show, and predict; your screen fills "
        "with their answers as bars, or as dots on a scale, and you reveal the right one for all. There are no "
        "names and no accounts, and nothing is kept when the class ends; it ends by itself after three hours. While "
        "a class is on, the predictions on all pages ask the class."
    )


def start_or_show() -> None:
    """Show the button that begins a class or, while one is going on, how to join it."""
    lesson = session.current_lesson()
    if lesson is None:
        if STORE.asks_for_key:
            st.text_input("Key for starting a class", key=session.KEY, type="password", max_chars=200, width=288)
        st.button("Start a class", key="class_start", on_click=session.start, icon=":material/groups:")
        if refused := st.session_state.get(session.REFUSED):
            st.warning(refused)
        return
    show(lesson)
    st.button("End the class", key="class_end", on_click=session.end)


def show(lesson: Lesson, width: int | Literal["stretch"] = 288) -> None:
    """Show QR code, address and code of a class, and how many have joined; the width is that of the QR code."""
    joins = address(lesson.code)
    if joins is None:
        st.warning(public_url.HOW)
        where = f"In another window of this computer: [{PATH}]({PATH}?{urlencode({PARAM: lesson.code})})"
    else:
        st.image(public_url.qr_code(joins), width=width, alt="QR code to join the class")
        where = joins.partition("?")[0].partition("://")[2]
    st.markdown(f"{where} with the code **{space_code(lesson.code)}**")
    fragment(_present, run_every=POLL)(lesson)


def _present(lesson: Lesson) -> None:
    session.current_lesson()  # whoever shows a class is present
    st.caption(f"{lesson.present(STORE.now())} joined. No names are asked; when the class ends, nothing is kept.")
