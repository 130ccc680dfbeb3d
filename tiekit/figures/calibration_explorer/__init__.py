"""What is the calibration explorer shown? A few scores, the curve of many, or those of all metrics."""

from __future__ import annotations

import math
from bisect import insort
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from tiekit.base.errors import InputError
from tiekit.base.parallel import Progress, still, tell
from tiekit.base.validation import FloatArray
from tiekit.core._threshold_search import widest
from tiekit.core.calibration import (
    Calibration,
    Point,
    calibrate_scores,
    calibrated_measure,
    candidates,
    choose_thresholds,
    point_at,
    points_at,
    spread_of_differences,
)
from tiekit.core.coefficients import pool
from tiekit.core.pairs import KINDS
from tiekit.core.registry import get_coefficient
from tiekit.figures.figures import FIGURES, MOST_SCORES
from tiekit.figures.json_values import (
    check_shown,
    coefficient_of,
    display_names,
    kinds,
    line,
    origin_of_matrices,
    origin_of_scores,
)

FIGURE = FIGURES["calibration_explorer"]
TITLE_OF_CURVES = "How close must two metric scores be to count as tied?"

POINTS = 400
"""Number of thresholds at which the curve of many scores is drawn."""

_GROUPS = {"item": "segments", "system": "systems"}


class Curve:
    """A calibration's curve at some thresholds; others can be added, which then are exact as well."""

    def __init__(self, calibration: Calibration, progress: Progress | None = None) -> None:
        self._entry = pool(get_coefficient(calibration.coefficient), calibration.average)
        self._scores, self._best = calibration.grouped.scores, calibration.epsilon
        self.complete = candidates(self._scores, POINTS) is not None
        chosen = {*choose_thresholds(self._scores, POINTS, self._best), self._best}
        self.points = points_at(self._scores, self._entry, sorted(chosen), progress)

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
    """Whether the browser computes the curve: of two vectors that are short enough, and whose texts all differ."""
    plain = calibration.difference == "absolute" and calibration.labels is None
    return calibration.scores[0].ndim == 1 and calibration.scores[0].size <= MOST_SCORES and plain


def check(calibration: Calibration) -> Calibration:
    """Refuse scores whose differences no axis can show."""
    if not math.isfinite(widest(calibration.grouped.scores)):
        raise InputError("metric: scores lie too far apart to be shown, their difference exceeds float64")
    return calibration


def curve_with(calibration: Calibration, epsilon: float, progress: Progress | None = None) -> Curve | None:
    """Return the curve of many scores, with this threshold on it; None where the browser computes the curve."""
    if is_small(check(calibration)):
        return None
    curve = Curve(calibration, progress)
    curve.add(epsilon)
    return curve


def data_of_curve(calibration: Calibration, curve: Curve | None, name: str) -> dict[str, Any]:
    """Return what the browser is given beside the scores and the threshold."""
    entry = get_coefficient(calibration.coefficient)
    return {
        "name": name,
        "coefficient": coefficient_of(entry),
        "style": {"kinds": kinds()},
        "curve": curve and curve.as_json(),
        "curves": [],
        "note": _note(calibration, curve, entry.label),
    }


def _note(calibration: Calibration, curve: Curve | None, label: str) -> str:
    """Say what the curve of groups is, and that it is drawn at some thresholds only."""
    sentences = []
    if (groups := _GROUPS.get(calibration.grouping)) and calibration.grouped.index.size > 1:
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
        return origin_of_scores(human, {name: metric})
    return f"{calibration.n_pairs:,} pairs of {name}; {calibration.signature}."


def vectors_of(calibration: Calibration) -> dict[str, list[float] | None]:
    """Return the scores that the browser is given: both vectors, or none."""
    names = ("human", "metric")
    if not is_small(calibration):
        return dict.fromkeys(names)
    return {name: np.asarray(scores).tolist() for name, scores in zip(names, calibration.scores, strict=True)}


def calibration_page(
    calibration: Calibration, name: str, epsilon: float | None = None, progress: Progress | None = None
) -> str:
    """Return the text of a page that shows what `tiekit.calibrate` returned, at first at ε* or another threshold."""
    now = check_shown(calibration.epsilon if epsilon is None else epsilon)
    curve = curve_with(calibration, now, progress)
    vectors = {key: scores and line(scores) for key, scores in vectors_of(calibration).items()}
    data = {**data_of_curve(calibration, curve, name), **vectors, "epsilon": now, "chosen": None, "tied": None}
    return FIGURE.page(data, origin(calibration, name), title(name))


