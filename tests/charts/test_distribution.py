"""Bars and points hold every score once."""

import altair as alt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.charts.reading import encodings
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


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_figures_draw_the_columns_of_their_frames(theme):
    bars, points = charts.distribution_frame([1, 2, 3], {"mean": 2}), charts.scatter_frame([1, 2], [3, 4])
    dots = charts.dot_frame(pd.Series({"a": 0.5, "b": np.nan}), pd.Series({"a": 1, "b": pd.NA}, dtype="Int64"))
    assert dots.to_numpy().tolist() == [["a", 0.5, "1"]]
    drawn = [
        (charts.distribution_chart("acc_eq", "groups", theme), bars),
        (charts.scatter_chart(theme), points),
        (charts.dot_chart(("a",), "acc_eq", theme, clusters=True), dots),
    ]
    for figure, frame in drawn:
        assert alt.Chart.from_dict(figure).properties(data=frame).to_dict()
        assert {part["field"] for part in encodings(figure)} <= set(frame.columns)
