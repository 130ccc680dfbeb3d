"""The compiled loops, on clean arrays: finite scores, sorted by group and, within a group, by the metric.

``rank`` holds the human scores as dense ranks 0, 1, …; group g lies at ``starts[g]:starts[g + 1]``.
``relative`` says which difference of two scores decides, see `gap`. Sorting makes every loop exact with float64
differences: they round monotonically, so of the scores before j those more than epsilon below it are a prefix, and
that prefix only grows with j.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiekit.base.validation import FloatArray, IntArray
from tiekit.core._compile import inline, kernel, within

CONCORDANT, DISCORDANT, HUMAN_TIE = 0, 1, 2
"""Kinds of pairs that the metric orders. Only these change when epsilon grows."""

RANGES = 2048
"""Ranges of differences in which pairs are counted; the counts of so many fit a processor's nearest cache."""

FINE_RANGES, FINE_BITS = 8192, 43
"""The same for all pairs at once: 512 ranges to an octave, which tell differences apart without these last bits."""


class Walk(NamedTuple):
    """Pairs in order of difference, what they gain and where their walk starts: what `walk_pairs` reads."""

    difference: FloatArray
    kind: NDArray[np.int8]
    column: IntArray
    gain: IntArray
    weight: FloatArray
    total: IntArray
    value: float


@inline
def gap(above, below, relative):  # type: ignore[no-untyped-def]
    """How far one score lies below another: the difference, or the share of the larger magnitude that is missing.

    Relatively, scores of different signs are as far apart as zero and anything: 1. Neither rounds out of order.
    """
    if not relative:
        return above - below
    if above == below:
        return 0.0
    if below >= 0.0:
        return 1.0 - below / above
    if above <= 0.0:
        return 1.0 - above / below
    return 1.0


@inline
def window(metric, far, near, j, low, high, relative):  # type: ignore[no-untyped-def]
    """Where the scores before j begin and end that lie strictly between low and high below it; both only move on.

    Low is at least 0 and high above it, so that neither goes beyond j, which is 0 apart from itself.
    """
    score = metric[j]
    while gap(score, metric[far], relative) >= high:
        far += 1
    near = max(near, far)
    while gap(score, metric[near], relative) > low:
        near += 1
    return far, near


@inline
def kind_of(below, above):  # type: ignore[no-untyped-def]
    """The kind of a pair that the metric orders, by the human ranks; without a branch to guess wrong."""
    return (below > above) * DISCORDANT + (below == above) * HUMAN_TIE


@within
def merge(values, tolerance):  # type: ignore[no-untyped-def]
    """Values without NaN; of a chain of them, each within the tolerance of the next, all become the smallest."""
    order = np.argsort(values)
    equal = values.copy()
    for p in range(1, order.size):
        if values[order[p]] - values[order[p - 1]] <= tolerance:
            equal[order[p]] = equal[order[p - 1]]
    return equal


@kernel
def merge_near_equal(values, tolerance):  # type: ignore[no-untyped-def]
    """See `merge`."""
    return merge(values, tolerance)


