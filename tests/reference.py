"""What the fast code must equal: the definitions, written as plainly as possible, in exact arithmetic."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations, pairwise

Vector = Sequence[float]


def scored(human: Vector, metric: Vector) -> list[tuple[float, float]]:
    """The items with both scores."""
    return [(h, m) for h, m in zip(human, metric, strict=True) if not (math.isnan(h) or math.isnan(m))]


def gap(a: float, b: float, relative: bool = False) -> float:
    """How far apart two metric scores are."""
    if not relative:
        return abs(a - b)
    small, large = sorted((abs(a), abs(b)))
    return 0.0 if a == b else 1.0 if a * b < 0 or (a < 0) != (b < 0) else 1 - small / large


def counts(human: Vector, metric: Vector, epsilon: float = 0.0, relative: bool = False) -> dict[str, int]:
    """SUFFSTATS of Algorithm 1, with n and k."""
    items = scored(human, metric)
    c = dict.fromkeys(("C", "D", "T_h", "T_m", "T_hm"), 0)
    for (h1, m1), (h2, m2) in combinations(items, 2):
        if h1 == h2 and gap(m1, m2, relative) <= epsilon:
            c["T_hm"] += 1
        elif h1 == h2:
            c["T_h"] += 1
        elif gap(m1, m2, relative) <= epsilon:
            c["T_m"] += 1
        elif (h1 < h2) == (m1 < m2):
            c["C"] += 1
        else:
            c["D"] += 1
    k = min(len({h for h, _ in items}), len({m for _, m in items}))
    return {**c, "n": len(items), "k": k}


def coefficient(name: str, c: dict[str, int]) -> float:
    """Table 1 of Deutsch et al. (2023), τ_c with Stuart's 2; NaN where it divides by zero."""
    C, D, T_h, T_m, T_hm, n, k = (c[s] for s in ("C", "D", "T_h", "T_m", "T_hm", "n", "k"))  # noqa: N806
    total = C + D + T_h + T_m + T_hm
    top, bottom = {
        "tau_a": (C - D, total),
        "tau_b": (C - D, math.sqrt((C + D + T_h) * (C + D + T_m))),
        "tau_c": (2 * (C - D) * k, n * n * (k - 1)),
        "tau_10": (C - D - T_m, C + D + T_m),
        "tau_13": (C - D, C + D),
        "tau_14": (C - D, C + D + T_m),
        "tau_eq": (C + T_hm - D - T_h - T_m, total),
        "acc_eq": (C + T_hm, total),
    }[name]
    return top / bottom if bottom else math.nan


def tolerance(rows: Sequence[Vector]) -> float:
    """How close means are equal: 1e-11 of the scores' standard deviation, worked out in fractions."""
    flat = [Fraction(x) for row in rows for x in row]
    return 1e-11 * math.sqrt(statistics.pvariance(flat)) if flat else 0.0


def means(rows: Sequence[Vector]) -> list[float]:
    """Each row's mean; of means that lie as close to the next as the tolerance all become the smallest.

    So do all means of scores that are all the same: they differ by rounding alone.
    """
    found = [math.fsum(row) / len(row) for row in rows]
    near = tolerance(rows) if len({x for row in rows for x in row}) > 1 else math.inf
    first = {x: x for x in found}
    for below, above in pairwise(sorted(found)):
        if above - below <= near:
            first[above] = first[below]
    return [first[x] for x in found]


def slack(human: Sequence[Vector], metric: Sequence[Vector], grouping: str) -> float:
    """How far above a threshold a difference of means still counts as equal to it; 0 for scores."""
    if grouping != "system_means":
        return 0.0
    return tolerance([[m for _, m in scored(*row)] for row in zip(human, metric, strict=True)])


def groups(human: Sequence[Vector], metric: Sequence[Vector], grouping: str) -> list[tuple[list[float], list[float]]]:
    """The groups of a matrix (a row a system) that have two scored cells."""
    n_segments = len(human[0]) if human else 0
    pairs: list[tuple[list[float], list[float]]] = []
    if grouping == "item":
        pairs = [([row[j] for row in human], [row[j] for row in metric]) for j in range(n_segments)]
    elif grouping == "system":
        pairs = [(list(h), list(m)) for h, m in zip(human, metric, strict=True)]
    elif grouping == "system_means":
        rows = [scored(*row) for row in zip(human, metric, strict=True)]
        scored_rows = [row for row in rows if row]
        sides = [[[item[side] for item in row] for row in scored_rows] for side in (0, 1)]
        pairs = [(means(sides[0]), means(sides[1]))]
    elif grouping == "global":
        pairs = [([x for row in human for x in row], [x for row in metric for x in row])]
    return [(h, m) for h, m in pairs if len(scored(h, m)) >= 2]


def candidates(parts: Iterable[tuple[Vector, Vector]], relative: bool = False, slack: float = 0.0) -> list[float]:
    """0 and every metric difference within a group; of those within the slack above one, none."""
    found = {0.0}
    for human, metric in parts:
        found |= {gap(a[1], b[1], relative) for a, b in combinations(scored(human, metric), 2)}
    kept: list[float] = []
    for difference in sorted(found):
        if not kept or difference > kept[-1] + slack:
            kept.append(difference)
    return kept


def calibrate(
    parts: Sequence[tuple[Vector, Vector]], name: str = "acc_eq", relative: bool = False, slack: float = 0.0
) -> tuple[float, float]:
    """Algorithm 1 over groups: the smallest candidate with the highest mean, and that mean; exact for acc_eq."""
    parts = [part for part in parts if len(scored(*part)) >= 2]
    best: tuple[float, Fraction | float] = (0.0, Fraction(-2))
    for epsilon in candidates(parts, relative, slack):
        values: list[Fraction | float] = []
        for human, metric in parts:
            c = counts(human, metric, epsilon + slack, relative)
            total = sum(c[s] for s in ("C", "D", "T_h", "T_m", "T_hm"))
            value = Fraction(c["C"] + c["T_hm"], total) if name == "acc_eq" else coefficient(name, c)
            values += [] if value != value else [value]
        if values and sum(values) / len(values) > best[1] + (0 if name == "acc_eq" else 1e-12):
            best = epsilon, sum(values) / len(values)
    return best[0], float(best[1]) if best[1] != -2 else math.nan
