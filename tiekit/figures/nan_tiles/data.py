"""What are the NaN tiles shown? Scores of a few segments, a coefficient, and the ties that a hand has made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tiekit.core.coefficients import Coefficient, average, values_per_group
from tiekit.core.grouping import group
from tiekit.figures.given import line
from tiekit.figures.nan_explorer.data import reasons

Rows = Sequence[Sequence[float]]
"""One row per segment, with one score per system."""

Tie = list[int]
"""A segment and two systems, counted from 0."""


def tied(scores: Rows, ties: Sequence[Tie]) -> list[list[float]]:
    """Return scores with ties.

    Two scores of a segment become the lower of them, and so do all between them: no pair changes its order.
    """
    rows = [[*row] for row in scores]
    for segment, *pair in ties:
        low, high = sorted(rows[segment][system] for system in pair)
        rows[segment] = [low if low <= score <= high else score for score in rows[segment]]
    return rows


def is_tie(scores: Rows, one: Any) -> bool:
    """Return whether this names a segment and two systems whose scores are there."""
    if not (isinstance(one, list) and len(one) == 3 and all(type(place) is int and place >= 0 for place in one)):
        return False
    segment, *pair = one
    if segment >= len(scores) or pair[0] == pair[1] or max(pair) >= len(scores[segment]):
        return False
    return all(scores[segment][system] == scores[segment][system] for system in pair)


def worst(human: Rows, metrics: Mapping[str, Rows], entry: Coefficient) -> str:
    """Return the metric with the lowest mean over the segments with a value; of several, or of none, the last."""
    means = {
        name: average(values_per_group(group(np.transpose(human), np.transpose(rows), "item"), entry), "drop")
        for name, rows in metrics.items()
    }
    known = [mean for mean in means.values() if mean == mean]
    return [name for name, mean in means.items() if not known or mean == min(known)][-1]


def given(
    human: Rows, metrics: Mapping[str, Rows], entry: Coefficient, systems: Sequence[str], segments: Sequence[str]
) -> dict[str, Any]:
    """Return all that the tiles are shown, as JSON takes it; nothing is tied."""
    return {
        "systems": [*systems],
        "segments": [*segments],
        "human": [line(row) for row in human],
        "metrics": [{"name": name, "scores": [line(row) for row in rows]} for name, rows in metrics.items()],
        "coefficient": {"name": entry.name, "label": entry.label},
        "goal": worst(human, metrics, entry),
        "ties": [],
        "style": {"reasons": reasons()},
    }
