"""What do ties do? How many there are, buckets that make them, chance that breaks them, groups that metrics share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from tiekit.coefficients.correlation import average, check_policy, values_per_group
from tiekit.coefficients.registry import get_coefficient, why_undefined
from tiekit.counting.grouping import group
from tiekit.counting.pairs import FloatArray, PairCounts, as_scores, check_pair, count_sorted
from tiekit.errors import InputError
from tiekit.seeds import as_generator

MOST_BUCKETS = 2**53
"""Up to which float64 tells numbers of buckets apart."""


@dataclass(frozen=True)
class Ties:
    """How many pairs of one kind of scores are tied.

    Attributes
    ----------
    n_scores, n_groups, n_pairs : int
        Scored cells in groups of at least two, such groups, pairs within them.
    n_tied, n_tied_at : int
        Pairs of equal scores; those of them that equal ``at``.
    at : float
    """

    n_scores: int
    n_groups: int
    n_pairs: int
    n_tied: int
    n_tied_at: int
    at: float

    @property
    def share(self) -> float:
        """Tied pairs of all pairs; NaN without a pair."""
        return self.n_tied / self.n_pairs if self.n_pairs else float("nan")

    @property
    def share_at(self) -> float:
        """Pairs tied at the one value, of all pairs; NaN without a pair."""
        return self.n_tied_at / self.n_pairs if self.n_pairs else float("nan")


def count_ties(
    scores: ArrayLike, *, grouping: str | None = None, where: ArrayLike | None = None, at: float = 0.0
) -> Ties:
    """Count tied pairs, exactly.

    Parameters
    ----------
    scores : array_like, shape (n,) or (systems, segments)
        Of people or of a metric; NaN is a missing score.
    grouping : {"global", "item", "system", "system_means"} or None
        As for `correlate`.
    where : array_like of that shape, optional
        Scores of the other side: where they are missing, a cell is left out, as in `correlate`.
    at : float
        Ties at this value are counted apart; 0 is a translation without an error in MQM.

    Returns
    -------
    Ties

    Raises
    ------
    InputError
        As for `correlate`.

    References
    ----------
    Deutsch et al. (2023), Tables 3, 4 and 9, doi:10.18653/v1/2023.emnlp-main.798.

    Examples
    --------
    >>> count_ties([0, 0, 0, -1, -5, -5])
    Ties(n_scores=6, n_groups=1, n_pairs=15, n_tied=4, n_tied_at=3, at=0.0)
    """
    value = float(as_scores("at", [at])[0])
    own, other = check_pair(scores, scores if where is None else where)
    grouped = group(np.where(np.isnan(other), np.nan, own), own, grouping)
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
    )


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


def break_ties(scores: ArrayLike, rng: np.random.Generator | int) -> FloatArray:
    """Order equal scores at random and keep the order of all others.

    Parameters
    ----------
    scores : array_like, of any shape
        NaN stays NaN.
    rng : numpy Generator or int
        Draws the order; a seed, so that it can be drawn again.

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


def correlate_untied(
    human: ArrayLike,
    metric: ArrayLike,
    coefficient: str = "tau_10",
    *,
    rng: np.random.Generator | int,
    repeats: int = 20,
    grouping: str | None = None,
    undefined: str = "drop",
) -> FloatArray:
    """Measure how well a metric agrees once `break_ties` has ordered its equal scores, several times.

    Parameters
    ----------
    human, metric, grouping, undefined
        As for `correlate`; not ``grouping="system_means"``, as places have no mean that means anything.
    coefficient : str
        One of counts: Pearson and Spearman would be those of places.
    rng : numpy Generator or int
        Draws the orders, one after the other.
    repeats : int
        At least 1.

    Returns
    -------
    ndarray, shape (repeats,)
        The coefficient each time. tau_10, tau_13 and tau_14 are one without ties; on average they are the tau_14 of
        the tied scores, as a broken tie is right half of the time.

    Raises
    ------
    InputError
        As `break_ties` and `correlate`, and for what is said above.

    References
    ----------
    Deutsch et al. (2023), section 6.1, doi:10.18653/v1/2023.emnlp-main.798.

    Examples
    --------
    >>> human, tied = [1, 2, 3, 4], [0, 0, 0, 1]
    >>> from tiekit import correlate
    >>> correlate(human, tied, "tau_10").value, correlate_untied(human, tied, rng=0, repeats=1000).mean().round(1)
    (0.0, np.float64(0.5))
    """
    h, m = check_pair(human, metric)
    entry, generator = get_coefficient(coefficient), as_generator(rng)
    check_policy(undefined)
    if entry.needs != "counts":
        raise InputError(f"coefficient: must be one of counts, as places have no distances, found {entry.name!r}")
    if not isinstance(repeats, Integral) or repeats < 1:
        raise InputError(f"repeats: must be a whole number of at least 1, found {repeats!r}")
    if grouping == "system_means":
        raise InputError("grouping: places have no mean that means anything, so it cannot be 'system_means'")
    return np.array(
        [
            average(values_per_group(group(h, break_ties(m, generator), grouping), entry), undefined)
            for _ in range(int(repeats))
        ]
    )


