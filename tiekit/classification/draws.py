"""Between which values does a ratio of sums over segments lie when segments are resampled?"""

from __future__ import annotations

import numpy as np

from tiekit.errors import InputError
from tiekit.scores import FloatArray, IntArray, check_count
from tiekit.seeds import as_generator

AT_ONCE = 2_000_000
"""The most numbers that are drawn in one go."""

Ends = tuple[float, float]
"""The lower and the upper end of an interval."""


def draw_sums(sums: FloatArray, n_resamples: int, rng: np.random.Generator | int | None) -> FloatArray:
    """Sums over resampled segments, shape (resamples, columns), of sums by segment, shape (segments, columns)."""
    n, number = len(sums), check_count("n_resamples", n_resamples)
    generator, step = as_generator(rng), max(1, AT_ONCE // max(n, 1))
    if not n:
        return np.zeros((number, sums.shape[1]))
    chances = np.full(n, 1 / n)
    blocks: list[IntArray] = [
        generator.multinomial(n, chances, size=min(step, number - first)) for first in range(0, number, step)
    ]
    return np.concatenate([block @ sums for block in blocks])


def ends_of(samples: FloatArray, confidence: float) -> Ends:
    """Percentiles of the resamples on which a value is defined; NaN where there is none."""
    if not 0 < confidence < 1:
        raise InputError(f"confidence: must be between 0 and 1, found {confidence!r}")
    defined, tail = samples[~np.isnan(samples)], (1 - confidence) / 2
    low, high = np.quantile(defined, (tail, 1 - tail)).tolist() if defined.size else (float("nan"),) * 2
    return low, high


def ratio(top: FloatArray, bottom: FloatArray) -> FloatArray:
    """A quotient, NaN where it divides by zero."""
    return np.asarray(np.divide(top, bottom, out=np.full(np.shape(top), np.nan), where=np.asarray(bottom) != 0))
