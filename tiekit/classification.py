"""Can a metric's score decide? Which translations are good, and which of several is the best.

`classify` takes translations for good whose metric score reaches a threshold, which is found on other documents, and
reports precision, recall and F1 against a threshold of the human score: `GOOD` and `PERFECT` of MQM, `ERROR_FREE` of
ESA. `rerank` reports how often the translation that a metric prefers is one that the human score prefers. Both give
bootstrap intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tiekit.base.errors import InputError
from tiekit.base.parallel import Progress, part_of, showing, with_progress
from tiekit.base.results import ResultOfScores
from tiekit.base.validation import FloatArray, as_scores, check_epsilon
from tiekit.core.cross_validation import assign_folds
from tiekit.sets.arguments import Exclude, Human, Metric, read_documents, read_pair, with_names
from tiekit.significance.schemes import Ends, draw_multinomial, percentile_interval, resample_sums

__all__ = ["ERROR_FREE", "GOOD", "PERFECT", "Classification", "Reranking", "classify", "rerank"]


def ratio(top: FloatArray, bottom: FloatArray) -> FloatArray:
    """A quotient, NaN where it divides by zero."""
    return np.asarray(np.divide(top, bottom, out=np.full(np.shape(top), np.nan), where=np.asarray(bottom) != 0))


GOOD = -4.0
"""MQM from which a translation is good: at most four minor errors (Perrella et al. 2024)."""

PERFECT = -1.0
"""MQM from which a translation is perfect: at most one minor error (Perrella et al. 2024)."""

ERROR_FREE = 85.0
"""ESA from which a translation is free of errors, if no span is marked.

