"""Where does a metric stand among those of a set: rank, cluster, and what lies next to it, on the same cells?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from tiekit.base.errors import InputError, collect_warnings
from tiekit.base.names import split_names
from tiekit.base.parallel import Progress
from tiekit.base.results import Plotted, Result, latex_escape, number, tabular
from tiekit.base.validation import seed_of
from tiekit.ranking.board import leaderboard
from tiekit.ranking.leaderboard import latex_ends, latex_head, ordinal
from tiekit.readers.citations import cite
from tiekit.sets.arguments import Exclude, check_set, find_metric, gold_of
from tiekit.sets.assumptions import say_assumed
from tiekit.sets.cells import count_cells
from tiekit.sets.evalset import EvalSet
from tiekit.significance.clusters import Comparison, say_p
from tiekit.significance.compare import compare_metrics
from tiekit.significance.intervals import Interval, bootstrap_interval
from tiekit.significance.schemes import SWAPS


@dataclass(frozen=True, eq=False, repr=False)
class Standing(Plotted, Result):
    """Where a metric stands; ``print`` says it in a sentence, with all rows below.

    Attributes
    ----------
    metric : str
        Whose standing it is.
    rows : pandas.DataFrame
        One row per metric, the best first: ``rank`` (equal values share one), ``value``, ``low`` and ``high`` (the ends
        of its bootstrap interval; NaN without one), ``cluster``, ``difference`` (its value minus this metric's), and
        ``pvalue`` of that difference; then the values by further measures. Metrics that stand apart, see
        `Comparison.apart`, are not among them.
    others : pandas.DataFrame
        One row per further measure: ``rank``, ``of`` and ``value`` of the metric.
    comparison : Comparison
        The tests of every two metrics, with counts of the cells that are compared.
    data : str
        Set, language pair and human score.
    compared : str
        The systems and segments of the metric's value; with ``cells="own"`` its own.
    intervals : mapping of str to Interval
        Those of ``low`` and ``high``, by metric: what `Leaderboard.to_latex` takes.
    alpha, correction
        Level of the clusters, and the correction of their p-values; those of ``rows`` are not corrected.
    confidence : float or None
        Level of the intervals; None without intervals.
    assumed : str
        What is said where the metric or the human score was matched to segments by numbers, or in their order, alone.
    """

    _number: ClassVar[str | None] = None

    metric: str
    rows: pd.DataFrame
    others: pd.DataFrame
    comparison: Comparison = field(repr=False)
    data: str
    compared: str
    alpha: float
    correction: str | None
    confidence: float | None
    intervals: Mapping[str, Interval] = field(repr=False)
    assumed: str = ""

    @property
    def rank(self) -> int | None:
        """The metric's rank; None where it has none."""
        found = self.rows["rank"].get(self.metric)
        return None if found is None or pd.isna(found) else int(found)

    @property
    def sentence(self) -> str:
        """Rank, value, cluster, the metrics next to it with p-values, ranks by further measures, what is assumed."""
        measure = f"{self.comparison.coefficient} by {self.comparison.grouping.replace('_', ' ')}"
        measure += " with identical texts tied" if self.comparison.identical else ""
        if self.rank is None:
            said = [f"{self.metric} has no rank by {measure} on {self.data}: {self._why_no_rank()}."]
            return " ".join(filter(None, [*said, self.assumed]))
        said = [
            f"{self.metric} is {ordinal(self.rank)} of {self.rows['rank'].notna().sum()} by {measure} on {self.data}, "
            f"{self.compared} ({float(self.rows['value'][self.metric]):.3f})."
        ]
        said += [self.comparison.say_neighbors(self.metric, self.alpha, self.correction)]
        said += [
            f"By {name} it is {ordinal(int(rank))} of {int(of)} ({value:.3f})."
            if rank == rank
            else f"{name} is undefined."
            for name, (rank, of, value) in zip(self.others.index, self.others.to_numpy(np.float64), strict=True)
        ]
        return " ".join(filter(None, [*said, self.assumed]))

    def _why_no_rank(self) -> str:
        """Why the metric has none; where it has few scores, how it does beside the best metric on these."""
        apart = self.comparison.apart
        own = apart[(apart["first"] == self.metric) & apart["second"].isin(self.rows.index[:1])]
        if own.empty:
            return "its value is undefined"
        _, best, value, of_best, _, pvalue, cells = own.iloc[0]
        return (
            "it has scored less than half of what the others have. On the "
            f"{cells:,} cells of both its value is {value:.3f}, that of {best}, the best of the others, {of_best:.3f} "
            f"({say_p(pvalue)})"
        )

    @property
    def signature(self) -> str:
        """One line that makes the numbers reproducible."""
        corrected = f"|correction:{self.correction}" if self.correction else ""
        return f"metric:{self.metric}|alpha:{self.alpha:g}{corrected}|{self.comparison.signature}"

    def __str__(self) -> str:
        with pd.option_context("display.width", 120, "display.max_rows", None, "display.max_columns", None):
            table = self._grid().to_string(na_rep="–", float_format="{:.3f}".format)
        cells = f"{self.comparison.n_cells:,} {self.comparison.cells} cells"
        return f"{self.sentence}\n\n{table}\n\n{cells}\n{self.signature}"

    __repr__ = __str__

    def to_latex(self) -> str:
        """Return a LaTeX table for a paper, which needs booktabs; the metric's own row is bold."""
        others, has_ends = list(self.others.index), self.confidence is not None
        heads = ["", "rank", latex_head(self.comparison.coefficient), *["interval"] * has_ends, "cluster", "$p$"]
        lines = []
        for name, row in self.rows.to_dict("index").items():
            cells = [latex_escape(name), number(row["rank"]), number(row["value"])]
            cells += [latex_ends(row["low"], row["high"])] if has_ends else []
            cells += [number(row[column]) for column in ("cluster", "pvalue", *others)]
            lines.append([rf"\textbf{{{one}}}" for one in cells] if name == self.metric else cells)
        heads += map(latex_head, others)
        about = f"Standing of {self.metric}; needs the package booktabs."
        about += f" Clusters: alpha {self.alpha:g}, correction {self.correction}; p-values are not corrected."
        about += f" {self.sentence}" if self.rank is None else ""
        about += f" Bootstrap intervals of {self.confidence:.4g}." if has_ends else ""
        return tabular([heads], lines, [about, self.signature, "" if self.rank is None else self.assumed])

    def cite(self) -> str:
        """Return BibTeX of tiekit and of the papers behind the numbers, as `tiekit.cite` does."""
        return cite(self)

    def _grid(self) -> pd.DataFrame:
        return self.rows if self.confidence is not None else self.rows.drop(columns=["low", "high"])


def standing(
    data: EvalSet,
    metric: str,
    coefficient: str | Sequence[str] = "acc_eq*",
    *,
    grouping: str | None = None,
    tie_identical: bool = False,
    human: str | None = None,
    exclude: Exclude = None,
    alpha: float = 0.05,
    correction: str | None = None,
    confidence: float | None = None,
    n_resamples: int = 999,
    rng: np.random.Generator | int | None = None,
    cells: str | None = None,
    n_jobs: int | None = None,
    progress: Progress | bool | None = None,
) -> Standing:
    """Find where a metric stands among all metrics of a set, and whether it differs from those next to it.

    All values, clusters and p-values are of the same cells, those that every ranked metric has scored.

    Parameters
    ----------
    data : EvalSet
        A set with the metric among its metrics: ``tk.load("wmt22").with_scores("mine.tsv")``.
    metric : str
        Its name, or the beginning of it where only one fits.
    coefficient : str or sequence of str
        The measure that ranks and is tested, such as ``"acc_eq*"`` or ``"system_means/pearson"``; by further ones
        values and the metric's rank are told. Higher is better. ``"acc_eq*,tau_b"`` is two.
    grouping : str or None
        Of the first coefficient, see `tiekit.significance.compare_metrics`; None is its usual one.
    tie_identical : bool
        Whether identical translations of a segment tie for every metric, by all measures; see `tiekit.identical`.
        Then there are no intervals.
    human, exclude
        Which human score of the set, and without which of its systems; as for `correlate`.
    alpha, correction
        A p-value of at most this is significant; a name of `tiekit.significance.CORRECTIONS`.
    confidence : float or None
        Level of bootstrap intervals of all values, such as 0.95; None computes none, which is faster.
    n_resamples, rng, cells, n_jobs, progress
        As for `tiekit.significance.compare_metrics`.

    Returns
    -------
    Standing

    Raises
    ------
    InputError
        If the set has no such metric, fewer than two metrics, or for what `compare_metrics` refuses.

    Warns
    -----
    CoverageWarning
        Where cells are left out because a metric has not scored them, and where a metric stands apart.

    References
    ----------
    Deutsch, Foster and Freitag (2023), https://doi.org/10.18653/v1/2023.emnlp-main.798, for acc_eq*; Deutsch, Dror and
    Roth (2021), https://doi.org/10.1162/tacl_a_00417, for the test.

    Examples
    --------
    >>> import tiekit as tk
    >>> data = tk.load("synthetic", "qaa-qab")
    >>> found = tk.standing(data, "Judge", n_resamples=99)
    >>> found.rank, len(found.rows), found.rows.columns[:2].tolist()
    (4, 10, ['rank', 'value'])
    """
    is_path = isinstance(metric, (str, Path)) and metric not in check_set(data).metrics
    if is_path and Path(metric).is_file():
        raise InputError(
            f"metric: must be a name, found the file {metric}; add it by data.with_scores({str(metric)!r})"
        )
    name, measures = find_metric(check_set(data), "metric", metric), split_names(coefficient, "coefficient")
    if not measures:
        raise InputError("coefficient: name at least one, found none")
    if tie_identical and confidence is not None:
        raise InputError("confidence: there are no intervals with identical texts tied, so it must be None")
    seed = seed_of(rng)
    shared: dict[str, Any] = {"tie_identical": tie_identical, "human": human, "exclude": exclude, "cells": cells}
    found = compare_metrics(
        data, None, measures[0], grouping=grouping, n_resamples=n_resamples, rng=seed, n_jobs=n_jobs,
        progress=progress, **shared,
    )  # fmt: skip
    kept, gold = data.select(exclude=exclude), gold_of(data, human)
    tested = standing_of(found, name, kept, gold, alpha=alpha, correction=correction)
    rows, others = tested.rows, tested.others
    intervals = {}
    if confidence is not None:
        intervals = _intervals(kept, found, measures[0], grouping, confidence, seed, gold, n_jobs)
        rows[["low", "high"]] = [(intervals[one].low, intervals[one].high) for one in rows.index]
    if measures[1:]:
        board = leaderboard(data, coefficients=measures[1:], progress=False, **shared)
        columns = board.value_columns
        rows = rows.join(pd.DataFrame(board)[columns])
        told = [(board.loc[name, f"rank({one})"], board[one].notna().sum(), board.loc[name, one]) for one in columns]
        others = pd.DataFrame(told, columns, others.columns)
    return replace(tested, rows=rows, others=others, confidence=confidence, intervals=intervals)


def standing_of(
    found: Comparison, name: str, data: EvalSet, gold: str, *, alpha: float = 0.05, correction: str | None = None
) -> Standing:
    """Return where a metric stands by tests of every two metrics, on a human score of the set that was compared."""
    rows, others = _rows(found, name, alpha, correction), pd.DataFrame(columns=["rank", "of", "value"])
    words = " ".join(filter(None, (data.name, data.language_pair, gold)))
    counts = found.to_dict() | (
        count_cells(~np.isnan(data.human[gold] + data.metrics[name])) if found.cells == "own" else {}
    )
    compared = f"{counts['n_systems']} systems × {counts['n_segments']:,} segments"
    if counts["n_cells"] < counts["n_systems"] * counts["n_segments"]:
        compared += f", {counts['n_cells']:,} of their cells"
    compared = f"on its own {compared}" if found.cells == "own" else compared
    assumed = say_assumed(data, (name, gold))
    return Standing(name, rows, others, found, words, compared, alpha, correction, None, {}, assumed)


def _rows(found: Comparison, name: str, alpha: float, correction: str | None) -> pd.DataFrame:
    """Every ranked metric beside the one that is asked about."""
    of_each = found.values  # noqa: PD011 — a field
    own = float(of_each[name]) if name in of_each else float("nan")
    pvalues = found.pvalues[name] if name in found.pvalues else pd.Series(np.nan, of_each.index)
    with collect_warnings():  # the sentence says it
        clusters = found.clusters(alpha, correction) if not SWAPS[found.swap].caution else pd.NA
    return pd.DataFrame(
        {
            "rank": of_each.rank(method="min", ascending=False).astype("Int64"),
            "value": of_each,
            "low": np.nan,
            "high": np.nan,
            "cluster": clusters,
            "difference": of_each - own,
            "pvalue": pvalues,
        }
    ).rename_axis("metric")


def _intervals(
    kept: EvalSet,
    found: Comparison,
    coefficient: str,
    grouping: str | None,
    confidence: float,
    seed: int,
    gold: str,
    n_jobs: int | None,
) -> dict[str, Interval]:
    """The bootstrap interval of each metric, on the cells that are compared."""
    judged, intervals = kept.human[gold], {}
    names = list(found.pvalues.index)
    if found.cells == "common":
        judged = np.where(np.logical_or.reduce([np.isnan(kept.metrics[name]) for name in names]), np.nan, judged)
    for name in names:
        intervals[name] = bootstrap_interval(
            judged, kept.metrics[name], coefficient, grouping=grouping, confidence=confidence, rng=seed,
            n_resamples=found.n_resamples, documents=kept.documents or None, n_jobs=n_jobs, progress=False,
        )  # fmt: skip
    return intervals
