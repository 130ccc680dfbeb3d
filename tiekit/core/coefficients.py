"""Which number is made of counts or scores, in each group and on average: the kinds of coefficients."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tiekit.base.errors import InputError
from tiekit.base.validation import FloatArray, IntArray, check_epsilon
from tiekit.core.formula import SYMBOLS, Formula, OfAllGroups
from tiekit.core.grouping import (
    DOCUMENT_GROUPINGS,
    GROUPINGS,
    Grouped,
    center,
    find_grouping,
    group_checked,
    resolve_grouping,
)
from tiekit.core.pairs import KINDS, PairCounts, SortedScores, count_sorted

Table: TypeAlias = tuple[tuple[int | None, int | None, int | None], ...]
"""WMT's 3×3 notation: rows human <, =, >; columns metric <, =, >; None is the X, a pair left out."""


class Drawn(Protocol):
    """What the scores of one grouping amount to on many resamples at once: what a coefficient is recounted from."""

    multiplicity: IntArray | None

    def counts(self, distinct: bool) -> IntArray:
        """Counts, shape (draws, slots, groups, 7); k only where distinct scores are asked for."""
        ...

    def sums(self, ranked: bool) -> FloatArray:
        """Sums about the mean of scores, or of ranks, shape (draws, slots, groups, 4)."""
        ...

    def mean(self, values: FloatArray) -> FloatArray:
        """Mean over the groups that are drawn and defined, shape (draws, slots)."""
        ...


