"""Which order of a few items loses least? Dynamic programming over subsets that skips hopeless ones."""

from __future__ import annotations

import numpy as np

from tiekit.core._compile import inline, kernel


@inline
def loss_at(place, item, places, over, level):  # type: ignore[no-untyped-def]
    """The loss of an item at a place against all others; places grow downwards."""
    total = 0
    for other in range(places.size):
        if other != item:
            if place < places[other]:
                total += over[item, other]
            elif place > places[other]:
                total += over[other, item]
            else:
                total += level[item, other]
    return total


@kernel
def good_order(over, level, may_tie, places):  # type: ignore[no-untyped-def]
    """Move single items to the place with the least loss until no move helps; return the loss of ``places``."""
    n = over.shape[0]
    moved = True
    while moved:
        moved = False
        for item in range(n):
            order = np.argsort(places)
            rank = 0
            fresh = np.zeros(n, np.int64)  # odd numbers, so that even ones lie between
            for k in range(n):
                if k and places[order[k]] != places[order[k - 1]]:
                    rank += 1
                fresh[order[k]] = 2 * rank + 1
            for k in range(n):  # compiles in a fraction of the time that one statement takes
                places[k] = fresh[k]
            best, least = places[item], loss_at(places[item], item, places, over, level)
            for place in range(0, 2 * rank + 3, 1 if may_tie else 2):
                loss = loss_at(place, item, places, over, level)
                if loss < least:
                    best, least, moved = place, loss, True
            places[item] = best
    total = 0
    for item in range(n):
        total += loss_at(places[item], item, places, over, level)
    return total // 2


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
