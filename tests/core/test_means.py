"""Means that rounding alone tells apart: equal for every function, calibrated or not, in any order."""

import math
import tracemalloc
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests.strategies import examples, matrices
from tiekit.core import _threshold_search
from tiekit.core.grouping import SAME, merge_near_equal, row_means, smallest_of_each, tolerance_of

HUMAN, METRIC = [[1, 1, 1], [2, 2, 2]], [[0.3, 0.1, 0.2], [0.4, 0.2, 0.0]]
OTHER = [[1, 2, 3], [3, 4, 5]]
MEANS = {"grouping": "system_means"}
COUNTED = [name for name, entry in tk.COEFFICIENTS.items() if entry.takes_epsilon]

pytestmark = pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")


def by(name):
    """Every function's value of the metric whose means are both 0.2."""
    measure = f"system_means/{name}"
    return {
        "correlate": tk.correlate(HUMAN, METRIC, name, **MEANS).value,
        "evaluate": tk.measures.evaluate_measures(HUMAN, {"m": METRIC, "n": OTHER}, [measure]).loc["m", measure],
        "test": tk.significance.permutation_test(HUMAN, METRIC, OTHER, name, **MEANS).values[0],
        "interval": tk.significance.bootstrap_interval(HUMAN, METRIC, name, n_resamples=19, **MEANS).value,
    }


@pytest.mark.parametrize(
    ("name", "value"), [("acc_eq", 0.0), ("tau_b", math.nan), ("tau_a", 0.0), ("pearson", math.nan), ("tau_10", -1.0)]
)
def test_means_that_are_equal_as_decimals_are_tied_whoever_asks(name, value):
    assert by(name) == pytest.approx(dict.fromkeys(by(name), value), abs=0, nan_ok=True)


def test_pairwise_accuracy_and_other_counts_of_ties_agree():
    assert tk.measures.pairwise_accuracy(HUMAN, METRIC) == 0.0
    assert tk.measures.pairwise_accuracy(METRIC, HUMAN) == 0.0
    assert tk.count_ties(METRIC, **MEANS).n_tied == 1
    pairs = tk.significance.permutation_test(HUMAN, METRIC, OTHER, swap="pairs", n_resamples=9, **MEANS)
    assert pairs.values == (0.0, 1.0)
    test = tk.significance.compare_metrics(HUMAN, {"m": METRIC, "n": OTHER}, n_resamples=9, **MEANS)
    assert test.values["m"] == 0.0


def exact_means(scores, scored):
    """Means of what the scores are as decimals."""
    rows = [[Fraction(repr(x)) for x in row[cells].tolist()] for row, cells in zip(scores, scored, strict=True)]
    return [sum(row) / len(row) for row in rows if row]


def exact_value(h, m, epsilon):
    """acc_eq in fractions; NaN without a pair."""
    right = [a == b if abs(x - y) <= epsilon else (a < b) == (x < y) and a != b for (a, x), (b, y) in pairs_of(h, m)]
    return float(Fraction(sum(right), len(right))) if right else math.nan


def pairs_of(h, m):
    return list(combinations(zip(h, m, strict=True), 2))


@examples(24)
@given(matrices(("tenths", "integers")), st.sampled_from(["0", "0.1", "0.3", "1"]))
def test_values_are_those_of_exact_decimals(pair, text):
    human, metric = pair
    scored = ~(np.isnan(human) | np.isnan(metric))
    h, m = exact_means(human, scored), exact_means(metric, scored)
    expected, epsilon = exact_value(h, m, Fraction(text)), float(text)
    found = tk.correlate(human, metric, epsilon=epsilon, **MEANS).value
    assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)
    if scored.any():
        interval = tk.significance.bootstrap_interval(human, metric, epsilon=epsilon, n_resamples=1, **MEANS)
        assert interval.value == pytest.approx(expected, abs=1e-12, nan_ok=True)
    candidates = sorted({Fraction(0), *(abs(a[1] - b[1]) for a, b in pairs_of(h, m))})
    values = [exact_value(h, m, candidate) for candidate in candidates]
    best = tk.calibrate(human, metric, **MEANS)
    assert best.value == pytest.approx(max(values), abs=1e-12, nan_ok=True)
    if max(values) == max(values):
        assert best.epsilon == pytest.approx(float(candidates[values.index(max(values))]), abs=1e-12)
        assert best.value_at(best.epsilon) == best.value
        assert best.curve()["value"].max() == best.value


@examples(10)
@given(matrices(("tenths", "integers")), st.sampled_from(COUNTED))
def test_a_test_and_an_interval_start_from_the_calibrated_value(pair, name):
    human, metric = pair
    if not (~(np.isnan(human) | np.isnan(metric))).any():
        return
    best = tk.calibrate(human, metric, name, **MEANS).value
    interval = tk.significance.bootstrap_interval(human, metric, f"{name}*", n_resamples=1, **MEANS)
    test = tk.significance.permutation_test(human, metric, human, f"{name}*", n_resamples=1, **MEANS)
    assert [interval.value, test.values[0]] == pytest.approx([best, best], abs=1e-12, nan_ok=True)
    weighed = tk.sentinels.calibrate_reweighted(human, metric, name, **MEANS)
    sampled = tk.sentinels.calibrate_reweighted(human, metric, name, sample=True, rng=0, **MEANS)
    assert [weighed.value, sampled.value] == pytest.approx([best, best], abs=1e-12, nan_ok=True)
    assert weighed.epsilon == sampled.epsilon


