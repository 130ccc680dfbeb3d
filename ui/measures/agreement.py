"""Which measures rank the metrics alike?"""

from __future__ import annotations

from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.charts.measures import measure_label
from tiekit.progress import Progress
from tiekit.signature import digest_of
from ui.base import work
from ui.base.text import format_number, plain
from ui.evalset.compared_set import ComparedSet
from ui.measures import choices
from ui.measures.choices import Dataset
from ui.page import glossary, predict, shell, tables

NUMBERED_UP_TO = 14
"""The most measures with which the agreement is written into the squares."""


SAME_GROUPING, SAME_COEFFICIENT = "the same grouping, another coefficient", "the same coefficient, another grouping"


def agreement_of_measures(case: ComparedSet) -> None:
    """Show how similarly every two measures rank the metrics (Figure 1)."""
    glossary.terms("measure")
    measures, metrics = choices.choose_measures(case), choices.choose_metrics(case)
    if not measures or not metrics:
        return
    st.markdown(
        f"Each measure ranks the {len(metrics)} metrics. Two measures are compared by Kendall's τ\\_b of their "
        "rankings: 1 is the same ranking, −1 the reverse."
    )
    datasets = {case.rated: (case.human, metrics)}
    key = ("agreement", choices.data_key(case, metrics), tuple(measures))
    done = work.do("Ranking the metrics", {"every measure": (key, partial(_agree, datasets, tuple(measures)))})
    if not done:
        return
    found: pd.DataFrame = done["every measure"]
    if not _predict_agreement(found, key):
        return
    numbers = len(measures) <= NUMBERED_UP_TO
    figure = charts.agreement_chart(tuple(measures), shell.theme(), numbers=numbers)
    frame = work.once(("frame", *key), lambda: pa.Table.from_pandas(charts.agreement_frame(found)))
    least, names = _least(found)
    words = f"Agreement of {len(measures)} measures on {len(metrics)} metrics: least {least}, of {names}"
    with st.container(key="wide"):
        shell.draw(frame, figure, words, "msr_agreement")
    with st.container(key="narrow"):
        st.info("The map of these numbers needs a wider window.")
    st.markdown(f"**Least alike: {plain(names)}, τ\\_b = {least}.** Whoever chooses a measure chooses a winner.")
    _list_agreement(found)
    call = AGREE.format(rated=case.rated, metrics=list(metrics), measures=measures)
    case.show_code("agreement of measures", list(metrics), call)


def _list_agreement(found: pd.DataFrame) -> None:
    """Show the numbers of the picture."""
    labels = [measure_label(str(name)) for name in found.index]
    shown = pd.DataFrame(found.map(lambda value: format_number(value, ".2f")).to_numpy(), labels, labels)
    words = f"Agreement of every two of {len(found)} measures, a row and a column each"
    with st.expander("All numbers"):
        tables.grid(shown.rename_axis("measure"), "agreement", words, values=found.rename_axis("measure"))


def _agree(datasets: dict[str, Dataset], measures: tuple[str, ...], progress: Progress) -> pd.DataFrame:
    return tk.measures.measure_agreement(datasets, measures, progress=progress)


def _least(found: pd.DataFrame) -> tuple[str, str]:
    """The two measures that agree least, and their agreement."""
    pairs = {pair: found.loc[pair] for pair in combinations(found.index, 2)}
    defined = {pair: value for pair, value in pairs.items() if value == value}
    if not defined:
        return "undefined", "all"
    first, second = min(defined, key=lambda pair: defined[pair])
    return format_number(defined[first, second], ".2f"), f"“{measure_label(first)}” and “{measure_label(second)}”"


def _predict_agreement(found: pd.DataFrame, key: tuple[object, ...]) -> bool:
    """Let the user predict whether grouping or coefficient matters more; return whether the answer may be drawn."""
    means = {}
    for words, same, other in ((SAME_GROUPING, 0, 1), (SAME_COEFFICIENT, 1, 0)):
        parts = [(a.split("/"), b.split("/"), found.loc[a, b]) for a, b in combinations(found.index, 2)]
        values = [v for a, b, v in parts if a[same] == b[same] and a[other] != b[other] and v == v]
        means[words] = float(np.mean(values)) if values else float("nan")
    if any(value != value for value in means.values()):
        return True
    truth = max(means, key=lambda words: means[words])
    options = {
        SAME_GROUPING: "The coefficients look at the same pairs; the groupings do not.",
        SAME_COEFFICIENT: "A coefficient may count ties in its own way, and that can matter more than which pairs it "
        "is given. As a rule it is the other way round.",
    }
    options[truth] += (
        f" Mean agreement: {format_number(means[SAME_GROUPING], '.2f')} for measures of one grouping, "
        f"{format_number(means[SAME_COEFFICIENT], '.2f')} for measures of one coefficient."
    )
    question = "Which two measures rank the metrics more alike, those with …"
    return predict.predict_first(
        f"measures agreement: {digest_of(found.to_numpy())} {key[-1]}", question, options, truth, is_about_files=True
    )


AGREE = """metrics = {{name: chosen.metrics[name] for name in {metrics}}}
tk.measures.measure_agreement({{{rated!r}: (chosen.human[{rated!r}], metrics)}}, {measures})"""
