"""Which votes are about the same two answers? Pairs of a human's and a judge's vote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from tiekit.errors import InputError
from tiekit.scores import FloatArray, IntArray, check_epsilon
from tiekit.votes.votes import PAIR, Votes, check_votes


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


def share_votes(judges: Sequence[Votes]) -> list[Votes]:
    """Keep each judge's votes about two answers of which all judges prefer one or call a tie."""
    about = [pd.MultiIndex.from_frame(votes.frame()[PAIR]) for votes in judges]
    cast = [pairs[~np.isnan(votes.preference)] for pairs, votes in zip(about, judges, strict=True)]
    kept = [np.logical_and.reduce([pairs.isin(each) for each in cast]) for pairs in about]
    return [votes.where(one) for votes, one in zip(judges, kept, strict=True)]


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
