"""Which metrics differ significantly, in one task and on the average of many?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

import numpy as np
import pandas as pd

from tiekit.official.soft_draws import SoftDraws
from tiekit.official.task import Task
from tiekit.official.task_scores import TaskScores
from tiekit.parallel import run_parts
from tiekit.progress import Progress
from tiekit.resampling.draws import Plan
from tiekit.resampling.panel import Panel
from tiekit.resampling.schemes import SWAPS
from tiekit.scores import FloatArray
from tiekit.significance.clusters import rank_clusters
from tiekit.significance.pair_outcomes import PairOutcomes, compare_pairs
from tiekit.significance.stopping import p_of

StopEarly: TypeAlias = tuple[float, float] | None
"""A test stops when its p-value lies outside this range."""


@dataclass(frozen=True, eq=False)
class TaskTest:
    """One task, tested: for every two metrics the p-value that the better one is better, and the drawn differences.

    Attributes
    ----------
    pvalues : float64, shape (pairs,)
    differences : float64, shape (pairs,)
        Value of the first metric minus that of the second, as the test sees it.
    samples : list of ndarray
        The same differences on each resample.
    """

    pvalues: FloatArray
    differences: FloatArray
    samples: list[FloatArray]


def compare_in_task(
    scores: TaskScores,
    pairs: Sequence[tuple[str, str]],
    n_resamples: int,
    seeds: Sequence[int],
    stop_early: StopEarly,
    n_jobs: int | None,
    progress: Progress | None,
) -> TaskTest:
    """Test every two metrics in one task; ``seeds`` has the seed of each of its language pairs."""
    if not scores.task.is_soft:
        _ = scores.panels
    shared = scores, n_resamples, seeds, stop_early
    found = list(run_parts(_test_pair, shared, pairs, n_jobs=n_jobs, progress=progress))
    pvalues, differences = (np.array([one[i] for one in found], np.float64) for i in (0, 1))
    return TaskTest(pvalues, differences, [one[2] for one in found])


def _test_pair(
    scores: TaskScores, n_resamples: int, seeds: Sequence[int], stop_early: StopEarly, pair: tuple[str, str]
) -> tuple[float, float, FloatArray]:
    """The p-value that the better of two metrics is better, the difference and the drawn ones."""
    if not set(pair) <= set(scores.names):
        return float("nan"), float("nan"), np.full(1, np.nan)
    sources = [_source(scores, number, pair) for number in range(len(scores.blocks))]
    shares = scores.shares if len(sources) > 1 else np.ones(1)
    observed = [source.observed()[0, :, 0] for source, _ in sources]
    difference = float(sum(share * (one[0] - one[1]) for share, one in zip(shares, observed, strict=True)))
    if np.isnan(difference):
        return float("nan"), difference, np.full(1, np.nan)
    plans = [
        Plan(True, scores.task.swap, shape, n_resamples, seed) for seed, (_, shape) in zip(seeds, sources, strict=True)
    ]
    sign, found, pvalue = 1.0 if difference >= 0 else -1.0, np.empty(0), 1.0
    for part in plans[0].parts:
        drawn = [source.draw(plan, part)[..., 0] for (source, _), plan in zip(sources, plans, strict=True)]
        parts = [share * (one[:, 0] - one[:, 1]) for share, one in zip(shares, drawn, strict=True)]
        found = np.concatenate((found, np.sum(parts, axis=0)))
        pvalue = p_of(sign * found, abs(difference), "greater", exact=False)
        if stop_early is not None and not stop_early[0] <= pvalue <= stop_early[1]:
            break
    constant = any(scores.is_constant(name) for name in pair)
    return 1.0 if constant else pvalue, difference, found


def _source(
    scores: TaskScores, number: int, pair: tuple[str, str]
) -> tuple[Panel | PairOutcomes | SoftDraws, tuple[int, int]]:
    """What draws two metrics' values in one block, and how many systems and segments it swaps."""
    block = scores.blocks[number]
    if scores.task.is_soft:
        soft = SoftDraws.of(block.human, *(block.metrics[name] for name in pair))
        return soft, soft.shape
    first, second = (scores.panels[name][number] for name in pair)
    panel = first.beside(second)
    shape = panel.human.shape[0], panel.human.shape[1]
    return (panel if SWAPS[scores.task.swap].of_scores else compare_pairs(panel)), shape


