"""A class in several sessions: a lecturer's page asks, students' pages show the question alone, one button reveals."""

from __future__ import annotations

import re
from itertools import count

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.conftest import ROOT
from tests.app.drawing import scale_of
from ui.classroom import ballot, session
from ui.classroom.lesson import MOST_ANSWERS, Lesson
from ui.classroom.store import STORE, Visitor

NUMBERS = count()

PAGE = """
import streamlit as st
from ui.classroom import session
from ui.page import predict

session.open_page("Toy lab")
predict.keep_in_link()
REASONS = {"m1": "It gets one pair wrong.", "m2": "Six pairs of τ\\\\_b."}
if predict.predict_first("first", "Which is better?", REASONS, "m1"):
    st.markdown("ANSWER ONE")
if predict.predict_first("second", "Which ties?", {"none": "No.", "all": "Yes."}, "all"):
    st.markdown("ANSWER TWO")
"""


@pytest.fixture
def lesson():
    new = STORE.start(Visitor(f"session {next(NUMBERS)}", f"address {next(NUMBERS)}"))
    yield new
    STORE.end(new.code)


@pytest.fixture
def lecturer(lesson):
    app = AppTest.from_string(PAGE)
    app.session_state[session.HELD] = lesson
    return app.run()


@pytest.fixture
def join():
    """A student's page for a code."""

    def visit(code=""):
        app = AppTest.from_file(ROOT / "pages" / "Join.py", default_timeout=60)
        if code:
            app.query_params["class"] = code
        app.run()
        assert not app.exception
        return app

    return visit


def drawn(app):
    return " ".join(element.value for element in (*app.markdown, *app.success, *app.warning, *app.caption))


def shown_to(lesson: Lesson, browser="0" * 32):
    """What a student's browser is given."""
    return ballot._ballot_of(lesson, browser)


def test_the_first_question_is_asked_at_once_and_others_when_the_lecturer_says_so(lecturer, lesson):
    assert shown_to(lesson)["question"] == "Which is better?"
    assert not lecturer.radio
    lecturer.button(key="class ask second").click().run()
    assert shown_to(lesson)["question"] == "Which ties?"
    assert shown_to(lesson)["options"] == ["none", "all"]


def test_nothing_is_told_before_the_lecturer_reveals(lecturer, lesson):
    lesson.answer("0" * 32, "first", "m2")
    lecturer.run()
    assert {"truth", "why"} & set(shown_to(lesson)) == set()
    assert "ANSWER" not in drawn(lecturer)
    lecturer.button(key="class reveal first").click().run()
    assert "ANSWER ONE" in drawn(lecturer)
    assert "ANSWER TWO" not in drawn(lecturer)
    assert "It is: m1" in lecturer.success[0].value
    told = shown_to(lesson)
    assert (told["truth"], told["chosen"], told["why"]) == (0, 1, "It gets one pair wrong.")


def test_asking_again_takes_the_answers_away(lecturer, lesson):
    lesson.answer("me", "first", "m2")
    lecturer.button(key="class reveal first").click().run()
    lecturer.button(key="class again first").click().run()
    assert lesson.current().counts == (0, 0)
    assert "ANSWER" not in drawn(lecturer)


@pytest.mark.usefixtures("lecturer")
def test_students_are_told_plain_text(lesson):
    lesson.reveal("first")
    assert lesson.current().question.options["m2"] == "Six pairs of τ_b."


def test_without_a_class_everybody_predicts_by_himself(lecturer, lesson):
    STORE.end(lesson.code)
    lecturer.run()
    assert lecturer.radio(key="predict first").value is None
    assert session.HELD not in lecturer.session_state


def test_a_student_joins_by_a_link_or_by_typing_the_code(join, lesson):
    assert not join(lesson.code).text_input
    app = join()
    app.text_input(key="class typed").set_value(f"{lesson.code[:3].lower()} {lesson.code[3:]}")
    app.button[0].click().run()
    assert not app.exception
    assert not app.text_input
    assert lesson.present(STORE.now()) == 2


def test_a_wrong_code_is_said_to_be_wrong(join, lesson):
    app = join("WRONG22")
    assert "No class has this code" in app.warning[0].value
    app.run()
    app.text_input(key="class typed").set_value(lesson.code)
    app.button[0].click().run()
    assert not app.text_input


def test_a_class_that_ended_says_so(join, lesson):
    app = join(lesson.code)
    STORE.end(lesson.code)
    app.run()
    assert not app.exception
    assert not app.text_input


def test_it_begins_and_ends_on_the_page_for_teaching(open_app):
    app = open_app("13_Teach_this")
    app.button(key="class_start").click().run()
    assert not app.exception
    [code] = re.findall(r"\*\*(\w{3} \w{4})\*\*", drawn(app))
    held = app.session_state[session.HELD]
    assert code.replace(" ", "") == held.code
    app.button(key="class_end").click().run()
    assert held.ended
    assert app.button(key="class_start")


