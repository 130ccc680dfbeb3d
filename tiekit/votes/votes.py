"""Which of two answers did a judge prefer? Votes with their items, systems and judges."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tiekit.errors import InputError
from tiekit.judgments.preferences import names_of
from tiekit.judgments.rankings import number_names
from tiekit.names import as_names, did_you_mean
from tiekit.scores import FloatArray, IntArray

TIE_KINDS = ("", "both bad", "inconsistent")
"""What a file says of a tie: nothing, that both answers are bad (Arena), or that both orders disagreed (MT-bench)."""

PAIR = ["item", "turn", "first", "second"]
"""The columns of `Votes.frame` that say which two answers a vote is about."""


class VoteRow(NamedTuple):
    """One vote as it was cast.

    Attributes
    ----------
    item : str
        What both answers answer: a question, a prompt, a segment.
    a, b : str
        The systems whose answers were compared; the answer of ``a`` was shown first where ``ordered`` is true.
    preference : float
        Above 0 where the answer of ``a`` is better, below 0 where that of ``b`` is, 0 for a tie, NaN for an abstention.
        Its size may be a difference of scores.
    judge : str
    turn : int
        Of a conversation, counted from 1; 0 where there are no turns.
    tie : str
        One of `TIE_KINDS`.
    ordered : bool
        Whether the order of ``a`` and ``b`` is that in which the judge saw them.
    """

    item: str
    a: str
    b: str
    preference: float
    judge: str = "judge"
    turn: int = 0
    tie: str = ""
    ordered: bool = True


Row: TypeAlias = VoteRow | tuple[Any, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Votes:
    """Pairwise votes: one array element per vote.

    Attributes
    ----------
    items, systems, judges : tuple of str
        Names; systems and judges sorted: names that are whole numbers by value, then the others by character, so
        ``"2"`` comes before ``"10"``, but ``"s10"`` before ``"s2"``.
    item, turn, first, second, judge : int64, shape (votes,)
        Positions in the names (``turn``: its number, 0 for none); ``first`` < ``second``, in whichever order they were
        shown.
    preference : float64, shape (votes,)
        Above 0 where the answer of ``first`` is better, below 0 where that of ``second`` is, 0 for a tie, NaN where the
        judge abstained.
    shown : int64, shape (votes,)
        +1 where the answer of ``first`` was shown first, -1 where that of ``second`` was, 0 where the order is unknown.
    tie : int64, shape (votes,)
        Positions in `TIE_KINDS`.
    digest : str
        SHA-256 of the file; empty for votes made in Python.
    """

    items: tuple[str, ...]
    systems: tuple[str, ...]
    judges: tuple[str, ...]
    item: IntArray
    turn: IntArray
    first: IntArray
    second: IntArray
    judge: IntArray
    preference: FloatArray
    shown: IntArray
    tie: IntArray
    digest: str = ""

    @classmethod
    def from_rows(cls, rows: Iterable[Row], *, digest: str = "") -> Votes:
        """Make votes from Python values.

        Parameters
        ----------
        rows : iterable of VoteRow, or of tuples with its fields
            At least item, a, b and preference; the preference may be infinite nowhere.
        digest : str
            SHA-256 of the file that they come from.

        Returns
        -------
        Votes

        Raises
        ------
        InputError
            For no rows, a row with too few or too many fields, equal systems, an infinite preference or an unknown kind
            of tie; the message names the row, counted from 1.

        Examples
        --------
        >>> votes = Votes.from_rows([("81", "llama", "vicuna", -1, "ann"), ("81", "vicuna", "llama", 0, "bob")])
        >>> votes, votes.preference.tolist(), votes.shown.tolist()
        (Votes(2 votes by 2 judges on 1 items, 2 systems), [-1.0, 0.0], [1, -1])
        """
        read = [_checked(row, number) for number, row in enumerate(rows, 1)]
        if not read:
            raise InputError("rows: there is no vote")
        items = tuple(dict.fromkeys(row.item for row in read))
        place_of = {name: place for place, name in enumerate(items)}
        systems, sides = number_names([name for row in read for name in (row.a, row.b)])
        judges, judge = number_names([row.judge for row in read])
        a, b = sides.reshape(-1, 2).T
        turned = np.where(a < b, 1, -1)
        return cls(
            items=items,
            systems=systems,
            judges=judges,
            item=np.array([place_of[row.item] for row in read], np.int64),
            turn=np.array([row.turn for row in read], np.int64),
            first=np.minimum(a, b),
            second=np.maximum(a, b),
            judge=judge,
            preference=np.array([row.preference for row in read], np.float64) * turned + 0.0,
            shown=np.where([row.ordered for row in read], turned, 0).astype(np.int64),
            tie=np.array([TIE_KINDS.index(row.tie) for row in read], np.int64),
            digest=digest,
        )

    @property
    def n_votes(self) -> int:
        """The number of votes, abstentions included."""
        return self.item.size

    @property
    def n_abstained(self) -> int:
        """The number of votes without a preference."""
        return int(np.isnan(self.preference).sum())

    @property
    def graded(self) -> bool:
        """Whether preferences have more than one size, so that a tie threshold changes something."""
        sizes = np.abs(self.preference[~np.isnan(self.preference)])
        return np.unique(sizes[sizes > 0]).size > 1

    def __repr__(self) -> str:
        counts = f"{len(self.judges)} judges on {len(self.items)} items, {len(self.systems)} systems"
        return f"Votes({self.n_votes} votes by {counts})"

    def by(self, judges: str | Iterable[str]) -> Votes:
        """Return the votes of some judges.

        Parameters
        ----------
        judges : str or iterable of str
            Names, or patterns with ``*`` and ``?``: ``"expert_*"``.

        Raises
        ------
        InputError
            Where a name or pattern fits no judge.

        Examples
        --------
        >>> votes = Votes.from_rows([("1", "A", "B", 1, "expert_1"), ("1", "A", "B", 1, "gpt-4")])
        >>> votes.by("expert_*").judges
        ('expert_1',)
        """
        chosen: dict[str, None] = {}
        for wanted in as_names(judges, "judges"):
            fitting = [name for name in self.judges if name == wanted or fnmatchcase(name, wanted)]
            if not fitting:
                hint = did_you_mean(wanted, self.judges) or f"known: {', '.join(self.judges[:12])}"
                raise InputError(f"judges: no judge is called {wanted!r}; {hint}")
            chosen |= dict.fromkeys(fitting)
        kept = tuple(name for name in self.judges if name in chosen)
        place = np.array([kept.index(name) if name in chosen else -1 for name in self.judges], np.int64)
        votes = self.where(place[self.judge] >= 0)
        return replace(votes, judges=kept, judge=place[votes.judge])

    def where(self, keep: NDArray[np.bool_]) -> Votes:
        """Return the votes where ``keep`` is true, shape (votes,); names are kept."""
        parts = ("item", "turn", "first", "second", "judge", "preference", "shown", "tie")
        return replace(self, **{name: getattr(self, name)[keep] for name in parts})

    def frame(self) -> pd.DataFrame:
        """Return one row per vote, with names.

        Columns are ``item``, ``turn``, ``first``, ``second``, ``judge``, ``preference`` (of the first), ``shown`` and
        ``tie``, one of `TIE_KINDS`.
        """
        columns = {
            "item": names_of(self.items, self.item),
            "turn": self.turn,
            "first": names_of(self.systems, self.first),
            "second": names_of(self.systems, self.second),
            "judge": names_of(self.judges, self.judge),
            "preference": self.preference,
            "shown": self.shown,
            "tie": names_of(TIE_KINDS, self.tie),
        }
        return pd.DataFrame(columns)

    def majority(self, name: str = "majority") -> Votes:
        """Return one vote for each two answers: the outcome that most votes have.

        Abstentions do not count. Two answers whose most frequent outcome is not unique get no vote: they are left out,
        and a draw of the votes is not a tie.

        Parameters
        ----------
        name : str
            The name of the judge that all votes have then.

        Examples
        --------
        >>> rows = [("1", "A", "B", 1, "ann"), ("1", "B", "A", -1, "bob"), ("1", "A", "B", 0, "eve")]
        >>> Votes.from_rows(rows).majority().preference
        array([1.])
        """
        cast = self.where(~np.isnan(self.preference))
        keys, place = np.unique(np.array([cast.item, cast.turn, cast.first, cast.second]), axis=1, return_inverse=True)
        outcome = np.sign(cast.preference).astype(np.int64) + 1
        counts = np.bincount(place.ravel() * 3 + outcome, minlength=3 * keys.shape[1]).reshape(-1, 3)
        clear = (counts == counts.max(axis=1, keepdims=True)).sum(axis=1) == 1
        item, turn, first, second = keys[:, clear]
        zeros = np.zeros(int(clear.sum()), np.int64)
        preference = counts.argmax(axis=1)[clear] - 1.0
        return replace(
            self,
            judges=(name,),
            item=item,
            turn=turn,
            first=first,
            second=second,
            judge=zeros,
            preference=preference,
            shown=zeros,
            tie=zeros,
        )


def check_votes(argument: str, votes: object) -> Votes:
    """Refuse what are no votes."""
    if not isinstance(votes, Votes):
        raise InputError(
            f"{argument}: must be Votes, such as tk.votes.read_votes returns, found {type(votes).__name__}"
        )
    return votes


def _checked(row: Row, number: int) -> VoteRow:
    """A row with all fields."""
    try:
        found = VoteRow(*row)
    except TypeError:
        raise InputError(
            f"rows: row {number}: must be (item, a, b, preference, judge, …), found {len(row)} fields"
        ) from None
    found = found._replace(item=str(found.item), a=str(found.a), b=str(found.b), judge=str(found.judge))
    for field in ("item", "a", "b", "judge"):
        if not getattr(found, field).strip():
            raise InputError(f"rows: row {number}: {field} must be a name, found {getattr(found, field)!r}")
    if found.a == found.b:
        raise InputError(f"rows: row {number}: a and b must be different systems, found {found.a!r} twice")
    try:
        preference = math.nan if found.preference is None else float(found.preference)
    except (TypeError, ValueError):
        preference = math.inf
    if math.isinf(preference):
        raise InputError(f"rows: row {number}: preference must be a finite number or NaN, found {found.preference!r}")
    if found.tie not in TIE_KINDS:
        raise InputError(f"rows: row {number}: tie must be one of {TIE_KINDS}, found {found.tie!r}")
    return found._replace(preference=preference, turn=int(found.turn))
