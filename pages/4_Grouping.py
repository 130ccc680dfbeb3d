"""Grouping: which translations are compared with which, and which metric wins by it."""

import streamlit as st

from ui.evalset import groupings, sources
from ui.grouping import inputs, on_set, values
from ui.page import glossary, shell

DOOR = ":material/table_rows:", "Four ways to choose the pairs that are compared."

shell.open_page(
    "Grouping",
    "The same scores can make either metric win. It depends on **which pairs are compared**.",
)
inputs.open_page()
place, row = st.container(), st.container(horizontal=True, vertical_alignment="bottom")
with st.expander("Edit scores"):
    inputs.choose_example()
    scores = inputs.score_lines()
with row:
    judged = values.choose_coefficient(scores)
with place:
    values.show(judged)
with row:
    values.offer_page(judged)
values.explain(judged)
glossary.terms("grouping", "system", "segment", "pair", "system level")

st.header("The values under all four groupings")
values.verdict(judged)

st.header("How does a grouping make one number?")
values.show_averaging(judged)

st.header("All metrics of an evaluation set")
with st.container(border=True):
    opened = sources.choose_evalset()
case = None if opened is None else on_set.choose_comparison(opened)
if case is not None:
    on_set.show(case)

st.header("What papers call the groupings")
groupings.paper_names()

st.header("Try this")
st.markdown(inputs.TRY_THIS)
