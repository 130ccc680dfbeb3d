"""Which systems are better, and how surely? Pairwise accuracy, hard and soft, and the differences' correlation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tiekit.coefficients.coefficient import Drawn, OfMatrix
from tiekit.coefficients.pearson import correlation_of
from tiekit.coefficients.per_group import average
from tiekit.coefficients.registry import COEFFICIENTS
from tiekit.counting.grouping import group, resolve_grouping
from tiekit.counting.pairs import count_sorted
from tiekit.counting.spread import unit_scale
from tiekit.errors import InputError
from tiekit.scores import FloatArray, IntArray, check_pair
from tiekit.seeds import bits, check_number, seed_of

LEVEL = 1e-11
"""Sums of differences closer than this share of the differences' sizes are equal."""

PAIRS_A_PART = 256
"""Pairs of systems that are tested in one go."""


def _matrices(human: ArrayLike, metric: ArrayLike) -> tuple[FloatArray, FloatArray]:
    h, m = check_pair(human, metric)
    if h.ndim != 2:
        raise InputError(
            f"human: systems are compared, so it must be a matrix systems × segments, found shape {h.shape}"
        )
    return h, m


def pairwise_accuracy(human: ArrayLike, metric: ArrayLike) -> float:
    """The share of pairs of systems that human and metric order alike by their mean scores.

    Parameters
    ----------
    human, metric : array_like, shape (systems, segments)
        A system's mean is over its cells with both scores; a system without one is left out.

    Returns
    -------
    float
        From 0 to 1; a tie must match a tie. It is acc_eq of system means. NaN for fewer than two systems.

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
    counts = count_sorted(group(*_matrices(human, metric), "system_means").scores, 0.0)
    return average(COEFFICIENTS["acc_eq"].from_counts(counts), "drop")


def soft_pairwise_accuracy(
    human: ArrayLike, metric: ArrayLike, *, n_resamples: int = 1000, rng: np.random.Generator | int = 0
) -> float:
    """How alike human and metric are in how sure they are that one system beats another.

    For every pair of systems either side has a p-value: how often the first would lead by more if their scores of
    each segment changed places at random. An equal lead counts half (mid-p): so the p-value of the pair turned round
    is the rest to 1, and the result does not depend on the order of systems. SPA is 1 minus the mean difference of
    the two sides' p-values.

    Parameters
    ----------
    human, metric : array_like, shape (systems, segments)
        A pair of systems is compared on the segments where both have both scores.
    n_resamples : int
        Random swaps, the same for all pairs and both sides. Where there are no more ways to swap than that, all are
        tried: the exact value.
    rng : numpy Generator or int

    Returns
    -------
    float
        From 0 to 1. NaN for fewer than two systems with a score.

    Raises
    ------
    InputError
        For vectors and what `correlate` refuses.

    References
    ----------
    Thompson et al. (2024), doi:10.18653/v1/2024.wmt-1.118; with mid-p instead of their p, which depends on the order.

    Examples
    --------
    >>> human, metric = [[1, 2, 3], [2, 3, 4]], [[2, 2, 4], [1, 3, 5]]
    >>> soft_pairwise_accuracy(human, metric), soft_pairwise_accuracy(human[::-1], metric[::-1])
    (0.75, 0.75)
    """
    h, m = _matrices(human, metric)
    missing = np.isnan(h) | np.isnan(m)
    kept = ~missing.all(axis=1)
    if kept.sum() < 2:
        return float("nan")
    compared = (~missing).sum(axis=0) >= 2
    h, m, missing = (part[np.ix_(kept, compared)] for part in (h, m, missing))
    signs = _signs(h.shape[1], check_number(n_resamples), seed_of(rng))
    differences = [np.abs(_mid_p(a, signs) - _mid_p(b, signs)) for a, b in _leads(h, m, missing)]
    return float(1 - np.concatenate(differences).mean())


def _signs(n_segments: int, n_resamples: int, seed: int) -> FloatArray:
    """Which segments' scores change places: -1 or 1, shape (segments, resamples); all ways where they are few."""
    if n_segments < 63 and 2**n_segments <= n_resamples:
        moved = np.arange(2**n_segments) >> np.arange(n_segments)[:, None] & 1
    else:
        moved = bits(np.random.default_rng(seed), (n_segments, n_resamples))
    return np.where(moved == 1, -1.0, 1.0)


