"""What was ranked? Relative rankings, and the preferences that follow from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tiekit.errors import InputError
from tiekit.scores import IntArray

TIES = ("omit", "keep")
"""What becomes of two translations that one judge ranks equally."""

OUTCOMES = ("<", "=", ">")
"""The first translation is worse than the second, as good, better: -1, 0, +1."""


@dataclass(frozen=True, eq=False)
class Rankings:
    """Sets of translations of one segment, each ranked by one judge; rank 1 is the best.

    Attributes
    ----------
    systems, segments, judges, language_pairs : tuple of str
        Names in their natural order, whatever the order of the sets. Each language pair has its own segments.
    pair_of_segment : int64, shape (segments,)
        Position in ``language_pairs``.
    segment, judge : int64, shape (sets,)
        Positions in ``segments`` and ``judges``.
    system, rank : int64, shape (sets, largest set)
        Positions in ``systems``, and ranks; -1 where a set has no further translation, or a rank was left blank.
    n_blank : int
        Translations shown without being ranked: they are left out.
    skipped : dict of str to int
        Why lines of a file were left out, and how many.
    digest : str
        SHA-256 of the file; empty for sets made in Python.
    """

    systems: tuple[str, ...]
    segments: tuple[str, ...]
    judges: tuple[str, ...]
    language_pairs: tuple[str, ...]
    pair_of_segment: IntArray
    segment: IntArray
    judge: IntArray
    system: IntArray
    rank: IntArray
    n_blank: int = 0
    skipped: Mapping[str, int] = field(default_factory=dict)
    digest: str = ""

    @classmethod
    def from_rows(
        cls, rows: Iterable[tuple[str, str, Mapping[str, int | None]]], *, language_pair: str = ""
    ) -> Rankings:
        """Make rankings from Python.

        Parameters
        ----------
        rows : iterable of (judge, segment, ranks)
            A set a row; ``ranks`` gives each system a whole number of at least 1, the best the smallest. None, NaN and
            -1 are ranks left blank.
        language_pair : str
            Of all segments.

        Raises
        ------
        InputError
            For a rank that is none or a system without a name; the message names the set, counted from 1.

        Examples
        --------
        >>> rankings = Rankings.from_rows([("ann", "1", {"A": 1, "B": 2, "C": 2}), ("bob", "1", {"A": 2, "B": 1})])
        >>> rankings.n_sets, rankings.systems, rankings.preferences().n_judgments
        (2, ('A', 'B', 'C'), 3)
        """
        sets = [(str(judge), str(segment), dict(ranks)) for judge, segment, ranks in rows]
        width = max((len(ranks) for *_, ranks in sets), default=0)
        names, numbers = np.full((len(sets), width), "", object), np.full((len(sets), width), -1, np.int64)
        for place, (_, _, ranks) in enumerate(sets):
            names[place, : len(ranks)] = shown = [str(system) for system in ranks]
            if "" in shown or len(set(shown)) < len(shown):
                raise InputError(f"rows: set {place + 1}: systems must have different names, found {shown!r}")
            numbers[place, : len(ranks)] = [_rank(rank, place + 1) for rank in ranks.values()]
        pairs = [language_pair] * len(sets)
        return build(pairs, [segment for _, segment, _ in sets], [judge for judge, *_ in sets], names, numbers)

    @property
    def n_sets(self) -> int:
        """How many sets were ranked."""
        return self.segment.size

    def select(self, language_pair: str) -> Rankings:
        """The sets of one language pair, with all names kept."""
        if language_pair not in self.language_pairs:
            known = ", ".join(self.language_pairs)
            raise InputError(f"language_pair: must be one of {known}, found {language_pair!r}")
        keep = self.pair_of_segment[self.segment] == self.language_pairs.index(language_pair)
        parts = {name: getattr(self, name)[keep] for name in ("segment", "judge", "system", "rank")}
        return replace(self, language_pairs=self.language_pairs, **parts)

    def preferences(self, ties: str = "omit") -> Preferences:
        """Every two translations of a set as a judgment: n ranked ones give n(n − 1)/2, five give ten.

        Parameters
        ----------
        ties : {"omit", "keep"}
            Two equal ranks are left out and counted (WMT's practice), or kept as outcome 0.

        Raises
        ------
        InputError
            For another word.

        References
        ----------
        Graham et al. (2015), section 2, doi:10.3115/v1/N15-1124.

        Examples
        --------
        >>> rankings = Rankings.from_rows([("ann", "1", {"A": 1, "B": 2, "C": 2})])
        >>> rankings.preferences("keep").frame()[["first", "second", "outcome"]].values.tolist()
        [['A', 'B', 1], ['A', 'C', 1], ['B', 'C', 0]]
        """
        if ties not in TIES:
            raise InputError(f"ties: must be one of {', '.join(TIES)}, found {ties!r}")
        i, j = np.triu_indices(self.rank.shape[1], 1)
        ranked = (self.rank[:, i] >= 0) & (self.rank[:, j] >= 0)
        sets, columns = np.nonzero(ranked)
        first, second = self.system[sets, i[columns]], self.system[sets, j[columns]]
        outcome = np.sign(self.rank[sets, j[columns]] - self.rank[sets, i[columns]])
        turned = first > second
        first, second = np.where(turned, second, first), np.where(turned, first, second)
        outcome = np.where(turned, -outcome, outcome)
        keep = outcome != 0 if ties == "omit" else np.ones(outcome.size, bool)
        every = Preferences(self, ties, self.segment[sets], self.judge[sets], sets, first, second, outcome)
        return replace(every.where(keep), n_omitted=int((~keep).sum()))


class Pairs(NamedTuple):
    """Every judged pair of translations once: positions of segment and systems, and counts of `OUTCOMES`."""

    segment: IntArray
    first: IntArray
    second: IntArray
    counts: IntArray


@dataclass(frozen=True, eq=False)
class Preferences:
    """Judgments of two translations of one segment each, a position of the arrays a judgment.

    Attributes
    ----------
    rankings : Rankings
        What they were made from; it holds the names.
    ties : {"omit", "keep"}
    segment, judge, set, first, second : int64, shape (judgments,)
        Positions in the names of ``rankings`` and among its sets; ``first`` < ``second``. Judge and set are -1 where
        contradictions were resolved.
    outcome : int64, shape (judgments,)
        +1 where the first translation is better, -1 where the second is, 0 where they tie.
    n_omitted : int
        Judgments left out: ties, and draws of contradictory judgments that were resolved.
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
        """How many there are."""
        return self.outcome.size

    @cached_property
    def pairs(self) -> Pairs:
        """The different pairs of translations that were judged, and how often with which outcome."""
        n = max(len(self.rankings.systems), 1)
        keys, place = np.unique((self.segment * n + self.first) * n + self.second, return_inverse=True)
        counts = np.bincount(place * 3 + self.outcome + 1, minlength=3 * keys.size).reshape(-1, 3)
        return Pairs(keys // n**2, keys // n % n, keys % n, counts.astype(np.int64))

    @property
    def n_pairs(self) -> int:
        """Different pairs of translations."""
        return self.pairs.segment.size

    @property
    def repeated(self) -> int:
        """Pairs of translations that were judged more than once."""
        return int((self.pairs.counts.sum(axis=1) > 1).sum())

    @property
    def contradictory(self) -> int:
        """Pairs of translations of which each was preferred by some judgment."""
        return int(((self.pairs.counts[:, 0] > 0) & (self.pairs.counts[:, 2] > 0)).sum())

    @property
    def unanimous(self) -> int:
        """Pairs judged more than once, always with the same outcome."""
        counts = self.pairs.counts
        return int(((counts.sum(axis=1) > 1) & (counts.max(axis=1) == counts.sum(axis=1))).sum())

    def select(self, language_pair: str) -> Preferences:
        """The judgments of one language pair, with all names kept."""
        self.rankings.select(language_pair)
        which = self.rankings.language_pairs.index(language_pair)
        return self.where(self.rankings.pair_of_segment[self.segment] == which)

    def frame(self) -> pd.DataFrame:
        """A row a judgment: ``language_pair``, ``segment``, ``judge``, ``set``, ``first``, ``second``, ``outcome``."""
        r = self.rankings
        columns = {
            "language_pair": _named(r.language_pairs, r.pair_of_segment[self.segment]),
            "segment": _named(r.segments, self.segment),
            "judge": _named((*r.judges, "majority"), self.judge),
            "set": self.set,
            "first": _named(r.systems, self.first),
            "second": _named(r.systems, self.second),
        }
        return pd.DataFrame(columns | {"outcome": self.outcome})

    def matrix(self, segment: str | None = None) -> pd.DataFrame:
        """How often the translation of the row was preferred to that of the column; of one segment, or of all."""
        r, pairs = self.rankings, self.pairs
        here = slice(None) if segment is None else self.of_segment(segment)
        wins = np.zeros((len(r.systems), len(r.systems)), np.int64)
        np.add.at(wins, (pairs.first[here], pairs.second[here]), pairs.counts[here, 2])
        np.add.at(wins, (pairs.second[here], pairs.first[here]), pairs.counts[here, 0])
        return pd.DataFrame(wins, index=list(r.systems), columns=list(r.systems))

    def of_segment(self, segment: str) -> NDArray[np.bool_]:
        """Which of ``pairs`` are of a segment; language pairs that share its name must be taken apart before."""
        names = self.rankings.segments
        places = [place for place, name in enumerate(names) if name == segment]
        if not places:
            raise InputError(f"segment: there is no segment {segment!r}")
        here = np.isin(self.pairs.segment, places)
        if np.unique(self.pairs.segment[here]).size > 1:
            raise InputError(f"segment: {segment!r} is in several language pairs; take one with .select(language_pair)")
        return here

    def where(self, keep: NDArray[np.bool_]) -> Preferences:
        """Some of the judgments."""
        names = ("segment", "judge", "set", "first", "second", "outcome")
        return replace(self, **{name: getattr(self, name)[keep] for name in names})


def as_preferences(judgments: Rankings | Preferences) -> Preferences:
    """Preferences as they are; of rankings, with their ties."""
    if isinstance(judgments, Rankings):
        return judgments.preferences("keep")
    if not isinstance(judgments, Preferences):
        raise InputError(f"preferences: must be Preferences or Rankings, found {type(judgments).__name__}")
    return judgments


def resolve(preferences: Rankings | Preferences) -> Preferences:
    """Let the majority decide: one judgment for every two translations that were judged.

    Parameters
    ----------
    preferences : Preferences or Rankings
        With ties omitted, the outcome of more than half of the judgments; with ties kept, the most frequent of the
        three. Where no single outcome is the most frequent, the pair is left out and counted in ``n_omitted``.

    Returns
    -------
    Preferences
        Judge and set of each are -1; every pair weighs the same, however often it was judged.

    Examples
    --------
    >>> rows = [("ann", "1", {"A": 1, "B": 2}), ("bob", "1", {"A": 2, "B": 1}), ("eve", "1", {"A": 1, "B": 2})]
    >>> resolve(Rankings.from_rows(rows)).outcome
    array([1])
    """
    given = as_preferences(preferences)
    pairs = given.pairs
    best = pairs.counts == pairs.counts.max(axis=1, keepdims=True)
    clear = best.sum(axis=1) == 1
    none = np.full(int(clear.sum()), -1, np.int64)
    outcome = best.argmax(axis=1)[clear] - 1
    arrays = (pairs.segment[clear], none, none, pairs.first[clear], pairs.second[clear], outcome)
    return Preferences(given.rankings, given.ties, *arrays, n_omitted=int((~clear).sum()))


def build(
    language_pairs: Sequence[str],
    segments: Sequence[str],
    judges: Sequence[str],
    systems: NDArray[Any],
    ranks: IntArray,
    **origin: Any,
) -> Rankings:
    """Number the names of all sets, a row a set; systems of shape (sets, places) are "" where there is none."""
    pair_names, _ = _number(language_pairs)
    keys, segment = _number(list(zip(language_pairs, segments, strict=True)))
    judge_names, judge = _number(judges)
    system_names, system = _number(systems.ravel().tolist())
    system = system.reshape(systems.shape)
    if "" in system_names:
        system, system_names = system - 1, system_names[1:]
    pair_of_segment = np.array([pair_names.index(key[0]) for key in keys], np.int64)
    rank = np.where(system < 0, -1, ranks)
    n_blank = int(((system >= 0) & (rank < 0)).sum())
    names = (system_names, tuple(name for _, name in keys), judge_names, pair_names)
    return Rankings(*names, pair_of_segment, segment, judge, system, rank, n_blank=n_blank, **origin)


def _number(names: Sequence[Any]) -> tuple[tuple[Any, ...], IntArray]:
    """The different names in their natural order (2 before 10), and which of them each is."""
    ordered = tuple(sorted(set(names), key=_natural))
    places = {name: place for place, name in enumerate(ordered)}
    return ordered, np.array([places[name] for name in names], np.int64)


def _natural(name: Any) -> Any:
    if isinstance(name, tuple):
        return tuple(map(_natural, name))
    is_number = name.isascii() and name.isdigit() and len(name) < 20
    return (0, int(name), name) if is_number else (1 if name else -1, 0, name)


def _named(names: Sequence[str], codes: IntArray) -> NDArray[Any]:
    return np.array(names, object)[codes] if codes.size else np.array([], object)


def _rank(rank: Any, place: int) -> int:
    if rank is None or rank != rank or rank == -1:
        return -1
    if isinstance(rank, bool) or not isinstance(rank, (int, float, np.integer, np.floating)) or rank < 1 or rank % 1:
        raise InputError(f"rows: set {place}: a rank must be a whole number of at least 1, found {rank!r}")
    return int(rank)


def check_by(by: str | None) -> bool:
    """Whether one row per language pair is wanted."""
    if by not in (None, "language_pair"):
        raise InputError(f"by: must be 'language_pair' or None, found {by!r}")
    return by is not None
