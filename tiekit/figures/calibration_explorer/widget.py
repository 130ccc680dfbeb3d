"""What does a notebook see of the calibration explorer? The threshold that is dragged, its counts and its value."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import traitlets
from numpy.typing import ArrayLike

from tiekit.api import calibrate
from tiekit.base.errors import InputError
from tiekit.base.validation import check_vectors
from tiekit.core.calibration import Calibration, calibrate_scores, calibrated_measure, point_at
from tiekit.core.coefficients import pool
from tiekit.core.registry import get_coefficient
from tiekit.figures import calibration_explorer as shown
from tiekit.figures.arguments import Metrics, Segment, named_scores, read_given, scope_of_result
from tiekit.figures.figure import Scope
from tiekit.figures.figures import MOST_SCORES
from tiekit.figures.json_values import check_shown, line, names_of_result, numbers
from tiekit.figures.notebook import Checked, Moving, Widget
from tiekit.sets.arguments import Exclude, Human, Metric
from tiekit.sets.evalset import EvalSet

_JSON = {
    "to_json": lambda scores, _: None if scores is None else line(scores),
    "from_json": lambda scores, _: None if scores is None else numbers(scores),
}
"""How scores go to the browser and back; many do not go there."""


class CalibrationExplorer(Widget):
    """The curve of a coefficient against ε: drag ε, and watch which pairs become ties and what that does.

    Of several metrics it shows the curves of all over the share of pairs that each one ties, and where calibration
    moves each of them; the one that is chosen has a crosshair.

    The curve of two vectors of at most 200 scores is computed in the browser, where their pairs are shown too. That of
    more scores comes from Python: at 400 thresholds, among them ε* and each `epsilon` that was set in Python.

    Parameters
    ----------
    data : EvalSet, Calibration, or array_like of shape (n,) or (systems, segments)
        An evaluation set, human scores, or what `calibrate` returned.
    metric : names in the set, or scores of the shape of the human ones: a mapping, a DataFrame, one metric or several
        One metric or several; None is all of a set.
    coefficient, grouping, difference, human, exclude
        As for `calibrate`.
    segment : str, int or sequence of these, optional
        The segments that are counted, by name, or by place from 0 where names are no numbers; all by default.
    cells : {"common", "own"} or None
        Which cells several metrics are compared on, as for `tiekit.leaderboard`: those that every metric has scored, or
        each metric's own. A metric that would stand apart there is not shown.
    epsilon : float
        The threshold at first, of one metric; at least 0.
    name : str or None
        What the metric is called; None is its name in the set, or "metric".

    Attributes
    ----------
    human, metric : list of float or None
        The scores at present, a missing one is NaN; None where the curve comes from Python.
    epsilon : float
        The threshold at present; of one metric.
    chosen : str or None
        Of several metrics the one whose curve is bold, at first the best; otherwise None.
    tied : float or None
        Of several metrics the share of tied pairs at which the crosshair stands, None at ε*.
    counts : dict of str to int
        How many pairs of each kind there are at epsilon, of all groups together; of one metric.
    value : float
        The coefficient at epsilon or at the crosshair, averaged over the groups in which it is defined.
    best : tuple of two floats
        ε* and the coefficient there; of several metrics those of the chosen one.
    calibration : Calibration
        The result of `calibrate`; of one metric.

    Raises
    ------
    InputError
        As `calibrate`; for scores whose differences exceed float64; for an infinite threshold.

    Warns
    -----
    CoverageWarning
        Cells are left out because a metric has not scored them, or a metric stands apart.
    NearTieWarning
        As `calibrate`.

    Examples
    --------
    >>> explorer = CalibrationExplorer([1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3])
    >>> explorer.best
    (0.5, 0.7)
    >>> explorer.epsilon = 1
    >>> explorer.value, explorer.counts["ties_metric"]
    (0.6, 3)
    """

    FIGURE = shown.FIGURE

    human = Checked(None).tag(sync=True, **_JSON)
    metric = Checked(None).tag(sync=True, **_JSON)
    epsilon = Moving(0.0).tag(sync=True)
    chosen = Moving(None).tag(sync=True)
    tied = Moving(None).tag(sync=True)
    counts = traitlets.Dict(read_only=True)
    value = traitlets.Float(read_only=True)
    best = traitlets.Tuple(read_only=True)

    calibration = traitlets.Any(read_only=True)
    _curve: shown.Curve | None = None
    _curves: Mapping[str, Any] = MappingProxyType({"curves": ()})

    def __init__(
        self,
        data: Human | Calibration = None,
        metric: Metrics = None,
        coefficient: str = "acc_eq",
        *,
        grouping: str | None = None,
        difference: str = "absolute",
        human: str | ArrayLike | None = None,
        exclude: Exclude = None,
        segment: Segment = None,
        cells: str | None = None,
        epsilon: float = 0.0,
        name: str | None = None,
    ) -> None:
        scope: Scope | None = None
        options: dict[str, Any] = {"grouping": grouping, "difference": difference, "human": human, "exclude": exclude}
        scores: Any = metric
        if isinstance(data, Calibration):
            self._show_one(data, metric, name, epsilon)
            return
        several = _are_several(human if data is None else data, metric)
        if several:
            given = read_given(data, metric, human, exclude, segment).on_cells(cells)
            fixed, self._origin = shown.curves_of(given.human, given.metrics, coefficient, grouping, difference)
            keys = {key: fixed.pop(key) for key in self.FIGURE.keys}
            self._curves = fixed
            by = calibrated_measure(coefficient, grouping, given.human.ndim)[1]
            super().__init__(fixed, given.scope(by), chosen=keys["chosen"], epsilon=epsilon)
            return
        if segment is not None:
            given = read_given(data, metric, human, exclude, segment)
            scope = given.scope(calibrated_measure(coefficient, grouping, given.human.ndim)[1])
            data, options["human"], options["exclude"], scores = given.human, None, None, given.metrics
        elif not isinstance(data, EvalSet) and metric is not None and not isinstance(metric, str):
            scores = named_scores(human if data is None else data, metric)
        if isinstance(scores, dict):
            [(only, scores)] = scores.items()
            name = name or (None if only == "m1" else only)
        asked: dict[str, Any] = {"data": data, "metric": scores, **options}
        self._show_one(calibrate(coefficient=coefficient, **asked), metric, name, epsilon, scope)

    def _show_one(
        self, found: Calibration, metric: object, name: str | None, epsilon: float, scope: Scope | None = None
    ) -> None:
        fixed = self._take_calibration(found, metric, name, epsilon)
        scope = scope or scope_of_result(found.signature, found.scores)
        super().__init__(fixed, scope, epsilon=epsilon, **shown.vectors_of(found))

    def show(
        self,
        data: Human = None,
        metric: Metric = None,
        coefficient: str = "acc_eq",
        *,
        epsilon: float = 0.0,
        name: str | None = None,
        **options: Any,
    ) -> None:
        """Show other scores or another coefficient, all at once; parameters and options are those of the class."""
        if self._curves["curves"] or _are_several(data, metric):
            raise InputError("show: make another explorer for several metrics, or instead of one of several")
        given: dict[str, Any] = {"data": data, "metric": metric, **options}
        found = calibrate(coefficient=coefficient, **given)
        fixed, vectors = self._take_calibration(found, metric, name, epsilon), shown.vectors_of(found)
        with self.hold_sync(), self.hold_trait_notifications():
            self._fixed, self.epsilon = self._with_scope(fixed, scope_of_result(found.signature, found.scores)), epsilon
            self.human, self.metric = vectors["human"], vectors["metric"]
        self._evaluate()

    def _take_calibration(
        self, calibration: Calibration, metric: object, name: str | None, epsilon: float
    ) -> dict[str, Any]:
        """Take another calibration, and return what the browser is given of it."""
        self._curve = shown.curve_with(calibration, check_shown(epsilon))
        self.set_trait("calibration", calibration)
        self._name = name or (metric if isinstance(metric, str) else names_of_result(calibration, "metric")[0])
        return shown.data_of_curve(calibration, self._curve, self._name)

    @traitlets.validate("human", "metric")
    def _check_scores(self, proposal: Mapping[str, Any]) -> list[float] | None:
        given, which = proposal["value"], proposal["trait"].name
        if self._curves["curves"]:
            raise InputError(f"{which}: must be None of several metrics, found scores")
        if (given is None) != (self._curve is not None):
            raise InputError(f"{which}: use show() to change from few scores to many or back")
        if given is None:
            return None
        both = {"human": self.human, "metric": self.metric, which: given}
        human, metric = check_vectors(both["human"], both["metric"])
        if human.size > MOST_SCORES:
            raise InputError(f"{which}: use show() for more than {MOST_SCORES} scores, found {human.size}")
        shown.check(calibrate_scores(human, metric, self.calibration.coefficient, None, "absolute"))
        checked: list[float] = (human if which == "human" else metric).tolist()
        return checked

    def _check(self, key: str, value: Any) -> Any:
        if key == "chosen" and value is None and self._curves["curves"]:
            raise InputError("chosen: must be a metric of several, found None")
        if key == "epsilon" and value and self._curves["curves"]:
            raise InputError(f"epsilon: is of one metric, found {value}; of several set tied, a share of tied pairs")
        return super()._check(key, value)

    @traitlets.observe("human", "metric")
    def _recalibrate(self, _: Any) -> None:
        if self.human is not None and self.metric is not None:
            human, metric = check_vectors(self.human, self.metric)
            found = calibrate_scores(human, metric, self.calibration.coefficient, None, "absolute")
            self.set_trait("calibration", found)
            self._evaluate()

    @traitlets.observe("chosen", "tied")
    def _move_crosshair(self, _: Any) -> None:
        for curve in self._curves["curves"]:
            if curve["name"] == self.chosen:
                best = at = curve["best"]
                if self.tied is not None:
                    at = int(np.abs(np.array(curve["tied"]) - self.tied).argmin())
                now, highest = (
                    math.nan if curve["values"][one] is None else curve["values"][one] for one in (at, best)
                )
                self.set_trait("value", now)
                self.set_trait("best", (curve["epsilons"][best], highest))

    @traitlets.observe("epsilon")
    def _move(self, _: Any) -> None:
        if self._curve is not None and self._curve.add(self.epsilon):
            self._fixed = {**self._fixed, "curve": self._curve.as_json()}
        if not self._curves["curves"]:
            self._evaluate()

    def _evaluate(self) -> None:
        found = self.calibration
        point = point_at(found.grouped.scores, pool(get_coefficient(found.coefficient), found.average), self.epsilon)
        self.set_trait("counts", shown.counts_of(point))
        self.set_trait("value", point.value)
        self.set_trait("best", (found.epsilon, found.value))

    def _title_and_origin(self) -> tuple[str, str]:
        if self._curves["curves"]:
            return shown.TITLE_OF_CURVES, self._origin
        return shown.title(self._name), shown.origin(self.calibration, self._name)


def _are_several(data: object, metric: Any) -> bool:
    """Return whether several metrics are asked for: scores by name, names, or all of a set."""
    if isinstance(data, EvalSet):
        return not isinstance(metric, str)
    return isinstance(metric, Mapping) or (metric is not None and len(named_scores(data, metric)) > 1)
