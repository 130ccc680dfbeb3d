"""How is noise added to a discrete metric without changing the order of different scores?"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from tiekit.api import count_ties
from tiekit.base.errors import InputError, TruncationWarning, collect_warnings, warn
from tiekit.base.names import find_name
from tiekit.base.parallel import Progress, part_of, showing, still, tell
from tiekit.base.results import RANK_DIGITS, best_first
from tiekit.base.validation import FloatArray, IntArray, as_generator, as_scores, seed_of, warn_near_ties
from tiekit.core.calibration import calibrate_scores, calibrated_measure, warn_of_flaws
from tiekit.core.grouping import DOCUMENT_GROUPINGS, document_places, group_checked, resolve_grouping
from tiekit.core.reweighting import (
    Keep,
    Reweighted,
    WholePairs,
    check_sample,
    keep_by_ties,
    own_share,
    reachable,
    resample,
    reweigh,
)
from tiekit.core.ties import add_noise
from tiekit.readers.facts import data_file
from tiekit.sets.arguments import Exclude, Human, read_documents, read_shared, source_of, source_of_human
from tiekit.sets.evalset import EvalSet

BITES = 3.0
"""Truncation is warned of where the bound of the noise is less than this number of standard deviations."""


def perturb(
    scores: EvalSet | ArrayLike,
    *,
    metric: str | None = None,
    variance: float = 1e-4,
    rng: np.random.Generator | int | None = None,
) -> FloatArray:
    """Add Gaussian noise to scores: equal scores become different, and different scores keep their order.

    `to_buckets` does the reverse: it makes a metric discrete.

    Parameters
    ----------
    scores : EvalSet, or array_like of any shape
        An evaluation set, or scores of one metric. NaN stays NaN.
    metric : str, optional
        The name of a metric of the set. Its scores of all systems are perturbed, so that `EvalSet.with_metric` takes
        the result.
    variance : float
        Variance of the noise before truncation, above 0.
    rng : numpy Generator or int, optional
        Random-number generator or seed of the noise, which is independent for each score; None is seed 0.

    Returns
    -------
    ndarray
        Perturbed scores of the same shape. The noise has a normal distribution, truncated at half the smallest step
        between two different scores. Of two different scores the larger one stays strictly larger, despite rounding.

    Raises
    ------
    InputError
        For a variance that is not a finite number above 0, an invalid seed, and what `count_pairs` refuses.

    Warns
    -----
    TruncationWarning
        Where half the smallest step is less than three standard deviations, so that truncation changes more than one
        draw in 370.

    References
    ----------
    Perrella et al. (2024), section 4.4, doi:10.18653/v1/2024.acl-long.856.

    Examples
    --------
    >>> perturb([0, -1, -1, -5, float("nan")], rng=1).round(3)
    array([ 0.   , -0.984, -1.011, -4.984,    nan])
    """
    argument, values = _read_scores(scores, metric)
    generator = as_generator(rng)
    if not isinstance(variance, Real) or isinstance(variance, bool) or not 0 < float(variance) < np.inf:
        raise InputError(f"variance: must be a finite number above 0, found {variance!r}")
    deviation = float(np.sqrt(float(variance)))
    noisy, step = add_noise(values, deviation, generator)
    if step / 2 / deviation < BITES:
        warn(
            f"{argument}: noise with a standard deviation of {deviation:g} is truncated at {step / 2:g}, half the "
            f"smallest step between scores, and {math.erfc(step / 2 / deviation / math.sqrt(2)):.1%} of it would "
            "exceed that; use a smaller variance",
            TruncationWarning,
        )
    return noisy


def _read_scores(scores: EvalSet | ArrayLike, metric: str | None) -> tuple[str, FloatArray]:
    """The scores that are meant, and the argument that names them."""
    if isinstance(scores, EvalSet):
        if metric is None:
            raise InputError(f"metric: name one of the set's metrics: {', '.join(scores.metrics) or 'it has none'}")
        return "metric", scores.metrics[find_name("metric", metric, scores.metrics)]
    if metric is not None:
        raise InputError(f"metric: a name needs an EvalSet before it, found {metric!r}")
    return "scores", as_scores("scores", scores)


N_SHARES, HIGHEST_SHARE = 13, 0.96
"""The default shares of human ties: so many, evenly from 0 to this one, apart from the set's own share."""


