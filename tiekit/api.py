"""The functions that people call, with an `EvalSet` and names or with arrays, checked once; `tiekit.core` computes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, overload

import numpy as np
from numpy.typing import ArrayLike

from tiekit import core
from tiekit.base.errors import InputError
from tiekit.base.names import split_names
from tiekit.base.parallel import Progress, part_of, showing, tell, with_progress
from tiekit.base.validation import FloatArray, as_generator, check_count
from tiekit.core.calibration import Calibration, calibrate_scores, warn_of
from tiekit.core.coefficients import average as average_of
from tiekit.core.coefficients import check_policy, values_per_group
from tiekit.core.correlation import Correlation, correlate_scores
from tiekit.core.cross_validation import CrossValidation, HeldOut, fit_folds, transfer_scores
from tiekit.core.grouping import group_checked
from tiekit.core.measure import Measure, get_measure
from tiekit.core.pairs import PairCounts, count_sorted
from tiekit.core.registry import why_undefined
from tiekit.core.ties import Ties, break_ties, to_buckets
from tiekit.sets.arguments import (
    Exclude,
    Human,
    Metric,
    documents_of,
    read_documents,
    read_identical,
    read_metrics,
    read_pair,
    sources_of,
    with_names,
)
from tiekit.sets.evalset import EvalSet

if TYPE_CHECKING:
    import pandas as pd


class _Pairs(TypedDict, total=False):
    """What `correlate`, `calibrate` and `cross_validate` take by name alone, for type checkers."""

    grouping: str | None
    average: str
    documents: Sequence[str] | None
    progress: Progress | bool | None


class _Correlate(_Pairs, total=False):
    epsilon: float | None
    undefined: str
    human_margin: float
    tie_identical: bool | ArrayLike
    tie_human: bool


class _Calibrate(_Pairs, total=False):
    difference: str
    tie_identical: bool | ArrayLike
    tie_human: bool


class _CrossValidate(_Pairs, total=False):
    difference: str
    folds: int
    rng: np.random.Generator | int | None


@overload
def correlate(
    data: EvalSet,
    metric: str,
    coefficient: str | None = None,
    *,
    human: str | None = None,
    exclude: Exclude = None,
    **options: Unpack[_Correlate],
) -> Correlation: ...
@overload
def correlate(
    data: ArrayLike, metric: ArrayLike, coefficient: str | None = None, **options: Unpack[_Correlate]
) -> Correlation: ...
@overload
def correlate(
    *, human: ArrayLike, metric: ArrayLike, coefficient: str | None = None, **options: Unpack[_Correlate]
) -> Correlation: ...
@with_names
def correlate(
    data: Human = None,
    metric: Metric = None,
    coefficient: str | None = None,
    *,
    grouping: str | None = None,
    epsilon: float | None = None,
    undefined: str = "drop",
    average: str = "groups",
    human_margin: float = 0.0,
    documents: Sequence[str] | None = None,
    tie_identical: bool | ArrayLike = False,
    tie_human: bool = False,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    progress: Progress | bool | None = None,
) -> Correlation:
    """Measure how well a metric agrees with the human scores.

    Parameters
    ----------
    data : EvalSet, or array_like of shape (n,) or (systems, segments)
        An evaluation set, or human scores. Higher is better on both sides. NaN or None is a missing score: the cell
        is left out of every pair. Series and DataFrames of pandas on both sides are matched by label.
    metric : str, or array_like of that shape
        The name of a metric of the set (``COMET-22`` where only ``COMET-22-refA`` fits), or metric scores.
    coefficient : str or None
        None is ``"acc_eq*"``; it is acc_eq where ``epsilon`` or ``human_margin`` is given, and of system means, of
        which a best epsilon is noise. Otherwise a name of `COEFFICIENTS` or of `tiekit.measures.SYSTEM_LEVEL`. A star
        after it (``"acc_eq*"``) asks for the value at the best epsilon, see `calibrate`; a grouping may stand before it
        (``"item/acc_eq*"``).
    grouping : {"global", "item", "system", "system_means", "document", "document_means"} or None
        Which pairs are compared; None is item for matrices and one group for vectors. By document, all translations of
        a document's segments are compared; document_means compares the systems' mean scores in each document.
    epsilon : float, optional
        Two metric scores are tied when they differ by at most this much; 0 for a coefficient without a star.
    undefined : {"drop", "zero"}
        Groups whose coefficient is undefined are left out of the mean (WMT's practice) or count as 0, also where all
        are undefined. Coefficients of all groups at once stay NaN where they are undefined.
    average : {"groups", "pairs"}
        ``"groups"``: the unweighted mean over groups. ``"pairs"``: the counts of all groups are summed, and the formula
        is applied to the sums. For a share of pairs, such as tau_10 or acc_eq, this is the mean over groups weighted by
        pairs. Coefficients that are no ratios of counts of pairs (pearson, spearman, tau_c) have none.
    human_margin : float
        Pairs whose human scores differ by less are left out, see `count_pairs`; for coefficients of pairs without a
        star. Kendall's τ of WMT 2017–2020 is ``"tau_10"`` by item with ``average="pairs"`` and a margin of 25: pairs
        count that differ by at least 25 points of direct assessment.
    documents : sequence of str, optional
        The document of every segment; None: those of the set. Groupings by document need it.
    tie_identical : bool or array_like of int
        Whether the metric is made to tie the pairs of a segment whose texts are identical, as `EvalSet.identical`
        says. Beside arrays: labels of their shape, the same number for the same text of a segment, below 0 where it is
        not known. Not of means of scores. See `tiekit.identical`.
    tie_human : bool
        Whether the human score is made to tie these pairs, too.
    human : str, optional
        The human score of the set; None is its gold score.
    exclude : str or iterable of str, optional
        Systems of the set to leave out; None: its standard reference and outliers; ``()``: nobody.
    progress
        Of the search for the best epsilon, as for `calibrate`.

    Returns
    -------
    Correlation
        Unweighted mean over the groups with at least two scored cells, or the value of all their pairs; NaN where there
        is no group, or none is defined and they do not count as 0.

    Raises
    ------
    InputError
        For unknown names, an epsilon or identical texts with a coefficient that knows no ties of the metric, an epsilon
        with a star, a set that does not know which texts are identical, and what `count_pairs` refuses.

    Warns
    -----
    NearTieWarning
        Where distinct scores differ by less than 1e-12 of their range, or a best epsilon splits such differences.
    DirectionWarning
        Where the metric falls as the human score rises.
    OrientationWarning
        Where a matrix has far more rows than columns.

    References
    ----------
    Deutsch et al. (2023), Appendix A, Equations 1–3, doi:10.18653/v1/2023.emnlp-main.798.

    Examples
    --------
    >>> result = correlate([[1, 2, 3], [4, 5, 6]], [[2, 1, 4], [3, 3, 7]], "tau_b", grouping="system")
    >>> f"{result:.3f}", result.n_groups
    ('0.575', 2)
    >>> best = correlate([1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3], "acc_eq*")
    >>> best.value, best.epsilon
    (0.7, 0.5)
    """
    scores = read_pair(data, metric, human, exclude)
    return correlate_scores(
        scores,
        sources_of(data, metric, human, scores),
        coefficient,
        grouping=grouping,
        documents=read_documents(data, documents, human),
        epsilon=epsilon,
        undefined=undefined,
        average=average,
        human_margin=human_margin,
        identical=read_identical(data, tie_identical, scores[0].shape, human, exclude),
        tie_human=tie_human,
        progress=progress,
    )


@overload
def calibrate(
    data: EvalSet,
    metric: str,
    coefficient: str = "acc_eq",
    *,
    human: str | None = None,
    exclude: Exclude = None,
    **options: Unpack[_Calibrate],
) -> Calibration: ...
@overload
def calibrate(
    data: ArrayLike, metric: ArrayLike, coefficient: str = "acc_eq", **options: Unpack[_Calibrate]
) -> Calibration: ...
@overload
def calibrate(
    *, human: ArrayLike, metric: ArrayLike, coefficient: str = "acc_eq", **options: Unpack[_Calibrate]
) -> Calibration: ...
@with_names
def calibrate(
    data: Human = None,
    metric: Metric = None,
    coefficient: str = "acc_eq",
    *,
    grouping: str | None = None,
    difference: str = "absolute",
    average: str = "groups",
    documents: Sequence[str] | None = None,
    tie_identical: bool | ArrayLike = False,
    tie_human: bool = False,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    progress: Progress | bool | None = None,
) -> Calibration:
    """Find the tie threshold that maximizes a coefficient, exactly: over all pairs, not a sample.

    The candidates are 0 and every difference of two metric scores within a group. One epsilon holds for all groups.
    The objective is the unweighted mean over the groups with at least one pair, or the value of all their pairs
    together; of several maximizers the smallest is
    returned. Coefficients with a full WMT table (acc_eq, tau_eq, tau_a) are compared in exact arithmetic, the others
    as float64 means that count as equal within 1e-12. Hundreds of millions of pairs of a real metric take about a
    second, because most pairs are never listed: the counts at two thresholds bound the coefficient at every threshold
    between them.

    Parameters
    ----------
    data : EvalSet, or array_like of shape (n,) or (systems, segments)
        An evaluation set, or human scores; see `correlate`. NaN cells are left out.
    metric : str, or array_like of that shape
        The name of a metric of the set, or metric scores.
    coefficient : str
        A coefficient of counts, such as ``"acc_eq"``; Pearson and Spearman have no tie threshold. ``"acc_eq*"`` means
        the same, and a grouping may stand before it (``"item/acc_eq*"``).
    difference : {"absolute", "relative"}
        How the difference of two metric scores is measured, see `DIFFERENCES`. The paper's Limitations mention
        relative differences as an alternative.
    grouping, average, documents, tie_identical, tie_human, human, exclude
        As for `correlate`; identical texts are tied at every threshold. With ``average="pairs"`` the value of all
        groups' pairs together is maximized.
    progress : function of a float, or bool, optional
        Called with the fraction done, at the end with 1; raise an exception to cancel.
        None and True show a bar on a terminal or in a notebook, after a second; False shows none.

    Returns
    -------
    Calibration

    Raises
    ------
    InputError
        For pearson and spearman, an unknown difference, and what `correlate` refuses.

    Warns
    -----
    NearTieWarning
        Where distinct scores differ by less than 1e-12 of their range.
    CalibrationWarning
        For coefficients other than acc_eq and tau_eq: the optimum may exploit their flaws, such as the NaN problem.

    References
    ----------
    Deutsch et al. (2023), section 5.1, Algorithms 1 and 2, doi:10.18653/v1/2023.emnlp-main.798.

    Examples
    --------
    >>> result = calibrate([1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3])
    >>> result.epsilon, result.value, result.value_at_zero
    (0.5, 0.7, 0.6)
    """
    scores = read_pair(data, metric, human, exclude)
    same = read_identical(data, tie_identical, scores[0].shape, human, exclude)
    with showing(progress, "calibrate") as told:
        named = read_documents(data, documents, human)
        result = calibrate_scores(*scores, coefficient, grouping, difference, told, named, average, same, tie_human)
    warn_of(result, sources_of(data, metric, human, scores))
    return result


@with_names
def transfer(
    calibration: Calibration,
    data: Human = None,
    metric: Metric = None,
    *,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    progress: Progress | bool | None = None,
) -> HeldOut:
    """Apply the threshold of one set to another: another split, year or domain.

    Parameters
    ----------
    calibration : Calibration
        Of the first set. The other set is evaluated by the same coefficient, grouping and difference.
    data, metric, human, exclude
        The other set's scores, as for `calibrate`: vectors where the first were vectors, otherwise matrices.
    progress
        As for `calibrate`.

    Returns
    -------
    HeldOut
        ``epsilon`` and ``value`` are NaN where the first set has no pair.

    Raises
    ------
    InputError
        For vectors where the calibration is of matrices or the reverse, and what `calibrate` refuses.

    Warns
    -----
    NearTieWarning
        As `calibrate`.

    Examples
    --------
    >>> from tiekit import calibrate
    >>> result = transfer(calibrate([1, 2, 2, 3], [1, 5, 8, 9]), [1, 1, 2, 3], [1, 4, 5, 7])
    >>> result.epsilon, round(result.value, 3), result.best.epsilon, round(result.loss, 3)
    (0.0, 0.833, 0.0, 0.0)
    """
    scores = read_pair(data, metric, human, exclude)
    found = transfer_scores(calibration, *scores, documents_of(data), progress)
    warn_of(found.best, sources_of(data, metric, human, scores))
    return found


@overload
def cross_validate(
    data: EvalSet,
    metric: str,
    coefficient: str = "acc_eq",
    *,
    human: str | None = None,
    exclude: Exclude = None,
    **options: Unpack[_CrossValidate],
) -> CrossValidation: ...
@overload
def cross_validate(
    data: ArrayLike, metric: ArrayLike, coefficient: str = "acc_eq", **options: Unpack[_CrossValidate]
) -> CrossValidation: ...
@overload
def cross_validate(
    *, human: ArrayLike, metric: ArrayLike, coefficient: str = "acc_eq", **options: Unpack[_CrossValidate]
) -> CrossValidation: ...
@with_names
def cross_validate(
    data: Human = None,
    metric: Metric = None,
    coefficient: str = "acc_eq",
    *,
    grouping: str | None = None,
    difference: str = "absolute",
    average: str = "groups",
    folds: int = 5,
    documents: Sequence[str] | None = None,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    rng: np.random.Generator | int | None = None,
    progress: Progress | bool | None = None,
) -> CrossValidation:
    """Find the threshold on some documents and evaluate it on the others, fold by fold.

    Parameters
    ----------
    data, metric, coefficient, grouping, difference, average, human, exclude, progress
        As for `calibrate`.
    folds : int
        Number of parts with about the same number of segments, at least 2. Each is left out in turn, and epsilon is
        found on the others.
    documents : sequence of str, optional
        One name per segment (column of a matrix, item of a vector). All segments of a document are in one fold,
        whatever the grouping; the order of systems and segments does not matter. None: the documents of the set;
        without any, every segment is a document, named by its position.
    rng : numpy Generator or int, optional
        Random-number generator or seed that assigns documents of the same size in random order; None: in the order
        of their names.

    Returns
    -------
    CrossValidation

    Raises
    ------
    InputError
        For fewer than two folds, fewer documents than folds, other than one name per segment, an invalid seed, and
        what `calibrate` refuses.

    Warns
    -----
    NearTieWarning
        As `calibrate`.

    Examples
    --------
    >>> human, metric = [[0, 0, 1, 2, 2, 2]] * 2, [[1, 2, 4, 7, 8, 8], [1, 1, 5, 7, 7, 8]]
    >>> found = cross_validate(human, metric, grouping="global", folds=2, documents=["a", "a", "b", "b", "c", "c"])
    >>> found.folds[["documents", "segments", "epsilon", "own_epsilon"]].to_numpy().tolist()
    [[2.0, 4.0, 1.0, 1.0], [1.0, 2.0, 1.0, 1.0]]
    >>> found.epsilon, found.in_sample.epsilon
    (1.0, 1.0)
    """
    scores = read_pair(data, metric, human, exclude)
    names = read_documents(data, documents, human)
    with showing(progress, "calibrate") as told:
        found = fit_folds(*scores, coefficient, grouping, difference, folds, names, rng, told, average)
    warn_of(found.in_sample, sources_of(data, metric, human, scores))
    return found


@with_names
def count_ties(
    scores: EvalSet | ArrayLike,
    *,
    grouping: str | None = None,
    where: ArrayLike | None = None,
    at: float = 0.0,
    documents: Sequence[str] | None = None,
    tie_identical: bool | ArrayLike = False,
    human: str | None = None,
    metric: str | None = None,
    exclude: Exclude = None,
) -> Ties:
    """Count tied pairs, exactly.

    Parameters
    ----------
    scores : EvalSet, or array_like of shape (n,) or (systems, segments)
        An evaluation set, or scores of people or of a metric; NaN is a missing score.
    grouping : {"global", "item", "system", "system_means", "document", "document_means"} or None
        As for `correlate`.
    where : array_like of that shape, optional
        Scores of the other side: where they are missing, a cell is left out, as in `correlate`.
    at : float
        Ties at this value are counted apart; 0 is a translation without an error in MQM.
    documents, tie_identical, human, exclude
        The document of every segment, whether identical texts are tied, and which human score of the set, without which
        of its systems; as for `correlate`.
    metric : str, optional
        A metric of the set: its ties are counted, where there is a human score.

    Returns
    -------
    Ties

    Raises
    ------
    InputError
        As for `correlate`.

    References
    ----------
    Deutsch et al. (2023), Tables 3, 4 and 9, doi:10.18653/v1/2023.emnlp-main.798.

    Examples
    --------
    >>> count_ties([0, 0, 0, -1, -5, -5])
    Ties(n_scores=6, n_groups=1, n_pairs=15, n_tied=4, n_tied_at=3, at=0.0)
    """
    data, named = scores, read_documents(scores, documents)
    if isinstance(scores, EvalSet):
        gold, given = read_metrics(scores, metric or (), human, exclude)
        scores, where = next(iter(given.values()), gold), gold if where is None else where
    elif human is not None or metric is not None or exclude is not None:
        raise InputError("scores: human=, metric= and exclude= name scores and systems of an EvalSet, found an array")
    labels = read_identical(data, tie_identical, np.shape(scores), human, exclude)
    return core.count_ties(scores, grouping=grouping, where=where, at=at, documents=named, identical=labels)


def correlate_untied(
    data: Human = None,
    metric: Metric = None,
    coefficient: str = "tau_10",
    *,
    rng: np.random.Generator | int | None = None,
    repeats: int = 20,
    grouping: str | None = None,
    undefined: str = "drop",
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    progress: Progress | bool | None = None,
) -> FloatArray:
    """Measure how well a metric agrees once `break_ties` has ordered its equal scores: a value for each of ``repeats``.

    Seed and orders follow one after the other; grouping and ``undefined`` are as for `correlate`, but not system means,
    as places have no mean that means anything. tau_10, tau_13 and tau_14 are one without ties; on average they are the
    tau_14 of the tied scores, as a broken tie is right half of the time (Deutsch et al. 2023, section 6.1).

    >>> human, tied = [1, 2, 3, 4], [0, 0, 0, 1]
    >>> correlate(human, tied, "tau_10").value, correlate_untied(human, tied, rng=0, repeats=1000).mean().round(1)
    (0.0, np.float64(0.5))
    """
    h, m = read_pair(data, metric, human, exclude)
    measure, generator = _plain_measure(coefficient, grouping, h.ndim), as_generator(rng)
    entry, by = measure.coefficient, "global" if measure.grouping == "vector" else measure.grouping
    check_policy(undefined)
    if entry.formula is None:
        raise InputError(f"coefficient: must be one of counts, as places have no distances, found {entry.name!r}")
    repeats = check_count("repeats", repeats)
    if by == "system_means":
        raise InputError("grouping: places have no mean that means anything, so it cannot be 'system_means'")
    steps: tuple[Callable[[Any], Any], ...] = (
        lambda scores: break_ties(scores, generator),
        lambda untied: group_checked(h, untied, by),
        lambda grouped: values_per_group(grouped, entry),
    )
    values = []
    with showing(progress, "break ties") as told:
        for number in range(repeats):
            found: Any = m
            for step in with_progress(steps, part_of(told, number, repeats)):
                found = step(found)
            values.append(average_of(found, undefined))
    return np.array(values)


def bucket_curve(
    data: Human,
    metric: Metric,
    ks: Sequence[int],
    coefficients: str | Sequence[str] = ("tau_b", "acc_eq"),
    *,
    grouping: str | None = None,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
    progress: Progress | bool | None = None,
) -> pd.DataFrame:
    """Compute coefficients of a metric in k equal-width buckets, and count the groups that stay defined.

    The frame has one row per k of ``ks``, one column per coefficient, and ``groups(...)``, the groups on which it is
    defined; see Figure 3 of Deutsch et al. (2023).

    >>> human, metric = [[1, 1], [2, 3], [3, 2]], [[1, 4], [2, 5], [3, 9]]
    >>> bucket_curve(human, metric, [2, 8]).round(2)
       tau_b  acc_eq  groups(tau_b)  groups(acc_eq)
    k
    2   0.82    0.33              1               2
    8   0.67    0.83              2               2
    """
    h, m = read_pair(data, metric, human, exclude)
    names = split_names(coefficients, "coefficients")
    measures = [_plain_measure(name, grouping, h.ndim, "coefficients") for name in names]
    if len({measure.grouping for measure in measures}) > 1:
        raise InputError(f"coefficients: must be of one grouping, found {', '.join(names)}")
    entries = [measure.coefficient for measure in measures]
    by = None if not measures or measures[0].grouping == "vector" else measures[0].grouping
    rows = []
    with showing(progress, "evaluate") as told:
        for number, k in enumerate(ks):
            part = part_of(told, number, len(ks))
            grouped = group_checked(h, to_buckets(m, k), by if measures else grouping)
            tell(part, 0.0)
            values = {entry.name: values_per_group(grouped, entry) for entry in with_progress(entries, part)}
            row = {name: average_of(found, "drop") for name, found in values.items()}
            rows.append(row | {f"groups({name})": int((~np.isnan(found)).sum()) for name, found in values.items()})
    import pandas as pd

    return pd.DataFrame(rows, index=pd.Index(ks, name="k"))


def reasons_per_group(
    data: Human = None,
    metric: Metric = None,
    *,
    grouping: str | None = None,
    documents: Sequence[str] | None = None,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
) -> list[str]:
    """Say of every group what makes coefficients undefined, as `why_undefined`; empty where nothing does.

    Groups are in the order of `Correlation.per_group`. Which coefficients a reason concerns depends on their formula:
    tau_10 is defined where only the metric's scores tie.

    >>> reasons_per_group([[1, 2, 3], [1, 3, 5]], [[4, 4, 5], [6, 4, 7]])
    ['all human scores tie', 'all metric scores tie', '']
    """
    h, m = read_pair(data, metric, human, exclude)
    grouped = group_checked(h, m, grouping, read_documents(data, documents, human))
    reasons = [why_undefined(PairCounts(0, 0, 0, 0, 0, 0, 0))] * grouped.n_possible
    counts = count_sorted(grouped.scores, 0.0)
    there = (counts[:, :4] > 0) @ np.array([1, 2, 4, 8])  # a reason depends on which kinds of pairs there are
    _, first, kind = np.unique(there, return_index=True, return_inverse=True)
    texts = [why_undefined(PairCounts(*counts[one].tolist())) for one in first]
    for place, number in zip(grouped.index.tolist(), kind.ravel().tolist(), strict=True):
        reasons[place] = texts[number]
    return reasons


def _plain_measure(coefficient: str, grouping: str | None, n_dimensions: int, argument: str = "coefficient") -> Measure:
    """A measure with values per group and without a star: ties are changed here, not found again."""
    measure = get_measure(coefficient, grouping, n_dimensions)
    if measure.calibrated or not measure.coefficient.by_group:
        raise InputError(f"{argument}: must be a coefficient of groups without a star, found {coefficient!r}")
    return measure
