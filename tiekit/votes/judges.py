"""Does a judge say the same when both answers change places? Position bias, and one vote from both orders."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pandas as pd

from tiekit.base.errors import InputError, ReadError
from tiekit.base.names import split_names
from tiekit.base.results import Result, best_first
from tiekit.base.validation import IntArray
from tiekit.readers import objects, read_text, to_name, to_score
from tiekit.votes.agreement import agreement_of_matched, calibrate_threshold, get_agreement_measure
from tiekit.votes.votes import PAIR, TIE_KINDS, Votes, check_votes, merge_votes, outcomes, share_votes

DISAGREEMENTS = ("omit", "tie", "mean")
"""What becomes of two orders with different outcomes: an abstention, a tie, or the mean of both preferences."""


@dataclass(frozen=True, eq=False, repr=False)
class SwapConsistency(Result):
    """How a judge votes on the same two answers in both orders.

    Attributes
    ----------
    value : float
        Share of the pairs of orders with the same outcome; NaN where no two answers were judged in both orders.
    n : int
        Pairs of votes of one judge about the same two answers in both orders.
    same : int
        Pairs with the same outcome, ties included.
    first, second : int
        Pairs in which the answer shown first wins both times, or the one shown second: position bias.
    half : int
        Pairs with a tie in one order and a winner in the other.
    same_ties : int
        Pairs of ``same`` that are ties in both orders.
    first_wins : float
        Share of wins of the answer shown first among all votes with a winner and a known order; 0.5 is no bias.
    """

    value: float
    n: int
    same: int
    first: int
    second: int
    half: int
    same_ties: int
    first_wins: float
    _number: ClassVar[str | None] = "value"


def swap_consistency(votes: Votes, *, threshold: float = 0.0) -> SwapConsistency:
    """Measure how often a judge prefers the same answer in both orders.

    Parameters
    ----------
    votes : Votes
        Of one judge or several; a vote is paired with those of the same judge about the same two answers in the other
        order. Votes whose order is unknown and abstentions are left out.
    threshold : float
        A preference whose size is at most this is a tie.

    Returns
    -------
    SwapConsistency
        0 to 1; higher is better.

    Raises
    ------
    InputError
        For other objects and a negative threshold.

    References
    ----------
    Zheng et al. (2023), section 3.3 and Table 2, arXiv 2306.05685.

    Examples
    --------
    >>> rows = [("1", "A", "B", 1), ("1", "B", "A", 1), ("2", "A", "B", 1), ("2", "B", "A", -1)]
    >>> found = swap_consistency(Votes.from_rows(rows))
    >>> found.value, found.first, found.second, found.first_wins
    (0.5, 1, 0, 0.75)
    """
    return Orders.of(votes).consistency(threshold)


class Orders(NamedTuple):
    """Votes with a preference and a known order, and the places of those on two answers in both orders."""

    cast: Votes
    one: IntArray
    other: IntArray

    @classmethod
    def of(cls, votes: Votes) -> Orders:
        """Pair the votes of a judge on the same two answers."""
        cast = check_votes("votes", votes).where(~np.isnan(votes.preference) & (votes.shown != 0))
        return cls(cast, *_both_orders(cast))

    def consistency(self, threshold: float) -> SwapConsistency:
        """Count the pairs, where a preference whose size is at most the threshold is a tie."""
        return _consistency(*self, outcomes(self.cast.preference, threshold))


def _consistency(cast: Votes, one: IntArray, other: IntArray, outcome: IntArray) -> SwapConsistency:
    """How often both orders agree."""
    first, second = outcome[one], outcome[other]  # for the answer that is shown first in `one`
    same, opposite = first == second, first == -second
    biased = opposite & (first != 0)
    for_first = outcome * cast.shown
    decided = for_first[for_first != 0]
    n = int(one.size)
    return SwapConsistency(
        value=float(same.mean()) if n else float("nan"),
        n=n,
        same=int(same.sum()),
        first=int((biased & (first * cast.shown[one] > 0)).sum()),
        second=int((biased & (first * cast.shown[one] < 0)).sum()),
        half=int((~same & ~biased).sum()),
        same_ties=int((same & (first == 0)).sum()),
        first_wins=float((decided > 0).mean()) if decided.size else float("nan"),
    )


def resolve_orders(votes: Votes, disagreement: str = "omit", *, threshold: float = 0.0) -> Votes:
    """Make one vote from the votes of a judge in both orders.

    A disagreement between both orders is not a tie: the judge never said that the answers are equally good. MT-bench
    counts it as one, which raises the share of ties; ``"omit"`` keeps it apart, as an abstention.

    Parameters
    ----------
    votes : Votes
        Votes without a partner in the other order are kept as they are.
    disagreement : {"omit", "tie", "mean"}
        What two different outcomes become: an abstention; a tie, marked "inconsistent"; the mean of both preferences.
    threshold : float
        A preference whose size is at most this is a tie.

    Returns
    -------
    Votes
        Where both outcomes are the same, their mean preference. The order of such a vote is unknown.

    Raises
    ------
    InputError
        For another disagreement, a negative threshold, and a judge with several votes about two answers in one order.

    References
    ----------
    Zheng et al. (2023), section 3.4, arXiv 2306.05685.

    Examples
    --------
    >>> votes = Votes.from_rows([("1", "A", "B", 1), ("1", "B", "A", 1), ("2", "A", "B", 1), ("2", "B", "A", -1)])
    >>> resolve_orders(votes).preference, resolve_orders(votes, "tie").preference
    (array([nan,  1.]), array([0., 1.]))
    """
    if disagreement not in DISAGREEMENTS:
        raise InputError(f"disagreement: must be one of {', '.join(DISAGREEMENTS)}, found {disagreement!r}")
    one, other = _both_orders(check_votes("votes", votes))
    if np.unique(one).size < one.size or np.unique(other).size < other.size:
        raise InputError("votes: a judge voted several times on two answers in one order; keep one of these votes")
    a, b = votes.preference[one], votes.preference[other]
    differ = outcomes(np.nan_to_num(a), threshold) != outcomes(np.nan_to_num(b), threshold)
    mean = (a + b) / 2
    if disagreement != "mean":
        mean = np.where(differ, np.nan if disagreement == "omit" else 0.0, mean)
        mean = np.where(np.isnan(a) | np.isnan(b), np.nan, mean)
    preference, shown, tie = votes.preference.copy(), votes.shown.copy(), votes.tie.copy()
    preference[one], shown[one] = mean, 0
    marked = differ & (mean == 0)
    tie[one] = np.where(marked, TIE_KINDS.index("inconsistent"), np.where(differ, 0, tie[one]))
    keep = np.ones(votes.n_votes, bool)
    keep[other] = False
    return replace(votes, preference=preference, shown=shown, tie=tie).where(keep)


def _both_orders(votes: Votes) -> tuple[IntArray, IntArray]:
    """Positions of votes whose first answer was shown first, and of their partners in the other order."""
    keys = pd.DataFrame({name: getattr(votes, name) for name in ("judge", *PAIR)} | {"vote": np.arange(votes.n_votes)})
    one, other = (keys[votes.shown == order] for order in (1, -1))
    pairs = merge_votes(one, other, ["judge", *PAIR], ("", "_other"))
    return pairs["vote"].to_numpy(np.int64), pairs["vote_other"].to_numpy(np.int64)


CALIBRATED = "calibrated"
"""Instead of a threshold: the best one for acc_eq, for each judge."""


def compare_judges(
    votes: Votes,
    human: Votes,
    judges: str | Iterable[str] | None = None,
    *,
    measures: str | Iterable[str] = (),
    threshold: float | str | Mapping[str, float] = 0.0,
    human_threshold: float = 0.0,
    cells: str | None = None,
) -> pd.DataFrame:
    """Compare every judge with the same human votes.

    Parameters
    ----------
    votes, human : Votes
        The judges' votes, and those that they are compared with.
    judges : str or iterable of str, optional
        Names or patterns, as for `Votes.by`; None is all of ``votes`` that are not in ``human``.
    measures : str or iterable of str
        Further columns: names of `MEASURES`.
    threshold : float, "calibrated", or mapping of judge to float
        A tie threshold for all, the best one for acc_eq for each (`calibrate_threshold`), or one for each judge.
    human_threshold : float
        As for `agreement`.
    cells : {"common", "own"} or None
        Which votes are compared: those about two answers on which all judges voted without abstaining, which is also
        what None means, or each judge's own.

    Returns
    -------
    pandas.DataFrame
        One row per judge, highest agreement with ties first: ``with_ties``, ``without_ties``, ``kappa``, the measures
        asked for, ``epsilon``, ``judge_ties``, ``human_ties``, ``n``, ``n_without_ties``, ``coverage``, ``abstained``
        (pairs), ``consistency`` (see `swap_consistency`) and ``first_wins``. ``coverage`` and ``abstained`` are those
        of all votes of a judge, everything else is of the votes that are compared. ``attrs`` holds ``cells``,
        ``n_votes`` (human votes compared) and ``left_out`` (whose missing votes cost how many; empty where none).

    Raises
    ------
    InputError
        For unknown judges and measures, no judge, judges with fewer than two items in common, and what `agreement`
        refuses.

    Warns
    -----
    CoverageWarning
        Where human votes are left out because not every judge voted: which judge, and how many.

    Examples
    --------
    >>> cast = {"ann": (1, 0, 0, -1), "bold": (1, 1, 1, -1), "shy": (1, 0, 0, 1)}
    >>> rows = [(item, "A", "B", vote, who) for who, votes in cast.items() for item, vote in zip("1234", votes)]
    >>> votes = Votes.from_rows(rows)
    >>> compare_judges(votes, votes.by("ann"))[["with_ties", "without_ties", "judge_ties"]]
           with_ties  without_ties  judge_ties
    judge
    shy         0.75           0.5         0.5
    bold        0.50           1.0         0.0
    """
    asked = [get_agreement_measure(name) for name in split_names(measures, "measures")]
    chosen = [name for name in votes.judges if name not in human.judges] if judges is None else votes.by(judges).judges
    if not chosen:
        raise InputError("judges: every judge of votes is one of human's; name those to compare")
    rows, shared = {}, share_votes({name: votes.by([name]) for name in chosen}, human, cells)
    shared.warn()
    for name, cast, matched, own in zip(chosen, shared.judges, shared.matched, shared.own, strict=True):
        limit = _threshold(threshold, name, cast, human, human_threshold)
        found = agreement_of_matched(matched, limit, human_threshold)
        orders = swap_consistency(cast, threshold=limit)
        rows[name] = (
            {"with_ties": found.with_ties, "without_ties": found.without_ties, "kappa": found.kappa}
            | {one.name: found.value(one.name) for one in asked}
            | {"epsilon": limit, "judge_ties": found.judge_ties, "human_ties": found.human_ties}
            | {"n": found.n, "n_without_ties": found.n_without_ties, "coverage": own.coverage}
            | {"abstained": own.n_abstained, "consistency": orders.value, "first_wins": orders.first_wins}
        )
    frame = pd.DataFrame.from_dict(rows, orient="index").rename_axis("judge")
    frame = frame.iloc[best_first(frame["with_ties"])]
    frame.attrs |= {"cells": shared.kind, "n_votes": shared.n_votes, "left_out": shared.gaps}
    return frame


def _threshold(
    threshold: float | str | Mapping[str, float], name: str, cast: Votes, human: Votes, human_threshold: float
) -> float:
    """The threshold of one judge."""
    if isinstance(threshold, Mapping):
        if name not in threshold:
            raise InputError(f"threshold: there is none for judge {name!r}")
        return float(threshold[name])
    if isinstance(threshold, str):
        if threshold != CALIBRATED:
            raise InputError(f"threshold: must be a number or {CALIBRATED!r}, found {threshold!r}")
        return calibrate_threshold(cast, human, human_threshold=human_threshold).epsilon
    return float(threshold)


KINDS = ("tied", "ref")
"""Prompts with several correct answers, and their partners with a single one."""


@dataclass(frozen=True, repr=False)
class TiesScore(Result):
    """RewardBench 2's score of the subset Ties, and its parts.

    Attributes
    ----------
    value : float
        0.3 · tied_accuracy + 0.3 · ref_accuracy + 0.2 · gap_exceeds_spread + 0.2 · hard_gap_exceeds_spread
        + 0.01 · margin.
    tied_accuracy, ref_accuracy : float
        Share of prompts on which every correct answer has a higher score than every wrong one.
    gap_exceeds_spread : float
        Share of prompts on which the gap (worst correct − best wrong answer) is larger than the spread (best − worst
        correct answer) of the tied prompt.
    hard_gap_exceeds_spread : float
        The same with the smaller gap of the tied prompt and its partner.
    margin : float
        Mean of tanh(smaller gap / spread − 1), 0 where that is 0/0.
    n_tied, n_ref, n_both : int
        Prompts of each kind, and prompts that have both.
    """

    value: float
    tied_accuracy: float
    ref_accuracy: float
    gap_exceeds_spread: float
    hard_gap_exceeds_spread: float
    margin: float
    n_tied: int
    n_ref: int
    n_both: int


def ties_score(source: str | Path | Mapping[str, bytes] | Iterable[Mapping[str, Any]]) -> TiesScore:
    """Compute the Ties score of a reward model, as RewardBench 2 does.

    Parameters
    ----------
    source : path, mapping of one name to bytes, or iterable of mappings
        A file with one JSON object per prompt, or such objects: ``id`` ("tied:12" or "ref:12"), ``scores`` and
        ``num_correct``; the first ``num_correct`` scores are those of the correct answers.

    Returns
    -------
    TiesScore
        At most 1.01; higher is better.

    Raises
    ------
    ReadError
        For a file that is no such file; the message names file and line.
    InputError
        For objects without these fields, a prompt that is there twice, a prompt without correct or without wrong
        answers, a tied prompt with one correct answer, and where no prompt has both kinds.

    References
    ----------
    Malik et al. (2025), RewardBench 2, arXiv 2506.01937, and allenai/reward-bench, rewardbench/utils.py.

    Examples
    --------
    >>> tied = {"id": "tied:1", "scores": [5, 4, 1], "num_correct": 2}
    >>> found = ties_score([tied, {"id": "ref:1", "scores": [3, 1], "num_correct": 1}])
    >>> found.tied_accuracy, found.gap_exceeds_spread, round(found.margin, 4), round(found.value, 4)
    (1.0, 1.0, 0.7616, 1.0076)
    """
    stats: dict[str, dict[int, tuple[float, float]]] = {kind: {} for kind in KINDS}
    for where, record in _prompts(source):
        kind, number, gap, spread = _of_prompt(record, where)
        if number in stats[kind]:
            raise _refusal(where, f"prompt {kind}:{number} is there twice")
        stats[kind][number] = gap, spread
    both = sorted(stats["tied"].keys() & stats["ref"].keys())
    if not both:
        raise InputError("source: no prompt has both a tied and a ref version, such as tied:12 and ref:12")
    tied, ref = (np.array([stats[kind][number][0] for number in both]) for kind in KINDS)
    spreads = np.array([stats["tied"][number][1] for number in both])
    hard = np.minimum(tied, ref)
    with np.errstate(divide="ignore", invalid="ignore"):
        margins = np.nan_to_num(np.tanh(hard / spreads - 1), nan=0.0)
    accuracy = [float(np.mean([gap > 0 for gap, _ in stats[kind].values()])) for kind in KINDS]
    parts = [*accuracy, float((tied > spreads).mean()), float((hard > spreads).mean()), float(margins.mean())]
    value = math.fsum(weight * part for weight, part in zip((0.3, 0.3, 0.2, 0.2, 0.01), parts, strict=True))
    numbers = len(stats["tied"]), len(stats["ref"]), len(both)
    return TiesScore(value, parts[0], parts[1], parts[2], parts[3], parts[4], *numbers)


Where = tuple[str, int]
"""A file, or "" for objects, and the line or place of a prompt."""


def _prompts(source: Any) -> list[tuple[Where, Mapping[str, Any]]]:
    """Every prompt, and where it is."""
    if isinstance(source, str | Path | Mapping):
        file = read_text(source, "file of prompts")
        return [((file.path, line), record) for line, record in objects(file.path, file.text)]
    if not isinstance(source, Iterable):
        raise InputError(f"source: must be a path, one file or several mappings, found {type(source).__name__}")
    return [(("", place), record) for place, record in enumerate(source, 1)]


def _of_prompt(record: Mapping[str, Any], where: Where) -> tuple[str, int, float, float]:
    """The kind and number of a prompt, its gap and its spread."""
    if not isinstance(record, Mapping) or not {"id", "scores", "num_correct"} <= record.keys():
        raise _refusal(where, "expected the fields id, scores and num_correct")
    name = to_name(where[0] or "source", record["id"], "an id", line=where[1])
    kind, _, number = name.partition(":")
    if kind not in KINDS or not (number.isascii() and number.isdigit()):
        raise _refusal(where, f"id must be like 'tied:12' or 'ref:12', found {name!r}")
    scores, correct = record["scores"], record["num_correct"]
    if not isinstance(scores, list | tuple | np.ndarray) or isinstance(correct, bool) or not isinstance(correct, int):
        raise _refusal(where, "scores must be a list and num_correct a whole number")
    if not 1 <= correct < len(scores):
        problem = f"num_correct must be at least 1 and below the number of scores, {len(scores)}, found {correct}"
        raise _refusal(where, problem)
    if kind == "tied" and correct < 2:
        raise _refusal(where, "a tied prompt needs at least two correct answers, found num_correct 1")
    # RewardBench writes some scores into lists of their own
    single = [score[0] if isinstance(score, list) and len(score) == 1 else score for score in scores]
    plain = [score.item() if isinstance(score, np.generic) else score for score in single]
    numbers = [to_score(where[0] or "source", score, line=where[1], place=" in scores") for score in plain]
    if any(math.isnan(score) for score in numbers):
        raise _refusal(where, "scores must all be numbers, found a missing one")
    right, wrong = numbers[:correct], numbers[correct:]
    return kind, int(number), min(right) - max(wrong), max(right) - min(right)


def _refusal(where: Where, problem: str) -> ReadError | InputError:
    """An error that names the line of a file, or the place among objects."""
    path, place = where
    return ReadError(path, problem, line=place) if path else InputError(f"source: object {place}: {problem}")
