"""What is evaluated on the NaN page? Each metric by one coefficient, group by group, on typed segments or a set."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit.core import DOCUMENT_GROUPINGS, FloatArray, Progress, tell
from tiekit.ranking import POLICIES, ComparisonInputs, MetricValues, assemble, evaluate
from ui.evalset import choices, notes
from ui.evalset.selection import SelectedScores, Selection
from ui.evalset.sources import OpenSet
from ui.link.controls import choose
from ui.work import downloads, result_cache
from ui.work.text import plain


class MetricGroups(NamedTuple):
    """One metric, group by group; ties of its scores, and of all human scores."""

    result: MetricValues
    reasons: list[str]
    ties: tk.Ties
    human_ties: tk.Ties


class Standing(NamedTuple):
    """A metric's mean under a policy, its rank (None without a value) and the groups in the mean."""

    value: float
    rank: int | None
    used: int


@dataclass(frozen=True, eq=False)
class GroupValues(SelectedScores):
    """Metrics of a selection by one coefficient, group by group; ``digests`` are those of human and metric scores."""

    entry: tk.Coefficient
    groups: tuple[str, ...]
    metrics: dict[str, MetricGroups]
    digests: Mapping[str, str]

    @property
    def is_typed(self) -> bool:
        """Whether the scores were typed, so that no code reads them."""
        return not self.selection.source.code

    def show_code(self, name: str, metric: str, call: str) -> None:
        """Show the call on one metric's scores; typed scores are written out, others taken from the set."""
        selection = self.selection
        if self.is_typed:
            downloads.show_code(name, call, {"human": self.contest.human, "metric": self.contest.metrics[metric]})
        else:
            selection.show_code(name, f"{selection.pair_code(metric)}\n{call}", [metric])

    @property
    def key(self) -> tuple[Hashable, ...]:
        """What all counts depend on."""
        return self.entry.name, *self.contest.groups_key, *((name, self.digests[name]) for name in self.metrics)

    @property
    def label(self) -> str:
        """The coefficient, safe in Markdown."""
        return plain(self.entry.label)

    @cached_property
    def per_group(self) -> dict[str, FloatArray]:
        """The coefficient of every group by metric; NaN without a value."""
        return {name: found.result.per_group[self.entry.name] for name, found in self.metrics.items()}

    @cached_property
    def ranked(self) -> list[str]:
        """Metrics with a value in some group: the others have no mean and would leave no group in common."""
        return [name for name, values in self.per_group.items() if not np.isnan(values).all()]

    @cached_property
    def standings(self) -> dict[str, dict[str, Standing]]:
        """Each ranked metric's standing under each policy."""
        results, column = {name: self.metrics[name].result for name in self.ranked}, self.entry.name

        def stand() -> dict[str, dict[str, Standing]]:
            found: dict[str, dict[str, Standing]] = {}
            for policy in POLICIES:
                board = assemble(self.contest, results, policy)
                parts = (board[kind.format(column)] for kind in ("{}", "rank({})", "groups({})"))
                found[policy] = {
                    name: Standing(float(value), None if pd.isna(rank) else int(rank), int(used))
                    for name, value, rank, used in zip(board.index, *parts, strict=True)
                }
            return found

        return result_cache.once(("standings", *self.key), stand)

    @property
    def by_drop(self) -> list[str]:
        """Ranked metrics in their order under drop."""
        return sorted(self.ranked, key=lambda name: self.rank("drop", name) or 0)

    @property
    def n_groups(self) -> int:
        """Groups in a mean that counts those without a value."""
        return self.standings["zero"][self.ranked[0]].used

    @property
    def n_common(self) -> int:
        """Groups on which every ranked metric has a value."""
        return int(tk.groups_in_common({name: self.per_group[name] for name in self.ranked}).sum())

    def rank(self, policy: str, name: str) -> int | None:
        """Return a metric's rank; None where it has no value."""
        return self.standings[policy][name].rank

    def leaders(self, policy: str) -> list[str]:
        """Return the metrics with rank 1."""
        return [name for name in self.ranked if self.rank(policy, name) == 1]

    def flips(self, one: str, other: str) -> list[tuple[str, str]]:
        """Return the pairs of metrics that reverse: the first ahead under one policy and behind under the other."""
        found = []
        for pair in combinations(self.ranked, 2):
            before, after = ([self.rank(policy, name) or math.nan for name in pair] for policy in (one, other))
            if (before[0] - before[1]) * (after[0] - after[1]) < 0:
                found.append(pair if before[0] < before[1] else pair[::-1])
        return sorted(found, key=lambda pair: [self.rank(one, pair[0]) or 0, self.rank(other, pair[1]) or 0])


