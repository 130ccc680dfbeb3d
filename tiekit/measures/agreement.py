"""How alike do two measures rank metrics?"""

from __future__ import annotations

import numpy as np
import pandas as pd

from tiekit.arguments import Exclude
from tiekit.coefficients.coefficient import Coefficient
from tiekit.coefficients.per_group import ROUNDING, values_per_group
from tiekit.coefficients.registry import get_coefficient
from tiekit.counting.grouping import group
from tiekit.counting.means import merge_near_equal
from tiekit.measures.catalog import GAO_MEASURES, Measures, as_measures
from tiekit.measures.datasets import Datasets, Names, read_datasets
from tiekit.measures.evaluate import values_of
from tiekit.progress import Progress, showing
from tiekit.scores import FloatArray


def measure_agreement(
    datasets: Datasets,
    measures: Measures = GAO_MEASURES,
    coefficient: str = "tau_b",
    *,
    metrics: Names = None,
    human: Names = None,
    exclude: Exclude = None,
    cells: str | None = None,
    progress: Progress | bool | None = None,
) -> pd.DataFrame:
    """Measure how alike every two measures rank the metrics.

    Parameters
    ----------
    datasets : EvalSet, or mapping of str to (human, metrics)
        An evaluation set, which has one data set per human score (see `datasets_of`), or data sets by name. Each has
        at least two metrics; the metrics may differ between data sets.
    measures : str or iterable of str
        As for `evaluate_measures`.
    coefficient : str
        What compares the metrics' values under two measures: ``"tau_b"`` as in the paper, or another of
        `COEFFICIENTS`. Values that agree to 1e-12 tie, also for coefficients of scores. A metric without a value is
        left out.
    metrics, human : str or iterable of str, optional
        Names of metrics and of human scores of the set; None is all of them.
    exclude : str or iterable of str, optional
        Systems of the set to leave out; None: its standard reference and outliers; ``()``: nobody.
    progress : function of a float, or bool, optional
        Called after every data set with the fraction done; raise an exception to cancel.
        None and True show a bar on a terminal or in a notebook, after a second; False shows none.
    cells : {"common", "own"} or None
        Which cells are compared: those that all metrics of a data set have scored, which is also what None means, with
        a `CoverageWarning` where that leaves something out; or each metric's own.

    Returns
    -------
    pandas.DataFrame
        Measure × measure: the mean over the data sets where it is defined, −1 to 1; 1 is the same ranking.

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
    asked = as_measures(measures)
    checked = read_datasets(
        datasets, metrics, human, exclude, cells=cells, groupings=[measure.grouping for measure in asked]
    )
    entry = get_coefficient(coefficient)
    found = []
    with showing(progress, "compare") as told:
        for number, (gold, scores) in enumerate(checked.values(), 1):
            values = np.concatenate([values_of(gold[None], metric[None], asked) for metric in scores.values()]).T
            found.append(agreement_of(values, entry))
            if told is not None:
                told(number / len(checked))
    names = [measure.name for measure in asked]
    return pd.DataFrame(mean_defined(np.array(found)), index=names, columns=names)


def agreement_of(values: FloatArray, entry: Coefficient) -> FloatArray:
    """How alike every two measures (rows) rank the metrics (columns) by a coefficient, shape (measures, measures)."""
    values = merge_near_equal(values, ROUNDING)
    n = len(values)
    sides = np.repeat(values, n, axis=0), np.tile(values, (n, 1))  # one row per pair of measures
    grouped = group(*sides, "system")
    return grouped.spread(values_per_group(grouped, entry)).reshape(n, n)


def mean_defined(values: FloatArray) -> FloatArray:
    """Mean of the defined values over the first axis; NaN where none is defined."""
    defined = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(defined, values, 0.0).sum(axis=0) / defined.sum(axis=0), np.float64)
