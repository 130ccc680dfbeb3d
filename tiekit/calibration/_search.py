"""Which threshold maximizes a mean coefficient? A best-first search: exact, without a list of all pairs.

Counts change only at candidates (the differences that occur), and each count only falls or only rises with the
threshold. So the counts at two thresholds bound the coefficient at every threshold between them. The search takes the
interval with the highest bound first. Where it holds few pairs, they are listed, sorted and evaluated in order;
otherwise it is split at the median of its differences. An interval that cannot hold a larger value, or an equal value
at a smaller threshold, is never opened.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tiekit.counting.means import smallest_of_each
from tiekit.counting.pairs import Counted, SortedScores, count_within
from tiekit.progress import Progress
from tiekit.scores import FloatArray, IntArray

SAMPLED_PAIRS = 255
"""Number of differences whose median splits an interval. It affects how long the search takes, not the result."""


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
    """A candidate, the ``next`` one, up to which nothing changes, and the number of pairs ``tied`` by the metric."""

    candidate: Candidate
    next: float
    tied: int


class Objective(Protocol):
    """An objective that the search maximizes.

    Attributes
    ----------
    slack : float
        Candidates whose values are at most this far below the largest are kept until `settle`.
    listed : int
        The largest number of pairs that are listed at once.
    """

    slack: float
    listed: int

    def at(self, epsilon: float, counts: IntArray) -> Candidate:
        """Evaluate a candidate from its counts, shape (groups, 7)."""

    def bound(self, low: Candidate, high: Candidate) -> float:
        """Return an upper bound of the values of all candidates between two others."""

    def best_between(self, low: Candidate, high: Candidate, size: int, floor: float) -> list[Candidate]:
        """List the at most ``size`` pairs between two candidates; return those that may win, at least ``floor``."""

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
    first, last = _plateau(objective, at_zero), _plateau(objective, _all_tied(at_zero.counts, largest))
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
            if size <= objective.listed:
                race += objective.best_between(low.candidate, high.candidate, size, best - objective.slack)
            else:
                median = float(np.sort(sample)[sample.size // 2])
                middle = _plateau(objective, count_within(scores, median))
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
    return Plateau(objective.at(found.epsilon, found.counts), found.next, int(found.counts[:, 3:5].sum()))


def _all_tied(counts: IntArray, largest: float) -> Counted:
    """Counts at the largest difference, where the metric ties every pair."""
    tied = counts.copy()
    tied[:, :5] = 0
    tied[:, 3] = counts[:, [0, 1, 3]].sum(axis=1)
    tied[:, 4] = counts[:, [2, 4]].sum(axis=1)
    return Counted(tied, largest, np.inf)


def widest(scores: SortedScores) -> float:
    """Return the largest difference of two metric scores within a group."""
    from tiekit.counting import _kernels

    return float(_kernels.widest(scores.metric, scores.starts, scores.relative))


def _between(scores: SortedScores, low: Plateau, high: Plateau, enough: int) -> tuple[int, FloatArray]:
    """How many pairs are strictly between (an upper bound where that is ``enough``), and some of their differences."""
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
    """List the at most ``size`` pairs with a difference strictly between; with `SortedScores.slack`, all above low."""
    from tiekit.counting import _kernels

    high = np.inf if scores.slack else high  # the largest difference may be one of several that are equal
    difference, kind, group = _kernels.list_pairs(*scores.arrays, low, high, scores.relative, size)
    order = np.argsort(difference)
    difference = difference[order]
    return smallest_of_each(difference, scores.slack) if scores.slack else difference, kind[order], group[order]
