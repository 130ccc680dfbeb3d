"""Which lectures are there? Of 20, 45 and 90 minutes; each step is a link to its first scene."""

from __future__ import annotations

import streamlit as st

from ui.present import presenting
from ui.present.presenting import Place
from ui.present.scenes import START, Plan, plans
from ui.work.text import count_noun


def show() -> None:
    """Show the plans beside one another."""
    for plan, column in zip(plans(), st.columns(len(plans()), gap="large"), strict=True):
        with column:
            _plan(plan)


def _plan(plan: Plan) -> None:
    st.subheader(f"{plan.name} minutes")
    st.markdown(plan.aim)
    st.button(
        "Present", key=f"present {plan.name}", on_click=presenting.go, args=(Place(plan.name, 1),), width="stretch",
        icon=":material/slideshow:", help=f"The lecture of {plan.name} minutes from its first slide",
    )  # fmt: skip
    first = 1
    for step in plan.steps:
        label = f"{step.minutes} min · {title(step.page)} · {count_noun(len(step.scenes), 'slide')}"
        place = Place(plan.name, first)
        st.page_link(presenting.BRIDGE, label=label, query_params={presenting.PARAM: str(place)})
        first += len(step.scenes)


def title(stem: str) -> str:
    """Return the title of a page by the stem of its file."""
    return "Start" if stem == START else stem.partition("_")[2].replace("_", " ")
