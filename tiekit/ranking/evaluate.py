"""What is each metric worth by each coefficient, and what is suspicious about its scores?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tiekit.calibration.exact import EXPLOITED, best_epsilon
from tiekit.cells import WHICH_CELLS
from tiekit.coefficients.coefficient import Coefficient, pool
from tiekit.coefficients.per_group import average, values_per_group
from tiekit.coefficients.registry import COEFFICIENTS
from tiekit.counting.grouping import Grouped, group
from tiekit.counting.pairs import count_sorted, count_within, near_tie_notes
from tiekit.errors import (
    CalibrationWarning,
    CoverageWarning,
    DirectionWarning,
    InputError,
    NearTieWarning,
    TiekitWarning,
)
from tiekit.progress import Progress, part_of
from tiekit.ranking.contest import Contest
from tiekit.scores import FloatArray, IntArray

BACKWARDS = -0.1
"""A metric whose tau_b over all pairs lies below this is suspected to be better when lower."""


Note = tuple[type[TiekitWarning], str]


ADVICE: dict[type[TiekitWarning], str] = {
    DirectionWarning: "if lower is better on it, pass lower_is_better= when it is read",
    CoverageWarning: WHICH_CELLS,
    CalibrationWarning: "acc_eq and tau_eq are what calibration is made for",
}
"""What a caller can do about a note; about near ties `warn_near_ties` says it."""


@dataclass(frozen=True, eq=False)
class MetricValues:
    """One metric's values, before groups are averaged.

    Attributes
    ----------
    per_group : dict of str to ndarray, shape (groups,)
        By column (``tau_b``, ``acc_eq*``): one value per segment, per system or one in all; NaN where undefined.
    is_group : ndarray of bool, shape (groups,)
        Where there are two scored cells.
    epsilon : dict of str to float
        The calibrated thresholds by coefficient.
    counts : dict of str to ndarray
        By coefficient, the counts of the groups with a pair at these thresholds.
    coverage : float
        Share of the cells with a human score that have a metric score, compared or not.
    notes : tuple of (warning class, text)
    near_ties : dict of str to int
        As of `tiekit.counting.pairs.SortedScores`.
    pooled : dict of str to float
        By column the value of all groups' pairs together, where these are averaged instead of groups.
    """

    per_group: dict[str, FloatArray]
    is_group: NDArray[np.bool_]
    epsilon: dict[str, float]
    coverage: float
    notes: tuple[Note, ...]
    near_ties: dict[str, int]
    pooled: dict[str, float] = field(default_factory=dict)
    counts: dict[str, IntArray] = field(default_factory=dict)


def evaluate(
    contest: Contest,
    metric: str,
    coefficients: Sequence[str],
    calibrated: Sequence[str],
    progress: Progress | None = None,
) -> MetricValues:
    """Compute every column of one metric, group by group; ``progress`` as in `calibrate`."""
    scores = contest.metrics[metric]
    grouped = contest.groups_of(metric)
    at_zero = count_within(grouped.scores, 0.0)
    per_group: dict[str, FloatArray] = {}
    pooled: dict[str, float] = {}

    def add(column: str, entry: Coefficient, counts: IntArray) -> None:
        per_group[column] = grouped.spread(values_per_group(grouped, entry, counts=counts))
        if entry.pools:
            pooled[column] = average(entry.from_counts(counts), "drop")

    for name in coefficients:
        add(name, pool(COEFFICIENTS[name], contest.average), at_zero.counts)
    epsilon: dict[str, float] = {}
    found: dict[str, IntArray] = {}
    for number, name in enumerate(calibrated):
        entry = pool(COEFFICIENTS[name], contest.average)
        if not entry.takes_epsilon:
            raise InputError(f"calibrated: {name} knows no ties of the metric and cannot be calibrated")
        epsilon[name] = best_epsilon(grouped, entry, at_zero, part_of(progress, number, len(calibrated)))
        found[name] = count_sorted(grouped.scores, epsilon[name])
        add(f"{name}*", entry, found[name])
    is_group = np.isin(np.arange(grouped.n_possible), grouped.index)
    rated = ~np.isnan(contest.human if contest.rated is None else contest.rated)
    coverage = float((rated & ~np.isnan(scores)).sum() / rated.sum()) if rated.any() else float("nan")
    notes = tuple(metric_notes(contest, metric, grouped))
    return MetricValues(per_group, is_group, epsilon, coverage, notes, grouped.scores.near_ties, pooled, found)


def metric_notes(contest: Contest, metric: str, grouped: Grouped) -> list[Note]:
    """What is suspicious about one metric; a note on the human scores is worded alike for all metrics."""
    found: list[Note] = [
        (NearTieWarning, text.replace("human:", f"{contest.selection['human']}:").replace("metric:", f"{metric}:"))
        for text in near_tie_notes(grouped.scores)
    ]
    pooled = group(contest.human_of(metric), contest.metrics[metric], "global")
    tau_b = values_per_group(pooled, COEFFICIENTS["tau_b"])
    if (tau_b < BACKWARDS).any():
        found.append((DirectionWarning, f"{metric}: falls where the human score rises (tau_b {tau_b[0]:.2f})"))
    return found


def collect_notes(contest: Contest, results: Mapping[str, MetricValues]) -> list[Note]:
    """Everything suspicious about the results, each said once; `ADVICE` says what to do."""
    found = [note for result in results.values() for note in result.notes]
    found += [(CoverageWarning, text) for text in contest.cell_notes]
    covered = {name: result.coverage for name, result in results.items()}
    is_own = contest.cells is not None and contest.cells.kind == "own"
    if is_own and max(covered.values()) > min(covered.values()):
        less = [f"{name} {share:.1%}" for name, share in covered.items() if share < max(covered.values())]
        text = (
            f"metrics cover different shares of the human scores, so they are judged on other pairs: {', '.join(less)}"
        )
        found.append((CoverageWarning, text))
    starred = dict.fromkeys(name for result in results.values() for name in result.epsilon)
    found += [(CalibrationWarning, f"{n}* {EXPLOITED}") for n in starred if not COEFFICIENTS[n].handles_ties]
    return list(dict.fromkeys(found))
