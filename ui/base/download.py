"""How does a visitor download a file? With a button; the file is made when it is pressed."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import streamlit as st

from ui.base import streamlit_internals

KEPT = 32
"""How many files are kept for all visitors, until their browsers fetch them."""

_numbers = count()

streamlit_internals.ignore_server_threads()


def offer(label: str, make: Callable[[], str], file: str, mime: str, **options: Any) -> None:
    """Offer what ``make`` returns as a download, without a rerun; options are those of `st.download_button`."""
    st.download_button(label, lambda: _keep(make().encode(), file, mime), file, mime, on_click="ignore", **options)


def embed(make: Callable[[], str], file: str, *, of: str = "", **options: Any) -> None:
    """Offer a page of its own of what is on the screen; ``of`` tells the buttons of one page apart."""
    words = "One file that moves as this does, without a server: for a course page, slides or an <iframe>."
    offer(f"Embed {of} (HTML)" if of else "Embed (HTML)", make, file, "text/html", help=words, **options)


def _keep(data: bytes, file: str, mime: str) -> bytes:
    """Hold a file that is about to be fetched, until `KEPT` others have been made."""
    streamlit_internals.hold_file(data, mime, f"file {next(_numbers) % KEPT}", file)
    return data
