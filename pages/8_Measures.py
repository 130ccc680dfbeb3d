"""Measures: is the difference of two metrics real, and which measure should one trust?"""

import streamlit as st

from ui.evalset.compared_set import open_compared
from ui.measures import agreement, choices, granularity, pair, power, simulation, swaps
from ui.page import glossary, shell

DOOR = ":material/balance:", "Is the difference real? Which measure can tell?"

shell.open_page(
    "Measures",
    "A **measure** is a grouping and a coefficient. It ranks metrics; another one ranks them differently. "
    "**Is a difference real, and which measure tells metrics apart?**",
)

st.header("Is the difference real?")
glossary.terms("permutation test", "p-value", "standardized")
toy = swaps.choose_scores()
swaps.swap_by_hand(toy)
if swaps.predict_p(toy):
    swaps.picture(toy)

st.header("On an evaluation set")
case = open_compared()
part = choices.choose_part()
if case is not None:
    {
        "one pair": pair.swap_schemes,
        "agreement": agreement.agreement_of_measures,
        "power and consistency": power.power_and_consistency,
        "granularity": granularity.rounded_metric,
        "simulation": simulation.simulated_metric,
    }[part](case)

st.header("Try this")
st.markdown(
    "Predict first, then look:\n"
    "- In *A wide gap*, measure by τ\\_b instead. Which coefficient tells A and B apart better, and why?\n"
    "- In *One translation apart*, the scores of which translations can you swap and the gap stays? Try it by hand.\n"
    "- Make a gap of two metrics on four translations significant. How small can p get with 2⁴ ways to swap?\n"
    "- Under *one pair*, find two metrics that only *pairs* tells apart.\n"
    "- Under *granularity*, which measure rewards a metric for saying less?\n\n"
    "Sources: Gao and others (2024), *Analyzing and Evaluating Correlation Measures in NLG Meta-Evaluation* "
    "(arXiv 2410.16834), Sections 2 and 4, Algorithms 1 to 3, Appendix C: “the measure using global grouping and "
    "Pearson correlation coefficient exhibits the best performance in both discriminative power and ranking "
    "consistency”. Deutsch, Dror and Roth (2021), [A Statistical Analysis of Summarization Evaluation Metrics Using "
    "Resampling Methods](https://aclanthology.org/2021.tacl-1.67), on what is swapped. Deutsch, Foster and Freitag "
    "(2023), [Ties Matter](https://aclanthology.org/2023.emnlp-main.798), on swapping outcomes of pairs. As a "
    "notebook: `notebooks/04_swap_explorer.ipynb`."
)
