"""What several figures are given: scores as JSON takes them, thresholds that can be shown, and their origin."""

import math

import pytest

import tiekit as tk
from tiekit.figures import json_values, rules
from tiekit.figures.lab import lab_page


def test_missing_scores_are_null():
    assert json_values.line([1.0, math.nan]) == [1.0, None]
    found = json_values.numbers([1, None])
    assert found[0] == 1
    assert math.isnan(found[1])


@pytest.mark.parametrize("bad", [math.inf, math.nan, -1, "1", True])
def test_thresholds_that_cannot_be_shown(bad):
    with pytest.raises(tk.InputError, match="epsilon: must be"):
        json_values.check_shown(bad)
    with pytest.raises(tk.InputError, match="epsilon: must be"):
        lab_page([0, 1], {"m": [1, 0]}, bad)


@pytest.mark.parametrize(("value", "whole"), [(1, True), (True, False), (1.0, False), ("1", False), (None, False)])
def test_whole_numbers(value, whole):
    assert rules.is_whole(value) is whole


def test_a_metric_may_be_called_human():
    assert json_values.origin_of_scores([1, 2], {"human": [3, math.nan]}) == "human: 1 2 · human: 3 nan."
    assert json_values.origin_of_scores([1] * 13, {"human": [2] * 13}).startswith(
        "13 scores of the human and of human, digest "
    )


def test_scores_that_no_axis_can_show():
    json_values.check_span("human", [])
    json_values.check_span("human", [math.nan, -8e307, 8e307])
    with pytest.raises(
        tk.InputError, match=r"human: scores must differ by less than 1.8e308, found -1e\+308 and 1e\+308"
    ):
        json_values.check_span("human", [1e308, math.nan, -1e308])
