"""What does the figure of groupings show? Small matrices of scores, their names, and the coefficient."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import ArrayLike

from tiekit.base.errors import InputError
from tiekit.core.registry import get_coefficient
from tiekit.figures.figure import Picture
from tiekit.figures.figures import FIGURES
from tiekit.figures.json_values import check_names, line, origin_of_matrices, read_matrices

Rows = Sequence[Sequence[float]]
"""One row of scores per system, one score per segment; NaN is a missing score."""


def figure_data(
    human: Rows,
    metrics: Mapping[str, Rows],
    coefficient: str,
    systems: Sequence[str] = (),
    segments: Sequence[str] = (),
) -> dict[str, Any]:
    """Return what the figure shows of human scores and of two metrics; without names, rows and columns are numbered."""
    entry = get_coefficient(coefficient)
    return {
        "human": [*map(line, human)],
        "metrics": [{"name": name, "scores": [*map(line, scores)]} for name, scores in metrics.items()],
        "systems": list(systems) or [f"system {number}" for number in range(1, len(human) + 1)],
        "segments": list(segments) or [f"segment {number}" for number in range(1, len(human[0]) + 1)],
        "coefficient": {"name": entry.name, "label": entry.label},
        "grouping": "global",
        "cell": None,
    }


def picture(
    human: ArrayLike,
    metrics: Mapping[str, ArrayLike],
    coefficient: str = "acc_eq",
    systems: Sequence[str] = (),
    segments: Sequence[str] = (),
    aside: Sequence[Sequence[float]] = (),
) -> Picture:
    """Show a matrix of scores, four ways to group its cells, and which of two metrics wins by each."""
    h, scores = read_matrices(human, metrics)
    if len(scores) != 2:
        raise InputError(f"metrics: must be two, found {len(scores)}")
    check_names(h.shape, systems=systems, segments=segments)
    rows = {name: one.tolist() for name, one in scores.items()}
    data = figure_data(h.tolist(), rows, coefficient, systems, segments)
    data["aside"] = [*map(line, aside)]
    return Picture(FIGURES["grouping"], data, origin_of_matrices(h, scores))
