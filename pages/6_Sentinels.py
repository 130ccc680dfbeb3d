"""Sentinels: is the evaluation fair? Metrics that should never win, and where they win all the same."""

import streamlit as st

from ui.evalset import sources
from ui.evalset.compared_set import open_compared
from ui.page import glossary, papers, shell
from ui.sentinels import folds, noise, probes, shares, signals

DOOR = ":material/shield:", "Metrics that should never win, and where they win all the same."

TITLE = "When people tie less"

shell.open_page(TITLE, is_asked=sources.is_usual())
picture = st.container()
case = open_compared()
scope = None if case is None else shares.choose_scope(case)
if case is not None and scope is not None and scope.names:
    with picture:
        curves = shares.compute(case, scope)
        offer = None if curves is None else shares.show_shares(case, scope, curves)
    if offer is not None:
        offer()
glossary.terms("sentinel metric", "discrete metric", "acc_eq", "calibration ε*")

with shell.researchers():
    st.header("Metrics that should never win")
    part = probes.choose_part()
    if case is not None and scope is not None:
        if part == "probes":
            probes.ranks_of_probes(case, scope.grouping)
        elif part == "share of ties":
            shares.by_share_of_ties(case, scope)
        elif part == "held out":
            folds.show_held_out(case, scope)
        else:
            {"metric by metric": signals.correlations, "length": signals.length, "tied pairs": signals.tied_pairs}[
                part
            ](case)

    st.header("Noise on a few scores")
    toy = noise.choose_scores()
    if toy is not None:
        noise.say_noise(toy)
        if noise.predict_winner(toy):
            noise.picture(toy)
            st.subheader("A share of your own")
            noise.own_share(toy)

    st.header("Try this")
    st.markdown(
        "- Drag the rule to 0 %: by how many ranks does noise move each discrete metric?\n"
        "- Under *probes*, choose acc\\_eq: which metrics does a constant outrank by item, and why?\n"
        "- Under *held out*, which metric loses most where ε\\* comes from other documents?\n"
        "- Find scores where noise does not help. What must the metric avoid?"
        + papers.sources(
            papers.PERRELLA.cite("Sections 3 and 4, Appendices D, E and G"),
            also="Their sentinels of Section 3 are trained models; the probes here need none.",
            notebook="07_few_ties.ipynb",
        )
    )
shell.close_page(TITLE)
