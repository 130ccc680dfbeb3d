"""Toy lab: edit a few scores, drag epsilon, and watch every coefficient move."""

import streamlit as st

from ui.page import glossary, lecture, shell
from ui.toy_lab import formulas, input, lab

DOOR = ":material/science:", "Type scores; every pair and every formula follows."

shell.open_page(
    "Toy lab",
    "Kendall's τ compares **pairs** of translations. What becomes of the pairs that the human, the metric or both call "
    "**tied** is what sets its variants apart.",
)
if not lecture.is_on():
    glossary.terms("pair", "concordant", "human tie", "metric tie", "tie threshold ε")
input.open_lab()
lab.open_link()

if lecture.is_on():
    input.choose_example()
    results, controls = st.container(), st.expander("The scores")
else:
    controls, results = st.columns([2, 3], gap="large")
with controls:
    if not lecture.is_on():
        input.choose_example()
    scores = input.score_lines()
    formulas.echo(scores)
    formulas.say_near_ties(scores)
with results:
    if scores.metrics:
        lab.show(scores)
    else:
        st.info("No metric fits the human scores yet: give each as many scores as h has.")

if scores.metrics:
    with st.container() if lecture.is_on() else controls:
        formulas.predict_next_epsilon(scores)

    st.header("The formulas with these numbers")
    formulas.formulas(scores)

    st.header("Why not Pearson or Spearman?")
    formulas.pearson(scores)

    st.header("Take it away")
    formulas.take_away(scores)

st.header("Try this")
st.markdown(
    "- Drag ε to 1 in the first example: which coefficients of m2 rise, and which pairs pay for it?\n"
    "- Press *Step* in the first example and count along: m1 ends at C 8, D 1, = 6. Where does m2 go wrong first?\n"
    "- Make a metric that says nothing (all scores alike). Which coefficients call it worthless, which say nothing?\n"
    "- Give h one score throughout. What is left to measure, and what does WMT do with such a segment?\n\n"
    "Source: Deutsch, Foster and Freitag (2023), [Ties Matter](https://aclanthology.org/2023.emnlp-main.798), "
    "Section 2, Figures 1 and 2, Table 1 and Appendix B. As a notebook: `notebooks/01_tie_lab.ipynb`."
)
input.sync_link()
