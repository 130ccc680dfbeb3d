"""What are measures worth on resamples? Any grouping × coefficient, on swapped or resampled cells, without new arrays.

`ResampledMeasures.values` chooses a `Strategy` for every measure, of which each gives what every resample gives by
itself:

- `WholeGroups`, where resamples keep groups whole: means of values by group that are known already;
- `SharedSums` of two metrics that swap scores, where a measure is made of sums: each metric is summed once;
- `BatchRecalibration`, where thresholds are found again and the coefficient is a total over pairs;
- `Recounts`: scores are laid out once for every grouping, and a resample says which of them count, and how often;
- `OneByOne`, slow, for all others: every resample is made and evaluated, or calibrated, by itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from numbers import Real
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tiekit.base.errors import InputError, quote
from tiekit.base.parallel import Progress, beat, beating, tell
from tiekit.base.validation import FloatArray, IntArray, check_epsilon
from tiekit.core._compile import is_interpreted
from tiekit.core.calibration import best_epsilon, calibrate_scores, gains_of
from tiekit.core.coefficients import Coefficient, check_tied, evaluate, values_per_group
from tiekit.core.grouping import (
    DOCUMENT_GROUPINGS,
    check_no_means,
    document_places,
    group_checked,
    row_means,
    standardize,
)
from tiekit.core.measure import Measure
from tiekit.core.pairs import count_sorted, count_within
from tiekit.core.registry import get_of_counts
from tiekit.significance._recount import ScoreLayout, WholeGroups, lay_out, recount, whole_groups
from tiekit.significance._shared_sums import SharedSums, cells_by_group, prepare_shared_sums
from tiekit.significance.schemes import Draws, Plan

Epsilon: TypeAlias = float | tuple[float, ...] | str
"""One threshold, one per metric, ``"calibrated"`` (each metric's best) or ``"recalibrated"`` (on every resample)."""

WHOLE = ("item", "system", *DOCUMENT_GROUPINGS)
"""The groupings whose groups may stay whole in a resample."""


class Strategy(Protocol):
    """A way to find the values of one measure, or of several that share work, on many resamples."""

    def values(self, draws: Draws) -> FloatArray:
        """Return values, shape (draws, metrics, measures); NaN where no group is defined."""
        ...


def prepare_measures(
    human: FloatArray,
    metrics: Sequence[FloatArray],
    measures: Sequence[Measure],
    epsilon: Epsilon = 0.0,
    documents: tuple[str, ...] | None = None,
    identical: IntArray | None = None,
) -> ResampledMeasures:
    """Find the thresholds of every measure for one metric, or for two that swap scores; matrices that were checked.

    Pairs of ``identical`` texts, labels of the scores' shape or of a vector, are ties of whatever metric stands there.
    """
    for measure in measures if identical is not None else ():
        check_tied(identical, measure.coefficient)
        check_no_means(measure.grouping)
    if identical is not None and epsilon == "recalibrated":
        raise InputError("epsilon: it must not be 'recalibrated' where identical texts are tied: resamples hold copies")
    if isinstance(epsilon, str):
        if epsilon not in ("calibrated", "recalibrated"):
            raise InputError(f"epsilon: must be a number, calibrated or recalibrated, found {epsilon!r}")
        for measure in measures:
            get_of_counts(measure.coefficient.name)
        measures = [Measure(measure.grouping, measure.coefficient, True) for measure in measures]
    if epsilon == "recalibrated":
        if by_document := [measure.name for measure in measures if measure.grouping in DOCUMENT_GROUPINGS]:
            raise InputError(f"epsilon: {by_document[0]} is grouped by document, so it must not be 'recalibrated'")
        unknown = ((float("nan"),) * len(metrics),) * len(measures)
        return ResampledMeasures(human, tuple(metrics), tuple(measures), unknown, True, documents=documents)
    fixed = epsilon if isinstance(epsilon, tuple) else (0.0 if isinstance(epsilon, str) else epsilon,) * len(metrics)
    if len(fixed) != len(metrics):
        raise InputError(f"epsilon: must be one number, or one for each of {len(metrics)} metrics, found {epsilon!r}")
    for measure in measures:
        if measure.calibrated and not all(isinstance(one, Real) and one == 0 for one in fixed):
            raise InputError(f"epsilon: {measure.shown} finds its own, so it must be 0, found {quote(epsilon)}")
    epsilons = [
        tuple(
            find_threshold(human, metric, measure, e, documents, identical)
            for metric, e in zip(metrics, fixed, strict=True)
        )
        for measure in measures
    ]
    return ResampledMeasures(
        human, tuple(metrics), tuple(measures), tuple(epsilons), documents=documents, identical=identical
    )


def find_threshold(
    human: FloatArray,
    metric: FloatArray,
    measure: Measure,
    epsilon: float = 0.0,
    documents: tuple[str, ...] | None = None,
    identical: IntArray | None = None,
) -> float:
    """Find the best epsilon where the measure is calibrated; otherwise check the given one."""
    entry = measure.coefficient
    if not measure.calibrated:
        epsilon = check_epsilon(epsilon)
        if epsilon and not entry.takes_epsilon:
            raise InputError(f"epsilon: {entry.name} knows no ties of the metric, so it must be 0, found {epsilon!r}")
        return epsilon
    by = "global" if measure.grouping == "vector" else measure.grouping
    grouped = group_checked(human, metric, by, documents, identical)
    beat()
    counts = count_within(grouped.scores, 0.0)
    beat()
    return best_epsilon(grouped, entry, counts, lambda _: beat())


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
class ResampledMeasures:
    """What is measured on every resample: one metric, or two that swap their scores; matrices (systems, segments)."""

    human: FloatArray
    metrics: tuple[FloatArray, ...]
    measures: tuple[Measure, ...]
    epsilons: tuple[tuple[float, ...], ...]  # for every measure the thresholds of the metrics
    recalibrate: bool = False  # whether thresholds are found again on every resample
    per_group: tuple[FloatArray, ...] | None = None  # `of_groups`, where it is known already
    documents: tuple[str, ...] | None = None  # of every segment; the groupings by document need it
    identical: IntArray | None = None  # labels of texts, of which pairs of the same one are ties of the metric

    def values(self, draws: Draws) -> FloatArray:
        """Return values, shape (draws, metrics, measures); NaN where no group is defined."""
        values = np.empty((len(draws), len(self.metrics), len(self.measures)))
        rest: list[int] = []
        for i, measure in enumerate(self.measures):
            strategy = self._shortcut(i, draws.swap, whole_groups(measure, draws, self.places) is not None)
            beat()
            if strategy is None:
                rest.append(i)
            else:
                values[..., [i]] = strategy.values(draws)
        for numbers, strategy in self.without_shortcuts(rest):
            values[..., numbers] = strategy.values(draws)
            beat()
        return values

    def original_values(self) -> FloatArray:
        """Return values of the scores as they are, shape (1, metrics, measures)."""
        still = 0 if len(self.metrics) == 2 else 1
        rows, columns = (np.full((1, n), still, np.int64) for n in self.human.shape)
        return self.values(Draws(len(self.metrics) == 2, rows, columns, whole_documents=True))

    def draw(self, plan: Plan, part: int, progress: Progress | None = None) -> FloatArray:
        """Return values for one part of a plan, shape (draws, metrics, measures)."""
        found, number, done = [], plan.number(part), 0
        for some in plan.blocks(part):
            with beating(progress, done / number):
                found.append(self.values(some))
            done += len(some)
            tell(progress, done / number)
        return np.concatenate(found)

    def _shortcut(self, i: int, swap: bool, whole: bool) -> Strategy | None:
        """Return the strategy of one measure where there is a fast one; ``whole``: resamples keep groups whole."""
        key = i, swap, whole
        if key not in self._shortcuts:
            measure, epsilon = self.measures[i], self.epsilons[i]
            strategy: Strategy | None = None
            if self.recalibrate and measure.coefficient.takes_epsilon:
                # swaps that keep groups whole put no scores of two metrics beside each other
                crossed = not whole
                strategy = BatchRecalibration.of(self.human, self.metrics, measure, crossed) if swap else None
            elif whole:
                strategy = WholeGroups(self.of_groups[i], measure, self.places)
            elif swap and (shared := prepare_shared_sums(self.human, self.metrics, measure, epsilon)) is not None:
                strategy = _SharedSumsOfTwo(shared, self, i)
            self._shortcuts[key] = strategy
        return self._shortcuts[key]

    @cached_property
    def _shortcuts(self) -> dict[tuple[int, bool, bool], Strategy | None]:
        return {}

    def without_shortcuts(self, numbers: Sequence[int]) -> list[tuple[list[int], Strategy]]:
        """Recount some measures, those of one layout together, or evaluate each resample by itself."""
        chosen: list[tuple[list[int], Strategy]] = []
        recounts: dict[tuple[str, tuple[float, ...]], list[int]] = {}
        for i in numbers:
            entry = self.measures[i].coefficient
            if (self.recalibrate and entry.takes_epsilon) or not entry.recounts:
                chosen.append(([i], OneByOne(self, i)))
            else:
                recounts.setdefault((self.measures[i].grouping, self.epsilons[i]), []).append(i)
        for key, places in recounts.items():
            entries = [self.measures[i].coefficient for i in places]
            chosen.append((places, Recounts(self._layout(*key), key[0], entries)))
        return chosen

    def select(self, numbers: Sequence[int]) -> ResampledMeasures:
        """Keep some measures, by number."""
        if len(numbers) == len(self.measures):
            return self
        measures, known = tuple(self.measures[i] for i in numbers), tuple(self.of_groups[i] for i in numbers)
        epsilons = tuple(self.epsilons[i] for i in numbers)
        return replace(self, measures=measures, epsilons=epsilons, per_group=known)

    def pair_with(self, other: ResampledMeasures) -> ResampledMeasures:
        """Join this metric and another one that swap scores; what is known of each by itself is kept."""
        epsilons = tuple(mine + yours for mine, yours in zip(self.epsilons, other.epsilons, strict=True))
        known = tuple(np.vstack(values) for values in zip(self.of_groups, other.of_groups, strict=True))
        return replace(self, metrics=self.metrics + other.metrics, epsilons=epsilons, per_group=known)

    @cached_property
    def places(self) -> IntArray | None:
        """The number of each segment's document."""
        return None if self.documents is None else document_places(self.documents, self.human.shape[1])[0]

    @cached_property
    def _layouts(self) -> dict[tuple[str, tuple[float, ...]], ScoreLayout]:
        return {}

    def _layout(self, grouping: str, epsilon: tuple[float, ...]) -> ScoreLayout:
        key = grouping, epsilon
        if key not in self._layouts:
            self._layouts[key] = lay_out(self.human, self.metrics, grouping, epsilon, self.places, self.identical)
        return self._layouts[key]

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
                    group_values(self.human, m, measure, e, self.documents, self.identical)
                    for m, e in zip(self.metrics, epsilon, strict=True)
                ]
            )
            for measure, epsilon in zip(self.measures, self.epsilons, strict=True)
        )


