"""Every k-th pair is counted once, and all of them together find what the library finds."""

import itertools

import numpy as np
import pytest

import tiekit as tk
from tiekit.core.calibration import calibrate_every_kth, kth_pairs


@pytest.fixture
def scores():
    rng = np.random.default_rng(3)
    human, metric = rng.integers(0, 3, (5, 7)).astype(float), rng.integers(0, 9, (5, 7)).astype(float)
    human[2, 3] = metric[0, 6] = np.nan
    return human, metric


DOCUMENTS = list("abacbca")


@pytest.mark.parametrize("grouping", ["global", "item", "system", "document"])
@pytest.mark.parametrize("coefficient", ["acc_eq", "tau_eq", "tau_a"])
@pytest.mark.filterwarnings("ignore::tiekit.CalibrationWarning")
def test_every_pair_gives_the_librarys_threshold(scores, grouping, coefficient):
    best = tk.calibrate(*scores, coefficient, grouping=grouping, documents=DOCUMENTS)
    pairs, epsilon, value = calibrate_every_kth(*scores, coefficient, grouping, 1, 0, DOCUMENTS)
    assert (pairs, epsilon) == (best.n_pairs, best.epsilon)
    assert value == pytest.approx(best.value, abs=1e-12)


@pytest.mark.parametrize("grouping", ["global", "item", "system", "document"])
def test_the_samples_of_all_starts_are_all_pairs_once(scores, grouping):
    human, metric = scores
    found = []
    for start in range(4):
        _, _, first, second, _ = kth_pairs(human, metric, grouping, 4, start, DOCUMENTS)
        found += zip(first.tolist(), second.tolist(), strict=True)
    lines, other = (
        {
            "item": side.T,
            "system": side,
            "global": side.reshape(1, -1),
            "document": [side[:, [d == name for d in DOCUMENTS]].ravel() for name in "abc"],
        }[grouping]
        for side in scores
    )
    expected, begin = [], 0
    for h, m in zip(lines, other, strict=True):
        size = int((~np.isnan(h) & ~np.isnan(m)).sum())
        expected += itertools.combinations(range(begin, begin + size), 2)
        begin += size
    assert sorted(found) == sorted(expected)


def test_a_sample_is_calibrated_on_its_own_pairs(scores):
    human, metric = scores
    h, m, first, second, group = kth_pairs(human, metric, "item", 3, 1)
    best = (-1.0, 0.0)
    for epsilon in sorted({0.0, *np.abs(m[first] - m[second])}):
        right = np.where(np.abs(m[first] - m[second]) <= epsilon, 0, np.sign(m[first] - m[second]))
        right = right == np.sign(h[first] - h[second])
        value = float(np.mean([right[group == one].mean() for one in np.unique(group)]))
        best = max(best, (value, epsilon), key=lambda one: one[0])
    _, epsilon, value = calibrate_every_kth(human, metric, "acc_eq", "item", 3, 1)
    assert (value, epsilon) == pytest.approx(best)
