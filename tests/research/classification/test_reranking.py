"""Re-ranking precision: by hand, by brute force with sets, and by chance."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests.strategies import matrices
from tiekit.classification import rerank

NAN = np.nan


def by_sets(human, metric, epsilon):
    found = []
    for h, m in zip(human.T, metric.T, strict=True):
        cells = [i for i in range(h.size) if not (np.isnan(h[i]) or np.isnan(m[i]))]
        if len(cells) < 2:
            found.append(NAN)
            continue
        best_human = {i for i in cells if h[i] == max(h[j] for j in cells)}
        best_metric = {i for i in cells if max(m[j] for j in cells) - m[i] <= epsilon}
        found.append(len(best_human & best_metric) / len(best_metric))
    return found


@given(matrices(("few", "tenths")), st.sampled_from([0, 0.1, 2]))
def test_best_translations_are_sets(pair, epsilon):
    found = rerank(*pair, epsilon=epsilon, n_resamples=5)
    expected = by_sets(*pair, epsilon)
    np.testing.assert_allclose(found.per_item, expected)
    assert found.value == pytest.approx(np.nanmean(expected) if not np.isnan(expected).all() else NAN, nan_ok=True)


def test_by_hand():
    found = rerank([[0, -1], [-5, -1], [0, NAN]], [[3, 5], [3, 4], [1, 9]], n_resamples=99)
    assert found.per_item.tolist() == [0.5, 1]
    assert (found.value, found.chance, found.n_items) == (0.75, (2 / 3 + 1) / 2, 2)
    assert (found.best_of_metric, found.best_of_human) == (1.5, 2)
    assert found.low <= found.value <= found.high
    assert float(found) == 0.75


def test_a_constant_metric_is_as_good_as_chance():
    human = np.random.default_rng(0).integers(-3, 1, (5, 40)).astype(float)
    found = rerank(human, np.zeros_like(human))
    assert found.value == pytest.approx(found.chance)


def test_what_is_refused_and_empty():
    with pytest.raises(tk.InputError, match="shape"):
        rerank([1, 2], [1, 2])
    assert math.isnan(rerank([[1, 2]], [[1, 2]]).value)
    nothing = rerank(np.empty((3, 0)), np.empty((3, 0)))
    assert nothing.n_items == 0
    assert all(math.isnan(number) for number in (nothing.value, nothing.low, nothing.high, nothing.chance))
