"""Exercises of the notebooks on WMT22 Chinese–English."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from tiekit.api import calibrate, correlate
from tiekit.core.grouping import DEFAULT_GROUPING
from tiekit.core.registry import COEFFICIENTS
from tiekit.exercises.check import WrongAnswerError, expect_a_share, expect_name, expect_number
from tiekit.measures import GAO_MEASURES, evaluate_measures, pairwise_accuracy
from tiekit.measures.evaluate import agreement_of, read_dataset
from tiekit.ranking.board import leaderboard
from tiekit.readers.data_sets import load_wmt22
from tiekit.sentinels import perturb, tie_shares

# 00_quickstart: what does calibration change on WMT22 Chinese–English? ------------------------------------------------


@cache
def _board(*coefficients: str, grouping: str = DEFAULT_GROUPING) -> pd.DataFrame:
    return leaderboard(load_wmt22(), coefficients=list(coefficients), calibrated=(), grouping=grouping)


NEURAL_METRIC, SURFACE_METRIC, EPSILON = "COMET-22", "BLEU-refA", 0.3


def _highest(values: pd.Series[float]) -> str:
    return str(values.idxmax())


def _best_uncalibrated(answer: Any) -> str:
    board = _board("acc_eq", "acc_eq*")
    expect_name(
        answer,
        (_highest(board["acc_eq"]),),
        tuple(board.index),
        "Look at the column acc_eq, without a star: which metric has the largest value?",
        {_highest(board["acc_eq*"]): "This metric is best once ε is calibrated. Look at the column without a star."},
    )
    return "Its scores have few levels, so many of them tie, as human scores do: calibration adds little."


def _calibration_gain(answer: Any) -> str:
    before, after = (float(_board("acc_eq", "acc_eq*")[column][SURFACE_METRIC]) for column in ("acc_eq", "acc_eq*"))
    expect_number(
        answer,
        after - before,
        "Subtract BLEU's acc_eq from its acc_eq*.",
        {before: "This is the value without calibration.", after: "This is the value; the question asks for the gain."},
    )
    return "BLEU almost never ties two translations, and gains once close scores count as tied."


def _more_places_lost(answer: Any) -> str:
    board = _board("acc_eq", "acc_eq*")
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
    found = calibrate(data, NEURAL_METRIC)
    expect_number(
        answer,
        correlate(data, NEURAL_METRIC, epsilon=EPSILON).value,
        f"Set explorer.epsilon = {EPSILON} and read explorer.value.",
        {
            found.value: f"This is the value at ε*. The question asks for ε = {EPSILON}.",
            found.value_at_zero: f"This is the value at ε = 0. The question asks for ε = {EPSILON}.",
        },
    )
    return "Beyond ε*, ties are added that the human scores do not have: the value falls again."


# 05_leaderboard: how much does a metric's rank depend on the coefficient? ---------------------------------------------

BOARD_COEFFICIENTS = ("tau_b", "acc_eq", "tau_10")


def _most_places_lost(answer: Any) -> str:
    board = _board(*BOARD_COEFFICIENTS)
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
    board = _board(*BOARD_COEFFICIENTS)
    ranks = {name: int(board[f"rank({name})"][DISCRETE]) for name in BOARD_COEFFICIENTS}
    expect_name(
        answer,
        (max(ranks, key=lambda name: ranks[name]),),
        (*BOARD_COEFFICIENTS, "acc_eq*"),
        "Choose the line of MATESE in the figure. In which column is it lowest?",
        {"tau_b": "Not yet the lowest: a larger rank is worse."},
    )
    return "The same scores of the same metric: only the way to count ties has changed."


def _groups(answer: Any) -> str:
    found = _board(*BOARD_COEFFICIENTS).loc[DISCRETE].to_dict()
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
    board, by_item = _board("tau_b", grouping="global")["tau_b"], _board(*BOARD_COEFFICIENTS)["tau_b"]
    expect_name(
        answer,
        (str(board.idxmax()),),
        tuple(board.index),
        'Compute tk.leaderboard(data, coefficients=["tau_b"], calibrated=(), grouping="global") and find the largest.',
        {str(by_item.idxmax()): "This metric is first by item. Give the argument grouping."},
    )
    return "So the winner depends on the grouping as well, not on the coefficient alone."


# 06_sentinels: when does a metric with random noise beat the metric itself? -------------------------------------------

DISCRETE, OTHERS = "MATESE-refA", ("COMET-22-refA", "BLEU-refA")
SENTINEL = f"{DISCRETE} + noise"
NAMES = (DISCRETE, SENTINEL, *OTHERS)
CLOSE = 0.001
"""Values that differ by at most this are level."""


@cache
def _values_by_share() -> pd.DataFrame:
    """The calibrated accuracy of each metric (columns) at each share of human ties (rows)."""
    data = load_wmt22()
    found = tie_shares(data.with_metric(SENTINEL, perturb(data, metric=DISCRETE)), NAMES, progress=False)
    values = found.pivot_table(index="share", columns="metric", values="value")
    values.attrs["own"] = float(found.loc[found["own"], "share"].iloc[0])
    return values


def _own_share(answer: Any) -> str:
    own = _values_by_share().attrs["own"]
    expect_number(
        answer,
        own,
        "In the table found, look for the rows where own is true; or use tk.count_ties.",
        {1 - own: "This is the share of pairs that the human orders."},
    )
    return "A metric that ties every pair is right on these, so it has an acc_eq as large as this share."


def _noise_gain(answer: Any) -> str:
    first = _values_by_share().loc[0.0].to_dict()
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
    first = _values_by_share().loc[0.0]
    expect_name(
        answer,
        (str(first.idxmin()),),
        NAMES,
        "Drag the rule to a share of 0 and look at the last bar.",
        {"BLEU-refA": "At the human's own share it is last. Drag the rule to 0."},
    )
    return "It has few distinct scores. An evaluation without human ties favors metrics that never tie."


def _level(answer: Any) -> str:
    values = _values_by_share()
    expect_a_share(answer)
    share = min(values.index, key=lambda one: abs(one - float(answer)))
    ahead = values.loc[share, SENTINEL] - values.loc[share, DISCRETE]
    if ahead > CLOSE:
        raise WrongAnswerError(f"At {share:.0%} human ties noise still adds {ahead:.3f}. Take a larger share.")
    return f"At {share:.0%} human ties calibration ties the noise again, so that it adds no more than {CLOSE}."


# 08_measures: how alike do two measures rank the same metrics? --------------------------------------------------------

MEASURE, UNGROUPED, MEANS = "item/tau_b", "global/tau_b", "system_means/pearson"


@cache
def _values_by_measure() -> pd.DataFrame:
    return evaluate_measures(load_wmt22(), progress=False)


@cache
def _agreement() -> pd.DataFrame:
    found = agreement_of(_values_by_measure().to_numpy(float).T, COEFFICIENTS["tau_b"])
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
    values = _values_by_measure()
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
    value, other = pairwise_accuracy(data, NEURAL_METRIC), pairwise_accuracy(data, "BLEU")
    said = "This is the value of one metric; the question asks for the difference."
    expect_number(
        answer,
        value - other,
        f"Subtract the pairwise accuracy of BLEU from that of {NEURAL_METRIC}.",
        {value: said, other: said},
    )
    scores = read_dataset(data, NEURAL_METRIC)[0]
    n = int(np.isfinite(scores).any(axis=1).sum())
    pairs = n * (n - 1) // 2
    return f"{n} systems make only {pairs} pairs, so that one pair more or less changes the value by {1 / pairs:.3f}."


EXERCISES = {
    "00_quickstart": (_best_uncalibrated, _calibration_gain, _more_places_lost, _at_epsilon),
    "05_leaderboard": (_most_places_lost, _worst_column, _groups, _best_ungrouped),
    "06_sentinels": (_own_share, _noise_gain, _worst, _level),
    "08_measures": (_two_groupings, _closest, _best_by_means, _pairwise_gain),
}
"""The exercises of each notebook."""