def choose_coefficient(key: str) -> tk.Coefficient:
    """Let the user choose a coefficient, τ_b at first."""
    names = ["tau_b", *(name for name in tk.COEFFICIENTS if name != "tau_b")]
    return tk.COEFFICIENTS[choose("Coefficient", names, key, printed=tk.charts.label_of)]


def evaluate_typed(data: tk.EvalSet, entry: tk.Coefficient) -> GroupValues:
    """Evaluate typed segments."""
    selection = Selection(OpenSet(data, ""), "human", tuple(data.metrics), (), None)
    groups = tuple(f"segment {name}" for name in data.segments)
    digests = selection.contest.digests
    found = {
        name: result_cache.once(
            ("typed", name, entry.name, digest), partial(_compute, selection.contest, name, entry, None)
        )
        for name, digest in digests.items()
    }
    return GroupValues(selection, entry, groups, found, digests)


def evaluate_set(opened: OpenSet) -> GroupValues | None:
    """Evaluate an evaluation set as the user chooses; None where that leaves nothing, with the reason on the page."""
    selection, entry = _choose_selection(opened)
    if not selection.say():
        return None
    contest, grouping = selection.contest, selection.grouping
    found = result_cache.compute("Counting pairs", tasks_of(selection, entry))
    if not found:
        return None
    notes.say_notes(notes.notes_on(contest, {name: one.result for name, one in found.items()}))
    chosen = selection.chosen
    groups = {"item": chosen.segments, "system": chosen.systems}.get(grouping, ("all",))
    if grouping in DOCUMENT_GROUPINGS:
        groups = tuple(dict.fromkeys(chosen.documents))
    done = {name: found[name] for name in contest.ranked if name in found}
    return GroupValues(selection, entry, groups, done, contest.digests)


def tasks_of(selection: Selection, entry: tk.Coefficient) -> dict[str, result_cache.Task]:
    """Return what is computed of each metric that is compared with the others."""
    contest, tasks = selection.contest, dict[str, result_cache.Task]()
    for name in contest.ranked:
        digest = contest.digests[name]
        key = "groups", name, selection.human, contest.groups_key, entry.name, digest
        tasks[name] = key, partial(_compute, contest, name, entry)
    return tasks


def _choose_selection(opened: OpenSet) -> tuple[Selection, tk.Coefficient]:
    """Let the user choose what is compared, and by which coefficient."""
    data = opened.data
    *columns, last = st.columns(4, gap="medium")
    human, grouping, domain = choices.choose_scope(data, *columns)
    with last:
        entry = choose_coefficient("coefficient")
    with notes.drawer("Metrics, systems, direction of scores, rounding"):
        metrics = choices.choose_metrics(data)
        exclude, adjustment = choices.choose_excluded(data), choices.choose_adjustment(data)
    return Selection(opened, human, metrics, exclude, domain, adjustment, grouping), entry


def _compute(contest: ComparisonInputs, name: str, entry: tk.Coefficient, progress: Progress | None) -> MetricGroups:
    scores, by, documents = contest.metrics[name], contest.grouping, contest.documents or None
    reasons = tk.reasons_per_group(contest.human, scores, grouping=by, documents=documents)
    tell(progress, 0.0)
    ties = tk.count_ties(scores, grouping=by, where=contest.human, documents=documents)
    tell(progress, 0.0)
    human_ties = tk.count_ties(contest.human, grouping=by, documents=documents)
    tell(progress, 0.0)
    return MetricGroups(evaluate(contest, name, (entry.name,), (), progress), reasons, ties, human_ties)
