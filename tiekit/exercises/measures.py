"""Exercises of ``08_measures``: how alike do two measures rank the same metrics?"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from tiekit.core.registry import COEFFICIENTS
from tiekit.exercises.check import expect_name, expect_number
from tiekit.measures import GAO_MEASURES, evaluate_measures, pairwise_accuracy
from tiekit.readers.formats.mtme import load_wmt22
from tiekit.research.measures.evaluate import agreement_of, read_dataset

METRIC, OTHER = "COMET-22", "BLEU"
MEASURE, UNGROUPED, MEANS = "item/tau_b", "global/tau_b", "system_means/pearson"


@cache
def _values() -> pd.DataFrame:
    return evaluate_measures(load_wmt22(), progress=False)


@cache
def _agreement() -> pd.DataFrame:
    found = agreement_of(_values().to_numpy(float).T, COEFFICIENTS["tau_b"])
    return pd.DataFrame(found, index=GAO_MEASURES, columns=GAO_MEASURES)


def _two_groupings(answer: Any) -> str:
    alike = _agreement()[MEASURE].to_dict()
    expect_number(
        answer,
        alike[UNGROUPED],
        "Choose the square of the two measures in the figure, or compare the two columns of values by τ_b.",
        {
            alike["item/spearman"]: "This is the agreement with Spearman by item. Take τ_b without grouping.",
            alike["system/tau_b"]: "This is the agreement with τ_b by system. Take τ_b without grouping.",
        },
    )
    return "It is the same coefficient: only the pairs that it compares are others."


def _closest(answer: Any) -> str:
    alike = _agreement()[MEASURE].drop(MEASURE)
    expect_name(
        answer,
        (str(alike.idxmax()),),
        GAO_MEASURES,
        "In the square, look along the row of τ_b by item for the largest value beside the measure itself.",
        {
            MEASURE: "This is the measure itself. Which other one is closest?",
            UNGROUPED: "This has the same coefficient. Is there one with the same grouping that is closer?",
        },
    )
    return "It has the same grouping. On this set the grouping matters more than the coefficient."


def _best_by_means(answer: Any) -> str:
    values = _values()
    expect_name(
        answer,
        (str(values[MEANS].idxmax()),),
        tuple(values.index),
        "Look at the column system_means/pearson of the table values: which metric has the largest value?",
        {str(values["global/pearson"].idxmax()): "This metric is first by Pearson without grouping."},
    )
    return "Another measure has another winner. Say which measure you use, and choose it before you see the result."


def _pairwise_gain(answer: Any) -> str:
    data = load_wmt22()
    value, other = pairwise_accuracy(data, METRIC), pairwise_accuracy(data, OTHER)
    said = "This is the value of one metric; the question asks for the difference."
    expect_number(
        answer,
        value - other,
        f"Subtract the pairwise accuracy of {OTHER} from that of {METRIC}.",
        {value: said, other: said},
    )
    scores = read_dataset(data, METRIC)[0]
    n = int(np.isfinite(scores).any(axis=1).sum())
    pairs = n * (n - 1) // 2
    return f"{n} systems make only {pairs} pairs, so that one pair more or less changes the value by {1 / pairs:.3f}."


EXERCISES = (_two_groupings, _closest, _best_by_means, _pairwise_gain)
