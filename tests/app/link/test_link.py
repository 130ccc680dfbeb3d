"""One object reads the link, says what is damaged in it, and forgets that when the user goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import ui
from ui.link import link

PAGE = """
import streamlit as st
from ui.link import controls, link

link.of_page().open_page()
is_valid = {"size": link.is_number}
link.of_page().fill("page", {"size": "1", "line": "a"}, is_valid)
st.text_input("line", key="line", bind="query-params")
controls.choose("letter", ["a", "b", "c"], "line_kind")
controls.choose_many("digits", ["1", "2"], ["1"], "digits")
st.button("go on", on_click=lambda: link.of_page().forget("page"))
for text in ("", "x"):
    st.button(f"write {text}", on_click=lambda text=text: st.session_state.update(wanted=text))
if "wanted" in st.session_state:
    link.of_page().write("note", st.session_state["wanted"])
"""


def arrive(**held):
    app = AppTest.from_string(PAGE)
    for key, texts in held.items():
        app.query_params[key] = texts
    app.run()
    assert not app.exception
    return app


def said(app):
    return [warning.value for warning in app.warning]


def press(app, label):
    [button] = [button for button in app.button if button.label == label]
    return button.click().run()


def test_nothing_is_said_of_a_sound_link():
    app = arrive(size="2", line="b", line_kind="c", digits=["1", "2"])
    assert not said(app)
    assert app.text_input(key="line").value == "b"


def test_all_damage_is_said_in_one_sentence_and_once_each():
    app = arrive(size="many", line=["1", "2"], line_kind=["a", "b"], digits=["1", "3"])
    known = "line cannot be “1” and “2”; size cannot be “many”", "line\\_kind cannot be “a” and “b”"
    assert said(app) == [
        f"This link is damaged: {'; '.join(known)}; digits cannot be “3”. What does not fit was left out."
    ]
    assert said(app.run()) == said(app)


def test_damage_is_forgotten_where_the_user_goes_on_and_stays_elsewhere():
    app = arrive(size="many", line_kind="z", digits="3")
    app.selectbox(key="line_kind").select("b").run()
    assert said(app) == [
        "This link is damaged: size cannot be “many”; digits cannot be “3”. What does not fit was left out."
    ]
    press(app, "go on")
    assert said(app) == ["This link is damaged: digits cannot be “3”. What does not fit was left out."]


@pytest.mark.parametrize("held", [{}, {"size": "many"}])
def test_what_a_link_leaves_open_or_holds_wrongly_is_filled_in(held):
    assert arrive(**held).session_state["size"] == "1"


def test_what_a_link_holds_is_left_to_its_widget():
    assert "size" not in arrive(size="2").session_state


def test_a_text_is_written_and_taken_away():
    app = press(arrive(), "write x")
    assert app.query_params["note"] in ("x", ["x"])
    assert "note" not in press(app, "write ").query_params


@pytest.mark.parametrize(("text", "is_number"), [("0", 1), ("1e-3", 1), ("-1", 0), ("inf", 0), ("nan", 0), ("", 0)])
def test_a_number_is_finite_and_at_least_zero(text, is_number):
    assert link.is_number(text) == bool(is_number)


def test_nobody_else_reads_the_address():
    files = [*Path(ui.__file__).parent.rglob("*.py"), *(Path(ui.__file__).parents[1] / "pages").glob("*.py")]
    assert [file.name for file in files if "st.query_params" in file.read_text(encoding="utf-8")] == ["link.py"]
