"""How well do the judges agree, with themselves and with each other?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, overload

import numpy as np
import pandas as pd

from tiekit.judgments.rankings import Preferences, Rankings, as_preferences, check_by
from tiekit.scores import IntArray


@dataclass(frozen=True)
class Kappa:
    """How often two judgments of the same two translations agree, beyond chance.

    Attributes
    ----------
    n : int
        Pairs of judgments compared.
    n_agreed : int
        Those with the same outcome.
    expected : float
        P(E), how often they would agree by chance.
    """

    n: int
    n_agreed: int
    expected: float

    @property
    def observed(self) -> float:
        """P(A); NaN without a pair of judgments."""
        return self.n_agreed / self.n if self.n else float("nan")

    @property
    def value(self) -> float:
        """κ = (P(A) − P(E)) / (1 − P(E)), at most 1, 0 by chance; NaN without a pair, or where chance always agrees."""
        return (self.observed - self.expected) / (1 - self.expected) if self.expected < 1 else float("nan")


@dataclass(frozen=True)
class Agreement:
    """Agreement of judgments.

    Attributes
    ----------
    within, between : Kappa
        Of one judge with herself, and of different judges.
    share_tied : float
        Judgments that rank both equally; the others are halved between < and > for P(E).
    """

    within: Kappa
    between: Kappa
    share_tied: float


@overload
def agreement(preferences: Rankings | Preferences, *, by: None = None) -> Agreement: ...


@overload
def agreement(preferences: Rankings | Preferences, *, by: Literal["language_pair"]) -> pd.DataFrame: ...


def agreement(preferences: Rankings | Preferences, *, by: str | None = None) -> Agreement | pd.DataFrame:
    """Cohen's κ within and between judges, as WMT reports it.

    P(A) is the share of agreeing ones among all pairs of judgments of the same two translations; P(E) = P(<)² + P(=)²
    + P(>)², from the shares of the outcomes in all judgments. Which translation is called the first means nothing, so
    that P(<) and P(>) are equal.

    Parameters
    ----------
    preferences : Preferences or Rankings
        Rankings with their ties.
    by : {"language_pair"} or None
        One row per language pair.

    Returns
    -------
    Agreement, or pandas.DataFrame
        The frame has ``κ``, ``P(A)``, ``P(E)`` and ``n``, each within and between, by language pair.

    Raises
    ------
    InputError
        For another ``by``.

    References
    ----------
    Bojar et al. (2013), Findings of WMT13, section 3.2, aclanthology.org/W13-2201.

    Examples
    --------
    >>> rows = [("ann", "1", {"A": 1, "B": 2, "C": 3}), ("bob", "1", {"A": 2, "B": 1, "C": 3})]
    >>> between = agreement(Rankings.from_rows(rows)).between
    >>> between.n, between.n_agreed, between.expected, round(between.value, 3)
    (3, 2, 0.5, 0.333)
    """
    given = as_preferences(preferences)
    if check_by(by):
        rows = [agreement(given.select(pair)) for pair in given.rankings.language_pairs]
        columns = {"κ": "value", "P(A)": "observed", "P(E)": "expected", "n": "n"}
        table = {
            f"{label} {part}": [getattr(getattr(found, part), name) for found in rows]
            for part in ("within", "between")
            for label, name in columns.items()
        }
        return pd.DataFrame(table, index=pd.Index(given.rankings.language_pairs, name="language pair"))
    n_judges = len(given.rankings.judges) + 1
    n_systems = max(len(given.rankings.systems), 1)
    pair = np.unique((given.segment * n_systems + given.first) * n_systems + given.second, return_inverse=True)[1]
    total, agreed = _agreeing(pair, given.outcome)
    own_total, own_agreed = _agreeing(pair * n_judges + given.judge + 1, given.outcome)
    tied = float((given.outcome == 0).mean()) if given.n_judgments else float("nan")
    expected = tied**2 + (1 - tied) ** 2 / 2
    return Agreement(
        Kappa(own_total, own_agreed, expected), Kappa(total - own_total, agreed - own_agreed, expected), tied
    )


def _agreeing(group: IntArray, outcome: IntArray) -> tuple[int, int]:
    """Pairs within groups, and those of them with one outcome."""
    _, place = np.unique(group, return_inverse=True)
    counts = np.bincount(place * 3 + outcome + 1).astype(np.int64) if place.size else np.zeros(0, np.int64)
    sizes = np.bincount(place).astype(np.int64) if place.size else counts
    return int((sizes * (sizes - 1) // 2).sum()), int((counts * (counts - 1) // 2).sum())
