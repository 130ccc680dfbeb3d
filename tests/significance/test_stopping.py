"""Tests that stop early: the resamples before are those of the full test, and every result says where it stopped."""

import numpy as np
import pytest

import tiekit as tk
from tests.drawn import noisy_metrics as scores

RANGE = (0.02, 0.5)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["item/acc_eq", "global/tau_b", "spa", "global/pearson"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_each_pair_stops_where_its_own_test_stops(name, alternative):
    human, metrics = scores()
    asked = {"swap": "cells", "n_resamples": 450, "rng": 3, "alternative": alternative}
    found = tk.significance.compare_metrics(human, metrics, name, stop_early=RANGE, **asked)
    listed = found.pairs().set_index(["first", "second"])
    assert "|stop_early:0.02-0.5" in found.signature
    for (first, second), row in listed.iterrows():
        a, b = sorted((first, second), key=list(metrics).index)
        one = tk.significance.permutation_test(human, metrics[a], metrics[b], name, stop_early=RANGE, **asked)
        full = tk.significance.permutation_test(human, metrics[a], metrics[b], name, **asked)
        assert found.pvalues.loc[a, b] == one.pvalue
        assert row.resamples == found.counted.loc[a, b] == found.counted.loc[b, a] == one.n_resamples
        assert one.stopped == (one.n_resamples < 450)
        np.testing.assert_allclose(one.samples, full.samples[: one.n_resamples], rtol=0, atol=1e-12)
        for end in range(100, one.n_resamples, 100):  # it went on while it had to
            extreme = np.sum(
                np.abs(full.samples[:end]) >= abs(full.difference) - 1e-12
                if alternative == "two-sided"
                else full.samples[:end] >= full.difference - 1e-12
            )
            assert 0.02 <= (extreme + 1) / (end + 1) <= 0.5
    assert np.nanmin(found.counted) == 100


def test_without_it_every_resample_counts_and_nothing_is_said():
    human, metrics = scores()
    found = tk.significance.compare_metrics(human, metrics, "spa", n_resamples=120)
    assert set(found.counted.stack().dropna()) == {120}
    assert "resamples" not in found.pairs()
    assert "stop_early" not in found.signature
    with pytest.raises(tk.InputError, match="stop_early: must be two p-values"):
        tk.significance.compare_metrics(human, metrics, stop_early=0.02)


def test_where_all_ways_are_tried_no_test_stops():
    human, metrics = scores()
    few = {name: metric[:, :6] for name, metric in metrics.items()}
    found = tk.significance.compare_metrics(human[:, :6], few, stop_early=RANGE, n_resamples=199)
    assert set(found.counted.stack().dropna()) == {64}
