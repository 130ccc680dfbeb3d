"""Clusters as WMT prints them, and corrections for many tests, by hand."""

import numpy as np
import pytest

import tiekit as tk

RNG = np.random.default_rng(0)
HUMAN = RNG.normal(size=(6, 30))
METRICS = {str(noise): HUMAN + noise * RNG.normal(size=HUMAN.shape) for noise in (0.1, 0.5, 2.0, 9.0)}


def upper(values, size=4):
    """A matrix whose upper triangle is 1 but for some entries, numbered from 1."""
    matrix = np.full((size, size), np.nan)
    matrix[np.triu_indices(size, 1)] = 1.0
    for (i, j), value in values.items():
        matrix[i - 1, j - 1] = value
    return matrix


def test_clusters_as_mt_metrics_eval_assigns_them():
    assert tk.significance.rank_clusters(upper({}), alpha=0.5).tolist() == [1, 1, 1, 1]
    assert tk.significance.rank_clusters(upper({}), alpha=1.0).tolist() == [1, 2, 3, 4]
    assert tk.significance.rank_clusters(upper({(1, 3): 0}), alpha=0.5).tolist() == [1, 1, 2, 2]
    assert tk.significance.rank_clusters(upper({(1, 2): 0, (3, 4): 0}), alpha=0.5).tolist() == [1, 2, 2, 3]
    assert tk.significance.rank_clusters(upper({(1, 3): np.nan, (2, 3): 0.05})).tolist() == [1, 1, 2, 2]
    assert tk.significance.rank_clusters(np.empty((0, 0))).tolist() == []


def test_corrections_by_hand():
    p = [0.01, 0.04, 0.03, np.nan]
    for correction, expected in (
        (None, p),
        ("bonferroni", [0.03, 0.12, 0.09, np.nan]),
        ("holm", [0.03, 0.06, 0.06, np.nan]),
        ("bh", [0.03, 0.04, 0.04, np.nan]),
        ("by", [0.055, 0.22 / 3, 0.22 / 3, np.nan]),
    ):
        np.testing.assert_allclose(tk.significance.correct_pvalues(p, correction), expected)
    matrix = upper({(1, 2): 0.02, (1, 3): 0.03, (2, 3): 0.04}, 3)
    assert tk.significance.rank_clusters(matrix).tolist() == [1, 2, 3]
    assert tk.significance.rank_clusters(matrix, correction="bonferroni").tolist() == [1, 1, 1]
    with pytest.raises(tk.InputError, match="correction: must be one of"):
        tk.significance.correct_pvalues([0.5], "none")
    with pytest.raises(tk.InputError, match=r"pvalues: must lie between 0 and 1, found 1\.5"):
        tk.significance.correct_pvalues([0.5, 1.5], "bh")
    with pytest.raises(tk.InputError, match="pvalues: must be a square matrix"):
        tk.significance.rank_clusters([[1, 2]])
    with pytest.raises(tk.InputError, match="alpha: must be a number from 0 to 1"):
        tk.significance.rank_clusters(upper({}), alpha=5)


@pytest.mark.parametrize(
    ("correction", "n_resamples", "needed"),
    [("holm", 99, 119), ("bonferroni", 118, 119), ("by", 40, 48), (None, 9, 19)],
)
def test_too_few_resamples_for_a_correction_are_said_and_enough_are_not(correction, n_resamples, needed):
    """Six tests: no p below 1 / (n + 1), which Holm and Bonferroni multiply by 6, Benjamini–Yekutieli by 2.45."""

    def found(n_resamples):
        return tk.significance.compare_metrics(HUMAN, METRICS, "tau_b", n_resamples=n_resamples, progress=False)

    with pytest.warns(tk.ResamplesWarning, match=rf"at least {needed} are needed$"):
        assert set(found(n_resamples).clusters(correction=correction)) == {1}
    assert found(needed).clusters(correction=correction).max() > 1


def test_tests_that_stopped_early_or_tried_every_swap_say_what_would_help():
    """Stopped after the first 100 resamples, p is at least 1/101, six times that .059; with 4 segments, 2/16."""
    early = tk.significance.compare_metrics(HUMAN, METRICS, "tau_b", stop_early=(0.02, 0.5), progress=False)
    with pytest.warns(tk.ResamplesWarning, match=r"100 give.*; without stop_early, at least 119 are needed$"):
        assert set(early.clusters(correction="holm")) == {1}
    few = {name: scores[:, :4] for name, scores in METRICS.items()}
    every = tk.significance.compare_metrics(HUMAN[:, :4], few, "tau_b", progress=False)
    with pytest.warns(tk.ResamplesWarning, match="there are no more ways to swap$"):
        assert set(every.clusters(correction="holm")) == {1}
