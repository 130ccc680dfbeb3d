"""What does a notebook see of the NaN explorer? A coefficient, a rule and a cell that are chosen, and the averages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import traitlets
from numpy.typing import ArrayLike

from tiekit.base.errors import InputError
from tiekit.core.coefficients import check_policy
from tiekit.core.registry import get_coefficient
from tiekit.figures.figure import Figure
from tiekit.figures.figures import FIGURES
from tiekit.figures.nan_explorer import data as shown
from tiekit.figures.nan_explorer.table import Metrics, SegmentTable, of_counts
from tiekit.figures.notebook import Widget
from tiekit.ranking.board import POLICIES
from tiekit.sets.arguments import Exclude, Human

NAN_EXPLORER = FIGURES["nan_explorer"]


class NaNExplorer(Widget):
    """Segments × metrics: where a coefficient is undefined, why, and what that does to the ranking.

    Choose what is done with undefined segments, and watch the metrics change places; choose a cell to see its scores,
    its counts and the formula with these numbers. The averages are those of all segments. Up to 60 segments are shown,
    fewer where there are many systems and metrics; half of them are segments on which some metrics are undefined and
    others are not.

    Parameters
    ----------
    data : EvalSet, or array_like of shape (systems, segments)
        An evaluation set, or human scores. Higher is better on both sides; NaN or None is a missing score. At most 60
        systems.
    metrics : mapping of str to array_like of that shape, or names of metrics of the set
        One to eight metrics.
    coefficient : str
        A coefficient of counts, such as ``"tau_b"``.
    undefined : {"drop", "zero", "common"}
        What is done with segments whose coefficient is undefined: they are left out of that metric's average, count
        as 0, or are left out for every metric.
    human, exclude
        As for `tiekit.correlate`.

    Attributes
    ----------
    coefficient, undefined : str
        The choices at present.
    cell : tuple of int and str, or None
        The chosen cell: the segment, the first being 0, and the name of the metric.
    values : dict of str to dict of str to float
        Each metric's average under each of the three rules; NaN where there is none. A metric that is undefined on
        every segment has none, and does not count for what the others have in common.
    ranking : dict of str to int
        Each metric's rank under the chosen rule, the best first; None where it has no average.

    Raises
    ------
    InputError
        The scores are no matrices of one shape, there are too many to be shown, or a choice is unknown.

    Warns
    -----
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

    FIGURE: ClassVar[Figure] = NAN_EXPLORER
    KEYS: ClassVar[tuple[str, ...]] = ("coefficient", "undefined", "cell")

    coefficient = traitlets.Any("tau_b").tag(sync=True)
    undefined = traitlets.Any("drop").tag(sync=True)
    cell = traitlets.Any(None).tag(sync=True)
    values = traitlets.Dict(read_only=True)
    ranking = traitlets.Dict(read_only=True)

    def __init__(
        self,
        data: Human = None,
        metrics: Metrics = None,
        coefficient: str = "tau_b",
        *,
        undefined: str = "drop",
        human: str | ArrayLike | None = None,
        exclude: Exclude = None,
    ) -> None:
        self._table = SegmentTable(data, metrics, human, exclude)
        super().__init__(shown.fixed(self._table), coefficient=coefficient, undefined=undefined)
        self._average(None)

    @traitlets.validate("coefficient")
    def _check_coefficient(self, proposal: Mapping[str, Any]) -> str:
        name = get_coefficient(proposal["value"]).name
        if name not in of_counts():
            raise InputError(f"coefficient: must be one of counts, {', '.join(of_counts())}; found {name}")
        return name

    @traitlets.validate("undefined")
    def _check_undefined(self, proposal: Mapping[str, Any]) -> str:
        check_policy(proposal["value"], POLICIES)
        return str(proposal["value"])

    @traitlets.validate("cell")
    def _check_cell(self, proposal: Mapping[str, Any]) -> shown.Cell | None:
        return shown.check_cell(self._table, proposal["value"])

    @traitlets.observe("coefficient", "undefined")
    def _average(self, _: Any) -> None:
        found = self._table.averages(get_coefficient(self.coefficient))
        self.set_trait("values", found.means)
        self.set_trait("ranking", found.ranking(self.undefined))

    def _made(self) -> tuple[str, str]:
        return "Segments without a value", shown.made(self._table)
