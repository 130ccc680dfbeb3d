"""How often is a difference at least as large as the observed one, and when has a test seen enough resamples?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tiekit.base.errors import InputError
from tiekit.base.parallel import Progress, beating, run_parts, showing
from tiekit.base.results import Explored, Plotted, Result
from tiekit.base.validation import FloatArray, IntArray, check_count, check_stop_early, digest_of, seed_of
from tiekit.core.coefficients import ROUNDING, Coefficient
from tiekit.core.grouping import row_means, tolerance_of
from tiekit.core.measure import Measure, get_measure
from tiekit.sets.arguments import Exclude, Human, Metric, read_identical, read_several, share_cells_of, with_names
from tiekit.sets.cells import Cells, cell_facts
from tiekit.significance._recount import lay_out, mean_of_groups
from tiekit.significance._resampled_measures import Epsilon, ResampledMeasures, as_matrix, as_means, prepare_measures
from tiekit.significance.schemes import (
    SWAPS,
    Plan,
    check_kind,
    check_means,
    check_swap,
    name_documents,
    number_documents,
    plan_swaps,
    usual_swap,
)

ALTERNATIVES = ("two-sided", "greater", "less")
"""What a small p-value is evidence of: the metrics differ; the first agrees better; the second agrees better."""

StopEarly: TypeAlias = tuple[float, float] | None
"""A test stops when its p-value lies outside this range; None: it never does."""

BLOCK = 100
"""Number of resamples after each of which a test may stop, as in mt-metrics-eval."""


class Inputs(NamedTuple):
    """What is compared, checked: matrices, measures, what is swapped, the alternative, when a test stops, documents.

    ``documents`` numbers each segment's document where documents are swapped; ``names`` names it where it is known.
    ``identical`` labels the texts that are tied where they are equal.
    """

    human: FloatArray
    metrics: dict[str, FloatArray]
    measures: tuple[Measure, ...]
    swap: str
    alternative: str
    stop_early: StopEarly = None
    documents: IntArray | None = None
    names: tuple[str, ...] | None = None
    identical: IntArray | None = None


def is_extreme(samples: FloatArray, difference: FloatArray | float, alternative: str) -> NDArray[np.bool_]:
    """Mark the differences that are at least as large as the observed one, up to rounding; undefined ones are."""
    with np.errstate(invalid="ignore"):
        if alternative == "two-sided":
            smaller = np.abs(samples) < np.abs(difference) - ROUNDING
        elif alternative == "greater":
            smaller = samples < difference - ROUNDING
        else:
            smaller = samples > difference + ROUNDING
    return np.asarray(~smaller, np.bool_)


def pvalues_of(samples: FloatArray, differences: FloatArray | float, alternative: str, exact: bool) -> FloatArray:
    """Return the p-value of each difference, whose samples lie along the first axis; NaN where it is undefined."""
    count = is_extreme(samples, differences, alternative).sum(axis=0)
    return pvalues_of_counts(count, len(samples), differences, exact)


def pvalues_of_counts(
    count: IntArray, number: IntArray | int, differences: FloatArray | float, exact: bool
) -> FloatArray:
    """Return p-values from how many of so many samples are at least as large; NaN where a difference is undefined."""
    pvalues = count / number if exact else (count + 1) / (number + 1)
    return np.where(np.isnan(differences), np.nan, pvalues)


def find_end(extreme: NDArray[np.bool_], difference: float, stop_early: StopEarly) -> int | None:
    """Return after how many of these random resamples a test stops, see `is_extreme`; None where it goes on.

    It looks after every `BLOCK` of them. Where the difference is undefined, so is every p-value, and it stops at once.
    """
    if stop_early is None:
        return None
    for end in range(BLOCK, extreme.size + 1, BLOCK):
        pvalue = pvalues_of_counts(extreme[:end].sum(), end, difference, exact=False)
        if not stop_early[0] <= pvalue <= stop_early[1]:
            return end
    return None


EXCHANGED = ((0, 1), (0, 3), (1, 3), (2, 4))
"""Two kinds that a pair can have under the two metrics, numbered as in `tiekit.core.pairs.KINDS`."""

PAIRS_AT_ONCE = 50_000_000
"""Pairs between two moments at which Ctrl-C is heard."""


@dataclass(frozen=True, eq=False)
class PairOutcomes:
    """How many pairs are of which kind under each of two metrics.

    Where the metrics differ in a pair, each of them gets either outcome with probability 1/2. So among the pairs of a
    group that are concordant under one metric and discordant under the other, a binomially distributed number becomes
    concordant for the first metric, and the rest for the second.
    """

    table: IntArray  # shape (groups, 5, 5): pairs by their kind under the first metric and under the second
    n_scores: IntArray
    coefficient: Coefficient

    def original_values(self) -> FloatArray:
        """Return both values of the scores as they are, shape (1, 2, 1)."""
        return self._values(np.stack((self.table.sum(axis=2), self.table.sum(axis=1)))[None])

    def draw(self, plan: Plan, part: int, progress: Progress | None = None) -> FloatArray:  # noqa: ARG002
        """Return values for one part of the resamples, shape (draws, 2, 1)."""
        number = plan.number(part)
        rng = np.random.default_rng(np.random.SeedSequence(plan.seed, spawn_key=(part,)))
        kinds = np.arange(5)
        counts = np.repeat(self.table[None, :, kinds, kinds][:, None], 2, axis=1).repeat(number, axis=0)
        for one, other in EXCHANGED:
            pairs = self.table[:, one, other] + self.table[:, other, one]
            first = rng.binomial(pairs, 0.5, (number, pairs.size))
            counts[:, 0, :, one] += first
            counts[:, 0, :, other] += pairs - first
            counts[:, 1, :, one] += pairs - first
            counts[:, 1, :, other] += first
        return self._values(counts)

    def _values(self, counts: IntArray) -> FloatArray:
        rest = np.zeros((*counts.shape[:-1], 2), np.int64)
        rest[..., 0] = self.n_scores
        return mean_of_groups(self.coefficient.from_counts(np.concatenate((counts, rest), axis=-1)))[..., None]


def compare_pairs(panel: ResampledMeasures) -> PairOutcomes:
    """Count the pairs of cells that have all three scores, in time proportional to their number."""
    from tiekit.significance import _kernels

    human, metrics, measure = panel.human, panel.metrics, panel.measures[0]
    entry = measure.coefficient
    if not entry.of_pairs:
        raise InputError(f"swap: {entry.name} is not computed from outcomes of pairs alone, so it must not be 'pairs'")
    if panel.recalibrate:
        raise InputError(
            "epsilon: swapped outcomes of pairs leave no scores to calibrate, so it must not be 'recalibrated'"
        )
    missing = np.isnan(human) | np.isnan(metrics[0]) | np.isnan(metrics[1])
    common, grouping, places = np.where(missing, np.nan, human), measure.grouping, panel.places
    epsilon_a, epsilon_b = panel.epsilons[0]
    if grouping == "system_means":
        epsilon_a, epsilon_b = (e + tolerance_of(m, ~missing) for e, m in zip(panel.epsilons[0], metrics, strict=True))
        common, *means = (row_means(scores, ~missing)[None, :] for scores in (human, *metrics))
        metrics, grouping, places = (means[0], means[1]), "global", None
    a, b = (lay_out(common, (metric,), grouping, (0.0,), places, panel.identical) for metric in metrics)
    sizes, asked = np.diff(a.starts), (a.starts, a.rank, a.metric, b.metric, epsilon_a, epsilon_b)
    step = max(1, PAIRS_AT_ONCE // int(sizes.max(initial=1)))
    parts = [_kernels.cross_pairs(*asked, begin, begin + step) for begin in range(0, max(1, a.metric.size), step)]
    table = sum(parts[1:], parts[0])
    if a.same and b.same:
        one, other, owner = a.same.layout, b.same.layout, a.same.owner
        asked = (one.starts, one.rank, one.metric, other.metric, epsilon_a, epsilon_b)
        same = _kernels.cross_pairs(*asked, 0, one.metric.size)
        tied, number = same[:, 2::2, 2::2].sum(axis=(1, 2)), same.sum(axis=(1, 2))
        np.subtract.at(table, owner, same)
        table[:, 3, 3] += np.bincount(owner, number - tied, len(table)).astype(np.int64)
        table[:, 4, 4] += np.bincount(owner, tied, len(table)).astype(np.int64)
    return PairOutcomes(table, sizes, entry)


@dataclass(frozen=True, eq=False, repr=False)
class PermutationTest(Plotted, Explored, Result):
    """Whether one metric agrees with the human scores better than another.

    Attributes
    ----------
    pvalue : float
        How often the metrics differ at least as much when their scores are swapped at random: (c + 1)/(n + 1) where c
        of n random resamples do, or the share of all possible resamples (`exact`). NaN where the difference is
        undefined; 1 where a metric is constant.
    difference : float
        Value of the first metric minus that of the second; NaN where one is undefined.
    values : tuple of float
        Both values, on the cells that are compared.
    epsilons : tuple of float
        Both thresholds; NaN where they are calibrated again on every resample.
    samples : ndarray
        The differences of the resamples; NaN where undefined, which counts as at least as large.
    exact : bool
        Whether every possible way to swap was tried, the observed one included.
    note : str
        Why the p-value is no evidence; empty where it is sound.
    coefficient, grouping, swap, alternative, seed
        What was asked for.
    scores : tuple of three arrays
        The human scores and both metrics' scores as they were read.
    n_systems, n_segments, n_cells : int
        How many are compared.
    cells : {"common", "own"}
        Whether these are the cells that both metrics have scored, or all that one of them has.
    asked : int
        Number of resamples that would have been counted if the test had not stopped early.
    """

    _number: ClassVar[str | None] = "pvalue"

    pvalue: float
    difference: float
    values: tuple[float, float]
    epsilons: tuple[float, float]
    samples: FloatArray = field(repr=False)
    exact: bool
    note: str
    coefficient: str
    grouping: str
    swap: str
    alternative: str
    seed: int
    scores: tuple[FloatArray, FloatArray, FloatArray] = field(repr=False)
    n_systems: int
    n_segments: int
    n_cells: int
    cells: str
    asked: int = field(repr=False)
    average: str = field(default="groups", repr=False)
    identical: str = field(default="", repr=False)

    @property
    def stopped(self) -> bool:
        """Whether the test stopped early, so that the p-value says only on which side of the range it lies."""
        return self.n_resamples < self.asked

    @property
    def n_resamples(self) -> int:
        """Number of resamples that were counted."""
        return self.samples.size

    @property
    def n_undefined(self) -> int:
        """Number of resamples in which a metric's value is undefined."""
        return int(np.isnan(self.samples).sum())

    def _facts(self) -> dict[str, object]:
        return dict(
            test="permutation",
            swap=self.swap,
            alternative=self.alternative,
            coefficient=self.coefficient,
            grouping=self.grouping,
            epsilons="/".join(map(str, self.epsilons)),
            undefined="drop",
            **cell_facts(self),
            average=self.average,
            resamples=f"{self.n_resamples}{' (all)' if self.exact else ' (stopped early)' if self.stopped else ''}",
            scores=digest_of(*self.scores),
            seed="none" if self.exact else self.seed,
        )


