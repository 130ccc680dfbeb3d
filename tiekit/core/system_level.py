"""What is measured of systems only: soft pairwise accuracy, Pearson of differences, and coefficients of means."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tiekit.base.errors import InputError
from tiekit.base.parallel import beat
from tiekit.base.validation import FloatArray, IntArray, check_count, seed_of
from tiekit.core._compile import inline, is_interpreted, kernel
from tiekit.core.coefficients import Drawn, OfMatrix, average, correlation_of
from tiekit.core.grouping import SAME, group_checked, unit_scale
from tiekit.core.pairs import count_sorted
from tiekit.core.registry import COEFFICIENTS

SWAPS_AT_ONCE, SEGMENTS_AT_ONCE = 512, 32
"""Numbers of swaps and of segments that stay near the processor while all rows are summed."""

STEPS_AT_ONCE = 300_000_000
"""About how many numbers are added or compared between two beats."""


@inline
def count_larger(first, second, reach):  # type: ignore[no-untyped-def]
    """Count twice the swaps in which the first sum is smaller, and once those in which both are equal."""
    count = 0
    for k in range(first.size):
        difference = first[k] - second[k]
        count += (difference < -reach) + (difference <= reach)
    return count


@inline
def count_both(first, second, near, far):  # type: ignore[no-untyped-def]
    """Count as `count_larger` with two reaches at once."""
    count = other = 0
    for k in range(first.size):
        difference = first[k] - second[k]
        count += (difference < -near) + (difference <= near)
        other += (difference < -far) + (difference <= far)
    return count, other


@kernel
def sum_moved(scores, swaps, moved):  # type: ignore[no-untyped-def]
    """Add each row's scores on the segments that are swapped to ``moved``, shape (rows, swaps): a matrix product.

    As a loop it takes one core, as the parts of the work do, and gives the same bytes on any number of them.
    """
    n_rows, n_segments, n_swaps = scores.shape[0], scores.shape[1], swaps.shape[1]
    for begin in range(0, n_swaps, SWAPS_AT_ONCE):
        end = min(begin + SWAPS_AT_ONCE, n_swaps)
        for start in range(0, n_segments, SEGMENTS_AT_ONCE):
            stop = min(start + SEGMENTS_AT_ONCE, n_segments)
            for i in range(n_rows):
                row, n = moved[i, begin:end], start
                while n + 4 <= stop:
                    a, b, c, d = scores[i, n], scores[i, n + 1], scores[i, n + 2], scores[i, n + 3]
                    first, second = swaps[n, begin:end], swaps[n + 1, begin:end]
                    third, fourth = swaps[n + 2, begin:end], swaps[n + 3, begin:end]
                    for k in range(end - begin):
                        row[k] += a * first[k] + b * second[k] + c * third[k] + d * fourth[k]
                    n += 4
                while n < stop:
                    first = swaps[n, begin:end]
                    for k in range(end - begin):
                        row[k] += scores[i, n] * first[k]
                    n += 1


@kernel
def confidences(moved, scores, same, begin, end, found):  # type: ignore[no-untyped-def]
    """Count twice, for every two systems in order, the swaps with a larger lead plus those with an equal one.

    Sums are equal up to half the share ``same`` of the summed leads. Stored in ``found`` are the pairs whose first
    system is one of those from ``begin`` to ``end``.
    """
    n = len(scores)
    place = begin * n - begin * (begin + 1) // 2
    for i in range(begin, end):
        for j in range(i + 1, n):
            lead = 0.0
            for s in range(scores.shape[1]):
                lead += abs(scores[i, s] - scores[j, s])
            found[place] = count_larger(moved[i], moved[j], 0.5 * same * lead)
            place += 1


@kernel
def soft_errors(pairs, base, change, scores, swapped, largest, human, same, noise, begin, end, errors):  # type: ignore[no-untyped-def]
    """Add up the distances of two systems' confidences from the human's, for pairs of metrics that swap scores.

    ``base`` holds each metric's sums, shape (metrics, systems, swaps), and ``change`` what those of its swapped scores
    are more than the first metric's. Leads are summed only where they decide whether two sums are equal, as in
    `confidences`: ``largest`` bounds each system's sum, and ``noise`` is the share of it that rounding can make. Added
    to ``errors``, shape (pairs, 2), are the systems whose first is one of those from ``begin`` to ``end``.
    """
    n, n_swaps = base.shape[1], base.shape[2]
    moved = np.empty((n, n_swaps))
    for p in range(len(pairs)):
        for slot in range(2):
            a, b = pairs[p, slot], pairs[p, 1 - slot]
            for i in range(begin, n):
                for k in range(n_swaps):
                    moved[i, k] = base[a, i, k] + (change[b, i, k] - change[a, i, k])
            total, place = errors[p, slot], begin * n - begin * (begin + 1) // 2
            for i in range(begin, end):
                for j in range(i + 1, n):
                    bound = largest[i] + largest[j]
                    count, other = count_both(moved[i], moved[j], noise * bound, 0.5 * same * bound)
                    if count != other:
                        lead = 0.0
                        for s in range(scores.shape[2]):
                            first = scores[b, i, s] if swapped[i, s] else scores[a, i, s]
                            second = scores[b, j, s] if swapped[j, s] else scores[a, j, s]
                            lead += abs(first - second)
                        count = count_larger(moved[i], moved[j], 0.5 * same * lead)
                    total += abs(human[place] - count / (2 * n_swaps))
                    place += 1
            errors[p, slot] = total


def rows_at_once(n_rows: int, steps: int) -> Iterator[tuple[int, int]]:
    """Yield where some rows begin and end, of which each takes so many steps; call `beat` after them."""
    size = max(1, STEPS_AT_ONCE // max(steps, 1))
    for begin in range(0, n_rows, size):
        yield begin, min(begin + size, n_rows)
        beat()


MTME_SEED = 4
"""The seed of mt-metrics-eval's swaps."""

