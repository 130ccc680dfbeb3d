"""Are the scores of an added metric in the order of the set? Asked where nothing else says it."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from statistics import NormalDist

import numpy as np

from tiekit.base.errors import DirectionWarning, OrderWarning, TiekitWarning, warn
from tiekit.base.names import some_of, without_reference
from tiekit.base.validation import FloatArray, IntArray
from tiekit.core.coefficients import values_per_group
from tiekit.core.grouping import group_checked
from tiekit.core.registry import COEFFICIENTS
from tiekit.readers._copies import PROBE, describe_copies, describe_sorted
from tiekit.readers._moves import FEWEST_MOVED, better_move, fits_here, mean_of
from tiekit.readers._relation import describe_relation
from tiekit.sets.alignment import Alignment
from tiekit.sets.evalset import EvalSet
from tiekit.sets.labels import are_counted, are_in_order
from tiekit.sets.scores import FloatMatrix

UNRELATED = 0.05
"""A metric whose tau_b with the gold score and with every other metric lies within this of 0 is unrelated to them. Of
the 24 metrics of WMT22 Chinese–English none is: each has at least .098 by item with another one, and .32 by system;
scores in the order of the segments, or of other systems, have at most .034."""

BETTER = 0.1
"""In an order in which tau_b with the gold score is higher by this, the scores fit better."""

FEWEST = 100
"""Minimum number of segments; in fewer, chance decides what looks unrelated."""

MOST = 2_000
"""Maximum number of segments that are compared; of more, evenly spaced ones are taken."""

MOST_TRIED = 500
"""Maximum number of segments in which other orders are tried."""

FEW, MOST_ASKED = 4, 20
"""Of more metrics than the first number, fewer segments are compared; those beyond the second are not asked about."""

FEWEST_SYSTEMS = 5
"""Minimum number of systems; of fewer it is not asked whether they are exchanged."""

LIKE = 0.3
"""Scores of one system that correlate so much with those of another one, by the other metrics, are like them."""

MORE_LIKE = 0.2
"""They are another system's where they correlate by so much less with those of the system that they are named after.
Of 153 metrics of WMT22 and WMT23, none has two systems that are exchanged by this rule, nor half of its systems."""

LESS, MOVED = 0.1, 0.15
"""A system whose scores correlate less with the mean of the metrics than this share of the usual, or by so much more
once they are moved by a segment, or turned round, is in another order, unless chance does as much. In the sets that
come along no system of a metric has less than .31 of the usual, and .13 more once moved, and in the parts of one domain
none has less than .159, nor one of the MQM of WMT23 by the metrics less than .12; of shuffled ones, 98.6 % are told,
and 82 % in such parts. Of 2,646 metrics and parts of them none is told because of the third alone; of 134 metrics with
one system turned round, 132 are told."""

MOST_WITHOUT = 0.1
"""Scores that lack more of the segments are a part, of which other orders are tried among its own segments."""

CHANCE = 0.01
"""How often a correlation of this size may come about where nothing is related, among all systems and moves tried: of
120 honest judges of SummEval, whose 100 segments and metrics say little, none is asked about."""

FITS = 0.35
"""A move after which scores correlate less with the mean of the others is not named. Scores of documents in another
order do so by up to .31 after wrong moves; nearly all metrics of the sets that come along by .35 to .9 unmoved."""

ENDS = 10, 20
"""Of all segments, the last part in so many is tried by itself, as a line may be lost late."""

FALLING = -0.2
"""A median correlation of a system's scores with the mean of the metrics below which lower is better on them."""

QUESTION = "are its scores in the order of the set's systems and segments?"

RELATIVE = 0.1
"""Scores say nothing of segments whose means differ by at most this share of the standard deviation of all scores."""

_LEVELS = {"item": "among the systems, segment by segment", "system": "among the segments, system by system"}


def settle_doubt(alignment: Alignment, added: Mapping[str, FloatMatrix]) -> Alignment:
    """The alignment, which is sure of numbers of segments where all scores fit their segments better than the next."""
    others = [*alignment.data.human.values(), *alignment.data.metrics.values()]
    is_sure = bool(alignment.doubt()) and all(fits_here(matrix, others) for matrix in added.values())
    return replace(alignment, is_sure=True) if is_sure else alignment


