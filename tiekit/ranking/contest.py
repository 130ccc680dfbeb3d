"""Who is compared, on which scores? The human scores and the metrics of one leaderboard."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tiekit.arguments import gold_of, metric_names
from tiekit.counting.grouping import resolve_grouping
from tiekit.errors import InputError
from tiekit.evalset import EvalSet
from tiekit.scores import FloatArray


@dataclass(frozen=True)
class Contest:
    """What is compared: human scores, the metrics' scores, and which groups.

    Attributes
    ----------
    human : ndarray, shape (systems, segments)
    metrics : dict of str to ndarray of that shape
    grouping : str
    selection : dict of str to str
        What was chosen, for signatures: set, human score, systems, segments, digest of the files.
    """

    human: FloatArray
    metrics: dict[str, FloatArray]
    grouping: str
    selection: dict[str, str]


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
    common_cells: bool = False,
) -> Contest:
    """Lay out what `evaluate` compares; parameters as for `leaderboard`."""
    if not isinstance(evalset, EvalSet):
        raise InputError(f"evalset: must be an EvalSet, found {type(evalset).__name__}; tk.correlate takes arrays")
    selected = evalset.select(exclude=exclude, domain=domain, documents=documents, segments=segments)
    rated = gold_of(selected, human)
    names = metric_names(evalset, metrics)
    if not names:
        raise InputError("metrics: there is none to compare")
    scores = {name: selected.metrics[name] for name in names}
    gold = selected.human[rated]
    if common_cells:
        gold = np.where(np.any([np.isnan(m) for m in scores.values()], axis=0), np.nan, gold)
    compared = ~np.isnan(gold).all(axis=1)
    selection = {
        "set": f"{selected.name}/{selected.language_pair}",
        "human": rated,
        "systems": str(int(compared.sum())),
        "left_out": ",".join(name for name in evalset.systems if name not in selected.systems) or "none",
        "segments": str(len(selected.segments)),
        "common_cells": str(common_cells).lower(),
        "data": selected.digest[:12],
    }
    return Contest(gold, scores, resolve_grouping(grouping, 2), selection)
