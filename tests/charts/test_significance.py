import altair as alt
import numpy as np
import pandas as pd
import pytest

from tiekit import charts


def drawn(figure, frame):
    """The figure as Altair reads it; it refuses what the schema does not know."""
    return alt.Chart.from_dict(figure).properties(data=frame).to_dict()


def test_bars_hold_every_defined_difference_once():
    samples = np.array([-1.0, -0.5, 0.0, 0.25, 0.5, 1.0, np.nan])
    frame = charts.swap_frame(samples, 0.5)
    assert frame["count"].sum() == 6
    large = frame[frame["kind"] == charts.AS_LARGE]
    assert large["count"].sum() == 4  # of both signs
    assert charts.swap_frame(samples, 0.5, alternative="greater").query("kind == @charts.AS_LARGE")["count"].sum() == 2
    assert frame["observed"].dropna().tolist() == [0.5]
    assert ((frame["top"] - frame["bottom"]) == frame["count"]).all()
    for (_, low), bar in frame.groupby(["kind", "low"]):
        assert ((samples >= low) & (samples <= bar["high"].iloc[0])).any()
    for theme in ("light", "dark"):
        assert drawn(charts.swap_chart("difference", theme), frame)


def test_two_kinds_in_one_bar_are_stacked():
    frame = charts.swap_frame([0.52, 0.51, 0.515, 1.0], 0.52)
    both = frame[frame.duplicated("low", keep=False)]
    assert sorted(both["bottom"]) == [0, 1]
    assert both["top"].max() == 3


def test_squares_are_those_above_the_diagonal_and_know_their_class():
    names = ["a", "b", "c"]
    matrix = pd.DataFrame([[np.nan, 0.05, 0.001], [0.05, np.nan, np.nan], [0.001, np.nan, np.nan]], names, names)
    frame = charts.pvalue_frame(matrix)
    assert list(zip(frame["row"], frame["column"], strict=True)) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert frame["words"].tolist() == [".050", ".001", "–"]
    assert frame["kind"].tolist() == ["p ≤ .05", "p ≤ .001", "not tested"]
    assert frame["apart"].tolist() == [True, True, False]
    assert charts.pvalue_frame(matrix, correction="bonferroni")["apart"].tolist() == [False, True, True]
    for theme in ("light", "dark"):
        assert drawn(charts.pvalue_chart(tuple(names), theme), frame)


@pytest.mark.parametrize("size", [4, 16])
def test_what_was_not_tested_has_a_dash_and_no_cluster_however_small_the_squares(size):
    names = [f"m{number}" for number in range(size)]
    matrix = pd.DataFrame(1.0, names, names)
    matrix.loc["m0", ["m2", "m3"]] = 0.01
    frame = charts.pvalue_frame(matrix, untested=["m1"]).set_index(["row", "column"])
    assert frame.loc["m0", "m1"].tolist()[1:] == ["–", "not tested", False]
    assert frame.loc["m1", "m2"].tolist()[1:] == ["–", "not tested", False]
    assert frame.loc["m0", "m2"].tolist() == [0.01, ".010", "p ≤ .01", True]
    figure = charts.pvalue_chart(tuple(names), "dark")
    assert drawn(figure, frame.reset_index())
    assert figure["layer"][1]["encoding"]["text"]["field"] == "words"
    assert ("not tested" in str(figure["layer"][1].get("transform"))) == (size > 14)


def test_intervals_are_drawn_in_the_order_given():
    frame = charts.interval_frame({"b": (0.5, 0.4, 0.6), "a": (0.3, 0.2, 0.5)})
    assert frame.to_dict("list") == {"metric": ["b", "a"], "value": [0.5, 0.3], "low": [0.4, 0.2], "high": [0.6, 0.5]}
    figure = charts.interval_chart(("b", "a"), "acc_eq*", "light")
    assert drawn(figure, frame)
    assert figure["layer"][0]["encoding"]["y"]["scale"]["domain"] == ["b", "a"]


@pytest.mark.parametrize("samples", [[], [np.nan], [0.0, 0.0]])
def test_nothing_to_count_is_drawn_all_the_same(samples):
    frame = charts.swap_frame(samples, 0.0)
    assert frame["count"].sum() == np.isfinite(samples).sum()