def group_values(
    human: FloatArray,
    metric: FloatArray,
    measure: Measure,
    epsilon: float,
    documents: tuple[str, ...] | None,
    identical: IntArray | None = None,
) -> FloatArray:
    """Return a metric's value in every group, NaN where undefined; its counts where they are pooled, (groups, 7)."""
    by = "global" if measure.grouping == "vector" else measure.grouping
    beat()
    grouped = group_checked(human, metric, by, documents, identical)
    beat()
    if measure.coefficient.pools:
        counts = np.zeros((grouped.n_possible, 7))
        counts[grouped.index] = count_sorted(grouped.scores, epsilon)
        return counts
    return grouped.spread(values_per_group(grouped, measure.coefficient, epsilon))


COUNTS_AT_ONCE = 4_000_000
"""Maximum number of counts that resamples have at one time."""


@dataclass(frozen=True, eq=False)
class Recounts:
    """Measures of one layout, counted again on every resample, a `Strategy`; what several need is counted once."""

    layout: ScoreLayout
    grouping: str
    entries: list[Coefficient]

    def values(self, draws: Draws) -> FloatArray:
        """See `Strategy`."""
        return np.concatenate([self._values(some) for some in self._few(draws)])

    def _few(self, draws: Draws) -> Iterator[Draws]:
        """Take so many draws at a time that the counts of their groups take little memory."""
        step = max(1, COUNTS_AT_ONCE // (7 * (2 if draws.swap else 1) * max(self.layout.starts.size - 1, 1)))
        for first in range(0, max(len(draws), 1), step):
            yield draws if step >= len(draws) else draws.take(np.arange(first, min(first + step, len(draws))))

    def _values(self, draws: Draws) -> FloatArray:
        drawn = recount(self.layout, self.grouping, draws)
        return np.stack([entry.recount(drawn) for entry in self.entries], axis=-1)


@dataclass(frozen=True, eq=False)
class _SharedSumsOfTwo:
    """Sums that two metrics share, a `Strategy`; where rounding would decide a value, it is found without them."""

    shared: SharedSums
    measured: ResampledMeasures
    number: int

    def values(self, draws: Draws) -> FloatArray:
        """See `Strategy`."""
        values, unsure = self.shared.pair_values(draws.cells.astype(np.uint8), np.array([[0, 1]]))
        if unsure.any():
            ((_, strategy),) = self.measured.without_shortcuts([self.number])
            values[unsure] = strategy.values(draws.take(np.flatnonzero(unsure[:, 0])))[..., 0]
        return values[:, 0, :, None]


@dataclass(frozen=True, eq=False)
class OneByOne:
    """One measure, evaluated or calibrated on every resample by itself, a `Strategy`. Slow."""

    measured: ResampledMeasures
    number: int

    def values(self, draws: Draws) -> FloatArray:
        """See `Strategy`."""
        measured, measure = self.measured, self.measured.measures[self.number]
        values = np.empty((len(draws), len(measured.metrics), 1))
        for r, (human, metrics) in enumerate(self._resamples(draws)):
            for i, metric in enumerate(metrics):
                if measured.recalibrate and measure.coefficient.takes_epsilon:
                    values[r, i] = self._calibrate(human, metric, draws, r, i)
                else:
                    documents = measured.documents
                    if documents is not None and not draws.swap:
                        documents = tuple(np.repeat(documents, draws.columns[r]).tolist())
                    grouping = "global" if measure.grouping == "vector" else measure.grouping
                    values[r, i] = evaluate(measure.coefficient, human, metric, grouping, documents=documents)
        return values

    def _calibrate(self, human: FloatArray, metric: FloatArray, draws: Draws, r: int, i: int) -> float:
        """Return the best value on a resample; of one with copies, where a score and its copy are no pair."""
        measured, measure = self.measured, self.measured.measures[self.number]
        name = None if measure.grouping == "vector" else measure.grouping
        h, m = (human, metric) if name else (human[0], metric[0])
        best = calibrate_scores(h, m, measure.coefficient.name, name, "absolute", average=measure.average)
        if draws.swap:
            return float(best.value)
        at_best = ResampledMeasures(measured.human, (measured.metrics[i],), (measure,), ((best.epsilon,),))
        return float(at_best.values(Draws(False, draws.rows[r : r + 1], draws.columns[r : r + 1]))[0, 0, 0])

    def _resamples(self, draws: Draws) -> Iterator[tuple[FloatArray, list[FloatArray]]]:
        """Yield human scores and matrices of the metrics; two that swap scores are standardized."""
        human, metrics = self.measured.human, self.measured.metrics
        if draws.swap:
            a, b = (standardize(m, ~np.isnan(human) & ~np.isnan(m)) for m in metrics)
            for cells in draws.cells.reshape(len(draws), *human.shape) == 1:
                yield human, [np.where(cells, b, a), np.where(cells, a, b)]
        else:
            for row, column in zip(draws.rows, draws.columns, strict=True):
                which = np.ix_(np.repeat(np.arange(row.size), row), np.repeat(np.arange(column.size), column))
                yield human[which], [m[which] for m in metrics]


MAX_PAIRS = 1_000_000
"""Maximum number of pairs within groups that are listed, four times each."""

MAX_32_BIT = 2**30
"""Maximum total that is counted in 32 bits."""


@dataclass(frozen=True, eq=False)
class BatchRecalibration:
    """The best values of two metrics that swap scores, calibrated again on every resample, a `Strategy`.

    Both metrics score the same cells, and the coefficient's denominator is the number of pairs: so a value is a total
    of integers over pairs, and a threshold that rises past a difference changes the total by what a tie there gains.
    """

    order: IntArray  # the cells with all scores, in the order of their groups
    # of `_kernels.list_changes`, in descending order of differences
    changes: tuple[FloatArray, NDArray[np.int32], NDArray[np.int32], NDArray[np.int32 | np.int64]]
    tied: int  # the total where all pairs are tied
    whole: int  # what a total is divided by

    @staticmethod
    def of(
        human: FloatArray, metrics: Sequence[FloatArray], measure: Measure, crossed: bool
    ) -> BatchRecalibration | None:
        """List the pairs, those of two metrics' scores where they are ``crossed``; None where that is not possible."""
        from tiekit.significance._kernels import list_changes

        gains, used = gains_of(measure.coefficient), [~np.isnan(human) & ~np.isnan(metric) for metric in metrics]
        if is_interpreted() or gains is None or measure.grouping == "system_means" or (used[0] != used[1]).any():
            return None
        order, starts = cells_by_group(used[0], measure.grouping)
        sizes = np.diff(starts)
        pairs = sizes * (sizes - 1) // 2
        n_pairs = pairs[pairs > 0]
        if not n_pairs.size or int(n_pairs.sum()) > MAX_PAIRS:
            return None
        pools = measure.coefficient.pools  # then each pair counts alike
        shared, whole = (1, int(n_pairs.sum())) if pools else _shares(n_pairs)
        most = 4 * whole * int(np.abs(gains).max(initial=1))
        if most > 2**62:
            return None
        kind = np.int32 if most <= MAX_32_BIT else np.int64
        share = np.where(pairs > 0, 1 if pools else shared // np.maximum(pairs, 1), 0).astype(kind)
        h = human.ravel()[order]
        z = np.array([standardize(metric, cells).ravel()[order] for metric, cells in zip(metrics, used, strict=True)])
        difference, first, second, gain = list_changes(starts, h, z, crossed, gains, share)
        down = np.argsort(-difference)
        assert measure.coefficient.table is not None
        (_, of_tie, _), (_, of_both, _), _ = np.array(measure.coefficient.table, np.int64).tolist()
        alike = np.array([_tied_pairs(h[a:b]) for a, b in pairwise(starts)], np.int64)
        tied = int((share.astype(np.int64) * (of_both * alike + of_tie * (pairs - alike))).sum())
        changes = difference[down], first[down], second[down], gain[down]
        return BatchRecalibration(order, changes, tied, whole)

    def values(self, draws: Draws) -> FloatArray:
        """See `Strategy`."""
        from tiekit.significance._kernels import LANES, best_lanes

        swapped = draws.cells.astype(np.uint8)
        values, gain = np.empty((len(swapped), 2, 1)), self.changes[-1]
        bit = np.uint32(1) << np.arange(LANES, dtype=np.uint32)
        for first in range(0, len(swapped), LANES // 2):
            some = swapped[first : first + LANES // 2, self.order].astype(np.uint32)
            number = len(some)
            stays, goes = bit[: 2 * number : 2] @ (1 - some), bit[1 : 2 * number : 2] @ some
            back, forth = bit[: 2 * number : 2] @ some, bit[1 : 2 * number : 2] @ (1 - some)
            stands = np.stack((stays + goes, back + forth), axis=1).ravel().astype(np.uint32)
            total, best = np.full(LANES, self.tied, gain.dtype), np.empty(LANES, gain.dtype)
            best_lanes(stands, *self.changes, total, best)
            values[first : first + number, :, 0] = best[: 2 * number].reshape(number, 2) / self.whole
        return values


def _shares(n_pairs: IntArray) -> tuple[int, int]:
    """What every group's number of pairs divides, and that times the number of groups."""
    shared = math.lcm(*set(n_pairs.tolist()))
    return shared, shared * n_pairs.size


def _tied_pairs(scores: FloatArray) -> int:
    """Count the pairs of equal scores."""
    number = np.unique(scores, return_counts=True)[1]
    return int((number * (number - 1) // 2).sum())
