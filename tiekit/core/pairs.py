"""How many pairs agree, disagree, tie?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tiekit.base.errors import InputError
from tiekit.base.results import Result
from tiekit.base.validation import (
    FloatArray,
    IntArray,
    Source,
    check_epsilon,
    check_tie_human,
    check_vectors,
    labels_beside,
    note_of,
    warn_near_ties,
)

if TYPE_CHECKING:
    import pandas as pd

KINDS = ("concordant", "discordant", "ties_human", "ties_metric", "ties_both")
"""The five kinds of pairs, in the order of C, D, T_h, T_m, T_hm."""


@dataclass(frozen=True, repr=False)
class PairCounts(Result):
    """The pairs of one group of scores, counted by kind.

    Attributes
    ----------
    concordant, discordant : int
        C and D: strictly ordered by both, alike or the other way round.
    ties_human, ties_metric, ties_both : int
        T_h, T_m, T_hm: tied by the human only, by the metric only, by both.
    n_scores : int
        n: the scored items.
    n_distinct : int
        k: the smaller of the numbers of distinct human and metric scores, whatever epsilon is.
    n_missing : int
        Items left out of every pair because a score is NaN.
    """

    _number: ClassVar[str | None] = None

    concordant: int
    discordant: int
    ties_human: int
    ties_metric: int
    ties_both: int
    n_scores: int
    n_distinct: int
    n_missing: int = 0

    @property
    def total(self) -> int:
        """All pairs that were compared: n(n − 1)/2, fewer with a human margin."""
        return self.concordant + self.discordant + self.ties_human + self.ties_metric + self.ties_both

    @property
    def row(self) -> IntArray:
        """The counts in the order of the formulas' symbols: C, D, T_h, T_m, T_hm, n, k."""
        ties = (self.ties_human, self.ties_metric, self.ties_both)
        return np.array([self.concordant, self.discordant, *ties, self.n_scores, self.n_distinct], np.int64)


@dataclass(frozen=True)
class SortedScores:
    """Scores without gaps, sorted by group and by the metric: what the kernels work on.

    ``rank`` holds dense ranks of the human scores, below ``n_ranks``; group g lies at ``starts[g]:starts[g + 1]``.
    ``near_ties`` are the numbers of scores close above another, by side. Metric differences may be ``relative``; one
    that is at most ``tolerance`` above a threshold equals it. Pairs below the ``human_margin`` are left out. Pairs of
    the ``same`` text are ties of the metric.
    """

    human: FloatArray
    metric: FloatArray
    rank: IntArray
    n_ranks: int
    starts: IntArray
    near_ties: dict[str, int]
    relative: bool = False
    tolerance: float = 0.0
    human_margin: float = 0.0
    same: SameTexts | None = None

    @property
    def slack(self) -> float:
        """The tolerance where differences are absolute; shares are compared exactly."""
        return 0.0 if self.relative else self.tolerance

    @property
    def arrays(self) -> tuple[IntArray, FloatArray, IntArray]:
        """What every counting loop reads first."""
        return self.rank, self.metric, self.starts

    @property
    def text(self) -> IntArray | None:
        """The text of each score, where pairs of the same text are ties."""
        return self.same.text if self.same else None


class SameTexts(NamedTuple):
    """The ``text`` of each of some scores, as a number; those of the same text once more, a group for each text.

    ``owner`` is the group of the scores that each of these groups is a part of. They may be ties of the human, too.
    """

    text: IntArray
    scores: SortedScores
    owner: IntArray
    tie_human: bool

    @classmethod
    def of(cls, scores: SortedScores, number: NDArray[np.signedinteger[Any]], tie_human: bool = False) -> SameTexts:
        """Find the scores of one text, whose number, -1 for none, no other group has; they stay in their order."""
        from tiekit.core import _kernels

        text, cells, starts = _kernels.find_same(number, int(number.max(initial=-1)) + 1)
        kept = {name: getattr(scores, name)[cells] for name in ("human", "metric", "rank")}
        owner = np.searchsorted(scores.starts, cells[starts[:-1]], "right") - 1
        return cls(text, replace(scores, **kept, starts=starts), owner, tie_human)

    def tie(self, counts: IntArray, scores: SortedScores, epsilon: float) -> None:
        """Make ties of those that the metric orders, in the counts of all scores at a threshold."""
        asked = replace(self.scores, relative=scores.relative, human_margin=scores.human_margin)
        kinds = count_sorted(asked, epsilon)[:, : 4 if self.tie_human else 3]
        new = np.array([np.bincount(self.owner, kind, len(counts)) for kind in kinds.T]).astype(np.int64)
        counts[:, : len(new)] -= new.T
        if not self.tie_human:
            counts[:, 3:5] += np.array([new[0] + new[1], new[2]]).T
        elif not scores.human_margin:  # with a margin, ties of the human are left out
            counts[:, 4] += new.sum(axis=0)


