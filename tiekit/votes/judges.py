"""Which judge agrees best with people? One row per judge, and how that depends on ties."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pandas as pd

from tiekit.errors import InputError
from tiekit.names import as_names
from tiekit.votes.agreement import of_matched
from tiekit.votes.matching import share_votes
from tiekit.votes.measures import get_measure
from tiekit.votes.orders import swap_consistency
from tiekit.votes.threshold import calibrate_threshold
from tiekit.votes.votes import Votes

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
    asked = [get_measure(name) for name in as_names(measures, "measures")]
    chosen = [name for name in votes.judges if name not in human.judges] if judges is None else votes.by(judges).judges
    if not chosen:
        raise InputError("judges: every judge of votes is one of human's; name those to compare")
    rows, shared = {}, share_votes({name: votes.by([name]) for name in chosen}, human, cells)
    shared.warn()
    for name, cast, matched, own in zip(chosen, shared.judges, shared.matched, shared.own, strict=True):
        limit = _threshold(threshold, name, cast, human, human_threshold)
        found = of_matched(matched, limit, human_threshold)
        orders = swap_consistency(cast, threshold=limit)
        rows[name] = (
            {"with_ties": found.with_ties, "without_ties": found.without_ties, "kappa": found.kappa}
            | {one.name: found.value(one.name) for one in asked}
            | {"epsilon": limit, "judge_ties": found.judge_ties, "human_ties": found.human_ties}
            | {"n": found.n, "n_without_ties": found.n_without_ties, "coverage": own.coverage}
            | {"abstained": own.n_abstained, "consistency": orders.value, "first_wins": orders.first_wins}
        )
    frame = pd.DataFrame.from_dict(rows, orient="index").rename_axis("judge")
    frame = frame.sort_values("with_ties", ascending=False, kind="stable")
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
