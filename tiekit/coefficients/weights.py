"""How does a coefficient of one's own come from five weights, one for each kind of pairs?"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tiekit.coefficients.coefficient import OfCounts
from tiekit.coefficients.formula import SYMBOLS, Formula
from tiekit.counting.pairs import KINDS
from tiekit.errors import InputError

LEFT_OUT = "X"
"""How a pair that is not counted is written, as in WMT's tables."""


def parse_weight(text: str, kind: str = "weight") -> float | None:
    """Read a weight: a finite number, or X for a pair that is left out; ``kind`` is what an error names.

    Examples
    --------
    >>> parse_weight("−0.5"), parse_weight(" x ")
    (-0.5, None)
    """
    bare = text.strip().replace("−", "-").replace(",", ".")
    if bare.upper() == LEFT_OUT:
        return None
    try:
        value = float(bare)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"{kind}: must be a finite number or {LEFT_OUT}, found {text!r}")
    return value


def coefficient_of_weights(weights: Sequence[float | None], name: str = "own") -> OfCounts:
    """Return the coefficient that is the sum of a weight for each pair, over the number of pairs that are counted.

    Parameters
    ----------
    weights : sequence of five numbers, or None for a kind of pairs that is left out
        Of concordant and discordant pairs, of pairs tied by the human only, by the metric only, and by both.
    name : str

    Raises
    ------
    InputError
        There are not five weights, or all pairs are left out.

    References
    ----------
    Equation 4 of Deutsch et al. (2023), doi:10.18653/v1/2023.emnlp-main.798.

    Examples
    --------
    >>> from tiekit import count_pairs
    >>> half = coefficient_of_weights([1, 0, 0, 0.5, 1])
    >>> half.formula.text
    '(C + 0.5 * T_m + T_hm) / (C + D + T_h + T_m + T_hm)'
    >>> half.value(count_pairs([1, 2, 3], [1, 1, 2]))
    0.833...
    """
    if len(weights) != len(KINDS):
        raise InputError(f"weights: must be {len(KINDS)}, one for each kind of pairs, found {len(weights)}")
    counted = [(symbol, weight) for symbol, weight in zip(SYMBOLS, weights, strict=False) if weight is not None]
    if not counted:
        raise InputError(f"weights: at least one must be a number, found {LEFT_OUT} for all")
    terms = [
        (" - " if weight < 0 else " + ") + (symbol if abs(weight) == 1 else f"{abs(weight):.15g} * {symbol}")
        for symbol, weight in counted
        if weight
    ]
    text = "".join(terms)
    numerator = text.removeprefix(" + ") if text.startswith(" + ") else f"0{text}"
    values = [weight for _, weight in counted]
    return OfCounts(
        name=name,
        label=name,
        latex=r"\mathrm{own}",
        reference="five weights of one's own",
        undefined="no pair is counted",
        range=(min(values), max(values)),
        formula=Formula(f"({numerator}) / ({' + '.join(symbol for symbol, _ in counted)})"),
    )