@with_names
def permutation_test(
    data: Human = None,
    metric_a: Metric = None,
    metric_b: Metric = None,
    coefficient: str | None = None,
    *,
    grouping: str | None = None,
    average: str = "groups",
    swap: str | None = None,
    epsilon: Epsilon | None = None,
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
) -> PermutationTest:
    """Test whether one metric agrees with the human scores better than another.

    If the metrics were equally good, their scores could be swapped without changing what is expected. The test swaps
    them many times and asks how often the metrics then differ at least as much as they do. Where scores of both
    metrics get into one group they are standardized first, over the cells with a human score. The threshold between
    scores of two metrics is the mean of their thresholds, in standard deviations; between scores of one metric it is
    that metric's own.

    Parameters
    ----------
    data : EvalSet, or array_like of shape (n,) or (systems, segments)
        An evaluation set, or human scores; see `correlate`.
    metric_a, metric_b : str, or array_like of that shape
        The names of two metrics of the set, or their scores. NaN is a missing score.
    coefficient : str or None
        A coefficient or a measure (``"item/acc_eq"``), see `correlate`. A star after it (``"acc_eq*"``) means
        ``epsilon="calibrated"``. None is acc_eq*, or acc_eq where ``epsilon`` is given and of system means.
    grouping : {"global", "item", "system", "system_means", "document", "document_means"} or None
        As for `correlate`. By ``"document_means"`` whole documents are swapped.
    average : {"groups", "pairs"}
        As for `correlate`: the mean over groups, or the value of all groups' pairs together.
    swap : {"segments", "cells", "systems", "system_means", "both", "documents", "pairs"} or None
        What is swapped, each with probability 1/2, see `SWAPS`. None is what suits the measure, and the result says
        which: ``"system_means"`` where each system counts by its mean score alone, as at WMT; ``"cells"`` for soft
        pairwise accuracy; ``"documents"`` by document_means; ``"segments"`` elsewhere. The items of vectors are
        segments. Pairs share scores, so ``"pairs"`` treats dependent outcomes as independent and reports differences
        far too often. It is there to reproduce WMT: with fixed thresholds, for coefficients of counts other than tau_c,
        and only on common cells.
    epsilon : float, pair of float, "calibrated" or "recalibrated", optional
        The threshold of both metrics, None is 0; the threshold of each; each metric's best one, found once; each
        metric's best one on every resample (slow). Must be 0 or one of the two words where the coefficient has a star.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the first metric is better.
    n_resamples : int
        Number of random resamples. Where there are at most one more ways to swap than that, all are tried instead.
    rng : numpy Generator, int or None
        Random-number generator or seed; None is seed 0. The same seed gives the same resamples on any number of cores.
    stop_early : pair of float, optional
        After every 100 resamples, stop if the p-value lies outside this range; mt-metrics-eval's is ``(0.02, 0.5)``.
        Such a p-value says only on which side it lies, and the result says that it is `stopped`.
    documents : sequence of str, optional
        The document of each segment, for ``swap="documents"`` and groupings by document; None: those of the set.
    tie_identical : bool or array_like of int
        As for `correlate`: pairs of identical texts are ties, whichever metric's scores stand there. Not with
        thresholds that are ``"recalibrated"``.
    human : str, optional
        The human score of the set; None is its gold score.
    exclude : str or iterable of str, optional
        Systems of the set to leave out; None: its standard reference and outliers; ``()``: nobody.
    cells : {"common", "own"} or None
        Which cells are compared: those that both metrics have scored, which is also what None means, or each metric's
        own, where a missing score is swapped like any other.
    n_jobs : int or None
        Number of workers, see `tiekit.base.parallel.run_parts`; None is what ``joblib.parallel_config`` says.
    progress : function of a float, or bool, optional
        Called with the fraction done; raise an exception to cancel.
        None and True show a bar on a terminal or in a notebook, after a second; False shows none.

    Returns
    -------
    PermutationTest
        Two metrics that do not differ have a two-sided p-value of 1; a constant metric never differs significantly.

    Raises
    ------
    InputError
        For unknown names, for what cannot be swapped or calibrated, for a threshold beside a star, for metrics that
        have fewer than two systems (by system: segments) in common, and for what `correlate` refuses.

    Warns
    -----
    CoverageWarning
        Where cells are left out because one metric has not scored them: whose scores are missing, and how many.

    References
    ----------
    Deutsch et al. (2021), doi:10.1162/tacl_a_00417; Gao et al. (2024), Algorithm 1, arXiv 2410.16834;
    Deutsch et al. (2023), doi:10.18653/v1/2023.emnlp-main.798; Phipson and Smyth (2010), doi:10.2202/1544-6115.1585.

    Examples
    --------
    >>> human, a, b = [1, 2, 3, 4, 5, 5, 7, 8], [1, 2, 3, 3, 7, 3, 5, 5], [2, 1, 2, 6, 8, 8, 7, 6]
    >>> found = permutation_test(human, a, b, "pearson")
    >>> found.pvalue, found.exact, round(found.difference, 4)
    (0.984375, True, 0.0025)
    """
    both: dict[str, Metric] = {"metric_a": metric_a, "metric_b": metric_b}
    gold, metrics = read_several(data, both, human, exclude)
    scores, names = dict(zip(both, metrics, strict=True)), name_documents(data, documents, gold.shape[-1])
    _, (inputs,) = check_inputs(
        gold, scores, [coefficient], grouping, swap, alternative, names, is_fixed=epsilon is not None, average=average
    )
    labels = read_identical(data, tie_identical, gold.shape, human, exclude)
    measure, scheme = inputs.measures[0], SWAPS[inputs.swap]
    same = share_cells_of(data, both, (gold, metrics), cells, exclude, measure.grouping)
    inputs = on_means(on_cells(inputs._replace(stop_early=check_stop_early(stop_early), identical=labels), same))
    h, (a, b) = inputs.human, inputs.metrics.values()
    known = 0.0 if epsilon is None else epsilon
    size, seed = check_count("n_resamples", n_resamples), seed_of(rng)
    plan = plan_swaps(inputs.swap, differing(h, a, b), size, seed, inputs.documents)
    with showing(progress, "swap") as told:
        with beating(told):
            panel = prepare_measures(h, (a, b), (measure,), known, inputs.names, inputs.identical)
            source = panel if scheme.of_scores else compare_pairs(panel)
            values = source.original_values()[0]
        draws = run_parts(_draw, (source, plan), plan.parts, n_jobs=n_jobs, progress=told, inside=True)
        samples = collect_differences(inputs, draws, values[0] - values[1], plan.exact)[:, 0]
    difference = float(values[0, 0] - values[1, 0])
    constant = [name for name, m in (("metric_a", a), ("metric_b", b)) if is_constant(h, m)]
    pvalue = 1.0 if constant else float(pvalues_of(samples, difference, alternative, plan.exact))
    note = f"{' and '.join(constant)}: constant, so never significant" if constant else ""
    return PermutationTest(
        pvalue=pvalue,
        difference=difference,
        values=(float(values[0, 0]), float(values[1, 0])),
        epsilons=(panel.epsilons[0][0], panel.epsilons[0][1]),
        samples=samples,
        exact=plan.exact,
        note=note or scheme.caution,
        coefficient=measure.coefficient.name + ("*" if panel.measures[0].calibrated else ""),
        grouping=measure.grouping,
        swap=inputs.swap,
        alternative=alternative,
        seed=plan.seed,
        scores=(gold, metrics[0], metrics[1]),
        **same.counts,
        asked=plan.size,
        average=average,
        identical="" if labels is None else digest_of(labels),
    )


