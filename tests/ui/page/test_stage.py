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
st.button("Move", on_click=lambda: stage.keep({"serial": 3, "share": 0.25}))
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
