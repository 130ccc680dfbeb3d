"""Which measures are there? Each grouping × each coefficient, the twelve of Gao et al. (2024), measures of systems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from tiekit.base.errors import InputError
from tiekit.base.names import as_names, did_you_mean, find_name, split_names
from tiekit.base.parallel import Progress, part_of, showing, tell, with_progress
from tiekit.base.validation import FloatArray, IntArray, digest_of, warn_near_ties
from tiekit.core.calibration import best_epsilon, calibrate_scores
from tiekit.core.coefficients import ROUNDING, Coefficient, OfMatrix, average, values_per_group
from tiekit.core.grouping import (
    DEFAULT_GROUPING,
    DOCUMENT_GROUPINGS,
    GROUPINGS,
    Grouped,
    group_checked,
    merge_near_equal,
    resolve_grouping,
    row_means,
)
from tiekit.core.measure import Measure, get_measure
from tiekit.core.pairs import count_within
from tiekit.core.registry import COEFFICIENTS, get_coefficient
from tiekit.core.system_level import SYSTEM_LEVEL, accuracy_of_means, difference_pearson, matrices, soft_accuracy_of
from tiekit.sets.arguments import (
    Exclude,
    Human,
    Metric,
    check_set,
    documents_of,
    metric_names,
    read_pair,
    read_shared,
    source_of,
    source_of_human,
)
from tiekit.sets.evalset import EvalSet

GAO_NAMES = {
    f"{grouping}/{coefficient}": f"{level} {name}"
    for grouping, level in {"system_means": "System", "item": "Input", "global": "Global", "system": "Item"}.items()
    for coefficient, name in {"pearson": "Pearson", "spearman": "Spearman", "tau_b": "Kendall"}.items()
}
"""The twelve measures of Gao et al. (2024) in the order of their Table 2, and what they call them."""

GAO_MEASURES = tuple(GAO_NAMES)
"""The twelve measures of Gao et al. (2024), each written as a grouping and a coefficient."""

Measures: TypeAlias = str | Iterable[str]
"""One measure or several, each written ``"item/acc_eq*"``."""


def all_measures(*, calibrated: bool = True, documents: bool = False) -> tuple[str, ...]:
    """List every measure: each grouping × each coefficient, and those of `SYSTEM_LEVEL`.

    Parameters
    ----------
    calibrated : bool
        Whether the starred measures are listed too, those at each metric's best epsilon.
    documents : bool
        Whether the measures by document are listed too, which need a set with documents.

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> len(all_measures(calibrated=False)), len(all_measures()), all_measures()[-1]
    (45, 77, 'system/pdp')
    """
    groupings = (*GROUPINGS, *DOCUMENT_GROUPINGS) if documents else tuple(GROUPINGS)
    stars = [name + "*" for name, entry in COEFFICIENTS.items() if calibrated and entry.takes_epsilon]
    named = [f"{grouping}/{name}" for grouping in groupings for name in (*COEFFICIENTS, *stars)]
    return (*named, *(f"{grouping}/{name}" for name, entry in SYSTEM_LEVEL.items() for grouping in entry.groupings))


def as_measures(measures: Measures, *, documents: bool = False) -> tuple[Measure, ...]:
    """Look up measures of matrices, each only once; those by document need ``documents``, the segments' own."""
    found: dict[str, Measure] = {}
    for name in split_names(measures, "measures"):
        if not isinstance(name, str) or name.count("/") != 1:
            hint = did_you_mean(f"{DEFAULT_GROUPING}/{name}", all_measures())
            must = "measures: must be written grouping/coefficient, as 'item/acc_eq*'"
            raise InputError(f"{must}, found {name!r}{hint and f'; {hint}'}")
        try:
            measure = get_measure(name, None, documents=documents)
        except InputError as error:
            raise InputError(f"measures: {name!r}: {error}") from error
        if measure.name in found:
            raise InputError(f"measures: each may be given only once, found {measure.name} again")
        found[measure.name] = measure
    if not found:
        raise InputError("measures: there must be at least one, found none")
    return tuple(found.values())


