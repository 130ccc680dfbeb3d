"""Where is a mean coefficient largest? A best-first search over the threshold: exact, without a list of all pairs.

Counts change only at candidates, the differences that occur, and each of them only falls or only rises with the
threshold. So between two thresholds a coefficient is bounded by the counts at both. The stretch with the highest
bound comes first: where it holds few pairs they are listed, sorted and walked; otherwise it is split at the median of
its differences. A stretch that cannot hold a larger value, or an equal one at a smaller threshold, is never opened.
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
"""Differences whose median splits a stretch. It decides how long the search takes, not what it finds."""


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
    """List the pairs, at most ``size``, whose difference lies strictly between; with `SortedScores.slack` all above."""
    from tiekit.counting import _kernels

    high = np.inf if scores.slack else high  # the largest difference may be one of several that are equal
    difference, kind, group = _kernels.list_pairs(*scores.arrays, low, high, scores.relative, size)
    order = np.argsort(difference)
    difference = difference[order]
    return smallest_of_each(difference, scores.slack) if scores.slack else difference, kind[order], group[order]
