"""Compiled loops that count again on every resample: cells swapped between two metrics, or drawn more than once.

An atom is the score that one metric, its ``source``, gives to one ``cell`` with a human score; group g holds the atoms
``starts[g]:starts[g + 1]``. A row of ``draws`` has one number per cell. With ``swap`` it is 0 or 1 and there are two
slots: the atom of source s stands in slot ``draw ^ s``. Without, there is one slot and the number says how often the
cell was drawn; a cell and its own copy are no pair.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiekit.base.validation import IntArray
from tiekit.core._compile import inline, kernel
from tiekit.core._kernels import merge


class Slots(NamedTuple):
    """Which atoms stand in which slot, and how often: the first argument of every loop over draws."""

    draws: IntArray
    swap: bool
    cell: NDArray[np.int32]
    source: NDArray[np.int8]
    starts: IntArray


@inline
def weigh(draw, cell, source, swap, slot, weight):  # type: ignore[no-untyped-def]
    """Count how often each atom stands in a slot."""
    for p in range(cell.size):
        number = np.int64(draw[cell[p]])
        weight[p] = 1 - (number ^ np.int64(source[p]) ^ slot) if swap else number


@kernel
def edges_below(metric, starts, epsilon):  # type: ignore[no-untyped-def]
    """Count, for each score, the scores of its sorted group that lie more than epsilon below it."""
    edges = np.zeros(metric.size, np.int64)
    for g in range(starts.size - 1):
        edge = starts[g]
        for j in range(starts[g], starts[g + 1]):
            while metric[j] - metric[edge] > epsilon:
                edge += 1
            edges[j] = edge - starts[g]
    return edges


@kernel
def order_ends(order, starts, edges, lower, upper):  # type: ignore[no-untyped-def]
    """Merge both ends of a metric's sorted scores, see `count_draws`; return them and keys, of which none falls.

    Upper ends follow each other as their scores do; a lower end comes right after those of the scores that
    `edges_below` counts.
    """
    events, keys = np.empty(2 * order.size, np.int32), np.empty(2 * order.size)
    for g in range(starts.size - 1):
        first, last, highest = starts[g], starts[g + 1], -np.inf
        low = high = first
        for at in range(2 * first, 2 * last):
            if low < last and edges[low] <= high - first:
                events[at], highest = 2 * order[low], max(highest, lower[low])
                low += 1
            else:
                events[at], highest = 2 * order[high] + 1, max(highest, upper[high])
                high += 1
            keys[at] = highest
    return events, keys


@kernel
def merge_ends(starts, events, keys, other_starts, other_events, other_keys):  # type: ignore[no-untyped-def]
    """Merge the events of two metrics, group by group; of equal keys the first metric's come first."""
    merged = np.empty(events.size + other_events.size, np.int32)
    at = 0
    for g in range(starts.size - 1):
        i, j = 2 * starts[g], 2 * other_starts[g]
        i_end, j_end = 2 * starts[g + 1], 2 * other_starts[g + 1]
        while i < i_end or j < j_end:
            if j == j_end or (i < i_end and keys[i] <= other_keys[j]):
                merged[at] = events[i]
                i += 1
            else:
                merged[at] = other_events[j]
                j += 1
            at += 1
    return merged


