"""Fast ways to count resamples: they give what each resample gives by itself, gaps and unequal groups included."""

import numpy as np
import pytest

from tiekit.core.measure import get_measure
from tiekit.significance import _resampled_measures as panels
from tiekit.significance import _shared_sums as together
from tiekit.significance._kernels import Slots, count_draws
from tiekit.significance._recount import count_side_by_side, lay_out
from tiekit.significance._resampled_measures import BatchRecalibration
from tiekit.significance.schemes import Plan

SHARED = ("global/pearson", "item/pdp", "global/pdp", "system/pdp", "pairwise_accuracy", "spa")
SHARED += tuple(f"system_means/{name}" for name in ("tau_b", "pearson", "acc_eq*", "spearman", "tau_c"))
AGAIN = ("item/acc_eq", "system/acc_eq", "global/acc_eq", "item/tau_eq", "item/tau_a", "item/tau_b")


def drawn(seed):
    """Human and two metrics, discrete or continuous, with gaps in none, in one or in all of them."""
    rng = np.random.default_rng(seed)
    shape = int(rng.integers(2, 6)), int(rng.integers(1, 14))

    def scores():
        if rng.random() < 0.5:
            return rng.integers(0, 3, shape).astype(float)
        return rng.normal(size=shape) * 10 ** rng.uniform(-4, 4) + rng.normal() * 100

    human, a, b = scores(), scores(), scores()
    for gaps, part in zip(rng.random(3) < 0.4, (human, a, b), strict=True):
        part[(rng.random(shape) < 0.2) & gaps] = np.nan
    if rng.random() < 0.3:
        human[:, rng.random(shape[1]) < 0.3] = np.nan
    return human, (a, b)


def plan_of(human, seed):
    """Some swaps of each scheme in turn."""
    kind = ("segments", "cells", "systems", "both")[seed % 4]
    return Plan(True, kind, human.shape, 19, seed)


def check_values(monkeypatch, seed):
    human, metrics = drawn(seed)
    measures = [get_measure(name, None) for name in SHARED]
    fast = panels.prepare_measures(human, metrics, measures)
    found = fast.draw(plan_of(human, seed), 0)
    with monkeypatch.context() as patched:
        patched.setattr(panels, "prepare_shared_sums", lambda *_: None)
        expected = panels.prepare_measures(human, metrics, measures).draw(plan_of(human, seed), 0)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def check_thresholds(monkeypatch, seed):
    human, metrics = drawn(seed)
    measures = [get_measure(name, None) for name in AGAIN]
    found = panels.prepare_measures(human, metrics, measures, "recalibrated").draw(plan_of(human, seed), 0)
    with monkeypatch.context() as patched:
        patched.setattr(BatchRecalibration, "of", staticmethod(lambda *_: None))
        expected = panels.prepare_measures(human, metrics, measures, "recalibrated").draw(plan_of(human, seed), 0)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def check_counts(seed):
    rng, (human, metrics) = np.random.default_rng(seed), drawn(seed)
    for swap in (True, False):
        for grouping in ("global", "item", "system"):
            epsilon = (float(rng.choice([0, 0.3, 1])),) * (2 if swap else 1)
            atoms = lay_out(human, metrics if swap else metrics[:1], grouping, epsilon)
            draws = rng.integers(0, 2 if swap else 4, (int(rng.integers(1, 40)), human.size))
            slots = Slots(draws, swap, atoms.cell, atoms.source, atoms.starts)
            expected = count_draws(slots, atoms.rank, atoms.value, 0, atoms.events)
            found = count_side_by_side(slots, atoms)
            np.testing.assert_array_equal(found[..., :6], expected[..., :6])


@pytest.mark.sampled(5)
@pytest.mark.parametrize("seed", range(24))
def test_what_metrics_share_gives_what_each_resample_gives(monkeypatch, seed):
    check_values(monkeypatch, seed)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(8))
def test_thresholds_found_side_by_side_are_those_found_one_by_one(monkeypatch, seed):
    check_thresholds(monkeypatch, seed)


@pytest.mark.parametrize("seed", range(12))
def test_pairs_counted_side_by_side_are_those_counted_one_by_one(seed):
    check_counts(seed)


@pytest.mark.campaign
@pytest.mark.parametrize("first", range(0, 1000, 100))
def test_a_thousand_drawn_cases(monkeypatch, first):
    for seed in range(first, first + 100):
        check_values(monkeypatch, seed)
        check_counts(seed)
        if seed % 5 == 0:
            check_thresholds(monkeypatch, seed)


def test_what_is_shared_is_used_where_no_score_is_missing():
    human, metrics = drawn(1)
    human, metrics = np.nan_to_num(human), tuple(np.nan_to_num(metric) for metric in metrics)
    for name in SHARED:
        assert together.prepare_shared_sums(human, metrics, get_measure(name, None), (0.0, 0.0)) is not None
    gap = np.where(np.arange(human.size).reshape(human.shape) == 0, np.nan, metrics[0])
    assert together.prepare_shared_sums(human, (gap, metrics[1]), get_measure("spa", None), (0.0, 0.0)) is None
    assert BatchRecalibration.of(human, metrics, get_measure("acc_eq", None), True) is not None
    assert BatchRecalibration.of(human, (gap, metrics[1]), get_measure("acc_eq", None), True) is None
