"""What changes in the browser without the server? The toy lab's component: its input and its messages."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import streamlit as st

import tiekit as tk
from tiekit.widgets import sources
from tiekit.widgets.bundle import bundle
from tiekit.widgets.given import line, made
from tiekit.widgets.lab.data import fixed, metrics_in_slots
from tiekit.widgets.lab.page import KEYS, LAB, TITLE
from ui.base.text import exact, vector
from ui.link import link
from ui.page import lecture
from ui.toy_lab.input import Toy

GLUE = Path(__file__).parent / "streamlit.js"
HTML = '<div class="lab"></div>'
STYLE = ".lab { --bar-top: 3.75rem; }"  # the height of Streamlit's own bar

MEANWHILE = 2.0
"""Seconds in which a line may return to its old text because the browser had not yet received the new one."""


def script() -> str:
    """Return the browser's code as one ES module, with the formulas of the present coefficients."""
    return _bundled(sources.formulas())


@lru_cache(maxsize=1)
def _bundled(formulas: str) -> str:
    glue = GLUE.read_text(encoding="utf-8")
    return bundle("streamlit.js", {**sources.files(), "shared/formulas.js": formulas, "streamlit.js": glue})


@lru_cache(maxsize=1)
def _component(js: str) -> Any:
    return st.components.v2.component("lab", html=HTML, css=sources.style("lab") + STYLE, js=js)


def open_link() -> None:
    """Read the chosen pair and the step from the link; call it before any line is drawn."""
    valid: dict[str, Callable[[str], bool]] = {
        "pair": lambda text: _pair(text) is not None,
        "step": lambda text: text.isdecimal() and len(text) < 5,
    }
    link.of_page().fill("lab", {}, valid)
    now = st.session_state
    for key, test in valid.items():
        found = link.of_page().text(key)
        now.setdefault(f"lab_{key}", found if test(found) else "")
    if time.monotonic() - now.get("lab_heard_at", -MEANWHILE) < MEANWHILE:
        now.update({key: new for key, (old, new) in now["lab_written"].items() if now.get(key) == old})


def _pair(text: str) -> list[int] | None:
    """Two items, counted from 0, of a link's "2-4"."""
    first, dash, second = text.partition("-")
    if not (dash and first.isdecimal() and second.isdecimal() and len(text) < 9):
        return None
    pair = [int(first) - 1, int(second) - 1]
    return pair if 0 <= pair[0] < pair[1] else None


def show(toy: Toy) -> None:
    """Show the interactive part."""
    data = {**_data(toy), "serial": _said().get("serial", 0), "large": lecture.is_on()}
    _component(script())(key="lab", data=data, on_said_change=_hear)
    for key in ("pair", "step"):
        link.of_page().write(key, st.session_state[f"lab_{key}"])


def as_page(toy: Toy) -> Callable[[], str]:
    """Return what writes the interactive part, as it is now, as a page of its own."""
    return partial(LAB.as_page, _data(toy), KEYS, TITLE, made(toy.human, toy.metrics))


def _data(toy: Toy) -> dict[str, Any]:
    """What the interactive part shows."""
    now = st.session_state
    return {
        **fixed(),
        "human": line(toy.human),
        "metrics": metrics_in_slots(toy.metrics, toy.slots),
        "epsilon": toy.epsilon,
        "pair": _pair(now["lab_pair"]),
        "step": int(now["lab_step"]) if now["lab_step"] else None,
    }


def _hear() -> None:
    """Take over what was dragged or chosen: scores into their lines, epsilon into its field, the rest into the link."""
    now, said = st.session_state, _said()
    new = {
        key: _moved(now.get(key, ""), {int(item): float(score) for item, score in items.items()})
        for key, items in said.get("scores", {}).items()
    }
    if "epsilon" in said:
        new["eps"] = exact(float(said["epsilon"]))
    now["lab_written"] = {key: (now.get(key), text) for key, text in new.items() if text != now.get(key)}
    now["lab_heard_at"] = time.monotonic()
    now.update(new)
    if "pair" in said:
        now["lab_pair"] = "-".join(str(item + 1) for item in said["pair"] or ())
    if "step" in said:
        now["lab_step"] = "" if said["step"] is None else str(said["step"])


def _said() -> dict[str, Any]:
    """The browser's last message with its serial number; empty in a new session."""
    return dict((st.session_state.get("lab") or {}).get("said") or {})


def _moved(line: str, items: dict[int, float]) -> str:
    """A line with new scores of items; unchanged if it has them already or was edited meanwhile."""
    try:
        scores = tk.parse_vector(line)
    except tk.InputError:
        return line
    if max(items) >= len(scores) or all(scores[item] == score for item, score in items.items()):
        return line
    for item, score in items.items():
        scores[item] = score
    return vector(scores)
