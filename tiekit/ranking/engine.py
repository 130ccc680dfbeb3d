"""The engine of leaderboards: who is compared on which cells, and the values of one metric."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from tiekit.base.errors import (
    CalibrationWarning,
    CoverageWarning,
    DirectionWarning,
    InputError,
    NearTieWarning,
    TiekitWarning,
)
from tiekit.base.names import as_names, find_name
from tiekit.base.parallel import Progress, part_of, tell
from tiekit.base.validation import FloatArray, IntArray, digest_of
from tiekit.core.calibration import EXPLOITED, best_epsilon
from tiekit.core.coefficients import Coefficient, average, pool, values_per_group
from tiekit.core.correlation import find_fall
from tiekit.core.grouping import DEFAULT_GROUPING, DOCUMENT_GROUPINGS, Grouped, group_checked, resolve_grouping
from tiekit.core.pairs import count_sorted, count_within, near_tie_notes
from tiekit.core.registry import COEFFICIENTS
from tiekit.sets.arguments import check_set, facts_of_set, gold_of, identical_of, metric_names, most_fall
from tiekit.sets.cells import WHICH_CELLS, Cells, count_cells, share_cells
from tiekit.sets.evalset import EvalSet


@dataclass(frozen=True, eq=False)
class ComparisonInputs:
    """What is compared: human scores, the metrics' scores, and which groups. Nothing of it can be changed.

    ``rated`` are the human scores as they were read; ``human`` has those of the cells that are compared.
    """

    human: FloatArray
    metrics: Mapping[str, FloatArray]
    grouping: str
    selection: Mapping[str, str]  # what was chosen, for signatures: set, human score, systems, segments, cells, digest
    documents: tuple[str, ...] = ()  # of every segment, or nothing
    human_margin: float = 0.0  # pairs whose human scores differ by less are left out
    average: str = "groups"
    identical: IntArray | None = None  # labels of texts; pairs of the same one are ties of every metric
    tie_human: bool = False  # and of the human score
    rated: FloatArray | None = None
    cells: Cells | None = None  # which cells these are, and which metrics stand apart
    cell_notes: tuple[str, ...] = ()  # which cells are left out, and whose missing scores cost them

    @property
    def apart(self) -> tuple[str, ...]:
        """The metrics that stand below the others, on their own cells and without a rank."""
        return tuple(name for name in (self.cells.apart if self.cells else ()) if name in self.metrics)

    @property
    def ranked(self) -> dict[str, FloatArray]:
        """The metrics that are compared with each other, all on the same cells."""
        return {name: scores for name, scores in self.metrics.items() if name not in self.apart}

    def human_of(self, metric: str) -> FloatArray:
        """The human scores that a metric is judged by: those of the common cells, or all if it stands apart."""
        return self.human if self.rated is None or metric not in self.apart else self.rated

    def selection_of(self, metric: str) -> dict[str, str]:
        """What the signature of one metric's numbers says of the selection."""
        if self.cells is None or metric not in self.apart:
            return dict(self.selection)
        return {**self.selection, **_counts(count_cells(self.cells.scored[metric]), "own")}

    def groups_of(self, metric: str) -> Grouped:
        """The scores of a metric beside the human ones, in the groups that are compared."""
        scores = self.human_of(metric), self.metrics[metric]
        grouped = group_checked(*scores, self.grouping, self.documents or None, self.identical, self.tie_human)
        return replace(grouped, scores=replace(grouped.scores, human_margin=self.human_margin))

    @property
    def groups_key(self) -> tuple[str, ...]:
        """What says which cells are compared: the grouping, and the documents where it is by document."""
        return self.grouping, *(self.documents if self.grouping in DOCUMENT_GROUPINGS else ())

    @cached_property
    def digests(self) -> Mapping[str, str]:
        """By metric, what identifies the human scores and the metric's."""
        return MappingProxyType({name: digest_of(self.human_of(name), scores) for name, scores in self.metrics.items()})

    @cached_property
    def digest(self) -> str:
        """What identifies the human scores and those of all metrics."""
        read = () if self.rated is None or self.rated is self.human else (self.rated,)
        return digest_of(self.human, *read, *self.metrics.values())