Dataset: TypeAlias = tuple[ArrayLike, Mapping[str, ArrayLike]]
"""Human scores and those of metrics by name, all of shape (systems, segments)."""

Datasets: TypeAlias = EvalSet | Mapping[str, Dataset]
"""An evaluation set, which has one data set per human score, or data sets by name."""

Names: TypeAlias = str | Iterable[str] | None
"""Names of scores of an evaluation set; None is all of them."""

Scored: TypeAlias = tuple[FloatArray, dict[str, FloatArray]]
"""A data set that was checked."""


def datasets_of(
    data: EvalSet, metrics: Names = None, *, human: Names = None, exclude: Exclude = None
) -> dict[str, Scored]:
    """Make one data set of each human score, as Gao et al. (2024) split sets by aspect.

    Parameters
    ----------
    data : EvalSet
    metrics, human : str or iterable of str, optional
        Names of metrics and of human scores of the set; None is all of them.
    exclude
        As for `correlate`.

    Returns
    -------
    dict of str to (human, metrics)
        By human score: its matrix, and the metrics' matrices by name.

    Raises
    ------
    InputError
        For anything but an EvalSet, and for an unknown name.
    """
    chosen, asked = check_set(data).select(exclude=exclude), data.human if human is None else as_names(human, "human")
    wanted = [find_name("human", name, data.human) for name in asked]
    scores = {name: chosen.metrics[name] for name in metric_names(data, metrics)}
    return {name: (chosen.human[name], scores) for name in wanted}


def read_dataset(
    data: Human,
    metrics: Mapping[str, ArrayLike] | str | Iterable[str] | None,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    least: int = 1,
    cells: str | None = None,
    groupings: Iterable[str] = (),
) -> Scored:
    """Read the matrices of one data set, which must have at least so many metrics; the human one on common cells."""
    gold, scores = read_shared(data, metrics, human, exclude, cells, groupings)
    if len(scores) < least:
        raise InputError(f"metrics: there must be at least {least}, found {len(scores)}")
    return check_matrix(gold), scores


def check_matrix(human: FloatArray) -> FloatArray:
    """Refuse human scores that are no matrix."""
    if human.ndim != 2:
        raise InputError(f"human: measures need a matrix, systems × segments, found {human.ndim} dimensions")
    return human


def read_datasets(
    datasets: Datasets,
    metrics: Names = None,
    human: Names = None,
    exclude: Exclude = None,
    cells: str | None = None,
    groupings: Iterable[str] = (),
) -> dict[str, Scored]:
    """Read one or more data sets, each of which must have at least two metrics."""
    if isinstance(datasets, EvalSet):
        datasets = datasets_of(datasets, metrics, human=human, exclude=exclude)
    else:
        for argument, value in {"metrics": metrics, "human": human, "exclude": exclude}.items():
            if value is not None:
                raise InputError(f"{argument}: chooses from an EvalSet, but datasets is {type(datasets).__name__}")
    if not isinstance(datasets, Mapping) or not datasets:
        raise InputError("datasets: must be an EvalSet, or a mapping of names to (human, metrics) with an entry")
    found = {}
    for name, dataset in datasets.items():
        if not isinstance(dataset, tuple) or len(dataset) != 2:
            raise InputError(f"datasets: {name}: must be a tuple (human, metrics), found {type(dataset).__name__}")
        try:
            found[str(name)] = read_dataset(*dataset, least=2, cells=cells, groupings=groupings)
        except InputError as error:
            raise InputError(f"datasets: {name}: {error}") from error
    return found


def digest_of_sets(datasets: Mapping[str, Scored]) -> str:
    """The digest of all scores of all data sets."""
    return digest_of(*(scores for human, metrics in datasets.values() for scores in (human, *metrics.values())))


AT_ONCE = 1_000_000
"""The most cells that are evaluated in one go: more of them are no faster, and need more memory."""


