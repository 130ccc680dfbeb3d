"""Is the evaluation fair? Metrics with noise, other shares of human ties, thresholds of held-out segments."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from tiekit.calibration._weighted_pairs import Keep, WholePairs
from tiekit.calibration.exact import EXPLOITED, fit
from tiekit.calibration.reweighted import Reweighted, keep_for_share, resample, reweigh
from tiekit.coefficients.coefficient import Coefficient
from tiekit.coefficients.registry import counted
from tiekit.counting.grouping import group
from tiekit.counting.pairs import near_tie_notes
from tiekit.counting.ties import count_ties
from tiekit.errors import CalibrationWarning, InputError, NearTieWarning
from tiekit.progress import Progress, part_of
from tiekit.scores import ROUND, FloatArray, as_scores, check_pair
from tiekit.seeds import as_generator

N_SHARES, HIGHEST_SHARE = 13, 0.96
"""Shares of human ties that are tried unless others are asked for, from 0 on, as evenly as the set's own share lets."""


def default_shares(own: float) -> list[float]:
    """`N_SHARES` shares of human ties; the one nearest to the set's own share gives way to it."""
    shares = np.linspace(0, HIGHEST_SHARE, N_SHARES)
    shares[np.argmin(np.abs(shares - own))] = own
    return [float(share) for share in shares]


