"""What does a student see? The question that the class is asked, and nothing else."""

from __future__ import annotations

import random
import re
import secrets
from typing import Any

import streamlit as st

from ui.classroom import guess
from ui.classroom.invite import PARAM
from ui.classroom.lesson import MOST_ANSWERS, Lesson, Question, Tally
from ui.classroom.scale import Scale
from ui.classroom.store import STORE, RefusedError
from ui.link import link
from ui.work import presets
from ui.work.render_queue import fragment, take_turn
from ui.work.streamlit_internals import part
from ui.work.visitor import current_visitor

POLL = 1.6, 2.4
"""Seconds between two looks for a question; each browser has a pace of its own, so that they do not all ask at once."""

JOINED, VISITOR, BROWSER, PACE, TRIED = "class joined", "class visitor", "class browser", "class pace", "class tried"

NOT_TAKEN = "class answer not taken"
"""The session's key for the question that had no place for its answer."""

COUNTED = "Your answer is counted. You can change it until it is revealed."

STYLE = f"""<style>
:root header {{ display: none; }}
:root {part("stMainBlockContainer")} {{ max-width: 46rem; padding: 2rem 1rem 10rem; }}
</style>"""

BALLOT = '<main class="ballot" aria-live="polite"></main>'
_ballot = presets.component("tiekit_ballot", "classroom/ballot.js", BALLOT, "classroom/ballot.css")


def page() -> None:
    """Show the field for the code, or the class's question."""
    take_turn(computes=False)
    st.html(STYLE)
    lesson: Lesson | None = st.session_state.get(JOINED) or _by_link()
    if lesson is None:
        _ask_for_code()
    elif STORE.is_on(lesson):
        pace = st.session_state.setdefault(PACE, random.uniform(*POLL))
        fragment(_follow, run_every=pace)(lesson)
    else:
        _ballot(key="ballot", data={"over": True})


def _by_link() -> Lesson | None:
    """The class whose code the link holds; each code is tried once in a session."""
    code = link.of_page().text(PARAM)
    if code and st.session_state.get(TRIED) != code:
        _join(code)
    found: Lesson | None = st.session_state.get(JOINED)
    return found


def _ask_for_code() -> None:
    st.title("Join a class")
    with st.form("join", border=False):
        st.text_input("Code", key="class typed", max_chars=20, placeholder="for example K7M 4PXR")
        st.form_submit_button("Join", on_click=lambda: _join(st.session_state["class typed"]))
    if said := st.session_state.get("class said"):
        st.warning(said)


def _join(typed: str) -> None:
    """Look a code up."""
    now = st.session_state
    now[TRIED] = typed
    try:
        lesson = STORE.find(typed, current_visitor())
    except RefusedError as error:
        now["class said"] = str(error)
        return
    if lesson is None:
        now["class said"] = "No class has this code. Check it on the lecturer's screen; a class ends after three hours."
    else:
        now[JOINED] = lesson
        now.pop("class said", None)


def _follow(lesson: Lesson) -> None:
    """Show what the class is asked now; the browser asks again and again."""
    now = st.session_state
    if not STORE.is_on(lesson):
        st.rerun()
    lesson.show_up(now.setdefault(VISITOR, secrets.token_hex(8)), STORE.now(), now.get(BROWSER))
    _ballot(
        key="ballot",
        data=_ballot_of(lesson, now.get(BROWSER)),
        on_browser_change=_hear_browser,
        on_answer_change=lambda: _hear_answer(lesson),
    )
    if (tally := lesson.current()) is None:
        return
    if now.get(NOT_TAKEN) == tally.question.key:
        st.warning(f"Your answer is not counted: this question has {MOST_ANSWERS:,} answers, the most it can have.")
    if tally.question.scale is not None:
        _let_draw(lesson, tally, tally.question.scale)


def _let_draw(lesson: Lesson, tally: Tally, scale: Scale) -> None:
    """Show the scale on which the student draws a guess, and the truth once it is revealed."""
    question, browser = tally.question, st.session_state.get(BROWSER)

    def hear(text: str) -> None:
        if browser is not None:
            _answer(lesson, browser, question.key, text)

    drawn = scale.value(lesson.answer_of(browser, question.key)) if browser else None
    truth = scale.value(question.truth) if tally.revealed else None
    guess.show(scale, question.text, f"ballot guess {question.key}", hear, guess=drawn, truth=truth)


def _ballot_of(lesson: Lesson, browser: str | None) -> dict[str, Any]:
    tally = lesson.current()
    if tally is None:
        return {"known": browser}
    question, options = tally.question, list(tally.question.options)
    answer = lesson.answer_of(browser, question.key) if browser else None
    if question.scale is not None:
        words = _words(question, question.scale, answer, is_revealed=tally.revealed)
        return {"known": browser, "key": question.key, "question": question.text, "options": [], "words": words}
    shown = {
        "counted": COUNTED,
        "known": browser,
        "key": question.key,
        "question": question.text,
        "options": options,
        "chosen": options.index(answer) if answer in options else None,
    }
    if tally.revealed:
        shown |= {"truth": options.index(question.truth), "why": question.options[question.truth]}
    return shown


def _words(question: Question, scale: Scale, answer: str | None, *, is_revealed: bool) -> str:
    """What a student is told beside the scale."""
    drawn, truth = scale.value(answer), scale.value(question.truth)
    if not is_revealed or truth is None:
        return scale.hint() if drawn is None else COUNTED
    told = "" if drawn is None else f"You drew {scale.words(drawn)}: {scale.distance(drawn, truth)}. "
    return f"{told}It is: {scale.words(truth)}. {question.options[question.truth]}"


def _hear_browser() -> None:
    """Take the number that a browser gave itself; the first one that a session names stays."""
    said = (st.session_state.get("ballot") or {}).get("browser")
    if isinstance(said, str) and re.fullmatch("[0-9a-f]{32}", said):
        st.session_state.setdefault(BROWSER, said)


def _hear_answer(lesson: Lesson) -> None:
    """Count an answer."""
    said: Any = (st.session_state.get("ballot") or {}).get("answer")
    browser, tally = st.session_state.get(BROWSER), lesson.current()
    if not isinstance(said, dict) or browser is None or tally is None:
        return
    options, at = list(tally.question.options), said.get("option")
    if said.get("key") == tally.question.key and type(at) is int and 0 <= at < len(options):
        _answer(lesson, browser, tally.question.key, options[at])


def _answer(lesson: Lesson, browser: str, key: str, option: str) -> None:
    """Give an answer to the class; remember if it has no place for it."""
    is_taken = lesson.answer(browser, key, option, current_visitor().address)
    tally = lesson.tally(key)
    is_full = not is_taken and tally is not None and not tally.revealed and tally.total >= MOST_ANSWERS
    st.session_state[NOT_TAKEN] = key if is_full else None
