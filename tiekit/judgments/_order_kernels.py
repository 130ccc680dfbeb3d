"""Which order of items loses least? Of a few, dynamic programming over subsets that skips hopeless ones."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tiekit.base.validation import IntArray
from tiekit.core._compile import kernel

MOST_PASSES = 100
"""Maximum number of times that every item is looked at again."""


def good_order(
    over: IntArray, level: IntArray, may_tie: bool, places: IntArray, beat: Callable[[], None] | None = None
) -> int:
    """Move single items to the place with the least loss until no move helps; return the loss of ``places``.

    After each look at all items, which takes about n² steps, ``beat`` is called.
    """
    for _ in range(MOST_PASSES):
        if not _move_each(over, level, may_tie, places):
            break
        if beat is not None:
            beat()
    below = np.sign(places[:, None] - places)
    twice = np.select([below < 0, below > 0], [over, over.T], level).sum() - np.trace(level)
    return int(twice // 2)


@kernel
def _move_each(over, level, may_tie, places):  # type: ignore[no-untyped-def]
    """Move each item once to the place with the least loss; return whether any has moved.

    Places are odd numbers, so that even ones lie between. The loss at one place follows from that at the place above.
    """
    n = over.shape[0]
    loss = np.zeros(2 * n + 1, np.int64)
    order = np.argsort(places)
    moved = False
    for item in range(n):
        rank, last = 0, places[order[0]]
        for k in range(n):
            if places[order[k]] != last:
                rank += 1
                last = places[order[k]]
            places[order[k]] = 2 * rank + 1
        here = places[item]
        loss[: 2 * rank + 3] = 0
        for k in range(n):
            other = order[k]
            if other != item:
                at = places[other]
                loss[0] += over[item, other]
                loss[at] += level[item, other] - over[item, other]
                loss[at + 1] += over[other, item] - level[item, other]
        for place in range(1, 2 * rank + 3):
            loss[place] += loss[place - 1]
        best, least = here, loss[here]
        for place in range(0, 2 * rank + 3, 1 if may_tie else 2):
            if loss[place] < least:
                best, least, moved = place, loss[place], True
        if best == here:
            continue
        places[item] = best
        at = 0
        for k in range(n):  # the others stay in their order
            if order[k] != item:
                order[at] = order[k]
                at += 1
        at = n - 1
        while at and places[order[at - 1]] > best:
            order[at] = order[at - 1]
            at -= 1
        order[at] = item
    return moved


@kernel
def best_order(over, level, may_tie, bound, places):  # type: ignore[no-untyped-def]
    """Find the places with the least loss, if it is below ``bound``, and return that loss.

    A pair loses over[i, j] where i is placed above j and level[i, j] where both are level; losses are not negative, and
    each pair has a choice without loss. Items are placed from the top, one block of level items after the other; the
    rest depends only on which items have been placed (as bits).
    """
    n = over.shape[0]
    size = 1 << n
    within = np.zeros(size, np.int64)  # loss of a block because its items are level
    for block in range(1, size):
        low = 0
        while not block >> low & 1:
            low += 1
        rest = block & (block - 1)
        within[block] = within[rest]
        for j in range(low + 1, n):
            if rest >> j & 1:
                within[block] += level[low, j]
    least = np.full(size, bound, np.int64)
    last = np.zeros(size, np.int64)
    below = np.zeros(size, np.int64)  # loss of a block below the placed items
    loss = np.zeros(n, np.int64)
    least[0] = 0
    for placed in range(size - 1):
        if least[placed] >= bound:
            continue
        open_now = 0  # items that may come next within the bound
        for j in range(n):
            if placed >> j & 1:
                continue
            loss[j], ahead = 0, 0
            for i in range(n):
                if placed >> i & 1:
                    loss[j] += over[i, j]
                elif i != j:
                    ahead += min(over[j, i], level[j, i]) if may_tie else over[j, i]
            if least[placed] + loss[j] + ahead < bound:
                open_now |= 1 << j
        block = 0
        while block != open_now:
            block = (block - open_now) & open_now  # the next larger subset
            rest = block & (block - 1)
            if rest and not may_tie:
                continue
            low = 0
            while not block >> low & 1:
                low += 1
            below[block] = below[rest] + loss[low]
            total = least[placed] + below[block] + within[block]
            if total < least[placed | block]:
                least[placed | block] = total
                last[placed | block] = block
                if placed | block == size - 1:
                    bound = total
    if not last[size - 1]:
        return bound
    placed, place = size - 1, n
    while placed:
        for j in range(n):
            if last[placed] >> j & 1:
                places[j] = place
        placed ^= last[placed]
        place -= 1
    return least[size - 1]


@kernel
def depths(start, end, n):  # type: ignore[no-untyped-def]
    """Return the length of the longest way to each of n nodes of a graph without circles, given its edges."""
    first = np.zeros(n + 2, np.int64)
    waiting = np.zeros(n, np.int64)  # edges into a node whose start has no depth yet
    for edge in range(start.size):
        first[start[edge] + 2] += 1
        waiting[end[edge]] += 1
    for node in range(2, n + 2):
        first[node] += first[node - 1]
    ends = np.zeros(start.size, np.int64)
    for edge in range(start.size):
        ends[first[start[edge] + 1]] = end[edge]
        first[start[edge] + 1] += 1
    depth = np.zeros(n, np.int64)
    ready = np.zeros(n, np.int64)
    size = 0
    for node in range(n):
        if not waiting[node]:
            ready[size] = node
            size += 1
    at = 0
    while at < size:
        node = ready[at]
        at += 1
        for edge in range(first[node], first[node + 1]):
            other = ends[edge]
            depth[other] = max(depth[other], depth[node] + 1)
            waiting[other] -= 1
            if not waiting[other]:
                ready[size] = other
                size += 1
    return depth
