"""What is a coefficient in each group, and on average?"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tiekit.coefficients.coefficient import Coefficient, OfMatrix
from tiekit.counting.grouping import Grouped, group
from tiekit.errors import InputError
from tiekit.scores import FloatArray, IntArray, check_epsilon

POLICIES = ("drop", "zero")
"""What becomes of a group whose coefficient is undefined."""

ROUNDING = 1e-12
"""Means of coefficients that differ by less are equal where they are not counted in integers."""


def check_policy(undefined: str, allowed: tuple[str, ...] = POLICIES) -> None:
    """Check the policy for undefined groups."""
    if undefined not in allowed:
        raise InputError(f"undefined: must be one of {', '.join(allowed)}, found {undefined!r}")


def check_margin(human_margin: float, entry: Coefficient, *, calibrated: bool) -> float:
    """Check a margin of human scores, and that the coefficient is one of pairs whose threshold is not searched for."""
    margin = check_epsilon(human_margin, "human_margin")
    if margin and calibrated:
        raise InputError(f"human_margin: must be 0 where epsilon is calibrated ({entry.name}*), found {human_margin!r}")
    if margin and not entry.of_pairs:
        raise InputError(
            f"human_margin: {entry.name} is not made of pairs alone, so it must be 0, found {human_margin!r}"
        )
    return margin


def average(values: FloatArray, undefined: str) -> float:
    """Mean over groups under a policy; NaN where there is no group, or none is defined and they do not count as 0."""
    defined = ~np.isnan(values)
    number = int(defined.sum()) if undefined == "drop" else values.size
    if not number:
        return float("nan")
    return math.fsum(values[defined].tolist()) / number  # of the exact sum: whatever the order of groups


def values_per_group(
    grouped: Grouped, entry: Coefficient, epsilon: float = 0.0, counts: IntArray | None = None
) -> FloatArray:
    """The coefficient of every group, NaN where undefined; ``counts`` where they are known already."""
    return entry.per_group(grouped.scores, epsilon, counts)


def gain_over_constant(
    entry: Coefficient, counts: IntArray, undefined: str = "drop", used: NDArray[np.bool_] | None = None
) -> float:
    """The mean over groups minus that of a constant metric in the same groups; NaN where the latter is undefined.

    ``counts`` are of shape (groups, 7); ``used`` marks the groups that count, None is all.
    """
    counts = counts if used is None else counts[used]
    tied = np.zeros_like(counts)
    tied[:, 3], tied[:, 4] = counts[:, [0, 1, 3]].sum(axis=1), counts[:, [2, 4]].sum(axis=1)
    tied[:, 5], tied[:, 6] = counts[:, 5], 1
    values, constant = entry.from_counts(counts), entry.from_counts(tied)
    if undefined == "drop":
        values, constant = (one[~np.isnan(values)] for one in (values, constant))
    return float("nan") if np.isnan(constant).any() else average(values, undefined) - average(constant, undefined)


def tied_share(counts: IntArray) -> float:
    """The share of the pairs of all groups that the metric ties; NaN where there is no pair."""
    total = int(counts[:, :5].sum())
    return float(counts[:, 3:5].sum() / total) if total else float("nan")


def evaluate(
    entry: Coefficient,
    human: FloatArray,
    metric: FloatArray,
    grouping: str,
    epsilon: float = 0.0,
    documents: Sequence[str] | None = None,
) -> float:
    """One value for matrices: the mean over defined groups, or that of all groups at once."""
    if isinstance(entry, OfMatrix):
        return entry.evaluate(human, metric, grouping)
    return average(values_per_group(group(human, metric, grouping, documents), entry, epsilon), "drop")
