"""How does one visitor draw a prediction? A bar on a scale; afterwards the truth beside it, with the distance."""

from __future__ import annotations

import streamlit as st

from ui.classroom import guess
from ui.classroom.scale import Scale
from ui.work.text import bare


def ask(key: str, question: str, scale: Scale) -> str | None:
    """Let the visitor draw a guess; return it, None while there is none."""
    now, name = st.session_state, f"predict {key}"

    def hear(text: str) -> None:
        now[name] = text

    drawn: str | None = now.get(name)
    guess.show(scale, bare(question), f"guess {key}", hear, guess=scale.value(drawn), said=scale.hint())
    return drawn


def latest(key: str, scale: Scale) -> str | None:
    """Return the guess when it is revealed: the browser may have told it in the same moment as the button."""
    drawn: str | None = st.session_state.get(f"predict {key}")
    return guess.last(scale, f"guess {key}") or drawn


def forget(key: str) -> None:
    """Forget what was drawn."""
    st.session_state.pop(f"predict {key}", None)


def say(key: str, question: str, scale: Scale, answer: str | None, truth: float, why: str) -> None:
    """Show the truth beside the guess, if there is one, and say how far off it was."""
    found, it_is = scale.value(answer), f"**It is: {scale.words(truth)}.** {why}"
    guess.show(scale, bare(question), f"guess {key}", guess=found, truth=truth)
    if found is None:
        st.info(it_is)
        return
    told = f"You drew {scale.words(found)}: {scale.distance(found, truth)}."
    if scale.is_near(found, truth):
        st.success(f"**Right. {told}** {it_is}", icon=":material/check:")
    else:
        st.warning(f"**{told}**\n\n{it_is}", icon=":material/close:")
