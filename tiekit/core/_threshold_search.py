"""Exact search for the best threshold: candidates, bounds on what lies between two of them, and objectives."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tiekit.base.parallel import Progress
from tiekit.base.validation import FloatArray, IntArray, near_ties
from tiekit.core.coefficients import ROUNDING, Coefficient, Pooled, average
from tiekit.core.grouping import Grouped, smallest_of_each
from tiekit.core.pairs import Counted, SortedScores, count_sorted, count_within

SAMPLED_PAIRS = 255
"""Number of differences whose median splits an interval. It affects how long the search takes, not the result."""


Ends: TypeAlias = tuple[float, float]
"""Two differences; pairs are listed whose difference lies strictly between."""

Listing: TypeAlias = tuple[FloatArray, NDArray[np.int8], NDArray[np.int32]]
"""Pairs in order of difference: differences, kinds, groups."""


@dataclass(frozen=True)
class Candidate:
    """A threshold at which counts change, and the objective's value there; ``state`` is what the value is made of."""

    epsilon: float
    value: float
    state: Any


@dataclass(frozen=True)
class Plateau:
    """A candidate, the ``next`` one, up to which nothing changes, and the number of pairs ``tied`` by the metric.

    No pair with a difference from where it ``begins`` on is tied by what is below; infinity where that is not known.
    """

    candidate: Candidate
    next: float
    tied: int
    begins: float


class Objective(Protocol):
    """An objective that the search maximizes.

    Candidates at most ``slack`` below the largest value are kept until `settle`; ``listed`` pairs are listed at once.
    """

    slack: float
    listed: int

    def at(self, epsilon: float, counts: IntArray) -> Candidate:
        """Evaluate a candidate from its counts, shape (groups, 7)."""

    def bound(self, low: Candidate, high: Candidate) -> float:
        """Return an upper bound of the values of all candidates between two others."""

    def best_between(self, low: Candidate, ends: Ends, size: int, floor: float) -> list[Candidate]:
        """List the at most ``size`` pairs above a candidate; return candidates that may win, at least ``floor``."""

    def settle(self, race: list[Candidate]) -> float:
        """Return the smallest maximizer among candidates within `slack` of the largest value."""


def maximize(
    scores: SortedScores,
    at_zero: Counted,
    objective: Objective,
    progress: Progress | None = None,
    largest: float | None = None,
) -> float:
    """Find the smallest candidate that maximizes the objective.

    ``largest`` is the largest difference that counts, None the largest of all. ``progress`` is called with the share
    of the pairs that need no more search.
    """
    largest = widest(scores) if largest is None else largest
    first, last = _plateau(objective, at_zero), _plateau(objective, _at_largest(at_zero.counts, largest))
    if scores.slack:  # the largest difference may be one of several that are equal
        last = replace(last, begins=np.inf)
    race = _leaders([first.candidate, last.candidate], objective.slack)
    heap = [_interval(objective, first, last)]
    all_pairs = waiting = max(1, last.tied - first.tied)
    while heap:
        bound, _, low, high = heapq.heappop(heap)
        waiting -= high.tied - low.tied
        best = max(candidate.value for candidate in race)
        if -bound < best - objective.slack:
            break
        if _may_win(-bound, low, high, race):
            size, sample = _between(scores, low, high, objective.listed)
            middle = None if size <= objective.listed else _middle(scores, objective, low, high, sample)
            if middle is None:
                race += objective.best_between(low.candidate, _ends(low, high), size, best - objective.slack)
            else:
                race.append(middle.candidate)
                for part in ((low, middle), (middle, high)):
                    heapq.heappush(heap, _interval(objective, *part))
                    waiting += part[1].tied - part[0].tied
            race = _leaders(race, objective.slack)
        if progress is not None:
            progress(1 - waiting / all_pairs)
    if progress is not None:
        progress(1.0)
    return objective.settle(race)


def _interval(objective: Objective, low: Plateau, high: Plateau) -> tuple[float, float, Plateau, Plateau]:
    """An entry of the heap: ordered by the highest bound, then by the smallest threshold, which is unique."""
    return -objective.bound(low.candidate, high.candidate), low.candidate.epsilon, low, high


def _may_win(bound: float, low: Plateau, high: Plateau, race: list[Candidate]) -> bool:
    """Whether a candidate in between may have a larger value, or an equal value at a smaller threshold.

    No other interval has a higher bound than this one, so if it cannot beat the leader, none can.
    """
    leader = min(race, key=lambda candidate: candidate.epsilon)
    return low.next < high.candidate.epsilon and (bound > leader.value or low.candidate.epsilon < leader.epsilon)


