"""The same translation twice: do raters tie it, and do metrics?

Different systems often produce the same translation of a segment. For these pairs, and only for them, the right answer
of anything that reads the segment alone is known: a tie. `audit` says of each human score and each metric how many of
them it ties, and how far apart it scores the others: its noise floor ε₀, found without any human score. `repair` shows
what values and ranks become when these pairs alone are tied, beside calibration. ``tie_identical=True`` ties them in
`tiekit.correlate`, `tiekit.calibrate`, `tiekit.leaderboard`, and in `tiekit.significance` in tests and intervals, where
a pair of identical texts is a tie whichever metric's scores stand there; `EvalSet.identical` holds which are the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tiekit.api import count_ties
from tiekit.base.errors import InputError
from tiekit.base.names import find_name, normal_form
from tiekit.base.parallel import Progress, beat, beating, part_of, showing, with_progress
from tiekit.base.results import RANK_DIGITS, Plotted, Result, best_first
from tiekit.base.validation import FloatArray, IntArray, as_generator, check_count, check_probability, digest_of
from tiekit.core.calibration import best_epsilon
from tiekit.core.coefficients import average, check_tied
from tiekit.core.measure import split_star
from tiekit.core.pairs import count_sorted, count_within
from tiekit.core.registry import get_of_counts
from tiekit.ranking.engine import lay_out
from tiekit.sets.arguments import Exclude, check_set, gold_of, identical_of, metric_names, with_names
from tiekit.sets.cells import metric_facts
from tiekit.sets.evalset import EvalSet
from tiekit.sets.scores import label_texts

__all__ = ["Audit", "Repair", "audit", "repair"]

SHARE = 0.99
"""The noise floor ties at least so many of the identical pairs: not all, as a single failure would decide it."""

COLUMNS = (
    *("tied", "low", "high", "epsilon_0"),
    *(f"{size}/{unit}" for unit in ("range", "sd") for size in ("median", "p99", "largest")),
    "of_ties",
)
"""Columns of `Audit.table`, after the kind and the pairs."""

LEAST_GAIN = 0.0005
"""Of a calibration that gains less, no share is told: it would be rounding, divided by rounding."""

MOST_PAIRS, MOST_DIFFERENCES = 3_000_000, 20_000_000
"""Maximum number of identical pairs, and of their differences in all scores: all are kept, 8 bytes each."""

STEPS = ("at 0", "identical tied", "at ε₀", "at ε*")
"""The thresholds and repairs of `Repair.table`, in the order of its columns."""


@dataclass(frozen=True)
class SamePairs:
    """The pairs of outputs of one segment that are the same text: the segment, and the rows of both."""

    segment: NDArray[np.int32]
    first: NDArray[np.int32]
    second: NDArray[np.int32]

    @classmethod
    def of(cls, labels: IntArray) -> SamePairs:
        """List the pairs with one label: in order of the first row, the second row and the segment."""
        rows, columns, sizes = _same_cells(labels)
        later = np.repeat(sizes, sizes) - 1 - _places_within(sizes)  # of each cell, in its text
        one = np.repeat(np.arange(rows.size, dtype=np.int32), later)
        other = one + 1
        other += _places_within(later)
        n_rows, n_columns = labels.shape
        number = rows[one] * n_rows
        for ends, size in ((rows[other], n_columns), (columns[one], 1)):
            number += ends
            number *= size
        number.sort()
        beat()
        segment = (number % max(n_columns, 1)).astype(np.int32)
        number //= max(n_columns, 1)
        return cls(segment, *(part.astype(np.int32) for part in np.divmod(number, max(n_rows, 1))))

    def differences(self, scores: FloatArray) -> FloatArray:
        """How far apart the scores of each pair are; NaN where one is missing."""
        with np.errstate(over="ignore"):
            return np.abs(scores[self.first, self.segment] - scores[self.second, self.segment])


def _same_cells(labels: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Rows and columns of all cells with a label, those of one text together; and how many cells each text has.

    A text is of one segment: what another segment has alike is another one.
    """
    columns, rows = np.nonzero(labels.T >= 0)
    label = labels[rows, columns]
    order = np.lexsort((label, columns))  # stable, so rows of one text ascend
    rows, columns, label = rows[order], columns[order], label[order]
    is_new = np.ones(rows.size, np.bool_)
    is_new[1:] = (label[1:] != label[:-1]) | (columns[1:] != columns[:-1])
    return rows, columns, np.diff(np.append(np.flatnonzero(is_new), rows.size))


