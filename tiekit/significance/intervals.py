"""How certain is a value? Bootstrap intervals for every measure, and Bonett and Wright's for correlations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tiekit.api import correlate
from tiekit.base.errors import InputError
from tiekit.base.parallel import Progress, beating, part_of, run_parts, showing
from tiekit.base.results import Plotted, Result
from tiekit.base.validation import FloatArray, check_confidence, check_count, digest_of, seed_of
from tiekit.core.grouping import group_checked
from tiekit.core.measure import get_measure
from tiekit.sets.arguments import Exclude, Human, Metric, read_identical, read_several, share_cells_of, with_names
from tiekit.sets.cells import cell_facts, share_cells
from tiekit.significance._resampled_measures import Epsilon, ResampledMeasures, as_matrix, prepare_measures
from tiekit.significance.permutation import labels_on
from tiekit.significance.schemes import (
    RESAMPLES,
    Plan,
    check_kind,
    check_means,
    name_documents,
    number_documents,
    percentile_interval,
)

SHAPES = {"pearson": (3, 0.0, 1.0), "spearman": (3, 0.5, 1.0), "tau_a": (4, 0.0, 0.437), "tau_b": (4, 0.0, 0.437)}
"""Bonett and Wright's variance of atanh(r): (c + s·r²)/(n − b), as b, s, c."""


@dataclass(frozen=True, eq=False, repr=False)
class Interval(Plotted, Result):
    """A value and the interval around it.

    Attributes
    ----------
    value, low, high : float
        The value and the ends of the interval; NaN where undefined.
    confidence : float
        How often such an interval should contain the true value.
    method : str
        ``"bootstrap"`` or ``"bonett-wright"``.
    samples : ndarray
        The value on every resample, NaN where undefined; empty for another method.
    coefficient, grouping, epsilons, resample, seed
        What was asked for.
    scores : tuple of arrays
        The human scores and those of one or two metrics as they were read.
    n_systems, n_segments, n_cells : int
        How many the value stands on.
    cells : {"common", "own"}
        Whether a difference stands on the cells that both metrics have scored, or all that one of them has.
    """

    value: float
    low: float
    high: float
    confidence: float
    method: str
    samples: FloatArray = field(repr=False)
    coefficient: str
    grouping: str
    epsilons: tuple[float, ...]
    resample: str
    seed: int | str
    scores: tuple[FloatArray, ...] = field(repr=False)
    n_systems: int
    n_segments: int
    n_cells: int
    cells: str
    identical: str = field(default="", repr=False)
    average: str = field(default="groups", repr=False)

    @property
    def n_undefined(self) -> int:
        """Number of resamples on which the value is undefined; they are left out."""
        return int(np.isnan(self.samples).sum())

    def _facts(self) -> dict[str, object]:
        return dict(
            interval=self.method,
            confidence=self.confidence,
            coefficient=self.coefficient,
            grouping=self.grouping,
            epsilons="/".join(map(str, self.epsilons)),
            average=self.average,
            undefined="drop",
            **cell_facts(self),
            resample=self.resample,
            resamples=self.samples.size,
            scores=digest_of(*self.scores),
            seed=self.seed,
        )


