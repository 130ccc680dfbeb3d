"""Pictures of distributions: every value is counted once, and every test and interval stands where it belongs."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import FAMILIES
from tiekit import charts
from tiekit.charts.distributions import BARS, POINTS

VALUES = st.sampled_from(list(FAMILIES)).flatmap(
    lambda name: st.lists(st.one_of(FAMILIES[name], st.just(float("nan"))), max_size=30)
)


@given(VALUES)
def test_every_value_is_in_one_bar(values):
    frame = charts.distribution_frame(values)
    defined = [value for value in values if value == value]
    assert frame["count"].sum() == len(defined)
    assert len(frame) <= BARS
    largest = max(map(abs, defined), default=0)
    for value in defined:
        within = (frame["low"] <= value + 1e-9 * largest) & (value - 1e-9 * largest <= frame["high"])
        assert within.any()
    assert (frame["low"] < frame["high"]).all()


def test_equal_values_share_a_bar_and_others_do_not():
    frame = charts.distribution_frame([0.1 + 0.2, 0.3, 5, 5, 5, np.nan], {"mean": 2.5, "none": np.nan})
    assert frame["count"].dropna().tolist() == [2, 3]
    assert frame[["mark", "at"]].dropna().to_numpy().tolist() == [["mean", 2.5]]
    assert charts.distribution_frame([0.3, 0.1 + 0.2])["count"].tolist() == [2]
    assert charts.distribution_frame([])["count"].empty


@given(st.integers(0, 50), st.integers(1, 3000))
def test_every_pair_of_scores_is_in_one_point(seed, size):
    rng = np.random.default_rng(seed)
    human, metric = rng.integers(0, 4, size), rng.normal(size=size)
    metric[: size // 3] = np.nan
    frame = charts.scatter_frame(human, metric)
    assert frame["count"].sum() == (~np.isnan(metric)).sum()
    assert len(frame) <= max(POINTS, BARS * BARS)
    assert not frame.duplicated(["human", "metric"]).any()


def test_points_are_the_scores_where_there_are_few():
    frame = charts.scatter_frame([1, 1, 2, np.nan], [3, 3, 4, 5])
    assert frame.to_numpy().tolist() == [[1, 3, 2], [2, 4, 1]]


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
    assert figure["layer"][1]["encoding"]["text"]["field"] == "words"
    assert ("not tested" in str(figure["layer"][1].get("transform"))) == (size > 14)


def test_intervals_are_drawn_in_the_order_given():
    frame = charts.interval_frame({"b": (0.5, 0.4, 0.6), "a": (0.3, 0.2, 0.5)})
    assert frame.to_dict("list") == {"metric": ["b", "a"], "value": [0.5, 0.3], "low": [0.4, 0.2], "high": [0.6, 0.5]}
    figure = charts.interval_chart(("b", "a"), "acc_eq*", "light")
    assert figure["layer"][0]["encoding"]["y"]["scale"]["domain"] == ["b", "a"]


@pytest.mark.parametrize("samples", [[], [np.nan], [0.0, 0.0]])
def test_nothing_to_count_is_drawn_all_the_same(samples):
    frame = charts.swap_frame(samples, 0.0)
    assert frame["count"].sum() == np.isfinite(samples).sum()
