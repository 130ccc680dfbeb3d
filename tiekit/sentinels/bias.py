"""How far does a spurious signal get? Probes: metrics that have too little information to judge a translation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Integral
from typing import ClassVar, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from tiekit.base.errors import InputError
from tiekit.base.names import as_names, find_name
from tiekit.base.parallel import Progress, beat, beating, part_of, showing, with_progress
from tiekit.base.results import Result
from tiekit.base.validation import FloatArray, align_all, as_generator, as_scores
from tiekit.core.grouping import row_means
from tiekit.core.measure import get_measure
from tiekit.measures.evaluate import value_of
from tiekit.readers.add_metric import with_matrices
from tiekit.sets.arguments import Exclude, ask_selection, check_set, gold_of, metric_names, read_documents, with_names
from tiekit.sets.evalset import EvalSet

MEAN_DIGITS = 11
"""Segment means, divided by the largest one, are rounded to this number of decimals, so that equal ones are equal."""


class Given(NamedTuple):
    """All that a probe may use, scores of the shape (systems, segments); each uses a part of it."""

    evalset: EvalSet
    human: FloatArray
    rng: np.random.Generator


@dataclass(frozen=True, repr=False)
class Probe(Result):
    """A metric without a model that has too little information to judge a translation.

    Attributes
    ----------
    name : str
        Its name, also as a metric of a set.
    knows : str
        All the information that it uses.
    leaks : bool
        Whether it uses the human scores that it is evaluated with, which no real metric may do.
    meaning : str
        One sentence: what the score is.
    make : function
        Makes the scores; None where the set lacks the lengths that it needs.
    """

    _number: ClassVar[str | None] = None

    name: str
    knows: str
    leaks: bool
    meaning: str
    make: Callable[[Given], FloatArray | None] = field(repr=False)


def _source_length(given: Given) -> FloatArray | None:
    known = given.evalset.lengths.sources
    return np.tile(-np.array(known, np.float64), (len(given.human), 1)) if known else None


def _candidate_length(given: Given) -> FloatArray | None:
    evalset = given.evalset
    return -lengths(evalset) if evalset.lengths.outputs else None


def _segment_mean(given: Given) -> FloatArray:
    mean = row_means(given.human.T, ~np.isnan(given.human.T))
    largest = np.abs(mean[~np.isnan(mean)]).max(initial=0.0) or 1.0
    rounded = np.round(mean / largest, MEAN_DIGITS) * largest  # equal means may differ by rounding
    return np.tile(rounded, (len(given.human), 1))


_MEAN = "The mean human score of the segment's translations: it leaks the gold, and shows how far it gets a metric "
_MEAN += "to know only how hard each segment is."

_LONG = "Longer translations get lower scores: they may have more errors."
_RANDOM, _SAME = "A random number for each translation.", "The same score for every translation."

_ENTRIES = (
    Probe("source length", "source", False, "Longer sources get lower scores: they are harder.", _source_length),
    Probe("candidate length", "translation", False, _LONG, _candidate_length),
    Probe("segment mean", "human scores", True, _MEAN, _segment_mean),
    Probe("random", "nothing", False, _RANDOM, lambda given: given.rng.random(given.human.shape)),
    Probe("constant", "nothing", False, _SAME, lambda given: np.zeros(given.human.shape)),
)

PROBES: dict[str, Probe] = {probe.name: probe for probe in _ENTRIES}
"""Every probe by name."""


def lengths(evalset: EvalSet) -> FloatArray:
    """Return the number of characters of every translation, NaN where unknown; shape (systems, segments)."""
    return evalset.lengths.of_outputs(evalset.systems, len(evalset.segments))


def probes(
    data: EvalSet,
    *,
    names: str | Iterable[str] | None = None,
    human: str | None = None,
    exclude: Exclude = None,
    rng: np.random.Generator | int | None = None,
) -> dict[str, FloatArray]:
    """Score the translations of a set with metrics that have too little information about them.

    Parameters
    ----------
    data : EvalSet
        An evaluation set.
    names : str or iterable of str, optional
        Names of `PROBES`; None is every probe for which the set has the lengths, see `EvalSet`.
    human, exclude
        Which human score of the set "segment mean" uses, without which of its systems; as for `correlate`.
    rng : numpy Generator or int, optional
        Random-number generator or seed of "random"; None is seed 0.

    Returns
    -------
    dict of str to ndarray, shape (systems, segments)
        Scores of all systems of the set; higher is better. Scores are missing only where the length of a translation
        is unknown, or where a segment has no human score ("segment mean").

    Raises
    ------
    InputError
        For an unknown human score, probe or system, and a length that is asked for by name but unknown.

    References
    ----------
    After Perrella et al. (2024), section 3.2, who train such metrics, doi:10.18653/v1/2024.acl-long.856.

    Examples
    --------
    >>> data = EvalSet("toy", "", ("A", "B"), ("1", "2"), {"human": [[1, 2], [3, 2]]}, {}, sources=("one", "two of"))
    >>> found = probes(data)
    >>> list(found), found["source length"].tolist(), found["segment mean"].tolist()
    (['source length', 'segment mean', 'random', 'constant'], [[-3.0, -6.0], [-3.0, -6.0]], [[2.0, 2.0], [2.0, 2.0]])
    """
    scores = check_set(data).human[gold_of(data, human)]
    kept = set(data.select(exclude=exclude).systems)
    seen = np.array([name in kept for name in data.systems])
    given = Given(data, np.where(seen[:, None], scores, np.nan), as_generator(rng))
    found: dict[str, FloatArray] = {}
    for asked in PROBES if names is None else as_names(names):
        name = find_name("names", asked, PROBES)
        made = PROBES[name].make(given)
        if made is not None:
            found[name] = made
        elif names is not None:
            raise InputError(f"names: {name!r} needs the length of each {PROBES[name].knows}, which the set lacks")
    return found


def with_probes(
    data: EvalSet,
    *,
    names: str | Iterable[str] | None = None,
    human: str | None = None,
    exclude: Exclude = None,
    rng: np.random.Generator | int | None = None,
) -> EvalSet:
    """Add probes to the metrics of a set, so that `leaderboard` ranks them; parameters and errors as for `probes`.

    Examples
    --------
    >>> data = EvalSet("toy", "", ("A", "B"), ("1", "2"), {"human": [[1, 2], [3, 2]]}, {"m": [[1, 2], [2, 1]]})
    >>> list(with_probes(data, names=["constant"]).metrics)
    ['m', 'constant']
    """
    return with_matrices(data, probes(data, names=names, human=human, exclude=exclude, rng=rng))


def metric_correlations(
    data: EvalSet | Mapping[str, ArrayLike],
    metrics: str | Iterable[str] | None = None,
    coefficient: str = "pearson",
    *,
    grouping: str | None = None,
    documents: Sequence[str] | None = None,
    exclude: Exclude = None,
    progress: Progress | bool | None = None,
) -> pd.DataFrame:
    """Correlate metrics with each other, to see how similar they are.

    Parameters
    ----------
    data : EvalSet, or mapping of str to array_like of one shape, (n,) or (systems, segments)
        An evaluation set, or scores by name; probes and human scores may be among them. For each two metrics, cells
        that one of them lacks are left out.
    metrics : str or iterable of str, optional
        Names of some of them; None is all.
    coefficient, grouping, documents
        As for `correlate`; ``"acc_eq*"`` calibrates the metric of the column.
    exclude, progress
        As for `leaderboard`.

    Returns
    -------
    pandas.DataFrame
        One row per metric, which takes the place of the human score, and one column per metric. NaN where no group is
        defined, as for a constant metric.

    Raises
    ------
    InputError
        For no metric, scores of different shapes, and what `correlate` refuses.

    References
    ----------
    Perrella et al. (2024), Appendix D, doi:10.18653/v1/2024.acl-long.856.

    Examples
    --------
    >>> metric_correlations({"a": [1, 2, 3], "b": [2, 4, 6], "c": [3, 2, 1]}).round(2)
         a    b    c
    a  1.0  1.0 -1.0
    b  1.0  1.0 -1.0
    c -1.0 -1.0  1.0
    """
    names, scores = _read_alike(data, metrics, exclude)
    named = read_documents(data if isinstance(data, EvalSet) else data[names[0]], documents)
    measure = get_measure(coefficient, grouping, scores[0].ndim, documents=named is not None)
    symmetric = measure.coefficient.symmetric and not measure.calibrated
    cells = [(i, j) for i in range(len(names)) for j in range(i if symmetric else 0, len(names))]
    values = np.full((len(names), len(names)), np.nan)
    with showing(progress, "correlate") as told:
        for place, (i, j) in enumerate(with_progress(cells, told)):
            values[i, j] = value_of(scores[i], scores[j], measure, named, part_of(told, place, len(cells)))
            if symmetric:
                values[j, i] = values[i, j]
    return pd.DataFrame(values, index=pd.Index(names), columns=pd.Index(names))


def _read_alike(
    data: EvalSet | Mapping[str, ArrayLike], metrics: str | Iterable[str] | None, exclude: Exclude
) -> tuple[list[str], list[FloatArray]]:
    """Names and scores of one shape."""
    if isinstance(data, EvalSet):
        chosen, names = data.select(exclude=exclude).metrics, metric_names(data, metrics)
        scores = [chosen[name] for name in names]
    elif isinstance(data, Mapping):
        if exclude is not None:
            raise InputError("exclude: names systems of an EvalSet, but the scores are arrays: leave rows out of them")
        names = list(data)
        if metrics is not None:
            names = [find_name("metrics", name, data) for name in as_names(metrics, "metrics")]
        ask_selection(data)
        alike = align_all("data", {name: data[name] for name in names})
        scores = [as_scores(f"data[{name!r}]", alike[name]) for name in names]
    else:
        raise InputError(f"data: must be an EvalSet or a mapping of names to scores, found {type(data).__name__}")
    if not names:
        raise InputError("metrics: there is none to compare")
    first = scores[0]
    if first.ndim not in (1, 2):
        raise InputError(f"data[{names[0]!r}]: must be a vector or a matrix, found {first.ndim} dimensions")
    for name in (name for name, other in zip(names, scores, strict=True) if other.shape != first.shape):
        expected = f"the shape of data[{names[0]!r}], {first.shape}"
        raise InputError(f"data[{name!r}]: must have {expected}, found {scores[names.index(name)].shape}")
    return names, scores


@dataclass(frozen=True, eq=False, repr=False)
class LengthBias(Result):
    """Human scores and scores of a metric against the length of translations.

    Attributes
    ----------
    points : pandas.DataFrame
        One row per translation with both scores: ``system``, ``segment``, ``length`` in characters, ``human``,
        ``metric``.
    lines : pandas.DataFrame
        Least-squares lines, rows ``human`` and ``metric``: ``slope`` per character, ``intercept``, and ``r``, Pearson's
        correlation of length and score. NaN where all lengths are equal; r also where all scores are equal.
    perfect : pandas.DataFrame
        One row per range of lengths, with about as many translations each: ``shortest``, ``longest``, ``n``, and the
        shares of these translations that are perfect for the ``human`` and for the ``metric``.
    human_from, metric_from : float
        The lowest score of a perfect translation.
    """

    _number: ClassVar[str | None] = None

    points: pd.DataFrame = field(repr=False)
    lines: pd.DataFrame
    perfect: pd.DataFrame
    human_from: float
    metric_from: float


@with_names
def length_bias(
    data: EvalSet,
    metric: str,
    *,
    bins: int = 8,
    human_from: float | None = None,
    metric_from: float | None = None,
    human: str | None = None,
    exclude: Exclude = None,
    progress: Progress | bool | None = None,
) -> LengthBias:
    """Measure whether a metric penalizes long translations more than people do.

    Parameters
    ----------
    data : EvalSet
        An evaluation set with the systems' texts, or their lengths.
    metric : str
        The name of a metric of the set.
    bins : int
        Number of ranges of length, at least 1, with about as many translations each; fewer where many translations
        have the same length.
    human_from, metric_from : float, optional
        The lowest score of a perfect translation. None: the highest human score that was given; such a metric score
        that as many translations are perfect as for the human, or more where metric scores tie.
    human, exclude
        Which human score of the set, without which of its systems; as for `correlate`.
    progress
        As for `leaderboard`.

    Returns
    -------
    LengthBias
        Scores by length, their least-squares lines, and the shares of perfect translations by length.

    Raises
    ------
    InputError
        For unknown names, a set without lengths, no translation with both scores, bins below 1.

    References
    ----------
    Perrella et al. (2024), section 3.4.1, Figure 1 and Appendix E, doi:10.18653/v1/2024.acl-long.856.

    Examples
    --------
    >>> texts = {"A": ("ab", "abcd"), "B": ("abc", "abcdefgh")}
    >>> scores = {"h": [[0, 0], [0, -5]]}, {"m": [[9, 7], [8, 3]]}
    >>> data = EvalSet("toy", "", ("A", "B"), ("1", "2"), *scores, outputs=texts)
    >>> found = length_bias(data, "m", bins=2)
    >>> found.perfect
       shortest  longest  n  human  metric
    0         2        3  2    1.0     1.0
    1         4        8  2    0.5     0.5
    >>> found.lines["slope"].tolist()
    [-0.903..., -1.0]
    """
    chosen = check_set(data).select(exclude=exclude)
    name = find_name("metric", metric, data.metrics)
    gold = chosen.human[gold_of(chosen, human)]
    if not isinstance(bins, Integral) or isinstance(bins, bool) or bins < 1:
        raise InputError(f"bins: must be a whole number of at least 1, found {bins!r}")
    scores = {"human": gold, "metric": chosen.metrics[name]}
    with showing(progress, "measure") as told:
        with beating(told):
            found = _measure_lengths(chosen, scores, int(bins), human_from, metric_from)
        if told is not None:
            told(1.0)
        return found


def _measure_lengths(
    chosen: EvalSet, scores: dict[str, FloatArray], bins: int, human_from: float | None, metric_from: float | None
) -> LengthBias:
    """Measure on checked arguments; heard between its steps."""
    sides = {"length": lengths(chosen), **scores}
    rows, columns = np.nonzero(~np.any([np.isnan(side) for side in sides.values()], axis=0))
    if not rows.size:
        raise InputError("data: no translation has a length, a human score and a score of the metric")
    points = pd.DataFrame(
        {"system": np.array(chosen.systems, object)[rows], "segment": np.array(chosen.segments, object)[columns]}
        | {"length": sides["length"][rows, columns].astype(np.int64)}
        | {side: sides[side][rows, columns] for side in ("human", "metric")},
        copy=False,
    )
    del sides, rows, columns
    beat()
    lowest_human = float(points["human"].max()) if human_from is None else float(human_from)
    n_perfect = max(1, int((points["human"] >= lowest_human).sum()))
    lowest = float(np.sort(points["metric"])[-n_perfect]) if metric_from is None else float(metric_from)
    beat()
    return LengthBias(points, _lines(points), _perfect(points, bins, lowest_human, lowest), lowest_human, lowest)


def _lines(points: pd.DataFrame) -> pd.DataFrame:
    """Fit the least-squares lines of both scores against length."""
    sides, scores = ["human", "metric"], points[["length", "human", "metric"]].astype(np.float64)
    beat()
    mean = scores.mean()
    beat()
    apart = scores - mean
    del scores
    sums = apart.T @ apart
    beat()
    across, both = sums.loc["length", "length"], sums.loc[sides, "length"]
    r: pd.Series = (both / np.sqrt(across * np.diag(sums)[1:])).where(points[sides].max() > points[sides].min())
    slope = both / across
    return pd.DataFrame({"slope": slope, "intercept": mean[sides] - slope * mean["length"], "r": r})


def _perfect(points: pd.DataFrame, bins: int, human_from: float, metric_from: float) -> pd.DataFrame:
    """Shares of perfect translations by range of length; equal lengths are in one row."""
    length = points["length"].to_numpy()
    ordered = np.sort(length)
    edges = np.unique(ordered[np.arange(1, bins) * ordered.size // bins])  # each the shortest of the next row
    beat()
    where = np.searchsorted(edges, length, "right")
    beat()
    sizes = np.bincount(where, minlength=edges.size + 1)
    ends = np.cumsum(sizes)
    with np.errstate(invalid="ignore"):  # a row without a translation is left out
        shares = [
            np.bincount(where, points[side] >= lowest, edges.size + 1) / sizes
            for side, lowest in (("human", human_from), ("metric", metric_from))
        ]
    found = sizes > 0
    rows = {"shortest": ordered[(ends - sizes)[found]], "longest": ordered[ends[found] - 1], "n": sizes[found]}
    return pd.DataFrame(rows | {"human": shares[0][found], "metric": shares[1][found]})
