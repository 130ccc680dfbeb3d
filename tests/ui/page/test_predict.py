"""A question keeps its answer back until one has been predicted."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

PAGE = """
import streamlit as st
from ui.page import predict

predict.keep_in_link()
REASONS = {"m1": "It gets one pair wrong.", "m2": "It gets six pairs wrong."}
data = st.text_input("data", "a", key="data")
if predict.predict_first(f"first {data}", "Which is better?", REASONS, "m1"):
    st.markdown("ANSWER ONE")
if predict.predict_first("second", "Which ties?", {"none": "No.", "all": "Yes."}, "all"):
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
    assert app.radio(key="predict first a").value is None
    assert app.button(key="reveal first a").disabled
    app.radio(key="predict first a").set_value("m2").run()
    assert not app.button(key="reveal first a").disabled
    for word in ("ANSWER", "wrong", "right"):
        assert word not in drawn(app)


def test_a_right_prediction_is_told_why(app):
    predict(app, "first a", "m1")
    assert "Right: m1" in app.success[0].value
    assert "one pair wrong" in app.success[0].value
    assert "ANSWER ONE" in drawn(app)
    assert "ANSWER TWO" not in drawn(app)


def test_a_wrong_prediction_is_told_why_and_what_is_right(app):
    predict(app, "first a", "m2")
    text = app.warning[0].value
    assert text.index("You said: m2") < text.index("six pairs") < text.index("It is: m1") < text.index("one pair")
    assert not app.success


def test_the_score_counts_all_questions(app):
    predict(predict(app, "first a", "m2"), "second", "all")
    assert "1 of 2" in drawn(app)


def test_other_data_ask_anew_and_the_former_answer_stays(app):
    predict(app, "first a", "m1")
    app.text_input(key="data").set_value("b").run()
    assert "ANSWER ONE" not in drawn(app)
    app.text_input(key="data").set_value("a").run()
    assert "ANSWER ONE" in drawn(app)


def test_a_lecturer_asks_again_or_clears_everything(app):
    predict(predict(app, "first a", "m2"), "second", "all")
    app.button(key="again first a").click().run()
    assert "ANSWER ONE" not in drawn(app)
    assert app.radio(key="predict first a").value is None
    assert "1 of 1" in drawn(app)
    predict(app, "first a", "m1")
    app.button(key="clear second").click().run()
    assert "ANSWER" not in drawn(app)
    assert "of" not in drawn(app).replace("Which", "")


def link_of(app):
    """What the link holds; a text where the page has set it, a list where a link has."""
    seen = app.query_params["seen"]
    return seen if isinstance(seen, str) else ".".join(seen)


def arrive(seen):
    app = AppTest.from_string(PAGE)
    app.query_params["seen"] = seen
    return app.run()


def test_a_link_shows_again_what_was_revealed_and_claims_no_prediction(app):
    predict(app, "first a", "m2")
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
    other.button(key="again first a").click().run()
    assert "ANSWER ONE" not in drawn(other)
    assert link not in link_of(other)
    other.button(key="clear second").click().run()
    assert "seen" not in other.query_params


def test_a_link_tells_neither_the_answer_nor_what_was_predicted(app):
    wrong = link_of(predict(app, "first a", "m2"))
    assert link_of(predict(AppTest.from_string(PAGE).run(), "first a", "m1")) == wrong


@pytest.mark.parametrize("seen", ["nonsense", "{}.0123", "{}..", ["{}", "{}"], "{0}.{0}", ""])
def test_a_damaged_link_says_so_and_keeps_what_fits(app, seen):
    link = link_of(predict(app, "first a", "m2"))
    texts = [text.format(link) for text in ([seen] if isinstance(seen, str) else seen)]
    other = arrive(texts)
    assert "damaged: seen" in other.warning[0].value
    assert ("ANSWER ONE" in drawn(other)) == (link in texts[0])
    predict(other, "second", "all")
    assert not any("damaged" in warning.value for warning in other.warning)
