"""A control shows coefficients as they are printed, and the link holds their names in code."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

PAGE = """
import streamlit as st
from tiekit.charts import label_of
from ui.link import controls, link

link.of_page().open_page()
controls.choose("one", ["acc_eq", "tau_b", "tau_10*"], "one", printed=label_of)
controls.choose_many("many", ["pearson", "tau_b", "tau_a"], ["pearson"], "many", printed=label_of)
"""


def arrive(**held):
    app = AppTest.from_string(PAGE, default_timeout=60)
    for key, texts in held.items():
        app.query_params[key] = texts
    app.run()
    assert not app.exception
    return app


def held(app):
    return {key: [text] if isinstance(text, str) else list(text) for key, text in app.query_params.items()}


def test_coefficients_are_shown_as_printed_and_the_link_holds_their_names():
    app = arrive()
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
    app = arrive(one=one, many=["pearson", other])
    assert app.selectbox(key="one").value == "tau_b"
    assert app.button_group(key="many").value == ["pearson", "tau_a"]
    assert held(app) == {"one": ["tau_b"], "many": ["pearson", "tau_a"]}
    assert not app.warning
    assert not arrive(many=[""]).button_group(key="many").value


def test_damage_is_said():
    app = arrive(one="tau_99", many=["pearson", "x"])
    assert "one cannot be “tau\\_99”; many cannot be “x”" in app.warning[0].value
    assert app.selectbox(key="one").value == "acc_eq"
    assert app.button_group(key="many").value == ["pearson"]


MANY = """
from tiekit import COEFFICIENTS
from tiekit.charts import label_of
from ui.link import controls, link

link.of_page().open_page()
controls.choose_many("many", [*COEFFICIENTS, "acc_eq*", "tau_b*", "tau_a*"], [], "many", printed=label_of)
"""


@pytest.mark.parametrize("part", ["τ_b", "tau_b"])
def test_many_coefficients_are_found_by_either_name(part):
    app = AppTest.from_string(MANY, default_timeout=60).run()
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
    app = AppTest.from_string(TRIP, default_timeout=60).run()
    app.selectbox(key="one").select("tau_b").run()
    app.button_group(key="many").set_value(["tau_b"]).run()
    app.toggle(key="elsewhere").set_value(True).run()
    for key in ("one", "many"):  # Streamlit empties the address on the way to another page
        del app.query_params[key]
    app.toggle(key="elsewhere").set_value(False).run()
    assert app.selectbox(key="one").value == "tau_b"
    assert app.button_group(key="many").value == ["tau_b"]
    assert held(app) == {"one": ["tau_b"], "many": ["tau_b"]}
