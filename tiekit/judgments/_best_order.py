"""Which order of translations follows the judgments best? Exact where few translations form a cycle."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiekit.judgments.preferences import Pairs
from tiekit.scores import IntArray

MOST_ITEMS = {False: 16, True: 13}
"""The largest number of translations whose best order is found exactly: without ties, and with ties."""


class Order(NamedTuple):
    """Levels of the judged translations (0 is the best of its segment) and their value.

    ``value`` is the sum of gains, ``at_most`` an upper bound for all levels, ``n_bounded`` the number of groups that
    were too large for an exact search.
    """

    levels: IntArray
    value: int
    at_most: int
    n_bounded: int


class Graph(NamedTuple):
    """Judged translations as nodes, numbered by segment and system, and the two nodes of each pair."""

    segment: IntArray
    system: IntArray
    first: IntArray
    second: IntArray

    @classmethod
    def of(cls, pairs: Pairs, n_systems: int) -> Graph:
        """The graph of judged pairs."""
        keys = np.stack([pairs.segment * n_systems + pairs.first, pairs.segment * n_systems + pairs.second])
        nodes, place = np.unique(keys, return_inverse=True)
        first, second = place.reshape(2, -1)
        return cls(nodes // max(n_systems, 1), nodes % max(n_systems, 1), first, second)


def strong_components(graph: Graph, forth: NDArray[np.bool_], back: NDArray[np.bool_]) -> IntArray:
    """Label nodes by the cycle they are in; edges are first → second (``forth``) and second → first (``back``)."""
    return _components(graph, forth, back, "strong")


def weak_components(graph: Graph) -> IntArray:
    """Label nodes by the group that judgments connect."""
    every = np.ones(graph.first.size, bool)
    return _components(graph, every, every, "weak")


def _components(
    graph: Graph, forth: NDArray[np.bool_], back: NDArray[np.bool_], kind: Literal["strong", "weak"]
) -> IntArray:
    """Label the connected components of the graph."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n = graph.segment.size
    if not n:
        return np.zeros(0, np.int64)
    start = np.concatenate([graph.first[forth], graph.second[back]])
    end = np.concatenate([graph.second[forth], graph.first[back]])
    edges = coo_array((np.ones(start.size, np.int8), (start, end)), shape=(n, n))
    return np.asarray(connected_components(edges.tocsr(), directed=True, connection=kind)[1], np.int64)


def best_levels(graph: Graph, gain: IntArray, *, may_tie: bool) -> Order:
    """Find the levels with the largest sum of gains.

    The best outcome of a pair is its wish. Only translations whose wishes form a cycle need a search; all others can be
    ordered so that every wish is granted.

    Parameters
    ----------
    graph : Graph
    gain : int64, shape (pairs, 3)
        The gain of each pair where its first translation is placed below the second, level with it, or above it.
    may_tie : bool
        Whether translations of a segment may be level; otherwise the middle column is ignored.
    """
    allowed = gain if may_tie else gain[:, [0, 2]]
    wish = allowed.max(axis=1) if len(gain) else np.zeros(0, np.int64)
    below, above = gain[:, 0] == wish, gain[:, 2] == wish
    neither = ~(below | above)  # only a tie grants it
    forth, back = (above & ~below) | neither, (below & ~above) | neither
    component = strong_components(graph, forth, back)
    within = np.zeros(graph.segment.size, np.int64)
    inside = component[graph.first] == component[graph.second]
    level = np.bincount(component[graph.first[inside]], (wish - gain[:, 1])[inside], minlength=component.size)
    n_bounded = 0
    for members, rows in _groups(graph, component, inside):
        if may_tie and not level[component[members[0]]]:
            continue  # a tie of all grants every wish
        if len(members) > MOST_ITEMS[may_tie]:
            n_bounded += 1
        within[members] = _order(members, graph, gain, rows, may_tie)
    levels = _join(graph, component, within, forth & ~inside, back & ~inside)
    sign = np.sign(levels[graph.second] - levels[graph.first])
    value = int(np.take_along_axis(gain, sign[:, None] + 1, axis=1).sum()) if len(gain) else 0
    return Order(levels, value, int(wish.sum()) if n_bounded else value, n_bounded)


