"""Curves over the candidates for epsilon."""

import numpy as np
import pytest

import tiekit as tk
from tiekit import charts


def test_a_curve_holds_each_value_until_the_next_candidate():
    frame = charts.curve_frame([0.0, 1.0, 3.0], [0.5, 0.75, float("nan")], 1)
    assert frame["epsilon"].tolist() == [0, 1, 1, 3, 3]
    assert frame["value"].tolist() == pytest.approx([0.5, 0.5, 0.75, 0.75, float("nan")], nan_ok=True)
    assert frame["now"].tolist() == [False, False, False, False, True]
    assert frame.loc[frame["best"], ["epsilon", "value", "label"]].to_numpy().tolist() == [
        [1.0, 0.75, "best 0.750 at ε = 1"]
    ]


def test_the_axes_of_a_curve_span_all_of_it_while_it_grows():
    figure = charts.curve_chart("acc_eq", (5.0, 0.4, 0.7), 300, "light", now=True, on_left=False)
    scales = [
        part["scale"]["domain"] for layer in figure["layer"] for part in layer["encoding"].values() if "scale" in part
    ]
    assert scales
    for low, high in scales:
        assert (low <= 0 and high >= 5) or (low <= 0.4 and high >= 0.7)


def test_the_accuracy_curve_has_three_lines_and_one_best():
    human, metric = [[1, 2, 2, 3, 4, 4]], [[2, 1, 1.5, 5, 3, 3.5]]
    found = tk.calibrate(human, metric, grouping="global")
    curve = found.curve()
    frame = charts.accuracy_frame(curve, "acc_eq", found.epsilon)
    assert frame.groupby("what").size().to_dict() == dict.fromkeys(("acc_eq", "F1 of ties", "F1 of ranks"), len(curve))
    for what, column in (("acc_eq", "value"), ("F1 of ties", "tie_f1"), ("F1 of ranks", "rank_f1")):
        rows = frame[frame["what"] == what]
        drawn, expected = rows[["epsilon", "tied", "value"]], curve[["epsilon", "tied", column]]
        assert drawn.to_numpy().tolist() == expected.to_numpy().tolist()
    best = frame[frame["label"] != ""]
    assert best[["epsilon", "value", "what"]].to_numpy().tolist() == [[found.epsilon, found.value, "acc_eq"]]
    assert best["label"].tolist() == [f"{found.value:.4f} at ε* = {found.epsilon:.5g}"]


def test_an_infinite_candidate_is_not_drawn():
    found = tk.calibrate([1, 1], [-1.7e308, 1.7e308])
    assert found.epsilon == float("inf")
    assert np.isfinite(charts.accuracy_frame(found.curve(), "acc_eq", found.epsilon)["epsilon"]).all()
