"""How often do a judge and people prefer the same answer? With ties, without ties, and beyond chance."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from tiekit.judgments.kappa import Kappa
from tiekit.result import Result
from tiekit.scores import IntArray
from tiekit.votes.matching import Matched, match, tables
from tiekit.votes.measures import Measure, cohen_kappa, expected_agreement, get_measure, kinds_of
from tiekit.votes.votes import Votes

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
        Cohen's κ of ``counts`` as they stand, as other programs give it: it depends on which answer comes first.
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
        return Kappa(self.n, int(kinds[0] + kinds[4]), float(expected_agreement(kinds)))

    def value(self, measure: Measure) -> float:
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
        return get_measure(measure).value(kinds_of(self.counts))

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
        ``judge``, over all pairs of votes of different judges.
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
    return of_matched(match(judge, human), threshold, human_threshold)


def of_matched(matched: Matched, threshold: float, human_threshold: float) -> VoteAgreement:
    """The agreement of votes that are paired already."""
    counts = tables(matched, threshold, human_threshold).sum(axis=0)
    kinds = kinds_of(counts)
    n = int(kinds.sum())
    with np.errstate(invalid="ignore"):
        human_ties, judge_ties = (kinds[[2, 3]] + kinds[4]) / np.float64(n)
    return VoteAgreement(
        with_ties=get_measure("with_ties").value(kinds),
        without_ties=get_measure("without_ties").value(kinds),
        kappa=get_measure("kappa").value(kinds),
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
