"""What is one task of an official ranking, and how much do many tasks weigh?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tiekit.core.measure import Measure, get_measure

SPLITS = ("language_pair", "domain", "level", "humans", "grouping", "coefficient")
"""Attributes of a task by which weights can be split."""

COMBINATIONS = ("average", "average_rank")
"""What is averaged over tasks: the values, or the ranks of the clusters of each task."""


SOFT_ACCURACIES = ("mtme", "mid-p")
"""Soft pairwise accuracy of mt-metrics-eval, or the one that does not depend on the order of the systems."""

DRAWS = ("independent", "shared")
"""Whether every task draws its own swaps, or tasks that swap the same cells share them."""

POOLED = "system_means/pairwise_accuracy"
"""The measure whose pairs of systems can be pooled over language pairs."""


@dataclass(frozen=True)
class Task:
    """One column of an official ranking.

    Attributes
    ----------
    name : str
        Such as ``"zh-en item/acc_eq*"``.
    language_pairs : tuple of str
        One, or several whose pairs of systems are pooled.
    measure : str
        Such as ``"item/acc_eq*"``. At ``system_means`` each system has one score.
    weight : float
    domain : str or None
        The only domain whose segments count; None is all.
    humans : bool
        Whether human translations that are not the standard reference are ranked among the systems.
    swap : str
        What its significance test swaps, a name of `tiekit.significance.SWAPS`.
    """

    name: str
    language_pairs: tuple[str, ...]
    measure: str
    weight: float = 1.0
    domain: str | None = None
    humans: bool = False
    swap: str = "cells"

    @property
    def parsed(self) -> Measure:
        """Grouping and coefficient."""
        return get_measure(self.measure, None)

    @property
    def of_means(self) -> bool:
        """Whether it compares one score per system, so that segments play no part in it."""
        return self.parsed.of_means

    @property
    def is_soft(self) -> bool:
        """Whether it is soft pairwise accuracy, which compares means of systems but swaps scores of segments."""
        return self.parsed.coefficient.name == "spa"

    @property
    def range(self) -> tuple[float, float]:
        """Smallest and largest value."""
        return self.parsed.coefficient.range

    def attribute(self, name: str) -> object:
        """Look up what weights are split by, a name of `SPLITS`."""
        measure = self.parsed
        return {
            "language_pair": self.language_pairs,
            "domain": self.domain,
            "level": "system" if measure.grouping == "system_means" else "segment",
            "humans": self.humans,
            "grouping": measure.grouping,
            "coefficient": measure.shown,
        }[name]


@dataclass(frozen=True)
class PairRules:
    """What a preset says about one language pair; None is what `tiekit.readers.testset_facts` says."""

    standard_reference: str | None = None
    outliers: tuple[str, ...] | None = None
    close_references: tuple[str, ...] = ()
    gold: str | None = None


@dataclass(frozen=True)
class Preset:
    """An official ranking as data: which tasks, with which weights, of which test set.

    Attributes
    ----------
    name, title, reference : str
        A short name, a full one, and the paper or program that defines the ranking.
    testset : str
    tasks : tuple of Task
    combine : {"average", "average_rank"}
        What is averaged: the values of the tasks, or the ranks of each task's clusters.
    map_correlations : bool
        Whether coefficients from -1 to 1 are averaged as (r + 1)/2.
    metrics : tuple of str
        Base names of metrics, or the words ``primary``, ``baseline`` and ``all``.
    language_pairs : mapping of str to PairRules
    spa : {"mid-p", "mtme"}
        Which soft pairwise accuracy: mt-metrics-eval's, in which an equal lead of two systems counts as a larger one,
        or the one in which it counts half.
    draws : {"shared", "independent"}
        Whether tasks that swap the same cells swap them alike, or every task by itself, as at WMT.
    partial : bool
        Whether some tasks or language pairs were left out.
    """

    name: str
    title: str
    reference: str
    testset: str
    tasks: tuple[Task, ...]
    combine: str = "average"
    map_correlations: bool = False
    metrics: tuple[str, ...] = ("all",)
    language_pairs: Mapping[str, PairRules] = field(default_factory=dict)
    partial: bool = False
    spa: str = "mid-p"
    draws: str = "shared"

    @property
    def weights(self) -> dict[str, float]:
        """The tasks' weights by name, adding up to 1."""
        total = sum(task.weight for task in self.tasks)
        return {task.name: task.weight / total for task in self.tasks}

    @property
    def mapped(self) -> tuple[str, ...]:
        """The tasks whose value r is averaged as (r + 1)/2."""
        return tuple(task.name for task in self.tasks if self.map_correlations and task.range == (-1.0, 1.0))


def split_weights(tasks: Sequence[Task], by: Sequence[str]) -> tuple[Task, ...]:
    """Split a weight of 1 equally over the values of the first attribute, each share over those of the second, ….

    Tasks that differ in none of the attributes share what is left equally.

    Examples
    --------
    >>> tasks = [Task("a", ("en-de",), "item/tau_b"), Task("b", ("en-de",), "global/tau_b"),
    ...          Task("c", ("zh-en",), "item/tau_b")]
    >>> [task.weight for task in split_weights(tasks, ["language_pair"])]
    [0.25, 0.25, 0.5]
    """
    return tuple(replace(task, weight=share) for task, share in zip(tasks, _shares(tasks, by), strict=True))


def _shares(tasks: Sequence[Task], by: Sequence[str]) -> list[float]:
    if not by:
        return [1 / len(tasks)] * len(tasks)
    values = [task.attribute(by[0]) for task in tasks]
    distinct = list(dict.fromkeys(values))
    shares = [0.0] * len(tasks)
    for value in distinct:
        places = [place for place, found in enumerate(values) if found == value]
        for place, share in zip(places, _shares([tasks[place] for place in places], by[1:]), strict=True):
            shares[place] = share / len(distinct)
    return shares
