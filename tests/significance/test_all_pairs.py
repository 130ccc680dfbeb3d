"""Many metrics: the same p-values as two by two, and clusters of what was tested."""

import itertools

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.drawn import noisy_metrics


@pytest.fixture(scope="module")
def scores():
    human, metrics = noisy_metrics()
    return human, metrics | {"flat": np.zeros_like(human)}


MEASURES = ["item/acc_eq*", "spa", "global/pearson", "pdp", "pairwise_accuracy", "system_means/tau_b"]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("swap", ["segments", "both"])
@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_every_two_metrics_get_the_pvalue_of_their_own_test(scores, name, swap, alternative):
    human, metrics = scores[0], scores[1] | {"coarse": np.round(scores[1]["good"])}
    asked = {"swap": swap, "n_resamples": 99, "rng": 3, "alternative": alternative}
    found = tk.significance.compare_metrics(human, metrics, name, **asked)
    values = found.values  # noqa: PD011 - of a comparison, not of a frame
    assert np.isnan(np.diag(found.pvalues)).all()
    pairs = itertools.combinations if alternative == "two-sided" else itertools.permutations
    if alternative == "two-sided":
        pd.testing.assert_frame_equal(found.pvalues, found.pvalues.T, check_names=False)
    for a, b in pairs(metrics, 2):
        one = tk.significance.permutation_test(human, metrics[a], metrics[b], name, **asked)
        assert found.pvalues.loc[a, b] == one.pvalue
        assert values[a] - values[b] == pytest.approx(one.difference, abs=1e-9, nan_ok=True)
    if name == MEASURES[0] and alternative == "two-sided":
        assert (found.pvalues["flat"].dropna() == 1).all()
        clusters = found.clusters()
        assert clusters.dropna().is_monotonic_increasing
        assert clusters["good"] < clusters["fair"] == clusters["twin"]


def test_a_constant_metric_ends_no_cluster_and_counts_for_no_correction(scores):
    """Were its p-value of 1 one among others, a metric with the same value could stand in another cluster."""
    human, metrics = scores
    asked = {"grouping": "item", "n_resamples": 199, "rng": 3}
    found = tk.significance.compare_metrics(human, metrics, "acc_eq", **asked)
    others = tk.significance.compare_metrics(
        human, {name: m for name, m in metrics.items() if name != "flat"}, "acc_eq", **asked
    )
    assert (found.constant, found.untested, others.constant) == (("flat",), ("flat",), ())
    for correction in (None, "holm", "bonferroni"):
        clusters, pairs = found.clusters(correction=correction), found.pairs(correction)
        assert pd.isna(clusters["flat"])
        pd.testing.assert_series_equal(clusters.drop("flat"), others.clusters(correction=correction))
        flat = (pairs[["first", "second"]] == "flat").any(axis=1)
        assert flat.sum() == 4
        assert pairs.loc[flat, ["pvalue", "corrected"]].isna().all(axis=None)
        pd.testing.assert_frame_equal(pairs[~flat].reset_index(drop=True), others.pairs(correction))


def test_every_pair_is_listed_with_its_p_values(scores):
    human, metrics = scores
    found = tk.significance.compare_metrics(human, metrics, "tau_b", grouping="item", n_resamples=99, rng=3)
    order = list(found.pvalues.index)
    assert (found.untested, order[-1]) == (("flat",), "flat")  # undefined, too
    pairs = found.pairs("bonferroni")
    assert list(pairs["first"]) == [order[i] for i in (0, 0, 0, 0, 1, 1, 1, 2, 2, 3)]
    for row in pairs[pairs["second"] != "flat"].itertuples():
        assert row.pvalue == found.pvalues.loc[row.first, row.second]
        assert row.corrected == min(1.0, 6 * row.pvalue)  # of four metrics
        one, other = (tk.correlate(human, metrics[name], "tau_b", grouping="item") for name in (row.first, row.second))
        assert row.difference == pytest.approx(one.value - other.value)


def test_metrics_without_a_value_have_no_cluster():
    human = np.tile([1.0, 2.0, 3.0], (3, 1)) + np.arange(3)[:, None]
    same_in_each_item = np.tile([1.0, 2.0, 3.0], (3, 1))
    found = tk.significance.compare_metrics(
        human, {"a": human, "b": -human, "items": same_in_each_item}, "tau_b", grouping="item"
    )
    assert found.constant == ()
    assert found.untested == ("items",)
    with pytest.warns(tk.ResamplesWarning, match="8 give no p-value below 0.11.*no more ways to swap$"):
        assert found.clusters().isna().tolist() == [False, False, True]


def test_algorithm_one_gives_each_measure_the_pvalues_of_its_own_comparison(scores):
    human, metrics = scores
    measures = ["item/tau_b", "global/acc_eq*", "system_means/spearman", "pdp"]
    asked = {"swap": "cells", "n_resamples": 64, "rng": 1}
    found = tk.significance.swap_test(human, metrics, measures, n_jobs=2, **asked)
    assert found.columns.tolist() == ["item/tau_b", "global/acc_eq*", "system_means/spearman", "item/pdp"]
    assert len(found) == 10
    for measure, column in zip(measures, found, strict=True):
        one = tk.significance.permutation_test(human, metrics["good"], metrics["poor"], measure, **asked)
        assert found.loc[("good", "poor"), column] == one.pvalue
    pd.testing.assert_frame_equal(found, tk.significance.swap_test(human, metrics, measures, n_jobs=1, **asked))


def test_pair_outcomes_never_decide_clusters(scores):
    human, metrics = scores
    found = tk.significance.compare_metrics(human, metrics, swap="pairs", n_resamples=50)
    assert "swap:pairs" in found.signature
    with pytest.raises(
        tk.InputError, match="swap: p-values of 'pairs' cannot be put into clusters; pairs share scores"
    ):
        found.clusters()
    with pytest.raises(tk.InputError, match="swap: 'pairs' is for compare_metrics"):
        tk.significance.swap_test(human, metrics, ["item/tau_b"], swap="pairs")
    with pytest.raises(tk.InputError, match="metrics: there must be at least two, found 1"):
        tk.significance.compare_metrics(human, {"good": human})
    with pytest.raises(tk.InputError, match=r"metrics\['bad'\]: must have the shape"):
        tk.significance.compare_metrics(human, {"good": human, "bad": human[:2]})
