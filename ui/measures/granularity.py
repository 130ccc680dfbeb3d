"""What does a coarser scale do? A metric rounded to G levels, and the same in the paper's simulation."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd
import pyarrow as pa
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.counting.scores import FloatArray
from tiekit.progress import Progress
from tiekit.signature import digest_of
from ui.base import notebook, resampling, text, work
from ui.base.frames import cell
from ui.base.text import plain
from ui.evalset import compared
from ui.link.controls import choose
from ui.measures import choices, tested
from ui.measures.choices import Case
from ui.page import glossary, predict, shell, tables

TALE = "Contour-refA"
"""Of the bundled set: a metric with many levels, good enough to lose something."""

LEVELS = (2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 100)
COARSE, FINE = 5, 100
"""What is asked for: acc_eq at the one, beside the other."""

TIED = ("item/acc_eq", "item/acc_eq*")
SIMULATED = (2, 3, 5, 9, 13, 20, 50, 100)
SIZES = {"5 populations × 5 roundings": (5, 5), "20 × 10": (20, 10), "100 × 100, the paper's: minutes": (100, 100)}
HUMAN_LEVELS = ("13", "250")
"""As in Figures 5 and 51."""

LEVEL = 0.005
"""Values at most so far apart are said to be level."""

QUOTE = (
    "“using the system-level grouping or Kendall's τ are basically not affected by the score granularity, where the "
    "consistency almost remains unchanged”"
)
"""Gao et al. (2024), Section 4.3.1, of Figure 4."""

MOVES = 0.01
"""Groupings whose values move alike up to so much are said to move the same."""

HIGHER, LOWER, SAME = "higher", "lower", "about the same"
NOT_ONE = "none: the least are about the same"


# ---------------------------------------------------------------------------------------------- the metric rounded


def lesson(case: Case) -> None:
    """One metric rounded to G levels, each measure against G (Figure 4), acc_eq too."""
    glossary.terms("score granularity", "bucket")
    measures = choices.choose_measures(case)
    names = sorted(case.metrics, key=lambda name: (name != TALE, -case.levels[name]))
    metric = choose("Which metric is rounded?", names, "msr_rounded")
    people = work.once(("levels", digest_of(case.human)), lambda: compared.levels(case.human))
    own = case.levels[metric]
    st.markdown(
        f"{plain(metric)} gives {own:,} different scores here, the human {people:,}. Its range "
        "is cut into G equal parts, and all scores of a part become one, as if it could only say G different things."
    )
    if not measures:
        return
    scores = case.metrics[metric]
    key = ("granularity", digest_of(case.human, scores), tuple(measures))
    done = work.do("Rounding", {metric: (key, partial(_round, case.human, scores, tuple(measures)))})
    if not done:
        return
    plainly, tied = done[metric]
    if not _ask_rounded(tied, metric, key):
        return
    _show_rounded(case, metric, plainly, tied, key)
    call = f"human, metric = chosen.human[{case.rated!r}], chosen.metrics[{metric!r}]\n"
    call += f"tk.measures.granularity(human, metric, {LEVELS}, {[*measures, *TIED]})"
    case.show_code("granularity", [metric], call)


def _round(
    human: FloatArray, scores: FloatArray, measures: tuple[str, ...], progress: Progress
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Values by G of the measures that were chosen, and of acc_eq."""
    found = []
    for at, names in enumerate((measures, TIED)):
        parts = []
        for number, level in enumerate(LEVELS):
            parts.append(tk.measures.granularity(human, scores, [level], names))
            progress((at * len(LEVELS) + number + 1) / (2 * len(LEVELS)))
        found.append(pd.concat(parts))
    return found[0], found[1]


