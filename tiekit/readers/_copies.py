"""Do systems have scores of their own? Asked where two, or all, have the same ones, or those of one were sorted."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import numpy as np

from tiekit.base.errors import OrderWarning, warn
from tiekit.sets.evalset import EvalSet
from tiekit.sets.scores import FloatMatrix

PROBE = re.compile(r"sentinel|random|noise|constant|dummy|shuffle|probe|baseline", re.IGNORECASE)
_OF_SOURCE = re.compile(rf"{PROBE.pattern}|source|^src", re.IGNORECASE)
"""What is named as a probe, or as what looks at the source alone; src behind a name says that a metric reads it too."""

FEWEST, FEWEST_OF_ALL = 100, 20
"""Minimum number of scores of two systems with the same ones, and of all systems, or of two whose scores hardly repeat;
fewer may be the same by chance."""

FEWEST_DIFFERENT, FEWEST_LEVELS = 5, 3
"""Systems with fewer different scores may have the same ones by chance, as of a short scale: two systems, and all."""

ALIKE = 0.9
"""Systems that have more of their scores alike by another metric are perhaps nearly the same."""

ROUNDED = 1e-9
"""Scores are the same that differ by this share of their spread, as means that were added in another order do."""


def describe_copies(data: EvalSet, name: str, matrix: FloatMatrix, others: Collection[FloatMatrix]) -> str:
    """What to say of systems with the same scores; empty of none.

    Not where other scores of the set are the same for two systems, nor where a score or two are those of most segments;
    nor of all systems where a probe is named so.
    """
    scored = np.flatnonzero(~np.isnan(matrix).all(axis=1)).tolist()
    if len(scored) > 2 and (size := _are_one(matrix, scored)):
        told = f"all {len(scored):,} systems have the same score in each of {size:,} segments, so it ranks none of them"
        told += "; if it does not look at the source alone, give the scores of each system's own outputs"
        return told * (not _OF_SOURCE.search(name))
    seen: dict[bytes, int] = {}
    for row, scores in enumerate(matrix):
        known = scores[~np.isnan(scores)]
        different = np.unique(known).size
        if known.size < FEWEST_OF_ALL or different < FEWEST_DIFFERENT:
            continue
        system, twin = data.systems[row], seen.setdefault(scores.tobytes(), row)
        is_chance = known.size < FEWEST and 2 * different <= known.size
        if (
            twin < row
            and not is_chance
            and not any(_are_alike(other[row], other[twin]) for other in others if other is not matrix)
        ):
            told = f"{data.systems[twin]} and {system} have the same score in each of {known.size:,} segments"
            return f"{told}, which no other scores of the set have; is one a copy of the other?"
    return ""


def describe_sorted(data: EvalSet, matrix: FloatMatrix, others: Sequence[FloatMatrix]) -> str:
    """What to say of a system whose scores only rise, or only fall, if no others do so for it; empty of none."""
    for row, scores in enumerate(matrix):
        known = scores[~np.isnan(scores)]
        if known.size < FEWEST or np.unique(known).size < FEWEST_DIFFERENT:
            continue
        for what, sign in (("rise", 1), ("fall", -1)):
            if only_rise(sign * known) and not any(only_rise(sign * other[row]) for other in others):
                told = f"the scores of {data.systems[row]} {what} from the first segment to the last"
                return f"{told}; were they sorted by themselves?"
    return ""


def ask_copies(data: EvalSet) -> None:
    """Ask about systems of a set with the same scores, by a metric or by people."""
    scores = {**data.human, **data.metrics}
    for name, matrix in scores.items():
        if said := describe_copies(data, name, matrix, scores.values()):
            warn(f"{name}: {said}", OrderWarning)


def only_rise(scores: FloatMatrix) -> bool:
    """Whether no score is lower than the one before."""
    return bool((np.diff(scores) >= 0).all())


def _are_one(matrix: FloatMatrix, rows: Sequence[int]) -> int:
    """In how many segments these systems have the same score, if they do in all that have one; 0 else."""
    low, high = np.nanmin(matrix), np.nanmax(matrix)
    size = max(abs(low), abs(high)) or 1.0  # or the difference of the largest numbers would be infinite
    first, spread = matrix[rows[0]] / size, high / size - low / size
    known = ~np.isnan(first)
    for row in rows[1:]:
        distances = matrix[row] / size - first
        if (np.isnan(distances) == known).any() or np.nanmax(np.abs(distances)) > ROUNDED * spread:
            return 0
    n_known = int(known.sum())
    return n_known if n_known >= FEWEST_OF_ALL and np.unique(first[known]).size >= FEWEST_LEVELS else 0


def _are_alike(first: FloatMatrix, second: FloatMatrix) -> bool:
    """Whether nearly all scores are the same, as those of systems with nearly the same outputs."""
    return bool((first == second).sum() > ALIKE * (~np.isnan(first + second)).sum())
