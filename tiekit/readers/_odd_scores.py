"""Which scores stand for missing ones, or are on another scale than the others? They are asked about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from tiekit.base.errors import RoleWarning, quote, warn
from tiekit.base.names import SHOWN, some_of
from tiekit.readers._failures import NOT_RATED, find_apart, find_stopped, find_tenfold, find_unrated, find_zeros
from tiekit.sets.evalset import EvalSet

FEWEST_CODES = 2
"""So many times a number must occur to be a code."""

MOST_CODES = 2
"""So many codes are told at once, such as of refused and of missing answers."""

FEWEST_OTHERS = 10
"""How many other numbers it takes to say that one lies apart from them which is no usual code."""

FAR, APART = 10, 2
"""A number that lies beyond so many ranges of the others perhaps stands for a missing score: one of nines, or another
one among whole numbers; beyond two, one of nines that repeats, a usual code, or another one that repeats where hardly
any number does. A usual code with another sign than all others lies apart beyond half of their range."""

LOWER, UPPER, PER_CENT, HALF, LOWEST_MQM, FEW, FEWEST_SYSTEMS = -3, 2, 10, 50, -25, 0.01, 3
"""Where others are about 0 to 1, as those of neural metrics, higher scores are perhaps in per cent if their median is
at least 10, and they are at most this share of all, or at least half of those of one of so many systems alone."""

_NINES = re.compile(r"-?9{3,}")
_CODES = re.compile(r"-?(?:777+|88+|99+|100+)")
"""Numbers that stand for missing answers in surveys, and in programs."""

_SAME_DIGITS = np.array([int(digit * times) for times in (2, 3, 4) for digit in "789"])
"""Codes of which surveys have several, such as -888 where the answer was refused and -999 where it is missing."""

_SMALL = frozenset({(-1,), (-9,), (-2, -1), (-9, -8)})
FEWEST_OF_SCALE = 2
"""Codes beside numbers that are all positive, or 0; more than half are such beside a scale of more numbers."""

_INSIDE = (-1, -9, -99, -100)
OFTEN = 10
"""Marks beside higher and lower scores: numbers that repeat so many times, where hardly any number does."""

_ENDS = frozenset({0, 1, 100})
"""Where scales end: many a translation gets the best score, or the worst one."""


def _is_code(end: float, times: int, others: NDArray[np.float64]) -> bool:
    """Whether an extreme score seems to stand for a missing one: a usual code, or one far from all others.

    Small ones are such where they come several times and no other score is negative, as MQM's are. Where all others
    could be MQM's, -100 is no end of their scale.
    """
    low, high = float(others.min()), float(others.max())
    gap, width = max(low - end, end - high), high - low
    if _NINES.fullmatch(f"{end:.15g}"):
        return gap > (FAR if times < FEWEST_CODES else APART) * width
    if times < FEWEST_CODES:
        return False
    is_of_scale = abs(round(end, 6)) in _ENDS and (low >= 0 if end > 0 else high <= 0 or not end)
    is_of_scale = is_of_scale and (abs(end) < 100 or high >= PER_CENT or low < LOWEST_MQM)
    if _is_usual(end) and not is_of_scale:
        return 2 * gap >= (width if end < 0 <= low or high <= 0 < end else 2 * APART * width)
    may_be_per_cent = low >= LOWER and high <= UPPER and PER_CENT <= end <= 100
    if width and others.size >= FEWEST_OTHERS and not (is_of_scale or may_be_per_cent):
        is_apart = gap >= APART * width and _hardly_repeat(others)
        if is_apart or (high > 0 and gap >= FAR * width):
            return True
    if end in (-2, -8) and low >= 0 < high:
        return end == -8 or low > 0 or high >= HALF
    if high <= 0:  # negated, as MetricX's
        low, high, end = -high, -low, -end
    has_no_zero = low > 0 or high >= PER_CENT  # 0 is beside -1 on short scales
    return low >= 0 and high > 0 and (end == -9 or (end == -1 and has_no_zero))


def _is_usual(number: float) -> bool:
    """Whether a number is one that stands for missing answers."""
    return _CODES.fullmatch(f"{number:.15g}") is not None


def _hardly_repeat(scores: NDArray[np.float64]) -> bool:
    """Whether most of these scores, which are sorted, are others than those before them."""
    return scores.size > OFTEN and 2 * (1 + int(np.count_nonzero(scores[1:] != scores[:-1]))) > scores.size


HUNDRED = (40, 250)
"""Between these lies how many times larger the scores of some systems are that are on a scale of 100."""

SOME = 500_000
"""About so many scores are looked at together, as a copy of all takes much memory."""

TIMES, MOST_INSIDE = 20, 0.9
"""Scores lie far from others that are so many times as far from the median as the middle half is wide; they are in per
cent where a hundredth of so many of them lies among the others."""

FEWEST_OF_SYSTEM = 10
"""Minimum number of scores of a system whose scale is compared with those of the others."""


def ask_scale(data: EvalSet, scores: Mapping[str, Mapping[str, NDArray[np.float64]]], *, sign: int = 1) -> None:
    """Ask whether a score such as -999, far from all others, stands for a missing one, or some are in per cent.

    They are of human and metrics, have the systems and segments of a set, and perhaps this ``sign`` in it.
    """
    systems = data.systems
    for kind, name, matrix in ((kind, *one) for kind, every in scores.items() for one in every.items()):
        for odd, remedy in [*_far_scores(matrix)] or _failures(data, kind, name, matrix):
            found, others = matrix[odd], matrix[~odd & ~np.isnan(matrix)]
            codes = np.unique(found)
            ends = " to ".join(dict.fromkeys(f"{round(end, 4):.15g}" for end in codes[[0, -1]]))
            ends = ends.replace(" to ", " and ") if len(codes) == 2 else ends
            rows = np.flatnonzero(odd.any(axis=1)).tolist()
            of = f", of {some_of([systems[row] for row in rows])}" if len(rows) < SHOWN else ""
            told = f"{found.size:,} of {found.size + others.size:,} scores are {ends}{of}"
            own, add = f"data.{kind}[{name!r}]", "with_human" if kind == "human" else "with_scores"
            where = f"abs({own}) > 10, {own} / 10" if remedy == TENFOLD else ""
            if remedy == MARKED:
                each = ", ".join(f"{sign * code:.15g}" for code in codes)
                where = f"numpy.isin({own}, [{each}])" if len(codes) > 1 else f"{own} == {each}"
                where += ", numpy.nan"
                remedy += f" (if {ends} is a rating, ignore this)" * (kind == "human" and codes[0] in NOT_RATED)
            if where:
                remedy += f", or go on with data.{add}(numpy.where({where}, {own}), name={name + '-2'!r})"
            warn(f"{name}: {told}, the others {others.min():g} to {others.max():g}; {remedy}", RoleWarning)


MARKED = "write nan if it means missing"
TENFOLD = "divide them by 10 if they are on a scale of 100"
IN_PER_CENT = "divide them by 100 if they are in per cent, or write nan where they mean missing"


def ask_codes(path: str, columns: Mapping[str, NDArray[np.float64]], aggregate: str, *, is_table: bool = False) -> None:
    """Ask whether a score such as -1 in several rows, which would be part of means, stands for a missing one."""
    for name, scores in columns.items():
        known = np.sort(scores[~np.isnan(scores)])
        if (code := _find_code(known)) is None:
            continue
        others = _without(known, code)
        found = f"{known.size - others.size:,} of {known.size:,} scores are {code:.15g}"
        word = quote(name)
        remedy = f"{MARKED}, as the {aggregate} of several rows holds it"
        remedy += f": pass frame.replace({{{word}: {{{code:.15g}: float('nan')}}}})" * is_table
        warn(f"{path}: {word}: {found}, the others {others.min():g} to {others.max():g}; {remedy}", RoleWarning)


def _without(ordered: NDArray[np.float64], number: float) -> NDArray[np.float64]:
    """Sorted numbers without those that are this one; a view where it is the lowest or highest."""
    first, end = np.searchsorted(ordered, number, "left"), np.searchsorted(ordered, number, "right")
    if first == 0:
        return ordered[end:]
    return ordered[:first] if end == ordered.size else np.delete(ordered, slice(first, end))


def _find_code(known: NDArray[np.float64]) -> float | None:
    """Of sorted scores, the one that seems to stand for a missing one, mostly the lowest or highest.

    At most half are such, unless it is a usual code, or others are of a scale; beside one of these, others like it are
    no scores either.
    """
    for end in map(float, known[[0, -1]]) if known.size else ():
        others = _without(known, end)
        times, fewest = known.size - others.size, known.size / 2
        if _is_usual(end):
            is_like = (np.abs(others - end) < abs(end) / FAR) | np.isin(others * np.sign(end), _SAME_DIGITS)
            others, fewest = others[~is_like], min(FEWEST_OTHERS, fewest)
        elif end in (-1, -2, -9) and (*np.unique(known[known < 0]),) in _SMALL:
            others = others[others >= 0]
            fewest = min(FEWEST_OTHERS, fewest) if np.unique(others).size > FEWEST_OF_SCALE else fewest
        if others.size >= max(fewest, 1) and _is_code(end, times, others):
            return end
    for mark in _INSIDE:
        others = _without(known, mark)
        if known.size - others.size >= OFTEN and _hardly_repeat(others) and others.max() > 0:
            return float(mark)
    return None


def _far_scores(matrix: NDArray[np.float64]) -> Iterator[tuple[NDArray[np.bool_], str]]:
    """Where scores are that do not seem to be on the scale of the others, and what to do about them."""
    known = ~np.isnan(matrix)
    if not known.any():
        return
    codes, rest = list[float](), np.sort(matrix[known])
    while len(codes) < MOST_CODES and (code := _find_code(rest)) is not None:
        codes, rest = [*codes, code], _without(rest, code)
    if codes:
        yield np.isin(matrix, codes), IN_PER_CENT if codes == [100] and rest.max() <= UPPER else MARKED
        return
    del rest
    odd = matrix > UPPER
    rows, enough = odd.any(axis=1), known.any(axis=1).sum() >= FEWEST_SYSTEMS
    is_system = enough and rows.sum() == 1 and 2 * odd.sum() >= known[rows].sum()
    is_odd = rows.any() and (is_system or odd.sum() <= FEW * known.sum())
    if is_odd and np.nanmin(matrix) >= LOWER and np.median(matrix[odd]) >= PER_CENT:
        yield odd, IN_PER_CENT
        return
    if known.sum() < FEWEST_OF_SYSTEM:
        return
    if (strange := _on_another_scale(matrix)).size:
        what = (
            f"{strange.size} of {known.any(axis=1).sum()} systems seem to be on a scale of 100 where the others are on "
        )
        yield (
            known & np.isin(np.arange(len(matrix)), strange)[:, None],
            f"{what}one of 1, or the reverse; give all on one",
        )
    elif (part := _from_another_scale(matrix)).size:
        what = f"the {'first' if part[0] == 0 else 'last'} {part.size:,} segments"
        yield (
            known & np.isin(np.arange(matrix.shape[1]), part),
            f"{what} seem to be on a scale of 100 where the others are on one of 1, or the reverse; give all on one",
        )
    elif (odd := _times_hundred(matrix)).any():
        yield odd, IN_PER_CENT


def _failures(
    data: EvalSet, kind: str, name: str, matrix: NDArray[np.float64]
) -> Iterator[tuple[NDArray[np.bool_], str]]:
    """Where scores seem to be those of failures, by what other scores there are."""
    if np.count_nonzero(~np.isnan(matrix)) < FEWEST_OF_SYSTEM:
        return
    systems, judges = data.systems, [one for key, one in data.metrics.items() if key != name]
    unrated = [find_unrated(matrix, judges)] if kind == "human" else []
    judges += () if kind == "human" else data.human.values()
    for odd in (*unrated, find_zeros(matrix, () if unrated else judges), find_stopped(systems, matrix)):
        if odd.any():
            yield odd, MARKED
            return
    if (odd := find_tenfold(matrix, judges)).any():
        yield odd, TENFOLD
        return
    if apart := find_apart(systems, matrix):
        odd = np.isin(systems, apart)[:, None] & ~np.isnan(matrix)
        yield (
            odd,
            f"those of {some_of(apart)} hardly overlap with them; give all of one metric, with one sign and scale",
        )


def _times_hundred(matrix: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Where scores lie far from others of about -3 to 2, but a hundredth of them lies among these; mostly nowhere."""
    values = matrix[~np.isnan(matrix)]
    middle = np.median(values, overwrite_input=True)
    np.abs(np.subtract(values, middle, out=values), out=values)
    spread = 2 * np.median(values, overwrite_input=True)  # half of all lie in it
    if not spread or (values > TIMES * spread).sum() < FEWEST_OF_SYSTEM:
        return np.zeros(matrix.shape, np.bool_)
    distances = np.abs(matrix - middle)
    far: NDArray[np.bool_] = distances > TIMES * spread
    low, high = np.quantile(matrix[distances <= TIMES * spread], (0.05, 0.95))
    hundredths = matrix[far] / 100
    is_inside = (hundredths >= 2 * low - high) & (hundredths <= 2 * high - low)
    is_found = low >= LOWER and high <= UPPER and is_inside.mean() >= MOST_INSIDE
    return far if is_found else np.zeros_like(far)


