"""Pictures of measures: their frames say what the library says, and they can be read."""

import json

import altair as alt
import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.charts.reading import contrast, encodings
from tiekit import charts
from tiekit.charts.measures import LINES, line_colors
from tiekit.core.grouping import DOCUMENT_GROUPINGS

GROUND = {"light": "#FFFFFF", "dark": "#0E1117"}
MEASURES = tk.measures.GAO_MEASURES


def draw(figure, frame):
    """Altair checks the figure against the schema."""
    return alt.Chart.from_dict(figure).properties(data=frame).to_dict()


def test_measures_are_printed_in_words():
    assert charts.measure_label("item/acc_eq*") == "by item, acc_eq*"
    assert len({charts.measure_label(name) for name in tk.measures.all_measures()}) == 77
    assert charts.measure_label("document_means/tau_b") == "document means, τ_b"
    assert set(charts.GROUPING_STYLE) == {*tk.GROUPINGS, *DOCUMENT_GROUPINGS}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_colors_are_apart_from_the_ground(theme):
    for _, *colors in charts.GROUPING_STYLE.values():
        assert contrast(colors[theme == "dark"], GROUND[theme]) >= 4.5


def test_p_values_are_drawn_as_they_are_sorted_with_the_level():
    tests = pd.DataFrame(
        {"measure": ["item/tau_b"] * 2, "place": [1, 2], "first": "a", "second": ["b", "c"], "p": [0.4, 0.1]}
    )
    frame = charts.power_frame(tests)
    assert frame["pair"].tolist() == ["a – b", "a – c"]
    assert frame["grouping"].tolist() == ["by item"] * 2
    figure = charts.power_chart(MEASURES, "dark", alpha=0.01)
    assert figure["layer"][0]["encoding"]["y"]["datum"] == 0.01
    color = figure["layer"][1]["encoding"]["color"]
    assert color["scale"]["domain"] == ["without grouping", "by item", "by system", "system means"]
    draw(figure, frame)


def test_power_and_steadiness_are_those_of_the_table():
    table = pd.DataFrame(
        {"grouping": "item", "coefficient": "tau_b", "DP": [0.2], "rank(DP)": [1], "RC": [0.7], "rank(RC)": [1]},
        index=["item/tau_b"],
    )
    frame = charts.trust_frame(table)
    assert frame.loc[0, ["label", "DP", "rank_dp", "RC", "rank_rc"]].tolist() == ["by item, τ_b", 0.2, 1, 0.7, 1]
    figure = charts.trust_chart(("item/tau_b",), "light")
    assert figure["layer"][0]["encoding"]["shape"]["scale"]["domain"] == ["τ_b"]
    draw(figure, frame)


def test_coarser_scales_are_set_against_the_coarsest():
    values = pd.DataFrame({"item/tau_b": [np.nan, 0.25, 0.5], "item/acc_eq*": [0.5, 0.5, 0.75]}, index=[1, 2, 9])
    frame = charts.granularity_frame(values)
    assert frame["G"].tolist() == [2, 9, 1, 2, 9]
    assert frame["change"].tolist() == [0, 0.25, 0, 0, 0.25]
    figure = charts.granularity_chart(tuple(values), "light", column="change", title="change")
    assert figure["layer"][0]["encoding"]["y"]["field"] == "change"
    draw(figure, frame)


NAN = float("nan")
METRICS = ("GEMBA", "GEMBA-2", "GEMBA + noise", "GEMBA-2 + noise", "COMET")
KINDS = ("discrete", "discrete", "sentinel", "sentinel", "continuous")


def bias():
    outputs = {"A": ("x", "xx", "xxxx"), "B": ("xxx", "xxxx", "x" * 9)}
    scores = {"h": [[0, 0, -1], [0, -5, -9]]}, {"m": [[0.9, 0.8, 0.2], [0.7, 0.6, 0.1]]}
    data = tk.EvalSet("toy", "", ("A", "B"), ("1", "2", "3"), *scores, outputs=outputs)
    return tk.sentinels.length_bias(data, "m", bins=2)


FIGURES = {
    "value": lambda theme: charts.share_chart("value", "acc_eq*", METRICS, KINDS, theme),
    "epsilon": lambda theme: charts.share_chart("epsilon", "ε*", METRICS, KINDS, theme),
    "few": lambda theme: charts.correlations_chart(("a", "b"), "Pearson r", theme),
    "many": lambda theme: charts.correlations_chart(tuple(map(str, range(24))), "Pearson r", theme),
    "length": lambda theme: charts.length_chart("metric", "m", theme),
    "perfect": lambda theme: charts.perfect_chart(('it\'s "h"', "m"), theme),
}