@dataclass(frozen=True, kw_only=True)
class Coefficient(ABC):
    """One coefficient: what it is made of, what can be asked of it, and when it is undefined.

    Attributes
    ----------
    name, label : str
        In code and in print.
    latex : str
        Its symbol.
    reference : str
        Where it was proposed.
    undefined : str
        When it is NaN.
    range : tuple of float
        Smallest and largest value; higher is better.
    years : tuple of (first, last)
        WMT metrics tasks that used it at segment level.
    table : tuple of tuples or None
        The WMT 3×3 table, where one exists (Deutsch et al. 2023, Appendix B).
    formula : Formula or None
        In the counts; None for a coefficient that counts do not suffice for.
    printed : Formula or None
        As Table 1 of Deutsch et al. prints it, where that differs.
    groupings : tuple of str
        The names of `GROUPINGS` and `DOCUMENT_GROUPINGS` that it can be grouped by.
    handles_ties : bool
        Whether it counts a correctly predicted tie and is never undefined where there is a pair: what calibration
        is made for.
    together : str
        What many metrics that swap scores share, so that each resample is summed once a metric rather than once a
        pair: ``"sums"`` of scores within groups, or ``"confidences"`` in systems; empty where nothing is shared.
    by_group : bool
        Whether it has a value per group, so that a mean over groups is taken.
    pools : bool
        Whether counts are summed over groups first, so that it is a mean over pairs, see `Pooled`.
    of_means : bool
        Whether, at system level, it is made of one mean score per system.
    takes_epsilon : bool
        Whether it depends on a threshold within which metric scores tie, so that it can be calibrated.
    """

    name: str
    label: str
    latex: str
    reference: str
    undefined: str
    range: tuple[float, float] = (-1.0, 1.0)
    years: tuple[tuple[int, int], ...] = ()
    table: Table | None = None
    formula: Formula | None = None
    printed: Formula | None = None
    groupings: tuple[str, ...] = (*GROUPINGS, *DOCUMENT_GROUPINGS)
    handles_ties: bool = False
    together: str = ""
    of_means: bool = True
    by_group: ClassVar[bool] = True
    pools: ClassVar[bool] = False
    takes_epsilon: ClassVar[bool] = False

    @property
    @abstractmethod
    def symmetric(self) -> bool:
        """Whether it stays the same when human and metric are exchanged."""

    @property
    @abstractmethod
    def recounts(self) -> bool:
        """Whether `recount` can do many resamples at once; otherwise each is evaluated by itself."""

    @abstractmethod
    def recount(self, drawn: Drawn) -> FloatArray:
        """Values on resamples, shape (draws, slots); only where it `recounts`."""

    @abstractmethod
    def per_group(self, scores: SortedScores, epsilon: float = 0.0, counts: IntArray | None = None) -> FloatArray:
        """The value of every group, NaN where undefined; ``counts`` where they are known already."""

    @property
    def of_pairs(self) -> bool:
        """Whether it is made of the five counts of pairs and their total alone."""
        return self.formula is not None and "k" not in self.formula.symbols

    @property
    def poolable(self) -> bool:
        """Whether it is a formula in counts of pairs alone, so that those of several groups can be summed."""
        return self.formula is not None and not {"n", "k"} & self.formula.symbols

    def value(self, counts: PairCounts) -> float:
        """The value for one group's counts; NaN where the formula divides by zero.

        Examples
        --------
        >>> from tiekit import COEFFICIENTS, count_pairs
        >>> COEFFICIENTS["acc_eq"].value(count_pairs([5, 3, 5, 5], [0.6, 0.5, 0.4, 0.4]))
        0.333...
        """
        return float(self.from_counts(counts.row))

    def from_counts(self, counts: NDArray[np.int64]) -> FloatArray:
        """Values for counts of shape (..., 7), columns C, D, T_h, T_m, T_hm, n, k."""
        if self.formula is None:
            raise InputError(f"coefficient: {self.name} is made of scores, not of counts")
        return self.formula(counts)

    def effect(self, kind: str) -> str:
        """What the coefficient does with a pair of a kind: "rewards", "punishes", "no credit" or "ignores".

        Examples
        --------
        >>> from tiekit import COEFFICIENTS
        >>> COEFFICIENTS["tau_14"].effect("ties_metric"), COEFFICIENTS["tau_13"].effect("ties_metric")
        ('no credit', 'ignores')
        """
        if self.formula is None:
            raise InputError(f"coefficient: {self.name} is made of scores, not of pairs")
        weight, counted = self.formula.role(SYMBOLS[KINDS.index(kind)])
        return "rewards" if weight > 0 else "punishes" if weight < 0 else "no credit" if counted else "ignores"

    def resolve_grouping(self, grouping: str | None, n_dimensions: int, *, documents: bool = False) -> str:
        """Name the grouping; refuse one that this coefficient has not, or that needs documents where there are none."""
        if self.groupings == ("system_means",):
            if n_dimensions == 1 or (grouping is not None and find_grouping(grouping) != "system_means"):
                raise InputError(
                    f"grouping: {self.name} compares systems of a matrix, so it must be None, found {grouping!r}"
                )
            return "system_means"
        name = resolve_grouping(grouping, n_dimensions, documents=documents)
        if name not in (*self.groupings, "vector"):
            allowed = f"{', '.join(self.groupings[:-1])} or {self.groupings[-1]}"
            raise InputError(f"grouping: {self.name} compares translations, so it must be {allowed}")
        return name


@dataclass(frozen=True, kw_only=True)
class OfCounts(Coefficient):
    """A coefficient with a formula in the counts of pairs; everything else follows from the formula."""

    formula: Formula
    takes_epsilon: ClassVar[bool] = True

    @property
    def symmetric(self) -> bool:
        """Whether T_h and T_m play the same part."""
        return self.formula.symmetric

    @property
    def recounts(self) -> bool:
        """Always."""
        return True

    def recount(self, drawn: Drawn) -> FloatArray:
        """From the resamples' counts."""
        return drawn.mean(self.from_counts(drawn.counts("k" in self.formula.symbols)))

    def per_group(self, scores: SortedScores, epsilon: float = 0.0, counts: IntArray | None = None) -> FloatArray:
        """The formula of every group's counts."""
        return self.from_counts(count_sorted(scores, epsilon) if counts is None else counts)


