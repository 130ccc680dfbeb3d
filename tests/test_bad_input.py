"""What callers pass by mistake: refused with argument, rule and value, or taken for what it is; and what is pickled."""

from __future__ import annotations

import pickle

import joblib
import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tiekit.base.errors import LONGEST, quote
from tiekit.sentinels import calibrate_reweighted
from tiekit.sets.arguments import read_metrics
from tiekit.significance import (
    bonett_wright,
    bootstrap_interval,
    compare_metrics,
    permutation_test,
    rank_clusters,
    swap_test,
)

RNG = np.random.default_rng(3)
HUMAN, A, B = RNG.integers(0, 3, (4, 10)), RNG.random((4, 10)), RNG.random((4, 10))
BOTH = {"a": A, "b": B}
HUGE = 10**400


@pytest.mark.parametrize("n_jobs", [0, "two", 1.5, True, 0.0, [2]])
def test_workers_are_a_whole_number_other_than_0(n_jobs):
    message = r"^n_jobs: must be a whole number other than 0 \(-1 is all cores\), or None, found "
    for call in (
        lambda: permutation_test(HUMAN, A, B, n_resamples=9, n_jobs=n_jobs),
        lambda: compare_metrics(HUMAN, BOTH, n_resamples=9, n_jobs=n_jobs),
        lambda: swap_test(HUMAN, BOTH, n_resamples=9, n_jobs=n_jobs),
        lambda: bootstrap_interval(HUMAN, A, n_resamples=9, n_jobs=n_jobs),
    ):
        with pytest.raises(tk.InputError, match=message):
            call()


@pytest.mark.parametrize("n_jobs", [1, 2, np.int64(2), -1, -2, -(10**9), 10**9])
def test_any_number_of_workers_gives_the_same_numbers(n_jobs):
    expected = permutation_test(HUMAN, A, B, n_resamples=200, n_jobs=1)
    assert permutation_test(HUMAN, A, B, n_resamples=200, n_jobs=n_jobs).pvalue == expected.pvalue


@pytest.mark.parametrize(
    "stop_early",
    [0.5, (0.5,), (0.1, 0.5, 0.6), ("a", 0.5), (None, 0.5), (0.5, 0.1), (float("nan"), 0.5), "ab", (0, 2), (True, 1)],
)
def test_a_test_stops_early_outside_two_p_values(stop_early):
    for call in (
        lambda: permutation_test(HUMAN, A, B, stop_early=stop_early),
        lambda: tk.official_ranking({}, stop_early=stop_early),
    ):
        with pytest.raises(tk.InputError, match=r"^stop_early: must be two p-values from 0 to 1, the smaller first"):
            call()
    assert permutation_test(HUMAN, A, B, stop_early=[0.02, 0.5]).samples.size == 100


@pytest.mark.parametrize("alpha", [None, "a", float("nan"), 2, -0.1, True, [0.05]])
def test_a_level_is_a_number_from_0_to_1(alpha):
    found = compare_metrics(HUMAN, BOTH, n_resamples=9)
    for call in (
        lambda: rank_clusters([[1, 0.5], [0.5, 1]], alpha=alpha),
        lambda: found.clusters(alpha),
        lambda: found.to_latex(alpha=alpha),
        lambda: tk.official_ranking({}, alpha=alpha),
    ):
        with pytest.raises(tk.InputError, match=r"^alpha: must be a number from 0 to 1, found "):
            call()


@pytest.mark.parametrize("confidence", ["a", None, float("nan"), True, [0.9], 0, 1, 95])
def test_a_confidence_lies_between_0_and_1(confidence):
    for call in (bootstrap_interval, bonett_wright):
        with pytest.raises(tk.InputError, match=r"^confidence: must lie between 0 and 1, found "):
            call(HUMAN, A, "tau_a", confidence=confidence)


def test_a_threshold_that_no_float_holds_is_refused_in_a_short_message():
    for call in (
        lambda: tk.correlate(HUMAN, A, epsilon=HUGE),
        lambda: tk.count_pairs(HUMAN[0], A[0], epsilon=HUGE),
        lambda: tk.calibrate(HUMAN, A).value_at(HUGE),
        lambda: permutation_test(HUMAN, A, B, epsilon=HUGE),
        lambda: tk.correlate(HUMAN, A, epsilon=-(10**5000)),
    ):
        with pytest.raises(tk.InputError, match=r"^epsilon: must ") as refused:
            call()
        assert len(str(refused.value)) < 150


