"""What does a coarser scale do when nothing else changes? The paper's simulation."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit.charts import measure_label
from tiekit.core import Progress
from ui.evalset.compared_set import ComparedSet
from ui.link.controls import choose
from ui.measures import parameters
from ui.measures.granularity import QUOTE, draw_by_levels, ranges, say_movers
from ui.page import glossary, predict, tables
from ui.work import downloads, presets, result_cache
from ui.work.text import format_number

SIMULATED = (2, 3, 5, 9, 13, 20, 50, 100)
SIZES = {"5 populations × 5 roundings": (5, 5), "20 × 10": (20, 10), "100 × 100, the paper's: minutes": (100, 100)}
HUMAN_LEVELS = ("13", "250")
"""Levels of the human scores, as in Figures 5 and 51."""

OF_PAPER = "those of the paper"
"""Not estimated from the open set."""

MOVES = 0.01
"""Groupings whose changes differ by at most this are said to change equally."""

NOT_ONE = "none: the least are about the same"


def simulated_metric(case: ComparedSet, measures: list[str]) -> None:
    """Show the paper's simulation (Figure 5) with any measures; it needs no data."""
    glossary.terms("score granularity")
    one, two, three = st.columns(3, gap="medium")
    with one:
        steps = int(choose("Levels of the human scores, Gʰ", HUMAN_LEVELS, "msr_human_levels"))
    with two:
        size = choose("Number of draws", list(SIZES), "msr_size")
    with three:
        source = choose("Parameters", [OF_PAPER, *case.metrics], "msr_population")
    population = parameters.choose_population(case, source)
    st.markdown(
        f"**{population.n_systems} systems and {population.n_segments} segments are drawn**, so no data set is needed. "
        "Each system has a quality, and each of its translations a quality near it; the metric sees both through "
        "noise. Then the scores of both sides are rounded at random thresholds."
    )
    if not measures:
        return
    n, rounds = SIZES[size]
    key = ("simulation", tuple(measures), steps, n, rounds, population)
    done = result_cache.compute(
        "Drawing and rounding", {size: (key, partial(_simulate, tuple(measures), steps, n, rounds, population))}
    )
    if not done:
        return
    found: tk.measures.SimulatedGranularity = done[size]
    if not _predict_simulated(found.means, key):
        return
    left, right = st.columns(2, gap="medium")
    with left:
        draw_by_levels(found.means, "value", "correlation", key, "msr_simulated")
    with right:
        draw_by_levels(found.means, "change", "change from the smallest G", key, "msr_changes")
    say_movers(found.means, "Simulated")
    whole = pd.DataFrame(found.means)
    shown = whole.rename(columns=measure_label).map(format_number)
    tables.grid(shown, "simulation", "Each simulated measure by the metric's number of levels G", values=whole)
    worst = found.errors.max().max()
    st.markdown(
        f"Mean over {n} populations, each rounded {rounds} times; standard errors up to {format_number(worst)}. "
        "The paper's Algorithm 3 as printed rounds again what it has rounded; here each rounding starts from the "
        "scores as drawn."
    )
    st.markdown(_beside_paper(found.means))
    st.code(found.signature, language=None, wrap_lines=True)
    call = f"tk.measures.simulate_granularity({SIMULATED}, {measures}, human_levels={steps}, n_populations={n}, "
    call += f"n_thresholds={rounds}"
    call += ").means" if population == tk.measures.Population() else f", population=tk.measures.{population}).means"
    downloads.show_code("simulation", call, {})


def _simulate(
    measures: tuple[str, ...], steps: int, n: int, rounds: int, population: tk.measures.Population, progress: Progress
) -> tk.measures.SimulatedGranularity:
    sizes: dict[str, Any] = {"human_levels": steps, "n_populations": n, "n_thresholds": rounds}
    return tk.measures.simulate_granularity(
        SIMULATED, measures, population=population, **sizes, rng=presets.SEED, progress=progress
    )


def _predict_simulated(values: pd.DataFrame, key: tuple[object, ...]) -> bool:
    """Let the user predict which grouping changes least with G; return whether the answer may be drawn."""
    moved = ranges(values)
    groupings = moved.groupby([str(name).split("/")[0] for name in moved.index], sort=False).mean().dropna()
    if len(groupings) < 2:
        return True
    groupings = groupings.sort_values()
    why = {
        "global": (
            "So many pairs count that few roundings matter.",
            "Each score counts by itself, so each score's rounding does.",
        ),
        "item": ("Rounding ties few of a group's scores.", "A few scores a group: rounding ties many of them."),
        "system": (
            "A group holds many scores, and as they lie close together there was less to lose.",
            "Within a system scores lie close together, and rounding wipes out what sets them apart.",
        ),
        "system_means": (
            "Each system's mean is over many scores, and their roundings cancel out.",
            "Roundings cancel out in a mean, but few means are left, and each that swaps ranks shows.",
        ),
    }
    level = bool(groupings.iloc[1] - groupings.iloc[0] <= MOVES)
    least = [str(name) for name, value in groupings.items() if value - groupings.iloc[0] <= MOVES]
    numbers = ", ".join(f"{str(name).replace('_', ' ')} {format_number(value)}" for name, value in groupings.items())
    options = {
        name.replace("_", " "): ("It is among those that move least. " * level + both[0]) if name in least else both[1]
        for name, both in why.items()
        if name in groupings
    }
    options[NOT_ONE] = f"One moves less than all others by more than {MOVES}."
    if level:
        names = " and ".join(name.replace("_", " ") for name in least)
        options[NOT_ONE] = f"What {names} move by differs by {MOVES} or less, which few draws do not tell apart."
    truth = NOT_ONE if level else str(groupings.index[0]).replace("_", " ")
    options[truth] += f" Mean of largest minus smallest value: {numbers}."
    question = "The metric's levels go from 2 to 100, the population stays. Which grouping's values move least?"
    return predict.predict_first(f"measures simulated: {key[1:]}", question, options, truth)


def _beside_paper(means: pd.DataFrame) -> str:
    """Say what the paper finds on sensitivity, and what its groupings are called here."""
    words = (
        f"The paper finds of language models' scores of real data (Section 4.3.1) that measures {QUOTE}; what its "
        "simulation shows “generally aligns” (4.3.2). Its *system-level* grouping is *system means* here; *by system* "
        "is another, which it calls item-level."
    )
    moved = ranges(means).dropna()
    moved = moved.groupby([str(name).split("/")[0] for name in moved.index]).mean()
    if {"system", "system_means"} <= set(moved.index):
        words += (
            f" On average *system means* move by {format_number(moved['system_means'])}, *by system* by "
            f"{format_number(moved['system'])}."
        )
    return words
