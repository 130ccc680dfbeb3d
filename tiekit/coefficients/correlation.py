"""How well does this metric agree?"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from tiekit.coefficients.coefficient import Coefficient, OfMatrix
from tiekit.coefficients.registry import get_coefficient
from tiekit.counting.grouping import Grouped, group
from tiekit.counting.pairs import warn_near_ties
from tiekit.counting.scores import FloatArray, IntArray, check_epsilon, check_pair
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
    if epsilon and not entry.takes_epsilon:
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


def values_per_group(
    grouped: Grouped, entry: Coefficient, epsilon: float = 0.0, counts: IntArray | None = None
) -> FloatArray:
    """The coefficient of every group, NaN where undefined; ``counts`` where they are known already."""
    return entry.per_group(grouped.scores, epsilon, counts)


def evaluate(entry: Coefficient, human: FloatArray, metric: FloatArray, grouping: str, epsilon: float = 0.0) -> float:
    """One value for matrices: the mean over defined groups, or that of all groups at once."""
    if isinstance(entry, OfMatrix):
        return entry.evaluate(human, metric, grouping)
    return average(values_per_group(group(human, metric, grouping), entry, epsilon), "drop")
