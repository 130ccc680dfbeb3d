"""Systems: soft pairwise accuracy whatever their order, by brute force; mt-metrics-eval's cases and real numbers."""

import itertools
import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests.strategies import examples, matrices

GOLD = [
    [3, 2, 2, 1, 1, 0, 0, 0],
    [0, 3, 2, 3, 2, 2, 3, 2],
    [2, 2, 2, 3, 1, 3, 2, 0],
    [1, 3, 2, 0, 3, 2, 3, 0],
    [0, 3, 0, 2, 0, 1, 1, 1],
]
METRIC = [
    [-0.1, 1.4, -0.7, 0.4, 0.9, 0.1, -0.7, -0.9],
    [-0.5, 0.2, -1, -0.2, -0.2, 0.5, 0.2, 0.4],
    [-0.7, -0.1, 0.8, 1.5, -1.3, 1.5, 1.3, 0.8],
    [0.3, -0.3, 1.5, 2, 1.8, 1.3, 0.4, -1.2],
    [0, 0.7, -1.3, 0.4, 0.4, 0.7, -1.2, -0.7],
]


def mid_p(lead):
    """Of all ways to change the signs, how many lead further; an equal lead counts half. In whole numbers."""
    whole = [round(10 * x) for x in lead]
    signs = itertools.product((1, -1), repeat=len(whole))
    sums = [sum(s * x for s, x in zip(which, whole, strict=True)) for which in signs]
    return np.mean([(total > sum(whole)) + 0.5 * (total == sum(whole)) for total in sums])


def plain_spa(human, metric):
    """Soft pairwise accuracy over all signs, as plainly as possible."""
    scored = ~(np.isnan(human) | np.isnan(metric))
    found = []
    for i, j in itertools.combinations(np.flatnonzero(scored.any(axis=1)), 2):
        both = scored[i] & scored[j]
        if both.any():
            found.append(abs(mid_p((human[i] - human[j])[both]) - mid_p((metric[i] - metric[j])[both])))
    return 1 - np.mean(found) if found else math.nan


def test_exact_cases_by_mid_p_in_any_order():
    human, metric = [[1, 2, 3], [2, 3, 4]], [[2, 2, 4], [1, 3, 5]]
    for order in ([0, 1], [1, 0]):
        assert tk.measures.soft_pairwise_accuracy(np.array(human)[order], np.array(metric)[order]) == 0.75
    for order in ([0, 1, 2, 3, 4], [2, 4, 0, 1, 3]):
        assert tk.measures.soft_pairwise_accuracy(np.array(GOLD)[order], np.array(METRIC)[order]) == pytest.approx(
            0.682421875
        )


@examples(8)
@given(matrices(("tenths", "integers")), st.randoms(use_true_random=False))
def test_all_signs_as_a_plain_loop_has_them_missing_scores_included(scores, random):
    human, metric = scores
    found = tk.measures.soft_pairwise_accuracy(human, metric)
    assert found == pytest.approx(plain_spa(human, metric), abs=1e-12, nan_ok=True)
    order = random.sample(range(len(human)), len(human))
    assert tk.measures.soft_pairwise_accuracy(human[order], metric[order]) == pytest.approx(
        found, abs=1e-12, nan_ok=True
    )


def test_random_signs_come_close_and_do_not_depend_on_the_order_either():
    exact = tk.measures.soft_pairwise_accuracy(GOLD, METRIC)
    drawn = tk.measures.soft_pairwise_accuracy(GOLD, METRIC, n_resamples=200, rng=1)
    assert drawn != exact
    assert drawn == pytest.approx(exact, abs=0.05)
    turned = tk.measures.soft_pairwise_accuracy(GOLD[::-1], METRIC[::-1], n_resamples=200, rng=1)
    assert turned == pytest.approx(drawn, abs=1e-12)
    rng = np.random.default_rng(0)
    human = rng.normal(size=(12, 300))
    constant = np.ones_like(human)
    assert tk.measures.soft_pairwise_accuracy(human, human) == 1
    orders = [
        tk.measures.soft_pairwise_accuracy(human[order], constant) for order in (np.arange(12), rng.permutation(12))
    ]
    assert orders[0] == pytest.approx(orders[1], abs=1e-12)