def _ask_rounded(tied: pd.DataFrame, metric: str, key: tuple[object, ...]) -> bool:
    """What does a coarse scale do to acc_eq? Whether the answer may be drawn."""
    coarse, fine = cell(tied, COARSE, TIED[0]), cell(tied, FINE, TIED[0])
    if coarse != coarse or fine != fine:
        return True
    truth = SAME if abs(coarse - fine) <= LEVEL else HIGHER if coarse > fine else LOWER
    options = {
        HIGHER: "Fewer levels tie more pairs, and where the human ties a lot, most of these ties are right. acc\\_eq "
        "pays for a tie that is right what it pays for an order that is right.",
        SAME: "What the ties gain where the human ties, they lose where the human does not. That is a coincidence.",
        LOWER: "The metric says less, so it is right less often: true where the human ties little.",
    }
    options[truth] = f"At G = {COARSE} it is {coarse:.3f}. {options[truth]}"
    asked = (
        f"Rounded to {FINE} levels, {plain(metric)} has acc\\_eq = {fine:.3f} by item, **without** calibration. And "
        f"with only **{COARSE} levels**?"
    )
    return predict.ask(f"measures rounded {metric} {key[1]}", asked, options, truth)


def _show_rounded(case: Case, metric: str, plainly: pd.DataFrame, tied: pd.DataFrame, key: tuple[object, ...]) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        _draw(plainly, "value", "correlation", key, "msr_rounded_all")
    with right:
        _draw(tied, "value", "acc_eq by item", key, "msr_rounded_tied")
    _say_movers(plainly, f"{plain(metric)} rounded")
    st.markdown(_otherwise(plainly, len(case.human)))
    star, bare = tied[TIED[1]], tied[TIED[0]]
    st.markdown(
        f"acc\\_eq is highest at **G = {bare.idxmax()}** ({bare.max():.3f}); at {FINE} it is {bare.loc[FINE]:.3f}. "
        f"acc\\_eq\\* chooses its ties itself, so it only moves between {star.min():.3f} and {star.max():.3f}: from "
        "fine scores calibration can make the ties it needs, from coarse ones it cannot take them away."
    )
    whole = plainly.join(tied)
    shown = whole.rename(columns=tested.label).map(lambda value: text.number(value))
    tables.grid(shown, "granularity", f"Each measure of {metric} by its number of levels G", values=whole)


# ---------------------------------------------------------------------------------------------------- simulation


def simulation(case: Case) -> None:
    """The paper's simulation (Figure 5) with any measures; it needs no data."""
    glossary.terms("score granularity")
    measures = choices.choose_measures(case)
    one, two = st.columns(2, gap="medium")
    with one:
        steps = int(choose("Levels of the human scores, Gʰ", HUMAN_LEVELS, "msr_human_levels"))
    with two:
        size = choose("How much is drawn?", list(SIZES), "msr_size")
    population = tk.measures.Population()
    st.markdown(
        f"No data: {population.n_systems} systems and {population.n_segments} segments are **drawn**. Each system has "
        "a quality, each translation one about it; the metric sees both through noise. Parameters are those that the "
        "paper found in its 30 data sets (Appendix C.2). Then both sides are rounded at random thresholds."
    )
    if not measures:
        return
    n, rounds = SIZES[size]
    key = ("simulation", tuple(measures), steps, n, rounds)
    done = work.do("Drawing and rounding", {size: (key, partial(_simulate, tuple(measures), steps, n, rounds))})
    if not done:
        return
    found: tk.measures.SimulatedGranularity = done[size]
    if not _ask_simulated(found.means, key):
        return
    left, right = st.columns(2, gap="medium")
    with left:
        _draw(found.means, "value", "correlation", key, "msr_simulated")
    with right:
        _draw(found.means, "change", "change from the smallest G", key, "msr_changes")
    _say_movers(found.means, "Simulated")
    whole = pd.DataFrame(found.means)
    shown = whole.rename(columns=tested.label).map(lambda value: text.number(value))
    tables.grid(shown, "simulation", "Each simulated measure by the metric's number of levels G", values=whole)
    worst = found.errors.max().max()
    st.markdown(
        f"Mean over {n} populations, each rounded {rounds} times; standard errors up to {worst:.3f}. "
        "The paper's Algorithm 3 as printed rounds again what it has rounded; here each rounding starts from the "
        "scores as drawn."
    )
    st.markdown(_beside_paper(found.means))
    st.code(found.signature, language=None, wrap_lines=True)
    call = f"tk.measures.simulate_granularity({SIMULATED}, {measures}, human_levels={steps}, n_populations={n}, "
    call += f"n_thresholds={rounds}).means"
    notebook.show("simulation", call, {})


