"""From which population are scores drawn? The statistical model of Gao et al. (2024), Appendix C."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike

from tiekit.errors import InputError
from tiekit.scores import FloatArray, as_scores, check_count
from tiekit.seeds import as_generator


@dataclass(frozen=True)
class Population:
    """What scores are drawn from; the defaults are the parameters of Gao et al. (2024), Appendix C.2.

    Each system has a mean human and a mean metric score, which are normal and correlated; the scores of its
    translations are normal about these means, with a correlation of the system's own.

    Parameters
    ----------
    n_systems, n_segments : int
        Numbers of systems and of segments, at least 1.
    mean_human, mean_metric : float
        Means of the systems' means.
    spread_human, spread_metric : float
        Standard deviations of the systems' means, at least 0.
    within_human, within_metric : float
        Standard deviations of a system's scores about its means.
    between : float
        Correlation of the systems' means, −1 to 1.
    inside, inside_spread : float
        Mean and standard deviation of the systems' own correlations, a normal distribution truncated at −1 and 1.

    Raises
    ------
    InputError
        For a parameter out of range.

    Examples
    --------
    >>> Population(n_systems=4).between
    0.92
    """

    n_systems: int = 16
    n_segments: int = 100
    mean_human: float = 0.65
    mean_metric: float = 0.47
    spread_human: float = 0.14
    spread_metric: float = 0.16
    within_human: float = 0.14
    within_metric: float = 0.16
    between: float = 0.92
    inside: float = 0.35
    inside_spread: float = 0.14

    def __post_init__(self) -> None:
        for name in ("n_systems", "n_segments"):
            check_count(name, getattr(self, name))
        for field in fields(self)[2:]:
            low, high = {"between": (-1.0, 1.0), "inside": (-1.0, 1.0)}.get(field.name, (0.0, np.inf))
            low = -np.inf if field.name.startswith("mean") else low
            value = float(as_scores(field.name, [getattr(self, field.name)])[0])
            if not low <= value <= high:
                raise InputError(f"{field.name}: must be from {low:g} to {high:g}, found {value!r}")


def simulate(
    population: Population | None = None, rng: np.random.Generator | int | None = None
) -> tuple[FloatArray, FloatArray]:
    """Draw continuous human and metric scores: the first loops of Algorithm 3.

    Parameters
    ----------
    population : Population, optional
        None has the paper's parameters.
    rng : numpy Generator or int, optional
        Random-number generator or seed; None is seed 0.

    Returns
    -------
    human, metric : ndarray, shape (systems, segments)

    References
    ----------
    Gao et al. (2024), Appendix C and Algorithm 3, arXiv 2410.16834.

    Examples
    --------
    >>> human, metric = simulate(Population(n_systems=2000, n_segments=50), 0)
    >>> human.shape, round(float(np.corrcoef(human.mean(axis=1), metric.mean(axis=1))[0, 1]), 2)
    ((2000, 50), 0.91)
    """
    p, generator = population or Population(), as_generator(rng)
    first, second = generator.standard_normal((2, p.n_systems, 1))
    human = p.mean_human + p.spread_human * first
    metric = p.mean_metric + p.spread_metric * correlated(first, second, p.between)
    own = truncated_normal(p.inside, p.inside_spread, generator.random((p.n_systems, 1)))
    first, second = generator.standard_normal((2, p.n_systems, p.n_segments))
    return human + p.within_human * first, metric + p.within_metric * correlated(first, second, own)


def correlated(first: FloatArray, second: FloatArray, rho: FloatArray | float) -> FloatArray:
    """A standard normal variable that correlates with the first of two independent ones."""
    return np.asarray(rho * first + np.sqrt(1 - np.square(rho)) * second, np.float64)


def truncated_normal(mean: float, deviation: float, uniform: FloatArray) -> FloatArray:
    """A normal variable truncated at −1 and 1, by the inverse of its distribution function."""
    from scipy.special import ndtr, ndtri

    if deviation == 0:
        return np.full_like(uniform, mean)
    low, high = ndtr((-1 - mean) / deviation), ndtr((1 - mean) / deviation)
    return np.asarray(np.clip(mean + deviation * ndtri(low + (high - low) * uniform), -1.0, 1.0), np.float64)


def discretize(scores: ArrayLike, thresholds: ArrayLike) -> FloatArray:
    """Return the number of the interval between thresholds in which each score lies, counted from 1.

    Parameters
    ----------
    scores : array_like, of any shape
        NaN stays NaN.
    thresholds : array_like, shape (levels - 1,)
        In any order: they are sorted, as otherwise a higher score could get a lower level. A score equal to a threshold
        counts as below it.

    Returns
    -------
    ndarray
        Levels from 1 up, of the shape of the scores; a new array.

    Raises
    ------
    InputError
        For thresholds that are not a vector or contain NaN, and for what `count_pairs` refuses.

    References
    ----------
    Gao et al. (2024), Algorithm 3, arXiv 2410.16834.

    Examples
    --------
    >>> discretize([0.1, 0.3, 0.31, 0.9, float("nan")], [0.5, 0.3])
    array([ 1.,  1.,  2.,  3., nan])
    """
    values, steps = as_scores("scores", scores), as_scores("thresholds", thresholds)
    if steps.ndim != 1 or np.isnan(steps).any():
        raise InputError(f"thresholds: must be a vector without NaN, found shape {steps.shape}")
    return np.where(np.isnan(values), np.nan, np.searchsorted(np.sort(steps), values, side="left") + 1.0)
