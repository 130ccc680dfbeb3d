"""Who is compared, on which scores? The human scores and the metrics of one leaderboard."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from tiekit.arguments import gold_of, metric_names
from tiekit.cells import Cells, count_cells, share_cells
from tiekit.counting.grouping import DOCUMENT_GROUPINGS, Grouped, group, resolve_grouping
from tiekit.errors import InputError
from tiekit.evalset import EvalSet
from tiekit.names import as_names, find_name
from tiekit.scores import FloatArray
from tiekit.signature import digest_of


@dataclass(frozen=True, eq=False)
class Contest:
    """What is compared: human scores, the metrics' scores, and which groups. Nothing of it can be changed.

    Attributes
    ----------
    human : ndarray, shape (systems, segments)
    metrics : mapping of str to ndarray of that shape
    grouping : str
    documents : tuple of str
        The document of every segment, or nothing.
    human_margin : float
        Pairs whose human scores differ by less are left out.
    average : str
        How one value is made of several groups, one of `AVERAGES`.
    selection : mapping of str to str
        What was chosen, for signatures: set, human score, systems, segments, cells, digest of the files.
    rated : ndarray of that shape, optional
        The human scores as they were read; ``human`` has those of the cells that are compared. None: the same.
    cells : Cells, optional
        Which cells these are, and which metrics stand apart.
    cell_notes : tuple of str
        Which cells are left out, and whose missing scores cost them.
    """

    human: FloatArray
    metrics: Mapping[str, FloatArray]
    grouping: str
    selection: Mapping[str, str]
    documents: tuple[str, ...] = ()
    human_margin: float = 0.0
    average: str = "groups"
    rated: FloatArray | None = None
    cells: Cells | None = None
    cell_notes: tuple[str, ...] = ()

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
        grouped = group(self.human_of(metric), self.metrics[metric], self.grouping, self.documents or None)
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
    grouping: str = "item",
    exclude: Iterable[str] | None = None,
    domain: str | Iterable[str] | None = None,
    documents: Iterable[str] | None = None,
    segments: Iterable[str] | NDArray[np.bool_] | None = None,
    cells: str | None = None,
    human_margin: float = 0.0,
    average: str = "groups",
) -> Contest:
    """Lay out what `evaluate` compares; parameters as for `leaderboard`."""
    if not isinstance(evalset, EvalSet):
        raise InputError(f"evalset: must be an EvalSet, found {type(evalset).__name__}; tk.correlate takes arrays")
    selected = evalset.select(exclude=exclude, domain=domain, documents=documents, segments=segments)
    made = lay_out(selected, evalset, human, metrics, grouping, cells=cells)
    facts = {"human_margin": repr(human_margin)} if human_margin else {}
    facts |= {"average": average} if average != "groups" else {}
    selection = MappingProxyType({**made.selection, **facts})
    return replace(made, human_margin=human_margin, average=average, selection=selection)


def lay_out(
    selected: EvalSet,
    whole: EvalSet,
    human: str | None,
    metrics: str | Iterable[str] | None,
    grouping: str,
    *,
    cells: str | None = None,
) -> Contest:
    """Lay out what is compared on what was selected of a whole set."""
    rated = gold_of(selected, human)
    names = metric_names(whole, metrics)
    if not names:
        raise InputError("metrics: there is none to compare")
    scores = {name: selected.metrics[name] for name in names}
    by = resolve_grouping(grouping, 2, documents=bool(selected.documents))
    same = share_cells(selected.human[rated], scores, cells, groupings=[by], board=True)
    selection = {
        "set": f"{selected.name}/{selected.language_pair}",
        "human": rated,
        "left_out": ",".join(name for name in whole.systems if name not in selected.systems) or "none",
        **_counts(same.counts, same.kind),
        "data": selected.digest[:12],
    }
    return Contest(
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
        raise InputError(f"humans: the set has no human score but {gold}, so there is none to judge")
    if humans is None:
        return others
    named = list(dict.fromkeys(find_name("humans", name, data.human) for name in as_names(humans, "humans")))
    if gold in named:
        raise InputError(
            f"humans: {gold} is the score that judges, so it cannot be judged; name one of {', '.join(others)}"
        )
    return named


def with_humans(data: EvalSet, human: str | None = None, humans: str | Iterable[str] | None = None) -> EvalSet:
    """Add human scores of a set to its metrics, so that another human score can judge them.

    Parameters
    ----------
    data : EvalSet
    human : str, optional
        The human score that will judge; None is the gold score.
    humans : str or iterable of str, optional
        The human scores to add; None is all others.

    Returns
    -------
    EvalSet
        The added scores come first, under their own names.

    Raises
    ------
    InputError
        For unknown names, a score that judges itself, and a name that a metric has.

    Examples
    --------
    >>> data = EvalSet("toy", "", ("A", "B"), ("1",), {"mqm": [[-1], [0]], "da": [[70], [90]]}, {}, gold="mqm")
    >>> list(with_humans(data).metrics)
    ['da']
    """
    if not isinstance(data, EvalSet):
        raise InputError(f"data: must be an EvalSet, found {type(data).__name__}")
    named = other_humans(data, gold_of(data, human), humans)
    if taken := [name for name in named if name in data.metrics]:
        raise InputError(f"humans: {taken[0]!r} is the name of a metric of the set too; rename one of them")
    return replace(data, metrics={**{name: data.human[name] for name in named}, **data.metrics})
