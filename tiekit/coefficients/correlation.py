"""How well does this metric agree?"""

from __future__ import annotations

import math

import numpy as np

from tiekit.coefficients.registry import Coefficient
from tiekit.counting.grouping import Grouped
from tiekit.counting.pairs import count_sorted
from tiekit.counting.scores import FloatArray
from tiekit.errors import InputError

POLICIES = ("drop", "zero")
"""What becomes of a group whose coefficient is undefined."""

ROUNDING = 1e-12
"""Means of coefficients that differ by less are equal where they are not counted in integers."""


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
        values = (_standardised(human) * _standardised(metric)).sum(axis=1)
    return np.asarray(np.clip(values, -1.0, 1.0), np.float64)


def _standardised(scores: FloatArray) -> FloatArray:
    """Rows of mean 0 and length 1, NaN where constant; scaled first, so that no size of scores overflows."""
    scaled = scores / np.abs(scores).max(axis=1, keepdims=True)
    centred = scaled - scaled.mean(axis=1, keepdims=True)
    centred[(scores == scores[:, :1]).all(axis=1)] = 0.0
    return np.asarray(centred / np.linalg.norm(centred, axis=1, keepdims=True), np.float64)


def correlation_of(sums: FloatArray) -> FloatArray:
    """Pearson's r from n, human², metric², human·metric about their means; NaN where a side is constant."""
    with np.errstate(invalid="ignore", divide="ignore"):
        values = sums[..., 3] / (np.sqrt(sums[..., 1]) * np.sqrt(sums[..., 2]))
    return np.asarray(np.clip(np.where(np.isfinite(values), values, np.nan), -1.0, 1.0), np.float64)
