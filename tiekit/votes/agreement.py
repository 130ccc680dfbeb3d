"""Which numbers say how well two sides agree? Each comes from the counts of five kinds of pairs of votes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from tiekit.base.errors import InputError
from tiekit.base.results import Result
from tiekit.base.validation import FloatArray, IntArray
from tiekit.core.coefficients import ROUNDING, Coefficient, OfCounts
from tiekit.core.formula import SYMBOLS, Formula
from tiekit.core.registry import COEFFICIENTS, coefficient_of_weights, get_coefficient
from tiekit.judgments.agreement import Kappa
from tiekit.votes.votes import Matched, Votes, match, outcomes, tables

VoteAgreementMeasure: TypeAlias = str | Coefficient | Sequence[float | None]
"""A name of `MEASURES`, a coefficient of counts, or five weights as `coefficient_of_weights` takes them."""

_N = "(C + D + T_h + T_m + T_hm)"
_BY_CHANCE = "(2 * (T_h + T_hm) * (T_m + T_hm) + (C + D + T_m) * (C + D + T_h))"
"""P(E) times 2n², where the order of two answers has no meaning, so that each side's P(win) equals its P(loss)."""

_KAPPA = f"2 * {_N} * (C + T_hm) - {_BY_CHANCE}", f"2 * {_N} * {_N} - {_BY_CHANCE}"
"""P(A) - P(E) and 1 - P(E), both times 2n², so that they are whole numbers."""

_OWN: dict[str, Coefficient] = {
    "with_ties": OfCounts(
        name="with_ties",
        label="agreement with ties",
        latex=r"\mathrm{agreement}",
        reference="Zheng et al. (2023), setup S1",
        undefined="there is no pair of votes",
        range=(0.0, 1.0),
        formula=Formula(f"(C + T_hm) / {_N}"),
    ),
    "without_ties": OfCounts(
        name="without_ties",
        label="agreement without ties",
        latex=r"\mathrm{agreement}_{13}",
        reference="Zheng et al. (2023), setup S2",
        undefined="a side ties every pair of votes",
        range=(0.0, 1.0),
        formula=Formula("C / (C + D)"),
    ),
    "kappa": OfCounts(
        name="kappa",
        label="Cohen's κ",
        latex=r"\kappa",
        reference="Cohen (1960)",
        undefined="P(E) is 1",
        formula=Formula("({}) / ({})".format(*_KAPPA)),
    ),
}
"""Measures of votes that the registry does not have."""


def _is_of_kinds(entry: Coefficient) -> bool:
    """Whether a coefficient needs nothing but the counts of the five kinds."""
    return entry.formula is not None and not entry.formula.symbols & set(SYMBOLS[5:])


MEASURES = (*_OWN, *(name for name, entry in COEFFICIENTS.items() if _is_of_kinds(entry)))
"""Both agreements of MT-bench, Cohen's kappa, and the coefficients of the registry that need counts of pairs alone."""


def get_agreement_measure(measure: VoteAgreementMeasure) -> Coefficient:
    """Look up a measure as a coefficient of counts, of which `from_counts` reads those of the five kinds alone."""
    if isinstance(measure, str):
        entry = get_coefficient(measure, "measure", _OWN)
    else:
        entry = measure if isinstance(measure, Coefficient) else coefficient_of_weights(measure)
    if not _is_of_kinds(entry):
        raise InputError(f"measure: must be one of {', '.join(MEASURES)}, found {entry.name!r}, which needs scores")
    return entry


def find_first_best(entry: Coefficient, kinds: IntArray) -> int:
    """Return the first row of counts with the largest value, 0 where the measure is undefined in all of them.

    Values count as equal within 1e-12; those of κ, where they are equal as fractions.
    """
    values = entry.from_counts(kinds)
    if np.isnan(values).all():
        return 0
    near = np.flatnonzero(values >= np.nanmax(values) - ROUNDING)
    if entry is not _OWN["kappa"]:
        return int(near[0])
    parts = [Formula(text)(kinds[near]).tolist() for text in _KAPPA]  # whole numbers
    fractions = [Fraction(int(above), int(most)) for above, most in zip(*parts, strict=True)]
    return int(near[fractions.index(max(fractions))])


