"""Which metrics share a rank? Clusters from p-values, as WMT prints them, and corrections for many tests."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import combinations
from typing import ClassVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from tiekit.base.errors import InputError, ResamplesWarning, collect_warnings, warn
from tiekit.base.results import Plotted, Result, latex_escape, number, tabular
from tiekit.base.validation import FloatArray, IntArray, check_probability
from tiekit.sets.cells import cell_facts, metric_facts
from tiekit.significance.permutation import StopEarly
from tiekit.significance.schemes import SWAPS

CORRECTIONS = {
    "bonferroni": "every p-value times their number: controls the probability of any false difference",
    "holm": "Holm (1979): controls the same, step by step, and is never weaker",
    "bh": "Benjamini and Hochberg (1995): controls the share of false differences, for independent tests",
    "by": "Benjamini and Yekutieli (2001): controls the same, for tests that depend on each other in any way",
}
"""How the p-values of many tests are corrected."""


def correct_pvalues(pvalues: ArrayLike, correction: str | None) -> FloatArray:
    """Correct p-values for their number.

    Parameters
    ----------
    pvalues : array_like, shape (tests,)
        From 0 to 1. NaN means that there was no test: it stays NaN and is not counted.
    correction : str or None
        A name of `CORRECTIONS`; None leaves them as they are.

    Returns
    -------
    ndarray, shape (tests,)

    Raises
    ------
    InputError
        For an unknown correction or p-values outside 0 to 1.

    Examples
    --------
    >>> correct_pvalues([0.01, 0.04, 0.03], "holm").tolist()
    [0.03, 0.06, 0.06]
    """
    values = np.array(pvalues, np.float64)
    tested = ~np.isnan(values)
    given = values[tested]
    if ((given < 0) | (given > 1)).any():
        raise InputError(f"pvalues: must lie between 0 and 1, found {given[(given < 0) | (given > 1)][0]}")
    if correction is None or not given.size:
        return values
    if correction in ("bh", "by"):
        from scipy.stats import false_discovery_control

        values[tested] = false_discovery_control(given, method="bh" if correction == "bh" else "by")
    elif correction == "bonferroni":
        values[tested] = np.minimum(given * given.size, 1.0)
    elif correction == "holm":
        order = np.argsort(given, kind="stable")
        stepwise = np.maximum.accumulate(given[order] * np.arange(given.size, 0, -1))
        corrected = np.empty_like(given)
        corrected[order] = np.minimum(stepwise, 1.0)
        values[tested] = corrected
    else:
        raise InputError(f"correction: must be one of {', '.join(CORRECTIONS)} or None, found {correction!r}")
    return values


def rank_clusters(pvalues: ArrayLike | pd.DataFrame, *, alpha: float = 0.05, correction: str | None = None) -> IntArray:
    """Rank metrics; those that cannot be told apart share a rank, as WMT prints them.

    Going down the list, a metric that differs significantly from any metric of the current cluster begins the next
    one. So a cluster is a run of the list, and two metrics of neighboring clusters need not differ significantly.

    Parameters
    ----------
    pvalues : array_like or DataFrame, shape (metrics, metrics)
        One row and one column per metric, the best first. Only the p-values in row i and column j > i are read. NaN
        is no significant difference.
    alpha : float
        A p-value of at most this is significant.
    correction : str or None
        A name of `CORRECTIONS`; it is applied to all pairs first.

    Returns
    -------
    int64 ndarray, shape (metrics,)
        Ranks from 1, never falling.

    Raises
    ------
    InputError
        For a matrix that is not square, p-values or an alpha outside 0 to 1, an unknown correction.

    References
    ----------
    Freitag et al. (2022), WMT22 metrics task, aclanthology.org/2022.wmt-1.2; mt-metrics-eval's AssignRanks.

    Examples
    --------
    >>> rank_clusters([[1, 0.01, 0.5], [1, 1, 0.5], [1, 1, 1]]).tolist()
    [1, 2, 2]
    """
    matrix = np.asarray(pvalues, np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InputError(f"pvalues: must be a square matrix, found shape {matrix.shape}")
    check_probability("alpha", alpha)
    above = np.triu_indices(len(matrix), 1)
    significant = np.zeros(matrix.shape, np.bool_)
    significant[above] = correct_pvalues(matrix[above], correction) <= alpha
    ranks, first = np.ones(len(matrix), np.int64), 0
    for j in range(1, len(matrix)):
        begins = bool(significant[first:j, j].any())
        ranks[j] = ranks[j - 1] + begins
        first = j if begins else first
    return ranks


def say_p(p: float) -> str:
    """A p-value as it is written in a sentence: never "p = 0.000"."""
    return "p is undefined" if p != p else f"p = {p:.3f}" if p >= 0.0005 else "p < .001"


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Plotted, Result):
    """Many metrics, tested two by two.

    Attributes
    ----------
    values : pandas.Series
        One value per metric, the best first; undefined ones last.
    pvalues : pandas.DataFrame
        One row and one column per metric in that order: p-values of the row's metric against the column's; NaN on the
        diagonal and where undefined, 1 where a metric is constant.
    counted : pandas.DataFrame
        How many resamples each of these p-values counts: fewer than `n_resamples` where its test stopped early. Such a
        p-value says only on which side of the range it lies.
    apart : pandas.DataFrame
        Metrics that have scored less than half of the cells that most have, one row per pair with another metric:
        ``first`` (the metric that stands apart), ``second``, ``value_first`` and ``value_second`` on the cells of these
        two, their ``difference``, its ``pvalue``, and ``n_cells``. They have no rank and no cluster.
    constant : tuple of str
        Metrics that give the same score to every cell with a human score. Their p-value is 1 because there is nothing
        to test, so they are left out of `clusters` and `pairs`.
    coefficient, grouping, swap, alternative, n_resamples, stop_early, seed, digest, average
        What was asked for, and the digest of the scores.
    identical : str
        The digest of the labels of texts that are tied where they are equal; empty where none are.
    n_systems, n_segments, n_cells : int
        How many are compared.
    cells : {"common", "own"}
        Whether these are the cells that all metrics have scored, or all that one of them has.
    """

    _number: ClassVar[str | None] = None

    values: pd.Series
    pvalues: pd.DataFrame
    counted: pd.DataFrame = field(repr=False)
    apart: pd.DataFrame
    constant: tuple[str, ...]
    coefficient: str
    grouping: str
    swap: str
    alternative: str
    n_resamples: int
    stop_early: StopEarly
    seed: int
    digest: str = field(repr=False)
    n_systems: int
    n_segments: int
    n_cells: int
    cells: str
    average: str = field(default="groups", repr=False)
    identical: str = field(default="", repr=False)

    def clusters(self, alpha: float = 0.05, correction: str | None = None) -> pd.Series:
        """Rank the metrics; those that cannot be told apart share a rank, see `rank_clusters`.

        Parameters
        ----------
        alpha : float
            A p-value of at most this is significant.
        correction : str or None
            A name of `CORRECTIONS`. Without one, as at WMT, eight equal metrics fall into several clusters in 44 % of
            sets; with ``"holm"`` in 4.7 %.

        Returns
        -------
        pandas.Series of Int64
            One rank per metric, the best first; missing for those that are `untested`, which the correction does not
            count either.

        Raises
        ------
        InputError
            Where outcomes of pairs were swapped: their p-values are far too small to decide anything.

        Warns
        -----
        ResamplesWarning
            Where the smallest p-value that the resamples can give is not significant after the correction, so that all
            metrics share the first rank.
        """
        if caution := SWAPS[self.swap].caution:
            raise InputError(f"swap: p-values of {self.swap!r} cannot be put into clusters; {caution}")
        found, tested = self.pvalues, [name for name in self.values.index if name not in self.untested]
        ranks = pd.Series(pd.NA, self.values.index, "Int64", name="cluster")
        ranks[tested] = rank_clusters(found.loc[tested, tested], alpha=alpha, correction=correction)
        if coarse := self._too_coarse(alpha, correction):
            warn(coarse, ResamplesWarning)
        return ranks

    def _too_coarse(self, alpha: float, correction: str | None) -> str:
        """Why nothing can be significant; nothing where something can."""
        tests = [(a, b) for a, b in combinations(self.values.index, 2) if not {a, b} & set(self.untested)]
        seen = min((int(self.counted.loc[pair]) for pair in tests), default=self.n_resamples)
        smallest = 1 / (seen + 1)
        corrected = correct_pvalues(np.full(len(tests), smallest), correction).max(initial=0.0)
        pvalues = np.array([self.pvalues.loc[pair] for pair in tests], np.float64)
        if min(corrected, correct_pvalues(pvalues, correction).min(initial=1.0)) <= alpha or not alpha:
            return ""
        after = f", at least {corrected:.2g} after the correction {correction!r} for {len(tests):,} tests"
        needed = f"at least {math.ceil(corrected / smallest / alpha - 1e-6) - 1:,} are needed"
        if self.stop_early is not None:
            needed = f"without stop_early, {needed}"
        elif seen < self.n_resamples:
            needed = "there are no more ways to swap"
        return (
            f"n_resamples: {seen:,} give no p-value below {smallest:.2g}{after if correction else ''}, so nothing is "
            f"significant at {alpha} and all metrics share the first rank; {needed}"
        )

    def pairs(self, correction: str | None = None) -> pd.DataFrame:
        """List every two metrics, the better one first, with their p-value before and after correction.

        Parameters
        ----------
        correction : str or None
            A name of `CORRECTIONS`.

        Returns
        -------
        pandas.DataFrame
            One row per pair: ``first``, ``second``, ``difference`` of their values (first minus second), ``pvalue``
            and ``corrected``, see `correct_pvalues`; both are NaN where a metric is `untested`. Where tests may stop
            early, also ``resamples``, how many were counted.

        Raises
        ------
        InputError
            For an unknown correction.
        """
        names, untested = list(self.values.index), set(self.untested)
        rows = [
            (
                a,
                b,
                float(self.values[a] - self.values[b]),
                float("nan") if {a, b} & untested else float(self.pvalues.loc[a, b]),
            )
            for a, b in combinations(names, 2)
        ]
        found = pd.DataFrame(rows, columns=["first", "second", "difference", "pvalue"])
        found = found.assign(corrected=correct_pvalues(found["pvalue"].to_numpy(np.float64), correction))
        if self.stop_early is None:
            return found
        return found.assign(resamples=[int(self.counted.loc[a, b]) for a, b in combinations(names, 2)])

    def say_neighbors(self, metric: str, alpha: float = 0.05, correction: str | None = None) -> str:
        """Say in which cluster a metric is, and whether it differs from the next metrics above and below.

        Parameters
        ----------
        metric : str
            One of those that were tested.
        alpha, correction
            As for `clusters`.

        Returns
        -------
        str
            Plain sentences; empty where the metric was not tested, or cannot be put into a cluster.
        """
        if metric in self.constant:
            return "It gives every translation the same score, so no difference from another metric can be tested."
        if metric not in self.pvalues.index or metric in self.untested or SWAPS[self.swap].caution:
            return ""
        with collect_warnings() as coarse:
            clusters = self.clusters(alpha, correction).dropna()
        corrected = self.pairs(correction).set_index(["first", "second"])["corrected"]
        tested = [str(other) for other in clusters.index]
        place, is_like_neighbor, is_close = tested.index(metric), False, False
        precision = 2 * np.sqrt(alpha * (1 - alpha) / self.n_resamples)
        said = [f"It is in cluster {clusters[metric]} of {int(clusters.max())}."]
        for where, near in (("above", tested[:place][-1:]), ("below", tested[place + 1 : place + 2])):
            for other in near:
                p, pair = float(self.pvalues[other][metric]), (other, metric) if where == "above" else (metric, other)
                decides = p if correction is None else float(corrected[pair])
                is_equal, words = self.values[metric] == self.values[other], say_p(p)
                words += "" if correction is None else f"; {decides:.3f} after the correction {correction!r}"
                verdict = f"the difference is {'significant' if decides <= alpha else 'not significant'}"
                said.append(f"Next {where} is {other}: {'the values are equal' if is_equal else verdict} ({words}).")
                is_close |= correction is None and abs(p - alpha) <= precision
                is_like_neighbor |= decides > alpha and clusters[metric] != clusters[other]
        if is_like_neighbor:
            said.append("Metrics of neighboring clusters need not differ significantly.")
        exact = f"; one near {alpha:g} is precise to ±{precision:.3f}" if is_close else ""
        said.append(f"Each p is of {self.n_resamples} swaps of {SWAPS[self.swap].label}{exact}.")
        return " ".join([*said, *(f"These {message.partition(': ')[2]}." for _, message in coarse)])

    def to_latex(self, *, alpha: float = 0.05, correction: str | None = None, pvalues: bool = False) -> str:
        """Return a LaTeX table, which needs the package booktabs: value and cluster of each metric, the best first.

        Parameters
        ----------
        alpha, correction
            As for `clusters`. There is no such column where outcomes of pairs were swapped.
        pvalues : bool
            Whether the p-values against the metrics below follow, in columns with the numbers of these metrics.
        """
        grid = self._grid(alpha, correction)
        heads, rows = ["", *map(latex_escape, grid.columns)], []
        heads += [str(place + 1) for place in range(1, len(grid))] if pvalues else []
        matrix = self.pvalues.to_numpy(np.float64)
        for place, row in enumerate(grid.itertuples()):
            cells = [latex_escape(f"{place + 1} {row[0]}" if pvalues else row[0]), *map(number, row[1:])]
            tested = range(1, len(grid)) if pvalues else ()
            cells += [number(matrix[place, j]) if j > place else "" for j in tested]
            rows.append(cells)
        about = f"Needs the package booktabs. Clusters: alpha {alpha}, correction {correction}."
        return tabular([heads], rows, [about, self.signature, self.assumed])

    def _grid(self, alpha: float = 0.05, correction: str | None = None) -> pd.DataFrame:
        grid = pd.DataFrame({self.coefficient: self.values})
        return grid if SWAPS[self.swap].caution else grid.assign(cluster=self.clusters(alpha, correction))

    @property
    def untested(self) -> tuple[str, ...]:
        """Metrics that are constant or whose value is undefined, the best first."""
        return tuple(str(name) for name, value in self.values.items() if name in self.constant or value != value)

    def _facts(self) -> dict[str, object]:
        return dict(
            test="permutation",
            **metric_facts(self.values.index),
            swap=self.swap,
            alternative=self.alternative,
            coefficient=self.coefficient,
            grouping=self.grouping,
            undefined="drop",
            **cell_facts(self),
            average=self.average,
            resamples=self.n_resamples,
            **({} if self.stop_early is None else {"stop_early": "{:g}-{:g}".format(*self.stop_early)}),
            scores=self.digest,
            seed=self.seed,
        )
