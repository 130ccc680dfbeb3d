"""Which numbers say how well two sides agree? Each comes from the counts of five kinds of pairs of votes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tiekit.coefficients.coefficient import Coefficient
from tiekit.coefficients.formula import SYMBOLS, Formula
from tiekit.coefficients.per_group import ROUNDING
from tiekit.coefficients.registry import COEFFICIENTS, get_coefficient
from tiekit.coefficients.weights import coefficient_of_weights
from tiekit.errors import InputError
from tiekit.judgments.kappa import Kappa
from tiekit.scores import FloatArray, IntArray

Measure: TypeAlias = str | Coefficient | Sequence[float | None]
"""A name of `MEASURES`, a coefficient of counts, or five weights as `coefficient_of_weights` takes them."""


def _is_of_kinds(entry: Coefficient) -> bool:
    """Whether a coefficient needs nothing but the counts of the five kinds."""
    return entry.formula is not None and not entry.formula.symbols & set(SYMBOLS[5:])


MEASURES = ("with_ties", "without_ties", "kappa", *(name for name, one in COEFFICIENTS.items() if _is_of_kinds(one)))
"""Both agreements of MT-bench, Cohen's kappa, and the coefficients of the registry that need counts of pairs alone."""

_WITHOUT_TIES = Formula("C / (C + D)")


@dataclass(frozen=True)
class Counted:
    """A measure with its name and a function of counts of shape (..., 5).

    ``exact`` gives the value of one row of counts as a fraction, where floats cannot tell all values apart.
    """

    name: str
    values: Callable[[NDArray[Any]], FloatArray]
    exact: Callable[[Sequence[int]], Fraction] | None = None

    def value(self, counts: NDArray[Any]) -> float:
        """The value for one row of counts."""
        return float(self.values(np.asarray(counts)))

    def first_best(self, counts: IntArray) -> int:
        """The first row of counts with the largest value, 0 where the measure is undefined in all of them.

        Values count as equal within 1e-12, or where they are equal as fractions.
        """
        values = self.values(counts)
        if np.isnan(values).all():
            return 0
        near = np.flatnonzero(values >= np.nanmax(values) - ROUNDING)
        if self.exact is None:
            return int(near[0])
        fractions = [self.exact(row) for row in counts[near].tolist()]
        return int(near[fractions.index(max(fractions))])


def get_measure(measure: Measure) -> Counted:
    """Look up a measure.

    ``with_ties`` is the share of equal votes, ties included; so is acc_eq. ``without_ties`` leaves out each pair in
    which either side ties; it is (τ_13 + 1)/2. ``kappa`` is `cohen_kappa` of the sum of the table and of the table with
    the two answers exchanged.

    Raises
    ------
    InputError
        For an unknown name, and for a coefficient that needs more than counts of pairs, such as Pearson's.

    Examples
    --------
    >>> [get_measure(name).value([6, 2, 1, 3, 4]) for name in ("with_ties", "acc_eq", "without_ties", "tau_13")]
    [0.625, 0.625, 0.75, 0.5]
    """
    if isinstance(measure, str) and measure in _OWN:
        return Counted(measure, _OWN[measure], _exact_kappa if measure == "kappa" else None)
    if isinstance(measure, str):
        entry = get_coefficient(measure, "measure")
    elif isinstance(measure, Coefficient):
        entry = measure
    else:
        entry = coefficient_of_weights(measure)
    if not _is_of_kinds(entry):
        raise InputError(f"measure: must be one of {', '.join(MEASURES)}, found {entry.name!r}, which needs scores")
    assert entry.formula is not None
    return Counted(entry.name, _of_kinds(entry.formula))


