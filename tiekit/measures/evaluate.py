"""Which measure? A grouping × a coefficient: what each says of metrics, and how alike two measures rank them."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from tiekit.calibration.exact import best_epsilon
from tiekit.coefficients.measure import Measure, get_measure
from tiekit.coefficients.per_group import ROUNDING, average, evaluate, values_per_group
from tiekit.coefficients.registry import COEFFICIENTS, get_coefficient
from tiekit.coefficients.system_level import SYSTEM_LEVEL
from tiekit.counting.grouping import GROUPINGS, Grouped, group
from tiekit.counting.means import merge_near_equal, row_means
from tiekit.counting.pairs import count_within, near_tie_notes
from tiekit.errors import InputError, NearTieWarning
from tiekit.evalset import EvalSet
from tiekit.progress import Progress
from tiekit.scores import ROUND, FloatArray, IntArray, as_scores, check_pair

GAO_NAMES = {
    f"{grouping}/{coefficient}": f"{level} {name}"
    for grouping, level in {"system_means": "System", "item": "Input", "global": "Global", "system": "Item"}.items()
    for coefficient, name in {"pearson": "Pearson", "spearman": "Spearman", "tau_b": "Kendall"}.items()
}
"""The twelve measures of Gao et al. (2024) in the order of their Table 2, and what they call them."""

GAO_MEASURES = tuple(GAO_NAMES)

MeasureLike: TypeAlias = str | tuple[str, str] | Measure
"""``"item/acc_eq*"``, ``("item", "acc_eq*")`` or a `Measure`."""

Dataset: TypeAlias = tuple[ArrayLike, Mapping[str, ArrayLike]]
"""Human scores and those of metrics by name, all of shape (systems, segments)."""

AT_ONCE = 1_000_000
"""Cells that are laid under one another: more of them are no faster, and need more memory."""

Scored: TypeAlias = tuple[FloatArray, dict[str, FloatArray]]
"""A data set once it is checked."""


def all_measures(*, calibrated: bool = True) -> tuple[str, ...]:
    """Every grouping × every coefficient, with a star each calibrated one, and those of `SYSTEM_LEVEL`.

    Examples
    --------
    >>> len(all_measures(calibrated=False)), len(all_measures()), all_measures()[-1]
    (45, 77, 'system/pdp')
    """
    stars = [name + "*" for name, entry in COEFFICIENTS.items() if calibrated and entry.takes_epsilon]
    named = [f"{grouping}/{name}" for grouping in GROUPINGS for name in (*COEFFICIENTS, *stars)]
    return (*named, *(f"{grouping}/{name}" for name, entry in SYSTEM_LEVEL.items() for grouping in entry.groupings))


def as_measures(measures: Sequence[MeasureLike]) -> tuple[Measure, ...]:
    """Look measures of matrices up.

    Parameters
    ----------
    measures : sequence of str, (grouping, coefficient) or Measure
        A star after the coefficient asks for each metric's best epsilon.

    Raises
    ------
    InputError
        For none at all, an unknown name, a star after a coefficient that knows no ties, one that is there twice.

    Examples
    --------
    >>> [measure.name for measure in as_measures(["none/tau_23*", ("item", "pearson")])]
    ['global/tau_eq*', 'item/pearson']
    """
    if isinstance(measures, str) or not len(measures):
        raise InputError(f"measures: must be a sequence of one at least, found {measures!r}")
    found = [_as_measure(measure) for measure in measures]
    names = [measure.name for measure in found]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise InputError(f"measures: each must be there once, found {twice[0]} again")
    return tuple(found)


def _as_measure(measure: MeasureLike) -> Measure:
    if isinstance(measure, Measure):
        return measure
    parts = tuple(measure.split("/")) if isinstance(measure, str) else measure
    if not isinstance(parts, tuple) or len(parts) != 2:
        raise InputError(f"measures: must be named grouping/coefficient, found {measure!r}")
    return get_measure(parts[1], parts[0])


def datasets_of(evalset: EvalSet, *, human: Sequence[str] | None = None) -> dict[str, Dataset]:
    """Make a data set of each human score, as Gao et al. split sets by aspect.

    Parameters
    ----------
    evalset : EvalSet
        As it is; `EvalSet.select` leaves out systems.
    human : sequence of str, optional
        Names of human scores; None is all.

    Returns
    -------
    dict of str to (human, metrics)

    Raises
    ------
    InputError
        For an unknown name.
    """
    names = tuple(evalset.human) if human is None else tuple(human)
    if unknown := [name for name in names if name not in evalset.human]:
        raise InputError(f"human: there is no {unknown[0]!r}; known: {', '.join(evalset.human)}")
    return {name: (evalset.human[name], evalset.metrics) for name in names}


def check_dataset(human: ArrayLike, metrics: Mapping[str, ArrayLike], least: int = 1) -> Scored:
    """Check that there are so many metrics at least, and that all scores are matrices of one shape."""
    if len(metrics) < least:
        raise InputError(f"metrics: there must be {least} at least, found {len(metrics)}")
    h, scores = as_scores("human", human), {}
    for name, metric in metrics.items():
        try:
            h, scores[str(name)] = check_pair(h, metric)
        except InputError as error:
            raise InputError(f"metrics: {name}: {error}") from error
    if h.ndim != 2:
        raise InputError(f"human: measures need a matrix, systems × segments, found {h.ndim} dimensions")
    return h, scores


def check_datasets(datasets: Mapping[str, Dataset], least: int = 2) -> dict[str, Scored]:
    """Check several data sets, each with so many metrics at least."""
    if not isinstance(datasets, Mapping) or not datasets:
        raise InputError("datasets: must be a mapping of names to (human, metrics), with one entry at least")
    found = {}
    for name, dataset in datasets.items():
        try:
            found[str(name)] = check_dataset(*dataset, least=least)
        except InputError as error:
            raise InputError(f"datasets: {name}: {error}") from error
    return found


def check_count(name: str, number: int, least: int = 1) -> int:
    """Check a whole number of at least so many."""
    if not isinstance(number, Integral) or isinstance(number, bool) or number < least:
        raise InputError(f"{name}: must be a whole number of at least {least}, found {number!r}")
    return int(number)


def evaluate_measures(
    human: ArrayLike,
    metrics: Mapping[str, ArrayLike],
    measures: Sequence[MeasureLike] = GAO_MEASURES,
    *,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Judge metrics by many measures.

    Parameters
    ----------
    human : array_like, shape (systems, segments)
        Higher is better. NaN is a missing score: the cell is left out of every pair.
    metrics : mapping of str to array_like of that shape
    measures : sequence
        Names such as ``"item/acc_eq*"``, or (grouping, coefficient); the star calibrates each metric by itself.
    progress : function of a float, optional
        Hears, after every metric, which share is done.

    Returns
    -------
    pandas.DataFrame
        A row a metric, a column a measure, as `correlate` and `calibrate` value them: undefined groups are left out of
        the mean, and without a defined one it is NaN.

    Raises
    ------
    InputError
        For unknown names, no metric, vectors, and what `correlate` refuses.

    Warns
    -----
    NearTieWarning
        Where distinct scores differ by less than 1e-12 of their range.

    References
    ----------
    Gao et al. (2024), section 2, arXiv 2410.16834.

    Examples
    --------
    >>> human, flat = [[1, 2, 3], [2, 3, 1], [3, 1, 3]], [[1, 1, 1], [1, 1, 1], [2, 1, 1]]
    >>> evaluate_measures(human, {"exact": human, "flat": flat}, ["item/tau_b", "system_means/pearson"]).round(2)
            item/tau_b  system_means/pearson
    metric
    exact         1.00                   1.0
    flat          0.82                   1.0
    """
    asked = as_measures(measures)
    h, scores = check_dataset(human, metrics)
    rows = []
    for number, (name, metric) in enumerate(scores.items(), 1):
        for note in near_tie_notes(group(h, metric, "global").scores):
            warnings.warn(f"metrics: {name}: {note}; {ROUND}", NearTieWarning, stacklevel=2)
        rows.append(values_of(h[None], metric[None], asked)[0])
        if progress is not None:
            progress(number / len(scores))
    return pd.DataFrame(rows, index=pd.Index(list(scores), name="metric"), columns=[m.name for m in asked])


