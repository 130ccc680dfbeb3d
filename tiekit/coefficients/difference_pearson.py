"""How well do differences between the scores of a pair agree? Pearson's r of all pairwise differences."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from tiekit.arguments import Exclude, Human, Metric, read_pair
from tiekit.coefficients.pearson import correlation_of
from tiekit.counting.grouping import resolve_grouping
from tiekit.counting.spread import unit_scale
from tiekit.errors import InputError
from tiekit.scores import FloatArray, IntArray


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


def difference_pearson(human: FloatArray, metric: FloatArray, grouping: str) -> float:
    """Pearson's r of the pairwise differences of checked matrices."""
    scored = ~(np.isnan(human) | np.isnan(metric))
    rows, columns = np.nonzero(scored)
    owner = {"item": columns, "system": rows}.get(grouping, np.zeros_like(rows))
    sizes = np.bincount(owner)[owner]
    a, b = (_about_group_means(side[scored], owner) for side in (human, metric))
    return float(correlation_of(np.array([sizes.size, sizes @ (a * a), sizes @ (b * b), sizes @ (a * b)])))


def _about_group_means(scores: FloatArray, owner: IntArray) -> FloatArray:
    """Differences from each group's mean, on a scale on which no square overflows; exactly 0 in a constant group."""
    scaled, _ = unit_scale(scores)
    firsts, place = np.unique(owner, return_index=True)
    from_first = scaled - scaled[place][np.searchsorted(firsts, owner)]
    means = np.bincount(owner, from_first) / np.maximum(np.bincount(owner), 1)
    return np.asarray(from_first - means[owner], np.float64)
