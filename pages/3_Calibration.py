"""Calibration: how close must two metric scores be to count as tied?"""

import streamlit as st

from ui.calibration import identical, on_set, other_data, sampling, walk
from ui.evalset import sources
from ui.page import glossary, pages, papers, question, shell

DOOR = ":material/tune:", "How close must two scores be to count as tied? The best ε of every metric."

shell.open_page(on_set.TITLE, is_asked=sources.is_usual())
first = shell.room("curves")
glossary.terms("metric", "tie", "tie threshold ε", "acc_eq")
with shell.side_of(first):
    question.explain(pages.find(on_set.TITLE), is_why_told=False)

with shell.researchers(is_needed=not sources.is_usual()) as is_read:
    glossary.terms("calibration", "MQM", "system", "segment", "grouping")
    case = on_set.choose_metric()
    if case is not None:
        with first:
            offer = on_set.show_all(case)
        if is_read and offer is not None:
            offer()
    if is_read:
        st.header("Algorithm 1, step by step")
        toy = walk.choose_walk()
        if toy is not None:
            at = walk.choose_step(toy)
            walk.pictures(toy, at)
            walk.say(toy, at)
            walk.changes(toy, at)
            walk.predict_best(toy)
            walk.show_code(toy, at)

        found = None if case is None else on_set.calibrate(case)
        if case is not None and found is not None:
            st.header("The chosen metric")
            if on_set.say(case, found):
                on_set.picture(case, found)
                on_set.offer_downloads(case, found)

                st.header("What does ε\\* mean?")
                on_set.read_back(case, found)

                st.header("Algorithm 2, and every k-th pair")
                sampling.every_kth(case, found)

                st.header("The same translation twice")
                glossary.terms("identical translations", "noise floor")
                identical.show(case, found)

                st.header("Does ε\\* generalize?")
                glossary.terms("in-sample", "held-out")
                other_data.cross_validation(case, found)
                other_data.transfer(case)

    st.header("Try this")
    st.markdown(
        "- Which metrics lose ranks when all are calibrated, and which gain? Compare both sides of the slope chart.\n"
        "- Move the crosshair of BLEU to the far right. Why is its best ε so close to tying every pair?\n"
        "- Group the pairs by system or not at all: does ε\\* raise acc\\_eq more or less, and why?\n"
        "- In the steps, set all human scores to one value. Which pairs can become wrong, and where must ε\\* lie?\n"
        "- Find scores for which the best ε ties everything although h is not constant. What has m learned?"
        + papers.sources(
            papers.DEUTSCH.cite("Algorithms 1, 2, Section 5.1"),
            notebook=("04_calibration.ipynb", "12_identical.ipynb"),
        )
    )
shell.close_page(on_set.TITLE)
