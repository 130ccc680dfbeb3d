"""A question keeps its answer back until one has been predicted."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from ui.page import predict as predictor

PAGE = """
import streamlit as st
from ui.link import link
from ui.page import predict

link.of_page().open_page()
predict.keep_in_link()
predict.switch()
predict.keep_in_browser()
predict.note_own_files(are_open=st.toggle("own", key="own"))
REASONS = {"m1": "It gets one pair wrong.", "m2": "It gets six pairs wrong."}
data = st.text_input("data", "a", key="data")
if predict.predict_first(f"first: {data}", "Which is better?", REASONS, "m1"):
    st.markdown("ANSWER ONE")
if predict.predict_first("second", "Which ties?", {"none": "No.", "all": "Yes."}, "all", is_about_files=True):
    st.markdown("ANSWER TWO")
"""


@pytest.fixture
def app():
    return AppTest.from_string(PAGE).run()


def drawn(app):
    return " ".join(element.value for element in (*app.markdown, *app.success, *app.warning, *app.caption))


def predict(app, key, option):
    app.radio(key=f"predict {key}").set_value(option).run()
    return app.button(key=f"reveal {key}").click().run()


def test_nothing_is_told_before_one_has_chosen_and_revealed(app):
    assert app.radio(key="predict first: a").value is None
    assert app.button(key="reveal first: a").disabled
    app.radio(key="predict first: a").set_value("m2").run()
    assert not app.button(key="reveal first: a").disabled
    for word in ("ANSWER", "wrong", "right"):
        assert word not in drawn(app)


def test_a_right_prediction_is_told_why(app):
    predict(app, "first: a", "m1")
    assert "Right: m1" in app.success[0].value
    assert "one pair wrong" in app.success[0].value
    assert "ANSWER ONE" in drawn(app)
    assert "ANSWER TWO" not in drawn(app)


def test_a_wrong_prediction_is_told_why_and_what_is_right(app):
    predict(app, "first: a", "m2")
    text = app.warning[0].value
    assert text.index("You said: m2") < text.index("six pairs") < text.index("It is: m1") < text.index("one pair")
    assert not app.success


def test_the_score_counts_all_questions(app):
    predict(predict(app, "first: a", "m2"), "second", "all")
    assert "1 of 2" in drawn(app)


def test_a_kind_is_asked_once_and_the_former_prediction_stays_with_its_data(app):
    predict(app, "first: a", "m2")
    app.text_input(key="data").set_value("b").run()
    assert "ANSWER ONE" in drawn(app)
    assert "You said" not in drawn(app)
    assert "ANSWER TWO" not in drawn(app)
    app.text_input(key="data").set_value("a").run()
    assert "You said: m2" in drawn(app)


def test_an_answer_is_shown_without_a_prediction(app):
    app.button(key="show first: a").click().run()
    assert "ANSWER ONE" in drawn(app)
    assert app.info[0].value == "**It is: m1.** It gets one pair wrong."
    assert "right so far" not in drawn(app)


def test_a_visitor_who_wants_no_questions_is_asked_none(app):
    app.toggle(key="show_answers").set_value(True).run()
    assert "ANSWER ONE" in drawn(app)
    assert "ANSWER TWO" in drawn(app)
    assert not app.radio
    assert app.query_params["answers"] in ("show", ["show"])
    app.toggle(key="show_answers").set_value(False).run()
    assert "ANSWER" not in drawn(app)
    assert "answers" not in app.query_params
    other = AppTest.from_string(PAGE)
    other.query_params["answers"] = "show"
    assert "ANSWER ONE" in drawn(other.run())
    other = AppTest.from_string(PAGE)
    other.query_params["answers"] = "all"
    assert "answers cannot be “all”" in other.run().warning[0].value


def test_nothing_is_asked_about_the_visitors_own_files(app):
    app.toggle(key="own").set_value(True).run()
    assert "ANSWER TWO" in drawn(app)
    assert "ANSWER ONE" not in drawn(app)
    assert "seen" not in app.query_params


def test_only_predictions_are_taken_over_from_the_browser():
    assert predictor._sound([["a", "b", True], ["a"], "x", ["a", "b", 1], None]) == {"a": ("b", True)}
    assert predictor._sound({"a": 1}) == {}


def test_a_lecturer_asks_again_or_clears_the_score(app):
    predict(predict(app, "first: a", "m2"), "second", "all")
    app.button(key="again first: a").click().run()
    assert "ANSWER ONE" not in drawn(app)
    assert app.radio(key="predict first: a").value is None
    assert "1 of 1" in drawn(app)
    predict(app, "first: a", "m1")
    app.button(key="clear second").click().run()
    assert "ANSWER ONE" in drawn(app)
    assert "ANSWER TWO" in drawn(app)
    assert "right so far" not in drawn(app)
    assert app.info[0].value == "**It is: m1.** It gets one pair wrong."


def link_of(app):
    """What the link holds; a text where the page has set it, a list where a link has."""
    seen = app.query_params["seen"]
    return seen if isinstance(seen, str) else ".".join(seen)


def arrive(seen):
    app = AppTest.from_string(PAGE)
    app.query_params["seen"] = seen
    return app.run()


def test_a_link_shows_again_what_was_revealed_and_claims_no_prediction(app):
    predict(app, "first: a", "m2")
    link = link_of(app)
    assert re.fullmatch("[0-9a-f]{8}", link)
    other = arrive(link)
    assert "ANSWER ONE" in drawn(other)
    assert "ANSWER TWO" not in drawn(other)
    assert other.info[0].value == "**It is: m1.** It gets one pair wrong."
    assert "You said" not in drawn(other)
    assert "right so far" not in drawn(other)
    predict(other, "second", "all")
    assert "1 of 1" in drawn(other)
    assert link_of(other).split(".")[0] == link
    other.button(key="again first: a").click().run()
    assert "ANSWER ONE" not in drawn(other)
    assert link not in link_of(other)
    other.button(key="again second").click().run()
    assert "seen" not in other.query_params


def test_a_link_tells_neither_the_answer_nor_what_was_predicted(app):
    wrong = link_of(predict(app, "first: a", "m2"))
    assert link_of(predict(AppTest.from_string(PAGE).run(), "first: a", "m1")) == wrong


@pytest.mark.parametrize("seen", ["nonsense", "{}.0123", "{}..", ["{}", "{}"], "{0}.{0}", ""])
def test_a_damaged_link_says_so_and_keeps_what_fits(app, seen):
    link = link_of(predict(app, "first: a", "m2"))
    texts = [text.format(link) for text in ([seen] if isinstance(seen, str) else seen)]
    other = arrive(texts)
    assert "damaged: seen" in other.warning[0].value
    assert ("ANSWER ONE" in drawn(other)) == (link in texts[0])
    predict(other, "second", "all")
    assert not any("damaged" in warning.value for warning in other.warning)
