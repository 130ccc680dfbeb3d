"""MQM or ESA: which rank has a metric where people tie few pairs?"""

import streamlit as st

from ui.evalset import choices
from ui.evalset.compared_set import open_compared
from ui.evalset.tie_kinds import can_be_shown, choose_share_of
from ui.mqm_or_esa import curves, guide, report
from ui.page import glossary, papers, shell
from ui.work import downloads

DOOR = ":material/balance:", "What MQM's many ties and ESA's few do to the ranking."

guide.lead_old_links()
shell.open_page(
    "MQM or ESA",
    "With MQM, people tie two to five of ten pairs; with ESA, about one. **The same metric gets another rank.**",
)
picture = st.container()
case = open_compared()
grouping = None if case is None else choices.choose_grouping(case.data)
share_of = "pairs" if case is None or grouping is None else choose_share_of(case, grouping)
found = None
if case is not None and grouping is not None and case.metrics and can_be_shown(case, grouping):
    with picture:
        found, now = curves.compute(case, grouping, share_of), curves.MOVING.read()
        write = None if found is None else curves.show(case, grouping, found, now)
    if write is not None:
        downloads.embed(write, "few-ties.html")
glossary.terms("MQM", "acc_eq", "calibration ε*", "sentinel metric", "discrete metric", "held-out")

if case is not None and grouping is not None and found is not None:
    st.header("How many pairs do people tie?")
    report.show_published_shares(case, grouping)
    st.header("What can calibration do here?")
    report.at_share(found, now["share"])
    st.header("What to report instead of one rank")
    report.instead(case, grouping, found)

st.header("Try this")
st.markdown(
    "- Drag the grip from MQM to ESA: which metrics rise, and which fall?\n"
    "- At which share does noise stop helping the discrete metrics?\n"
    "- Which metric has the narrowest rank interval? Does its rank without calibration change, too?\n"
    "- Choose WMT23 Chinese–English, the paper's own set, with MaTESe: between which shares does its ε* stay the same?"
    + papers.sources(papers.PERRELLA.cite("Section 4"), also="Shares of ties: see the table above.")
)
