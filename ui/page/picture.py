"""How is a picture put into slides and papers? Two buttons under it save an SVG or a PNG file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TypeAlias

import streamlit as st

from ui.work.downloads import file_name
from ui.work.streamlit_internals import FONT, part

HTML = '<button type="button">SVG</button><button type="button">PNG</button><span role="status"></span>'

CSS = """
:host { font-size: 0.875rem; }
span { margin-left: 0.5rem; }
button {
    font: inherit; color: var(--st-text-color); background: none; border: 0; cursor: pointer;
    text-decoration: underline; padding: 0.25rem 0.5rem; border-radius: 0.5rem; min-height: 1.75rem;
}
button:hover { color: var(--st-link-color); }
button:focus-visible { outline: 2px solid var(--st-text-color); outline-offset: -2px; }
"""

_buttons = st.components.v2.component(
    "tiekit_picture",
    html=HTML,
    css=CSS,
    js=(Path(__file__).parent / "picture.js").read_text(encoding="utf-8"),
)


Legend: TypeAlias = Iterable[tuple[str, str, str]]
"""Color, glyph and label of each kind of mark."""


def offer(key: str, alt: str, legend: Legend = ()) -> None:
    """Show buttons for the one chart of the open container; the files are named after its key.

    A file needs the words that stand beside the chart on the page: the first part of ``alt``, up to a colon, is its
    heading, and the ``legend`` stands below.
    """
    named = {"file": file_name(key), "alt": alt, "legend": [list(mark) for mark in legend]}
    data = {**named, "chart": part("stVegaLiteChart"), "font": FONT}
    _buttons(key=f"picture {key}", data=data)
