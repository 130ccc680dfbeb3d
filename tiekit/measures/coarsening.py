"""What if a metric said less, or more? Measures of its scores rounded to G levels, or averaged over samples."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, islice
from math import comb

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from tiekit.counting.ties import to_buckets
from tiekit.errors import InputError
from tiekit.measures.evaluate import GAO_MEASURES, MeasureLike, as_measures, check_count, check_dataset, values_of
from tiekit.progress import Progress
from tiekit.scores import FloatArray, IntArray, as_scores
from tiekit.seeds import seed_of

MIDDLE = (2.5, 50.0, 97.5)
"""Percentiles that are told of many averages."""

AT_ONCE = 50
"""Scores, rounded or averaged, that are made and valued in one go: more of them only need more memory."""


def granularity(
    human: ArrayLike,
    metric: ArrayLike,
    levels: Sequence[int],
    measures: Sequence[MeasureLike] = GAO_MEASURES,
) -> pd.DataFrame:
    """Value a metric by measures after its range was cut into G equal intervals, for each G.

    Parameters
    ----------
    human, metric : array_like, shape (systems, segments)
        NaN is a missing score.
    levels : sequence of int
        Each G, at least 1; `to_buckets` rounds. A metric may use fewer levels than it is given.
    measures : sequence
        As for `evaluate_measures`; a starred one calibrates the rounded scores.

    Returns
    -------
    pandas.DataFrame
        Indexed by ``G``, a column a measure; NaN where no group is defined.

    Raises
    ------
    InputError
        As `evaluate_measures` and `to_buckets`, and for no level at all.

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
    h, scores = check_dataset(human, {"metric": metric})
    if not len(levels):
        raise InputError("levels: must be one at least, found none")
    rounded = (to_buckets(scores["metric"], k) for k in levels)
    values = []
    while some := list(islice(rounded, AT_ONCE)):
        values.append(values_of(h[None], np.array(some), asked))
    names = [measure.name for measure in asked]
    return pd.DataFrame(np.concatenate(values), index=pd.Index(levels, name="G"), columns=names)


def granularity_of_samples(
    human: ArrayLike,
    samples: ArrayLike,
    measures: Sequence[MeasureLike] = GAO_MEASURES,
    *,
    repeats: int = 1000,
    rng: np.random.Generator | int = 0,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Value the mean of n samples of a metric's scores, for every n: more samples make a finer scale.

    Parameters
    ----------
    human : array_like, shape (systems, segments)
    samples : array_like, shape (samples, systems, segments)
        Scores of an evaluator that answers differently when asked again. A cell without one of the chosen samples is
        left out.
    measures : sequence
        As for `evaluate_measures`.
    repeats : int
        How many choices of n samples are made at most, without replacement; where there are no more, each once.
    rng : numpy Generator or int
        A seed.
    progress : function of a float, optional

    Returns
    -------
    pandas.DataFrame
        Long: ``n``, ``measure``, over the choices the ``median`` and the percentiles 2.5 (``low``) and 97.5 (``high``),
        the number of ``choices`` and the mean number of ``levels``, distinct scores that occur.

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
    size, all_samples = check_count("repeats", repeats), as_scores("samples", samples)
    if all_samples.ndim != 3 or not len(all_samples):
        raise InputError(f"samples: must be samples × systems × segments, found shape {all_samples.shape}")
    h, _ = check_dataset(human, {"samples": all_samples[0]})
    total, rows = len(all_samples), []
    for n in range(1, total + 1):
        chosen = choose(total, n, size, seed)
        found, levels = [], []
        for first in range(0, len(chosen), AT_ONCE):
            means = all_samples[chosen[first : first + AT_ONCE]].mean(axis=1).round(12)  # thirds in any order agree
            found.append(values_of(h[None], means, asked))
            levels += [np.unique(scores[~np.isnan(scores)]).size for scores in means]
        low, median, high = _percentiles(np.concatenate(found))
        rows += [
            (n, measure.name, median[i], low[i], high[i], len(chosen), float(np.mean(levels)))
            for i, measure in enumerate(asked)
        ]
        if progress is not None:
            progress(n / total)
    return pd.DataFrame(rows, columns=["n", "measure", "median", "low", "high", "choices", "levels"])


def choose(total: int, n: int, repeats: int, seed: int) -> IntArray:
    """Different choices of n from so many: all of them, or at most so many at random; shape (choices, n)."""
    if comb(total, n) <= repeats:
        return np.array(list(combinations(range(total), n)), np.int64)
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(n,)))
    drawn = (tuple(sorted(rng.permutation(total)[:n].tolist())) for _ in range(100 * repeats))
    return np.array(list(islice(dict.fromkeys(drawn), repeats)), np.int64)


def _percentiles(values: FloatArray) -> FloatArray:
    """Low, median and high of every column, of what is defined; NaN where nothing is."""
    columns = [column[~np.isnan(column)] for column in values.T]
    return np.array([np.percentile(c, MIDDLE) if c.size else [np.nan] * 3 for c in columns]).T