def prepare(
    evalset: EvalSet,
    human: str | None = None,
    *,
    metrics: str | Iterable[str] | None = None,
    grouping: str = DEFAULT_GROUPING,
    exclude: Iterable[str] | None = None,
    domain: str | Iterable[str] | None = None,
    documents: Iterable[str] | None = None,
    segments: Iterable[str] | NDArray[np.bool_] | None = None,
    cells: str | None = None,
    human_margin: float = 0.0,
    average: str = "groups",
    tie_identical: bool = False,
    tie_human: bool = False,
) -> ComparisonInputs:
    """Lay out what `evaluate` compares; parameters as for `leaderboard`."""
    whole = check_set(evalset, "evalset")
    selected = whole.select(exclude=exclude, domain=domain, documents=documents, segments=segments)
    made = lay_out(selected, whole, human, metrics, grouping, cells=cells)
    facts = {"human_margin": repr(human_margin)} if human_margin else {}
    facts |= {"average": average} if average != "groups" else {}
    identical = identical_of(selected) if tie_identical else None
    facts |= {} if identical is None else {"identical": digest_of(identical)}
    facts |= {"tie_human": "True"} if tie_human else {}
    selection = MappingProxyType({**made.selection, **facts})
    made = replace(made, identical=identical, tie_human=tie_human)
    return replace(made, human_margin=human_margin, average=average, selection=selection)


def lay_out(
    selected: EvalSet,
    whole: EvalSet,
    human: str | None,
    metrics: str | Iterable[str] | None,
    grouping: str,
    *,
    cells: str | None = None,
) -> ComparisonInputs:
    """Lay out what is compared on what was selected of a whole set."""
    rated = gold_of(selected, human)
    names = metric_names(whole, metrics)
    if not names:
        raise InputError("metrics: there is none to compare")
    scores = {name: selected.metrics[name] for name in names}
    by = resolve_grouping(grouping, 2, documents=bool(selected.documents))
    same = share_cells(selected.human[rated], scores, cells, groupings=[by], board=True)
    kept = set(selected.systems)
    left_out = [name for name in whole.systems if name not in kept]
    facts = facts_of_set(selected, rated, left_out)
    data = facts.pop("data")
    selection = {**facts, **_counts(same.counts, same.kind), "data": data}
    return ComparisonInputs(
        same.human,
        MappingProxyType(scores),
        by,
        MappingProxyType(selection),
        selected.documents,
        rated=selected.human[rated],
        cells=same,
        cell_notes=tuple(same.notes(selected.systems)),
    )


def _counts(counts: Mapping[str, int], kind: str) -> dict[str, str]:
    """What a signature says of cells."""
    systems, segments, cells = (counts[name] for name in ("n_systems", "n_segments", "n_cells"))
    return {"systems": str(systems), "segments": str(segments), "cells": f"{cells} {kind}"}


def other_humans(data: EvalSet, gold: str, humans: str | Iterable[str] | None = None) -> list[str]:
    """The human scores that are judged by another one, as they are stored; None is all others."""
    others = [name for name in data.human if name != gold]
    if not others:
        cure = "name both where it is read, tk.read(source, human=[…])"
        raise InputError(f"humans: the set has no human score but {gold}, so there is none to judge; {cure}")
    if humans is None:
        return others
    named = list(dict.fromkeys(find_name("humans", name, data.human) for name in as_names(humans, "humans")))
    if gold in named:
        raise InputError(
            f"humans: {gold} is the score that judges, so it cannot be judged; name one of {', '.join(others)}"
        )
    return named


def with_humans(data: EvalSet, human: str | None = None, humans: str | Iterable[str] | None = None) -> EvalSet:
    """Add human scores of a set to its metrics, first, so that another one can judge them; None adds all others."""
    named = other_humans(check_set(data), gold_of(data, human), humans)
    if taken := [name for name in named if name in data.metrics]:
        raise InputError(f"humans: {taken[0]!r} is the name of a metric of the set too; rename one of them")
    return replace(data, metrics={**{name: data.human[name] for name in named}, **data.metrics})


Note = tuple[type[TiekitWarning], str]


ADVICE: dict[type[TiekitWarning], str] = {
    CoverageWarning: WHICH_CELLS,
    CalibrationWarning: "acc_eq and tau_eq are what calibration is made for",
}
"""What a caller can do about a note; about near ties `warn_near_ties` says it, about directions `ask_direction`."""


