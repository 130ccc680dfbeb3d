"""Counting at many thresholds at once gives what counting at each gives."""

from __future__ import annotations

import numpy as np
import pytest

import tiekit as tk
from tiekit.core import _threshold_search as _listed
from tiekit.core.calibration import calibrate_scores, candidates, point_at, points_at


def scores_of(grouping, difference, seed=3):
    rng = np.random.default_rng(seed)
    human = rng.integers(-4, 1, (7, 30)).astype(float)
    metric = np.round(human + rng.normal(size=human.shape), 1)
    human[rng.random(human.shape) < 0.1] = np.nan
    return calibrate_scores(human, metric, "acc_eq", grouping, difference).grouped.scores


@pytest.mark.parametrize("grouping", tk.GROUPINGS)
@pytest.mark.parametrize("difference", tk.core.DIFFERENCES)
@pytest.mark.parametrize("coefficient", ["acc_eq", "tau_b"])
def test_many_thresholds_are_as_each_by_itself(grouping, difference, coefficient):
    scores, entry = scores_of(grouping, difference), tk.COEFFICIENTS[coefficient]
    thresholds = [0.0, *np.sort(np.random.default_rng(5).uniform(0, 4, 20)), *candidates(scores, 10_000)[:40]]
    thresholds = sorted(set(map(float, thresholds)))
    told = []
    for one, threshold in zip(points_at(scores, entry, thresholds, told.append), thresholds, strict=True):
        alone = point_at(scores, entry, threshold)
        assert one[:2] == pytest.approx(alone[:2], abs=0, nan_ok=True)
        assert one.counts.tolist() == alone.counts.tolist()
    assert told[-1] == 1
    assert len(told) == len(thresholds)


@pytest.mark.parametrize("grouping", tk.GROUPINGS)
@pytest.mark.parametrize("most", [3, 10_000])
def test_candidates_are_the_same_where_pairs_are_too_many_to_list(monkeypatch, grouping, most):
    scores = scores_of(grouping, "absolute")
    found = candidates(scores, most)
    monkeypatch.setattr(_listed, "MOST_PAIRS", 0)
    assert candidates(scores, most) == found
    assert (found is None) == (most == 3)


def test_differences_of_means_that_only_rounding_parts_are_one_candidate():
    human, metric = np.array([[1.0, 2, 3], [3, 1, 2], [3, 3, 2]]), np.repeat([[0.1], [0.2], [0.3]], 3, axis=1)
    means = metric.mean(axis=1)
    assert means[1] - means[0] != means[2] - means[1]
    scores = calibrate_scores(human, metric, "acc_eq", "system_means", "absolute").grouped.scores
    assert candidates(scores, 10_000) == pytest.approx([0, 0.1, 0.2])


def test_a_threshold_without_limit_ties_what_overflows():
    scores = calibrate_scores(
        np.array([1.0, 2, 3]), np.array([-1.7e308, 0.0, 1.7e308]), "acc_eq", None, "absolute"
    ).grouped.scores
    thresholds = [0.0, 1.0, 2.0, 3.0, 1.7e308, float("inf")]
    points = points_at(scores, tk.COEFFICIENTS["acc_eq"], thresholds)
    assert [int(point.counts[3]) for point in points] == [0, 0, 0, 0, 2, 3]