def frames():
    human, metrics = [1, 2, 2, 3], {name: [i, 2, 4, 3] for i, name in enumerate(METRICS)}
    shares = charts.share_frame(
        tk.sentinels.tie_shares(human, metrics, grouping=None), dict(zip(METRICS, KINDS, strict=True))
    )
    squares = charts.correlations_frame(tk.sentinels.metric_correlations(metrics, grouping=None))
    return {
        "value": shares,
        "epsilon": shares,
        "few": squares,
        "many": squares,
        "length": charts.length_frame(bias()),
        "perfect": charts.perfect_frame(bias()),
    }


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.campaign)])
@pytest.mark.parametrize("name", list(FIGURES))
def test_every_figure_is_valid_and_uses_columns_of_its_frame(name, theme):
    frame, figure = frames()[name], FIGURES[name](theme)
    alt.Chart.from_dict({**figure, "data": {"values": json.loads(frame.to_json(orient="records"))}}, validate=True)
    used = {part["field"] for layer in figure["layer"] for part in encodings(layer)}
    assert used <= set(frame.columns)
    assert figure["data"] == {"name": "source"}


def test_a_share_frame_says_what_was_found():
    found = tk.sentinels.tie_shares([1, 2, 2, 3], {"GEMBA": [1, 1, 2, 2], "COMET": [1, 2, 3, 4]}, grouping=None)
    frame = charts.share_frame(found, {"GEMBA": "discrete", "COMET": "continuous"})
    for column in ("metric", "share", "value", "epsilon", "n_pairs"):
        assert frame[column].tolist() == found[column].tolist()
    assert frame.groupby("metric")["kind"].first().to_dict() == {"COMET": "continuous", "GEMBA": "discrete"}


def test_a_sentinel_has_its_metrics_color_and_is_dashed():
    colors = line_colors(METRICS, KINDS, "light")
    assert colors[2:4] == colors[:2]
    assert len(set(colors)) == 3
    assert len(set(line_colors(tuple("abcdefgh"), ("continuous",) * 8, "dark"))) == 8
    assert len(line_colors(tuple("abcdefghij"), ("continuous",) * 10, "dark")) == 10
    figure = FIGURES["value"]("light")
    for layer in figure["layer"]:
        dashes = layer["encoding"]["strokeDash"]["scale"]
        assert dict(zip(dashes["domain"], dashes["range"], strict=True)) == {
            name: [6, 4] if "noise" in name else [1, 0] for name in METRICS
        }
    heavy, light = (layer["mark"]["strokeWidth"] for layer in figure["layer"])
    assert heavy > light


@pytest.mark.parametrize(("theme", "ground"), [("light", "#FFFFFF"), ("dark", "#1A1917")])
def test_lines_can_be_told_from_the_ground(theme, ground):
    assert min(contrast(color, ground) for color in LINES[theme]) >= 4.5


def test_squares_are_written_out():
    found = tk.sentinels.metric_correlations(
        {"a": [1, 2, 3], "b": [3, 2, 1], "c": [1, 1, 1], "d": [0, 1, 0]}, grouping=None
    )
    frame = charts.correlations_frame(found).set_index(["row", "column"])
    assert frame.loc[("a", "b"), ["value", "words"]].tolist() == [pytest.approx(-1), "−1.00"]
    assert frame.loc[("a", "c"), "words"] == "–"
    assert frame.loc[("a", "d"), "words"] == frame.loc[("b", "d"), "words"] == "0.00"
    assert [len(FIGURES[name]("light")["layer"]) for name in ("few", "many")] == [2, 1]


def test_lines_run_from_the_shortest_to_the_longest():
    found = bias()
    frame = charts.length_frame(found)
    ends = frame[frame["end"]]
    assert sorted(ends["length"]) == [1, 9]
    for side in ("human", "metric"):
        line = found.lines.loc[side]
        assert frame[f"{side}_line"].to_numpy() == pytest.approx(line["intercept"] + line["slope"] * frame["length"])


def test_perfect_scores_are_drawn_by_length():
    frame = charts.perfect_frame(bias())
    assert frame["range"].tolist() == ["1–3", "4–9"] * 2
    assert frame[frame["what"] == "human"]["share"].tolist() == [1, 0]
    assert frame["n"].tolist() == [3, 3] * 2
    words = FIGURES["perfect"]("light")["layer"][0]["encoding"]["color"]["legend"]["labelExpr"]
    assert words == 'datum.value === \'human\' ? "it\'s \\"h\\"" : "m"'
