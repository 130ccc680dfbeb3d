"""Which of many metrics differ? A permutation test of every two, for one measure or for many at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from tiekit.arguments import Exclude, Human, read_metrics
from tiekit.coefficients.measure import get_measure
from tiekit.errors import InputError
from tiekit.evalset import EvalSet
from tiekit.names import as_names, find_name
from tiekit.progress import Progress, showing
from tiekit.resampling.panel import as_matrix
from tiekit.resampling.schemes import SWAPS, check_kind, check_swap
from tiekit.seeds import seed_of
from tiekit.signature import digest_of
from tiekit.significance.comparison import Comparison
from tiekit.significance.every_pair import Asked, Outcomes, pvalues_of_pairs
from tiekit.significance.permutation import ALTERNATIVES, is_constant


def compare_metrics(
    data: Human = None,
    metrics: Mapping[str, ArrayLike] | str | Iterable[str] | None = None,
    coefficient: str = "acc_eq",
    *,
    grouping: str | None = None,
    swap: str = "segments",
    epsilon: float | str = 0.0,
    alternative: str = "two-sided",
    n_resamples: int = 999,
    rng: np.random.Generator | int | None = None,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    n_jobs: int | None = None,
    progress: Progress | bool | None = None,
) -> Comparison:
    """Test every two of many metrics, all on the same resamples.

    Parameters
    ----------
    data : EvalSet, or array_like of shape (n,) or (systems, segments)
        An evaluation set, or human scores; NaN is a missing score.
    metrics : iterable of str, or mapping of str to array_like
        Names of at least two metrics of the set, None is all; or scores by name, of the shape of the human ones.
        One metric alone cannot be compared, so after a set a single text is the coefficient:
        ``compare_metrics(data, "acc_eq*")``.
    coefficient, grouping, swap, epsilon, n_resamples, rng, n_jobs, progress
        As for `permutation_test`.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the metric of the row is better.
    human, exclude
        Which human score of the set, and without which of its systems; as for `correlate`.

    Returns
    -------
    Comparison

    Raises
    ------
    InputError
        For fewer than two metrics, and for what `permutation_test` refuses.

    Examples
    --------
    >>> human = [[1, 2, 3, 1, 2, 3], [2, 3, 1, 2, 3, 1], [3, 1, 2, 3, 1, 2]]
    >>> good, bad = human, [[3, 2, 1, 3, 2, 1], [2, 1, 3, 2, 1, 3], [1, 3, 2, 1, 3, 2]]
    >>> found = compare_metrics(human, {"bad": bad, "good": good}, "tau_b")
    >>> found.values.to_dict(), float(found.pvalues.loc["good", "bad"]), found.clusters().to_dict()
    ({'good': 1.0, 'bad': -1.0}, 0.03125, {'good': 1, 'bad': 2})
    """
    if isinstance(data, EvalSet) and isinstance(metrics, str):
        coefficient, metrics = _as_coefficient(data, metrics, coefficient), None
    asked = _read(data, metrics, [coefficient], grouping, swap, alternative, human, exclude)
    seed = seed_of(rng)
    with showing(progress, "compare") as told:
        tests = pvalues_of_pairs(asked, epsilon, n_resamples, seed, n_jobs, told)
    measure = asked.measures[0]
    values = pd.Series({name: float(value[0]) for name, value in tests.by_metric.items()}, name=measure.name)
    order = values.sort_values(ascending=False, kind="stable").index
    starred = measure.calibrated or isinstance(epsilon, str)
    return Comparison(
        values=values[order],
        pvalues=_square(asked, tests).loc[order, order],
        constant=tuple(name for name, metric in asked.metrics.items() if is_constant(asked.human, metric)),
        coefficient=measure.coefficient.name + ("*" if starred else ""),
        grouping=measure.grouping,
        swap=swap,
        alternative=alternative,
        n_resamples=n_resamples,
        seed=seed,
        digest=digest_of(asked.human, *asked.metrics.values()),
    )


def swap_test(
    data: Human = None,
    metrics: Mapping[str, ArrayLike] | Iterable[str] | None = None,
    measures: str | Iterable[str] = "acc_eq",
    *,
    swap: str = "segments",
    n_resamples: int = 999,
    rng: np.random.Generator | int | None = None,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    n_jobs: int | None = None,
    progress: Progress | bool | None = None,
) -> pd.DataFrame:
    """Test every two metrics by many measures on the same resamples: the p-values of Algorithm 1 of Gao et al.

    Parameters
    ----------
    data, metrics, n_resamples, rng, human, exclude, n_jobs, progress
        As for `compare_metrics`.
    measures : str or iterable of str
        As in ``"system_means/pearson"`` or ``"item/acc_eq*"``; a coefficient alone (``"acc_eq*"``) has its default
        grouping.
    swap : {"segments", "cells", "systems", "both"}
        What is swapped between two metrics. Algorithm 1 as printed swaps ``"cells"``; its authors ran ``"both"``.

    Returns
    -------
    pandas.DataFrame
        Two-sided p-values: one row per pair of metrics, indexed by both names; one column per measure, named like
        ``item/acc_eq*``.

    Raises
    ------
    InputError
        For what `compare_metrics` refuses, and for ``swap="pairs"``, which is defined for one measure at a time.

    References
    ----------
    Gao et al. (2024), Algorithm 1, arXiv 2410.16834.

    Examples
    --------
    >>> human, other = [[1, 2, 3], [2, 3, 1], [3, 1, 2]], [[3, 2, 1], [2, 1, 3], [1, 3, 2]]
    >>> swap_test(human, {"good": human, "bad": other}, ["item/tau_b", "global/pearson"])
                  item/tau_b  global/pearson
    first second
    good  bad           0.25            0.25
    """
    asked = _read(data, metrics, as_names(measures, "measures"), None, swap, "two-sided", human, exclude)
    if not SWAPS[swap].of_scores:
        raise InputError(f"swap: {swap!r} is for compare_metrics, which tests by one measure at a time")
    with showing(progress, "swap") as told:
        tests = pvalues_of_pairs(asked, 0.0, n_resamples, seed_of(rng), n_jobs, told)
    pairs = pd.MultiIndex.from_tuples(list(combinations(asked.metrics, 2)), names=["first", "second"])
    return pd.DataFrame(tests.forth, index=pairs, columns=[measure.name for measure in asked.measures])


def _as_coefficient(data: EvalSet, text: str, coefficient: str) -> str:
    """The coefficient that a single text after a set names."""
    try:
        get_measure(text, None)
    except InputError as error:
        try:
            name = find_name("metrics", text, data.metrics)
        except InputError:
            raise error from None
        raise InputError(f"metrics: there must be at least two, found {name} alone; None is all of them") from None
    if coefficient not in ("acc_eq", text):
        raise InputError(f"coefficient: {coefficient!r} contradicts {text!r}, which is given before it")
    return text


def _read(
    data: Human,
    metrics: Mapping[str, ArrayLike] | str | Iterable[str] | None,
    measures: list[str],
    grouping: str | None,
    swap: str,
    alternative: str,
    human: str | ArrayLike | None,
    exclude: Exclude,
) -> Asked:
    """Check what is compared by what."""
    h, scores = read_metrics(data, metrics, human, exclude)
    if len(scores) < 2:
        raise InputError(f"metrics: there must be at least two, found {len(scores)}")
    if not measures:
        raise InputError("measures: there must be at least one")
    check_kind("alternative", alternative, ALTERNATIVES)
    check_swap(swap, h.ndim)
    found = tuple(get_measure(measure, grouping, h.ndim) for measure in measures)
    return Asked(as_matrix(h), {name: as_matrix(m) for name, m in scores.items()}, found, swap, alternative)


def _square(asked: Asked, tests: Outcomes) -> pd.DataFrame:
    """P-values, one row and one column per metric."""
    names = list(asked.metrics)
    pvalues = pd.DataFrame(np.nan, index=names, columns=names)
    for (first, second), forth, back in zip(combinations(names, 2), tests.forth, tests.back, strict=True):
        pvalues.loc[first, second], pvalues.loc[second, first] = forth[0], back[0]
    return pvalues
