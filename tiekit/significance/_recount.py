"""How are scores laid out so that a resample only says which of them count, and how often?

`lay_out` puts the scores of one metric, or of two that swap them, into groups once. `recount` counts a layout on many
resamples; `WholeGroups` needs not even that where resamples keep groups whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tiekit.base.parallel import beat
from tiekit.base.validation import FloatArray, IntArray
from tiekit.core._compile import is_interpreted
from tiekit.core.formula import OfAllGroups
from tiekit.core.grouping import DOCUMENT_GROUPINGS, SAME, spread_of, standardize, unit_scale
from tiekit.core.pairs import text_numbers
from tiekit.significance.schemes import NUMBERS_AT_ONCE, Draws

if TYPE_CHECKING:
    from tiekit.core.coefficients import Drawn
    from tiekit.core.measure import Measure
    from tiekit.significance._kernels import Slots


def snap(values: FloatArray, anchors: FloatArray) -> FloatArray:
    """Move values that lie within `SAME` of an anchor to it."""
    if not anchors.size:
        return values
    known = np.concatenate(([-np.inf], np.unique(anchors), [np.inf]))
    place = np.searchsorted(known[1:-1], values) + 1
    below, above = known[place - 1], known[place]
    nearest = np.where(values - below < above - values, below, above)
    return np.asarray(np.where(np.abs(nearest - values) <= SAME, nearest, values), np.float64)


@dataclass(frozen=True, eq=False)
class ScoreLayout:
    """The scores of one metric, or of two that swap them, in groups, as `tiekit.significance._kernels` reads them."""

    cell: NDArray[np.int32]  # shape (atoms,), as all but starts and epsilon
    source: NDArray[np.int8]
    starts: IntArray  # shape (groups + 1,)
    human: FloatArray
    metric: FloatArray
    z: FloatArray  # the metric's score on a scale that both metrics share
    half: FloatArray  # shape (sources,), half of the threshold within which scores tie, on that scale
    epsilon: tuple[float, ...]  # the threshold of each source, on its own scale
    same: SameTexts | None = None  # the scores of identical texts once more
    known_events: NDArray[np.int32] | None = None  # `events`, where they are known already

    @property
    def owner(self) -> NDArray[np.int32]:
        """The group of each atom."""
        return np.repeat(np.arange(self.starts.size - 1, dtype=np.int32), np.diff(self.starts))

    @cached_property
    def scores_from_first(self) -> tuple[FloatArray, FloatArray]:
        """Human and metric scores minus the first score of their group, so that sums lose no digits."""
        return self._from_first(self.human), self._from_first(self.z)

    def _from_first(self, scores: FloatArray) -> FloatArray:
        scaled = unit_scale(scores)[0]
        first = np.minimum(self.starts[:-1], scores.size - 1)[self.owner]
        return np.asarray(scaled - scaled[first], np.float64)

    @cached_property
    def rank(self) -> NDArray[np.int32]:
        """The human score's dense rank within the group."""
        return dense_ranks(np.lexsort((self.human, self.owner)), self.human, self.starts)

    @cached_property
    def by_rank(self) -> NDArray[np.int32]:
        """The atoms in order of group and human score."""
        return np.lexsort((self.rank, self.owner)).astype(np.int32)

    @cached_property
    def value(self) -> NDArray[np.int32]:
        """One number per metric score, in the order of scores; equal for equal scores."""
        return np.unique(self.z, return_inverse=True)[1].astype(np.int32)

    @cached_property
    def by_value(self) -> NDArray[np.int32]:
        """The atoms in order of group and metric score."""
        return np.lexsort((self.z, self.owner)).astype(np.int32)

    @cached_property
    def events(self) -> NDArray[np.int32]:
        """Lower and upper ends of the scores' neighborhoods, in order, see `_kernels.count_draws`.

        Exact among one metric's scores, whose differences are taken as float64; up to rounding between two metrics'.
        """
        from tiekit.significance._kernels import merge_ends

        if self.known_events is not None:
            return self.known_events
        first, *others = (self._ends_of(source) for source in range(len(self.epsilon)))
        beat()
        return np.asarray(merge_ends(*first, *others[0]) if others else first[1], np.int32)

    @cached_property
    def in_order(self) -> tuple[NDArray[np.int32], NDArray[np.int8], NDArray[np.int32], NDArray[np.int32]]:
        """Cells, sources, ranks and events of the atoms, renumbered so that neighbors in a group lie together."""
        for name in ("rank", "by_value", "events"):
            getattr(self, name)
            beat()
        order, place = self.by_value, np.empty_like(self.by_value)
        place[order] = np.arange(order.size)
        return self.cell[order], self.source[order], self.rank[order], 2 * place[self.events >> 1] | self.events & 1

    def _ends_of(self, source: int) -> tuple[IntArray, NDArray[np.int32], FloatArray]:
        """Where a metric's groups begin; its events in their exact order; keys on the common scale that never fall."""
        from tiekit.significance._kernels import edges_below, order_ends

        mine = np.flatnonzero(self.source == source).astype(np.int32)
        owner = self.owner[mine]
        starts = np.searchsorted(owner, np.arange(self.starts.size)).astype(np.int64)
        order = mine[np.lexsort((self.metric[mine], owner))]
        beat()
        edges, z, half = edges_below(self.metric[order], starts, self.epsilon[source]), self.z[order], self.half[source]
        return starts, *order_ends(order, starts, edges, z - half - SAME, z + half)


