"""NaN problem: what becomes of a segment for which a coefficient has no value?"""

import streamlit as st

from ui.evalset import open
from ui.link import link
from ui.nan_problem import buckets, by_group, input, policies, puzzle, tie_breaking, undefined
from ui.page import glossary, shell

DOOR = ":material/block:", "Who says nothing about hard segments can win."

shell.open_page(
    "NaN problem",
    "Where the human or the metric gives all translations of a segment one score, τ\\_b divides by zero: it has **no "
    "value**. In 2021 and 2022 WMT dropped such segments from that metric's mean. So who says nothing about the hard "
    "ones can win.",
)
glossary.terms("NaN problem", "undefined group", "common groups", "τ_b")
first = input.starting_values() | puzzle.STARTING_VALUES
link.of_page().fill("nan", first, buckets.IN_LINK | tie_breaking.IN_LINK | undefined.IN_LINK)

st.header("Segments without a value")
lines, cells = st.columns(2, gap="large")
with lines:
    input.choose_example()
    data = input.type_scores()
with cells:
    typed = by_group.evaluate_typed(data)
    undefined.picture(typed)
policies.compare(typed, "typed segments")

st.header("On an evaluation set")
with st.container(border=True):
    opened = open.choose_evalset()
found = None if opened is None else by_group.evaluate_set(opened)
if found is not None:
    undefined.count_table(found)
    undefined.grid(found)
    policies.compare(found, "evaluation set")
scores = {"the evaluation set": found, "the typed segments": typed} if found else {"the typed segments": typed}

st.header("Winning by saying less: buckets")
buckets.bucket_effect(scores)

st.header("Winning by guessing: ties broken at random")
tie_breaking.random_tie_breaking(scores)

st.header("A puzzle: make the worse metric win")
puzzle.tying_puzzle()

st.header("Try this")
st.markdown(
    "- In the first example choose acc\\_eq. Which cells get a value, and do the policies still differ?\n"
    "- Give B a small difference in segment 3, such as 5 5 5 6. What does it cost B under drop, and why does it gain "
    "under zero?\n"
    "- Under *More choices* remove the metrics that tie much. How many groups are in common now, and who leads?\n"
    "- At which number of buckets is τ\\_b highest, and what does that cost in groups? And acc\\_eq?\n\n"
    "Source: Deutsch, Foster and Freitag (2023), [Ties Matter](https://aclanthology.org/2023.emnlp-main.798), "
    "Sections 4.2 and 6.1, Figure 3 and Tables 3, 4 and 9. As a notebook: `notebooks/03_nan_explorer.ipynb`."
)
