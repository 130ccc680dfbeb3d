"""The statistical simulation against Algorithm 3 written out."""

import numpy as np
import pytest

import tiekit as tk
from tiekit.measures import GAO_MEASURES, Population, discretize, simulate, simulate_granularity

MEASURES = ("system_means/pearson", "global/tau_b", "item/acc_eq")


def test_what_cannot_be_simulated_is_named():
    for wrong in ({"between": 1.2}, {"inside": -2}, {"spread_human": -1}, {"n_systems": 0}, {"mean_human": np.inf}):
        with pytest.raises(tk.InputError, match=next(iter(wrong))):
            Population(**wrong)
    with pytest.raises(tk.InputError, match="thresholds"):
        discretize([1], [float("nan")])
    for wrong in ({"levels": []}, {"levels": [2, 2]}, {"levels": [0]}, {"human_levels": 0}, {"n_thresholds": 0}):
        with pytest.raises(tk.InputError, match=next(iter(wrong))):
            simulate_granularity(**{"levels": [2], "n_populations": 1, **wrong})


def small(levels, **more):
    few = Population(n_systems=5, n_segments=12)
    return simulate_granularity(levels, MEASURES, population=few, n_populations=3, n_thresholds=4, **more)


def test_a_level_does_not_depend_on_the_others_nor_on_who_works():
    both, alone = small([3, 8]), small([8], n_jobs=2)
    assert both.means.loc[8].equals(alone.means.loc[8])
    assert both.continuous.equals(alone.continuous)
    assert not both.means.equals(small([3, 8], rng=1).means)


def test_means_are_those_of_scores_rounded_each_time_anew():
    found, values = small([3]), []
    few, streams = Population(n_systems=5, n_segments=12), np.random.SeedSequence
    for t1 in range(3):
        human, metric = simulate(few, np.random.default_rng(streams(0, spawn_key=(t1,))))
        people = np.random.default_rng(streams(0, spawn_key=(t1, 0))).uniform(0.51, 0.79, (4, 12))
        own = np.random.default_rng(streams(0, spawn_key=(t1, 1, 3))).uniform(0.31, 0.63, (4, 2))
        for th, tm in zip(people, own, strict=True):
            h, m = discretize(human, th), discretize(metric, tm)
            assert set(np.unique(h)) <= set(range(1, 14))
            assert set(np.unique(m)) <= {1, 2, 3}
            values.append([tk.correlate(h, m, c, grouping=g).value for g, c in (name.split("/") for name in MEASURES)])
    np.testing.assert_allclose(found.means.loc[3], np.mean(values, axis=0), atol=1e-9)
    of_each = np.mean(np.reshape(values, (3, 4, -1)), axis=1)
    np.testing.assert_allclose(found.errors.loc[3], of_each.std(axis=0, ddof=1) / np.sqrt(3), atol=1e-9)


def test_undefined_draws_are_counted():
    found = small([1, 2])
    assert found.means.loc[1].isna().tolist() == [True, True, False]  # one level: only acc_eq is defined
    assert found.n_undefined.loc[1].tolist() == [12, 12, 0]
    assert "n_systems:5" in found.signature
    assert "between" not in found.signature  # as in the paper


def test_a_coarse_metric_agrees_less_and_system_means_hardly_notice():
    """Figure 5, in small: what moves least is at system level; Kendall moves less than Pearson."""
    measures = [name for name in GAO_MEASURES if "spearman" not in name]
    found = simulate_granularity([2, 15], measures, n_populations=8, n_thresholds=4)
    gain = found.means.loc[15] - found.means.loc[2]
    assert (gain > 0).all()
    assert gain[["system_means/pearson", "system_means/tau_b"]].max() < 0.05
    for grouping in ("item", "global", "system"):
        assert 0 < gain[f"{grouping}/tau_b"] < gain[f"{grouping}/pearson"]
