"""How is something resampled with replacement, and what interval do the resamples give? The one bootstrap.

A resample says how often each unit (segment, system, document, item of votes) was drawn. `draw_multiplicities` draws
it. What is a function of sums over units is found by `resample_sums`, from the sums of each unit; coefficients of
pairs are counted again by `tiekit.significance.bootstrap_interval`. `percentile_interval` makes an interval of the
values on the resamples.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tiekit.base.validation import FloatArray, IntArray, as_generator, check_confidence, check_count

Ends: TypeAlias = tuple[float, float]
"""The lower and the upper end of an interval."""

Draw: TypeAlias = Callable[[np.random.Generator, tuple[int, int]], IntArray]
"""How often each unit was drawn, shape (resamples, units), from a generator and that shape."""

NUMBERS_AT_ONCE = 2_000_000
"""Maximum number of multiplicities that are drawn in one go."""


def draw_multiplicities(rng: np.random.Generator, shape: tuple[int, int]) -> IntArray:
    """Draw as many units as there are with replacement; return how often each was drawn, shape (resamples, units)."""
    if shape[1] == 0:
        return np.zeros(shape, np.int64)
    drawn = rng.integers(0, shape[1], shape) + np.arange(shape[0])[:, None] * shape[1]
    return np.asarray(np.bincount(drawn.ravel(), minlength=shape[0] * shape[1]).reshape(shape), np.int64)


def draw_multinomial(rng: np.random.Generator, shape: tuple[int, int]) -> IntArray:
    """Draw from the same distribution other numbers than `draw_multiplicities`: those of seeds of `classify`."""
    if shape[1] == 0:
        return np.zeros(shape, np.int64)
    return np.asarray(rng.multinomial(shape[1], np.full(shape[1], 1 / shape[1]), size=shape[0]), np.int64)


def resample_sums(
    sums: NDArray[Any],
    n_resamples: int,
    rng: np.random.Generator | int | None = None,
    *,
    draw: Draw = draw_multiplicities,
) -> NDArray[Any]:
    """Sum over resampled units; ``sums`` holds those of each unit, shape (units, …). Returns shape (resamples, …).

    One seed gives the same resamples of as many units, whatever is summed: two statistics are compared on the same.
    """
    number, generator, n_units = check_count("n_resamples", n_resamples), as_generator(rng), len(sums)
    step = max(1, NUMBERS_AT_ONCE // max(n_units, 1))
    by_unit = sums.reshape(n_units, int(np.prod(sums.shape[1:])))
    shapes = [(min(step, number - first), n_units) for first in range(0, number, step)]
    return np.concatenate([draw(generator, shape) @ by_unit for shape in shapes]).reshape(number, *sums.shape[1:])


def percentile_interval(samples: FloatArray, confidence: float) -> Ends:
    """Return percentiles of the resamples on which a value is defined, so that a share lies between; NaN for none."""
    check_confidence(confidence)
    defined, tail = samples[~np.isnan(samples)], (1 - confidence) / 2
    low, high = np.quantile(defined, (tail, 1 - tail)).tolist() if defined.size else (float("nan"),) * 2
    return low, high