def default_shares(own: float) -> list[float]:
    """Return `N_SHARES` shares of human ties; the set's own share replaces the one nearest to it."""
    shares = np.linspace(0, HIGHEST_SHARE, N_SHARES)
    shares[np.argmin(np.abs(shares - own))] = own
    return [float(share) for share in shares]


def tie_shares(
    data: Human = None,
    metrics: Mapping[str, ArrayLike] | str | Iterable[str] | None = None,
    coefficient: str = "acc_eq",
    *,
    grouping: str | None = None,
    shares: Sequence[float] | None = None,
    share_of: str = "pairs",
    sample: bool = False,
    documents: Sequence[str] | None = None,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    cells: str | None = None,
    rng: np.random.Generator | int | None = None,
    progress: Progress | bool | None = None,
) -> pd.DataFrame:
    """Calibrate metrics as if the human tied other shares of the pairs, to see which metrics that favors.

    Parameters
    ----------
    data, metrics, human, exclude, cells, progress
        As for `tiekit.measures.evaluate_measures`, of shape (n,) or (systems, segments).
    coefficient, grouping, documents
        As for `calibrate`.
    shares : sequence of float, optional
        Shares of human ties, from 0 to 1. None: thirteen from 0 to 0.96 (of the mean: those that can be reached), one
        of which is the human's own share.
    share_of : {"pairs", "mean"}
        Of what they are shares: of the kept pairs of all groups together, as Perrella et al. count; or of the mean
        over groups, so that a metric that ties everything has just this acc_eq. See `keep_for_share`.
    sample : bool
        False: weight all pairs, which is exact. True: draw samples, as the paper does, of the same pairs for every
        metric. See `calibrate_reweighted`.
    rng : numpy Generator or int, optional
        Random-number generator or seed of the samples; None is seed 0. Only with ``sample=True``.

    Returns
    -------
    pandas.DataFrame
        One row per metric and share: ``metric``, ``share``; ``keep_tied`` and ``keep_untied``, see `keep_for_share`
        (from the human scores alone, so the same for all metrics); ``share_of_ties`` among the kept pairs that this
        metric scored (of pairs, it differs from ``share`` only where scores are missing or samples are drawn);
        ``share_in_mean``, the weight of human ties in the mean over groups, which is larger where some groups are tied
        throughout (on WMT22 zh-en by item, 8 % of the pairs are 15.5 % of the mean); ``n_pairs``;
        ``value`` and ``epsilon``, calibrated on these pairs; ``value_at_zero`` without calibration; ``own``, true at
        the human's own share, where every pair is kept. ``attrs["share_of"]`` is as given.

    Raises
    ------
    InputError
        For no metric, metrics with too little in common, a share that cannot be reached, and what
        `calibrate_reweighted` refuses.

    Warns
    -----
    NearTieWarning
        As `calibrate`, once for all metrics.

    References
    ----------
    Perrella et al. (2024), sections 4.4 and 4.5 and Figure 2, doi:10.18653/v1/2024.acl-long.856.

    Examples
    --------
    >>> human, metric = [1, 2, 2, 3, 3, 3], [1, 2, 4, 3, 6, 9]
    >>> found = tie_shares(human, {"m": metric}, shares=[0, 0.5, 0.9])
    >>> found[["share", "keep_tied", "keep_untied", "value", "epsilon"]].round(3)
       share  keep_tied  keep_untied  value  epsilon
    0    0.0        0.0        1.000  0.909      0.0
    1    0.5        1.0        0.364  0.602      3.0
    2    0.9        1.0        0.040  0.918      6.0
    """
    h, scores = _read(data, metrics, human, exclude, cells, grouping)
    check_sample(sample, rng)
    seed, named = seed_of(rng), read_documents(data, documents, human)
    entry, grouping = calibrated_measure(coefficient, grouping, h.ndim, documents=named is not None)
    keeps = _keeps(h, grouping, shares, share_of, named)
    rows, near, gold = [], [], source_of_human(data, human, h)
    with showing(progress, "calibrate") as told:
        for number, (name, m) in enumerate(scores.items()):
            grouped = group_checked(h, m, grouping, named)
            tell(told, number / len(scores))
            whole = WholePairs(grouped)
            tell(told, number / len(scores))
            near.append((whole.grouped.scores.near_ties, gold, source_of(data, f"metrics[{name!r}]", name, m)))
            for place, (share, keep) in enumerate(keeps.items()):
                part = part_of(told, number * len(keeps) + place, len(scores) * len(keeps))
                if sample:
                    found = resample(whole.grouped, (h, m), entry, keep, seed, part)
                else:
                    found = reweigh(whole, (h, m), entry, keep, progress=part)
                more = {"value_at_zero": found.value_at_zero, "own": keep == (1, 1)}
                rows.append(_row(name, share, keep, found) | more)
    warn_near_ties(*near)
    warn_of_flaws(entry)
    frame = pd.DataFrame(rows)
    frame.attrs["share_of"] = share_of
    return frame


