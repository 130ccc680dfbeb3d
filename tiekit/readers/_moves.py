"""Do the scores of an added metric fit other segments better, all moved by as many? All moves are tried at once."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tiekit.base.validation import FloatArray
from tiekit.sets.scores import FloatMatrix

FEWEST_MOVED = 30
"""Minimum number of segments with scores; in fewer, chance decides which move fits best."""

MOST_MOVED = 8_192
"""Maximum number of segments beside which scores are tried; of more, those about the first with a score."""

NEAR, FAR = 3.25, 5.25
"""A move by one segment, and one by more, fits better where the correlation is higher by this, divided by the root of
the number of segments. Of all metrics and human scores of the sets that come along, whole and in parts of 30, 100 and
200 segments, of all systems and of three, none does so by more than 3.0 and 4.8; moved by one, half of the parts of
100 segments do so by 5.6."""


def better_move(matrix: FloatMatrix, others: Iterable[FloatMatrix]) -> tuple[int, float, float] | None:
    """By how many segments scores fit the mean of others better, and their correlation there and now; None if they fit.

    It is the mean over the systems of the correlation among a system's segments.
    """
    scored = np.flatnonzero(~np.isnan(matrix).all(axis=0))
    if len(scored) < FEWEST_MOVED:
        return None
    start = max(int(scored[0]) - MOST_MOVED // 4, 0)
    part = np.ix_(~np.isnan(matrix).all(axis=1), np.arange(start, min(start + MOST_MOVED, matrix.shape[1])))
    scores, mean = matrix[part], mean_of((other[part] for other in others), matrix[part].shape)
    number, size = int((~np.isnan(scores)).any(axis=0).sum()), scores.shape[1]
    found = _correlate_moves(scores, mean)
    moves = np.arange(len(found)) - (size - 1)
    own = float(found[size - 1])
    needed = np.where(np.abs(moves) == 1, NEAR, FAR) / number**0.5
    better = np.where(moves == 0, -np.inf, found - abs(own) - needed)
    best = int(np.argmax(better))
    return (int(moves[best]), float(found[best]), own) if better[best] > 0 else None


def fits_here(matrix: FloatMatrix, others: Iterable[FloatMatrix]) -> bool:
    """Whether scores fit the mean of others clearly better where they are than on the next segment, or that before."""
    scored = np.flatnonzero(~np.isnan(matrix).all(axis=0))
    if len(scored) < FEWEST_MOVED:
        return False
    start = max(int(scored[0]) - 1, 0)
    part = np.ix_(~np.isnan(matrix).all(axis=1), np.arange(start, min(int(scored[-1]) + 2, matrix.shape[1])))
    scores, mean = matrix[part][:, :MOST_MOVED], mean_of((other[part] for other in others), matrix[part].shape)
    at = scores.shape[1] - 1
    before, own, after = np.abs(_correlate_moves(scores, mean[:, :MOST_MOVED])[at - 1 : at + 2])
    return bool(own - max(before, after) > NEAR / len(scored) ** 0.5)


def mean_of(others: Iterable[FloatMatrix], shape: tuple[int, ...]) -> FloatMatrix:
    """The mean of the scores of each cell, which are brought to one mean and spread first; NaN where none is."""
    total, number = np.zeros(shape), np.zeros(shape)
    for other in others:
        if (known := ~np.isnan(other)).any():
            scores = other[known]
            total[known] += (scores - scores.mean()) / (scores.std() or 1.0)
            number += known
    return np.where(number, total / np.maximum(number, 1), np.nan)


def _correlate_moves(first: FloatMatrix, second: FloatMatrix) -> FloatArray:
    """The mean correlation of the rows of two matrices with one moved by -(n - 1) to n - 1 columns beside the other.

    -1 where of most rows less than half of the first one's cells have another one beside them.
    """
    reach = first.shape[1] - 1
    length = 1 << (2 * reach + 1).bit_length()
    total, rows = np.zeros(2 * reach + 1), np.zeros(2 * reach + 1)
    for row, other in zip(first, second, strict=True):
        sides = []
        for scores in (row, other):
            known = ~np.isnan(scores)
            centered = np.where(known, scores - (scores[known].mean() if known.any() else 0.0), 0.0)
            sides.append(np.fft.rfft([known, centered, centered**2], length))
        ours, theirs = sides
        sums = np.fft.irfft(np.conj(ours)[[0, 0, 0, 1, 1, 2]] * theirs[[0, 1, 2, 0, 1, 0]], length)
        numbers, of_other, squares, of_row, products, own = np.concatenate(
            [sums[:, -reach:], sums[:, : reach + 1]], axis=1
        )
        numbers = np.maximum(np.round(numbers), 1)
        spread = (own - of_row**2 / numbers) * (squares - of_other**2 / numbers)
        is_defined = (spread > 1e-9) & (numbers > 2) & (2 * numbers >= (~np.isnan(row)).sum())
        total += np.where(is_defined, products - of_row * of_other / numbers, 0) / np.sqrt(
            np.where(is_defined, spread, 1)
        )
        rows += is_defined
    return np.where(2 * rows >= len(first), total / np.maximum(rows, 1), -1.0)
