"""From which population are scores drawn? Those of the paper or of the open set, with the user's changes."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial

import streamlit as st

import tiekit as tk
from tiekit.core import digest_of
from ui.evalset.compared_set import ComparedSet
from ui.link.controls import slide
from ui.work import result_cache
from ui.work.text import format_number, plain

CONTROLS = {
    "n_systems": ("Systems", (4, 8, 16, 32)),
    "n_segments": ("Segments", (25, 50, 100, 200)),
    "between": ("Correlation of systems' means", (0.0, 0.2, 0.4, 0.6, 0.8, 0.92, 1.0)),
    "inside": ("Correlation within a system", (0.0, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9)),
}
"""What can be changed: its label and the values on offer, the paper's among them."""

AS_GIVEN = "as given"
"""The parameter is not changed."""


def choose_population(case: ComparedSet, source: str) -> tk.measures.Population:
    """Return the population of the paper or of a metric of the set, with what the user has changed."""
    population = tk.measures.Population()
    if source in case.metrics:
        key = "population", digest_of(case.human, case.metrics[source])
        try:
            population = result_cache.once(
                key, partial(tk.measures.estimate_population, case.human, case.metrics[source])
            )
        except tk.InputError as error:
            st.info(f"{plain(str(error))}. The parameters of the paper are used.")
    with st.expander("Change the parameters"):
        for name, (label, values) in CONTROLS.items():
            wanted = slide(label, [AS_GIVEN, *map(str, values)], AS_GIVEN, f"msr_{name}")
            if wanted != AS_GIVEN:
                population = replace(population, **{name: type(getattr(population, name))(float(wanted))})
    listed = ", ".join(f"{name} {format_number(value, '.3g')}" for name, value in asdict(population).items())
    st.caption(f"Parameters (Appendix C.2, Tables 4 and 5 of the paper): {plain(listed)}.")
    return population
