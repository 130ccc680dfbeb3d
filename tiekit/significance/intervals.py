"""How sure is a number? Bootstrap intervals for every measure, and Bonett and Wright's where they exist."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from tiekit.coefficients.measure import get_measure
from tiekit.correlation import correlate
from tiekit.counting.grouping import group
from tiekit.counting.scores import FloatArray, as_scores, check_pair
from tiekit.errors import InputError
from tiekit.parallel import run_parts
from tiekit.progress import Progress
from tiekit.resampling.draws import Plan
from tiekit.resampling.panel import Epsilon, Panel, as_matrix, make_panel
from tiekit.resampling.schemes import RESAMPLES, check_kind
from tiekit.seeds import check_number, seed_of
from tiekit.signature import digest_of, signature

SHAPES = {"pearson": (3, 0.0, 1.0), "spearman": (3, 0.5, 1.0), "tau_a": (4, 0.0, 0.437), "tau_b": (4, 0.0, 0.437)}
"""Bonett and Wright's variance of atanh(r): (c + s·r²)/(n − b), as b, s, c."""


@dataclass(frozen=True, eq=False)
class Interval:
    """A value and the interval around it.

    Attributes
    ----------
    value, low, high : float
        NaN where undefined.
    confidence : float
    method : str
        ``"bootstrap"`` or ``"bonett-wright"``.
    samples : ndarray
        The bootstrap's values, NaN where undefined; empty for another method.
    coefficient, grouping, epsilons, resample, seed
        What was asked for.
    scores : tuple of arrays
        As they were read.
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

    @property
    def n_undefined(self) -> int:
        """Resamples on which the value is undefined; they are left out."""
        return int(np.isnan(self.samples).sum())

    @property
    def signature(self) -> str:
        """One line that makes the number reproducible."""
        return signature(
            interval=self.method,
            confidence=self.confidence,
            coefficient=self.coefficient,
            grouping=self.grouping,
            epsilons="/".join(map(str, self.epsilons)),
            undefined="drop",
            resample=self.resample,
            resamples=self.samples.size,
            data=digest_of(*self.scores),
            seed=self.seed,
        )


def bootstrap_interval(
    human: ArrayLike,
    metric: ArrayLike,
    coefficient: str = "acc_eq",
    *,
    grouping: str | None = None,
    resample: str = "segments",
    epsilon: Epsilon = 0.0,
    against: ArrayLike | None = None,
    confidence: float = 0.95,
    n_resamples: int = 999,
    rng: np.random.Generator | int = 0,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> Interval:
    """Bound a measure by what it is on segments, systems or both drawn again with replacement.

    A drawn system or segment brings all its scores. What was drawn twice counts twice, but a score and its own copy
    are no pair: counted as tied by both they would lift acc_eq. By item a segment drawn twice makes two groups.

    Parameters
    ----------
    human, metric, coefficient, grouping
        As for `correlate`; a star after the coefficient is ``epsilon="calibrated"``.
    resample : {"segments", "systems", "both"}
        What is drawn. Items of vectors are segments.
    epsilon : float, "calibrated" or "recalibrated"
        A threshold; the best one, once; the best one of every resample (slow).
    against : array_like, optional
        Another metric of the same shape: the interval is that of the difference, metric minus it, on the same draws.
    confidence : float
        Above 0 and below 1.
    n_resamples, rng, n_jobs, progress
        As for `permutation_test`.

    Returns
    -------
    Interval
        Between percentiles of the resamples on which the measure is defined; NaN where it is on none.

    Raises
    ------
    InputError
        For a confidence that is none, unknown names, and what `correlate` refuses.

    References
    ----------
    Deutsch et al. (2021), doi:10.1162/tacl_a_00417; Efron and Tibshirani (1993), An Introduction to the Bootstrap.

    Examples
    --------
    >>> found = bootstrap_interval([1, 2, 2, 3, 4, 6], [2, 1, 1.5, 5, 3, 7], "tau_a", n_resamples=499)
    >>> round(found.value, 3), round(found.low, 3), round(found.high, 3)
    (0.533, -0.091, 1.0)
    """
    scores = check_pair(human, metric)
    check_kind("resample", resample, RESAMPLES)
    _check_confidence(confidence)
    measure = get_measure(coefficient, grouping, scores[0].ndim)
    if scores[0].ndim == 1 and resample != "segments":
        raise InputError(f"resample: items of vectors have no systems, so it must be segments, found {resample!r}")
    metrics = [scores[1]]
    if against is not None:
        metrics.append(as_scores("against", against))
        if metrics[1].shape != scores[0].shape:
            raise InputError(f"against: must have the shape of human, {scores[0].shape}, found {metrics[1].shape}")
    h = as_matrix(scores[0])
    panels = [make_panel(h, (as_matrix(m),), (measure,), epsilon) for m in metrics]
    plan = Plan(False, resample, (h.shape[0], h.shape[1]), check_number(n_resamples), seed_of(rng))
    value = _difference([panel.observed()[:, 0, 0] for panel in panels])
    parts = run_parts(_draw, (panels, plan), plan.parts, n_jobs=n_jobs, progress=progress)
    samples = np.concatenate(list(parts))
    defined = samples[~np.isnan(samples)]
    tail = (1 - confidence) / 2
    low, high = np.quantile(defined, (tail, 1 - tail)).tolist() if defined.size else (float("nan"),) * 2
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
        scores=(scores[0], *metrics),
    )


def _difference(values: list[FloatArray]) -> FloatArray:
    return values[0] if len(values) == 1 else values[0] - values[1]


def _draw(panels: list[Panel], plan: Plan, part: int) -> FloatArray:
    return _difference([panel.draw(plan, part)[:, 0, 0] for panel in panels])


def _check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise InputError(f"confidence: must lie between 0 and 1, found {confidence!r}")


def bonett_wright(
    human: ArrayLike,
    metric: ArrayLike,
    coefficient: str = "pearson",
    *,
    grouping: str | None = None,
    confidence: float = 0.95,
) -> Interval:
    """Bound a correlation by Fisher's transformation with Bonett and Wright's variances.

    They hold for one group of independent items that are close to normal. For the mean over groups nlpstats' rule is
    kept: n is the largest group's, as if there were no other. Ties are ignored by the variance of tau.

    Parameters
    ----------
    human, metric, grouping
        As for `correlate`.
    coefficient : {"pearson", "spearman", "tau_a", "tau_b"}
        The ones whose variances they give.
    confidence : float

    Returns
    -------
    Interval
        NaN where n is at most 3 (tau: 4), or the value undefined; of no width at 1 and -1.

    Raises
    ------
    InputError
        For other coefficients, a confidence that is none, and what `correlate` refuses.

    References
    ----------
    Bonett and Wright (2000), doi:10.1007/BF02294183.

    Examples
    --------
    >>> found = bonett_wright([1, 2, 3, 4, 5, 6], [1, 3, 2, 4, 6, 5])
    >>> round(found.value, 3), round(found.low, 3), round(found.high, 3)
    (0.886, 0.264, 0.987)
    """
    _check_confidence(confidence)
    found = correlate(human, metric, coefficient, grouping=grouping)
    if found.coefficient not in SHAPES:
        raise InputError(f"coefficient: must be one of {', '.join(SHAPES)}, found {coefficient!r}")
    b, slope, constant = SHAPES[found.coefficient]
    n = int(group(*found.scores, grouping).sizes.max(initial=0))
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
    )
