"""What a page shows of a drawn guess, and how a test draws one."""

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
