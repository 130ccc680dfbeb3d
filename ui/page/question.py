"""Which question opens a page of the lesson? Nothing on the screen answers it before a guess, or *Show the answer*."""

from __future__ import annotations

from html import escape
from typing import Any

import streamlit as st

from ui.classroom import question_view, session
from ui.link import link
from ui.page import lecture, predict
from ui.page.pages import Page
from ui.present import presenting
from ui.work.text import with_index

ASKS, OPEN = "page asks", "page open"
"""The session's keys for whether the drawn page keeps its answer back, and for which page was entered, and whether by a
link with a choice: what such a link shows is not hidden."""

PLACED, ANSWER, WRITTEN = "page placed", "page answer", "page written"
"""The session's keys for where the visitor has moved the page's picture as a guess, for the line of the answer, and for
whether something stands there."""

OWN = "own"
"""The key of a link to a page of the lesson that opens for the visitor's own scores."""

SETTINGS = {lecture.KEY, predict.ANSWERS, predict.SEEN, OWN}
"""Keys of a link that choose nothing on a page."""


def key_of(page: Page) -> str:
    """Return the key of a page's question."""
    return f"{predict.UNSCORED}{page.number}"


def ask(page: Page, *, is_asked: bool) -> None:
    """Ask the page's question, and note whether its answer is kept back; call it before anything else is drawn."""
    now, of_page, key = st.session_state, link.of_page(), key_of(page)
    if of_page.is_entered or now.get(OPEN, ("",))[0] != page.file:  # the run that entered it may have been stopped
        now[OPEN] = page.file, bool(of_page.keys() - SETTINGS)
        now.pop(PLACED, None)
    now[ASKS], now[ANSWER], now[WRITTEN] = False, None, False
    with st.container():  # there even if empty: what stands below would change places and lose what is typed
        if page.number and is_asked:
            _ask(page, key)


def _ask(page: Page, key: str) -> None:
    """Ask the question in a class, or of whoever came without a choice in the link."""
    now = st.session_state
    if (lesson := session.current_lesson()) is not None:
        why = dict.fromkeys(page.options, "" if "{" in page.shown else page.shown)
        is_shown = question_view.by_class(lesson, key, page.question, why, page.answer, is_title=True)
        now[ASKS] = not is_shown and not presenting.is_on()
    elif not presenting.is_on() and (not now[OPEN][1] or predict.name_of(key) in now[predict.SEEN]):
        now[ASKS] = not predict.is_revealed(key)
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=predict.place_of(key)):
            (_offer if now[ASKS] else _answer)(page, key)


def asks() -> bool:
    """Return whether the page that is drawn keeps its answer back."""
    return bool(st.session_state.get(ASKS))


def is_answered() -> bool:
    """Return whether the drawn page has said the answer to its question."""
    return st.session_state.get(ANSWER) is not None


def say(page: Page, verdict: str = "", **numbers: Any) -> None:
    """Fill the numbers of the page into the line of its answer, where there is one, after what a guess was worth."""
    if is_answered():
        _write(page, page.shown.format(**numbers), verdict)


def explain(page: Page, *, is_why_told: bool = True, **numbers: Any) -> None:
    """Lead to the question if that needs no numbers, or explain the picture, with ``numbers``, and the answer."""
    needs_numbers = "{" in page.opening
    told = [
        page.opening.strip() if asks() and not needs_numbers else page.note.format(**numbers),
        page.why.strip() * (is_why_told and not asks()),
    ]
    if words := "\n\n".join(text for text in told if text):
        st.markdown(with_index(words), width=680)


def end(page: Page) -> None:
    """Say at least what was guessed, where the page has computed no numbers for its answer."""
    if is_answered() and not st.session_state.get(WRITTEN):
        _write(page, "")


def place(at: float) -> None:
    """Note where the visitor has moved the page's picture while its answer is kept back."""
    st.session_state[PLACED] = at


def place_of(page: Page) -> float | None:
    """Return where that is, or was when the answer was shown; None if it was not moved."""
    if asks():
        found: float | None = st.session_state.get(PLACED)
        return found
    try:
        return float(predict.prediction(key_of(page)) or "")
    except ValueError:
        return None


def _offer(page: Page, key: str) -> None:
    """Show what can be guessed."""
    now = st.session_state

    def guess(answer: str) -> None:
        predict.reveal(key, answer)

    st.markdown(with_index(page.task), width="content")
    if page.place:
        is_moved = PLACED in now
        st.button(page.place, key="guess place", disabled=not is_moved, on_click=lambda: guess(str(now[PLACED])))
    else:
        for number, option in enumerate(page.options):
            st.button(with_index(option), key=f"guess {number}", on_click=guess, args=(option,))
    st.button("Show the answer", key="guess none", type="tertiary", on_click=predict.reveal, args=(key,))


def _answer(page: Page, key: str) -> None:
    """Say what was guessed and what the answer is; numbers follow where the page has computed them."""
    now = st.session_state
    now[ANSWER] = st.empty()
    if "{" not in page.shown:  # else `say` writes it, or `end`: what is written twice loses the focus
        _write(page, page.shown)

    def again() -> None:
        now.pop(PLACED, None)
        now[OPEN] = page.file, False
        predict.ask_again(key)

    if not now.get("answers shown"):
        st.button("Ask again", key="guess again", type="tertiary", on_click=again)


def _write(page: Page, words: str, verdict: str = "") -> None:
    """Write the line of the answer, first whether the guess was right."""
    now = st.session_state
    guessed = "" if page.place else predict.prediction(key_of(page)) or ""
    at = f", {escape(page.at)}" * bool(page.at)  # what is moved later does not contradict it
    answer = f"The answer is: <strong>{escape(page.answer)}</strong>{at}."
    if guessed:
        right = f"Right{at}."
        verdict = f"You said: <strong>{escape(guessed)}</strong>. {right if guessed == page.answer else answer}"
    else:
        verdict = verdict or answer
    now[WRITTEN] = True
    said = f"{verdict} {escape(words)}".strip().replace(" %", "\u00a0%")
    now[ANSWER].html(f'<p role="status">{with_index(said, is_html=True)}</p>')
