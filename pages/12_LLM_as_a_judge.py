"""LLM as a judge: which judge agrees with people? It depends on how ties are counted."""

import streamlit as st

from ui.link import link
from ui.llm_as_a_judge import numbers, sides
from ui.page import glossary, lecture, papers, shell
from ui.work import downloads

DOOR = ":material/balance:", "Two judges vote on the same answers. How ties are counted decides which one is better."

shell.open_page(
    "LLM as a judge",
    "Two language models, here made up, compare answers. **How ties are counted** decides which agrees with people.",
)
link.of_page()

picture = st.container()
st.header("Votes")
with st.container(border=True):
    opened = sides.choose_votes()
    chosen = sides.choose_sides(opened)
if opened.is_bundled:
    st.markdown(
        "These votes are **made up**: a person compares answers to 480 questions; Atlas scores from 1 to 10 with a "
        "decimal, Boreas from 1 to 5, both in both orders. They are no evidence about real judges."
    )
if chosen is not None:
    with picture:
        shown = sides.show_figure(chosen)
        if shown is not None and not lecture.is_on():
            downloads.embed(shown[1], "judges.html")
            glossary.terms("LLM as a judge", "agreement without ties", "agreement with ties", "tie threshold ε")
if chosen is not None and shown is not None:
    thresholds = shown[0]
    st.header("What do other measures say?")
    glossary.terms("Cohen's κ", "τ_eq", "τ_13")
    numbers.every_measure(chosen, thresholds)

    st.header("Is one judge better?")
    glossary.terms("bootstrap interval", "position bias")
    numbers.difference(chosen, thresholds)

    st.header("What to report")
    numbers.report(chosen, thresholds)
    numbers.code(chosen, thresholds)

st.header("Try this")
st.markdown(
    "- Press *Best for each*: which judge agrees better with ties now, and how many votes are left without them?\n"
    "- Move the slider of Boreas to its end. Why has it no value without ties, and does Atlas beat it there?\n"
    "- Under *Votes in both orders*, count a disagreement as a tie. Which judge gains, which one loses, and why?\n"
    "- Upload votes of your own. Does the order of the judges depend on ties?"
    + papers.sources(
        papers.ZHENG.cite("Sections 3.3 and 4.2, Tables 2, 5 and 6"),
        also="A judge that scores single answers is a metric: open its scores on the Leaderboard page.",
    )
)
