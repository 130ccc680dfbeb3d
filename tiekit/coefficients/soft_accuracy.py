"""Are human and metric equally sure that one system is better than another? Soft pairwise accuracy."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tiekit.arguments import Exclude, Human, Metric, read_pair
from tiekit.counting.interpreted import is_interpreted
from tiekit.counting.means import SAME
from tiekit.counting.spread import unit_scale
from tiekit.errors import InputError
from tiekit.scores import FloatArray, check_count
from tiekit.seeds import seed_of

MTME_SEED = 4
"""The seed of mt-metrics-eval's swaps."""

PAIRS_A_PART = 256
"""The most pairs of systems that are tested in one go."""

SEGMENTS_A_PART = 4096
"""Number of segments whose swaps are unpacked in one go, a multiple of 32: the parts add up to the same bytes."""

MOST_UNPACKED, MOST_KEPT = 2**22, 2**28
"""The most swaps of single segments that stay in memory after a call: as numbers (32 MB), and as bits (32 MB)."""


def soft_pairwise_accuracy(
    data: Human = None,
    metric: Metric = None,
    *,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
    parity: str | None = None,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
) -> float:
    """Measure how alike human and metric are in their confidence that one system is better than another.

    For every pair of systems, human and metric have a p-value each: how often the first system would lead by more if
    the two systems' scores of each segment were swapped at random. An equal lead counts half (mid-p): so the p-value
    of the reversed pair is the rest to 1, and the result does not depend on the order of the systems. SPA is 1 minus
    the mean difference between the two p-values.

    Parameters
    ----------
    data : EvalSet, or array_like of shape (systems, segments)
        An evaluation set, or human scores. A pair of systems is compared on the segments where both have both scores;
        without such a segment it is left out of the mean over pairs.
    metric : str, or array_like of that shape
        The name of a metric of the set, or metric scores.
    n_resamples : int
        Number of random swaps, the same for all pairs and both sides. Where there are no more ways to swap than that,
        all are tried, and the value is exact.
    rng : numpy Generator or int, optional
        Random-number generator or seed; None is seed 0, with ``parity="mtme"`` seed 4.
    parity : {"mtme"}, optional
        ``"mtme"``: the value of mt-metrics-eval, from the same random swaps of scores in float32. There an equal lead
        counts as a larger one, so the value depends on the order of the systems where scores are discrete. Only
        segments that have both scores of every system count.
    human : str, optional
        The human score of the set; None is its gold score.
    exclude : str or iterable of str, optional
        Systems of the set to leave out; None: its standard reference and outliers; ``()``: nobody.

    Returns
    -------
    float
        From 0 to 1. NaN where no pair of systems has a common segment, as for fewer than two systems with a score.

    Raises
    ------
    InputError
        For vectors, another ``parity``, and what `correlate` refuses.

    References
    ----------
    Thompson et al. (2024), doi:10.18653/v1/2024.wmt-1.118; with mid-p instead of their p, which depends on the order;
    ``parity="mtme"``: mt-metrics-eval's ``pce``.

    Examples
    --------
    >>> human, metric = [[1, 2, 3], [2, 3, 4]], [[2, 2, 4], [1, 3, 5]]
    >>> soft_pairwise_accuracy(human, metric), soft_pairwise_accuracy(human[::-1], metric[::-1])
    (0.75, 0.75)
    >>> soft_pairwise_accuracy(human, metric, parity="mtme")
    0.872
    """
    h, m = matrices(*read_pair(data, metric, human, exclude))
    size = check_count("n_resamples", n_resamples)
    if parity is None:
        return soft_accuracy(h, m, size, seed_of(rng))
    if parity != "mtme":
        raise InputError(f"parity: must be 'mtme' or None, found {parity!r}")
    return _ordered_accuracy(h, m, size, MTME_SEED if rng is None else seed_of(rng))


