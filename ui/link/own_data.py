"""Which files are the user's own, and are they those that a link was made with? It keeps their names and digests."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, Protocol, TypeVar

import streamlit as st

import tiekit as tk
from tiekit.core import short
from tiekit.readers import data_file
from ui.link import link
from ui.link.controls import choose
from ui.work import upload_quota
from ui.work.reader_words import on_page
from ui.work.text import plain

OWN = re.compile(r"([0-9a-f]{12}) (.+)")
"""Twelve digits of a digest, a space, a name."""

KEYS = ("data", "rankings", "votes", "added")
"""The keys of a link that name files: the session holds them, so that Back from an upload cannot undo it."""


def keep_in_link(key: str, source: str, own: str, *, is_bundled: bool) -> None:
    """Put digest and name of the user's data into the link; say whether they are those of the link that was opened.

    Until the user continues with other data, the link names the first data. ``source`` is where the data come from, as
    the user chose; ``own`` has twelve digits of the digest, a space and the name, or nothing.
    """
    of_page = link.of_page()
    asked, first = st.session_state.setdefault(f"{key}_asked", (of_page.text(key), source))
    named = None if is_bundled else OWN.fullmatch(asked)
    if source != first:
        of_page.forget(key)
    of_page.check(key, lambda _: [asked] if asked and named is None else [])
    if named is not None and source == first:
        if not own:
            st.info(
                f"This link was made with **{plain(short(named[2]))}** (digest {named[1]}). Give the same files here."
            )
            own = asked
        elif not own.startswith(named[1]):
            st.warning(
                f"These are other data than the link was made with: **{plain(short(named[2]))}** (digest {named[1]}) "
                f"there, **{plain(short(own[13:]))}** (digest {own[:12]}) here. What follows is of the data given here."
            )
            forget = {f"{key}_asked": ("", source)}
            go_on = "Go on with these data"
            st.button(go_on, key=f"use_other_{key}", on_click=st.session_state.update, args=(forget,))
            own = asked
    of_page.write(key, own)


def files_of_link(key: str, scope: str) -> dict[str, str]:
    """Return the names of the files that the link asks for, by their digests; none for another ``scope``."""
    asked, first = st.session_state.setdefault(f"{key}_asked", (link.of_page().texts(key), scope))
    return {found[1]: found[2] for text in asked if (found := OWN.fullmatch(text)) and scope == first}


def keep_files_in_link(key: str, own: Sequence[str], scope: str) -> list[tuple[str, str]]:
    """Put digest and name of each of the user's files into the link; return those of the link that are not here.

    Where another file of the same name is here, the link names that one instead. For another ``scope`` than the first,
    which is what the files were given for, those of the link are not asked for.
    """
    of_page = link.of_page()
    named = files_of_link(key, scope)
    of_page.check(key, lambda texts: [text for text in texts if OWN.fullmatch(text) is None])
    here, names = {text[:12] for text in own}, {text[13:] for text in own}
    missing = [(digest, name) for digest, name in named.items() if digest not in here]
    of_page.write_all(key, [*own, *(f"{digest} {name}" for digest, name in missing if name not in names)])
    return missing


def ask_no_more(key: str, digest: str = "") -> None:
    """Ask for none of the files that the link named, or not for the one with this digest."""
    asked, first = st.session_state.get(f"{key}_asked", ([], ""))
    st.session_state[f"{key}_asked"] = [text for text in asked if digest and not text.startswith(digest)], first
    link.of_page().forget(key)


SAMPLE, FILE = "the bundled sample", "my file"


class Content(Protocol):
    """What is read from a file."""

    @property
    def digest(self) -> str:
        """Hexadecimal digits that identify it."""
        ...


T = TypeVar("T", bound=Content)


@dataclass(frozen=True)
class OpenFile(Generic[T]):
    """What was read from a file, and the file: the user's, or the sample at a ``path`` of the data of the app.

    ``doubts`` are what the reader warned of.
    """

    read: T
    name: str
    content: bytes
    path: str = ""
    doubts: tuple[str, ...] = ()

    @property
    def is_bundled(self) -> bool:
        """Whether it is the sample."""
        return bool(self.path)

    @property
    def load(self) -> str:
        """Python that opens the file."""
        path = f"data/{self.path}" if self.path else self.name
        return f"from pathlib import Path\n\nfile = Path({path!r}).read_bytes()"


@st.cache_resource(show_spinner=False)
def open_sample(path: str, _read: Callable[[dict[str, bytes]], T]) -> OpenFile[T]:
    """Return the sample at a path of the data, read once."""
    file = data_file(path)
    content = file.read_bytes()
    return OpenFile(_read({file.name: content}), file.name, content, path)


def choose_file(
    kind: str, key: str, path: str, label: str, read: Callable[[dict[str, bytes]], T]
) -> OpenFile[T] | None:
    """Let the user choose the sample or upload a file of a kind; None while there is none, with the reason.

    The upload is read once and kept for the session: Streamlit itself forgets it when the page changes.
    """
    source = choose(f"Which {kind}?", [SAMPLE, FILE], key)
    opened = open_sample(path, read) if source == SAMPLE else _upload(kind, label, read)
    with st.container():
        own = f"{opened.read.digest[:12]} {opened.name}" if opened and source == FILE else ""
        keep_in_link(kind, source, own, is_bundled=source == SAMPLE)
    return opened


def _upload(kind: str, label: str, read: Callable[[dict[str, bytes]], T]) -> OpenFile[T] | None:
    """The file that is uploaded, or the last that could be read."""
    given = st.file_uploader(label, key=f"upload {kind}", max_upload_size=upload_quota.LARGEST)
    upload_quota.warn_if_refused(kind)
    kept: tuple[str, OpenFile[T], upload_quota.Kept] | None = st.session_state.get(f"opened_{kind}")
    words = "Using your earlier upload"
    if given is not None and (kept is None or kept[0] != given.file_id):
        try:
            content = given.getvalue()
            files = {given.name: content}
            found, said, held = upload_quota.read(partial(read, files), files, (kind, given.file_id), len(content))
            kept = given.file_id, OpenFile(found, given.name, content, doubts=tuple(text for _, text in said)), held
            st.session_state[f"opened_{kind}"] = kept
        except tk.TiekitError as error:
            st.error(on_page(str(error)))
            words = "Using the file that was read before"
    if kept is not None and (given is None or kept[0] != given.file_id):
        st.info(f"{words}: {plain(kept[1].name)}.")
    elif kept is None and given is None:
        st.info("Upload a file above. It stays in memory for this session and is never saved.")
    for text in () if kept is None else kept[1].doubts:
        st.warning(on_page(text))
    return None if kept is None else kept[1]