def _seed(seed: int, number: int) -> int:
    return int(np.random.SeedSequence(seed, spawn_key=(number,)).generate_state(1, np.uint64)[0])


def task_seeds(tasks: Sequence[Task], seed: int, draws: str) -> list[tuple[int, ...]]:
    """The seeds of the language pairs of each task; with shared draws, tasks that swap the same cells have the same."""
    first: dict[tuple[object, ...], int] = {}
    found = []
    for number, task in enumerate(tasks):
        seeds = []
        for place, pair in enumerate(task.language_pairs):
            own = _seed(_seed(seed, number + 1_000), place)
            cells = pair, task.domain, task.humans, task.swap, task.of_means
            seeds.append(first.setdefault(cells, own) if draws == "shared" else own)
        found.append(tuple(seeds))
    return found


def sharing(seeds: Sequence[tuple[int, ...]]) -> list[bool]:
    """Whether a task shares draws with another one."""
    times = Counter(one for task in seeds for one in task)
    return [any(times[one] > 1 for one in task) for task in seeds]


class AverageTest:
    """Sums, task by task, what an average would be if the metrics' scores were swapped in every task.

    A task whose test stopped early has fewer resamples than others; they are repeated, as often as they are needed.
    """

    def __init__(self, n_pairs: int, n_resamples: int) -> None:
        self.samples = np.zeros((n_pairs, n_resamples))
        self.differences, self.longest = np.zeros(n_pairs), np.zeros(n_pairs, np.int64)

    def add(self, tested: TaskTest, share: float) -> None:
        """Add one task; ``share`` is its weight, halved where its values are mapped to half of their range."""
        self.differences += share * tested.differences
        for number, drawn in enumerate(tested.samples):
            self.samples[number] += share * np.resize(drawn, self.samples.shape[1])
            self.longest[number] = max(self.longest[number], drawn.size)

    def pvalues(self) -> FloatArray:
        """For every two metrics the p-value that the one with the better average is better."""
        found = [
            p_of((1.0 if d >= 0 else -1.0) * drawn[:size], abs(d), "greater", exact=False)
            for drawn, d, size in zip(self.samples, self.differences, self.longest, strict=True)
        ]
        return np.array(found, np.float64)


def square(pvalues: FloatArray, names: Sequence[str], order: Sequence[str]) -> pd.DataFrame:
    """P-values of every two metrics as a table, the rows and columns in an order; NaN on the diagonal."""
    table = pd.DataFrame(np.nan, index=list(names), columns=list(names))
    for (first, second), pvalue in zip(combinations(names, 2), pvalues, strict=True):
        table.loc[first, second] = table.loc[second, first] = pvalue
    return table.loc[list(order), list(order)]


def cluster(values: pd.Series, pvalues: FloatArray | None, alpha: float, lower_is_better: bool = False) -> pd.Series:
    """Ranks of the clusters of metrics, the best first; those without a value are missing.

    Without p-values every two metrics with different values differ.
    """
    order = values.dropna().sort_index().sort_values(ascending=lower_is_better, kind="stable").index
    ranks = pd.Series(pd.NA, values.index, "Int64", name="cluster")
    if pvalues is None:
        ranks[order] = values[order].rank(ascending=lower_is_better, method="min").astype("Int64")
    elif len(order):
        ranks[order] = rank_clusters(square(pvalues, list(values.index), list(order)), alpha=alpha)
    return ranks