def _from_another_scale(matrix: NDArray[np.float64]) -> NDArray[np.int64]:
    """The first or the last segments, the fewer ones, where scores differ from the others' by a factor of about 100.

    A script that went on with scores in per cent leaves such ones. They begin where the logarithm of the mean score of
    all systems changes most.
    """
    sizes, number = np.empty(matrix.shape[1]), 1 + SOME // len(matrix)
    for start in range(0, len(sizes), number):
        some = matrix[:, start : start + number]
        known = ~np.isnan(some)
        total = np.abs(some).sum(axis=0, where=known)
        sizes[start : start + number] = total / np.maximum(known.sum(axis=0), 1)
    there, none = sizes > 0, np.arange(0)
    np.log(sizes, out=sizes, where=there)
    np.subtract(sizes, sizes.mean(where=there) if there.any() else 0, out=sizes, where=there)
    np.abs(np.cumsum(sizes, out=sizes), out=sizes)
    cut = 1 + int(np.argmax(sizes[:-1])) if len(sizes) > 1 else 0
    before, after = np.count_nonzero(there[:cut]), np.count_nonzero(there[cut:])
    if min(before, after) < FEWEST_OF_SYSTEM or sizes[cut - 1] * (1 / before + 1 / after) < np.log(HUNDRED[0]):
        return none  # the difference of the mean before and the mean after
    del sizes
    parts = (np.abs(one[~np.isnan(one)]) for one in (matrix[:, :cut], matrix[:, cut:]))
    small, large = sorted(parts, key=lambda one: float(np.median(one)))
    (middle, high), (low, upper) = np.quantile(small, (0.5, 0.9)), np.quantile(large, (0.25, 0.5))
    if not middle or not HUNDRED[0] <= upper / middle <= HUNDRED[1] or high >= low:
        return none
    every = np.arange(matrix.shape[1])
    return every[:cut] if 2 * cut <= len(every) else every[cut:]


