"""How many pairs are tied? Ties are counted, explained by a grid, made, broken, avoided by noise, met by chance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from numbers import Integral
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from tiekit.base.errors import InputError
from tiekit.base.results import Result
from tiekit.base.validation import (
    FloatArray,
    IntArray,
    as_generator,
    as_scores,
    check_pair,
    check_probability,
    labels_beside,
    to_decimals,
)
from tiekit.core.grouping import group_checked
from tiekit.core.pairs import count_sorted

MOST_BUCKETS = 2**53
"""Up to which float64 tells numbers of buckets apart."""


@dataclass(frozen=True, repr=False)
class Ties(Result):
    """How many pairs of one kind of scores are tied.

    Attributes
    ----------
    n_scores, n_groups, n_pairs : int
        Scored cells in groups of at least two, such groups, pairs within them.
    n_tied, n_tied_at : int
        Pairs of equal scores; those of them that equal ``at``.
    at : float
    by_group : int64, shape (groups, 2)
        Tied pairs and all other pairs of each group.
    """

    _number: ClassVar[str | None] = "share"

    n_scores: int
    n_groups: int
    n_pairs: int
    n_tied: int
    n_tied_at: int
    at: float
    by_group: IntArray = field(repr=False, compare=False)

    @property
    def share(self) -> float:
        """Tied pairs of all pairs; NaN without a pair."""
        return self.n_tied / self.n_pairs if self.n_pairs else float("nan")

    def in_mean(self, keep_tied: float = 1.0, keep_untied: float = 1.0) -> float:
        """Return the mean over groups of the share of tied pairs: the weight that ties have in a mean coefficient.

        It is acc_eq of a metric that ties every pair. It differs from `share` where some groups tie more pairs than
        others: a group that is tied throughout has full weight, however few of its pairs are kept.

        Parameters
        ----------
        keep_tied, keep_untied : float
            Probabilities with which tied pairs and all others are kept, see `tiekit.sentinels.keep_for_share`.

        Returns
        -------
        float
            NaN where no group keeps a pair.

        Examples
        --------
        >>> ties = count_ties([[1, 1, 2], [1, 2, 3], [1, 3, 3]])
        >>> round(ties.share, 3), round(ties.in_mean(), 3), round(ties.in_mean(keep_tied=0.1), 3)
        (0.444, 0.444, 0.349)
        """
        return weight_in_mean(*np.unique(self.by_group, axis=0, return_counts=True), keep_tied, keep_untied)

    @property
    def share_at(self) -> float:
        """Pairs tied at the one value, of all pairs; NaN without a pair."""
        return self.n_tied_at / self.n_pairs if self.n_pairs else float("nan")


def count_ties(
    scores: ArrayLike,
    *,
    grouping: str | None = None,
    where: ArrayLike | None = None,
    at: float = 0.0,
    documents: Sequence[str] | None = None,
    identical: ArrayLike | None = None,
) -> Ties:
    """Count tied pairs, exactly: `tiekit.count_ties` for arrays alone.

    Parameters
    ----------
    scores : array_like, shape (n,) or (systems, segments)
        Scores of people or of a metric; NaN is a missing score.
    grouping, where, at, documents
        As for `tiekit.count_ties`.
    identical : array_like of int, that shape, optional
        Labels of texts, which are tied where they are equal; as for `tiekit.core.correlate`.

    Returns
    -------
    Ties

    Raises
    ------
    InputError
        As by `tiekit.count_ties`.

    Examples
    --------
    >>> count_ties([0, 0, 0, -1, -5, -5]).n_tied
    4
    """
    value = float(as_scores("at", [at])[0])
    own = as_scores("scores", scores)
    own, other = check_pair(own, own) if where is None else check_pair(scores, where, "where")
    labels = labels_beside(scores, identical, own.shape)
    grouped = group_checked(np.where(np.isnan(other), np.nan, own), own, grouping, documents, labels)
    counts = count_sorted(grouped.scores, 0.0)
    starts = grouped.scores.starts
    at_value = np.concatenate(([0], np.cumsum(grouped.scores.metric == value)))
    equal = np.diff(at_value[starts])
    return Ties(
        n_scores=int(grouped.sizes.sum()),
        n_groups=grouped.index.size,
        n_pairs=int(counts[:, :5].sum()),
        n_tied=int(counts[:, 3:5].sum()),
        n_tied_at=int((equal * (equal - 1) // 2).sum()),
        at=value,
        by_group=np.stack((counts[:, 3:5].sum(axis=1), counts[:, :3].sum(axis=1)), axis=1),
    )


def weight_in_mean(kinds: IntArray, number: IntArray, keep_tied: float, keep_untied: float) -> float:
    """See `Ties.in_mean`; ``kinds`` are tied pairs and others of each kind of group, ``number`` how many have it."""
    weighed = kinds * np.array([keep_tied, keep_untied])
    total = weighed.sum(axis=1)
    weighed, total, number = (part[total > 0] for part in (weighed, total, number))
    return math.fsum((number * (weighed[:, 0] / total)).tolist()) / int(number.sum()) if number.size else float("nan")


def to_buckets(scores: ArrayLike, k: int) -> FloatArray:
    """Divide the whole range of scores into k equal intervals, the last one closed, and number them from 0.

    Parameters
    ----------
    scores : array_like, of any shape
        NaN stays NaN.
    k : int
        At least 1. Boundaries are those of float64: of decimals such as 0.3, one that lies on them may fall either way.

    Returns
    -------
    ndarray
        Bucket numbers as float64; all 0 where the scores are constant.

    Raises
    ------
    InputError
        For a k that is no whole number of at least 1, and for what `count_pairs` refuses.

    References
    ----------
    Deutsch et al. (2023), section 4.2 and Figure 3, doi:10.18653/v1/2023.emnlp-main.798.

    Examples
    --------
    >>> to_buckets([0.0, 0.1, 0.5, 0.9, 1.0, float("nan")], 2)
    array([ 0.,  0.,  1.,  1.,  1., nan])
    """
    values = as_scores("scores", scores)
    if not isinstance(k, Integral) or isinstance(k, bool) or not 1 <= k <= MOST_BUCKETS:
        raise InputError(f"k: must be a whole number from 1 to {MOST_BUCKETS}, found {k!r}")
    scored = values[~np.isnan(values)]
    if not scored.size:
        return values
    exponent = np.frexp(np.abs(scored).max())[1]
    scaled = np.ldexp(values, -exponent - 1)  # exact; so the range cannot overflow, nor tiny scores become equal
    low, high = np.nanmin(scaled), np.nanmax(scaled)
    if low == high:
        return np.where(np.isnan(values), np.nan, 0.0)
    return np.minimum(np.floor((scaled - low) / (high - low) * int(k)), k - 1.0)


def break_ties(scores: ArrayLike, rng: np.random.Generator | int | None = None) -> FloatArray:
    """Order equal scores at random and keep the order of all others.

    Parameters
    ----------
    scores : array_like, of any shape
        NaN stays NaN.
    rng : numpy Generator or int, optional
        Random-number generator or seed of the order; None is seed 0.

    Returns
    -------
    ndarray
        Places from 0 in the order of all scores, every one once: of use where only the order counts.

    Raises
    ------
    InputError
        For what is no seed, and for what `count_pairs` refuses.

    References
    ----------
    Deutsch et al. (2023), section 6.1, doi:10.18653/v1/2023.emnlp-main.798.

    Examples
    --------
    >>> sorted(break_ties([5, 3, 5, 5], 0).tolist()), break_ties([5, 3, 5, 5], 0)[1]
    ([0.0, 1.0, 2.0, 3.0], np.float64(0.0))
    """
    values, generator = as_scores("scores", scores), as_generator(rng)
    order = np.lexsort((generator.random(values.size), values.ravel()))  # NaN last
    places = np.empty(values.size)
    places[order] = np.arange(values.size)
    return np.where(np.isnan(values), np.nan, places.reshape(values.shape))


MOST_LEVELS = 30
"""The most different scores of a discrete metric."""


def is_discrete(scores: FloatArray) -> bool:
    """Return whether scores are discrete: at most 30 different ones, each given 1.5 times or more on average.

    So the floats of a few translations are not called discrete only because they are few.
    """
    known = scores[~np.isnan(scores)]
    levels = np.unique(known).size
    return levels <= MOST_LEVELS and 3 * levels <= 2 * known.size


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


def chance_level(human_tied: float, metric_tied: float | None = None) -> float:
    """Return the acc_eq that is expected of a metric that knows nothing of the human scores.

    Parameters
    ----------
    human_tied : float
        The share of pairs that the human ties, from 0 to 1. Where acc_eq is a mean over groups: the mean of the groups'
        shares, which is what a constant metric gets.
    metric_tied : float or None
        The share of pairs that the metric ties, from 0 to 1; where groups differ in size, the same in each. None: what
        is best, as calibration chooses it.

    Returns
    -------
    float
        ``h·t + (1 - h)(1 - t)/2``: of the pairs that the human ties the metric ties t, and of the others it orders half
        of the 1 - t that it does not tie. It is linear in t, so the best is ``max(h, (1 - h)/2)``: to tie all or none.
        It is the mean over all orders of the metric's scores; an epsilon that is found on the same scores gives
        a little more.

    Raises
    ------
    InputError
        For a number outside 0 to 1.

    References
    ----------
    acc_eq: Deutsch et al. (2023), doi:10.18653/v1/2023.emnlp-main.798.

    Examples
    --------
    >>> round(chance_level(0.42, 0.0), 3), chance_level(0.42), chance_level(0.1)
    (0.29, 0.42, 0.45)
    """
    h = check_probability("human_tied", human_tied)
    if metric_tied is None:
        return max(h, (1 - h) / 2)
    t = check_probability("metric_tied", metric_tied)
    return h * t + (1 - h) * (1 - t) / 2


FLOATS = {"bfloat16": (7, -126), "float16": (10, -14)}
"""Bits of the fraction and smallest exponent of the narrow types of floating-point numbers."""

MOST_GRID_DECIMALS = 7
"""Up to so many decimals a grid of decimals is looked for."""

SINGLE = 2.0**-24
"""Rounding error of float32: decimals that went through it are still decimals."""

EVIDENCE = 6.0
"""A narrow type is named where chance puts scores on its grid with a probability below 10 to the minus this."""


@dataclass(frozen=True, repr=False)
class Grid(Result):
    """The coarsest grid on which all scores lie.

    Attributes
    ----------
    name : str
        Such as ``"bfloat16"``, ``"whole numbers"``, ``"multiples of 5"``, ``"2 decimals"``, ``"one score"``; empty
        where there is none.
    step : float
        The distance of neighbors; NaN where there is no grid, and for narrow types, whose steps grow with the score.
    n_distinct, n_scores : int
        Different scores, and all.
    """

    _number: ClassVar[str | None] = "step"

    name: str
    step: float
    n_distinct: int
    n_scores: int


def grid_of(scores: ArrayLike) -> Grid:
    """Find the grid on which all scores lie: a narrow floating-point type, decimals, or multiples of a number.

    A grid makes ties that say nothing of the texts: bfloat16 has 128 numbers between 0.5 and 1.

    Parameters
    ----------
    scores : array_like, of any shape
        NaN is left out. They may have been written with few decimals after they were computed, which is allowed for.

    Returns
    -------
    Grid
        Its name is empty where scores need more than seven decimals and are of no narrow type.

    Raises
    ------
    InputError
        For what `count_pairs` refuses.

    References
    ----------
    Ties from narrow types: Yang et al. (2026), arXiv 2508.03306.

    Examples
    --------
    >>> grid_of([80, 95, 100, 70]).name, grid_of([0.25, 0.5, -1.75]).name, grid_of([0.31, 0.3]).name
    ('multiples of 5', 'multiples of 0.25', '2 decimals')
    >>> grid_of(np.random.default_rng(0).random(20).astype(np.float16)).name
    'float16'
    """
    values = as_scores("scores", scores)
    values = values[~np.isnan(values)]
    distinct = np.unique(values)
    name, step = _name_of_grid(distinct)
    return Grid(name, step, distinct.size, values.size)


def _name_of_grid(distinct: FloatArray) -> tuple[str, float]:
    """Name and step of the grid of different scores."""
    if distinct.size < 2:
        return ("one score" if distinct.size else ""), math.nan
    decimals = next((k for k in range(MOST_GRID_DECIMALS + 1) if _has_decimals(distinct, k)), None)
    for name, (bits, least) in FLOATS.items():
        spacing = np.ldexp(1.0, np.maximum(np.frexp(distinct)[1] - 1, least) - bits)
        unit = (
            10.0**-decimals if decimals is not None else np.maximum(2 * SINGLE * np.abs(distinct), np.finfo(float).tiny)
        )
        fits = np.abs(distinct - np.round(distinct / spacing) * spacing) <= 0.51 * unit
        if fits.all() and np.log10(np.maximum(spacing / unit, 1)).sum() >= EVIDENCE:
            return name, math.nan
    if decimals is None:
        return "", math.nan
    whole = distinct * 10.0**decimals
    times = int(np.gcd.reduce(np.round(whole).astype(np.int64))) if np.abs(whole).max() <= 2**53 else 1
    if times == 1:
        return (
            "1 decimal" if decimals == 1 else f"{decimals} decimals" if decimals else "whole numbers"
        ), 10.0**-decimals
    step = times / 10**decimals
    return f"multiples of {step:g}", step


def _has_decimals(distinct: FloatArray, decimals: int) -> bool:
    """Whether scores have no more decimals than these, but for the rounding error of float32, or of float64."""
    largest = np.abs(distinct).max() * 10.0**decimals
    error = np.abs(distinct) * (SINGLE if SINGLE * largest <= 0.01 else 2.0**-51)
    return bool(np.all(np.abs(distinct - to_decimals(distinct, decimals)) <= error * (1 + 1e-6)))


def order_tied(scores: FloatArray, by: FloatArray) -> FloatArray:
    """Order equal scores by other scores, and keep the order of all others; places from 0, NaN where either is NaN."""
    places = np.empty(scores.size)
    places[np.lexsort((by.ravel(), scores.ravel()))] = np.arange(scores.size)
    return np.where(np.isnan(scores) | np.isnan(by), np.nan, places.reshape(scores.shape))
