"""One object reads the link, says what is damaged in it, and forgets that when the user goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import ui
from ui.evalset import sources
from ui.link import link
from ui.work import streamlit_internals

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


def arrive(page=PAGE, **held):
    app = AppTest.from_string(page, default_timeout=60)
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


def test_what_a_link_leaves_open_or_holds_wrongly_is_filled_in_and_the_rest_left_to_its_widget():
    assert arrive().session_state["size"] == arrive(size="many").session_state["size"] == "1"
    assert "size" not in arrive(size="2").session_state


def test_a_text_is_written_and_taken_away():
    app = press(arrive(), "write x")
    assert app.query_params["note"] in ("x", ["x"])
    assert "note" not in press(app, "write ").query_params


@pytest.mark.parametrize(("text", "is_number"), [("0", 1), ("1e-3", 1), ("-1", 0), ("inf", 0), ("nan", 0), ("", 0)])
def test_a_number_is_finite_and_at_least_zero(text, is_number):
    assert link.is_number(text) == bool(is_number)


EARLY = """
import streamlit as st
from ui.evalset import sources
from ui.link import link

st.text(f"{link.of_page().early_value('line', 'none')} {sources.is_usual()}")
link.of_page().open_page()
st.text_input("line", key="line", bind="query-params")
st.session_state["open source"] = "a synthetic set"
"""


def test_before_a_page_opens_back_counts_by_the_address_and_not_by_the_page_that_was_left(monkeypatch):
    app = arrive(EARLY, line="1", source="a synthetic set")
    assert app.text[0].value == "1 False"
    app.text_input(key="line").input("2").run()
    assert app.text[0].value == "2 False"
    monkeypatch.setattr(streamlit_internals, "is_history_run", lambda: True)
    for address, told in (
        ({}, "none True"),
        ({"line": ["3"], "source": ["my files"]}, "3 False"),
        ({"line": ["4", "5"], "source": [sources.WMT22]}, "5 True"),
    ):
        monkeypatch.setattr(streamlit_internals, "asked_address", lambda address=address: address)
        assert app.run().text[0].value == told


def test_nobody_else_reads_the_address():
    files = [*Path(ui.__file__).parent.rglob("*.py"), *(Path(ui.__file__).parents[1] / "pages").glob("*.py")]
    assert [file.name for file in files if "st.query_params" in file.read_text(encoding="utf-8")] == ["link.py"]


PRINTED = """
import streamlit as st
from tiekit.charts import label_of
from ui.link import controls, link

link.of_page().open_page()
controls.choose("one", ["acc_eq", "tau_b", "tau_10*"], "one", printed=label_of)
controls.choose_many("many", ["pearson", "tau_b", "tau_a"], ["pearson"], "many", printed=label_of)
"""


def held(app):
    return {key: [text] if isinstance(text, str) else list(text) for key, text in app.query_params.items()}


def test_coefficients_are_shown_as_printed_and_the_link_holds_their_names():
    app = arrive(PRINTED)
    assert list(app.selectbox(key="one").options) == ["acc_eq", "τ_b", "τ_10*"]
    assert held(app) == {}
    app.selectbox(key="one").select("tau_b").run()
    app.button_group(key="many").set_value(["tau_a", "pearson"]).run()
    assert held(app) == {"one": ["tau_b"], "many": ["pearson", "tau_a"]}
    app.selectbox(key="one").select("acc_eq").run()
    app.button_group(key="many").set_value([]).run()
    assert held(app) == {"many": [""]}
    assert not app.warning


@pytest.mark.parametrize("names", [("tau_b", "tau_a"), ("τ_b", "τ_a")], ids=["in code", "printed"])
def test_a_link_may_hold_either_and_is_written_in_code(names):
    one, other = names
    app = arrive(PRINTED, one=one, many=["pearson", other])
    assert app.selectbox(key="one").value == "tau_b"
    assert app.button_group(key="many").value == ["pearson", "tau_a"]
    assert held(app) == {"one": ["tau_b"], "many": ["pearson", "tau_a"]}
    assert not app.warning
    assert not arrive(PRINTED, many=[""]).button_group(key="many").value
    app = arrive(PRINTED, one="tau_99", many=["pearson", "x"])
    assert "one cannot be “tau\\_99”; many cannot be “x”" in app.warning[0].value
    assert (app.selectbox(key="one").value, app.button_group(key="many").value) == ("acc_eq", ["pearson"])


MANY = """
from tiekit import COEFFICIENTS
from tiekit.charts import label_of
from ui.link import controls, link

link.of_page().open_page()
controls.choose_many("many", [*COEFFICIENTS, "acc_eq*", "tau_b*", "tau_a*"], [], "many", printed=label_of)
"""


@pytest.mark.parametrize("part", ["τ_b", "tau_b"])
def test_many_coefficients_are_found_by_either_name(part):
    app = arrive(MANY)
    app.text_input(key="many_find").set_value(part).run()
    assert app.button_group(key="many").value == ["tau_b", "tau_b*"]


TRIP = """
import streamlit as st
from tiekit.charts import label_of
from ui.link import controls, link

link.of_page().open_page()
if not st.toggle("elsewhere", key="elsewhere"):
    controls.choose("one", ["acc_eq", "tau_b"], "one", printed=label_of)
    controls.choose_many("many", ["pearson", "tau_b"], ["pearson"], "many", printed=label_of)
"""


def test_a_visitor_who_comes_back_finds_his_choice():
    app = arrive(TRIP)
    app.selectbox(key="one").select("tau_b").run()
    app.button_group(key="many").set_value(["tau_b"]).run()
    app.toggle(key="elsewhere").set_value(True).run()
    for key in ("one", "many"):  # Streamlit empties the address on the way to another page
        del app.query_params[key]
    app.toggle(key="elsewhere").set_value(False).run()
    assert app.selectbox(key="one").value == "tau_b"
    assert app.button_group(key="many").value == ["tau_b"]
    assert held(app) == {"one": ["tau_b"], "many": ["tau_b"]}


UNTOLD = """
import streamlit as st
from ui.link import controls, link
from ui.typed import lines

link.of_page().open_page()
controls.choose("letter", ["a", "b", "c"], "letter")
controls.choose_among_few("few", ["x", "y"], "few")
controls.choose_many("digits", ["1", "2"], ["1"], "digits")
controls.slide("size", ["s", "m", "l"], "m", "size")
controls.toggle("on", "on")
lines.threshold([0.0, 0.5, 1.0], "eps", "epsilon")
"""


def test_a_choice_reaches_the_link_and_leaves_it_though_the_browser_does_not_write_it():
    app = arrive(UNTOLD)
    boxes = {
        "letter": (app.selectbox, "b", "c", "a"),
        "few": (app.button_group, "y", "x"),
        "digits": (app.button_group, ["1", "2"], ["2"], ["1"]),
        "size": (app.select_slider, "l", "s", "m"),
        "on": (app.toggle, True, False),
        "eps": (app.select_slider, "0.5", "1", "0"),
    }
    for key, (kind, *values) in boxes.items():
        for value in values:
            kind(key=key).set_value(value).run()
            texts = value if isinstance(value, list) else [str(value).lower()]
            assert held(app) == ({} if value == values[-1] else {key: texts})
