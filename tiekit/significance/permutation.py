"""Is the difference real? Permutation tests of two metrics, and of every two of many."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tiekit.coefficients.correlation import ROUNDING
from tiekit.coefficients.measure import get_measure
from tiekit.counting.scores import FloatArray, as_scores, check_pair
from tiekit.errors import InputError
from tiekit.parallel import run_parts
from tiekit.progress import Progress
from tiekit.resampling.draws import Plan, plan_swaps
from tiekit.resampling.panel import Epsilon, Panel, as_matrix, make_panel
from tiekit.resampling.schemes import check_swap
from tiekit.seeds import check_number, seed_of
from tiekit.signature import digest_of, signature
from tiekit.significance.pair_outcomes import PairOutcomes, compare_pairs

ALTERNATIVES = ("two-sided", "greater", "less")
"""What a small p-value speaks for: the metrics differ; the first agrees better; the second does."""


@dataclass(frozen=True, eq=False)
class PermutationTest:
    """Whether two metrics agree with the human scores differently well.

    Attributes
    ----------
    pvalue : float
        How often metrics that may change places differ as much: (c + 1)/(n + 1) of n random resamples, or the share
        of all of them (`exact`). NaN where the difference is; 1 where a metric is constant.
    difference : float
        Value of the first metric minus that of the second; NaN where one is undefined.
    values : tuple of float
        Both values, from the cells each has scored.
    epsilons : tuple of float
        Both thresholds; NaN where they are found again for every resample.
    samples : ndarray
        The differences of the resamples; NaN where undefined, which counts as large.
    exact : bool
        Whether every possible way to swap was tried, the one observed included.
    note : str
        Why the p-value says less than it seems to; empty where it does not.
    coefficient, grouping, swap, alternative, seed
        What was asked for.
    scores : tuple of three arrays
        Human and both metrics' scores as they were read.
    """

    pvalue: float
    difference: float
    values: tuple[float, float]
    epsilons: tuple[float, float]
    samples: FloatArray = field(repr=False)
    exact: bool
    note: str
    coefficient: str
    grouping: str
    swap: str
    alternative: str
    seed: int
    scores: tuple[FloatArray, FloatArray, FloatArray] = field(repr=False)

    @property
    def n_resamples(self) -> int:
        """Resamples that were counted."""
        return self.samples.size

    @property
    def n_undefined(self) -> int:
        """Resamples in which a metric's value is undefined."""
        return int(np.isnan(self.samples).sum())

    @property
    def signature(self) -> str:
        """One line that makes the number reproducible."""
        return signature(
            test="permutation",
            swap=self.swap,
            alternative=self.alternative,
            coefficient=self.coefficient,
            grouping=self.grouping,
            epsilons="/".join(map(str, self.epsilons)),
            undefined="drop",
            resamples=f"{self.n_resamples}{' (all)' if self.exact else ''}",
            data=digest_of(*self.scores),
            seed="none" if self.exact else self.seed,
        )