def _simulate(
    measures: tuple[str, ...], steps: int, n: int, rounds: int, progress: Progress
) -> tk.measures.SimulatedGranularity:
    sizes: dict[str, Any] = {"human_levels": steps, "n_populations": n, "n_thresholds": rounds}
    return tk.measures.simulate_granularity(SIMULATED, measures, **sizes, rng=resampling.SEED, progress=progress)


def _ask_simulated(values: pd.DataFrame, key: tuple[object, ...]) -> bool:
    """Which grouping moves least with G? Whether the answer may be drawn."""
    moved = _ranges(values)
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
            "Roundings cancel out in a mean, but few means are left, and each that changes places shows.",
        ),
    }
    level = bool(groupings.iloc[1] - groupings.iloc[0] <= MOVES)
    least = [str(name) for name, value in groupings.items() if value - groupings.iloc[0] <= MOVES]
    numbers = ", ".join(f"{str(name).replace('_', ' ')} {value:.3f}" for name, value in groupings.items())
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
    asked = "The metric's levels go from 2 to 100, the population stays. Which grouping's values move least?"
    return predict.ask(f"measures simulated {key[1:]}", asked, options, truth)


def _beside_paper(means: pd.DataFrame) -> str:
    """What the paper says of sensitivity, and what its names of groupings are here."""
    words = (
        f"The paper finds of language models' scores of real data (Section 4.3.1) that measures {QUOTE}; what its "
        "simulation shows “generally aligns” (4.3.2). Its *system-level* grouping is *system means* here; *by system* "
        "is another, which it calls item-level."
    )
    moved = _ranges(means).dropna()
    moved = moved.groupby([str(name).split("/")[0] for name in moved.index]).mean()
    if {"system", "system_means"} <= set(moved.index):
        words += (
            f" On average *system means* move by {moved['system_means']:.3f}, *by system* by {moved['system']:.3f}."
        )
    return words


def _otherwise(values: pd.DataFrame, n_systems: int) -> str:
    """Where what moves most is what the paper finds not to move: why that may be."""
    moved = _ranges(values).dropna()
    most = str(moved.idxmax()) if len(moved) > 1 else "/"
    grouping, coefficient = most.split("/")
    if coefficient != "tau_b" and grouping != "system_means":
        return ""
    words = (
        f"The paper finds the opposite: measures {QUOTE} (Section 4.3.1). There a language model is asked more often, "
        "so that its mean score gets finer and more certain; here one metric's scores are rounded, from G = 2 on."
    )
    if grouping == "system_means":
        return f"{words} And of {n_systems} means, each that changes places with another shows."
    best = values[most].idxmax()
    if best == values.index[-1]:
        return words
    return (
        f"{words} τ\\_b is highest at G = {best}: where the human ties a lot, a rounded metric ties many of the same "
        "pairs. A pair that both tie is not counted against it; a pair that only the human ties is."
    )


def _ranges(values: pd.DataFrame) -> pd.Series:
    return pd.Series(values.max() - values.min())


def _say_movers(values: pd.DataFrame, what: str) -> None:
    moved = _ranges(values).dropna().sort_values()
    if len(moved) < 2:
        return
    least, most = ((tested.label(str(moved.index[end])), moved.iloc[end]) for end in (0, -1))
    st.markdown(
        f"**{what}: “{plain(least[0])}” moves least, by {least[1]:.3f}; “{plain(most[0])}” most, by {most[1]:.3f}.**"
    )


def _draw(values: pd.DataFrame, column: str, title: str, key: tuple[object, ...], name: str) -> None:
    """Each measure over G."""
    measures = tuple(map(str, values.columns))
    frame = work.once(("grain", name, *key), lambda: pa.Table.from_pandas(charts.granularity_frame(values)))
    first, last = values.iloc[0], values.iloc[-1]
    words = "; ".join(f"{tested.label(m)} {text.number(first[m])} to {text.number(last[m])}" for m in measures)
    figure = charts.granularity_chart(measures, shell.theme(), column=column, title=title)
    shell.draw(frame, figure, f"{title} from G = {values.index[0]} to {values.index[-1]}: {words}", name)
