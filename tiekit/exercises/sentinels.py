"""Exercises of ``06_sentinels``: when does a metric with random noise beat the metric itself?"""

from __future__ import annotations

from functools import cache
from typing import Any

import pandas as pd

from tiekit.exercises.check import WrongAnswerError, expect_name, expect_number, number_of
from tiekit.readers.formats.mtme import load_wmt22
from tiekit.sentinels import perturb, tie_shares

DISCRETE, OTHERS = "MATESE-refA", ("COMET-22-refA", "BLEU-refA")
SENTINEL = f"{DISCRETE} + noise"
NAMES = (DISCRETE, SENTINEL, *OTHERS)
CLOSE = 0.001
"""Values that differ by at most this are level."""


@cache
def _values() -> pd.DataFrame:
    """The calibrated accuracy of each metric (columns) at each share of human ties (rows)."""
    data = load_wmt22()
    found = tie_shares(data.with_metric(SENTINEL, perturb(data, metric=DISCRETE)), NAMES, progress=False)
    values = found.pivot_table(index="share", columns="metric", values="value")
    values.attrs["own"] = float(found.loc[found["own"], "share"].iloc[0])
    return values


def _own_share(answer: Any) -> str:
    own = _values().attrs["own"]
    expect_number(
        answer,
        own,
        "In the table found, look for the rows where own is true; or use tk.count_ties.",
        {1 - own: "This is the share of pairs that the human orders."},
    )
    return "A metric that ties every pair is right on these, so it has an acc_eq as large as this share."


def _gain(answer: Any) -> str:
    first = _values().loc[0.0].to_dict()
    expect_number(
        answer,
        first[SENTINEL] - first[DISCRETE],
        "At a share of 0, subtract the value of MATESE from that of MATESE with noise.",
        {
            first[SENTINEL]: "This is the value with noise; the question asks for the gain.",
            first[DISCRETE]: "This is the value without noise; the question asks for the gain.",
        },
    )
    return "The human ties no pair there, so each tie of MATESE is an error. Of random guesses about half are right."


def _worst(answer: Any) -> str:
    first = _values().loc[0.0]
    expect_name(
        answer,
        (str(first.idxmin()),),
        NAMES,
        "Drag the rule to a share of 0 and look at the last bar.",
        {"BLEU-refA": "At the human's own share it is last. Drag the rule to 0."},
    )
    return "It has few distinct scores. An evaluation without human ties favors metrics that never tie."


def _level(answer: Any) -> str:
    values = _values()
    expect_a_share(answer)
    share = min(values.index, key=lambda one: abs(one - float(answer)))
    ahead = values.loc[share, SENTINEL] - values.loc[share, DISCRETE]
    if ahead > CLOSE:
        raise WrongAnswerError(f"At {share:.0%} human ties noise still adds {ahead:.3f}. Take a larger share.")
    return f"At {share:.0%} human ties calibration ties the noise again, so that it adds no more than {CLOSE}."


def expect_a_share(answer: Any) -> None:
    """Raise a hint unless the answer is a number from 0 to 1."""
    if not 0 <= number_of(answer) <= 1:
        raise WrongAnswerError("Give a share from 0 to 1.")


EXERCISES = (_own_share, _gain, _worst, _level)