def differing(human: FloatArray, a: FloatArray, b: FloatArray) -> NDArray[np.bool_]:
    """Mark the cells where swapping may change something."""
    return np.asarray(~np.isnan(human) & ~(np.isnan(a) & np.isnan(b)), np.bool_)


def is_constant(human: FloatArray, metric: FloatArray) -> bool:
    """Tell whether a metric gives one score to all cells that have a human score."""
    scored = metric[~np.isnan(human) & ~np.isnan(metric)]
    return bool((scored == scored[:1]).all())


def check_inputs(
    human: FloatArray,
    metrics: Mapping[str, FloatArray],
    measures: Iterable[str | None],
    grouping: str | None,
    swap: str | None,
    alternative: str,
    names: tuple[str, ...] | None,
    *,
    is_fixed: bool = False,
    average: str = "groups",
) -> tuple[list[Measure], list[Inputs]]:
    """Check what is compared: the measures, and which of them are tested on the same swaps."""
    check_kind("alternative", alternative, ALTERNATIVES)
    known: dict[str, bool] = {"documents": names is not None, "is_fixed": is_fixed}
    found = [get_measure(one, grouping, human.ndim, **known, average=average) for one in measures]
    matrices, inputs = {name: as_matrix(m) for name, m in metrics.items()}, []
    of_swaps: dict[str, list[Measure]] = {}
    for measure in found:
        of_swaps.setdefault(usual_swap(measure) if swap is None else swap, []).append(measure)
    for one, tested in of_swaps.items():
        scheme = check_swap(one, human.ndim)
        number = number_documents(scheme, names)
        check_means("swap", scheme, tested)
        inputs.append(Inputs(as_matrix(human), matrices, tuple(tested), one, alternative, None, number, names))
    return found, inputs


