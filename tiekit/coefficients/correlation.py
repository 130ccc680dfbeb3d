"""How well does this metric agree?"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from tiekit.coefficients.registry import Coefficient, get_coefficient
from tiekit.counting.grouping import Grouped, group
from tiekit.counting.pairs import count_sorted, warn_near_ties
from tiekit.counting.scores import FloatArray, check_epsilon, check_pair
from tiekit.counting.spread import center
from tiekit.errors import InputError
from tiekit.signature import digest_of, signature

POLICIES = ("drop", "zero")
"""What becomes of a group whose coefficient is undefined."""

ROUNDING = 1e-12
"""Means of coefficients that differ by less are equal where they are not counted in integers."""


@dataclass(frozen=True, eq=False)
class Correlation:
    """A coefficient averaged over groups.

    Attributes
    ----------
    value : float
        Mean over the groups; NaN where no group is defined.
    per_group : ndarray, shape (groups,)
        A value a segment (item), a system (system) or one in all; NaN where undefined.
    n_groups : int
        Groups in the mean.
    n_undefined : int
        Groups of two or more scored cells whose coefficient is undefined.
    n_too_small : int
        Groups with fewer than two scored cells, never in the mean.
    n_missing : int
        Cells left out for a missing score.
    coefficient, grouping, epsilon, undefined
        What was asked for.
    scores : tuple of two arrays
        The human and metric scores as they were read.
    """

    value: float
    per_group: FloatArray
    n_groups: int
    n_undefined: int
    n_too_small: int
    n_missing: int
    coefficient: str
    grouping: str
    epsilon: float
    undefined: str
    scores: tuple[FloatArray, FloatArray] = field(repr=False)

    @property
    def digest(self) -> str:
        """Of the scores; made only when it is asked for, as it takes longer than counting."""
        return digest_of(*self.scores)

    @property
    def signature(self) -> str:
        """One line that makes the number reproducible."""
        return signature(
            coefficient=self.coefficient,
            grouping=self.grouping,
            epsilon=self.epsilon,
            undefined=self.undefined,
            groups=self.n_groups,
            undefined_groups=self.n_undefined,
            data=self.digest,
        )


def correlate(
    human: ArrayLike,
    metric: ArrayLike,
    coefficient: str = "acc_eq",
    *,
    grouping: str | None = None,
    epsilon: float = 0.0,
    undefined: str = "drop",
) -> Correlation:
    """Measure how well a metric agrees with the human scores.

    Parameters
    ----------
    human, metric : array_like, shape (n,) or (systems, segments)
        Higher is better on both sides. NaN or None is a missing score: the cell is left out of every pair.
    coefficient : str
        A name of `COEFFICIENTS`, or ``tau_23``, ``acc_23``.
    grouping : {"global", "item", "system", "system_means"} or None
        Which pairs are compared; None is item for matrices and one group for vectors.
    epsilon : float
        Two metric scores are tied when they differ by at most this much.
    undefined : {"drop", "zero"}
        Groups whose coefficient is undefined are left out of the mean (WMT's practice) or count as 0.

    Returns
    -------
    Correlation
        Unweighted mean over the groups with at least two scored cells; NaN where no group is defined.

    Raises
    ------
    InputError
        For unknown names, an epsilon with a coefficient that knows none, and what `count_pairs` refuses.

    Warns
    -----
    NearTieWarning
        Where distinct scores differ by less than 1e-12 of their range.

    References
    ----------
    Deutsch et al. (2023), Appendix A, Equations 1–3, doi:10.18653/v1/2023.emnlp-main.798.

    Examples
    --------
    >>> result = correlate([[1, 2, 3], [4, 5, 6]], [[2, 1, 4], [3, 3, 7]], "tau_b", grouping="system")
    >>> round(result.value, 3), result.n_groups
    (0.575, 2)
    """
    entry = get_coefficient(coefficient)
    epsilon = check_epsilon(epsilon)
    check_policy(undefined)
    if entry.needs == "scores" and epsilon:
        raise InputError(f"epsilon: {entry.name} knows no ties of the metric, so it must be 0, found {epsilon!r}")
    scores = check_pair(human, metric)
    grouped = group(*scores, grouping)
    warn_near_ties(grouped.scores)
    values = values_per_group(grouped, entry, epsilon)
    n_undefined = int(np.isnan(values).sum())
    return Correlation(
        value=average(values, undefined),
        per_group=grouped.spread(values),
        n_groups=values.size - (n_undefined if undefined == "drop" else 0),
        n_undefined=n_undefined,
        n_too_small=grouped.n_possible - values.size,
        n_missing=grouped.n_missing,
        coefficient=entry.name,
        grouping=grouped.grouping,
        epsilon=epsilon,
        undefined=undefined,
        scores=scores,
    )


def check_policy(undefined: str, allowed: tuple[str, ...] = POLICIES) -> None:
    """Check the policy for undefined groups."""
    if undefined not in allowed:
        raise InputError(f"undefined: must be one of {', '.join(allowed)}, found {undefined!r}")


def average(values: FloatArray, undefined: str) -> float:
    """Mean over groups under a policy; NaN where no group is defined."""
    defined = ~np.isnan(values)
    if not defined.any():
        return float("nan")
    number = int(defined.sum()) if undefined == "drop" else values.size
    return math.fsum(values[defined].tolist()) / number  # of the exact sum: whatever the order of groups


def values_per_group(grouped: Grouped, entry: Coefficient, epsilon: float = 0.0) -> FloatArray:
    """The coefficient of every group, NaN where undefined."""
    if entry.needs == "counts":
        return entry.from_counts(count_sorted(grouped.scores, epsilon))
    values = np.empty(grouped.index.size)
    for size in np.unique(grouped.sizes):  # groups of one size are rows of one matrix
        which = np.flatnonzero(grouped.sizes == size)
        cells = grouped.scores.starts[which][:, None] + np.arange(size)
        values[which] = _correlate_rows(entry.name, grouped.scores.human[cells], grouped.scores.metric[cells])
    return values


def _correlate_rows(name: str, human: FloatArray, metric: FloatArray) -> FloatArray:
    """Pearson's r, or Spearman's as Pearson's r of the ranks, of every row; NaN where a side is constant."""
    if name == "spearman":
        from scipy.stats import rankdata

        human, metric = rankdata(human, axis=1), rankdata(metric, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        values = (_unit_length(human) * _unit_length(metric)).sum(axis=1)
    return np.asarray(np.clip(values, -1.0, 1.0), np.float64)


def _unit_length(scores: FloatArray) -> FloatArray:
    """Rows of mean 0 and length 1, NaN where constant."""
    centered, _ = center(scores)
    return np.asarray(centered / np.linalg.norm(centered, axis=1, keepdims=True), np.float64)


def correlation_of(sums: FloatArray) -> FloatArray:
    """Pearson's r from n, human², metric², human·metric about their means; NaN where a side is constant."""
    with np.errstate(invalid="ignore", divide="ignore"):
        values = sums[..., 3] / (np.sqrt(sums[..., 1]) * np.sqrt(sums[..., 2]))
    return np.asarray(np.clip(np.where(np.isfinite(values), values, np.nan), -1.0, 1.0), np.float64)