def test_systems_without_a_common_segment_are_left_out_of_the_mean():
    nan = np.nan
    apart = np.array([[1, 2, nan, nan], [nan, nan, 3, 4]])
    assert math.isnan(tk.measures.soft_pairwise_accuracy(apart, apart))
    human, metric = np.vstack([apart, [4, 1, 2, 5]]), np.vstack([apart, [0, 0, 9, 1]])
    pairs = [tk.measures.soft_pairwise_accuracy(human[[i, 2]], metric[[i, 2]]) for i in (0, 1)]
    assert len(set(pairs)) == 2
    assert tk.measures.soft_pairwise_accuracy(human, metric) == np.mean(pairs)


@pytest.mark.campaign
def test_many_segments_leave_little_in_memory():
    """Measured by tracemalloc, which sees NumPy's arrays: what the call has left behind, and its peak."""
    rng = np.random.default_rng(0)
    human, metric = rng.normal(size=(2, 3, 100_000))
    tk.measures.soft_pairwise_accuracy(human[:, :50], metric[:, :50])
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    value = tk.measures.soft_pairwise_accuracy(human, metric)
    after, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after - before < 100e6
    assert peak - before < 200e6
    swaps = np.random.default_rng(0).bytes(12_500_000)
    signs = 1 - 2.0 * np.unpackbits(np.frombuffer(swaps, np.uint8)).reshape(100_000, 1000)
    shares = []
    for scores in (human, metric):
        swapped, lead = scores @ signs, scores.sum(axis=1)
        shares.append([(swapped[i] - swapped[j] > lead[i] - lead[j]).mean() for i, j in ((0, 1), (0, 2), (1, 2))])
    assert value == pytest.approx(1 - np.abs(np.subtract(*shares)).mean(), abs=1e-12)


def test_pairwise_accuracy_counts_systems_ordered_alike():
    assert tk.measures.pairwise_accuracy([[1, 2], [2, 3], [4, 4]], [[5, 1], [2, 2], [3, 6]]) == pytest.approx(2 / 3)
    assert tk.measures.pairwise_accuracy([[1, 2], [2, 1], [4, 4]], [[5, 1], [3, 3], [3, 6]]) == 1  # a tie matches a tie
    assert math.isnan(tk.measures.pairwise_accuracy([[1, 2]], [[3, 4]]))
    with pytest.raises(tk.InputError, match="human: systems are compared"):
        tk.measures.pairwise_accuracy([1, 2], [3, 4])


def test_differences_correlate_as_mt_metrics_eval_has_them():
    human, metric = [[1, 2, 3], [4, 5, 6]], [[2, 1, 4], [3, 3, 7]]
    assert tk.measures.pairwise_difference_pearson(human, metric) == pytest.approx(0.92582010)
    assert tk.measures.pairwise_difference_pearson(human, metric, grouping="system") == pytest.approx(0.76613088)
    gaps = [[1, 5, np.nan], [10, 2, 12]], [[3, 15, 1], [20, 4, 24]]
    assert tk.measures.pairwise_difference_pearson(*gaps) == pytest.approx(0.968, abs=5e-4)
    assert tk.measures.pairwise_difference_pearson(*gaps, grouping="global") == pytest.approx(0.975, abs=5e-4)
    assert math.isnan(tk.measures.pairwise_difference_pearson(human, [[1, 2, 3], [1, 2, 3]]))
    with pytest.raises(tk.InputError, match="grouping: system means are one group"):
        tk.measures.pairwise_difference_pearson(human, metric, grouping="system_means")


@examples(8)
@given(matrices(("tenths", "integers")))
def test_differences_of_all_pairs_listed(scores):
    human, metric = scores
    dh, dm = [], []
    for h, m in zip(human.T, metric.T, strict=True):
        scored = np.flatnonzero(~(np.isnan(h) | np.isnan(m)))
        for i, j in itertools.product(scored, repeat=2):
            dh.append(h[i] - h[j])
            dm.append(m[i] - m[j])
    sizes = np.dot(dh, dh) * np.dot(dm, dm)
    expected = np.dot(dh, dm) / math.sqrt(sizes) if sizes > 1e-18 else math.nan
    assert tk.measures.pairwise_difference_pearson(human, metric) == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_they_are_tested_and_bounded_like_any_coefficient():
    other = np.square(METRIC)
    for name, value in (
        ("spa", tk.measures.soft_pairwise_accuracy),
        ("pdp", tk.measures.pairwise_difference_pearson),
        ("pairwise_accuracy", tk.measures.pairwise_accuracy),
    ):
        found = tk.significance.permutation_test(GOLD, METRIC, other, name, swap="both", n_resamples=19)
        assert found.values == pytest.approx((value(GOLD, METRIC), value(GOLD, other)), abs=1e-12)
        bounds = tk.significance.bootstrap_interval(GOLD, METRIC, name, n_resamples=39)
        assert bounds.low <= bounds.value <= bounds.high
    with pytest.raises(tk.InputError, match="grouping: spa compares systems of a matrix"):
        tk.significance.permutation_test(GOLD, METRIC, other, "spa", grouping="item")
    with pytest.raises(tk.InputError, match="grouping: pdp compares translations"):
        tk.significance.permutation_test(GOLD, METRIC, other, "pdp", grouping="system_means")