def _leads(
    human: FloatArray, metric: FloatArray, missing: NDArray[np.bool_]
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """By how much the first system of each pair leads on each segment, by either side; 0 where a score is missing."""
    first, second = np.triu_indices(len(human), 1)
    for start in range(0, first.size, PAIRS_A_PART):
        i, j = (which[start : start + PAIRS_A_PART] for which in (first, second))
        gone = missing[i] | missing[j]
        yield np.where(gone, 0.0, human[i] - human[j]), np.where(gone, 0.0, metric[i] - metric[j])


def _mid_p(lead: FloatArray, signs: FloatArray) -> FloatArray:
    """How often each pair's lead would be larger, an equal one counting half."""
    size = np.abs(lead).max(axis=1, initial=0.0, keepdims=True)
    scaled = np.divide(lead, size, out=np.zeros_like(lead), where=size > 0)
    beyond = scaled @ signs - scaled.sum(axis=1, keepdims=True)
    same = np.abs(beyond) <= LEVEL * np.abs(scaled).sum(axis=1, keepdims=True)
    return np.asarray((np.where(same, 0.5, beyond > 0)).mean(axis=1), np.float64)


def pairwise_difference_pearson(human: ArrayLike, metric: ArrayLike, *, grouping: str | None = None) -> float:
    """Pearson's r of the differences between the two scores of a pair, of all pairs of all groups together.

    It knows how far apart scores are, like r, and compares only within groups, like tau by item. Both directions of
    a pair count, so that the differences' mean is 0: the sum of products over the root of the sums of squares.

    Parameters
    ----------
    human, metric : array_like, shape (n,) or (systems, segments)
        As for `correlate`.
    grouping : {"global", "item", "system"} or None
        As for `correlate`. Of one group it is r itself.

    Returns
    -------
    float
        From -1 to 1; NaN where all differences of a side are 0, or there is no pair.

    Raises
    ------
    InputError
        For system means, of which it is r, and what `correlate` refuses.

    References
    ----------
    arXiv 2509.25546 (2025); mt-metrics-eval's ``pdp``.

    Examples
    --------
    >>> round(pairwise_difference_pearson([[1, 2, 3], [4, 5, 6]], [[2, 1, 4], [3, 3, 7]]), 8)
    0.9258201
    """

    h, m = check_pair(human, metric)
    name = resolve_grouping(grouping, h.ndim)
    if name == "system_means":
        raise InputError("grouping: system means are one group, of which it is Pearson's r; use correlate()")
    h, m = (part[None, :] if part.ndim == 1 else part for part in (h, m))
    scored = ~(np.isnan(h) | np.isnan(m))
    rows, columns = np.nonzero(scored)
    owner = {"item": columns, "system": rows}.get(name, np.zeros_like(rows))
    sizes = np.bincount(owner)[owner]
    a, b = (_about_group_means(side[scored], owner) for side in (h, m))
    return float(correlation_of(np.array([sizes.size, sizes @ (a * a), sizes @ (b * b), sizes @ (a * b)])))


def _about_group_means(scores: FloatArray, owner: IntArray) -> FloatArray:
    """Differences from each group's mean, on a scale on which no square overflows; exactly 0 in a constant group."""
    scaled, _ = unit_scale(scores)
    firsts, place = np.unique(owner, return_index=True)
    from_first = scaled - scaled[place][np.searchsorted(firsts, owner)]
    means = np.bincount(owner, from_first) / np.maximum(np.bincount(owner), 1)
    return np.asarray(from_first - means[owner], np.float64)


def _accuracy(human: FloatArray, metric: FloatArray, _: str) -> float:
    return pairwise_accuracy(human, metric)


def _accuracy_of_draws(drawn: Drawn) -> FloatArray:
    """It is acc_eq of system means."""
    return COEFFICIENTS["acc_eq"].recount(drawn)


def _soft(human: FloatArray, metric: FloatArray, _: str) -> float:
    return soft_pairwise_accuracy(human, metric)


def _differences(human: FloatArray, metric: FloatArray, grouping: str) -> float:
    return pairwise_difference_pearson(human, metric, grouping=grouping)


def _differences_of_draws(drawn: Drawn) -> FloatArray:
    """Of all pairs of all groups together."""
    sums = drawn.sums(ranked=False)
    pairs = sums[..., :1] * sums * (1 if drawn.multiplicity is None else drawn.multiplicity[:, None, :, None])
    return correlation_of(pairs.sum(axis=2))


_ENTRIES = (
    OfMatrix(
        name="pairwise_accuracy",
        label="pairwise accuracy",
        latex=r"\mathrm{Acc}",
        range=(0.0, 1.0),
        reference="Kocmi et al. (2021), aclanthology.org/2021.wmt-1.57",
        undefined="there are fewer than two systems",
        groupings=("system_means",),
        matrix=_accuracy,
        from_draws=_accuracy_of_draws,
    ),
    OfMatrix(
        name="spa",
        label="soft pairwise accuracy",
        latex=r"\mathrm{SPA}",
        range=(0.0, 1.0),
        reference="Thompson et al. (2024), doi:10.18653/v1/2024.wmt-1.118",
        undefined="there are fewer than two systems",
        groupings=("system_means",),
        matrix=_soft,
        seeded=True,
    ),
    OfMatrix(
        name="pdp",
        label="pairwise-difference Pearson",
        latex=r"\mathrm{PDP}",
        reference="arXiv 2509.25546 (2025)",
        undefined="all differences are 0 by the human, or by the metric",
        groupings=("global", "item", "system"),
        matrix=_differences,
        from_draws=_differences_of_draws,
    ),
)

SYSTEM_LEVEL: dict[str, OfMatrix] = {entry.name: entry for entry in _ENTRIES}
"""What a leaderboard can show beside `COEFFICIENTS`: of all groups at once, so that no mean over groups is taken."""
