"""What is the calibration explorer shown? A few scores themselves, of many the curve at some thresholds."""

from __future__ import annotations

import math
from bisect import insort
from typing import Any

import numpy as np

from tiekit.base.errors import InputError
from tiekit.core._threshold_search import widest
from tiekit.core.calibration import Calibration, Point, candidates, choose_thresholds, point_at
from tiekit.core.pairs import KINDS
from tiekit.core.registry import get_coefficient
from tiekit.figures.figures import FIGURES, MOST_SCORES
from tiekit.figures.given import coefficient_of, kinds, line, made

FIGURE = FIGURES["calibration_explorer"]
KEYS = ("human", "metric", "epsilon")

POINTS = 400
"""At so many thresholds the curve of many scores is drawn."""

_GROUPS = {"item": "segments", "system": "systems"}


class Curve:
    """A calibration's curve at some thresholds; others can be added, which then are exact as well."""

    def __init__(self, calibration: Calibration) -> None:
        self._scores, self._entry = calibration.grouped.scores, get_coefficient(calibration.coefficient)
        self._best = calibration.epsilon
        self.complete = candidates(self._scores, POINTS) is not None
        chosen = {*choose_thresholds(self._scores, POINTS, self._best), self._best}
        self.points = [point_at(self._scores, self._entry, epsilon) for epsilon in sorted(chosen)]

    def add(self, epsilon: float) -> bool:
        """Add a threshold; False if it is there already."""
        if any(point.epsilon == epsilon for point in self.points):
            return False
        insort(self.points, point_at(self._scores, self._entry, epsilon), key=lambda point: point.epsilon)
        return True

    def as_json(self) -> dict[str, Any]:
        """Return thresholds, counts and values in order, an undefined value as null, and which is the best."""
        epsilons = [point.epsilon for point in self.points]
        return {
            "epsilons": epsilons,
            "counts": [point.counts.tolist() for point in self.points],
            "values": line([point.value for point in self.points]),
            "best": epsilons.index(self._best),
            "steps": self.complete,
        }


def is_small(calibration: Calibration) -> bool:
    """Whether the browser computes the curve: of two vectors that are short enough."""
    absolute = calibration.difference == "absolute"
    return calibration.scores[0].ndim == 1 and calibration.scores[0].size <= MOST_SCORES and absolute


def check(calibration: Calibration) -> Calibration:
    """Refuse scores whose differences no axis can show."""
    if not math.isfinite(widest(calibration.grouped.scores)):
        raise InputError("metric: scores lie too far apart to be shown, their difference exceeds float64")
    return calibration


def curve_with(calibration: Calibration, epsilon: float) -> Curve | None:
    """Return the curve of many scores, with this threshold on it; None where the browser computes the curve."""
    if is_small(check(calibration)):
        return None
    curve = Curve(calibration)
    curve.add(epsilon)
    return curve


def fixed(calibration: Calibration, curve: Curve | None, name: str) -> dict[str, Any]:
    """Return what the browser is given beside the scores and the threshold."""
    entry = get_coefficient(calibration.coefficient)
    return {
        "name": name,
        "coefficient": coefficient_of(entry),
        "style": {"kinds": kinds()},
        "curve": curve and curve.as_json(),
        "note": _note(calibration, curve, entry.label),
    }


def _note(calibration: Calibration, curve: Curve | None, label: str) -> str:
    """Say what the curve of groups is, and that it is drawn at some thresholds only."""
    sentences = []
    if groups := _GROUPS.get(calibration.grouping):
        number = f"{calibration.grouped.index.size:,}"
        sentences.append(f"{label} is the mean over {number} {groups}; the counts are those of all {groups} together.")
    if calibration.difference == "relative":
        sentences.append("Differences are relative to the larger of the two scores.")
    if curve is not None and not curve.complete:
        sentences.append("The curve is drawn at some of the possible thresholds; ε* is the best of all.")
    return " ".join(sentences)


def counts_of(point: Point) -> dict[str, int]:
    """Return the pairs of each kind by name."""
    return dict(zip(KINDS, point.counts.tolist(), strict=True))


def title(name: str) -> str:
    """Return the heading of a page of its own."""
    return "Calibration of the metric" if name == "metric" else f"Calibration of {name}"


def origin(calibration: Calibration, name: str) -> str:
    """Return which scores a picture shows."""
    human, metric = (scores.tolist() for scores in calibration.scores)
    if is_small(calibration):
        return made(human, {name: metric})
    return f"{calibration.n_pairs:,} pairs of {name}; {calibration.signature}."


def vectors_of(calibration: Calibration) -> dict[str, list[float] | None]:
    """Return the scores that the browser is given: both vectors, or none."""
    names = ("human", "metric")
    if not is_small(calibration):
        return dict.fromkeys(names)
    return {name: np.asarray(scores).tolist() for name, scores in zip(names, calibration.scores, strict=True)}
