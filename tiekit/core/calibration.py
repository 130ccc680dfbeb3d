"""Which threshold is the best? Exact tie calibration: the best epsilon, other thresholds, what it means."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from numbers import Integral
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from tiekit.base.errors import CalibrationWarning, InputError, NearTieWarning, warn
from tiekit.base.parallel import Progress, showing, tell
from tiekit.base.results import Explored, Plotted, Result, ResultOfScores
from tiekit.base.validation import (
    NEAR_TIE,
    FloatArray,
    IntArray,
    Source,
    as_scores,
    check_epsilon,
    check_pair,
    key_of,
    labels_beside,
    sources_of_arrays,
    warn_near_ties,
)
from tiekit.core._threshold_search import (
    Best,
    ListedPairs,
    MeanOfGroups,
    Objective,
    Pairs,
    WholeNumbers,
    maximize,
    search_columns,
    widest,
)
from tiekit.core.coefficients import ROUNDING, Coefficient, average, average_of_constant, pool, tied_share
from tiekit.core.coefficients import average as average_of
from tiekit.core.grouping import Grouped, group_checked, owners
from tiekit.core.measure import get_measure
from tiekit.core.pairs import Counted, SortedScores, count_sorted, count_within
from tiekit.core.registry import get_coefficient, get_of_counts

if TYPE_CHECKING:
    import pandas as pd

FEW = 4
"""So few thresholds are counted one after another; for more, the pairs are listed if they are not too many."""


@dataclass(frozen=True, repr=False)
class Meaning(Result):
    """What a threshold means.

    Attributes
    ----------
    epsilon : float
        In the unit of the metric; without a unit where differences are relative.
    tied, tied_by_human : float
        Share of the compared pairs that the metric ties at epsilon, and share that the human ties.
    deviations : float
        Epsilon as a multiple of the standard deviation of the compared metric scores; NaN where that is 0 and for
        relative differences.
    percentile : float
        Percentage of the pairs with different metric scores whose difference is at most epsilon; NaN where all
        metric scores are equal.
    """

    _number: ClassVar[str | None] = "epsilon"

    epsilon: float
    tied: float
    tied_by_human: float
    deviations: float
    percentile: float


class Point(NamedTuple):
    """The coefficient at one threshold, and the pairs of each kind (`KINDS`) of all groups together."""

    epsilon: float
    value: float
    counts: IntArray


def point_at(scores: SortedScores, entry: Coefficient, epsilon: float) -> Point:
    """Count and evaluate at one threshold."""
    return _point(entry, epsilon, count_sorted(scores, epsilon))


def _point(entry: Coefficient, epsilon: float, counts: IntArray) -> Point:
    return Point(epsilon, average(entry.from_counts(counts), "drop"), counts[:, :5].sum(axis=0))


def points_at(
    scores: SortedScores, entry: Coefficient, thresholds: list[float], progress: Progress | None = None
) -> list[Point]:
    """Count and evaluate at several thresholds, ascending, as `point_at` does at each."""
    listed = ListedPairs.of(scores) if len(thresholds) > FEW and math.isfinite(thresholds[-1]) else None
    every = (count_sorted(scores, one) for one in thresholds) if listed is None else listed.counts_at(thresholds)
    found = []
    for number, (epsilon, counts) in enumerate(zip(thresholds, every, strict=True), 1):
        found.append(_point(entry, epsilon, counts))
        if progress is not None:
            progress(number / len(thresholds))
    return found


def _share(part: float, whole: float) -> float:
    return float(part / whole) if whole else float("nan")


def _f1(total: IntArray) -> tuple[float, float]:
    """F1 of ties and of ranks."""
    c, d, t_h, t_m, t_hm = total[:5].tolist()

    def f1(right: int, claimed: int, wanted: int) -> float:
        precision, recall = (right / n if n else 1.0 for n in (claimed, wanted))
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0

    return f1(t_hm, t_hm + t_m, t_hm + t_h), f1(c, c + d + t_h, c + d + t_m)


def choose_thresholds(scores: SortedScores, points: int | ArrayLike, epsilon: float) -> list[float]:
    """Choose thresholds: the given ones, all candidates, or some spread evenly over their range and over the pairs."""
    if np.ndim(points):
        return sorted({check_epsilon(threshold) for threshold in as_scores("points", points).ravel().tolist()})
    if not isinstance(points, Integral) or points < 2:
        raise InputError(f"points: must be a whole number of at least 2, or thresholds, found {points!r}")
    points = int(points)
    every = candidates(scores, points)
    if every is not None:
        return every
    by_pairs = spread_of_differences(scores, points // 2)
    by_size = np.linspace(0.0, min(by_pairs[-1], np.finfo(float).max), points - points // 2)
    return sorted({0.0, epsilon, *by_pairs, *by_size.tolist()})


def candidates(scores: SortedScores, most: int) -> list[float] | None:
    """Return 0 and every difference that occurs, ascending; None where there are more than ``most``."""
    if (listed := ListedPairs.of(scores)) is not None:
        differences = listed.differences(most - 1)
        if differences is None:
            return None
        found = [0.0, *differences]
    else:
        found = [0.0]
        metric_alone = replace(scores, rank=np.zeros_like(scores.rank), n_ranks=1, same=None)
        while (following := count_within(metric_alone, found[-1]).next) < np.inf:
            if len(found) == most:
                return None
            found.append(following)
    if len(found) < most and widest(scores) > found[-1] + scores.slack:  # a difference that overflows
        found.append(np.inf)
    return found


def spread_of_differences(scores: SortedScores, number: int) -> list[float]:
    """Return some differences, evenly spread over the pairs that the metric orders, the largest last."""
    from tiekit.core import _kernels

    _, sample = _kernels.sample_between(scores.metric, scores.starts, 0.0, np.inf, scores.relative, 20 * number)
    ordered = np.sort(sample)
    picked = ordered[np.linspace(0, ordered.size - 1, number).astype(int)]
    return [*picked.tolist(), widest(scores)]


EXPLOITED = "does not handle ties, so its largest value may exploit its flaws, such as the NaN problem"

DIFFERENCES = {
    "absolute": "|m_i - m_j|",
    "relative": "the missing share of the larger magnitude, 1 - min/max; 1 between scores of different signs",
}
"""Definitions of the difference of two metric scores. Relative differences suit scores with a meaningful zero."""


@dataclass(frozen=True, eq=False, repr=False)
class Calibration(Plotted, Explored, ResultOfScores):
    """The threshold below which two metric scores are best called tied.

    Attributes
    ----------
    epsilon : float
        The smallest candidate that maximizes the coefficient; 0 where there is no pair.
    value : float
        The coefficient at epsilon, averaged over the groups in which it is defined; NaN where there is no pair.
    value_at_zero : float
        The coefficient without calibration.
    tied : float
        The share of the pairs that the metric ties at epsilon. From 0.9 on it is nearly a constant metric.
    gain : float
        The value minus that of a constant metric in the same groups; NaN where a constant is undefined.
    n_pairs : int
        Number of pairs compared.
    n_groups : int
        Groups in the mean at epsilon: those with at least one pair whose coefficient is defined.
    n_undefined : int
        Groups with at least one pair whose coefficient is undefined at epsilon.
    coefficient, grouping, difference, average
        What was asked for.
    scores : tuple of two arrays
        The human and metric scores as they were read.
    near_ties : dict of str to int
        How many human and metric scores lie close above another.
    labels : array of int or None
        The labels of identical texts that were tied; None where none were. ``identical`` identifies them.
    tie_human : bool
        Whether the human score ties them, too.
    """

    epsilon: float
    value: float
    value_at_zero: float
    tied: float
    gain: float
    n_pairs: int
    n_groups: int
    n_undefined: int
    coefficient: str
    grouping: str
    difference: str
    scores: tuple[FloatArray, FloatArray] = field(repr=False)
    near_ties: dict[str, int] = field(repr=False)
    _grouped: Grouped | None = field(default=None, repr=False)
    average: str = field(default="groups", repr=False)
    labels: IntArray | None = field(default=None, repr=False)
    tie_human: bool = field(default=False, repr=False)

    @cached_property
    def grouped(self) -> Grouped:
        """The scores in groups, ready to be counted; grouped now where `search_columns` did without."""
        return self._grouped or group_checked(*self.scores, self.grouping)

    def _facts(self) -> dict[str, object]:
        return dict(
            coefficient=f"{self.coefficient}*",
            grouping=self.grouping,
            difference=self.difference,
            epsilon=self.epsilon,
            undefined="drop",
            average=self.average,
            **self._facts_of_texts(),
            groups=self.n_groups,
            undefined_groups=self.n_undefined,
            scores=self.digest,
        )

    @property
    def meaning(self) -> Meaning:
        """What epsilon means: the share of ties that it makes, and how large it is among the differences.

        Examples
        --------
        >>> calibrate([1, 2, 2, 3], [1, 2, 3, 5]).meaning
        Meaning(epsilon=0.0, tied=0.0, tied_by_human=0.166..., deviations=0.0, percentile=0.0)
        """
        scores = self.grouped.scores
        at_zero, here = (count_sorted(scores, threshold)[:, :5].sum(axis=0) for threshold in (0.0, self.epsilon))
        pairs, told_apart = at_zero.sum(), at_zero[:3].sum()
        largest = float(np.abs(scores.metric).max(initial=0.0))  # scaled, the squares cannot overflow
        deviation = np.std(scores.metric / largest) if largest and not scores.relative else 0.0
        return Meaning(
            epsilon=self.epsilon,
            tied=_share(here[3:].sum(), pairs),
            tied_by_human=_share(at_zero[[2, 4]].sum(), pairs),
            deviations=_share(self.epsilon / (largest or 1.0), float(deviation)),
            percentile=100 * _share(told_apart - here[:3].sum(), told_apart),
        )

    def value_at(self, epsilon: float) -> float:
        """Return the coefficient at another threshold, averaged over the groups in which it is defined.

        Examples
        --------
        >>> calibrate([1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3]).value_at(1)
        0.6
        """
        counts = count_sorted(self.grouped.scores, check_epsilon(epsilon))
        return average_of(pool(get_coefficient(self.coefficient), self.average).from_counts(counts), "drop")

    def curve(
        self, points: int | ArrayLike = 200, coefficient: str | None = None, *, progress: Progress | bool | None = None
    ) -> pd.DataFrame:
        """Evaluate other thresholds: the coefficient, and how well the metric predicts ties and ranks.

        Parameters
        ----------
        points : int or array_like of float
            The thresholds, or their number. A number stands for every candidate where there are no more than that;
            otherwise for half as many spread evenly over the range of differences and half over the pairs, together
            with 0 and `epsilon`.
        coefficient : str or None
            A coefficient of counts; None is the calibrated one.
        progress : function of a float, or bool, optional
            Called with the fraction done; raise an exception to cancel.
            None and True show a bar on a terminal or in a notebook, after a second; False shows none.

        Returns
        -------
        pandas.DataFrame
            One row per threshold, ascending. ``epsilon``; ``value``, as in `value_at`; ``tied``, the share of all
            pairs that the metric ties; ``tie_f1`` and ``rank_f1``, from the counts of all groups together: F1 of ties
            (precision T_hm/(T_hm + T_m), recall T_hm/(T_hm + T_h)) and of ranks (C/(C + D + T_h), C/(C + D + T_m)).
            A precision or recall of 0/0 is 1, as in the notebooks of mt-metrics-eval.

        Raises
        ------
        InputError
            For fewer than 2 points, a threshold that `correlate` refuses, a coefficient without ties of the metric.

        Examples
        --------
        >>> calibrate([1, 2, 2, 3], [1, 2, 3, 5]).curve().round(3)
           epsilon  value   tied  tie_f1  rank_f1
        0      0.0  0.833  0.000   0.000    0.909
        1      1.0  0.833  0.333   0.667    0.889
        2      2.0  0.500  0.667   0.400    0.571
        3      3.0  0.333  0.833   0.333    0.333
        4      4.0  0.167  1.000   0.286    0.000
        """
        entry = pool(get_of_counts(self.coefficient if coefficient is None else coefficient), self.average)
        thresholds = choose_thresholds(self.grouped.scores, points, self.epsilon)
        with showing(progress, "evaluate") as told:
            rows = [
                (epsilon, value, _share(total[3] + total[4], total.sum()), *_f1(total))
                for epsilon, value, total in points_at(self.grouped.scores, entry, thresholds, told)
            ]
        import pandas as pd

        return pd.DataFrame(rows, columns=["epsilon", "value", "tied", "tie_f1", "rank_f1"], dtype=np.float64)


def calibrate(
    human: ArrayLike,
    metric: ArrayLike,
    coefficient: str = "acc_eq",
    *,
    grouping: str | None = None,
    difference: str = "absolute",
    average: str = "groups",
    documents: Sequence[str] | None = None,
    identical: ArrayLike | None = None,
    tie_human: bool = False,
    progress: Progress | bool | None = None,
) -> Calibration:
    """Find the tie threshold that maximizes a coefficient, exactly: `tiekit.calibrate` for arrays alone.

    Parameters
    ----------
    human, metric : array_like, shape (n,) or (systems, segments)
        Scores of one shape; NaN is a missing score.
    coefficient, grouping, difference, average, documents, tie_human, progress
        As for `tiekit.calibrate`.
    identical : array_like of int, same shape, optional
        Labels of texts, which are tied at every threshold; as for `tiekit.core.correlate`.

    Returns
    -------
    Calibration

    Raises
    ------
    InputError
        As by `tiekit.calibrate`.

    Examples
    --------
    >>> calibrate([1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3]).epsilon
    0.5
    """
    scores = check_pair(human, metric)
    same = labels_beside(human, identical, scores[0].shape)
    with showing(progress, "calibrate") as told:
        result = calibrate_scores(*scores, coefficient, grouping, difference, told, documents, average, same, tie_human)
    warn_of(result, sources_of_arrays(*scores))
    return result


def calibrate_scores(
    human: FloatArray,
    metric: FloatArray,
    coefficient: str,
    grouping: str | None,
    difference: str,
    progress: Progress | None = None,
    documents: Sequence[str] | None = None,
    average: str = "groups",
    identical: IntArray | None = None,
    tie_human: bool = False,
) -> Calibration:
    """Calibrate on checked scores, without a warning."""
    entry, grouping = calibrated_measure(coefficient, grouping, human.ndim, documents=documents is not None)
    entry = pool(entry, average)
    if str(difference) not in DIFFERENCES:
        raise InputError(f"difference: must be one of {', '.join(DIFFERENCES)}, found {difference!r}")
    gains, best, grouped = gains_of(entry), None, None
    is_plain = grouping == "item" and difference == "absolute" and identical is None and not tie_human
    if is_plain and gains is not None and entry.of_pairs:
        best = search_columns(human, metric, gains, pooled=entry.pools)
        if best and progress:
            progress(1.0)
    if best is None:
        grouped = group_checked(human, metric, grouping, documents, identical, tie_human)
        grouped = replace(grouped, scores=replace(grouped.scores, relative=difference == "relative"))
        tell(progress, 0.0)
        at_zero = count_within(grouped.scores, 0.0)
        tell(progress, 0.0)
        epsilon = best_epsilon(grouped, entry, at_zero, progress)
        counts = count_sorted(grouped.scores, epsilon)
        best = Best(epsilon, np.array([at_zero.counts, counts]), grouped.scores.near_ties)
    values_at_zero, values = entry.from_counts(best.counts)
    n_undefined = 0 if entry.pools else int(np.isnan(values).sum())
    value = average_of(values, "drop")
    return Calibration(
        epsilon=best.epsilon,
        value=value,
        value_at_zero=average_of(values_at_zero, "drop"),
        tied=tied_share(best.counts[1]),
        gain=value - average_of_constant(entry, best.counts[1], values, "drop"),
        n_pairs=int(best.counts[0, :, :5].sum()),
        n_groups=best.counts.shape[1] - n_undefined,
        n_undefined=n_undefined,
        coefficient=entry.name,
        grouping=grouping or "vector",
        difference=difference,
        scores=(human, metric),
        near_ties=best.near_ties,
        _grouped=grouped,
        average=average,
        labels=identical,
        tie_human=tie_human,
    )


def warn_of(calibration: Calibration, sources: tuple[Source, Source]) -> None:
    """Warn of near-ties, and of a coefficient whose flaws calibration may exploit."""
    warn_near_ties((calibration.near_ties, *sources))
    if calibration.difference == "absolute":
        warn_of_split(sources[1], calibration.scores[1], calibration.epsilon, lambda: calibration.grouped)
    warn_of_flaws(get_coefficient(calibration.coefficient))


def warn_of_split(source: Source, metric: FloatArray, epsilon: float, group: Callable[[], Grouped]) -> None:
    """Warn where a calibrated threshold ties some pairs and not others whose differences are equal but for rounding.

    Only where this changes the third decimal of a share of pairs, and scores of which many are equal.
    """
    some = metric.ravel()[:: metric.size // SAMPLE + 1]
    are_few = metric.size < SAMPLE or np.unique(some).size < 0.75 * some.size
    if not 0 < epsilon < np.inf or not are_few or not (some % 1).any():
        return
    scores = group().scores
    beyond = NEAR_TIE * scores.metric.max() - NEAR_TIE * scores.metric.min()  # the range itself may overflow
    counts, with_others = count_sorted(scores, epsilon), count_sorted(scores, epsilon + beyond)
    split = int((with_others - counts)[:, 3:5].sum())
    if split * 1000 < max(1, counts[:, :5].sum()):
        return
    with np.errstate(over="ignore", invalid="ignore"):
        off = ((k, scores.metric * k - np.rint(scores.metric * k)) for k in (*range(2, 101), 1000, 10_000))
        factor = next((k for k, one in off if np.ptp(one) < 1e-9), 0)
    if factor:
        call = f"np.round({source.name} * {factor})"
        if source.of_set:
            call = f"data.with_metric('{source.name} * {factor}', np.round(data.metrics[{source.name!r}] * {factor}))"
        warn(
            f"{source.name}: {split:,} pairs differ from epsilon by rounding alone and are not tied, as 0.3 - 0.2 is "
            f"not 0.2 - 0.1; differences of whole numbers are exact: {call}",
            NearTieWarning,
            once=[key_of(source, " split")],
        )


SAMPLE = 1000
"""So many scores are looked at to tell whether many are equal."""


def warn_of_flaws(entry: Coefficient) -> None:
    """Warn of a coefficient whose flaws calibration may exploit."""
    if not entry.handles_ties:
        warn(f"coefficient: {entry.name} {EXPLOITED}", CalibrationWarning)


def calibrated_measure(
    coefficient: str, grouping: str | None, n_dimensions: int, *, documents: bool = False
) -> tuple[Coefficient, str | None]:
    """The coefficient of counts that is meant, and the grouping as `group` takes it."""
    measure = get_measure(coefficient, grouping, n_dimensions, documents=documents)
    return get_of_counts(measure.coefficient.name), None if measure.grouping == "vector" else measure.grouping


def best_epsilon(grouped: Grouped, entry: Coefficient, at_zero: Counted, progress: Progress | None = None) -> float:
    """The smallest candidate that maximizes the mean coefficient."""
    if not grouped.index.size:
        return 0.0
    objective: Objective = MeanOfGroups(Pairs(grouped), entry)
    if (gains := gains_of(entry)) is not None:
        objective = WholeNumbers(grouped, at_zero.counts, gains, pooled=entry.pools)
    return maximize(grouped.scores, at_zero, objective, progress)


def gains_of(entry: Coefficient) -> IntArray | None:
    """Return what the table's sum gains when a concordant, discordant or human-tied pair becomes a metric tie."""
    if entry.table is None or any(cell is None for row in entry.table for cell in row):
        return None
    (less, tied, more), (human, both, _), _ = np.array(entry.table).tolist()
    return np.array([tied - less, tied - more, both - human], np.int64)


