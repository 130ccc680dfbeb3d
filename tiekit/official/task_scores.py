"""What is each metric's value in one task?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tiekit.coefficients.measure import Measure, get_measure
from tiekit.coefficients.per_group import evaluate
from tiekit.coefficients.soft_accuracy import soft_accuracy, soft_pairwise_accuracy
from tiekit.official.averages import pairs_alike
from tiekit.official.task import POOLED, Task
from tiekit.resampling.panel import Panel, make_panel, threshold
from tiekit.scores import FloatArray
from tiekit.significance.permutation import is_constant


@dataclass(frozen=True, eq=False)
class Block:
    """The scores of one language pair in a task: human ones, and each metric's.

    Without names of systems their order is the one of the rows.
    """

    human: FloatArray
    metrics: dict[str, FloatArray]
    systems: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class TaskScores:
    """One task with its scores.

    Attributes
    ----------
    task : Task
    blocks : tuple of Block
        One per language pair, all with the same metrics.
    spa : {"mid-p", "mtme"}
        Which soft pairwise accuracy is meant.
    """

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
    def panels(self) -> dict[str, tuple[Panel, ...]]:
        """Each metric laid out by itself, in every block."""
        measure = (self.measure,)
        return {
            name: tuple(make_panel(block.human, (block.metrics[name],), measure) for block in self.blocks)
            for name in self.names
        }

    def value(self, name: str) -> float:
        """The value of one metric, NaN where it is undefined."""
        scores = [(block.human, block.metrics[name]) for block in self.blocks]
        if self.task.is_soft:
            return self._soft_value(*scores[0])
        if self.task.measure == POOLED:
            alike, total = np.sum([pairs_alike(h[0], m[0]) for h, m in scores], axis=0)
            return float(alike / total) if total else float("nan")
        measure, (human, metric) = self.measure, scores[0]
        grouping = "global" if measure.grouping == "vector" else measure.grouping
        return evaluate(measure.coefficient, human, metric, grouping, threshold(human, metric, measure))

    def _soft_value(self, human: FloatArray, metric: FloatArray) -> float:
        """Soft pairwise accuracy; that of mt-metrics-eval depends on the order of the systems: by name."""
        if self.spa == "mid-p":
            return soft_accuracy(human, metric)
        by_name = np.argsort(self.blocks[0].systems) if self.blocks[0].systems else slice(None)
        return soft_pairwise_accuracy(human[by_name], metric[by_name], parity="mtme")

    def is_constant(self, name: str) -> bool:
        """Whether a metric gives one score to all cells of each block."""
        return all(is_constant(block.human, block.metrics[name]) for block in self.blocks)