def test_a_value_in_a_message_is_cut():
    assert quote("x") == "'x'"
    assert len(quote("x" * 1000)) == LONGEST
    assert quote(10**5000) == "a int too long to be written"


@pytest.mark.parametrize("epsilon", [-7, True, HUGE, "0", (0, 1), np.ones(1)])
def test_a_threshold_beside_a_star_is_refused(epsilon):
    for call in (
        lambda: permutation_test(HUMAN, A, B, "acc_eq*", epsilon=epsilon),
        lambda: compare_metrics(HUMAN, BOTH, "acc_eq*", epsilon=epsilon),
        lambda: bootstrap_interval(HUMAN, A, "acc_eq*", epsilon=epsilon),
        lambda: tk.correlate(HUMAN, A, "acc_eq*", epsilon=epsilon),
    ):
        with pytest.raises(tk.InputError, match=r"^epsilon: "):
            call()


def test_metrics_have_names_and_each_its_own():
    for given in ([A, B], (A, B), [("a", A)]):
        with pytest.raises(tk.InputError, match=r"^metrics: must be a mapping of names to scores, found (list|tuple)"):
            compare_metrics(HUMAN, given)
    with pytest.raises(tk.InputError, match=r"^metrics: every name must occur once, '1' occurs twice"):
        read_metrics(HUMAN, {1: A, "1": B})
    same = pd.DataFrame(np.stack([A[0], B[0]], axis=1), columns=["a", "a"])
    with pytest.raises(tk.InputError, match=r"^metrics: every name must occur once, 'a' occurs twice"):
        compare_metrics(HUMAN[0], same)


@pytest.mark.parametrize("argument", ["human", "metrics"])
@pytest.mark.parametrize("given", [[A, B], A, None, "a", {1: A}, {"a": A, 2: B}])
def test_a_set_has_scores_by_name(argument, given):
    scores = {"human": {"h": HUMAN}, "metrics": {"a": A}} | {argument: given}
    with pytest.raises(tk.InputError, match=rf"^{argument}: must be a mapping of names to scores, found "):
        tk.EvalSet("toy", "", tuple("wxyz"), tuple("0123456789"), **scores)


def test_decimals_are_whole_numbers():
    data = tk.EvalSet("toy", "", ("x", "y"), ("1", "2"), {"h": [[1.23, 2], [3, 4]]}, {"m": [[4.56, 2], [3, 4]]})
    expected = [[4.6, 2], [3, 4]]
    for decimals in (1, np.int64(1), {"m": np.int8(1)}):
        assert data.adjusted(decimals=decimals).metrics["m"].tolist() == expected
    for decimals in (True, np.True_, {"m": True}, 1.0, "1", 301, -301, 10**5000):
        with pytest.raises(tk.InputError, match=r"^decimals: must be a whole number from -300 to 300, found "):
            data.adjusted(decimals=decimals)


BIG = 1e308


@pytest.mark.parametrize(
    ("row", "mean"), [([BIG, BIG, -BIG], BIG / 3), ([BIG] * 3, BIG), ([-BIG, -BIG, BIG], -BIG / 3)]
)
def test_means_are_those_of_exact_sums_however_large(row, mean):
    from tiekit.core.grouping import row_means

    assert row_means(np.array([row]), np.ones((1, 3), bool)) == pytest.approx(mean, rel=1e-15)
    human = [row, [0.5 * mean] * 3, [0, 1, 2]]
    for metric, value in ((human, 1), ([[-score for score in system] for system in human], 0)):
        assert tk.correlate(human, metric, grouping="system_means").value == value
        test = permutation_test(human, metric, [[1, 2, 3]] * 3, grouping="system_means", n_resamples=9)
        assert test.difference == value - tk.correlate(human, [[1, 2, 3]] * 3, grouping="system_means").value
        assert tk.measures.pairwise_accuracy(human, metric) == value


