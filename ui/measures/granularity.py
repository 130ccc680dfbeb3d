"""What does a coarser scale do? A metric of the open set rounded to G levels."""

from __future__ import annotations

from functools import partial

import pandas as pd
import pyarrow as pa
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.charts import measure_label
from tiekit.core import FloatArray, Progress, digest_of
from ui.evalset.compared_set import ComparedSet, levels
from ui.link.controls import choose
from ui.page import glossary, predict, shell, tables
from ui.work import result_cache
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
    scores = case.metrics[metric]
    key = ("granularity", digest_of(case.human, scores), tuple(measures))
    done = result_cache.compute("Rounding", {metric: (key, partial(_round, case.human, scores, tuple(measures)))})
    if not done:
        return
    plainly, tied = done[metric]
    if not _predict_rounded(tied, metric, key):
        return
    _show_rounded(case, metric, plainly, tied, key)
    call = f"human, metric = chosen.human[{case.rated!r}], chosen.metrics[{metric!r}]\n"
    call += f"tk.measures.granularity(human, metric, {LEVELS}, {[*measures, *TIED]})"
    case.show_code("granularity", [metric], call)


def _round(
    human: FloatArray, scores: FloatArray, measures: tuple[str, ...], progress: Progress
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The values of the chosen measures and of acc_eq by G."""
    found = []
    for at, names in enumerate((measures, TIED)):
        parts = []
        for number, level in enumerate(LEVELS):
            parts.append(tk.measures.granularity(human, scores, [level], names))
            progress((at * len(LEVELS) + number + 1) / (2 * len(LEVELS)))
        found.append(pd.concat(parts))
    return found[0], found[1]


def _predict_rounded(tied: pd.DataFrame, metric: str, key: tuple[object, ...]) -> bool:
    """Let the user predict what a coarse scale does to acc_eq; return whether the answer may be drawn."""
    coarse, fine = cell(tied, COARSE, TIED[0]), cell(tied, FINE, TIED[0])
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
    case: ComparedSet, metric: str, plainly: pd.DataFrame, tied: pd.DataFrame, key: tuple[object, ...]
) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        draw_by_levels(plainly, "value", "correlation", key, "msr_rounded_all")
    with right:
        draw_by_levels(tied, "value", "acc_eq by item", key, "msr_rounded_tied")
    say_movers(plainly, f"{plain(metric)} rounded")
    st.markdown(_otherwise(plainly, len(case.human)))
    star, bare = tied[TIED[1]], tied[TIED[0]]
    st.markdown(
        f"acc\\_eq is highest at **G = {bare.idxmax()}** ({format_number(bare.max())}); at {FINE} it is "
        f"{format_number(bare.loc[FINE])}. "
        f"acc\\_eq\\* is calibrated, so it only moves between {format_number(star.min())} and "
        f"{format_number(star.max())}: from "
        "fine scores calibration can make ties, but in coarse ones it cannot undo them."
    )
    whole = plainly.join(tied)
    shown = whole.rename(columns=measure_label).map(format_number)
    tables.grid(shown, "granularity", f"Each measure of {metric} by its number of levels G", values=whole)


def _otherwise(values: pd.DataFrame, n_systems: int) -> str:
    """Why a measure may change most although the paper finds that it does not change."""
    moved = ranges(values).dropna()
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


def ranges(values: pd.DataFrame) -> pd.Series:
    """Return by how much each measure changes with G."""
    return pd.Series(values.max() - values.min())


def say_movers(values: pd.DataFrame, what: str) -> None:
    """Return which measure changes least and which most, in words."""
    moved = ranges(values).dropna().sort_values()
    if len(moved) < 2:
        return
    least, most = ((measure_label(str(moved.index[end])), moved.iloc[end]) for end in (0, -1))
    st.markdown(
        f"**{what}: “{plain(least[0])}” moves least, by {format_number(least[1])}; “{plain(most[0])}” most, by "
        f"{format_number(most[1])}.**"
    )


def draw_by_levels(values: pd.DataFrame, column: str, title: str, key: tuple[object, ...], name: str) -> None:
    """Draw each measure over G."""
    measures = tuple(map(str, values.columns))
    frame = result_cache.once(("grain", name, *key), lambda: pa.Table.from_pandas(charts.granularity_frame(values)))
    first, last = values.iloc[0], values.iloc[-1]
    words = "; ".join(f"{measure_label(m)} {format_number(first[m])} to {format_number(last[m])}" for m in measures)
    figure = charts.granularity_chart(measures, shell.theme(), column=column, title=title)
    shell.draw(frame, figure, f"{title} from G = {values.index[0]} to {values.index[-1]}: {words}", name)
