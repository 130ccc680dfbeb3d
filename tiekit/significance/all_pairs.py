"""Which of many metrics differ? A permutation test of every two, for one measure or for many at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from tiekit.arguments import Exclude, Human, read_metrics, systems_of
from tiekit.cells import OWN_CELLS, WHICH_CELLS, Cells, share_cells
from tiekit.coefficients.measure import Measure, get_measure
from tiekit.errors import InputError
from tiekit.evalset import EvalSet
from tiekit.names import as_names, find_name
from tiekit.progress import Progress, part_of, showing
from tiekit.resampling.documents import check_means, name_documents, number_documents, usual_swap
from tiekit.resampling.panel import as_matrix
from tiekit.resampling.schemes import SWAPS, check_kind, check_swap
from tiekit.scores import FloatArray, IntArray
from tiekit.seeds import seed_of
from tiekit.signature import digest_of
from tiekit.significance.comparison import Comparison
from tiekit.significance.every_pair import Asked, Outcomes, pvalues_of_pairs
from tiekit.significance.permutation import is_constant
from tiekit.significance.stopping import ALTERNATIVES, StopEarly, check_stop


def compare_metrics(
    data: Human = None,
    metrics: Mapping[str, ArrayLike] | str | Iterable[str] | None = None,
    coefficient: str | None = None,
    *,
    grouping: str | None = None,
    average: str = "groups",
    swap: str | None = None,
    epsilon: float | str | None = None,
    alternative: str = "two-sided",
    n_resamples: int = 999,
    rng: np.random.Generator | int | None = None,
    stop_early: StopEarly = None,
    documents: Sequence[str] | None = None,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    cells: str | None = None,
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
    coefficient, grouping, average, swap, epsilon, n_resamples, rng, stop_early, documents, n_jobs, progress
        As for `permutation_test`. Each pair of metrics stops by itself.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the metric of the row is better.
    human, exclude
        Which human score of the set, and without which of its systems; as for `correlate`.
    cells : {"common", "own"} or None
        Which cells are compared: those that all metrics have scored, or each metric's own. None is common, but of
        three or more metrics one that has scored less than half of the cells that most have stands apart: it is
        compared with each other metric on the cells of these two, see `Comparison.apart`.

    Returns
    -------
    Comparison

    Raises
    ------
    InputError
        For fewer than two metrics, and for what `permutation_test` refuses.

    Warns
    -----
    CoverageWarning
        Where cells are left out because a metric has not scored them, and where a metric stands apart.

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
    is_fixed, known = epsilon is not None, 0.0 if epsilon is None else epsilon
    given = data, metrics, [coefficient], grouping, swap, alternative, documents, human, exclude
    _, (asked,) = _read(*given, is_fixed=is_fixed, average=average)
    asked = asked._replace(stop_early=check_stop(stop_early))
    whole, seed, same = asked, seed_of(rng), _share(asked, data, cells, exclude, board=True)
    asked = _on_cells(whole, same)
    with showing(progress, "compare") as told:
        tests = pvalues_of_pairs(asked, known, n_resamples, seed, n_jobs, told)
    apart = _test_apart(whole, same, lambda pair: pvalues_of_pairs(pair, known, n_resamples, seed, n_jobs, None))
    measure = asked.measures[0]
    values = pd.Series({name: float(value[0]) for name, value in tests.by_metric.items()}, name=measure.name)
    order = values.sort_values(ascending=False, kind="stable").index
    starred = measure.calibrated or isinstance(epsilon, str)
    return Comparison(
        values=values[order],
        pvalues=_square(asked, tests.forth, tests.back).loc[order, order],
        counted=_square(asked, tests.counted, tests.counted).loc[order, order],
        apart=apart,
        constant=tuple(name for name, metric in asked.metrics.items() if is_constant(asked.human, metric)),
        coefficient=measure.coefficient.name + ("*" if starred else ""),
        grouping=measure.grouping,
        swap=asked.swap,
        alternative=alternative,
        n_resamples=n_resamples,
        stop_early=asked.stop_early,
        seed=seed,
        digest=digest_of(whole.human, *whole.metrics.values()),
        **same.counts,
        average=average,
    )


def swap_test(
    data: Human = None,
    metrics: Mapping[str, ArrayLike] | Iterable[str] | None = None,
    measures: str | Iterable[str] | None = None,
    *,
    swap: str | None = None,
    n_resamples: int = 999,
    rng: np.random.Generator | int | None = None,
    documents: Sequence[str] | None = None,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    cells: str | None = None,
    n_jobs: int | None = None,
    progress: Progress | bool | None = None,
) -> pd.DataFrame:
    """Test every two metrics by many measures on the same resamples: the p-values of Algorithm 1 of Gao et al.

    Parameters
    ----------
    data, metrics, n_resamples, rng, documents, human, exclude, n_jobs, progress
        As for `compare_metrics`.
    cells : {"common", "own"} or None
        Which cells are compared: those that all metrics have scored, which is also what None means, or each metric's
        own.
    measures : str or iterable of str, optional
        As in ``"system_means/pearson"`` or ``"item/acc_eq*"``; a coefficient alone (``"acc_eq*"``) has its default
        grouping. None is acc_eq*.
    swap : {"segments", "cells", "systems", "system_means", "both", "documents"} or None
        What is swapped between two metrics. None is what suits each measure, see `permutation_test`; then measures that
        suit different swaps are tested on different resamples. Algorithm 1 as printed swaps ``"cells"``; its authors
        ran ``"both"``.

    Returns
    -------
    pandas.DataFrame
        Two-sided p-values: one row per pair of metrics, indexed by both names; one column per measure, named like
        ``item/acc_eq*``. Its ``attrs`` hold ``n_systems``, ``n_segments``, ``n_cells`` and which ``cells`` were
        compared.

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
    names: list[str | None] = [None] if measures is None else [*as_names(measures, "measures")]
    order, of_swaps = _read(data, metrics, names, None, swap, "two-sided", documents, human, exclude)
    if swap is not None and not SWAPS[swap].of_scores:
        raise InputError(f"swap: {swap!r} is for compare_metrics, which tests by one measure at a time")
    same = _share(of_swaps[0]._replace(measures=tuple(order)), data, cells, exclude)
    found: dict[Measure, FloatArray] = {}
    seed = seed_of(rng)
    with showing(progress, "swap") as told:
        for stage, asked in enumerate(of_swaps):
            part = part_of(told, stage, len(of_swaps))
            tests = pvalues_of_pairs(_on_cells(asked, same), 0.0, n_resamples, seed, n_jobs, part)
            found |= dict(zip(asked.measures, tests.forth.T, strict=True))
    pairs = pd.MultiIndex.from_tuples(list(combinations(of_swaps[0].metrics, 2)), names=["first", "second"])
    pvalues = np.array([found[measure] for measure in order]).T
    frame = pd.DataFrame(pvalues, index=pairs, columns=[measure.name for measure in order])
    frame.attrs |= same.counts
    return frame


