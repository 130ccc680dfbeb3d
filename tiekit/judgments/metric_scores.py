"""Which scores does a metric give to the ranked translations?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from tiekit.arguments import Exclude
from tiekit.errors import InputError
from tiekit.evalset import EvalSet
from tiekit.judgments.rankings import Rankings
from tiekit.names import find_name
from tiekit.scores import FloatArray, as_scores

Scores: TypeAlias = EvalSet | Mapping[tuple[str, str], float] | pd.DataFrame | ArrayLike
"""An evaluation set, or one metric's scores: by (system, segment), as a labeled frame, or as a matrix."""


def score_matrix(rankings: Rankings, scores: Scores, metric: str | None = None, exclude: Exclude = None) -> FloatArray:
    """One row per system and one column per segment of the rankings; NaN where there is no score."""
    if isinstance(scores, EvalSet):
        return _labeled(rankings, _from_set(rankings, scores, metric, exclude))
    for argument, value in (("metric", metric), ("exclude", exclude)):
        if value is not None:
            raise InputError(f"{argument}: needs an EvalSet as scores, found {type(scores).__name__}")
    if isinstance(scores, pd.DataFrame):
        return _labeled(rankings, scores)
    if isinstance(scores, Mapping):
        return _placed(rankings, scores)
    matrix = as_scores("scores", scores)
    shape = len(rankings.systems), len(rankings.segments)
    if matrix.shape != shape:
        raise InputError(f"scores: must have the shape (systems, segments), {shape}, found {matrix.shape}")
    return matrix


def _from_set(rankings: Rankings, data: EvalSet, metric: str | None, exclude: Exclude) -> pd.DataFrame:
    """The scores of a metric of a set, which must know some of the ranked systems and segments."""
    chosen = data.select(exclude=exclude)
    name = find_name("metric", metric, data.metrics)
    for what, ranked, known in (
        ("system", rankings.systems, chosen.systems),
        ("segment", rankings.segments, chosen.segments),
    ):
        if ranked and set(ranked).isdisjoint(known):
            shown = f"ranked: {', '.join(ranked[:3])}, …; in the set: {', '.join(known[:3])}, …"
            raise InputError(f"scores: no ranked {what} is in the set, which must use the same names ({shown})")
    return pd.DataFrame(chosen.metrics[name], index=list(chosen.systems), columns=list(chosen.segments))


def _labeled(rankings: Rankings, scores: pd.DataFrame) -> FloatArray:
    """The scores of a frame in the order of the rankings."""
    frame = scores.set_axis(scores.index.map(str)).set_axis(scores.columns.map(str), axis=1)
    if not (frame.index.is_unique and frame.columns.is_unique):
        raise InputError("scores: each system must label one row and each segment one column; some labels are repeated")
    frame = frame.reindex(index=list(rankings.systems), columns=list(rankings.segments))
    return as_scores("scores", frame.to_numpy())


def _placed(rankings: Rankings, scores: Mapping[tuple[str, str], float]) -> FloatArray:
    """The scores of a mapping in the order of the rankings; language pairs may share the name of a segment."""
    rows = {system: row for row, system in enumerate(rankings.systems)}
    columns: dict[str, list[int]] = {}
    for column, segment in enumerate(rankings.segments):
        columns.setdefault(segment, []).append(column)
    matrix = np.full((len(rows), len(rankings.segments)), np.nan)
    for cell, score in zip(scores, as_scores("scores", list(scores.values())).tolist(), strict=True):
        if not isinstance(cell, tuple) or len(cell) != 2:
            raise InputError(f"scores: keys must be (system, segment), found {cell!r}")
        if str(cell[0]) in rows:
            matrix[rows[str(cell[0])], columns.get(str(cell[1]), [])] = score
    return matrix