@with_names
def bootstrap_interval(
    data: Human = None,
    metric: Metric = None,
    coefficient: str | None = None,
    *,
    grouping: str | None = None,
    average: str = "groups",
    resample: str = "segments",
    epsilon: Epsilon | None = None,
    against: Metric = None,
    confidence: float = 0.95,
    n_resamples: int = 999,
    rng: np.random.Generator | int | None = None,
    documents: Sequence[str] | None = None,
    tie_identical: bool | ArrayLike = False,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    cells: str | None = None,
    n_jobs: int | None = None,
    progress: Progress | bool | None = None,
) -> Interval:
    """Find a bootstrap interval: resample segments, systems, both, or documents with replacement.

    A resampled system, segment or document keeps all its scores. One that is drawn twice counts twice, but a score and
    its own copy are not compared: such a pair would be tied by both and raise acc_eq. By item, a segment that is drawn
    twice makes two groups; so does a document that is drawn twice, by document.

    Parameters
    ----------
    data, metric, coefficient, grouping, average, human, exclude
        As for `correlate`; a star after the coefficient means ``epsilon="calibrated"``.
    resample : {"segments", "systems", "both", "documents"}
        What is resampled. The items of vectors are segments. By ``"document_means"`` it must be documents.
    epsilon : float, "calibrated" or "recalibrated", optional
        A threshold, None is 0; the best one, found once; the best one on every resample (slow). Must be 0 or one of the
        two words where the coefficient has a star.
    against : str or array_like, optional
        Another metric: the interval is that of the difference, metric minus this one, on the same resamples.
    confidence : float
        Between 0 and 1, both excluded.
    documents : sequence of str, optional
        The document of each segment, for ``resample="documents"`` and groupings by document; None: those of the set.
    tie_identical : bool or array_like of int
        As for `permutation_test`.
    cells : {"common", "own"} or None
        As for `permutation_test`: which cells the difference ``against`` another metric stands on.
    n_resamples, rng, n_jobs, progress
        As for `permutation_test`.

    Returns
    -------
    Interval
        Between percentiles of the resamples on which the measure is defined; NaN where it is defined on none. It is too
        short below some 20 segments. At system level resampling biases values downwards, so it does not lie around the
        value.

    Raises
    ------
    InputError
        For unknown names, a confidence outside 0 to 1, a threshold beside a star, metrics with too few cells in
        common, and what `correlate` refuses.

    Warns
    -----
    CoverageWarning
        As for `permutation_test`.

    References
    ----------
    Deutsch et al. (2021), doi:10.1162/tacl_a_00417; Efron and Tibshirani (1993), An Introduction to the Bootstrap.

    Examples
    --------
    >>> found = bootstrap_interval([1, 2, 2, 3, 4, 6], [2, 1, 1.5, 5, 3, 7], "tau_a", n_resamples=499)
    >>> round(found.value, 3), round(found.low, 3), round(found.high, 3)
    (0.533, -0.091, 1.0)
    """
    named: dict[str, Metric] = {"metric": metric} | ({} if against is None else {"against": against})
    gold, metrics = read_several(data, named, human, exclude)
    check_kind("resample", resample, RESAMPLES)
    check_confidence(confidence)
    scheme, named_documents = RESAMPLES[resample], name_documents(data, documents, gold.shape[-1])
    is_known, is_fixed = named_documents is not None, epsilon is not None
    measure = get_measure(coefficient, grouping, gold.ndim, documents=is_known, is_fixed=is_fixed, average=average)
    check_means("resample", scheme, [measure])
    if gold.ndim == 1 and scheme.rows:
        raise InputError(f"resample: items of vectors have no systems, so it must be segments, found {resample!r}")
    same = share_cells_of(data, named, (gold, metrics), cells, exclude, measure.grouping)
    h, named_documents = same.without_gaps(same.human), same.documents(named_documents)
    labels = read_identical(data, tie_identical, gold.shape, human, exclude)
    asked = (measure,), 0.0 if epsilon is None else epsilon, named_documents, labels_on(labels, same)
    shape, number = (h.shape[0], h.shape[1]), number_documents(scheme, named_documents)
    plan = Plan(False, resample, shape, check_count("n_resamples", n_resamples), seed_of(rng), documents=number)
    with showing(progress, "resample") as told:
        with beating(told):
            panels = [prepare_measures(h, (same.without_gaps(as_matrix(m)),), *asked) for m in metrics]
            value = _difference([panel.original_values()[:, 0, 0] for panel in panels])
        parts = run_parts(_draw, (panels, plan), plan.parts, n_jobs=n_jobs, progress=told, inside=True)
        samples = np.concatenate(list(parts))
    low, high = percentile_interval(samples, confidence)
    return Interval(
        value=float(value[0]),
        low=low,
        high=high,
        confidence=confidence,
        method="bootstrap",
        samples=samples,
        coefficient=measure.coefficient.name + ("*" if panels[0].measures[0].calibrated else ""),
        grouping=measure.grouping,
        epsilons=tuple(panel.epsilons[0][0] for panel in panels),
        resample=resample,
        seed=plan.seed,
        scores=(gold, *metrics),
        **same.counts,
        average=average,
        identical="" if labels is None else digest_of(labels),
    )