@kernel
def count_draws(slots, rank, value, n_values, events):  # type: ignore[no-untyped-def]
    """Count every group for every draw and slot; the last axis is C, D, T_h, T_m, T_hm, n, k.

    ``rank`` is the human's, dense within the group. ``events`` are an atom's lower end (2·atom) and upper end
    (2·atom + 1) in ascending order, group by group: it lies above those whose upper ends come before its lower one.
    k is counted where ``n_values`` is not 0, by ``value``, which is equal for equal scores.
    """
    draws, swap, cell, source, starts = slots
    n_slots = 2 if swap else 1
    counts = np.zeros((draws.shape[0], n_slots, starts.size - 1, 7), np.int64)
    widest = (starts[1:] - starts[:-1]).max() if starts.size > 1 else 0
    tree, below, seen = np.zeros(widest + 1, np.int64), np.zeros(widest, np.int64), np.zeros(widest, np.int64)
    weight, chosen = np.empty(cell.size, np.int64), np.empty(2 * widest, np.int64)
    stamp, token = np.zeros(n_values, np.int64), 0
    for r in range(draws.shape[0]):
        for slot in range(n_slots):
            weigh(draws[r], cell, source, swap, slot, weight)
            for g in range(starts.size - 1):
                first, last = starts[g], starts[g + 1]
                n_chosen = 0
                for e in range(2 * first, 2 * last):
                    chosen[n_chosen] = events[e]
                    n_chosen += weight[events[e] >> 1] != 0
                n_ranks = last - first
                tree[: n_ranks + 1], below[:n_ranks], seen[:n_ranks] = 0, 0, 0
                concordant = ordered = ordered_same = same = pairs = n = inserted = n_human = n_metric = 0
                token += 1
                for e in chosen[:n_chosen]:
                    p = e >> 1
                    here, w = rank[p], weight[p]
                    if e & 1:
                        inserted += w
                        below[here] += w
                        i = here + 1
                        while i <= n_ranks:
                            tree[i] += w
                            i += i & -i
                        continue
                    less = 0
                    i = here if inserted else 0
                    while i > 0:
                        less += tree[i]
                        i &= i - 1
                    concordant += w * less
                    ordered += w * inserted
                    ordered_same += w * below[here]
                    same += w * seen[here]
                    pairs += w * n
                    n_human += seen[here] == 0
                    seen[here] += w
                    n += w
                    if n_values and stamp[value[p]] != token:
                        stamp[value[p]] = token
                        n_metric += 1
                row = counts[r, slot, g]
                row[0], row[1], row[2] = concordant, ordered - ordered_same - concordant, ordered_same
                row[4] = same - ordered_same
                row[3] = pairs - ordered - row[4]
                row[5], row[6] = n, min(n_human, n_metric)
    return counts


@inline
def rank_twice(order, key, weight, twice):  # type: ignore[no-untyped-def]
    """Store twice the average rank of every atom in an order by key; return the sum of the weights."""
    before = i = 0
    while i < order.size:
        j, total = i, 0
        while j < order.size and key[order[j]] == key[order[i]]:
            total += weight[order[j]]
            j += 1
        for q in range(i, j):
            twice[order[q]] = 2 * before + total + 1
        before += total
        i = j
    return before


@kernel
def rank_draws(slots, rank, by_rank, value, by_value):  # type: ignore[no-untyped-def]
    """Sum average ranks about their mean for every draw, slot and group: n, human², metric², human·metric (×4)."""
    draws, swap, cell, source, starts = slots
    n_slots = 2 if swap else 1
    sums = np.zeros((draws.shape[0], n_slots, starts.size - 1, 4), np.float64)
    weight = np.empty(cell.size, np.int64)
    of_human, of_metric = np.empty(cell.size, np.int64), np.empty(cell.size, np.int64)
    for r in range(draws.shape[0]):
        for slot in range(n_slots):
            weigh(draws[r], cell, source, swap, slot, weight)
            for g in range(starts.size - 1):
                first, last = starts[g], starts[g + 1]
                n = rank_twice(by_rank[first:last], rank, weight, of_human)
                rank_twice(by_value[first:last], value, weight, of_metric)
                hh = mm = hm = 0
                for p in range(first, last):
                    h, m = of_human[p] - n - 1, of_metric[p] - n - 1
                    hh += weight[p] * h * h
                    mm += weight[p] * m * m
                    hm += weight[p] * h * m
                row = sums[r, slot, g]
                row[0], row[1], row[2], row[3] = n, hh, mm, hm
    return sums