@kernel
def count_groups(rank, metric, starts, n_ranks, epsilon, relative):  # type: ignore[no-untyped-def]
    """Count the pairs of every group; one row per group, columns as in `coefficients.formula.SYMBOLS`. O(n log n).

    Returned too: the largest difference of a pair up to epsilon and the smallest above it, 0 and infinity where
    there is none. Between them nothing changes.
    """
    counts = np.zeros((starts.size - 1, 7), np.int64)
    tree = np.zeros(n_ranks + 1, np.int64)  # Fenwick tree over the ranks of the scores more than epsilon below
    below = np.zeros(n_ranks, np.int64)  # the same scores, counted by rank
    seen = np.zeros(n_ranks, np.int64)  # all scores of the group so far, counted by rank
    largest, next_one = 0.0, np.inf
    for g in range(starts.size - 1):
        first, last = starts[g], starts[g + 1]
        concordant = ordered = ordered_same = same = n_metric = n_human = 0
        edge = first
        for j in range(first, last):
            here, score = rank[j], metric[j]
            distance = gap(score, metric[edge], relative)
            while distance > epsilon:
                below[rank[edge]] += 1
                i = rank[edge] + 1
                while i <= n_ranks:
                    tree[i] += 1
                    i += i & -i
                edge += 1
                distance = gap(score, metric[edge], relative)
            largest = max(largest, distance)
            if edge > first:
                next_one = min(next_one, gap(score, metric[edge - 1], relative))
            i = here if edge > first else 0
            while i > 0:
                concordant += tree[i]
                i &= i - 1
            ordered += edge - first
            ordered_same += below[here]
            same += seen[here]
            n_human += seen[here] == 0
            n_metric += j == first or score != metric[j - 1]
            seen[here] += 1
        n = last - first
        both = same - ordered_same
        counts[g, 0] = concordant
        counts[g, 1] = ordered - ordered_same - concordant
        counts[g, 2] = ordered_same
        counts[g, 3] = n * (n - 1) // 2 - ordered - both
        counts[g, 4] = both
        counts[g, 5] = n
        counts[g, 6] = min(n_metric, n_human)
        for j in range(first, last):  # leave the tables as they were found
            seen[rank[j]] = 0
        for j in range(first, edge):
            below[rank[j]] = 0
            i = rank[j] + 1
            while i <= n_ranks and tree[i] != 0:
                tree[i] = 0
                i += i & -i
    return counts, largest, next_one


@kernel
def find_same(number, size):  # type: ignore[no-untyped-def]
    """Find the scores whose number, below size, another one has too: which they are, number by number, and the starts.

    First: the number of each of these scores; others, and those with -1, have numbers of their own.
    """
    text, place = number.copy(), np.zeros(size, np.int32)
    for one in number:
        if one >= 0:
            place[one] += 1
    starts, groups, total = np.zeros((place > 1).sum() + 1, np.int64), 0, 0
    for one in range(size):
        there = place[one]
        place[one] = total if there > 1 else -1
        if there > 1:
            total += there
            groups += 1
            starts[groups] = total
    cells = np.empty(total, np.int64)
    for i in range(number.size):
        one = number[i]
        if one >= 0 and place[one] >= 0:
            cells[place[one]] = i
            place[one] += 1
        else:
            text[i] = -1 - i
    return text, cells, starts


@kernel
def widest(metric, starts, relative):  # type: ignore[no-untyped-def]
    """The largest difference within a group."""
    largest = 0.0
    for g in range(starts.size - 1):
        largest = max(largest, gap(metric[starts[g + 1] - 1], metric[starts[g]], relative))
    return largest


