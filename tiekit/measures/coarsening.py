"""What if a metric gave fewer different scores, or more? Scores cut to levels or decimals, or averaged over samples."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, islice
from math import comb

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from tiekit.base.errors import InputError, quote
from tiekit.base.names import as_names, find_name
from tiekit.base.parallel import Progress, part_of, showing, with_progress
from tiekit.base.validation import MOST_DECIMALS, FloatArray, IntArray, as_scores, check_count, seed_of, to_decimals
from tiekit.core.measure import Measure
from tiekit.core.ties import count_ties, to_buckets
from tiekit.measures.evaluate import GAO_MEASURES, Measures, as_measures, check_matrix, read_dataset, values_of
from tiekit.sets.arguments import Exclude, Human, Metric, read_pair, read_several
from tiekit.sets.evalset import EvalSet

MIDDLE = (2.5, 50.0, 97.5)
"""Percentiles that are reported of the values of many averages."""

LARGE = 2.0**896
"""Sums of scores above this may overflow."""

AT_ONCE = 50
"""The most score matrices, rounded or averaged, that are evaluated in one go: more of them only need more memory."""


def granularity(
    data: Human,
    metric: Metric,
    levels: Sequence[int],
    measures: Measures = GAO_MEASURES,
    *,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    progress: Progress | bool | None = None,
) -> pd.DataFrame:
    """Evaluate a metric by measures after its range was cut into G equal intervals, for each G.

    Parameters
    ----------
    data, metric, human, exclude
        As for `correlate`, of shape (systems, segments).
    levels : sequence of int
        Every G, at least 1; `to_buckets` rounds. A metric may use fewer levels than it is given.
    measures : str or iterable of str
        As for `evaluate_measures`; a starred one calibrates the rounded scores.
    progress
        As for `leaderboard`.

    Returns
    -------
    pandas.DataFrame
        Indexed by ``G``, one column per measure; NaN where no group is defined.

    Raises
    ------
    InputError
        As `evaluate_measures` and `to_buckets`, and for no levels.

    References
    ----------
    Gao et al. (2024), section 4.3, arXiv 2410.16834.

    Examples
    --------
    >>> human, metric = [[1, 1], [2, 3], [3, 2]], [[1, 4], [2, 5], [3, 9]]
    >>> granularity(human, metric, [2, 8], ["item/tau_b", "item/acc_eq"]).round(2)
       item/tau_b  item/acc_eq
    G
    2        0.82         0.33
    8        0.67         0.83
    """
    asked = as_measures(measures)
    h, scores = read_pair(data, metric, human, exclude)
    check_matrix(h)
    if not len(levels):
        raise InputError("levels: there must be at least one, found none")
    values = _values_of_each(h, (to_buckets(scores, k) for k in levels), asked, len(levels), progress)
    return pd.DataFrame(values, pd.Index(levels, name="G"), [measure.name for measure in asked])


def by_decimals(
    data: Human,
    metric: Metric,
    decimals: Sequence[int] = range(7),
    measures: Measures = ("item/tau_b", "item/acc_eq", "item/acc_eq*"),
    *,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    progress: Progress | bool | None = None,
) -> pd.DataFrame:
    """Evaluate a metric by measures after its scores were rounded, for each number of decimals.

    A file, a table or a print statement may have kept fewer decimals than the metric gave: this is what it costs.

    Parameters
    ----------
    data, metric, human, exclude
        As for `correlate`; the items of vectors are the segments of one system, so their measures are ``"global/…"``.
    decimals : sequence of int
        As of ``numpy.round``: -1 rounds to tens.
    measures, progress
        As for `granularity`.

    Returns
    -------
    pandas.DataFrame
        Indexed by ``decimals``: ``levels``, the different scores; ``tied``, the share of pairs that the metric ties,
        of those of a segment (of vectors: of all); one column per measure.

    Raises
    ------
    InputError
        As `evaluate_measures`, and for no decimals or more than 300.

    Examples
    --------
    >>> by_decimals([1, 2, 3, 4], [0.111, 0.123, 0.122, 0.4], [1, 2, 3], "global/tau_b").round(2)
              levels  tied  global/tau_b
    decimals
    1              2  0.50          0.71
    2              3  0.17          0.91
    3              4  0.00          0.67
    """
    asked = as_measures(measures)
    h, scores = read_pair(data, metric, human, exclude)
    places = [check_count("decimals", one, -MOST_DECIMALS) for one in decimals]
    if not places or max(places) > MOST_DECIMALS:
        raise InputError(f"decimals: must be at least one number of up to {MOST_DECIMALS}, found {quote(decimals)}")
    rounded = [to_decimals(scores, one) for one in places]
    grouping = None if h.ndim == 1 else "item"
    facts = {
        "levels": [np.unique(one[~np.isnan(one)]).size for one in rounded],
        "tied": [count_ties(one, where=h, grouping=grouping).share for one in rounded],
    }
    matrices = (np.atleast_2d(one) for one in rounded)
    values = _values_of_each(check_matrix(np.atleast_2d(h)), matrices, asked, len(places), progress)
    columns = {measure.name: values[:, number] for number, measure in enumerate(asked)}
    return pd.DataFrame(facts | columns, pd.Index(places, name="decimals"))


def _values_of_each(
    human: FloatArray,
    scores: Iterable[FloatArray],
    measures: Sequence[Measure],
    number: int,
    progress: Progress | bool | None,
) -> FloatArray:
    """Values of many score matrices, shape (number, measures)."""
    left, values = iter(scores), list[FloatArray]()
    with showing(progress, "evaluate") as told:
        while some := list(islice(left, AT_ONCE)):
            part = part_of(told, len(values), -(-number // AT_ONCE))
            values.append(values_of(human[None], np.array(some), measures, progress=part))
    return np.concatenate(values)


def granularity_of_samples(
    data: Human,
    samples: ArrayLike | Iterable[str],
    measures: Measures = GAO_MEASURES,
    *,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    repeats: int = 1000,
    rng: np.random.Generator | int | None = None,
    progress: Progress | bool | None = None,
) -> pd.DataFrame:
    """Evaluate the mean of n samples of a metric's scores, for every n: the mean of more samples has a finer scale.

    Parameters
    ----------
    data, measures, human, exclude, progress
        As for `granularity`.
    samples : iterable of str, or array_like of shape (samples, systems, segments)
        Names of metrics of the set, or scores: each sample is one answer of an evaluator that answers differently when
        asked again. A cell without a score in one of the chosen samples is left out.
    repeats : int
        The most choices of n samples that are made, without replacement; where there are no more, each is made once.
    rng : numpy Generator or int, optional
        Random-number generator or seed; None is seed 0.

    Returns
    -------
    pandas.DataFrame
        In long form: ``n``, ``measure``; over the choices the ``median`` and the percentiles 2.5 (``low``) and 97.5
        (``high``); the number of ``choices`` and the mean number of ``levels``, the distinct scores that occur.

    Raises
    ------
    InputError
        For other shapes, and as `evaluate_measures`.

    References
    ----------
    Gao et al. (2024), section 4.3.1 and Figure 4, arXiv 2410.16834; percentiles as their code has them.

    Examples
    --------
    >>> human, samples = [[1, 2], [2, 3], [3, 1]], [[[1, 2], [2, 3], [2, 1]], [[1, 1], [2, 2], [3, 1]]]
    >>> found = granularity_of_samples(human, samples, ["global/pearson"])
    >>> found.round(2)[["n", "median", "choices", "levels"]]
       n  median  choices  levels
    0  1    0.86        2     3.0
    1  2    0.97        1     4.0
    """
    asked, seed = as_measures(measures), seed_of(rng)
    size = check_count("repeats", repeats)
    h, all_samples = _read_samples(data, samples, human, exclude)
    if np.nanmax(np.abs(all_samples), initial=0.0) > LARGE:
        all_samples = np.ldexp(all_samples, -128)  # exact; no measure depends on the unit
    total, rows = len(all_samples), []
    with showing(progress, "evaluate") as told:
        for n in with_progress(range(1, total + 1), told):
            chosen = choose(total, n, size, seed)
            found, levels = [], []
            starts = range(0, len(chosen), AT_ONCE)
            for place, first in enumerate(starts):
                part = part_of(part_of(told, n - 1, total), place, len(starts))
                means = all_samples[chosen[first : first + AT_ONCE]].mean(axis=1).round(12)  # thirds in any order agree
                found.append(values_of(h[None], means, asked, progress=part))
                levels += [np.unique(scores[~np.isnan(scores)]).size for scores in means]
            low, median, high = _percentiles(np.concatenate(found))
            rows += [
                (n, measure.name, median[i], low[i], high[i], len(chosen), float(np.mean(levels)))
                for i, measure in enumerate(asked)
            ]
    return pd.DataFrame(rows, columns=["n", "measure", "median", "low", "high", "choices", "levels"])


def _read_samples(
    data: Human, samples: ArrayLike | Iterable[str], human: str | ArrayLike | None, exclude: Exclude
) -> tuple[FloatArray, FloatArray]:
    """Human scores, and samples of shape (samples, systems, segments)."""
    if isinstance(data, EvalSet):
        asked = as_names(samples)  # type: ignore[arg-type]  # names, or refused
        names = [find_name("samples", name, data.metrics) for name in asked]
        gold, scores = read_dataset(data, names, human, exclude, cells="own")
        return gold, np.array(list(scores.values()))
    values = as_scores("samples", samples)  # type: ignore[arg-type]  # scores, or refused
    if values.ndim != 3 or not len(values):
        raise InputError(f"samples: must be samples × systems × segments, found shape {values.shape}")
    gold, _ = read_several(data, {"samples": values[0]}, human, exclude)
    return check_matrix(gold), values


def choose(total: int, n: int, repeats: int, seed: int) -> IntArray:
    """Different choices of n out of ``total``: all of them, or ``repeats`` random ones; shape (choices, n)."""
    if comb(total, n) <= repeats:
        return np.array(list(combinations(range(total), n)), np.int64)
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(n,)))
    drawn = (tuple(sorted(rng.permutation(total)[:n].tolist())) for _ in range(100 * repeats))
    return np.array(list(islice(dict.fromkeys(drawn), repeats)), np.int64)


def _percentiles(values: FloatArray) -> FloatArray:
    """Low, median and high of the defined values of every column; NaN where none is defined."""
    columns = [column[~np.isnan(column)] for column in values.T]
    return np.array([np.percentile(c, MIDDLE) if c.size else [np.nan] * 3 for c in columns]).T