Of a set that was read with ``spans=True``, give ``condition=data.human["spans"] == 0``.
"""


@dataclass(frozen=True, eq=False, repr=False)
class Classification(ResultOfScores):
    """How well a metric's threshold tells good translations from others.

    Attributes
    ----------
    precision, recall, f1 : float
        From 0 to 1; NaN where nothing is predicted to be good, nothing is good, or both.
    precision_interval, recall_interval, f1_interval : (float, float)
        Bootstrap intervals over segments with fixed thresholds.
    counts : (int, int, int, int)
        True positives, false positives, false negatives, true negatives.
    good : float
        The human score from which a translation is good.
    thresholds : tuple of float
        One that was given, or one per fold, found on the other folds.
    base_rate : float
        Share of good translations: the precision of taking all of them for good.
    """

    _number: ClassVar[str | None] = "f1"

    precision: float
    recall: float
    f1: float
    precision_interval: Ends
    recall_interval: Ends
    f1_interval: Ends
    counts: tuple[int, int, int, int]
    good: float
    thresholds: tuple[float, ...]
    base_rate: float
    resamples: int
    scores: tuple[FloatArray, FloatArray] = field(repr=False)

    @property
    def f1_of_all(self) -> float:
        """F1 of taking every translation for good, which a metric has to beat."""
        return 2 * self.base_rate / (1 + self.base_rate)

    def _facts(self) -> dict[str, object]:
        found = "given" if len(self.thresholds) == 1 else f"{len(self.thresholds)} folds"
        return {"good": self.good, "threshold": found, "resamples": self.resamples, "scores": self.digest}


@with_names
def classify(
    data: Human = None,
    metric: Metric = None,
    good: float = GOOD,
    *,
    threshold: float | None = None,
    folds: int = 5,
    documents: Sequence[str] | None = None,
    condition: ArrayLike | None = None,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    confidence: float = 0.95,
    n_resamples: int = 999,
    rng: np.random.Generator | int | None = None,
    progress: Progress | bool | None = None,
) -> Classification:
    """Report how well a metric tells good translations from others by a threshold.

    A translation is good where its human score is at least ``good``. It is predicted to be good where its metric score
    is at least the threshold. Of each fold of documents the threshold is the one with the highest F1 on all other
    folds (of equal ones the highest); predictions of all folds are counted together.

    Parameters
    ----------
    data, metric, human, exclude
        As for `tiekit.correlate`: a set and names, or arrays of shape (n,) or (systems, segments). NaN leaves a cell
        out.
    good : float
        The lowest human score of a good translation: `GOOD`, `PERFECT` or `ERROR_FREE`.
    threshold : float, optional
        A threshold to evaluate; None finds it on other documents.
    folds : int
        Number of parts of the documents, at least 2.
    documents : sequence of str, optional
        As for `tiekit.cross_validate`.
    condition : array_like of bool, of the shape of the scores, optional
        A translation is good only where this is true as well, such as where no error span is marked.
    confidence, n_resamples, rng
        Of the bootstrap intervals, over segments; None is seed 0.
    progress
        As for `tiekit.correlate`.

    Returns
    -------
    Classification

    Raises
    ------
    InputError
        For a threshold that is no number, a condition of another shape, and what `tiekit.cross_validate` refuses.

    References
    ----------
    Perrella et al. (2024), doi:10.18653/v1/2024.emnlp-main.1152; Agrawal et al. (2024), arXiv 2405.18348.

    Examples
    --------
    >>> found = classify([0, -1, -5, -9, -2, 0], [0.9, 0.8, 0.7, 0.1, 0.3, 0.6], threshold=0.5)
    >>> found.counts, found.precision, found.recall
    ((3, 1, 1, 1), 0.75, 0.75)
    """
    h, m = read_pair(data, metric, human, exclude)
    named = read_documents(data, documents, human)
    limit = float(as_scores("good", [good])[0])
    extra = np.asarray(True if condition is None else condition)
    if extra.dtype != np.bool_ or (condition is not None and extra.shape != h.shape):
        found = f"{extra.dtype} of shape {extra.shape}"
        raise InputError(f"condition: must be true or false in the shape {h.shape}, found {found}")
    is_good, scored = (h >= limit) & extra, ~(np.isnan(h) | np.isnan(m))
    at = np.empty(h.shape[-1])
    with showing(progress, "resample") as told:
        if threshold is None:
            fold_of, _ = assign_folds(h.shape[-1], folds, named)
            parts = with_progress(range(folds), part_of(told, 0, 2))
            thresholds = [best_threshold(is_good, m, scored & (fold_of != fold)) for fold in parts]
            at[:] = np.array(thresholds)[fold_of]
        else:
            thresholds = [float(as_scores("threshold", [threshold])[0])]
            at[:] = thresholds[0]
        with np.errstate(invalid="ignore"):
            taken = m >= at
        kinds = [is_good & taken, ~is_good & taken, is_good & ~taken, ~is_good & ~taken]
        sums = np.array([np.atleast_2d(kind & scored).sum(axis=0) for kind in kinds]).T
        resampled = resample_sums(
            sums.astype(np.float64), n_resamples, rng, draw=draw_multinomial, progress=part_of(told, 1, 2)
        )
    drawn = _rates(resampled)
    totals = sums.sum(axis=0)
    rates: list[float] = _rates(totals.astype(np.float64)).tolist()
    ends = [percentile_interval(each, confidence) for each in drawn]
    return Classification(
        *(rates[0], rates[1], rates[2], ends[0], ends[1], ends[2]),
        counts=tuple(totals.tolist()),
        good=limit,
        thresholds=tuple(thresholds),
        base_rate=float(ratio(np.array(totals[0] + totals[2]), np.array(totals.sum()))),
        resamples=n_resamples,
        scores=(h, m),
    )


def best_threshold(is_good: NDArray[np.bool_], metric: FloatArray, used: NDArray[np.bool_]) -> float:
    """The highest metric score whose F1 as a threshold is the largest; infinite where no translation is good."""
    scores, good = metric[used], is_good[used]
    order = np.argsort(-scores, kind="stable")
    found = np.cumsum(good[order])
    f1 = 2 * found / (np.arange(1, scores.size + 1) + max(int(good.sum()), 1))
    last = np.append(scores[order][1:] != scores[order][:-1], True) if scores.size else np.empty(0, np.bool_)
    f1 = np.where(last, f1, -1.0)
    return float(scores[order][np.argmax(f1)]) if good.any() else float("inf")


def _rates(counts: FloatArray) -> FloatArray:
    """Precision, recall and F1 of counts, shape (…, 4), as the first axis."""
    right, wrong, missed = counts[..., 0], counts[..., 1], counts[..., 2]
    return np.array(
        [ratio(right, right + wrong), ratio(right, right + missed), ratio(2 * right, 2 * right + wrong + missed)]
    )


@dataclass(frozen=True, eq=False, repr=False)
class Reranking(ResultOfScores):
    """How often a metric's best translation is among the human score's best.

    Attributes
    ----------
    value : float
        Re-ranking precision, the mean of ``per_item``; NaN where no segment has two scored translations.
    low, high : float
        Bootstrap interval over segments.
    chance : float
        The value of choosing a translation at random: the mean share of translations that the human score prefers.
    best_of_metric, best_of_human : float
        How many translations are the best ones, on average.
    n_items : int
        Segments with at least two scored translations.
    epsilon : float
        Metric scores at most so far below the highest one count as best too.
    per_item : ndarray, shape (segments,)
        The share of the metric's best translations that are among the human score's; NaN for other segments.
    """

    value: float
    low: float
    high: float
    chance: float
    best_of_metric: float
    best_of_human: float
    n_items: int
    epsilon: float
    resamples: int
    per_item: FloatArray = field(repr=False)
    scores: tuple[FloatArray, FloatArray] = field(repr=False)

    def _facts(self) -> dict[str, object]:
        return {"items": self.n_items, "epsilon": self.epsilon, "resamples": self.resamples, "scores": self.digest}


@with_names
def rerank(
    data: Human = None,
    metric: Metric = None,
    *,
    epsilon: float = 0.0,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    confidence: float = 0.95,
    n_resamples: int = 999,
    rng: np.random.Generator | int | None = None,
    progress: Progress | bool | None = None,
) -> Reranking:
    """Report how often the translation of a segment that a metric prefers is one that the human score prefers.

    Where several translations share the highest score, all are the best. The precision of a segment is the share of the
    metric's best translations that are among the human score's best: the chance of a good choice if ties are broken at
    random.

    Parameters
    ----------
    data, metric, human, exclude
        As for `tiekit.correlate`, of shape (systems, segments). NaN leaves a translation out.
    epsilon : float
        Metric scores at most so far below the highest one count as best too.
    confidence, n_resamples, rng
        Of the bootstrap interval, over segments; None is seed 0.
    progress
        As for `tiekit.correlate`.

    Returns
    -------
    Reranking

    Raises
    ------
    InputError
        For vectors, and what `tiekit.correlate` refuses.

    References
    ----------
    Perrella et al. (2024), doi:10.18653/v1/2024.emnlp-main.1152.

    Examples
    --------
    >>> found = rerank([[0, -1, -1], [-5, -1, -1], [0, -3, -9]], [[3, 5, 1], [3, 5, 2], [1, 5, 1]])
    >>> found.per_item.round(3).tolist(), round(found.value, 3), round(found.chance, 3)
    ([0.5, 0.667, 1.0], 0.722, 0.667)
    """
    h, m = read_pair(data, metric, human, exclude)
    if h.ndim != 2:
        raise InputError("human: must have the shape (systems, segments), found a vector")
    near, scored = check_epsilon(epsilon), ~(np.isnan(h) | np.isnan(m))
    number = scored.sum(axis=0)
    used = number >= 2
    by_human, by_metric = _best(h, scored, 0.0), _best(m, scored, near)
    sizes = by_metric.sum(axis=0)
    per_item = np.where(used, ratio((by_human & by_metric).sum(axis=0) * 1.0, sizes), np.nan)
    sums = np.array([np.where(used, np.nan_to_num(per_item), 0.0), used]).T
    with showing(progress, "resample") as told:
        drawn = resample_sums(sums, n_resamples, rng, draw=draw_multinomial, progress=told)
    low, high = percentile_interval(ratio(drawn[:, 0], drawn[:, 1]), confidence)

    def mean(values: FloatArray) -> float:
        return float(values[used].mean()) if used.any() else float("nan")

    return Reranking(
        value=mean(per_item),
        low=low,
        high=high,
        chance=mean(ratio(by_human.sum(axis=0) * 1.0, number)),
        best_of_metric=mean(sizes * 1.0),
        best_of_human=mean(by_human.sum(axis=0) * 1.0),
        n_items=int(used.sum()),
        epsilon=near,
        resamples=n_resamples,
        per_item=per_item,
        scores=(h, m),
    )


def _best(scores: FloatArray, scored: NDArray[np.bool_], epsilon: float) -> NDArray[np.bool_]:
    """Where a translation has the highest score of its segment, or one at most epsilon below."""
    known = np.where(scored, scores, -np.inf)
    with np.errstate(invalid="ignore"):
        return np.asarray(scored & (known.max(axis=0, initial=-np.inf) - known <= epsilon))
