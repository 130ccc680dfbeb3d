"""Which tables have one column, or one row, for each system of a set? They become rows of a metric."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pandas as pd

from tiekit.base.by_label import is_default, text_labels
from tiekit.base.errors import InputError
from tiekit.base.names import names_in
from tiekit.readers._frame import FRAME
from tiekit.sets.evalset import EvalSet

FEWEST = 2
"""So many columns must be systems of the set, and half of them."""

SCORE = "score"
"""The name of a metric that a frame does not name."""


def with_systems_as_columns(data: EvalSet, frame: pd.DataFrame) -> pd.DataFrame:
    """A frame of segments × systems, turned where systems are its rows; any other frame as it is."""
    if frame.columns.nlevels > 1 or frame.index.nlevels > 1:
        return frame
    if are_systems(data, text_labels(frame.index)) and all(map(pd.api.types.is_numeric_dtype, frame.dtypes)):
        frame = frame.T
    elif not are_systems(data, text_labels(frame.columns)):
        return frame
    if is_default(frame.index) or frame.index.name is not None:
        return frame
    return frame.rename_axis("segment")


def with_columns_as_systems(data: EvalSet, scores: EvalSet) -> EvalSet:
    """Scores of one nameless system whose metrics are named like systems of the set, as one metric of these systems."""
    matrices = {**scores.human, **scores.metrics}
    if len(scores.systems) != 1 or not are_systems(data, matrices):
        return scores
    name = scores.name if scores.name not in ("", FRAME, "list") else SCORE
    note = f"Its columns are systems of {data.name}, and their scores those of one metric, {name}."
    stacked = np.concatenate(list(matrices.values()))
    return replace(
        scores,
        systems=tuple(matrices),
        human={},
        metrics={name: stacked},
        gold=None,
        outputs={},
        raters={},
        notes=(*scores.notes, note),
    )


def are_systems(data: EvalSet, names: Iterable[str]) -> bool:
    """Whether most of the names, and at least two, are those of systems of the set."""
    every = list(names)
    try:
        known = sum(name is not None for name in names_in(every, data.systems).values())
    except InputError:
        return False
    return known >= FEWEST and 2 * known >= len(every)
