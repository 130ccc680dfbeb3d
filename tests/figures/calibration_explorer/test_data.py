"""What the browser is given: a few scores, or the curve of many at some thresholds, ε* among them."""

import json

import numpy as np
import pytest
from hypothesis import given

import tiekit as tk
from tests.strategies import examples, matrices
from tiekit.core.calibration import calibrate_scores
from tiekit.figures.calibration_explorer import data as shown
from tiekit.figures.calibration_explorer.page import calibration_page
from tiekit.figures.figures import MOST_SCORES

RNG = np.random.default_rng(3)
HUMAN = RNG.integers(0, 5, (6, 40)).astype(float)
METRIC = HUMAN + RNG.normal(0, 1, HUMAN.shape)
VECTOR = METRIC.ravel()[:MOST_SCORES]


def test_the_curve_of_many_scores_is_thinned_and_holds_the_best_exactly():
    found = tk.calibrate(HUMAN, METRIC, grouping="global")
    curve = shown.Curve(found)
    given = curve.as_json()
    assert not given["steps"]
    assert len(given["epsilons"]) <= shown.POINTS + 2 < found.n_pairs
    assert given["epsilons"] == sorted(set(given["epsilons"]))
    assert given["epsilons"][0] == 0
    assert given["epsilons"][given["best"]] == found.epsilon
    assert given["values"][given["best"]] == found.value == max(given["values"])
    assert {sum(counts) for counts in given["counts"]} == {found.n_pairs}
    for epsilon, value in zip(given["epsilons"], given["values"], strict=True):
        assert value == found.value_at(epsilon)


@examples(40)
@given(matrices())
def test_the_curve_of_groups_is_that_of_the_library(scores):
    found = calibrate_scores(*scores, "acc_eq", "item", "absolute")
    given = json.loads(json.dumps(shown.Curve(found).as_json(), allow_nan=False))
    assert given["steps"]
    expected = found.curve(given["epsilons"])
    assert np.array(given["values"], float) == pytest.approx(expected["value"].to_numpy(), abs=0, nan_ok=True)
    tied = [sum(counts[3:]) for counts in given["counts"]]
    assert tied == (expected["tied"].fillna(0) * found.n_pairs).round().tolist()
    assert given["epsilons"][given["best"]] == found.epsilon


def test_an_added_threshold_is_exact_and_stands_once():
    found = tk.calibrate(HUMAN, METRIC)
    curve = shown.Curve(found)
    assert curve.add(0.123456)
    assert not curve.add(0.123456)
    given = curve.as_json()
    at = given["epsilons"].index(0.123456)
    assert given["values"][at] == found.value_at(0.123456)
    assert given["epsilons"] == sorted(given["epsilons"])
    assert given["epsilons"][given["best"]] == found.epsilon


@pytest.mark.parametrize(
    ("human", "metric", "options", "small"),
    [
        (VECTOR, VECTOR, {}, True),
        ([*VECTOR, 1.0], [*VECTOR, 1.0], {}, False),
        (HUMAN[:2, :2], METRIC[:2, :2], {}, False),
        ([1, 2], [3, 4], {"difference": "relative"}, False),
        ([], [], {}, True),
    ],
)
def test_which_scores_the_browser_counts_itself(human, metric, options, small):
    found = tk.calibrate(human, metric, **options)
    assert shown.is_small(found) == small
    vectors = shown.vectors_of(found)
    assert (vectors["metric"] == np.asarray(metric, float).tolist()) if small else (vectors["metric"] is None)


def test_what_is_said_below_the_picture():
    def note(**options):
        found = tk.calibrate(HUMAN, METRIC, **options)
        return shown.fixed(found, shown.Curve(found), "m")["note"]

    assert "mean over 40 segments" in note(grouping="item")
    assert "mean over 6 systems" in note(grouping="system")
    assert note(grouping="global") == "The curve is drawn at some of the possible thresholds; ε* is the best of all."
    assert "relative" in note(grouping="global", difference="relative")
    assert note(grouping="system_means") == ""


@pytest.mark.parametrize("grouping", [None, "global"])
def test_scores_too_far_apart_are_refused_whoever_computes_the_curve(grouping):
    metric = [1.7e308, -1.7e308] if grouping is None else [[1.7e308, -1.7e308]]
    found = tk.calibrate([1, 2] if grouping is None else [[1, 2]], metric, grouping=grouping)
    assert shown.is_small(found) == (grouping is None)
    with pytest.raises(tk.InputError, match="metric: scores lie too far apart"):
        calibration_page(found, "m", 0)


def test_a_page_begins_at_the_threshold_that_was_asked_for():
    found = tk.calibrate(HUMAN, METRIC)
    assert 0.123456 not in shown.Curve(found).as_json()["epsilons"]
    assert "0.123456," in calibration_page(found, "m", 0.123456)
    assert 0.123456 in shown.curve_with(found, 0.123456).as_json()["epsilons"]
