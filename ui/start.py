"""What is on the start page? A figure to play with, what a tie is, and the steps of the lesson."""

from __future__ import annotations

import streamlit as st

from tiekit.figures import FIGURES, podium_page
from ui.page import glossary, pages, question, stage
from ui.present import presenting
from ui.work import downloads

MOVING = stage.Moving("podium", "podium", {"epsilon": "epsilon"}, {"epsilon": 0})


def podium() -> None:
    """Show two metrics on a podium, and the threshold that makes them change places."""
    figure, now = FIGURES["podium"], st.session_state
    if question.asks():
        MOVING.keep({"epsilon": 0})  # the answer is that of ε = 0
    epsilon = MOVING.read(figure.data())["epsilon"]
    has_played = now.setdefault("podium_played", presenting.is_on())  # a scene shows what it says
    is_new = not has_played and not question.asks()
    now["podium_played"] = has_played or is_new
    stage.show(figure, figure.data(epsilon, play=is_new and epsilon == 0), "podium", MOVING.keep)


def explain() -> None:
    """Say what is asked, or why the answer is what it is, where the idea comes from, and offer the figure as a file."""
    page = pages.path()[0]
    st.markdown((page.opening if question.asks() else page.why).strip(), width=680)
    glossary.terms("pair", "tie", "concordant", "tie threshold ε", "acc_eq")
    st.markdown(
        "After Deutsch, Foster and Freitag (2023), [Ties Matter](https://aclanthology.org/2023.emnlp-main.798). "
        "Translations, scores and metrics are made up."
    )
    with st.container(horizontal=True):
        downloads.embed(podium_page, "podium.html")


def list_pages() -> None:
    """Show the steps of the lesson with their questions."""
    st.header("Seven pages, thirty minutes")
    for page in pages.path():
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.page_link(page.file, label=f"**{page.label}**", width=230)
            if page.number > 1:  # that of this page is its heading
                st.markdown(page.question)