def values_of(human: FloatArray, metrics: FloatArray, measures: Sequence[Measure]) -> FloatArray:
    """Values of many score matrices at once, shape (matrices, measures).

    Both sides have the shape (matrices, systems, segments); human may hold a single matrix for all. Matrices are laid
    under one another, so that what Python costs is paid once.
    """
    human = np.broadcast_to(human, metrics.shape)
    step = max(1, AT_ONCE // max(1, metrics[0].size))
    blocks = [slice(first, first + step) for first in range(0, len(metrics), step)]
    return np.concatenate([_values_at_once(human[block], metrics[block], measures) for block in blocks])


def _values_at_once(human: FloatArray, metrics: FloatArray, measures: Sequence[Measure]) -> FloatArray:
    found = np.empty((len(metrics), len(measures)))
    laid: dict[str, tuple[Grouped, IntArray]] = {}
    for i, measure in enumerate(measures):
        if measure.calibrated or not measure.coefficient.by_group:
            found[:, i] = [_by_itself(h, m, measure) for h, m in zip(human, metrics, strict=True)]
            continue
        if measure.grouping not in laid:
            grouped = group(*(_rows(human, metrics, measure.grouping)), "system")
            laid[measure.grouping] = grouped, count_within(grouped.scores, 0.0).counts
        grouped, counts = laid[measure.grouping]
        values = values_per_group(grouped, measure.coefficient, counts=counts)
        found[:, i] = [average(row, "drop") for row in grouped.spread(values).reshape(len(metrics), -1)]
    return found


def _rows(human: FloatArray, metrics: FloatArray, grouping: str) -> tuple[FloatArray, FloatArray]:
    """Matrices as one with a row a group, those of the first matrix first."""
    n, n_systems, n_segments = metrics.shape
    if grouping == "system_means":
        both = [(h, m, ~(np.isnan(h) | np.isnan(m))) for h, m in zip(human, metrics, strict=True)]
        of_human = [row_means("human", h, scored) for h, _, scored in both]
        of_metric = [row_means("metric", m, scored) for _, m, scored in both]
        return np.reshape(of_human, (n, n_systems)), np.reshape(of_metric, (n, n_systems))
    if grouping == "item":
        human, metrics = human.swapaxes(1, 2), metrics.swapaxes(1, 2)
    width = n_systems * n_segments if grouping == "global" else metrics.shape[2]
    n_rows = metrics.size // width if width else 0
    return np.reshape(human, (n_rows, width)), np.reshape(metrics, (n_rows, width))


def _by_itself(human: FloatArray, metric: FloatArray, measure: Measure) -> float:
    entry = measure.coefficient
    if not measure.calibrated:
        return evaluate(entry, human, metric, measure.grouping)
    grouped = group(human, metric, measure.grouping)
    epsilon = best_epsilon(grouped, entry, count_within(grouped.scores, 0.0))
    return average(values_per_group(grouped, entry, epsilon), "drop")


def measure_agreement(
    datasets: Mapping[str, Dataset],
    measures: Sequence[MeasureLike] = GAO_MEASURES,
    coefficient: str = "tau_b",
    *,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Say how alike every two measures rank the metrics.

    Parameters
    ----------
    datasets : mapping of str to (human, metrics)
        See `datasets_of`; two metrics at least, which may differ from set to set.
    measures : sequence
        As for `evaluate_measures`.
    coefficient : str
        What compares the metrics' values under two measures: ``"tau_b"`` as in the paper, another of `COEFFICIENTS`.
        Values that agree to 1e-12 tie, also for coefficients of scores. A metric without a value is left out.
    progress : function of a float, optional

    Returns
    -------
    pandas.DataFrame
        Measure × measure, the mean over the data sets where it is defined; 1 is the same ranking.

    Raises
    ------
    InputError
        For fewer than two metrics, and as `evaluate_measures`.

    References
    ----------
    Gao et al. (2024), section 2 and Figure 1, arXiv 2410.16834.

    Examples
    --------
    >>> human = [[1, 2, 3], [2, 3, 1], [3, 1, 3]]
    >>> metrics = {"a": human, "b": [[1, 1, 1], [1, 1, 1], [2, 1, 1]], "c": [[3, 2, 1], [1, 3, 1], [1, 2, 3]]}
    >>> measure_agreement({"toy": (human, metrics)}, ["item/tau_b", "global/tau_b", "system_means/tau_b"]).round(2)
                        item/tau_b  global/tau_b  system_means/tau_b
    item/tau_b                1.00          1.00                0.82
    global/tau_b              1.00          1.00                0.82
    system_means/tau_b        0.82          0.82                1.00
    """
    asked, checked = as_measures(measures), check_datasets(datasets)
    entry = get_coefficient(coefficient)
    found = []
    for number, (human, metrics) in enumerate(checked.values(), 1):
        values = merge_near_equal(
            np.concatenate([values_of(human[None], m[None], asked) for m in metrics.values()]).T, ROUNDING
        )
        n = len(values)
        sides = np.repeat(values, n, axis=0), np.tile(values, (n, 1))  # a row a pair of measures
        grouped = group(*sides, "system")
        found.append(grouped.spread(values_per_group(grouped, entry)).reshape(n, n))
        if progress is not None:
            progress(number / len(checked))
    names = [measure.name for measure in asked]
    return pd.DataFrame(mean_defined(np.array(found)), index=names, columns=names)


def mean_defined(values: FloatArray) -> FloatArray:
    """Mean over the first axis of what is defined; NaN where nothing is."""
    defined = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(defined, values, 0.0).sum(axis=0) / defined.sum(axis=0), np.float64)
