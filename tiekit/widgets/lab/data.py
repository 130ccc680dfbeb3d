"""What is the lab shown? Scores, and how each coefficient and each kind of pairs is called and counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tiekit.coefficients.formula import SYMBOLS
from tiekit.coefficients.registry import COEFFICIENTS
from tiekit.counting.pairs import KINDS
from tiekit.errors import InputError
from tiekit.kind_style import KIND_STYLE
from tiekit.scores import check_vectors
from tiekit.signature import digest_of

MOST_SCORES = 200
"""More would not move at once."""

MOST_METRICS = 6

Metrics = Mapping[str, ArrayLike] | Sequence[ArrayLike]
"""Scores by the metric's name, or without names, which are then m1, m2 …"""


def vectors(human: ArrayLike, metrics: Metrics) -> tuple[list[float], dict[str, list[float]]]:
    """Check human scores and those of metrics: vectors of one length, of a size that can be shown.

    Raises
    ------
    InputError
        They are no vectors of one length, no metric or more than `MOST_METRICS` are given, a name is empty, or there
        are more than `MOST_SCORES` scores.
    """
    if not isinstance(metrics, Mapping):
        metrics = {f"m{number}": scores for number, scores in enumerate(metrics, 1)}
    if not 1 <= len(metrics) <= MOST_METRICS:
        raise InputError(f"metrics: must be 1 to {MOST_METRICS}, found {len(metrics)}")
    checked: dict[str, list[float]] = {}
    for name, scores in metrics.items():
        if not isinstance(name, str) or not name.strip():
            raise InputError(f"metrics: every name must be a text that is not empty, found {name!r}")
        h, m = check_vectors(human, scores)
        checked[name] = m.tolist()
    if h.size > MOST_SCORES:
        raise InputError(f"human: must have at most {MOST_SCORES} scores to be dragged, found {h.size}")
    return h.tolist(), checked


def line(scores: Sequence[float]) -> list[float | None]:
    """Return scores as JSON takes them, a missing one as null."""
    return [None if score != score else score for score in scores]


def metrics_in_slots(metrics: Mapping[str, Sequence[float]], slots: Mapping[str, int] | None = None) -> list[Any]:
    """Return what the browser is given of metrics; changes name them by the number of their line, from 1."""
    slots = slots or {name: number for number, name in enumerate(metrics, 1)}
    return [{"name": name, "slot": slots[name], "scores": line(scores)} for name, scores in metrics.items()]


def fixed() -> dict[str, Any]:
    """Return what no scores change: coefficients and kinds of pairs."""
    return {"coefficients": coefficients(), "style": {"kinds": kinds()}, "large": False}


def coefficients() -> list[dict[str, Any]]:
    """Return every coefficient's name and label, and how it counts a pair of each kind."""
    return [
        {
            "name": entry.name,
            "label": entry.label,
            "effects": {kind: entry.effect(kind) for kind in KINDS} if entry.formula else None,
        }
        for entry in COEFFICIENTS.values()
    ]


@cache
def kinds() -> list[dict[str, str]]:
    """Return how a pair of each kind looks and what it is called."""
    return [
        {
            "kind": kind,
            "color": color,
            "on": "#FFFFFF" if kind == "concordant" else "#000000",
            "glyph": glyph,
            "label": label,
            "symbol": symbol,
        }
        for (kind, (color, glyph, label)), symbol in zip(KIND_STYLE.items(), SYMBOLS, strict=False)
    ]


def made(human: Sequence[float], metrics: Mapping[str, Sequence[float]]) -> str:
    """Return which scores a picture shows: themselves where they are few, else how many and their digest."""
    lines = {"human": human, **metrics}
    if len(human) > 12:
        digest = digest_of(np.array([*lines.values()]))
        return f"{len(human)} scores of the human and of {', '.join(metrics)}, digest {digest}."
    written = [f"{name}: {' '.join(f'{score:g}' for score in scores)}" for name, scores in lines.items()]
    return " · ".join(written) + "."
