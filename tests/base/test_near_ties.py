"""Scores that all but tie: who is told, how often, and whether the advised call makes them ties."""

from __future__ import annotations

import re
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import tiekit as tk
from tiekit.base import errors
from tiekit.base.validation import decimals_for, near_ties, to_decimals

NOISY = [[1.2, 1.2000000000000002, 0.0], [0.5, 2.0, 0.0]]
CLEAN = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]


def noisy_set(name="toy"):
    return tk.EvalSet(name, "", ("A", "B"), ("1", "2", "3"), {"mqm": NOISY}, {"X-refA": NOISY, "Y": CLEAN}, gold="mqm")


def told(call):
    """The texts of the warnings of near ties."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return [str(warning.message) for warning in caught if warning.category is tk.NearTieWarning]


def test_a_set_is_told_once_by_name_with_the_call_that_mends_it():
    data = noisy_set()
    calls = [
        lambda: tk.calibrate(data, "X"),
        lambda: tk.calibrate(data, "X", grouping="global"),
        lambda: tk.correlate(data, "Y"),
        lambda: tk.leaderboard(data),
        lambda: tk.cross_validate(data, "X", folds=2),
        lambda: tk.significance.williams_test(data, "X", "Y"),
        lambda: tk.measures.evaluate_measures(data, measures=["item/tau_b"]),
        lambda: tk.sentinels.tie_shares(data, shares=[0.2]),
        lambda: tk.sentinels.calibrate_reweighted(data, "X"),
    ]
    [text] = [text for call in calls for text in told(call)]
    assert text.startswith("mqm, X-refA: 2 distinct scores differ")
    assert text.endswith("no ties; to make them ties: data.adjusted(decimals={'mqm': 11, 'X-refA': 11})")
    data = eval(re.search(r"data\.adjusted\(.*\)", text)[0])
    errors.SAID.clear()
    assert not [text for call in calls for text in told(call)]
    assert tk.correlate(data, "X", "tau_b", grouping="global").per_group.size == 1


def test_bundled_scores_are_not_warned_of_whatever_they_are_called():
    data = tk.load("wmt22", "zh-en").with_scores(tk.examples().path["metric"], name="mine")
    assert told(lambda: tk.correlate(data, "mine")) == []


def test_parts_of_bundled_sets_are_not_warned_of_and_other_scores_of_their_names_are():
    data = tk.load("wmt23", "en-de")
    names = ["BLEU-refA", "YiSi-1-refA"]
    people = {
        **data.human,
        "esa": np.where(np.arange(data.human["mqm"].size).reshape(data.human["mqm"].shape) % 7, 1, np.nan),
    }
    both = replace(data, human=people)
    parts = [data.select(), data.select(domain="news"), data.adjusted(lower_is_better=names)]
    calls = [partial(tk.correlate, one, name, "tau_b", grouping="global") for one in parts for name in names]
    calls.append(partial(tk.leaderboard, both, ["mqm", "esa"], metrics=names, coefficients="tau_b", cells="common"))
    assert [text for call in calls for text in told(call)] == []
    own = replace(data, metrics={"BLEU-refA": np.where(np.isnan(people["mqm"]), np.nan, people["mqm"] / 3)})
    [text] = told(partial(tk.correlate, own, "BLEU", "tau_b", grouping="global"))
    assert text.startswith("BLEU-refA: ")


def test_one_line_tells_of_many_scores_and_the_next_of_others_alone():
    scores = {f"m{number}": np.array(NOISY) * number for number in range(1, 9)}
    data = tk.EvalSet("toy", "", ("A", "B"), ("1", "2", "3"), {"mqm": NOISY}, scores)
    [first] = told(lambda: tk.leaderboard(data, metrics=["m1", "m2"], coefficients="tau_b", calibrated=()))
    assert first.startswith("mqm, m1, m2: 3 distinct scores")
    [text] = told(lambda: tk.leaderboard(data, coefficients="tau_b", calibrated=()))
    assert text.startswith("m3, m4, m5, m6, m7 and 1 more: 6 distinct scores")


@pytest.mark.parametrize("first", range(3))
def test_whoever_comes_first_tells(first):
    data = noisy_set()
    calls = [lambda: tk.leaderboard(data), lambda: tk.calibrate(data, "X"), lambda: tk.correlate(data, "X")]
    assert len(told(calls[first])) == 1
    assert not told(calls[first - 1])


def test_arrays_are_told_once_for_the_same_scores():
    human, other = np.array(NOISY).ravel(), np.arange(6.0)
    texts = told(lambda: tk.count_pairs(human, other))
    assert texts == [
        "human: 1 distinct scores differ from another by less than 1e-12 of the range and are no ties; to make "
        "them ties: np.round(human, 11)"
    ]
    assert not told(lambda: tk.correlate(human.copy(), -other))
    assert len(told(lambda: tk.count_pairs(2 * human, other))) == 1
    assert len(told(lambda: tk.count_pairs(other, human))) == 1  # now as a metric


@pytest.mark.parametrize("times", [10, 3])
def test_thresholds_that_split_equal_differences_are_told_with_the_call_that_mends_them(times):
    rng = np.random.default_rng(0)
    human = rng.integers(0, 3, (6, 60))
    whole = np.round(times * (human + rng.normal(size=(6, 60))))
    metric, wanted = whole / times, tk.calibrate(human, whole).value
    data = tk.EvalSet.from_arrays(human, {"m": metric})
    for call in (lambda: tk.correlate(human, metric), lambda: tk.calibrate(data, "m"), lambda: tk.leaderboard(data)):
        [text] = told(call)
        errors.SAID.clear()
        mended = eval(text.rpartition(": ")[2])
        scores = mended if isinstance(mended, np.ndarray) else mended.metrics[f"m * {times}"]
        assert tk.correlate(human, scores).value == wanted


def test_what_was_said_once_is_bounded_and_said_by_one_thread(monkeypatch):
    monkeypatch.setattr(errors, "MOST_SAID", 5)
    together = threading.Barrier(8)
    said = []

    def say(_):
        together.wait()
        errors.warn("nearly equal", tk.NearTieWarning, once=["the same"])

    monkeypatch.setattr(warnings, "warn", lambda text, *_, **__: said.append(text))
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(say, range(8)))
    assert said == ["nearly equal"]
    for number in range(20):
        errors.warn("nearly equal", tk.NearTieWarning, once=[str(number)])
    assert list(errors.SAID) == ["15", "16", "17", "18", "19"]


def test_a_warning_that_became_an_error_is_raised_again():
    for _ in range(2):
        with pytest.raises(tk.NearTieWarning):  # the tests' own filter
            tk.count_pairs([1.2, 1.2000000000000002, 0], [1, 2, 3])


def test_the_app_is_told_each_time():
    for _ in range(2):
        with tk.errors.collect_warnings() as found:
            tk.calibrate(noisy_set(), "Y")
        assert [text.split(":")[0] for _, text in found] == ["mqm"]


SCALES = [1e-200, 1e-20, 1e-9, 1.0, 1e12, 1e30, 1e200]
SHORT = arrays(np.float64, (12,), elements=st.integers(-400, 400).map(lambda n: n / 100))


@given(SHORT, arrays(np.float64, (12,), elements=st.integers(-2, 2).map(float)), st.sampled_from(SCALES))
def test_rounding_as_advised_makes_them_ties(scores, noise, scale):
    noisy = np.sort((scores + noise * 1e-15) * scale)
    if near_ties(noisy):
        assert near_ties(np.sort(to_decimals(noisy, decimals_for(noisy)))) == 0


def test_scores_are_rounded_by_name():
    data = noisy_set()
    one = data.adjusted(decimals={"x": 0, "mqm": 1})
    np.testing.assert_array_equal(one.metrics["X-refA"], np.round(NOISY, 0))
    np.testing.assert_array_equal(one.human["mqm"], np.round(NOISY, 1))
    np.testing.assert_array_equal(one.metrics["Y"], CLEAN)
    assert one.digest == data.digest
    assert data.adjusted(decimals={}) is data
    with pytest.raises(tk.InputError, match="decimals: there is no 'Z'"):
        data.adjusted(decimals={"Z": 3})
    for wrong in ({"mqm": 301}, {"mqm": 1.5}, -301, "3"):
        with pytest.raises(tk.InputError, match="decimals: must be a whole number from -300 to 300"):
            data.adjusted(decimals=wrong)


def test_scores_without_so_many_decimals_stay_as_they_are():
    scores = np.array([1e300, -1e200, 1.25, np.nan, 0.0])
    np.testing.assert_array_equal(to_decimals(scores, 300), scores)
    np.testing.assert_array_equal(to_decimals(scores * 1e-310, -300), np.array([0.0, 0, 0, np.nan, 0]))
