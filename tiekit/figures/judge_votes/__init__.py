"""What is the figure of judges' votes shown? Each judge's table at each of its thresholds, and which one leads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tiekit.base.parallel import Progress, part_of, with_progress
from tiekit.base.validation import FloatArray, digest_of
from tiekit.figures.figure import Picture, Scope
from tiekit.figures.figures import FIGURES
from tiekit.votes.agreement import VoteAgreement, agreement_of_matched, calibrate_threshold
from tiekit.votes.intervals import which_leads
from tiekit.votes.judges import Orders, SwapConsistency
from tiekit.votes.votes import Matched, Votes, share_answers, share_votes

MOST_STEPS = 41
"""A slider stops at so many thresholds at most."""

FEW_STEPS = 10
"""A judge with at most so many sizes of preference has a step for each of them."""

LARGEST_SHARE = 0.9
"""Else the slider ends where the judge ties about this share of its votes."""

AGREEMENTS = {"withoutTies": ("without_ties", "nWithout"), "withTies": ("with_ties", "n")}
"""What the figure shows, the library's names for it, and which number of pairs of votes it is of."""

FEW_VOTES = 20
"""Of fewer pairs of votes nobody is said to lead: a bootstrap interval is too short there."""


def figure_data(
    judges: Mapping[str, Votes],
    human: Votes,
    human_name: str,
    threshold: float | Sequence[float] = 0.0,
    *,
    orders: Mapping[str, Votes] | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Return what the figure shows of one or two judges; two are shown on the votes that both cast.

    The sliders stand at the steps nearest to ``threshold``, one for all judges or one each. ``orders`` are the votes in
    both orders where ``judges`` holds one vote of them; the thresholds are sizes of these.
    """
    start = part_of(progress, 0, 4)
    shared = share_votes(judges, human, progress=part_of(start, 0, 3))
    cast = dict(zip(judges, shared.judges, strict=True))
    matched = dict(zip(judges, shared.matched, strict=True))
    both: Mapping[str, Votes] = cast if orders is None else orders
    if orders is not None and shared.gaps:
        both = dict(zip(orders, share_answers(list(orders.values())), strict=True))
    best = {
        name: calibrate_threshold(votes, human).epsilon
        for name, votes in with_progress(cast.items(), part_of(start, 1, 3))
    }
    limits = {name: steps(both[name], best[name]) for name in with_progress(list(judges), part_of(start, 2, 3))}
    values = {
        name: _steps(found, both[name], limits[name], part_of(part_of(progress, 1, 4), place, len(matched)))
        for place, (name, found) in enumerate(matched.items())
    }
    leads = {}
    if len(judges) == 2:
        pair, of_each = list(matched.values()), list(limits.values())
        by_measure = which_leads(
            pair[0],
            pair[1],
            (of_each[0], of_each[1]),
            [name for name, _ in AGREEMENTS.values()],
            progress=part_of(progress, 1, 2),
        )
        for (ours, (_, size)), signs in zip(AGREEMENTS.items(), by_measure, strict=True):
            enough = [np.array([step[size] >= FEW_VOTES for step in of_judge]) for of_judge in values.values()]
            leads[ours] = np.where(np.outer(*enough), signs, 0).tolist()
    return {
        "human": human_name,
        "judges": [{"name": name, "best": best[name], "steps": of_judge} for name, of_judge in values.items()],
        "leads": leads,
        "few": FEW_VOTES,
        "threshold": [float(threshold)] * len(judges) if isinstance(threshold, int | float) else list(threshold),
    }


def steps(votes: Votes, best: float) -> FloatArray:
    """Return thresholds of a judge's slider: 0, sizes of its preferences, evenly spread where many, and the best."""
    if not votes.graded:
        return np.zeros(1)
    sizes = np.abs(votes.preference[~np.isnan(votes.preference)])
    kept = np.unique(np.concatenate([[0.0], sizes]))
    if kept.size > FEW_STEPS:
        kept = kept[kept <= float(np.quantile(sizes, LARGEST_SHARE))]
    if kept.size > MOST_STEPS:
        kept = kept[np.unique(np.linspace(0, kept.size - 1, MOST_STEPS).round().astype(int))]
    return np.asarray(np.union1d(kept, [best]), np.float64)


def _steps(found: Matched, orders: Votes, limits: FloatArray, progress: Progress | None) -> list[dict[str, Any]]:
    """One judge at each of its thresholds."""
    pairs = Orders.of(orders)
    if progress is not None:
        progress(0.0)
    return [
        {"epsilon": limit, **_step(agreement_of_matched(found, limit, 0.0), pairs.consistency(limit))}
        for limit in with_progress(limits.tolist(), progress)
    ]


def _step(found: VoteAgreement, swapped: SwapConsistency) -> dict[str, Any]:
    """One judge at one threshold; what is undefined is null."""
    return {
        "counts": found.counts.tolist(),
        "n": found.n,
        "nWithout": found.n_without_ties,
        "abstained": found.n_abstained,
        "withTies": _plain(found.with_ties),
        "withoutTies": _plain(found.without_ties),
        "kappa": _plain(found.kappa),
        "orders": {name: getattr(swapped, name) for name in ("n", "same", "first", "second", "half")},
    }


def _plain(value: float) -> float | None:
    return None if value != value else value


def picture(judges: Mapping[str, Votes], human: Votes, name: str, threshold: float | Sequence[float]) -> Picture:
    """Show how judges agree with people at each threshold."""
    made = f"{human.preference.size:,} votes of {name}, and those of {' and '.join(judges)}."
    source = "data:" + digest_of(*(votes.preference for votes in (human, *judges.values())))
    return Picture(FIGURES["judge_votes"], figure_data(judges, human, name, threshold), made, Scope(source=source))