def _as_coefficient(data: EvalSet, text: str, coefficient: str | None) -> str:
    """The coefficient that a single text after a set names."""
    try:
        get_measure(text, None)
    except InputError as error:
        try:
            name = find_name("metrics", text, data.metrics)
        except InputError:
            raise error from None
        raise InputError(f"metrics: there must be at least two, found {name} alone; None is all of them") from None
    if coefficient not in (None, text):
        raise InputError(f"coefficient: {coefficient!r} contradicts {text!r}, which is given before it")
    return text


def _read(
    data: Human,
    metrics: Mapping[str, ArrayLike] | str | Iterable[str] | None,
    measures: list[str | None],
    grouping: str | None,
    swap: str | None,
    alternative: str,
    documents: Sequence[str] | None,
    human: str | ArrayLike | None,
    exclude: Exclude,
    is_fixed: bool = False,
    average: str = "groups",
) -> tuple[list[Measure], list[Asked]]:
    """Check what is compared: the measures, and which of them are tested on the same swaps."""
    h, scores = read_metrics(data, metrics, human, exclude)
    if len(scores) < 2:
        raise InputError(f"metrics: there must be at least two, found {len(scores)}")
    if not measures:
        raise InputError("measures: there must be at least one")
    check_kind("alternative", alternative, ALTERNATIVES)
    named = name_documents(data, documents, h.shape[-1])
    is_known = named is not None
    found = [
        get_measure(one, grouping, h.ndim, documents=is_known, is_fixed=is_fixed, average=average) for one in measures
    ]
    matrices, asked = {name: as_matrix(m) for name, m in scores.items()}, []
    of_swaps: dict[str, list[Measure]] = {}
    for measure in found:
        of_swaps.setdefault(usual_swap(measure) if swap is None else swap, []).append(measure)
    for one, tested in of_swaps.items():
        scheme = check_swap(one, h.ndim)
        number = number_documents(scheme, named)
        check_means("swap", scheme, tested)
        made = Asked(as_matrix(h), matrices, tuple(tested), one, alternative, documents=number, names=named)
        asked.append(made)
    return found, asked


