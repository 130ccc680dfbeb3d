"""What does a notebook see of the NaN explorer? A coefficient, a rule and a cell that are chosen, and the averages."""

from __future__ import annotations

from typing import Any

import traitlets
from numpy.typing import ArrayLike

from tiekit.core.registry import get_coefficient
from tiekit.figures import nan_explorer as shown
from tiekit.figures.arguments import Metrics, Segment
from tiekit.figures.notebook import Moving, Widget
from tiekit.sets.arguments import Exclude, Human


class NaNExplorer(Widget):
    """Segments × metrics: where a coefficient is undefined, why, and what that does to the ranking.

    Choose what is done with undefined segments, and watch the metrics change places; choose a cell to see its scores,
    its counts and the formula with these numbers. The averages are those of all segments. Up to 60 segments are shown,
    fewer where there are many systems and metrics; half of them are segments on which some metrics are undefined and
    others are not.

    As a puzzle, it shows the scores themselves, each segment of each metric a tile, and the ranking under all three
    rules. Two scores of the worst metric are tied by hand: how few ties make it win?

    Parameters
    ----------
    data : EvalSet, or array_like of shape (systems, segments)
        An evaluation set, or human scores. Higher is better on both sides; NaN or None is a missing score. The first 60
        systems are shown.
    metrics : names in the set, or scores of that shape: a mapping, one metric or several
        The first eight metrics are shown.
    coefficient : str
        A coefficient of counts, such as ``"tau_b"``.
    undefined : {"drop", "zero", "common"}
        What is done with segments whose coefficient is undefined: they are left out of that metric's average, count
        as 0, or are left out for every metric.
    puzzle : bool
        Whether it is the puzzle, which shows the first segments, of at most 200 human scores.
    segment : str, int or sequence of these, optional
        The segments, by name, or by place from 0 where names are no numbers; all by default.
    cells : {"common", "own"} or None
        Which cells are compared, as for `tiekit.leaderboard`: those that every metric has scored, or each metric's own.
        A metric that would stand apart there is not shown.
    human, exclude
        As for `tiekit.correlate`.

    Attributes
    ----------
    coefficient, undefined : str
        The choices at present.
    cell : tuple of int and str, or None
        The chosen cell: the segment, the first being 0, and the name of the metric.
    goal : str or None
        In the puzzle the metric whose scores are tied: the one with the lowest average; otherwise None.
    ties : list of list of int
        The ties that were made in the puzzle: each a segment and two systems, the first being 0. Both scores become
        the lower one, and so do those between them.
    values : dict of str to dict of str to float
        Each metric's average under each of the three rules; NaN where there is none. A metric that is undefined on
        every segment has none, and does not count for what the others have in common.
    ranking : dict of str to int
        Each metric's rank under the chosen rule, the best first; None where it has no average.

    Raises
    ------
    InputError
        The scores are no matrices of one shape, or a choice is unknown.

    Warns
    -----
    LeftOutWarning
        Not all metrics or systems are shown, or not all segments of a puzzle.
    CoverageWarning
        Cells are left out because a metric has not scored them, or a metric stands apart.
    NearTieWarning, OrientationWarning, SelectionWarning
        As for `tiekit.correlate`.

    References
    ----------
    Deutsch et al. (2023), section 6.1, doi:10.18653/v1/2023.emnlp-main.798.

    Examples
    --------
    >>> human = [[1, 1, 1], [2, 2, 2], [3, 3, 3]]
    >>> metrics = {"m1": [[1, 7, 7], [2, 7, 7], [3, 7, 7]], "m2": [[1, 1, 2], [2, 3, 1], [3, 2, 3]]}
    >>> explorer = NaNExplorer(human, metrics)
    >>> explorer.ranking, explorer.values["m1"]["drop"]
    ({'m1': 1, 'm2': 2}, 1.0)
    >>> explorer.undefined = "zero"
    >>> explorer.ranking
    {'m2': 1, 'm1': 2}
    """

    FIGURE = shown.FIGURE
    goal: str | None = None

    coefficient = Moving("tau_b").tag(sync=True)
    undefined = Moving("drop").tag(sync=True)
    cell = Moving(None).tag(sync=True)
    ties = Moving([]).tag(sync=True)
    values = traitlets.Dict(read_only=True)
    ranking = traitlets.Dict(read_only=True)

    def __init__(
        self,
        data: Human = None,
        metrics: Metrics = None,
        coefficient: str = "tau_b",
        *,
        undefined: str = "drop",
        puzzle: bool = False,
        segment: Segment = None,
        cells: str | None = None,
        human: str | ArrayLike | None = None,
        exclude: Exclude = None,
    ) -> None:
        self._table = table = shown.SegmentTable(data, metrics, human, exclude, segment, cells, puzzle=puzzle)
        rows = {name: one.T.tolist() for name, one in table.metrics.items()}
        self.goal = shown.worst(table.human.T.tolist(), rows, get_coefficient(coefficient)) if puzzle else None
        fixed = {**shown.data_of_table(table), "goal": self.goal}
        super().__init__(fixed, table.scope, coefficient=coefficient, undefined=undefined)
        self._average(None)

    def _check(self, key: str, value: Any) -> Any:
        value = super()._check(key, get_coefficient(value).name if key == "coefficient" else value)
        return tuple(value) if key == "cell" and value is not None else value

    @traitlets.observe("coefficient", "undefined", "ties")
    def _average(self, _: Any) -> None:
        table = self._table.with_ties(self.goal, self.ties) if self.goal else self._table
        found = table.averages(get_coefficient(self.coefficient))
        self.set_trait("values", found.means)
        self.set_trait("ranking", found.ranking(self.undefined))

    def _title_and_origin(self) -> tuple[str, str]:
        return shown.FIGURE.title if self.goal is None else shown.TITLE_OF_PUZZLE, shown.origin_of(self._table)
