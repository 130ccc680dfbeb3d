"""Which metric wins once the values of many tasks are averaged?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import ClassVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from tiekit.base.errors import InputError
from tiekit.base.names import as_names, check_known, check_unique
from tiekit.base.results import RANK_DIGITS, Plotted, Result, best_first, latex_escape, number, tabular
from tiekit.base.validation import FloatArray, check_vectors
from tiekit.core.grouping import group_checked
from tiekit.core.pairs import count_sorted
from tiekit.official.preset import Preset, Task


def average_tasks(
    values: pd.DataFrame | Mapping[str, Mapping[str, float]],
    weights: Mapping[str, float] | None = None,
    mapped: str | Iterable[str] = (),
    *,
    lower_is_better: bool = False,
) -> pd.DataFrame:
    """Average the values that metrics have in several tasks, and rank the metrics.

    Parameters
    ----------
    values : DataFrame, or mapping of str to mapping of str to float
        One row per metric and one column per task; as a mapping: by metric, the values by task. NaN is no value.
    weights : mapping of str to float, optional
        The tasks' weights, at least 0; they are divided by their sum. A task that is not named has none and stays out.
        None: all tasks weigh the same.
    mapped : str or iterable of str
        Tasks whose value r is averaged as (r + 1)/2, so that correlations and accuracies share the range from 0 to 1.
        A constant is added for every metric alike, but correlations count half as much as without the map.
    lower_is_better : bool
        Whether the values are ranks, so that the smallest average wins.

    Returns
    -------
    DataFrame
        Indexed by metric, the best first and equal ones by name: ``average``, ``rank`` (1 is the best, missing
        where a task of positive weight has no value) and the tasks' values as they were given.

    Raises
    ------
    InputError
        For a task that does not exist, a metric twice, a weight below 0, or weights that are all 0.

    References
    ----------
    Freitag et al. (2023), aclanthology.org/2023.wmt-1.51: ten tasks, of which the pooled accuracy weighs 3/12 and each
    other one 1/12, correlations being mapped.

    Examples
    --------
    >>> values = {"GEMBA-MQM": {"accuracy": 0.944, "r": 0.502}, "XCOMET": {"accuracy": 0.928, "r": 0.695}}
    >>> average_tasks(values, {"accuracy": 3, "r": 1}, mapped=["r"])["average"].round(4).to_dict()
    {'XCOMET': 0.9079, 'GEMBA-MQM': 0.8958}
    >>> average_tasks(values, {"accuracy": 1, "r": 0})["rank"].to_dict()
    {'GEMBA-MQM': 1, 'XCOMET': 2}
    """
    table = _as_table(values)
    tasks = tuple(table.columns)
    halved = as_names(mapped, "mapped")
    check_known("mapped", halved, tasks, "task")
    shares = _shares(tasks, weights)
    counted = shares > 0
    scores = np.where([task in halved for task in tasks], (table.to_numpy() + 1) / 2, table.to_numpy())
    average = pd.Series(scores[:, counted] @ shares[counted], table.index).round(RANK_DIGITS + 3)
    table.insert(0, "average", average)
    table.insert(1, "rank", rank_values(average, lower_is_better))
    return table.iloc[best_first(average, lower_is_better=lower_is_better)].rename_axis("metric")


def rank_values(values: pd.Series, lower_is_better: bool = False) -> pd.Series:
    """Rank values, 1 the best; equal ones share a rank, and NaN has none."""
    return values.round(RANK_DIGITS).rank(ascending=lower_is_better, method="min").astype("Int64")


def pooled_accuracy(scores: Mapping[str, tuple[ArrayLike, ArrayLike]]) -> float:
    """Return the share of pairs of systems that human and metric order alike, over several language pairs together.

    Two systems are compared within a language pair only; then the pairs are counted together, so that a language pair
    with many systems counts more.

    Parameters
    ----------
    scores : mapping of str to (human, metric)
        For each language pair one human and one metric score per system, as vectors of shape (systems,). NaN is a
        missing score, and its system is left out.

    Returns
    -------
    float
        From 0 to 1; a human tie must be a metric tie. NaN where there is no pair.

    Raises
    ------
    InputError
        For what is not a pair of vectors of one length.

    References
    ----------
    Kocmi et al. (2021), aclanthology.org/2021.wmt-1.57.

    Examples
    --------
    >>> pooled_accuracy({"en-de": ([1, 2, 3], [1, 3, 2]), "zh-en": ([1, 2], [5, 6])})
    0.75
    """
    alike = total = 0
    for pair, both in scores.items():
        if not isinstance(both, tuple | list) or len(both) != 2:
            raise InputError(f"scores[{pair!r}]: must be human and metric scores, found {type(both).__name__}")
        human, metric = check_vectors(*both)
        compared = pairs_alike(human, metric)
        alike, total = alike + compared[0], total + compared[1]
    return alike / total if total else float("nan")


def pairs_alike(human: FloatArray, metric: FloatArray) -> tuple[int, int]:
    """Return the number of pairs of scores that are ordered alike, and of all pairs."""
    counts = count_sorted(group_checked(human, metric).scores, 0.0)
    return int(counts[:, [0, 4]].sum()), int(counts[:, :5].sum())


def _as_table(values: pd.DataFrame | Mapping[str, Mapping[str, float]]) -> pd.DataFrame:
    """A copy with numbers only, one row per metric."""
    if isinstance(values, Mapping):
        values = pd.DataFrame.from_dict({name: dict(row) for name, row in values.items()}, orient="index")
    if not isinstance(values, pd.DataFrame):
        raise InputError(f"values: must be a table of metrics × tasks, found {type(values).__name__}")
    check_unique("values", [str(name) for name in values.index])
    check_unique("values", [str(name) for name in values.columns])
    if values.empty:
        raise InputError("values: there must be at least one metric and one task")
    reserved = {"average", "rank"} & set(values.columns)
    if reserved:
        raise InputError(f"values: a task must not be called {' or '.join(sorted(reserved))}; leave that column out")
    try:
        table = values.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"values: must be numbers ({error})") from error
    table.index, table.columns = table.index.map(str), table.columns.map(str)
    return table


def _shares(tasks: Sequence[str], weights: Mapping[str, float] | None) -> FloatArray:
    """The weight of each task, all of them adding up to 1."""
    if weights is None:
        return np.full(len(tasks), 1 / len(tasks))
    check_known("weights", weights, tasks, "task")
    for task, weight in weights.items():
        if not isinstance(weight, Real) or isinstance(weight, bool) or not 0 <= weight < float("inf"):
            raise InputError(f"weights[{task!r}]: must be a number of at least 0, found {weight!r}")
    given = np.array([float(weights.get(task, 0)) for task in tasks])
    if not given.any():
        raise InputError("weights: at least one must be above 0")
    return np.asarray(given / given.sum(), np.float64)


def to_latex(frame: pd.DataFrame, tasks: Sequence[Task], decimals: int) -> str:
    """Write the averages of a ranking and the given tasks as a table of booktabs."""
    summary = [name for name in ("average", "rank", "cluster") if frame[name].notna().any()]
    before = [""] * (1 + len(summary))
    heads = [[*before, *(latex_escape("+".join(task.language_pairs)) for task in tasks)]] if tasks else []
    where = [[task.domain or "", task.parsed.grouping, "humans" * task.humans] for task in tasks]
    heads += [[*before, *(latex_escape(" ".join(filter(None, words))) for words in where)]] if tasks else []
    symbols = [f"${task.parsed.coefficient.latex}{'^*' if task.parsed.calibrated else ''}$" for task in tasks]
    heads.append(["metric", *summary, *symbols])
    rows = [
        [latex_escape(row[0]), *(number(value, f".{decimals}f") for value in row[1:])]
        for row in frame[[*summary, *(task.name for task in tasks)]].itertuples()
    ]
    return tabular(heads, rows, [f"Needs the package booktabs. {frame.attrs['signature']}"])


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

    def _facts(self) -> dict[str, object]:
        low, high = self.stop_early or (0, 1)
        return {
            "ranking": self.preset.name,
            "combine": self.preset.combine,
            "mapped": str(bool(self.preset.mapped)).lower(),
            "tasks": len(self.preset.tasks),
            "partial": str(self.preset.partial).lower(),
            "spa": self.preset.spa if any(task.is_soft for task in self.preset.tasks) else "none",
            "metrics": len(self.average),
            "resamples": self.n_resamples,
            "stop_early": f"{low:g}-{high:g}" if self.n_resamples else "none",
            "draws": self.preset.draws if self.n_resamples else "none",
            "alpha": self.alpha,
            "data": self.digest,
            "seed": self.seed if self.n_resamples else "none",
        }
