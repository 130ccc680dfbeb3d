"""Pictures of the NaN lesson: their frames say what the library says, their colors can be read."""

import altair as alt
import pytest

import tiekit as tk
from tests.charts.reading import contrast, encodings
from tiekit import charts

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
    assert all(len(set(column)) == 4 for column in zip(*charts.REASON_STYLE.values(), strict=True))


@pytest.mark.parametrize("reason", REASONS)
def test_reasons_can_be_read_on_their_colors(reason):
    ink = "#FFFFFF" if reason == "all metric scores tie" else "#000000"
    assert contrast(charts.REASON_STYLE[reason][0], ink) >= 4.5


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


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.campaign)])
def test_figures_are_valid_and_draw_their_frame(theme):
    curve = charts.bucket_frame(tk.bucket_curve(HUMAN, METRIC, [2, 8]), ("tau_b", "acc_eq"), 2)
    labels = "τ_b", "acc_eq"
    for frame, figure in (
        (curve, charts.bucket_chart("value", "value", labels, (0.5, NAN), theme)),
        (curve, charts.bucket_chart("groups", "groups", labels, (2, 2), theme)),
        (curve, charts.bucket_chart("value", "value", labels, (0.5, 0.4), theme, (("best", 0.7), ("tied", 0.6)))),
        (charts.untied_frame({"a": 1.0}, {"a": [0.5]}), charts.untied_chart(("a",), theme)),
    ):
        assert alt.Chart.from_dict(figure).properties(data=frame).to_dict()["layer"]
        fields = {part["field"] for part in encodings(figure)}
        assert fields <= set(frame.columns)


def test_named_levels_are_drawn_with_their_names():
    layers = charts.bucket_chart("value", "v", ("τ_b", "acc_eq"), (0.5, NAN), "light", (("best", 0.7), ("tied", 0.6)))[
        "layer"
    ]
    named = {layer["mark"]["text"]: layer["encoding"]["y"]["datum"] for layer in layers if "text" in layer["mark"]}
    assert named == {"best": 0.7, "tied": 0.6}
    rules = [layer["encoding"]["y"]["datum"] for layer in layers if layer["mark"]["type"] == "rule"]
    assert sorted(rules) == [0.5, 0.6, 0.7]


def test_no_layer_of_a_figure_is_left_empty():
    levels = charts.bucket_chart("value", "v", ("τ_b", "acc_eq"), (0.5, NAN), "light")["layer"]
    assert sum(layer["mark"]["type"] == "rule" for layer in levels) == 1