@kernel
def sum_draws(slots, human, metric):  # type: ignore[no-untyped-def]
    """Sum scores about their mean, as `rank_draws` does ranks; exactly 0 where a side is constant."""
    draws, swap, cell, source, starts = slots
    n_slots = 2 if swap else 1
    sums = np.zeros((draws.shape[0], n_slots, starts.size - 1, 4), np.float64)
    weight = np.empty(cell.size, np.int64)
    for r in range(draws.shape[0]):
        for slot in range(n_slots):
            weigh(draws[r], cell, source, swap, slot, weight)
            for g in range(starts.size - 1):
                n, h_sum, m_sum = 0, 0.0, 0.0
                h_low, h_high, m_low, m_high = np.inf, -np.inf, np.inf, -np.inf
                for p in range(starts[g], starts[g + 1]):
                    w = weight[p]
                    if w:
                        n += w
                        h_sum += w * human[p]
                        m_sum += w * metric[p]
                        h_low, h_high = min(h_low, human[p]), max(h_high, human[p])
                        m_low, m_high = min(m_low, metric[p]), max(m_high, metric[p])
                row = sums[r, slot, g]
                row[0] = n
                if n == 0:
                    continue
                h_mean, m_mean = h_sum / n, m_sum / n
                for p in range(starts[g], starts[g + 1]):
                    h, m = human[p] - h_mean, metric[p] - m_mean
                    row[1] += weight[p] * h * h
                    row[2] += weight[p] * m * m
                    row[3] += weight[p] * h * m
                if h_low == h_high:
                    row[1] = row[3] = 0.0
                if m_low == m_high:
                    row[2] = row[3] = 0.0
    return sums


@kernel
def mean_draws(slots, outer, human, metric, half):  # type: ignore[no-untyped-def]
    """Average each system's scores and threshold for every draw and slot: rows weight, human, metric, half epsilon.

    Group g is system g; ``outer`` says how often each was drawn. ``half`` holds half of each source's epsilon. NaN for
    a system without a cell.
    """
    draws, swap, cell, source, starts = slots
    n_slots = 2 if swap else 1
    means = np.zeros((draws.shape[0], n_slots, 4, starts.size - 1), np.float64)
    weight = np.empty(cell.size, np.int64)
    for r in range(draws.shape[0]):
        for slot in range(n_slots):
            weigh(draws[r], cell, source, swap, slot, weight)
            for g in range(starts.size - 1):
                n, h, m, e = 0, 0.0, 0.0, 0.0
                for p in range(starts[g], starts[g + 1]):
                    w = weight[p]
                    n += w
                    h += w * human[p]
                    m += w * metric[p]
                    e += w * half[source[p]]
                if n:
                    column = means[r, slot, :, g]
                    column[0], column[1], column[2], column[3] = outer[r, g], h / n, m / n, e / n
    return means


