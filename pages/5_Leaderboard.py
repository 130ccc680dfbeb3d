"""Leaderboard: which metric agrees best with the human scores, and how much that depends on the coefficient."""

import streamlit as st

from ui.evalset import groupings, open, probes
from ui.leaderboard import at_first_sight, board, newcomer, official, significance, two_metrics, value_table
from ui.leaderboard.question import choose_question
from ui.page import glossary, shell

DOOR = ":material/leaderboard:", "Rank the metrics of WMT22 or of your own files, by every coefficient."

shell.open_page(
    "Leaderboard",
    "Which metric agrees best with the human scores? **The answer changes with the coefficient**, because each "
    "coefficient counts ties in its own way.",
)
control, result = st.columns([2, 3])[0], st.container()
source, human, domain, tested, adding = st.columns([4, 3, 2, 3, 3], gap="small", vertical_alignment="bottom")
opened = open.choose_evalset(source, needs_metrics=False)
if opened is None:
    st.stop()
opened = newcomer.add_metrics(opened, adding)
more = st.container()
with result:
    question = choose_question(opened, (human, control, domain), more)
    frame = None if question is None else board.compute(question, more)
if question is None or frame is None:
    st.stop()
with tested:
    tests = at_first_sight.choose_tests(question)
with result:
    at_first_sight.show(frame, question, tests)
    probes.say(question.probes)
    st.header("How do ranks change with the coefficient?")
    at_first_sight.show_ranks(frame, question)
with more:
    st.markdown(
        "Higher is better, and the rank stands in brackets. † marks a mean over fewer groups than other metrics have, "
        "✚ your own metric. Click a heading to sort. A coefficient with a star is calibrated: scores that differ by "
        "at most ε\\* count as tied."
    )
    terms = ("metric", "reference-based", "MQM", "system", "segment", "pair", "coverage", "rank cluster")
    glossary.terms(*terms, "τ_a", "τ_b", "τ_c", "τ_10", "τ_13", "τ_14", "acc_eq", "calibration ε*")
    question.show_code(f"{board.file_stem(question)}-leaderboard")
    value_table.group_table(frame, question)
    with st.expander("What do the papers call these groupings?"):
        groupings.paper_names()

st.header("Which differences are significant?")
significance.test_differences(question)

st.header("Two metrics, coefficient by coefficient")
two_metrics.side_by_side(frame, question)
official.show(open.opened_root())

st.header("Download")
board.offer_downloads(frame, question)
