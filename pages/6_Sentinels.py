"""When people tie less: which metrics win then, and which should never win?"""

import streamlit as st

from ui.evalset import choices, sources
from ui.evalset.compared_set import open_compared
from ui.evalset.tie_kinds import can_be_shown, choose_share_of
from ui.page import glossary, papers, question, shell
from ui.sentinels import few_ties, folds, noise, probes, report, shares, signals

DOOR = ":material/shield:", "How often people tie decides which metrics can win."

TITLE = "When people tie less"

shell.open_page(TITLE, is_asked=sources.is_usual())
picture = shell.room("few_ties")
if not question.asks():
    few_ties.lead_to_experts()
glossary.terms("sentinel metric", "discrete metric", "MQM", "calibration ε*")

with shell.researchers() as is_read:
    case = open_compared()
    grouping = "item" if case is None else choices.choose_grouping(case.data)
    share_of = "pairs" if case is None else choose_share_of(case, grouping)
    if case is not None and case.metrics and can_be_shown(case, grouping):
        with picture:
            found, now = few_ties.compute(case, grouping, share_of), few_ties.MOVING.read()
            offer = None if found is None else few_ties.show(case, grouping, found, now)
        if is_read and found is not None and offer is not None:
            offer()
            report.show(case, grouping, found, now["share"])
    if is_read:
        if case is not None:
            st.header("Any coefficient, over the share of ties")
            scope = shares.choose_scope(case, grouping, share_of)
            curves = shares.compute(case, scope) if scope.names else None
            if curves is not None:
                shares.show_shares(case, scope, curves)

        st.header("Metrics that should never win")
        part = probes.choose_part()
        if case is not None:
            if part == "probes":
                probes.ranks_of_probes(case, grouping)
            elif part == "share of ties" and curves is not None:
                shares.by_share_of_ties(case, scope, curves)
            elif part == "held out" and scope.names:
                folds.show_held_out(case, scope)
            elif part not in ("share of ties", "held out"):
                {"metric by metric": signals.correlations, "length": signals.length, "tied pairs": signals.tied_pairs}[
                    part
                ](case)

        st.header("Noise on a few scores")
        noise.show()
        st.header("Try this")
        st.markdown(few_ties.TRY + papers.sources(papers.PERRELLA.cite("Sections 3, 4"), notebook="07_few_ties.ipynb"))
shell.close_page(TITLE)
