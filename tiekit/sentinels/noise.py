"""How is noise added to a discrete metric without changing a strict order?"""

from __future__ import annotations

import warnings
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from tiekit.errors import InputError, TruncationWarning
from tiekit.scores import FloatArray, as_scores
from tiekit.seeds import as_generator

BITES = 3.0
"""Noise is said to be truncated where its bound lies within so many of its standard deviations."""


def perturb(metric: ArrayLike, *, variance: float = 1e-4, rng: np.random.Generator | int | None = None) -> FloatArray:
    """Add Gaussian noise to scores, so that equal ones hardly ever stay equal and all others keep their order.

    The inverse, a metric that says less, is `to_buckets`.

    Parameters
    ----------
    metric : array_like, of any shape
        NaN stays NaN.
    variance : float
        Above 0; before truncation.
    rng : numpy Generator or int, optional
        Draws the noise, for each cell on its own. None is the seed 0.

    Returns
    -------
    ndarray
        Scores less than half the smallest step between two distinct scores away: the noise has a normal distribution
        truncated there. Whatever rounding does, of two scores that differ the larger one stays strictly larger.

    Raises
    ------
    InputError
        For another variance, what is no seed, and for what `count_pairs` refuses.

    Warns
    -----
    TruncationWarning
        Where half the smallest step is less than three standard deviations, so that truncation changes more than one
        draw in 370.

    References
    ----------
    Perrella et al. (2024), section 4.4, doi:10.18653/v1/2024.acl-long.856.

    Examples
    --------
    >>> perturb([0, -1, -1, -5, float("nan")], rng=1).round(3)
    array([ 0.   , -0.984, -1.011, -4.984,    nan])
    """
    values, generator = as_scores("metric", metric), as_generator(0 if rng is None else rng)
    if not isinstance(variance, Real) or isinstance(variance, bool) or not 0 < float(variance) < np.inf:
        raise InputError(f"variance: must be a finite number above 0, found {variance!r}")
    deviation = float(np.sqrt(float(variance)))
    noisy, step = add_noise(values, deviation, generator)
    if step / 2 / deviation < BITES:
        _warn_of_truncation(step, deviation)
    return noisy


def add_noise(scores: FloatArray, deviation: float, rng: np.random.Generator) -> tuple[FloatArray, float]:
    """`perturb` on checked scores, without a warning; and the smallest step between two distinct scores."""
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
    """Standard normal within a bound, by the inverse of its distribution."""

    tail = float(ndtr(-bound))
    drawn = np.asarray(ndtri(tail + (1 - 2 * tail) * rng.random(shape)), np.float64)
    return np.clip(drawn, -bound, bound)


def _between_levels(levels: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The smallest and largest value each level may take: strictly below and above the middles to its neighbours."""
    if not levels.size:
        return levels, levels
    below, above = levels[:-1], levels[1:]
    middle = np.clip(below / 2 + above / 2, below, above)
    largest = np.finfo(np.float64).max
    low = np.concatenate(([-largest], np.minimum(above, np.nextafter(middle, np.inf))))
    high = np.concatenate((np.maximum(below, np.nextafter(middle, -np.inf)), [largest]))
    return low, high


def _warn_of_truncation(step: float, deviation: float) -> None:

    bound = step / 2 / deviation
    warnings.warn(
        f"metric: noise with a standard deviation of {deviation:g} is truncated at {step / 2:g}, half the smallest step"
        f" between scores, where {2 * ndtr(-bound):.1%} of it would lie beyond; a smaller variance avoids that",
        TruncationWarning,
        stacklevel=3,
    )
