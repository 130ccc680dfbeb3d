"""What is the swap explorer shown? Scores of two metrics, and the same scores standardized, as a test swaps them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tiekit.base.errors import InputError
from tiekit.base.validation import FloatArray, check_pair
from tiekit.core.registry import COEFFICIENTS
from tiekit.figures.given import line
from tiekit.significance._recount import lay_out
from tiekit.significance._resampling import as_matrix
from tiekit.significance.permutation import differing, is_constant

MOST_SCORES = 60
"""More items would not be swapped by hand."""

MOST_DRAWS = 9_999
"""The most random swaps that are counted."""

FEW_ITEMS = 12
"""Up to so many items, every way to swap them is tried on request."""

Scores = tuple[FloatArray, FloatArray, FloatArray]
"""Human scores, and those of two metrics."""


def vectors(human: ArrayLike, a: ArrayLike, b: ArrayLike) -> Scores:
    """Check human scores and those of two metrics: vectors of one length, of a size that can be shown.

    Raises
    ------
    InputError
        They are no vectors of one length, or there are more than `MOST_SCORES` scores.
    """
    h, first = check_pair(human, a, "a")
    _, second = check_pair(human, b, "b")
    if h.ndim != 1:
        raise InputError(f"human: must be a vector, found shape {h.shape}")
    if h.size > MOST_SCORES:
        raise InputError(f"human: must have at most {MOST_SCORES} scores to be swapped by hand, found {h.size}")
    return h, first, second


def two_names(names: Sequence[str]) -> tuple[str, str]:
    """Check the names of two metrics: two different texts that are not empty."""
    found = list(names) if isinstance(names, Sequence) and not isinstance(names, str) else []
    if len(found) != 2 or found[0] == found[1] or not all(isinstance(name, str) and name.strip() for name in found):
        raise InputError(f"names: must be two different texts that are not empty, found {names!r}")
    return found[0], found[1]


def items(scores: Scores) -> list[int]:
    """Return the items whose scores can be swapped: those with a human score and a score of a metric."""
    return [int(item) for item in np.flatnonzero(differing(*scores))]


def standardized(scores: Scores) -> list[list[float]]:
    """Return both metrics' scores as a permutation test swaps them; a missing one is NaN."""
    human, *metrics = (as_matrix(one) for one in scores)
    atoms = lay_out(human, metrics, "global", (0.0, 0.0))
    z = np.full((2, human.size), np.nan)
    z[atoms.source, atoms.cell] = atoms.z
    return [[float(score) for score in row] for row in z]


def fixed(scores: Scores, names: tuple[str, str]) -> dict[str, Any]:
    """Return what no swap changes: the scores, which items can be swapped, the coefficients, and the bounds."""
    human, *metrics = scores
    return {
        "human": line(human.tolist()),
        "metrics": [
            {"name": name, "scores": line(metric.tolist()), "z": line(z), "constant": is_constant(human, metric)}
            for name, metric, z in zip(names, metrics, standardized(scores), strict=True)
        ],
        "items": items(scores),
        "coefficients": [{"name": entry.name, "label": entry.label} for entry in COEFFICIENTS.values()],
        "most": MOST_DRAWS,
        "few": FEW_ITEMS,
    }
