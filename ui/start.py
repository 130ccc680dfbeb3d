"""What is on the start page? An example, and the links to the pages."""

from __future__ import annotations

import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit import charts
from ui.base import presets
from ui.base.text import vector
from ui.page import pages, shell

SHOWN = ("tau_b", "tau_10", "acc_eq")


def what_a_tie_does() -> None:
    """Show two metrics on six translations: which is better depends on how ties count."""
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


def where_to_begin() -> None:
    """Show the links to the pages."""
    st.subheader("Where to begin")
    with st.container(gap="small"):
        for page in pages.lessons():
            link, words = st.columns([2, 5], gap="small", vertical_alignment="center")
            link.page_link(page.file, label=page.title, icon=page.icon)
            words.markdown(page.words)


def draw_values(values: pd.DataFrame, name: str) -> None:
    """Draw coefficients of one metric as bars, with a description in words."""
    words = ", ".join(f"{label} {shown}" for label, shown in zip(values["label"], values["shown"], strict=True))
    figure = charts.value_chart(tuple(values["label"]), shell.theme())
    shell.draw(values, figure, f"Coefficients of {name}: {words}", f"values_{name}")
