"""What does a metric get that knows nothing? All orders of its scores, and real scores in a random order."""

import itertools

import numpy as np
import pytest

import tiekit as tk


@pytest.mark.parametrize(
    ("human", "metric"),
    [
        ([1, 1, 2, 3, 3], [1, 1, 1, 2, 4]),
        ([1, 2, 3, 4], [1, 2, 3, 4]),
        ([1, 1, 1, 1], [1, 2, 2, 4]),
        ([1, 2, 2, 5, 5, 5], [0, 0, 3, 3, 3, 4]),
    ],
)
def test_chance_is_the_mean_over_all_orders_of_a_metric(human, metric):
    orders = list(itertools.permutations(metric))
    mean = np.mean([tk.COEFFICIENTS["acc_eq"].value(tk.count_pairs(human, order)) for order in orders])
    counts = tk.count_pairs(human, metric)
    h = (counts.ties_human + counts.ties_both) / counts.total
    t = (counts.ties_metric + counts.ties_both) / counts.total
    assert tk.measures.chance_level(h, t) == pytest.approx(mean, abs=1e-12)


def test_of_groups_chance_is_of_their_mean_share_of_human_ties():
    rng = np.random.default_rng(0)
    human = rng.integers(0, 3, (4, 3)).astype(float)
    metric = np.array([1.0, 1, 2, 3])
    h = tk.correlate(human, np.zeros_like(human), "acc_eq").value
    orders = [np.array(order) for order in itertools.permutations(metric)]
    values = [[tk.correlate(column, order, "acc_eq").value for order in orders] for column in human.T]
    assert tk.measures.chance_level(h, 1 / 6) == pytest.approx(np.mean(values), abs=1e-12)


@pytest.mark.parametrize("h", [0, 0.1, 1 / 3, 0.42, 1])
def test_the_best_chance_level_ties_all_or_none(h):
    levels = [tk.measures.chance_level(h, t) for t in np.linspace(0, 1, 101)]
    assert tk.measures.chance_level(h) == pytest.approx(max(levels), abs=1e-12)
    assert tk.measures.chance_level(h) in (levels[0], levels[-1])


@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_shuffled_scores_of_wmt22_reach_chance(wmt22_zh_en):
    chosen = wmt22_zh_en.select()
    rated = ~np.isnan(chosen.human["mqm"]).all(axis=1)
    human, metric = chosen.human["mqm"][rated], chosen.metrics["MATESE-refA"][rated]
    ties = np.array([[[a == b for a, b in itertools.combinations(c, 2)] for c in m.T] for m in (human, metric)])
    h, t = ties.mean(axis=2)  # of each segment: MATESE ties more where people do
    expected = np.mean([tk.measures.chance_level(*shares) for shares in zip(h, t, strict=True)])
    for seed in range(3):
        shuffled = np.random.default_rng(seed).permuted(metric, axis=0)
        assert tk.calibrate(human, shuffled).value_at_zero == pytest.approx(expected, abs=0.004)
    continuous = np.random.default_rng(3).permuted(chosen.metrics["COMET-22-refA"][rated].ravel()).reshape(human.shape)
    found = tk.calibrate(human, continuous)
    assert found.value_at_zero == pytest.approx(tk.measures.chance_level(h.mean(), 0), abs=0.004)
    assert tk.measures.chance_level(h.mean()) <= found.value < tk.measures.chance_level(h.mean()) + 0.002


@pytest.mark.parametrize("wrong", [-0.1, 1.1, "a", True, None])
def test_a_share_is_from_0_to_1(wrong):
    with pytest.raises(tk.InputError, match=r"^human_tied: must be a number from 0 to 1"):
        tk.measures.chance_level(wrong)
    if wrong is not None:
        with pytest.raises(tk.InputError, match=r"^metric_tied: must be a number from 0 to 1"):
            tk.measures.chance_level(0.5, wrong)
