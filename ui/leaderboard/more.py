"""What stands below the leaderboard? How to read it, its code, groups used, and the values that a paper printed."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from ui.evalset import groupings
from ui.leaderboard import fairness, published_values, value_table
from ui.leaderboard.board import file_stem
from ui.leaderboard.question import Question
from ui.page import glossary

TERMS = (
    *("metric", "reference-based", "MQM", "system", "segment", "pair", "coverage", "rank cluster"),
    *("τ_a", "τ_b", "τ_c", "τ_10", "τ_13", "τ_14", "acc_eq", "calibration ε*"),
)


def show(frame: pd.DataFrame, question: Question) -> None:
    """Show how to read the table and what it was made of."""
    fairness.say(frame)
    st.markdown(
        "Higher is better, and the rank stands in brackets. † marks a mean over fewer groups than other metrics have, "
        "✚ your own metric. Click a heading to sort. A coefficient with a star is calibrated: scores that differ by "
        "at most ε\\* count as tied."
    )
    glossary.terms(*TERMS)
    question.show_code(f"{file_stem(question)}-leaderboard")
    value_table.group_table(frame, question)
    published_values.compare(frame, question)
    with st.expander("What do the papers call these groupings?"):
        groupings.paper_names()
