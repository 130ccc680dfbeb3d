"""What a link holds: starting values of widgets, and what is said when a link is damaged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from ui.base.text import plain


def open_link(page: str, defaults: Mapping[str, object], is_valid: Mapping[str, Callable[[str], bool]]) -> None:
    """On a session's first visit of a page: fill in what its link leaves open, and note what it holds wrongly.

    Parameters
    ----------
    page : str
        Names the page within the session.
    defaults : mapping of str to value
        Starting values of widgets, by key; the link's win.
    is_valid : mapping of str to function
        For keys whose text in a link may be damaged. Streamlit drops what a widget cannot take, and all but the last
        of several texts for one key, without a word; this says so.
    """
    state = st.session_state
    if f"{page}_damage" not in state:
        link = {key: st.query_params.get_all(key) for key in st.query_params}
        repeated = [(key, both(texts)) for key, texts in link.items() if key in defaults and len(texts) > 1]
        damaged = [(key, link[key][-1]) for key, test in is_valid.items() if key in link and not test(link[key][-1])]
        state[f"{page}_damage"] = repeated + damaged
        for key, value in defaults.items():
            if key not in link or key in dict(damaged):
                state.setdefault(key, value)
    for key, text in state[f"{page}_damage"]:
        say_damaged(key, text)


def forget_damage(page: str) -> None:
    """The user has gone on from the link."""
    st.session_state[f"{page}_damage"] = []


def link_together(keys: Sequence[str]) -> None:
    """Put all these texts into the link as soon as one is changed: it leaves out what never was."""
    state = st.session_state
    state.update({key: state[key] for key in keys if state.get(key)})


def say_damaged(key: str, text: str) -> None:
    """Say, at the top of the page and with what was said before, what a link holds wrongly."""
    place, said = st.session_state["notices"]
    said.append(f"{plain(key)} cannot be “{plain(text[:80])}”")
    place.warning(f"This link is damaged: {'; '.join(said)}. What does not fit was left out.")


def both(texts: Sequence[str]) -> str:
    """Several texts where a link can have one, for `say_damaged`; Streamlit takes the last."""
    return "” and “".join(texts)


def is_number(text: str) -> bool:
    """Whether a link's text is a finite number of at least 0."""
    try:
        return 0 <= float(text) < float("inf")
    except ValueError:
        return False
