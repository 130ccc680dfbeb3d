import numpy as np
import pytest
from hypothesis import given

import tiekit as tk
from tests.strategies import vectors
from ui.calibration import walk as walks

COUNTED = [name for name, entry in tk.COEFFICIENTS.items() if entry.takes_epsilon]


def walk(human, metric, name="acc_eq"):
    candidates, counts = walks._count(tuple(human), tuple(metric))
    entry = tk.COEFFICIENTS[name]
    return walks.CandidateWalk(human, metric, entry, candidates, counts, entry.from_counts(counts))


@pytest.mark.filterwarnings("ignore:coefficient")  # the page says it in words
@pytest.mark.parametrize("name", COUNTED)
@given(vectors(max_size=8, families=("few", "tenths")))
def test_a_walk_is_what_the_library_says_at_every_candidate(name, pair):
    human, metric = pair
    found = walk(human, metric, name)
    scored = [m for h, m in zip(human, metric, strict=True) if h == h and m == m]
    differences = {abs(a - b) for k, a in enumerate(scored) for b in scored[:k]}
    assert found.candidates == sorted({0.0, *differences})
    values = [tk.correlate(human, metric, name, epsilon=epsilon).value for epsilon in found.candidates]
    assert found.curve.tolist() == pytest.approx(values, rel=0, abs=0, nan_ok=True)
    best = found.best(len(found.candidates) - 1)
    if best is None:
        assert np.isnan(values).all()
    else:
        assert found.candidates[best] == tk.calibrate(human, metric, name).epsilon


def test_the_best_so_far_is_the_first_of_equals_and_passes_over_the_undefined():
    found = walk([0, 0, 0, 0, 1, 2], [0, 1, 2, 3, 4, 5])
    assert [found.best(at) for at in range(6)] == [0, 1, 1, 1, 1, 1]
    found = walk([1, 2, 3], [1, 3, 2], "tau_b")
    assert np.isnan(found.curve[-1])
    assert [found.best(at) for at in range(3)] == [0, 1, 1]
    assert walk([1, 1, 1], [1, 3, 2], "tau_b").best(2) is None


def test_items_without_both_scores_make_no_candidate():
    assert walk([1, 2, np.nan, 3], [0.0, 1.0, 50.0, np.nan]).candidates == [0.0, 1.0]