def test_a_leaderboard_shows_them_beside_coefficients():
    systems, segments = tuple("ABCDE"), tuple(map(str, range(8)))
    data = tk.EvalSet("toy", "", systems, segments, {"h": GOLD}, {"m": METRIC, "n": np.square(METRIC)})
    board = tk.leaderboard(data, "h", coefficients=["tau_b", "spa", "pdp", "pairwise_accuracy"], calibrated=())
    assert board.value_columns == ["tau_b", "spa", "pdp", "pairwise_accuracy"]
    assert board[["groups(spa)", "undefined(spa)"]].to_numpy().tolist() == [[1, 0]] * 2
    assert board.loc["m", "spa"] == tk.measures.soft_pairwise_accuracy(GOLD, METRIC)
    assert board.loc["m", "pdp"] == tk.measures.pairwise_difference_pearson(GOLD, METRIC)
    assert board.loc["n", "pairwise_accuracy"] == tk.measures.pairwise_accuracy(GOLD, np.square(METRIC))
    assert board.loc["m", "rank(spa)"] == 1
    assert "coefficient:spa" in board.attrs["signatures"]["spa"]["m"]
    assert "seed:0" in board.attrs["signatures"]["spa"]["m"]


@pytest.mark.real
@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_real_metrics_as_mt_metrics_eval_judges_them(real_data):
    data = tk.read_mtme(real_data / "mt-metrics-eval-v2", "wmt22", "zh-en", human="mqm")
    data = data.select(exclude=["refA", "refB"])
    for name, pdp, spa, agreeing in (
        ("metricx_xxl_MQM_2020-refA", 0.370478, 0.862604, 77),
        ("COMET-22-refA", 0.389897, 0.877165, 79),
        ("BLEU-refA", 0.113753, 0.645703, 58),
    ):
        scores = data.human["mqm"], data.metrics[name]
        assert tk.measures.pairwise_difference_pearson(*scores) == pytest.approx(pdp, abs=1e-6)
        assert tk.measures.soft_pairwise_accuracy(*scores) == pytest.approx(
            spa, abs=0.01
        )  # theirs is drawn, and no mid-p
        assert tk.measures.pairwise_accuracy(*scores) == pytest.approx(agreeing / 91)


def test_parity_gives_the_value_of_mt_metrics_eval():
    """By its recipe, pair by pair; an equal lead counts as larger, so that the order of systems matters."""
    rng = np.random.default_rng(0)
    human, metric = rng.integers(0, 3, (5, 40)) * 1.0, rng.integers(0, 2, (5, 40)) * 1.0
    mask = np.rint(np.random.default_rng(4).random((1000, 40), np.float32))

    def plain(order):
        total, n = 0.0, 0
        for i in range(5):
            for j in range(i + 1, 5):
                shares = []
                for side in (human[order], metric[order]):
                    lead = side[i] - side[j]
                    shares.append(np.mean((2 * mask - 1) @ lead >= lead.sum()))
                total, n = total + abs(shares[0] - shares[1]), n + 1
        return 1 - total / n

    values = []
    for order in (np.arange(5), np.arange(5)[::-1]):
        found = tk.measures.soft_pairwise_accuracy(human[order], metric[order], parity="mtme")
        assert found == pytest.approx(plain(order), abs=1e-12)
        values.append(found)
    assert values[0] != values[1]
    gap = np.where(np.arange(40) < 3, np.nan, human)
    assert 0 < tk.measures.soft_pairwise_accuracy(gap, metric, parity="mtme") < 1
    assert np.isnan(tk.measures.soft_pairwise_accuracy(human[:1], metric[:1], parity="mtme"))
    with pytest.raises(tk.InputError, match="parity: must be 'mtme' or None"):
        tk.measures.soft_pairwise_accuracy(human, metric, parity="wmt")
