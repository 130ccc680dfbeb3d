"""The start page's example and its doors."""

from __future__ import annotations

import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit import charts
from ui.base import presets
from ui.base.text import vector
from ui.page import shell

SHOWN = ("tau_b", "tau_10", "acc_eq")


def what_a_tie_does() -> None:
    """Two metrics on six translations: which is better depends on what ties count."""
    preset = presets.presets()["Figure 2 of Deutsch et al."]
    st.subheader("What a tie does")
    st.markdown(f"The human scores six translations **{vector(preset['human'])}**: four of them tie.")
    for (name, scores), column in zip(preset["metrics"].items(), st.columns(2, gap="medium"), strict=True):
        counts = tk.count_pairs(preset["human"], scores)
        wrong = counts.total - counts.concordant - counts.ties_both
        with column:
            st.markdown(f"**{name}** says {vector(scores)}: {wrong} of {counts.total} pairs wrong.")
            draw_values(charts.value_frame(preset["human"], scores, 0.0, SHOWN), name)
    st.markdown(
        "τ\\_b cannot tell them apart, τ\\_10 calls the worse one perfect: neither credits a tie that the metric got "
        "right. acc\\_eq, the share of pairs that are right, ties included, does."
    )
    st.markdown(
        "After Deutsch, Foster and Freitag (2023), [Ties Matter](https://aclanthology.org/2023.emnlp-main.798). "
        "The same numbers in Python: `import tiekit as tk`."
    )


DOORS = {
    "pages/1_Toy_lab.py": (":material/science:", "Type scores; every pair and every formula follows."),
    "pages/2_NaN_problem.py": (":material/block:", "Who says nothing about hard segments can win."),
    "pages/3_Calibration.py": (":material/tune:", "How close is a tie? The algorithm that finds ε\\*."),
    "pages/4_Grouping.py": (":material/table_rows:", "Which translations are compared? Four answers."),
    "pages/5_Leaderboard.py": (":material/leaderboard:", "The sample or your own files: values, ranks, ε\\*."),
    "pages/6_Sentinels.py": (":material/shield:", "Is the evaluation fair? Who knows too little to win."),
    "pages/7_Judgments.py": (":material/gavel:", "Judges contradict each other. What can be reached?"),
    "pages/8_Measures.py": (":material/balance:", "Is the difference real? Which measure can tell?"),
}
"""The pages in their order, each with its icon and what one does there."""


def where_to_begin() -> None:
    """Links to the pages."""
    st.subheader("Where to begin")
    with st.container(gap="small"):
        for page, (icon, what) in DOORS.items():
            link, words = st.columns([2, 5], gap="small", vertical_alignment="center")
            link.page_link(page, label=shell.PAGES[page], icon=icon)
            words.markdown(what)


def draw_values(values: pd.DataFrame, name: str) -> None:
    """Coefficients of one metric as bars, and in words for who cannot see them."""
    words = ", ".join(f"{label} {shown}" for label, shown in zip(values["label"], values["shown"], strict=True))
    figure = charts.value_chart(tuple(values["label"]), shell.theme())
    shell.draw(values, figure, f"Coefficients of {name}: {words}", f"values_{name}")
