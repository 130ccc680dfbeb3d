"""A question keeps its answer back until one has been predicted."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.drawing import draw, scale_of
from ui.classroom import guess
from ui.classroom.scale import Scale
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
    return arrive()


def arrive(page=PAGE, **link):
    app = AppTest.from_string(page)
    for key, text in link.items():
        app.query_params[key] = text
    return app.run()


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


def test_a_prediction_is_told_why_it_is_right_or_wrong_and_all_are_counted(app):
    predict(app, "first: a", "m2")
    text = app.warning[0].value
    assert text.index("You said: m2") < text.index("six pairs") < text.index("It is: m1") < text.index("one pair")
    assert not app.success
    assert "ANSWER ONE" in drawn(app)
    assert "ANSWER TWO" not in drawn(app)
    predict(app, "second", "all")
    assert app.success[0].value == "**Right: all.** Yes."
    assert "1 of 2" in drawn(app)


def test_a_kind_is_asked_once_and_the_former_prediction_stays_with_its_data(app):
    predict(app, "first: a", "m2")
    app.text_input(key="data").set_value("b").run()
    assert "ANSWER ONE" in drawn(app)
    assert "You said" not in drawn(app)
    assert "ANSWER TWO" not in drawn(app)
    app.text_input(key="data").set_value("a").run()
    assert "You said: m2" in drawn(app)


def test_what_an_answer_depends_on_is_named_by_a_digest_where_it_is_long(app):
    for given, length in ((499, 500), (10_000, 1 + 64)):
        app.text_input(key="data").set_value("b" * given).run()
        [key] = [str(radio.key) for radio in app.radio if str(radio.key).startswith("predict first:")]
        assert len(key) == len("predict first:") + length


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
    assert "ANSWER ONE" in drawn(arrive(answers="show"))
    assert "answers cannot be “all”" in arrive(answers="all").warning[0].value


def test_nothing_is_asked_about_the_visitors_own_files(app):
    app.toggle(key="own").set_value(True).run()
    assert "ANSWER TWO" in drawn(app)
    assert "ANSWER ONE" not in drawn(app)
    assert "seen" not in app.query_params


def test_only_predictions_are_taken_over_from_the_browser(monkeypatch):
    assert predictor._sound([["a", "b", True], ["a"], "x", ["a", "b", 1], None]) == {"a": ("b", True)}
    assert predictor._sound({"a": 1}) == {}
    assert predictor._sound([["a" * 1_001, "b", True], ["a", "b" * 1_001, True]]) == {}
    state = {"predictions": {"own": ("x", True)}}
    monkeypatch.setattr(predictor.st, "session_state", state)
    for visit in range(3):
        state["predicted"] = {"stored": [[f"{visit} {number}", "x", True] for number in range(150)]}
        predictor._take_over()
    assert len(state["predictions"]) == 200
    assert "own" in state["predictions"]


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


def test_a_link_shows_again_what_was_revealed_and_claims_no_prediction(app):
    predict(app, "first: a", "m2")
    link = link_of(app)
    assert re.fullmatch("[0-9a-f]{8}", link)
    other = arrive(seen=link)
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
    assert link_of(predict(arrive(), "first: a", "m1")) == link, "it tells neither the answer nor what was predicted"


@pytest.mark.parametrize("seen", ["nonsense", "{}.0123", "{}..", ["{}", "{}"], "{0}.{0}", ""])
def test_a_damaged_link_says_so_and_keeps_what_fits(app, seen):
    link = link_of(predict(app, "first: a", "m2"))
    texts = [text.format(link) for text in ([seen] if isinstance(seen, str) else seen)]
    other = arrive(seen=texts)
    assert "damaged: seen" in other.warning[0].value
    assert ("ANSWER ONE" in drawn(other)) == (link in texts[0])
    predict(other, "second", "all")
    assert not any("damaged" in warning.value for warning in other.warning)


SCALE_PAGE = """
import streamlit as st
from ui.classroom.scale import Scale
from ui.link import link
from ui.page import predict

