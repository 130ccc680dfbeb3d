"""Exercises of ``04_grouping``: which pairs does a grouping compare, and which metric wins by it?"""

from __future__ import annotations

from functools import cache
from typing import Any

from tiekit.core.correlation import Correlation, correlate
from tiekit.core.grouping import GROUPINGS
from tiekit.exercises.check import WrongAnswerError, expect_name, expect_number, expect_scores

HUMAN: list[list[float]] = [
    [-2, -12.1, -5.1, -22.3, -19.1],
    [0, -17, -6, -11, -25],
    [-10, -11, -5, -10, -32],
    [-1, -19, -10, -10.2, -26],
]
WITH_REFERENCE = [
    [0.354, 0.376, 0.027, -0.439, 0.230],
    [0.669, 0.258, 0.277, 0.163, 0.333],
    [0.227, 0.347, 0.332, 0.217, 0.317],
    [-0.134, -0.146, 0.239, -0.230, 0.126],
]
WITHOUT_REFERENCE = [
    [0.088, -0.010, 0.024, -0.011, 0.002],
    [0.083, -0.009, 0.040, 0.005, 0.004],
    [0.093, 0.005, 0.044, 0.008, 0.006],
    [0.078, -0.031, 0.037, -0.012, -0.009],
]
SYSTEMS, SEGMENTS = len(HUMAN), len(HUMAN[0])


@cache
def _value(metric: str, grouping: str) -> Correlation:
    scores = {"COMET-20": WITH_REFERENCE, "COMET-QE": WITHOUT_REFERENCE}[metric]
    return correlate(HUMAN, scores, "acc_eq", grouping=grouping)


def _pairs_by_item(answer: Any) -> str:
    cells = SYSTEMS * SEGMENTS
    expect_number(
        answer,
        SEGMENTS * SYSTEMS * (SYSTEMS - 1) // 2,
        "How many pairs do the four translations of one segment make? Multiply by the number of segments.",
        {
            SYSTEMS * (SYSTEMS - 1) // 2: "These are the pairs of one segment.",
            cells * (cells - 1) // 2: "These are all pairs of translations, which are compared without grouping.",
            SYSTEMS
            * SEGMENTS
            * (SEGMENTS - 1)
            // 2: "These are the pairs by system: different segments of one system.",
        },
    )
    return "Most pairs of translations are of two different segments, and by item none of them counts."


def _by_item(answer: Any) -> str:
    expect_number(
        answer,
        _value("COMET-20", "item").value,
        "Choose the grouping by item in the figure and read the bar of COMET-20.",
        {
            _value("COMET-20", "global").value: "This is the value without grouping.",
            _value("COMET-20", "system").value: "This is the value by system.",
            _value("COMET-QE", "item").value: "This is the value of COMET-QE.",
        },
    )
    return "COMET-20 is ahead here, although COMET-QE is ahead without grouping."


def _best_for_the_other(answer: Any) -> str:
    values = {grouping: _value("COMET-QE", grouping).value for grouping in GROUPINGS}
    expect_name(
        answer,
        (max(GROUPINGS, key=lambda grouping: values[grouping]),),
        GROUPINGS,
        "Choose one grouping after the other and compare the bars of COMET-QE.",
        {"global": "Without grouping it is high, but another grouping leaves out the pairs that COMET-QE gets wrong."},
    )
    return "By system, a score is compared only with scores of other segments: knowing which segment is hard is enough."


def _one_score_per_segment(answer: Any) -> str:
    scores = expect_scores(answer, SEGMENTS)
    found = correlate(HUMAN, [scores.tolist()] * SYSTEMS, "acc_eq", grouping="global").value
    needed = _value("COMET-20", "global").value
    if found <= needed:
        raise WrongAnswerError(
            f"These scores reach {found:.3f}, COMET-20 has {needed:.3f}. Higher is better: which segments have low "
            "human scores, whatever the system?"
        )
    return f"They reach {found:.3f} without having read a translation. By item such a metric ties every pair."


EXERCISES = (_pairs_by_item, _by_item, _best_for_the_other, _one_score_per_segment)
