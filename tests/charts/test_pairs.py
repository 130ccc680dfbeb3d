"""Pictures of pairs, thresholds and ties: their frames say what the library says, and every figure is valid."""

import numpy as np
import pytest

import tiekit as tk
from tiekit import charts

FIGURE_2 = [0, 0, 0, 0, 1, 2], [0, 0, 0, 0, 2, 1]


def test_the_matrix_has_a_cell_a_pair():
    frame = charts.matrix_frame(*FIGURE_2, 0.0)
    assert len(frame) == 15
    assert frame.set_index(["i", "j"])["glyph"].to_dict()[5, 6] == "D"
    assert frame["glyph"].value_counts().to_dict() == {"C": 8, "=": 6, "D": 1}


def test_new_ties_are_those_that_the_epsilon_before_did_not_tie():
    pairs = [0, 0, 0, 0, 1, 2], [0, 1, 2, 3, 4, 5]
    frame = charts.step_frame(*pairs, 2.0, 1.0).set_index(["i", "j"])
    assert frame.index[frame["fresh"]].tolist() == [(1, 3), (2, 4), (3, 5), (4, 6)]
    assert frame.loc[(1, 3), ["before", "kind"]].tolist() == ["ties_human", "ties_both"]
    assert frame.loc[(4, 6), ["before", "kind"]].tolist() == ["concordant", "ties_metric"]
    assert frame["kind"].tolist() == charts.matrix_frame(*pairs, 2.0)["kind"].tolist()


def test_no_layer_of_a_figure_is_left_empty():
    undefined = charts.curve_chart("τ_b", (5.0, 0.4, 0.7), 300, "light", now=False, on_left=False)
    assert not any(layer["mark"]["type"] == "point" for layer in undefined["layer"])
    marks = [layer["mark"]["type"] for layer in charts.matrix_chart(6, "light")["layer"]]
    assert marks.count("rect") == 1


def test_values_are_the_librarys():
    frame = charts.value_frame(*FIGURE_2, 0.0, list(tk.COEFFICIENTS)).set_index("name")
    for name in tk.COEFFICIENTS:
        assert frame.loc[name, "value"] == tk.correlate(*FIGURE_2, name).value
    tied = charts.value_frame([1, 2], [3, 3], 0.0, ["tau_b", "acc_eq"])
    assert tied["shown"].tolist() == ["undefined", "0.000"]


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
    assert frame["chance"].dropna().tolist() == best["chance"].tolist() == [tk.measures.chance_level(2 / 15)]
    assert charts.accuracy_frame(found.curve(coefficient="tau_eq"), "tau_eq", found.epsilon)["chance"].isna().all()


def test_an_infinite_candidate_is_not_drawn():
    found = tk.calibrate([1, 1], [-1.7e308, 1.7e308])
    assert found.epsilon == float("inf")
    assert np.isfinite(charts.accuracy_frame(found.curve(), "acc_eq", found.epsilon)["epsilon"]).all()


NAN = float("nan")
REASONS = list(charts.REASON_STYLE)
WORDS = ["h  human ties", "m  metric ties", "=  both tie", "–  too few scores"]
HUMAN, METRIC = [[1, 1], [2, 3], [3, 2]], [[1, 4], [2, 5], [3, 9]]


@pytest.mark.parametrize(
    ("value", "reason", "words"),
    [(0.5, "", "0.50"), (-0.25, REASONS[1], "−0.25"), *zip([NAN] * 4, REASONS, WORDS, strict=True)],
)
def test_a_cell_shows_its_value_or_why_there_is_none(value, reason, words):
    assert charts.group_words(value, reason) == words


def test_every_reason_of_the_library_has_a_color_a_glyph_and_a_name():
    given = [([1, 1], [1, 2]), ([1, 2], [1, 1]), ([1, 1], [1, 1]), ([1, NAN], [1, 2])]
    assert [tk.core.why_undefined(tk.count_pairs(*pair)) for pair in given] == REASONS


def test_the_bucket_frame_is_the_curve():
    curve = tk.bucket_curve(HUMAN, METRIC, [2, 8])
    frame = charts.bucket_frame(curve, ("tau_b", "acc_eq"), 8)
    assert frame["what"].tolist() == ["τ_b", "τ_b", "acc_eq", "acc_eq"]
    assert frame["k"].tolist() == [2, 8, 2, 8]
    assert frame["value"].tolist() == [*curve["tau_b"], *curve["acc_eq"]]
    assert frame["groups"].tolist() == [1, 2, 2, 2]
    assert frame["now"].tolist() == [False, True, False, True]


def test_the_untied_frame_has_every_repetition():
    frame = charts.untied_frame({"τ_10": -0.5}, {"τ_10": [0.1, 0.2]})
    assert frame.to_numpy().tolist() == [
        ["τ_10", -0.5, "with its ties"],
        ["τ_10", 0.1, "ties broken"],
        ["τ_10", 0.2, "ties broken"],
    ]


def test_named_levels_are_drawn_with_their_names():
    layers = charts.bucket_chart("value", "v", ("τ_b", "acc_eq"), (0.5, NAN), "light", (("best", 0.7), ("tied", 0.6)))[
        "layer"
    ]
    named = {layer["mark"]["text"]: layer["encoding"]["y"]["datum"] for layer in layers if "text" in layer["mark"]}
    assert named == {"best": 0.7, "tied": 0.6}
    rules = [layer["encoding"]["y"]["datum"] for layer in layers if layer["mark"]["type"] == "rule"]
    assert sorted(rules) == [0.5, 0.6, 0.7]


def test_no_layer_of_buckets_is_left_empty():
    levels = charts.bucket_chart("value", "v", ("τ_b", "acc_eq"), (0.5, NAN), "light")["layer"]
    assert sum(layer["mark"]["type"] == "rule" for layer in levels) == 1
