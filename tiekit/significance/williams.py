"""Do two correlations with the same human scores differ? Williams' test, a formula without resamples."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import combinations
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from tiekit.base.results import Result
from tiekit.base.validation import FloatArray, Source, digest_of, warn_near_ties
from tiekit.core.coefficients import evaluate
from tiekit.core.grouping import group_checked
from tiekit.core.measure import Measure, get_measure, split_star
from tiekit.sets.arguments import (
    Exclude,
    Human,
    Metric,
    read_several,
    share_cells_of,
    source_of,
    source_of_human,
    with_names,
)
from tiekit.sets.cells import cell_facts
from tiekit.significance._resampled_measures import as_matrix, find_threshold
from tiekit.significance.permutation import ALTERNATIVES, is_constant
from tiekit.significance.schemes import check_kind


@dataclass(frozen=True, eq=False, repr=False)
class WilliamsTest(Result):
    """Whether one metric correlates with the human scores better than another.

    Attributes
    ----------
    pvalue : float
        NaN where a correlation is undefined or n is at most 3; 1 where a metric is constant.
    statistic : float
        Student's t with n - 3 degrees of freedom; positive where the first metric is better.
    correlations : tuple of float
        Of the human scores with the first metric, of the human scores with the second, of both metrics.
    n : int
        The number of items that were taken as independent.
    coefficient, grouping, alternative
        What was asked for.
    scores : tuple of three arrays
        The human scores and both metrics' scores as they were read.
    n_systems, n_segments, n_cells : int
        How many are compared.
    cells : str
        ``"common"``: both metrics have scored them.
    """

    _number: ClassVar[str | None] = "pvalue"

    pvalue: float
    statistic: float
    correlations: tuple[float, float, float]
    n: int
    coefficient: str
    grouping: str
    alternative: str
    scores: tuple[FloatArray, FloatArray, FloatArray] = field(repr=False)
    n_systems: int
    n_segments: int
    n_cells: int
    cells: str

    def _facts(self) -> dict[str, object]:
        return dict(
            test="williams",
            alternative=self.alternative,
            coefficient=self.coefficient,
            grouping=self.grouping,
            n=self.n,
            undefined="drop",
            **cell_facts(self),
            scores=digest_of(*self.scores),
        )


def williams(
    first: float, second: float, between: float, n: int, alternative: str = "two-sided"
) -> tuple[float, float]:
    """Compute Student's t and the p-value from three correlations of n items; ``between`` is that of both metrics.

    Higher is better: signs are kept. NaN where n is at most 3 or a correlation is undefined; t is 0 where both are
    equal. Williams (1959); Steiger (1980), Equation 7, doi:10.1037/0033-2909.87.2.245; Graham and Baldwin (2014),
    doi:10.3115/v1/D14-1020.
    """
    check_kind("alternative", alternative, ALTERNATIVES)
    if n <= 3 or math.isnan(first + second + between):
        return float("nan"), float("nan")
    t = 0.0
    if first != second:
        determinant = max(1 - first**2 - second**2 - between**2 + 2 * first * second * between, 0.0)
        middle = (first + second) / 2
        below = 2 * (n - 1) / (n - 3) * determinant + middle**2 * (1 - between) ** 3
        above = (first - second) * math.sqrt((n - 1) * (1 + between))
        t = above / math.sqrt(below) if below else math.copysign(math.inf, above)
    from scipy.stats import t as student

    tail = {"two-sided": abs(t), "greater": t, "less": -t}[alternative]
    p = float(student.sf(tail, n - 3))
    return t, 2 * p if alternative == "two-sided" else p


@with_names
def williams_test(
    data: Human = None,
    metric_a: Metric = None,
    metric_b: Metric = None,
    coefficient: str = "pearson",
    *,
    grouping: str | None = None,
    alternative: str = "two-sided",
    n: int | None = None,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
) -> WilliamsTest:
    """Test whether one metric correlates with the human scores better than another, by Williams' formula.

    The formula holds for Pearson's r of one group of independent items, so segments and systems are taken as
    independent. Means over groups and other coefficients are
    used as if they were such an r, as WMT does.

    Parameters
    ----------
    data : EvalSet, or array_like of shape (n,) or (systems, segments)
        An evaluation set, or human scores.
    metric_a, metric_b : str, or array_like of that shape
        The names of two metrics of the set, or their scores. Cells where one of the three scores is missing are left
        out.
    coefficient, grouping, human, exclude
        As for `correlate`.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the first metric is better.
    n : int, optional
        Number of independent items. None is the number of cells with all three scores, or of systems where system
        means are compared. Translations of one segment are not independent, so by item it may be set to the number of
        systems (nlpstats' rule).

    Returns
    -------
    WilliamsTest

    Raises
    ------
    InputError
        For unknown names, metrics with too few cells in common, and what `correlate` refuses.

    Warns
    -----
    CoverageWarning
        As for `permutation_test`; the formula knows no cells that only one metric has scored.

    References
    ----------
    See `williams`.

    Examples
    --------
    >>> found = williams_test([1, 2, 3, 4, 5], [1.1, 2, 3.1, 4, 5.1], [1.5, 2, 3.1, 4, 5.5], alternative="greater")
    >>> round(found.pvalue, 3), found.n
    (0.019, 5)
    """
    both: dict[str, Metric] = {"metric_a": metric_a, "metric_b": metric_b}
    gold, (of_a, of_b) = read_several(data, both, human, exclude)
    measure = get_measure(coefficient, grouping, gold.ndim)
    same = share_cells_of(data, both, (gold, (of_a, of_b)), None, exclude, measure.grouping, advise=False)
    missing = np.isnan(gold) | np.isnan(of_a) | np.isnan(of_b)
    h, a, b = (np.where(missing, np.nan, part) for part in (gold, of_a, of_b))
    sources = (
        source_of_human(data, human, gold),
        source_of(data, "metric_a", metric_a, of_a),
        source_of(data, "metric_b", metric_b, of_b),
    )
    pairs = combinations(zip((h, a, b), sources, strict=True), 2)
    first, second, between = (_correlation(*pair, measure) for pair in pairs)
    named = split_star(coefficient, grouping)[2]
    items = int(group_checked(h, a, named).sizes.sum()) if n is None else int(n)
    t, pvalue = williams(first, second, between, items, alternative)
    constant = is_constant(h, a) or is_constant(h, b)
    return WilliamsTest(
        pvalue=1.0 if constant else pvalue,
        statistic=t,
        correlations=(first, second, between),
        n=items,
        coefficient=measure.shown,
        grouping=measure.grouping,
        alternative=alternative,
        scores=(gold, of_a, of_b),
        **same.counts,
    )


def _correlation(human: tuple[FloatArray, Source], metric: tuple[FloatArray, Source], measure: Measure) -> float:
    """Return a measure's value, as `correlate` does."""
    h, m = as_matrix(human[0]), as_matrix(metric[0])
    by = "global" if measure.grouping == "vector" else measure.grouping
    warn_near_ties((group_checked(h, m, by).scores.near_ties, human[1], metric[1]))
    return evaluate(measure.coefficient, h, m, by, find_threshold(h, m, measure))
