"""Which order of translations follows the judgments best? Exact where few translations form a cycle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, Literal, NamedTuple, overload

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tiekit.base.errors import InputError
from tiekit.base.parallel import Progress, part_of, showing
from tiekit.base.results import Plotted, Result
from tiekit.base.validation import FloatArray, IntArray
from tiekit.core.registry import get_coefficient
from tiekit.judgments.rankings import Pairs, Preferences, Rankings, as_preferences, check_by

MOST_ITEMS = {False: 16, True: 13}
"""The largest number of translations whose best order is found exactly: without ties, and with ties."""

MOST_ORDERED = 2_000
"""Maximum number of translations in a cycle whose order is improved by moving single ones."""

MOST_STEPS = {"exact": 10**9, "good": 4 * 10**7}
"""Maximum number of steps of all searches for exact orders, and for good ones: about ten seconds each."""

TRIPLES_AT_ONCE = 1_000_000
"""Maximum number of triples that are looked at in one go."""


class Order(NamedTuple):
    """Levels of the judged translations (0 is the best of its segment), their sum of gains, and a bound for all levels.

    ``n_bounded`` is the number of groups that were too large for an exact search.
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


def components(graph: Graph, forth: NDArray[np.bool_], back: NDArray[np.bool_]) -> IntArray:
    """Label nodes by the cycle they are in; edges are first → second (``forth``) and second → first (``back``)."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n = graph.segment.size
    if not n:
        return np.zeros(0, np.int64)
    start = np.concatenate([graph.first[forth], graph.second[back]])
    end = np.concatenate([graph.second[forth], graph.first[back]])
    edges = coo_array((np.ones(start.size, np.int8), (start, end)), shape=(n, n))
    return np.asarray(connected_components(edges.tocsr(), directed=True, connection="strong")[1], np.int64)


def best_levels(graph: Graph, gain: IntArray, *, may_tie: bool, progress: Progress | None = None) -> Order:
    """Find the levels with the largest sum of gains.

    ``gain`` (pairs, 3) is that of a pair whose first translation is placed below the second, level with it (only where
    they may tie), or above it; the best one is the pair's wish. Only translations whose wishes form a cycle need a
    search; all others can be ordered so that every wish is granted. Where there are so many of these that it would take
    long, the largest groups are searched less thoroughly.
    """
    if progress is not None:
        progress(0.0)
    allowed = gain if may_tie else gain[:, [0, 2]]
    wish = allowed.max(axis=1) if len(gain) else np.zeros(0, np.int64)
    below, above = gain[:, 0] == wish, gain[:, 2] == wish
    neither = ~(below | above)  # only a tie grants it
    forth, back = (above & ~below) | neither, (below & ~above) | neither
    component = components(graph, forth, back)
    within = np.zeros(graph.segment.size, np.int64)
    inside = component[graph.first] == component[graph.second]
    level = np.bincount(component[graph.first[inside]], (wish - gain[:, 1])[inside], minlength=component.size)
    groups = [
        (members, rows)
        for members, rows in _groups(graph, component, inside)
        if not may_tie or level[component[members[0]]]  # else a tie of all grants every wish
    ]
    sizes = np.array([members.size for members, _ in groups], np.int64)
    most = _largest_sizes(sizes, may_tie)
    for number, (members, rows) in enumerate(groups):
        beat = None if progress is None else partial(progress, number / len(groups))
        within[members] = _order(members, graph, gain, rows, may_tie, most, beat)
        if beat is not None:
            beat()
    n_bounded = int((sizes > most[0]).sum())
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


def _largest_sizes(sizes: IntArray, may_tie: bool) -> tuple[int, int]:
    """Up to which size groups are searched for the best order, and for a good one, in so many steps together."""
    exact = _largest(sizes, MOST_ITEMS[may_tie], lambda n: 3**n if may_tie else n**2 * 2**n, MOST_STEPS["exact"])
    return exact, _largest(sizes[sizes > exact], MOST_ORDERED, lambda n: n**2, MOST_STEPS["good"])


def _largest(sizes: IntArray, most: int, steps: Callable[[int], int], most_steps: int) -> int:
    """The largest size up to which groups take no more than so many steps."""
    found, counts = np.unique(sizes[sizes <= most], return_counts=True)
    total = 0
    for size, number in zip(found.tolist(), counts.tolist(), strict=True):
        total += number * steps(size)
        if total > most_steps:
            return int(size) - 1
    return most


def _order(
    members: IntArray,
    graph: Graph,
    gain: IntArray,
    rows: IntArray,
    may_tie: bool,
    most: tuple[int, int],
    beat: Callable[[], None] | None,
) -> IntArray:
    """Levels of the translations of one component: the best, good ones where there are too many, else by margins."""
    from tiekit.judgments._order_kernels import best_order, good_order

    n = members.size
    i, j = np.searchsorted(members, graph.first[rows]), np.searchsorted(members, graph.second[rows])
    lost = gain[rows][:, [0, 1, 2] if may_tie else [0, 2]].max(axis=1)[:, None] - gain[rows]
    margins = np.zeros(n, np.int64)
    np.add.at(margins, i, lost[:, 2] - lost[:, 0])
    np.add.at(margins, j, lost[:, 0] - lost[:, 2])
    levels = np.argsort(np.argsort(margins, kind="stable"))
    if n > max(most):
        return levels
    over, level = np.zeros((n, n), np.int64), np.zeros((n, n), np.int64)
    over[i, j], over[j, i] = lost[:, 2], lost[:, 0]
    level[i, j] = level[j, i] = lost[:, 1]
    bound = good_order(over, level, may_tie, levels, beat)
    if n <= most[0] and bound:
        best_order(over, level, may_tie, bound, levels)
    return levels


def _join(
    graph: Graph, component: IntArray, within: IntArray, forth: NDArray[np.bool_], back: NDArray[np.bool_]
) -> IntArray:
    """Levels of all nodes of a segment: its components stacked as the edges between them demand."""
    from tiekit.judgments._order_kernels import depths

    start = component[np.concatenate([graph.first[forth], graph.second[back]])]
    end = component[np.concatenate([graph.second[forth], graph.first[back]])]
    depth = depths(start, end, int(component.max(initial=-1)) + 1)
    order = np.lexsort((within, component, depth[component], graph.segment))
    steps = np.stack([within, component, graph.segment])[:, order]
    new = np.concatenate([[0], (np.diff(steps, axis=1) != 0).any(axis=0)])[: order.size]
    rank = np.cumsum(new)
    first = np.full(int(graph.segment.max(initial=-1)) + 1, rank.size)
    np.minimum.at(first, graph.segment[order], rank)
    levels = np.empty(order.size, np.int64)
    levels[order] = rank - first[graph.segment[order]]
    return levels


def count_triples(pairs: Pairs, n_systems: int, verdict: IntArray, progress: Progress | None = None) -> tuple[int, int]:
    """Count triples of translations with three verdicts (-1, 0, 1), and those that no scores can follow."""
    n = max(n_systems, 1)
    key = (pairs.segment * n + pairs.first) * n + pairs.second  # sorted, as pairs are
    number = np.searchsorted(key, (key // n + 1) * n) - np.arange(key.size) - 1  # later pairs of the same first one
    before = np.concatenate([[0], np.cumsum(number)])
    found = np.zeros(2, np.int64)
    for low in range(0, int(before[-1]), TRIPLES_AT_ONCE):
        which = np.arange(low, min(low + TRIPLES_AT_ONCE, int(before[-1])))
        ab = np.searchsorted(before, which, side="right") - 1
        ac = ab + 1 + which - before[ab]
        wanted = (pairs.segment[ab] * n + pairs.second[ab]) * n + pairs.second[ac]
        bc = np.minimum(np.searchsorted(key, wanted), key.size - 1)
        there = key[bc] == wanted
        # Differences of scores around a cycle sum to 0: all are 0, or both signs occur.
        cycle = np.stack([verdict[ab[there]], verdict[bc[there]], -verdict[ac[there]]])
        bad = (cycle != 0).any(axis=0) & ~((cycle > 0).any(axis=0) & (cycle < 0).any(axis=0))
        found += there.sum(), bad.sum()
        if progress is not None:
            progress(which[-1] / before[-1])
    return int(found[0]), int(found[1])


def resolve(preferences: Rankings | Preferences) -> Preferences:
    """Keep one judgment for each judged pair of translations: the outcome of the majority.

    Parameters
    ----------
    preferences : Preferences or Rankings
        Rankings count with their ties.

    Returns
    -------
    Preferences
        One judgment per pair with its most frequent outcome, whose ``judge`` and ``set`` are -1. Pairs whose most
        frequent outcome is not unique are left out and counted in ``n_omitted``. Every pair has the same weight,
        however often it was judged.

    Raises
    ------
    InputError
        For other objects.

    Examples
    --------
    >>> rows = [("ann", "1", {"A": 1, "B": 2}), ("bob", "1", {"A": 2, "B": 1}), ("eve", "1", {"A": 1, "B": 2})]
    >>> resolve(Rankings.from_rows(rows)).outcome
    array([1])
    """
    given = as_preferences(preferences)
    clear = (given.pairs.counts == given.pairs.counts.max(axis=1, keepdims=True)).sum(axis=1) == 1
    segment, first, second, counts = (part[clear] for part in given.pairs)
    none, outcome = np.full(segment.size, -1, np.int64), counts.argmax(axis=1) - 1
    arrays = (segment, none, none, first, second, outcome)
    return Preferences(given.rankings, given.ties, *arrays, n_omitted=int((~clear).sum()))


CAPPED = ("tau_10", "tau_13", "tau_14", "acc_eq")
"""The coefficients that `attainable` knows."""


@dataclass(frozen=True, eq=False, repr=False)
class Attainable(Plotted, Result):
    """The largest and smallest value of a coefficient that any metric can reach on some judgments.

    A metric without ties and a metric with ties can reach different values of τ. acc_eq rewards ties, so that all its
    values are for metrics with ties. All values are NaN where no judgment counts.

    Attributes
    ----------
    cap, floor, cap_tying, floor_tying : float
        Where each pair of translations is decided on its own, without ties (Graham's ±) and with ties allowed.
    reachable, reachable_floor, reachable_tying, reachable_floor_tying : float
        The same with one score per translation: a metric cannot follow intransitive preferences.
    reachable_at_most : float
        An upper bound of what a metric can reach: equal to ``reachable`` where that is exact, never above ``cap``.
    n_bounded : int
        Groups of more than 16 translations (13 with ties), which are too large for an exact search, and of fewer where
        there are hundreds of the kind, which would take minutes; 0: all is exact.
    n_judgments, n_pairs : int
        Judgments that count in the coefficient, and distinct pairs of translations among them.
    n_triples, n_intransitive : int
        Triples of translations of a segment where the majority prefers one of every two (acc_eq: where one of the
        three outcomes is the most frequent), and triples among them that no scores can follow.
    best : ndarray, shape (systems, segments)
        Scores that reach ``reachable``; NaN for translations without a judgment that counts.
    coefficient : str
    """

    _number: ClassVar[str | None] = None
    cap: float
    floor: float
    cap_tying: float
    floor_tying: float
    reachable: float
    reachable_floor: float
    reachable_tying: float
    reachable_floor_tying: float
    reachable_at_most: float
    n_bounded: int
    n_judgments: int
    n_pairs: int
    n_triples: int
    n_intransitive: int
    best: FloatArray = field(repr=False)
    coefficient: str

    @property
    def exact(self) -> bool:
        """Whether ``reachable`` is the true maximum."""
        return self.n_bounded == 0

    @property
    def loss(self) -> float:
        """The cost of intransitive preferences: ``cap`` − ``reachable``; where that is not exact, at most this."""
        return self.cap - self.reachable

    def _facts(self) -> dict[str, object]:
        return {
            "coefficient": self.coefficient,
            "judgments": self.n_judgments,
            "pairs": self.n_pairs,
            "exact": self.exact,
        }


@overload
def attainable(
    preferences: Rankings | Preferences,
    coefficient: str = ...,
    *,
    by: None = None,
    progress: Progress | bool | None = ...,
) -> Attainable: ...
@overload
def attainable(
    preferences: Rankings | Preferences,
    coefficient: str = ...,
    *,
    by: Literal["language_pair"],
    progress: Progress | bool | None = ...,
) -> pd.DataFrame: ...
def attainable(
    preferences: Rankings | Preferences,
    coefficient: str = "tau_14",
    *,
    by: str | None = None,
    progress: Progress | bool | None = None,
) -> Attainable | pd.DataFrame:
    """Find the largest and smallest value that any metric can reach on contradictory judgments.

    A metric that does not tie two translations agrees either with the judgments that prefer the first or with those
    that prefer the second. So no τ exceeds Σ|majority − minority| / Σ n over all pairs, and no acc_eq exceeds
    Σ max(<, =, >) / Σ n. τ_13 ignores pairs that the metric ties: a metric that ties all but one unanimous pair has 1.

    A metric that gives one score to each translation cannot follow majorities for A over B, B over C and C over A.
    Only the translations in such cycles need a search. The best order of up to 16 of them (13 where ties count) is
    found exactly, by dynamic programming over subsets. In larger groups ``reachable`` is the value of a good order, of
    more than 2,000 translations the one by margins, and ``reachable_at_most`` bounds it by the majorities.

    Parameters
    ----------
    preferences : Preferences or Rankings
        The judgments. Rankings count with their ties; acc_eq of preferences with omitted ties has no human ties.
    coefficient : {"tau_10", "tau_13", "tau_14", "acc_eq"}
        The coefficient whose range is wanted.
    by : {"language_pair"} or None
        Whether to return one row per language pair.
    progress
        As for `tiekit.calibrate`.

    Returns
    -------
    Attainable, or pandas.DataFrame
        The frame has one column per number of `Attainable`.

    Raises
    ------
    InputError
        For another coefficient or another value of ``by``.

    References
    ----------
    Graham et al. (2015), section 2, doi:10.3115/v1/N15-1124.

    Examples
    --------
    >>> rows = [("ann", "1", {"A": 1, "B": 2, "C": 3}), ("bob", "1", {"B": 1, "C": 2, "A": 3})]
    >>> rows += [("eve", "1", {"C": 1, "A": 2, "B": 3})]
    >>> found = attainable(Rankings.from_rows(rows))
    >>> round(found.cap, 3), round(found.reachable, 3), found.n_intransitive
    (0.333, 0.111, 1)
    """
    given = as_preferences(preferences)
    name = get_coefficient(coefficient).name
    if name not in CAPPED:
        raise InputError(f"coefficient: must be one of {', '.join(CAPPED)}, found {coefficient!r}")
    with showing(progress, "Weighing judgments") as report:
        if not check_by(by):
            return _attainable(given, name, report)
        names = given.rankings.language_pairs
        parts = (part_of(report, place, len(names)) for place in range(len(names)))
        rows = [_attainable(given.select(pair), name, part) for pair, part in zip(names, parts, strict=True)]
    columns = [part.name for part in fields(Attainable) if part.name not in ("best", "coefficient")]
    table = {column: [getattr(found, column) for found in rows] for column in columns}
    return pd.DataFrame(table, index=pd.Index(names, name="language pair"))


def _attainable(given: Preferences, name: str, progress: Progress | None) -> Attainable:
    """The range of a coefficient on all judgments."""
    pairs = given.pairs
    if name == "acc_eq":
        return _accuracy(given, pairs, progress)
    strict = pairs.counts[:, [0, 2]].sum(axis=1) > 0
    return _tau(given, Pairs(*(part[strict] for part in pairs)), name, progress)


def _tau(given: Preferences, pairs: Pairs, name: str, progress: Progress | None) -> Attainable:
    """The range of a τ: the margins of the pairs are its gains."""
    less, _, greater = pairs.counts.T
    margin, n = greater - less, less + greater
    total = int(n.sum())
    graph = Graph.of(pairs, len(given.rankings.systems))
    gain = np.stack([-margin, 0 * margin, margin], axis=1)
    order = best_levels(graph, gain, may_tie=False, progress=part_of(progress, 0, 3))
    cap, value, at_most = (_share(part, total) for part in (int(np.abs(margin).sum()), order.value, order.at_most))
    alone, most, n_bounded = cap, value, order.n_bounded
    if name == "tau_13" and total:
        alone = float((np.abs(margin) / n).max())
        most, bounded = _best_ratio(graph, margin, n, order, part_of(progress, 1, 3))
        n_bounded += bounded
    least, worst = (-1.0, -1.0) if name == "tau_10" and total else (-alone, -most)
    last = part_of(progress, 2, 3)
    return Attainable(
        *(cap, -cap, alone, least, value, -value, most, worst, at_most, n_bounded),
        **_facts(given, pairs, graph, order, np.sign(margin), margin != 0, name, last),
    )


def _accuracy(given: Preferences, pairs: Pairs, progress: Progress | None) -> Attainable:
    """The range of acc_eq: the counts of the three outcomes are its gains."""
    counts = pairs.counts
    total = int(counts.sum())
    graph = Graph.of(pairs, len(given.rankings.systems))
    best, worst = (
        best_levels(graph, sign * counts, may_tie=True, progress=part_of(progress, place, 3))
        for place, sign in enumerate((1, -1))
    )
    most = counts.max(axis=1, keepdims=True)
    cap, floor = _share(int(most.sum()), total), _share(int(counts.min(axis=1).sum()), total)
    value, least = _share(best.value, total), _share(-worst.value, total)
    at_most, n_bounded = _share(best.at_most, total), best.n_bounded + worst.n_bounded
    clear, last = (counts == most).sum(axis=1) == 1, part_of(progress, 2, 3)
    return Attainable(
        *(cap, floor, cap, floor, value, least, value, least, at_most, n_bounded),
        **_facts(given, pairs, graph, best, counts.argmax(axis=1) - 1, clear, "acc_eq", last),
    )


def _share(part: int, total: int) -> float:
    """A share; NaN of nothing."""
    return part / total if total else float("nan")


def _facts(
    given: Preferences,
    pairs: Pairs,
    graph: Graph,
    order: Order,
    verdict: IntArray,
    clear: NDArray[np.bool_],
    coefficient: str,
    progress: Progress | None,
) -> dict[str, Any]:
    """The numbers that are found in the same way for every coefficient."""
    rankings = given.rankings
    best = np.full((len(rankings.systems), len(rankings.segments)), np.nan)
    best[graph.system, graph.segment] = 0.0 - order.levels
    counting = pairs.counts if coefficient == "acc_eq" else pairs.counts[:, [0, 2]]
    of_clear = Pairs(*(part[clear] for part in pairs))
    triples, bad = count_triples(of_clear, len(rankings.systems), verdict[clear], progress)
    if progress is not None:
        progress(1.0)
    return {
        "n_judgments": int(counting.sum()),
        "n_pairs": pairs.segment.size,
        "n_triples": triples,
        "n_intransitive": bad,
        "best": best,
        "coefficient": coefficient,
    }


def _best_ratio(
    graph: Graph, margin: IntArray, n: IntArray, order: Order, progress: Progress | None
) -> tuple[float, int]:
    """The largest τ_13 with one score per translation and ties, and the number of groups without an exact search.

    τ_13 of all segments is a weighted mean of the segments, so that the best metric orders one segment only. Where some
    translations of it are unanimously preferred to all others, the value is 1. Otherwise the ratio is raised step by
    step in whole numbers (Dinkelbach 1967, doi:10.1287/mnsc.13.7.492).
    """
    every = np.ones(n.size, bool)
    if components(graph, margin > -n, margin < n).max() > components(graph, every, every).max():
        return 1.0, 0
    ratio, levels, bounded = Fraction(-1), order.levels, 0
    while True:
        sign = np.sign(levels[graph.second] - levels[graph.first])
        ordered = int(n[sign != 0].sum())
        reached = Fraction(int((sign * margin).sum()), ordered) if ordered else ratio
        if reached <= ratio:
            return float(ratio), bounded
        ratio = reached
        p, q = ratio.as_integer_ratio()
        gain = np.stack([-q * margin - p * n, 0 * n, q * margin - p * n], axis=1)
        levels, _, _, bounded = best_levels(graph, gain, may_tie=True, progress=progress)
