"""Is the difference between two metrics of the open set significant? Swaps that fall into a histogram."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from tiekit.figures.swap_explorer.data import FIGURE, KEYS, TITLE_OF_TEST, of_test
from tiekit.significance import SWAPS
from ui.evalset.compared_set import ComparedSet
from ui.measures import pair
from ui.measures.pair import MetricPair
from ui.measures.swap_result import SwapTest
from ui.page import stage
from ui.work import downloads, presets, result_cache


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
        moved = stage.moving("shuffle", {"msr_drawn": 0}, lambda _, value: type(value) is int and value >= 0)
        data = {**of_test(test, (chosen.first, chosen.second)), "draws": min(moved["msr_drawn"], test.size)}
        stage.show(FIGURE, data, "msr_shuffle", stage_keep)
    made = f"{chosen.first} and {chosen.second}, {chosen.measure}. {test.signature}"
    write = partial(FIGURE.as_page, data, KEYS, TITLE_OF_TEST, made)
    downloads.embed(write, "permutation-test.html", key="embed shuffle")
    pair.show_code(case, chosen, scheme)
    return chosen


def stage_keep(said: dict[str, Any]) -> None:
    """Keep how many swaps have been drawn."""
    stage.keep({"msr_drawn": said["draws"]} if "draws" in said else {})
