"""Calibration: how close must two metric scores be to count as a tie?"""

import streamlit as st

from ui.calibration import held_out, on_set, steps
from ui.calibration.walk import choose_step, choose_walk
from ui.evalset import open
from ui.page import glossary, shell

DOOR = ":material/tune:", "How close is a tie? The algorithm that finds ε\\*."

shell.open_page(
    "Calibration",
    "Annotators often give two translations the same score, most metrics never do. So **how close is a tie?** "
    "Calibration tries every distance between two of the metric's scores and keeps ε\\*, the one that serves it best.",
)
glossary.terms("metric", "tie", "tie threshold ε", "calibration")

st.header("Algorithm 1, step by step")
st.markdown(
    "**1.** The candidates for ε are 0 and every distance |mᵢ − mⱼ|. **2.** For each, two scores at most ε apart are a "
    "tie of the metric: count the pairs, work out the coefficient. **3.** The largest value wins."
)
glossary.terms("pair", "coefficient", "acc_eq")
walk = choose_walk()
if walk is not None:
    at = choose_step(walk)
    steps.pictures(walk, at)
    steps.say(walk, at)
    steps.changes(walk, at)
    steps.predict_best(walk)
    steps.show_code(walk, at)

st.header("On an evaluation set")
glossary.terms("MQM", "system", "segment", "grouping")
with st.container(border=True):
    opened = open.choose_evalset()
case = None if opened is None else on_set.choose_metric(opened)
found = None if case is None else on_set.calibrate(case)
if case is not None and found is not None and on_set.say(case, found):
    on_set.picture(case, found)
    on_set.offer_downloads(case, found)

    st.header("What does ε\\* mean?")
    on_set.read_back(case, found)

    st.header("Does it hold elsewhere?")
    glossary.terms("in-sample", "held-out")
    held_out.cross_validation(case, found)

st.header("Try this")
st.markdown(
    "Predict first, then step:\n"
    "- Give h one score throughout. Which pairs can lose now, and where must ε\\* lie?\n"
    "- In the first example, make m 0 1 2 3 5 4. What does tying items 5 and 6 cost, and why?\n"
    "- Find scores for which the best ε ties everything although h is not constant. What has m learned?\n"
    "- On the synthetic set, compare Contour-refA by item and global: where does ε\\* raise acc\\_eq more, and why?\n\n"
    "Source: Deutsch, Foster and Freitag (2023), [Ties Matter](https://aclanthology.org/2023.emnlp-main.798), "
    "Algorithm 1 and Section 5.1. As a notebook: `notebooks/02_calibration_explorer.ipynb`."
)
