"""What is the figure of all metrics' curves given? Of each metric some thresholds, exactly evaluated, and its best."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from tiekit.base.parallel import Progress
from tiekit.base.validation import FloatArray
from tiekit.core.calibration import Calibration, calibrate_scores, candidates, points_at, spread_of_differences
from tiekit.core.registry import get_coefficient
from tiekit.figures.given import kinds

POINTS = 100
"""So many thresholds of a metric are evaluated, beside 0 and the best one, spread evenly over its pairs."""


class ThinCurve(NamedTuple):
    """A metric's coefficient at some thresholds, ascending.

    Attributes
    ----------
    epsilons, values : list of float
        The thresholds, and the coefficient at each; None where it is undefined.
    tied, both, concordant : list of float
        Of the pairs of all groups together, the shares that the metric ties, that both tie, and that are concordant.
    best : int
        The place of the best threshold.
    human : float
        The share of these pairs that the human ties.
    deviation : float
        The standard deviation of the metric's scores; None where it is 0 and for relative differences.
    """

    epsilons: list[float]
    values: list[float | None]
    tied: list[float]
    both: list[float]
    concordant: list[float]
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

    Parameters
    ----------
    human, metric : FloatArray
        Scores, systems × segments or two vectors.
    settings : tuple of str
        Coefficient, grouping and difference, as `tiekit.calibrate` takes them.
    progress : function of a float, optional
        Called with the fraction done; raise an exception to cancel.
    documents : sequence of str, optional
        The document of each segment; a grouping by document needs it.
    """
    best = calibrate_scores(human, metric, *settings, documents=documents)
    if not best.n_pairs or math.isnan(best.value):
        return None
    scores, entry = best.grouped.scores, get_coefficient(best.coefficient)
    thresholds = _thresholds(best)
    points = points_at(scores, entry, thresholds, progress)
    counts = np.array([point.counts for point in points])
    shares = counts / counts.sum(axis=1, keepdims=True)
    deviation = 0.0 if settings[2] == "relative" else float(np.std(scores.metric))
    return ThinCurve(
        [_short(epsilon) if epsilon != best.epsilon else epsilon for epsilon in thresholds],
        [None if math.isnan(point.value) else point.value for point in points],
        tied=_rounded(shares[:, 3] + shares[:, 4]),
        both=_rounded(shares[:, 4]),
        concordant=_rounded(shares[:, 0]),
        best=thresholds.index(best.epsilon),
        human=float(shares[0, 2] + shares[0, 4]),
        deviation=deviation if deviation and math.isfinite(deviation) else None,
    )


def _thresholds(best: Calibration) -> list[float]:
    """All candidates where they are few, otherwise some that are spread evenly over the pairs; the best among them."""
    scores = best.grouped.scores
    found = candidates(scores, POINTS) or [0.0, *spread_of_differences(scores, POINTS)]
    return [epsilon for epsilon in sorted({*found, best.epsilon}) if math.isfinite(epsilon)]


def _short(epsilon: float) -> float:
    return float(f"{epsilon:.6g}")


def _rounded(shares: FloatArray) -> list[float]:
    return [float(share) for share in np.round(shares, 5)]


def constant_value(
    human: FloatArray, settings: tuple[str, str | None, str], documents: Sequence[str] | None = None
) -> float | None:
    """Return the coefficient of a metric that gives every translation the same score; None where it is undefined."""
    value = calibrate_scores(human, np.where(np.isnan(human), np.nan, 0.0), *settings, documents=documents).value
    return None if math.isnan(value) else value


def given(
    curves: Mapping[str, ThinCurve], coefficient: str, constant: float | None, chosen: str, tied: float | None = None
) -> dict[str, Any]:
    """Return what the browser is given.

    Parameters
    ----------
    curves : mapping of str to ThinCurve
        By metric; there is at least one.
    coefficient : str
        The name of the coefficient.
    constant : float or None
        What a constant metric reaches, see `constant_value`.
    chosen : str
        The metric whose curve is bold; the first of the curves where it has none.
    tied : float or None
        The share of tied pairs at which the crosshair stands; None is at the best threshold.
    """
    return {
        "label": get_coefficient(coefficient).label,
        "kinds": kinds(),
        "constant": constant,
        "curves": [{"name": name, **curve._asdict()} for name, curve in curves.items()],
        "chosen": chosen if chosen in curves else next(iter(curves)),
        "tied": tied,
    }
