"""Which measure tells metrics apart, and which ranks them alike on two halves of the data?

Both are long computations. What they have computed can be kept in a `joblib.Memory`, to continue after an interruption.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tiekit.base.errors import InputError
from tiekit.base.parallel import Progress, beating, part_of, run_parts, showing
from tiekit.base.results import RANK_DIGITS, Result, __version__
from tiekit.base.validation import FloatArray, check_count, seed_of
from tiekit.core.coefficients import ROUNDING, Coefficient, values_per_group
from tiekit.core.grouping import group_checked, merge_near_equal
from tiekit.core.registry import get_coefficient
from tiekit.measures.evaluate import (
    GAO_MEASURES,
    Datasets,
    Measures,
    Names,
    as_measures,
    digest_of_sets,
    read_datasets,
)
from tiekit.sets.arguments import Exclude, with_names
from tiekit.sets.cells import metric_facts
from tiekit.sets.evalset import EvalSet
from tiekit.significance._resampled_measures import prepare_measures
from tiekit.significance.compare import swap_test
from tiekit.significance.schemes import (
    DRAWS_A_PART,
    SWAPS,
    Draws,
    check_kind,
    check_means,
    draws_at_once,
    name_documents,
    number_documents,
)


def remember(memory: Any, function: Callable[..., Any], *ignore: str) -> Callable[..., Any]:
    """A function that reads from a memory what it computed before, whatever the arguments to ignore were."""
    remembered: Callable[..., Any] = function if memory is None else memory.cache(function, ignore=[*ignore])
    return remembered


@dataclass(frozen=True, eq=False, repr=False)
class DiscriminativePower(Result):
    """How well measures tell metrics apart.

    Attributes
    ----------
    pvalues : pandas.DataFrame
        Two-sided p-values: one row per pair of metrics, indexed by dataset, first, second; one column per measure. NaN
        where a measure is undefined for one of the two metrics.
    swap, n_resamples, seed
        As asked for.
    digest : str
        Of all scores.
    """

    _number: ClassVar[str | None] = None

    pvalues: pd.DataFrame
    swap: str
    n_resamples: int
    seed: int
    digest: str = field(repr=False)

    @property
    def by_dataset(self) -> pd.DataFrame:
        """Mean p-values, one row per measure, one column per data set: 0 to 1, lower is better; NaN left out."""
        return self.pvalues.groupby("dataset", sort=False).mean().T.rename_axis(index="measure")

    @property
    def mean(self) -> pd.Series:
        """Each measure's mean over the data sets where it is defined: the DP value of Table 2."""
        return pd.Series(self.by_dataset.mean(axis=1), name="DP")

    @property
    def n_undefined(self) -> pd.DataFrame:
        """Number of pairs without a p-value, one row per measure, one column per data set."""
        return self.pvalues.isna().groupby("dataset", sort=False).sum().T.rename_axis(index="measure")

    def curve(self, dataset: str | None = None) -> pd.DataFrame:
        """List each measure's p-values from the largest to the smallest (Figures 11–40).

        Parameters
        ----------
        dataset : str or None
            Name of a data set; None where there is only one.

        Returns
        -------
        pandas.DataFrame
            One row per measure and pair; columns measure, place (from 1), first, second, p.

        Raises
        ------
        InputError
            For an unknown data set, or None where there are several.
        """
        known = [str(name) for name in self.pvalues.index.unique("dataset")]
        dataset = known[0] if dataset is None and len(known) == 1 else dataset
        if dataset not in known:
            raise InputError(f"dataset: must be one of {', '.join(known)}, found {dataset!r}")
        parts = []
        for measure, tests in self.pvalues.xs(dataset, level="dataset").items():
            ordered = tests.dropna().sort_values(ascending=False, kind="stable").rename("p").reset_index()
            ordered.insert(0, "place", np.arange(1, len(ordered) + 1))
            ordered.insert(0, "measure", str(measure))
            parts.append(ordered)
        return pd.DataFrame(pd.concat(parts, ignore_index=True))

    def _facts(self) -> dict[str, object]:
        return {
            "measures": ",".join(map(str, self.pvalues.columns)),
            "value": "discriminative power",
            "datasets": self.pvalues.index.unique("dataset").size,
            **metric_facts(dict.fromkeys(name for pair in self.pvalues.index for name in pair[1:])),
            "swap": self.swap,
            "undefined": "drop",
            "resamples": self.n_resamples,
            "scores": self.digest,
            "seed": self.seed,
        }