class SameTexts(NamedTuple):
    """The scores of a layout whose text others have too, a group for each text; and the layout's group of each."""

    layout: ScoreLayout
    owner: NDArray[np.int32]

    @classmethod
    def of(cls, whole: ScoreLayout, identical: IntArray) -> SameTexts:
        """Find the scores of one group and text; they tie exactly where they do in the whole layout."""
        number = text_numbers(identical).ravel()
        is_twin = (number >= 0) & (np.bincount(np.maximum(number, 0), number >= 0) > 1)[np.maximum(number, 0)]
        atoms = np.flatnonzero(is_twin[whole.cell]).astype(np.int32)
        group, text = whole.owner[atoms], number[whole.cell[atoms]]
        order = np.lexsort((text, group))
        atoms, group, text = atoms[order], group[order], text[order]
        new = np.ones(atoms.size, np.bool_)
        new[1:] = (np.diff(group) != 0) | (np.diff(text) != 0)
        place, owner = np.full(whole.cell.size, -1, np.int32), np.cumsum(new) - 1
        place[atoms] = np.arange(atoms.size)
        events = whole.events[place[whole.events >> 1] >= 0]
        events = 2 * place[events >> 1] | events & 1
        part = replace(
            whole,
            same=None,
            **{name: getattr(whole, name)[atoms] for name in ("cell", "source", "human", "metric", "z")},
            starts=np.append(np.flatnonzero(new), atoms.size).astype(np.int64),
            known_events=events[np.argsort(owner[events >> 1], kind="stable")],
        )
        return cls(part, group[new])

    def tie(self, counts: IntArray, ordered: IntArray) -> None:
        """Make ties of those that the metric orders, C, D and T_h of each text, in the counts of the whole layout."""
        if not self.owner.size:
            return
        groups, first = np.unique(self.owner, return_index=True)
        new = np.add.reduceat(ordered[..., :3], first, axis=2)
        counts[:, :, groups, :3] -= new
        counts[:, :, groups, 3] += new[..., 0] + new[..., 1]
        counts[:, :, groups, 4] += new[..., 2]


def dense_ranks(order: IntArray, scores: FloatArray, starts: IntArray) -> NDArray[np.int32]:
    """Return dense ranks 0, 1, … within each group of what is sorted by group and score."""
    in_order = scores[order]
    number = np.zeros(order.size, np.int32)
    np.cumsum(in_order[1:] != in_order[:-1], out=number[1:])
    first = number[np.minimum(starts[:-1], order.size - 1)] if order.size else number
    rank = np.empty_like(number)
    rank[order] = number - np.repeat(first, np.diff(starts)[: first.size])
    return rank


