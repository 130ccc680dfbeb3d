"""The pair of metrics about which tests may disagree: neighbors whose difference is near the limit of chance."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
from scipy import stats

import tiekit as tk


def test_it_is_the_pair_whose_difference_is_nearest_to_one_and_a_half_standard_errors():
    data = tk.read_mtme(Path(__file__).parents[2] / "data", "synthetic", "qaa-qab").select()
    human = data.human["mqm"]
    values = {}
    for name, scores in data.metrics.items():
        if np.unique(scores).size > 1:
            values[name] = tk.correlate(human, scores, "acc_eq*", grouping="item").per_group
    ranked = sorted(values, key=lambda name: -values[name].mean())
    tests = {pair: stats.ttest_rel(*(values[name] for name in pair)).statistic for pair in itertools.pairwise(ranked)}
    found = tk.measures.disputed_neighbors(human, data.metrics)
    assert found == min(tests, key=lambda pair: abs(abs(tests[pair]) - 1.5))
    unrated = np.full_like(human, np.nan)
    assert tk.measures.disputed_neighbors(unrated, data.metrics) == ()


def test_on_wmt22_schemes_disagree_about_it(wmt22_zh_en):
    chosen = wmt22_zh_en.select()
    human = chosen.human["mqm"]
    pair = tk.measures.disputed_neighbors(human, chosen.metrics)
    sides = [chosen.metrics[name] for name in pair]
    p = {
        swap: tk.significance.permutation_test(
            human, *sides, "acc_eq*", grouping="item", swap=swap, n_resamples=199
        ).pvalue
        for swap in ("segments", "pairs")
    }
    assert p["pairs"] <= 0.05 < p["segments"]
