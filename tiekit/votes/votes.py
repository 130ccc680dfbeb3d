"""Which of two answers did a judge prefer? Votes with their items, systems and judges."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fnmatch import fnmatchcase
from functools import reduce
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from tiekit.base.errors import CoverageWarning, InputError, quote, warn
from tiekit.base.names import as_names, did_you_mean, find_name
from tiekit.base.parallel import Progress, with_progress
from tiekit.base.validation import FloatArray, IntArray, check_epsilon
from tiekit.judgments.rankings import names_of, number_names
from tiekit.readers import is_human
from tiekit.sets.arguments import Exclude, check_set
from tiekit.sets.cells import check_cells, count_noun, join_names
from tiekit.sets.evalset import EvalSet

TIE_KINDS = ("", "both bad", "inconsistent")
"""What a file says of a tie: nothing, that both answers are bad (Arena), or that both orders disagreed (MT-bench)."""

PAIR = ["item", "turn", "first", "second"]
"""The columns of `Votes.frame` that say which two answers a vote is about."""


_PARTS = (*PAIR, "judge", "preference", "shown", "tie")
"""The arrays of `Votes`, and columns of its frame."""


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
        Names; systems and judges sorted as those of `tiekit.judgments.Rankings`.
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
        read = [check_row(row, number) for number, row in enumerate(rows, 1)]
        if not read:
            raise InputError("rows: there is no vote")
        item, a, b, _, judge, *_ = zip(*read, strict=True)
        codes, texts = pd.factorize(np.array([a, b, judge], object).ravel())
        items = pd.factorize(np.array(item, object))
        return make_votes(*items, texts, codes.reshape(3, -1), to_outcomes(read), digest)

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
        abstained = f", {self.n_abstained} abstentions" if self.n_abstained else ""
        return f"Votes({self.n_votes} votes by {counts}{abstained})"

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
            fitting = [name for name in self.judges if name == wanted or _fits(name, wanted)]
            if not fitting:
                hint = did_you_mean(wanted, self.judges) or f"known: {', '.join(self.judges[:12])}"
                raise InputError(f"judges: no judge is called {wanted!r}; {hint}")
            chosen |= dict.fromkeys(fitting)
        kept = tuple(name for name in self.judges if name in chosen)
        places = {name: place for place, name in enumerate(kept)}
        place = np.array([places.get(name, -1) for name in self.judges], np.int64)
        votes = self.where(place[self.judge] >= 0)
        return replace(votes, judges=kept, judge=place[votes.judge])

    def where(self, keep: NDArray[np.bool_] | IntArray) -> Votes:
        """Return the votes where ``keep`` is true, shape (votes,), or those at these places; names are kept."""
        return replace(self, **{name: getattr(self, name)[keep] for name in _PARTS})

    def frame(self) -> pd.DataFrame:
        """Return one row per vote, with names.

        Columns are ``item``, ``turn``, ``first``, ``second``, ``judge``, ``preference`` (of the first), ``shown`` and
        ``tie``, one of `TIE_KINDS`.
        """
        known = {"item": self.items, "first": self.systems, "second": self.systems, "judge": self.judges}
        known["tie"] = TIE_KINDS
        parts = {name: getattr(self, name) for name in _PARTS}
        return pd.DataFrame(
            {name: names_of(known[name], part) if name in known else part for name, part in parts.items()}
        )

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
        keys = np.array([getattr(cast, part) for part in PAIR])
        _, one, place = np.unique(keys, axis=1, return_index=True, return_inverse=True)
        outcome = np.sign(cast.preference).astype(np.int64) + 1
        counts = np.bincount(place.ravel() * 3 + outcome, minlength=3 * one.size).reshape(-1, 3)
        clear = (counts == counts.max(axis=1, keepdims=True)).sum(axis=1) == 1
        zeros, preference = np.zeros(int(clear.sum()), np.int64), counts.argmax(axis=1)[clear] - 1.0
        made = cast.where(one[clear])
        return replace(made, judges=(name,), judge=zeros, preference=preference, shown=zeros, tie=zeros)


MOST_OF_PATTERN = 200
"""Maximum number of characters of a pattern with other wildcards than ``*`` at its end: Python keeps what it makes of
thousands of patterns, which may be names of a file."""


def _fits(name: str, wanted: str) -> bool:
    """Whether a name is of a pattern."""
    start = wanted.removesuffix("*")
    if not re.search(r"[*?[]", start):
        return start != wanted and name.startswith(start)
    return len(wanted) <= MOST_OF_PATTERN and fnmatchcase(name, wanted)


OUTCOMES = "turn", "preference", "ordered", "tie"
"""What a vote holds besides names."""


def to_outcomes(rows: Iterable[VoteRow]) -> Mapping[str, NDArray[Any]]:
    """The `OUTCOMES` of checked rows."""
    cells = ((row.turn, row.preference, row.ordered, TIE_KINDS.index(row.tie)) for row in rows)
    kinds = np.int64, float, bool, np.int64
    found = np.fromiter(cells, list(zip(OUTCOMES, kinds, strict=True)))
    return {field: found[field].copy() for field in OUTCOMES}


def make_votes(
    item: IntArray,
    items: Iterable[str],
    texts: NDArray[Any],
    names: IntArray,
    cast: Mapping[str, NDArray[Any]],
    digest: str,
) -> Votes:
    """Make votes of the places of their items, of those of a, b and judge in texts, and of their `to_outcomes`."""
    place = np.empty(len(texts), np.int64)
    systems, place[used] = number_names(texts[used := np.unique(names[:2])].tolist())
    turned = np.where(place[names[0]] < place[names[1]], 1, -1)
    first, second = (pick(*place[names[:2]]) for pick in (np.minimum, np.maximum))
    judges, place[used] = number_names(texts[used := np.unique(names[2])].tolist())
    return Votes(
        items=tuple(items),
        systems=systems,
        judges=judges,
        item=item,
        turn=cast["turn"],
        first=first,
        second=second,
        judge=place[names[2]],
        preference=cast["preference"] * turned + 0.0,
        shown=np.where(cast["ordered"], turned, 0),
        tie=cast["tie"],
        digest=digest,
    )


def check_votes(argument: str, votes: object) -> Votes:
    """Refuse what are no votes."""
    if not isinstance(votes, Votes):
        raise InputError(
            f"{argument}: must be Votes, such as tk.votes.read_votes returns, found {type(votes).__name__}"
        )
    return votes


def check_row(row: Row, number: int) -> VoteRow:
    """A row with all fields."""
    try:
        found = VoteRow(*row)
    except TypeError:
        raise InputError(
            f"rows: row {number}: must be (item, a, b, preference, judge, …), found {len(row)} fields"
        ) from None
    item, a, b, judge = str(found.item), str(found.a), str(found.b), str(found.judge)
    for field, name in (("item", item), ("a", a), ("b", b), ("judge", judge)):
        if not name.strip():
            raise InputError(f"rows: row {number}: {field} must be a name, found {name!r}")
    if a == b:
        raise InputError(f"rows: row {number}: a and b must be different systems, found {a!r} twice")
    try:
        preference = math.nan if found.preference is None else float(found.preference)
    except (TypeError, ValueError):
        preference = math.inf
    if math.isinf(preference):
        raise InputError(f"rows: row {number}: preference must be a finite number or NaN, found {found.preference!r}")
    if found.tie not in TIE_KINDS:
        raise InputError(f"rows: row {number}: tie must be one of {TIE_KINDS}, found {found.tie!r}")
    return found._replace(item=item, a=a, b=b, judge=judge, preference=preference, turn=int(found.turn))


def votes_of_scores(data: EvalSet, score: str, *, exclude: Exclude = None) -> Votes:
    """Turn scores into votes: every two systems of a segment, with the difference of their scores as the preference.

    Parameters
    ----------
    data : EvalSet
        Scores of systems on segments.
    score : str
        The name of a human score or a metric of the set; the judge has the same name.
    exclude : str or iterable of str, optional
        Systems to leave out; None: the standard reference and outliers; ``()``: nobody.

    Returns
    -------
    Votes
        Items are the segments. Two systems of which one lacks its score get no vote. Differences are those of the
        decimal numbers, so that equal differences are equal. The order of the answers is unknown.

    Raises
    ------
    InputError
        For an unknown name, and where no two systems are scored on a segment.

    Examples
    --------
    >>> data = EvalSet("toy", "", ("A", "B", "C"), ("1",), {"stars": [[4], [2], [4]]}, {"judge": [[4.5], [3.1], [4.1]]})
    >>> votes_of_scores(data, "stars").preference, votes_of_scores(data, "judge").preference
    (array([ 2.,  0., -2.]), array([ 1.4,  0.4, -1. ]))
    """
    kept = check_set(data).select(exclude=exclude)
    scores = {**kept.metrics, **kept.human}
    name = find_name("score", score, scores)
    rows = [
        VoteRow(segment, a, b, difference(one, other), name, ordered=False)
        for segment, column in zip(kept.segments, scores[name].T.tolist(), strict=True)
        for (a, one), (b, other) in combinations(zip(kept.systems, column, strict=True), 2)
        if one == one and other == other
    ]
    if not rows:
        raise InputError(f"data: no two systems have a score {name!r} on one segment")
    return Votes.from_rows(rows, digest=data.digest)


def difference(a: float, b: float) -> float:
    """Subtract two scores as the decimal numbers that they are written as, so that 7.3 − 5.1 equals 8.3 − 6.1."""
    return float(Decimal(repr(float(a))) - Decimal(repr(float(b))))


OWN_VOTES = 'cells="own" takes each judge on its own votes'
"""What a caller can do about votes that are left out."""


class Matched(NamedTuple):
    """Pairs of votes about the same two answers, without abstentions: sorted names of items, and arrays of all pairs.

    ``met`` are the places of human votes that meet one of the judge, ``coverage`` is their share of those that prefer.
    """

    items: tuple[str, ...]
    item: IntArray
    human: FloatArray
    judge: FloatArray
    n_abstained: int
    coverage: float
    met: IntArray


MOST_PAIRED = 2_000_000
"""Maximum number of pairs of votes: so many votes on the same two answers meet each of as many others."""


def merge_votes(left: pd.DataFrame, right: pd.DataFrame, keys: list[str], suffixes: tuple[str, str]) -> pd.DataFrame:
    """Pair each vote with all of the other side that have the same keys; they are counted before."""
    if len(left) * len(right) > MOST_PAIRED:
        counts = [frame.groupby(keys, sort=False).size() for frame in (left, right)]
        most = min(int(counts[0].max()) * len(right), int(counts[1].max()) * len(left))
        if most > MOST_PAIRED and (found := int(counts[0].mul(counts[1], fill_value=0).sum())) > MOST_PAIRED:
            problem = f"{found:,} pairs of votes are about the same two answers; the limit is {MOST_PAIRED:,}"
            raise InputError(f"votes: {problem}; keep fewer votes on each, as votes.majority() does")
    return left.merge(right, on=keys, suffixes=suffixes)


def match(judge: Votes, human: Votes | None) -> Matched:
    """Pair each vote with all of the other side about the same two answers, as MT-bench does; see `agreement`."""
    check_votes("judge", judge)
    among = human is None or human is judge
    human = judge if human is None else check_votes("human", human)
    items, places = _share_places([human.items, judge.items])
    _, systems = _share_places([human.systems, judge.systems])
    left, right = (_frame_of_places(*each) for each in zip((human, judge), places, systems, strict=True))
    pairs: pd.DataFrame = merge_votes(left, right, PAIR, ("_human", "_judge"))
    if among:
        place = {name: (not is_human(name), name) for name in judge.judges}  # whatever the order of the rows is
        sides = zip(pairs["judge_human"], pairs["judge_judge"], strict=True)
        pairs = pairs[[place[judge.judges[one]] < place[judge.judges[other]] for one, other in sides]]
    if pairs.empty and among and len(judge.judges) == 1:
        raise InputError(
            f"human: needed, as one judge gave all votes ({quote(judge.judges[0])}): pass the human votes, or read the "
            "votes of both with a column judge that says who voted"
        )
    if pairs.empty:
        raise InputError(
            "judge: no vote of the judge and of the human is about the same two answers; compare names of items and "
            f"systems: {_some(judge)} beside {_some(human)}"
        )
    cast = pairs.dropna(subset=["preference_human", "preference_judge"])
    codes, item = np.unique(cast["item"].to_numpy(np.int64), return_inverse=True)
    names = [items[code] for code in codes.tolist()]
    order = sorted(range(len(names)), key=names.__getitem__)
    voted = int((~np.isnan(human.preference)).sum())
    met = np.unique(cast[["vote_human", "vote_judge"] if among else ["vote_human"]])
    return Matched(
        items=tuple(names[place] for place in order),
        item=np.asarray(np.argsort(order)[item], np.int64),
        human=cast["preference_human"].to_numpy(np.float64),
        judge=cast["preference_judge"].to_numpy(np.float64),
        n_abstained=len(pairs) - len(cast),
        coverage=met.size / voted if voted else float("nan"),
        met=np.asarray(met, np.int64),
    )


def _share_places(names: Sequence[Sequence[str]]) -> tuple[Sequence[str], list[IntArray]]:
    """The names of all sides together, and the places of each side's among them."""
    if all(some == names[0] for some in names[1:]):
        return next(iter(names), ()), [np.arange(len(some)) for some in names]
    place: dict[str, int] = {}
    places = [np.array([place.setdefault(name, len(place)) for name in some], np.int64) for some in names]
    return list(place), places


