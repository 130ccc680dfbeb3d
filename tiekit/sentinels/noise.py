"""How is noise added to a discrete metric without changing the order of different scores?"""

from __future__ import annotations

import math
from numbers import Real

import numpy as np
from numpy.typing import ArrayLike

from tiekit.errors import InputError, TruncationWarning, warn
from tiekit.evalset import EvalSet
from tiekit.names import find_name
from tiekit.score_noise import add_noise
from tiekit.scores import FloatArray, as_scores
from tiekit.seeds import as_generator

BITES = 3.0
"""Truncation is warned of where the bound of the noise is less than this number of standard deviations."""


def perturb(
    scores: EvalSet | ArrayLike,
    *,
    metric: str | None = None,
    variance: float = 1e-4,
    rng: np.random.Generator | int | None = None,
) -> FloatArray:
    """Add Gaussian noise to scores: equal scores become different, and different scores keep their order.

    `to_buckets` does the reverse: it makes a metric discrete.

    Parameters
    ----------
    scores : EvalSet, or array_like of any shape
        An evaluation set, or scores of one metric. NaN stays NaN.
    metric : str, optional
        The name of a metric of the set. Its scores of all systems are perturbed, so that `EvalSet.with_metric` takes
        the result.
    variance : float
        Variance of the noise before truncation, above 0.
    rng : numpy Generator or int, optional
        Random-number generator or seed of the noise, which is independent for each score; None is seed 0.

    Returns
    -------
    ndarray
        Perturbed scores of the same shape. The noise has a normal distribution, truncated at half the smallest step
        between two different scores. Of two different scores the larger one stays strictly larger, despite rounding.

    Raises
    ------
    InputError
        For a variance that is not a finite number above 0, an invalid seed, and what `count_pairs` refuses.

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
    argument, values = _read_scores(scores, metric)
    generator = as_generator(rng)
    if not isinstance(variance, Real) or isinstance(variance, bool) or not 0 < float(variance) < np.inf:
        raise InputError(f"variance: must be a finite number above 0, found {variance!r}")
    deviation = float(np.sqrt(float(variance)))
    noisy, step = add_noise(values, deviation, generator)
    if step / 2 / deviation < BITES:
        _warn_of_truncation(argument, step, deviation)
    return noisy


def _read_scores(scores: EvalSet | ArrayLike, metric: str | None) -> tuple[str, FloatArray]:
    """The scores that are meant, and the argument that names them."""
    if isinstance(scores, EvalSet):
        if metric is None:
            raise InputError(f"metric: name one of the set's metrics: {', '.join(scores.metrics) or 'it has none'}")
        return "metric", scores.metrics[find_name("metric", metric, scores.metrics)]
    if metric is not None:
        raise InputError(f"metric: a name needs an EvalSet before it, found {metric!r}")
    return "scores", as_scores("scores", scores)


def _warn_of_truncation(argument: str, step: float, deviation: float) -> None:
    beyond = math.erfc(step / 2 / deviation / math.sqrt(2))
    warn(
        f"{argument}: noise with a standard deviation of {deviation:g} is truncated at {step / 2:g}, half the smallest "
        f"step between scores, and {beyond:.1%} of it would exceed that; use a smaller variance",
        TruncationWarning,
    )
