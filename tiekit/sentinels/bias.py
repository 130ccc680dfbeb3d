"""What does a metric go by? How alike metrics are, and what the length of a translation does to their scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from numbers import Integral

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from tiekit.coefficients.per_group import average, values_per_group
from tiekit.coefficients.registry import get_coefficient
from tiekit.counting.grouping import group
from tiekit.errors import InputError
from tiekit.evalset import EvalSet
from tiekit.progress import Progress
from tiekit.scores import as_scores, check_pair
from tiekit.sentinels.probe_metrics import human_scores, lengths


def metric_correlations(
    metrics: Mapping[str, ArrayLike],
    coefficient: str = "pearson",
    *,
    grouping: str | None = "global",
    progress: Progress | None = None,
) -> pd.DataFrame:
    """How alike are metrics? Each is judged by each.

    Parameters
    ----------
    metrics : mapping of str to array_like, shape (systems, segments) or (n,)
        Probes may be among them; cells that one of two lacks are left out.
    coefficient, grouping
        As for `correlate`; vectors need the grouping None.
    progress : function of a float, optional
        Hears which share is done; what it raises stops the work.

    Returns
    -------
    pandas.DataFrame
        A row a metric in the place of the human, a column a metric. NaN where no group is defined, as for a constant.

    Raises
    ------
    InputError
        For no metric, and what `correlate` refuses.

    References
    ----------
    Perrella et al. (2024), Appendix D, doi:10.18653/v1/2024.acl-long.856.

    Examples
    --------
    >>> metric_correlations({"a": [1, 2, 3], "b": [2, 4, 6], "c": [3, 2, 1]}, grouping=None).round(2)
         a    b    c
    a  1.0  1.0 -1.0
    b  1.0  1.0 -1.0
    c -1.0 -1.0  1.0
    """
    entry, names = get_coefficient(coefficient), list(metrics)
    if not names:
        raise InputError("metrics: there is none to compare")
    scores = [as_scores(f"metrics[{name!r}]", metrics[name]) for name in names]
    cells = [(i, j) for i in range(len(names)) for j in range(i if entry.symmetric else 0, len(names))]
    values = np.full((len(names), len(names)), np.nan)
    for number, (i, j) in enumerate(cells):
        values[i, j] = average(values_per_group(group(*check_pair(scores[i], scores[j]), grouping), entry), "drop")
        if entry.symmetric:
            values[j, i] = values[i, j]
        if progress is not None:
            progress((number + 1) / len(cells))
    return pd.DataFrame(values, index=pd.Index(names), columns=pd.Index(names))


@dataclass(frozen=True, eq=False)
class LengthBias:
    """Scores of people and of a metric against the length of translations.

    Attributes
    ----------
    points : pandas.DataFrame
        A row a translation with both scores: ``system``, ``segment``, ``length`` in characters, ``human``, ``metric``.
    lines : pandas.DataFrame
        Least-squares lines, rows ``human`` and ``metric``: ``slope`` a character, ``intercept``, ``r`` (Pearson's,
        of length and score). NaN where all lengths are equal; r too where all scores are.
    perfect : pandas.DataFrame
        A row for as many translations each, by length: ``shortest``, ``longest``, ``n``, and of those the shares
        that are perfect for the ``human`` and for the ``metric``.
    human_from, metric_from : float
        From which score on a translation is called perfect.
    """

    points: pd.DataFrame
    lines: pd.DataFrame
    perfect: pd.DataFrame
    human_from: float
    metric_from: float


def length_bias(
    evalset: EvalSet,
    human: str | None,
    metric: str,
    *,
    bins: int = 8,
    human_from: float | None = None,
    metric_from: float | None = None,
    exclude: str | Iterable[str] | None = None,
) -> LengthBias:
    """Does a metric punish length? Scores against the length of translations, and perfect scores at each length.

    Parameters
    ----------
    evalset : EvalSet
        With the systems' texts.
    human : str or None
        Name of a human score; None is the set's gold score, or its only one.
    metric : str
        Name of a metric.
    bins : int
        Ranges of length with about as many translations each; fewer where many have one length.
    human_from : float, optional
        From which score on a translation is called perfect; None: the highest one that was given.
    metric_from : float, optional
        The same for the metric; None: such that it calls as many perfect as the human, or more where scores tie.
    exclude : str or iterable of str, optional
        As for `EvalSet.select`.

    Returns
    -------
    LengthBias

    Raises
    ------
    InputError
        For unknown names, a set without texts, no translation with both scores, bins below 1.

    References
    ----------
    Perrella et al. (2024), section 3.4.1, Figure 1 and Appendix E, doi:10.18653/v1/2024.acl-long.856.

    Examples
    --------
    >>> texts = {"A": ("ab", "abcd"), "B": ("abc", "abcdefgh")}
    >>> scores = {"h": [[0, 0], [0, -5]]}, {"m": [[9, 7], [8, 3]]}
    >>> data = EvalSet("toy", "", ("A", "B"), ("1", "2"), *scores, outputs=texts)
    >>> found = length_bias(data, "h", "m", bins=2)
    >>> found.perfect
       shortest  longest  n  human  metric
    0         2        3  2    1.0     1.0
    1         4        8  2    0.5     0.5
    >>> found.lines["slope"].tolist()
    [-0.903..., -1.0]
    """
    chosen = evalset.select(exclude=exclude)
    if metric not in chosen.metrics:
        raise InputError(f"metric: must be among {', '.join(chosen.metrics)}, found {metric!r}")
    if not isinstance(bins, Integral) or isinstance(bins, bool) or bins < 1:
        raise InputError(f"bins: must be a whole number of at least 1, found {bins!r}")
    sides = {"length": lengths(chosen), "human": human_scores(chosen, human), "metric": chosen.metrics[metric]}
    rows, columns = np.nonzero(~np.any([np.isnan(side) for side in sides.values()], axis=0))
    if not rows.size:
        raise InputError("evalset: no translation has a text, a human score and a score of the metric")
    points = pd.DataFrame(
        {"system": np.array(chosen.systems)[rows], "segment": np.array(chosen.segments)[columns]}
        | {name: side[rows, columns] for name, side in sides.items()}
    ).astype({"length": np.int64})
    lowest_human = float(points["human"].max()) if human_from is None else float(human_from)
    n_perfect = max(1, int((points["human"] >= lowest_human).sum()))
    lowest = float(np.sort(points["metric"])[-n_perfect]) if metric_from is None else float(metric_from)
    return LengthBias(points, _lines(points), _perfect(points, bins, lowest_human, lowest), lowest_human, lowest)


def _lines(points: pd.DataFrame) -> pd.DataFrame:
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
    """Equal lengths stay in one row."""
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