def _share(asked: Asked, data: Human, cells: str | None, exclude: Exclude, *, board: bool = False) -> Cells:
    """Find the cells on which the metrics are compared, and warn of what is left out."""
    groupings = [measure.grouping for measure in asked.measures]
    same = share_cells(asked.human, asked.metrics, cells, groupings=groupings, board=board)
    same.warn(systems_of(data, exclude), advice=WHICH_CELLS if board else OWN_CELLS)
    return same


def _on_cells(asked: Asked, same: Cells) -> Asked:
    """What is compared on the cells that were found, without the metrics that stand apart."""
    names = same.documents(asked.names)
    return asked._replace(
        human=same.without_gaps(same.human),
        metrics={name: same.without_gaps(asked.metrics[name]) for name in same.among},
        documents=number_documents(SWAPS[asked.swap], names),
        names=names,
    )


def _test_apart(asked: Asked, same: Cells, test: Callable[[Asked], Outcomes]) -> pd.DataFrame:
    """Test every metric that stands apart against each other one, on the cells of these two."""
    pairs = [(a, b) for place, a in enumerate(same.apart) for b in (*same.among, *same.apart[place + 1 :])]
    groupings, rows = [measure.grouping for measure in asked.measures], []
    for pair in pairs:
        scores = {name: asked.metrics[name] for name in pair}
        try:
            two = share_cells(asked.human, scores, groupings=groupings)
        except InputError:
            if pair[1] in same.among:
                raise
            rows.append([float("nan")] * 4 + [int(np.logical_and(*(same.scored[name] for name in pair)).sum())])
            continue
        found = test(_on_cells(asked, two))
        first, second = (float(found.by_metric[name][0]) for name in pair)
        rows.append([first, second, first - second, float(found.forth[0, 0]), two.counts["n_cells"]])
    named = pd.DataFrame(pairs, columns=["first", "second"])
    numbers = pd.DataFrame(rows, columns=["value_first", "value_second", "difference", "pvalue", "n_cells"])
    return pd.concat([named, numbers.astype({"n_cells": np.int64})], axis=1)


def _square(asked: Asked, forth: FloatArray | IntArray, back: FloatArray | IntArray) -> pd.DataFrame:
    """The numbers of every two metrics, one row and one column per metric; NaN on the diagonal."""
    names, square = list(asked.metrics), np.full((len(asked.metrics),) * 2, np.nan)
    for (a, b), one, other in zip(combinations(range(len(names)), 2), forth, back, strict=True):
        square[a, b], square[b, a] = one[0], other[0]
    return pd.DataFrame(square, index=names, columns=names)
