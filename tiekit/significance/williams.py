"""Do two correlations with the same human scores differ? Williams' test, which resamples nothing."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from tiekit.correlation import correlate
from tiekit.counting.grouping import group
from tiekit.errors import InputError
from tiekit.scores import FloatArray
from tiekit.signature import digest_of, signature
from tiekit.significance.permutation import ALTERNATIVES, check_three, is_constant


@dataclass(frozen=True, eq=False)
class WilliamsTest:
    """Whether two metrics correlate with the human scores differently well.

    Attributes
    ----------
    pvalue : float
        NaN where a correlation is undefined or n is at most 3; 1 where a metric is constant.
    statistic : float
        Student's t with n - 3 degrees of freedom; positive where the first metric is better.
    correlations : tuple of float
        Human with the first metric, with the second, the metrics with each other.
    n : int
        What counts as the number of independent items.
    coefficient, grouping, alternative
        What was asked for.
    scores : tuple of three arrays
        Human and both metrics' scores as they were read.
    """

    pvalue: float
    statistic: float
    correlations: tuple[float, float, float]
    n: int
    coefficient: str
    grouping: str
    alternative: str
    scores: tuple[FloatArray, FloatArray, FloatArray] = field(repr=False)

    @property
    def signature(self) -> str:
        """One line that makes the number reproducible."""
        return signature(
            test="williams",
            alternative=self.alternative,
            coefficient=self.coefficient,
            grouping=self.grouping,
            n=self.n,
            undefined="drop",
            data=digest_of(*self.scores),
        )


def williams(
    first: float, second: float, between: float, n: int, alternative: str = "two-sided"
) -> tuple[float, float]:
    """Student's t and the p-value from three correlations.

    Parameters
    ----------
    first, second, between : float
        Human with the first metric, with the second, the metrics with each other. Signs count: higher is better.
    n : int
        Items.
    alternative : {"two-sided", "greater", "less"}

    Returns
    -------
    t, pvalue : float
        NaN for n of at most 3 and undefined correlations; 0 and no evidence for equal correlations.

    References
    ----------
    Williams (1959); Steiger (1980), Equation 7, doi:10.1037/0033-2909.87.2.245; Graham and Baldwin (2014),
    doi:10.3115/v1/D14-1020.

    Examples
    --------
    >>> t, p = williams(0.9, 0.8, 0.7, 20, "greater")
    >>> round(p, 7)
    0.0938983
    """
    if alternative not in ALTERNATIVES:
        raise InputError(f"alternative: must be one of {', '.join(ALTERNATIVES)}, found {alternative!r}")
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


def williams_test(
    human: ArrayLike,
    metric_a: ArrayLike,
    metric_b: ArrayLike,
    coefficient: str = "pearson",
    *,
    grouping: str | None = None,
    alternative: str = "two-sided",
    n: int | None = None,
) -> WilliamsTest:
    """Test whether two metrics correlate with the human scores differently well, by Williams' formula.

    It is made for Pearson's r of one group of independent items. Means over groups and other coefficients are taken
    as WMT takes them: as if they were that.

    Parameters
    ----------
    human, metric_a, metric_b : array_like, shape (n,) or (systems, segments)
        Compared where all three scores are there.
    coefficient, grouping
        As for `correlate`.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the first metric is better.
    n : int, optional
        None is the number of cells with all three scores, or of systems for their means: missing scores do not count.
        Translations of one segment are not independent, so by item it may be set to the systems (nlpstats' rule).

    Returns
    -------
    WilliamsTest

    Raises
    ------
    InputError
        For unknown names and what `correlate` refuses.

    References
    ----------
    See `williams`.

    Examples
    --------
    >>> found = williams_test([1, 2, 3, 4, 5], [1.1, 2, 3.1, 4, 5.1], [1.5, 2, 3.1, 4, 5.5], alternative="greater")
    >>> round(found.pvalue, 3), found.n
    (0.019, 5)
    """
    scores = check_three(human, metric_a, metric_b)
    missing = np.isnan(scores[0]) | np.isnan(scores[1]) | np.isnan(scores[2])
    h, a, b = (np.where(missing, np.nan, part) for part in scores)
    pairs = ((h, a), (h, b), (a, b))
    found = [correlate(*pair, coefficient, grouping=grouping) for pair in pairs]
    first, second, between = (one.value for one in found)
    items = int(group(h, a, grouping).sizes.sum()) if n is None else int(n)
    t, pvalue = williams(first, second, between, items, alternative)
    constant = is_constant(h, a) or is_constant(h, b)
    return WilliamsTest(
        pvalue=1.0 if constant else pvalue,
        statistic=t,
        correlations=(first, second, between),
        n=items,
        coefficient=found[0].coefficient,
        grouping=found[0].grouping,
        alternative=alternative,
        scores=scores,
    )
