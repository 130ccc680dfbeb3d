"""Exercises of ``03_calibration_explorer``: what does a threshold cost, and what does it bring?"""

from __future__ import annotations

from typing import Any

import numpy as np

from tiekit.core.calibration import calibrate
from tiekit.core.pairs import count_pairs
from tiekit.exercises.check import expect_number
from tiekit.exercises.tie_lab import expect_best

HUMAN, METRIC = [0, 0, -1, -1, -1, -5, -5, -10], [90, 84, 80, 76, 85, 61, 66, 40]
FACTOR = 10


def _epsilon(answer: Any) -> str:
    expect_best(answer, HUMAN, METRIC, "Drag ε over the whole curve: where is acc_eq highest, and where first?")
    return "tk.calibrate(human, metric).epsilon is the same."


def _correct_pairs_lost(answer: Any) -> str:
    best = calibrate(HUMAN, METRIC).epsilon
    before, after = (count_pairs(HUMAN, METRIC, epsilon=epsilon) for epsilon in (0, best))
    expect_number(
        answer,
        before.concordant - after.concordant,
        "Compare C at ε = 0 with C at ε*.",
        {
            after.ties_metric: "These are all pairs that only the metric ties. Were all of them concordant before?",
            after.ties_both: "These are the ties that are right: what ε* brings. What does it cost?",
            after.concordant: "These are the pairs that stay concordant.",
        },
    )
    return "ε* makes more pairs right than it makes wrong: this is its price."


def _scaled(answer: Any) -> str:
    found = calibrate(HUMAN, np.multiply(METRIC, FACTOR)).epsilon
    same = "ε is a difference of metric scores: what happens to every difference?"
    expect_number(answer, found, same, {found / FACTOR: f"This is ε* of the scores as they were. {same}"})
    return "ε* has the unit of the metric, so the thresholds of two metrics cannot be compared."


def _every_pair(answer: Any) -> str:
    right = float(np.ptp(METRIC))
    looked = "A pair is tied once ε reaches its difference. Which pair differs most?"
    tied = count_pairs(HUMAN, METRIC, epsilon=right).ties_both / count_pairs(HUMAN, METRIC).total
    expect_number(answer, right, looked, {tied: f"This is the share of pairs that the human ties. {looked}"})
    return "A metric that ties every pair is right where the human ties, and nowhere else."


EXERCISES = (_epsilon, _correct_pairs_lost, _scaled, _every_pair)
