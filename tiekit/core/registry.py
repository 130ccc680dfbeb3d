"""The registry: every coefficient by its name, with its formula; coefficients of one's own weights."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from tiekit.base.errors import InputError, UnknownNameError
from tiekit.base.names import did_you_mean
from tiekit.core.coefficients import (
    Coefficient,
    OfCounts,
    OfScores,
    Table,
    pearson_of_draws,
    pearson_rows,
    spearman_of_draws,
    spearman_rows,
)
from tiekit.core.formula import SYMBOLS, Formula
from tiekit.core.pairs import KINDS, PairCounts

_ALL = "C + D + T_h + T_m + T_hm"
_DEUTSCH = "Deutsch et al. (2023), doi:10.18653/v1/2023.emnlp-main.798"
_X = (None, None, None)
_CONSTANT = "all human scores are equal, or all metric scores"


_ENTRIES: tuple[Coefficient, ...] = (
    OfScores(
        name="pearson",
        label="Pearson r",
        latex="r",
        reference="Pearson (1895), doi:10.1098/rspl.1895.0041",
        undefined=_CONSTANT,
        rows=pearson_rows,
        from_sums=pearson_of_draws,
        together="sums",
    ),
    OfScores(
        name="spearman",
        label="Spearman ρ",
        latex=r"\rho",
        reference="Spearman (1904), doi:10.2307/1412159",
        undefined=_CONSTANT,
        rows=spearman_rows,
        from_sums=spearman_of_draws,
    ),
    OfCounts(
        name="tau_a",
        label="τ_a",
        latex=r"\tau_a",
        formula=Formula(f"(C - D) / ({_ALL})"),
        undefined="there is no pair",
        reference="Kendall (1938), doi:10.1093/biomet/30.1-2.81",
        table=((1, 0, -1), (0, 0, 0), (-1, 0, 1)),
    ),
    OfCounts(
        name="tau_b",
        label="τ_b",
        latex=r"\tau_b",
        formula=Formula("(C - D) / sqrt((C + D + T_h) * (C + D + T_m))"),
        undefined=_CONSTANT,
        reference="Kendall (1945), doi:10.1093/biomet/33.3.239",
        years=((2021, 2022),),
    ),
    OfCounts(
        name="tau_c",
        label="τ_c",
        latex=r"\tau_c",
        formula=Formula("2 * (C - D) / (n**2 * ((k - 1) / k))"),
        undefined=_CONSTANT,
        reference="Stuart (1953), doi:10.1093/biomet/40.1-2.105",
        printed=Formula("(C - D) / (n**2 * ((k - 1) / k))"),
    ),
    OfCounts(
        name="tau_10",
        label="τ_10",
        latex=r"\tau_{10}",
        formula=Formula("(C - D - T_m) / (C + D + T_m)"),
        undefined="all human scores are equal",
        reference="Callison-Burch et al. (2010), WMT10, aclanthology.org/W10-1703",
        table=((1, -1, -1), _X, (-1, -1, 1)),
        years=((2010, 2012), (2017, 2020)),
    ),
    OfCounts(
        name="tau_13",
        label="τ_13",
        latex=r"\tau_{13}",
        formula=Formula("(C - D) / (C + D)"),
        undefined="no pair is ordered by both human and metric",
        reference="Macháček and Bojar (2013), WMT13, aclanthology.org/W13-2202",
        table=((1, None, -1), _X, (-1, None, 1)),
        years=((2013, 2013),),
    ),
    OfCounts(
        name="tau_14",
        label="τ_14",
        latex=r"\tau_{14}",
        formula=Formula("(C - D) / (C + D + T_m)"),
        undefined="all human scores are equal",
        reference="Macháček and Bojar (2014), WMT14, doi:10.3115/v1/W14-3336",
        table=((1, 0, -1), _X, (-1, 0, 1)),
        years=((2014, 2016),),
    ),
    OfCounts(
        name="tau_eq",
        label="τ_eq",
        latex=r"\tau_{\mathrm{eq}}",
        formula=Formula(f"(C + T_hm - D - T_h - T_m) / ({_ALL})"),
        undefined="there is no pair",
        reference=_DEUTSCH,
        table=((1, -1, -1), (-1, 1, -1), (-1, -1, 1)),
        handles_ties=True,
    ),
    OfCounts(
        name="acc_eq",
        label="acc_eq",
        latex=r"\mathrm{acc}_{\mathrm{eq}}",
        formula=Formula(f"(C + T_hm) / ({_ALL})"),
        undefined="there is no pair",
        reference=_DEUTSCH,
        table=((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        years=((2023, 2025),),
        range=(0.0, 1.0),
        handles_ties=True,
    ),
)


class _Coefficients(dict[str, Coefficient]):
    """Coefficients by name; ``[...]`` takes other names too, as every function does, ``in`` and ``get`` do not."""

    def __missing__(self, name: str) -> Coefficient:
        return get_coefficient(name, "COEFFICIENTS")


COEFFICIENTS: dict[str, Coefficient] = _Coefficients({entry.name: entry for entry in _ENTRIES})
"""Every coefficient by name, in the order in which tables show them."""

ALIASES = {
    "tau_23": "tau_eq",  # so and acc_23 in the first version of Deutsch et al. (2023)
    "acc_23": "acc_eq",
    "kendall": "tau_b",  # SciPy's kendalltau, and what Gao et al. (2024) mean by it
    "kendalltau": "tau_b",
    "kendall_tau": "tau_b",
    "kendall_tau_b": "tau_b",
    "kendall_tau_c": "tau_c",
    "gamma": "tau_13",  # Goodman and Kruskal's
    "γ": "tau_13",
    "goodman_kruskal": "tau_13",
    "somers_d": "tau_14",  # of the metric given the human score, as SciPy's somersd(human, metric)
    "somersd": "tau_14",
    "pearsonr": "pearson",
    "spearmanr": "spearman",
    "soft_pairwise_accuracy": "spa",
    "pairwise_difference_pearson": "pdp",
}
"""Other names of coefficients; hyphens, blanks and underscores are alike, so are τ and tau, and so is case."""


_NO_MORE: Mapping[str, Coefficient] = MappingProxyType({})


def get_coefficient(
    name: str, argument: str = "coefficient", more: Mapping[str, Coefficient] = _NO_MORE
) -> Coefficient:
    """Look up a coefficient by its name or alias, of `COEFFICIENTS` and ``more``; errors name the ``argument``."""
    spelled = re.sub(r"[\s_-]+", "_", name.strip().casefold().replace("τ", "tau")) if isinstance(name, str) else ""
    known = {**COEFFICIENTS, **more}
    found = known.get(spelled) or known.get(ALIASES.get(spelled, spelled))
    if found is None:
        hint = did_you_mean(spelled, {**known, **ALIASES})
        listed = f"{argument}: must be one of {', '.join(known)}, found {name!r}"
        elsewhere = "spa and pdp are in tk.measures.SYSTEM_LEVEL, a star is tk.calibrate" * (argument == "COEFFICIENTS")
        raise UnknownNameError("; ".join(filter(None, (listed, hint, elsewhere))))
    return found


def evaluate_table(table: Table, counts: PairCounts) -> float:
    """Evaluate a WMT 3×3 table on counts: Equation 4 of Deutsch et al. (2023).

    The sum of each cell's coefficient times its pairs, over the pairs of all cells that are not X (None).

    Parameters
    ----------
    table : 3×3 nested sequence of int or None
        Rows human <, =, >; columns metric <, =, >. Swapping the two items of a pair rotates the table by
        180 degrees, so it must look the same after that.
    counts : PairCounts

    Returns
    -------
    float
        NaN where no pair is counted.

    Raises
    ------
    InputError
        For a table of another shape, or one that depends on which item of a pair comes first.

    Examples
    --------
    >>> from tiekit import count_pairs
    >>> evaluate_table(COEFFICIENTS["tau_10"].table, count_pairs([1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3]))
    0.333...
    """
    if len(table) != 3 or any(len(row) != 3 for row in table):
        raise InputError(f"table: must have three rows and three columns, found {table!r}")
    if any(table[h][m] != table[2 - h][2 - m] for h in range(3) for m in range(3)):
        raise InputError(f"table: must stay the same when the two items of a pair are swapped, found {table!r}")
    cells = (table[0][0], table[0][2], table[1][0], table[0][1], table[1][1])
    weighted = [(weight, int(pairs)) for weight, pairs in zip(cells, counts.row[:5], strict=True) if weight is not None]
    total = sum(pairs for _, pairs in weighted)
    return sum(weight * pairs for weight, pairs in weighted) / total if total else float("nan")


def why_undefined(counts: PairCounts) -> str:
    """Say what makes coefficients of these counts undefined; empty where nothing does.

    Examples
    --------
    >>> from tiekit import count_pairs
    >>> why_undefined(count_pairs([1, 2, 3], [7, 7, 7]))
    'all metric scores tie'
    """
    c = counts
    if c.n_scores < 2:
        return "fewer than two items have both scores"
    reasons = []
    if c.concordant + c.discordant + c.ties_metric == 0:
        reasons.append("all human scores tie")
    if c.concordant + c.discordant + c.ties_human == 0:
        reasons.append("all metric scores tie")
    if not reasons and c.concordant + c.discordant == 0:
        reasons.append("no pair is ordered by both")
    return " and ".join(reasons)


def get_of_counts(
    coefficient: str, argument: str = "coefficient", more: Mapping[str, Coefficient] = _NO_MORE
) -> Coefficient:
    """Look up a coefficient of counts, by name; others cannot be calibrated."""
    entry = get_coefficient(coefficient, argument, more)
    if not entry.takes_epsilon:
        raise InputError(f"{argument}: {entry.name} knows no ties of the metric and cannot be calibrated")
    return entry


LEFT_OUT = "X"
"""How a pair that is not counted is written, as in WMT's tables."""


def parse_weight(text: str, kind: str = "weight") -> float | None:
    """Read a weight: a finite number, or X for a pair that is left out (None); ``kind`` is what an error names."""
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

    The five weights are in the order of `KINDS`; None leaves a kind of pairs out. Equation 4 of Deutsch et al. (2023).

    Examples
    --------
    >>> coefficient_of_weights([1, 0, 0, 0.5, 1]).formula.text
    '(C + 0.5 * T_m + T_hm) / (C + D + T_h + T_m + T_hm)'
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
