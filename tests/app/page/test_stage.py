"""What moves in a figure stays in the session and in the link, and a damaged link is reported."""

from __future__ import annotations

import json

from streamlit.testing.v1 import AppTest

PAGE = """
import streamlit as st

from ui.link import link
from ui.page import stage

link.of_page().open_page()
moving = stage.moving("figure", {"share": 0.5, "name": "a", "pair": [0, 1]}, lambda key, value: value != -1)
st.json(moving)
st.button("Move", on_click=lambda: stage.keep({"share": 0.25}))
"""


MISSED = """
import streamlit as st

from ui.page import stage

now = st.session_state
now[stage.HEARS] = {"figure": lambda said: now.update(share=said["share"])}
now.setdefault("figure", {"said": {"serial": 1, "share": 0.25}})
stage.hear_missed()
st.write(now.get("share"), now.get("heard figure"))
st.button("Move", on_click=lambda: now.update(share=0.75))
"""


def opened(**params: str) -> AppTest:
    app = AppTest.from_string(PAGE)
    for key, text in params.items():
        app.query_params[key] = text
    return app.run()


def moving(app: AppTest) -> dict[str, object]:
    assert not app.exception
    return dict(json.loads(app.json[0].value))


def test_the_link_holds_what_differs_from_the_usual():
    app = opened()
    assert moving(app) == {"share": 0.5, "name": "a", "pair": [0, 1]}
    assert not dict(app.query_params)
    app.button[0].click().run()
    assert moving(app)["share"] == 0.25
    assert app.query_params == {"share": "0.25"}


def test_a_link_is_read_and_its_damage_reported():
    app = opened(share="0.75", name="12", pair="[2,3]")
    assert moving(app) == {"share": 0.75, "name": "12", "pair": [2, 3]}
    assert not app.warning
    app = opened(share="-1", pair="[2")
    assert moving(app) == {"share": 0.5, "name": "a", "pair": [0, 1]}
    assert "share cannot be “\\-1”" in app.warning[0].value
    assert "pair cannot be" in app.warning[0].value
    assert not dict(app.query_params)


def test_what_no_run_has_heard_is_heard_by_the_next_and_only_once():
    """As after a run that was stopped while it took over a change."""
    app = AppTest.from_string(MISSED).run()
    assert app.markdown[0].value == "`0.25` `1`"
    app.button[0].click().run()
    assert app.markdown[0].value == "`0.75` `1`"
