"""Pictures of measures: their frames say what the library says, and they can be read."""

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.charts.reading import KINDS, METRICS, bias
from tiekit import charts
from tiekit.charts.measures import line_colors
from tiekit.core.grouping import DOCUMENT_GROUPINGS

MEASURES = tk.measures.GAO_MEASURES


def test_measures_are_printed_in_words():
    assert charts.measure_label("item/acc_eq*") == "by item, acc_eq*"
    assert len({charts.measure_label(name) for name in tk.measures.all_measures()}) == 77
    assert charts.measure_label("document_means/tau_b") == "document means, τ_b"
    assert set(charts.GROUPING_STYLE) == {*tk.GROUPINGS, *DOCUMENT_GROUPINGS}


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


def test_power_and_steadiness_are_those_of_the_table():
    table = pd.DataFrame(
        {"grouping": "item", "coefficient": "tau_b", "DP": [0.2], "rank(DP)": [1], "RC": [0.7], "rank(RC)": [1]},
        index=["item/tau_b"],
    )
    frame = charts.trust_frame(table)
    assert frame.loc[0, ["label", "DP", "rank_dp", "RC", "rank_rc"]].tolist() == ["by item, τ_b", 0.2, 1, 0.7, 1]
    figure = charts.trust_chart(("item/tau_b",), "light")
    assert figure["layer"][0]["encoding"]["shape"]["scale"]["domain"] == ["τ_b"]


def test_coarser_scales_are_set_against_the_coarsest():
    values = pd.DataFrame({"item/tau_b": [np.nan, 0.25, 0.5], "item/acc_eq*": [0.5, 0.5, 0.75]}, index=[1, 2, 9])
    frame = charts.granularity_frame(values)
    assert frame["G"].tolist() == [2, 9, 1, 2, 9]
    assert frame["change"].tolist() == [0, 0.25, 0, 0, 0.25]
    figure = charts.granularity_chart(tuple(values), "light", column="change", title="change")
    assert figure["layer"][0]["encoding"]["y"]["field"] == "change"


NAN = float("nan")


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
    figure = charts.share_chart("value", "acc_eq*", METRICS, KINDS, "light")
    for layer in figure["layer"]:
        dashes = layer["encoding"]["strokeDash"]["scale"]
        assert dict(zip(dashes["domain"], dashes["range"], strict=True)) == {
            name: [6, 4] if "noise" in name else [1, 0] for name in METRICS
        }
    heavy, light = (layer["mark"]["strokeWidth"] for layer in figure["layer"])
    assert heavy > light


def test_squares_are_written_out():
    found = tk.sentinels.metric_correlations(
        {"a": [1, 2, 3], "b": [3, 2, 1], "c": [1, 1, 1], "d": [0, 1, 0]}, grouping=None
    )
    frame = charts.correlations_frame(found).set_index(["row", "column"])
    assert frame.loc[("a", "b"), ["value", "words"]].tolist() == [pytest.approx(-1), "−1.00"]
    assert frame.loc[("a", "c"), "words"] == "–"
    assert frame.loc[("a", "d"), "words"] == frame.loc[("b", "d"), "words"] == "0.00"
    sizes = [charts.correlations_chart(tuple(map(str, range(n))), "Pearson r", "light")["layer"] for n in (2, 24)]
    assert [len(layers) for layers in sizes] == [2, 1]


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
    words = charts.perfect_chart(('it\'s "h"', "m"), "light")["layer"][0]["encoding"]["color"]["legend"]["labelExpr"]
    assert words == 'datum.value === \'human\' ? "it\'s \\"h\\"" : "m"'