def permutation_test(
    human: ArrayLike,
    metric_a: ArrayLike,
    metric_b: ArrayLike,
    coefficient: str = "acc_eq",
    *,
    grouping: str | None = None,
    swap: str = "segments",
    epsilon: Epsilon = 0.0,
    alternative: str = "two-sided",
    n_resamples: int = 999,
    rng: np.random.Generator | int = 0,
    stop_early: tuple[float, float] | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> PermutationTest:
    """Test whether two metrics agree with the human scores differently well.

    If it made no difference which metric gave which scores, the two could change places anywhere; the test asks how
    often they then differ as much as they do. Where scores of both get into one group they are standardised first,
    over the cells with a human score. Between scores of different metrics a threshold is the mean of the metrics'
    own, in standard deviations; among one metric's scores it is that metric's.

    Parameters
    ----------
    human, metric_a, metric_b : array_like, shape (n,) or (systems, segments)
        As for `correlate`, all of one shape; NaN is missing, and a missing score changes places like any other.
    coefficient : str
        A name of `COEFFICIENTS`; a star after it (``acc_eq*``) is ``epsilon="calibrated"``.
    grouping : {"global", "item", "system", "system_means"} or None
        As for `correlate`.
    swap : {"segments", "cells", "systems", "both", "pairs"}
        What changes places, each with chance 1/2, see `SWAPS`. Items of vectors are segments. Pairs share scores,
        so ``"pairs"`` takes related outcomes for independent and reports differences far too often: it is there to
        reproduce WMT, with thresholds fixed, for coefficients of counts other than tau_c, and only on cells that
        both metrics scored.
    epsilon : float, pair of float, "calibrated" or "recalibrated"
        Thresholds of both metrics, of each; each metric's best, once; each one's best in every resample (slow).
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the first metric is better.
    n_resamples : int
        Random resamples. Where there are no more ways to swap than that plus one, all are tried instead.
    rng : numpy Generator or int
        The same seed gives the same resamples, whoever works on them.
    stop_early : pair of float, optional
        After every 64 resamples, stop once the p-value lies outside.
    n_jobs : int or None
        Workers, see `tiekit.parallel.run_parts`; the work goes where ``joblib.parallel_config`` says.
    progress : function of a float, optional
        Hears which share is done; what it raises stops the test.

    Returns
    -------
    PermutationTest
        Two metrics that do not differ get p-value 1 two-sided; one that is constant is never significant.

    Raises
    ------
    InputError
        For unknown names, for what cannot be swapped or calibrated, and for what `correlate` refuses.

    References
    ----------
    Deutsch et al. (2021), doi:10.1162/tacl_a_00417; Gao et al. (2024), Algorithm 1, arXiv 2410.16834;
    Deutsch et al. (2023), doi:10.18653/v1/2023.emnlp-main.798; Phipson and Smyth (2010), doi:10.2202/1544-6115.1585.

    Examples
    --------
    >>> human, a, b = [1, 2, 3, 4, 5, 5, 7, 8], [1, 2, 3, 3, 7, 3, 5, 5], [2, 1, 2, 6, 8, 8, 7, 6]
    >>> found = permutation_test(human, a, b, "pearson")
    >>> found.pvalue, found.exact, round(found.difference, 4)
    (0.984375, True, 0.0025)
    """
    scores = check_three(human, metric_a, metric_b)
    scheme = check_swap(swap, scores[0].ndim)
    if alternative not in ALTERNATIVES:
        raise InputError(f"alternative: must be one of {', '.join(ALTERNATIVES)}, found {alternative!r}")
    measure = get_measure(coefficient, grouping, scores[0].ndim)
    h, a, b = map(as_matrix, scores)
    panel = make_panel(h, (a, b), (measure,), epsilon)
    plan = plan_swaps(swap, differing(h, a, b), check_number(n_resamples), seed_of(rng))
    source = panel if scheme.of_scores else compare_pairs(panel)
    values = source.observed()[0, :, 0]
    samples = _sample(source, plan, values, alternative, stop_early, n_jobs, progress)
    difference = float(values[0] - values[1])
    constant = [name for name, m in (("metric_a", a), ("metric_b", b)) if is_constant(h, m)]
    pvalue = 1.0 if constant else p_of(samples, difference, alternative, plan.exact)
    note = f"{' and '.join(constant)}: constant, so never significant" if constant else ""
    return PermutationTest(
        pvalue=pvalue,
        difference=difference,
        values=(float(values[0]), float(values[1])),
        epsilons=(panel.epsilons[0][0], panel.epsilons[0][1]),
        samples=samples,
        exact=plan.exact,
        note=note or scheme.caution,
        coefficient=measure.coefficient.name + ("*" if panel.measures[0].calibrated else ""),
        grouping=measure.grouping,
        swap=swap,
        alternative=alternative,
        seed=plan.seed,
        scores=scores,
    )


def check_three(
    human: ArrayLike, metric_a: ArrayLike, metric_b: ArrayLike
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Check human scores and those of two metrics, all of one shape."""
    h, a = check_pair(human, metric_a)
    b = as_scores("metric_b", metric_b)
    if b.shape != h.shape:
        raise InputError(f"metric_b: must have the shape of human, {h.shape}, found {b.shape}")
    return h, a, b


def differing(human: FloatArray, a: FloatArray, b: FloatArray) -> NDArray[np.bool_]:
    """Where swapping may change something."""
    return np.asarray(~np.isnan(human) & ~(np.isnan(a) & np.isnan(b)), np.bool_)


def is_constant(human: FloatArray, metric: FloatArray) -> bool:
    """Whether a metric gives all scored cells the same."""
    scored = metric[~np.isnan(human) & ~np.isnan(metric)]
    return bool((scored == scored[:1]).all())


def extreme(samples: FloatArray, difference: FloatArray | float, alternative: str) -> NDArray[np.bool_]:
    """Which differences are as large as the one observed, up to rounding; an undefined one is."""
    with np.errstate(invalid="ignore"):
        if alternative == "two-sided":
            smaller = np.abs(samples) < np.abs(difference) - ROUNDING
        elif alternative == "greater":
            smaller = samples < difference - ROUNDING
        else:
            smaller = samples > difference + ROUNDING
    return np.asarray(~smaller, np.bool_)


def p_of(samples: FloatArray, difference: float, alternative: str, exact: bool) -> float:
    """The p-value of a difference, NaN where it is undefined."""
    if np.isnan(difference):
        return float("nan")
    count = int(extreme(samples, difference, alternative).sum())
    return count / samples.size if exact else (count + 1) / (samples.size + 1)


def _sample(
    source: Panel | PairOutcomes,
    plan: Plan,
    values: FloatArray,
    alternative: str,
    stop_early: tuple[float, float] | None,
    n_jobs: int | None,
    progress: Progress | None,
) -> FloatArray:
    """The differences of the resamples, until the p-value is decided where that is asked for."""
    found: list[FloatArray] = []
    for drawn in run_parts(_draw, (source, plan), plan.parts, n_jobs=n_jobs, progress=progress):
        found.append(drawn[:, 0, 0] - drawn[:, 1, 0])
        if stop_early is not None and not plan.exact:
            low, high = stop_early
            if not low <= p_of(np.concatenate(found), float(values[0] - values[1]), alternative, False) <= high:
                break
    return np.concatenate(found)


def _draw(source: Panel | PairOutcomes, plan: Plan, part: int) -> FloatArray:
    return source.draw(plan, part)
