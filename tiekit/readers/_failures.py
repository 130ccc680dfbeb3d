"""Which scores are perhaps none of the metric? Zeros and systems apart from all others, one score to a system's end."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from tiekit.base.names import is_reference
from tiekit.readers._moves import mean_of

FEWEST_ZEROS, SHARE_OF_ZEROS, FEWEST_DIFFERENT, AWAY = 2, 0.01, 100, 0.1
"""So many zeros, which are such a share of all scores, stand for missing ones where all of so many different others lie
further from 0 than this share of their range. Of the metrics of the sets that come along two have zeros so far from all
others, 14 of 24,830, those of empty outputs."""

OFTENER, FEWEST_INSIDE = 5, 10
"""Zeros among lower and higher scores do so where they are so many times as many as any other score, and so many."""

OFTENER_THAN_NEXT, FEWEST_JUDGES = 2, 4
"""On a scale of few numbers above 0 they do so where they are so many times as many as the lowest of these, and other
scores judge these outputs as any, be they so many or the zeros far away. Of 2,606 scales made of the metrics that come
along none has such zeros beside all others or one to three, with and without human scores; where a part of 2 to 15 %
of such scores is replaced by zeros, 88 % are found beside all others and 60 % beside two."""

TEN, SOME_ABOVE = 10, 5
"""Of scores from 0 to 100 most are up to 10, some above 5, where a judge that answers on a scale of 10 has answered on
one of 100 now and then. Of 2,382 skewed scales made of the metrics that come along none is taken for such
ones beside all others; where 5 to 10 % of answers are ten times as high, 93 % are found."""

STEPS, LEVELS, NOT_RATED = {0: 1.9, 9: 2.85}, {0: 9, 9: 4}, (0, 9)
"""Ratings that lie so many times as far from all others as neighbors of these, of so many levels, stand for none."""

FEWEST_JUDGED, LIKE_ANY, LEAST, SURE = 20, (0.75, 2), 0.2, 6
"""So many zeros do so as well where metrics judge these outputs as they judge any, by these parts of how much lower
they judge those with low ratings, which is so many standard deviations, and so many standard errors. Of 7,722
monotone scales from 0 made of the human scores that come along, none has such zeros beside all metrics or one."""

FEWEST_ALIKE, BY_CHANCE, MOST_STOPPED = 10, -20.0, 3
"""So many last scores of a system, at least, are those of a run that failed where they are all the same, the logarithm
of the chance of this by the other systems' scores there is lower, and at most one in so many systems has such ones. In
the sets that come along none has any but references, which metrics compare with themselves."""

FEWEST_SYSTEMS, FEWEST_SCORES, INSIDE = 4, 10, (0.1, 0.5, 0.9)
"""Of so many systems with so many scores, some are on another scale where nine in ten scores of each are above nine in
ten of each other one. No metric or human scores of the sets that come along have such systems, but for references."""


def find_zeros(matrix: NDArray[np.float64], judges: Collection[NDArray[np.float64]] = ()) -> NDArray[np.bool_]:
    """Where zeros stand for missing scores; those of segments without any other score are taken for scores.

    On scales of few numbers, other scores of these outputs, ``judges``, tell it.
    """
    zeros: NDArray[np.bool_] = matrix == 0
    known = ~np.isnan(matrix)
    zeros &= (known & (matrix != 0)).any(axis=0)
    if (times := int(zeros.sum())) < max(FEWEST_ZEROS, SHARE_OF_ZEROS * known.sum()):
        return np.zeros_like(zeros)
    different, numbers = np.unique(matrix[known & (matrix != 0)], return_counts=True)
    low, high = different[0], different[-1]
    is_away = max(low, -high) >= AWAY * (high - low)
    is_often = low < 0 < high and times >= max(FEWEST_INSIDE, OFTENER * int(numbers.max()))
    if len(different) >= FEWEST_DIFFERENT and (is_away or is_often):
        return zeros
    is_scale = low > 0 and 2 * len(different) <= known.sum() and times >= OFTENER_THAN_NEXT * numbers[0]
    is_sure = is_scale and (is_away or len(judges) >= FEWEST_JUDGES) and _are_like_any(matrix, zeros, judges)
    return zeros if is_sure else np.zeros_like(zeros)


def find_tenfold(matrix: NDArray[np.float64], judges: Collection[NDArray[np.float64]]) -> NDArray[np.bool_]:
    """Where scores from 10 to 100 stand beside others up to 10, but for outputs that other scores judge as any."""
    high: NDArray[np.bool_] = matrix > TEN
    others = ~high & ~np.isnan(matrix)
    if len(judges) < FEWEST_JUDGES or not SHARE_OF_ZEROS * others.sum() < high.sum() <= others.sum():
        return np.zeros_like(high)
    is_ten = matrix[others].min() >= 0 and matrix[others].max() > SOME_ABOVE and np.nanmax(matrix) <= TEN**2
    return high if is_ten and _are_like_any(matrix, high, judges) else np.zeros_like(high)


def find_unrated(ratings: NDArray[np.float64], metrics: Collection[NDArray[np.float64]]) -> NDArray[np.bool_]:
    """Where 0 or 9 stands for no rating beside those of a scale that begins at 1 or more; ``metrics`` may tell it."""
    known = ~np.isnan(ratings)
    for code in NOT_RATED:
        marked: NDArray[np.bool_] = ratings == code
        others = known & ~marked
        if not others.any() or marked.sum() < max(FEWEST_ZEROS, SHARE_OF_ZEROS * known.sum()):
            continue
        levels = np.unique(ratings[others])
        low, high, gap = levels[0], levels[-1], max(levels[0] - code, code - levels[-1])
        if low < 1 or gap <= 0 or len(levels) < 3:
            continue
        is_near = code != 0 or AWAY * (high - low) <= low <= (high - low) / 2
        is_scale = len(levels) >= LEVELS[code] and 2 * len(levels) <= others.sum() and is_near
        if (is_scale and gap >= STEPS[code] * np.diff(levels).max()) or _are_like_any(ratings, marked, metrics):
            return marked
    return np.zeros_like(known)


def _are_like_any(
    ratings: NDArray[np.float64], marked: NDArray[np.bool_], metrics: Collection[NDArray[np.float64]]
) -> bool:
    """Whether metrics judge what is marked, an end of the scale, as any and not as what has ratings next to it."""
    judged = mean_of(metrics, ratings.shape)
    marked, others = marked & ~np.isnan(judged), ~marked & ~np.isnan(ratings + judged)
    if marked.sum() < FEWEST_JUDGED or others.sum() < 3 * FEWEST_JUDGED:
        return False
    distance = np.abs(ratings[others] - ratings[marked][0])
    number = min(max(int(marked.sum()), len(distance) // 10), len(distance) // 3)
    near, every = distance <= np.partition(distance, number - 1)[number - 1], judged[others]
    part, spread = every[near].mean() - every.mean(), every.std()
    moved = (every[near].mean() - judged[marked].mean()) * np.sign(part)
    error = spread * (1 / marked.sum() + 1 / near.sum()) ** 0.5
    return bool(
        abs(part) >= LEAST * spread and max(LIKE_ANY[0] * abs(part), SURE * error) <= moved <= LIKE_ANY[1] * abs(part)
    )


def find_stopped(systems: Sequence[str], matrix: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Where the last scores of a few systems, or all, are one number that the others' scores there mostly are not."""
    found = np.zeros(matrix.shape, dtype=np.bool_)
    known = ~np.isnan(matrix)
    n_scored, numbers = known.any(axis=1).sum(), known.sum(axis=0, dtype=np.int32)
    same = dict[float, NDArray[np.int32]]()
    del known
    for row, scores in enumerate(matrix):
        places = np.flatnonzero(~np.isnan(scores))
        changes = np.flatnonzero(np.diff(scores[places]))
        last = places[changes[-1] + 1 :] if len(changes) else places
        if len(last) < FEWEST_ALIKE or is_reference(systems[row]):
            continue
        value = float(scores[last[0]])
        if value not in same:
            same[value] = (matrix == value).sum(axis=0, dtype=np.int32)
        share = (1 + same[value][last].sum() - len(last)) / (2 + numbers[last].sum() - len(last))
        if len(last) * np.log(share) < BY_CHANCE:
            others = [one for one in range(len(matrix)) if one != row]
            found[row, last] = any((matrix[one, last] != matrix[others[0], last]).any() for one in others)
    return found if MOST_STOPPED * found.any(axis=1).sum() <= n_scored else np.zeros_like(found)