@dataclass(frozen=True, kw_only=True)
class Pooled(OfCounts):
    """A coefficient of the pairs of all groups together: `from_counts` sums the counts of groups, one value in all.

    `per_group` still gives the value of each group by itself.
    """

    formula: OfAllGroups
    pools: ClassVar[bool] = True

    def per_group(self, scores: SortedScores, epsilon: float = 0.0, counts: IntArray | None = None) -> FloatArray:
        """The formula of every group's counts."""
        return self.formula.of_one(count_sorted(scores, epsilon) if counts is None else counts)

    def recount(self, drawn: Drawn) -> FloatArray:
        """From the resamples' counts; a group that is drawn twice is summed twice."""
        counts = drawn.counts(False)
        if drawn.multiplicity is not None:
            counts = counts * drawn.multiplicity[:, None, :, None]
        return self.formula.of_one(counts.sum(axis=2))


AVERAGES = {
    "groups": "the unweighted mean over groups",
    "pairs": "the formula of the counts of all groups together: for a share of pairs, the mean weighted by pairs",
}
"""How one value is made of several groups."""


def pool(entry: Coefficient, average: str) -> Coefficient:
    """The coefficient itself, or with ``"pairs"`` that of all groups' pairs together."""
    if average not in AVERAGES:
        raise InputError(f"average: must be one of {', '.join(AVERAGES)}, found {average!r}")
    if average == "groups" or entry.pools:
        return entry
    if not isinstance(entry, OfCounts) or not entry.poolable:
        raise InputError(
            f"average: {entry.name} is no ratio of counts of pairs, so its groups have no pairs to pool and it must be "
            f"'groups', found {average!r}"
        )
    facts = {one.name: getattr(entry, one.name) for one in fields(entry)}
    return Pooled(**{**facts, "formula": OfAllGroups(entry.formula.text)})


@dataclass(frozen=True, kw_only=True)
class OfScores(Coefficient):
    """A coefficient of the scores themselves.

    Attributes
    ----------
    rows : function of two arrays of shape (groups, scores)
        Gives a value per row, NaN where undefined.
    from_sums : function of `Drawn`, optional
        Many resamples at once: values per group, shape (draws, slots, groups).
    symmetric : bool
    """

    rows: Callable[[FloatArray, FloatArray], FloatArray]
    from_sums: Callable[[Drawn], FloatArray] | None = None
    symmetric: bool = True

    @property
    def recounts(self) -> bool:
        """Where sums suffice."""
        return self.from_sums is not None

    def recount(self, drawn: Drawn) -> FloatArray:
        """From the resamples' sums."""
        assert self.from_sums is not None
        return drawn.mean(self.from_sums(drawn))

    def per_group(self, scores: SortedScores, epsilon: float = 0.0, counts: IntArray | None = None) -> FloatArray:  # noqa: ARG002
        """Groups of one size are rows of one matrix."""
        sizes = np.diff(scores.starts)
        values = np.empty(sizes.size)
        for size in np.unique(sizes):
            which = np.flatnonzero(sizes == size)
            cells = scores.starts[which][:, None] + np.arange(size)
            values[which] = self.rows(scores.human[cells], scores.metric[cells])
        return values


