"""What scores are drawn from, estimated from them again; levels and the simulation against Algorithm 3 written out."""

from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.stats import truncnorm

import tiekit as tk
from tests.strategies import examples
from tiekit.measures import GAO_MEASURES, Population, discretize, estimate_population, simulate, simulate_granularity
from tiekit.measures.population import truncated_normal

PAPER = Population()


def test_the_parameters_are_those_of_appendix_c2():
    assert (PAPER.n_systems, PAPER.n_segments) == (16, 100)
    assert (PAPER.mean_metric, PAPER.spread_metric, PAPER.within_metric) == (0.47, 0.16, 0.16)
    assert (PAPER.mean_human, PAPER.spread_human, PAPER.within_human) == (0.65, 0.14, 0.14)
    assert (PAPER.between, PAPER.inside, PAPER.inside_spread) == (0.92, 0.35, 0.14)


def test_scores_have_the_moments_that_they_are_drawn_from():
    human, metric = simulate(Population(n_systems=4000, n_segments=200, spread_metric=0.3), 0)
    h, m = human.mean(axis=1), metric.mean(axis=1)
    assert [h.mean(), m.mean()] == pytest.approx([0.65, 0.47], abs=0.02)
    assert [h.std(), m.std()] == pytest.approx([0.14, 0.3], abs=0.01)
    assert np.corrcoef(h, m)[0, 1] == pytest.approx(0.92, abs=0.01)
    h, m = human - h[:, None], metric - m[:, None]
    assert [h.std(), m.std()] == pytest.approx([0.14, 0.16], abs=0.002)
    own = (h * m).mean(axis=1) / h.std(axis=1) / m.std(axis=1)
    assert own.mean() == pytest.approx(0.35, abs=0.01)
    assert own.std() == pytest.approx(np.hypot(0.14, (1 - 0.35**2) / np.sqrt(200)), abs=0.01)  # and chance


def test_correlations_are_a_normal_distribution_truncated_at_one():
    for mean, deviation in ((0.9, 0.5), (-0.2, 3.0), (0.35, 0.14)):
        drawn = truncated_normal(mean, deviation, np.linspace(0.001, 0.999, 9))
        law = truncnorm((-1 - mean) / deviation, (1 - mean) / deviation, mean, deviation)
        np.testing.assert_allclose(drawn, law.ppf(np.linspace(0.001, 0.999, 9)), atol=1e-9)
    assert truncated_normal(0.4, 0.0, np.array([0.2])).tolist() == [0.4]


@examples(20)
@given(st.lists(st.floats(-2, 2), max_size=8), st.lists(st.floats(-2, 2), max_size=5))
def test_levels_are_those_of_the_algorithm_with_sorted_thresholds(scores, thresholds):
    def level(score):
        for k, t in enumerate(sorted(thresholds), 1):
            if score <= t:
                return k
        return len(thresholds) + 1

    given_scores = np.array(scores)
    assert discretize(given_scores, thresholds).tolist() == [level(score) for score in scores]
    assert given_scores.tolist() == scores  # the scores stay as they were drawn


def test_the_parameters_of_a_simulation_are_found_again():
    asked = Population(n_systems=100, n_segments=400)
    found = asdict(estimate_population(*simulate(asked, 3), human_limits=(0, 1), metric_limits=(0, 1)))
    for name, value in asdict(asked).items():
        assert found[name] == pytest.approx(value, abs=0.06 if isinstance(value, float) else 0), name


def test_each_parameter_is_of_its_definition():
    rng = np.random.default_rng(1)
    human, metric = rng.normal(size=(2, 4, 9))
    human[0, 2] = metric[1, 5] = np.nan
    found = estimate_population(human, metric, human_limits=(-5, 5), metric_limits=(-10, 10))
    ok = ~np.isnan(human + metric)
    sides = [(human[i][ok[i]], metric[i][ok[i]]) for i in range(4)]
    own = [stats.pearsonr(*both)[0] for both in sides]
    means = np.array([[x.mean(), y.mean()] for x, y in sides]).T
    assert found.mean_human == pytest.approx(means[0].mean() / 10 + 0.5)
    assert found.spread_metric == pytest.approx(means[1].std(ddof=1) / 20)
    assert found.within_human == pytest.approx(np.mean([x.std(ddof=1) for x, _ in sides]) / 10)
    assert found.between == pytest.approx(stats.pearsonr(*means)[0])
    assert (found.inside, found.inside_spread) == pytest.approx((np.mean(own), np.std(own, ddof=1)))
    assert (found.n_systems, found.n_segments) == (4, 8)  # 8.5 is rounded to even


def test_without_limits_the_scores_go_from_0_to_1():
    human = [[1, 2, 3], [2, 5, 4], [3, 1, 2]]
    metric = [[9, 7, 8], [1, 3, 2], [5, 6, 4]]
    found = estimate_population(human, metric)
    assert found.mean_human == pytest.approx((np.mean(human) - 1) / 4)
    assert found.mean_metric == pytest.approx((np.mean(metric) - 1) / 8)


@pytest.mark.parametrize(
    ("human", "metric", "limits", "message"),
    [
        ([[1, 2], [np.nan, 3]], [[1, 2], [3, 4]], None, "found 1"),
        ([[1, 2], [2, 3]], [[1, 1], [1, 1]], None, "constant"),
        ([[1, 2], [2, 3]], [[1, 2], [2, 1]], (3, 1), "below the highest"),
        ([1, 2, 3], [3, 2, 1], None, "matrix"),
    ],
)
def test_what_has_no_parameters_is_refused(human, metric, limits, message):
    with pytest.raises(tk.InputError, match=message):
        estimate_population(human, metric, metric_limits=limits)


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
