"""Sentinels: is the evaluation fair? Metrics that know too little to win, and where they win all the same."""

import streamlit as st

from ui.evalset.compared_set import open_compared
from ui.page import glossary, shell
from ui.sentinels import folds, noise, parts, probes, shares, signals

DOOR = ":material/shield:", "Is the evaluation fair? Who knows too little to win."

shell.open_page(
    "Sentinels",
    "Is the evaluation fair? A **sentinel** is a metric that cannot deserve to win: noise was added to it, or it lacks "
    "what judging a translation takes. Where it wins all the same, the evaluation rewards the wrong thing.",
)
glossary.terms("sentinel metric", "discrete metric", "acc_eq", "calibration ε*")

st.header("Better by noise")
toy = noise.choose_scores()
if toy is not None:
    noise.say_noise(toy)
    if noise.predict_winner(toy):
        noise.picture(toy)
        st.subheader("A share of your own")
        noise.own_share(toy)

st.header("On an evaluation set")
case = open_compared()
part = parts.choose_part()
if case is not None:
    {
        "share of ties": shares.by_share_of_ties,
        "held out": folds.held_out,
        "probes": probes.ranks_of_probes,
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
