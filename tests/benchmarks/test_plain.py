"""The peer that the benchmark times is right, and the benchmark prints its table. Nothing is timed here."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from benchmarks import cases, plain, scores
from benchmarks.cases import Sizes
from tests import reference
from tests.strategies import examples, matrices, vectors

NAN = float("nan")
TINY = Sizes(vectors=(40, 30), segments=4, repeats=1, seconds=0.0, starts=1)


def complete(groups):
    """Groups without their items that lack a score."""
    return [tuple(zip(*reference.scored(*group), strict=True)) or ((), ()) for group in groups]


def check(groups):
    found, expected = plain.calibrate(complete(groups)), reference.calibrate(groups)
    assert found[0] == expected[0]
    assert found[1] == pytest.approx(expected[1], abs=1e-15, nan_ok=True)


@examples(120)
@given(vectors())
def test_one_group_equals_trying_every_candidate(pair):
    check([pair])


@examples(80)
@given(matrices(), st.sampled_from(["global", "item", "system"]))
def test_groups_equal_trying_every_candidate(pair, grouping):
    check(reference.groups(*[matrix.tolist() for matrix in pair], grouping))


@given(matrices())
def test_by_item_leaves_out_cells_without_both_scores(pair):
    human, metric = (matrix.tolist() for matrix in pair)
    groups = [group for group in plain.by_item(human, metric) if len(group[0]) >= 2]
    assert [tuple(map(tuple, group)) for group in groups] == complete(reference.groups(human, metric, "item"))


@given(vectors(), st.sampled_from([0.0, 0.1, 0.5, 3.0]))
def test_suffstats_equals_the_reference(pair, epsilon):
    ((human, metric),) = complete([pair])
    counts = reference.counts(human, metric, epsilon)
    assert plain.suffstats(human, metric, epsilon) == [counts[key] for key in ("C", "D", "T_h", "T_m", "T_hm")]


@pytest.mark.parametrize(
    ("human", "metric", "epsilon", "value"),
    [
        ([1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3], 0.5, 0.7),  # mt-metrics-eval's case A
        ([1, 2, 3, 4], [0, 2, 6, 8], 0.0, 1.0),  # no human tie: nothing to gain
        ([1, 1, 1, 4], [0, 2, 6, 8], 4.0, 4 / 6),  # mt-metrics-eval's case O
        ([0, 0, 0, 0, 1, 2], [0, 0, 0, 0, 2, 1], 0.0, 14 / 15),  # m1 of the paper's Figure 2
        ([1, 1], [1, 3], 2.0, 1.0),
        ([1, 2], [3, 1], 0.0, 0.0),  # never right: the smallest candidate
        ([1], [1], 0.0, NAN),
        ([], [], 0.0, NAN),
    ],
)
def test_by_hand(human, metric, epsilon, value):
    assert plain.calibrate([(human, metric)]) == (epsilon, pytest.approx(value, nan_ok=True))


def test_a_group_without_a_pair_does_not_weigh():
    """Groups of 3, 2 and 1: the mean of 2/3 and 1 at epsilon 2, of 1/3 and 0 at 0."""
    groups = [([1, 1, 2], [0, 2, 9]), ([5, 5], [4, 6]), ([1], [1])]
    assert plain.calibrate(groups) == (2, 1.0)
    assert plain.calibrate([([1, 1, 2], [0, 2, 1]), groups[1], groups[2]]) == (2, pytest.approx(2 / 3))


def test_the_drawn_scores_are_what_they_claim():
    """Half of the pairs are tied by the human, none by the metric; the best threshold is not at an end."""
    human, metric = scores.draw_vectors(6_000)
    found = tk.count_pairs(human, metric)
    assert (found.n_scores, found.ties_human / found.total) == (6_000, pytest.approx(0.5, abs=0.04))
    for n in (1_000, 28_125, 100_000):
        found = tk.count_pairs(*scores.draw_vectors(n))
        assert (found.ties_human / found.total, found.ties_metric) == (pytest.approx(0.5, abs=0.04), 0)
    human, metric = scores.draw_vectors(3_000)
    assert 0 < tk.calibrate(human, metric).epsilon < np.ptp(metric) / 2
    found = tk.calibrate(*scores.draw_matrix(400))
    assert 0 < found.epsilon < 0.5
    assert found.value > found.value_at_zero + 0.1
    assert (scores.draw_matrix(5)[1] == scores.draw_matrix(5)[1]).all()


@pytest.mark.campaign
@pytest.mark.real
def test_the_real_scores_are_the_ones_of_the_paper(real_data):
    """Metric-X and the 15 systems that are rated; both calibrations agree, or the case raises."""
    folder = real_data / "mt-metrics-eval-v2"
    assert [matrix.shape for matrix in scores.read_metric_x(folder)] == [(15, 1875)] * 2
    assert "196,875 pairs" in cases.metric_x(folder, TINY)[2].case
    assert cases.board(str(folder)) == 24


def test_results_that_differ_stop_the_benchmark(monkeypatch):
    with pytest.raises(RuntimeError, match="ours and theirs differ"):
        cases.require_equal("ours and theirs", 0.5, 0.5000001)
    cases.require_equal("both undefined", math.nan, math.nan)
    monkeypatch.setattr(plain, "calibrate", lambda _: (0.25, 0.5))
    with pytest.raises(RuntimeError, match=r"plain Algorithm 2 0\.25"):
        list(cases.calibrate("drawn", *scores.draw_matrix(4), TINY))
