"""What does a notebook see of the calibration explorer? The threshold that is dragged, its counts and its value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import traitlets
from numpy.typing import ArrayLike

from tiekit.api import calibrate
from tiekit.base.errors import InputError
from tiekit.base.validation import check_vectors
from tiekit.core.calibration import Calibration, calibrate_scores, point_at
from tiekit.core.registry import get_coefficient
from tiekit.figures.calibration_explorer import data as shown
from tiekit.figures.figure import Figure
from tiekit.figures.figures import MOST_SCORES
from tiekit.figures.given import check_shown, line, numbers
from tiekit.figures.notebook import Checked, Widget
from tiekit.sets.arguments import Exclude, Human, Metric

_JSON = {
    "to_json": lambda scores, _: None if scores is None else line(scores),
    "from_json": lambda scores, _: None if scores is None else numbers(scores),
}
"""How scores go to the browser and back; many do not go there."""


class CalibrationExplorer(Widget):
    """The curve of a coefficient against ε: drag ε, and watch which pairs become ties and what that does.

    The curve of two vectors of at most 200 scores is computed in the browser, where their pairs are shown too. That of
    more scores comes from Python: at 400 thresholds, among them ε* and each `epsilon` that was set in Python.

    Parameters
    ----------
    data, metric, coefficient, grouping, difference, human, exclude
        As for `calibrate`: human and metric scores, or an `EvalSet` and the name of a metric.
    epsilon : float
        The threshold at first; at least 0.
    name : str or None
        What the metric is called; None is its name in the set, or "metric".

    Attributes
    ----------
    human, metric : list of float or None
        The scores at present, a missing one is NaN; None where the curve comes from Python.
    epsilon : float
        The threshold at present.
    counts : dict of str to int
        How many pairs of each kind there are at epsilon, of all groups together.
    value : float
        The coefficient at epsilon, averaged over the groups in which it is defined.
    best : tuple of two floats
        ε* and the coefficient there.
    calibration : Calibration
        The result of `calibrate`.

    Raises
    ------
    InputError
        As `calibrate`; for scores whose differences exceed float64; for an infinite threshold. A later assignment is
        checked as well, and changes nothing if it is refused.

    Warns
    -----
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

    FIGURE: ClassVar[Figure] = shown.FIGURE
    KEYS: ClassVar[tuple[str, ...]] = shown.KEYS

    human = Checked(None).tag(sync=True, **_JSON)
    metric = Checked(None).tag(sync=True, **_JSON)
    epsilon = Checked(0.0).tag(sync=True)
    counts = traitlets.Dict(read_only=True)
    value = traitlets.Float(read_only=True)
    best = traitlets.Tuple(read_only=True)

    calibration: Calibration

    def __init__(
        self,
        data: Human = None,
        metric: Metric = None,
        coefficient: str = "acc_eq",
        *,
        grouping: str | None = None,
        difference: str = "absolute",
        human: str | ArrayLike | None = None,
        exclude: Exclude = None,
        epsilon: float = 0.0,
        name: str | None = None,
    ) -> None:
        found = calibrate(
            data, metric, coefficient, grouping=grouping, difference=difference, human=human, exclude=exclude
        )
        super().__init__(self._changed_to(found, metric, name, epsilon), epsilon=epsilon, **shown.vectors_of(found))

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
        found = calibrate(data, metric, coefficient, **options)
        fixed, vectors = self._changed_to(found, metric, name, epsilon), shown.vectors_of(found)
        with self.hold_sync(), self.hold_trait_notifications():
            self._fixed, self.epsilon = fixed, epsilon
            self.human, self.metric = vectors["human"], vectors["metric"]
        self._evaluate()

    def _changed_to(self, calibration: Calibration, metric: Metric, name: str | None, epsilon: float) -> dict[str, Any]:
        """Take another calibration, and return what the browser is given of it."""
        self._curve = shown.curve_with(calibration, check_shown(epsilon))
        self.calibration = calibration
        self._name = name or (metric if isinstance(metric, str) else "metric")
        return shown.fixed(calibration, self._curve, self._name)

    @traitlets.validate("human", "metric")
    def _check_scores(self, proposal: Mapping[str, Any]) -> list[float] | None:
        given, which = proposal["value"], proposal["trait"].name
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

    @traitlets.validate("epsilon")
    def _check_epsilon(self, proposal: Mapping[str, Any]) -> float:
        return check_shown(proposal["value"])

    @traitlets.observe("human", "metric")
    def _recalibrate(self, _: Any) -> None:
        if self.human is not None and self.metric is not None:
            human, metric = check_vectors(self.human, self.metric)
            self.calibration = calibrate_scores(human, metric, self.calibration.coefficient, None, "absolute")
            self._evaluate()

    @traitlets.observe("epsilon")
    def _move(self, _: Any) -> None:
        if self._curve is not None and self._curve.add(self.epsilon):
            self._fixed = {**self._fixed, "curve": self._curve.as_json()}
        self._evaluate()

    def _evaluate(self) -> None:
        found = self.calibration
        point = point_at(found.grouped.scores, get_coefficient(found.coefficient), self.epsilon)
        self.set_trait("counts", shown.counts_of(point))
        self.set_trait("value", point.value)
        self.set_trait("best", (found.epsilon, found.value))

    def _made(self) -> tuple[str, str]:
        return shown.title(self._name), shown.origin(self.calibration, self._name)