def _frame_of_places(votes: Votes, items: IntArray, systems: IntArray) -> pd.DataFrame:
    """One row per vote, with places of names instead of these, which takes a tenth of the time."""
    columns = {"item": items[votes.item], "turn": votes.turn}
    columns |= {"first": systems[votes.first], "second": systems[votes.second]}
    return pd.DataFrame(
        {"vote": np.arange(votes.n_votes)} | columns | {"judge": votes.judge, "preference": votes.preference}
    )


class Shared(NamedTuple):
    """The votes of several judges that are compared with the same human votes, of which there are ``n_votes``.

    ``matched`` pairs each judge's with the human ones, ``own`` all votes of each; ``gaps`` says what is left out.
    """

    judges: list[Votes]
    matched: list[Matched]
    own: list[Matched]
    kind: str
    n_votes: int
    gaps: str

    def warn(self) -> None:
        """Warn of `gaps`, and say what a caller can do."""
        if self.gaps:
            warn(f"compared on {self.gaps}; {OWN_VOTES}", CoverageWarning)


def share_votes(
    judges: Mapping[str, Votes],
    human: Votes,
    cells: str | None = None,
    *,
    argument: str = "judges",
    progress: Progress | None = None,
) -> Shared:
    """Find the votes on which judges are compared, see `compare_judges`; the one place with this rule.

    A judge that only abstains takes no votes from the others. Judges with too little in common are refused, although
    each has enough by itself.
    """
    kind, votes = check_cells(cells), list(judges.values())
    own = [match(each, human) for each in with_progress(votes, progress)]
    costing = {name: one.met for name, one in zip(judges, own, strict=True) if one.met.size}
    before = reduce(np.union1d, costing.values(), np.zeros(0, np.int64))
    lacking = {name: np.setdiff1d(before, met).size for name, met in costing.items()}
    if kind == "own" or not any(lacking.values()):
        return Shared(votes, own, own, kind, before.size, "")
    both = reduce(np.intersect1d, costing.values())
    few = np.unique(human.item[both]).size
    if not few or few < 2 <= min(len(one.items) for one in own if one.met.size):
        others = {name: [met for other, met in costing.items() if other != name] for name in costing}
        worst = max(others, key=lambda name: (reduce(np.intersect1d, others[name]).size, lacking[name]))
        raise InputError(
            f"{argument}: {join_names(list(costing))} voted on the same two answers of {count_noun(few, 'item')}, and "
            f"at least two are needed; leave out {worst}; {OWN_VOTES}"
        )
    kept = share_answers(votes)
    said = [f"{name} has no votes on {number:,}" for name, number in lacking.items() if number]
    gaps = f"{both.size:,} of {before.size:,} human votes: {'; '.join(said)}"
    matched = [match(one, human) if found.met.size else found for one, found in zip(kept, own, strict=True)]
    return Shared(kept, matched, own, kind, both.size, gaps)


