"""Algorithm 2 with one sort finds what the paper's text and the library find."""

import math

import numpy as np
import pytest
from hypothesis import given

import tiekit as tk
from benchmarks import one_sort, plain
from tests import reference
from tests.strategies import examples, vectors

NAN = math.nan


@examples(160)
@given(vectors())
@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_it_equals_plain_algorithm_2_and_the_library(pair):
    found = one_sort.calibrate(*pair_of_arrays(pair))
    ours = tk.calibrate(*pair)
    scored = tuple(zip(*reference.scored(*pair), strict=True)) or ((), ())
    assert found == pytest.approx(plain.calibrate([scored]), rel=0, abs=0, nan_ok=True)
    assert found == (ours.epsilon, pytest.approx(ours.value, rel=1e-15, nan_ok=True))


def pair_of_arrays(pair):
    return tuple(np.array(scores, np.float64) for scores in pair)


@pytest.mark.parametrize(
    ("human", "metric", "epsilon", "value"),
    [
        ([1, 2, 2, 3, 4], [2, 1, 1.5, 5, 3], 0.5, 0.7),  # mt-metrics-eval's case A
        ([1, 1, 1, 4], [0, 2, 6, 8], 4.0, 4 / 6),  # a gain and a loss at the same difference: both count
        ([1, 2], [3, 1], 0.0, 0.0),  # 0 is a candidate though no pair is tied there
        ([1, 1, 2], [3, 3, 3], 0.0, 1 / 3),
        ([1, NAN, 1], [1, 2, 3], 2.0, 1.0),
        ([1], [1], 0.0, NAN),
    ],
)
def test_by_hand(human, metric, epsilon, value):
    assert one_sort.calibrate(*pair_of_arrays((human, metric))) == (epsilon, pytest.approx(value, nan_ok=True))