def test_a_chain_of_near_equal_means_is_equal_in_any_order():
    scored = np.ones((5, 2), bool)
    step = 0.9 * SAME
    scores = np.array([[0.0, 0.0], [step, step], [2 * step, 2 * step], [1.0, 1.0], [1 + step, 1 + step]])
    tolerance = tolerance_of(scores, scored)
    assert tolerance < 2 * step
    scores *= np.where(scores < 0.5, tolerance / SAME, 1.0)
    for order in ([0, 1, 2, 3, 4], [2, 4, 0, 3, 1], [4, 3, 2, 1, 0]):
        means = row_means(scores[order], scored)
        assert means[np.argsort(order)].tolist()[:3] == [0.0, 0.0, 0.0]
        assert len(set(means.tolist())) == 3 - (step <= tolerance)
    negated = row_means(-scores, scored)
    assert [a == b for a, b in pairwise(negated)] == [a == b for a, b in pairwise(row_means(scores, scored))]


def test_means_that_scores_tell_apart_stay_apart():
    scores = np.array([[1e-9, 0.0], [0.0, 0.0], [1.0, -1.0]])
    assert len(set(row_means(scores, np.ones((3, 2), bool)).tolist())) == 2
    tiny = row_means(scores[:2] * 1e-290, np.ones((2, 2), bool))
    assert tiny.tolist() == pytest.approx([5e-300, 0.0], abs=1e-314)


def test_of_equal_differences_the_smallest_stands_for_all():
    found = smallest_of_each(np.array([1.0, 1.5, 1.9, 2.1, 4.0]), 1.0)
    assert found.tolist() == [1.0, 1.0, 1.0, 2.1, 4.0]
    assert smallest_of_each(np.array([1.0, 1.5]), 0.0).tolist() == [1.0, 1.5]
    assert smallest_of_each(np.empty(0), 1.0).tolist() == []


@examples(100)
@given(st.lists(st.integers(1, 40)), st.sampled_from([1, 2, 3.5]))
def test_the_smallest_stands_for_those_up_to_the_tolerance_above_it(differences, tolerance):
    expected = []
    for one in sorted(differences):
        expected.append(expected[-1] if expected and one <= expected[-1] + tolerance else one)
    assert smallest_of_each(np.sort(np.array(differences, float)), tolerance).tolist() == expected


def test_values_that_differ_by_rounding_tie_and_others_do_not():
    rows = np.array([[0.3, 0.1 + 0.2, 0.1, math.nan], [1.0, 1.0 - 1e-9, 1.0 + 1e-9, 0.0]])
    out = merge_near_equal(rows, 1e-12)
    assert out[0, 0] == out[0, 1]
    assert np.isnan(out[0, 3])
    assert np.array_equal(out[1], rows[1])
    turned = merge_near_equal(np.asfortranarray(rows), 1e-12)
    assert np.array_equal(turned, out, equal_nan=True)


@pytest.mark.parametrize("name", ["acc_eq", "tau_b"])
@pytest.mark.parametrize("noise", ["none", "less than the tolerance", "as much", "more"])
def test_means_of_which_few_pairs_are_listed_have_the_same_threshold(name, noise, monkeypatch):
    rng = np.random.default_rng(4)
    human, metric = rng.integers(0, 4, (30, 20)), np.round(rng.random((30, 20)), 1)
    apart = {"none": 0.0, "less than the tolerance": 0.1, "as much": 1.0, "more": 10.0}[noise]
    metric = metric + apart * SAME * rng.normal(size=metric.shape)
    how = {"grouping": "document_means", "documents": [f"d{column // 5}" for column in range(20)]}
    whole = tk.calibrate(human, metric, name, **how)
    for what in ("LISTED", "REPLAYED"):
        monkeypatch.setattr(_threshold_search, f"{what}_PER_SCORE", 0)
        monkeypatch.setattr(_threshold_search, f"{what}_AT_LEAST", 4)
    found = tk.calibrate(human, metric, name, **how)
    assert (found.epsilon, found.value) == (whole.epsilon, whole.value)


@pytest.mark.parametrize("name", ["acc_eq", "tau_b"])
def test_means_of_many_systems_are_heard_and_take_little_memory(name):
    rng = np.random.default_rng(4)
    human, metric = rng.integers(0, 9, (400, 40)), rng.random((400, 40))
    how = {"grouping": "document_means", "documents": [f"d{column // 2}" for column in range(40)]}
    heard = []
    tracemalloc.start()
    found = tk.calibrate(human, metric, name, progress=heard.append, **how)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 15 * found.n_pairs
    assert len(heard) > 6
