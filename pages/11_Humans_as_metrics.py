"""Humans as metrics: which rank has a human score when another human score judges?"""

import streamlit as st

from ui.evalset.compared_set import open_compared
from ui.humans import on_set
from ui.link.controls import choose_among_few
from ui.page import glossary, lecture, shell

DOOR = ":material/groups:", "Human scores ranked beside metrics: what their rank shows, and what it does not."
PARTS = {
    "human scores": on_set.list_scores,
    "ranks of human scores": on_set.rank,
    "good translations": on_set.by_threshold,
    "best translations": on_set.by_best,
}

shell.open_page("Humans as metrics", "Human scores are judged by another human score, beside metrics. Who ranks where?")
offer = on_set.show_rows()
if not lecture.is_on():
    offer()
    st.page_link("pages/6_Sentinels.py", label="Back to lesson 6", icon=":material/arrow_back:")
glossary.terms("acc_eq", "calibration ε*", "sentinel metric")

st.header("What does the rank of a human score show?")
st.markdown(
    "- **It shows** how far two protocols agree about the same translations. By acc\\_eq\\*, direct assessment agrees "
    "with MQM about as well as chrF, and eight of these ten metrics agree better: a metric that is tuned to MQM can "
    "predict it better than raters who follow other rules.\n"
    "- **It does not show** that metrics are better than people. Let the other score judge: now MQM, by experts, ranks "
    "below BLEU. Neither protocol is the truth.\n"
    "- **A discrete human scale is at a disadvantage, as any discrete metric is.** MQM ties 44 % of the pairs. Where "
    "the judging score ties few, each of these ties counts as an error, and calibration cannot undo it. Random noise, "
    "which knows nothing, lifts MQM from 0.318 to 0.514, rank 12 to rank 4. By Pearson, the noise changes nothing.\n"
    "- **Raters must differ.** If one person gave both scores, they agree for that reason too. "
    "`tk.humans.split_raters` divides raters into two groups that share nobody."
)

st.header("Human scores and decisions on a set")
case = open_compared()
part = choose_among_few("Question", tuple(PARTS), "hum_part")
if case is not None:
    PARTS[part](case)

st.header("Try this")
st.markdown(
    "- Let *wmt-appraise* judge. Which metrics fall most, and what do they have in common with MQM?\n"
    "- Under *good translations*, which metrics beat the answer that every translation is good?\n\n"
    "Sources: Proietti and others (2025), [Has Machine Translation Evaluation Achieved Human Parity?]"
    "(https://arxiv.org/abs/2506.19571); Perrella and others (2024), [Beyond Correlation]"
    "(https://arxiv.org/abs/2410.05183)."
)
