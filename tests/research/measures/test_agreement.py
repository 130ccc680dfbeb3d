"""Agreement of measures, against SciPy."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import kendalltau, pearsonr

from tests.research.measures.toys import SMALL, toy
from tiekit.measures import GAO_MEASURES, evaluate_measures, measure_agreement


def test_agreement_is_kendalls_tau_of_the_values_averaged():
    datasets = {str(seed): toy(n_metrics=5, seed=seed) for seed in range(2)}
    found = measure_agreement(datasets)
    values = [evaluate_measures(*dataset) for dataset in datasets.values()]
    for a, b in product(GAO_MEASURES, repeat=2):
        expected = np.mean([kendalltau(v[a], v[b]).statistic for v in values])
        assert found.loc[a, b] == pytest.approx(expected, abs=1e-12)
    by_value = measure_agreement(datasets, SMALL, "pearson")
    values = [evaluate_measures(*dataset, SMALL) for dataset in datasets.values()]
    expected = np.mean([pearsonr(v[SMALL[0]], v[SMALL[1]]).statistic for v in values])
    assert by_value.loc[SMALL[0], SMALL[1]] == pytest.approx(expected, abs=1e-12)


def test_a_metric_without_a_value_is_left_out_of_the_ranking():
    human, metrics = toy(n_metrics=3)
    flat = {"flat": np.ones_like(human)}
    with_flat = measure_agreement({"d": (human, metrics | flat)}, ["item/tau_b", "global/tau_b"])
    assert with_flat.equals(measure_agreement({"d": (human, metrics)}, ["item/tau_b", "global/tau_b"]))