THIN_POINTS = 100
"""Number of thresholds of each of several metrics, beside 0 and the best one, spread evenly over its pairs."""


class ThinCurve(NamedTuple):
    """A metric's coefficient at some thresholds, ascending; None where it is undefined.

    Of the pairs of all groups together ``tied`` are the shares that the metric ties, ``human`` is the share that the
    human ties. ``best`` is the place of ε*.
    ``deviation`` is that of the metric's scores; None where it is 0 and for relative differences.
    """

    epsilons: list[float]
    values: list[float | None]
    tied: list[float]
    best: int
    human: float
    deviation: float | None


def thin_curve(
    human: FloatArray,
    metric: FloatArray,
    settings: tuple[str, str | None, str],
    progress: Progress | None = None,
    documents: Sequence[str] | None = None,
) -> ThinCurve | None:
    """Calibrate and return the thinned curve; None where there is no pair or no value.

    ``settings`` are the coefficient, the grouping and the difference, as `tiekit.calibrate` takes them.
    """
    best = calibrate_scores(human, metric, *settings, still(progress, 0.0), documents)
    tell(progress, 0.0)
    if not best.n_pairs or math.isnan(best.value):
        return None
    scores, entry = best.grouped.scores, get_coefficient(best.coefficient)
    thresholds = _thresholds(best)
    points = points_at(scores, entry, thresholds, progress)
    counts = np.array([point.counts for point in points])
    shares = counts / counts.sum(axis=1, keepdims=True)
    deviation = 0.0 if settings[2] == "relative" else float(np.std(scores.metric))
    return ThinCurve(
        [float(f"{epsilon:.6g}") if epsilon != best.epsilon else epsilon for epsilon in thresholds],
        line([point.value for point in points]),
        tied=(shares[:, 3] + shares[:, 4]).round(5).tolist(),
        best=thresholds.index(best.epsilon),
        human=float(shares[0, 2] + shares[0, 4]),
        deviation=deviation if deviation and math.isfinite(deviation) else None,
    )


def _thresholds(best: Calibration) -> list[float]:
    """All candidates where they are few, otherwise some that are spread evenly over the pairs; the best among them."""
    scores = best.grouped.scores
    found = candidates(scores, THIN_POINTS) or [0.0, *spread_of_differences(scores, THIN_POINTS)]
    return [epsilon for epsilon in sorted({*found, best.epsilon}) if math.isfinite(epsilon)]


def constant_value(
    human: FloatArray, settings: tuple[str, str | None, str], documents: Sequence[str] | None = None
) -> float | None:
    """Return the coefficient of a metric that gives every translation the same score; None where it is undefined."""
    value = calibrate_scores(human, np.where(np.isnan(human), np.nan, 0.0), *settings, documents=documents).value
    return None if math.isnan(value) else value


def all_curves(
    curves: Mapping[str, ThinCurve], coefficient: str, constant: float | None, chosen: str, tied: float | None = None
) -> dict[str, Any]:
    """Return what is shown of one or more metrics.

    ``constant`` is what a constant metric reaches, ``chosen`` the metric whose curve is bold (the first one if it has
    none), ``tied`` the share of tied pairs at which the crosshair stands, None at the best threshold.
    """
    labels = display_names(curves)
    return {
        "human": None,
        "metric": None,
        "epsilon": 0.0,
        "curve": [],
        "label": get_coefficient(coefficient).label,
        "style": {"kinds": kinds()},
        "constant": constant,
        "curves": [{"name": name, "short": labels[name], **curve._asdict()} for name, curve in curves.items()],
        "chosen": chosen if chosen in curves else next(iter(curves)),
        "tied": tied,
    }


def curves_of(
    human: FloatArray,
    metrics: Mapping[str, FloatArray],
    coefficient: str,
    grouping: str | None = None,
    difference: str = "absolute",
) -> tuple[dict[str, Any], str]:
    """Return what is shown of several metrics, and of which scores; the best metric is chosen."""
    entry, grouping = calibrated_measure(coefficient, grouping, human.ndim)
    settings = (entry.name, grouping, difference)
    curves = {name: curve for name, one in metrics.items() if (curve := thin_curve(human, one, settings)) is not None}
    if not curves:
        raise InputError(f"metrics: no metric has a value of {entry.name}")
    best = max(curves, key=lambda name: curves[name].values[curves[name].best] or -math.inf)  # no frame
    data_of_all = all_curves(curves, entry.name, constant_value(human, settings), best)
    return data_of_all, origin_of_matrices(human, metrics)