@dataclass(frozen=True, kw_only=True)
class OfMatrix(Coefficient):
    """A coefficient of all groups at once, so that no mean over groups is taken.

    Attributes
    ----------
    matrix : function of human and metric scores, systems × segments, and a grouping
    from_draws : function of `Drawn`, optional
        Many resamples at once: values, shape (draws, slots).
    seeded : bool
        Whether it draws random numbers, from seed 0.
    symmetric : bool
    """

    matrix: Callable[[FloatArray, FloatArray, str], float]
    from_draws: Callable[[Drawn], FloatArray] | None = None
    seeded: bool = False
    symmetric: bool = True
    by_group: ClassVar[bool] = False

    @property
    def recounts(self) -> bool:
        """Where counts or sums suffice."""
        return self.from_draws is not None

    def recount(self, drawn: Drawn) -> FloatArray:
        """From the resamples' counts or sums."""
        assert self.from_draws is not None
        return self.from_draws(drawn)

    def per_group(self, scores: SortedScores, epsilon: float = 0.0, counts: IntArray | None = None) -> FloatArray:  # noqa: ARG002
        """Refuse: there is none."""
        raise InputError(f"coefficient: {self.name} is of all groups at once, so it has no value per group")

    def evaluate(self, human: FloatArray, metric: FloatArray, grouping: str) -> float:
        """The value by a grouping, or by the only one that it has; NaN by one that it has not."""
        by = self.groupings[0] if len(self.groupings) == 1 else grouping
        return self.matrix(human, metric, by) if by in self.groupings else float("nan")


def pearson_rows(human: FloatArray, metric: FloatArray) -> FloatArray:
    """Pearson's r of every row; NaN where a side is constant."""
    with np.errstate(invalid="ignore", divide="ignore"):
        values = (_unit_length(human) * _unit_length(metric)).sum(axis=1)
    return np.asarray(np.clip(values, -1.0, 1.0), np.float64)


def spearman_rows(human: FloatArray, metric: FloatArray) -> FloatArray:
    """Spearman's ρ of every row: Pearson's r of the ranks."""
    return pearson_rows(_mean_ranks(human), _mean_ranks(metric))


def _mean_ranks(scores: FloatArray) -> FloatArray:
    """The rank of each score in its row, equal scores with their mean rank; scipy.stats takes half a second to load."""
    order = scores.argsort(axis=1, kind="stable")
    rows = np.take_along_axis(scores, order, axis=1)
    is_first = np.ones(rows.shape, bool)
    is_first[:, 1:] = rows[:, 1:] != rows[:, :-1]
    run = is_first.cumsum() - 1
    places = np.broadcast_to(np.arange(1.0, rows.shape[1] + 1), rows.shape).ravel()
    means = np.bincount(run, places) / np.bincount(run)
    ranks = np.empty(rows.shape)
    np.put_along_axis(ranks, order, means[run].reshape(rows.shape), axis=1)
    return ranks


def _unit_length(scores: FloatArray) -> FloatArray:
    """Rows of mean 0 and length 1, NaN where constant."""
    centered, _ = center(scores)
    return np.asarray(centered / np.linalg.norm(centered, axis=1, keepdims=True), np.float64)


def correlation_of(sums: FloatArray) -> FloatArray:
    """Pearson's r from n, human², metric², human·metric about their means; NaN where a side is constant."""
    with np.errstate(invalid="ignore", divide="ignore"):
        values = sums[..., 3] / (np.sqrt(sums[..., 1]) * np.sqrt(sums[..., 2]))
    return np.asarray(np.clip(np.where(np.isfinite(values), values, np.nan), -1.0, 1.0), np.float64)


def pearson_of_draws(drawn: Drawn) -> FloatArray:
    """Pearson's r of each group of each resample."""
    return correlation_of(drawn.sums(ranked=False))


def spearman_of_draws(drawn: Drawn) -> FloatArray:
    """Spearman's ρ of each group of each resample."""
    return correlation_of(drawn.sums(ranked=True))


POLICIES = ("drop", "zero")
"""What becomes of a group whose coefficient is undefined."""

ROUNDING = 1e-12
"""Means of coefficients that differ by less are equal where they are not counted in integers."""


def check_policy(undefined: str, allowed: tuple[str, ...] = POLICIES) -> None:
    """Check the policy for undefined groups."""
    if undefined not in allowed:
        raise InputError(f"undefined: must be one of {', '.join(allowed)}, found {undefined!r}")


