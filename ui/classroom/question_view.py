"""What does a lecturer see of a question? The class's answers as growing bars or as dots, and a button that reveals."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from ui.classroom import guess, session
from ui.classroom.lesson import Lesson, Question, Tally
from ui.classroom.scale import Scale
from ui.classroom.store import STORE, space_code
from ui.work import presets
from ui.work.render_queue import fragment
from ui.work.text import bare

POLL = 0.7
"""Seconds between two looks at the answers."""

BARS = '<ul class="bars"></ul><p role="status"></p>'
_bars = presets.component("tiekit_bars", "classroom/bars.js", BARS, "classroom/bars.css")


def by_class(
    lesson: Lesson,
    key: str,
    question: str,
    options: Mapping[str, str],
    truth: str,
    scale: Scale | None = None,
    *,
    is_title: bool = False,
) -> bool:
    """Ask a class what `ui.page.predict.predict_first` asks one visitor; return whether the answer may be drawn.

    The first question of a page is asked at once, others when the lecturer says so. Where it ``is_title`` the page
    itself has it in large letters.
    """
    plain = {bare(option): bare(reason) for option, reason in options.items()}
    asked = Question(key, bare(question), plain, bare(truth), session.page(), scale)
    now, tally = lesson.current(), lesson.tally(key)
    if now is None or now.question.page != asked.page or now.question.key == key:
        lesson.ask(asked)
        now = tally = lesson.tally(key)
    is_current = now is not None and now.question.key == key
    with st.container(border=True, key="class_question" if is_current else f"class_other {key}"):
        if not is_title:
            st.markdown(f"**Predict:** {question}")
        if tally is not None:
            if tally.revealed or not is_current:
                draw(lesson, key)
            else:
                fragment(draw, run_every=POLL)(lesson, key)
        with st.container(horizontal=True, vertical_alignment="center"):
            _buttons(lesson, asked, tally, is_current=is_current)
        if tally is not None and tally.revealed:
            shown = truth if scale is None else scale.words(float(truth))
            st.success(f"**It is: {shown}.** {options[truth]}", icon=":material/check:")
    return tally is not None and tally.revealed


def _buttons(lesson: Lesson, asked: Question, tally: Tally | None, *, is_current: bool) -> None:
    """What the lecturer can do with a question."""
    key = asked.key
    if not is_current:
        st.button("Ask the class", key=f"class ask {key}", on_click=lesson.ask, args=(asked,))
    elif tally is not None and not tally.revealed:
        st.button("Reveal to all", key=f"class reveal {key}", on_click=lesson.reveal, args=(key,))
    if tally is not None and tally.revealed:
        st.button("Ask again", key=f"class again {key}", type="tertiary", on_click=lesson.ask_again, args=(key,))
    if is_current:
        st.caption(f"Class **{space_code(lesson.code)}**", width="content")


def draw(lesson: Lesson, key: str) -> None:
    """Draw the answers to a question so far."""
    tally = lesson.tally(key)
    if tally is None:  # the class has ended
        return
    if tally.question.scale is not None:
        _draw_guesses(lesson, tally, tally.question.scale)
        return
    options, here = list(tally.question.options), lesson.present(STORE.now())
    truth = options.index(tally.question.truth) if tally.revealed else None
    counts = tally.counts if tally.revealed else None  # whoever sees what others answer follows them
    data = {"options": options, "counts": counts, "truth": truth, "total": tally.total, "here": max(here, tally.total)}
    _bars(key=f"class bars {key}", data=data)


def _draw_guesses(lesson: Lesson, tally: Tally, scale: Scale) -> None:
    """Draw the guesses on a scale, and the truth over them once it is revealed."""
    found, key = [scale.value(answer) for answer in tally.answers * tally.revealed], tally.question.key
    guesses = [value for value in found if value is not None]
    truth = scale.value(tally.question.truth) if tally.revealed else None
    here = max(lesson.present(STORE.now()), tally.total)
    answered = f"{tally.total} answered" if tally.total == here else f"{tally.total} of {here} answered"
    said = f"{answered}. {scale.summary(guesses, truth)}" if tally.revealed else f"{answered}."
    guess.show(scale, tally.question.text, f"class guesses {key}", guesses=guesses, truth=truth, said=said)