def evaluate_measures(
    data: Human = None,
    metrics: Mapping[str, ArrayLike] | str | Iterable[str] | None = None,
    measures: Measures = GAO_MEASURES,
    *,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    cells: str | None = None,
    progress: Progress | bool | None = None,
) -> pd.DataFrame:
    """Evaluate metrics by many measures.

    Parameters
    ----------
    data : EvalSet, or array_like of shape (systems, segments)
        An evaluation set, or human scores. Higher is better on both sides. NaN is a missing score: the cell is left
        out of every pair.
    metrics : str or iterable of str, or mapping of str to array_like of that shape
        Names of metrics of the set, None is all of them; or metric scores by name.
    measures : str or iterable of str
        Each written ``"item/acc_eq*"``; a star calibrates each metric by itself. ``"document/acc_eq*"`` and
        ``"document_means/acc_eq*"`` need a set with documents. The default is the twelve measures of
        Gao et al. (2024).
    human, exclude
        Which human score of the set, without which of its systems; as for `correlate`.
    cells : {"common", "own"} or None
        Which cells are compared: those that all metrics have scored, which is also what None means, with
        a `CoverageWarning` where that leaves something out; or each metric's own.
    progress
        As for `leaderboard`.

    Returns
    -------
    pandas.DataFrame
        One row per metric, one column per measure, with the values of `correlate` and `calibrate`: undefined groups
        are left out of the mean; NaN where no group is defined.

    Raises
    ------
    InputError
        For unknown names, no metric, vectors, and what `correlate` refuses.

    Warns
    -----
    NearTieWarning
        Where distinct scores differ by less than 1e-12 of their range.
    OrientationWarning
        Where a matrix has far more rows than columns.

    References
    ----------
    Gao et al. (2024), section 2, arXiv 2410.16834.

    Examples
    --------
    >>> human, flat = [[1, 2, 3], [2, 3, 1], [3, 1, 3]], [[1, 1, 1], [1, 1, 1], [2, 1, 1]]
    >>> evaluate_measures(human, {"exact": human, "flat": flat}, ["item/tau_b", "system_means/pearson"]).round(2)
            item/tau_b  system_means/pearson
    metric
    exact         1.00                   1.0
    flat          0.82                   1.0
    """
    documents = documents_of(data)
    asked = as_measures(measures, documents=documents is not None)
    groupings = [measure.grouping for measure in asked]
    h, scores = read_dataset(data, metrics, human, exclude, cells=cells, groupings=groupings)
    rows, near, gold = [], [], source_of_human(data, human, h)
    with showing(progress, "evaluate") as told:
        for number, (name, metric) in enumerate(scores.items()):
            near_ties = group_checked(h, metric, "global").scores.near_ties
            near.append((near_ties, gold, source_of(data, f"metrics[{name!r}]", name, metric)))
            part = part_of(told, number, len(scores))
            tell(part, 0.0)
            rows.append(values_of(h[None], metric[None], asked, documents, part)[0])
    warn_near_ties(*near)
    return pd.DataFrame(rows, index=pd.Index(list(scores), name="metric"), columns=[m.name for m in asked])


