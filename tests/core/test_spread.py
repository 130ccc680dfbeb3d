"""Differences from the mean, and Pearson's r made of them: no digit lost to an offset, at any size of scores."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests.strategies import vectors
from tiekit.core.grouping import center, spread_of, standardize

pytestmark = pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
OFFSETS = st.sampled_from([0.0, 0.7, -1e3, 1e6, 1e12])


def exact_pearson(human, metric):
    """Of the numbers as float64 has them, in fractions; NaN where a side is constant."""
    pairs = [(Fraction(h), Fraction(m)) for h, m in zip(human, metric, strict=True) if h == h and m == m]
    if len(pairs) < 2:
        return math.nan
    h_mean, m_mean = (sum(side) / len(pairs) for side in zip(*pairs, strict=True))
    hh = sum((h - h_mean) ** 2 for h, _ in pairs)
    mm = sum((m - m_mean) ** 2 for _, m in pairs)
    hm = sum((h - h_mean) * (m - m_mean) for h, m in pairs)
    return math.copysign(math.sqrt(hm**2 / (hh * mm)), 1 if hm > 0 else -1) if hh and mm else math.nan


@given(vectors(), OFFSETS, OFFSETS)
def test_pearson_is_that_of_exact_fractions(pair, h_offset, m_offset):
    human, metric = ([x + offset for x in side] for side, offset in zip(pair, (h_offset, m_offset), strict=True))
    expected = exact_pearson(human, metric)
    assert tk.correlate(human, metric, "pearson").value == pytest.approx(expected, abs=1e-13, nan_ok=True)
    pdp = tk.measures.pairwise_difference_pearson(human, metric)
    assert pdp == pytest.approx(expected, abs=1e-13, nan_ok=True)
    if expected == expected:
        interval = tk.significance.bootstrap_interval(human, metric, "pearson", n_resamples=1)
        assert interval.value == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize(
    ("human", "metric"),
    [([3, 0], [0.7000000000000001, 0.7]), ([1e15 + 0.125, 1e15], [1, 0]), ([2, 1, 1], [5e-324, 0, 0])],
)
def test_an_offset_takes_no_digits(human, metric):
    assert tk.correlate(human, metric, "pearson").value == pytest.approx(1.0, abs=1e-15)


def test_groups_far_apart_lose_none_either():
    human, metric = [[3, 1e6], [0, 3e6]], [[0.7000000000000001, 5e8], [0.7, 7e8]]
    assert tk.measures.pairwise_difference_pearson([row[:1] for row in human], [row[:1] for row in metric]) == 1
    found = tk.significance.bootstrap_interval(
        human, metric, "pearson", grouping="item", resample="segments", n_resamples=9
    )
    assert found.value == pytest.approx(1.0, abs=1e-15)


@given(vectors(), OFFSETS)
def test_deviations_and_their_size_are_those_of_exact_fractions(pair, offset):
    scores = np.array([x + offset for x in pair[0] if x == x])
    if not scores.size:
        return
    centered, exponent = center(scores)
    unit = Fraction(2) ** int(exponent[0])
    exact = [Fraction(x) / unit for x in scores.tolist()]
    mean = sum(exact) / len(exact)
    deviations = [float(x - mean) for x in exact]
    largest = max(map(abs, deviations))
    assert centered == pytest.approx(deviations, abs=1e-14 * largest)
    assert (centered == 0).all() == (largest == 0)
    if largest:
        spread = math.sqrt(sum((x - mean) ** 2 for x in exact) / len(exact))
        assert spread_of(scores, slice(None)) == pytest.approx(
            math.ldexp(spread, int(exponent[0])), rel=1e-12, abs=1e-323
        )
        assert standardize(scores, slice(None)).std() == pytest.approx(1.0)
    else:
        assert spread_of(scores, slice(None)) == math.inf
        assert (standardize(scores, slice(None)) == 0).all()


def test_a_deviation_too_small_for_float64_is_no_constants():
    assert spread_of(np.array([0.0, 5e-324]), slice(None)) == 5e-324
    found = tk.correlate([[0, 1, 2], [1, 2, 3]], [[0, 0, 5e-324], [0, 5e-324, 1e-323]], grouping="system_means")
    assert found.value == 1