def tie_shares(
    human: ArrayLike,
    metrics: Mapping[str, ArrayLike],
    coefficient: str = "acc_eq",
    *,
    grouping: str | None = "item",
    shares: Sequence[float] | None = None,
    rng: int | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Calibrate metrics as if the human tied other shares of the pairs: which kind of metric does that favour?

    Parameters
    ----------
    human : array_like, shape (systems, segments) or (n,)
    metrics : mapping of str to array_like of that shape
    coefficient : str
        As for `calibrate`.
    grouping : str or None
        As for `calibrate`; vectors need None.
    shares : sequence of float, optional
        Shares of human ties among the kept pairs of all groups together. None: thirteen from 0 to 0.96, the human's
        own among them.
    rng : int, optional
        A seed: samples are drawn, as the paper does, the same pairs for every metric. None weighs all pairs instead.
    progress : function of a float, optional
        Hears which share of the work is done; what it raises stops it.

    Returns
    -------
    pandas.DataFrame
        A row a metric and share: ``metric``, ``share``, ``keep_tied`` and ``keep_untied`` (see `keep_for_share`; of
        the human scores, so that all metrics have the same), ``share_of_ties`` (of the pairs that this metric scored:
        another one only where scores are missing or samples are drawn), ``n_pairs``, ``value`` and ``epsilon``
        calibrated on them, ``own`` (at the human's own share, where nothing is left out).

    Raises
    ------
    InputError
        For no metric, a share that cannot be reached, and what `calibrate_reweighted` refuses.

    Warns
    -----
    As `calibrate`, once for all metrics.

    References
    ----------
    Perrella et al. (2024), sections 4.4 and 4.5 and Figure 2, doi:10.18653/v1/2024.acl-long.856.

    Examples
    --------
    >>> human, metric = [1, 2, 2, 3, 3, 3], [1, 2, 4, 3, 6, 9]
    >>> found = tie_shares(human, {"m": metric}, grouping=None, shares=[0, 0.5, 0.9])
    >>> found[["share", "keep_tied", "keep_untied", "value", "epsilon"]].round(3)
       share  keep_tied  keep_untied  value  epsilon
    0    0.0        0.0        1.000  0.909      0.0
    1    0.5        1.0        0.364  0.602      3.0
    2    0.9        1.0        0.040  0.918      6.0
    """
    entry, pairs, keeps = _checked(human, metrics, coefficient, grouping, shares)
    rows, notes = [], []
    for number, (name, scores) in enumerate(pairs.items()):
        whole = WholePairs(group(*scores, grouping))
        notes += near_tie_notes(whole.grouped.scores)
        for place, (share, keep) in enumerate(keeps.items()):
            part = part_of(progress, number * len(keeps) + place, len(pairs) * len(keeps))
            if rng is None:
                found = reweigh(whole, scores, entry, keep, progress=part)
            else:
                found = resample(whole.grouped, scores, entry, keep, rng, part)
            rows.append(_row(name, share, keep, found) | {"own": keep == (1, 1)})
    _warn(notes, entry)
    return pd.DataFrame(rows)


def _row(metric: str, share: float, keep: Keep, found: Reweighted) -> dict[str, object]:
    return {
        "metric": metric,
        "share": share,
        "keep_tied": keep.tied,
        "keep_untied": keep.untied,
        "share_of_ties": found.share_of_ties,
        "n_pairs": found.n_pairs,
        "value": found.value,
        "epsilon": found.epsilon,
    }


def _checked(
    human: ArrayLike,
    metrics: Mapping[str, ArrayLike],
    coefficient: str,
    grouping: str | None,
    shares: Sequence[float] | None,
) -> tuple[Coefficient, dict[str, tuple[FloatArray, FloatArray]], dict[float, Keep]]:
    """The coefficient, checked scores by metric, probabilities by share."""
    entry = counted(coefficient)
    if not metrics:
        raise InputError("metrics: there is none to compare")
    pairs = {name: check_pair(human, scores) for name, scores in metrics.items()}
    own = count_ties(human, grouping=grouping).share
    wanted = default_shares(own) if shares is None else list(shares)
    return entry, pairs, {float(share): keep_for_share(human, share, grouping=grouping) for share in wanted}


def _warn(notes: Iterable[str], entry: Coefficient) -> None:
    """Warn, in the name of the public function that calls, of each thing once."""
    for note in dict.fromkeys(notes):
        warnings.warn(f"{note}; {ROUND}", NearTieWarning, stacklevel=3)
    if not entry.handles_ties:
        warnings.warn(f"coefficient: {entry.name} {EXPLOITED}", CalibrationWarning, stacklevel=3)


def held_out_shares(
    human: ArrayLike,
    metrics: Mapping[str, ArrayLike],
    coefficient: str = "acc_eq",
    *,
    grouping: str | None = "item",
    shares: Sequence[float] | None = None,
    held_out: float = 0.2,
    rng: np.random.Generator | int = 0,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Find thresholds on held-out segments with other shares of human ties, and use them on all other segments.

    Parameters
    ----------
    human, metrics, coefficient, grouping, shares, progress
        As for `tie_shares`; the shares are of the held-out segments, None their own and twelve others.
    held_out : float
        Share of the segments on which thresholds are found, between 0 and 1; at least one is, and one is not.
    rng : numpy Generator or int
        Chooses them.

    Returns
    -------
    pandas.DataFrame
        As `tie_shares`, of the held-out segments but for ``value``: of the other segments, all their pairs, at this
        ``epsilon``. ``in_sample`` and ``in_sample_epsilon`` are those segments' own optimum. ``attrs`` hold
        ``share_of_ties`` of the segments judged, ``n_held_out`` and ``n_judged``.

    Raises
    ------
    InputError
        For another part than is said above, fewer than two segments, and as `tie_shares`.

    Warns
    -----
    As `calibrate`, once for all metrics.

    References
    ----------
    Perrella et al. (2024), section 4.5.1 and Figure 3, doi:10.18653/v1/2024.acl-long.856.

    Examples
    --------
    >>> human, metric = [1, 2, 2, 3, 3, 3, 1, 2, 2, 3], [1, 2, 4, 3, 6, 9, 2, 2, 3, 5]
    >>> found = held_out_shares(human, {"m": metric}, grouping=None, shares=[0, 0.9], held_out=0.5)
    >>> found[["share", "epsilon", "value", "in_sample"]].round(3)
       share  epsilon  value  in_sample
    0    0.0      0.0    0.8        0.8
    1    0.9      3.0    0.5        0.8
    """
    h = as_scores("human", human)
    outside = _held_out(h.shape[-1] if h.ndim else 0, held_out, rng)
    pairs = {name: check_pair(h, scores)[1] for name, scores in metrics.items()}
    ours = {name: m[..., outside] for name, m in pairs.items()}
    entry, found_on, keeps = _checked(h[..., outside], ours, coefficient, grouping, shares)
    rows, notes = [], []
    for number, (name, scores) in enumerate(found_on.items()):
        whole = WholePairs(group(*scores, grouping))
        judged = fit(h[..., ~outside], pairs[name][..., ~outside], entry.name, grouping, "absolute")
        notes += near_tie_notes(judged.grouped.scores)
        own = {"in_sample": judged.value, "in_sample_epsilon": judged.epsilon}
        for place, (share, keep) in enumerate(keeps.items()):
            part = part_of(progress, number * len(keeps) + place, len(pairs) * len(keeps))
            found = reweigh(whole, scores, entry, keep, progress=part)
            value = judged.value_at(found.epsilon) if found.n_pairs else float("nan")
            rows.append(_row(name, share, keep, found) | {"value": value} | own)
    _warn(notes, entry)
    frame = pd.DataFrame(rows)
    frame.attrs["share_of_ties"] = count_ties(h[..., ~outside], grouping=grouping).share
    frame.attrs |= {"n_held_out": int(outside.sum()), "n_judged": int((~outside).sum())}
    return frame


def _held_out(size: int, share: float, rng: np.random.Generator | int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which segments are held out."""
    if not isinstance(share, Real) or isinstance(share, bool) or not 0 < float(share) < 1:
        raise InputError(f"held_out: must lie between 0 and 1, found {share!r}")
    if size < 2:
        raise InputError(f"human: must have two segments at least, found {size}")
    chosen = as_generator(rng).permutation(size)[: min(max(round(size * float(share)), 1), size - 1)]
    outside = np.zeros(size, np.bool_)
    outside[chosen] = True
    return outside