def kinds_of(table: IntArray) -> IntArray:
    """Count the five kinds in tables of shape (..., 3, 3): C, D, T_h, T_m, T_hm; rows human, columns judge."""
    t = np.asarray(table)
    sides = [
        t[..., 0, 0] + t[..., 2, 2],
        t[..., 0, 2] + t[..., 2, 0],
        t[..., 1, 0] + t[..., 1, 2],
        t[..., 0, 1] + t[..., 2, 1],
        t[..., 1, 1],
    ]
    return np.stack(sides, axis=-1).astype(np.int64)


def cohen_kappa(table: ArrayLike) -> Kappa:
    """Measure Cohen's kappa of a table of counts.

    P(E) is the sum over the outcomes of the product of both sides' shares.

    Parameters
    ----------
    table : array_like of int, shape (k, k)
        Rows are the outcomes of one side, columns the same outcomes of the other.

    Returns
    -------
    Kappa

    Raises
    ------
    InputError
        For another shape, and for counts that are negative or no whole numbers.

    References
    ----------
    Cohen (1960), doi:10.1177/001316446002000104.

    Examples
    --------
    >>> found = cohen_kappa([[20, 5], [10, 15]])
    >>> found.observed, found.expected, round(found.value, 3)
    (0.7, 0.5, 0.4)
    """
    counts = np.asarray(table)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1]:
        raise InputError(f"table: must be square, found shape {counts.shape}")
    if not np.issubdtype(counts.dtype, np.number) or (counts < 0).any() or (counts % 1 != 0).any():
        raise InputError("table: must hold counts, whole numbers of at least 0")
    n = int(counts.sum())
    expected = float(counts.sum(axis=0) @ counts.sum(axis=1)) / n**2 if n else float("nan")
    return Kappa(n, int(np.trace(counts)), expected)


def expected_agreement(counts: NDArray[Any]) -> FloatArray:
    """P(E) where the order of two answers has no meaning, so that each side's P(win) equals its P(loss)."""
    _, _, t_h, t_m, t_hm = np.moveaxis(np.asarray(counts, np.float64), -1, 0)
    n = np.asarray(counts, np.float64).sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        human, judge = (t_h + t_hm) / n, (t_m + t_hm) / n
    return np.asarray(human * judge + (1 - human) * (1 - judge) / 2)


def _kappa(counts: NDArray[Any]) -> FloatArray:
    """Kappa; NaN where P(E) is 1 or there is nothing."""
    above, most = _beyond_chance(*np.moveaxis(np.asarray(counts, np.float64), -1, 0))
    return np.asarray(np.divide(above, most, out=np.full(np.shape(most), np.nan), where=most != 0))


def _exact_kappa(counts: Sequence[int]) -> Fraction:
    """The same as a fraction, where it is defined."""
    return Fraction(*_beyond_chance(*counts))


def _beyond_chance(c: Any, d: Any, t_h: Any, t_m: Any, t_hm: Any) -> tuple[Any, Any]:
    """Kappa's numerator and denominator as whole numbers: P(A) - P(E) and 1 - P(E), both times 2n²."""
    n, human, judge = c + d + t_h + t_m + t_hm, t_h + t_hm, t_m + t_hm
    expected = 2 * human * judge + (n - human) * (n - judge)
    return 2 * n * (c + t_hm) - expected, 2 * n * n - expected


def _of_kinds(formula: Formula) -> Callable[[NDArray[Any]], FloatArray]:
    """A formula that reads five counts; it mentions no other symbol."""

    def values(counts: NDArray[Any]) -> FloatArray:
        more = np.zeros((*counts.shape[:-1], len(SYMBOLS) - 5), counts.dtype)
        return formula(np.concatenate([counts, more], axis=-1))

    return values


_ACC_EQ = COEFFICIENTS["acc_eq"].formula
assert _ACC_EQ is not None
_OWN: dict[str, Callable[[NDArray[Any]], FloatArray]] = {
    "with_ties": _of_kinds(_ACC_EQ),
    "without_ties": _of_kinds(_WITHOUT_TIES),
    "kappa": _kappa,
}
