"""How is a page shared? Buttons copy its address, which holds all choices.

The address holds which answers are revealed, so that a reload keeps them. A link for a class leaves them out unless
they are wanted: the first button copies the questions, the second the answers too.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from ui.page import predict
from ui.work.streamlit_internals import RUNNING

HTML = """<button type="button" id="open">Copy link</button>
<button type="button" id="answered" hidden>Copy link with answers</button><span role="status"></span>"""

CSS = """
:host { font-size: var(--small, 0.875rem); }
span { margin-left: 0.5rem; }
button {
    font: inherit; color: var(--st-text-color); background: none; cursor: pointer; padding: 0.25rem 0.5rem;
    border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius, 0.5rem); white-space: nowrap;
}
button[hidden] { display: none; }
button:hover { border-color: var(--st-primary-color); }
button:focus-visible { outline: 2px solid var(--st-text-color); outline-offset: 2px; }
"""

_copy = st.components.v2.component(
    "tiekit_copy_link", html=HTML, css=CSS, js=(Path(__file__).parent / "copy_link.js").read_text(encoding="utf-8")
)


def copy_buttons() -> None:
    """Show buttons that copy the page's address to the clipboard."""
    _copy(key="copy_link", width="content", data={"answers": predict.is_any_revealed(), "running": RUNNING})
