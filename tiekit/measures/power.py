"""How well does a measure tell metrics apart? Discriminative power: p-values of all pairs of metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from tiekit.arguments import Exclude
from tiekit.errors import InputError
from tiekit.evalset import EvalSet
from tiekit.measures.catalog import GAO_MEASURES, Measures, as_measures
from tiekit.measures.datasets import Datasets, Names, Scored, digest_of_sets, read_datasets
from tiekit.measures.memory import remember
from tiekit.parallel import run_parts
from tiekit.progress import Progress, part_of, showing
from tiekit.resampling.documents import check_means, name_documents, number_documents
from tiekit.resampling.schemes import SWAPS, check_kind
from tiekit.result import Result
from tiekit.scores import FloatArray, check_count
from tiekit.seeds import seed_of
from tiekit.signature import __version__, signature
from tiekit.significance.all_pairs import swap_test


@dataclass(frozen=True, eq=False, repr=False)
class DiscriminativePower(Result):
    """How well measures tell metrics apart.

    Attributes
    ----------
    pvalues : pandas.DataFrame
        Two-sided p-values: one row per pair of metrics, indexed by dataset, first, second; one column per measure. NaN
        where a measure is undefined for one of the two metrics.
    swap : str
        What was swapped between two metrics.
    n_resamples, seed : int
        What was asked for.
    digest : str
        Digest of all scores.
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
        if dataset is None and len(known) == 1:
            dataset = known[0]
        if dataset not in known:
            raise InputError(f"dataset: must be one of {', '.join(known)}, found {dataset!r}")
        parts = []
        tests = self.pvalues.xs(dataset, level="dataset")
        for measure in tests.columns:
            ordered = tests[measure].dropna().sort_values(ascending=False, kind="stable").rename("p").reset_index()
            ordered.insert(0, "place", np.arange(1, len(ordered) + 1))
            ordered.insert(0, "measure", str(measure))
            parts.append(ordered)
        return pd.DataFrame(pd.concat(parts, ignore_index=True))

    @property
    def signature(self) -> str:
        """One line that makes the numbers reproducible."""
        return signature(
            measures=",".join(map(str, self.pvalues.columns)),
            value="discriminative power",
            datasets=self.pvalues.index.unique("dataset").size,
            swap=self.swap,
            undefined="drop",
            resamples=self.n_resamples,
            data=self.digest,
            seed=self.seed,
        )


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
    metrics, human : str or iterable of str, optional
        Names of metrics and of human scores of the set; None is all of them.
    exclude : str or iterable of str, optional
        Systems of the set to leave out; None: its standard reference and outliers; ``()``: nobody.
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
        Number of workers; None is what ``joblib.parallel_config`` says (a Dask cluster, for example), otherwise all
        cores. The p-values do not depend on it.
    progress : function of a float, or bool, optional
        Called with the fraction done; raise an exception to cancel.
        None and True show a bar on a terminal or in a notebook, after a second; False shows none.
    memory : joblib.Memory, optional
        Keeps the p-values of every pair as soon as they are computed: after an interruption the same call continues
        from there.
    cells : {"common", "own"} or None
        Which cells are compared: those that all metrics of a data set have scored, which is also what None means, with
        a `CoverageWarning` where that leaves something out; or each metric's own.

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
    checked = read_datasets(datasets, metrics, human, exclude, cells=cells, groupings=groupings)
    given = datasets if isinstance(datasets, EvalSet) else None
    named, *_ = [name_documents(given, documents, scored.shape[1]) for scored, _ in checked.values()]
    asked = as_measures(measures, documents=named is not None)
    scheme = SWAPS[check_kind("swap", swap, [name for name, one in SWAPS.items() if one.of_scores])]
    number_documents(scheme, named)
    check_means("swap", scheme, asked)
    size, seed = check_count("n_resamples", n_resamples), seed_of(rng)
    names = tuple(measure.name for measure in asked)
    with showing(progress, "swap") as told:
        if memory is None:
            found = _test_at_once(checked, names, swap, size, seed, named, n_jobs, told)
        else:
            found = _test_by_pair(checked, names, swap, size, seed, named, n_jobs, told, memory)
    index = [(name, *pair) for name, (_, scores) in checked.items() for pair in combinations(scores, 2)]
    rows = pd.MultiIndex.from_tuples(index, names=["dataset", "first", "second"])
    return DiscriminativePower(pd.DataFrame(found, rows, list(names)), swap, size, seed, digest_of_sets(checked))


def _test_at_once(
    datasets: Mapping[str, Scored],
    names: tuple[str, ...],
    swap: str,
    size: int,
    seed: int,
    documents: tuple[str, ...] | None,
    n_jobs: int | None,
    progress: Progress | None,
) -> FloatArray:
    """P-values, shape (pairs of all data sets, measures); every metric is prepared once."""
    found = []
    for number, (human, metrics) in enumerate(datasets.values()):
        inner = part_of(progress, number, len(datasets))
        how: dict[str, Any] = {"swap": swap, "documents": documents, "n_resamples": size, "rng": seed, "cells": "own"}
        tests = swap_test(human, metrics, names, **how, n_jobs=n_jobs, progress=inner)
        found.append(tests.to_numpy())
    return np.concatenate(found)


def _test_by_pair(
    datasets: Mapping[str, Scored],
    names: tuple[str, ...],
    swap: str,
    size: int,
    seed: int,
    documents: tuple[str, ...] | None,
    n_jobs: int | None,
    progress: Progress | None,
    memory: Any,
) -> FloatArray:
    """P-values of the same shape; each pair is kept as soon as it is tested."""
    parts = [(name, *pair) for name, (_, metrics) in datasets.items() for pair in combinations(metrics, 2)]
    shared = datasets, names, swap, size, seed, documents, memory
    return np.array(list(run_parts(_test_kept_pair, shared, parts, n_jobs=n_jobs, progress=progress)))


def _test_kept_pair(
    datasets: Mapping[str, Scored],
    names: tuple[str, ...],
    swap: str,
    size: int,
    seed: int,
    documents: tuple[str, ...] | None,
    memory: Any,
    part: tuple[str, str, str],
) -> FloatArray:
    """P-values of one pair of one data set, computed or remembered."""
    (human, metrics), a, b = datasets[part[0]], part[1], part[2]
    found: FloatArray = remember(memory, pvalues_of_pair)(
        __version__, human, metrics[a], metrics[b], names, swap, size, seed, documents
    )
    return found


def pvalues_of_pair(
    version: str,  # noqa: ARG001  a new version of tiekit computes the numbers again
    human: FloatArray,
    first: FloatArray,
    second: FloatArray,
    names: tuple[str, ...],
    swap: str,
    size: int,
    seed: int,
    documents: tuple[str, ...] | None,
) -> FloatArray:
    """P-values of two metrics, shape (measures,)."""
    metrics = {"first": first, "second": second}
    how: dict[str, Any] = {"swap": swap, "documents": documents, "n_resamples": size, "rng": seed, "cells": "own"}
    found = swap_test(human, metrics, names, **how, n_jobs=1)
    return np.asarray(found.to_numpy()[0], np.float64)