def share_answers(judges: Sequence[Votes]) -> list[Votes]:
    """Keep each judge's votes about two answers of which all judges prefer one or call a tie.

    `agreement_interval` and `compare_judges` do so by themselves, for votes that meet a human one.

    Parameters
    ----------
    judges : sequence of Votes
        One per judge. A judge that only abstains keeps its votes and takes none from the others.

    Returns
    -------
    list of Votes
        In the same order.

    Raises
    ------
    InputError
        For other objects.

    Examples
    --------
    >>> ann = Votes.from_rows([("1", "A", "B", 1, "ann"), ("2", "A", "B", 0, "ann"), ("3", "A", "B", 1, "ann")])
    >>> bob = Votes.from_rows([("1", "B", "A", 1, "bob"), ("2", "A", "B", float("nan"), "bob")])
    >>> share_answers([ann, bob])
    [Votes(1 votes by 1 judges on 3 items, 2 systems), Votes(1 votes by 1 judges on 2 items, 2 systems)]
    """
    checked = [check_votes("judges", votes) for votes in judges]
    _, items = _share_places([votes.items for votes in checked])
    _, systems = _share_places([votes.systems for votes in checked])
    frames = map(_frame_of_places, checked, items, systems)
    about = [pd.MultiIndex.from_frame(frame[PAIR]) for frame in frames]
    cast = [pairs[~np.isnan(votes.preference)] for pairs, votes in zip(about, checked, strict=True)]
    return [
        votes.where(np.logical_and.reduce([pairs.isin(each) for each in cast if len(each)])) if len(own) else votes
        for votes, pairs, own in zip(checked, about, cast, strict=True)
    ]


def outcomes(preference: FloatArray, threshold: float) -> IntArray:
    """+1, 0 or −1 for each preference; at most as far from 0 as the threshold is a tie."""
    return np.where(np.abs(preference) <= check_epsilon(threshold), 0, np.sign(preference)).astype(np.int64)


def tables(matched: Matched, threshold: float, human_threshold: float) -> IntArray:
    """A table of every item, shape (items, 3, 3): rows human, columns judge; win, tie, loss of the first answer."""
    row, column = 1 - outcomes(matched.human, human_threshold), 1 - outcomes(matched.judge, threshold)
    place = (matched.item * 3 + row) * 3 + column
    counts = np.bincount(place, minlength=9 * len(matched.items)) if place.size else np.zeros(0, np.int64)
    return counts.astype(np.int64).reshape(-1, 3, 3)


def _some(votes: Votes) -> str:
    """How the first vote names its item and its systems."""
    first = votes.where(np.zeros(1, np.int64)).frame().iloc[0]
    turn = f", turn {first['turn']}" if first["turn"] else ""
    return f"item {first['item']!r}{turn}, {first['first']!r} and {first['second']!r}"
