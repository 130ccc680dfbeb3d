"""What is on the start page? A figure to play with, what a tie is, and the steps of the lesson."""

from __future__ import annotations

import streamlit as st

from tiekit.figures import FIGURES, podium_page
from ui.page import glossary, pages, stage
from ui.present import presenting
from ui.work import downloads

MOVING = stage.Moving("podium", "podium", {"epsilon": "epsilon"}, {"epsilon": 0})


def podium() -> None:
    """Show two metrics on a podium, and the threshold that makes them change places."""
    figure = FIGURES["podium"]
    epsilon = MOVING.read(figure.data())["epsilon"]
    is_new = not st.session_state.setdefault("podium_played", presenting.is_on())  # a scene shows what it says
    st.session_state["podium_played"] = True
    stage.show(figure, figure.data(epsilon, play=is_new and epsilon == 0), "podium", MOVING.keep)


def explain() -> None:
    """Say what pairs and ties are, where the idea comes from, and offer the figure as a file."""
    st.markdown(f"{pages.path()[0].why.strip()} **Which metric is better depends on what counts as a tie.**")
    glossary.terms("pair", "tie", "concordant", "tie threshold ε", "acc_eq")
    st.caption(
        "After Deutsch, Foster and Freitag (2023), [Ties Matter](https://aclanthology.org/2023.emnlp-main.798). "
        "The six translations and both metrics are made up; WMT22 has its published scores."
    )
    with st.container(horizontal=True):
        downloads.embed(podium_page, "podium.html")


def list_pages() -> None:
    """Show the steps of the lesson with their questions."""
    st.header("Seven pages, thirty minutes")
    for page in pages.path():
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.page_link(page.file, label=f"**{page.label}**", width=230)
            st.markdown(page.question)
