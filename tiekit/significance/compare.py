"""What is the p-value of every two metrics, by each of several measures? All on the same swaps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, islice
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from tiekit.base.errors import InputError
from tiekit.base.names import find_name, some_of, split_names
from tiekit.base.parallel import Progress, beat, beating, part_of, run_parts, showing
from tiekit.base.results import best_first
from tiekit.base.validation import FloatArray, IntArray, check_count, check_stop_early, digest_of, seed_of
from tiekit.core.measure import Measure, get_measure
from tiekit.sets.arguments import Exclude, Human, read_identical, read_metrics, systems_of, with_names
from tiekit.sets.cells import OWN_CELLS, WHICH_CELLS, Cells, share_cells
from tiekit.sets.evalset import EvalSet
from tiekit.significance._recount import whole_groups
from tiekit.significance._resampled_measures import Epsilon, ResampledMeasures, prepare_measures
from tiekit.significance._shared_sums import SharedSums, prepare_shared_sums
from tiekit.significance.clusters import Comparison
from tiekit.significance.permutation import (
    Inputs,
    StopEarly,
    check_inputs,
    collect_differences,
    compare_pairs,
    differing,
    find_end,
    is_constant,
    is_extreme,
    on_cells,
    on_means,
    pvalues_of,
    pvalues_of_counts,
)
from tiekit.significance.schemes import SWAPS, Plan, name_documents, plan_swaps

DRAWS_AT_ONCE, PAIRS_AT_ONCE = 8, 100_000
"""Maximum numbers of resamples that one worker adds up for all metrics together, and of pairs of metrics in these."""

OTHER_SIDE = {"greater": "less", "less": "greater", "two-sided": "two-sided"}
"""What a p-value of two metrics is evidence of when they are named in the other order."""


class Pvalues(NamedTuple):
    """Each metric's values by measure; p-values, shape (pairs, measures), of the first against the second and back.

    ``n_resamples`` is how many resamples each p-value counts, of that shape.
    """

    by_metric: dict[str, FloatArray]
    forth: FloatArray
    back: FloatArray
    n_resamples: IntArray


def pvalues_of_pairs(
    inputs: Inputs,
    epsilon: Epsilon,
    n_resamples: int,
    seed: int,
    n_jobs: int | None,
    progress: Progress | None,
) -> Pvalues:
    """Lay out each metric by itself once, then test every two of them; those that share sums, all at once."""
    size, inputs = check_count("n_resamples", n_resamples), on_means(inputs)
    with beating(progress):
        measured = [
            prepare_measures(inputs.human, (metric,), inputs.measures, epsilon, inputs.names, inputs.identical)
            for metric in inputs.metrics.values()
        ]
        values = {name: panel.original_values()[0, 0] for name, panel in zip(inputs.metrics, measured, strict=True)}
        pairs = list(combinations(range(len(measured)), 2))
        plans = [_plan(inputs, measured, size, seed, pair) for pair in pairs]
        shared_sums = {} if any(plan.exact for plan in plans) else _sums_of_all(measured, plans[0])
    rest = [i for i in range(len(inputs.measures)) if i not in shared_sums]
    found, stages = np.empty((len(pairs), 3, len(inputs.measures))), len(shared_sums) + bool(rest)
    for stage, (i, shared) in enumerate(shared_sums.items()):
        told = part_of(progress, stage, stages)
        found[..., i] = _test_shared(inputs, measured, i, shared, plans[0], pairs, n_jobs, told)
    if rest:
        given, told = (inputs, measured, plans, rest), part_of(progress, stages - 1, stages)
        numbers = range(len(pairs))
        found[..., rest] = list(run_parts(_test_pair, given, numbers, n_jobs=n_jobs, progress=told, inside=True))
    return Pvalues(values, found[:, 0], found[:, 1], found[:, 2].astype(np.int64))


def _plan(inputs: Inputs, measured: Sequence[ResampledMeasures], size: int, seed: int, pair: tuple[int, int]) -> Plan:
    """The swaps of two metrics: the same for all, unless every way to swap is tried."""
    beat()
    differs = differing(inputs.human, *(measured[which].metrics[0] for which in pair))
    return plan_swaps(inputs.swap, differs, size, seed, inputs.documents)


def _sums_of_all(measured: Sequence[ResampledMeasures], plan: Plan) -> dict[int, SharedSums]:
    """The measures whose sums all pairs of metrics share, by number."""
    first = measured[0]
    found: dict[int, SharedSums] = {}
    if not SWAPS[plan.kind].of_scores:
        return {}
    few = next(plan.blocks(0, 1))
    for i, measure in enumerate(first.measures):
        recalibrates = first.recalibrate and measure.coefficient.takes_epsilon
        if not recalibrates and whole_groups(measure, few, first.places) is None:
            epsilons = [panel.epsilons[i][0] for panel in measured]
            beat()
            shared = prepare_shared_sums(first.human, [panel.metrics[0] for panel in measured], measure, epsilons)
            found |= {} if shared is None else {i: shared}
    return found


def _test_shared(
    inputs: Inputs,
    measured: Sequence[ResampledMeasures],
    measure: int,
    shared: SharedSums,
    plan: Plan,
    pairs: Sequence[tuple[int, int]],
    n_jobs: int | None,
    progress: Progress | None,
) -> FloatArray:
    """P-values forth and back and the number of resamples, shape (pairs, 3), of one measure."""
    among = np.array(pairs, np.int64)
    still = np.zeros((1, inputs.human.size), np.uint8)
    with beating(progress):
        observed = shared.pair_values(still, among)
        for p in np.flatnonzero(observed[1][0]).tolist():
            observed[0][0, p] = measured[pairs[p][0]].pair_with(measured[pairs[p][1]]).original_values()[0, :, measure]
            beat()
    difference = observed[0][0, :, 0] - observed[0][0, :, 1]
    asked = [inputs.alternative, OTHER_SIDE[inputs.alternative]]
    extreme = {side: np.zeros((plan.size, len(pairs)), np.bool_) for side in asked}
    ends, step = np.full(len(pairs), plan.size), max(1, min(DRAWS_AT_ONCE, PAIRS_AT_ONCE // len(pairs)))
    waiting, done, given = np.arange(len(pairs)), 0, (shared, measured, measure, plan, among, step)
    for part in [plan.parts] if inputs.stop_early is None else [[part] for part in plan.parts]:
        blocks = [(one, block, waiting) for one in part for block in range(-(-plan.number(one) // step))]
        told = part_of(progress, part[0], len(plan.parts)) if inputs.stop_early else progress
        for drawn in run_parts(_draw_shared, given, blocks, n_jobs=n_jobs, progress=told, inside=True):
            for side, found in extreme.items():
                found[done : done + len(drawn), waiting] = is_extreme(drawn, difference[waiting], side)
            done += len(drawn)
        if inputs.stop_early is not None:
            for number in waiting.tolist():
                seen = extreme[inputs.alternative][:done, number]
                end = find_end(seen, difference[number], inputs.stop_early)
                ends[number] = plan.size if end is None else end
            waiting = np.flatnonzero(ends == plan.size)
            if not waiting.size:
                break
    for found in extreme.values() if inputs.stop_early else ():
        found[np.arange(plan.size)[:, None] >= ends] = False
    counts = [extreme[side].sum(axis=0) for side in asked]
    pvalues = np.array([pvalues_of_counts(count, ends, difference, exact=False) for count in counts])
    flat = np.array([is_constant(inputs.human, panel.metrics[0]) for panel in measured])
    pvalues[:, flat[among].any(axis=1)] = 1.0
    return np.vstack((pvalues, ends)).T


def _draw_shared(
    shared: SharedSums,
    measured: Sequence[ResampledMeasures],
    measure: int,
    plan: Plan,
    pairs: IntArray,
    step: int,
    block: tuple[int, int, IntArray],
    progress: Progress | None = None,
) -> FloatArray:
    """Differences of some pairs of metrics on a few resamples, shape (draws, pairs)."""
    part, number, waiting = block
    few = next(islice(plan.blocks(part, step), number, None))
    with beating(progress):
        values, unsure = shared.pair_values(few.cells.astype(np.uint8), pairs[waiting])
        for p in np.flatnonzero(unsure.any(axis=0)):
            which = np.flatnonzero(unsure[:, p])
            a, b = pairs[waiting[p]]
            ((_, strategy),) = measured[a].pair_with(measured[b]).without_shortcuts([measure])
            values[which, p] = strategy.values(few.take(which))[..., 0]
            beat()
    return np.asarray(values[..., 0] - values[..., 1], np.float64)


def _test_pair(
    inputs: Inputs,
    measured: Sequence[ResampledMeasures],
    plans: Sequence[Plan],
    measures: Sequence[int],
    number: int,
    progress: Progress | None = None,
) -> FloatArray:
    """P-values forth and back and the number of resamples, shape (3, measures)."""
    a, b = list(combinations(range(len(measured)), 2))[number]
    panel, plan = measured[a].pair_with(measured[b]).select(measures), plans[number]
    source = panel if SWAPS[inputs.swap].of_scores else compare_pairs(panel)
    with beating(progress):
        difference = np.subtract(*source.original_values()[0])
    told = [part_of(progress, part, len(plan.parts)) for part in plan.parts]
    drawn = (source.draw(plan, part, tell) for part, tell in zip(plan.parts, told, strict=True))
    seen = collect_differences(inputs, drawn, difference, plan.exact)
    return _pvalues(inputs, seen, difference, (panel.metrics[0], panel.metrics[1]), plan.exact)


def _pvalues(
    inputs: Inputs,
    samples: FloatArray,
    difference: FloatArray,
    metrics: tuple[FloatArray, FloatArray],
    exact: bool,
) -> FloatArray:
    """P-values forth and back and the number of resamples, shape (3, measures)."""
    sides = inputs.alternative, OTHER_SIDE[inputs.alternative]
    pvalues = np.array([pvalues_of(samples, difference, side, exact) for side in sides])
    if any(is_constant(inputs.human, metric) for metric in metrics):
        pvalues = np.ones_like(pvalues)
    return np.vstack((pvalues, np.full(difference.size, len(samples))))


@with_names
def compare_metrics(
    data: Human = None,
    metrics: Mapping[str, ArrayLike] | str | Iterable[str] | None = None,
    coefficient: str | None = None,
    *,
    grouping: str | None = None,
    average: str = "groups",
    swap: str | None = None,
    epsilon: float | str | None = None,
    alternative: str = "two-sided",
    n_resamples: int = 999,
    rng: np.random.Generator | int | None = None,
    stop_early: StopEarly = None,
    documents: Sequence[str] | None = None,
    tie_identical: bool | ArrayLike = False,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    cells: str | None = None,
    n_jobs: int | None = None,
    progress: Progress | bool | None = None,
) -> Comparison:
    """Test every two of many metrics, all on the same resamples.

    Parameters
    ----------
    data : EvalSet, or array_like of shape (n,) or (systems, segments)
        An evaluation set, or human scores; NaN is a missing score.
    metrics : iterable of str, or mapping of str to array_like
        Names of at least two metrics of the set, None is all; or scores by name, of the shape of the human ones.
        One metric alone cannot be compared, so after a set a single text is the coefficient:
        ``compare_metrics(data, "acc_eq*")``.
    coefficient, grouping, average, swap, epsilon, n_resamples, rng, stop_early, documents, n_jobs, progress
        As for `permutation_test`. Each pair of metrics stops by itself.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the metric of the row is better.
    tie_identical
        As for `permutation_test`.
    human, exclude
        Which human score of the set, and without which of its systems; as for `correlate`.
    cells : {"common", "own"} or None
        Which cells are compared: those that all metrics have scored, or each metric's own. None is common, but of
        three or more metrics one that has scored less than half of the cells that most have stands apart: it is
        compared with each other metric on the cells of these two, see `Comparison.apart`.

    Returns
    -------
    Comparison

    Raises
    ------
    InputError
        For fewer than two metrics, and for what `permutation_test` refuses.

    Warns
    -----
    CoverageWarning
        Where cells are left out because a metric has not scored them, and where a metric stands apart.

    Examples
    --------
    >>> human = [[1, 2, 3, 1, 2, 3], [2, 3, 1, 2, 3, 1], [3, 1, 2, 3, 1, 2]]
    >>> good, bad = human, [[3, 2, 1, 3, 2, 1], [2, 1, 3, 2, 1, 3], [1, 3, 2, 1, 3, 2]]
    >>> found = compare_metrics(human, {"bad": bad, "good": good}, "tau_b")
    >>> found.values.to_dict(), float(found.pvalues.loc["good", "bad"]), found.clusters().to_dict()
    ({'good': 1.0, 'bad': -1.0}, 0.03125, {'good': 1, 'bad': 2})
    """
    if isinstance(data, EvalSet) and isinstance(metrics, str):
        coefficient, metrics = _as_coefficient(data, metrics, coefficient), None
    is_fixed, known = epsilon is not None, 0.0 if epsilon is None else epsilon
    given = data, metrics, [coefficient], grouping, swap, alternative, documents, tie_identical, human, exclude
    _, (inputs,) = _read(*given, is_fixed=is_fixed, average=average)
    labels, inputs = inputs.identical, inputs._replace(stop_early=check_stop_early(stop_early))
    whole, seed, same = inputs, seed_of(rng), _share(inputs, data, cells, exclude, board=True)
    inputs = on_cells(whole, same)
    with showing(progress, "compare") as told:
        tests = pvalues_of_pairs(inputs, known, n_resamples, seed, n_jobs, told)
    apart = _test_apart(whole, same, lambda pair: pvalues_of_pairs(pair, known, n_resamples, seed, n_jobs, None))
    measure = inputs.measures[0]
    values = pd.Series({name: float(value[0]) for name, value in tests.by_metric.items()}, name=measure.name)
    order = values.index[best_first(values)]
    starred = measure.calibrated or isinstance(epsilon, str)
    return Comparison(
        values=values[order],
        pvalues=_square(inputs, tests.forth, tests.back).loc[order, order],
        counted=_square(inputs, tests.n_resamples, tests.n_resamples).loc[order, order],
        apart=apart,
        constant=tuple(name for name, metric in inputs.metrics.items() if is_constant(inputs.human, metric)),
        coefficient=measure.coefficient.name + ("*" if starred else ""),
        grouping=measure.grouping,
        swap=inputs.swap,
        alternative=alternative,
        n_resamples=n_resamples,
        stop_early=inputs.stop_early,
        seed=seed,
        digest=digest_of(whole.human, *whole.metrics.values()),
        **same.counts,
        average=average,
        identical="" if labels is None else digest_of(labels),
    )


def swap_test(
    data: Human = None,
    metrics: Mapping[str, ArrayLike] | Iterable[str] | None = None,
    measures: str | Iterable[str] | None = None,
    *,
    swap: str | None = None,
    n_resamples: int = 999,
    rng: np.random.Generator | int | None = None,
    documents: Sequence[str] | None = None,
    tie_identical: bool | ArrayLike = False,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    cells: str | None = None,
    n_jobs: int | None = None,
    progress: Progress | bool | None = None,
) -> pd.DataFrame:
    """Test every two metrics by many measures on the same resamples: the p-values of Algorithm 1 of Gao et al.

    Parameters
    ----------
    data, metrics, n_resamples, rng, documents, tie_identical, human, exclude, n_jobs, progress
        As for `compare_metrics`.
    cells : {"common", "own"} or None
        Which cells are compared: those that all metrics have scored, which is also what None means, or each metric's
        own.
    measures : str or iterable of str, optional
        As in ``"system_means/pearson"`` or ``"item/acc_eq*"``; a coefficient alone (``"acc_eq*"``) has its default
        grouping. None is acc_eq*.
    swap : {"segments", "cells", "systems", "system_means", "both", "documents"} or None
        What is swapped between two metrics. None is what suits each measure, see `permutation_test`; then measures that
        suit different swaps are tested on different resamples. Algorithm 1 as printed swaps ``"cells"``; its authors
        ran ``"both"``.

    Returns
    -------
    pandas.DataFrame
        Two-sided p-values: one row per pair of metrics, indexed by both names; one column per measure, named like
        ``item/acc_eq*``. Its ``attrs`` hold ``n_systems``, ``n_segments``, ``n_cells`` and which ``cells`` were
        compared.

    Raises
    ------
    InputError
        For what `compare_metrics` refuses, and for ``swap="pairs"``, which is defined for one measure at a time.

    References
    ----------
    Gao et al. (2024), Algorithm 1, arXiv 2410.16834.

    Examples
    --------
    >>> human, other = [[1, 2, 3], [2, 3, 1], [3, 1, 2]], [[3, 2, 1], [2, 1, 3], [1, 3, 2]]
    >>> swap_test(human, {"good": human, "bad": other}, ["item/tau_b", "global/pearson"])
                  item/tau_b  global/pearson
    first second
    good  bad           0.25            0.25
    """
    names: list[str | None] = [None] if measures is None else [*split_names(measures, "measures")]
    given = data, metrics, names, None, swap, "two-sided", documents, tie_identical, human, exclude
    order, of_swaps = _read(*given)
    if swap is not None and not SWAPS[swap].of_scores:
        raise InputError(f"swap: {swap!r} is for compare_metrics, which tests by one measure at a time")
    same = _share(of_swaps[0]._replace(measures=tuple(order)), data, cells, exclude)
    found: dict[Measure, FloatArray] = {}
    seed = seed_of(rng)
    with showing(progress, "swap") as told:
        for stage, inputs in enumerate(of_swaps):
            part = part_of(told, stage, len(of_swaps))
            tests = pvalues_of_pairs(on_cells(inputs, same), 0.0, n_resamples, seed, n_jobs, part)
            found |= dict(zip(inputs.measures, tests.forth.T, strict=True))
    pairs = pd.MultiIndex.from_tuples(list(combinations(of_swaps[0].metrics, 2)), names=["first", "second"])
    pvalues = np.array([found[measure] for measure in order]).T
    frame = pd.DataFrame(pvalues, index=pairs, columns=[measure.name for measure in order])
    frame.attrs |= same.counts
    return frame


def _as_coefficient(data: EvalSet, text: str, coefficient: str | None) -> str:
    """The coefficient that a single text after a set names."""
    try:
        get_measure(text, None)
    except InputError as error:
        try:
            name = find_name("metrics", text, data.metrics)
        except InputError:
            raise error from None
        raise InputError(f"metrics: there must be at least two, found {name} alone; None is all of them") from None
    if coefficient not in (None, text):
        raise InputError(f"coefficient: {coefficient!r} contradicts {text!r}, which is given before it")
    return text


def _read(
    data: Human,
    metrics: Mapping[str, ArrayLike] | str | Iterable[str] | None,
    measures: list[str | None],
    grouping: str | None,
    swap: str | None,
    alternative: str,
    documents: Sequence[str] | None,
    tie_identical: bool | ArrayLike,
    human: str | ArrayLike | None,
    exclude: Exclude,
    is_fixed: bool = False,
    average: str = "groups",
) -> tuple[list[Measure], list[Inputs]]:
    """Check what is compared: the measures, which of them are tested on the same swaps, and which texts are tied."""
    h, scores = read_metrics(data, metrics, human, exclude)
    if len(scores) < 2:
        found = f"found {len(scores)}" + f" ({some_of(list(scores))})" * bool(scores)
        remedy = "add one to compare with, data.with_scores(FILE, name=NAME), in a terminal --add NAME=FILE"
        raise InputError(f"metrics: there must be at least two, {found}; {remedy}; tk.leaderboard takes one alone")
    if not measures:
        raise InputError("measures: there must be at least one")
    names = name_documents(data, documents, h.shape[-1])
    labels = read_identical(data, tie_identical, h.shape, human, exclude)
    given = h, scores, measures, grouping, swap, alternative, names
    order, of_swaps = check_inputs(*given, is_fixed=is_fixed, average=average)
    return order, [inputs._replace(identical=labels) for inputs in of_swaps]


def _share(inputs: Inputs, data: Human, cells: str | None, exclude: Exclude, *, board: bool = False) -> Cells:
    """Find the cells on which the metrics are compared, and warn of what is left out."""
    groupings = [measure.grouping for measure in inputs.measures]
    same = share_cells(inputs.human, inputs.metrics, cells, groupings=groupings, board=board)
    same.warn(systems_of(data, exclude), advice=WHICH_CELLS if board else OWN_CELLS)
    return same


def _test_apart(inputs: Inputs, same: Cells, test: Callable[[Inputs], Pvalues]) -> pd.DataFrame:
    """Test every metric that stands apart against each other one, on the cells of these two."""
    pairs = [(a, b) for place, a in enumerate(same.apart) for b in (*same.among, *same.apart[place + 1 :])]
    groupings, rows = [measure.grouping for measure in inputs.measures], []
    for pair in pairs:
        scores = {name: inputs.metrics[name] for name in pair}
        try:
            two = share_cells(inputs.human, scores, groupings=groupings)
        except InputError:
            if pair[1] in same.among:
                raise
            rows.append([float("nan")] * 4 + [int(np.logical_and(*(same.scored[name] for name in pair)).sum())])
            continue
        found = test(on_cells(inputs._replace(metrics=scores), two))
        first, second = (float(found.by_metric[name][0]) for name in pair)
        rows.append([first, second, first - second, float(found.forth[0, 0]), two.counts["n_cells"]])
    named = pd.DataFrame(pairs, columns=["first", "second"])
    numbers = pd.DataFrame(rows, columns=["value_first", "value_second", "difference", "pvalue", "n_cells"])
    return pd.concat([named, numbers.astype({"n_cells": np.int64})], axis=1)


def _square(inputs: Inputs, forth: FloatArray | IntArray, back: FloatArray | IntArray) -> pd.DataFrame:
    """The numbers of every two metrics, one row and one column per metric; NaN on the diagonal."""
    names, square = list(inputs.metrics), np.full((len(inputs.metrics),) * 2, np.nan)
    for (a, b), one, other in zip(combinations(range(len(names)), 2), forth, back, strict=True):
        square[a, b], square[b, a] = one[0], other[0]
    return pd.DataFrame(square, index=names, columns=names)