def _places_within(sizes: IntArray) -> IntArray:
    """The numbers from 0 of all members of groups of these sizes, one group after the other."""
    found = np.arange(sizes.sum(), dtype=np.int32)
    found -= np.repeat((np.cumsum(sizes) - sizes).astype(np.int32), sizes)
    return found


def count_same(labels: IntArray) -> int:
    """Count the pairs with one label, without a list of them."""
    sizes = _same_cells(labels)[2]
    return int((sizes * (sizes - 1) // 2).sum())


def _check_number(labels: IntArray, n_scores: int) -> None:
    """Refuse more identical pairs than are listed with so many scores."""
    number, most = count_same(labels), min(MOST_PAIRS, MOST_DIFFERENCES // n_scores)
    if number > most:
        raise InputError(
            f"data: may have at most {most:,} pairs of identical translations where {n_scores:,} scores are compared, "
            f"found {number:,}; choose fewer metrics, or leave out systems or segments"
        )


@dataclass(frozen=True, eq=False, repr=False)
class Audit(Plotted, Result):
    """How human scores and metrics score identical translations of a segment.

    Attributes
    ----------
    table : pandas.DataFrame
        One row per human score and metric, those that tie most first. ``kind`` ("human" or "metric"); ``pairs``, the
        identical pairs with both scores; ``tied``, the share of them with equal scores, and ``low`` and ``high``, its
        interval; ``epsilon_0``, the noise floor; ``median/range``, ``p99/range`` and ``largest/range``, differences of
        identical pairs as shares of the range of the row's scores; ``median/sd``, ``p99/sd`` and ``largest/sd``, in
        their standard deviations; ``of_ties``, the share of all tied pairs of the row, by item, that are identical.
        NaN where there is no pair.
    human : str
        Only cells with this human score count.
    share : float
        The noise floor is the smallest threshold that ties at least this share of the identical pairs.
    n_pairs, n_identical : int
        Pairs of one segment with that score, and those that are the same text.
    n_normalized : int or None
        Pairs that are the same text after Unicode's NFC, with one space between words; None without texts.
    n_segments : int
        Segments with identical pairs.
    differences : pandas.DataFrame
        One row per identical pair: ``segment``, its number from 0; ``first`` and ``second``, the systems; ``apart``,
        how many rows its two scores lie apart in a file that holds the systems of the set one after another; and one
        column per row of ``table``, how far apart its scores are, in standard deviations.
    resamples, seed
        Of the intervals.
    """

    _number: ClassVar[str | None] = None

    table: pd.DataFrame
    human: str
    share: float
    n_pairs: int
    n_identical: int
    n_segments: int
    resamples: int
    seed: str
    digest: str
    _list_differences: Callable[[], pd.DataFrame] = field(repr=False)
    _count_normalized: Callable[[], int | None] = field(repr=False)

    @cached_property
    def differences(self) -> pd.DataFrame:
        """How far apart each identical pair is scored, see `Audit`."""
        return self._list_differences()

    @cached_property
    def n_normalized(self) -> int | None:
        """How many pairs are the same text in another form, see `Audit`."""
        return self._count_normalized()

    def _facts(self) -> dict[str, object]:
        facts = {"human": self.human, "pairs": self.n_pairs, "identical": self.n_identical, "share": self.share}
        facts |= metric_facts(self.table.index[self.table["kind"] == "metric"])
        return dict(**facts, resamples=self.resamples, scores=self.digest, seed=self.seed)

    def by_systems(self, name: str) -> pd.DataFrame:
        """How often one rater or metric ties identical translations, by pair of systems.

        Parameters
        ----------
        name : str
            A row of ``table``.

        Returns
        -------
        pandas.DataFrame
            One row per two systems with identical pairs: ``pairs``, ``tied``, the mean difference ``mean/sd``, and
            ``apart``, as in ``differences``.
        """
        return self._by(name, ["first", "second"]).join(self.differences.groupby(["first", "second"])["apart"].first())

    def by_place(self, name: str, parts: int = 10) -> pd.DataFrame:
        """The same by place in the file: so many parts of about as many identical pairs, in order of segments.

        Returns
        -------
        pandas.DataFrame
            One row per part, by the number of its first segment.
        """
        part = np.arange(len(self.differences)) * check_count("parts", parts) // max(len(self.differences), 1)
        segment = self.differences["segment"].sort_values(kind="stable")
        return self._by(name, segment.groupby(part).transform("min").rename("segment"))

    def by_distance(self, name: str, rows: int) -> pd.DataFrame:
        """The same for pairs that lie a multiple of so many rows apart (True), and the others: batches have a size.

        Returns
        -------
        pandas.DataFrame
            At most two rows, as of `by_systems` without ``apart``.
        """
        return self._by(name, (self.differences["apart"] % check_count("rows", rows) == 0).rename("multiple"))

    def _by(self, name: str, key: Any) -> pd.DataFrame:
        """Pairs, share tied and mean difference of one row of the table by a key."""
        known = self.differences.dropna(subset=[find_name("name", name, self.table.index)])
        column = known[find_name("name", name, self.table.index)]
        by = [known[one] for one in key] if isinstance(key, list) else key[known.index]
        return pd.DataFrame(
            {
                "pairs": column.groupby(by).size(),
                "tied": (column == 0).groupby(by).mean(),
                "mean/sd": column.groupby(by).mean(),
            }
        )

    def _grid(self) -> pd.DataFrame:
        return self.table


@with_names
def audit(
    data: EvalSet,
    human: str | None = None,
    *,
    metrics: str | Iterable[str] | None = None,
    exclude: Exclude = None,
    share: float = SHARE,
    confidence: float = 0.95,
    n_resamples: int = 999,
    rng: np.random.Generator | int | None = None,
    progress: Progress | bool | None = None,
) -> Audit:
    """Say how often raters and metrics give identical translations of a segment the same score.

    The right answer for such a pair is a tie, unless a score may depend on more than source and translation: metrics
    that read the sentences before (their names often begin with ``doc``), or the name of the system.

    Parameters
    ----------
    data : EvalSet
        One that knows which texts are identical, see `EvalSet.identical`.
    human : str, optional
        Only cells with this human score count, so that all rows are about the same pairs as far as they are scored;
        None is the gold score.
    metrics : str or iterable of str, optional
        Names of metrics; None is all, ``()`` none.
    exclude
        As for `tiekit.correlate`. References are rows too: leave them out where only systems are asked about.
    share : float
        The noise floor ties at least this share of the identical pairs.
    confidence, n_resamples, rng
        Of the percentile intervals over segments; 0 resamples make none. None is seed 0.
    progress
        As for `tiekit.calibrate`.

    Returns
    -------
    Audit

    Raises
    ------
    InputError
        For unknown names, a set that does not know which texts are identical, and one with more than 3 million
        identical pairs, or 20 million of their differences in all scores.

    Examples
    --------
    >>> human, metric = {"mqm": [[-1, 0], [-1, -5], [0, 0]]}, {"m": [[0.5, 0.25], [0.5, 0.5], [0.75, 1]]}
    >>> labels = np.array([[0, 0], [0, 0], [1, 1]])
    >>> data = EvalSet("toy", "", ("A", "B", "C"), ("1", "2"), human, metric, gold="mqm", identical=labels)
    >>> audit(data, n_resamples=0).table[["kind", "pairs", "tied", "epsilon_0"]]
           kind  pairs  tied  epsilon_0
    m    metric      2   0.5       0.25
    mqm   human      2   0.5       5.00
    """
    chosen, gold = check_set(data).select(exclude=exclude), gold_of(data, human)
    share = check_probability("share", share)
    confidence, n_resamples = check_probability("confidence", confidence), check_count("n_resamples", n_resamples, 0)
    used = ~np.isnan(chosen.human[gold])
    labels = np.where(used, identical_of(chosen), -1)
    rows = {name: ("human", scores) for name, scores in chosen.human.items()}
    rows |= {name: ("metric", chosen.metrics[name]) for name in metric_names(data, metrics)}
    _check_number(labels, len(rows))
    known = {name: np.where(used, scores, np.nan) for name, (_, scores) in rows.items()}
    of_rows: dict[str, dict[str, Any]] = {}
    with showing(progress, "audit") as told:
        with beating(told):
            pairs = SamePairs.of(labels)
        segments = np.unique(pairs.segment)
        place = np.searchsorted(segments, pairs.segment).astype(np.int32)
        weights = _draws(segments.size, n_resamples, rng)
        for number, (name, scores) in enumerate(with_progress(known.items(), told)):
            with beating(told, number / len(known)):
                of_rows[name] = {"kind": rows[name][0], **_row_of(pairs, place, scores, share, weights, confidence)}
                beat()
    table = pd.DataFrame.from_dict(of_rows, orient="index")
    n = used.sum(axis=0)
    return Audit(
        table=table.iloc[best_first(table["tied"])],
        human=gold,
        share=share,
        n_pairs=int((n * (n - 1) // 2).sum()),
        n_identical=pairs.segment.size,
        n_segments=segments.size,
        resamples=n_resamples,
        seed="none" if not n_resamples else "generator" if isinstance(rng, np.random.Generator) else str(rng or 0),
        digest=digest_of(labels, *(scores for _, scores in rows.values())),
        _list_differences=partial(_differences, data, chosen, pairs, known),
        _count_normalized=partial(_count_normalized, chosen, used),
    )


def _differences(data: EvalSet, chosen: EvalSet, pairs: SamePairs, scores: Mapping[str, FloatArray]) -> pd.DataFrame:
    """One row per identical pair, see `Audit.differences`; rows apart are those of the whole set."""
    places = {system: place for place, system in enumerate(data.systems)}
    place = np.array([places[system] for system in chosen.systems])
    systems = np.array(chosen.systems, object)
    who = {"segment": pairs.segment.astype(np.int64), "first": systems[pairs.first], "second": systems[pairs.second]}
    apart = (place[pairs.second] - place[pairs.first]) * len(data.segments)
    spread = {name: float(one[~np.isnan(one)].std()) if (one == one).any() else 0.0 for name, one in scores.items()}
    gaps = {name: pairs.differences(one) / (spread[name] or 1.0) for name, one in scores.items()}
    return pd.DataFrame({**who, "apart": apart, **gaps})


def _draws(n_segments: int, n_resamples: int, rng: np.random.Generator | int | None) -> IntArray:
    """How often each segment is in each resample."""
    if not n_segments or not n_resamples:
        return np.empty((0, n_segments), np.int64)
    return as_generator(rng).multinomial(n_segments, np.full(n_segments, 1 / n_segments), n_resamples)


def _row_of(
    pairs: SamePairs, place: NDArray[np.int32], scores: FloatArray, share: float, weights: IntArray, confidence: float
) -> dict[str, float]:
    """What `Audit.table` says of one row of scores, of which only those that count are there.

    The place of a pair is the column of ``weights`` with its segment's.
    """
    found = pairs.differences(scores)
    known = ~np.isnan(found)
    gaps, place = found[known], place[known]
    beat()
    if not gaps.size:
        return {"pairs": 0} | dict.fromkeys(COLUMNS, float("nan"))
    low = high = float("nan")
    if len(weights):
        tied, all_pairs = (np.bincount(place[which], minlength=weights.shape[1]) for which in (gaps == 0, gaps >= 0))
        drawn = weights @ all_pairs
        drawn_shares = (weights @ tied)[drawn > 0] / drawn[drawn > 0]
        low, high = np.quantile(drawn_shares, [(1 - confidence) / 2, (1 + confidence) / 2]).tolist()
    present = scores[~np.isnan(scores)]
    gaps.sort()
    beat()
    sizes = float(np.median(gaps)), smallest_floor(gaps, 0.99), float(gaps.max())
    beat()
    units = float(np.ptp(present)), float(present.std())
    n_ties = count_ties(scores, grouping="item").n_tied
    shares = [size / unit if unit else 0.0 for unit in units for size in sizes]
    of_ties = float((gaps == 0).sum() / n_ties) if n_ties else float("nan")
    values = [float((gaps == 0).mean()), low, high, smallest_floor(gaps, share), *shares, of_ties]
    return {"pairs": gaps.size} | dict(zip(COLUMNS, values, strict=True))


def smallest_floor(gaps: FloatArray, share: float) -> float:
    """The smallest of some differences, or 0, that at least a share of them do not exceed."""
    needed = max(1, math.ceil(share * gaps.size - 1e-9))
    return float(np.sort(gaps)[needed - 1]) if share else 0.0


def _count_normalized(data: EvalSet, used: Any) -> int | None:
    """Pairs that are the same text but for the form of characters and spaces."""
    if not data.outputs:
        return None
    texts = [
        [" ".join(normal_form("NFC", text).split()) for text in data.outputs.get(system, ())] for system in data.systems
    ]
    return count_same(np.where(used, label_texts(texts, len(data.segments)), -1))


@dataclass(frozen=True, eq=False, repr=False)
class Repair(Plotted, Result):
    """What a coefficient gains when identical translations are tied, beside calibration.

    Attributes
    ----------
    table : pandas.DataFrame
        One row per metric, the best at ε* first. The values ``at 0``, ``identical tied`` (at 0, identical pairs are
        ties of the metric), ``at ε₀`` (its noise floor, fitted on no human score) and ``at ε*`` (its best threshold);
        ``rank(at 0)`` and so on, missing for a metric that stands apart; ``epsilon_0`` and ``epsilon``, the
        thresholds; ``repaired``, the gain reached: the share of what calibration gains that is there when identical
        pairs alone are tied, (identical tied − at 0) / (at ε* − at 0), NaN where calibration gains less than 0.0005.
    human, coefficient, grouping
        What was asked for.
    share : float
        As of `Audit`.
    n_pairs, n_identical : int
        Pairs that are compared, and those of them that are the same text.
    human_ties, identical_human_ties : float
        The share of the compared pairs that the human score ties, and the share of these ties that are identical
        translations; NaN where there is none.
    """

    _number: ClassVar[str | None] = None

    table: pd.DataFrame
    human: str
    coefficient: str
    grouping: str
    share: float
    n_pairs: int
    n_identical: int
    human_ties: float
    identical_human_ties: float
    selection: Mapping[str, str]
    digest: str

    def _facts(self) -> dict[str, object]:
        asked = {"coefficient": self.coefficient, "grouping": self.grouping, "share": self.share}
        asked |= metric_facts(self.table.index)
        return dict(**asked, **self.selection, scores=self.digest)

    def _grid(self) -> pd.DataFrame:
        return self.table


@with_names
def repair(
    data: EvalSet,
    human: str | None = None,
    coefficient: str = "acc_eq",
    *,
    metrics: str | Iterable[str] | None = None,
    grouping: str = "item",
    exclude: Exclude = None,
    cells: str | None = None,
    share: float = SHARE,
    progress: Progress | bool | None = None,
) -> Repair:
    """Show how values and ranks of metrics change when identical translations are tied, and when more is.

    Each metric is evaluated four times: as it is; with identical pairs tied and nothing else; at its noise floor ε₀,
    which ties nearly all identical pairs, and others that lie as close; at its best threshold ε*. What is gained when
    identical pairs are tied is not due to identity alone: where people tie much, ties of other pairs in the same
    segments give part of it (docs/identical.md compares both).

    Parameters
    ----------
    data : EvalSet
        One that knows which texts are identical, see `EvalSet.identical`.
    human, metrics, exclude, cells
        As for `tiekit.leaderboard`.
    coefficient : str
        A coefficient of counts, such as ``"acc_eq"``.
    grouping : str
        As for `tiekit.correlate`, but not means of scores; by system no pair is identical.
    share : float
        The noise floor ties at least this share of the identical pairs.
    progress
        As for `tiekit.calibrate`.

    Returns
    -------
    Repair

    Raises
    ------
    InputError
        For unknown names, a coefficient without ties of the metric, means of scores, a set that does not know which
        texts are identical, and one with more than 3 million identical pairs.

    Examples
    --------
    >>> human, metric = {"mqm": [[-1, 0], [-1, 0], [0, -5]]}, {"m": [[0.5, 0.25], [0.51, 0.26], [0.75, 0.2]]}
    >>> labels = np.array([[0, 0], [0, 0], [1, 1]])
    >>> data = EvalSet("toy", "", ("A", "B", "C"), ("1", "2"), human, metric, gold="mqm", identical=labels)
    >>> repair(data).table[["at 0", "identical tied", "at ε₀", "at ε*", "repaired"]].round(3)
            at 0  identical tied  at ε₀  at ε*  repaired
    metric
    m      0.667             1.0    1.0    1.0       1.0
    """
    chosen = check_set(data).select(exclude=exclude)
    name, _, grouping_named = split_star(coefficient, None)
    entry, share = get_of_counts(name), check_probability("share", share)
    labels = identical_of(chosen)
    inputs = lay_out(chosen, data, human, metrics, grouping_named or grouping, cells=cells)
    tied, rows = replace(inputs, identical=labels), {}
    check_tied(labels, entry)
    _check_number(labels, 1)
    with showing(progress, "calibrate") as told:
        for number, (metric, scores) in enumerate(inputs.metrics.items()):
            grouped, same = inputs.groups_of(metric), tied.groups_of(metric)
            at_zero = count_within(grouped.scores, 0.0)
            best = best_epsilon(grouped, entry, at_zero, part_of(told, number, len(inputs.metrics)))
            own = ~np.isnan(inputs.human_of(metric))
            gaps = SamePairs.of(np.where(own, labels, -1)).differences(scores)
            floor = smallest_floor(gaps[~np.isnan(gaps)], share) if (~np.isnan(gaps)).any() else float("nan")
            counts = [
                at_zero.counts,
                count_sorted(same.scores, 0.0),
                count_sorted(grouped.scores, floor if floor == floor else 0.0),
                count_sorted(grouped.scores, best),
            ]
            values = [average(entry.from_counts(found), "drop") for found in counts]
            gain = values[3] - values[0]
            repaired = (values[1] - values[0]) / gain if gain >= LEAST_GAIN else float("nan")
            rows[metric] = [*values, floor, best, repaired]
    table = pd.DataFrame.from_dict(rows, orient="index", columns=[*STEPS, "epsilon_0", "epsilon", "repaired"])
    for step in STEPS:
        among = table[step].where(~table.index.isin(inputs.apart)).round(RANK_DIGITS)
        table[f"rank({step})"] = among.rank(ascending=False, method="min").astype("Int64")
    ranks = [f"rank({step})" for step in STEPS]
    table = table[[*STEPS, *ranks, "epsilon_0", "epsilon", "repaired"]].rename_axis("metric")
    pairs = SamePairs.of(np.where(np.isnan(inputs.human), -1, labels))
    documents = inputs.documents or None
    human_ties = count_ties(inputs.human, grouping=inputs.grouping, documents=documents)
    are_tied = int((pairs.differences(inputs.human) == 0).sum()) if inputs.grouping != "system" else 0
    return Repair(
        table=table.iloc[best_first(table[STEPS[3]], below=inputs.apart)],
        human=inputs.selection["human"],
        coefficient=entry.name,
        grouping=inputs.grouping,
        share=share,
        n_pairs=human_ties.n_pairs,
        n_identical=pairs.segment.size if inputs.grouping != "system" else 0,
        human_ties=human_ties.share,
        identical_human_ties=are_tied / human_ties.n_tied if human_ties.n_tied else float("nan"),
        selection=dict(inputs.selection),
        digest=digest_of(labels, inputs.human, *inputs.metrics.values()),
    )