@with_names
def discriminative_power(
    datasets: Datasets,
    measures: Measures = GAO_MEASURES,
    *,
    metrics: Names = None,
    human: Names = None,
    exclude: Exclude = None,
    cells: str | None = None,
    swap: str = "segments",
    documents: Sequence[str] | None = None,
    n_resamples: int = 999,
    rng: np.random.Generator | int | None = None,
    n_jobs: int | None = None,
    progress: Progress | bool | None = None,
    memory: Any = None,
) -> DiscriminativePower:
    """Test every two metrics by every measure: a measure with more power gives smaller p-values.

    Parameters
    ----------
    datasets : EvalSet, or mapping of str to (human, metrics)
        An evaluation set, which has one data set per human score (see `datasets_of`), or data sets by name: matrices
        of shape (systems, segments), NaN is a missing score. Each has at least two metrics.
    measures : str or iterable of str
        As for `evaluate_measures`; a starred one keeps each metric's best epsilon in all resamples.
    metrics, human, exclude
        As for `datasets_of`.
    cells, progress
        As for `evaluate_measures`; common cells are those of a data set.
    swap : {"segments", "systems", "cells", "both", "documents"}
        What is swapped between two metrics: all scores of a segment, of a system, of a document, or single scores.
        Algorithm 1 prints ``"cells"``; the authors ran ``"both"``, systems and then segments, as their footnote and
        code say.
    documents : sequence of str, optional
        The document of each segment, of all data sets, for ``swap="documents"`` and measures by document; None: those
        of the set.
    n_resamples : int
        The most swaps that are tried; where there are no more ways to swap, each is tried once.
    rng : numpy Generator or int, optional
        Random-number generator or seed; None is seed 0. All pairs and data sets are tested on the same swaps.
    n_jobs : int or None
        Number of workers; None is what ``joblib.parallel_config`` says (a Dask cluster, for example), otherwise
        one. The p-values do not depend on it.
    memory : joblib.Memory, optional
        Keeps the p-values of every data set by the measures of each grouping as soon as they are computed: after an
        interruption the same call continues from there.

    Returns
    -------
    DiscriminativePower

    Raises
    ------
    InputError
        For fewer than two metrics, unknown names, and as `swap_test`.

    References
    ----------
    Gao et al. (2024), section 4.1 and Algorithm 1, arXiv 2410.16834. Their p-values are the shares of the resamples
    that exceed the observed difference; these also count the observed one, so that none is 0.

    Examples
    --------
    >>> human = [[1, 2, 3], [2, 3, 1], [3, 1, 3]]
    >>> metrics = {"a": human, "b": [[1, 1, 1], [1, 1, 2], [2, 1, 1]], "c": [[3, 2, 1], [1, 3, 1], [1, 2, 3]]}
    >>> found = discriminative_power({"toy": (human, metrics)}, ["item/tau_b", "global/pearson"], swap="segments")
    >>> found.mean.round(3).to_dict()
    {'item/tau_b': 0.5, 'global/pearson': 0.5}
    """
    groupings = [measure.grouping for measure in as_measures(measures, documents=True)]
    checked = read_datasets(datasets, metrics, human, exclude, cells, groupings)
    given = datasets if isinstance(datasets, EvalSet) else None
    named, *_ = [name_documents(given, documents, scored.shape[1]) for scored, _ in checked.values()]
    asked = as_measures(measures, documents=named is not None)
    scheme = SWAPS[check_kind("swap", swap, [name for name, one in SWAPS.items() if one.of_scores])]
    number_documents(scheme, named)
    check_means("swap", scheme, asked)
    size, seed = check_count("n_resamples", n_resamples), seed_of(rng)
    names = [measure.name for measure in asked]
    by_grouping = {measure.grouping: [m.name for m in asked if m.grouping == measure.grouping] for measure in asked}
    test, how = remember(memory, pvalues_of_pairs, "n_jobs", "progress"), (swap, size, seed, named, n_jobs)
    frames, n_parts = [], len(checked) * len(by_grouping)
    with showing(progress, "swap") as told:
        for place, dataset in enumerate(checked.values()):
            tests = [
                test(__version__, *dataset, some, *how, part_of(told, part, n_parts))
                for part, some in enumerate(by_grouping.values(), place * len(by_grouping))
            ]
            frames.append(pd.concat(tests, axis=1)[names].to_numpy())
    index = [(name, *pair) for name, (_, scores) in checked.items() for pair in combinations(scores, 2)]
    rows = pd.MultiIndex.from_tuples(index, names=["dataset", "first", "second"])
    return DiscriminativePower(
        pd.DataFrame(np.concatenate(frames), rows, names), swap, size, seed, digest_of_sets(checked)
    )


