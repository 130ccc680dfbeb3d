"""Exercises of ``05_leaderboard``: how much does a metric's rank depend on the coefficient?"""

from __future__ import annotations

from functools import cache
from typing import Any

import pandas as pd

from tiekit.exercises.check import expect_name, expect_number
from tiekit.ranking.board import leaderboard
from tiekit.readers.formats.mtme import load_wmt22

COEFFICIENTS = ("tau_b", "acc_eq", "tau_10")
METRIC = "MATESE-refA"


@cache
def _board(*coefficients: str, grouping: str = "item") -> pd.DataFrame:
    return leaderboard(load_wmt22(), coefficients=list(coefficients), calibrated=(), grouping=grouping)


def _most_places_lost(answer: Any) -> str:
    board = _board(*COEFFICIENTS)
    lost = (board["rank(tau_10)"] - board["rank(acc_eq)"]).astype(float)
    expect_name(
        answer,
        (str(lost.idxmax()),),
        tuple(board.index),
        "Subtract rank(acc_eq) from rank(tau_10): a metric that loses places has a positive difference.",
        {str(lost.idxmin()): "This metric gains the most places. A rank of 1 is the best."},
    )
    return (
        "Its scores tie many pairs. acc_eq rewards a tie that the human makes too; τ_10 counts every tie as an error."
    )


def _worst_column(answer: Any) -> str:
    board = _board(*COEFFICIENTS)
    ranks = {name: int(board[f"rank({name})"][METRIC]) for name in COEFFICIENTS}
    expect_name(
        answer,
        (max(ranks, key=lambda name: ranks[name]),),
        (*COEFFICIENTS, "acc_eq*"),
        "Choose the line of MATESE in the figure. In which column is it lowest?",
        {"tau_b": "Not yet the lowest: a larger rank is worse."},
    )
    return "The same scores of the same metric: only the way to count ties has changed."


def _groups(answer: Any) -> str:
    found = _board(*COEFFICIENTS).loc[METRIC].to_dict()
    expect_number(
        answer,
        found["groups(tau_b)"],
        "Look at the column groups(tau_b), in the row of MATESE.",
        {
            found["groups(acc_eq)"]: "These are all segments. On some of them τ_b is undefined.",
            found["undefined(tau_b)"]: "This is the number of segments on which it is undefined.",
            found["groups(tau_10)"]: "This is the number for τ_10, which needs only one pair that the human orders.",
        },
    )
    return "The mean of another metric is over other segments. The notebook on the NaN problem shows what this can do."


def _best_ungrouped(answer: Any) -> str:
    board, by_item = _board("tau_b", grouping="global")["tau_b"], _board(*COEFFICIENTS)["tau_b"]
    expect_name(
        answer,
        (str(board.idxmax()),),
        tuple(board.index),
        'Compute tk.leaderboard(data, coefficients=["tau_b"], calibrated=(), grouping="global") and find the largest.',
        {str(by_item.idxmax()): "This metric is first by item. Give the argument grouping."},
    )
    return "So the winner depends on the grouping as well, not on the coefficient alone."


EXERCISES = (_most_places_lost, _worst_column, _groups, _best_ungrouped)
