"""How a test answers what a page asks: a drawn guess, or one of several options."""

from __future__ import annotations

import json
from typing import Any

from streamlit.testing.v1 import AppTest


def scale_of(app: AppTest, at: int = 0) -> dict[str, Any]:
    """What a figure of drawn guesses is given."""
    found = [json.loads(one.proto.json) for one in app.get("bidi_component") if one.proto.component_name == "guess"]
    return found[at]


def draw(app: AppTest, key: str, guess: float | str) -> AppTest:
    """Draw a guess, as the page hears it from the browser, and reveal."""
    app.session_state[f"predict {key}"] = str(guess)
    app.run()
    return app.button(key=f"reveal {key}").click().run()


def answer(app: AppTest, *options: str) -> AppTest:
    """Predict and reveal the question that has this option, the first one for an empty option; one after the other."""
    for option in options:
        radio = next((radio for radio in app.radio if option in radio.options), app.radio[0])
        radio.set_value(option or radio.options[0]).run()
        app.button(key=str(radio.key).replace("predict", "reveal", 1)).click().run()
    assert not app.exception
    return app
