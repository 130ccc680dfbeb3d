"""What the swap explorer is given: checked scores, and the same scores standardized as a test swaps them."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests.strategies import FAMILIES, examples
from tiekit.figures.swap_explorer import data
from tiekit.significance import permutation

NAN = float("nan")


@st.composite
def triples(draw):
    """Human scores and those of two metrics, each from a family of its own, with missing scores."""
    size = draw(st.integers(0, 10))
    lines = []
    for _ in range(3):
        score = FAMILIES[draw(st.sampled_from(["few", "tenths", "integers", "continuous"]))]
        lines.append(draw(st.lists(score | st.just(NAN), min_size=size, max_size=size)))
    return lines


@examples(100)
@given(triples())
def test_scores_are_standardized_over_the_items_with_a_human_score(lines):
    human, a, b = data.vectors(*lines)
    for metric, z in zip((a, b), data.standardized((human, a, b)), strict=True):
        used = ~np.isnan(human) & ~np.isnan(metric)
        assert (~np.isnan(z) == used).all()
        scores = metric[used] / np.abs(metric[used]).max(initial=1e-300)  # the squares of the smallest are 0
        varies = len(set(scores)) > 1
        expected = (scores - scores.mean()) / scores.std() if varies else 0 * scores
        assert np.array(z)[used] == pytest.approx(expected, abs=1e-7)


def test_equal_standardized_scores_are_equal_to_the_last_digit():
    a = [0.1, 0.2, 0.7, 0.3, NAN]
    z = data.standardized(data.vectors([1, 2, 3, 4, 5], a, [score * 30 - 7 for score in a]))
    assert z[0][:4] == z[1][:4]
    assert len(set(z[0][:4])) == 4


def test_items_with_a_human_score_and_a_score_of_a_metric_can_be_swapped():
    scores = data.vectors([1, NAN, 3, 4, 5], [1, 2, NAN, 4, NAN], [1, 2, 3, NAN, NAN])
    assert data.items(scores) == [0, 2, 3]


def test_json_takes_what_the_browser_is_given():
    fixed = data.fixed(data.vectors([1, NAN, 3], [5, 5, 5], [1, 2, NAN]), ("x", "y"))
    assert json.loads(json.dumps(fixed, allow_nan=False)) == fixed
    assert fixed["human"] == [1, None, 3]
    assert [metric["constant"] for metric in fixed["metrics"]] == [True, True]  # one score of y counts
    assert fixed["metrics"][0]["z"] == [0, None, 0]
    assert [entry["name"] for entry in fixed["coefficients"]] == list(tk.COEFFICIENTS)


def test_as_many_ways_to_swap_as_the_test_tries():
    human, a, b = np.random.default_rng(1).normal(size=(3, data.FEW_ITEMS))
    found = permutation.permutation_test(human, a, b, n_resamples=2**data.FEW_ITEMS - 1)
    assert found.exact
    assert found.n_resamples == 2**data.FEW_ITEMS


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (([1, 2], [1, 2, 3], [1, 2]), "a: "),
        (([1, 2], [1, 2], [1, 2, 3]), "b: "),
        (([1, 2], [1, 2], ["x", 2]), "b: scores must be numbers"),
        (([[1, 2]], [[1, 2]], [[1, 2]]), r"human: must be a vector, found shape \(1, 2\)"),
        (([0] * 61,) * 3, "human: must have at most 60 scores to be swapped by hand, found 61"),
    ],
)
def test_scores_that_are_refused(scores, message):
    with pytest.raises(tk.InputError, match=message):
        data.vectors(*scores)


@pytest.mark.parametrize("names", [("a",), ("a", "a"), ("a", " "), ("a", 1), ("a", "b", "c"), "ab", 5, None])
def test_names_that_are_refused(names):
    with pytest.raises(tk.InputError, match="names: must be two different texts"):
        data.two_names(names)