def _row(metric: str, share: float, keep: Keep, found: Reweighted) -> dict[str, object]:
    facts = ("share_of_ties", "share_in_mean", "n_pairs", "value", "epsilon")
    row = {"metric": metric, "share": share, "keep_tied": keep.tied, "keep_untied": keep.untied}
    return row | {name: getattr(found, name) for name in facts}


def _read(
    data: Human,
    metrics: Mapping[str, ArrayLike] | str | Iterable[str] | None,
    human: str | ArrayLike | None,
    exclude: Exclude,
    cells: str | None,
    grouping: str | None,
) -> tuple[FloatArray, dict[str, FloatArray]]:
    """Human scores, and those of at least one metric by name."""
    h, scores = read_shared(data, metrics, human, exclude, cells, [resolve_grouping(grouping, 2, documents=True)])
    if not scores:
        raise InputError("metrics: there is none to compare")
    return h, scores


def _keeps(
    human: FloatArray,
    grouping: str | None,
    shares: Sequence[float] | None,
    share_of: str,
    documents: Sequence[str] | None,
) -> dict[float, Keep]:
    """The probabilities of keeping pairs, by share of human ties."""
    ties = count_ties(human, grouping=grouping, documents=documents)
    own = own_share(ties, share_of)
    if shares is None and ties.n_tied in (0, ties.n_pairs):
        told = f"human: ties {ties.n_tied:,} of {ties.n_pairs:,} pairs"
        raise InputError(f"{told}, so there is no other share; give scores of which some pairs are tied and others not")
    wanted = list(shares) if shares is not None else default_shares(own)
    if shares is None:
        wanted = reachable(ties, wanted, share_of)
    return {float(share): keep_by_ties(ties, share, "shares", share_of=share_of) for share in wanted}


