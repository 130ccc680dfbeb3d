"""Measures: which measure should one trust, and is a difference between two metrics significant by it?"""

import streamlit as st

from ui.evalset.compared_set import open_compared
from ui.measures import agreement, choices, granularity, pair, power, swaps
from ui.page import glossary, shell

DOOR = ":material/balance:", "Which measure should one trust? Which differences are significant?"

shell.open_page(
    "Measures",
    "A **measure** is a grouping and a coefficient. Two measures can rank the same metrics very differently.",
)
place = st.container()
case = open_compared()
measures = choices.choose_measures(case) if case is not None else []
found = None
if case is not None:
    with place:
        found = agreement.show(case, measures)
if case is not None and found is not None:
    with st.expander("All numbers of the picture"):
        agreement.list_values(case, measures, found)
    agreement.predict(found)
glossary.terms("measure", "coefficient", "grouping")

st.header("Is the difference between two metrics significant?")
glossary.terms("permutation test", "p-value", "standardized")
chosen = pair.show_histogram(case) if case is not None else None

st.header("Which measure should one trust?")
part = choices.choose_part()
parts = {
    "power and consistency": power.power_and_consistency,
    "granularity": granularity.rounded_metric,
    "samples of a judge": granularity.averaged_samples,
    "simulation": granularity.simulated_metric,
}
if case is not None and part == "what is swapped" and chosen is not None:
    pair.swap_schemes(case, chosen)
elif case is not None and part in parts:
    parts[part](case, measures)

st.header("A permutation test by hand")
toy = swaps.choose_scores()
if swaps.predict_p(toy):
    swaps.explore(toy)
    swaps.say_result(toy)

st.header("Try this")
st.markdown(choices.TRY_THIS)