class Counted(NamedTuple):
    """Counts of every group, shape (groups, 7), and between which two differences that occur they hold."""

    counts: IntArray
    epsilon: float
    next: float


def near_tie_notes(scores: SortedScores) -> list[str]:
    """Say where distinct scores are nearly equal, one sentence per argument."""
    return [note_of(name, number) for name, number in scores.near_ties.items() if number]


def sort_scores(
    human: FloatArray,
    metric: FloatArray,
    group: NDArray[np.signedinteger[Any]] | None = None,
    tolerance: float = 0.0,
    text: NDArray[np.signedinteger[Any]] | None = None,
    tie_human: bool = False,
) -> SortedScores:
    """Sort cells without NaN by group (numbers from 0 without a gap, or none for one group) and metric.

    Of cells with a ``text``, a number, pairs of the same one are ties of the metric, and of the human if it is asked.
    """
    from tiekit.core._radix_sort import order_scores

    sizes = np.array([metric.size]) if group is None else np.bincount(group)
    starts = np.append(0, np.cumsum(sizes)).astype(np.int64)
    order, rank, n_ranks, *close = order_scores(human, metric, group, starts)
    scores = SortedScores(
        human=human[order],
        metric=metric[order],
        rank=rank[order],
        n_ranks=n_ranks,
        starts=starts,
        near_ties=dict(zip(("human", "metric"), close, strict=True)),
        tolerance=tolerance,
    )
    return scores if text is None else replace(scores, same=SameTexts.of(scores, text[order], tie_human))


def text_numbers(identical: IntArray) -> NDArray[np.signedinteger[Any]]:
    """A number for each text: the same in one segment (column) where labels are, and -1 for unknown texts."""
    columns = identical.shape[1] if identical.ndim == 2 else 1
    most = max(int(identical.max(initial=0)), 0) + 1
    if most * columns > 4 * identical.size:  # numbers of the whole set, not of a segment
        most = identical.size
        identical = np.where(identical < 0, -1, np.unique(identical, return_inverse=True)[1].reshape(identical.shape))
        number = np.unique(identical + most * np.arange(columns), return_inverse=True)[1].reshape(identical.shape)
    else:
        number = identical.astype(np.int32)
        number += most * np.arange(columns, dtype=np.int32)
    return np.where(identical < 0, np.int32(-1), number.astype(np.int32, copy=False))


def count_within(scores: SortedScores, epsilon: float) -> Counted:
    """Count the pairs of every group, those at most epsilon apart as ties of the metric."""
    found = _count_all(scores, epsilon)
    if scores.same:
        scores.same.tie(found.counts, scores, epsilon)
    return found


def _count_all(scores: SortedScores, epsilon: float) -> Counted:
    """Count the pairs of every group, whatever their texts."""
    from tiekit.core import _kernels

    if scores.human_margin:  # only pairs whose human scores differ by at least the margin
        group = np.repeat(np.arange(scores.starts.size - 1), np.diff(scores.starts))
        arrays = scores.human, np.lexsort((scores.human, group)), scores.metric, scores.starts
        found = _kernels.count_apart(*arrays, scores.human_margin, epsilon + scores.slack, scores.relative)
        return Counted(found, 0.0, np.inf)
    return Counted(*_kernels.count_groups(*scores.arrays, scores.n_ranks, epsilon + scores.slack, scores.relative))


def count_sorted(scores: SortedScores, epsilon: float) -> IntArray:
    """Counts of every group, shape (groups, 7), columns C, D, T_h, T_m, T_hm, n, k."""
    return count_within(scores, epsilon).counts