def held_out_shares(
    data: Human = None,
    metrics: Mapping[str, ArrayLike] | str | Iterable[str] | None = None,
    coefficient: str = "acc_eq",
    *,
    grouping: str | None = None,
    shares: Sequence[float] | None = None,
    share_of: str = "pairs",
    held_out: float = 0.2,
    documents: Sequence[str] | None = None,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    cells: str | None = None,
    rng: np.random.Generator | int | None = None,
    progress: Progress | bool | None = None,
) -> pd.DataFrame:
    """Find thresholds on held-out segments with other shares of human ties, and use them on all other segments.

    Parameters
    ----------
    data, metrics, coefficient, grouping, documents, human, exclude, cells, progress, shares, share_of
        As for `tie_shares`; shares are of the held-out segments.
    held_out : float
        Share of the segments on which thresholds are found, between 0 and 1; at least one segment is held out, and at
        least one is not. By document and by document means it is this share of the documents, which stay whole.
    rng : numpy Generator or int, optional
        Random-number generator or seed that chooses what is held out; None is seed 0.

    Returns
    -------
    pandas.DataFrame
        The columns of `tie_shares` without the last two, for the held-out segments. Only ``value`` is that of all
        pairs of the other segments, at this ``epsilon``; ``in_sample`` and ``in_sample_epsilon`` are the optimum of
        those segments. ``attrs`` hold ``share_of`` as given, ``share_of_ties`` and ``share_in_mean`` of the other
        segments, and the numbers of segments ``n_held_out`` and ``n_judged``.

    Raises
    ------
    InputError
        For a share outside the range above, fewer than two segments (documents), and what `tie_shares` refuses.

    Warns
    -----
    NearTieWarning
        As `calibrate`, once for all metrics.

    References
    ----------
    Perrella et al. (2024), section 4.5.1 and Figure 3, doi:10.18653/v1/2024.acl-long.856.

    Examples
    --------
    >>> human, metric = [1, 2, 2, 3, 3, 3, 1, 2, 2, 3], [1, 2, 4, 3, 6, 9, 2, 2, 3, 5]
    >>> found = held_out_shares(human, {"m": metric}, shares=[0, 0.9], held_out=0.5)
    >>> found[["share", "epsilon", "value", "in_sample"]].round(3)
       share  epsilon  value  in_sample
    0    0.0      0.0    0.8        0.8
    1    0.9      3.0    0.5        0.8
    """
    h, scores = _read(data, metrics, human, exclude, cells, grouping)
    named = read_documents(data, documents, human)
    entry, grouping = calibrated_measure(coefficient, grouping, h.ndim, documents=named is not None)
    owner = None if named is None else document_places(named, h.shape[-1])[0]
    outside = _choose_held_out(h.shape[-1], held_out, rng, owner if grouping in DOCUMENT_GROUPINGS else None)
    held, others = (None if owner is None else owner[part].astype(str).tolist() for part in (outside, ~outside))
    keeps = _keeps(h[..., outside], grouping, shares, share_of, held)
    rows, near, gold = [], [], source_of_human(data, human, h)
    with showing(progress, "calibrate") as told:
        for number, (name, m) in enumerate(scores.items()):
            ours = h[..., outside], m[..., outside]
            whole = WholePairs(group_checked(*ours, grouping, held))
            theirs = h[..., ~outside], m[..., ~outside]
            begun = still(told, number / len(scores))
            tell(begun, 0.0)
            judged = calibrate_scores(*theirs, entry.name, grouping, "absolute", begun, others)
            near.append((judged.grouped.scores.near_ties, gold, source_of(data, f"metrics[{name!r}]", name, m)))
            own = {"in_sample": judged.value, "in_sample_epsilon": judged.epsilon}
            for place, (share, keep) in enumerate(keeps.items()):
                part = part_of(told, number * len(keeps) + place, len(scores) * len(keeps))
                found = reweigh(whole, ours, entry, keep, progress=part)
                value = judged.value_at(found.epsilon) if found.n_pairs else float("nan")
                rows.append(_row(name, share, keep, found) | {"value": value} | own)
    warn_near_ties(*near)
    warn_of_flaws(entry)
    frame, ties = pd.DataFrame(rows), count_ties(h[..., ~outside], grouping=grouping, documents=others)
    frame.attrs |= {"share_of": share_of, "share_of_ties": ties.share, "share_in_mean": ties.in_mean()}
    frame.attrs |= {"n_held_out": int(outside.sum()), "n_judged": int((~outside).sum())}
    return frame


def _choose_held_out(
    n_segments: int, share: float, rng: np.random.Generator | int | None, place: IntArray | None = None
) -> NDArray[np.bool_]:
    """Choose the segments that are held out; with the place of each one's document, whole documents."""
    if not isinstance(share, Real) or isinstance(share, bool) or not 0 < float(share) < 1:
        raise InputError(f"held_out: must be between 0 and 1, found {share!r}")
    size, unit = (n_segments, "segments") if place is None else (int(place.max(initial=-1)) + 1, "documents")
    if size < 2:
        raise InputError(f"human: must have at least two {unit}, found {size}")
    chosen = as_generator(rng).permutation(size)[: min(max(round(size * float(share)), 1), size - 1)]
    outside = np.zeros(size, np.bool_)
    outside[chosen] = True
    return outside if place is None else outside[place]


def published_tie_shares() -> pd.DataFrame:
    """Return how many pairs people tie in published test sets, grouped by item.

    Returns
    -------
    pandas.DataFrame
        One row per test set and language pair, the smallest share first: ``testset``, ``language_pair``, ``protocol``
        ("ESA" or "MQM"), ``share`` of the pairs that the human score ties, and ``source``.

    Examples
    --------
    >>> published_tie_shares().groupby("protocol")["share"].agg(["min", "max"])
                min    max
    protocol
    ESA       0.067  0.102
    MQM       0.231  0.530
    """
    found = pd.read_csv(data_file("papers/human_tie_shares.csv"), dtype={"share": np.float64})
    return found.sort_values("share", ignore_index=True)


