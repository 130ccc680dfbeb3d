"""Which measures rank the metrics alike? The picture that opens the page (Figure 1)."""

from __future__ import annotations

from functools import cache, partial
from io import StringIO
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit.charts import measure_label
from tiekit.core import FloatArray, digest_of
from tiekit.figures import FIGURES, least_alike
from tiekit.measures import agreement_of
from ui.evalset.compared_set import ComparedSet
from ui.measures import choices
from ui.page import stage, tables
from ui.page.predict import predict_first
from ui.work import downloads, result_cache
from ui.work.presets import DATA
from ui.work.result_cache import Task
from ui.work.text import cell, format_number, plain

SAME_GROUPING, SAME_COEFFICIENT = "the same grouping, another coefficient", "the same coefficient, another grouping"

FIGURE = FIGURES["agreement"]
MOVING = stage.Moving("measures", "agreement", {"chosen": "msr_two"}, {"chosen": []})

LEAST = 2
"""So many measures and metrics are needed to compare rankings."""


AGREE = """metrics = {{name: chosen.metrics[name] for name in {metrics}}}
tk.measures.measure_agreement({{{rated!r}: (chosen.human[{rated!r}], metrics)}}, {measures})"""


class Agreement(NamedTuple):
    """The values of every metric by every measure, and how similarly every two measures rank the metrics, by τ_b."""

    of_metrics: pd.DataFrame
    between: pd.DataFrame


def show(case: ComparedSet, measures: list[str]) -> Agreement | None:
    """Draw how similarly every two measures rank the metrics; return it, None if there is nothing to compare."""
    metrics = metrics_of(case)
    if len(measures) < LEAST or len(metrics) < LEAST:
        st.info(f"Choose at least {LEAST} measures, and a set with at least {LEAST} metrics that are not constant.")
        return None
    done = result_cache.compute("Ranking the metrics", tasks_of(case, measures))
    if not done:
        return None
    values: pd.DataFrame = done["every measure"]
    between = agreement_of(values.to_numpy(float).T, tk.COEFFICIENTS["tau_b"])
    found = Agreement(values, pd.DataFrame(between, index=values.columns, columns=values.columns))
    stage.show(FIGURE, _data(found), "msr_figure", MOVING.keep)
    return found


def list_values(case: ComparedSet, measures: list[str], found: Agreement) -> None:
    """Show the numbers of the picture, and offer it as a page of its own."""
    values, agreement = found
    labels = [measure_label(name) for name in measures]
    shown = pd.DataFrame(agreement.map(lambda value: format_number(value, ".2f")).to_numpy(), labels, labels)
    words = f"Agreement of every two of {len(agreement)} measures, one row and one column each"
    tables.grid(shown.rename_axis("measure"), "agreement", words, values=agreement.rename_axis("measure"))
    made = f"{len(values)} metrics of {case.opened.name} {case.opened.language_pair}, human score {case.rated}."
    downloads.embed(lambda: FIGURE.page(_data(found), made), "measures.html")
    call = AGREE.format(rated=case.rated, metrics=list(values.index), measures=measures)
    case.show_code("agreement of measures", list(map(str, values.index)), call)


def metrics_of(case: ComparedSet) -> dict[str, FloatArray]:
    """Return the metrics that are ranked: those that are not constant."""
    levels = case.levels
    return {name: scores for name, scores in case.metrics.items() if levels[name] > 1}


def tasks_of(case: ComparedSet, measures: list[str]) -> dict[str, Task]:
    """Return what is computed of the metrics by every measure."""
    metrics = metrics_of(case)
    key = ("measure values", choices.data_key(case, metrics), tuple(measures))
    evaluate = partial(tk.measures.evaluate_measures, case.human, metrics, measures)
    return {"every measure": (key, lambda progress: evaluate(progress=progress))}


def prepared_tasks(case: ComparedSet) -> dict[str, Task]:
    """Return the same for the usual measures, of a set as it opens whose values come with the app; else nothing."""
    digest, values = _bundled_values()
    if digest != case.opened.digest:
        return {}
    measures = choices.usual_measures(case)
    key, _ = tasks_of(case, measures)["every measure"]
    return {"every measure": (key, lambda _: values[measures])}


@cache
def _bundled_values() -> tuple[str, pd.DataFrame]:
    """The digest of WMT22, and every metric's values, see data/make_measures.py."""
    digest, _, text = (DATA / "wmt22" / "measures.csv").read_text(encoding="utf-8").partition("\n")
    return digest.removeprefix("# "), pd.read_csv(StringIO(text), index_col="metric")


def predict(agreement: Agreement) -> None:
    """Let the user predict whether grouping or coefficient matters more; then say which measures differ most."""
    found, means = agreement.between, {}
    for words, same, other in ((SAME_GROUPING, 0, 1), (SAME_COEFFICIENT, 1, 0)):
        parts = [(a.split("/"), b.split("/"), found.loc[a, b]) for a, b in combinations(found.index, 2)]
        values = [v for a, b, v in parts if a[same] == b[same] and a[other] != b[other] and v == v]
        means[words] = float(np.mean(values)) if values else float("nan")
    if any(value != value for value in means.values()):
        return
    truth = max(means, key=lambda words: means[words])
    options = {
        SAME_GROUPING: "Coefficients compare the same pairs; groupings do not.",
        SAME_COEFFICIENT: "A coefficient has its own way to count ties, which can matter more than which pairs are "
        "compared. Usually the grouping matters more.",
    }
    options[truth] += (
        f" Mean agreement: {format_number(means[SAME_GROUPING], '.2f')} for measures of one grouping, "
        f"{format_number(means[SAME_COEFFICIENT], '.2f')} for measures of one coefficient."
    )
    question = "Which measures rank the metrics more alike, on average: those with …"
    if predict_first(
        f"measures agreement: {digest_of(found.to_numpy())} {tuple(found.index)}",
        question,
        options,
        truth,
        is_about_files=True,
    ):
        first, second = least_alike(found)
        value = float(cell(found, first, second))
        st.markdown(
            f"**Least alike: “{plain(measure_label(first))}” and “{plain(measure_label(second))}”, τ\\_b = "
            f"{format_number(value, '.2f')}.** The choice of measure can decide the winner."
        )


def _data(agreement: Agreement) -> dict[str, Any]:
    """What the figure shows: the measures, and the two that the user chose."""
    fixed = FIGURE.data(*agreement, {name: measure_label(name) for name in map(str, agreement.of_metrics.columns)})
    names = [measure["name"] for measure in fixed["measures"]]
    moved = MOVING.read()["chosen"]
    return {**fixed, "chosen": moved} if moved and set(moved) <= set(names) else fixed
