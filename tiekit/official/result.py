"""What an official ranking says: averages, clusters, a column per task."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import pandas as pd

from tiekit.display import Plotted
from tiekit.official.averages import rank_values
from tiekit.official.latex import to_latex
from tiekit.official.task import Preset
from tiekit.result import Result
from tiekit.signature import signature

_SOFT = {
    "mtme": "soft pairwise accuracy is that of mt-metrics-eval, with the systems in the order of their names; "
    'spa="mid-p" does not depend on the order',
    "mid-p": "soft pairwise accuracy counts an equal lead of two systems half (mid-p), unlike mt-metrics-eval; "
    'spa="mtme" gives its values',
}
_DRAWN = {
    "independent": "the test of the average draws every task's swaps independently, as at WMT, so it finds differences "
    "too often where a language pair has several tasks",
    "shared": "in the test of the average, tasks that swap the same cells swap them alike",
}


@dataclass(frozen=True, eq=False, repr=False)
class OfficialRanking(Plotted, Result):
    """Metrics ranked by the rules of a WMT metrics task.

    Metrics are named as WMT prints them: ``_`` before a baseline, ``*`` before a metric that is not primary, and
    ``[noref]`` after one that reads no reference. Everything is in one order, the best metric first; metrics without
    an average come last.

    Attributes
    ----------
    preset : Preset
        The rules, with the tasks that were used.
    average : pandas.Series
        Weighted average of the tasks' values, or of the ranks of their clusters; NaN where a task has no value.
    clusters : pandas.Series of Int64
        Ranks of the clusters of the average: metrics that cannot be told apart share one. Missing without a test, and
        where ranks are averaged.
    task_values : pandas.DataFrame
        One row per metric, one column per task, before any mapping.
    task_clusters : pandas.DataFrame of Int64
        One row per metric, one column per task: the ranks of the task's clusters; without a test, those of the values.
    pvalues : pandas.DataFrame or None
        For every two metrics the p-value that the one with the better average is better.
    notes : tuple of str
        What is missing or was left out, one sentence each.
    n_resamples : int
        Per task and pair of metrics, 0 without a test.
    stop_early, alpha, seed, digest
        As they were asked for; the digest is that of all scores that were read.
    """

    _number: ClassVar[str | None] = None

    preset: Preset = field(repr=False)
    average: pd.Series
    clusters: pd.Series
    task_values: pd.DataFrame
    task_clusters: pd.DataFrame
    pvalues: pd.DataFrame | None
    notes: tuple[str, ...]
    n_resamples: int
    stop_early: tuple[float, float] | None
    alpha: float
    seed: int
    digest: str = field(repr=False)

    def to_frame(self) -> pd.DataFrame:
        """Return one table: ``average``, ``rank``, ``cluster`` and a column per task, indexed by metric.

        Equal averages share a rank. ``attrs["signature"]`` makes the numbers reproducible.
        """
        frame = self.task_values.copy()
        frame.insert(0, "average", self.average)
        frame.insert(1, "rank", rank_values(self.average, self.preset.combine == "average_rank"))
        frame.insert(2, "cluster", self.clusters)
        frame.attrs["signature"] = self.signature
        return frame

    def to_latex(self, *, tasks: bool = True, decimals: int = 3) -> str:
        """Return the table for a paper, which needs the package booktabs.

        Parameters
        ----------
        tasks : bool
            Whether there is a column per task, under headings for the language pair and the measure; else there are
            the averages alone.
        decimals : int
        """
        return to_latex(self.to_frame(), self.preset.tasks if tasks else (), decimals)

    @property
    def methods(self) -> tuple[str, ...]:
        """How soft pairwise accuracy was computed and the average tested, one sentence each, where that was done."""
        found = []
        if any(task.is_soft for task in self.preset.tasks):
            found.append(_SOFT[self.preset.spa])
        if self.pvalues is not None and len(self.preset.tasks) > 1:
            found.append(_DRAWN[self.preset.draws])
        return tuple(found)

    def _grid(self) -> pd.DataFrame:
        return self.to_frame()

    @property
    def signature(self) -> str:
        """One line that makes the numbers reproducible."""
        low, high = self.stop_early or (0, 1)
        return signature(
            ranking=self.preset.name,
            combine=self.preset.combine,
            mapped=str(bool(self.preset.mapped)).lower(),
            tasks=len(self.preset.tasks),
            partial=str(self.preset.partial).lower(),
            spa=self.preset.spa if any(task.is_soft for task in self.preset.tasks) else "none",
            metrics=len(self.average),
            resamples=self.n_resamples,
            stop_early=f"{low:g}-{high:g}" if self.n_resamples else "none",
            draws=self.preset.draws if self.n_resamples else "none",
            alpha=self.alpha,
            data=self.digest[:12],
            seed=self.seed if self.n_resamples else "none",
        )