def rank_intervals(
    data: Human = None,
    metrics: Mapping[str, ArrayLike] | str | Iterable[str] | None = None,
    coefficient: str = "acc_eq",
    *,
    grouping: str | None = None,
    shares: Sequence[float] | None = None,
    share_of: str = "pairs",
    calibrated: bool = True,
    documents: Sequence[str] | None = None,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    cells: str | None = None,
    progress: Progress | bool | None = None,
) -> pd.DataFrame:
    """Find the best and the worst rank of each metric over shares of human ties, to report them beside its rank.

    A rank whose interval is wide depends on how the human score was collected: MQM ties many pairs, ESA few.

    Parameters
    ----------
    data, metrics, coefficient, grouping, documents, human, exclude, cells, progress, share_of
        As for `tie_shares`.
    shares : sequence of float, optional
        Shares of human ties, from 0 to 1. None: those of `published_tie_shares`, which are shares of all pairs; of
        the mean, those of them that can be reached. The human's own share is added.
    calibrated : bool
        Whether metrics are ranked at the epsilon that is best at each share, or without calibration.

    Returns
    -------
    pandas.DataFrame
        One row per metric, the best at the human's own share first: its ``rank`` there (1 is best), the ``best`` and
        the ``worst`` rank over all shares, ``best_at`` and ``worst_at``, the lowest shares at which it has these, and
        its ``lowest`` and ``highest`` value. Equal values share the best rank. At a share where a metric has no value
        (it scored only pairs that the human ties, and none of them is kept) it has no rank: the others are ranked
        without it, and its best and worst are over the other shares. Without a value at any share, ranks are missing.
        ``attrs["own"]`` is the human's own share, ``attrs["own_in_mean"]`` the weight of its ties in the mean over
        groups; that at other shares is a column of `tie_shares`.

    Raises
    ------
    InputError
        What `tie_shares` refuses; where the human ties no pair, only the share 0 can be reached.

    Warns
    -----
    NearTieWarning
        As `calibrate`, once for all metrics.

    References
    ----------
    After Perrella et al. (2024), sections 4.4 and 4.5, doi:10.18653/v1/2024.acl-long.856.

    Examples
    --------
    >>> human = [[2, 1, 1], [2, 2, 2], [1, 1, 2]]
    >>> metrics = {"coarse": [[2, 1, 1], [2, 2, 2], [2, 1, 1]], "fine": [[1, 6, 4], [8, 5, 9], [3, 2, 7]]}
    >>> rank_intervals(human, metrics, shares=[0.05, 0.5])[["rank", "best", "worst", "worst_at"]]
            rank  best  worst  worst_at
    metric
    coarse     1     1      2      0.05
    fine       1     1      2      0.50
    """
    if not isinstance(calibrated, bool | np.bool_):
        raise InputError(f"calibrated: must be True or False, found {calibrated!r}")
    which: dict[str, Any] = {"human": human, "exclude": exclude, "cells": cells, "grouping": grouping}
    with collect_warnings():  # `tie_shares` gives them
        gold, _ = _read(data, metrics, **which)
    ties = count_ties(gold, grouping=grouping, documents=read_documents(data, documents, human))
    own = own_share(ties, share_of)
    asked = reachable(ties, published_tie_shares()["share"], share_of) if shares is None else list(shares)
    which |= {"shares": [*asked, *([own] if own not in asked else [])], "share_of": share_of, "documents": documents}
    found = tie_shares(data, metrics, coefficient, progress=progress, **which)
    made = intervals_of(found, own, "value" if calibrated else "value_at_zero")
    made.attrs["own_in_mean"] = ties.in_mean()
    return made


def intervals_of(found: pd.DataFrame, own: float, column: str = "value") -> pd.DataFrame:
    """Rank the metrics at each share of what `tie_shares` returned; what `rank_intervals` returns."""
    values = pd.DataFrame({share: rows.set_index("metric")[column] for share, rows in found.groupby("share")})
    ranks = values.round(RANK_DIGITS).rank(ascending=False, method="min").astype("Int64")
    made = pd.DataFrame(
        {
            "rank": ranks[own],
            "best": ranks.min(axis=1),
            "worst": ranks.max(axis=1),
            "best_at": _lowest_share(ranks, ranks.min(axis=1)),
            "worst_at": _lowest_share(ranks, ranks.max(axis=1)),
            "lowest": values.min(axis=1),
            "highest": values.max(axis=1),
        }
    )
    made = made.iloc[best_first(values[own])].rename_axis("metric")
    made.attrs["own"] = own
    return made


def _lowest_share(ranks: pd.DataFrame, wanted: pd.Series) -> pd.Series:
    """The lowest share, of columns in rising order, at which a metric has a rank; NaN where it has none."""
    there = ranks.eq(wanted, axis=0).fillna(False).astype(bool)
    return there.idxmax(axis=1).astype(np.float64).where(there.any(axis=1))
