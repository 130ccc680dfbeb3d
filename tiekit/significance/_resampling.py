"""What are measures worth on resamples? Any grouping × coefficient, on swapped or resampled cells, without new arrays.

The scores of a metric are laid out once for every grouping; a resample then only says which atoms count, and how often.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from tiekit.base.errors import InputError, shown
from tiekit.base.validation import FloatArray, IntArray, check_epsilon, check_pair
from tiekit.core.calibration import best_epsilon, fit
from tiekit.core.coefficients import evaluate, values_per_group
from tiekit.core.grouping import DOCUMENT_GROUPINGS, document_places, group, row_means, standardize
from tiekit.core.measure import Measure, get_measure
from tiekit.core.pairs import count_sorted, count_within
from tiekit.core.registry import counted
from tiekit.significance._recount import Atoms, Recount, average_groups, lay_out, pool_groups
from tiekit.significance._shared_sums import FoundAgain, Together, take_together
from tiekit.significance.schemes import DRAWS_A_PART, Draws, Plan

Epsilon: TypeAlias = float | tuple[float, ...] | str
"""One threshold, one per metric, ``"calibrated"`` (each metric's best) or ``"recalibrated"`` (on every resample)."""

WHOLE = ("item", "system", *DOCUMENT_GROUPINGS)
"""The groupings whose groups may stay whole in a resample."""


def make_panel(
    human: FloatArray,
    metrics: Sequence[FloatArray],
    measures: Sequence[Measure],
    epsilon: Epsilon = 0.0,
    documents: tuple[str, ...] | None = None,
) -> Panel:
    """Find the thresholds of every measure for one metric, or for two that swap scores; matrices that were checked."""
    if isinstance(epsilon, str):
        if epsilon not in ("calibrated", "recalibrated"):
            raise InputError(f"epsilon: must be a number, calibrated or recalibrated, found {epsilon!r}")
        for measure in measures:
            counted(measure.coefficient.name)
        measures = [Measure(measure.grouping, measure.coefficient, True) for measure in measures]
    if epsilon == "recalibrated":
        if by_document := [measure.name for measure in measures if measure.grouping in DOCUMENT_GROUPINGS]:
            raise InputError(f"epsilon: {by_document[0]} is grouped by document, so it must not be 'recalibrated'")
        unknown = (float("nan"),) * len(metrics)
        return Panel(human, tuple(metrics), tuple(measures), (unknown,) * len(measures), True, documents=documents)
    given = epsilon if isinstance(epsilon, tuple) else (0.0 if isinstance(epsilon, str) else epsilon,) * len(metrics)
    if len(given) != len(metrics):
        raise InputError(f"epsilon: must be one number, or one for each of {len(metrics)} metrics, found {epsilon!r}")
    for measure in measures:
        if measure.calibrated and not all(isinstance(one, Real) and one == 0 for one in given):
            raise InputError(f"epsilon: {measure.shown} finds its own, so it must be 0, found {shown(epsilon)}")
    epsilons = [
        tuple(threshold(human, metric, measure, e, documents) for metric, e in zip(metrics, given, strict=True))
        for measure in measures
    ]
    return Panel(human, tuple(metrics), tuple(measures), tuple(epsilons), documents=documents)


def threshold(
    human: FloatArray,
    metric: FloatArray,
    measure: Measure,
    epsilon: float = 0.0,
    documents: tuple[str, ...] | None = None,
) -> float:
    """Find the best epsilon where the measure is calibrated; otherwise check the given one."""
    entry = measure.coefficient
    if not measure.calibrated:
        epsilon = check_epsilon(epsilon)
        if epsilon and not entry.takes_epsilon:
            raise InputError(f"epsilon: {entry.name} knows no ties of the metric, so it must be 0, found {epsilon!r}")
        return epsilon
    grouped = group(human, metric, "global" if measure.grouping == "vector" else measure.grouping, documents)
    return best_epsilon(grouped, entry, count_within(grouped.scores, 0.0))


def as_means(human: FloatArray, metrics: Sequence[FloatArray]) -> tuple[FloatArray, list[FloatArray]]:
    """Put one mean score per system in the place of its scores, so that the means are what is standardized and swapped.

    One column per metric, in which it alone has scores: the means of the cells that both it and the human scored. A
    system whose scores of two metrics are swapped takes the human mean over their cells with them.
    """
    scored = [~(np.isnan(human) | np.isnan(metric)) for metric in metrics]
    means = [np.full((human.shape[0], len(metrics)), np.nan) for _ in range(len(metrics) + 1)]
    for number, (metric, cells) in enumerate(zip(metrics, scored, strict=True)):
        means[-1][:, number] = row_means(human, cells)
        means[number][:, number] = row_means(metric, cells)
    return means[-1], means[:-1]


def as_matrix(scores: FloatArray) -> FloatArray:
    """Turn a vector into a matrix of one system whose items are segments."""
    return scores[None, :] if scores.ndim == 1 else scores


@dataclass(frozen=True, eq=False)
class Panel:
    """What is measured on every resample: one metric, or two that swap their scores.

    Attributes
    ----------
    human : ndarray, shape (systems, segments)
    metrics : tuple of one or two such arrays
    measures : tuple of Measure
    epsilons : tuple of tuple of float
        For every measure the thresholds of the metrics.
    recalibrate : bool
        Whether thresholds are found again on every resample.
    per_group : tuple of ndarray, optional
        For every measure the value of each metric in each group, shape (metrics, groups), where it is known already;
        see `of_groups`.
    documents : tuple of str, optional
        The document of every segment; the groupings by document need it.
    """

    human: FloatArray
    metrics: tuple[FloatArray, ...]
    measures: tuple[Measure, ...]
    epsilons: tuple[tuple[float, ...], ...]
    recalibrate: bool = False
    per_group: tuple[FloatArray, ...] | None = None
    documents: tuple[str, ...] | None = None

    def values(self, draws: Draws) -> FloatArray:
        """Return values, shape (draws, metrics, measures); NaN where no group is defined."""
        found = np.empty((len(draws), len(self.metrics), len(self.measures)))
        laid: dict[tuple[str, tuple[float, ...]], Recount] = {}
        for i, (measure, epsilon) in enumerate(zip(self.measures, self.epsilons, strict=True)):
            entry = measure.coefficient
            if self.recalibrate and entry.takes_epsilon:
                again = self._found_again(i, whole_groups(measure, draws, self.places) is None) if draws.swap else None
                cells = draws.cells.astype(np.uint8)
                found[..., i] = recalibrated(self, measure, draws) if again is None else again.values(cells)
            elif entry.by_group and (which := whole_groups(measure, draws, self.places)) is not None:
                averaged = pool_groups if entry.pools else average_groups
                found[..., i] = averaged(self.of_groups[i], which, draws.swap, entry)
            elif draws.swap and (together := self._together[i]) is not None:
                found[..., i] = self._joined(together, i, draws)
            elif not entry.recounts:
                found[..., i] = evaluate_each(self, measure, draws)
            else:
                key = measure.grouping, epsilon
                if key not in laid:
                    laid[key] = Recount(self._atoms(*key), measure.grouping, draws)
                found[..., i] = entry.recount(laid[key])
        return found

    @cached_property
    def _together(self) -> tuple[Together | None, ...]:
        """For every measure what two metrics that swap scores share; None where each resample is counted again."""
        return tuple(
            take_together(self.human, self.metrics, measure, epsilon)
            for measure, epsilon in zip(self.measures, self.epsilons, strict=True)
        )

    def _joined(self, together: Together, i: int, draws: Draws) -> FloatArray:
        """Values of one measure, shape (draws, 2)."""
        found, unsure = together.values(draws.cells.astype(np.uint8), np.array([[0, 1]]))
        if unsure.any():
            found[unsure] = self.one_by_one(i, draws.take(np.flatnonzero(unsure[:, 0])))
        return found[:, 0]

    def one_by_one(self, i: int, draws: Draws) -> FloatArray:
        """Values of one measure without what the metrics share, shape (draws, metrics)."""
        measure, epsilon = self.measures[i], self.epsilons[i]
        if not measure.coefficient.recounts:
            return evaluate_each(self, measure, draws)
        return measure.coefficient.recount(Recount(self._atoms(measure.grouping, epsilon), measure.grouping, draws))

    def observed(self) -> FloatArray:
        """Return values of the scores as they are, shape (1, metrics, measures)."""
        still = 0 if len(self.metrics) == 2 else 1
        rows, columns = (np.full((1, n), still, np.int64) for n in self.human.shape)
        return self.values(Draws(len(self.metrics) == 2, rows, columns, whole_documents=True))

    def draw(self, plan: Plan, part: int) -> FloatArray:
        """Return values for one part of a plan, shape (draws, metrics, measures)."""
        return self.values(plan.draws(part))

    def _found_again(self, i: int, crossed: bool) -> FoundAgain | None:
        """What thresholds of one measure are found again from; ``crossed`` where swaps mix scores within groups."""
        key = i, crossed
        if key not in self._again:
            self._again[key] = FoundAgain.of(self.human, self.metrics, self.measures[i], crossed)
        return self._again[key]

    @cached_property
    def _again(self) -> dict[tuple[int, bool], FoundAgain | None]:
        return {}

    def only(self, measures: Sequence[int]) -> Panel:
        """Keep some measures, by number."""
        if len(measures) == len(self.measures):
            return self
        asked, known = tuple(self.measures[i] for i in measures), tuple(self.of_groups[i] for i in measures)
        epsilons = tuple(self.epsilons[i] for i in measures)
        return Panel(self.human, self.metrics, asked, epsilons, self.recalibrate, known, self.documents)

    def beside(self, other: Panel) -> Panel:
        """Join this metric and another one that swap scores; what is known of each by itself is kept."""
        epsilons = tuple(mine + yours for mine, yours in zip(self.epsilons, other.epsilons, strict=True))
        known = tuple(np.vstack(values) for values in zip(self.of_groups, other.of_groups, strict=True))
        metrics = self.metrics + other.metrics
        return Panel(self.human, metrics, self.measures, epsilons, self.recalibrate, known, self.documents)

    @cached_property
    def places(self) -> IntArray | None:
        """The number of each segment's document."""
        return None if self.documents is None else document_places(self.documents, self.human.shape[1])[0]

    @cached_property
    def _laid(self) -> dict[tuple[str, tuple[float, ...]], Atoms]:
        return {}

    def _atoms(self, grouping: str, epsilon: tuple[float, ...]) -> Atoms:
        key = grouping, epsilon
        if key not in self._laid:
            self._laid[key] = lay_out(self.human, self.metrics, grouping, epsilon, self.places)
        return self._laid[key]

    @cached_property
    def of_groups(self) -> tuple[FloatArray, ...]:
        """For every measure the metrics' values by group, shape (metrics, groups), where groups stay whole."""
        if self.per_group is not None:
            return self.per_group
        return tuple(
            np.empty((len(self.metrics), 0))
            if self.recalibrate or measure.grouping not in WHOLE or not measure.coefficient.by_group
            else np.array(
                [
                    group_values(self.human, m, measure, e, self.documents)
                    for m, e in zip(self.metrics, epsilon, strict=True)
                ]
            )
            for measure, epsilon in zip(self.measures, self.epsilons, strict=True)
        )


def group_values(
    human: FloatArray, metric: FloatArray, measure: Measure, epsilon: float, documents: tuple[str, ...] | None
) -> FloatArray:
    """Return a metric's value in every group, NaN where undefined; its counts where they are pooled, (groups, 7)."""
    grouped = group(human, metric, "global" if measure.grouping == "vector" else measure.grouping, documents)
    if measure.coefficient.pools:
        counts = np.zeros((grouped.n_possible, 7))
        counts[grouped.index] = count_sorted(grouped.scores, epsilon)
        return counts
    return grouped.spread(values_per_group(grouped, measure.coefficient, epsilon))


def whole_groups(measure: Measure, draws: Draws, places: IntArray | None = None) -> IntArray | None:
    """Return the number of each group, shape (draws, groups), where resamples keep groups whole; otherwise None.

    ``places`` is the number of each segment's document, where documents are known.
    """
    if draws.single is not None:
        return None
    still = 0 if draws.swap else 1
    if measure.grouping == "item" and (draws.rows == still).all():
        return draws.columns
    if measure.grouping == "system" and (draws.columns == still).all():
        return draws.rows
    if places is None or measure.grouping not in DOCUMENT_GROUPINGS:
        return None
    if draws.whole_documents and (draws.rows == still).all():
        return draws.columns[:, np.unique(places, return_index=True)[1]]
    return None


def redrawn(panel: Panel, draws: Draws) -> Iterator[tuple[FloatArray, list[FloatArray]]]:
    """Yield every resample as human scores and matrices of the metrics; two that swap scores are standardized."""
    human, metrics = panel.human, panel.metrics
    if draws.swap:
        a, b = (standardize(m, ~np.isnan(human) & ~np.isnan(m)) for m in metrics)
        for cells in draws.cells.reshape(len(draws), *human.shape) == 1:
            yield human, [np.where(cells, b, a), np.where(cells, a, b)]
    else:
        for row, column in zip(draws.rows, draws.columns, strict=True):
            which = np.ix_(np.repeat(np.arange(row.size), row), np.repeat(np.arange(column.size), column))
            yield human[which], [m[which] for m in metrics]


def recalibrated(panel: Panel, measure: Measure, draws: Draws) -> FloatArray:
    """Calibrate on every resample and return the values, shape (draws, metrics). Slow."""
    name = None if measure.grouping == "vector" else measure.grouping
    found = np.empty((len(draws), len(panel.metrics)))
    for r, (human, drawn) in enumerate(redrawn(panel, draws)):
        once = Draws(False, draws.rows[r : r + 1], draws.columns[r : r + 1])
        for i, metric in enumerate(drawn):
            h, m = (human, metric) if name else (human[0], metric[0])
            best = fit(h, m, measure.coefficient.name, name, "absolute", average=measure.average)
            alone = Panel(panel.human, (panel.metrics[i],), (measure,), ((best.epsilon,),))
            found[r, i] = best.value if draws.swap else alone.values(once)[0, 0, 0]
    return found


def evaluate_each(panel: Panel, measure: Measure, draws: Draws) -> FloatArray:
    """Evaluate every resample by itself, shape (draws, metrics). Slow."""
    entry, grouping = measure.coefficient, "global" if measure.grouping == "vector" else measure.grouping
    found = np.empty((len(draws), len(panel.metrics)))
    for r, (human, drawn) in enumerate(redrawn(panel, draws)):
        documents = panel.documents
        if documents is not None and not draws.swap:
            documents = tuple(np.repeat(documents, draws.columns[r]).tolist())
        found[r] = [evaluate(entry, human, metric, grouping, documents=documents) for metric in drawn]
    return found


def values_on_segments(human: ArrayLike, metric: ArrayLike, measures: Sequence[str], chosen: ArrayLike) -> FloatArray:
    """Evaluate many measures on many choices of segments, such as half-splits.

    Parameters
    ----------
    human, metric : array_like, shape (systems, segments)
        As for `correlate`.
    measures : sequence of str
        As in ``"item/acc_eq*"``; a star is the best epsilon on all segments.
    chosen : array_like of int, shape (choices, segments)
        How often each segment is chosen: 0 or 1 for subsets.

    Returns
    -------
    ndarray, shape (choices, measures)
        NaN where a measure is undefined.

    Raises
    ------
    InputError
        For vectors, for another number of segments in ``chosen``, and for what `correlate` refuses.

    Examples
    --------
    >>> human, metric = [[1, 2, 3], [2, 3, 1], [3, 1, 2]], [[1, 2, 2], [2, 3, 1], [3, 1, 3]]
    >>> values_on_segments(human, metric, ["item/tau_a", "global/tau_a"], [[1, 1, 0], [0, 0, 1]]).round(2)
    array([[1.  , 0.8 ],
           [0.33, 0.33]])
    """
    h, m = check_pair(human, metric)
    given = np.asarray(chosen)
    if h.ndim != 2 or given.ndim != 2 or given.shape[1] != h.shape[1] or given.dtype.kind not in "biu":
        raise InputError(
            f"chosen: must be whole numbers, choices × segments, of matrices; found {given.dtype}, shape {given.shape}"
        )
    multiplicity = given.astype(np.int64)
    panel = make_panel(h, (m,), [get_measure(measure, None) for measure in measures])
    rows, found = np.ones((len(multiplicity), h.shape[0]), np.int64), np.empty((len(multiplicity), len(measures)))
    for first in range(0, len(multiplicity), DRAWS_A_PART):
        part = slice(first, first + DRAWS_A_PART)
        found[part] = panel.values(Draws(False, rows[part], multiplicity[part]))[:, 0]
    return found
