"""How certain is an agreement? Bootstrap intervals over items, of one judge or of the difference between two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from tiekit.base.errors import InputError
from tiekit.base.names import known_names
from tiekit.base.parallel import Progress, part_of, showing, with_progress
from tiekit.base.results import Result
from tiekit.base.validation import FloatArray, IntArray, as_generator, check_confidence, check_count, seed_of
from tiekit.sets.cells import join_names
from tiekit.significance.schemes import draw_some, percentile_interval, resample_sums
from tiekit.votes.agreement import (
    OUTCOMES,
    VoteAgreement,
    VoteAgreementMeasure,
    agreement,
    get_agreement_measure,
    kinds_of,
)
from tiekit.votes.judges import swap_consistency
from tiekit.votes.votes import TIE_KINDS, Matched, Votes, outcomes, share_votes, tables


@dataclass(frozen=True, eq=False, repr=False)
class VoteInterval(Result):
    """A measure of agreement and the interval around it.

    Attributes
    ----------
    value, low, high : float
        The value, or the difference of two judges, and the ends of the interval; NaN where undefined.
    confidence, measure, seed
        As asked for.
    n_items, n_votes : int
        Items with votes to compare, which are what is resampled, and human votes that are compared.
    cells : {"common", "own"}
        Whether these are the ones that the votes of both judges meet, or all that those of one judge meet.
    n_undefined : int
        Resamples on which the value is undefined; they are left out.
    samples : float64, shape (resamples,)
        The value on every resample.
    """

    value: float
    low: float
    high: float
    confidence: float
    measure: str
    n_items: int
    n_votes: int
    cells: str
    n_undefined: int
    seed: int
    samples: FloatArray = field(repr=False)

    def _facts(self) -> dict[str, object]:
        return {
            "interval": "bootstrap",
            "confidence": self.confidence,
            "measure": self.measure,
            "resample": "items",
            "items": self.n_items,
            "votes": f"{self.n_votes} {self.cells}",
            "resamples": self.samples.size,
            "seed": self.seed,
        }


def agreement_interval(
    judge: Votes,
    human: Votes,
    measure: VoteAgreementMeasure = "with_ties",
    *,
    against: Votes | None = None,
    threshold: float = 0.0,
    against_threshold: float = 0.0,
    human_threshold: float = 0.0,
    confidence: float = 0.95,
    n_resamples: int = 999,
    rng: np.random.Generator | int | None = None,
    cells: str | None = None,
    progress: Progress | bool | None = None,
) -> VoteInterval:
    """Find a bootstrap interval of an agreement: resample items with replacement.

    All votes on an item stay together, whatever their turns, systems and judges, since they are not independent.

    Parameters
    ----------
    judge, human, threshold, human_threshold
        As for `agreement`.
    measure
        As for `VoteAgreement.value`.
    against : Votes, optional
        Another judge: the interval is that of the difference, judge minus this one, on the same resampled items.
    against_threshold : float
        The other judge's threshold.
    confidence, n_resamples, rng
        Of the interval: between 0 and 1; at least 1; a random-number generator or seed, None is seed 0.
    cells
        Which votes are compared where there is another judge, as for `compare_judges`.
    progress
        As for `tiekit.calibrate`.

    Returns
    -------
    VoteInterval
        Between percentiles of the resamples on which the measure is defined; NaN where it is defined on none.

    Raises
    ------
    InputError
        For a confidence outside 0 to 1, two judges with fewer than two items in common, and what `agreement` refuses.

    Warns
    -----
    CoverageWarning
        Where human votes are left out because one of two judges did not vote: which judge, and how many.

    References
    ----------
    Efron and Tibshirani (1993), An Introduction to the Bootstrap.

    Examples
    --------
    >>> human = Votes.from_rows([(str(item), "A", "B", item % 3 - 1) for item in range(30)])
    >>> judge = Votes.from_rows([(str(item), "A", "B", item % 2) for item in range(30)])
    >>> found = agreement_interval(judge, human, n_resamples=99)
    >>> round(found.value, 2), round(found.low, 2), round(found.high, 2)
    (0.33, 0.18, 0.5)
    """
    with showing(progress, "Resampling items") as report:
        sides = [(judge, threshold)] + ([] if against is None else [(against, against_threshold)])
        return _intervals(sides, human, [measure], human_threshold, confidence, n_resamples, rng, cells, report)[0]


def _intervals(
    sides: Sequence[tuple[Votes, float]],
    human: Votes,
    measures: Sequence[VoteAgreementMeasure],
    human_threshold: float,
    confidence: float,
    n_resamples: int,
    rng: np.random.Generator | int | None,
    cells: str | None,
    progress: Progress | None,
) -> list[VoteInterval]:
    """The intervals of several measures on the same resamples: of a judge, or of the difference between two."""
    entries = [get_agreement_measure(measure) for measure in measures]
    check_confidence(confidence)
    size, seed = check_count("n_resamples", n_resamples), seed_of(rng)
    names = [join_names(votes.judges) for votes, _ in sides]
    names = names if len({*names}) == len(sides) else ["judge", "against"]
    of_name = dict(zip(names, (votes for votes, _ in sides), strict=True))
    shared = share_votes(of_name, human, cells, argument="against", progress=part_of(progress, 0, 3))
    shared.warn()
    items = _items_of(shared.matched)
    kinds = [
        _by_item(found, items, limit, human_threshold)
        for found, (_, limit) in with_progress([*zip(shared.matched, sides, strict=True)], part_of(progress, 1, 3))
    ]
    by_item = np.stack(kinds, axis=1)
    resampled = resample_sums(by_item, size, seed, progress=part_of(progress, 2, 3))
    made = []
    for entry in entries:
        values, observed = entry.from_counts(resampled), entry.from_counts(by_item.sum(axis=0))
        samples, value = (one[..., 0] if len(sides) == 1 else one[..., 0] - one[..., 1] for one in (values, observed))
        low, high = percentile_interval(samples, confidence)
        interval = VoteInterval(
            *(float(value), low, high, float(confidence), entry.name),
            n_items=len(items),
            n_votes=shared.n_votes,
            cells=shared.kind,
            n_undefined=int(np.isnan(samples).sum()),
            seed=seed,
            samples=samples,
        )
        made.append(interval)
    return made


def which_leads(
    first: Matched,
    second: Matched,
    thresholds: tuple[FloatArray, FloatArray],
    measures: Sequence[VoteAgreementMeasure] = ("with_ties",),
    *,
    n_resamples: int = 999,
    progress: Progress | None = None,
) -> list[IntArray]:
    """Say by each measure which judge leads at each pair of thresholds, shape (those of the first, of the second).

    Both are on the same human votes, as of `share_votes`. 1 where the interval of `agreement_interval`, with seed 0,
    lies above 0, −1 where it lies below, 0 where it contains 0 or is undefined.
    """
    entries, items = [get_agreement_measure(measure) for measure in measures], _items_of([first, second])
    votes = [_Cells.of(one, items, limits) for one, limits in zip((first, second), thresholds, strict=True)]
    once = np.ones(len(items), np.int64)
    observed = [one.kinds(once) for one in votes]
    drawn = []
    for times in chain.from_iterable(draw_some(len(items), n_resamples, as_generator(0))):
        drawn.append([one.kinds(times) for one in votes])
        if progress is not None:  # with many votes of an item, one resample takes long
            progress(len(drawn) / (2 * n_resamples))
    kinds = [np.stack(of_judge) for of_judge in zip(*drawn, strict=True)]
    found = []
    for number, entry in enumerate(entries):
        values = [entry.from_counts(resampled.swapaxes(0, 1)) for resampled in kinds]
        points = [entry.from_counts(one) for one in observed]
        signs = np.zeros((len(values[0]), len(values[1])), np.int64)
        for row, column in np.ndindex(*signs.shape):
            if progress is not None and not column:
                progress(0.5 + (number + row / len(signs)) / (2 * len(entries)))
            if not np.isnan(points[0][row] - points[1][column]):
                low, high = percentile_interval(values[0][row] - values[1][column], 0.95)
                signs[row, column] = int(low > 0) - int(high < 0)
        found.append(signs)
    return found


class _Cells(NamedTuple):
    """Pairs of votes by what they are before a threshold makes the judge's a tie, and by the first one that does.

    ``cell`` holds the number of the threshold three times, and C, D or T_h; ``place`` that of the item.
    """

    place: IntArray
    cell: IntArray
    n_thresholds: int

    @classmethod
    def of(cls, found: Matched, items: list[str], limits: FloatArray) -> _Cells:
        """The votes of a judge and ascending thresholds."""
        place = {name: row for row, name in enumerate(items)}
        rows = np.array([place[name] for name in found.items], np.int64)
        gold, vote = outcomes(found.human, 0.0), outcomes(found.judge, 0.0)
        kind = np.select([gold == 0, gold == vote], [2, 0], 1)
        first = np.searchsorted(limits, np.abs(found.judge), side="left")
        return cls(rows[found.item], first * 3 + kind, limits.size)

    def kinds(self, times: IntArray) -> IntArray:
        """The five kinds at each threshold, shape (thresholds, 5), where each item occurs so many times."""
        counts = np.bincount(self.cell, times[self.place], 3 * (self.n_thresholds + 1)).reshape(-1, 3)
        tied = np.cumsum(counts, axis=0)[:-1]
        left = counts.sum(axis=0) - tied
        return np.stack([*left.T, tied[:, :2].sum(axis=1), tied[:, 2]], axis=1).astype(np.int64)


def _items_of(found: Sequence[Matched]) -> list[str]:
    """The items on which either judge has votes to compare."""
    items = sorted({name for one in found for name in one.items})
    if not items:
        raise InputError("judge: all votes that could be compared are abstentions")
    return items


def _by_item(found: Matched, items: list[str], threshold: float, human_threshold: float) -> IntArray:
    """The five kinds of each item, shape (items, 5); zeros where there is no vote to compare."""
    place = {name: row for row, name in enumerate(items)}
    by_item = np.zeros((len(items), 5), np.int64)
    by_item[[place[name] for name in found.items]] = kinds_of(tables(found, threshold, human_threshold))
    return by_item


WIDTH = 10
"""Of a column of the confusion matrix."""


def checklist(
    judge: Votes,
    human: Votes,
    *,
    threshold: float = 0.0,
    human_threshold: float = 0.0,
    n_resamples: int = 999,
    rng: np.random.Generator | int | None = None,
    progress: Progress | bool | None = None,
) -> str:
    """Report how a judge was compared with people: scale, ties, abstentions, coverage, confusion matrix, aggregation.

    Parameters
    ----------
    judge, human, threshold, human_threshold
        As for `agreement`.
    n_resamples, rng
        For the intervals, as for `agreement_interval`.
    progress
        As for `tiekit.calibrate`.

    Returns
    -------
    str
        Lines of text; each item begins with its name and a colon.

    Raises
    ------
    InputError
        What `agreement` refuses.

    References
    ----------
    Rao and Callison-Burch (2026), arXiv 2606.00093.

    Examples
    --------
    >>> human = Votes.from_rows([(str(item), "A", "B", item % 3 - 1, "ann") for item in range(9)])
    >>> judge = Votes.from_rows([(str(item), "A", "B", item % 2, "bot") for item in range(9)])
    >>> print(checklist(judge, human, n_resamples=99))
    Judge: bot; 9 votes on 9 items of 2 systems.
    Human: ann; 9 votes.
    Scale: the judge has one size of preference (win, tie, loss); people have one size of preference (win, tie, loss).
    Ties: the judge ties 55.6 % of the compared pairs of votes, people 33.3 %.
    Abstentions: 0 votes of the judge, 0 human votes; 0 pairs of votes were left out.
    Coverage: 100.0 % of the human votes meet a vote of the judge.
    Order: no two answers were judged in both orders; position bias is unknown.
    Confusion matrix (rows human, columns judge; first answer by name):
                     win       tie      loss
           win         1         2         0
           tie         2         1         0
          loss         1         2         0
    Aggregation: each vote of the judge is compared with each human vote on the same two answers; each pair counts once.
    Agreement with ties: 0.222 [0.000, 0.444] (9 pairs).
    Agreement without ties: 0.500 [0.000, 1.000] (2 pairs).
    Cohen's κ: -0.167 [-0.500, 0.222].
    Intervals: 95 %, bootstrap over 9 items, 99 resamples, seed 0.
    """
    limits: dict[str, Any] = {"threshold": threshold, "human_threshold": human_threshold}
    seed = rng if rng is None or isinstance(rng, int) else int(rng.integers(2**31))
    with showing(progress, "Resampling items") as report:
        found = agreement(judge, human, **limits)
        if report is not None:
            report(0.0)
        measures, sides = ("with_ties", "without_ties", "kappa"), [(judge, threshold)]
        intervals = _intervals(sides, human, measures, human_threshold, 0.95, n_resamples, seed, None, report)
    cast = int(judge.n_votes), len(np.unique(judge.item)), len(np.unique([judge.first, judge.second]))
    lines = [
        f"Judge: {known_names(judge.judges, 5)}; {cast[0]:,} votes on {cast[1]:,} items of {cast[2]:,} systems.",
        f"Human: {known_names(human.judges, 5)}; {human.n_votes:,} votes.",
        f"Scale: the judge has {_scale(judge)}; people have {_scale(human)}.",
        _ties(judge, human, found),
        f"Abstentions: {judge.n_abstained:,} votes of the judge, {human.n_abstained:,} human votes; "
        f"{found.n_abstained:,} pairs of votes were left out.",
        f"Coverage: {100 * found.coverage:.1f} % of the human votes meet a vote of the judge.",
        _order(judge, threshold),
        "Confusion matrix (rows human, columns judge; first answer by name):",
        *_matrix(found),
        "Aggregation: each vote of the judge is compared with each human vote on the same two answers; each pair "
        "counts once.",
        f"Agreement with ties: {_interval(intervals[0])} ({found.n:,} pairs).",
        f"Agreement without ties: {_interval(intervals[1])} ({found.n_without_ties:,} pairs).",
        f"Cohen's κ: {_interval(intervals[2])}.",
        f"Intervals: 95 %, bootstrap over {intervals[0].n_items:,} items, {n_resamples:,} resamples, "
        f"seed {intervals[0].seed}.",
    ]
    return "\n".join(lines)


def _scale(votes: Votes) -> str:
    """What preferences look like."""
    if not votes.graded:
        return "one size of preference (win, tie, loss)"
    sizes = np.abs(votes.preference[~np.isnan(votes.preference)])
    return f"{np.unique(sizes).size} sizes of preference, from {sizes.min():.4g} to {sizes.max():.4g}"


def _ties(judge: Votes, human: Votes, found: VoteAgreement) -> str:
    """How ties are made, and how many there are."""
    said = [
        f"Ties: the judge ties {100 * found.judge_ties:.1f} % of the compared pairs of votes, "
        f"people {100 * found.human_ties:.1f} %."
    ]
    for who, limit in (("the judge", found.threshold), ("people", found.human_threshold)):
        if limit:
            said.append(f"A preference of {who} whose size is at most {limit:.4g} is a tie.")
    kinds = [
        f"{int((votes.tie == place).sum()):,} of {who} say {kind!r}"
        for who, votes in (("the judge", judge), ("people", human))
        for place, kind in enumerate(TIE_KINDS)
        if place and (votes.tie == place).any()
    ]
    return " ".join([*said, *([f"Counted as ties: {', '.join(kinds)}."] if kinds else [])])


def _order(judge: Votes, threshold: float) -> str:
    """Position bias."""
    found = swap_consistency(judge, threshold=threshold)
    if not found.n:
        return "Order: no two answers were judged in both orders; position bias is unknown."
    shares = [100 * number / found.n for number in (found.same, found.first, found.second, found.half)]
    return (
        f"Order: of {found.n:,} pairs of answers judged in both orders, {shares[0]:.1f} % have the same outcome, "
        f"{shares[1]:.1f} % favor the answer shown first, {shares[2]:.1f} % the one shown second, and "
        f"{shares[3]:.1f} % have a tie in one order. A disagreement is not a tie."
    )


def _matrix(found: VoteAgreement) -> list[str]:
    """The confusion matrix in columns of one width."""
    rows = [["", *OUTCOMES], *([name, *row] for name, row in zip(OUTCOMES, found.counts.tolist(), strict=True))]
    return ["".join(f"{cell:>{WIDTH}}" for cell in row) for row in rows]


def _interval(found: VoteInterval) -> str:
    """A value and its interval."""
    if np.isnan(found.value):
        return "undefined"
    return f"{found.value:.3f} [{found.low:.3f}, {found.high:.3f}]"