def values_of(
    human: FloatArray,
    metrics: FloatArray,
    measures: Sequence[Measure],
    documents: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> FloatArray:
    """Values of many score matrices (systems, segments) at once, shape (matrices, measures); ``human`` may be one."""
    human = np.broadcast_to(human, metrics.shape)
    step = max(1, AT_ONCE // max(1, metrics[0].size))
    blocks = [slice(first, first + step) for first in range(0, len(metrics), step)]
    parts = [part_of(progress, number, len(blocks)) for number in range(len(blocks))]
    return np.concatenate(
        [
            _values_at_once(human[block], metrics[block], measures, documents, part)
            for block, part in zip(blocks, parts, strict=True)
        ]
    )


def _values_at_once(
    human: FloatArray,
    metrics: FloatArray,
    measures: Sequence[Measure],
    documents: Sequence[str] | None,
    progress: Progress | None,
) -> FloatArray:
    found = np.empty((len(metrics), len(measures)))
    stacked: dict[str, tuple[Grouped, IntArray]] = {}
    for i, measure in enumerate(with_progress(measures, progress)):
        if measure.calibrated or not measure.coefficient.by_group or measure.grouping in DOCUMENT_GROUPINGS:
            part = part_of(progress, i, len(measures)) if len(metrics) == 1 else None
            found[:, i] = [value_of(h, m, measure, documents, part) for h, m in zip(human, metrics, strict=True)]
            continue
        if measure.grouping not in stacked:
            grouped = group_checked(*(_rows(human, metrics, measure.grouping)), "system")
            tell(progress, i / len(measures))
            stacked[measure.grouping] = grouped, count_within(grouped.scores, 0.0).counts
        grouped, counts = stacked[measure.grouping]
        values = values_per_group(grouped, measure.coefficient, counts=counts)
        found[:, i] = [average(row, "drop") for row in grouped.spread(values).reshape(len(metrics), -1)]
    return found


def _rows(human: FloatArray, metrics: FloatArray, grouping: str) -> tuple[FloatArray, FloatArray]:
    """Matrices as one matrix with one row per group, the groups of the first matrix first."""
    n, n_systems, n_segments = metrics.shape
    if grouping == "system_means":
        both = [(h, m, ~(np.isnan(h) | np.isnan(m))) for h, m in zip(human, metrics, strict=True)]
        of_human = [row_means(h, scored) for h, _, scored in both]
        of_metric = [row_means(m, scored) for _, m, scored in both]
        return np.reshape(of_human, (n, n_systems)), np.reshape(of_metric, (n, n_systems))
    if grouping == "item":
        human, metrics = human.swapaxes(1, 2), metrics.swapaxes(1, 2)
    width = n_systems * n_segments if grouping == "global" else metrics.shape[2]
    n_rows = metrics.size // width if width else 0
    return np.reshape(human, (n_rows, width)), np.reshape(metrics, (n_rows, width))


def value_of(
    human: FloatArray,
    metric: FloatArray,
    measure: Measure,
    documents: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> float:
    """The value of one metric, without a warning; of vectors as of one group."""
    entry, by = measure.coefficient, "global" if measure.grouping == "vector" else measure.grouping
    if isinstance(entry, OfMatrix):
        return entry.evaluate(np.atleast_2d(human), np.atleast_2d(metric), by)
    grouped = group_checked(human, metric, by, documents)
    tell(progress, 0.0)
    epsilon = 0.0
    if measure.calibrated:
        at_zero = count_within(grouped.scores, 0.0)
        tell(progress, 0.0)
        epsilon = best_epsilon(grouped, entry, at_zero, progress)
    return average(values_per_group(grouped, entry, epsilon), "drop")


def measure_agreement(
    datasets: Datasets,
    measures: Measures = GAO_MEASURES,
    coefficient: str = "tau_b",
    *,
    metrics: Names = None,
    human: Names = None,
    exclude: Exclude = None,
    cells: str | None = None,
    progress: Progress | bool | None = None,
) -> pd.DataFrame:
    """Measure how alike every two measures rank the metrics.

    Parameters
    ----------
    datasets : EvalSet, or mapping of str to (human, metrics)
        An evaluation set, which has one data set per human score (see `datasets_of`), or data sets by name. Each has
        at least two metrics; the metrics may differ between data sets.
    measures : str or iterable of str
        As for `evaluate_measures`.
    coefficient : str
        What compares the metrics' values under two measures: ``"tau_b"`` as in the paper, or another of
        `COEFFICIENTS`. Values that agree to 1e-12 tie, also for coefficients of scores. A metric without a value is
        left out.
    metrics, human, exclude
        As for `datasets_of`.
    cells, progress
        As for `evaluate_measures`; common cells are those of a data set.

    Returns
    -------
    pandas.DataFrame
        Measure × measure: the mean over the data sets where it is defined, −1 to 1; 1 is the same ranking.

    Raises
    ------
    InputError
        For fewer than two metrics, and as `evaluate_measures`.

    References
    ----------
    Gao et al. (2024), section 2 and Figure 1, arXiv 2410.16834.

    Examples
    --------
    >>> human = [[1, 2, 3], [2, 3, 1], [3, 1, 3]]
    >>> metrics = {"a": human, "b": [[1, 1, 1], [1, 1, 1], [2, 1, 1]], "c": [[3, 2, 1], [1, 3, 1], [1, 2, 3]]}
    >>> measure_agreement({"toy": (human, metrics)}, ["item/tau_b", "global/tau_b", "system_means/tau_b"]).round(2)
                        item/tau_b  global/tau_b  system_means/tau_b
    item/tau_b                1.00          1.00                0.82
    global/tau_b              1.00          1.00                0.82
    system_means/tau_b        0.82          0.82                1.00
    """
    asked, entry, found = as_measures(measures), get_coefficient(coefficient), []
    checked = read_datasets(datasets, metrics, human, exclude, cells, [measure.grouping for measure in asked])
    with showing(progress, "compare") as told:
        for gold, scores in with_progress(checked.values(), told):
            values = np.concatenate([values_of(gold[None], metric[None], asked) for metric in scores.values()]).T
            found.append(agreement_of(values, entry))
    names = [measure.name for measure in asked]
    return pd.DataFrame(mean_defined(np.array(found)), index=names, columns=names)


def agreement_of(values: FloatArray, entry: Coefficient) -> FloatArray:
    """How alike every two measures (rows) rank the metrics (columns) by a coefficient, shape (measures, measures)."""
    values = merge_near_equal(values, ROUNDING)
    n = len(values)
    sides = np.repeat(values, n, axis=0), np.tile(values, (n, 1))  # one row per pair of measures
    grouped = group_checked(*sides, "system")
    return grouped.spread(values_per_group(grouped, entry)).reshape(n, n)


def mean_defined(values: FloatArray) -> FloatArray:
    """Mean of the defined values over the first axis; NaN where none is defined."""
    defined = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(defined, values, 0.0).sum(axis=0) / defined.sum(axis=0), np.float64)


DISPUTED = 1.5
"""In standard errors: too few for whole segments (1.96), enough for outcomes of pairs, which vary less."""


def disputed_neighbors(
    human: FloatArray, metrics: Mapping[str, FloatArray], progress: Progress | None = None
) -> tuple[str, ...]:
    """Return two neighbors in rank by item/acc_eq* about whose difference tests may disagree; none where none differ.

    Their mean difference over segments, in standard errors, is the nearest to the limit of chance, without a test.
    """
    found: dict[str, FloatArray] = {}
    for name, scores in with_progress(metrics.items(), progress):
        if np.unique(scores[~np.isnan(scores)]).size < 2:
            continue
        fitted = calibrate_scores(human, scores, "acc_eq", "item", "absolute")
        values = fitted.grouped.spread(values_per_group(fitted.grouped, COEFFICIENTS["acc_eq"], fitted.epsilon))
        if not np.isnan(values).all():
            found[name] = values
    ranked = sorted(found, key=lambda name: -float(np.nanmean(found[name])))
    far: dict[tuple[str, ...], float] = {}
    for first, second in pairwise(ranked):
        gaps = found[first] - found[second]
        gaps = gaps[~np.isnan(gaps)]
        if len(gaps) > 1 and np.ptp(gaps) > 0:
            far[first, second] = abs(abs(gaps.mean()) / gaps.std() * len(gaps) ** 0.5 - DISPUTED)
    return min(far, key=lambda pair: far[pair]) if far else ()


def soft_pairwise_accuracy(
    data: Human = None,
    metric: Metric = None,
    *,
    n_resamples: int = 1000,
    rng: np.random.Generator | int | None = None,
    parity: str | None = None,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
) -> float:
    """Measure how alike human and metric are in their confidence that one system is better than another.

    For every pair of systems, human and metric have a p-value each: how often the first system would lead by more if
    the two systems' scores of each segment were swapped at random. An equal lead counts half (mid-p): so the p-value
    of the reversed pair is the rest to 1, and the result does not depend on the order of the systems. SPA is 1 minus
    the mean difference between the two p-values.

    Parameters
    ----------
    data, metric, human, exclude
        As for `correlate`, of shape (systems, segments). A pair of systems is compared on the segments where both have
        both scores; without such a segment it is left out of the mean over pairs.
    n_resamples : int
        Number of random swaps, the same for all pairs and both sides. Where there are no more ways to swap than that,
        all are tried, and the value is exact.
    rng : numpy Generator or int, optional
        Random-number generator or seed; None is seed 0, with ``parity="mtme"`` seed 4.
    parity : {"mtme"}, optional
        ``"mtme"``: the value of mt-metrics-eval, from the same random swaps of scores in float32. There an equal lead
        counts as a larger one, so the value depends on the order of the systems where scores are discrete, and in the
        fifth decimal on the processor, since each adds up float32 in an order of its own.
        Only segments that have both scores of every system count.

    Returns
    -------
    float
        From 0 to 1. NaN where no pair of systems has a common segment, as for fewer than two systems with a score.

    Raises
    ------
    InputError
        For vectors, another ``parity``, and what `correlate` refuses.

    References
    ----------
    Thompson et al. (2024), doi:10.18653/v1/2024.wmt-1.118; with mid-p instead of their p, which depends on the order;
    ``parity="mtme"``: mt-metrics-eval's ``pce``.

    Examples
    --------
    >>> human, metric = [[1, 2, 3], [2, 3, 4]], [[2, 2, 4], [1, 3, 5]]
    >>> soft_pairwise_accuracy(human, metric), soft_pairwise_accuracy(human[::-1], metric[::-1])
    (0.75, 0.75)
    >>> soft_pairwise_accuracy(human, metric, parity="mtme")
    0.872
    """
    both = matrices(*read_pair(data, metric, human, exclude))
    return soft_accuracy_of(*both, n_resamples=n_resamples, rng=rng, parity=parity)


def pairwise_difference_pearson(
    data: Human = None,
    metric: Metric = None,
    *,
    grouping: str | None = None,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
) -> float:
    """Return Pearson's r of the differences between the two scores of a pair, over all pairs of all groups together.

    Like r it takes into account how far apart scores are, and like τ by item it compares only within groups. Each pair
    counts in both directions, so that the mean difference is 0: r is the sum of products over the root of the sums of
    squares.

    Parameters
    ----------
    data, metric, human, exclude
        As for `correlate`.
    grouping : {"global", "item", "system"} or None
        As for `correlate`. With a single group it is r itself.

    Returns
    -------
    float
        From -1 to 1; NaN where all differences of the human or of the metric scores are 0, or there is no pair.

    Raises
    ------
    InputError
        For system means, of which it is r, and for what `correlate` refuses.

    References
    ----------
    arXiv 2509.25546 (2025); mt-metrics-eval's ``pdp``.

    Examples
    --------
    >>> round(pairwise_difference_pearson([[1, 2, 3], [4, 5, 6]], [[2, 1, 4], [3, 3, 7]]), 8)
    0.9258201
    """
    h, m = read_pair(data, metric, human, exclude)
    name = resolve_grouping(grouping, h.ndim)
    if name == "system_means":
        raise InputError("grouping: system means are one group, of which it is Pearson's r; use correlate()")
    return difference_pearson(np.atleast_2d(h), np.atleast_2d(m), name)


def pairwise_accuracy(
    data: Human = None,
    metric: Metric = None,
    *,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
) -> float:
    """Return the share of pairs of systems that human and metric order alike by their mean scores.

    Parameters
    ----------
    data, metric, human, exclude
        As for `correlate`, of shape (systems, segments). A system's mean is over its cells with both scores; a system
        without such a cell is left out.

    Returns
    -------
    float
        From 0 to 1; a human tie must be a metric tie. It is acc_eq of system means. NaN for fewer than two systems.

    Raises
    ------
    InputError
        For vectors and what `correlate` refuses.

    References
    ----------
    Kocmi et al. (2021), aclanthology.org/2021.wmt-1.57.

    Examples
    --------
    >>> pairwise_accuracy([[1, 2], [2, 3], [4, 4]], [[5, 1], [2, 2], [3, 6]])
    0.666...
    """
    return accuracy_of_means(*matrices(*read_pair(data, metric, human, exclude)), "system_means")