def pvalues_of_pairs(
    version: str,  # noqa: ARG001  a new version of tiekit computes the numbers again
    human: FloatArray,
    metrics: Mapping[str, FloatArray],
    names: Sequence[str],
    swap: str,
    size: int,
    seed: int,
    documents: tuple[str, ...] | None,
    n_jobs: int | None,
    progress: Progress | None,
) -> pd.DataFrame:
    """P-values of every two metrics of one data set, one column per measure."""
    how: dict[str, Any] = {"swap": swap, "documents": documents, "n_resamples": size, "rng": seed, "cells": "own"}
    return swap_test(human, metrics, names, **how, n_jobs=n_jobs, progress=progress)


@dataclass(frozen=True, eq=False, repr=False)
class RankingConsistency(Result):
    """How alike measures rank metrics on a random half of the segments and on the other half.

    Attributes
    ----------
    by_dataset : pandas.DataFrame
        Mean coefficient of the two rankings, one row per measure, one column per data set: −1 to 1, higher is better;
        undefined splits are left out.
    n_undefined : pandas.DataFrame
        Number of splits without a value, of the same shape: all metrics tie on one half, or fewer than two have a
        value.
    coefficient, n_splits, seed
        As asked for.
    digest : str
        Of all scores.
    """

    _number: ClassVar[str | None] = None

    by_dataset: pd.DataFrame
    n_undefined: pd.DataFrame
    coefficient: str
    n_splits: int
    seed: int
    digest: str = field(repr=False)

    @property
    def mean(self) -> pd.Series:
        """Each measure's mean over the data sets where it is defined: the RC value of Table 2."""
        return pd.Series(self.by_dataset.mean(axis=1), name="RC")

    def _facts(self) -> dict[str, object]:
        return {
            "measures": ",".join(map(str, self.by_dataset.index)),
            "value": "ranking consistency",
            "datasets": self.by_dataset.shape[1],
            "coefficient": self.coefficient,
            "undefined": "drop",
            "splits": self.n_splits,
            "scores": self.digest,
            "seed": self.seed,
        }


@with_names
def ranking_consistency(
    datasets: Datasets,
    measures: Measures = GAO_MEASURES,
    *,
    metrics: Names = None,
    human: Names = None,
    exclude: Exclude = None,
    cells: str | None = None,
    n_splits: int = 1000,
    coefficient: str = "tau_b",
    rng: np.random.Generator | int | None = None,
    n_jobs: int | None = None,
    progress: Progress | bool | None = None,
    memory: Any = None,
) -> RankingConsistency:
    """Split the segments in half at random, rank the metrics on each half, and compare the two rankings.

    Parameters
    ----------
    datasets, measures, metrics, human, exclude, cells, rng, n_jobs, progress
        As for `discriminative_power`; at least two segments. All metrics are evaluated on the same halves.
    n_splits : int
        Number of random splits. Of an odd number of segments the first half is the smaller one.
    coefficient : str
        What compares the two rankings: ``"tau_b"`` as in the paper, or another of `COEFFICIENTS`. Values that agree to
        1e-12 tie; a metric without a value on one half is left out.
    memory : joblib.Memory, optional
        Keeps each metric's values on the halves as soon as they are computed, see `discriminative_power`.

    Returns
    -------
    RankingConsistency

    Raises
    ------
    InputError
        For fewer than two metrics or segments, unknown names, and what `correlate` refuses.

    References
    ----------
    Gao et al. (2024), section 4.2 and Algorithm 2, arXiv 2410.16834.

    Examples
    --------
    >>> human = [[1, 2, 3, 1], [2, 3, 1, 3], [3, 1, 3, 2]]
    >>> metrics = {"exact": human, "none": [[2, 1, 1, 3], [1, 1, 3, 2], [1, 3, 2, 1]]}
    >>> ranking_consistency({"toy": (human, metrics)}, ["item/tau_b"], n_splits=20).mean.to_dict()
    {'item/tau_b': 1.0}
    """
    asked = as_measures(measures)
    checked = read_datasets(datasets, metrics, human, exclude, cells, [measure.grouping for measure in asked])
    entry, size, seed = get_coefficient(coefficient), check_count("n_splits", n_splits), seed_of(rng)
    for name, (gold, _) in checked.items():
        if gold.shape[1] < 2:
            raise InputError(f"datasets: {name}: halves need at least two segments, found {gold.shape[1]}")
    names = tuple(measure.name for measure in asked)
    parts = [(gold, metric) for gold, scores in checked.values() for metric in scores.values()]
    evaluate, shared = remember(memory, values_on_halves, "progress"), (__version__, names, size, seed)
    with showing(progress, "split") as told:
        values = iter(list(run_parts(evaluate, shared, parts, n_jobs=n_jobs, progress=told, inside=True)))
    means, undefined = {}, {}
    for name, (_, scores) in checked.items():
        found = _compare_halves(np.stack([next(values) for _ in scores], axis=-1), entry)
        means[name], undefined[name] = found.mean(axis=1).to_numpy(), found.isna().sum(axis=1).to_numpy()
    index = pd.Index(names, name="measure")
    frames = [pd.DataFrame(found, index).rename_axis(columns="dataset") for found in (means, undefined)]
    return RankingConsistency(frames[0], frames[1], entry.name, size, seed, digest_of_sets(checked))


