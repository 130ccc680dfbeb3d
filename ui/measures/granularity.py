"""What does a coarser scale do? A metric of the open set rounded, samples of a judge averaged, and scores simulated."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.charts import measure_label
from tiekit.core import digest_of
from ui.evalset.compared_set import ComparedSet, levels
from ui.link.controls import choose, choose_many, slide
from ui.measures.choices import predict_least
from ui.page import glossary, predict, shell, tables
from ui.work import downloads, presets, result_cache
from ui.work.text import cell, format_number, plain

TALE = "Contour-refA"
"""A metric of the bundled set with many levels, good enough to lose something."""

LEVELS = (2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 100)
COARSE, FINE = 5, 100
"""The two numbers of levels at which acc_eq is compared in the question."""

TIED = ("item/acc_eq", "item/acc_eq*")
LEVEL = 0.005
"""Values that differ by at most this are called level."""

QUOTE = (
    "“using the system-level grouping or Kendall's τ are basically not affected by the score granularity, where the "
    "consistency almost remains unchanged”"
)
"""Gao et al. (2024), Section 4.3.1, of Figure 4."""

HIGHER, LOWER, SAME = "higher", "lower", "about the same"

REPEATS = 100
"""The most choices of n samples that are averaged; the paper has 1,000."""

SIMULATED = (2, 3, 5, 9, 13, 20, 50, 100)
SIZES = {"5 populations × 5 roundings": (5, 5), "20 × 10": (20, 10), "100 × 100, the paper's: minutes": (100, 100)}
HUMAN_LEVELS = ("13", "250")
"""Levels of the human scores, as in Figures 5 and 51."""

OF_PAPER = "those of the paper"
"""Not estimated from the open set."""

CONTROLS = {
    "n_systems": ("Systems", (4, 8, 16, 32)),
    "n_segments": ("Segments", (25, 50, 100, 200)),
    "between": ("Correlation of systems' means", (0.0, 0.2, 0.4, 0.6, 0.8, 0.92, 1.0)),
    "inside": ("Correlation within a system", (0.0, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9)),
}
"""What can be changed of a population: its label and the values on offer, the paper's among them."""

AS_GIVEN = "as given"
"""The parameter is not changed."""

MOVES = 0.01
"""Groupings whose changes differ by at most this are said to change equally."""

