"""Averages of given task values: those that papers print, and rules of weights, maps and ranks."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import tiekit as tk
from tiekit import readers
from tiekit.official import average_tasks, pooled_accuracy, printed_values, read_preset


def averages_of(table, preset):
    """The averages of printed task values, and as they were printed, in one order."""
    printed, rules = printed_values(table), read_preset(preset)
    values = printed.drop(columns="average")
    assert set(values) <= set(rules.weights)
    weights = {name: rules.weights[name] for name in values}
    board = average_tasks(values, weights, [name for name in rules.mapped if name in values])
    return board["average"][printed.index], printed["average"]


@pytest.mark.parametrize("table", ["wmt23", "wmt24_on_wmt23"])
def test_averages_of_32_metrics_computed_from_public_scores(table):
    found, averages = averages_of(table, table)
    assert len(averages) == 32
    assert (found - averages).abs().max() < 1e-6
    assert found.is_monotonic_decreasing


def test_averages_of_wmt23_are_the_printed_ones():
    """Kocmi and Federmann (2023), aclanthology.org/2023.wmt-1.64, Table 1."""
    printed = pd.read_csv(readers.data_file("papers/wmt23_averages.csv"), index_col="metric")["average"]
    assert len(printed) == 20
    assert printed_values("wmt23")["average"][printed.index].round(3).tolist() == printed.tolist()


def test_the_segment_half_of_wmt23():
    found, printed = averages_of("wmt23_segments", "wmt23")
    assert len(printed) == 38
    assert (found - printed).abs().max() < 0.00105  # of values that are rounded themselves


def test_wmt24_rows_are_printed_to_the_digit():
    found, printed = averages_of("wmt24", "wmt24")
    assert len(printed) == 6
    assert (found + 1e-9).round(3).tolist() == printed.tolist()


def test_without_the_map_correlations_count_twice_as_much():
    values = {"a": {"accuracy": 0.9, "r": 0.1}, "b": {"accuracy": 0.8, "r": 0.25}}
    assert average_tasks(values, mapped="r").index.tolist() == ["a", "b"]  # .725 and .7125
    assert average_tasks(values).index.tolist() == ["b", "a"]  # .525 and .5
    assert average_tasks(values, mapped="r").loc["a", "average"] == pytest.approx((0.9 + 0.55) / 2)


def test_equal_averages_share_a_rank_and_stand_by_name():
    board = average_tasks({"b": {"t": 0.1 + 0.2}, "a": {"t": 0.3}, "c": {"t": 0.2}})
    assert board["rank"].to_dict() == {"a": 1, "b": 1, "c": 3}
    assert board.index.tolist() == ["a", "b", "c"]


def test_a_metric_without_a_value_comes_last_unless_the_task_weighs_nothing():
    values = {"a": {"t": 0.9, "u": np.nan}, "b": {"t": 0.1, "u": 0.1}}
    board = average_tasks(values)
    assert board.index.tolist() == ["b", "a"]
    assert board["rank"].isna().tolist() == [False, True]
    assert average_tasks(values, {"t": 1, "u": 0}).index.tolist() == ["a", "b"]


def test_of_ranks_the_smallest_average_wins():
    board = average_tasks({"a": {"t": 1, "u": 4}, "b": {"t": 2, "u": 2}}, lower_is_better=True)
    assert board["average"].to_dict() == {"b": 2.0, "a": 2.5}
    assert board["rank"].tolist() == [1, 2]


@given(
    hnp.arrays(np.float64, (4, 3), elements=st.floats(0, 1)),
    hnp.arrays(np.float64, 3, elements=st.floats(0.01, 9)),
    st.floats(0.1, 10),
)
def test_only_proportions_of_weights_count(values, weights, factor):
    table = pd.DataFrame(values, index=list("wxyz"), columns=["s", "t", "u"])
    given_weights = dict(zip(table, weights, strict=True))
    found = average_tasks(table, given_weights)["average"]
    scaled = average_tasks(table, {name: factor * weight for name, weight in given_weights.items()})["average"]
    np.testing.assert_allclose(found[list("wxyz")], np.average(values, axis=1, weights=weights), atol=1e-12)
    np.testing.assert_allclose(found[list("wxyz")], scaled[list("wxyz")], atol=1e-12)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 2],), "values: must be a table"),
        (({},), "at least one metric"),
        (({"a": {"t": "x"}},), "values: must be numbers"),
        (({"a": {"average": 1.0}},), "must not be called average"),
        (({"a": {"t": 1.0}}, {"u": 1}), "weights: there is no task 'u'; known: t"),
        (({"a": {"t": 1.0}}, {"t": -1}), r"weights\['t'\]: must be a number of at least 0"),
        (({"a": {"t": 1.0}}, {"t": float("nan")}), "at least 0, found nan"),
        (({"a": {"t": 1.0}}, {"t": 0}), "at least one must be above 0"),
        (({"a": {"t": 1.0}}, None, ["u"]), "mapped: there is no task 'u'"),
    ],
)
def test_what_is_refused(arguments, message):
    with pytest.raises(tk.InputError, match=message):
        average_tasks(*arguments)


def test_pooled_accuracy_counts_pairs_of_all_language_pairs_together():
    scores = {
        "en-de": ([1, 2, 2, 3], [1, 3, 3, 2]),  # agree: 1<2, 1<3, 1<4, 2=3; not: 2<4, 3<4
        "zh-en": ([1, 2, np.nan], [2, 2, 9]),  # the metric ties what the human orders
        "he-en": ([1], [1]),
    }
    assert pooled_accuracy(scores) == float(Fraction(4, 7))
    assert np.isnan(pooled_accuracy({"he-en": ([1], [1])}))
    with pytest.raises(tk.InputError, match="must be human and metric scores"):
        pooled_accuracy({"en-de": 3})


def test_an_unknown_table_of_printed_values():
    with pytest.raises(tk.InputError, match="table: must be one of wmt23"):
        printed_values("wmt99")
