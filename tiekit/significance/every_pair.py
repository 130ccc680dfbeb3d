"""What is the p-value of every two metrics, by each of several measures? All on the same swaps."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from tiekit.coefficients.measure import Measure
from tiekit.parallel import run_parts
from tiekit.progress import Progress, part_of
from tiekit.resampling.draws import DRAWS_A_PART, Plan, plan_swaps
from tiekit.resampling.panel import Epsilon, Panel, as_means, make_panel, whole_groups
from tiekit.resampling.schemes import SWAPS
from tiekit.resampling.together import Together, take_together
from tiekit.scores import FloatArray, IntArray, check_count
from tiekit.significance.pair_outcomes import compare_pairs
from tiekit.significance.permutation import differing, is_constant
from tiekit.significance.stopping import StopEarly, end_of, extreme

DRAWS_AT_ONCE = 8
"""Number of resamples that one worker adds up for all metrics together."""


class Asked(NamedTuple):
    """Checked arguments: matrices, measures, what is swapped, the alternative, when a test stops, documents.

    ``documents`` numbers each segment's document where documents are swapped; ``names`` names it where it is known.
    """

    human: FloatArray
    metrics: dict[str, FloatArray]
    measures: tuple[Measure, ...]
    swap: str
    alternative: str
    stop_early: StopEarly = None
    documents: IntArray | None = None
    names: tuple[str, ...] | None = None


class Outcomes(NamedTuple):
    """Each metric's values by measure; p-values, shape (pairs, measures), of the first against the second and back.

    ``counted`` is the number of resamples that each p-value counts, of that shape.
    """

    by_metric: dict[str, FloatArray]
    forth: FloatArray
    back: FloatArray
    counted: IntArray


def pvalues_of_pairs(
    asked: Asked,
    epsilon: Epsilon,
    n_resamples: int,
    seed: int,
    n_jobs: int | None,
    progress: Progress | None,
) -> Outcomes:
    """Lay out each metric by itself once, then test every two of them: together where they share sums."""
    size = check_count("n_resamples", n_resamples)
    if SWAPS[asked.swap].of_means:
        h, means = as_means(asked.human, list(asked.metrics.values()))
        asked = asked._replace(human=h, metrics=dict(zip(asked.metrics, means, strict=True)), names=None)
    alone = [
        make_panel(asked.human, (metric,), asked.measures, epsilon, asked.names) for metric in asked.metrics.values()
    ]
    values = {name: panel.observed()[0, 0] for name, panel in zip(asked.metrics, alone, strict=True)}
    pairs = list(combinations(range(len(alone)), 2))
    plans = [_plan(asked, alone, size, seed, pair) for pair in pairs]
    together = {} if any(plan.exact for plan in plans) else _together(alone, plans[0])
    rest = [i for i in range(len(asked.measures)) if i not in together]
    found, stages = np.empty((len(pairs), 3, len(asked.measures))), len(together) + bool(rest)
    for stage, (i, shared) in enumerate(together.items()):
        told = part_of(progress, stage, stages)
        found[..., i] = _test_together(asked, alone, i, shared, plans[0], pairs, n_jobs, told)
    if rest:
        given, told = (asked, alone, plans, rest), part_of(progress, stages - 1, stages)
        numbers = range(len(pairs))
        found[..., rest] = list(run_parts(_test_pair, given, numbers, n_jobs=n_jobs, progress=told))
    return Outcomes(values, found[:, 0], found[:, 1], found[:, 2].astype(np.int64))


def _plan(asked: Asked, alone: Sequence[Panel], size: int, seed: int, pair: tuple[int, int]) -> Plan:
    """The swaps of two metrics: the same for all, unless every way to swap is tried."""
    differs = differing(asked.human, *(alone[which].metrics[0] for which in pair))
    return plan_swaps(asked.swap, differs, size, seed, asked.documents)


def _together(alone: Sequence[Panel], plan: Plan) -> dict[int, Together]:
    """The measures whose sums all pairs of metrics share, by number."""
    first = alone[0]
    found: dict[int, Together] = {}
    if not SWAPS[plan.kind].of_scores:
        return {}
    few = plan.draws(0)
    for i, measure in enumerate(first.measures):
        counted = first.recalibrate and measure.coefficient.takes_epsilon
        if not counted and not (measure.coefficient.by_group and whole_groups(measure, few, first.places) is not None):
            epsilons = [panel.epsilons[i][0] for panel in alone]
            shared = take_together(first.human, [panel.metrics[0] for panel in alone], measure, epsilons)
            found |= {} if shared is None else {i: shared}
    return found


def _test_together(
    asked: Asked,
    alone: Sequence[Panel],
    measure: int,
    shared: Together,
    plan: Plan,
    pairs: Sequence[tuple[int, int]],
    n_jobs: int | None,
    progress: Progress | None,
) -> FloatArray:
    """P-values forth and back and the number of resamples, shape (pairs, 3), of one measure."""
    among = np.array(pairs, np.int64)
    still = np.zeros((1, asked.human.size), np.uint8)
    observed = shared.values(still, among)
    for p in np.flatnonzero(observed[1][0]).tolist():
        observed[0][0, p] = alone[pairs[p][0]].beside(alone[pairs[p][1]]).observed()[0, :, measure]
    difference = observed[0][0, :, 0] - observed[0][0, :, 1]
    samples, counted = np.empty((plan.size, len(pairs))), np.full(len(pairs), plan.size)
    waiting, done, given = np.arange(len(pairs)), 0, (shared, alone, measure, plan)
    for part in [plan.parts] if asked.stop_early is None else [[part] for part in plan.parts]:
        blocks = [(number, first, waiting) for number in part for first in range(0, DRAWS_A_PART, DRAWS_AT_ONCE)]
        told = part_of(progress, part[0], len(plan.parts)) if asked.stop_early else progress
        for drawn in run_parts(_draw_together, (*given, among), blocks, n_jobs=n_jobs, progress=told):
            samples[done : done + len(drawn), waiting] = drawn
            done += len(drawn)
        if asked.stop_early is not None:
            for number in waiting.tolist():
                end = end_of(samples[:done, number], difference[number], asked.alternative, asked.stop_early)
                counted[number] = plan.size if end is None else end
            waiting = np.flatnonzero(counted == plan.size)
            if not waiting.size:
                break
    found = np.empty((len(pairs), 3))
    for number, (a, b) in enumerate(pairs):
        seen, metrics = samples[: counted[number], number, None], (alone[a].metrics[0], alone[b].metrics[0])
        found[number] = _pvalues(asked, seen, difference[number : number + 1], metrics, exact=False)[:, 0]
    return found


def _draw_together(
    shared: Together,
    alone: Sequence[Panel],
    measure: int,
    plan: Plan,
    pairs: IntArray,
    block: tuple[int, int, IntArray],
) -> FloatArray:
    """Differences of some pairs of metrics on a few resamples, shape (draws, pairs)."""
    part, first, waiting = block
    drawn = plan.draws(part)
    few = drawn.take(np.arange(first, min(first + DRAWS_AT_ONCE, len(drawn))))
    if not len(few):
        return np.empty((0, waiting.size))
    values, unsure = shared.values(few.cells.astype(np.uint8), pairs[waiting])
    for p in np.flatnonzero(unsure.any(axis=0)):
        which = np.flatnonzero(unsure[:, p])
        a, b = pairs[waiting[p]]
        values[which, p] = alone[a].beside(alone[b]).one_by_one(measure, few.take(which))
    return np.asarray(values[..., 0] - values[..., 1], np.float64)


def _test_pair(
    asked: Asked, alone: Sequence[Panel], plans: Sequence[Plan], measures: Sequence[int], number: int
) -> FloatArray:
    """P-values forth and back and the number of resamples, shape (3, measures)."""
    a, b = list(combinations(range(len(alone)), 2))[number]
    panel, plan = alone[a].beside(alone[b]).only(measures), plans[number]
    source = panel if SWAPS[asked.swap].of_scores else compare_pairs(panel)
    observed = source.observed()[0]
    difference, seen = observed[0] - observed[1], np.empty((0, len(measures)))
    for part in plan.parts:
        drawn = source.draw(plan, part)
        seen = np.concatenate((seen, drawn[:, 0] - drawn[:, 1]))
        if asked.stop_early is not None and not plan.exact:
            end = end_of(seen[:, 0], difference[0], asked.alternative, asked.stop_early)
            if end is not None:
                seen = seen[:end]
                break
    return _pvalues(asked, seen, difference, (panel.metrics[0], panel.metrics[1]), plan.exact)


def _pvalues(
    asked: Asked, samples: FloatArray, difference: FloatArray, metrics: tuple[FloatArray, FloatArray], exact: bool
) -> FloatArray:
    """P-values forth and back and the number of resamples, shape (3, measures)."""
    other = {"greater": "less", "less": "greater"}.get(asked.alternative, asked.alternative)
    counts = np.array([extreme(samples, difference, one).sum(axis=0) for one in (asked.alternative, other)])
    more, number = 0 if exact else 1, len(samples)
    pvalues = np.where(np.isnan(difference), np.nan, (counts + more) / (number + more))
    if any(is_constant(asked.human, metric) for metric in metrics):
        pvalues = np.ones_like(pvalues)
    return np.vstack((pvalues, np.full(difference.size, number)))