def kinds_of(table: IntArray) -> IntArray:
    """Count the five kinds in tables of shape (..., 3, 3): C, D, T_h, T_m, T_hm; rows human, columns judge."""
    kind_of_cell = np.eye(5, dtype=np.int64)[[0, 3, 1, 2, 4, 2, 1, 3, 0]]
    return np.asarray(table.reshape(*table.shape[:-2], 9) @ kind_of_cell, np.int64)


def cohen_kappa(table: ArrayLike) -> Kappa:
    """Measure Cohen's kappa of a table of counts.

    P(E) is the sum over the outcomes of the product of both sides' shares.

    Parameters
    ----------
    table : array_like of int, shape (k, k)
        Rows are the outcomes of one side, columns the same outcomes of the other.

    Returns
    -------
    Kappa

    Raises
    ------
    InputError
        For another shape, and for counts that are negative or no whole numbers.

    References
    ----------
    Cohen (1960), doi:10.1177/001316446002000104.

    Examples
    --------
    >>> found = cohen_kappa([[20, 5], [10, 15]])
    >>> found.observed, found.expected, round(found.value, 3)
    (0.7, 0.5, 0.4)
    """
    counts = np.asarray(table)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1]:
        raise InputError(f"table: must be square, found shape {counts.shape}")
    if not np.issubdtype(counts.dtype, np.number) or (counts < 0).any() or (counts % 1 != 0).any():
        raise InputError("table: must hold counts, whole numbers of at least 0")
    n = int(counts.sum())
    expected = float(counts.sum(axis=0) @ counts.sum(axis=1)) / n**2 if n else float("nan")
    return Kappa(n, int(np.trace(counts)), expected)


OUTCOMES = ("win", "tie", "loss")
"""Of the first answer, as rows and columns of tables name them."""


