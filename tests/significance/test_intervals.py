"""Intervals: numbers that nlpstats prints, formulas worked by hand, plain resampling, coverage."""

import numpy as np
import pytest

import tiekit as tk


def test_bonett_wright_as_nlpstats_prints_it():
    metric, human = np.random.RandomState(12).random_sample((2, 5, 7))
    for grouping, name, low, high in (
        ("global", "pearson", -0.0276374, 0.5818846),
        ("global", "spearman", -0.0673347, 0.5640758),
        ("global", "tau_b", -0.0299647, 0.4098565),
        ("system_means", "pearson", -0.6445648, 0.9644395),
        ("system_means", "spearman", -0.6708734, 0.9756771),
        ("system_means", "tau_b", -0.7023911, 0.9377790),
        ("item", "pearson", -0.8083766, 0.9287864),
        ("item", "spearman", -0.7262127, 0.9653647),
        ("item", "tau_b", -0.6844868, 0.9418063),
    ):
        found = tk.significance.bonett_wright(human, metric, name, grouping=grouping)
        assert (found.low, found.high) == (pytest.approx(low, abs=1e-7), pytest.approx(high, abs=1e-7))


def test_bonett_wright_counts_scored_cells_and_has_limits():
    human, metric = [1, 2, 3, 5, 4, np.nan, 9], [1, 3, 2, 4, 6, 7, np.nan]
    cut = tk.significance.bonett_wright(human, metric), tk.significance.bonett_wright(human[:5], metric[:5])
    assert (cut[0].low, cut[0].high) == (cut[1].low, cut[1].high)
    assert np.isnan(tk.significance.bonett_wright([1, 2, 3], [1, 3, 2]).low)
    assert np.isnan(tk.significance.bonett_wright([1, 2, 3, 4], [1, 3, 2, 5], "tau_b").high)
    certain = tk.significance.bonett_wright([1, 2, 3, 4, 5], [1, 2, 3, 4, 5])
    assert (certain.low, certain.value, certain.high) == pytest.approx((1, 1, 1))
    with pytest.raises(tk.InputError, match="coefficient: must be one of pearson, spearman, tau_a, tau_b"):
        tk.significance.bonett_wright([1, 2, 3], [1, 3, 2], "acc_eq")
    with pytest.raises(tk.InputError, match="confidence: must lie between 0 and 1"):
        tk.significance.bonett_wright([1, 2, 3], [1, 3, 2], confidence=95)


def test_bootstraps_as_nlpstats_prints_them():
    metric, human = np.arange(1.0, 10).reshape(3, 3), np.array([[5.0, 2, 7], [1, 7, 3], [4, 2, 2]])
    for resample, confidence, low, high in (
        ("systems", 0.95, -0.8660254, 0.3973597),
        ("systems", 0.9, -0.5773503, 0.3273268),
        ("segments", 0.95, -0.9449112, 0.0),
        ("both", 0.95, -1, 1),
    ):
        asked = {"resample": resample, "confidence": confidence, "n_resamples": 4999}
        found = tk.significance.bootstrap_interval(human, metric, "pearson", grouping="global", **asked)
        assert (found.low, found.high) == (pytest.approx(low, abs=1e-6), pytest.approx(high, abs=1e-6))
    metric, human = np.random.RandomState(4).random_sample((2, 25, 50))
    for grouping, name, resample, low, high in (
        ("system_means", "pearson", "both", -0.5297912, 0.5460670),
        ("item", "spearman", "segments", -0.0433881, 0.0572373),
        ("global", "tau_b", "systems", -0.0347037, 0.0289168),
    ):
        found = tk.significance.bootstrap_interval(
            human, metric, name, grouping=grouping, resample=resample, n_resamples=499
        )
        assert (found.low, found.high) == (pytest.approx(low, abs=0.05), pytest.approx(high, abs=0.05))
        assert found.low < found.value < found.high


def test_calibrated_accuracy_has_an_interval_with_thresholds_fixed_or_found_again():
    rng = np.random.default_rng(0)
    human = rng.integers(0, 3, (5, 12)).astype(float)
    metric, other = (human + rng.normal(size=human.shape) for _ in range(2))
    fixed = tk.significance.bootstrap_interval(human, metric, "acc_eq*", n_resamples=199)
    assert (fixed.value, fixed.epsilons[0]) == (
        pytest.approx(tk.calibrate(human, metric).value),
        tk.calibrate(human, metric).epsilon,
    )
    again = tk.significance.bootstrap_interval(human, metric, epsilon="recalibrated", n_resamples=64, resample="both")
    assert np.isnan(again.epsilons).all()
    assert again.value == pytest.approx(fixed.value)
    still = tk.significance.bootstrap_interval(human, metric, "acc_eq*", n_resamples=64, resample="both")
    assert again.samples.mean() > still.samples.mean()  # a threshold of its own does better on every sample
    for one in (fixed, again):
        assert 0 <= one.low <= one.value <= one.high <= 1
    difference = tk.significance.bootstrap_interval(human, metric, "acc_eq*", against=other, n_resamples=199)
    alone = tk.significance.bootstrap_interval(human, other, "acc_eq*", n_resamples=199)
    np.testing.assert_allclose(difference.samples, fixed.samples - alone.samples)


def test_segments_drawn_again_by_item_are_means_of_their_values():
    rng = np.random.default_rng(2)
    human, metric = rng.integers(0, 3, (4, 9)), rng.integers(0, 3, (4, 9))
    per_group = tk.correlate(human, metric, "tau_b").per_group
    found = tk.significance.bootstrap_interval(human, metric, "tau_b", n_resamples=1999)
    defined = per_group[~np.isnan(per_group)]
    assert found.samples.mean() == pytest.approx(defined.mean(), abs=0.03)
    assert np.nanstd(found.samples) == pytest.approx(defined.std() / np.sqrt(defined.size), rel=0.1)


def test_what_is_undefined_is_left_out_and_what_cannot_be_asked_for_is_named():
    found = tk.significance.bootstrap_interval([1, 2, 2], [1, 1, 2], "tau_b", n_resamples=200)
    assert 0 < found.n_undefined < 200
    assert not np.isnan([found.low, found.high]).any()
    nothing = tk.significance.bootstrap_interval([1, 2, 3], [1, 1, 1], "tau_b", n_resamples=20)
    assert np.isnan([nothing.value, nothing.low, nothing.high]).all()
    for change, message in (
        ({"resample": "cells"}, "resample: must be one of segments, systems, both"),
        ({"resample": "systems"}, "resample: items of vectors have no systems"),
        ({"confidence": 1}, "confidence: must lie between"),
        ({"against": [1, 2]}, "against: must have the shape of human"),
    ):
        with pytest.raises(tk.InputError, match=message):
            tk.significance.bootstrap_interval([1, 2, 3], [1, 3, 2], **change)


@pytest.mark.campaign
def test_bootstrap_intervals_cover_what_they_should():
    truth, covered = None, 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        common = rng.normal(size=(8, 100))
        human, metric = (np.round(common + rng.normal(size=common.shape)) for _ in range(2))
        if truth is None:
            common = rng.normal(size=(8, 40_000))
            sides = (np.round(common + rng.normal(size=common.shape)) for _ in range(2))
            truth = tk.correlate(*sides).value
        found = tk.significance.bootstrap_interval(human, metric, n_resamples=199)
        covered += found.low <= truth <= found.high
    assert 0.90 < covered / 300 < 0.99
