"""What is measured of systems only, with a set and names or with arrays: pairwise accuracy, hard and soft, and PDP."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tiekit.base.errors import InputError
from tiekit.core.grouping import resolve_grouping
from tiekit.core.system_level import accuracy_of_means, difference_pearson, matrices, soft_accuracy_of
from tiekit.sets.arguments import Exclude, Human, Metric, read_pair


def soft_pairwise_accuracy(
    data: Human = None,
    metric: Metric = None,
    *,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
    parity: str | None = None,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
) -> float:
    """Measure how alike human and metric are in their confidence that one system is better than another.

    For every pair of systems, human and metric have a p-value each: how often the first system would lead by more if
    the two systems' scores of each segment were swapped at random. An equal lead counts half (mid-p): so the p-value
    of the reversed pair is the rest to 1, and the result does not depend on the order of the systems. SPA is 1 minus
    the mean difference between the two p-values.

    Parameters
    ----------
    data, metric, human, exclude
        As for `correlate`, of shape (systems, segments). A pair of systems is compared on the segments where both have
        both scores; without such a segment it is left out of the mean over pairs.
    n_resamples : int
        Number of random swaps, the same for all pairs and both sides. Where there are no more ways to swap than that,
        all are tried, and the value is exact.
    rng : numpy Generator or int, optional
        Random-number generator or seed; None is seed 0, with ``parity="mtme"`` seed 4.
    parity : {"mtme"}, optional
        ``"mtme"``: the value of mt-metrics-eval, from the same random swaps of scores in float32. There an equal lead
        counts as a larger one, so the value depends on the order of the systems where scores are discrete. Only
        segments that have both scores of every system count.

    Returns
    -------
    float
        From 0 to 1. NaN where no pair of systems has a common segment, as for fewer than two systems with a score.

    Raises
    ------
    InputError
        For vectors, another ``parity``, and what `correlate` refuses.

    References
    ----------
    Thompson et al. (2024), doi:10.18653/v1/2024.wmt-1.118; with mid-p instead of their p, which depends on the order;
    ``parity="mtme"``: mt-metrics-eval's ``pce``.

    Examples
    --------
    >>> human, metric = [[1, 2, 3], [2, 3, 4]], [[2, 2, 4], [1, 3, 5]]
    >>> soft_pairwise_accuracy(human, metric), soft_pairwise_accuracy(human[::-1], metric[::-1])
    (0.75, 0.75)
    >>> soft_pairwise_accuracy(human, metric, parity="mtme")
    0.872
    """
    h, m = read_pair(data, metric, human, exclude)
    return soft_accuracy_of(*matrices(h, m), n_resamples=n_resamples, rng=rng, parity=parity)


def pairwise_difference_pearson(
    data: Human = None,
    metric: Metric = None,
    *,
    grouping: str | None = None,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
) -> float:
    """Return Pearson's r of the differences between the two scores of a pair, over all pairs of all groups together.

    Like r it takes into account how far apart scores are, and like τ by item it compares only within groups. Each pair
    counts in both directions, so that the mean difference is 0: r is the sum of products over the root of the sums of
    squares.

    Parameters
    ----------
    data, metric, human, exclude
        As for `correlate`.
    grouping : {"global", "item", "system"} or None
        As for `correlate`. With a single group it is r itself.

    Returns
    -------
    float
        From -1 to 1; NaN where all differences of the human or of the metric scores are 0, or there is no pair.

    Raises
    ------
    InputError
        For system means, of which it is r, and for what `correlate` refuses.

    References
    ----------
    arXiv 2509.25546 (2025); mt-metrics-eval's ``pdp``.

    Examples
    --------
    >>> round(pairwise_difference_pearson([[1, 2, 3], [4, 5, 6]], [[2, 1, 4], [3, 3, 7]]), 8)
    0.9258201
    """
    h, m = read_pair(data, metric, human, exclude)
    name = resolve_grouping(grouping, h.ndim)
    if name == "system_means":
        raise InputError("grouping: system means are one group, of which it is Pearson's r; use correlate()")
    return difference_pearson(np.atleast_2d(h), np.atleast_2d(m), name)


def pairwise_accuracy(
    data: Human = None,
    metric: Metric = None,
    *,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
) -> float:
    """Return the share of pairs of systems that human and metric order alike by their mean scores.

    Parameters
    ----------
    data, metric, human, exclude
        As for `correlate`, of shape (systems, segments). A system's mean is over its cells with both scores; a system
        without such a cell is left out.

    Returns
    -------
    float
        From 0 to 1; a human tie must be a metric tie. It is acc_eq of system means. NaN for fewer than two systems.

    Raises
    ------
    InputError
        For vectors and what `correlate` refuses.

    References
    ----------
    Kocmi et al. (2021), aclanthology.org/2021.wmt-1.57.

    Examples
    --------
    >>> pairwise_accuracy([[1, 2], [2, 3], [4, 4]], [[5, 1], [2, 2], [3, 6]])
    0.666...
    """
    return accuracy_of_means(*matrices(*read_pair(data, metric, human, exclude)), "system_means")