class Tab:
    """What a tab says, as `ui.classroom.session` hears it."""

    def __init__(self, monkeypatch, **said):
        self.state = {session.TAB: said}
        monkeypatch.setattr(session.st, "session_state", self.state)


def test_a_reloaded_tab_has_its_class_back_and_no_other(monkeypatch, lesson):
    tab = Tab(monkeypatch, host=lesson.host)
    session._take_back()
    assert session.current_lesson() is lesson
    session.end()
    assert session.current_lesson() is None
    assert tab.state[session.OVER]
    for wrong in (lesson.host, lesson.code, None, 7, [lesson.host]):
        tab = Tab(monkeypatch, host=wrong)
        session._take_back()
        assert session.current_lesson() is None
        assert tab.state[session.OVER]


@pytest.mark.usefixtures("lecturer")
def test_no_student_is_told_the_lecturers_key(lesson):
    lesson.reveal("first")
    assert lesson.host not in repr(shown_to(lesson))


SCALE_PAGE = """
import streamlit as st
from ui.classroom import session
from ui.classroom.scale import Scale
from ui.page import predict

session.open_page("Grouping")
predict.keep_in_link()
if predict.draw_first("drawn", "How *many*?", Scale(0, 200, unit="pair"), 85, "Because of τ\\\\_b."):
    st.markdown("ANSWER")
"""


def test_a_class_draws_guesses_and_the_truth_is_shown_over_them_when_it_is_revealed(join, lesson, monkeypatch):
    lecturer = AppTest.from_string(SCALE_PAGE)
    lecturer.session_state[session.HELD] = lesson
    lecturer.run()
    student = join(lesson.code)
    assert (scale_of(student)["guess"], scale_of(student)["truth"], scale_of(student)["high"]) == (None, None, 200)
    for browser, guess in (("0" * 32, "40"), ("1" * 32, "80"), ("2" * 32, "90")):
        assert lesson.answer(browser, "drawn", guess)
    assert not lesson.answer("3" * 32, "drawn", "201")
    lecturer.run()
    seen = scale_of(lecturer)
    assert (seen["guesses"], seen["truth"], seen["said"]) == ([], None, "3 answered.")
    assert "ANSWER" not in drawn(lecturer)
    student.session_state[ballot.BROWSER] = "0" * 32
    assert scale_of(student.run())["guess"] == 40
    assert shown_to(lesson)["words"] == ballot.COUNTED
    assert "85" not in repr([shown_to(lesson), scale_of(student)])
    lecturer.button(key="class reveal drawn").click().run()
    assert (scale_of(lecturer)["guesses"], scale_of(lecturer)["truth"]) == ([40, 80, 90], 85)
    assert scale_of(lecturer)["said"].endswith("Median guess 80 pairs, 5 pairs too low; 2 of 3 guesses are right.")
    assert "**It is: 85 pairs.**" in lecturer.success[0].value
    assert "ANSWER" in drawn(lecturer)
    assert scale_of(student.run())["truth"] == 85
    assert shown_to(lesson)["words"] == "You drew 40 pairs: 45 pairs too low. It is: 85 pairs. Because of τ_b."
    lecturer.button(key="class again drawn").click().run()
    assert scale_of(student.run())["guess"] is None
    assert not student.warning
    assert lesson.answer("0" * 32, "drawn", "1")
    for number in range(MOST_ANSWERS - 1):
        lesson.show_up(str(number), STORE.now(), str(number))
        lesson.answer(str(number), "drawn", "1")
    with monkeypatch.context() as patch:
        patch.setattr(ballot.st, "session_state", {})
        patch.setattr(ballot, "current_visitor", lambda: Visitor("of one hall", ""))
        ballot._answer(lesson, "f" * 32, "drawn", "1")
        student.session_state[ballot.NOT_TAKEN] = ballot.st.session_state[ballot.NOT_TAKEN]
    assert "Your answer is not counted: this question has 1,000 answers" in student.run().warning[0].value


INVITE = """
from ui.classroom import invite
invite.start_or_show()
"""


def test_a_lecturer_is_told_why_no_class_starts_and_keeps_what_was_typed(monkeypatch):
    monkeypatch.setattr(STORE, "_key", "open sesame")
    app = AppTest.from_string(INVITE).run()
    app.text_input(key=session.KEY).set_value("open").run()
    app.button(key="class_start").click().run()
    assert "not the key" in app.warning[0].value
    assert app.text_input(key=session.KEY).value == "open"
    app.text_input(key=session.KEY).set_value("open sesame").run()
    app.button(key="class_start").click().run()
    assert not app.exception
    lesson = app.session_state[session.HELD]
    assert STORE.is_on(lesson)
    STORE.end(lesson.code)
