"""Intervals on parts of the segments, and what the square-root law makes of the whole."""

import math

import numpy as np
import pytest

import tiekit as tk
from tiekit.measures import segments_needed
from tiekit.significance import bootstrap_interval


def drawn(n_segments=240, gap=0.5):
    rng = np.random.default_rng(2)
    human = rng.normal(size=(6, n_segments))
    return human, human + rng.normal(size=human.shape), human + (1 + gap) * rng.normal(size=human.shape)


@pytest.fixture(scope="module")
def found():
    return segments_needed(*drawn(), "tau_b", sizes=[30, 60, 240], repeats=6, n_resamples=199, rng=4)


def test_the_row_of_all_segments_is_the_bootstraps(found):
    human, one, other = drawn()
    whole = bootstrap_interval(human, one, "tau_b", against=other, n_resamples=199, rng=4)
    assert found.difference == whole.value
    assert found.rows.loc[240, "width"] == found.rows.loc[240, "expected"] == pytest.approx(whole.high - whole.low)
    assert found.needed == float(found) == math.ceil(240 * ((whole.high - whole.low) / 2 / whole.value) ** 2)


def test_widths_fall_with_the_root_of_the_number_of_segments(found):
    rows = found.rows
    assert rows["width"].is_monotonic_decreasing
    np.testing.assert_allclose(rows["width"], rows["expected"], rtol=0.2)
    assert rows["found"].iloc[-1] == 1
    assert rows["found"].is_monotonic_increasing


def test_the_number_needed_is_about_enough():
    human, one, other = drawn(600, gap=0.3)
    needed = int(segments_needed(human, one, other, "tau_b", sizes=[600], n_resamples=299).needed)
    assert needed < 400
    at = segments_needed(human, one, other, "tau_b", sizes=[needed], repeats=12, n_resamples=199)
    assert (
        0.2 < at.rows["found"].iloc[0] < 0.9
    )  # half of the parts are expected to show a difference as large as its margin


def test_it_is_said_and_repeated(found):
    again = segments_needed(*drawn(), "tau_b", sizes=[30, 60, 240], repeats=6, n_resamples=199, rng=4)
    assert again.rows.equals(found.rows)
    assert found.sentence.startswith(f"The difference in tau_b is {found.difference:+.4f}, with a 95% interval of ±")
    assert f"about {found.needed:,.0f} segments are needed to tell it from 0." in str(found)
    assert found.signature.startswith(
        "coefficient:tau_b|grouping:item|interval:bootstrap|resamples:199|parts:6|seed:4|"
    )
    assert list(found.rows.index) == [30, 60, 240]
    assert "expected" in found._repr_html_()
    human, one, _ = drawn(40)
    same = segments_needed(human, one, one, "tau_b", sizes=[40], n_resamples=19)
    assert same.needed == math.inf
    assert same.sentence.endswith("no number of segments would tell the two apart.")


def test_sets_vectors_and_progress():
    data = tk.load("synthetic", "qaa-qab")
    told = []
    of_set = segments_needed(data, "Contour", "Haze", "tau_b", repeats=2, n_resamples=19, progress=told.append)
    assert list(of_set.rows.index) == [37, 75, 150, 300]
    assert told == sorted(told)
    assert told[-1] == 1
    human, one, other = (side[0] for side in drawn(40))
    assert segments_needed(human, one, other, "tau_b", sizes=[20, 40], repeats=2, n_resamples=19).grouping == "vector"


@pytest.mark.parametrize("sizes", [[], [1], [41], [20, 0]])
def test_other_sizes_are_refused(sizes):
    with pytest.raises(tk.InputError, match=r"^sizes: must be"):
        segments_needed(*drawn(40), "tau_b", sizes=sizes, n_resamples=19)