def lay_out(
    human: FloatArray,
    metrics: Sequence[FloatArray],
    grouping: str,
    epsilon: tuple[float, ...],
    documents: IntArray | None = None,
    identical: IntArray | None = None,
) -> ScoreLayout:
    """Put the scores of one metric, or of two that swap them, into groups.

    Two metrics are standardized, so that they share a scale. There a threshold is split between the two scores of a
    pair: two scores tie where their neighborhoods touch, each half its own metric's threshold wide on either side. So
    a pair of one metric's scores ties as without swaps, and swapping everything swaps the values of both metrics.
    ``documents`` is the number of each segment's document, which the grouping by document needs. Scores of
    ``identical`` texts, see `tiekit.core.pairs.text_numbers`, tie.
    """
    rated, n_segments = ~np.isnan(human), max(human.shape[1], 1)
    parts: list[tuple[NDArray[np.int32], NDArray[np.int8], FloatArray, FloatArray]] = []
    shares: list[float] = []
    for source, metric in enumerate(metrics):
        used = rated & ~np.isnan(metric)
        beat()
        alone = len(metrics) == 1 and grouping != "system_means"
        z = (metric if alone else standardize(metric, used))[used]
        shares.append(epsilon[source] if alone else epsilon[source] / spread_of(metric, used))
        beat()
        z = snap(z, parts[0][3]) if parts else z
        parts.append((np.flatnonzero(used).astype(np.int32), np.full(z.size, source, np.int8), metric[used], z))
    cell, sources, scores, z = (np.concatenate(part) for part in zip(*parts, strict=True))
    del parts
    owners = {"item": (cell % n_segments, human.shape[1])}
    owners["system"] = owners["system_means"] = cell // n_segments, human.shape[0]
    if documents is not None:
        owners["document"] = documents[cell % n_segments], int(documents.max(initial=-1)) + 1
    owner, n_groups = owners.get(grouping, (np.zeros_like(cell), 1))
    order = np.argsort(owner, kind="stable")
    beat()
    h = standardize(human, rated) if grouping == "system_means" else human
    layout = ScoreLayout(
        cell=cell[order],
        source=sources[order],
        starts=np.searchsorted(owner[order], np.arange(n_groups + 1)).astype(np.int64),
        human=h.ravel()[cell[order]],
        metric=scores[order],
        z=z[order],
        half=np.array(shares) / 2,
        epsilon=epsilon,
    )
    return layout if identical is None else replace(layout, same=SameTexts.of(layout, identical))


def recount(layout: ScoreLayout, grouping: str, draws: Draws) -> Drawn:
    """Count a layout on some resamples; what several coefficients need is counted once."""
    if grouping != "system_means":
        return _Recount(layout, grouping, draws)
    from tiekit.significance import _kernels

    outer = np.ones_like(draws.rows) if draws.swap else draws.rows
    slots = _slots(layout, grouping, draws)
    means = [
        _kernels.mean_draws(some, outer[first : first + len(some.draws)], layout.human, layout.z, layout.half)
        for first, some in _few(slots)
    ]
    return KnownSums.of_means(np.concatenate(means))


def _slots(layout: ScoreLayout, grouping: str, draws: Draws) -> Slots:
    """Which atoms stand in which slot, for the compiled loops."""
    from tiekit.significance._kernels import Slots

    return Slots(draws.cell_multiplicities(grouping), draws.swap, layout.cell, layout.source, layout.starts)


