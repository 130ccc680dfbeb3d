"""What the benchmark times is what it claims, and a peer that finds another value stops it: so its peers are right."""

import math

import numpy as np
import pytest

import tiekit as tk
from benchmarks import cases, plain, scores
from benchmarks.cases import Sizes

TINY = Sizes(vectors=(40, 30), segments=4, repeats=1, seconds=0.0, starts=1)


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
