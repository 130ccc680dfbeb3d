"""How well do the judges agree, with themselves and with each other?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, overload

import numpy as np
import pandas as pd

from tiekit.base.results import Plotted, Result
from tiekit.base.validation import IntArray
from tiekit.research.judgments.rankings import Preferences, Rankings, as_preferences, check_by

SAME = 1e-15
"""P(A) and P(E) that differ by less are equal but for rounding."""


@dataclass(frozen=True, eq=False, repr=False)
class Kappa(Plotted, Result):
    """Cohen's kappa: how often do two judgments of the same two translations agree, beyond chance?

    Attributes
    ----------
    n : int
        Number of compared pairs of judgments.
    n_agreed : int
        Number of pairs with the same outcome.
    expected : float
        P(E), the share of pairs that would agree by chance.
    """

    n: int
    n_agreed: int
    expected: float

    @property
    def observed(self) -> float:
        """P(A), the share of pairs that agree; NaN where nothing was compared."""
        return self.n_agreed / self.n if self.n else float("nan")

    @property
    def value(self) -> float:
        """κ = (P(A) − P(E)) / (1 − P(E)): 1 is perfect, 0 chance; NaN where nothing was compared or P(E) is 1."""
        above = self.observed - self.expected
        if self.expected >= 1:
            return float("nan")
        return 0.0 if abs(above) < SAME else above / (1 - self.expected)

    def to_dict(self) -> dict[str, Any]:
        """Return the numbers as plain Python values, κ and P(A) included."""
        return {"value": self.value, "observed": self.observed} | super().to_dict()


@dataclass(frozen=True, eq=False, repr=False)
class Agreement(Plotted, Result):
    """Agreement of judges with themselves and with each other.

    Attributes
    ----------
    within, between : Kappa
        For two judgments of one judge, and of different judges.
    share_tied : float
        Share of judgments that rank both translations equally.
    """

    _number: ClassVar[str | None] = None
    within: Kappa
    between: Kappa
    share_tied: float

    def _grid(self) -> pd.DataFrame:
        judges = {"within judges": self.within, "between judges": self.between}
        rows = [(found.value, found.observed, found.expected, found.n) for found in judges.values()]
        return pd.DataFrame(rows, list(judges), ["κ", "P(A)", "P(E)", "n"])


@overload
def agreement(preferences: Rankings | Preferences, *, by: None = None) -> Agreement: ...


@overload
def agreement(preferences: Rankings | Preferences, *, by: Literal["language_pair"]) -> pd.DataFrame: ...


def agreement(preferences: Rankings | Preferences, *, by: str | None = None) -> Agreement | pd.DataFrame:
    """Measure Cohen's κ within and between judges, as WMT reports it.

    P(A) is the share of pairs of judgments of the same two translations that agree. P(E) = P(<)² + P(=)² + P(>)² comes
    from the shares of the outcomes among all judgments. The order of two translations has no meaning, so that
    P(<) = P(>).

    Parameters
    ----------
    preferences : Preferences or Rankings
        The judgments; rankings count with their ties.
    by : {"language_pair"} or None
        Whether to return one row per language pair.

    Returns
    -------
    Agreement, or pandas.DataFrame
        The frame has one row per language pair, and ``κ``, ``P(A)``, ``P(E)`` and ``n`` within and between judges.

    Raises
    ------
    InputError
        For another value of ``by``.

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
    """Count pairs of judgments within groups, and those with the same outcome."""
    _, place = np.unique(group, return_inverse=True)
    counts = np.bincount(place * 3 + outcome + 1).astype(np.int64) if place.size else np.zeros(0, np.int64)
    sizes = np.bincount(place).astype(np.int64) if place.size else counts
    return int((sizes * (sizes - 1) // 2).sum()), int((counts * (counts - 1) // 2).sum())