def find_apart(systems: Sequence[str], matrix: NDArray[np.float64]) -> list[str]:
    """The systems, the fewer ones, whose scores lie above or below nearly all of the others'; mostly none."""
    enough = (~np.isnan(matrix)).sum(axis=1) >= FEWEST_SCORES
    rows = [row for row in np.flatnonzero(enough).tolist() if not is_reference(systems[row])]
    if len(rows) < FEWEST_SYSTEMS:
        return []
    low, middle, high = _quantiles(matrix[rows], INSIDE)
    order = np.argsort(middle)
    highest = np.maximum.accumulate(high[order])[:-1]
    lowest = np.minimum.accumulate(low[order][::-1])[::-1][1:]
    if (low == high).any() or not (highest < lowest).any():
        return []
    place = 1 + int(np.argmax(lowest - highest))
    return [systems[rows[at]] for at in sorted(min(order[:place], order[place:], key=len).tolist())]


def _quantiles(matrix: NDArray[np.float64], parts: Sequence[float]) -> NDArray[np.float64]:
    """The quantiles of the numbers of each row, as numpy.nanquantile has them, but of all rows at once."""
    ranked, rows = np.sort(matrix, axis=1), np.arange(len(matrix))
    last = (~np.isnan(matrix)).sum(axis=1) - 1
    places = np.multiply.outer(parts, last)
    below = places.astype(int)
    low, high = ranked[rows, below], ranked[rows, np.minimum(below + 1, last)]
    found: NDArray[np.float64] = low + (high - low) * (places - below)
    return found
