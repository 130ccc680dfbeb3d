"""What is on the start page? A figure to play with, and what a tie is."""

from __future__ import annotations

from typing import Any

import streamlit as st

from tiekit.figures import FIGURES, podium_page
from ui.page import glossary, pages, question, shell, stage
from ui.work import downloads

MOVING = stage.Moving("podium", "podium", {"epsilon": "epsilon"}, {"epsilon": 0})


def podium() -> None:
    """Show two metrics on a podium, and the threshold that makes them change places."""
    figure = FIGURES["podium"]
    if question.asks():
        MOVING.keep({"epsilon": 0})  # the answer is that of ε = 0
    stage.show(figure, figure.data(MOVING.read(figure.data())["epsilon"]), "podium", MOVING.keep)


def explain(picture: Any) -> None:
    """Say what is compared, beside the picture while something is asked."""
    with shell.side_of(picture):
        question.explain(pages.path()[0])
        if question.asks():
            st.markdown(pages.story()["how"])


def sources() -> None:
    """Explain the terms, say where the idea comes from, and offer the figure as a file."""
    glossary.terms("segment", "pair", "tie", *([] if question.asks() else ["tie threshold ε"]))
    st.markdown(
        "After Deutsch, Foster and Freitag (2023), [Ties Matter](https://aclanthology.org/2023.emnlp-main.798). "
        "Translations, scores and metrics are made up."
    )
    with st.container(horizontal=True):
        downloads.embed(podium_page, "podium.html")
