"""What scores are drawn from, against what its parameters promise; levels as Algorithm 3 has them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import truncnorm

from tests.strategies import examples
from tiekit.measures import Population, discretize, simulate
from tiekit.research.measures.population import truncated_normal

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
