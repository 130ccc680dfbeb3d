"""Which rank has a human score among metrics, and can a metric's score decide?"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from io import StringIO
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit.classification import ERROR_FREE, GOOD, PERFECT, Classification, Reranking, classify, rerank
from tiekit.core import FloatArray, Progress, digest_of
from tiekit.figures import FIGURES
from tiekit.humans import HumanRanking, rank_humans
from ui.evalset.compared_set import ComparedSet
from ui.link.controls import choose
from ui.page import stage, tables
from ui.work import downloads, result_cache
from ui.work.presets import DATA
from ui.work.text import format_epsilon, format_number, percent, plain

MOVING = stage.Moving(
    "human scores as metrics",
    "human_rows",
    {"judge": "hum_judge", "measure": "hum_measure", "row": "hum_row"},
    {"judge": "mqm", "measure": "item/acc_eq*", "row": ""},
)
"""The human score that judges, the measure, and the row that stands out; without a name, the best human score."""

COLUMN = "acc_eq*"
RESAMPLES = 199

GOODS = {
    f"good by MQM: at least {GOOD:.0f}": GOOD,
    f"perfect by MQM: at least {PERFECT:.0f}": PERFECT,
    f"error-free by ESA: at least {ERROR_FREE:.0f}": ERROR_FREE,
}
FOLDS = 5


def show_rows() -> Callable[[], None]:
    """Show the rows by the human score that judges; return what offers them as a page of their own."""
    figure = FIGURES["human_rows"]
    data = figure.data(read_bundled_values())
    data = figure.data(read_bundled_values(), MOVING.read(data))
    stage.show(figure, data, "human_rows", MOVING.keep)
    write = partial(figure.page, data, "WMT22 Chinese–English, translations that all three human scores have.")
    return partial(downloads.embed, write, "humans.html")


@cache
def read_bundled_values() -> pd.DataFrame:
    """What three human scores of WMT22 say of each other and of metrics, see data/make_humans.py."""
    _, _, text = (DATA / "wmt22" / "humans.csv").read_text(encoding="utf-8").partition("\n")
    return pd.read_csv(StringIO(text))


def list_scores(case: ComparedSet) -> None:
    """Show how many translations each human score has, how many it shares with the judging one, and its ties."""
    gold, rows = ~np.isnan(case.human), []
    for name, scores in case.data.human.items():
        known, ties = ~np.isnan(scores), tk.count_ties(np.array(scores)).share
        rows.append((name, int(known.sum()), int((known & gold).sum()), int(np.unique(scores[known]).size), ties))
    heads = ["human score", "translations", f"shared with {case.rated}", "distinct scores", "tied pairs by item"]
    values = pd.DataFrame(rows, columns=heads)
    written = [(plain(name), *(f"{number:,}" for number in numbers), percent(ties, 1)) for name, *numbers, ties in rows]
    shown = pd.DataFrame(written, columns=[plain(head) for head in heads])
    tables.show(shown, "human scores", f"{len(rows)} human scores of the open set", values=values)
    st.markdown(
        "Only translations that all have can be compared. **Check who rated:** if the same person gave both scores, "
        "they agree for that reason too. `tk.humans.split_raters` divides the raters of one score into two groups."
    )


def rank(case: ComparedSet) -> None:
    """Judge the other human scores beside the metrics by the chosen one."""
    if len(case.data.human) == 1:
        st.info(f"The open set has one human score, {plain(case.rated)}, so there is none to judge.")
        return
    scores, names = digest_of(*case.data.human.values(), *case.metrics.values()), tuple(case.metrics)
    key = ("human rows", scores, case.rated, tuple(case.data.human), names)
    judge = partial(rank_humans, case.data, case.rated, metrics=names, exclude=(), n_resamples=RESAMPLES, n_jobs=1)
    task = key, lambda progress: judge(progress=progress)
    done = result_cache.compute("Judging human scores", {"human scores": task})
    if not done:
        return
    found: HumanRanking = done["human scores"]
    table = found.table
    ends = zip(table["low"], table["high"], strict=True)
    shown = pd.DataFrame(
        {
            "rank": [str(one) for one in table["rank"]],
            "kind": table["kind"],
            COLUMN: [format_number(value) for value in table["value"]],
            "95 % interval": [f"{format_number(low)} to {format_number(high)}" for low, high in ends],
            "own ties": [percent(share, 1) for share in table["ties"]],
        }
    ).rename_axis("score")
    tables.grid(shown, "humans as metrics", f"{len(shown)} scores judged by {case.rated}", values=table)
    humans = table[table["kind"] == "human"]
    ranks = ", ".join(f"{plain(str(name))} has rank {row['rank']}" for name, row in humans.iterrows())
    st.markdown(
        f"**Judged by {plain(found.human)} on {found.n_cells:,} translations that all have: {ranks} of {len(table)}.** "
        f"{plain(found.human)} ties {percent(found.human_ties)} of the pairs."
    )
    call = f"tk.humans.rank_humans(data, {case.rated!r}, metrics={list(names)!r}, exclude=(), n_resamples={RESAMPLES})"
    case.show_code("humans as metrics", list(names), call, humans=list(case.data.human))


def by_threshold(case: ComparedSet) -> None:
    """Show precision, recall and F1 of each metric at a threshold that was found on other documents."""
    good = GOODS[choose("A translation is good from which human score on?", list(GOODS), "hum_good")]
    documents = case.documents
    if len(set(documents or case.data.segments)) < FOLDS:
        st.info(f"Thresholds are found on other documents, so there must be at least {FOLDS}.")
        return

    def decide(scores: FloatArray, progress: Progress) -> Classification:
        return classify(case.human, scores, good, folds=FOLDS, documents=documents, progress=progress)

    found = _compute_all(case, "Classifying", decide, lambda one: one.f1, documents, good)
    if not found:
        return
    kinds = ("precision", "recall", "f1")
    rows = [
        [
            *(_with_ends(getattr(one, kind), getattr(one, f"{kind}_interval")) for kind in kinds),
            f"{format_epsilon(min(one.thresholds))} to {format_epsilon(max(one.thresholds))}",
        ]
        for one in found.values()
    ]
    words = f"Precision, recall and F1 of {len(found)} metrics"
    _tabulate(found, rows, ["precision", "recall", "F1", "thresholds"], "good translations", words)
    name, best = next(iter(found.items()))
    st.markdown(
        f"**{plain(name)} tells good translations best: F1 {format_number(best.f1)}.** To call every translation "
        f"good has precision {format_number(best.base_rate)}, recall 1 and F1 {format_number(best.f1_of_all)}. "
        "Thresholds come from other documents; intervals are of resampled segments."
    )
    call = f"tk.classification.classify(data, {name!r}, {good}, human={case.rated!r}, exclude=())"
    case.show_code("good translations", [name], call)


def by_best(case: ComparedSet) -> None:
    """Show how often the translation that a metric prefers is one that the human score prefers."""

    def decide(scores: FloatArray, progress: Progress) -> Reranking:
        return rerank(case.human, scores, progress=progress)

    found = _compute_all(case, "Choosing the best", decide, lambda one: one.value)
    if not found:
        return
    rows = [
        [_with_ends(one.value, (one.low, one.high)), format_number(one.best_of_metric, ".2f")] for one in found.values()
    ]
    words = f"Re-ranking precision of {len(found)} metrics"
    _tabulate(found, rows, ["precision of the best", "translations called best"], "best translations", words)
    name, best = next(iter(found.items()))
    rated = plain(case.rated)
    st.markdown(
        f"**{plain(name)} prefers a translation that {rated} prefers in {percent(best.value)} of the segments.** A "
        f"random choice does so in {percent(best.chance)}, as {rated} calls {format_number(best.best_of_human, '.1f')} "
        "translations of a segment the best on average. Where a metric ties its best ones, the share of them counts."
    )
    call = f"tk.classification.rerank(data, {name!r}, human={case.rated!r}, exclude=())"
    case.show_code("best translations", [name], call)


def _compute_all(
    case: ComparedSet,
    title: str,
    decide: Callable[[FloatArray, Progress], Any],
    value: Callable[[Any], float],
    *asked: Any,
) -> dict[str, Any]:
    """What is found of each metric's scores, best first, undefined ones last."""

    def task(name: str, scores: FloatArray) -> result_cache.Task:
        return (title, name, digest_of(case.human, scores), *asked), partial(decide, scores)

    done = result_cache.compute(title, {name: task(name, scores) for name, scores in case.metrics.items()})
    return {name: done[name] for name in sorted(done, key=lambda name: -np.nan_to_num(value(done[name]), nan=-1.0))}


def _tabulate(found: dict[str, Any], rows: list[list[str]], columns: list[str], name: str, words: str) -> None:
    """Show one row per metric."""
    index = pd.Index(found, name="metric")
    values = pd.DataFrame([one.to_dict() for one in found.values()], index=index)
    tables.grid(pd.DataFrame(rows, index=index, columns=columns), name, words, values=values)


def _with_ends(value: float, ends: tuple[float, float]) -> str:
    """A value with its interval."""
    low, high = ends
    return f"{format_number(value)}{f' [{format_number(low)}, {format_number(high)}]' * (low == low)}"
