"""Agreement of measures, against SciPy."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr

import tiekit as tk
from tests.research.measures.toys import SMALL, toy


def test_agreement_is_kendalls_tau_of_the_values_averaged():
    datasets = {str(seed): toy(n_metrics=5, seed=seed) for seed in range(2)}
    found = tk.measures.measure_agreement(datasets)
    values = [tk.measures.evaluate_measures(*dataset) for dataset in datasets.values()]
    for a, b in product(tk.measures.GAO_MEASURES, repeat=2):
        expected = np.mean([kendalltau(v[a], v[b]).statistic for v in values])
        assert found.loc[a, b] == pytest.approx(expected, abs=1e-12)
    by_value = tk.measures.measure_agreement(datasets, SMALL, "pearson")
    values = [tk.measures.evaluate_measures(*dataset, SMALL) for dataset in datasets.values()]
    expected = np.mean([pearsonr(v[SMALL[0]], v[SMALL[1]]).statistic for v in values])
    assert by_value.loc[SMALL[0], SMALL[1]] == pytest.approx(expected, abs=1e-12)


def test_a_metric_without_a_value_is_left_out_of_the_ranking():
    human, metrics = toy(n_metrics=3)
    flat = {"flat": np.ones_like(human)}
    with_flat = tk.measures.measure_agreement({"d": (human, metrics | flat)}, ["item/tau_b", "global/tau_b"])
    assert with_flat.equals(tk.measures.measure_agreement({"d": (human, metrics)}, ["item/tau_b", "global/tau_b"]))
