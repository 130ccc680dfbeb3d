"""Exercises of ``02_nan_explorer``: which segments have no value, and what does that do to an average?"""

from __future__ import annotations

from typing import Any

import numpy as np

from tiekit.core.correlation import correlate
from tiekit.core.registry import COEFFICIENTS
from tiekit.exercises.check import expect_name, expect_number

HUMAN = [[0, 0, -1, 0, -5, 0], [-1, 0, -1, -5, 0, 0], [-5, -1, 0, -1, -1, 0], [-10, -5, -5, -1, -1, 0]]
BOLD = [
    [0.9, 0.8, 0.5, 0.8, 0.3, 0.9],
    [0.7, 0.9, 0.6, 0.2, 0.7, 0.8],
    [0.8, 0.4, 0.7, 0.3, 0.6, 0.85],
    [0.2, 0.5, 0.4, 0.5, 0.8, 0.7],
]
CAUTIOUS = [[1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1], [0, 1, 1, 1, 1, 1], [0, 0, 1, 1, 1, 1]]


def _undefined_segments(answer: Any) -> str:
    found = correlate(HUMAN, CAUTIOUS, "tau_b")
    expect_number(
        answer,
        found.n_undefined,
        "Look at the row of cautious: which cells show a reason instead of a value? Choose one to see why.",
        {
            found.n_groups: "On these segments it is defined.",
            found.n_undefined - 1: "You have missed one. τ_b is also undefined where the human gives one score.",
        },
    )
    return "Its average under the rule drop is that of the few other segments."


def _constant_segment(answer: Any) -> str:
    place = int(np.flatnonzero(np.ptp(HUMAN, axis=0) == 0)[0])
    hint = "Look for a column without any value. What do all human scores there have in common?"
    expect_number(answer, place + 1, hint, {place: "The figure numbers the segments from 1, Python from 0."})
    return "The human gives all four translations one score, so no pair is ordered and no metric can be judged by it."


def _zero(answer: Any) -> str:
    drop, zero = (correlate(HUMAN, CAUTIOUS, "tau_b", undefined=rule) for rule in ("drop", "zero"))
    hint = "Choose the rule zero in the figure, with τ_b, and read the average of cautious."
    bold = correlate(HUMAN, BOLD, "tau_b", undefined="zero").value
    expect_number(
        answer,
        zero.value,
        hint,
        {
            drop.value: "This is its average under the rule drop.",
            bold: "This is the average of bold.",
            zero.value * zero.n_groups: "This is the sum. Divide it by the number of segments.",
        },
    )
    return "The same metric that wins under drop is far behind now."


def _always_defined(answer: Any) -> str:
    counted = tuple(name for name, entry in COEFFICIENTS.items() if entry.formula is not None)
    right = [name for name in counted if not _gaps(name)]
    hint = "Choose it in the figure: some cells have no value. By which kinds of pairs does its formula divide?"
    expect_name(answer, right, counted, hint)
    return "It divides by the number of all pairs, which no tie can make zero."


def _gaps(name: str) -> int:
    return sum(correlate(HUMAN, scores, name).n_undefined for scores in (BOLD, CAUTIOUS))


EXERCISES = (_undefined_segments, _constant_segment, _zero, _always_defined)
