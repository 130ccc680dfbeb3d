"""What are several figures given? Scores and thresholds as JSON takes them, names, and how kinds of pairs look."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from tiekit.base.errors import InputError
from tiekit.base.results import KIND_STYLE, digest_of
from tiekit.base.validation import check_epsilon
from tiekit.core.coefficients import Coefficient
from tiekit.core.formula import SYMBOLS
from tiekit.core.pairs import KINDS
from tiekit.core.registry import COEFFICIENTS
from tiekit.core.system_level import SYSTEM_LEVEL

NOISE_ENDING = " + noise"
"""What follows a metric's name in the name of its sentinel."""

FIRST_SHARE = 0.08
"""The share of human ties that is shown first."""

MEASURE_WORDS = {
    "global": "without grouping",
    "item": "by item",
    "system": "by system",
    "system_means": "system means",
}
"""A grouping in the printed name of a measure."""

MOST_WRITTEN = 12
"""Maximum number of scores that are written out where it is said what was shown."""


def line(scores: Sequence[float]) -> list[float | None]:
    """Return scores as JSON takes them, a missing one as null."""
    return [None if score != score else score for score in scores]


def numbers(scores: Sequence[float | None]) -> list[float]:
    """Return scores that the browser has sent, a missing one as NaN."""
    return [math.nan if score is None else float(score) for score in scores]


def check_shown(epsilon: float) -> float:
    """Check a threshold that is shown: finite, and what `check_epsilon` asks."""
    if math.isinf(check_epsilon(epsilon)):
        raise InputError(f"epsilon: must be finite to be shown, found {epsilon!r}")
    return float(epsilon)


def check_span(name: str, scores: Sequence[float]) -> None:
    """Refuse scores whose differences exceed float64: no axis can show them."""
    known = [float(score) for score in scores if score == score]
    if known and math.isinf(max(known) - min(known)):
        raise InputError(f"{name}: scores must differ by less than 1.8e308, found {min(known):g} and {max(known):g}")


def coefficient_of(entry: Coefficient) -> dict[str, Any]:
    """Return a coefficient's name and label, how it counts a pair of each kind, and the years in which WMT used it."""
    effects = {kind: entry.effect(kind) for kind in KINDS} if entry.formula else None
    years = [str(first) if first == last else f"{first}–{last}" for first, last in entry.years]
    return {"name": entry.name, "label": entry.label, "effects": effects, "years": years}


def printed(coefficient: str) -> str:
    """Return the printed name of a coefficient; a star stays."""
    name = coefficient.removesuffix("*")
    return (SYSTEM_LEVEL.get(name) or COEFFICIENTS[name]).label + ("*" if coefficient.endswith("*") else "")


def printed_measure(grouping: str, coefficient: str) -> str:
    """Return the printed name of a measure; that of the coefficient where its grouping has none."""
    words = MEASURE_WORDS.get(grouping)
    return f"{words}, {printed(coefficient)}" if words else printed(coefficient)


@cache
def kinds() -> list[dict[str, str]]:
    """Return how a pair of each kind looks and what it is called."""
    return [
        {
            "kind": kind,
            "color": color,
            "on": "#FFFFFF" if kind == "concordant" else "#000000",
            "glyph": glyph,
            "label": label,
            "symbol": symbol,
        }
        for (kind, (color, glyph, label)), symbol in zip(KIND_STYLE.items(), SYMBOLS, strict=False)
    ]


def made(human: Sequence[float], metrics: Mapping[str, Sequence[float]]) -> str:
    """Return which scores a picture shows: themselves where they are few, else how many and their digest."""
    lines = [("human", human), *metrics.items()]
    if len(human) > MOST_WRITTEN:
        digest = digest_of(np.array([scores for _, scores in lines]))
        return f"{len(human)} scores of the human and of {', '.join(metrics)}, digest {digest}."
    written = [f"{name}: {' '.join(f'{score:g}' for score in scores)}" for name, scores in lines]
    return " · ".join(written) + "."
