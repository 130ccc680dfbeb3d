"""Are these the data that a link was made with? The link keeps name and digest of the user's files."""

from __future__ import annotations

import re
from collections.abc import Sequence

import streamlit as st

from tiekit.core import short
from ui.link import link
from ui.work.text import plain

OWN = re.compile(r"([0-9a-f]{12}) (.+)")
"""Twelve digits of a digest, a space, a name."""


def keep_in_link(key: str, source: str, own: str, *, is_bundled: bool) -> None:
    """Put name and digest of the user's data into the link; say whether they are those of the link that was opened.

    Until the user continues with other data, the link names the first data.

    Parameters
    ----------
    key : str
        The link's.
    source : str
        Where the data come from, as the user chose.
    own : str
        Twelve digits of the data's digest, a space, their name; empty for no data or bundled data.
    is_bundled : bool
        Whether the data come with the app, so that no link names them.
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
    """Put name and digest of each of the user's files into the link; return those of the link that are not here.

    Where another file of the same name is here, the link names that one instead.

    Parameters
    ----------
    key : str
        The link's.
    own : sequence of str
        For each file, twelve digits of its digest, a space, its name.
    scope : str
        What the files were given for; for anything else, those of the link are not asked for.

    Returns
    -------
    list of (str, str)
        Digests and names.
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