@kernel
def judge_means(means, tolerance):  # type: ignore[no-untyped-def]
    """Return counts, sums of means and sums of their ranks from `mean_draws`; means within the tolerance are equal."""
    n_draws, n_slots = means.shape[:2]
    counts = np.zeros((n_draws, n_slots, 1, 7), np.int64)
    sums, ranks = np.zeros((n_draws, n_slots, 1, 4)), np.zeros((n_draws, n_slots, 1, 4))
    for r in range(n_draws):
        for slot in range(n_slots):
            drawn = np.flatnonzero(means[r, slot, 0])
            weight, half = means[r, slot, 0][drawn], means[r, slot, 3][drawn]
            human, metric = merge(means[r, slot, 1][drawn], tolerance), merge(means[r, slot, 2][drawn], tolerance)
            n = weight.sum()
            row, s, t = counts[r, slot, 0], sums[r, slot, 0], ranks[r, slot, 0]
            row[5], s[0], t[0] = n, n, n
            if n == 0:
                continue
            h_mean, m_mean = (weight * human).sum() / n, (weight * metric).sum() / n
            n_human = n_metric = 0
            h_varies = m_varies = False
            for i in range(drawn.size):
                h_rank, m_rank, h_new, m_new = 0.0, 0.0, True, True
                for j in range(drawn.size):
                    dh, dm = human[i] - human[j], metric[i] - metric[j]
                    h_tied, m_tied = dh == 0.0, dm == 0.0
                    h_rank += weight[j] * np.sign(dh)
                    m_rank += weight[j] * np.sign(dm)
                    if j >= i:
                        continue
                    h_new, m_new = h_new and not h_tied, m_new and not m_tied
                    h_varies, m_varies = h_varies or not h_tied, m_varies or not m_tied
                    tied = abs(dm) <= half[i] + half[j] + tolerance
                    kind = (4 if tied else 2) if h_tied else 3 if tied else 0 if (dh > 0) == (dm > 0) else 1
                    row[kind] += np.int64(weight[i] * weight[j])
                n_human += h_new
                n_metric += m_new
                t[1] += weight[i] * h_rank * h_rank
                t[2] += weight[i] * m_rank * m_rank
                t[3] += weight[i] * h_rank * m_rank
            row[6] = min(n_human, n_metric)
            s[1] = (weight * (human - h_mean) ** 2).sum() if h_varies else 0.0
            s[2] = (weight * (metric - m_mean) ** 2).sum() if m_varies else 0.0
            s[3] = (weight * (human - h_mean) * (metric - m_mean)).sum() if h_varies and m_varies else 0.0
    return counts, sums, ranks


@kernel
def cross_pairs(starts, rank, metric_a, metric_b, epsilon_a, epsilon_b, begin, end):  # type: ignore[no-untyped-def]
    """Count the pairs of every group by their kind under each of two metrics, shape (groups, 5, 5).

    Pairs belong to the later of their cells; only those of the cells from ``begin`` to ``end`` are counted.
    """
    table = np.zeros((starts.size - 1, 5, 5), np.int64)
    for g in range(starts.size - 1):
        for j in range(max(starts[g], begin), min(starts[g + 1], end)):
            for i in range(starts[g], j):
                da, db = metric_a[j] - metric_a[i], metric_b[j] - metric_b[i]
                tied_a, tied_b = abs(da) <= epsilon_a, abs(db) <= epsilon_b
                if rank[i] == rank[j]:
                    table[g, 4 if tied_a else 2, 4 if tied_b else 2] += 1
                else:
                    up = rank[j] > rank[i]
                    kind_a = 3 if tied_a else 0 if (da > 0) == up else 1
                    kind_b = 3 if tied_b else 0 if (db > 0) == up else 1
                    table[g, kind_a, kind_b] += 1
    return table


LANES = 32
"""Number of resamples, or of slots of resamples, that are counted side by side."""


@kernel
def weigh_lanes(draws, swap, cell, source, weight):  # type: ignore[no-untyped-def]
    """Store how often each atom stands in each lane, shape (atoms, LANES); with swap, a draw has two lanes.

    ``draws`` holds one number for each cell and draw, shape (cells, draws).
    """
    for p in range(cell.size):
        drawn, row, mine = draws[cell[p]], weight[p], np.int64(source[p])
        if swap:
            for r in range(drawn.size):
                row[2 * r] = 1 - (drawn[r] ^ mine)
                row[2 * r + 1] = drawn[r] ^ mine
        else:
            for r in range(drawn.size):
                row[r] = drawn[r]


