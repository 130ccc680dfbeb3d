"""Algorithm 2 of Deutsch et al. (2023) in NumPy, for acc_eq and one group: list all pairs, sort them once, add up.

What one would write without a search: quick as long as all pairs fit into memory, about 33 bytes each.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]


def calibrate(human: Scores, metric: Scores) -> tuple[float, float]:
    """The smallest threshold that maximises acc_eq, and that acc_eq."""
    scored = ~(np.isnan(human) | np.isnan(metric))
    if scored.sum() < 2:
        return 0.0, math.nan
    with np.errstate(over="ignore"):  # two huge scores differ by infinity, as everywhere in tiekit
        difference, gain, correct = pairs(human[scored], metric[scored])
    order = np.argsort(difference)
    difference, gain = difference[order], gain[order]
    del order
    total = correct + np.cumsum(gain, dtype=np.int64)
    last = np.flatnonzero(np.append(difference[1:] != difference[:-1], True))  # equal differences become ties together
    best = last[np.argmax(total[last])]  # the first of several
    return float(difference[best]), int(total[best]) / (gain.size - 1)


def pairs(human: Scores, metric: Scores) -> tuple[Scores, NDArray[np.int8], int]:
    """Each pair's metric difference, what acc_eq's numerator gains when it becomes a tie, and that numerator before."""
    size = 1 + human.size * (human.size - 1) // 2  # in front 0 apart without gain: 0 is a candidate without ties too
    difference, gain = np.zeros(size), np.zeros(size, np.int8)
    place, correct = 1, 0
    for i in range(human.size - 1):  # row by row: index arrays of all pairs would take more room than the pairs
        h, m = human[i] - human[i + 1 :], metric[i] - metric[i + 1 :]
        concordant = np.sign(h) * np.sign(m) > 0
        difference[place : place + h.size] = abs(m)
        gain[place : place + h.size] = (h == 0).astype(np.int8) - concordant
        correct += int(concordant.sum())
        place += h.size
    return difference, gain, correct