def ask_order(data: EvalSet, alignment: Alignment, added: Mapping[str, FloatMatrix], remedy: str) -> None:
    """Ask whether the order is right of metrics that nothing else is related to, or that another order fits better.

    Asked about are also two systems with the same scores, and, with the remedy, scores that fall where those of all
    metrics rise. Texts that were compared say nothing of it: they are those of the rows, not of a column beside them.
    Asked in small sets is only whether systems have the same ones, and of probes by their names whether another order
    fits better; of systems alone where segments have names that are no numbers. Of many metrics the first are asked
    about, and how many were not is told.
    """
    counted = alignment.by == "position" or are_counted(data.segments)
    size, most = len(data.segments), MOST if len(added) <= FEW else MOST_TRIED
    part, few = (np.unique(np.linspace(0, size - 1, min(size, n)).astype(np.int64)) for n in (most, MOST_TRIED))
    others = [matrix for name, matrix in data.metrics.items() if not PROBE.search(without_reference(name))]
    people = list(data.human.values())
    for name, matrix in islice(added.items(), MOST_ASKED):
        is_probe = bool(PROBE.search(name))
        as_compared = _from_mean if _are_relative(matrix) else np.asarray
        scores = as_compared(matrix)
        of_people, of_others = ([as_compared(found) for found in some] for some in (people, others))
        is_ordered = size >= FEWEST and (counted or are_in_order(data.segments))
        every = [*data.metrics.values(), *people]
        said = describe_copies(data, name, matrix, every) or describe_sorted(data, matrix, every)
        if not said and is_ordered:
            said = _describe_move(alignment, scores, [*of_people, *of_others])
            said = said or _describe_end(scores, [*of_people, *of_others])
        if (~np.isnan(matrix)).any(axis=0).sum() < FEWEST:
            if said:
                warn(f"{name}: {said}", OrderWarning)
            continue
        if not said and is_ordered:
            said = _better_order(data, alignment, matrix, few)
        if not said and counted and not is_probe:
            said = describe_relation(alignment, scores, [*of_people, *of_others], QUESTION)
        if not said and counted and not is_probe:
            said = _describe_unrelated(scores, [*of_people, *of_others], part)
        if said := said or _describe_exchange(data, scores, of_others, few):
            warn(f"{name}: {said}", OrderWarning)
        elif not is_probe and (found := _describe_disorder(data, scores, of_others, remedy)):
            warn(f"{name}: {found[1]}", found[0])
    if size >= FEWEST and (more := len(added) - MOST_ASKED) > 0:
        told = f"the order of the last {more:,} of {len(added):,} metrics was not checked"
        warn(f"{told}; add at most {MOST_ASKED} at a time if it may be wrong", OrderWarning)


def _tau_b(first: FloatMatrix, second: FloatMatrix, grouping: str) -> float:
    """The mean tau_b over groups; NaN where none is defined."""
    values = values_per_group(group_checked(first, second, grouping), COEFFICIENTS["tau_b"])
    return float(np.nanmean(values)) if (~np.isnan(values)).any() else np.nan


def _are_relative(matrix: FloatMatrix) -> bool:
    """Whether scores say nothing of segments, as ranks of the systems in each do: all segments have the same mean."""
    known = ~np.isnan(matrix)
    numbers = known.sum(axis=0)
    means = np.where(known, matrix, 0).sum(axis=0)[numbers > 0] / numbers[numbers > 0]
    spread = float(np.nanstd(matrix))
    return spread > 0 and float(np.std(means)) <= RELATIVE * spread


def _describe_unrelated(matrix: FloatMatrix, others: Iterable[FloatMatrix], part: IntArray) -> str:
    """What to say of a metric that is unrelated to all others, by item or by system; empty of any other metric."""
    for grouping, level in _LEVELS.items():
        found: list[float] = []
        for other in others:
            value = _tau_b(other[:, part], matrix[:, part], grouping)
            found += [] if np.isnan(value) else [value]
            if abs(value) >= UNRELATED:
                break
        else:
            if found:
                most = max(found, key=abs)
                return (
                    f"is unrelated to every human score and metric of the set {level} (tau_b by "
                    f"{grouping} at most {abs(most):.3f}); {QUESTION}"
                )
    return ""


def _describe_move(alignment: Alignment, scores: FloatMatrix, others: Iterable[FloatMatrix]) -> str:
    """What to say of scores that fit the others of the set better once all are moved; empty where they do not."""
    if (found := better_move(scores, others)) is None:
        return ""
    move, value, now = found
    if value < FITS:
        return ""
    where = "the next segment" if move > 0 else "the segment before"
    if abs(move) > 1:
        where = f"the segment {abs(move):,} {'after' if move > 0 else 'before'} its own"
    step = QUESTION
    if alignment.by in ("label", "number"):
        step = f"give the right numbers, such as by frame['segment'] {'+' if move > 0 else '-'} {abs(move)}"
        step = f"if so, {alignment.without_texts()}{step}"
    return (
        f"agrees better with the mean of the set's scores if each score is that of {where} (mean correlation of a "
        f"system {value:.2f}, now {now:.2f}); {step}"
    )


