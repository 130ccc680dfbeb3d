"""The exponent of known times is what it must be."""

import math

import pytest

from benchmarks.growth import exponent


@pytest.mark.parametrize("power", [0.0, 1.0, 1.5, 2.0])
@pytest.mark.parametrize("sizes", [(1_000, 2_000), (5_000, 10_000, 28_125, 50_000, 100_000)])
def test_a_power_of_n_is_found(power, sizes):
    assert exponent({n: 3e-7 * n**power for n in sizes}) == pytest.approx(power, abs=1e-12)


def test_every_size_counts():
    """Logarithms 0, 0, 1, 2 of the times at 0, 1, 2, 3 of n: 0.7 by least squares, 2/3 from first to last."""
    assert exponent({1: 1, 10: 1, 100: 10, 1_000: 100}) == pytest.approx(0.7)


def test_one_size_has_no_slope():
    assert math.isnan(exponent({1_000: 0.5}))
    assert math.isnan(exponent({}))