@dataclass(frozen=True, eq=False)
class MetricValues:
    """One metric's values, before groups are averaged, by column (``tau_b``, ``acc_eq*``) or coefficient."""

    per_group: dict[str, FloatArray]  # one value per segment, per system or one in all; NaN where undefined
    is_group: NDArray[np.bool_]  # where there are two scored cells
    epsilon: dict[str, float]
    coverage: float  # share of the cells with a human score that have a metric score, compared or not
    notes: tuple[Note, ...]
    near_ties: dict[str, int]
    pooled: dict[str, float] = field(default_factory=dict)  # of all groups' pairs, where these are averaged
    counts: dict[str, IntArray] = field(default_factory=dict)  # of the groups with a pair, at the thresholds


def evaluate(
    inputs: ComparisonInputs,
    metric: str,
    coefficients: Sequence[str],
    calibrated: Sequence[str],
    progress: Progress | None = None,
) -> MetricValues:
    """Compute every column of one metric, group by group; ``progress`` as in `calibrate`."""
    scores = inputs.metrics[metric]
    grouped = inputs.groups_of(metric)
    tell(progress, 0.0)
    at_zero = count_within(grouped.scores, 0.0)
    per_group: dict[str, FloatArray] = {}
    pooled: dict[str, float] = {}

    def add(column: str, entry: Coefficient, counts: IntArray) -> None:
        per_group[column] = grouped.spread(values_per_group(grouped, entry, counts=counts))
        if entry.pools:
            pooled[column] = average(entry.from_counts(counts), "drop")

    for name in coefficients:
        tell(progress, 0.0)
        add(name, pool(COEFFICIENTS[name], inputs.average), at_zero.counts)
    epsilon: dict[str, float] = {}
    found: dict[str, IntArray] = {}
    for number, name in enumerate(calibrated):
        entry = pool(COEFFICIENTS[name], inputs.average)
        if not entry.takes_epsilon:
            raise InputError(f"calibrated: {name} knows no ties of the metric and cannot be calibrated")
        epsilon[name] = best_epsilon(grouped, entry, at_zero, part_of(progress, number, len(calibrated)))
        found[name] = count_sorted(grouped.scores, epsilon[name])
        add(f"{name}*", entry, found[name])
        tell(progress, (number + 1) / len(calibrated))
    is_group = np.isin(np.arange(grouped.n_possible), grouped.index)
    rated = ~np.isnan(inputs.human if inputs.rated is None else inputs.rated)
    coverage = float((rated & ~np.isnan(scores)).sum() / rated.sum()) if rated.any() else float("nan")
    notes = tuple(metric_notes(inputs, metric, grouped))
    return MetricValues(per_group, is_group, epsilon, coverage, notes, grouped.scores.near_ties, pooled, found)


def metric_notes(inputs: ComparisonInputs, metric: str, grouped: Grouped) -> list[Note]:
    """What is suspicious about one metric; a note on the human scores is worded alike for all metrics."""
    found: list[Note] = [
        (NearTieWarning, text.replace("human:", f"{inputs.selection['human']}:").replace("metric:", f"{metric}:"))
        for text in near_tie_notes(grouped.scores)
    ]
    tau_b = find_fall(inputs.human_of(metric), inputs.metrics[metric])
    if tau_b is not None:
        found.append((DirectionWarning, f"{metric}: falls where the human score rises (tau_b {tau_b:.2f})"))
    return found


def collect_notes(inputs: ComparisonInputs, results: Mapping[str, MetricValues]) -> list[Note]:
    """Everything suspicious about the results, each said once; `ADVICE` says what to do.

    Where most metrics fall as the human score rises, it is named and not they.
    """
    found = [note for result in results.values() for note in result.notes]
    falling = [note for note in found if note[0] is DirectionWarning]
    if most := most_fall(len(falling), len(results)):
        found = [note for note in found if note not in falling]
        found.append((DirectionWarning, f"{inputs.selection['human']}: {most}"))
    found += [(CoverageWarning, text) for text in inputs.cell_notes]
    starred = dict.fromkeys(name for result in results.values() for name in result.epsilon)
    found += [(CalibrationWarning, f"{n}* {EXPLOITED}") for n in starred if not COEFFICIENTS[n].handles_ties]
    return list(dict.fromkeys(found))
