"""Compiled loops of soft pairwise accuracy: in how many swaps of two systems' segments would the first lead by more?

A row of ``moved`` holds, for each swap, the sum of one system's scores on the segments that are swapped. The lead of
one system over another grows where its sum there is smaller than the other's; where both are equal, it stays the same.
"""

from __future__ import annotations

import numpy as np

from tiekit.counting._compile import inlined, kernel

SWAPS_AT_ONCE, SEGMENTS_AT_ONCE = 512, 32
"""Numbers of swaps and of segments that stay near the processor while all rows are summed."""


@inlined
def count_larger(first, second, reach):  # type: ignore[no-untyped-def]
    """Count twice the swaps in which the first sum is smaller, and once those in which both are equal."""
    count = 0
    for k in range(first.size):
        difference = first[k] - second[k]
        count += (difference < -reach) + (difference <= reach)
    return count


@inlined
def count_both(first, second, near, far):  # type: ignore[no-untyped-def]
    """Count as `count_larger` with two reaches at once."""
    count = other = 0
    for k in range(first.size):
        difference = first[k] - second[k]
        count += (difference < -near) + (difference <= near)
        other += (difference < -far) + (difference <= far)
    return count, other


@kernel
def sum_moved(scores, swaps, moved):  # type: ignore[no-untyped-def]
    """Add each row's scores on the segments that are swapped to ``moved``, shape (rows, swaps): a matrix product.

    As a loop it takes one core, as the parts of the work do, and gives the same bytes on any number of them.
    """
    n_rows, n_segments, n_swaps = scores.shape[0], scores.shape[1], swaps.shape[1]
    for begin in range(0, n_swaps, SWAPS_AT_ONCE):
        end = min(begin + SWAPS_AT_ONCE, n_swaps)
        for start in range(0, n_segments, SEGMENTS_AT_ONCE):
            stop = min(start + SEGMENTS_AT_ONCE, n_segments)
            for i in range(n_rows):
                row, n = moved[i, begin:end], start
                while n + 4 <= stop:
                    a, b, c, d = scores[i, n], scores[i, n + 1], scores[i, n + 2], scores[i, n + 3]
                    first, second = swaps[n, begin:end], swaps[n + 1, begin:end]
                    third, fourth = swaps[n + 2, begin:end], swaps[n + 3, begin:end]
                    for k in range(end - begin):
                        row[k] += a * first[k] + b * second[k] + c * third[k] + d * fourth[k]
                    n += 4
                while n < stop:
                    first = swaps[n, begin:end]
                    for k in range(end - begin):
                        row[k] += scores[i, n] * first[k]
                    n += 1


@kernel
def confidences(moved, scores, same):  # type: ignore[no-untyped-def]
    """Count twice, for every two systems in order, the swaps with a larger lead plus those with an equal one.

    Sums are equal up to half the share ``same`` of the summed leads.
    """
    n = len(scores)
    found = np.empty(n * (n - 1) // 2, np.int64)
    place = 0
    for i in range(n):
        for j in range(i + 1, n):
            lead = 0.0
            for s in range(scores.shape[1]):
                lead += abs(scores[i, s] - scores[j, s])
            found[place] = count_larger(moved[i], moved[j], 0.5 * same * lead)
            place += 1
    return found


@kernel
def soft_errors(pairs, base, change, scores, swapped, largest, human, same, noise):  # type: ignore[no-untyped-def]
    """Average the distance of every two systems' confidences from the human's, for pairs of metrics that swap scores.

    ``base`` holds each metric's sums, shape (metrics, systems, swaps), and ``change`` what those of its scores that are
    swapped are more than the first metric's. ``human`` is the human's confidence in every two systems. Whether two sums
    are equal is decided as in `confidences`, with the leads of the scores as they are swapped; they are summed only
    where it matters, as ``largest`` bounds each system's sum and ``noise`` is the share of it that rounding can make.
    """
    n, n_swaps = base.shape[1], base.shape[2]
    errors = np.empty((len(pairs), 2))
    moved = np.empty((n, n_swaps))
    for p in range(len(pairs)):
        for slot in range(2):
            a, b = pairs[p, slot], pairs[p, 1 - slot]
            for i in range(n):
                for k in range(n_swaps):
                    moved[i, k] = base[a, i, k] + (change[b, i, k] - change[a, i, k])
            total, place = 0.0, 0
            for i in range(n):
                for j in range(i + 1, n):
                    bound = largest[i] + largest[j]
                    count, other = count_both(moved[i], moved[j], noise * bound, 0.5 * same * bound)
                    if count != other:
                        lead = 0.0
                        for s in range(scores.shape[2]):
                            first = scores[b, i, s] if swapped[i, s] else scores[a, i, s]
                            second = scores[b, j, s] if swapped[j, s] else scores[a, j, s]
                            lead += abs(first - second)
                        count = count_larger(moved[i], moved[j], 0.5 * same * lead)
                    total += abs(human[place] - count / (2 * n_swaps))
                    place += 1
            errors[p, slot] = total / place
    return errors
