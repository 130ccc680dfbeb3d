"""How does a visitor take a file away? A button; the file is made when it is pressed."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import streamlit as st

from ui.base import streamlit_internals

KEPT = 32
"""Files, of all visitors, that are kept for the browsers that are about to fetch them."""

_numbers = count()

streamlit_internals.ignore_server_threads()


def offer(label: str, make: Callable[[], str], file: str, mime: str, **options: Any) -> None:
    """A button that downloads what ``make`` returns, and runs nothing again; options are `st.download_button`'s."""
    st.download_button(label, lambda: _keep(make().encode(), file, mime), file, mime, on_click="ignore", **options)


def _keep(data: bytes, file: str, mime: str) -> bytes:
    """Hold a file that is about to be fetched, until `KEPT` others were made."""
    streamlit_internals.hold_file(data, mime, f"file {next(_numbers) % KEPT}", file)
    return data
