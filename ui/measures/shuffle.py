"""Is the difference between two metrics of the open set significant? Swaps that fall into a histogram."""

from __future__ import annotations

from functools import partial

import streamlit as st

from tiekit.figures import FIGURES, TITLE_OF_TEST, swaps_of_test
from tiekit.significance import SWAPS
from ui.evalset.compared_set import ComparedSet
from ui.measures import pair
from ui.measures.pair import MetricPair
from ui.measures.swap_result import SwapTest
from ui.page import stage
from ui.work import downloads, presets, result_cache

MOVING = stage.Moving("shuffle", "swap_explorer", {"draws": "msr_drawn"}, {"draws": 0})

OF_TEST = {"samples": [0.0], "most": None}
"""Of a test that has been run not "all" is drawn but a number, which may exceed what is there."""


def show(case: ComparedSet) -> MetricPair | None:
    """Test two metrics, and let swaps fall into a histogram; return the pair, None where there is nothing to test."""
    if len(case.metrics) < 2:
        st.info("This set has one metric only.")
        return None
    place = st.container()
    chosen, scheme = pair.choose_pair(case)
    label = SWAPS[scheme].label
    task = pair.tasks_of(case, chosen)[label]
    with place:
        done = result_cache.compute(f"Swapping {presets.RESAMPLES} times", {label: task})
        if not done:
            return chosen
        test: SwapTest = done[label]
        if test.difference != test.difference:
            st.info("The measure is undefined for one of the metrics, so there is nothing to test.")
            return chosen
        data = swaps_of_test(test, (chosen.first, chosen.second))
        data["draws"] = min(MOVING.read(OF_TEST)["draws"], test.size)
        stage.show(FIGURES["swap_explorer"], data, "msr_shuffle", MOVING.keep)
    made = f"{chosen.first} and {chosen.second}, {chosen.measure}. {test.signature}"
    write = partial(FIGURES["swap_explorer"].page, data, made, TITLE_OF_TEST)
    downloads.embed(write, "permutation-test.html", key="embed shuffle")
    pair.show_code(case, chosen, scheme)
    return chosen