NAN = float("nan")
MASKED = [
    np.ma.array([1.0, 9, 3, 4], mask=[0, 1, 0, 0]),
    np.ma.array([1.0, np.inf, 3, 4], mask=[0, 1, 0, 0]),
    np.ma.array([1, 9, 3, 4], mask=[0, 1, 0, 0]),
    np.ma.array([1, 2**60, 3, 4], mask=[0, 1, 0, 0]),
    np.ma.array([1, "b", 3, 4], mask=[0, 1, 0, 0], dtype=object),
    np.ma.array([1, 9, 3, 4], mask=[0, 1, 0, 0], dtype=np.int8),
    [1, np.ma.masked, 3, 4],
]


@pytest.mark.parametrize("masked", MASKED)
def test_what_is_masked_is_missing_whatever_lies_beneath(masked):
    plain, metric = [1, NAN, 3, 4], [1, 2, 3, 3]
    assert tk.correlate(masked, metric).signature == tk.correlate(plain, metric).signature
    assert tk.correlate([masked, metric], [metric, metric]).value == tk.correlate([plain, metric], [metric] * 2).value
    assert tk.count_pairs(metric, masked) == tk.count_pairs(metric, plain)
    data = tk.EvalSet("toy", "", ("x", "y"), tuple("1234"), {"h": [masked, metric]}, {})
    np.testing.assert_array_equal(data.human["h"], [plain, metric])
    read = tk.read({"x": masked, "y": metric})
    np.testing.assert_array_equal(read.metrics["score"], [plain, metric])


def test_what_is_not_masked_is_checked():
    mask = [0, 1, 0]
    for values, message in (
        (np.ma.array(["1", "b", "3"], mask=mask), "scores must be numbers, found '1'"),
        (np.ma.array([1, 2, 2**60], mask=mask), r"whole numbers must lie within 2\*\*53"),
        (np.ma.array([1, 2, np.inf], mask=mask), "scores must be finite, found inf"),
        (np.ma.array([1, 2, np.inf]), "scores must be finite, found inf"),
    ):
        with pytest.raises(tk.InputError, match=rf"^human: {message}"):
            tk.correlate(values, [1, 2, 3])


RESULTS = {
    "calibration": lambda: tk.calibrate(HUMAN, A),
    "reweighted": lambda: calibrate_reweighted(HUMAN, A, keep_tied=0.5),
    "sampled": lambda: calibrate_reweighted(HUMAN, A, keep_tied=0.5, sample=True),
    "correlation": lambda: tk.correlate(HUMAN, A, "tau_b"),
    "cross_validation": lambda: tk.cross_validate(HUMAN, A, folds=2),
    "permutation_test": lambda: permutation_test(HUMAN, A, B, n_resamples=9),
    "interval": lambda: bootstrap_interval(HUMAN, A, n_resamples=9),
    "comparison": lambda: compare_metrics(HUMAN, BOTH, "acc_eq*", n_resamples=9),
}


@pytest.mark.parametrize("name", RESULTS)
def test_results_can_be_pickled_after_they_were_used(name):
    result = RESULTS[name]()
    value = result.value_at(0.2) if hasattr(result, "value_at") else None
    again = pickle.loads(pickle.dumps(result))
    assert (repr(again), again.signature) == (repr(result), result.signature)
    assert value is None or again.value_at(0.2) == value


@pytest.mark.parametrize("name", tk.COEFFICIENTS)
def test_coefficients_can_be_pickled_after_they_were_used(name):
    expected = tk.correlate(HUMAN, A, name).per_group
    entry = pickle.loads(pickle.dumps(tk.COEFFICIENTS[name]))
    found = entry.per_group(tk.calibrate(HUMAN, A).grouped.scores)
    np.testing.assert_array_equal(found, expected)


def test_processes_of_multiprocessing_compute_what_threads_do():
    expected = permutation_test(HUMAN, A, B, "acc_eq*", n_resamples=200, n_jobs=1)
    with joblib.parallel_config(backend="multiprocessing", n_jobs=2):
        found = permutation_test(HUMAN, A, B, "acc_eq*", n_resamples=200)
    np.testing.assert_array_equal(found.samples, expected.samples)