PAIRS_A_PART = 256
"""The most pairs of systems that are tested in one go."""

SEGMENTS_A_PART = 4096
"""Number of segments whose swaps are unpacked in one go, a multiple of 32: the parts add up to the same bytes."""

MOST_UNPACKED, MOST_KEPT = 2**22, 2**28
"""The most swaps of single segments that stay in memory after a call: as numbers (32 MB), and as bits (32 MB)."""


def soft_accuracy_of(
    h: FloatArray,
    m: FloatArray,
    *,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
    parity: str | None = None,
) -> float:
    """Soft pairwise accuracy of checked matrices, by name; see `tiekit.measures.soft_pairwise_accuracy`."""
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
    swaps = swaps_of(h.shape[1], n_resamples, seed)
    differences = [np.abs(np.subtract(*_mid_p(leads, swaps))) for leads in _leads(h, m, missing)]
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

    def parts(self) -> Iterator[tuple[int, FloatArray]]:
        """The first segment of each part, and the part."""
        if self._unpacked is not None:
            yield 0, self._unpacked
            return
        for start in range(0, self.shape[0], SEGMENTS_A_PART):
            yield start, self.part(start, min(start + SEGMENTS_A_PART, self.shape[0]))

    @functools.cached_property
    def _unpacked(self) -> FloatArray | None:
        """All of them as numbers, where these are few enough to be kept."""
        return self.part(0, self.shape[0]) if self.shape[0] * self.shape[1] <= MOST_UNPACKED else None

    def sum(self, scores: FloatArray) -> FloatArray:
        """Sum each row's scores on the segments that are swapped, shape (rows, resamples)."""
        moved = np.zeros((len(scores), self.shape[1]))
        for start, part in self.parts():
            for begin, end in rows_at_once(len(scores), part.size):
                some = np.ascontiguousarray(scores[begin:end, start : start + len(part)])
                sum_moved(some, part, moved[begin:end])
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
    centered = [center_columns(unit_scale(scores.ravel())[0].reshape(scores.shape)) for scores in scored]
    moved = np.split(swaps.sum(np.concatenate(centered)), len(scored))
    found, (n, n_segments) = [], scored[0].shape
    for m, c in zip(moved, centered, strict=True):
        counts = np.empty(n * (n - 1) // 2, np.int64)
        for begin, end in rows_at_once(n, n * (n_segments + swaps.shape[1])):
            confidences(m, c, SAME, begin, end, counts)
        found.append(counts / (2 * swaps.shape[1]))
    return found


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


def _mid_p(leads: Sequence[FloatArray], swaps: Swaps) -> list[FloatArray]:
    """How often each pair's lead would be larger, by human and by metric; an equal lead counts half."""
    sizes = [np.abs(lead).max(axis=1, initial=0.0, keepdims=True) for lead in leads]
    scaled = [np.divide(a, size, out=np.zeros_like(a), where=size > 0) for a, size in zip(leads, sizes, strict=True)]
    beyond = [-one.sum(axis=1, keepdims=True) for one in scaled]
    for start, part in swaps.parts():
        signs = 1.0 - 2.0 * part
        beyond = [a[:, start : start + len(part)] @ signs + sums for a, sums in zip(scaled, beyond, strict=True)]
        beat()
    same = [np.abs(b) <= SAME * np.abs(a).sum(axis=1, keepdims=True) for a, b in zip(scaled, beyond, strict=True)]
    return [np.where(one, 0.5, b > 0).mean(axis=1) for one, b in zip(same, beyond, strict=True)]


def difference_pearson(human: FloatArray, metric: FloatArray, grouping: str) -> float:
    """Pearson's r of the pairwise differences of checked matrices."""
    scored = ~(np.isnan(human) | np.isnan(metric))
    rows, columns = np.nonzero(scored)
    owner = {"item": columns, "system": rows}.get(grouping, np.zeros_like(rows))
    sizes = np.bincount(owner)[owner]
    a, b = (_about_group_means(side[scored], owner) for side in (human, metric))
    return float(correlation_of(np.array([sizes.size, sizes @ (a * a), sizes @ (b * b), sizes @ (a * b)])))


def _about_group_means(scores: FloatArray, owner: IntArray) -> FloatArray:
    """Differences from each group's mean, on a scale on which no square overflows; exactly 0 in a constant group."""
    scaled, _ = unit_scale(scores)
    firsts, place = np.unique(owner, return_index=True)
    from_first = scaled - scaled[place][np.searchsorted(firsts, owner)]
    means = np.bincount(owner, from_first) / np.maximum(np.bincount(owner), 1)
    return np.asarray(from_first - means[owner], np.float64)


def accuracy_of_means(human: FloatArray, metric: FloatArray, grouping: str) -> float:
    """Pairwise accuracy of checked matrices."""
    counts = count_sorted(group_checked(human, metric, grouping).scores, 0.0)
    return average(COEFFICIENTS["acc_eq"].from_counts(counts), "drop")


def _soft(human: FloatArray, metric: FloatArray, _: str) -> float:
    """Soft pairwise accuracy with the default number of resamples and seed."""
    return soft_accuracy(human, metric)


def _differences_of_draws(drawn: Drawn) -> FloatArray:
    """Pearson's r of the pairwise differences of many resamples, over all groups together."""
    sums = drawn.sums(ranked=False)
    pairs = sums[..., :1] * sums * (1 if drawn.multiplicity is None else drawn.multiplicity[:, None, :, None])
    return correlation_of(pairs.sum(axis=2))


_ENTRIES = (
    OfMatrix(
        name="pairwise_accuracy",
        label="pairwise accuracy",
        latex=r"\mathrm{Acc}",
        range=(0.0, 1.0),
        reference="Kocmi et al. (2021), aclanthology.org/2021.wmt-1.57",
        undefined="there are fewer than two systems",
        groupings=("system_means",),
        matrix=accuracy_of_means,
        from_draws=COEFFICIENTS["acc_eq"].recount,
    ),
    OfMatrix(
        name="spa",
        label="soft pairwise accuracy",
        latex=r"\mathrm{SPA}",
        range=(0.0, 1.0),
        reference="Thompson et al. (2024), doi:10.18653/v1/2024.wmt-1.118",
        undefined="no two systems have a common segment",
        groupings=("system_means",),
        matrix=_soft,
        together="confidences",
        of_means=False,
        seeded=True,
    ),
    OfMatrix(
        name="pdp",
        label="pairwise-difference Pearson",
        latex=r"\mathrm{PDP}",
        reference="arXiv 2509.25546 (2025)",
        undefined="all differences of the human or of the metric scores are 0",
        groupings=("global", "item", "system"),
        matrix=difference_pearson,
        together="sums",
        from_draws=_differences_of_draws,
    ),
)

SYSTEM_LEVEL: dict[str, OfMatrix] = {entry.name: entry for entry in _ENTRIES}
"""Coefficients of all groups at once, without a mean over groups; a leaderboard shows them beside `COEFFICIENTS`."""


def label_of(column: str) -> str:
    """Return the printed name of a coefficient, or of a value column of a leaderboard, with its star and grouping."""
    grouping, slash, coefficient = column.rpartition("/")
    name = coefficient.removesuffix("*")
    known = SYSTEM_LEVEL.get(name) or COEFFICIENTS.get(name)
    label = (known.label if known else name) + ("*" if column.endswith("*") else "")
    return f"{grouping.replace('_', ' ')} {label}" if slash else label


GROUPING_WORDS = {
    "global": "without grouping",
    "item": "by item",
    "system": "by system",
    "system_means": "system means",
    "document": "by document",
    "document_means": "document means",
}
"""The printed name of each grouping."""


def measure_label(measure: str) -> str:
    """Return the printed name of a measure: ``by item, acc_eq*`` for ``item/acc_eq*``; of a vector, ``acc_eq*``."""
    grouping, _, coefficient = measure.rpartition("/")
    words = GROUPING_WORDS.get(grouping)
    return f"{words}, {label_of(coefficient)}" if words else label_of(coefficient)
