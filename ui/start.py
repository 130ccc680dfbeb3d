"""What is on the start page? A figure to play with, and the links to the pages."""

from __future__ import annotations

import streamlit as st

from tiekit.figures import FIGURES, podium_page
from ui.page import lecture, pages, stage
from ui.present import presenting
from ui.work import downloads

ACROSS = 4

MOVING = stage.Moving("podium", "podium", {"epsilon": "epsilon"}, {"epsilon": 0})


def podium() -> None:
    """Show two metrics on a podium, and the threshold that makes them change places."""
    figure = FIGURES["podium"]
    epsilon = MOVING.read(figure.data())["epsilon"]
    is_new = not st.session_state.setdefault("podium_played", presenting.is_on())  # a scene shows what it says
    st.session_state["podium_played"] = True
    stage.show(figure, figure.data(epsilon, play=is_new and epsilon == 0), "podium", MOVING.keep)


def doors() -> None:
    """Show the links to the lessons, each with a sentence."""
    st.header("Where to begin")
    across = 2 if lecture.is_on() else ACROSS
    lessons = pages.lessons()
    for first in range(0, len(lessons), across):
        for page, column in zip(lessons[first : first + across], st.columns(across, gap="medium"), strict=False):
            with column.container(gap=None):
                st.page_link(page.file, label=page.title, icon=page.icon)
                st.markdown(page.words)


def source() -> None:
    """Say where the idea comes from, and offer the figure as a file."""
    st.markdown(
        "After Deutsch, Foster and Freitag (2023), [Ties Matter](https://aclanthology.org/2023.emnlp-main.798). "
        "The six translations and both metrics are made up; the Leaderboard has the published scores of WMT22. "
        "The same numbers in Python: `import tiekit as tk`."
    )
    with st.container(horizontal=True):
        downloads.embed(podium_page, "podium.html")