def reasons_per_group(human: ArrayLike, metric: ArrayLike, *, grouping: str | None = None) -> list[str]:
    """Say of every group what makes coefficients undefined, as `why_undefined`; empty where nothing does.

    Parameters
    ----------
    human, metric, grouping
        As for `correlate`.

    Returns
    -------
    list of str
        A reason a group, at the places of `Correlation.per_group`. Which coefficients a reason concerns depends on
        their formula: tau_10 is defined where only the metric's scores tie.

    Raises
    ------
    InputError
        As for `correlate`.

    Examples
    --------
    >>> reasons_per_group([[1, 2, 3], [1, 3, 5]], [[4, 4, 5], [6, 4, 7]])
    ['all human scores tie', 'all metric scores tie', '']
    """
    grouped = group(human, metric, grouping)
    reasons = [why_undefined(PairCounts(0, 0, 0, 0, 0, 0, 0))] * grouped.n_possible
    rows, kind = np.unique(count_sorted(grouped.scores, 0.0), axis=0, return_inverse=True)
    texts = [why_undefined(PairCounts(*row)) for row in rows.tolist()]
    for place, number in zip(grouped.index.tolist(), kind.tolist(), strict=True):
        reasons[place] = texts[number]
    return reasons


def groups_in_common(per_group: Mapping[str, ArrayLike]) -> NDArray[np.bool_]:
    """Where every metric's coefficient is defined: the groups on which their means can be compared.

    Parameters
    ----------
    per_group : mapping of str to array_like, shape (groups,)
        By metric, `Correlation.per_group` of one grouping.

    Returns
    -------
    ndarray of bool, shape (groups,)

    Raises
    ------
    InputError
        For no metric, or different numbers of groups.

    References
    ----------
    Deutsch et al. (2023), section 6.1, doi:10.18653/v1/2023.emnlp-main.798.

    Examples
    --------
    >>> groups_in_common({"a": [0.5, float("nan"), 1.0], "b": [0.2, 0.1, 0.3]})
    array([ True, False,  True])
    """
    values = [as_scores(f"per_group[{name!r}]", found) for name, found in per_group.items()]
    if len({found.shape for found in values}) != 1:
        raise InputError("per_group: must have at least one metric, and as many groups for each")
    return np.asarray(~np.isnan(values).any(axis=0))


def bucket_curve(
    human: ArrayLike,
    metric: ArrayLike,
    ks: Sequence[int],
    coefficients: Sequence[str] = ("tau_b", "acc_eq"),
    *,
    grouping: str | None = None,
) -> pd.DataFrame:
    """What a metric earns by saying less: coefficients of its scores in k equal-width buckets, and groups left.

    Parameters
    ----------
    human, metric, grouping
        As for `correlate`.
    ks : sequence of int
        Numbers of buckets, as for `to_buckets`.
    coefficients : sequence of str

    Returns
    -------
    pandas.DataFrame
        Indexed by ``k``: a column a coefficient, and ``groups(...)``, the groups on which it is defined.

    Raises
    ------
    InputError
        As `to_buckets` and `correlate`.

    References
    ----------
    Deutsch et al. (2023), Figure 3, doi:10.18653/v1/2023.emnlp-main.798.

    Examples
    --------
    >>> human, metric = [[1, 1], [2, 3], [3, 2]], [[1, 4], [2, 5], [3, 9]]
    >>> bucket_curve(human, metric, [2, 8]).round(2)
       tau_b  acc_eq  groups(tau_b)  groups(acc_eq)
    k
    2   0.82    0.33              1               2
    8   0.67    0.83              2               2
    """
    h, m = check_pair(human, metric)
    entries = [get_coefficient(name) for name in coefficients]
    rows = []
    for k in ks:
        grouped = group(h, to_buckets(m, k), grouping)
        values = {entry.name: values_per_group(grouped, entry) for entry in entries}
        row = {name: average(found, "drop") for name, found in values.items()}
        rows.append(row | {f"groups({name})": int((~np.isnan(found)).sum()) for name, found in values.items()})
    return pd.DataFrame(rows, index=pd.Index(ks, name="k"))
