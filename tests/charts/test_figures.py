"""Every figure is valid, draws columns of its frame, and can be read in both themes."""

import json

import altair as alt
import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.charts.reading import KINDS, METRICS, PREFERENCES, RANKINGS, bias, contrast, encodings
from tiekit import charts
from tiekit.charts.measures import LINES
from tiekit.charts.style import INK

NAN = float("nan")
PAIR = [0, 0, 0, 0, 1, 2], [0, 0, 0, 0, 2, 1]
GROUND = {"light": "#FFFFFF", "dark": "#171614"}
CURVE = charts.bucket_frame(
    tk.bucket_curve([[1, 1], [2, 3], [3, 2]], [[1, 4], [2, 5], [3, 9]], [2, 8]), ("tau_b", "acc_eq"), 2
)
CAPS = charts.cap_frame({"de-en": tk.judgments.attainable(RANKINGS)}, {"de-en": 0.25})
DOTS = charts.dot_frame(pd.Series({"a": 0.5, "b": NAN}), pd.Series({"a": 1, "b": pd.NA}, dtype="Int64"))
PVALUES = charts.pvalue_frame(pd.DataFrame([[NAN, 0.05], [0.05, NAN]], ["a", "b"], ["a", "b"]))
SHARES = charts.share_frame(
    tk.sentinels.tie_shares([1, 2, 2, 3], {name: [i, 2, 4, 3] for i, name in enumerate(METRICS)}, grouping=None),
    dict(zip(METRICS, KINDS, strict=True)),
)
SQUARES = charts.correlations_frame(tk.sentinels.metric_correlations({"a": [1, 2, 3], "b": [3, 2, 4]}, grouping=None))
TESTS = {"measure": ["item/tau_b"] * 2, "place": [1, 2], "first": "a", "second": ["b", "c"], "p": [0.4, 0.1]}
TABLE = {"DP": [0.2], "rank(DP)": [1], "RC": [0.7], "rank(RC)": [1]}
TURNS = charts.turn_frame(pd.DataFrame({"m": [0.1, NAN], "n": [0.2, 0.3]}, index=["global", "item"]))
RANKS = pd.DataFrame({"tau_b": [0.5], "rank(tau_b)": [1]}, index=pd.Index(["a"], name="metric"))
UNITY = charts.unity_frame(PREFERENCES)
VALUES = charts.granularity_frame(pd.DataFrame({"item/tau_b": [NAN, 0.25], "item/acc_eq*": [0.5, 0.5]}, index=[1, 2]))

