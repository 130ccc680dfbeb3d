"""What every page opens with: its settings, the way to the other pages, the theme, the compiled kernels."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from tiekit.calibration import warm_up

PAGES = {
    "app.py": "Start",
    "pages/1_Toy_lab.py": "Toy lab",
    "pages/3_Calibration.py": "Calibration",
    "pages/5_Leaderboard.py": "Leaderboard",
}

STYLE = """<style>
.stMainBlockContainer { padding-top: 4.25rem; }
a[data-testid="stPageLink-NavLink"]:focus-visible { outline: 2px solid; outline-offset: 2px; }
[data-testid="stStatusWidget"] button { display: none; }
@media (max-width: 700px) { .st-key-wide { display: none; } }
@media (min-width: 701px) { .st-key-narrow { display: none; } }
</style>"""
"""Less room above the title; a keyboard focus on page links that differs from the mark of the present page; no Stop
of Streamlit's, which leaves half a page, beside ours of `ui.work`; and
containers with the keys wide and narrow, for a picture that has a form for each."""


def open_page(title: str, lead: str) -> None:
    """Set the page up and write its title and its one idea."""
    st.set_page_config(page_title=f"{title} · tiekit", layout="wide")
    with st.container(horizontal=True):
        for page, label in PAGES.items():
            st.page_link(page, label=label)
    _compile_kernels()
    st.html(STYLE)
    st.title(title)
    st.markdown(lead)
    st.session_state["notices"] = st.container()  # where anything on the page can say what concerns all of it


@st.cache_resource(show_spinner="Preparing the counting loops; after an installation this takes some seconds …")
def _compile_kernels() -> bool:
    warm_up()
    return True


def theme() -> str:
    """The theme in which charts are drawn: "light" or "dark"."""
    return "dark" if st.context.theme.type == "dark" else "light"


def draw(frame: pd.DataFrame, figure: dict[str, Any], alt: str, key: str) -> None:
    """A chart of `tiekit.charts` over its frame; ``alt`` says in words what it shows."""
    st.vega_lite_chart({**figure, "datasets": {"source": frame}}, alt=alt, key=key)
