"""Where is a mean coefficient largest? A best-first search over the threshold: exact, without a list of all pairs.

Counts change only at candidates, the differences that occur, and each of them only falls or only rises with the
threshold. So between two thresholds a coefficient is bounded by the counts at both. The stretch with the highest
bound comes first: where it holds few pairs they are listed, sorted and walked; otherwise it is split at the median of
its differences. A stretch that cannot hold a larger value, or an equal one at a smaller threshold, is never opened.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tiekit.coefficients.coefficient import Coefficient
from tiekit.coefficients.correlation import ROUNDING, average
from tiekit.counting.grouping import Grouped
from tiekit.counting.pairs import Counted, SortedScores, count_within
from tiekit.counting.scores import FloatArray, IntArray
from tiekit.progress import Progress

SAMPLED_PAIRS = 255
"""Differences whose median splits a stretch. It decides how long the search takes, not what it finds."""

LISTED_AT_LEAST, LISTED_PER_SCORE = 100_000, 10
"""Pairs that are listed without more ado; listing so many for each score costs about as much as one count."""

REPLAYED_AT_LEAST, REPLAYED_PER_SCORE = 20_000, 1
"""The same where the coefficient is worked out for each of them, with some 300 bytes a pair."""


Listing: TypeAlias = tuple[FloatArray, NDArray[np.int8], NDArray[np.int32]]
"""Pairs in order of difference: difference, kind, group."""


@dataclass(frozen=True)
class Candidate:
    """A threshold that a pair's difference gives, with the objective's value; ``state`` is what it is made of."""

    epsilon: float
    value: float
    state: Any


@dataclass(frozen=True)
class Plateau:
    """What holds from a candidate up to the ``next`` one; ``tied``: the pairs that the metric ties, in all."""

    candidate: Candidate
    next: float
    tied: int


class Objective(Protocol):
    """What is maximised.

    Attributes
    ----------
    slack : float
        Candidates whose values lie so close below the largest stay in the race until `settle`.
    listed : int
        Pairs to list at once at most.
    """

    slack: float
    listed: int

    def at(self, epsilon: float, counts: IntArray) -> Candidate:
        """Value a candidate by its counts, shape (groups, 7)."""

    def bound(self, low: Candidate, high: Candidate) -> float:
        """A value that no candidate between two others exceeds."""

    def best_between(self, low: Candidate, high: Candidate, size: int, floor: float) -> list[Candidate]:
        """List the pairs between two candidates, at most ``size``; those that may win, worth ``floor`` at least."""

    def settle(self, race: list[Candidate]) -> float:
        """The smallest maximiser among candidates within `slack` of the largest value."""


def maximise(
    scores: SortedScores,
    at_zero: Counted,
    objective: Objective,
    progress: Progress | None = None,
    largest: float | None = None,
) -> float:
    """The smallest candidate that maximises the objective. ``progress`` hears which share of the pairs is settled.

    ``largest`` is the largest difference that counts, None the largest of all.
    """
    largest = widest(scores) if largest is None else largest
    first, last = _plateau(objective, at_zero), _plateau(objective, _all_tied(at_zero.counts, largest))
    race = _leaders([first.candidate, last.candidate], objective.slack)
    heap = [_stretch(objective, first, last)]
    all_pairs = waiting = max(1, last.tied - first.tied)
    while heap:
        bound, _, low, high = heapq.heappop(heap)
        waiting -= high.tied - low.tied
        best = max(candidate.value for candidate in race)
        if -bound < best - objective.slack:
            break
        if _may_win(-bound, low, high, race):
            size, sample = _between(scores, low, high, objective.listed)
            if size <= objective.listed:
                race += objective.best_between(low.candidate, high.candidate, size, best - objective.slack)
            else:
                median = float(np.sort(sample)[sample.size // 2])
                middle = _plateau(objective, count_within(scores, median))
                race.append(middle.candidate)
                for part in ((low, middle), (middle, high)):
                    heapq.heappush(heap, _stretch(objective, *part))
                    waiting += part[1].tied - part[0].tied
            race = _leaders(race, objective.slack)
        if progress is not None:
            progress(1 - waiting / all_pairs)
    if progress is not None:
        progress(1.0)
    return objective.settle(race)


def _stretch(objective: Objective, low: Plateau, high: Plateau) -> tuple[float, float, Plateau, Plateau]:
    """An entry of the heap: the highest bound first, then the smallest threshold, which is there once."""
    return -objective.bound(low.candidate, high.candidate), low.candidate.epsilon, low, high


def _may_win(bound: float, low: Plateau, high: Plateau, race: list[Candidate]) -> bool:
    """Whether there is a candidate in between, and one larger in value or smaller in threshold than the leader.

    No other stretch has a higher bound than the one that is looked at, so none can overtake the leader either.
    """
    leader = min(race, key=lambda candidate: candidate.epsilon)
    return low.next < high.candidate.epsilon and (bound > leader.value or low.candidate.epsilon < leader.epsilon)


def _leaders(race: list[Candidate], slack: float) -> list[Candidate]:
    """Who is within the slack of the best; of values that are exact, only the smallest threshold."""
    floor = max(candidate.value for candidate in race) - slack
    kept = [candidate for candidate in race if candidate.value >= floor]
    return kept if slack else [min(kept, key=lambda candidate: candidate.epsilon)]


def _plateau(objective: Objective, found: Counted) -> Plateau:
    return Plateau(objective.at(found.epsilon, found.counts), found.next, int(found.counts[:, 3:5].sum()))


def _all_tied(counts: IntArray, largest: float) -> Counted:
    """The largest difference of all, at which every pair is tied."""
    tied = counts.copy()
    tied[:, :5] = 0
    tied[:, 3] = counts[:, [0, 1, 3]].sum(axis=1)
    tied[:, 4] = counts[:, [2, 4]].sum(axis=1)
    return Counted(tied, largest, np.inf)


def widest(scores: SortedScores) -> float:
    """The largest difference within a group."""
    from tiekit.counting import _kernels

    return float(_kernels.widest(scores.metric, scores.starts, scores.relative))


def _between(scores: SortedScores, low: Plateau, high: Plateau, enough: int) -> tuple[int, FloatArray]:
    """How many pairs lie strictly between, or at most do where that is enough; else some of their differences."""
    from tiekit.counting import _kernels

    at_most = high.tied - low.tied
    if at_most <= enough:
        return at_most, np.empty(0)
    ends = low.candidate.epsilon, high.candidate.epsilon
    found: tuple[int, FloatArray] = _kernels.sample_between(
        scores.metric, scores.starts, *ends, scores.relative, SAMPLED_PAIRS
    )
    return found


def list_between(scores: SortedScores, low: float, high: float, size: int) -> Listing:
    """List the pairs, at most ``size``, whose difference lies strictly between."""
    from tiekit.counting import _kernels

    difference, kind, group = _kernels.list_pairs(*scores.arrays, low, high, scores.relative, size)
    order = np.argsort(difference)
    return difference[order], kind[order], group[order]


class WholeNumbers:
    """Coefficients whose denominator is the number of pairs: every pair that becomes a tie gains a whole number.

    Groups of one size share a denominator, so their gains add up: with one size all is exact, with several the
    candidates within rounding of the best are compared as fractions. A candidate's state is what the pairs of each
    size gained and lost so far, each of which only grows.
    """

    def __init__(self, grouped: Grouped, counts: IntArray, gains: IntArray) -> None:
        sizes, self.size_of = np.unique(grouped.sizes, return_inverse=True)
        self.scores, self.gains, self.start = grouped.scores, gains, counts[:, :3]
        self.pairs = sizes * (sizes - 1) // 2
        self.weight = np.ones(1) if sizes.size == 1 else 1.0 / self.pairs
        self.listed = max(LISTED_AT_LEAST, LISTED_PER_SCORE * grouped.scores.metric.size)
        exact = sizes.size == 1
        self.slack = 0.0 if exact else 1e-15 * (sizes.size + 2) * grouped.sizes.size * int(np.abs(gains).max())

    def at(self, epsilon: float, counts: IntArray) -> Candidate:
        """A state has a row of gains and a row of losses, a column a size."""
        now_ties = self.start - counts[:, :3]
        tied = np.array([np.bincount(self.size_of, kind) for kind in now_ties.T]).T.astype(np.int64)
        state = np.array([tied @ np.maximum(self.gains, 0), tied @ np.maximum(-self.gains, 0)])
        return Candidate(epsilon, self._worth(state[0] - state[1]), state)

    def _worth(self, total: IntArray) -> float:
        return int(total[0]) if self.pairs.size == 1 else float((total / self.pairs).sum())

    def bound(self, low: Candidate, high: Candidate) -> float:
        """All that gains up to the upper one, less what was lost at the lower one."""
        return self._worth(high.state[0] - low.state[1]) + self.slack

    def best_between(self, low: Candidate, high: Candidate, size: int, floor: float) -> list[Candidate]:
        """Where groups have one size, two sorted lists are merged: pairs that gain, pairs that lose."""
        up, down = (np.flatnonzero(side) for side in (self.gains > 0, self.gains < 0))
        if self.pairs.size > 1 or not up.size == down.size == 1:
            return self._walk(low, high, size, floor)
        from tiekit.counting import _kernels

        pool_of = np.full(3, 2)
        pool_of[up], pool_of[down] = 0, 1
        pools = np.empty((3, max(size, 1)))  # room that is not used is never touched
        window = low.epsilon, high.epsilon, self.scores.relative
        sizes = _kernels.fill_pools(*self.scores.arrays, *window, pool_of, pools)
        plus, minus = (pools[pool, : sizes[pool]] for pool in (0, 1))
        plus.sort()
        minus.sort()
        gain, epsilon = _kernels.merge_pools(plus, minus, self.gains[up[0]], self.gains[down[0]])
        return [Candidate(float(epsilon), low.value + int(gain), None)] if gain else []

    def _walk(self, low: Candidate, high: Candidate, size: int, floor: float) -> list[Candidate]:
        """One sorted list of all pairs, whatever they gain and how many sizes there are."""
        from tiekit.counting import _kernels

        pairs = self._list(low, high, size)
        start = low.state[0] - low.state[1]

        def walk(floor: float, room: int) -> tuple[float, int, FloatArray, IntArray]:
            epsilons, totals = np.empty(room), np.empty((room, start.size), np.int64)
            found = _kernels.walk_pairs(
                *pairs, self.gains, self.weight, start, float(low.value), floor, epsilons, totals
            )
            return *found, epsilons, totals

        floor = max(floor, walk(np.inf, 0)[0] - self.slack)
        *_, epsilons, totals = walk(floor, walk(floor, 0)[1])
        nothing = np.zeros_like(start)
        return [
            Candidate(epsilon, self._worth(total), np.array([total, nothing]))
            for epsilon, total in zip(epsilons.tolist(), totals, strict=True)
        ]

    def _list(self, low: Candidate, high: Candidate, size: int) -> tuple[FloatArray, NDArray[np.int8], IntArray]:
        """The pairs in between, in order of difference: difference, kind, column of the state."""
        difference, kind, group = list_between(self.scores, low.epsilon, high.epsilon, size)
        return difference, kind, self.size_of[group]

    def settle(self, race: list[Candidate]) -> float:
        """As fractions, where there is a choice."""
        if len(race) == 1:
            return race[0].epsilon
        exact = [sum(map(Fraction, (c.state[0] - c.state[1]).tolist(), self.pairs.tolist())) for c in race]
        highest = max(exact)
        return min(c.epsilon for c, value in zip(race, exact, strict=True) if value == highest)


class MeanOfGroups:
    """Any coefficient of counts: the mean over the groups where it is defined, in float64.

    A candidate's state is its counts.
    """

    def __init__(self, grouped: Grouped, entry: Coefficient) -> None:
        self.scores, self.entry, self.slack = grouped.scores, entry, ROUNDING
        self.listed = max(REPLAYED_AT_LEAST, REPLAYED_PER_SCORE * grouped.scores.metric.size)

    def list_between(self, low: float, high: float, size: int) -> Listing:
        """The pairs strictly between, in order of difference."""
        return list_between(self.scores, low, high, size)

    def at(self, epsilon: float, counts: IntArray) -> Candidate:
        """Where no group is defined the value is below all others."""
        value = average(self.entry.from_counts(counts), "drop")
        return Candidate(epsilon, value if value == value else -np.inf, counts)

    def bound(self, low: Candidate, high: Candidate) -> float:
        """The mean of the groups' bounds; one that may be undefined in between does best where it is not."""
        assert self.entry.formula is not None
        highest = self.entry.formula.upper(np.minimum(low.state, high.state), np.maximum(low.state, high.state))
        highest = np.minimum(highest[~np.isnan(highest)], self.entry.range[1])
        return float(highest.mean()) if highest.size else -np.inf

    def best_between(self, low: Candidate, high: Candidate, size: int, floor: float) -> list[Candidate]:
        """Replay the pairs in order of difference; a later candidate may win only with a larger value."""
        from tiekit.counting import _kernels

        difference, kind, owner = self.list_between(low.epsilon, high.epsilon, size)
        counts = low.state.copy()
        now = self.entry.from_counts(counts)
        before, after = (self.entry.from_counts(c) for c in _kernels.replay_ties(counts, kind, owner))
        total = np.nansum(now) + np.cumsum(np.nan_to_num(after) - np.nan_to_num(before))
        defined = np.isfinite(now).sum() + np.cumsum(np.isfinite(after).astype(int) - np.isfinite(before))
        value = np.divide(total, defined, out=np.full(total.size, -np.inf), where=defined > 0)
        value[:-1][difference[1:] == difference[:-1]] = -np.inf  # not all pairs of this difference are ties yet
        leads = value > np.concatenate(([-np.inf], np.maximum.accumulate(value)[:-1]))
        leads &= value >= max(floor, value.max(initial=-np.inf) - self.slack)
        return [Candidate(float(difference[i]), float(value[i]), None) for i in np.flatnonzero(leads)]

    def settle(self, race: list[Candidate]) -> float:
        """What lies within rounding is equal."""
        return min(candidate.epsilon for candidate in race)
