"""Judgments: judges contradict each other, and this limits the score of any metric."""

import streamlit as st

import tiekit as tk
from ui.judgments import caps, inputs, on_file
from ui.link.controls import choose
from ui.page import glossary, lecture, papers, shell
from ui.work import downloads

DOOR = ":material/gavel:", "Judges contradict each other. How high can any metric score?"

shell.open_page("Judgments", "Judges contradict each other, so **no metric can agree with all of them**.")
inputs.open_page()

picture = st.container()
example, chosen, files = st.columns([5, 2, 2], gap="medium")
with example:
    inputs.choose_example()
with chosen:
    entry = tk.COEFFICIENTS[
        choose("Coefficient", list(inputs.COEFFICIENTS), "jud_coefficient", printed=tk.charts.label_of)
    ]
with st.expander("Edit ranks and scores"):
    typed = inputs.type_rankings()
    scores = inputs.type_metric(typed)
with picture:
    as_page = inputs.show_figure(typed, scores, entry)
if not lecture.is_on():
    with files:
        downloads.embed(as_page, "judgments.html")
    glossary.terms("ranked set", "judgment", "cap", "intransitive triple", "concordant", "τ_14")

st.header("How high can any metric score?")
attainable = caps.find(typed, entry)
caps.verdict(attainable)

st.header("How close does your ranking come to the cap?")
glossary.terms("τ_10", "τ_13", "acc_eq")
caps.own_metric(attainable, scores)

st.header("WMT's τ is a mean over many small rankings")
caps.mean_of_sets(attainable, scores)

st.header("Ten printed caps, and one that differs")
caps.printed_caps()

st.header("Caps on a file of rankings")
glossary.terms("Cohen's κ")
on_file.rankings_of_file()

st.header("Try this")
st.markdown(
    "- Find the best ranking of the first example. Which majority does it contradict?\n"
    "- In *Two pairs in dispute*, let the third judge agree with the first. By how much does the cap rise?\n"
    "- In *A cycle*, add a fourth judge. Which rankings break the cycle?\n"
    "- On the sample, resolve contradictions by majority. Which metrics gain, although no metric has changed?"
    + papers.sources(papers.GRAHAM.cite("Section 2"), papers.BOJAR, notebook="10_judgments.ipynb")
)
