"""Pictures of pairs and values; every figure of pairs, thresholds and ranks is valid."""

import json

import altair as alt
import pandas as pd
import pytest

import tiekit as tk
from tests.charts.reading import encodings
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


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.campaign)])
def test_figures_are_valid_and_draw_their_frame(theme):
    board = pd.DataFrame({"tau_b": [0.5], "rank(tau_b)": [1]}, index=pd.Index(["a"], name="metric"))
    drawn = [
        (charts.value_chart(("τ_a", "τ_b"), theme), charts.value_frame(*FIGURE_2, 0.0, ["tau_a", "tau_b"])),
        (charts.matrix_chart(6, theme), charts.matrix_frame(*FIGURE_2, 0.0)),
        (charts.matrix_chart(6, theme, fresh=True), charts.step_frame(*FIGURE_2, 1.0, 0.0)),
        (
            charts.curve_chart("acc_eq", (1.0, 0.5, 0.5), 300, theme, now=True, on_left=True),
            charts.curve_frame([0.0, 1.0], [0.5, 0.5], 0),
        ),
        (
            charts.accuracy_chart("acc_eq", "tied", "share", theme, on_left=True),
            charts.accuracy_frame(tk.calibrate(*FIGURE_2).curve(), "acc_eq", 0.0),
        ),
        (
            charts.rank_chart(("tau_b",), 1, ("a",), theme, alone=True, names=True),
            charts.rank_frame(board, ["tau_b"], ["a"]),
        ),
    ]
    for figure, frame in drawn:
        chart = alt.Chart.from_dict(figure).properties(data=frame).to_dict()
        assert len(next(iter(chart["datasets"].values()))) == len(frame)
        fields = {part["field"] for part in encodings(figure)}
        assert fields <= set(frame.columns)
        assert figure["config"]["axis"]["labelColor"] == {"light": "#111111", "dark": "#FAFAFA"}[theme]
        assert (figure["data"], "datasets" in figure) == ({"name": "source"}, False)
        json.dumps(figure)