def _groups(graph: Graph, component: IntArray, inside: NDArray[np.bool_]) -> list[tuple[IntArray, IntArray]]:
    """Nodes and pairs of every component with at least two nodes."""
    rows = np.flatnonzero(inside)
    rows = rows[np.argsort(component[graph.first[rows]], kind="stable")]
    nodes = np.argsort(component, kind="stable")
    ends = np.cumsum(np.bincount(component, minlength=1))
    row_ends = np.cumsum(np.bincount(component[graph.first[rows]], minlength=ends.size))
    found = np.flatnonzero(np.diff(ends, prepend=0) > 1).tolist()
    starts, row_starts = np.concatenate(([0], ends)), np.concatenate(([0], row_ends))
    return [(nodes[starts[c] : starts[c + 1]], rows[row_starts[c] : row_starts[c + 1]]) for c in found]


def _order(members: IntArray, graph: Graph, gain: IntArray, rows: IntArray, may_tie: bool) -> IntArray:
    """Levels of the translations of one component: the best, or good ones where there are too many."""
    from tiekit.judgments._order_kernels import best_order, good_order

    n = members.size
    over, level = np.zeros((n, n), np.int64), np.zeros((n, n), np.int64)
    i, j = np.searchsorted(members, graph.first[rows]), np.searchsorted(members, graph.second[rows])
    lost = gain[rows][:, [0, 1, 2] if may_tie else [0, 2]].max(axis=1)[:, None] - gain[rows]
    over[i, j], over[j, i] = lost[:, 2], lost[:, 0]
    level[i, j] = level[j, i] = lost[:, 1]
    levels = np.argsort(np.argsort((over - over.T).sum(axis=1), kind="stable"))
    bound = good_order(over, level, may_tie, levels)
    if n <= MOST_ITEMS[may_tie] and bound:
        best_order(over, level, may_tie, bound, levels)
    return levels


def _join(
    graph: Graph, component: IntArray, within: IntArray, forth: NDArray[np.bool_], back: NDArray[np.bool_]
) -> IntArray:
    """Levels of all nodes of a segment: its components stacked as the edges between them demand."""
    start = component[np.concatenate([graph.first[forth], graph.second[back]])]
    end = component[np.concatenate([graph.second[forth], graph.first[back]])]
    depth = np.zeros(int(component.max(initial=-1)) + 1, np.int64)
    while start.size and (deeper := depth[start] + 1 > depth[end]).any():
        np.maximum.at(depth, end[deeper], depth[start[deeper]] + 1)
    order = np.lexsort((within, component, depth[component], graph.segment))
    steps = np.stack([within, component, graph.segment])[:, order]
    new = np.concatenate([[0], (np.diff(steps, axis=1) != 0).any(axis=0)])[: order.size]
    rank = np.cumsum(new)
    first = np.full(int(graph.segment.max(initial=-1)) + 1, rank.size)
    np.minimum.at(first, graph.segment[order], rank)
    levels = np.empty(order.size, np.int64)
    levels[order] = rank - first[graph.segment[order]]
    return levels


def count_triples(pairs: Pairs, n_systems: int, verdict: IntArray) -> tuple[int, int]:
    """Count triples of translations with three verdicts (-1, 0, 1), and those that no scores can follow."""
    n = max(n_systems, 1)
    key = (pairs.segment * n + pairs.first) * n + pairs.second  # sorted, as pairs are
    ends = np.searchsorted(key, (key // n + 1) * n)  # pairs of the same segment and first translation
    number = ends - np.arange(key.size) - 1
    ab = np.repeat(np.arange(key.size), number)
    ac = ab + 1 + np.arange(ab.size) - np.repeat(np.cumsum(number) - number, number)
    wanted = (pairs.segment[ab] * n + pairs.second[ab]) * n + pairs.second[ac]
    bc = np.searchsorted(key, wanted)
    there = bc < key.size
    there[there] = key[bc[there]] == wanted[there]
    # Differences of scores around a cycle sum to 0: all are 0, or both signs occur.
    cycle = np.stack([verdict[ab[there]], verdict[bc[there]], -verdict[ac[there]]])
    bad = (cycle != 0).any(axis=0) & ~((cycle > 0).any(axis=0) & (cycle < 0).any(axis=0))
    return int(there.sum()), int(bad.sum())
