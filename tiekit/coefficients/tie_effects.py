"""What do ties do to a coefficient? Ties made by buckets, and ties broken at random."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from tiekit.arguments import Exclude, Human, Metric, read_pair
from tiekit.coefficients.per_group import average, check_policy, values_per_group
from tiekit.coefficients.registry import get_coefficient
from tiekit.counting.grouping import group
from tiekit.counting.ties import break_ties, to_buckets
from tiekit.errors import InputError
from tiekit.names import as_names
from tiekit.scores import FloatArray
from tiekit.seeds import as_generator


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
) -> FloatArray:
    """Measure how well a metric agrees once `break_ties` has ordered its equal scores, several times.

    Parameters
    ----------
    data, metric, grouping, undefined, human, exclude
        As for `correlate`; not ``grouping="system_means"``, as places have no mean that means anything.
    coefficient : str
        One of counts: Pearson and Spearman would be those of places.
    rng : numpy Generator or int, optional
        Random-number generator or seed of the orders, one after the other; None is seed 0.
    repeats : int
        At least 1.

    Returns
    -------
    ndarray, shape (repeats,)
        The coefficient each time. tau_10, tau_13 and tau_14 are one without ties; on average they are the tau_14 of
        the tied scores, as a broken tie is right half of the time.

    Raises
    ------
    InputError
        As `break_ties` and `correlate`, and for what is said above.

    References
    ----------
    Deutsch et al. (2023), section 6.1, doi:10.18653/v1/2023.emnlp-main.798.

    Examples
    --------
    >>> human, tied = [1, 2, 3, 4], [0, 0, 0, 1]
    >>> from tiekit import correlate
    >>> correlate(human, tied, "tau_10").value, correlate_untied(human, tied, rng=0, repeats=1000).mean().round(1)
    (0.0, np.float64(0.5))
    """
    h, m = read_pair(data, metric, human, exclude)
    entry, generator = get_coefficient(coefficient), as_generator(rng)
    check_policy(undefined)
    if entry.formula is None:
        raise InputError(f"coefficient: must be one of counts, as places have no distances, found {entry.name!r}")
    if not isinstance(repeats, Integral) or repeats < 1:
        raise InputError(f"repeats: must be a whole number of at least 1, found {repeats!r}")
    if grouping == "system_means":
        raise InputError("grouping: places have no mean that means anything, so it cannot be 'system_means'")
    return np.array(
        [
            average(values_per_group(group(h, break_ties(m, generator), grouping), entry), undefined)
            for _ in range(int(repeats))
        ]
    )


def bucket_curve(
    data: Human,
    metric: Metric,
    ks: Sequence[int],
    coefficients: str | Sequence[str] = ("tau_b", "acc_eq"),
    *,
    grouping: str | None = None,
    human: str | ArrayLike | None = None,
    exclude: Exclude = None,
) -> pd.DataFrame:
    """Compute coefficients of a metric in k equal-width buckets, and count the groups that stay defined.

    Parameters
    ----------
    data, metric, grouping, human, exclude
        As for `correlate`.
    ks : sequence of int
        Numbers of buckets, as for `to_buckets`.
    coefficients : sequence of str

    Returns
    -------
    pandas.DataFrame
        One row per k. One column per coefficient, and ``groups(...)``, the groups on which it is defined.

    Raises
    ------
    InputError
        As `to_buckets` and `correlate`.

    References
    ----------
    Deutsch et al. (2023), Figure 3, doi:10.18653/v1/2023.emnlp-main.798.

    Examples
    --------
    >>> human, metric = [[1, 1], [2, 3], [3, 2]], [[1, 4], [2, 5], [3, 9]]
    >>> bucket_curve(human, metric, [2, 8]).round(2)
       tau_b  acc_eq  groups(tau_b)  groups(acc_eq)
    k
    2   0.82    0.33              1               2
    8   0.67    0.83              2               2
    """
    h, m = read_pair(data, metric, human, exclude)
    entries = [get_coefficient(name) for name in as_names(coefficients)]
    rows = []
    for k in ks:
        grouped = group(h, to_buckets(m, k), grouping)
        values = {entry.name: values_per_group(grouped, entry) for entry in entries}
        row = {name: average(found, "drop") for name, found in values.items()}
        rows.append(row | {f"groups({name})": int((~np.isnan(found)).sum()) for name, found in values.items()})
    return pd.DataFrame(rows, index=pd.Index(ks, name="k"))