def _describe_end(scores: FloatMatrix, others: Sequence[FloatMatrix]) -> str:
    """What to say of the last scores where these alone fit better moved by one, as after a lost line; empty else."""
    scored = np.flatnonzero(~np.isnan(scores).all(axis=0))
    for size in (len(scored) // share for share in ENDS):
        if size < FEWEST_MOVED:
            break
        end = slice(int(scored[-size]), int(scored[-1]) + 2)
        found = better_move(scores[:, end], [other[:, end] for other in others])
        if found is not None and abs(found[0]) == 1 and found[1] >= FITS:
            where = "the next segment" if found[0] > 0 else "the segment before"
            return (
                f"the scores of its last {size:,} segments agree better with the mean of the set's scores if each is "
                f"that of {where} (mean correlation of a system {found[1]:.2f}, now {found[2]:.2f}); is a line lost, "
                "or one too many, before them?"
            )
    return ""


def _better_order(data: EvalSet, alignment: Alignment, matrix: FloatMatrix, part: IntArray) -> str:
    """What to say of scores that agree better with the gold score in another order; empty where they do not."""
    if data.gold is None:
        return ""
    gold = data.human[data.gold][:, part]
    cells = np.count_nonzero(~np.isnan(gold + matrix[:, part])) or 1
    scored = np.flatnonzero(~np.isnan(matrix).all(axis=0))
    held = scored if len(scored) < (1 - MOST_WITHOUT) * matrix.shape[1] else np.arange(matrix.shape[1])

    def in_order(places: Iterable[int]) -> FloatMatrix:
        moved = np.full_like(matrix, np.nan)
        moved[:, held] = matrix[:, held[np.asarray(places)]]
        return moved

    size = len(held)
    as_text = (np.argsort(sorted(range(size), key=lambda at: str(held[at] + start))) for start in (0, 1))
    shifted = (
        ("the first is that of the last segment, and so on", in_order(np.arange(size)[::-1])),
        *(("they are sorted as texts are, 1, 10, 100", in_order(order)) for order in as_text),
    )
    better = max(BETTER, NormalDist().inv_cdf(1 - CHANCE / len(shifted)) * 2 / 3 / cells**0.5)  # tau's spread
    for grouping, orders in (("system", shifted), ("item", _segment_by_segment(alignment, matrix))):
        found = None
        for what, other in orders:
            found = _tau_b(gold, matrix[:, part], grouping) if found is None else found
            value = _tau_b(gold, other[:, part], grouping)
            if value - max(found, 0.0) >= better:
                return (
                    f"agrees better with {data.gold} if {what} (tau_b by {grouping} {value:.2f}, now {found:.2f}); "
                    f"{QUESTION}"
                )
    return ""


def _segment_by_segment(alignment: Alignment, matrix: FloatMatrix) -> Iterator[tuple[str, FloatMatrix]]:
    """Scores that name nothing, as if all systems of a segment stood before those of the next."""
    if alignment.laid_out:
        rows = np.flatnonzero(alignment.rows >= 0)
        whole = np.full_like(matrix, np.nan)
        whole[rows] = matrix[rows].ravel().reshape(-1, len(rows)).T
        yield "its lines are all systems of a segment, then those of the next", whole


def _describe_exchange(data: EvalSet, matrix: FloatMatrix, others: Iterable[FloatMatrix], part: IntArray) -> str:
    """What to say of systems whose scores are like those that others get from the set's metrics; empty of none.

    Compared is where a system is better or worse than the mean of the systems, segment by segment.
    """
    known = (~np.isnan(matrix[:, part])).sum(axis=1) >= FEWEST
    usual = [_from_mean(other[:, part]) for other in others]
    if known.sum() < FEWEST_SYSTEMS or not usual:
        return ""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # where no metric has a score
        found = _correlate_rows(_from_mean(matrix[:, part])[known], np.nanmean(usual, axis=0)[known])
    own, like = np.diag(found), np.argmax(found, axis=1)
    best = found.max(axis=1)
    strange = np.flatnonzero((best >= LIKE) & (best - own >= MORE_LIKE))
    exchanged = [row for row in strange.tolist() if like[like[row]] == row and like[row] in strange]
    if not exchanged and 2 * len(strange) < len(own):
        return ""
    names = [name for name, is_known in zip(data.systems, known, strict=True) if is_known]
    pairs = [f"{names[row]} like {names[like[row]]}" for row in exchanged or strange.tolist()]
    return (
        f"{len(pairs)} of {len(names)} systems have scores like those of another system by the other metrics: "
        f"{some_of(pairs)}; are its scores in the order of the set's systems and segments, and the names right?"
    )


def _describe_disorder(
    data: EvalSet, matrix: FloatMatrix, others: Iterable[FloatMatrix], remedy: str
) -> tuple[type[TiekitWarning], str] | None:
    """What to warn of where the scores of some systems are in another order than those of the others, or all fall.

    Compared is how each system's scores correlate with the mean of the set's metrics, and whether they do better turned
    round, or those of the last segments moved by one.
    """
    mean = mean_of(others, matrix.shape)[:, -MOST:]
    scored = np.flatnonzero(~np.isnan(matrix).all(axis=0))
    back = np.full_like(matrix, np.nan)
    back[:, scored] = matrix[:, scored[::-1]]
    part = min(matrix.shape[1] // 2, MOST_TRIED)
    own, turned, last, *moved = (
        _correlate_own(one[:, -size:], mean[:, -size:])
        for one, size in ((matrix, MOST), (back, MOST), *((np.roll(matrix, by, axis=1), part) for by in (0, 1, -1)))
    )
    known = own > -1
    if known.sum() < FEWEST_SYSTEMS:
        return None
    usual = float(np.median(own[known]))
    if usual < FALLING:
        what = f"falls where the mean of the set's metrics rises (correlation {usual:.2f} among a system's segments)"
        return DirectionWarning, f"{what}; if lower is better on it, pass {remedy}"
    sizes = [np.maximum((~np.isnan(matrix[:, -size:])).sum(axis=1), 1) for size in (MOST, part)]
    by_chance = NormalDist().inv_cdf(1 - CHANCE / (2 * known.sum())) / np.sqrt(sizes)
    strange = (own < usual * LESS) & (usual - own > by_chance[0])
    best = np.max(moved, axis=0)
    tried = (turned, own, by_chance[0], sizes[0]), (best, last, by_chance[1], sizes[1])
    for other, now, chance, size in tried:
        strange |= (own < usual) & (other > chance) & (other - now > np.maximum(MOVED, 2 / np.sqrt(size)))
    names = []
    for row in np.flatnonzero(strange & known).tolist():
        found = {"": own[row], "; moved by one segment ": best[row], "; last segment first ": turned[row]}
        better = max(found, key=found.__getitem__)
        hint = f"{better}{found[better]:.2f}" if better else ""
        names += [f"{data.systems[row]} ({own[row]:.2f}{hint})"] * (data.systems[row] not in data.default_exclude)
    if not names:
        return None
    return OrderWarning, (
        f"the scores of {some_of(names)} correlate less with the mean of the set's metrics than those of the other "
        f"systems (median {usual:.2f}); are they in the order of the set's segments?"
    )


def _from_mean(scores: FloatMatrix) -> FloatMatrix:
    """How far each score lies from the mean of its segment, as a share of the usual distance."""
    known = ~np.isnan(scores)
    totals, numbers = np.where(known, scores, 0).sum(axis=0), known.sum(axis=0)
    distances: FloatMatrix = scores - totals / np.where(numbers, numbers, 1)
    usual = float(np.sqrt(np.mean(distances[known] ** 2))) if known.any() else 0.0
    return distances / usual if usual else np.full_like(distances, np.nan)


def _correlate_own(first: FloatMatrix, second: FloatMatrix) -> FloatArray:
    """Pearson's correlation of each row with that of the other matrix, in the cells that both have."""
    both = ~np.isnan(first + second)
    return np.diag(_correlate_rows(*(np.where(both, scores, np.nan) for scores in (first, second))))


def _correlate_rows(first: FloatMatrix, second: FloatMatrix) -> FloatMatrix:
    """Pearson's correlation of each row of one matrix with each row of another one; -1 where it is undefined."""
    sides = []
    for matrix in (first, second):
        known = ~np.isnan(matrix)
        numbers = np.maximum(known.sum(axis=1), 1)[:, None]
        filled = np.where(known, matrix, 0)
        centered = np.where(known, filled - filled.sum(axis=1)[:, None] / numbers, 0)
        lengths = np.sqrt((centered**2).sum(axis=1))[:, None]
        sides.append((centered / np.where(lengths, lengths, np.inf), lengths[:, 0] > 0))
    (left, has_left), (right, has_right) = sides
    return np.where(has_left[:, None] & has_right, left @ right.T, -1.0)
