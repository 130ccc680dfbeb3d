"""What does a notebook see of the lab? Scores and a threshold that are dragged, with all counts and coefficients."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import traitlets
from numpy.typing import ArrayLike

from tiekit.api import correlate
from tiekit.base.errors import InputError
from tiekit.core.pairs import PairCounts, count_pairs
from tiekit.core.registry import COEFFICIENTS
from tiekit.figures import lab as shown
from tiekit.figures.arguments import Given, Metrics, Segment, check_one_list, read_given
from tiekit.figures.figures import FIGURES, MOST_METRICS, MOST_SCORES
from tiekit.figures.json_values import check_shown, line, numbers, origin_of_scores
from tiekit.figures.notebook import Checked, Moving, Widget
from tiekit.sets.arguments import Exclude, Human


class TieLab(Widget):
    """The toy lab: drag a score or the threshold, and watch every count and every coefficient.

    The browser computes what it shows from tiekit's own formulas; `counts` and `values` are tiekit's own results.

    Parameters
    ----------
    data : EvalSet, or array_like of shape (n,) or (systems, segments)
        An evaluation set, or human scores, higher is better; a NaN or None leaves the item out of every pair. The first
        200 are shown; of a matrix and of a set the scores of one segment.
    metrics : names in the set, or scores of the shape of the human ones: a mapping, a DataFrame, one metric or several
        The first six metrics are shown; without names they are called m1, m2 …
    epsilon : float
        Scores of the metric ``epsilon_of`` at most so far apart are tied by it; at least 0, and finite. The other
        metrics tie equal scores alone, as calibration has a threshold for each metric.
    predict : bool
        Ask which metric has the highest acc_eq, and show the coefficients only once that is answered.
    epsilon_of : str, optional
        Whose threshold ``epsilon`` is; without it the second metric's, or the only one's.
    segment : str or int, optional
        The segment, by its name, or by its place from 0 if its name is no number; by default the first on which human
        scores tie and differ.
    cells : {"common", "own"} or None
        Which cells are compared, as for `tiekit.leaderboard`: those that every metric has scored, or each metric's own.
        A metric that would stand apart there is not shown.
    human, exclude
        As for `tiekit.correlate`.

    Attributes
    ----------
    human : list of float
        The human scores at present; a missing one is NaN.
    metrics : dict of str to list of float
        The scores of each metric at present.
    epsilon : float
        The threshold at present.
    epsilon_of : str
        The metric whose threshold it is; where new scores lack that metric, the second, or the only one.
    pair : list of int or None
        The two items of the chosen pair, the first item being 0.
    step : int or None
        How many pairs are counted so far; None for all.
    counts : dict of str to PairCounts
        How each metric's pairs count; follows the scores and the threshold.
    values : dict of str to dict of str to float
        Every coefficient of each metric by name; NaN where it is undefined.

    Raises
    ------
    InputError
        Scores are not of one shape, ``epsilon`` is infinite, or ``epsilon_of`` is none of the metrics.

    Warns
    -----
    CoverageWarning
        Cells are left out because a metric has not scored them, or a metric stands apart.
    LeftOutWarning
        Not all segments, scores or metrics are shown.

    Examples
    --------
    >>> lab = TieLab([0, 0, 0, 0, 1, 2], {"m1": [0, 0, 0, 0, 2, 1], "m2": [0, 1, 2, 3, 4, 5]})
    >>> lab.counts["m1"].ties_both, round(lab.values["m1"]["acc_eq"], 3)
    (6, 0.933)
    >>> lab.epsilon = 1
    >>> round(lab.values["m1"]["acc_eq"], 3), round(lab.values["m2"]["acc_eq"], 3)
    (0.933, 0.667)
    >>> lab.epsilon_of = "m1"
    >>> round(lab.values["m1"]["acc_eq"], 3), round(lab.values["m2"]["acc_eq"], 3)
    (0.667, 0.6)
    """

    FIGURE = FIGURES["lab"]

    human = Checked([]).tag(
        sync=True, to_json=lambda scores, _: line(scores), from_json=lambda scores, _: numbers(scores)
    )
    metrics = Checked({}).tag(
        sync=True,
        to_json=lambda metrics, _: shown.metrics_in_slots(metrics),
        from_json=lambda metrics, _: {metric["name"]: numbers(metric["scores"]) for metric in metrics},
    )
    epsilon = Moving(0.0).tag(sync=True)
    epsilon_of = Moving("").tag(sync=True)
    pair = Moving(None).tag(sync=True)
    step = Moving(None).tag(sync=True)
    counts = traitlets.Dict(read_only=True)
    values = traitlets.Dict(read_only=True)

    def __init__(
        self,
        data: Human = None,
        metrics: Metrics = None,
        epsilon: float = 0.0,
        *,
        predict: bool = False,
        epsilon_of: str | None = None,
        segment: Segment = None,
        cells: str | None = None,
        human: str | ArrayLike | None = None,
        exclude: Exclude = None,
    ) -> None:
        check_one_list(data, epsilon, "epsilon")
        given = _read(data, metrics, human, exclude, segment, cells)
        checked_human, checked = shown.vectors(given.human, given.metrics)
        if predict and len(checked) < 2:
            raise InputError("predict: asks which metric is best, so it needs at least two")
        fixed = {**shown.style_of_lab(), "predict": bool(predict), "aside": line(given.aside.tolist())}
        chosen = shown.metric_of_epsilon(checked) if epsilon_of is None else epsilon_of
        traits = {"human": checked_human, "metrics": checked, "epsilon": check_shown(epsilon), "epsilon_of": chosen}
        super().__init__(fixed, given.scope(), **traits)

    def show(
        self,
        data: Human,
        metrics: Metrics = None,
        epsilon: float | None = None,
        *,
        segment: Segment = None,
        cells: str | None = None,
    ) -> None:
        """Show other scores, of any number: both sides change at once."""
        given = _read(data, metrics, segment=segment, cells=cells)
        checked_human, checked = shown.vectors(given.human, given.metrics)
        new = self.epsilon if epsilon is None else check_shown(epsilon)
        with self.hold_sync(), self.hold_trait_notifications():
            self.set_trait("pair", None)
            self.set_trait("step", None)
            self.human, self.metrics, self.epsilon = checked_human, checked, new
            self._fixed = self._with_scope({**self._fixed, "aside": line(given.aside.tolist())}, given.scope())

    @traitlets.validate("human")
    def _check_human(self, proposal: Mapping[str, Any]) -> list[float]:
        return shown.vectors(proposal["value"], self.metrics)[0]

    @traitlets.validate("metrics")
    def _check_metrics(self, proposal: Mapping[str, Any]) -> dict[str, list[float]]:
        return shown.vectors(self.human, proposal["value"])[1]

    def _check(self, key: str, value: Any) -> Any:
        value, total = super()._check(key, value), len(self.human) * (len(self.human) - 1) // 2
        if key == "step" and value is not None and value > total:
            raise InputError(f"step: must be None or a number of pairs from 0 to {total}, found {value}")
        return value

    @traitlets.observe("human", "metrics", "epsilon", "epsilon_of")
    def _count(self, _: Any) -> None:
        if self.epsilon_of not in self.metrics:  # the metrics are others now
            self.epsilon_of = shown.metric_of_epsilon(self.metrics)
        thresholds = shown.epsilons(self.metrics, self.epsilon, self.epsilon_of)
        counts: dict[str, PairCounts] = {}
        values: dict[str, dict[str, float]] = {}
        for name, scores in self.metrics.items():
            counts[name] = found = count_pairs(self.human, scores, epsilon=thresholds[name])
            values[name] = {
                each: entry.value(found) if entry.formula else correlate(self.human, scores, each).value
                for each, entry in COEFFICIENTS.items()
            }
        self.set_trait("counts", counts)
        self.set_trait("values", values)

    def _title_and_origin(self) -> tuple[str, str]:
        return self.FIGURE.title, origin_of_scores(self.human, self.metrics)


def _read(
    data: Human,
    metrics: Metrics,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    segment: Segment = None,
    cells: str | None = None,
) -> Given:
    """Return vectors that fit: of one segment, of as many scores and metrics as there is room for."""
    given = read_given(data, metrics, human, exclude).one_segment(segment).fit(MOST_METRICS, MOST_SCORES)
    return given.say("TieLab").on_cells(cells)
