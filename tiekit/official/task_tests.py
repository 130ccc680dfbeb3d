"""What is each metric's value in one task?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tiekit.base.parallel import Progress, run_parts
from tiekit.base.results import best_first
from tiekit.base.validation import FloatArray
from tiekit.core.grouping import standardize
from tiekit.core.measure import Measure, get_measure
from tiekit.core.system_level import soft_accuracy
from tiekit.measures.evaluate import soft_pairwise_accuracy, value_of
from tiekit.official.preset import POOLED, Task
from tiekit.official.result import pairs_alike
from tiekit.significance._resampled_measures import ResampledMeasures, prepare_measures
from tiekit.significance.clusters import rank_clusters
from tiekit.significance.permutation import PairOutcomes, StopEarly, compare_pairs, is_constant, pvalues_of
from tiekit.significance.schemes import SWAPS, Draws, Plan


@dataclass(frozen=True, eq=False)
class Block:
    """The scores of one language pair in a task: human ones, and each metric's; without names, systems are as rows."""

    human: FloatArray
    metrics: dict[str, FloatArray]
    systems: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class TaskScores:
    """One task with its scores, one block per language pair; ``spa`` is the soft pairwise accuracy that is meant."""

    task: Task
    blocks: tuple[Block, ...]
    spa: str = "mid-p"

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The metrics that have scores of every language pair."""
        first, *others = (block.metrics for block in self.blocks)
        return tuple(name for name in first if all(name in other for other in others))

    @cached_property
    def measure(self) -> Measure:
        """Coefficient and grouping of the blocks, in which systems that have one score each are a vector."""
        parsed = self.task.parsed
        if not self.task.of_means:
            return parsed
        coefficient = "acc_eq" if parsed.name == POOLED else parsed.shown
        return get_measure(coefficient, None, 1)

    @cached_property
    def shares(self) -> FloatArray:
        """The share of each block among the pairs of systems."""
        pairs = np.array([block.human.size * (block.human.size - 1) / 2 for block in self.blocks])
        return np.asarray(pairs / pairs.sum() if pairs.any() else pairs, np.float64)

    @cached_property
    def panels(self) -> dict[str, tuple[ResampledMeasures, ...]]:
        """Each metric laid out by itself, in every block."""
        measure = (self.measure,)
        return {
            name: tuple(prepare_measures(block.human, (block.metrics[name],), measure) for block in self.blocks)
            for name in self.names
        }

    def value(self, name: str) -> float:
        """The value of one metric, NaN where it has none."""
        if name not in self.names:
            return float("nan")
        scores = [(block.human, block.metrics[name]) for block in self.blocks]
        if self.task.is_soft and self.spa == "mtme":  # there it depends on the order of the systems: by name
            by_name = np.argsort(self.blocks[0].systems) if self.blocks[0].systems else slice(None)
            return soft_pairwise_accuracy(*(side[by_name] for side in scores[0]), parity="mtme")
        if self.task.is_soft:
            return soft_accuracy(*scores[0])
        if self.task.measure == POOLED:
            alike, total = np.sum([pairs_alike(h[0], m[0]) for h, m in scores], axis=0)
            return float(alike / total) if total else float("nan")
        return value_of(*scores[0], self.measure)

    def is_constant(self, name: str) -> bool:
        """Whether a metric gives one score to all cells of each block."""
        return all(is_constant(block.human, block.metrics[name]) for block in self.blocks)


NEGLIGIBLE = 1e-12
"""Sums of squares of standardized scores below this, per segment, are of leads that are all 0."""


@dataclass(frozen=True, eq=False)
class SoftDraws:
    """Human scores and those of two metrics, systems × segments, all standardized.

    `soft_pairwise_accuracy` swaps each segment's scores of two systems a thousand times. Here a system's lead after
    such swaps is taken to be normal, with mean 0 and the sum of the squared leads as variance, as it nearly is from
    some dozens of segments on: one formula, so that the swaps between the metrics can be many.
    """

    human: FloatArray
    metrics: tuple[FloatArray, FloatArray]

    @staticmethod
    def of(human: FloatArray, a: FloatArray, b: FloatArray) -> SoftDraws:
        """Put both metrics on one scale; a cell without one of the three scores is left out of everything."""
        scored = ~(np.isnan(human) | np.isnan(a) | np.isnan(b))
        rows, columns = scored.any(axis=1), scored.any(axis=0)
        cells = np.ix_(rows, columns)
        known = scored[cells]
        h, a, b = (np.where(known, standardize(side[cells], known), np.nan) for side in (human, a, b))
        return SoftDraws(h, (a, b))

    @property
    def shape(self) -> tuple[int, int]:
        """Systems, segments."""
        return self.human.shape[0], self.human.shape[1]

    def original_values(self) -> FloatArray:
        """Return both values of the scores as they are, shape (1, 2, 1)."""
        return self._values(np.stack(self.metrics)[None])

    def draw(self, plan: Plan, part: int) -> FloatArray:
        """Return values for one part of the resamples, shape (draws, 2, 1)."""
        return self.values(plan.draws(part))

    def values(self, draws: Draws) -> FloatArray:
        """Return values for some swaps."""
        swapped = draws.cells.reshape(len(draws), *self.shape) == 1
        a, b = self.metrics
        return self._values(np.stack((np.where(swapped, b, a), np.where(swapped, a, b)), axis=1))

    def _values(self, metrics: FloatArray) -> FloatArray:
        """Values of metrics of shape (draws, 2, systems, segments)."""
        n_systems = self.shape[0]
        first, second = np.triu_indices(n_systems, 1)
        if not first.size:
            return np.full((*metrics.shape[:2], 1), np.nan)
        known = ~np.isnan(self.human)
        human = _confidence(self.human, known)[first, second]
        apart = np.abs(_confidence(metrics, known)[..., first, second] - human)
        return np.asarray(1 - apart.mean(axis=-1, keepdims=True), np.float64)


def _confidence(scores: FloatArray, known: NDArray[np.bool_]) -> FloatArray:
    """The share of swaps after which each system leads each other one by less, shape (…, systems, systems)."""
    from scipy.special import ndtr

    filled, weight = np.where(known, scores, 0.0), known.astype(np.float64)
    if known.all():
        sums = filled.sum(axis=-1)
        lead = sums[..., :, None] - sums[..., None, :]
        own = np.einsum("...sn,...sn->...s", filled, filled)
        squares = own[..., :, None] + own[..., None, :]
    else:
        side = filled @ weight.T
        lead = side - np.swapaxes(side, -1, -2)
        own = filled**2 @ weight.T
        squares = own + np.swapaxes(own, -1, -2)
    squares = squares - 2 * filled @ np.swapaxes(filled, -1, -2)
    some = squares > NEGLIGIBLE * known.shape[1]
    return np.asarray(np.where(some, ndtr(lead / np.sqrt(np.where(some, squares, 1.0))), 0.5), np.float64)


class TaskTest(NamedTuple):
    """One task, tested: for every two metrics the p-value that the better one is better, and their difference.

    It is the first one's value minus the second's, as the test sees it; ``samples`` are those on each resample.
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
    observed = [source.original_values()[0, :, 0] for source, _ in sources]
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
        pvalue = float(pvalues_of(sign * found, abs(difference), "greater", exact=False))
        if stop_early is not None and not stop_early[0] <= pvalue <= stop_early[1]:
            break
    constant = any(scores.is_constant(name) for name in pair)
    return 1.0 if constant else pvalue, difference, found


def _source(
    scores: TaskScores, number: int, pair: tuple[str, str]
) -> tuple[ResampledMeasures | PairOutcomes | SoftDraws, tuple[int, int]]:
    """What draws two metrics' values in one block, and how many systems and segments it swaps."""
    block = scores.blocks[number]
    if scores.task.is_soft:
        soft = SoftDraws.of(block.human, *(block.metrics[name] for name in pair))
        return soft, soft.shape
    first, second = (scores.panels[name][number] for name in pair)
    panel = first.pair_with(second)
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
            pvalues_of((1.0 if d >= 0 else -1.0) * drawn[:size], abs(d), "greater", exact=False)
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
    """Ranks of the clusters of metrics; without p-values different values differ, and without a value there is none."""
    known = values.dropna()
    order = known.index[best_first(known, lower_is_better=lower_is_better)]
    ranks = pd.Series(pd.NA, values.index, "Int64", name="cluster")
    if pvalues is None:
        ranks[order] = values[order].rank(ascending=lower_is_better, method="min").astype("Int64")
    elif len(order):
        ranks[order] = rank_clusters(square(pvalues, list(values.index), list(order)), alpha=alpha)
    return ranks