@dataclass(frozen=True, eq=False, repr=False)
class VoteAgreement(Result):
    """How often votes of a judge equal human votes about the same two answers.

    Attributes
    ----------
    with_ties : float
        Share of equal votes, ties included: MT-bench's agreement of setup S1, and acc_eq.
    without_ties : float
        The same without the pairs in which either side ties: setup S2. NaN where no pair is left.
    kappa : float
        Cohen's κ, symmetrized: which of two answers comes first has no meaning, so each side's P(win) is set equal to
        its P(loss), as WMT does. It is κ of the sum of ``counts`` and of ``counts`` with the answers exchanged.
    kappa_of_table : float
        Cohen's κ of ``counts`` as they stand, with answers sorted by name: not that of the labels in a file, where
        another answer may come first.
    n, n_without_ties : int
        Pairs of votes in each of both agreements.
    human_ties, judge_ties : float
        Share of the pairs that each side ties.
    coverage : float
        Share of human votes that meet a vote of the judge.
    n_abstained : int
        Pairs left out because a side abstained.
    threshold, human_threshold : float
        Preferences at most as far from 0 are ties.
    counts : int64, shape (3, 3)
        Rows: win, tie, loss of the first answer by the human; columns by the judge.
    """

    _number: ClassVar[str | None] = "with_ties"

    with_ties: float
    without_ties: float
    kappa: float
    kappa_of_table: float
    n: int
    n_without_ties: int
    human_ties: float
    judge_ties: float
    coverage: float
    n_abstained: int
    threshold: float
    human_threshold: float
    counts: IntArray = field(repr=False)

    @property
    def table(self) -> pd.DataFrame:
        """The counts with names: rows human, columns judge; win, tie and loss of the first answer by name."""
        names = [pd.Index(OUTCOMES, name=side) for side in ("human", "judge")]
        return pd.DataFrame(self.counts, index=names[0], columns=names[1])

    @property
    def chance(self) -> Kappa:
        """The symmetrized κ with what it is made of: the number of pairs, the equal ones, and P(E)."""
        kinds = kinds_of(self.counts)
        expected = Formula(f"{_BY_CHANCE} / (2 * {_N} * {_N})")(kinds)
        return Kappa(self.n, int(kinds[0] + kinds[4]), float(expected))

    def value(self, measure: VoteAgreementMeasure) -> float:
        """Evaluate another measure on the same table.

        Parameters
        ----------
        measure : str, Coefficient, or sequence of five weights
            A name of `MEASURES`: ``"tau_eq"``, ``"tau_10"``, …; or weights of concordant and discordant pairs, of pairs
            tied by the human only, by the judge only and by both, None for a kind that is left out.

        Examples
        --------
        >>> rows = [("1", "A", "B", 1), ("2", "A", "B", 0), ("3", "A", "B", -1)]
        >>> human = Votes.from_rows(rows)
        >>> found = agreement(Votes.from_rows([("1", "A", "B", 1), ("2", "A", "B", 1), ("3", "A", "B", 1)]), human)
        >>> found.value("tau_eq"), found.value("tau_14"), found.value([1, 0, 0.5, 0.5, 1])
        (-0.333..., 0.0, 0.5)
        """
        return float(get_agreement_measure(measure).from_counts(kinds_of(self.counts)))

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as plain Python values, the table included."""
        return super().to_dict() | {"counts": self.counts.tolist()}


def agreement(
    judge: Votes, human: Votes | None = None, *, threshold: float = 0.0, human_threshold: float = 0.0
) -> VoteAgreement:
    """Compare a judge's votes with human votes about the same two answers.

    Every vote of the judge is paired with every human vote that has the same item, turn and systems, in whichever order
    the answers were shown. Ties of every kind are alike, so "tie (bothbad)" equals "tie". Pairs with an abstention are
    left out and counted.

    Parameters
    ----------
    judge : Votes
        Of one judge, or of several as if they were one: choose with ``votes.by("gpt-4")``.
    human : Votes, optional
        What they are compared with: human votes, or `votes_of_scores`. None: the agreement among the judges of
        ``judge``, over all pairs of votes of different judges; of two, the one named like people stands for the human,
        else the one whose name comes first.
    threshold, human_threshold : float
        A preference of the judge, or of the human, whose size is at most this is a tie.

    Returns
    -------
    VoteAgreement
        Agreements 0 to 1, κ at most 1; higher is better.

    Raises
    ------
    InputError
        Where no two votes are about the same two answers, for a negative threshold.

    References
    ----------
    Zheng et al. (2023), section 4.2 and Tables 5 and 6, arXiv 2306.05685; κ: Cohen (1960),
    doi:10.1177/001316446002000104.

    Examples
    --------
    >>> human = Votes.from_rows([("1", "A", "B", 1), ("2", "A", "B", 0), ("3", "A", "B", -1), ("4", "A", "B", 0)])
    >>> judge = Votes.from_rows([("1", "A", "B", 1), ("2", "B", "A", 1), ("3", "A", "B", -1), ("4", "A", "B", 0)])
    >>> found = agreement(judge, human)
    >>> found.with_ties, found.without_ties, found.n_without_ties
    (0.75, 1.0, 2)
    >>> found.table
    judge  win  tie  loss
    human
    win      1    0     0
    tie      0    1     1
    loss     0    0     1
    """
    return agreement_of_matched(match(judge, human), threshold, human_threshold)


def agreement_of_matched(matched: Matched, threshold: float, human_threshold: float) -> VoteAgreement:
    """The agreement of votes that are paired already."""
    counts = tables(matched, threshold, human_threshold).sum(axis=0)
    kinds = kinds_of(counts)
    n = int(kinds.sum())
    with np.errstate(invalid="ignore"):
        human_ties, judge_ties = (kinds[[2, 3]] + kinds[4]) / np.float64(n)
    return VoteAgreement(
        **{name: float(entry.from_counts(kinds)) for name, entry in _OWN.items()},
        kappa_of_table=cohen_kappa(counts).value,
        n=n,
        n_without_ties=int(kinds[:2].sum()),
        human_ties=float(human_ties),
        judge_ties=float(judge_ties),
        coverage=matched.coverage,
        n_abstained=matched.n_abstained,
        threshold=float(threshold),
        human_threshold=float(human_threshold),
        counts=counts,
    )


@dataclass(frozen=True, eq=False, repr=False)
class TieThreshold(Result):
    """The threshold at which a judge's votes agree best with human votes.

    Attributes
    ----------
    epsilon : float
        The smallest threshold that maximizes the measure; 0 where it is undefined at all of them. Values of κ are
        compared as fractions; those of other measures count as equal within 1e-12.
    value, value_at_zero : float
        The measure at epsilon, and without calibration.
    measure, n
        What was maximized, and the number of pairs of votes.
    candidates : float64, shape (candidates,)
        0 and every size of a preference, ascending.
    kinds : int64, shape (candidates, 5)
        Counts at each candidate: concordant, discordant, tied by the human only, by the judge only, by both.
    """

    _number: ClassVar[str | None] = "epsilon"

    epsilon: float
    value: float
    value_at_zero: float
    measure: str
    n: int
    candidates: FloatArray = field(repr=False)
    kinds: IntArray = field(repr=False)

    def curve(self) -> pd.DataFrame:
        """Evaluate every candidate: one row each with ``epsilon``, ``judge_ties`` and all `MEASURES`."""
        with np.errstate(invalid="ignore"):
            ties = self.kinds[:, 3:].sum(axis=1) / np.float64(self.n)
        values = {name: get_agreement_measure(name).from_counts(self.kinds) for name in MEASURES}
        return pd.DataFrame({"epsilon": self.candidates, "judge_ties": ties} | values)


def calibrate_threshold(
    judge: Votes, human: Votes, measure: VoteAgreementMeasure = "acc_eq", *, human_threshold: float = 0.0
) -> TieThreshold:
    """Find the tie threshold on a judge's preferences that maximizes a measure, exactly.

    As `tiekit.calibrate` does for differences of metric scores: the candidates are 0 and every size of a preference
    that occurs, and of several maximizers the smallest is returned. A threshold that was found on the same votes on
    which it is evaluated makes the agreement look better than it is.

    Parameters
    ----------
    judge, human, human_threshold
        As for `agreement`. Votes without scores have one size of preference, so the threshold is 0 or makes all ties.
    measure
        As for `VoteAgreement.value`. A measure that ignores ties, such as ``"without_ties"``, is best where nearly all
        votes are ties.

    Returns
    -------
    TieThreshold

    Raises
    ------
    InputError
        For an unknown measure, and what `agreement` refuses.

    References
    ----------
    Deutsch et al. (2023), section 6, doi:10.18653/v1/2023.emnlp-main.798.

    Examples
    --------
    >>> human = Votes.from_rows([("1", "A", "B", 1), ("2", "A", "B", 0), ("3", "A", "B", -1), ("4", "A", "B", 0)])
    >>> judge = Votes.from_rows([("1", "A", "B", 3), ("2", "A", "B", 1), ("3", "A", "B", -2), ("4", "A", "B", -1)])
    >>> calibrate_threshold(judge, human)
    TieThreshold(epsilon=1.0, value=1.0, value_at_zero=0.5, measure='acc_eq', n=4)
    """
    entry, matched = get_agreement_measure(measure), match(judge, human)
    candidates, kinds = kinds_by_threshold(matched.human, matched.judge, human_threshold)
    values, best = entry.from_counts(kinds), find_first_best(entry, kinds)
    at_best = float(candidates[best]), float(values[best]), float(values[0])
    return TieThreshold(*at_best, entry.name, matched.human.size, candidates, kinds)


def kinds_by_threshold(human: FloatArray, judge: FloatArray, human_threshold: float) -> tuple[FloatArray, IntArray]:
    """Candidates, and the counts of the five kinds at each, shape (candidates, 5), in O(n log n)."""
    gold, vote = outcomes(human, human_threshold), outcomes(judge, 0.0)
    size = np.abs(judge)
    candidates = np.unique(np.concatenate(([0.0], size)))
    place = np.searchsorted(candidates, size)
    kind = np.select([vote == 0, gold == 0, gold == vote], [3, 2, 0], default=1)
    counts = [np.bincount(place[kind == each], minlength=candidates.size) for each in range(3)]
    left = [each.sum() - np.cumsum(each) for each in counts]  # still ordered by the judge
    n_tied, n = int((gold == 0).sum()), gold.size
    both = n_tied - left[2]
    return candidates, np.stack([*left, n - n_tied - left[0] - left[1], both], axis=1).astype(np.int64)
