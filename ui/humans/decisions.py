"""Can a metric's score decide? Good translations by a threshold, and the best translation of each segment."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from tiekit.classification import ERROR_FREE, GOOD, PERFECT, Classification, Reranking, classify, rerank
from tiekit.core import FloatArray, Progress, digest_of
from ui.evalset.compared_set import ComparedSet
from ui.link.controls import choose
from ui.page import tables
from ui.work import result_cache
from ui.work.text import format_epsilon, format_number, percent, plain

GOODS = {
    f"good by MQM: at least {GOOD:.0f}": GOOD,
    f"perfect by MQM: at least {PERFECT:.0f}": PERFECT,
    f"error-free by ESA: at least {ERROR_FREE:.0f}": ERROR_FREE,
}
FOLDS = 5


def by_threshold(case: ComparedSet) -> None:
    """Show precision, recall and F1 of each metric at a threshold that was found on other documents."""
    good = GOODS[choose("A translation is good from which human score on?", list(GOODS), "hum_good")]
    documents = case.data.documents or None
    if len(set(documents or case.data.segments)) < FOLDS:
        st.info(f"Thresholds are found on other documents, so there must be at least {FOLDS}.")
        return
    tasks: dict[str, result_cache.Task] = {}
    for name, scores in case.metrics.items():
        key = ("classified", name, digest_of(case.human, scores), documents, good)
        tasks[name] = key, partial(_classify, case.human, scores, good, documents)
    done: dict[str, Classification] = result_cache.compute("Classifying", tasks)
    if not done:
        return
    found = {name: done[name] for name in sorted(done, key=lambda name: -_last(done[name].f1))}
    shown = pd.DataFrame(
        [
            (
                *(_with_ends(getattr(one, k), getattr(one, f"{k}_interval")) for k in ("precision", "recall", "f1")),
                _at(one),
            )
            for one in found.values()
        ],
        index=pd.Index(found, name="metric"),
        columns=["precision", "recall", "F1", "thresholds"],
    )
    values = pd.DataFrame([one.to_dict() for one in found.values()], index=shown.index)
    tables.grid(shown, "good translations", f"Precision, recall and F1 of {len(found)} metrics", values=values)
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
    tasks: dict[str, result_cache.Task] = {
        name: (("best of", name, digest_of(case.human, scores)), partial(_rerank, case.human, scores))
        for name, scores in case.metrics.items()
    }
    done: dict[str, Reranking] = result_cache.compute("Choosing the best", tasks)
    if not done:
        return
    found = {name: done[name] for name in sorted(done, key=lambda name: -_last(done[name].value))}
    shown = pd.DataFrame(
        [
            (_with_ends(one.value, (one.low, one.high)), format_number(one.best_of_metric, ".2f"))
            for one in found.values()
        ],
        index=pd.Index(found, name="metric"),
        columns=["precision of the best", "translations called best"],
    )
    values = pd.DataFrame([one.to_dict() for one in found.values()], index=shown.index)
    tables.grid(shown, "best translations", f"Re-ranking precision of {len(found)} metrics", values=values)
    name, best = next(iter(found.items()))
    rated = plain(case.rated)
    st.markdown(
        f"**{plain(name)} prefers a translation that {rated} prefers in {percent(best.value)} of the segments.** A "
        f"random choice does so in {percent(best.chance)}, as {rated} calls {format_number(best.best_of_human, '.1f')} "
        "translations of a segment the best on average. Where a metric ties its best ones, the share of them counts."
    )
    case.show_code(
        "best translations", [name], f"tk.classification.rerank(data, {name!r}, human={case.rated!r}, exclude=())"
    )


def _classify(
    human: FloatArray, scores: FloatArray, good: float, documents: tuple[str, ...] | None, _: Progress
) -> Classification:
    return classify(human, scores, good, folds=FOLDS, documents=documents)


def _rerank(human: FloatArray, scores: FloatArray, _: Progress) -> Reranking:
    return rerank(human, scores)


def _with_ends(value: float, ends: tuple[float, float]) -> str:
    """A value with its interval."""
    low, high = ends
    return (
        format_number(value) if low != low else f"{format_number(value)} [{format_number(low)}, {format_number(high)}]"
    )


def _at(found: Classification) -> str:
    """The smallest and the largest threshold."""
    return f"{format_epsilon(min(found.thresholds))} to {format_epsilon(max(found.thresholds))}"


def _last(value: float) -> float:
    """A value to sort by, undefined ones last."""
    return -1.0 if value != value else value