link.of_page().open_page()
predict.keep_in_link()
predict.switch()
predict.keep_in_browser()
predict.note_own_files(are_open=st.toggle("own", key="own"))
data, scale = st.text_input("data", "a", key="data"), Scale(0, 200, unit="pair")
if predict.draw_first(f"drawn: {data}", "How *many*?", scale, 85, "Because.", is_about_files=True):
    st.markdown("ANSWER")
"""


@pytest.fixture
def scale_page():
    return arrive(SCALE_PAGE)


def test_a_drawn_prediction_needs_a_guess_and_shows_the_truth_only_after_it(scale_page):
    app, key = scale_page, "drawn: a"
    asked = scale_of(app)
    assert (asked["low"], asked["high"], asked["guess"], asked["truth"]) == (0, 200, None, None)
    assert "85" not in repr(asked)
    assert app.button(key=f"reveal {key}").disabled
    app.session_state[f"predict {key}"] = "40"
    app.run()
    assert (scale_of(app)["guess"], scale_of(app)["truth"]) == (40, None)
    assert "ANSWER" not in drawn(app)
    app.button(key=f"reveal {key}").click().run()
    assert (scale_of(app)["guess"], scale_of(app)["truth"]) == (40, 85)
    assert app.warning[0].value == "**You drew 40 pairs: 45 pairs too low.**\n\n**It is: 85 pairs.** Because."
    assert "ANSWER" in drawn(app)
    assert "0 of 1" in drawn(app)


def test_a_guess_that_is_near_counts_as_right_and_asking_again_forgets_it(scale_page):
    app, key = draw(scale_page, "drawn: a", 105), "drawn: a"
    assert "Right. You drew 105 pairs: 20 pairs too high." in app.success[0].value
    assert "1 of 1" in drawn(app)
    app.button(key=f"again {key}").click().run()
    assert scale_of(app)["guess"] is None
    assert app.button(key=f"reveal {key}").disabled


def test_a_drawn_prediction_is_asked_once_a_kind_and_kept_in_link_and_browser(scale_page):
    app = draw(scale_page, "drawn: a", 40)
    assert app.session_state["predictions"] == {"drawn: a": ("40", False)}
    app.text_input(key="data").set_value("b").run()
    assert app.info[0].value == "**It is: 85 pairs.** Because."
    assert scale_of(app)["guess"] is None
    other = AppTest.from_string(SCALE_PAGE)
    other.query_params["seen"] = link_of(app)
    other.session_state["predictions"] = {"drawn: a": ("40", False)}  # as a reload has it back
    assert "You drew 40 pairs" in drawn(other.run())
    other.session_state["predictions"] = {"drawn: a": ("a damaged text", False)}
    assert other.run().info[0].value == "**It is: 85 pairs.** Because."


def test_a_drawn_prediction_is_not_asked_with_answers_shown_or_of_own_files(scale_page):
    for key in ("show_answers", "own"):
        scale_page.toggle(key=key).set_value(True).run()
        assert scale_of(scale_page)["truth"] == 85
        assert "ANSWER" in drawn(scale_page)
        scale_page.toggle(key=key).set_value(False).run()
        assert "ANSWER" not in drawn(scale_page)


def test_a_browser_that_sends_no_number_of_the_scale_is_not_heard(monkeypatch):
    heard, calls, state = [], {}, {}
    monkeypatch.setattr(guess.st, "session_state", state)
    monkeypatch.setattr(guess, "_component", lambda: lambda **given: calls.update(given))
    guess.show(Scale(0, 200), "?", "k", heard.append)
    bad = [None, "40", True, -1, 201, float("nan"), float("inf"), [40], {"a": 1}, 10**400]
    for serial, said in enumerate([*({"guess": one} for one in bad), *bad, {"guess": 39.6}], 1):
        state["k"] = {"said": said | {"serial": serial} if isinstance(said, dict) else said}
        calls["on_said_change"]()
    assert heard == ["40"]


def test_a_truth_that_is_not_on_the_scale_is_a_mistake():
    with pytest.raises(ValueError, match="must lie on the scale from 0 to 1, found 2"):
        predictor.draw_first("k", "?", Scale(0, 1, 2), 2, "")
