"""How does a visitor take a file away? A button; the file is made when it is pressed."""

from __future__ import annotations

import logging
from collections.abc import Callable
from itertools import count
from typing import Any

import streamlit as st
from streamlit import runtime

KEPT = 32
"""Files, of all visitors, that are kept for the browsers that are about to fetch them."""

_numbers = count()

# A file is made in a thread of the server's own, which belongs to no visitor; Streamlit would note that each time.
logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context").addFilter(
    lambda record: not (record.args and str(record.args[0]).startswith("asyncio"))
)


def offer(label: str, make: Callable[[], str], file: str, mime: str, **options: Any) -> None:
    """A button that downloads what ``make`` returns, and runs nothing again; options are `st.download_button`'s."""
    st.download_button(label, lambda: _keep(make().encode(), file, mime), file, mime, on_click="ignore", **options)


def _keep(data: bytes, file: str, mime: str) -> bytes:
    """Hold a file that is about to be fetched.

    Streamlit forgets a file made on request as soon as two runs have ended, whosever they are: in a class that is
    sooner than the browser asks for it. Here it stays until `KEPT` others were made.
    """
    files, place = runtime.get_instance().media_file_mgr, f"file {next(_numbers) % KEPT}"
    files.add(data, mime, place, file, is_for_static_download=True)
    return data
