"""Pictures of measures: their frames say what the library says, and they can be read."""

import altair as alt
import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.charts.reading import contrast
from tiekit import charts
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
