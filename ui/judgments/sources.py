"""Which file of rankings is open? The bundled sample, or one that was uploaded."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

import tiekit as tk
from tiekit.readers import data_file
from ui.link import own_data
from ui.link.controls import choose
from ui.work import upload_quota
from ui.work.text import plain

SAMPLE, FILE = "the bundled sample", "my file"
SAMPLE_FILE = "rankings/synthetic.csv"


@dataclass(frozen=True)
class RankingsFile:
    """Rankings and the file that they were read from."""

    rankings: tk.judgments.Rankings
    name: str
    content: bytes
    is_bundled: bool

    @property
    def digest(self) -> str:
        """Twelve digits that identify the file."""
        return self.rankings.digest[:12]

    @property
    def load(self) -> str:
        """Python that opens the file."""
        path = f"data/{SAMPLE_FILE}" if self.is_bundled else self.name
        return f"from pathlib import Path\n\nfile = Path({path!r}).read_bytes()"

    @property
    def call(self) -> str:
        """Python that reads the rankings."""
        return f"rankings = tk.read_rankings({{{self.name!r}: file}})"


def choose_rankings() -> RankingsFile | None:
    """Let the user choose the sample or an upload; None while there is none, with the reason on the page."""
    source = choose("Which rankings?", [SAMPLE, FILE], "jud_source")
    try:
        opened = _sample() if source == SAMPLE else _upload()
    except tk.TiekitError as error:
        st.error(plain(str(error)))
        opened = _last("Using the file that was read before")
    with st.container():
        own = f"{opened.digest} {opened.name}" if opened and source == FILE else ""
        own_data.keep_in_link("rankings", source, own, is_bundled=source == SAMPLE)
    return opened


@st.cache_resource(show_spinner=False)
def _bundled_file() -> RankingsFile:
    name, content = "synthetic.csv", data_file(SAMPLE_FILE).read_bytes()
    return RankingsFile(tk.read_rankings({name: content}), name, content, is_bundled=True)


def _sample() -> RankingsFile:
    st.markdown(
        "These rankings are **synthetic**: invented judges, each with errors of their own, rank outputs of the "
        "synthetic evaluation set. They are no evidence about real judges."
    )
    return _bundled_file()


def _upload() -> RankingsFile | None:
    given = st.file_uploader(
        "File: a CSV as WMT published it, with five ranked systems per line", key="upload rankings", max_upload_size=64
    )
    upload_quota.warn_if_refused("rankings")
    if given is None:
        opened = _last("Using your earlier upload")
        if opened is None:
            st.info("Upload a file above. It stays in memory for this session and is never saved.")
        return opened
    kept = st.session_state.get("opened_rankings")
    if kept is None or kept[0] != given.file_id:
        with st.spinner("Reading the file …"):
            content = given.getvalue()
            rankings = tk.read_rankings({given.name: content})
        kept = given.file_id, RankingsFile(rankings, given.name, content, is_bundled=False)
        st.session_state["opened_rankings"] = kept
    read: RankingsFile = kept[1]
    return read


def _last(words: str) -> RankingsFile | None:
    """What was read earlier in this session; Streamlit itself forgets the file when the page changes."""
    kept = st.session_state.get("opened_rankings")
    if kept is None:
        return None
    opened: RankingsFile = kept[1]
    st.info(f"{words}: {plain(opened.name)}.")
    return opened


def say_read(opened: RankingsFile) -> None:
    """Say what was read and what was left out."""
    rankings = opened.rankings
    skipped = [f"{number:,} lines with {reason}" for reason, number in rankings.skipped.items()]
    blank = [f"{rankings.n_blank:,} ranks that were left blank"] if rankings.n_blank else []
    name = SAMPLE if opened.is_bundled else plain(opened.name)
    st.markdown(
        f"**{name}**: {rankings.n_sets:,} ranked sets by {len(rankings.judges):,} judges, "
        f"{len(rankings.systems)} systems, {len(rankings.segments):,} segments. "
        f"Left out: {plain(' and '.join(skipped + blank)) or 'nothing'}."
    )
