"""Which of two translations was preferred? Pairwise judgments, as positions in the names of their rankings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tiekit.base.errors import InputError
from tiekit.base.results import Plotted
from tiekit.base.validation import IntArray

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


TIES = ("omit", "keep")
"""Two translations with equal ranks from one judge are left out, or kept as a tie."""


@dataclass(frozen=True, eq=False, repr=False)
class Rankings:
    """Sets of translations of one segment, each ranked by one judge; rank 1 is the best.

    Attributes
    ----------
    systems, segments, judges, language_pairs : tuple of str
        Names, sorted: whole numbers by value, then the others by character, so ``"2"`` comes before ``"10"``, but
        ``"s10"`` before ``"s2"``. Each language pair has its own segments.
    pair_of_segment : int64, shape (segments,)
        Position of each segment's language pair in ``language_pairs``.
    segment, judge : int64, shape (sets,)
        Positions in ``segments`` and ``judges``, one per ranked set.
    system, rank : int64, shape (sets, largest set)
        Positions in ``systems``, and ranks; -1 where a set has no more translations or a rank was left blank.
    n_blank : int
        Translations that were shown but not ranked; they are left out.
    skipped : dict of str to int
        Number of skipped lines of the file, by reason.
    digest : str
        SHA-256 of the file; empty for rankings made in Python.
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
        """Make rankings from Python values.

        Parameters
        ----------
        rows : iterable of (judge, segment, ranks)
            One row per ranked set. ``ranks`` maps each system to a whole number of at least 1, where 1 is the best;
            None, NaN and -1 are ranks left blank.
        language_pair : str
            The language pair of all segments.

        Returns
        -------
        Rankings

        Raises
        ------
        InputError
            For a value that is not a rank, and for systems that have no name or the same name; the message names the
            set, counted from 1.

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
        return build_rankings(pairs, [segment for _, segment, _ in sets], [judge for judge, *_ in sets], names, numbers)

    @property
    def n_sets(self) -> int:
        """The number of ranked sets."""
        return self.segment.size

    def __repr__(self) -> str:
        counts = [f"{len(getattr(self, kind))} {kind}" for kind in ("judges", "systems", "segments", "language_pairs")]
        return f"Rankings({self.n_sets} sets, {', '.join(counts).replace('_', ' ')})"

    def select(self, language_pair: str) -> Rankings:
        """Return the sets of one language pair; names of the others are kept.

        Raises
        ------
        InputError
            For an unknown language pair.
        """
        if language_pair not in self.language_pairs:
            known = ", ".join(self.language_pairs)
            raise InputError(f"language_pair: must be one of {known}, found {language_pair!r}")
        keep = self.pair_of_segment[self.segment] == self.language_pairs.index(language_pair)
        parts = {name: getattr(self, name)[keep] for name in ("segment", "judge", "system", "rank")}
        return replace(self, language_pairs=self.language_pairs, **parts)

    def preferences(self, ties: str = "omit") -> Preferences:
        """Turn every two ranked translations of a set into a judgment: five translations give ten.

        Parameters
        ----------
        ties : {"omit", "keep"}
            Whether two equal ranks are left out and counted (WMT's practice), or kept as outcome 0.

        Returns
        -------
        Preferences
            n ranked translations give n(n − 1)/2 judgments.

        Raises
        ------
        InputError
            For another value of ``ties``.

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
        swapped = first > second
        first, second = np.where(swapped, second, first), np.where(swapped, first, second)
        outcome = np.where(swapped, -outcome, outcome)
        keep = outcome != 0 if ties == "omit" else np.ones(outcome.size, bool)
        every = Preferences(self, ties, self.segment[sets], self.judge[sets], sets, first, second, outcome)
        return replace(every.where(keep), n_omitted=int((~keep).sum()))


def as_preferences(judgments: Rankings | Preferences) -> Preferences:
    """Preferences unchanged; those of rankings with their ties."""
    if isinstance(judgments, Rankings):
        return judgments.preferences("keep")
    if not isinstance(judgments, Preferences):
        raise InputError(f"preferences: must be Preferences or Rankings, found {type(judgments).__name__}")
    return judgments


def build_rankings(
    language_pairs: Sequence[str],
    segments: Sequence[str],
    judges: Sequence[str],
    systems: NDArray[Any],
    ranks: IntArray,
    **origin: Any,
) -> Rankings:
    """Number the names of all sets; systems have shape (sets, places), "" where a set has no more translations."""
    pair_names, _ = number_names(language_pairs)
    keys, segment = number_names(list(zip(language_pairs, segments, strict=True)))
    judge_names, judge = number_names(judges)
    system_names, system = number_names(systems.ravel().tolist())
    system = system.reshape(systems.shape)
    if "" in system_names:
        system, system_names = system - 1, system_names[1:]
    place_of_pair = {name: place for place, name in enumerate(pair_names)}
    pair_of_segment = np.array([place_of_pair[pair] for pair, _ in keys], np.int64)
    rank = np.where(system < 0, -1, ranks)
    n_blank = int(((system >= 0) & (rank < 0)).sum())
    names = (system_names, tuple(name for _, name in keys), judge_names, pair_names)
    return Rankings(*names, pair_of_segment, segment, judge, system, rank, n_blank=n_blank, **origin)


def with_own_names(rankings: Rankings) -> Rankings:
    """The same sets with the names of their systems and segments alone, as after `Rankings.select` of a pair."""
    systems = np.unique(rankings.system[rankings.system >= 0])
    segments = np.unique(rankings.segment)
    return replace(
        rankings,
        systems=tuple(rankings.systems[place] for place in systems.tolist()),
        segments=tuple(rankings.segments[place] for place in segments.tolist()),
        pair_of_segment=rankings.pair_of_segment[segments],
        segment=np.searchsorted(segments, rankings.segment),
        system=np.where(rankings.system < 0, -1, np.searchsorted(systems, rankings.system)),
    )


def number_names(names: Sequence[Any]) -> tuple[tuple[Any, ...], IntArray]:
    """The distinct names, numbers by value before words, and the position of each given name among them."""
    ordered = tuple(sorted(set(names), key=_natural))
    places = {name: place for place, name in enumerate(ordered)}
    return ordered, np.array([places[name] for name in names], np.int64)


def _natural(name: Any) -> Any:
    """A sort key: empty names, then numbers by value, then words."""
    if isinstance(name, tuple):
        return tuple(map(_natural, name))
    is_number = name.isascii() and name.isdigit() and len(name) < 20
    return (0, int(name), name) if is_number else (1 if name else -1, 0, name)


def _rank(rank: Any, place: int) -> int:
    """A rank as an integer, -1 where it was left blank."""
    if rank is None or rank != rank or rank == -1:
        return -1
    if isinstance(rank, bool) or not isinstance(rank, (int, float, np.integer, np.floating)) or rank < 1 or rank % 1:
        raise InputError(f"rows: set {place}: a rank must be a whole number of at least 1, found {rank!r}")
    return int(rank)