def _compare_halves(values: FloatArray, entry: Coefficient) -> pd.DataFrame:
    """Agreement of the rankings of values (splits, 2, measures, metrics): one row per measure, one column per split."""
    size, _, n_measures, n_metrics = values.shape
    halves = merge_near_equal(values, ROUNDING)
    first, second = halves.transpose(1, 2, 0, 3).reshape(2, -1, n_metrics)  # one row per measure and split
    grouped = group_checked(first, second, "system")
    return pd.DataFrame(grouped.spread(values_per_group(grouped, entry)).reshape(n_measures, size))


def values_on_halves(
    version: str,  # noqa: ARG001  a new version of tiekit computes the numbers again
    names: tuple[str, ...],
    size: int,
    seed: int,
    scores: tuple[FloatArray, FloatArray],
    progress: Progress | None = None,
) -> FloatArray:
    """One metric's values on both halves of every split, shape (splits, 2, measures)."""
    (human, metric), found, done = scores, [], 0
    with beating(progress):
        panel = prepare_measures(human, (metric,), as_measures(names))
    for part, first in enumerate(range(0, size, DRAWS_A_PART)):
        number, step = min(DRAWS_A_PART, size - first), draws_at_once(human.size)
        for halves in draw_halves(human.shape[1], number, seed, part, step):
            chosen = np.concatenate((halves, 1 - halves))
            with beating(progress, done / size):
                drawn = panel.values(Draws(False, np.ones((len(chosen), human.shape[0]), np.uint8), chosen))
            found.append(drawn[:, 0].reshape(2, len(halves), -1).swapaxes(0, 1))
            done += len(halves)
    return np.concatenate(found)


def draw_halves(n_segments: int, size: int, seed: int, part: int, step: int) -> Iterator[NDArray[Any]]:
    """Yield 1 for the segments of the first half, shape (splits, segments); the same for every metric and worker."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(part,)))
    for first in range(0, size, step):
        orders = (rng.random(n_segments).argsort() for _ in range(min(step, size - first)))
        yield np.array([order < n_segments // 2 for order in orders], np.uint8)


def compare_measures(power: DiscriminativePower, consistency: RankingConsistency) -> pd.DataFrame:
    """Compare measures by power and consistency, as in Table 2 of Gao et al. (2024).

    Parameters
    ----------
    power : DiscriminativePower
    consistency : RankingConsistency
        Both of the same measures.

    Returns
    -------
    pandas.DataFrame
        One row per measure: grouping, coefficient, DP (lower is better), rank(DP), RC (higher is better), rank(RC).
        Rank 1 is best; ranks are missing where values are undefined.

    Raises
    ------
    InputError
        For different measures.
    """
    table = pd.DataFrame({"DP": power.mean, "RC": consistency.mean})
    if list(power.mean.index) != list(consistency.mean.index):
        raise InputError("consistency: must have the measures of power, in their order")
    for column, lower in (("DP", True), ("RC", False)):
        table[f"rank({column})"] = table[column].round(RANK_DIGITS).rank(ascending=lower, method="min").astype("Int64")
    table[["grouping", "coefficient"]] = [name.split("/") for name in table.index]
    return table[["grouping", "coefficient", "DP", "rank(DP)", "RC", "rank(RC)"]]
