"""What does the browser's Back return to? One entry for each choice, and never a page that is half filled.

Streamlit writes the address once for each control that a choice sets. The script makes one entry of all that a choice
has written, when the page has settled. Going back, Streamlit runs the page with the entry's address, and
`ui.link.link.Link` reads all of the page from it.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from ui.work.streamlit_internals import RUNNING

_history = st.components.v2.component(
    "tiekit_history", js=(Path(__file__).parent / "history.js").read_text(encoding="utf-8")
)


def one_entry_for_each_choice(*silent: str) -> None:
    """Keep the browser's history; a change of the ``silent`` keys of the link alone makes no entry."""
    _history(key="history", width="content", data={"running": RUNNING, "silent": silent})
