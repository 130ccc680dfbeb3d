"""Each page of the lesson asks first: nothing on it answers before a guess, or before the visitor wants to see it."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.conftest import ROOT
from tests.app.reading import figures
from ui.classroom import session
from ui.classroom.store import STORE, Visitor
from ui.evalset import sources
from ui.page import pages, predict, question
from ui.present import presenting
from ui.work.text import with_index

SLOW = ("WMT22", "When people tie less")
"""Pages that compute their values on WMT22 for seconds: they ask as the others do, as the campaigns see."""


def arrive(page, **link):
    """Open a page of the lesson with the real set, by a link that chooses nothing, or something."""
    app = AppTest.from_file(ROOT / "app.py", default_timeout=180)
    if page.file != pages.START:
        app.switch_page(page.file)
    for key, value in link.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception
    return app


def asks(app):
    """Whether the page asks, and whether its figures keep their answers back."""
    given = [one["asks"] for one in figures(app).values()]
    return bool([button for button in app.button if button.key == "guess none"]), all(given) and bool(given)


def answer(app):
    return " ".join(one.proto.body for one in app.get("html") if 'role="status"' in one.proto.body)


@pytest.mark.parametrize(
    "page",
    [pytest.param(one, marks=[pytest.mark.campaign] * (one.title in SLOW)) for one in pages.path()],
    ids=lambda page: page.title,
)
def test_a_page_of_the_lesson_asks_before_it_answers(page):
    """One test a page, so that one process computes what the page shows of the real set."""
    a_guess_is_answered_ticked_off_and_never_scored(page)
    an_answer_is_shown_to_whoever_wants_it_and_is_not_ticked_off(page)
    a_lecture_asks_and_a_scene_shows(page)
    a_class_is_asked_the_same_and_sees_the_answer_when_it_is_revealed(page)


def a_guess_is_answered_ticked_off_and_never_scored(page):
    app = arrive(page)
    assert asks(app)[0]
    assert asks(app)[1] or not figures(app)
    before = "".join(one.value for one in app.markdown)
    assert page.shown not in before
    assert "You saw" not in before
    if page.place:
        app.session_state[question.PLACED] = 0.4
        app.run()
    app.button(key="guess place" if page.place else "guess 0").click().run()
    assert not app.exception
    assert not asks(app)[0]
    assert not asks(app)[1]
    if page.place:
        assert "At your 40\u00a0%, acc<sub>eq</sub> is only 0.008 lower than the best. MetricX" in answer(app)
        assert figures(app)["calibration_explorer"]["guess"] == 0.4
        app.session_state["metric"] = "BLEU-refA"
        assert figures(app.run())["calibration_explorer"]["guess"] is None
        assert "At your" not in answer(app)
    else:
        assert f"You said: <strong>{page.options[0]}".partition("_")[0] in answer(app)
        assert ("Right" in answer(app)) == (page.options[0] == page.answer)
        assert page.at in answer(app)
    assert "{" not in answer(app)
    style = " ".join(one.proto.body for one in app.get("html"))
    assert f".st-key-step_{page.number}::after" in style
    assert app.query_params[predict.SEEN]
    assert "right so far" not in " ".join(one.value for one in app.caption)
    app.button(key="guess again").click().run()
    assert asks(app)[0]
    if page.number == len(pages.path()):  # whoever reloads finds the answer, and the box for researchers closed
        seen = app.button(key="guess 0").click().run().query_params[predict.SEEN]
        app = arrive(page, **{predict.SEEN: seen}, guide_purpose="To rank systems")
        assert page.answer.partition("_")[0] in answer(app)
        assert not app.session_state["researchers"]
        assert asks(app.button(key="guess again").click().run())[0]


def an_answer_is_shown_to_whoever_wants_it_and_is_not_ticked_off(page):
    app = arrive(page)
    app.session_state["predictions"] = {question.key_of(page): ("0.4", False)}  # of an earlier visit
    app.button(key="guess none").click().run()
    assert "You said" not in answer(app)
    assert not asks(app)[0]
    assert with_index(f"is: <strong>{page.answer}</strong>", is_html=True) in answer(app)
    assert page.number == len(pages.path()) or "You saw" in "".join(one.value for one in app.markdown)
    assert f".st-key-step_{page.number}::after" not in " ".join(one.proto.body for one in app.get("html"))
    assert asks(arrive(page, answers="show")) == (False, False)


def a_lecture_asks_and_a_scene_shows(page):
    assert asks(arrive(page, lecture="true"))[0]
    stem = "0_Start" if page.file == pages.START else Path(page.file).stem
    if presenting.of_page(stem):
        assert asks(arrive(page, scene=f"{stem}.1", lecture="true")) == (False, False)


def a_class_is_asked_the_same_and_sees_the_answer_when_it_is_revealed(page):
    app, lesson = arrive(page), STORE.start(Visitor(f"session of {page.number}", f"address {page.number}"))
    try:
        app.session_state[session.HELD] = lesson
        app.run()
        asked = lesson.current().question
        assert (asked.text, tuple(asked.options)) == (page.question, page.options)
        assert page.answer in page.options
        assert asks(app)[1] or not figures(app)
        app.button(key=f"class reveal {question.key_of(page)}").click().run()
        assert not asks(app)[1]
    finally:
        STORE.end(lesson.code)


@pytest.mark.parametrize(
    ("number", "link"),
    [
        (1, {"epsilon": "2"}),
        (2, {"h": "0 1 2"}),
        (3, {"nan_coefficient": "acc_eq"}),
        (7, {"source": sources.SYNTHETIC}),
    ],
)
def test_what_a_link_chooses_is_shown(number, link):
    assert asks(arrive(pages.path()[number - 1], **link)) == (False, False)
