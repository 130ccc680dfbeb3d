"""What do many measures say of many metrics?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from tiekit.arguments import Exclude, Human, documents_of, source_of, source_of_human
from tiekit.calibration.exact import best_epsilon
from tiekit.coefficients.coefficient import OfMatrix
from tiekit.coefficients.measure import Measure
from tiekit.coefficients.per_group import average, evaluate, values_per_group
from tiekit.counting.grouping import DOCUMENT_GROUPINGS, Grouped, group
from tiekit.counting.means import row_means
from tiekit.counting.pairs import count_within
from tiekit.measures.catalog import GAO_MEASURES, Measures, as_measures
from tiekit.measures.datasets import read_dataset
from tiekit.near_ties import warn_near_ties
from tiekit.progress import Progress, showing
from tiekit.scores import FloatArray, IntArray

AT_ONCE = 1_000_000
"""The most cells that are evaluated in one go: more of them are no faster, and need more memory."""


def evaluate_measures(
    data: Human = None,
    metrics: Mapping[str, ArrayLike] | str | Iterable[str] | None = None,
    measures: Measures = GAO_MEASURES,
    *,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    cells: str | None = None,
    progress: Progress | bool | None = None,
) -> pd.DataFrame:
    """Evaluate metrics by many measures.

    Parameters
    ----------
    data : EvalSet, or array_like of shape (systems, segments)
        An evaluation set, or human scores. Higher is better on both sides. NaN is a missing score: the cell is left
        out of every pair.
    metrics : str or iterable of str, or mapping of str to array_like of that shape
        Names of metrics of the set, None is all of them; or metric scores by name.
    measures : str or iterable of str
        Each written ``"item/acc_eq*"``; a star calibrates each metric by itself. ``"document/acc_eq*"`` and
        ``"document_means/acc_eq*"`` need a set with documents. The default is the twelve measures of
        Gao et al. (2024).
    human : str, optional
        The human score of the set; None is its gold score.
    exclude : str or iterable of str, optional
        Systems of the set to leave out; None: its standard reference and outliers; ``()``: nobody.
    progress : function of a float, or bool, optional
        Called after every metric with the fraction done; raise an exception to cancel.
        None and True show a bar on a terminal or in a notebook, after a second; False shows none.
    cells : {"common", "own"} or None
        Which cells are compared: those that all metrics have scored, which is also what None means, with
        a `CoverageWarning` where that leaves something out; or each metric's own.

    Returns
    -------
    pandas.DataFrame
        One row per metric, one column per measure, with the values of `correlate` and `calibrate`: undefined groups
        are left out of the mean; NaN where no group is defined.

    Raises
    ------
    InputError
        For unknown names, no metric, vectors, and what `correlate` refuses.

    Warns
    -----
    NearTieWarning
        Where distinct scores differ by less than 1e-12 of their range.
    OrientationWarning
        Where a matrix has far more rows than columns.

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
    documents = documents_of(data)
    asked = as_measures(measures, documents=documents is not None)
    groupings = [measure.grouping for measure in asked]
    h, scores = read_dataset(data, metrics, human, exclude, cells=cells, groupings=groupings)
    rows, gold = [], source_of_human(data, human, h)
    with showing(progress, "evaluate") as told:
        for number, (name, metric) in enumerate(scores.items(), 1):
            near_ties = group(h, metric, "global").scores.near_ties
            warn_near_ties(near_ties, gold, source_of(data, f"metrics[{name!r}]", name, metric))
            rows.append(values_of(h[None], metric[None], asked, documents)[0])
            if told is not None:
                told(number / len(scores))
    return pd.DataFrame(rows, index=pd.Index(list(scores), name="metric"), columns=[m.name for m in asked])


def values_of(
    human: FloatArray, metrics: FloatArray, measures: Sequence[Measure], documents: Sequence[str] | None = None
) -> FloatArray:
    """Values of many score matrices at once, shape (matrices, measures).

    Both sides have the shape (matrices, systems, segments); ``human`` may hold a single matrix for all. The matrices
    are stacked, so that Python's overhead is paid only once.
    """
    human = np.broadcast_to(human, metrics.shape)
    step = max(1, AT_ONCE // max(1, metrics[0].size))
    blocks = [slice(first, first + step) for first in range(0, len(metrics), step)]
    return np.concatenate([_values_at_once(human[block], metrics[block], measures, documents) for block in blocks])


def _values_at_once(
    human: FloatArray, metrics: FloatArray, measures: Sequence[Measure], documents: Sequence[str] | None
) -> FloatArray:
    found = np.empty((len(metrics), len(measures)))
    stacked: dict[str, tuple[Grouped, IntArray]] = {}
    for i, measure in enumerate(measures):
        if measure.calibrated or not measure.coefficient.by_group or measure.grouping in DOCUMENT_GROUPINGS:
            found[:, i] = [_evaluate_alone(h, m, measure, documents) for h, m in zip(human, metrics, strict=True)]
            continue
        if measure.grouping not in stacked:
            grouped = group(*(_rows(human, metrics, measure.grouping)), "system")
            stacked[measure.grouping] = grouped, count_within(grouped.scores, 0.0).counts
        grouped, counts = stacked[measure.grouping]
        values = values_per_group(grouped, measure.coefficient, counts=counts)
        found[:, i] = [average(row, "drop") for row in grouped.spread(values).reshape(len(metrics), -1)]
    return found


def _rows(human: FloatArray, metrics: FloatArray, grouping: str) -> tuple[FloatArray, FloatArray]:
    """Matrices as one matrix with one row per group, the groups of the first matrix first."""
    n, n_systems, n_segments = metrics.shape
    if grouping == "system_means":
        both = [(h, m, ~(np.isnan(h) | np.isnan(m))) for h, m in zip(human, metrics, strict=True)]
        of_human = [row_means(h, scored) for h, _, scored in both]
        of_metric = [row_means(m, scored) for _, m, scored in both]
        return np.reshape(of_human, (n, n_systems)), np.reshape(of_metric, (n, n_systems))
    if grouping == "item":
        human, metrics = human.swapaxes(1, 2), metrics.swapaxes(1, 2)
    width = n_systems * n_segments if grouping == "global" else metrics.shape[2]
    n_rows = metrics.size // width if width else 0
    return np.reshape(human, (n_rows, width)), np.reshape(metrics, (n_rows, width))


def _evaluate_alone(human: FloatArray, metric: FloatArray, measure: Measure, documents: Sequence[str] | None) -> float:
    """The value of one matrix, for a measure that many matrices cannot share."""
    entry = measure.coefficient
    if isinstance(entry, OfMatrix):
        return evaluate(entry, human, metric, measure.grouping)
    grouped = group(human, metric, measure.grouping, documents)
    epsilon = best_epsilon(grouped, entry, count_within(grouped.scores, 0.0)) if measure.calibrated else 0.0
    return average(values_per_group(grouped, entry, epsilon), "drop")