FIGURES = {
    "accuracy": (
        charts.accuracy_frame(tk.calibrate(*PAIR).curve(), "acc_eq", 0.0),
        lambda theme: charts.accuracy_chart("acc_eq", "tied", "share", theme, on_left=True),
    ),
    "bars": (charts.distribution_frame([1, 2, 3], {"mean": 2}), lambda t: charts.distribution_chart("x", "groups", t)),
    "bucket groups": (CURVE, lambda t: charts.bucket_chart("groups", "groups", ("τ_b", "acc_eq"), (2, 2), t)),
    "bucket values": (CURVE, lambda t: charts.bucket_chart("value", "value", ("τ_b", "acc_eq"), (0.5, NAN), t)),
    "bucket levels": (
        CURVE,
        lambda t: charts.bucket_chart("value", "v", ("τ_b", "acc_eq"), (0.5, 0.4), t, (("best", 0.7), ("tied", 0.6))),
    ),
    "cap": (CAPS, lambda theme: charts.cap_chart(("de-en",), "τ_14", -1.0, theme, metric="BLEU")),
    "cap of acc_eq": (CAPS, lambda theme: charts.cap_chart(("de-en",), "acc_eq", 0.0, theme)),
    "correlations": (SQUARES, lambda theme: charts.correlations_chart(("a", "b"), "Pearson r", theme)),
    "curve": (
        charts.curve_frame([0.0, 1.0], [0.5, 0.5], 0),
        lambda theme: charts.curve_chart("acc_eq", (1.0, 0.5, 0.5), 300, theme, now=True, on_left=True),
    ),
    "dots": (DOTS, lambda theme: charts.dot_chart(("a",), "acc_eq", theme, clusters=True)),
    "granularity": (VALUES, lambda t: charts.granularity_chart(("item/tau_b", "item/acc_eq*"), t, column="change")),
    "interval": (charts.interval_frame({"a": (0.3, 0.2, 0.5)}), lambda t: charts.interval_chart(("a",), "acc_eq*", t)),
    "length": (charts.length_frame(bias()), lambda theme: charts.length_chart("metric", "m", theme)),
    "many correlations": (SQUARES, lambda t: charts.correlations_chart(tuple(map(str, range(24))), "Pearson r", t)),
    "matrix": (charts.matrix_frame(*PAIR, 0.0), lambda theme: charts.matrix_chart(6, theme)),
    "perfect": (charts.perfect_frame(bias()), lambda theme: charts.perfect_chart(('it\'s "h"', "m"), theme)),
    "points": (charts.scatter_frame([1, 2], [3, 4]), lambda theme: charts.scatter_chart(theme)),
    "power": (
        charts.power_frame(pd.DataFrame(TESTS)),
        lambda theme: charts.power_chart(tk.measures.GAO_MEASURES, theme, alpha=0.01),
    ),
    "pvalues": (PVALUES, lambda theme: charts.pvalue_chart(("a", "b"), theme)),
    "ranks": (
        charts.rank_frame(RANKS, ["tau_b"], ["a"]),
        lambda theme: charts.rank_chart(("tau_b",), 1, ("a",), theme, alone=True, names=True),
    ),
    "shares": (SHARES, lambda theme: charts.share_chart("value", "acc_eq*", METRICS, KINDS, theme)),
    "shares' epsilon": (SHARES, lambda theme: charts.share_chart("epsilon", "ε*", METRICS, KINDS, theme)),
    "steps": (charts.step_frame(*PAIR, 1.0, 0.0), lambda theme: charts.matrix_chart(6, theme, fresh=True)),
    "swaps": (charts.swap_frame([-1.0, 0.0, 0.5, np.nan], 0.5), lambda theme: charts.swap_chart("difference", theme)),
    "trust": (
        charts.trust_frame(pd.DataFrame(TABLE | {"grouping": "item", "coefficient": "tau_b"}, index=["item/tau_b"])),
        lambda theme: charts.trust_chart(("item/tau_b",), theme),
    ),
    "turns": (TURNS, lambda theme: charts.turn_chart(("global", "item"), ("m", "n"), "tau", theme)),
    "unity": (UNITY, lambda theme: charts.unity_chart(tuple(UNITY["judgments"].unique()), theme)),
    "untied": (charts.untied_frame({"a": 1.0}, {"a": [0.5]}), lambda theme: charts.untied_chart(("a",), theme)),
    "values": (charts.value_frame(*PAIR, 0.0, ["tau_a", "tau_b"]), lambda t: charts.value_chart(("τ_a", "τ_b"), t)),
}


def test_every_figure_is_looked_at():
    drawn = {name for _, draw in FIGURES.values() for name in draw.__code__.co_names}
    assert {name for name in vars(charts) if name.endswith("_chart")} <= drawn


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.campaign)])
@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_is_valid_and_draws_its_frame(name, theme):
    frame, draw = FIGURES[name]
    figure = draw(theme)
    chart = alt.LayerChart.from_dict(figure, validate=False).properties(data=frame).to_dict()  # validates it, once
    assert chart["layer"]
    assert len(next(iter(chart["datasets"].values()))) == len(frame)
    assert {part["field"] for part in encodings(figure)} - {"rank", "mirrored"} <= set(frame.columns)
    assert figure["config"]["axis"]["labelColor"] == INK[theme]
    assert (figure["data"], "datasets" in figure) == ({"name": "source"}, False)
    json.dumps(figure)


@pytest.mark.parametrize("theme", GROUND)
def test_colors_of_lines_words_and_measures_can_be_read(theme):
    colors = [*LINES[theme], *charts.KIND_TEXT[theme].values()]
    colors += [style[theme == "dark"] for style in charts.GROUPING_STYLE.values()]
    assert min(contrast(color, GROUND[theme]) for color in colors) >= 4.5
    assert set(charts.KIND_TEXT[theme]) == set(charts.KIND_STYLE)


@pytest.mark.parametrize(
    ("style", "on_white"),
    [(charts.KIND_STYLE, {"concordant"}), (charts.REASON_STYLE, {"all metric scores tie"})],
    ids=["kinds", "reasons"],
)
def test_glyphs_can_be_read_on_their_colors_and_differ_as_names_do(style, on_white):
    for name, (color, _, _) in style.items():
        assert contrast(color, "#FFFFFF" if name in on_white else "#000000") >= 4.5
    assert all(len(set(column)) == len(style) for column in zip(*style.values(), strict=True))


@pytest.mark.parametrize("style", [charts.KIND_STYLE, charts.UNITY_STYLE], ids=["kinds", "unity"])
@pytest.mark.parametrize("ground", GROUND.values())
def test_marks_stand_out_in_both_themes(style, ground):
    assert min(contrast(color, ground) for color, _, _ in style.values()) >= 3