def count_pairs(
    human: ArrayLike,
    metric: ArrayLike,
    *,
    epsilon: float = 0.0,
    human_margin: float = 0.0,
    identical: ArrayLike | None = None,
    tie_human: bool = False,
) -> PairCounts:
    """Count the pairs of two vectors by kind, exactly, in O(n log n) time and O(n) memory.

    Parameters
    ----------
    human, metric : array_like, shape (n,)
        One item per position; higher is better. A NaN or None on either side leaves the item out of every pair.
        Two Series of pandas are matched by label; other labels are refused.
    epsilon : float, default 0
        A pair is tied by the metric when ``|m_i - m_j| <= epsilon`` in float64; by the human when equal.
    human_margin : float, default 0
        Pairs whose human scores differ by less, ``|h_i - h_j| < human_margin`` in float64, are left out; with a margin
        above 0 there are no human ties. The metrics tasks of WMT 2017–2020 compared pairs of direct assessments that
        differ by at least 25 points.
    identical : array_like of int, shape (n,), optional
        Labels of texts: where two are equal, the metric ties the pair. Labels below 0 are of unknown texts.
    tie_human : bool
        Whether the human ties pairs of identical texts, too; with a margin above 0 they are then left out.

    Returns
    -------
    PairCounts
        All zero for fewer than two scored items.

    Raises
    ------
    InputError
        For text, infinite scores, shapes that differ or are not vectors, a negative or NaN epsilon or margin, labels
        that are no whole numbers, and ``tie_human`` without labels.

    Warns
    -----
    NearTieWarning
        Where distinct scores differ by less than 1e-12 of their range.

    References
    ----------
    Deutsch et al. (2023), Table 2 and Algorithm 1 (SUFFSTATS), doi:10.18653/v1/2023.emnlp-main.798.

    Examples
    --------
    >>> count_pairs([0, 0, 0, 0, 1, 2], [0, 0, 0, 0, 2, 1])
    PairCounts(concordant=8, discordant=1, ties_human=0, ties_metric=0, ties_both=6, n_scores=6, n_distinct=3,
    n_missing=0)
    >>> far = count_pairs([10, 30, 40, 80], [1, 3, 2, 4], human_margin=25)
    >>> far.concordant, far.discordant, far.total
    (4, 0, 4)
    >>> count_pairs([1, 2, 2], [1, 3, 2], identical=[0, 0, 1]).ties_metric
    1
    """
    h, m = check_vectors(human, metric)
    epsilon = check_epsilon(epsilon)
    scored = ~(np.isnan(h) | np.isnan(m))
    margin = check_epsilon(human_margin, "human_margin")
    labels = labels_beside(human, identical, h.shape)
    check_tie_human(tie_human, labels)
    text = None if labels is None else text_numbers(labels)[scored]
    scores = replace(sort_scores(h[scored], m[scored], text=text, tie_human=tie_human), human_margin=margin)
    warn_near_ties((scores.near_ties, Source("human", h), Source("metric", m)))
    c, d, t_h, t_m, t_hm, n, k = count_sorted(scores, epsilon)[0].tolist()
    return PairCounts(c, d, t_h, t_m, t_hm, n, k, n_missing=int(h.size - scored.sum()))


def classify_pairs(
    human: ArrayLike, metric: ArrayLike, *, epsilon: float = 0.0, difference: str = "absolute"
) -> pd.DataFrame:
    """List every pair of two small vectors with its kind. O(n²) time and memory.

    Parameters
    ----------
    human, metric, epsilon
        As for `count_pairs`.
    difference : {"absolute", "relative"}
        How the difference of two metric scores is measured, see `tiekit.core.calibration.DIFFERENCES`.

    Returns
    -------
    pandas.DataFrame
        One row per pair of scored items: ``i`` < ``j`` (positions in the vectors), ``human_difference`` and
        ``metric_difference`` (score of i minus score of j; a relative one with its sign), ``kind`` (one of `KINDS`).

    Raises
    ------
    InputError
        For another ``difference``, and as for `count_pairs`.

    Examples
    --------
    >>> classify_pairs([1, 2, 2], [0.1, 0.4, 0.5])["kind"].tolist()
    ['concordant', 'concordant', 'ties_human']
    """
    h, m = check_vectors(human, metric)
    epsilon = check_epsilon(epsilon)
    if difference not in ("absolute", "relative"):
        raise InputError(f"difference: must be absolute or relative, found {difference!r}")
    items = np.flatnonzero(~(np.isnan(h) | np.isnan(m)))
    a, b = np.triu_indices(items.size, 1)
    i, j = items[a], items[b]
    with np.errstate(over="ignore"):
        dh, dm = h[i] - h[j], m[i] - m[j]
    if difference == "relative":
        dm = np.sign(dm) * _relative_gaps(m[i], m[j])
    tied_human, tied_metric = h[i] == h[j], np.abs(dm) <= epsilon
    tests: list[Any] = [tied_human & tied_metric, tied_human, tied_metric, np.sign(dh) == np.sign(dm)]
    kind = np.select(tests, ["ties_both", "ties_human", "ties_metric", "concordant"], "discordant")
    frame = {"i": i, "j": j, "human_difference": dh, "metric_difference": dm}
    import pandas as pd

    return pd.DataFrame({**frame, "kind": pd.Categorical(kind, KINDS)})


def _relative_gaps(one: FloatArray, other: FloatArray) -> FloatArray:
    """The share of the larger magnitude that is missing, as the compiled loops compute it; 1 between two signs."""
    small, large = (choose(np.abs(one), np.abs(other)) for choose in (np.minimum, np.maximum))
    with np.errstate(invalid="ignore"):
        gaps = np.where(np.sign(one) * np.sign(other) < 0, 1.0, 1.0 - small / large)
    return np.asarray(np.where(one == other, 0.0, gaps), np.float64)
