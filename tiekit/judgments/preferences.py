"""Which of two translations was preferred? Pairwise judgments, as positions in the names of their rankings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tiekit.display import Plotted
from tiekit.errors import InputError
from tiekit.scores import IntArray

if TYPE_CHECKING:
    from tiekit.judgments.rankings import Rankings

OUTCOMES = ("<", "=", ">")
"""The first translation is worse than the second, equally good, or better: -1, 0, +1."""


class Pairs(NamedTuple):
    """Every judged pair of translations once: positions of its segment and systems, and counts of `OUTCOMES`."""

    segment: IntArray
    first: IntArray
    second: IntArray
    counts: IntArray


@dataclass(frozen=True, eq=False, repr=False)
class Preferences(Plotted):
    """Pairwise judgments: which of two translations of a segment is better; one array element per judgment.

    Attributes
    ----------
    rankings : Rankings
        The rankings that the judgments come from; they hold the names.
    ties : {"omit", "keep"}
        Whether equal ranks were left out or kept.
    segment, judge, set, first, second : int64, shape (judgments,)
        Positions in the names of ``rankings`` and among its sets; ``first`` < ``second``. Judge and set are -1 after
        `resolve`.
    outcome : int64, shape (judgments,)
        +1 where the first translation is better, -1 where the second is, 0 where they tie.
    n_omitted : int
        Judgments left out as ties; after `resolve`, pairs left out as draws.
    """

    rankings: Rankings
    ties: str
    segment: IntArray
    judge: IntArray
    set: IntArray
    first: IntArray
    second: IntArray
    outcome: IntArray
    n_omitted: int = 0

    @property
    def n_judgments(self) -> int:
        """The number of judgments."""
        return self.outcome.size

    def __repr__(self) -> str:
        return f"Preferences({self.n_judgments} judgments of {self.n_pairs} pairs, ties={self.ties!r})"

    @cached_property
    def pairs(self) -> Pairs:
        """The distinct pairs of translations that were judged, with the number of judgments by outcome."""
        n = max(len(self.rankings.systems), 1)
        keys, place = np.unique((self.segment * n + self.first) * n + self.second, return_inverse=True)
        counts = np.bincount(place * 3 + self.outcome + 1, minlength=3 * keys.size).reshape(-1, 3)
        return Pairs(keys // n**2, keys // n % n, keys % n, counts.astype(np.int64))

    @property
    def n_pairs(self) -> int:
        """The number of distinct pairs of translations."""
        return self.pairs.segment.size

    @property
    def repeated(self) -> int:
        """The number of pairs that were judged more than once."""
        return int((self.pairs.counts.sum(axis=1) > 1).sum())

    @property
    def contradictory(self) -> int:
        """The number of pairs where each of the two translations was preferred at least once."""
        return int(((self.pairs.counts[:, 0] > 0) & (self.pairs.counts[:, 2] > 0)).sum())

    @property
    def unanimous(self) -> int:
        """The number of pairs that were judged more than once, always with the same outcome."""
        counts = self.pairs.counts
        return int(((counts.sum(axis=1) > 1) & (counts.max(axis=1) == counts.sum(axis=1))).sum())

    def select(self, language_pair: str) -> Preferences:
        """Return the judgments of one language pair; names of the others are kept."""
        self.rankings.select(language_pair)
        which = self.rankings.language_pairs.index(language_pair)
        return self.where(self.rankings.pair_of_segment[self.segment] == which)

    def frame(self) -> pd.DataFrame:
        """Return one row per judgment, with names.

        Columns are ``language_pair``, ``segment``, ``judge``, ``set``, ``first``, ``second`` and ``outcome``.
        """
        r = self.rankings
        columns = {
            "language_pair": names_of(r.language_pairs, r.pair_of_segment[self.segment]),
            "segment": names_of(r.segments, self.segment),
            "judge": names_of((*r.judges, "majority"), self.judge),
            "set": self.set,
            "first": names_of(r.systems, self.first),
            "second": names_of(r.systems, self.second),
        }
        return pd.DataFrame(columns | {"outcome": self.outcome})

    def matrix(self, segment: str | None = None) -> pd.DataFrame:
        """Count how often the system of the row was preferred to the system of the column.

        Parameters
        ----------
        segment : str or None
            Count the judgments of this segment only; None counts all.
        """
        r, pairs = self.rankings, self.pairs
        here = slice(None) if segment is None else self.of_segment(segment)
        wins = np.zeros((len(r.systems), len(r.systems)), np.int64)
        np.add.at(wins, (pairs.first[here], pairs.second[here]), pairs.counts[here, 2])
        np.add.at(wins, (pairs.second[here], pairs.first[here]), pairs.counts[here, 0])
        return pd.DataFrame(wins, index=list(r.systems), columns=list(r.systems))

    def of_segment(self, segment: str) -> NDArray[np.bool_]:
        """Which of ``pairs`` belong to a segment; its name must be in one language pair only."""
        names = self.rankings.segments
        places = [place for place, name in enumerate(names) if name == segment]
        if not places:
            raise InputError(f"segment: there is no segment {segment!r} in these rankings")
        here = np.isin(self.pairs.segment, places)
        if np.unique(self.pairs.segment[here]).size > 1:
            raise InputError(f"segment: {segment!r} is in several language pairs; take one with .select(language_pair)")
        return here

    def where(self, keep: NDArray[np.bool_]) -> Preferences:
        """The judgments where ``keep`` is true."""
        names = ("segment", "judge", "set", "first", "second", "outcome")
        return replace(self, **{name: getattr(self, name)[keep] for name in names})


def check_by(by: str | None) -> bool:
    """Check ``by`` and say whether it asks for one row per language pair."""
    if by not in (None, "language_pair"):
        raise InputError(f"by: must be 'language_pair' or None, found {by!r}")
    return by is not None


def names_of(names: Sequence[str], codes: IntArray) -> NDArray[Any]:
    """Names by their positions."""
    return np.array(names, object)[codes] if codes.size else np.array([], object)
