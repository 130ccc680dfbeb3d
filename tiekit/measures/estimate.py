"""From which population could these scores come? The parameters of `Population`, estimated from an evaluation set."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tiekit.arguments import Exclude, Human, Metric, read_pair
from tiekit.errors import InputError
from tiekit.measures.population import Population
from tiekit.scores import FloatArray, as_scores

Limits = tuple[float, float]
"""The lowest and the highest score that a scale has."""


def estimate_population(
    data: Human,
    metric: Metric,
    *,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    human_limits: Limits | None = None,
    metric_limits: Limits | None = None,
) -> Population:
    """Estimate the parameters of a population from human scores and those of a metric.

    Both sides are brought to the scale from 0 to 1 first. Means and standard deviations are those of the systems'
    means; ``within_human`` and ``within_metric`` are the mean of the systems' own standard deviations; ``between`` is
    Pearson's r of the systems' means, ``inside`` and ``inside_spread`` are the mean and the standard deviation of the
    systems' own r, which are left out where they are undefined.

    Parameters
    ----------
    data : EvalSet, or array_like of shape (systems, segments)
        An evaluation set, or human scores. A cell without both scores is left out.
    metric : str, or array_like of that shape
        The name of a metric of the set, or metric scores.
    human : str, optional
        The human score of the set; None is its gold score.
    exclude : str or iterable of str, optional
        Systems of the set to leave out; None: its standard reference and outliers; ``()``: nobody.
    human_limits, metric_limits : pair of float, optional
        The lowest and the highest score of each scale; None takes the lowest and the highest score that occur.

    Returns
    -------
    Population
        With as many systems as have at least two scored segments, and the mean number of their scored segments.

    Raises
    ------
    InputError
        For fewer than two such systems, for scores that are constant, and for limits that are not in order.

    References
    ----------
    Gao et al. (2024), Appendix C.2, Tables 4 and 5, arXiv 2410.16834.

    Examples
    --------
    >>> from tiekit.measures import Population, simulate
    >>> found = estimate_population(
    ...     *simulate(Population(n_systems=90)), human_limits=(0, 1), metric_limits=(0, 1)
    ... )
    >>> round(found.spread_human, 1), round(found.between, 1), found.n_segments
    (0.1, 0.9, 100)
    """
    h, m = read_pair(data, metric, human, exclude)
    if h.ndim != 2:
        raise InputError(f"human: a population needs a matrix, systems × segments, found {h.ndim} dimensions")
    scored = ~(np.isnan(h) | np.isnan(m))
    rows = np.flatnonzero(scored.sum(axis=1) > 1)
    if rows.size < 2:
        raise InputError(f"human: at least 2 systems must have 2 scored segments, found {rows.size}")
    sides = [
        np.where(scored, _scaled(name, scores, scored, limits), np.nan)[rows]
        for name, scores, limits in (("human", h, human_limits), ("metric", m, metric_limits))
    ]
    means = [np.nanmean(side, axis=1) for side in sides]
    own = [_pearson(x[ok], y[ok]) for x, y, ok in zip(*sides, scored[rows], strict=True)]
    defined = np.array([value for value in own if value == value])
    between = _pearson(*means)
    if not defined.size or between != between:
        raise InputError("metric: its correlation with the human scores is undefined, found constant scores")
    return Population(
        n_systems=int(rows.size),
        n_segments=round(float(scored[rows].sum(axis=1).mean())),
        **{f"mean_{name}": float(of.mean()) for name, of in zip(("human", "metric"), means, strict=True)},
        **{f"spread_{name}": float(of.std(ddof=1)) for name, of in zip(("human", "metric"), means, strict=True)},
        **{
            f"within_{name}": float(np.nanstd(side, axis=1, ddof=1).mean())
            for name, side in zip(("human", "metric"), sides, strict=True)
        },
        between=between,
        inside=float(defined.mean()),
        inside_spread=float(defined.std(ddof=1)) if defined.size > 1 else 0.0,
    )


def _scaled(name: str, scores: FloatArray, scored: np.ndarray, limits: Limits | None) -> FloatArray:
    """Scores on the scale from 0 to 1."""
    low, high = (scores[scored].min(), scores[scored].max()) if limits is None else as_scores(f"{name}_limits", limits)
    if not low < high:
        found = "constant scores" if limits is None else repr(limits)
        raise InputError(f"{name}_limits: the lowest score must be below the highest, found {found}")
    return np.asarray((scores - low) / (high - low), np.float64)


def _pearson(x: FloatArray, y: FloatArray) -> float:
    """Pearson's r of two vectors; NaN where one is constant."""
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        return float("nan")
    return float(np.clip(np.corrcoef(x, y)[0, 1], -1.0, 1.0))
