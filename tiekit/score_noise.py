"""What is noise that keeps the order of different scores? Normal noise, truncated at half the smallest step."""

from __future__ import annotations

import numpy as np

from tiekit.scores import FloatArray


def add_noise(scores: FloatArray, deviation: float, rng: np.random.Generator) -> tuple[FloatArray, float]:
    """Perturb checked scores, without a warning; also return the smallest step between two different scores."""
    values, scored = scores.copy(), ~np.isnan(scores)
    levels, level = np.unique(values[scored], return_inverse=True)
    with np.errstate(over="ignore"):
        step = float(np.diff(levels).min(initial=np.inf))
    noise = deviation * _truncated_normal(values.shape, step / 2 / deviation, rng)
    low, high = _between_levels(levels)
    with np.errstate(over="ignore"):
        values[scored] = np.clip(values[scored] + noise[scored], low[level], high[level])
    return values, step


def _truncated_normal(shape: tuple[int, ...], bound: float, rng: np.random.Generator) -> FloatArray:
    """Draw from the standard normal distribution within a bound, by its inverse distribution function."""
    from scipy.special import ndtr, ndtri  # loading it takes .2 s

    tail = float(ndtr(-bound))
    drawn = np.asarray(ndtri(tail + (1 - 2 * tail) * rng.random(shape)), np.float64)
    return np.clip(drawn, -bound, bound)


def _between_levels(levels: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The smallest and largest value of each level: strictly between the midpoints to its neighbors."""
    if not levels.size:
        return levels, levels
    below, above = levels[:-1], levels[1:]
    middle = np.clip(below / 2 + above / 2, below, above)
    largest = np.finfo(np.float64).max
    low = np.concatenate(([-largest], np.minimum(above, np.nextafter(middle, np.inf))))
    high = np.concatenate((np.maximum(below, np.nextafter(middle, -np.inf)), [largest]))
    return low, high
