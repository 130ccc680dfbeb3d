"""Sorting by digits is sorting."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.strategies import examples
from tiekit.core import _radix_sort as radix

FINITE = st.floats(allow_nan=False, allow_infinity=False)
FEW = st.sampled_from([-0.0, 0.0, 5e-324, -5e-324, 0.1, 0.1 + 1e-16, -1.0, 1e308, -1e308])


@st.composite
def cells(draw):
    """Scores, and the group of each or none."""
    n = draw(st.integers(0, 40))
    human, metric = (draw(arrays(np.float64, n, elements=draw(st.sampled_from([FINITE, FEW])))) for _ in "hm")
    group = draw(st.none() | st.lists(st.integers(0, 3), min_size=n, max_size=n))
    group = None if group is None else np.unique(np.array(group, np.int64), return_inverse=True)[1]
    sizes = np.array([n]) if group is None else np.bincount(group)
    return human, metric, group, np.append(0, np.cumsum(sizes)).astype(np.int64)


@examples(300)
@given(cells())
def test_cells_are_ordered_and_ranked_as_by_numpy(given_cells):
    found = radix.order_scores(*given_cells)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(radix, "is_interpreted", lambda: True)
        expected = radix.order_scores(*given_cells)
    for one, other in zip(found, expected, strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("n", [0, 1, 15, 5_000, 40_000])
@pytest.mark.parametrize("kind", ["all bits", "float32", "few", "near one"])
def test_keys_are_sorted_as_by_numpy(n, kind):
    rng = np.random.default_rng(n)
    values = {"all bits": rng.random(n), "float32": rng.random(n, np.float32), "few": rng.integers(0, 9, n) / 7}
    values["near one"] = np.where(np.arange(n) % 1_000, 1 + 1e-9 * values["all bits"], 0.0)  # of few leading digits
    values = values[kind]
    keys = values.astype(np.float64).view(np.uint64)
    assert np.array_equal(radix.order_of_keys(keys.copy()), np.argsort(keys, kind="stable"))
    assert np.array_equal(radix.sort_keys(keys.copy()), np.sort(keys))
    behind = keys << np.uint64(1) | rng.integers(0, 2, n).astype(np.uint64)
    found = radix.sort_keys(behind.copy(), 1)
    assert np.array_equal(found >> np.uint64(1), np.sort(keys))
    assert np.array_equal(np.sort(found), np.sort(behind))


def test_whole_numbers_beside_fractions_are_sorted_as_numbers():
    starts = np.array([0, 4], np.int64)
    whole, fractions = np.array([3, 1, 2, 2]), np.array([0.5, 0.25, 2.5, 1.5])
    expected = radix.order_scores(whole.astype(float), fractions, None, starts)
    for one, other in zip(radix.order_scores(whole, fractions, None, starts), expected, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.skipif(radix.is_interpreted(), reason="nothing is compiled")
def test_scores_that_nobody_may_change_need_no_loop_of_their_own(monkeypatch):
    from numba import typeof

    kinds = set()
    monkeypatch.setattr(radix, "order_by_digits", lambda *given: kinds.add(tuple(map(typeof, given))))
    free, kept = np.zeros(3), np.zeros(3)
    kept.flags.writeable = False
    for human in (free, kept):
        for metric in (free, kept):
            radix.order_scores(human, metric, None, np.array([0, 3]))
    assert len(kinds) == 1
    assert free.flags.writeable