def _leaders(race: list[Candidate], slack: float) -> list[Candidate]:
    """Candidates within the slack of the best; where values are exact, only the one with the smallest threshold."""
    floor = max(candidate.value for candidate in race) - slack
    kept = [candidate for candidate in race if candidate.value >= floor]
    return kept if slack else [min(kept, key=lambda candidate: candidate.epsilon)]


def _plateau(objective: Objective, found: Counted) -> Plateau:
    tied = int(found.counts[:, 3:5].sum())
    return Plateau(objective.at(found.epsilon, found.counts), found.next, tied, found.epsilon)


def _middle(
    scores: SortedScores, objective: Objective, low: Plateau, high: Plateau, sample: FloatArray
) -> Plateau | None:
    """The plateau of the median of some differences; None where it is not known which ones are equal to it.

    Where near-equal differences count as equal, each to the smallest of them, one begins for certain where the next
    smaller difference is further away.
    """
    median = float(np.sort(sample)[sample.size // 2])
    if not scores.slack:
        return _plateau(objective, count_within(scores, median))
    below = count_within(scores, max(0.0, median - 2 * scores.slack))
    begins = below.next
    if begins <= below.epsilon + scores.slack or not low.next <= begins < high.begins:
        return None
    return _plateau(objective, count_within(scores, begins)._replace(epsilon=begins))


def _ends(low: Plateau, high: Plateau) -> Ends:
    """Between which differences the pairs lie that are no ties at one plateau, and below the other."""
    return float(np.nextafter(low.next, 0.0)), high.begins


def _at_largest(counts: IntArray, largest: float) -> Counted:
    """Counts at the largest difference, where the metric ties every pair."""
    tied = counts.copy()
    tied[:, :5] = 0
    tied[:, 3] = counts[:, [0, 1, 3]].sum(axis=1)
    tied[:, 4] = counts[:, [2, 4]].sum(axis=1)
    return Counted(tied, largest, np.inf)


def widest(scores: SortedScores) -> float:
    """Return the largest difference of two metric scores within a group."""
    from tiekit.core import _kernels

    return float(_kernels.widest(scores.metric, scores.starts, scores.relative))


def _between(scores: SortedScores, low: Plateau, high: Plateau, enough: int) -> tuple[int, FloatArray]:
    """How many pairs are strictly between (an upper bound where that is ``enough``), and some of their differences.

    Identical texts, which are tied already, are counted too where there are more than enough pairs.
    """
    from tiekit.core import _kernels

    at_most = high.tied - low.tied
    if at_most <= enough:
        return at_most, np.empty(0)
    found: tuple[int, FloatArray] = _kernels.sample_between(
        scores.metric, scores.starts, *_ends(low, high), scores.relative, SAMPLED_PAIRS
    )
    return found


def list_between(scores: SortedScores, low: float, high: float, size: int) -> Listing:
    """List the at most ``size`` pairs with a difference strictly between."""
    from tiekit.core import _kernels
    from tiekit.core._radix_sort import order_of_keys

    difference, kind, group = _kernels.list_pairs(*scores.arrays, scores.text, low, high, scores.relative, size)
    order = order_of_keys(difference.view(np.uint64).copy())  # in the order of the differences, which are above 0
    difference = difference[order]
    return smallest_of_each(difference, scores.slack) if scores.slack else difference, kind[order], group[order]


LISTED_AT_LEAST, LISTED_PER_SCORE = 100_000, 10
"""Up to these numbers pairs are listed; listing ten pairs for each score takes about as long as counting once."""

REPLAYED_AT_LEAST, REPLAYED_PER_SCORE = 20_000, 1
"""The same where the coefficient is computed after each pair, which takes about 300 bytes per pair."""

FEW = 64
"""So many candidates that are as good as the best are written down as they are counted; of more, after that."""


class Pairs:
    """The pairs that are calibrated on: all pairs of some groups, or a sample, of which some are listed already."""

    listed = 0

    def __init__(self, grouped: Grouped) -> None:
        self.grouped = grouped

    def listing(self, low: float, high: float, size: int) -> Listing:
        """List the at most ``size`` pairs with a difference strictly between, in order of difference."""
        return list_between(self.grouped.scores, low, high, size)


def most_listed(pairs: Pairs, *, replayed: bool = False) -> int:
    """How many pairs are listed at once."""
    at_least = REPLAYED_AT_LEAST if replayed else LISTED_AT_LEAST
    per_score = REPLAYED_PER_SCORE if replayed else LISTED_PER_SCORE
    return max(at_least, per_score * pairs.grouped.scores.metric.size, pairs.listed)


class Totals:
    """An objective that is a weighted sum of whole numbers: gains minus losses, one column per weight (share).

    With a single share of 1, floats are exact. Otherwise candidates within rounding error of the best are compared as
    fractions. The state of a candidate has one row of gains and one row of losses, which only grow with the threshold.
    """

    def __init__(self, gains: IntArray, shares: Sequence[Fraction], n_groups: int) -> None:
        self.gains, self.shares, self.exact = gains, shares, list(shares) == [1]
        self.weight = np.array([float(share) for share in shares])
        self.slack = 0.0 if self.exact else 1e-15 * (len(shares) + 2) * n_groups * int(np.abs(gains).max())

    def candidate(self, epsilon: float, state: IntArray) -> Candidate:
        """Return a candidate with its value."""
        return Candidate(epsilon, self.worth(state[0] - state[1]), state)

    def worth(self, total: IntArray) -> float:
        """Return the objective, up to rounding."""
        return int(total[0]) if self.exact else float(total @ self.weight)

    def bound(self, low: Candidate, high: Candidate) -> float:
        """Return what is gained up to the upper candidate minus what is lost at the lower one."""
        return self.worth(high.state[0] - low.state[1]) + self.slack

    def walk(self, low: Candidate, pairs: Listing, column: IntArray, floor: float) -> list[Candidate]:
        """Return the candidates of a sorted list of pairs whose values reach the floor and the best of them."""
        from tiekit.core import _kernels

        difference, kind, _ = pairs
        start = low.state[0] - low.state[1]
        steps = _kernels.Walk(difference, kind, column, self.gains, self.weight, start, float(low.value))

        def walk(floor: float, room: int) -> tuple[float, int, FloatArray, IntArray]:
            epsilons, totals = np.empty(room), np.empty((room, start.size), np.int64)
            return *_kernels.walk_pairs(steps, floor, epsilons, totals), epsilons, totals

        floor = max(floor, walk(np.inf, 0)[0] - self.slack)
        _, number, epsilons, totals = walk(floor, FEW)
        if number > FEW:
            *_, epsilons, totals = walk(floor, number)
        nothing = np.zeros_like(start)
        return [
            self.candidate(epsilon, np.array([total, nothing]))
            for epsilon, total in zip(epsilons[:number].tolist(), totals[:number], strict=True)
        ]

    def settle(self, race: list[Candidate]) -> float:
        """Return the smallest maximizer; several candidates are compared as fractions."""
        if len(race) == 1:
            return race[0].epsilon
        gained = [(c.state[0] - c.state[1]).tolist() for c in race]
        exact = [sum(number * share for number, share in zip(row, self.shares, strict=True)) for row in gained]
        highest = max(exact)
        return min(c.epsilon for c, value in zip(race, exact, strict=True) if value == highest)


class WholeNumbers(Totals):
    """The mean of a coefficient whose denominator is the number of pairs: a new tie adds an integer to the numerator.

    Groups of the same size have the same denominator, so their gains are added: the state has one column per size.
    """

    def __init__(self, grouped: Grouped, counts: IntArray, gains: IntArray, *, pooled: bool = False) -> None:
        sizes, self.size_of = np.unique(grouped.sizes, return_inverse=True)
        if pooled:  # all pairs have one denominator
            sizes, self.size_of = sizes[:1], np.zeros_like(self.size_of)
        pairs = (sizes * (sizes - 1) // 2).tolist()
        shares = [Fraction(1)] if len(pairs) == 1 else [Fraction(1, number) for number in pairs]
        self.pairs, self.start = Pairs(grouped), counts[:, :3]
        super().__init__(gains, shares, grouped.sizes.size)
        self.listed = most_listed(self.pairs)

    def at(self, epsilon: float, counts: IntArray) -> Candidate:
        """Evaluate a candidate from its counts."""
        now_ties, gains = self.start - counts[:, :3], self.gains
        tied = np.array([np.bincount(self.size_of, kind) for kind in now_ties.T]).T.astype(np.int64)
        return self.candidate(epsilon, np.array([tied @ np.maximum(gains, 0), tied @ np.maximum(-gains, 0)]))

    def best_between(self, low: Candidate, ends: Ends, size: int, floor: float) -> list[Candidate]:
        """Where groups have one size, sort keys of pairs near the best; whether a pair gains is the last bit."""
        gains, scores = self.gains, self.pairs.grouped.scores
        if scores.slack or not self.exact or sorted(np.sign(gains).tolist()) != [-1, 0, 1]:
            pairs = self.pairs.listing(*ends, size)
            return self.walk(low, pairs, self.size_of[pairs[2]], floor)
        from tiekit.core import _kernels

        keys = np.empty(size + 1, np.uint64)  # room that is not used is never touched
        end = _kernels.fill_keys(*scores.arrays, scores.text, *ends, scores.relative, gains, keys)
        gain, epsilon = _best_of_keys(keys[:end], 0, gains)
        return [Candidate(epsilon, low.value + gain, None)] if gain else []


def _best_of_keys(keys: NDArray[np.uint64], before: int, gains: IntArray) -> tuple[int, float]:
    """The most that pairs gain, with what others gain before them, and the smallest difference at which; or 0 at 0."""
    from tiekit.core import _kernels, _radix_sort
    from tiekit.core._compile import is_interpreted

    size, ends = keys.size, (gains.min(), gains.max())
    if not is_interpreted():
        size, before = _kernels.narrow(keys, before, *ends)
    gain, bits = _kernels.most_gained(_radix_sort.sort_keys(keys[:size], 1), before, *ends)
    return int(gain), float(np.uint64(bits).view(np.float64))


class Best(NamedTuple):
    """The best threshold, counts at 0 and there, shape (2, groups, 7), and near-ties, as in `SortedScores`."""

    epsilon: float
    counts: IntArray
    near_ties: dict[str, int]


MOST_ROWS = 64
"""Maximum number of scores of a group whose pairs are all compared rather than sorted."""


def search_columns(human: FloatArray, metric: FloatArray, gains: IntArray, *, pooled: bool) -> Best | None:
    """Find what `maximize` finds where groups are columns of few rows and one size; None for others. k is not counted.

    Neither scores nor differences are sorted, but for near-ties. In Python, comparing all pairs would take longer.
    """
    from tiekit.core import _kernels
    from tiekit.core._compile import is_interpreted

    if is_interpreted() or len(human) > MOST_ROWS or sorted(np.sign(gains).tolist()) != [-1, 0, 1]:
        return None
    scored = ~(np.isnan(human) | np.isnan(metric))
    sizes = np.full(scored.shape[1], len(scored)) if scored.all() else scored.sum(axis=0)
    compared, sizes = sizes >= 2, sizes[sizes >= 2]
    if not sizes.size or not (pooled or (sizes == sizes[0]).all()):
        return None
    if not scored.all():
        human, metric = (np.where(scored, one, np.nan)[:, compared] for one in (human, metric))
    h, m = (np.array(one, order="C") for one in (human, metric))  # of one kind: compiled once
    ordered = [np.sort(one, axis=None)[: sizes.sum()] for one in (h, m)]  # NaN last
    keys, before = _kernels.fill_columns(h, m, gains, float(ordered[1][-1]) - float(ordered[1][0]))
    _, epsilon = _best_of_keys(keys, before, gains)
    found = _kernels.count_columns(h, m, epsilon)
    counts, (c, d, t_h, t_m, t_hm) = np.zeros((2, 7, sizes.size), np.int64), found[3:]
    counts[:, :5] = [*(found[:3] + found[3:6]), t_m, t_hm], [*found[:3], t_m + c + d, t_hm + t_h]
    counts[:, 5] = sizes
    return Best(epsilon, counts.transpose(0, 2, 1), {"human": near_ties(ordered[0]), "metric": near_ties(ordered[1])})


class MeanOfGroups:
    """The mean of any coefficient of counts over the groups in which it is defined, or its pooled value, in float64.

    The state of a candidate is its counts.
    """

    def __init__(self, pairs: Pairs, entry: Coefficient) -> None:
        self.pairs, self.entry, self.slack = pairs, entry, ROUNDING
        self.listed = most_listed(pairs, replayed=True)

    def at(self, epsilon: float, counts: IntArray) -> Candidate:
        """Evaluate a candidate; where the coefficient is undefined in every group, the value is below all others."""
        value = average(self.entry.from_counts(counts), "drop")
        return Candidate(epsilon, value if value == value else -np.inf, counts)

    def bound(self, low: Candidate, high: Candidate) -> float:
        """Return the mean of the groups' bounds, each over the candidates at which the group is defined."""
        assert self.entry.formula is not None
        highest = self.entry.formula.upper(np.minimum(low.state, high.state), np.maximum(low.state, high.state))
        highest = np.minimum(highest[~np.isnan(highest)], self.entry.range[1])
        return float(highest.mean()) if highest.size else -np.inf

    def best_between(self, low: Candidate, ends: Ends, size: int, floor: float) -> list[Candidate]:
        """Tie the pairs in order of difference; a later candidate wins only with a larger value."""
        from tiekit.core import _kernels

        difference, kind, owner = self.pairs.listing(*ends, size)
        counts = low.state.copy()
        evaluate = self.entry.from_counts
        if isinstance(self.entry, Pooled):
            counts, owner, evaluate = counts.sum(axis=0, keepdims=True), np.zeros_like(owner), self.entry.formula.of_one
        now = evaluate(counts)
        before, after = (evaluate(c) for c in _kernels.replay_ties(counts, kind, owner))
        total = np.nansum(now) + np.cumsum(np.nan_to_num(after) - np.nan_to_num(before))
        defined = np.isfinite(now).sum() + np.cumsum(np.isfinite(after).astype(int) - np.isfinite(before))
        value = np.divide(total, defined, out=np.full(total.size, -np.inf), where=defined > 0)
        value[:-1][difference[1:] == difference[:-1]] = -np.inf  # not all pairs of this difference are ties yet
        leads = value > np.concatenate(([-np.inf], np.maximum.accumulate(value)[:-1]))
        leads &= value >= max(floor, value.max(initial=-np.inf) - self.slack)
        return [Candidate(float(difference[i]), float(value[i]), None) for i in np.flatnonzero(leads)]

    def settle(self, race: list[Candidate]) -> float:
        """Return the smallest candidate; values within rounding error are equal."""
        return min(candidate.epsilon for candidate in race)


MOST_PAIRS = 1_000_000
"""More pairs are not listed."""

SOME = 10_000
"""So many pairs are looked at first."""


class ListedPairs:
    """The pairs that the metric orders, with the difference, the kind and the group of each.

    A difference that overflows is left out: no finite threshold makes such a pair a tie.
    """

    def __init__(self, scores: SortedScores, size: int) -> None:
        from tiekit.core import _kernels

        found = _kernels.list_pairs(*scores.arrays, scores.text, scores.slack, np.inf, scores.relative, size)
        self._scores = scores
        self._difference, self._kind, self._group = found

    @classmethod
    def of(cls, scores: SortedScores) -> ListedPairs | None:
        """List the pairs of all groups; None where they are too many."""
        sizes = np.diff(scores.starts)
        size = int((sizes * (sizes - 1) // 2).sum())
        return cls(scores, size) if size <= MOST_PAIRS else None

    def differences(self, most: int) -> list[float] | None:
        """Return the differences that occur, ascending, of those that count as equal only the first; None if too many.

        A part of the pairs is looked at first: often it has too many already, and the others need not be sorted.
        """
        for part in (self._difference[:SOME], self._difference):
            found, last = list[float](), 0.0
            for difference in np.unique(part).tolist():
                if difference > last + self._scores.slack:
                    found.append(difference)
                    last = difference
                if len(found) > most:
                    return None
        return found

    def counts_at(self, thresholds: list[float]) -> Iterator[IntArray]:
        """Yield the counts of every group at each of some ascending thresholds; each array is changed by the next."""
        counts = count_sorted(self._scores, 0.0)
        becomes = np.searchsorted(np.array(thresholds) + self._scores.slack, self._difference)
        if len(thresholds) < np.iinfo(np.int16).max:
            becomes = becomes.astype(np.int16)  # sorted by digits, in linear time
        order = np.argsort(becomes, kind="stable")
        cell = 3 * self._group[order] + self._kind[order]
        ends = np.searchsorted(becomes[order], np.arange(len(thresholds)), side="right")
        for first, last in zip([0, *ends[:-1]], ends, strict=True):
            new = np.bincount(cell[first:last], minlength=3 * len(counts)).reshape(-1, 3)
            counts[:, :3] -= new
            counts[:, 3] += new[:, 0] + new[:, 1]
            counts[:, 4] += new[:, 2]
            yield counts
