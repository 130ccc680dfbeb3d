"""How small a difference between two scores of a judge is best called a tie?"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import pandas as pd

from tiekit.result import Result
from tiekit.scores import FloatArray, IntArray
from tiekit.votes.matching import match, outcomes
from tiekit.votes.measures import MEASURES, Measure, get_measure
from tiekit.votes.votes import Votes


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
    measure : str
        What was maximized.
    n : int
        Pairs of votes.
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
        values = {name: get_measure(name).values(self.kinds) for name in MEASURES}
        return pd.DataFrame({"epsilon": self.candidates, "judge_ties": ties} | values)


def calibrate_threshold(
    judge: Votes, human: Votes, measure: Measure = "acc_eq", *, human_threshold: float = 0.0
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
    asked = get_measure(measure)
    matched = match(judge, human)
    candidates, kinds = kinds_by_threshold(matched.human, matched.judge, human_threshold)
    values, best = asked.values(kinds), asked.first_best(kinds)
    return TieThreshold(
        epsilon=float(candidates[best]),
        value=float(values[best]),
        value_at_zero=float(values[0]),
        measure=asked.name,
        n=matched.human.size,
        candidates=candidates,
        kinds=kinds,
    )


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
