"""Exercises of ``01_tie_lab``: what becomes of each kind of pairs?"""

from __future__ import annotations

from typing import Any

import numpy as np

from tiekit.core.calibration import calibrate
from tiekit.core.pairs import count_pairs
from tiekit.core.registry import COEFFICIENTS
from tiekit.exercises.check import WrongAnswerError, expect_number, expect_scores

HUMAN, M2 = [0, 0, 0, 0, 1, 2], [0, 1, 2, 3, 4, 5]

MOST_RIGHT = 0.5


def expect_best(answer: Any, human: list[int], metric: list[int], hint: str) -> None:
    """Raise a hint unless the answer is ε* of acc_eq."""
    found = calibrate(human, metric)
    candidates = np.unique(np.abs(np.subtract.outer(metric, metric))).tolist()
    also = [value for value in candidates if value != found.epsilon and found.value_at(value) == found.value]
    mistakes = dict.fromkeys(also, "acc_eq is as high there, but a smaller ε gives the same value.")
    expect_number(
        answer, found.epsilon, hint, {**mistakes, found.value: "This is the highest acc_eq. At which ε is it reached?"}
    )


def _human_ties(answer: Any) -> str:
    counts = count_pairs(HUMAN, M2)
    expect_number(
        answer,
        counts.ties_human,
        "Set ε to 0 and look at the count T_h of m2, or at lab.counts['m2'].",
        {counts.concordant: "These are the concordant pairs, C.", counts.total: "These are all pairs."},
    )
    return "m2 orders every pair that the human ties, because no two of its scores are equal."


def _smallest_epsilon(answer: Any) -> str:
    expect_best(answer, HUMAN, M2, "Drag ε slowly to the right: where is acc_eq of m2 highest for the first time?")
    return "This is ε*: tk.calibrate finds the same."


def _undefined(answer: Any) -> str:
    counts = count_pairs(HUMAN, expect_scores(answer, len(HUMAN)))
    value = COEFFICIENTS["tau_b"].value(counts)
    if value == value:
        raise WrongAnswerError(
            f"τ_b of these scores is {value:.3f}. Its denominator must become 0: look at the two factors under the "
            "root. Which kinds of pairs must be absent?"
        )
    return "A metric that gives every translation the same score has no pair that it orders. WMT drops such groups."


def _praised(answer: Any) -> str:
    counts = count_pairs(HUMAN, expect_scores(answer, len(HUMAN)))
    tau_13, acc_eq = (COEFFICIENTS[name].value(counts) for name in ("tau_13", "acc_eq"))
    if tau_13 != tau_13:
        raise WrongAnswerError("τ_13 is undefined here: no pair is ordered by both the human and the metric.")
    if tau_13 < 1:
        raise WrongAnswerError(
            f"τ_13 is {tau_13:.3f}, as D is {counts.discordant}. It is 1 where no pair is discordant."
        )
    if acc_eq >= MOST_RIGHT:
        raise WrongAnswerError(
            f"τ_13 is 1, but acc_eq is {acc_eq:.3f}. Which kinds of pairs are wrong for acc_eq and are not counted by "
            "τ_13? Make more of them."
        )
    return "τ_13 leaves out every pair that either side ties, so it does not see these errors."


EXERCISES = (_human_ties, _smallest_epsilon, _undefined, _praised)