def matrices(human: FloatArray, metric: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Check that scores that were read are matrices, as systems are compared."""
    if human.ndim != 2:
        raise InputError(
            f"human: systems are compared, so it must be a matrix systems × segments, found shape {human.shape}"
        )
    return human, metric


def soft_accuracy(human: FloatArray, metric: FloatArray, n_resamples: int = 1000, seed: int = 0) -> float:
    """Soft pairwise accuracy of checked matrices."""
    missing = np.isnan(human) | np.isnan(metric)
    kept = ~missing.all(axis=1)
    compared = (~missing).sum(axis=0) >= 2
    if not compared.any():
        return float("nan")
    h, m, missing = (part[np.ix_(kept, compared)] for part in (human, metric, missing))
    if not missing.any() and not is_interpreted():
        swaps = swaps_of(h.shape[1], n_resamples, seed)
        of_human, of_metric = confidence(swaps, h, m)
        return float(1 - np.abs(of_human - of_metric).mean())
    signs = 1.0 - 2.0 * swaps_of(h.shape[1], n_resamples, seed).part(0, h.shape[1])
    differences = [np.abs(_mid_p(a, signs) - _mid_p(b, signs)) for a, b in _leads(h, m, missing)]
    found = np.concatenate(differences)
    return float(1 - found.mean()) if found.size else float("nan")


def _ordered_accuracy(human: FloatArray, metric: FloatArray, n_resamples: int, seed: int) -> float:
    """Soft pairwise accuracy of checked matrices as mt-metrics-eval computes it."""
    missing = np.isnan(human) | np.isnan(metric)
    kept = ~missing.all(axis=1)
    compared = ~missing[kept].any(axis=0)
    if kept.sum() < 2 or not compared.any():
        return float("nan")
    drawn = np.random.default_rng(seed).random((n_resamples, int(compared.sum())), np.float32)
    signs = np.where(drawn > 0.5, np.float32(1), np.float32(-1))
    first, second = np.triu_indices(int(kept.sum()), 1)
    shares = []
    for scores in (human, metric):
        used = scores[np.ix_(kept, compared)].astype(np.float32)
        swapped, total = signs @ used.T, used.sum(axis=1)
        beyond = swapped[:, first] - swapped[:, second] >= total[first] - total[second]
        shares.append(beyond.mean(axis=0))
    return float(1 - np.abs(shares[0] - shares[1]).mean())


@dataclass(frozen=True, eq=False)
class Swaps:
    """Which segments are swapped in each resample: one bit for every segment and resample, packed row by row."""

    bits: NDArray[np.uint8]
    shape: tuple[int, int]

    def part(self, start: int, stop: int) -> FloatArray:
        """1 for segments whose scores are swapped, else 0, of segments from a multiple of 8 on, as numbers."""
        first, size = start * self.shape[1] // 8, (stop - start) * self.shape[1]
        moved = np.unpackbits(self.bits[first : first + -(-size // 8)], count=size)
        return moved.reshape(-1, self.shape[1]).astype(np.float64)

    @functools.cached_property
    def _unpacked(self) -> FloatArray | None:
        """All of them as numbers, where these are few enough to be kept."""
        return self.part(0, self.shape[0]) if self.shape[0] * self.shape[1] <= MOST_UNPACKED else None

    def sum(self, scores: FloatArray) -> FloatArray:
        """Sum each row's scores on the segments that are swapped, shape (rows, resamples)."""
        from tiekit.coefficients._soft_kernels import sum_moved

        moved = np.zeros((len(scores), self.shape[1]))
        if self._unpacked is not None:
            sum_moved(scores, self._unpacked, moved)
            return moved
        for start in range(0, self.shape[0], SEGMENTS_A_PART):
            stop = min(start + SEGMENTS_A_PART, self.shape[0])
            sum_moved(np.ascontiguousarray(scores[:, start:stop]), self.part(start, stop), moved)
        return moved


def swaps_of(n_segments: int, n_resamples: int = 1000, seed: int = 0) -> Swaps:
    """Random swaps, or all ways to swap where they are few; the last ones are kept unless they are too many."""
    many = n_segments * n_resamples > MOST_KEPT
    return (_draw_swaps if many else _kept_swaps)(n_segments, n_resamples, seed)


def _draw_swaps(n_segments: int, n_resamples: int, seed: int) -> Swaps:
    if n_segments < 63 and 2**n_segments <= n_resamples:
        moved = np.arange(2**n_segments) >> np.arange(n_segments)[:, None] & 1
        return Swaps(np.packbits(moved.astype(np.bool_)), moved.shape)
    drawn = np.random.default_rng(seed).bytes(-(-n_segments * n_resamples // 8))
    return Swaps(np.frombuffer(drawn, np.uint8), (n_segments, n_resamples))


_kept_swaps = functools.lru_cache(maxsize=2)(_draw_swaps)


def confidence(swaps: Swaps, *scored: FloatArray) -> list[FloatArray]:
    """How often the lead of every two systems would be larger, none of whose scores is missing; equal counts half."""
    from tiekit.coefficients._soft_kernels import confidences

    centered = [center_columns(unit_scale(scores.ravel())[0].reshape(scores.shape)) for scores in scored]
    moved = np.split(swaps.sum(np.concatenate(centered)), len(scored))
    return [confidences(m, c, SAME) / (2 * swaps.shape[1]) for m, c in zip(moved, centered, strict=True)]


def center_columns(scores: FloatArray) -> FloatArray:
    """Differences from the mean of each segment, so that sums lose no digits of the leads."""
    from_first = scores - scores[:1]
    return np.asarray(from_first - from_first.mean(axis=0), np.float64)


def _leads(
    human: FloatArray, metric: FloatArray, missing: NDArray[np.bool_]
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """The lead of the first system of each pair on each segment, by human and by metric; 0 where a score is missing."""
    first, second = np.triu_indices(len(human), 1)
    for start in range(0, first.size, PAIRS_A_PART):
        i, j = (which[start : start + PAIRS_A_PART] for which in (first, second))
        gone = missing[i] | missing[j]
        known = ~gone.all(axis=1)  # of a pair without a common segment, nothing is
        i, j, gone = i[known], j[known], gone[known]
        yield np.where(gone, 0.0, human[i] - human[j]), np.where(gone, 0.0, metric[i] - metric[j])


def _mid_p(lead: FloatArray, signs: FloatArray) -> FloatArray:
    """How often each pair's lead would be larger; an equal lead counts half."""
    size = np.abs(lead).max(axis=1, initial=0.0, keepdims=True)
    scaled = np.divide(lead, size, out=np.zeros_like(lead), where=size > 0)
    beyond = scaled @ signs - scaled.sum(axis=1, keepdims=True)
    same = np.abs(beyond) <= SAME * np.abs(scaled).sum(axis=1, keepdims=True)
    return np.asarray((np.where(same, 0.5, beyond > 0)).mean(axis=1), np.float64)
