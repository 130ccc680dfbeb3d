"""How is a page projected? Lecture mode: larger type, only the lesson, the next example by a key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from ui.link import controls
from ui.present import presenting
from ui.work import presets
from ui.work.streamlit_internals import part

KEY = "lecture"

STYLE = f"""<style>
:root {{
font-size: 21px !important;
header {{ display: none; }}
{part("stMainBlockContainer")} {{ padding: 0.5rem 2rem 1rem; }}
h1 {{ font-size: 1.5rem !important; }}
h2 {{ font-size: 1.3rem !important; }}
.st-key-ways {{ --small: 0.875rem; margin-right: 0; }}
:is(p, li) code {{ font-size: 0.9em; }}
{part("stTable")} :is(td, th) {{ padding: 0.25rem 0.35rem; }}
{part("stTable")} th {{ overflow-wrap: anywhere; }}
{part("stWidgetLabel")} * {{ font-size: 0.875rem !important; }}
}}
</style>"""
"""Streamlit measures in rem, so all text grows with the root: its smallest, 0.875 rem, to 18 px."""

LARGER = 1.4
"""The factor by which text in pictures is larger: 13 px becomes 18."""


_keys = presets.component("tiekit_lecture_keys", "page/lecture.js")


def is_on() -> bool:
    """Return whether the page is drawn for a projector."""
    return bool(st.session_state.get(KEY, False))


def switch() -> None:
    """Show the toggle of lecture mode; the link and the links to other pages keep it."""
    controls.toggle("Lecture mode", KEY)


def enlarge(figure: dict[str, Any]) -> dict[str, Any]:
    """Return a figure of `tiekit.charts` with larger text and the space that it needs."""

    def grown(key: str, part: Any) -> Any:
        if isinstance(part, dict):
            return {name: grown(name, value) for name, value in part.items()}
        if isinstance(part, list):
            return [grown(key, value) for value in part]
        if isinstance(part, int | float) and not isinstance(part, bool):
            if key.lower().endswith("fontsize") or key in ("limit", "labelLimit", "right"):
                return round(LARGER * part)
            if key == "height":
                return round(1.2 * part)
        return part

    return dict(grown("", figure))


def walk(options: Sequence[str], key: str, load: Callable[[], None]) -> None:
    """Show buttons to the previous and the next example in lecture mode; keys press them while they are in view.

    ``key`` is that of the selectbox that chooses one of the options, ``load`` its ``on_change``.
    """
    if not is_on() or presenting.is_on():
        return

    def go(by: int) -> None:
        now = st.session_state.get(key)
        at = options.index(now) + by if now in options else 0
        st.session_state[key] = options[min(max(at, 0), len(options) - 1)]
        load()

    now = st.session_state.get(key)
    at = options.index(now) if now in options else None
    with st.container(horizontal=True, vertical_alignment="center"):
        for name, by, shortcut, end in (("previous", -1, "PageUp", 0), ("next", 1, "PageDown", len(options) - 1)):
            label = f"{name.capitalize()} example"
            st.button(label, key=f"{key}_{name}", shortcut=shortcut, disabled=at == end, on_click=go, args=(by,))
        st.caption("your own scores" if at is None else f"example {at + 1} of {len(options)}", width="content")
        data = {"keys": [f"{key}_previous", f"{key}_next"], "page": part("stMain")}
        _keys(key=f"{key}_keys", data=data, width="content")