@kernel
def sample_between(metric, starts, low, high, relative, size):  # type: ignore[no-untyped-def]
    """Count the pairs whose difference lies strictly between; and differences of ``size`` of them, evenly spread."""
    sample = np.empty(size, np.float64)
    found = total = picked = 0
    for again in range(2):  # first count, then pick one after every ``step``
        step = max(1, total // size)
        total = 0
        for g in range(starts.size - 1):
            near = far = starts[g]
            for j in range(starts[g], starts[g + 1]):
                score = metric[j]
                far, near = window(metric, far, near, j, low, high, relative)
                total += near - far
                while again and picked < size and picked * step < total:
                    sample[picked] = gap(score, metric[near - (total - picked * step)], relative)
                    picked += 1
        found = total
    return found, sample[:picked]


@kernel
def list_pairs(rank, metric, starts, text, low, high, relative, size):  # type: ignore[no-untyped-def]
    """List the pairs, at most ``size``, whose difference lies strictly between: difference, kind, group.

    Pairs of the same ``text`` are left out; it may be None, and is then compiled away.
    """
    difference = np.empty(size, np.float64)
    kind = np.empty(size, np.int8)
    group = np.empty(size, np.int32)
    p = 0
    for g in range(starts.size - 1):
        near = far = starts[g]
        for j in range(starts[g], starts[g + 1]):
            score = metric[j]
            far, near = window(metric, far, near, j, low, high, relative)
            for i in range(far, near):
                if text is not None:  # noqa: SIM102  # alone, so that it is compiled away
                    if text[i] == text[j]:
                        continue
                difference[p] = gap(score, metric[i], relative)
                kind[p] = kind_of(rank[i], rank[j])
                group[p] = g
                p += 1
    return difference[:p], kind[:p], group[:p]


@kernel
def fill_keys(rank, metric, starts, text, low, high, relative, gains, keys):  # type: ignore[no-untyped-def]
    """Write a key for each pair of a kind with a gain other than 0 whose difference lies strictly between; how many.

    A key is the bits of the difference, which is above 0, and one more: whether the gain is above 0. A pair without a
    gain is overwritten by the next: no branch to guess wrong. Pairs of one ``text``, as in `list_pairs`, have none.
    """
    size = np.uint64(0)  # unsigned, a place need not be checked for one that counts from the end
    counted, gained = (gains != 0).astype(np.uint64), (gains > 0).astype(np.uint64)
    for g in range(starts.size - 1):
        near = far = starts[g]
        for j in range(starts[g], starts[g + 1]):
            above, score = rank[j], metric[j]
            far, near = window(metric, far, near, j, low, high, relative)
            for i in range(np.uint64(far), np.uint64(near)):
                if text is not None:  # noqa: SIM102  # as in `list_pairs`
                    if text[i] == text[j]:
                        continue
                kind = np.uint64(kind_of(rank[i], above))
                bits = np.float64(gap(score, metric[i], relative)).view(np.uint64)
                keys[size] = (bits << np.uint64(1)) | gained[kind]
                size += counted[kind]
    return size


@within
def bound_ranges(held, before, gains):  # type: ignore[no-untyped-def]
    """The first and the last range that may reach the most that pairs gain, and what they gain before the first.

    ``held`` are the pairs of a range by which of three gains they have. What pairs gain up to the end of a range is
    exact, and within it never more than up to its start and by its gains: enough where that is the best end of all.
    """
    total, most = np.empty(len(held) + 1, np.int64), np.empty(len(held), np.int64)
    total[0], best, first, last = before, 1, len(held), 0
    for r in range(len(held)):
        one, other, third = held[r, 0] * gains[0], held[r, 1] * gains[1], held[r, 2] * gains[2]
        most[r] = total[r] + max(one, 0) + max(other, 0) + max(third, 0)
        total[r + 1] = total[r] + one + other + third
        best = max(best, total[r + 1])
    for r in range(len(held)):
        if most[r] >= best:
            first, last = min(first, r), r
    return first, last, total[first]


@kernel
def narrow(keys, before, loss, gain):  # type: ignore[no-untyped-def]
    """Move to the front, as they stand, keys that may reach the most that pairs gain; how many, and the gain before.

    Keys are counted in `RANGES` ranges of differences. Left out is what `bound_ranges` leaves out; again, in finer
    ranges, as long as at least half of the keys are left out.
    """
    one, size, former = np.uint64(1), keys.size, 2 * keys.size
    while size > RANGES and 2 * size <= former:
        former = size
        least, largest = keys[0], keys[0]
        for key in keys[:size]:
            least, largest = min(least, key), max(largest, key)
        shift = one
        while (largest >> shift) - (least >> shift) >= RANGES:
            shift += one
        least >>= shift
        held = np.zeros((RANGES, 3), np.int32)
        for key in keys[:size]:
            held[(key >> shift) - least, key & one] += 1
        first, last, before = bound_ranges(held, before, (loss, gain, 0))
        kept = 0
        for key in keys[:size]:
            r = (key >> shift) - least
            keys[kept] = key
            kept += (r >= first) & (r <= last)
        size = kept
    return size, before


@within
def compare(human, other_human, metric, other):  # type: ignore[no-untyped-def]
    """The difference of two metric scores, NaN where one is, and the kind of the pair where the metric orders it."""
    discordant = (human > other_human) != (metric > other)
    kind = HUMAN_TIE if human == other_human else DISCORDANT if discordant else CONCORDANT
    return abs(metric - other), kind


@kernel
def fill_columns(human, metric, gains, widest):  # type: ignore[no-untyped-def]
    """Find keys, as those of `fill_keys`, of pairs within columns that may reach the most; and what is gained before.

    No difference is above ``widest``. Pairs are compared as they stand, twice: to count them in ranges, four kinds in
    each, the last of pairs that are no candidates; and to write down what `bound_ranges` leaves.
    """
    rows, columns = metric.shape
    least = (np.float64(widest).view(np.int64) >> FINE_BITS) - (FINE_RANGES - 1)
    held, cell = np.zeros(4 * FINE_RANGES, np.int32), np.empty(columns, np.int32)
    for i in range(rows):
        for j in range(i):
            h, other_h, m, other_m = human[i], human[j], metric[i], metric[j]
            for s in range(columns):
                difference, kind = compare(h[s], other_h[s], m[s], other_m[s])
                at = (np.float64(difference).view(np.int64) >> FINE_BITS) - least
                cell[s] = 4 * (at if at > 0 else 0) + kind if difference > 0.0 else 3
            for one in cell:
                held[np.uint32(one)] += 1
    in_ranges, size = held.reshape(FINE_RANGES, 4), 0
    first, last, before = bound_ranges(in_ranges, 0, gains)
    keys = np.empty(in_ranges[first : last + 1, :3].sum(), np.uint64)
    low, high = max(1, (least + first) << FINE_BITS) if first else 1, ((least + last + 1) << FINE_BITS) - 1
    inside = np.zeros(-(-columns // 8) * 8, np.int64)  # bits, or 0; eight are passed over where all are
    for i in range(rows):
        for j in range(i):
            m, other_m = metric[i], metric[j]
            for s in range(columns):
                bits = np.float64(abs(m[s] - other_m[s])).view(np.int64)
                inside[s] = bits if (bits >= low) & (bits <= high) else 0
            for a in range(0, columns, 8):
                every = 0
                for s in range(a, a + 8):
                    every |= inside[s]
                for s in range(a, a + 8 if every else a):
                    if inside[s]:
                        gain = gains[compare(human[i, s], human[j, s], m[s], other_m[s])[1]]
                        keys[size] = (np.uint64(inside[s]) << np.uint64(1)) | np.uint64(gain > 0)
                        size += gain != 0
    return keys[:size], before


@kernel
def count_columns(human, metric, epsilon):  # type: ignore[no-untyped-def]
    """Count the pairs within columns, shape (8, columns): kinds that epsilon leaves, kinds that it ties, ties by kind.

    Metric scores that are NaN are in no pair. All eight are counted in one number, eight bits for each.
    """
    rows, columns = metric.shape
    counts, packed, pairs = np.zeros((8, columns), np.int64), np.zeros(columns, np.int64), 0
    for i in range(rows):
        for j in range(i):
            h, other_h, m, other_m = human[i], human[j], metric[i], metric[j]
            for s in range(columns):
                difference, kind = compare(h[s], other_h[s], m[s], other_m[s])
                place = 8 * kind + (24 if difference <= epsilon else 0)
                place = (56 if kind == HUMAN_TIE else 48) if difference == 0.0 else place
                packed[s] += np.int64(difference == difference) << place
        pairs += i
        if pairs + i >= 255 or i == rows - 1:  # eight bits might not hold those of the next row
            for k in range(8):
                counts[k] += (packed >> (8 * k)) & 255
            packed[:], pairs = 0, 0
    return counts


@kernel
def most_gained(keys, total, loss, gain):  # type: ignore[no-untyped-def]
    """The most that pairs gain, by keys in order, and the bits of the smallest difference up to which they do; or 0, 0.

    Total is the gain before the first. Only the last of a run of equal differences is worth what it seems.
    """
    one = np.uint64(1)
    best = 0
    bits = np.uint64(0)
    for p in range(keys.size):
        total += gain if keys[p] & one else loss
        if total > best and (p + 1 == keys.size or keys[p + 1] >> one != keys[p] >> one):
            best, bits = total, keys[p] >> one
    return best, bits


@kernel
def walk_pairs(walk, floor, epsilons, totals):  # type: ignore[no-untyped-def]
    """Walk pairs in order of difference, with the totals that their gains add up to.

    A pair of kind k adds ``gain[k]`` to the total of its ``column``; a candidate, the last of a run of equal
    differences, is worth ``value``, where the walk starts, and ``weight * gain`` of all pairs so far, summed without
    loss (Kahan). Returns the best value and how many candidates are worth at least ``floor``, next ones of the same
    totals left out; as many of those as there is room for are written down.
    """
    difference, kind, column, gain, weight, start, value = walk
    total = start.copy()
    last = total - 1
    best, kept, lost = -np.inf, 0, 0.0
    for p in range(difference.size):
        if gain[kind[p]] != 0:
            total[column[p]] += gain[kind[p]]
            step = weight[column[p]] * gain[kind[p]] - lost
            higher = value + step
            lost = (higher - value) - step
            value = higher
        if p + 1 < difference.size and difference[p + 1] == difference[p]:
            continue
        best = max(best, value)
        if value >= floor and (total != last).any():
            last[:] = total
            if kept < epsilons.size:
                epsilons[kept] = difference[p]
                totals[kept] = total
            kept += 1
    return best, kept


@kernel
def replay_ties(counts, kind, group):  # type: ignore[no-untyped-def]
    """Make pairs ties one after another; a pair's group's counts before and after. Changes ``counts``."""
    before = np.empty((kind.size, 7), np.int64)
    after = np.empty((kind.size, 7), np.int64)
    for p in range(kind.size):
        g = group[p]
        for column in range(7):  # compiles in a fraction of the time that a row takes
            before[p, column] = counts[g, column]
        counts[g, kind[p]] -= 1
        counts[g, 4 if kind[p] == HUMAN_TIE else 3] += 1
        for column in range(7):
            after[p, column] = counts[g, column]
    return before, after


@kernel
def count_apart(human, by_human, metric, starts, margin, epsilon, relative):  # type: ignore[no-untyped-def]
    """Count the pairs of every group whose human scores differ by at least a margin above 0; as `count_groups`.

    ``by_human`` lists the cells by group and human score. A tree over the places of a group, which are in order of the
    metric, holds those scores that lie at least the margin below the current one. O(n log n).
    """
    counts = np.zeros((starts.size - 1, 7), np.int64)
    for g in range(starts.size - 1):
        first, last = starts[g], starts[g + 1]
        n = last - first
        tree = np.zeros(n + 1, np.int64)
        edge, entered, n_human, n_metric = first, 0, 0, 0
        for p in range(first, last):
            here = by_human[p]
            n_human += p == first or human[here] != human[by_human[p - 1]]
            n_metric += p == first or metric[p] != metric[p - 1]
            while human[here] - human[by_human[edge]] >= margin:
                i = by_human[edge] - first + 1
                while i <= n:
                    tree[i] += 1
                    i += i & -i
                edge += 1
                entered += 1
            score = metric[here]
            low, high = first, here  # where the scores begin that are not more than epsilon below
            while low < high:
                middle = (low + high) // 2
                if gap(score, metric[middle], relative) > epsilon:
                    low = middle + 1
                else:
                    high = middle
            i, below = low - first, 0
            while i > 0:
                below += tree[i]
                i &= i - 1
            low, high = here + 1, last  # where the scores begin that are more than epsilon above
            while low < high:
                middle = (low + high) // 2
                if gap(metric[middle], score, relative) > epsilon:
                    high = middle
                else:
                    low = middle + 1
            i, up_to = low - first, 0
            while i > 0:
                up_to += tree[i]
                i &= i - 1
            counts[g, 0] += below
            counts[g, 1] += entered - up_to
            counts[g, 3] += up_to - below
        counts[g, 5] = n
        counts[g, 6] = min(n_metric, n_human)
    return counts
