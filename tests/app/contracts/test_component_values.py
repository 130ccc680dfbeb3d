"""What a program says in place of a page's figures and other components is dropped where it is no value of theirs."""

from __future__ import annotations

import json
import logging
import random
import re
from typing import Any

import pytest

from tests import damaged
from tiekit.figures import FIGURES
from ui.page import pages

PAGES = [damaged.name_of(page.file) for page in (pages.path()[0], *pages.lessons())]

OTHERS = {
    "tiekit_predictions": "stored",
    "tiekit_class_tab": "host",
    "tiekit_share": "address",
    "tiekit_ranking": "order",
    "tiekit_dock": "said",
}
"""What components other than figures say."""

ALSO = {"lab": ["scores", "epsilon", "epsilon_of", "pair", "step"]}
"""What figures say whose page takes other things than the rules of the figure name."""

ROUNDS = 4
"""Number of times that all components of a page say something odd; the campaigns say more."""

ODD: list[Any] = [
    None,
    True,
    -1,
    0,
    1,
    10**30,
    0.5,
    -1e308,
    1e308,
    float("nan"),
    float("-inf"),
    "",
    "x",
    "Ladder",
    "\ud83d",
    "1" * 5000,
    [],
    [0],
    [0, 1],
    [1, 0],
    [None, None],
    ["a", "b"],
    [[]],
    [[[0, 0, 1]]],
    [[0, 0, 1]] * 70,
    [1.5, float("nan")],
    list(range(3000)),
    {},
    {"0": 1},
    {"m1": None},
    {"m1": {}},
    {"m1": {"x": 1}},
    {"m1": {"0": None}},
    {"m1": {"-1": 3.0}},
    {"m1": {"0": float("nan")}},
    {"human": {"0": 1e400, "1" * 5000: 1}},
    {"m1": [1, 2]},
]
"""Values of which some fit nowhere and others almost."""


def odd_message(name: str, draw: random.Random) -> Any:
    """A message of a component with odd values."""
    if name in OTHERS:
        return {OTHERS[name]: draw.choice(ODD)}
    if draw.random() < 0.1:
        return {"said": draw.choice(ODD)}
    fields = ALSO.get(name) or (list(FIGURES[name].rules) if name in FIGURES else [])
    names = [one for one in fields if draw.random() < 0.8]
    values = {one: draw.choice(ODD) for one in names}
    return {"said": {"serial": draw.choice([1, 2, 3, *ODD]), **values}}


def say(app: Any, messages: dict[str, Any]) -> None:
    """Let components say something by their names, and run the page."""
    states = app._tree.get_widget_states()
    for component in app.get("bidi_component"):
        if component.proto.component_name in messages and component.proto.id:
            text = json.dumps(messages[component.proto.component_name])
            states.widgets.add(id=component.proto.id, json_value=text)
    app._run(states)


@pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
@pytest.mark.parametrize("rounds", [ROUNDS, pytest.param(40 * ROUNDS, marks=pytest.mark.campaign)])
@pytest.mark.parametrize("page", PAGES)
def test_no_odd_value_of_a_component_ends_in_an_error(open_app, page, rounds, caplog):
    draw = random.Random(page)
    app = open_app(page)
    names = {one.proto.component_name for one in app.get("bidi_component")}
    assert names
    for _ in range(rounds):
        messages = {name: odd_message(name, draw) for name in names}
        with caplog.at_level(logging.WARNING):
            say(app, messages)
        found = [one.message for one in app.exception]
        written = [f"{one.getMessage()} {one.exc_info and one.exc_info[1]!r}" for one in caplog.records]
        assert not found, f"{found} after {messages}"
        assert not [one for one in written if re.search("rror|Traceback", one)], f"{written} after {messages}"
        caplog.clear()
    app.run()
    assert not app.exception, f"a later run, after {messages}"
