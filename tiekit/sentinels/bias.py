"""Which signals do metrics use? Their correlations with each other, and with the length of translations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Integral
from typing import ClassVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from tiekit.arguments import Exclude, ask_selection, gold_of, metric_names, read_documents
from tiekit.by_label import all_aligned
from tiekit.calibration.exact import best_epsilon
from tiekit.coefficients.coefficient import OfMatrix
from tiekit.coefficients.measure import Measure, get_measure
from tiekit.coefficients.per_group import average, values_per_group
from tiekit.counting.grouping import group
from tiekit.counting.pairs import count_within
from tiekit.errors import InputError
from tiekit.evalset import EvalSet
from tiekit.names import as_names, find_name
from tiekit.progress import Progress, showing
from tiekit.result import Result
from tiekit.scores import FloatArray, as_scores
from tiekit.sentinels.probe_metrics import check_set, lengths


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
    exclude : str or iterable of str, optional
        Systems of the set to leave out; as for `correlate`.
    progress : function of a float, or bool, optional
        Called with the fraction done; raise an exception to cancel.
        None and True show a bar on a terminal or in a notebook, after a second; False shows none.

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
        for number, (i, j) in enumerate(cells):
            values[i, j] = _correlation(measure, scores[i], scores[j], named)
            if symmetric:
                values[j, i] = values[i, j]
            if told is not None:
                told((number + 1) / len(cells))
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
        names = (
            list(data)
            if metrics is None
            else [find_name("metrics", name, data) for name in as_names(metrics, "metrics")]
        )
        ask_selection(data)
        alike = all_aligned("data", {name: data[name] for name in names})
        scores = [as_scores(f"data[{name!r}]", alike[name]) for name in names]
    else:
        raise InputError(f"data: must be an EvalSet or a mapping of names to scores, found {type(data).__name__}")
    if not names:
        raise InputError("metrics: there is none to compare")
    first = scores[0]
    if first.ndim not in (1, 2):
        raise InputError(f"data[{names[0]!r}]: must be a vector or a matrix, found {first.ndim} dimensions")
    for name, other in zip(names, scores, strict=True):
        if other.shape != first.shape:
            expected = f"the shape of data[{names[0]!r}], {first.shape}"
            raise InputError(f"data[{name!r}]: must have {expected}, found {other.shape}")
    return names, scores


def _correlation(measure: Measure, human: FloatArray, metric: FloatArray, documents: Sequence[str] | None) -> float:
    """The value of a measure, without a warning."""
    entry, by = measure.coefficient, None if measure.grouping == "vector" else measure.grouping
    if isinstance(entry, OfMatrix):
        return entry.evaluate(np.atleast_2d(human), np.atleast_2d(metric), by or "global")
    grouped = group(human, metric, by, documents)
    epsilon = best_epsilon(grouped, entry, count_within(grouped.scores, 0.0)) if measure.calibrated else 0.0
    return average(values_per_group(grouped, entry, epsilon), "drop")


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


def length_bias(
    data: EvalSet,
    metric: str,
    *,
    bins: int = 8,
    human_from: float | None = None,
    metric_from: float | None = None,
    human: str | None = None,
    exclude: Exclude = None,
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
    human_from : float, optional
        The lowest human score of a perfect translation; None: the highest score that was given.
    metric_from : float, optional
        The lowest metric score of a perfect translation; None: such that as many translations are perfect for the
        metric as for the human, or more where metric scores tie.
    human, exclude
        Which human score of the set, without which of its systems; as for `correlate`.

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
    sides = {"length": lengths(chosen), "human": gold, "metric": chosen.metrics[name]}
    rows, columns = np.nonzero(~np.any([np.isnan(side) for side in sides.values()], axis=0))
    if not rows.size:
        raise InputError("data: no translation has a length, a human score and a score of the metric")
    points = pd.DataFrame(
        {"system": np.array(chosen.systems)[rows], "segment": np.array(chosen.segments)[columns]}
        | {column: side[rows, columns] for column, side in sides.items()}
    ).astype({"length": np.int64})
    lowest_human = float(points["human"].max()) if human_from is None else float(human_from)
    n_perfect = max(1, int((points["human"] >= lowest_human).sum()))
    lowest = float(np.sort(points["metric"])[-n_perfect]) if metric_from is None else float(metric_from)
    return LengthBias(points, _lines(points), _perfect(points, bins, lowest_human, lowest), lowest_human, lowest)


def _lines(points: pd.DataFrame) -> pd.DataFrame:
    """Fit the least-squares lines of both scores against length."""
    length = points["length"].to_numpy(np.float64)
    rows = {}
    for side in ("human", "metric"):
        scores = points[side].to_numpy(np.float64)
        x, y = length - length.mean(), scores - scores.mean()
        across, up, both = float(x @ x), float(y @ y), float(x @ y)
        slope = both / across if across else float("nan")
        r = both / np.sqrt(across * up) if across and np.ptp(scores) else float("nan")
        rows[side] = {"slope": slope, "intercept": float(scores.mean()) - slope * float(length.mean()), "r": float(r)}
    return pd.DataFrame.from_dict(rows, orient="index")


def _perfect(points: pd.DataFrame, bins: int, human_from: float, metric_from: float) -> pd.DataFrame:
    """Shares of perfect translations by range of length; equal lengths are in one row."""
    ordered = np.sort(points["length"].to_numpy())
    edges = np.unique(ordered[np.arange(1, bins) * ordered.size // bins])  # each the shortest of the next row
    where = np.searchsorted(edges, points["length"].to_numpy(), "right")
    marked = points.assign(human=points["human"] >= human_from, metric=points["metric"] >= metric_from, where=where)
    rows = marked.groupby("where").agg(
        shortest=("length", "min"),
        longest=("length", "max"),
        n=("length", "size"),
        human=("human", "mean"),
        metric=("metric", "mean"),
    )
    return rows.reset_index(drop=True)
