"""Which part of the measures page is shown, with which metrics and measures?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit.core import FloatArray, digest_of
from ui.evalset import choices
from ui.evalset.compared_set import ComparedSet
from ui.evalset.groupings import name_in_words
from ui.link.controls import choose_among_few, choose_many
from ui.page import papers, predict
from ui.work.text import format_number

Dataset: TypeAlias = tuple[FloatArray, dict[str, FloatArray]]
"""Human scores and those of metrics."""

PARTS = ("off", "what is swapped", "power and consistency", "granularity", "samples of a judge", "simulation")
TRY_THIS = (
    "- In *A wide gap*, measure by τ\\_b instead. Which coefficient tells A and B apart better, and why?\n"
    "- In *One translation apart*, the scores of which translations can you swap without changing the difference?\n"
    "- Make the difference between two metrics on four translations significant. How small can p be?\n"
    "- Under *what is swapped*, find two metrics that only *outcomes of pairs* tells apart.\n"
    "- Under *granularity*, which measure rewards a metric for using fewer scores?"
    + papers.sources(
        papers.GAO.cite("Figure 1, Sections 2 and 4, Algorithms 1 to 3, Appendix C"),
        papers.DROR,
        also="Gao and others: “the measure using global grouping and Pearson correlation coefficient exhibits the best "
        "performance in both discriminative power and ranking consistency”. Outcomes of pairs are swapped by WMT's "
        "program [mt-metrics-eval](https://github.com/google-research/mt-metrics-eval).",
        notebook=("11_measures.ipynb", "06_chance.ipynb"),
    )
)
"""What to try, and the sources, in Markdown."""

USUAL = ("pearson", "spearman", "tau_b")
"""The coefficients of Gao et al. (2024); with all groupings they make their twelve measures."""

NOT_BY_DOCUMENT = (
    "Measures by document are not offered here: half-splits, samples of a judge and simulated scores have single "
    "segments, not documents. The test of two metrics below groups pairs by document, too."
)
"""Why measures by document are not offered."""

AT_FIRST = 6
"""The number of metrics that are compared at first."""


def choose_part() -> str:
    """Let the user choose what is shown; nothing else is computed."""
    return choose_among_few("Show", PARTS, "msr_part")


def usual_measures(case: ComparedSet) -> list[str]:
    """Return the measures that are shown at first: the paper's twelve, where all groupings make sense."""
    return [f"{grouping}/{name}" for grouping in choices.groupings(case.data) for name in USUAL]


def coefficients() -> list[str]:
    """Return all coefficients, and with a star those that can be calibrated."""
    return [*tk.COEFFICIENTS, *(f"{name}*" for name in choices.calibrated_coefficients())]


def choose_measures(case: ComparedSet, *, usual: tuple[str, ...] = USUAL) -> list[str]:
    """Let the user choose groupings and coefficients; at first the paper's twelve measures."""
    groupings = choices.groupings(case.data)
    names = [name_in_words(name) for name in groupings]
    why = NOT_BY_DOCUMENT if case.data.documents else None
    shown = choose_many("Groupings", names, names, "msr_groupings", help=why)
    chosen = [name for name in groupings if name_in_words(name) in shown]
    wanted = choose_many(
        "Coefficients (a star: calibrated)", coefficients(), usual, "msr_coefficients", printed=tk.charts.label_of
    )
    found = [f"{grouping}/{coefficient}" for grouping in chosen for coefficient in wanted]
    if not found:
        st.info("Choose at least one grouping and one coefficient.")
    return found


def choose_metrics(case: ComparedSet, least: int = 2) -> dict[str, FloatArray]:
    """Let the user choose metrics; none, with the reason, if there are too few."""
    names = choose_many("Metrics", list(case.metrics), usual_metrics(case), "msr_metrics")
    if len(names) < least:
        st.info(f"Choose at least {least} metrics.")
        return {}
    return {name: case.metrics[name] for name in names}


def usual_metrics(case: ComparedSet) -> list[str]:
    """Return the first metrics that read the translation and are not constant."""
    read = [name for name, number in case.levels.items() if number > 1 and "Length" not in name]
    return read[:AT_FIRST] if len(read) > 1 else list(case.metrics)[:AT_FIRST]


def predict_least(
    key: str,
    question: str,
    means: pd.Series,
    tolerance: float,
    why: Mapping[str, tuple[str, str]],
    none: Mapping[str, tuple[str, str]],
    words: tuple[str, str],
    *,
    is_about_files: bool = False,
) -> bool:
    """Let the user predict which grouping has the smallest mean; return whether the answer may be drawn.

    ``why`` says of each grouping why it may have it, and why it may not; ``none`` is the option that several are level
    up to the tolerance, with what is said if they are (of their ``{names}``) and if not. ``words`` are put before the
    reason of one of several, and before all means.
    """
    means = means.dropna().sort_values()
    if len(means) < 2:
        return True
    called = {str(name): str(name).replace("_", " ") for name in means.index}
    least = [name for name in called if means[name] - means.iloc[0] <= tolerance]
    (neither, (level, apart)), is_level = *none.items(), len(least) > 1
    options = {
        called[name]: words[0] * is_level + best if name in least else other
        for name, (best, other) in why.items()
        if name in called
    }
    names = " and ".join(called[name] for name in least)
    options[neither] = level.format(names=names) if is_level else apart
    truth = neither if is_level else called[least[0]]
    numbers = ", ".join(f"{called[name]} {format_number(means[name])}" for name in called)
    options[truth] += f" {words[1]}: {numbers}."
    return predict.predict_first(key, question, options, truth, is_about_files=is_about_files)


def data_key(case: ComparedSet, metrics: dict[str, FloatArray]) -> tuple[object, ...]:
    """Return what results depend on: the scores and their names."""
    return (tuple(metrics), digest_of(case.human, *metrics.values()))