def on_cells(inputs: Inputs, same: Cells) -> Inputs:
    """What is compared on the cells that were found, without the metrics that stand apart."""
    names = same.documents(inputs.names)
    return inputs._replace(
        human=same.without_gaps(same.human),
        metrics={name: same.without_gaps(m) for name, m in inputs.metrics.items() if name not in same.apart},
        documents=number_documents(SWAPS[inputs.swap], names),
        names=names,
        identical=labels_on(inputs.identical, same),
    )


def labels_on(identical: IntArray | None, same: Cells) -> IntArray | None:
    """Labels of texts without those of systems and segments that are left out as a whole; of vectors, a vector."""
    if identical is None:
        return None
    kept: IntArray = same.without_gaps(np.atleast_2d(identical))
    return kept.reshape(kept.shape[2 - identical.ndim :])


def on_means(inputs: Inputs) -> Inputs:
    """The means of systems in the place of scores, where these are swapped."""
    if not SWAPS[inputs.swap].of_means:
        return inputs
    human, means = as_means(inputs.human, list(inputs.metrics.values()))
    return inputs._replace(human=human, metrics=dict(zip(inputs.metrics, means, strict=True)), names=None)


def collect_differences(inputs: Inputs, draws: Iterable[FloatArray], difference: FloatArray, exact: bool) -> FloatArray:
    """Return differences, shape (draws, measures); with `stop_early`, until the first p-value lies outside."""
    found = np.empty((0, difference.size))
    for drawn in draws:
        found = np.concatenate((found, drawn[:, 0] - drawn[:, 1]))
        if exact or inputs.stop_early is None:
            continue
        end = find_end(is_extreme(found[:, 0], difference[0], inputs.alternative), difference[0], inputs.stop_early)
        if end is not None:
            return found[:end]
    return found


def _draw(
    source: ResampledMeasures | PairOutcomes, plan: Plan, part: int, progress: Progress | None = None
) -> FloatArray:
    return source.draw(plan, part, progress)
