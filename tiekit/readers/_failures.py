"""Which scores are perhaps none of the metric? Zeros and systems apart from all others, one score to a system's end."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tiekit.base.names import is_reference

FEWEST_ZEROS, SHARE_OF_ZEROS, FEWEST_DIFFERENT, AWAY = 2, 0.01, 100, 0.1
"""So many zeros, which are such a share of all scores, stand for missing ones where all of so many different others lie
further from 0 than this share of their range. Of the metrics of the sets that come along two have zeros so far from all
others, 14 of 24,830, those of empty outputs."""

OFTENER, FEWEST_INSIDE = 5, 10
"""Zeros among lower and higher scores do so where they are so many times as many as any other score, and so many."""

FEWEST_ALIKE, BY_CHANCE, MOST_STOPPED = 10, -20.0, 3
"""So many last scores of a system, at least, are those of a run that failed where they are all the same, the logarithm
of the chance of this by the other systems' scores there is lower, and at most one in so many systems has such ones. In
the sets that come along none has any but references, which metrics compare with themselves."""

FEWEST_SYSTEMS, FEWEST_SCORES, INSIDE = 4, 10, (0.1, 0.5, 0.9)
"""Of so many systems with so many scores, some are on another scale where nine in ten scores of each are above nine in
ten of each other one. No metric or human scores of the sets that come along have such systems, but for references."""


def find_zeros(matrix: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Where zeros stand for missing scores; those of segments without any other score are taken for scores."""
    zeros = matrix == 0
    zeros &= ((matrix != 0) & ~np.isnan(matrix)).any(axis=0)
    if (times := int(zeros.sum())) < max(FEWEST_ZEROS, SHARE_OF_ZEROS * (~np.isnan(matrix)).sum()):
        return np.zeros_like(zeros)
    different, numbers = np.unique(matrix[(matrix != 0) & ~np.isnan(matrix)], return_counts=True)
    low, high = different[0], different[-1]
    is_away = max(low, -high) >= AWAY * (high - low)
    is_often = low < 0 < high and times >= max(FEWEST_INSIDE, OFTENER * int(numbers.max()))
    return zeros if len(different) >= FEWEST_DIFFERENT and (is_away or is_often) else np.zeros_like(zeros)


def find_stopped(systems: Sequence[str], matrix: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Where the last scores of a few systems, or all, are one number that the others' scores there mostly are not."""
    found = np.zeros(matrix.shape, dtype=np.bool_)
    known = ~np.isnan(matrix)
    for row, scores in enumerate(matrix):
        places = np.flatnonzero(known[row])
        changes = np.flatnonzero(np.diff(scores[places]))
        last = places[changes[-1] + 1 :] if len(changes) else places
        if len(last) < FEWEST_ALIKE or is_reference(systems[row]):
            continue
        others = np.delete(matrix[:, last], row, axis=0)
        share = (1 + (others == scores[last[0]]).sum()) / (2 + (~np.isnan(others)).sum())
        found[row, last] = len(last) * np.log(share) < BY_CHANCE and not (others == others[:1]).all()
    few = MOST_STOPPED * found.any(axis=1).sum() <= known.any(axis=1).sum()
    return found if few else np.zeros_like(found)


def find_apart(systems: Sequence[str], matrix: NDArray[np.float64]) -> list[str]:
    """The systems, the fewer ones, whose scores lie above or below nearly all of the others'; mostly none."""
    enough = (~np.isnan(matrix)).sum(axis=1) >= FEWEST_SCORES
    rows = [row for row in np.flatnonzero(enough).tolist() if not is_reference(systems[row])]
    if len(rows) < FEWEST_SYSTEMS:
        return []
    low, middle, high = np.nanquantile(matrix[rows], INSIDE, axis=1)
    order = np.argsort(middle)
    highest = np.maximum.accumulate(high[order])[:-1]
    lowest = np.minimum.accumulate(low[order][::-1])[::-1][1:]
    if (low == high).any() or not (highest < lowest).any():
        return []
    place = 1 + int(np.argmax(lowest - highest))
    return [systems[rows[at]] for at in sorted(min(order[:place], order[place:], key=len).tolist())]