@kernel
def count_lanes(weight, starts, rank, n_ranks, events, counts):  # type: ignore[no-untyped-def]
    """Count every group in every lane; the columns of ``counts`` are C, D, T_h, T_m, T_hm, n, shape (groups, 6, LANES).

    As `_kernels.count_draws`, with ``n_ranks`` human ranks in the largest group.
    """
    tree, below = np.zeros((n_ranks + 1, LANES), np.int32), np.zeros((n_ranks, LANES), np.int32)
    less, inserted = np.zeros(LANES, np.int32), np.zeros(LANES, np.int32)
    concordant, ordered = np.zeros(LANES, np.int64), np.zeros(LANES, np.int64)
    ordered_same, same = np.zeros(LANES, np.int64), np.zeros(LANES, np.int64)
    n, every = np.zeros(LANES, np.int64), np.zeros(LANES, np.int64)
    for g in range(starts.size - 1):
        first, last = starts[g], starts[g + 1]
        size = 0
        for p in range(first, last):
            size = max(size, rank[p] + 1)
        tree[: size + 1], below[:size] = 0, 0
        inserted[:], concordant[:], ordered[:], ordered_same[:] = 0, 0, 0, 0
        for e in events[2 * first : 2 * last]:
            p = e >> 1
            here, w = rank[p], weight[p]
            mine = below[here]
            if e & 1:
                i = here + 1
                while i <= size:
                    node = tree[i]
                    for k in range(LANES):
                        node[k] += w[k]
                    i += i & -i
                for k in range(LANES):
                    inserted[k] += w[k]
                    mine[k] += w[k]
                continue
            less[:] = 0
            i = here
            while i > 0:
                node = tree[i]
                for k in range(LANES):
                    less[k] += node[k]
                i &= i - 1
            for k in range(LANES):
                concordant[k] += np.int32(w[k] * less[k])
                ordered[k] += np.int32(w[k] * inserted[k])
                ordered_same[k] += np.int32(w[k] * mine[k])
        n[:], same[:], every[:] = 0, 0, 0
        for p in range(first, last):
            w = weight[p]
            for k in range(LANES):
                every[k] += np.int64(w[k]) * w[k]
        for r in range(size):
            for k in range(LANES):
                number = np.int64(below[r, k])
                n[k] += number
                same[k] += number * number
        for k in range(LANES):
            pairs, alike = (n[k] * n[k] - every[k]) // 2, (same[k] - every[k]) // 2
            counts[g, 0, k] = concordant[k]
            counts[g, 1, k] = ordered[k] - ordered_same[k] - concordant[k]
            counts[g, 2, k] = ordered_same[k]
            counts[g, 3, k] = pairs - ordered[k] - (alike - ordered_same[k])
            counts[g, 4, k] = alike - ordered_same[k]
            counts[g, 5, k] = n[k]


@kernel
def list_changes(starts, human, scores, crossed, gains, share):  # type: ignore[no-untyped-def]
    """List what becomes of pairs when they are tied: differences, both atoms, what is gained; nothing where it is 0.

    ``scores`` holds both metrics' scores, shape (2, cells); atom 2c + s is cell c's score by metric s. ``gains`` are
    for a concordant, discordant and human-tied pair, times the ``share`` of each group. Pairs of scores of different
    metrics are listed where ``crossed``.
    """
    size = 0
    for g in range(starts.size - 1):
        number = starts[g + 1] - starts[g]
        size += number * (number - 1) // 2 * (4 if crossed else 2)
    difference, gain = np.empty(size), np.empty(size, share.dtype)
    first, second = np.empty(size, np.int32), np.empty(size, np.int32)
    n = 0
    for g in range(starts.size - 1):
        for j in range(starts[g], starts[g + 1]):
            for i in range(starts[g], j):
                for one in range(2):
                    for other in range(2):
                        apart = scores[other, j] - scores[one, i]
                        if apart == 0.0 or (one != other and not crossed):
                            continue
                        as_human = (apart > 0.0) == (human[j] > human[i])
                        kind = 2 if human[i] == human[j] else 0 if as_human else 1
                        if gains[kind] != 0:
                            difference[n], gain[n] = abs(apart), gains[kind] * share[g]
                            first[n], second[n] = 2 * i + one, 2 * j + other
                            n += 1
    return difference[:n], first[:n], second[:n], gain[:n]