WHY = {
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
"""Why a grouping's values may move least, and why they may not."""


def rounded_metric(case: ComparedSet, measures: list[str]) -> None:
    """Show each measure, and acc_eq, of a metric rounded to G levels (Figure 4)."""
    glossary.terms("score granularity", "bucket")
    names = sorted(case.metrics, key=lambda name: (name != TALE, -case.levels[name]))
    metric = choose("Which metric is rounded?", names, "msr_rounded")
    people = result_cache.once(("levels", digest_of(case.human)), lambda: levels(case.human))
    own = case.levels[metric]
    st.markdown(
        f"{plain(metric)} gives {own:,} different scores here, the human {people:,}. Its range "
        "is cut into G equal parts, and all scores of a part become one, so that only G different scores remain."
    )
    if not measures:
        return
    scores, wanted = case.metrics[metric], list(dict.fromkeys([*measures, *TIED]))
    key = ("granularity", digest_of(case.human, scores), tuple(measures))
    round_it = partial(tk.measures.granularity, case.human, scores, LEVELS, wanted)
    done = result_cache.compute("Rounding", {metric: (key, lambda progress: round_it(progress=progress))})
    if not done:
        return
    values: pd.DataFrame = done[metric]
    if not _predict_rounded(values, metric, key):
        return
    _show_rounded(case, metric, values, measures, key)
    call = f"human, metric = chosen.human[{case.rated!r}], chosen.metrics[{metric!r}]\n"
    call += f"tk.measures.granularity(human, metric, {LEVELS}, {wanted})"
    case.show_code("granularity", [metric], call)


def _predict_rounded(values: pd.DataFrame, metric: str, key: tuple[object, ...]) -> bool:
    """Let the user predict what a coarse scale does to acc_eq; return whether the answer may be drawn."""
    coarse, fine = cell(values, COARSE, TIED[0]), cell(values, FINE, TIED[0])
    if coarse != coarse or fine != fine:
        return True
    truth = SAME if abs(coarse - fine) <= LEVEL else HIGHER if coarse > fine else LOWER
    options = {
        HIGHER: "Fewer levels tie more pairs, and where the human ties a lot, most of these ties are right. acc\\_eq "
        "counts a correct tie as much as a correct order.",
        SAME: "The correct ties gained equal the correct orders lost. That is a coincidence.",
        LOWER: "Fewer levels lose correct orders. This happens where the human ties little.",
    }
    options[truth] = f"At G = {COARSE} it is {format_number(coarse)}. {options[truth]}"
    question = (
        f"Rounded to {FINE} levels, {plain(metric)} has acc\\_eq = {format_number(fine)} by item, **without** "
        f"calibration. And "
        f"with only **{COARSE} levels**?"
    )
    return predict.predict_first(f"measures rounded: {metric} {key[1]}", question, options, truth, is_about_files=True)


def _show_rounded(
    case: ComparedSet, metric: str, values: pd.DataFrame, measures: list[str], key: tuple[object, ...]
) -> None:
    plainly, (bare, star) = values[measures], (values[name] for name in TIED)
    left, right = st.columns(2, gap="medium")
    with left:
        _draw_by_levels(plainly, "value", "correlation", key, "msr_rounded_all")
    with right:
        _draw_by_levels(values[list(TIED)], "value", "acc_eq by item", key, "msr_rounded_tied")
    _say_movers(plainly, f"{plain(metric)} rounded")
    st.markdown(_otherwise(plainly, len(case.human)))
    st.markdown(
        f"acc\\_eq is highest at **G = {bare.idxmax()}** ({format_number(bare.max())}); at {FINE} it is "
        f"{format_number(bare.loc[FINE])}. "
        f"acc\\_eq\\* is calibrated, so it only moves between {format_number(star.min())} and "
        f"{format_number(star.max())}: from "
        "fine scores calibration can make ties, but in coarse ones it cannot undo them."
    )
    shown = values.rename(columns=measure_label).map(format_number)
    tables.grid(shown, "granularity", f"Each measure of {metric} by its number of levels G", values=values)


def _otherwise(values: pd.DataFrame, n_systems: int) -> str:
    """Why a measure may change most although the paper finds that it does not change."""
    moved = _ranges(values)
    most = str(moved.idxmax()) if len(moved) > 1 else "/"
    grouping, coefficient = most.split("/")
    if coefficient != "tau_b" and grouping != "system_means":
        return ""
    words = (
        f"The paper finds the opposite: measures {QUOTE} (Section 4.3.1). There a language model is asked more often, "
        "so that its mean score gets finer and more certain; here one metric's scores are rounded, from G = 2 on."
    )
    if grouping == "system_means":
        return f"{words} And of {n_systems} means, each change of rank is large."
    best = values[most].idxmax()
    if best == values.index[-1]:
        return words
    return (
        f"{words} τ\\_b is highest at G = {best}: where the human ties a lot, a rounded metric ties many of the same "
        "pairs. A pair that both tie is not counted against it; a pair that only the human ties is."
    )


def _ranges(values: pd.DataFrame) -> pd.Series:
    """By how much each measure that has a value changes with G."""
    return (values.max() - values.min()).dropna()


def _ranges_by_grouping(values: pd.DataFrame) -> pd.Series:
    """The same, in the mean over each grouping's measures."""
    moved = _ranges(values)
    return moved.groupby([str(name).split("/")[0] for name in moved.index], sort=False).mean()


def _say_movers(values: pd.DataFrame, what: str) -> None:
    """Say which measure changes least and which most."""
    moved = _ranges(values).sort_values()
    if len(moved) < 2:
        return
    least, most = ((measure_label(str(moved.index[end])), moved.iloc[end]) for end in (0, -1))
    st.markdown(
        f"**{what}: “{plain(least[0])}” moves least, by {format_number(least[1])}; “{plain(most[0])}” most, by "
        f"{format_number(most[1])}.**"
    )


def _draw_by_levels(values: pd.DataFrame, column: str, title: str, key: tuple[object, ...], name: str) -> None:
    """Draw each measure over G."""
    measures = tuple(map(str, values.columns))
    frame = result_cache.once(("grain", name, *key), lambda: pa.Table.from_pandas(charts.granularity_frame(values)))
    first, last = values.iloc[0], values.iloc[-1]
    words = "; ".join(f"{measure_label(m)} {format_number(first[m])} to {format_number(last[m])}" for m in measures)
    figure = charts.granularity_chart(measures, shell.theme(), column=column, title=title)
    shell.draw(frame, figure, f"{title} from G = {values.index[0]} to {values.index[-1]}: {words}", name)


def averaged_samples(case: ComparedSet, measures: list[str]) -> None:
    """Show each measure of the mean of n samples, for every n (Figure 4)."""
    st.markdown(
        "A language model that is asked again gives other scores. The mean of several samples has more different "
        "scores. Upload a set with one file of scores per sample, and choose these files."
    )
    names = choose_many("Samples of one judge", list(case.metrics), [], "msr_samples")
    if len(names) < 2 or not measures:
        st.info("Choose at least two samples and one measure.")
        return
    scores = [case.metrics[name] for name in names]
    key = "samples", digest_of(case.human, *scores), tuple(measures)
    average = partial(tk.measures.granularity_of_samples, case.human, np.array(scores), measures, repeats=REPEATS)
    task = key, lambda progress: average(rng=presets.SEED, progress=progress)
    done = result_cache.compute("Averaging", {"samples": task})
    if not done:
        return
    found: pd.DataFrame = done["samples"]
    rows: dict[int, dict[str, str]] = {}
    for n, measure, median, low, high, _, number in found.itertuples(index=False):
        row = rows.setdefault(n, {"levels": f"{number:,.0f}"})
        row[measure_label(measure)] = f"{format_number(median)} ({format_number(low)} to {format_number(high)})"
    shown = pd.DataFrame.from_dict(rows, orient="index").rename_axis("samples")
    tables.grid(shown, "samples", "Each measure by the number of samples that are averaged", values=found)
    st.markdown(f"Median over up to {REPEATS} choices of n samples, with the percentiles 2.5 and 97.5.")
    call = f"samples = np.array([chosen.metrics[name] for name in {names}])\n"
    call += f"tk.measures.granularity_of_samples(chosen.human[{case.rated!r}], samples, {measures}, repeats={REPEATS})"
    case.show_code("samples of a judge", names, f"import numpy as np\n\n{call}")


# --------------------------------------------------------------------------------------------- the paper's simulation


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
    population = _choose_population(case, source)
    st.markdown(
        f"**{population.n_systems} systems and {population.n_segments} segments are drawn**, so no data set is needed. "
        "Each system has a quality, and each of its translations a quality near it; the metric sees both through "
        "noise. Then the scores of both sides are rounded at random thresholds."
    )
    if not measures:
        return
    n, rounds = SIZES[size]
    key = ("simulation", tuple(measures), steps, n, rounds, population)
    simulate = partial(
        tk.measures.simulate_granularity,
        SIMULATED,
        measures,
        population=population,
        human_levels=steps,
        n_populations=n,
        n_thresholds=rounds,
        rng=presets.SEED,
    )
    done = result_cache.compute("Drawing and rounding", {size: (key, lambda progress: simulate(progress=progress))})
    if not done:
        return
    found: tk.measures.SimulatedGranularity = done[size]
    values = found.means
    why_level = f"What {{names}} move by differs by {MOVES} or less, which few draws do not tell apart."
    if not predict_least(
        f"measures simulated: {key[1:]}",
        "The metric's levels go from 2 to 100, the population stays. Which grouping's values move least?",
        _ranges_by_grouping(values),
        MOVES,
        WHY,
        {"none: the least are about the same": (why_level, f"One moves less than all others by more than {MOVES}.")},
        ("It is among those that move least. ", "Mean of largest minus smallest value"),
    ):
        return
    left, right = st.columns(2, gap="medium")
    with left:
        _draw_by_levels(values, "value", "correlation", key, "msr_simulated")
    with right:
        _draw_by_levels(values, "change", "change from the smallest G", key, "msr_changes")
    _say_movers(values, "Simulated")
    shown = pd.DataFrame(values).rename(columns=measure_label).map(format_number)
    tables.grid(shown, "simulation", "Each simulated measure by the metric's number of levels G", values=values)
    worst = found.errors.max().max()
    st.markdown(
        f"Mean over {n} populations, each rounded {rounds} times; standard errors up to {format_number(worst)}. "
        "The paper's Algorithm 3 as printed rounds again what it has rounded; here each rounding starts from the "
        "scores as drawn."
    )
    st.markdown(_compare_with_paper(values))
    st.code(found.signature, language=None, wrap_lines=True)
    call = f"tk.measures.simulate_granularity({SIMULATED}, {measures}, human_levels={steps}, n_populations={n}, "
    call += f"n_thresholds={rounds}"
    call += ").means" if population == tk.measures.Population() else f", population=tk.measures.{population}).means"
    downloads.show_code("simulation", call, {})


def _choose_population(case: ComparedSet, source: str) -> tk.measures.Population:
    """Return the population of the paper or of a metric of the set, with what the user has changed."""
    population = tk.measures.Population()
    if source in case.metrics:
        sides = case.human, case.metrics[source]
        estimate = partial(tk.measures.estimate_population, *sides)
        try:
            population = result_cache.once(("population", digest_of(*sides)), estimate)
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


def _compare_with_paper(values: pd.DataFrame) -> str:
    """Say what the paper finds on sensitivity, and what its groupings are called here."""
    words = (
        f"The paper finds of language models' scores of real data (Section 4.3.1) that measures {QUOTE}; what its "
        "simulation shows “generally aligns” (4.3.2). Its *system-level* grouping is *system means* here; *by system* "
        "is another, which it calls item-level."
    )
    moved = _ranges_by_grouping(values)
    if {"system", "system_means"} <= set(moved.index):
        words += (
            f" On average *system means* move by {format_number(moved['system_means'])}, *by system* by "
            f"{format_number(moved['system'])}."
        )
    return words