def check_margin(human_margin: float, entry: Coefficient, *, calibrated: bool) -> float:
    """Check a margin of human scores, and that the coefficient is one of pairs whose threshold is not searched for."""
    margin = check_epsilon(human_margin, "human_margin")
    if margin and calibrated:
        raise InputError(f"human_margin: must be 0 where epsilon is calibrated ({entry.name}*), found {human_margin!r}")
    if margin and not entry.of_pairs:
        raise InputError(
            f"human_margin: {entry.name} is not made of pairs alone, so it must be 0, found {human_margin!r}"
        )
    return margin


def check_tied(identical: IntArray | None, entry: Coefficient) -> None:
    """Refuse to tie identical texts for a coefficient that knows no ties of the metric."""
    if identical is not None and not entry.takes_epsilon:
        raise InputError(f"identical: {entry.name} knows no ties of the metric, so identical texts cannot be tied")


def average(values: FloatArray, undefined: str) -> float:
    """Mean over groups under a policy; NaN where there is no group, or none is defined and they do not count as 0."""
    defined = values[~np.isnan(values)]
    number = defined.size if undefined == "drop" else values.size
    return exact_sum(defined) / number if number else float("nan")  # whatever the order of groups


def exact_sum(values: FloatArray) -> float:
    """Round the exact sum once, as `math.fsum`: values from -1 to 1 with few leading zeros are summed in two parts."""
    if values.size < 2**17 and np.abs(values).max(initial=0.0) <= 1.0:
        high = np.rint(scaled := values * 2.0**27)
        low = (scaled - high) * 2.0**46
        if (low == np.rint(low)).all():
            return ((int(high.sum()) << 46) + int(low.astype(np.int64).sum())) / 2**73
    return math.fsum(values.tolist())


def values_per_group(
    grouped: Grouped, entry: Coefficient, epsilon: float = 0.0, counts: IntArray | None = None
) -> FloatArray:
    """The coefficient of every group, NaN where undefined; ``counts`` where they are known already."""
    return entry.per_group(grouped.scores, epsilon, counts)


def gain_over_constant(
    entry: Coefficient, counts: IntArray, undefined: str = "drop", used: NDArray[np.bool_] | None = None
) -> float:
    """The mean over groups minus that of a constant metric in the same groups; NaN where the latter is undefined.

    ``counts`` are of shape (groups, 7); ``used`` marks the groups that count, None is all.
    """
    counts = counts if used is None else counts[used]
    values = entry.from_counts(counts)
    return average(values, undefined) - average_of_constant(entry, counts, values, undefined)


def average_of_constant(entry: Coefficient, counts: IntArray, values: FloatArray, undefined: str) -> float:
    """The mean that a constant metric has over the groups of other counts and values; NaN where it is undefined."""
    tied = np.zeros_like(counts)
    tied[:, 3], tied[:, 4] = counts[:, 0] + counts[:, 1] + counts[:, 3], counts[:, 2] + counts[:, 4]
    tied[:, 5], tied[:, 6] = counts[:, 5], 1
    constant = entry.from_counts(tied)
    constant = constant[~np.isnan(values)] if undefined == "drop" else constant
    return float("nan") if np.isnan(constant).any() else average(constant, undefined)


def tied_share(counts: IntArray) -> float:
    """The share of the pairs of all groups that the metric ties; NaN where there is no pair."""
    total = int(counts[:, :5].sum())
    return float(counts[:, 3:5].sum() / total) if total else float("nan")


def evaluate(
    entry: Coefficient,
    human: FloatArray,
    metric: FloatArray,
    grouping: str,
    epsilon: float = 0.0,
    documents: Sequence[str] | None = None,
) -> float:
    """One value for matrices: the mean over defined groups, or that of all groups at once."""
    if isinstance(entry, OfMatrix):
        return entry.evaluate(human, metric, grouping)
    return average(values_per_group(group_checked(human, metric, grouping, documents), entry, epsilon), "drop")
