"""A population is estimated from its own scores."""

from dataclasses import asdict

import numpy as np
import pytest
from scipy import stats

import tiekit as tk
from tiekit.measures import Population, estimate_population, simulate


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
