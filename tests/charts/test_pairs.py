import json

import altair as alt
import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit import charts

FIGURE_2 = [0, 0, 0, 0, 1, 2], [0, 0, 0, 0, 2, 1]


def luminance(colour):
    """Relative luminance of #rrggbb, WCAG 2.2."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("ground", ["#FFFFFF", "#171614"])
@pytest.mark.parametrize("kind", charts.KIND_STYLE)
def test_colours_of_kinds_stand_out_in_both_themes(kind, ground):
    assert contrast(charts.KIND_STYLE[kind][0], ground) >= 3


@pytest.mark.parametrize("kind", charts.KIND_STYLE)
def test_glyphs_can_be_read_on_their_colours(kind):
    ink = "#FFFFFF" if kind == "concordant" else "#000000"
    assert contrast(charts.KIND_STYLE[kind][0], ink) >= 4.5


def test_kinds_have_a_colour_a_glyph_and_a_name_each():
    assert all(len(set(column)) == 5 for column in zip(*charts.KIND_STYLE.values(), strict=True))


@pytest.mark.parametrize(("theme", "ground"), [("light", "#FFFFFF"), ("dark", "#171614")])
def test_the_colours_of_words_can_be_read(theme, ground):
    assert set(charts.KIND_TEXT[theme]) == set(charts.KIND_STYLE)
    assert all(contrast(colour, ground) >= 4.5 for colour in charts.KIND_TEXT[theme].values())


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


def test_ranks_leave_out_the_undefined_and_share_a_label():
    board = pd.DataFrame(
        {
            "tau_b": [0.5, float("nan"), 0.2],
            "acc_eq*": [0.4, 0.6, 0.4],
            "rank(tau_b)": [1, None, 2],
            "rank(acc_eq*)": [2, 1, 2],
        },
        index=pd.Index(["a", "b", "c"], name="metric"),
    )
    frame = charts.rank_frame(board, ["tau_b", "acc_eq*"], ["a"])
    assert len(frame) == 5
    assert frame.loc[frame["end"] != "", ["rank", "end"]].to_numpy().tolist() == [[2, "a +1"], [1, "b"]]
    assert frame.groupby("metric")["picked"].first().to_dict() == {"a": True, "b": False, "c": False}


@pytest.mark.parametrize("theme", ["light", "dark"])
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
        fields = {part["field"] for part in _encodings(figure)}
        assert fields <= set(frame.columns)
        assert figure["config"]["axis"]["labelColor"] == {"light": "#111111", "dark": "#FAFAFA"}[theme]
        assert (figure["data"], "datasets" in figure) == ({"name": "source"}, False)
        json.dumps(figure)


def _encodings(part):
    """Every dict with a field, wherever it stands."""
    if isinstance(part, dict):
        if "field" in part:
            yield part
        for value in part.values():
            yield from _encodings(value)
    elif isinstance(part, list):
        for value in part:
            yield from _encodings(value)
