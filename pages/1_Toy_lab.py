"""Toy lab: edit a few scores, drag epsilon, and watch every coefficient move."""

import streamlit as st

from ui.page import glossary, lecture, pages, papers, question, shell
from ui.toy_lab import formulas, inputs, lab

DOOR = ":material/science:", "Edit scores and watch every coefficient change."

TITLE = "Ways to count"

shell.open_page(TITLE, inputs.lead(), is_asked=inputs.are_usual() and not inputs.is_own())
inputs.open_lab()
lab.open_link()

left, right = st.columns([2, 3]) if inputs.is_own() else (st.container(), st.container())[::-1]  # the picture first
with right:
    stage = shell.room("lab")
    if not lecture.is_on():
        with shell.side_of(stage):
            question.explain(pages.find(TITLE))
is_open = inputs.is_own() or inputs.starts_open()
drawer = left.expander("Edit scores", expanded=is_open, key="toy_drawer", on_change="rerun")
with st.container() if lecture.is_on() else drawer:
    inputs.choose_example()
with drawer:
    scores = inputs.score_lines()
    if drawer.open:  # its table costs the browser more than the picture
        formulas.echo(scores)
    formulas.say_near_ties(scores)
with stage:
    if scores.is_older:
        st.caption("The picture shows **older scores**, the last that fit: see *Edit scores* below.")
    if scores.metrics:
        lab.show(scores)
        lab.say_answer(scores, TITLE)
    else:
        st.info("No metric has as many scores as h. Open “Edit scores” below and complete one line.")

if not lecture.is_on():
    glossary.terms("coefficient", "concordant", "human tie", "metric tie")
with shell.researchers() as is_read:
    if is_read and scores.metrics:
        formulas.predict_next_epsilon(scores)
        st.header("The formulas with these numbers")
        formulas.formulas(scores)

        st.header("Why not Pearson or Spearman?")
        formulas.pearson(scores)

        st.header("Download")
        formulas.take_away(scores)

    st.header("Try this")
    st.markdown(
        "- Drag ε to 1 in the first example. Which coefficients of m2 rise? Which pairs become wrong?\n"
        "- Drag the last score of m1 from 1 to 3. Which coefficients now agree that m1 is better?\n"
        "- Press *Step* in the first example and count along: m1 ends at C 8, D 1, = 6. Where does m2 first differ?\n"
        "- Give one metric the same score everywhere. Which coefficients call it worthless, and which are undefined?\n"
        "- Set all human scores to the same value. Which coefficients remain, and what does WMT do with such a segment?"
        + papers.sources(
            papers.DEUTSCH.cite("Section 2, Figures 1 and 2, Table 1, Appendix B"), notebook="02_counting.ipynb"
        )
    )
if not inputs.is_own():
    shell.close_page(TITLE)
inputs.sync_link()
