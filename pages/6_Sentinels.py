"""Sentinels: is the evaluation fair? Metrics that know too little to win, and where they win all the same."""

import streamlit as st

from ui.evalset import compared, open
from ui.page import glossary, shell
from ui.sentinels import folds, parts, probes, shares, signals, typed

DOOR = ":material/shield:", "Is the evaluation fair? Who knows too little to win."

shell.open_page(
    "Sentinels",
    "Is the evaluation fair? A **sentinel** is a metric that cannot deserve to win: noise was added to it, or it lacks "
    "what judging a translation takes. Where it wins all the same, the evaluation rewards the wrong thing.",
)
glossary.terms("sentinel metric", "discrete metric", "acc_eq", "calibration ε*")

st.header("Better by noise")
toy = typed.choose_scores()
if toy is not None:
    typed.say_noise(toy)
    if typed.ask(toy):
        typed.picture(toy)
        st.subheader("A share of your own")
        typed.own_share(toy)

st.header("On an evaluation set")
with st.container(border=True):
    data = open.choose_evalset()
case = None if data is None else compared.ask(data)
part = parts.choose_part()
if case is not None:
    {
        "share of ties": shares.lesson,
        "held out": folds.lesson,
        "probes": probes.lesson,
        "metric by metric": signals.correlations,
        "length": signals.length,
        "tied pairs": signals.tied_pairs,
    }[part](case)

st.header("Try this")
st.markdown(
    "Predict first, then look:\n"
    "- In the first example, give the human no ties (`0 -1 -2 …`). Which ε\\* do metric and sentinel get?\n"
    "- Find scores for which noise earns nothing. What must the metric not do?\n"
    "- Under *probes*, choose acc\\_eq by item: which metrics does a probe that orders nothing outrank, and why?\n"
    "- Under *held out*, which metric loses most where ε\\* comes from other documents?\n\n"
    "Source: Perrella and others (2024), [Guardians of the Machine Translation Meta-Evaluation]"
    "(https://aclanthology.org/2024.acl-long.856), Sections 3 and 4, Appendices D, E and G. Their sentinels of "
    "Section 3 are trained models; the probes here need none."
)