@kernel
def best_lanes(stands, difference, first, second, gain, total, best):  # type: ignore[no-untyped-def]
    """Store in each lane the largest total over all thresholds; it starts where all pairs are tied.

    Pairs come in descending order of difference. Bit k of ``stands`` says whether an atom stands in lane k.
    """
    for k in range(LANES):
        best[k] = total[k]
    last = difference[0] if difference.size else 0.0
    for e in range(difference.size):
        if difference[e] != last:
            last = difference[e]
            for k in range(LANES):
                best[k] = max(best[k], total[k])
        both, lost = stands[first[e]] & stands[second[e]], gain[e]
        for k in range(LANES):
            total[k] -= lost * ((both >> np.uint32(k)) & np.uint32(1))
    for k in range(LANES):
        best[k] = max(best[k], total[k])


@kernel
def sums_of_swapped(swapped, human, metrics, starts):  # type: ignore[no-untyped-def]
    """Sum the scores of every metric that are swapped, shape (metrics, groups, 6)."""
    n_groups = starts.size - 1
    sums = np.zeros((len(metrics), n_groups, 6))
    for m in range(len(metrics)):
        for g in range(n_groups):
            n = h = hh = z = zz = hz = 0.0
            for c in range(starts[g], starts[g + 1]):
                score = metrics[m, c]
                if swapped[c] and score == score:
                    n += 1.0
                    h += human[c]
                    hh += human[c] * human[c]
                    z += score
                    zz += score * score
                    hz += human[c] * score
            row = sums[m, g]
            row[0], row[1], row[2], row[3], row[4], row[5] = n, h, hh, z, zz, hz
    return sums


@inline
def in_slot(whole, moved, a, b, g, k):  # type: ignore[no-untyped-def]
    """A sum of the slot that holds metric a's scores that stay, and metric b's that are swapped in."""
    return whole[a, g, k] - moved[a, g, k] + moved[b, g, k]


@kernel
def join_sums(pairs, whole, moved):  # type: ignore[no-untyped-def]
    """Sum n times the squares and products about each group's mean, shape (pairs, slots, 4).

    Columns are n, human², metric², human·metric; and how small one may be before rounding decides it, shape
    (pairs, slots, 2).
    """
    sums, sizes = np.zeros((len(pairs), 2, 4)), np.zeros((len(pairs), 2, 2))
    for p in range(len(pairs)):
        for slot in range(2):
            a, b = pairs[p, slot], pairs[p, 1 - slot]
            total = hh_sum = zz_sum = hz_sum = h_size = z_size = 0.0
            for g in range(whole.shape[1]):
                n, h = in_slot(whole, moved, a, b, g, 0), in_slot(whole, moved, a, b, g, 1)
                hh, z = in_slot(whole, moved, a, b, g, 2), in_slot(whole, moved, a, b, g, 3)
                zz, hz = in_slot(whole, moved, a, b, g, 4), in_slot(whole, moved, a, b, g, 5)
                total += n
                h_size += n * hh
                z_size += n * zz
                hh_sum += n * hh - h * h
                zz_sum += n * zz - z * z
                hz_sum += n * hz - h * z
            row = sums[p, slot]
            row[0], row[1], row[2], row[3] = total, hh_sum, zz_sum, hz_sum
            sizes[p, slot, 0], sizes[p, slot, 1] = h_size, z_size
    return sums, sizes


@kernel
def join_means(pairs, whole, moved, half):  # type: ignore[no-untyped-def]
    """Average each system's scores and threshold, shape (pairs, slots, 4, systems), as `_kernels.mean_draws` does."""
    n_groups = whole.shape[1]
    means = np.zeros((len(pairs), 2, 4, n_groups))
    for p in range(len(pairs)):
        for slot in range(2):
            a, b = pairs[p, slot], pairs[p, 1 - slot]
            for g in range(n_groups):
                kept, joined = whole[a, g, 0] - moved[a, g, 0], moved[b, g, 0]
                n = kept + joined
                if n > 0.0:
                    column = means[p, slot, :, g]
                    column[0] = 1.0
                    column[1] = in_slot(whole, moved, a, b, g, 1) / n
                    column[2] = in_slot(whole, moved, a, b, g, 3) / n
                    column[3] = (kept * half[a] + joined * half[b]) / n
    return means
