"""What is the figure of groupings given? Small matrices of scores, their names, and the coefficient."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import ArrayLike

from tiekit.base.errors import InputError
from tiekit.core.registry import get_coefficient
from tiekit.figures.figures import FIGURES
from tiekit.figures.given import line
from tiekit.figures.stages import Shown, check_names, origin_of, read_matrices

Rows = Sequence[Sequence[float]]
"""One row of scores per system, one score per segment; NaN is a missing score."""


def figure_data(
    human: Rows,
    metrics: Mapping[str, Rows],
    coefficient: str,
    systems: Sequence[str] = (),
    segments: Sequence[str] = (),
) -> dict[str, Any]:
    """Return what the browser is given of human scores and of two metrics.

    Parameters
    ----------
    human : sequence of sequence of float
        One row per system, one score per segment.
    metrics : mapping of str to such a sequence
        Two metrics.
    coefficient : str
        By which a metric's agreement with the human scores is measured.
    systems, segments : sequence of str, optional
        Their names; without, they are numbered.
    """
    entry = get_coefficient(coefficient)
    return {
        "human": _rows(human),
        "metrics": [{"name": name, "scores": _rows(scores)} for name, scores in metrics.items()],
        "systems": list(systems) or [f"system {number}" for number in range(1, len(human) + 1)],
        "segments": list(segments) or [f"segment {number}" for number in range(1, len(human[0]) + 1)],
        "coefficient": {"name": entry.name, "label": entry.label},
        "grouping": "global",
        "cell": None,
    }


def _rows(scores: Rows) -> list[list[float | None]]:
    """Scores as JSON takes them, a missing one as null."""
    return [line(row) for row in scores]


def picture(
    human: ArrayLike,
    metrics: Mapping[str, ArrayLike],
    coefficient: str = "acc_eq",
    systems: Sequence[str] = (),
    segments: Sequence[str] = (),
) -> Shown:
    """Show a matrix of scores, four ways to group its cells, and which of two metrics wins by each."""
    h, scores = read_matrices(human, metrics)
    if len(scores) != 2:
        raise InputError(f"metrics: must be two, found {len(scores)}")
    check_names(("systems", systems), ("segments", segments), shape=h.shape)
    rows = {name: one.tolist() for name, one in scores.items()}
    data = figure_data(h.tolist(), rows, coefficient, systems, segments)
    return Shown(FIGURES["grouping"], data, origin_of(h, scores))
