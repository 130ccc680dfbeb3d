"""Judgments: judges contradict each other, and so cap what any metric can reach."""

import streamlit as st

from ui.judgments import caps, input, metric, on_file
from ui.page import glossary, shell

DOOR = ":material/gavel:", "Judges contradict each other. What can be reached?"

shell.open_page(
    "Judgments",
    "Until 2016 WMT's judges ranked up to five translations of a segment at a time. Two judges who rank the same two "
    "may **contradict** each other, and no metric can agree with both. So **how high can a metric's τ get at all?**",
)
glossary.terms("ranked set", "judgment", "concordant", "τ_14")
input.open_page()

st.header("Judges who disagree")
left, right = st.columns(2, gap="large")
with left:
    input.choose_example()
    typed = input.type_rankings()
with right:
    attainable = caps.show_judgments(typed)
glossary.terms("cap", "intransitive triple")
if is_shown := caps.predict_largest(attainable):
    caps.verdict(attainable)

st.header("A metric beside the cap")
glossary.terms("τ_10", "τ_13", "acc_eq")
scores = input.type_metric(typed)
if is_shown:
    metric.own_metric(attainable, scores)
else:
    st.info("What your metric reaches stands here once you have predicted what any can.")

st.header("A mean of many small τ")
metric.mean_of_sets(attainable, scores)

st.header("On a file of rankings")
glossary.terms("Cohen's κ")
on_file.rankings_of_file()

st.header("Try this")
st.markdown(
    "Predict first, then look:\n"
    "- In the first example, let the third judge agree with the first. By how much does the cap rise, and why?\n"
    "- Make three judges contradict each other on every pair, and yet leave a metric a cap of 1/3 that it reaches.\n"
    "- In *A cycle*, add a fourth judge. Which rankings break the cycle?\n"
    "- In *A judge who repeats*, delete Ann's second line, or Ben's instead. Which of them costs the cap more?\n"
    "- On the sample, resolve contradictions by majority. Which metrics gain, and have they become better?\n\n"
    "Source: Graham, Baldwin and Mathur (2015), [Accurate Evaluation of Segment-level Machine Translation "
    "Metrics](https://aclanthology.org/N15-1124), Section 2: “Before any metric has provided scores for segments, for "
    "example, the maximum and minimum correlation achievable by a participating metric can be computed as, in the case "
    "of WMT-13: … French-to-English: ±0.90”. We could not reproduce that number: on 80,741 of these French–English "
    "judgments (9,996 ranked sets) the formula gives **±0.790**, as you can see with the file. The share of judgments "
    "that side with the majority, (1 + 0.790) / 2 = 0.895, is close to what is printed. Bojar and others (2013), "
    "[Findings of the 2013 WMT](https://aclanthology.org/W13-2201), on agreement."
)
