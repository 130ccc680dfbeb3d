"""How are Pearson's r and Spearman's ρ computed, of many groups and of many resamples at once?"""

from __future__ import annotations

import numpy as np

from tiekit.coefficients.coefficient import Drawn
from tiekit.counting.spread import center
from tiekit.scores import FloatArray


def pearson_rows(human: FloatArray, metric: FloatArray) -> FloatArray:
    """Pearson's r of every row; NaN where a side is constant."""
    with np.errstate(invalid="ignore", divide="ignore"):
        values = (_unit_length(human) * _unit_length(metric)).sum(axis=1)
    return np.asarray(np.clip(values, -1.0, 1.0), np.float64)


def spearman_rows(human: FloatArray, metric: FloatArray) -> FloatArray:
    """Spearman's ρ of every row: Pearson's r of the ranks."""
    from scipy.stats import rankdata

    return pearson_rows(rankdata(human, axis=1), rankdata(metric, axis=1))


def _unit_length(scores: FloatArray) -> FloatArray:
    """Rows of mean 0 and length 1, NaN where constant."""
    centered, _ = center(scores)
    return np.asarray(centered / np.linalg.norm(centered, axis=1, keepdims=True), np.float64)


def correlation_of(sums: FloatArray) -> FloatArray:
    """Pearson's r from n, human², metric², human·metric about their means; NaN where a side is constant."""
    with np.errstate(invalid="ignore", divide="ignore"):
        values = sums[..., 3] / (np.sqrt(sums[..., 1]) * np.sqrt(sums[..., 2]))
    return np.asarray(np.clip(np.where(np.isfinite(values), values, np.nan), -1.0, 1.0), np.float64)


def pearson_of_draws(drawn: Drawn) -> FloatArray:
    """Pearson's r of each group of each resample."""
    return correlation_of(drawn.sums(ranked=False))


def spearman_of_draws(drawn: Drawn) -> FloatArray:
    """Spearman's ρ of each group of each resample."""
    return correlation_of(drawn.sums(ranked=True))
