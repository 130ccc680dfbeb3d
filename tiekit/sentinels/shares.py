"""Which metrics do human ties favor? Calibration at other shares of human ties, also on held-out segments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from numbers import Real

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from tiekit.arguments import Exclude, Human, read_documents, read_shared, source_of, source_of_human
from tiekit.calibration._weighted_pairs import WholePairs
from tiekit.calibration.exact import calibrated_measure, fit, warn_of_flaws
from tiekit.calibration.keep import Keep, keep_by_ties, own_share, reachable
from tiekit.calibration.reweighted import Reweighted, check_sample, resample, reweigh
from tiekit.counting.documents import document_places
from tiekit.counting.grouping import DOCUMENT_GROUPINGS, group, resolve_grouping
from tiekit.counting.ties import count_ties
from tiekit.errors import InputError
from tiekit.near_ties import warn_near_ties
from tiekit.progress import Progress, part_of, showing
from tiekit.scores import FloatArray, IntArray
from tiekit.seeds import as_generator, seed_of

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
    data : EvalSet, or array_like of shape (n,) or (systems, segments)
        An evaluation set, or human scores.
    metrics : str, iterable of str, or mapping of str to array_like of that shape
        Names of metrics of the set (None is all), or metric scores by name.
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
    human, exclude
        Which human score of the set, without which of its systems; as for `correlate`.
    cells : {"common", "own"} or None
        Which cells are compared: those that all metrics have scored, which is also what None means, with a
        `CoverageWarning` where that leaves something out; or each metric's own.
    rng : numpy Generator or int, optional
        Random-number generator or seed of the samples; None is seed 0. Only with ``sample=True``.
    progress : function of a float, or bool, optional
        Called with the fraction done; raise an exception to cancel.
        None and True show a bar on a terminal or in a notebook, after a second; False shows none.

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
    rows, gold = [], source_of_human(data, human, h)
    with showing(progress, "calibrate") as told:
        for number, (name, m) in enumerate(scores.items()):
            whole = WholePairs(group(h, m, grouping, named))
            warn_near_ties(whole.grouped.scores.near_ties, gold, source_of(data, f"metrics[{name!r}]", name, m))
            for place, (share, keep) in enumerate(keeps.items()):
                part = part_of(told, number * len(keeps) + place, len(scores) * len(keeps))
                if sample:
                    found = resample(whole.grouped, (h, m), entry, keep, seed, part)
                else:
                    found = reweigh(whole, (h, m), entry, keep, progress=part)
                more = {"value_at_zero": found.value_at_zero, "own": keep == (1, 1)}
                rows.append(_row(name, share, keep, found) | more)
    warn_of_flaws(entry)
    frame = pd.DataFrame(rows)
    frame.attrs["share_of"] = share_of
    return frame


def _row(metric: str, share: float, keep: Keep, found: Reweighted) -> dict[str, object]:
    return {
        "metric": metric,
        "share": share,
        "keep_tied": keep.tied,
        "keep_untied": keep.untied,
        "share_of_ties": found.share_of_ties,
        "share_in_mean": found.share_in_mean,
        "n_pairs": found.n_pairs,
        "value": found.value,
        "epsilon": found.epsilon,
    }


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
    wanted = list(shares) if shares is not None else default_shares(own)
    if shares is None and ties.n_tied:
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
    data, metrics, coefficient, grouping, documents, human, exclude, cells, progress
        As for `tie_shares`.
    shares, share_of
        As for `tie_shares`, of the held-out segments.
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
    rows, gold = [], source_of_human(data, human, h)
    with showing(progress, "calibrate") as told:
        for number, (name, m) in enumerate(scores.items()):
            ours = h[..., outside], m[..., outside]
            whole = WholePairs(group(*ours, grouping, held))
            theirs = h[..., ~outside], m[..., ~outside]
            judged = fit(*theirs, entry.name, grouping, "absolute", documents=others)
            warn_near_ties(judged.grouped.scores.near_ties, gold, source_of(data, f"metrics[{name!r}]", name, m))
            own = {"in_sample": judged.value, "in_sample_epsilon": judged.epsilon}
            for place, (share, keep) in enumerate(keeps.items()):
                part = part_of(told, number * len(keeps) + place, len(scores) * len(keeps))
                found = reweigh(whole, ours, entry, keep, progress=part)
                value = judged.value_at(found.epsilon) if found.n_pairs else float("nan")
                rows.append(_row(name, share, keep, found) | {"value": value} | own)
    warn_of_flaws(entry)
    frame = pd.DataFrame(rows)
    frame.attrs["share_of"] = share_of
    ties = count_ties(h[..., ~outside], grouping=grouping, documents=others)
    frame.attrs |= {"share_of_ties": ties.share, "share_in_mean": ties.in_mean()}
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
