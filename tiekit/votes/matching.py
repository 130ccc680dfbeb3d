"""Which votes are about the same two answers? Pairs of a human's and a judge's vote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import NamedTuple

import numpy as np
import pandas as pd

from tiekit.cells import check_cells, count_noun, join_names
from tiekit.errors import CoverageWarning, InputError, warn
from tiekit.scores import FloatArray, IntArray, check_epsilon
from tiekit.votes.votes import PAIR, Votes, check_votes

OWN_VOTES = 'cells="own" takes each judge on its own votes'
"""What a caller can do about votes that are left out."""


class Matched(NamedTuple):
    """Pairs of votes about the same two answers, abstentions left out.

    Attributes
    ----------
    items : tuple of str
        Names of the items with at least one pair, in the order of their characters.
    item : int64, shape (pairs,)
        Positions in ``items``.
    human, judge : float64, shape (pairs,)
        Preferences for the first of both answers.
    n_abstained : int
        Pairs left out because a side abstained.
    n_human : int
        Human votes with a preference.
    coverage : float
        Share of them that meet a vote of the judge with a preference.
    met : int64, shape (votes,)
        Which of them do.
    """

    items: tuple[str, ...]
    item: IntArray
    human: FloatArray
    judge: FloatArray
    n_abstained: int
    n_human: int
    coverage: float
    met: IntArray


def match(judge: Votes, human: Votes | None) -> Matched:
    """Pair votes with the same item, turn and systems; without ``human``, votes of different judges with each other.

    A vote is paired with every vote of the other side about the same two answers, as MT-bench does.
    """
    of_judge = check_votes("judge", judge).frame()
    among = human is None or human is judge
    of_human = of_judge if human is None or human is judge else check_votes("human", human).frame()
    left, right = (frame[[*PAIR, "judge", "preference"]].reset_index(names="vote") for frame in (of_human, of_judge))
    pairs = left.merge(right, on=PAIR, suffixes=("_human", "_judge"))
    if among:
        pairs = pairs[(pairs["judge_human"] != pairs["judge_judge"]) & (pairs["vote_human"] < pairs["vote_judge"])]
    if pairs.empty:
        raise InputError(
            "judge: no vote of the judge and of the human is about the same two answers; compare names of items and "
            f"systems: {_some(of_judge)} beside {_some(of_human)}"
        )
    cast = pairs.dropna(subset=["preference_human", "preference_judge"])
    item, items = pd.factorize(cast["item"], sort=True)
    voted = of_human.index[of_human["preference"].notna()]
    met = np.unique(cast[["vote_human", "vote_judge"] if among else ["vote_human"]])
    return Matched(
        items=tuple(map(str, items)),
        item=np.asarray(item, np.int64),
        human=cast["preference_human"].to_numpy(np.float64),
        judge=cast["preference_judge"].to_numpy(np.float64),
        n_abstained=len(pairs) - len(cast),
        n_human=len(voted),
        coverage=met.size / len(voted) if len(voted) else float("nan"),
        met=np.asarray(met, np.int64),
    )


class Shared(NamedTuple):
    """Votes of several judges on which they are compared with the same human votes.

    Attributes
    ----------
    judges : list of Votes
        Those that count of each.
    matched : list of Matched
        Each beside the human votes.
    own : list of Matched
        The same of all votes of each.
    kind : {"common", "own"}
    n_votes : int
        Human votes that are compared; with ``"own"``, those that at least one judge's votes meet.
    gaps : str
        How many human votes are left out, and who has no votes on how many; nothing where none is.
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
    judges: Mapping[str, Votes], human: Votes, cells: str | None = None, *, argument: str = "judges"
) -> Shared:
    """Find the votes on which judges are compared; the one place with this rule.

    Parameters
    ----------
    judges : mapping of str to Votes
    human : Votes
    cells : {"common", "own"} or None
        Those about two answers on which all judges voted without abstaining, or each judge's own. None is
        ``"common"``. A judge that only abstains takes no votes from the others.
    argument : str
        What an error names.

    Raises
    ------
    InputError
        Where judges have no human vote, or fewer than two items, in common although each has enough by itself.
    """
    kind, votes = check_cells(cells), list(judges.values())
    own = [match(each, human) for each in votes]
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
    about = [pd.MultiIndex.from_frame(votes.frame()[PAIR]) for votes in checked]
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


def _some(frame: pd.DataFrame) -> str:
    """How the first vote names its item and its systems."""
    first = frame.iloc[0]
    turn = f", turn {first['turn']}" if first["turn"] else ""
    return f"item {first['item']!r}{turn}, {first['first']!r} and {first['second']!r}"