def calibrate_every_kth(
    human: FloatArray,
    metric: FloatArray,
    coefficient: str,
    grouping: str,
    k: int,
    start: int,
    documents: Sequence[str] | None = None,
) -> tuple[int, float, float]:
    """Calibrate on every k-th pair by Algorithm 2 of Deutsch et al. (2023): one sort, then one pair after the other.

    Pairs are counted group by group, in the order of the scores, from the one with the number ``start`` on. Returned
    are the number of pairs, epsilon* and the coefficient there, a mean over the groups with a pair in the sample.
    """
    entry = get_of_counts(coefficient)
    gains = gains_of(entry)
    assert gains is not None
    assert entry.table is not None
    h, m, first, second, group = kth_pairs(human, metric, grouping, k, start, documents)
    (less, _, more), (ties_human, _, _), _ = np.array(entry.table, float).tolist()
    reverses = np.sign(h[first] - h[second]) != np.sign(m[first] - m[second])
    kind = np.where(h[first] == h[second], 2, reverses).astype(int)
    counts = np.bincount(group)
    weight = 1 / (counts[group] * np.count_nonzero(counts))
    distance = np.abs(m[first] - m[second])
    at_zero = np.array([less, more, ties_human])[kind] @ weight
    order = np.argsort(distance, kind="stable")
    values = at_zero + np.cumsum((gains[kind] * weight)[order])
    distance = distance[order]
    is_last = np.append(distance[1:] > distance[:-1], True)
    epsilons, values = distance[is_last], values[is_last]
    if epsilons[0] > 0:
        epsilons, values = np.append(0.0, epsilons), np.append(at_zero, values)
    best = int(np.argmax(values >= values.max() - ROUNDING))
    return len(group), float(epsilons[best]), float(values[best])


def kth_pairs(
    human: FloatArray, metric: FloatArray, grouping: str, k: int, start: int, documents: Sequence[str] | None = None
) -> tuple[FloatArray, FloatArray, IntArray, IntArray, IntArray]:
    """Return the scores in the order of groups, and of every k-th pair both places and the group."""
    cells = rows, columns = np.nonzero(~(np.isnan(human) | np.isnan(metric)))
    owner, _ = owners(grouping, (rows, columns), human.shape, documents)
    order = np.argsort(owner, kind="stable")
    h, m, sizes = human[cells][order], metric[cells][order], np.bincount(owner)
    begins = np.append(0, np.cumsum(sizes))
    ends = np.append(0, np.cumsum(sizes * (sizes - 1) // 2))
    at = np.arange(start, ends[-1], k, dtype=np.int64)
    group = np.searchsorted(ends, at, side="right") - 1
    within = at - ends[group]
    second = ((1 + np.sqrt(1 + 8 * within.astype(float))) / 2).astype(np.int64)
    second -= second * (second - 1) // 2 > within
    second += (second + 1) * second // 2 <= within
    first = within - second * (second - 1) // 2
    return h, m, begins[group] + first, begins[group] + second, group
