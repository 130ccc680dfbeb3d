"""Grouping: which translations are compared with which, and what a metric wins by it."""

import streamlit as st

from ui.evalset import groupings, open
from ui.grouping import averaging, input, on_set, pictures, winners
from ui.page import glossary, shell

DOOR = ":material/table_rows:", "Which translations are compared? Four answers."

shell.open_page(
    "Grouping",
    "A coefficient compares pairs of translations. **Which pairs** is a choice of its own, and the same scores can "
    "crown one metric or the other by it.",
)
input.open_page()
st.header("The same scores, four groupings")
input.choose_example()
scores = input.score_lines()

st.header("Which pairs are compared?")
st.markdown(
    "Rows are systems, columns are segments. In each **group** every score is compared with every other, and nothing "
    "with a score of another group. The coefficient's value is the mean over the groups."
)
glossary.terms("grouping", "system", "segment", "pair", "system level")
pictures.draw_groups(scores)

st.header("Which metric wins?")
judged = winners.choose_coefficient(scores)
if winners.predict_winners(judged):
    winners.verdict(judged)
    st.header("How a grouping makes one number")
    averaging.show_averaging(judged)

st.header("On an evaluation set")
with st.container(border=True):
    opened = open.choose_evalset()
case = None if opened is None else on_set.choose_comparison(opened)
if case is not None:
    on_set.show(case)

st.header("What the papers call them")
groupings.paper_names()

st.header("Try this")
st.markdown(
    "Predict first, then look:\n"
    "- In the first example, let `difficulty` see one thing within a segment: change one of its scores. What does "
    "by item give for it now?\n"
    "- Make human scores on which knowing the segment is worth nothing. What must all segments have in common?\n"
    "- Find two metrics whose order reverses between system and system means.\n"
    "- In *Small groups weigh as much*, remove scores until `broad` wins by item.\n\n"
    "Sources: Deutsch, Foster and Freitag (2023), [Ties Matter](https://aclanthology.org/2023.emnlp-main.798), "
    "Section 2.2 and Appendix A, Equations 1 to 3. Perrella and others (2024), "
    "[Guardians of the Machine Translation Meta-Evaluation](https://aclanthology.org/2024.acl-long.856), Section 3: "
    "without grouping and by system, a metric that sees only the source outranks strong ones; by segment it is at the "
    "bottom. Gao and others (2024), *Analyzing and Evaluating Correlation Measures in NLG Meta-Evaluation*, Section 2."
)