def _difference(values: list[FloatArray]) -> FloatArray:
    return values[0] if len(values) == 1 else values[0] - values[1]


def _draw(panels: list[ResampledMeasures], plan: Plan, part: int, progress: Progress | None = None) -> FloatArray:
    drawn = [
        panel.draw(plan, part, part_of(progress, number, len(panels)))[:, 0, 0] for number, panel in enumerate(panels)
    ]
    return _difference(drawn)


@with_names
def bonett_wright(
    data: Human = None,
    metric: Metric = None,
    coefficient: str = "pearson",
    *,
    grouping: str | None = None,
    confidence: float = 0.95,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
) -> Interval:
    """Find an interval by Fisher's transformation, with Bonett and Wright's variances.

    The variances hold for one group of independent items that are close to normal. For a mean over groups nlpstats'
    rule is used: n is the size of the largest group, as if there were no other. The variance of tau ignores ties.

    Parameters
    ----------
    data, metric, grouping, human, exclude
        As for `correlate`.
    coefficient : {"pearson", "spearman", "tau_a", "tau_b"}
        Those whose variances are known; a grouping may stand before it (``"global/tau_b"``).
    confidence : float
        Between 0 and 1, both excluded.

    Returns
    -------
    Interval
        NaN where n is at most 3 (tau: 4) or the value is undefined; of width 0 where the value is 1 or -1.

    Raises
    ------
    InputError
        For other coefficients, a confidence outside 0 to 1, and what `correlate` refuses.

    References
    ----------
    Bonett and Wright (2000), doi:10.1007/BF02294183.

    Examples
    --------
    >>> found = bonett_wright([1, 2, 3, 4, 5, 6], [1, 3, 2, 4, 6, 5])
    >>> round(found.value, 3), round(found.low, 3), round(found.high, 3)
    (0.886, 0.264, 0.987)
    """
    check_confidence(confidence)
    scores: dict[str, Any] = {"data": data, "metric": metric, "human": human, "exclude": exclude}
    found = correlate(coefficient=coefficient, grouping=grouping, **scores)
    if found.coefficient not in SHAPES:
        raise InputError(f"coefficient: must be one of {', '.join(SHAPES)}, found {coefficient!r}")
    b, slope, constant = SHAPES[found.coefficient]
    n = int(group_checked(*found.scores, None if found.grouping == "vector" else found.grouping).sizes.max(initial=0))
    low = high = float("nan")
    if n > b and not math.isnan(found.value):
        from scipy.stats import norm

        spread = math.sqrt((constant + slope * found.value**2) / (n - b))
        with np.errstate(divide="ignore"):
            middle = float(np.arctanh(found.value))
        reach = float(norm.ppf(0.5 + confidence / 2)) * spread
        low, high = math.tanh(middle - reach), math.tanh(middle + reach)
    return Interval(
        value=found.value,
        low=low,
        high=high,
        confidence=confidence,
        method="bonett-wright",
        samples=np.empty(0),
        coefficient=found.coefficient,
        grouping=found.grouping,
        epsilons=(0.0,),
        resample="none",
        seed="none",
        scores=found.scores,
        **share_cells(found.scores[0], {"metric": found.scores[1]}).counts,
    )
