"""What does the visitor expect? A question whose answer is hidden until a prediction, and the score across pages.

The address holds which answers are revealed, so that a reload keeps them. `ui.page.copy_link` can leave them out.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

import streamlit as st

from ui.classroom import asked, session
from ui.link import link

SEEN = "seen"
"""The link's key for the questions whose answers are shown."""

KEPT = 40
"""The most answers that a link holds, the latest."""


def keep_in_link() -> None:
    """Read from the link which answers are revealed on a session's first visit; afterwards keep them in the link.

    Questions are named by a digest of their keys, so that a link shows neither the right answer nor a prediction.
    """
    of_page, now = link.of_page(), st.session_state
    if SEEN not in now:
        now[SEEN] = _named(of_page.texts(SEEN))
    of_page.check(SEEN, lambda texts: [link.both(texts)] if texts and not _is_whole(texts) else [])
    of_page.write(SEEN, ".".join(now[SEEN][-KEPT:]))


def _named(texts: list[str]) -> list[str]:
    """The questions that a link's texts name, each once."""
    return [name for name in dict.fromkeys(".".join(texts).split(".")) if re.fullmatch("[0-9a-f]{8}", name)]


def _is_whole(texts: list[str]) -> bool:
    """Whether a link has one text that consists of names of questions."""
    return len(texts) == 1 and texts[0].split(".") == _named(texts)


def is_any_revealed() -> bool:
    """Return whether there are answers that a link can show."""
    return bool(st.session_state.get(SEEN))


def _name(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()[:8]


def predict_first(key: str, question: str, options: Mapping[str, str], truth: str) -> bool:
    """Let the visitor predict before the answer is drawn; afterwards say whether the prediction was right, and why.

    Parameters
    ----------
    key : str
        Names the question and its data; another key asks anew.
    question : str
        Markdown.
    options : mapping of str to str
        Answers, each with the reason why it is right or wrong; Markdown.
    truth : str
        The right one of the options.

    Returns
    -------
    bool
        Whether the answer may be drawn: Reveal has been pressed with an option chosen, here or by who made the link.
    """
    if (lesson := session.held()) is not None:
        return asked.by_class(lesson, key, question, options, truth)
    given, seen = st.session_state.setdefault("predictions", {}), st.session_state.setdefault(SEEN, [])
    with st.container(border=True):
        st.markdown(f"**Predict:** {question}")
        if _name(key) not in seen:
            _choose(key, options, truth)
            return False
        answer, _ = given.get(key, (None, False))
        if answer is None:
            st.info(f"**It is: {truth}.** {options[truth]}")
        elif answer == truth:
            st.success(f"**Right: {answer}.** {options[truth]}", icon=":material/check:")
        else:
            wrong = f"**You said: {answer}.** {options.get(answer, '')}"
            st.warning(f"{wrong}\n\n**It is: {truth}.** {options[truth]}", icon=":material/close:")
        _score(key)
    return True


def _choose(key: str, options: Mapping[str, str], truth: str) -> None:
    chosen = st.radio("Your prediction", list(options), index=None, key=f"predict {key}", label_visibility="collapsed")

    def reveal() -> None:
        answer = st.session_state.get(f"predict {key}")
        if answer is not None:
            st.session_state["predictions"][key] = answer, answer == truth
            st.session_state[SEEN] = [*st.session_state[SEEN], _name(key)]
            link.of_page().forget(SEEN)

    st.button("Reveal", key=f"reveal {key}", disabled=chosen is None, on_click=reveal)


def _score(key: str) -> None:
    """Show how many predictions were right so far, with buttons to ask again or to start a new class."""
    given = st.session_state["predictions"]
    right = sum(hit for _, hit in given.values())
    with st.container(horizontal=True, vertical_alignment="center"):
        if given:
            st.caption(f"Predictions right so far, on all pages: {right} of {len(given)}", width="content")
        st.button("Ask again", key=f"again {key}", type="tertiary", on_click=_forget, args=(key,))
        st.button("Clear the score", key=f"clear {key}", type="tertiary", on_click=_forget)


def _forget(key: str | None = None) -> None:
    """Ask a question again; without a key, all of them."""
    now = st.session_state
    given = now["predictions"]
    now["predictions"] = {other: told for other, told in given.items() if other != key} if key else {}
    now[SEEN] = [name for name in now[SEEN] if name != _name(key)] if key else []
