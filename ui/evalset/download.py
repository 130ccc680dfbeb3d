"""How does a published test set come onto this computer? With a button, progress, and another one to stop."""

from __future__ import annotations

import os
from typing import NamedTuple
from urllib.parse import urlsplit

import streamlit as st

import tiekit as tk
from tiekit.readers import ARCHIVE_URL, Step, default_folder, known_testsets
from ui.link.controls import choose
from ui.work.text import count_noun, plain

WANTED, SAID = "download_wanted", "download_said"
"""The session's keys for the download that is under way, and for what became of the last one."""


class Wanted(NamedTuple):
    """A test set, the folder that it goes into, and whether the archive is kept there."""

    testset: str
    folder: str
    keep: bool


def offer_testsets() -> None:
    """Offer to download a test set, and do so; then the control of the key "folder", drawn after this, holds it.

    Only for visitors who sit at the server's own machine.
    """
    with st.expander("Download a test set"):
        known = {name: pairs for name, pairs in known_testsets().items() if name.startswith("wmt")}
        testset = choose("Test set to download", list(known)[::-1], "download_testset")
        folder = st.text_input("Folder that it goes into", str(default_folder()), key="download_folder")
        keep = st.toggle("Keep the archive, so that further test sets need no download", key="download_keep")
        st.markdown(_say_what(testset, len(known[testset]), folder))
        wanted = Wanted(testset, folder, keep)
        st.button("Download", key="download", on_click=_begin, args=(wanted,), disabled=not folder.strip())
    if under_way := st.session_state.get(WANTED):
        _run(under_way)
    if said := st.session_state.get(SAID):
        is_error, text = said
        (st.error if is_error else st.info)(text)


def _say_what(testset: str, number: int, folder: str) -> str:
    url = os.environ.get("TIEKIT_ARCHIVE_URL") or ARCHIVE_URL
    size = " of about 900 MB" if url == ARCHIVE_URL else ""
    return (
        f"The archive of mt-metrics-eval is one file{size} from {plain(urlsplit(url).hostname or url)}. It is "
        f"downloaded into {plain(folder)}, {testset} with {count_noun(number, 'language pair')} is unpacked there, and "
        "the archive is deleted unless you keep it. A download that is stopped or broken leaves nothing behind, and "
        "begins anew."
    )


def _run(wanted: Wanted) -> None:
    """Download with progress; a press on the button ends this run at the next step, and nothing is left behind."""
    place = st.empty()
    with place.container(horizontal=True, vertical_alignment="bottom"):
        bar = st.progress(0.0, f"{wanted.testset}: asking the server …")
        st.button("Stop", key="download_stop", on_click=_end, args=("Stopped. Press Download to begin anew.",))

    def tell(step: Step) -> None:
        bar.progress(step.fraction or 0.0, f"{wanted.testset}: {step}")

    try:
        root = tk.download(wanted.testset, os.path.expanduser(wanted.folder), keep=wanted.keep, progress=tell)
    except tk.TiekitError as error:
        _end(plain(str(error)), is_error=True)
    else:
        st.session_state["folder"], st.session_state["folder_testset"] = str(root), wanted.testset
        _end(f"{wanted.testset} is in {plain(str(root))}.")
    place.empty()


def _begin(wanted: Wanted) -> None:
    st.session_state[WANTED] = wanted
    st.session_state.pop(SAID, None)


def _end(said: str, *, is_error: bool = False) -> None:
    st.session_state.pop(WANTED, None)
    st.session_state[SAID] = is_error, said