def _few(slots: Slots) -> Iterator[tuple[int, Slots]]:
    """Take some draws at a time, as the numbers of 64 bits that most loops read; and the number of the first."""
    step = max(1, NUMBERS_AT_ONCE // max(slots.draws.shape[1], 1))
    for first in range(0, max(len(slots.draws), 1), step):
        beat()
        yield first, slots._replace(draws=np.asarray(slots.draws[first : first + step], np.int64))


MANY_GROUPS = 20_000
"""Maximum number of groups that are counted side by side."""


class _Recount:
    """A layout on some resamples, a `Drawn`."""

    def __init__(self, layout: ScoreLayout, grouping: str, draws: Draws) -> None:
        self.layout, self.slots = layout, _slots(layout, grouping, draws)
        self.same = layout.same and _Recount(layout.same.layout, grouping, draws)
        self.multiplicity = draws.group_multiplicities(grouping)
        self._counts: dict[bool, IntArray] = {}

    def mean(self, values: FloatArray) -> FloatArray:
        """Average over the groups that are drawn and defined, shape (draws, slots)."""
        return mean_of_groups(values, self.multiplicity)

    def counts(self, distinct: bool) -> IntArray:
        """Return counts, shape (draws, slots, groups, 7); k only where distinct scores are asked for."""
        from tiekit.significance import _kernels

        if distinct not in self._counts:
            a = self.layout
            if distinct or is_interpreted() or a.starts.size > MANY_GROUPS:
                n_values = int(a.value.max(initial=-1)) + 1 if distinct else 0
                rest = a.rank, a.value, n_values, a.events
                self._counts[distinct] = np.concatenate(
                    [_kernels.count_draws(some, *rest) for _, some in _few(self.slots)]
                )
            else:
                self._counts[distinct] = count_side_by_side(self.slots, a)
            if a.same and self.same:
                a.same.tie(self._counts[distinct], self.same.counts(distinct=False))
        return self._counts[distinct]

    def sums(self, ranked: bool) -> FloatArray:
        """Return sums of scores or ranks about their mean, shape (draws, slots, groups, 4)."""
        from tiekit.significance import _kernels

        if ranked:
            a = self.layout
            return np.concatenate(
                [_kernels.rank_draws(some, a.rank, a.by_rank, a.value, a.by_value) for _, some in _few(self.slots)]
            )
        scores = self.layout.scores_from_first
        return np.concatenate([_kernels.sum_draws(some, *scores) for _, some in _few(self.slots)])


@dataclass(eq=False)
class KnownSums:
    """What resamples amount to where it is known already, a `Drawn`; counts and sums of ranks only where needed."""

    sums_of_scores: FloatArray
    sums_of_ranks: FloatArray | None = None
    pair_counts: IntArray | None = None
    multiplicity: IntArray | None = None

    @classmethod
    def of_means(cls, means: FloatArray) -> KnownSums:
        """Count and sum the mean scores of systems, see `_kernels.mean_draws`."""
        from tiekit.significance._kernels import judge_means

        counts, sums, ranks = judge_means(means, SAME)
        return cls(sums, ranks, counts)

    def mean(self, values: FloatArray) -> FloatArray:
        """Average over the groups that are defined."""
        return mean_of_groups(values)

    def counts(self, distinct: bool) -> IntArray:  # noqa: ARG002
        """Return counts of pairs, k included."""
        assert self.pair_counts is not None
        return self.pair_counts

    def sums(self, ranked: bool) -> FloatArray:
        """Return sums of scores or of their ranks."""
        if not ranked:
            return self.sums_of_scores
        assert self.sums_of_ranks is not None
        return self.sums_of_ranks


def count_side_by_side(slots: Slots, layout: ScoreLayout) -> IntArray:
    """Count the pairs of every group on many resamples, shape (draws, slots, groups, 7); k is 0."""
    from tiekit.significance import _kernels as lanes

    n_draws, n_slots, n_groups = len(slots.draws), 2 if slots.swap else 1, layout.starts.size - 1
    counts = np.zeros((n_draws, n_slots, n_groups, 7), np.int64)
    kind = np.uint8 if slots.draws.max(initial=0) < 256 else np.int32
    weight, found = np.zeros((layout.cell.size, lanes.LANES), kind), np.zeros((n_groups, 6, lanes.LANES), np.int64)
    cell, source, rank, events = layout.in_order
    n_ranks, side_by_side = int(rank.max(initial=-1)) + 1, lanes.LANES // n_slots
    for first in range(0, n_draws, side_by_side):
        some = np.ascontiguousarray(slots.draws[first : first + side_by_side].T, kind)
        beat()
        lanes.weigh_lanes(some, slots.swap, cell, source, weight)
        lanes.count_lanes(weight, layout.starts, rank, n_ranks, events, found)
        number = some.shape[1]
        by_slot = found.reshape(n_groups, 6, side_by_side, n_slots)[:, :, :number]
        counts[first : first + number, :, :, :6] = by_slot.transpose(2, 3, 0, 1)
    return counts


def mean_of_groups(values: FloatArray, multiplicity: IntArray | None = None) -> FloatArray:
    """Average what is defined over the last axis, weighted by how often it was drawn; NaN where nothing is defined."""
    weight = 1.0 * ~np.isnan(values) if multiplicity is None else ~np.isnan(values) * multiplicity[:, None, :]
    with np.errstate(invalid="ignore"):
        return np.asarray((np.nan_to_num(values) * weight).sum(axis=-1) / weight.sum(axis=-1), np.float64)


@dataclass(frozen=True, eq=False)
class WholeGroups:
    """Values on resamples that keep groups whole: means over groups whose values are known, a `Strategy`."""

    of_groups: (
        FloatArray  # (metrics, groups), NaN where undefined; counts, (metrics, groups, 7), where these are pooled
    )
    measure: Measure
    places: IntArray | None = None  # the number of each segment's document, where documents are known

    def values(self, draws: Draws) -> FloatArray:
        """See `Strategy`."""
        numbers = whole_groups(self.measure, draws, self.places)
        assert numbers is not None
        weight = numbers.astype(np.float64)
        values = self._pool(weight, draws.swap) if self.measure.coefficient.pools else self._average(weight, draws.swap)
        return values[..., None]

    def _average(self, weight: FloatArray, swap: bool) -> FloatArray:
        """Average over the defined groups that stand in each slot, shape (draws, metrics)."""
        defined = ~np.isnan(self.of_groups)
        value = np.where(defined, self.of_groups, 0.0)
        if not swap:
            total, number = weight @ value.T, weight @ defined.T.astype(np.float64)
        else:
            moved, joined = weight @ (value[1] - value[0]), weight @ (defined[1] * 1.0 - defined[0])
            total = value.sum(axis=1) + np.stack((moved, -moved), axis=1)
            number = defined.sum(axis=1) + np.stack((joined, -joined), axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(number > 0.5, total / number, np.nan)

    def _pool(self, weight: FloatArray, swap: bool) -> FloatArray:
        """Evaluate the summed counts of the groups that stand in each slot, shape (draws, metrics)."""
        formula, counts = self.measure.coefficient.formula, self.of_groups
        assert isinstance(formula, OfAllGroups)
        if not swap:
            return formula.of_one(np.stack([weight @ one for one in counts], axis=1))
        moved = weight @ (counts[1] - counts[0])
        return formula.of_one(counts.sum(axis=1) + np.stack((moved, -moved), axis=1))


def whole_groups(measure: Measure, draws: Draws, places: IntArray | None = None) -> IntArray | None:
    """Return the number of each group, shape (draws, groups), where resamples keep groups whole; otherwise None.

    ``places`` is the number of each segment's document, where documents are known.
    """
    if draws.single is not None or not measure.coefficient.by_group:
        return None
    still = 0 if draws.swap else 1
    if measure.grouping == "item" and (draws.rows == still).all():
        return draws.columns
    if measure.grouping == "system" and (draws.columns == still).all():
        return draws.rows
    if places is None or measure.grouping not in DOCUMENT_GROUPINGS:
        return None
    if draws.whole_documents and (draws.rows == still).all():
        return draws.columns[:, np.unique(places, return_index=True)[1]]
    return None