def _on_another_scale(matrix: NDArray[np.float64]) -> NDArray[np.int64]:
    """The fewer systems of two groups whose scores hardly overlap and differ by a factor of about 100; mostly none."""
    numbers = (~np.isnan(matrix)).sum(axis=1)
    rows = np.flatnonzero(numbers >= FEWEST_OF_SYSTEM)
    if len(rows) < 2:
        return rows[:0]
    found = list[NDArray[np.float64]]()
    for some in np.array_split(rows, 1 + matrix.size // SOME):
        ranked = matrix[some]
        np.abs(ranked, out=ranked).sort(axis=1)
        inside = numbers[some, None] * np.array([0.25, 0.5, 0.9])
        found.append(np.take_along_axis(ranked, inside.astype(int), axis=1))
    low, middle, high = np.concatenate(found).T
    order = np.argsort(middle)
    if middle[order[0]] == 0:
        return rows[:0]
    place = 1 + int(np.argmax(middle[order[1:]] / middle[order[:-1]]))
    small, large = order[:place], order[place:]
    times = np.median(middle[large]) / np.median(middle[small])
    if not HUNDRED[0] <= times <= HUNDRED[1] or high[small].max() >= low[large].min():
        return rows[:0]
    return rows[small if len(small) <= len(large) else large]
