"""Calls that a type checker accepts, and calls that it refuses: mypy reads them in `make lint`, nothing runs them."""

import numpy as np

import tiekit as tk
from tiekit.base.validation import FloatArray


def accepted(data: tk.EvalSet, scores: FloatArray) -> list[float]:
    named = tk.correlate(data, "BLEU", "tau_b", human="mqm", exclude=(), grouping="item", undefined="zero")
    vectors = tk.correlate([1, 2, 2], np.array([1.0, 3.0, 2.0]), epsilon=0.5)
    best = tk.calibrate(human=scores, metric=scores, difference="relative")
    folds = tk.cross_validate(data, metric="BLEU", folds=3, rng=1)
    board = tk.leaderboard(data, ["mqm", "esa"], coefficients="tau_b")
    return [float(named), float(vectors), best.epsilon, folds.epsilon, float(board["mqm/tau_b"].iloc[0])]


def refused(data: tk.EvalSet, scores: FloatArray) -> None:
    tk.correlate()  # type: ignore[call-overload]
    tk.correlate(data)  # type: ignore[call-overload]
    tk.correlate(scores)  # type: ignore[call-overload]
    tk.correlate(data, "BLEU", humn="mqm")  # type: ignore[call-overload]
    tk.correlate(data, metrics="BLEU")  # type: ignore[call-overload]
    tk.correlate(data, "BLEU", epsilon="0.5")  # type: ignore[call-overload]
    tk.calibrate()  # type: ignore[call-overload]
    tk.calibrate(data, "BLEU", epsilon=0.5)  # type: ignore[call-overload]
    tk.cross_validate(data, "BLEU", fold=3)  # type: ignore[call-overload]
    tk.leaderboard()  # type: ignore[call-arg]
    tk.standing(data)  # type: ignore[call-arg]
