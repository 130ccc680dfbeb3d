"""What a comparison of many metrics says: p-values of every two, clusters, a list of pairs."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import combinations
from typing import ClassVar

import numpy as np
import pandas as pd

from tiekit.cells import cell_facts
from tiekit.display import Plotted
from tiekit.errors import InputError, ResamplesWarning, warn
from tiekit.latex import escape, number, tabular
from tiekit.resampling.schemes import SWAPS
from tiekit.result import Result
from tiekit.signature import signature
from tiekit.significance.clusters import correct_pvalues, rank_clusters
from tiekit.significance.stopping import StopEarly


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
        heads, rows = ["", *map(escape, grid.columns)], []
        heads += [str(place + 1) for place in range(1, len(grid))] if pvalues else []
        matrix = self.pvalues.to_numpy(np.float64)
        for place, row in enumerate(grid.itertuples()):
            cells = [escape(f"{place + 1} {row[0]}" if pvalues else row[0]), *map(number, row[1:])]
            tested = range(1, len(grid)) if pvalues else ()
            cells += [number(matrix[place, j]) if j > place else "" for j in tested]
            rows.append(cells)
        about = f"Needs the package booktabs. Clusters: alpha {alpha}, correction {correction}."
        return tabular([heads], rows, [about, self.signature])

    def _grid(self, alpha: float = 0.05, correction: str | None = None) -> pd.DataFrame:
        grid = pd.DataFrame({self.coefficient: self.values})
        return grid if SWAPS[self.swap].caution else grid.assign(cluster=self.clusters(alpha, correction))

    @property
    def untested(self) -> tuple[str, ...]:
        """Metrics that are constant or whose value is undefined, the best first."""
        return tuple(str(name) for name, value in self.values.items() if name in self.constant or value != value)

    @property
    def signature(self) -> str:
        """One line that makes the numbers reproducible."""
        return signature(
            test="permutation",
            metrics=len(self.values),
            swap=self.swap,
            alternative=self.alternative,
            coefficient=self.coefficient,
            grouping=self.grouping,
            undefined="drop",
            **cell_facts(self),
            average=self.average,
            resamples=self.n_resamples,
            **({} if self.stop_early is None else {"stop_early": "{:g}-{:g}".format(*self.stop_early)}),
            data=self.digest,
            seed=self.seed,
        )
