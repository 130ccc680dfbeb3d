"""What ties do to a coefficient: scores in fewer values, scores without ties, noise that keeps their order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tiekit.base.errors import InputError
from tiekit.base.names import as_names
from tiekit.base.parallel import Progress, showing
from tiekit.base.validation import FloatArray, as_generator, check_count, check_probability
from tiekit.core.coefficients import average, check_policy, values_per_group
from tiekit.core.grouping import group_checked
from tiekit.core.measure import Measure, get_measure
from tiekit.core.ties import break_ties, to_buckets

if TYPE_CHECKING:
    import pandas as pd


def add_noise(scores: FloatArray, deviation: float, rng: np.random.Generator) -> tuple[FloatArray, float]:
    """Perturb checked scores, without a warning; also return the smallest step between two different scores."""
    values, scored = scores.copy(), ~np.isnan(scores)
    levels, level = np.unique(values[scored], return_inverse=True)
    with np.errstate(over="ignore"):
        step = float(np.diff(levels).min(initial=np.inf))
    noise = deviation * _truncated_normal(values.shape, step / 2 / deviation, rng)
    low, high = _between_levels(levels)
    with np.errstate(over="ignore"):
        values[scored] = np.clip(values[scored] + noise[scored], low[level], high[level])
    return values, step


def _truncated_normal(shape: tuple[int, ...], bound: float, rng: np.random.Generator) -> FloatArray:
    """Draw from the standard normal distribution within a bound, by its inverse distribution function."""
    from scipy.special import ndtr, ndtri  # loading it takes .2 s

    tail = float(ndtr(-bound))
    drawn = np.asarray(ndtri(tail + (1 - 2 * tail) * rng.random(shape)), np.float64)
    return np.clip(drawn, -bound, bound)


def _between_levels(levels: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The smallest and largest value of each level: strictly between the midpoints to its neighbors."""
    if not levels.size:
        return levels, levels
    below, above = levels[:-1], levels[1:]
    middle = np.clip(below / 2 + above / 2, below, above)
    largest = np.finfo(np.float64).max
    low = np.concatenate(([-largest], np.minimum(above, np.nextafter(middle, np.inf))))
    high = np.concatenate((np.maximum(below, np.nextafter(middle, -np.inf)), [largest]))
    return low, high


def chance_level(human_tied: float, metric_tied: float | None = None) -> float:
    """Return the acc_eq that is expected of a metric that knows nothing of the human scores.

    Parameters
    ----------
    human_tied : float
        The share of pairs that the human ties, from 0 to 1. Where acc_eq is a mean over groups: the mean of the groups'
        shares, which is what a constant metric gets.
    metric_tied : float or None
        The share of pairs that the metric ties, from 0 to 1; where groups differ in size, the same in each. None: what
        is best, as calibration chooses it.

    Returns
    -------
    float
        ``h·t + (1 - h)(1 - t)/2``: of the pairs that the human ties the metric ties t, and of the others it orders half
        of the 1 - t that it does not tie. It is linear in t, so the best is ``max(h, (1 - h)/2)``: to tie all or none.
        It is the mean over all orders of the metric's scores; an epsilon that is found on the same scores gives
        a little more.

    Raises
    ------
    InputError
        For a number outside 0 to 1.

    References
    ----------
    acc_eq: Deutsch et al. (2023), doi:10.18653/v1/2023.emnlp-main.798.

    Examples
    --------
    >>> round(chance_level(0.42, 0.0), 3), chance_level(0.42), chance_level(0.1)
    (0.29, 0.42, 0.45)
    """
    h = check_probability("human_tied", human_tied)
    if metric_tied is None:
        return max(h, (1 - h) / 2)
    t = check_probability("metric_tied", metric_tied)
    return h * t + (1 - h) * (1 - t) / 2


def untied_values(
    h: FloatArray,
    m: FloatArray,
    coefficient: str = "tau_10",
    *,
    rng: np.random.Generator | int | None = None,
    repeats: int = 20,
    grouping: str | None = None,
    undefined: str = "drop",
    progress: Progress | bool | None = None,
) -> FloatArray:
    """Return a coefficient of checked scores whose ties are broken, several times; see `tiekit.correlate_untied`."""
    measure, generator = _plain_measure(coefficient, grouping, h.ndim), as_generator(rng)
    entry, by = measure.coefficient, "global" if measure.grouping == "vector" else measure.grouping
    check_policy(undefined)
    if entry.formula is None:
        raise InputError(f"coefficient: must be one of counts, as places have no distances, found {entry.name!r}")
    repeats = check_count("repeats", repeats)
    if by == "system_means":
        raise InputError("grouping: places have no mean that means anything, so it cannot be 'system_means'")
    values = []
    with showing(progress, "break ties") as told:
        for number in range(1, repeats + 1):
            untied = group_checked(h, break_ties(m, generator), by)
            values.append(average(values_per_group(untied, entry), undefined))
            if told is not None:
                told(number / repeats)
    return np.array(values)


def values_in_buckets(
    h: FloatArray,
    m: FloatArray,
    ks: Sequence[int],
    coefficients: str | Sequence[str] = ("tau_b", "acc_eq"),
    *,
    grouping: str | None = None,
    progress: Progress | bool | None = None,
) -> pd.DataFrame:
    """Compute coefficients of checked scores in k buckets; see `tiekit.bucket_curve`."""
    names = as_names(coefficients, "coefficients")
    measures = [_plain_measure(name, grouping, h.ndim, "coefficients") for name in names]
    if len({measure.grouping for measure in measures}) > 1:
        raise InputError(f"coefficients: must be of one grouping, found {', '.join(names)}")
    entries = [measure.coefficient for measure in measures]
    by = None if not measures or measures[0].grouping == "vector" else measures[0].grouping
    rows = []
    with showing(progress, "evaluate") as told:
        for number, k in enumerate(ks, 1):
            grouped = group_checked(h, to_buckets(m, k), by if measures else grouping)
            values = {entry.name: values_per_group(grouped, entry) for entry in entries}
            row = {name: average(found, "drop") for name, found in values.items()}
            rows.append(row | {f"groups({name})": int((~np.isnan(found)).sum()) for name, found in values.items()})
            if told is not None:
                told(number / len(ks))
    import pandas as pd

    return pd.DataFrame(rows, index=pd.Index(ks, name="k"))


def _plain_measure(coefficient: str, grouping: str | None, n_dimensions: int, argument: str = "coefficient") -> Measure:
    """A measure with values per group and without a star: ties are changed here, not found again."""
    measure = get_measure(coefficient, grouping, n_dimensions)
    if measure.calibrated or not measure.coefficient.by_group:
        raise InputError(f"{argument}: must be a coefficient of groups without a star, found {coefficient!r}")
    return measure
