"""Which votes are open? The bundled sample, or a file that was uploaded."""

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
SAMPLE_FILE = "votes/synthetic.csv"


@dataclass(frozen=True)
class VotesFile:
    """Votes and the file that they were read from."""

    votes: tk.votes.Votes
    name: str
    content: bytes
    is_bundled: bool

    @property
    def load(self) -> str:
        """Python that opens the file."""
        path = f"data/{SAMPLE_FILE}" if self.is_bundled else self.name
        return f"from pathlib import Path\n\nfile = Path({path!r}).read_bytes()"


def choose_votes() -> VotesFile:
    """Let the user choose the sample or an upload; the sample until there is one, with the reason on the page."""
    source = choose("Which votes?", [SAMPLE, FILE], "vote_source")
    opened = None
    try:
        opened = sample() if source == SAMPLE else _upload()
    except tk.TiekitError as error:
        st.error(plain(str(error)))
    own = f"{opened.votes.digest[:12]} {opened.name}" if opened and source == FILE else ""
    own_data.keep_in_link("votes", source, own, is_bundled=source == SAMPLE)
    if opened is None:
        st.info("The figure shows the bundled sample until a file of votes has been read.")
        return sample()
    return opened


@st.cache_resource(show_spinner=False)
def sample() -> VotesFile:
    """Return the bundled votes, read once."""
    content = data_file(SAMPLE_FILE).read_bytes()
    return VotesFile(tk.votes.read_votes({"synthetic.csv": content}), "synthetic.csv", content, is_bundled=True)


def _upload() -> VotesFile | None:
    """The uploaded file, or the one that was read earlier in this session."""
    given = st.file_uploader(
        "File: JSON lines or a table with question_id, model_a, model_b, winner and judge, as MT-bench, Arena and "
        "AlpacaEval write them",
        key="upload votes",
        max_upload_size=64,
    )
    upload_quota.warn_if_refused("votes")
    kept: tuple[str, VotesFile] | None = st.session_state.get("opened_votes")
    if given is not None and (kept is None or kept[0] != given.file_id):
        with st.spinner("Reading the file …"):
            content = given.getvalue()
            votes = tk.votes.read_votes({given.name: content})
        kept = given.file_id, VotesFile(votes, given.name, content, is_bundled=False)
        st.session_state["opened_votes"] = kept
    if kept is None:
        st.info("The file stays in memory for this session and is never saved.")
        return None
    return kept[1]
