"""What a comparison of many metrics says: p-values of every two, clusters, a list of pairs."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from typing import ClassVar

import numpy as np
import pandas as pd

from tiekit.errors import InputError
from tiekit.resampling.schemes import SWAPS
from tiekit.result import Result
from tiekit.signature import signature
from tiekit.significance.clusters import correct_pvalues, rank_clusters


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Result):
    """Many metrics, tested two by two.

    Attributes
    ----------
    values : pandas.Series
        One value per metric, the best first; undefined ones last.
    pvalues : pandas.DataFrame
        One row and one column per metric in that order: p-values of the row's metric against the column's; NaN on the
        diagonal and where undefined, 1 where a metric is constant.
    constant : tuple of str
        Metrics that give the same score to every cell with a human score. Their p-value is 1 because there is nothing
        to test, so they are left out of `clusters` and `pairs`.
    coefficient, grouping, swap, alternative, n_resamples, seed, digest
        What was asked for, and the digest of the scores.
    """

    _number: ClassVar[str | None] = None

    values: pd.Series
    pvalues: pd.DataFrame
    constant: tuple[str, ...]
    coefficient: str
    grouping: str
    swap: str
    alternative: str
    n_resamples: int
    seed: int
    digest: str = field(repr=False)

    def clusters(self, alpha: float = 0.05, correction: str | None = None) -> pd.Series:
        """Rank the metrics; those that cannot be told apart share a rank, see `rank_clusters`.

        Parameters
        ----------
        alpha : float
            A p-value of at most this is significant.
        correction : str or None
            A name of `CORRECTIONS`.

        Returns
        -------
        pandas.Series of Int64
            One rank per metric, the best first; missing for those that are `untested`, which the correction does not
            count either.

        Raises
        ------
        InputError
            Where outcomes of pairs were swapped: their p-values are far too small to decide anything.
        """
        if caution := SWAPS[self.swap].caution:
            raise InputError(f"swap: p-values of {self.swap!r} cannot be put into clusters; {caution}")
        found, tested = self.pvalues, [name for name in self.values.index if name not in self.untested]
        ranks = pd.Series(pd.NA, self.values.index, "Int64", name="cluster")
        ranks[tested] = rank_clusters(found.loc[tested, tested], alpha=alpha, correction=correction)
        return ranks

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
            and ``corrected``, see `correct_pvalues`; both are NaN where a metric is `untested`.

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
        return found.assign(corrected=correct_pvalues(found["pvalue"].to_numpy(np.float64), correction))

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
            resamples=self.n_resamples,
            data=self.digest,
            seed=self.seed,
        )
