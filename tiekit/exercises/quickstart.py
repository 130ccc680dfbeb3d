"""Exercises of ``00_quickstart``: what does calibration change on WMT22 Chinese–English?"""

from __future__ import annotations

from functools import cache
from typing import Any

import pandas as pd

from tiekit.core.calibration import calibrate
from tiekit.core.correlation import correlate
from tiekit.exercises.check import expect_name, expect_number
from tiekit.ranking.board import leaderboard
from tiekit.readers.formats.mtme import load_wmt22

METRIC, OTHER, EPSILON = "COMET-22", "BLEU-refA", 0.3


@cache
def _board() -> pd.DataFrame:
    return leaderboard(load_wmt22(), coefficients=["acc_eq", "acc_eq*"], calibrated=())


def _highest(values: pd.Series[float]) -> str:
    return str(values.idxmax())


def _best_uncalibrated(answer: Any) -> str:
    board = _board()
    expect_name(
        answer,
        (_highest(board["acc_eq"]),),
        tuple(board.index),
        "Look at the column acc_eq, without a star: which metric has the largest value?",
        {_highest(board["acc_eq*"]): "This metric is best once ε is calibrated. Look at the column without a star."},
    )
    return "Its scores have few levels, so many of them tie, as human scores do: calibration adds little."


def _gain(answer: Any) -> str:
    before, after = (float(_board()[column][OTHER]) for column in ("acc_eq", "acc_eq*"))
    expect_number(
        answer,
        after - before,
        "Subtract BLEU's acc_eq from its acc_eq*.",
        {before: "This is the value without calibration.", after: "This is the value; the question asks for the gain."},
    )
    return "BLEU almost never ties two translations, and gains once close scores count as tied."


def _more_places_lost(answer: Any) -> str:
    board = _board()
    lost = board["rank(acc_eq*)"] - board["rank(acc_eq)"]
    expect_name(
        answer,
        (_highest(lost),),
        tuple(board.index),
        "Subtract rank(acc_eq) from rank(acc_eq*): a metric that loses places has a positive difference.",
        {
            _highest(-lost): "This metric gains the most places. A rank of 1 is the best.",
            _highest(board["rank(acc_eq*)"]): "This metric is last, but it was nearly last without calibration, too.",
        },
    )
    return "Its value rises, but those of others rise more."


def _at_epsilon(answer: Any) -> str:
    data = load_wmt22()
    found = calibrate(data, METRIC)
    expect_number(
        answer,
        correlate(data, METRIC, epsilon=EPSILON).value,
        f"Set explorer.epsilon = {EPSILON} and read explorer.value.",
        {
            found.value: f"This is the value at ε*. The question asks for ε = {EPSILON}.",
            found.value_at_zero: f"This is the value at ε = 0. The question asks for ε = {EPSILON}.",
        },
    )
    return "Beyond ε*, ties are added that the human scores do not have: the value falls again."


EXERCISES = (_best_uncalibrated, _gain, _more_places_lost, _at_epsilon)
