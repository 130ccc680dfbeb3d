"""The swap explorer in Python: what it is given, its traits, tiekit's own test beside them, and a page of its own."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests.strategies import FAMILIES, examples
from tiekit.figures import swap_explorer as data
from tiekit.significance.permutation import permutation_test
from tiekit.widgets import SwapExplorer

pytestmark = pytest.mark.filterwarnings("ignore::tiekit.CoverageWarning")  # of items that a metric has not scored

NAN = float("nan")
HUMAN = [1, 2, 3, 4, 5, 5, 7, 8, 2]
A, B = [1, 2, 3, 3, 7, 3, 5, 5, NAN], [20, 10, 20, 60, 80, 80, 70, 60, 40]


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
    human, a, b = data.swap_vectors(*lines)
    for metric, z in zip((a, b), data.z_scores((human, a, b)), strict=True):
        used = ~np.isnan(human) & ~np.isnan(metric)
        assert (~np.isnan(z) == used).all()
        scores = metric[used] / np.abs(metric[used]).max(initial=1e-300)  # the squares of the smallest are 0
        varies = len(set(scores)) > 1
        expected = (scores - scores.mean()) / scores.std() if varies else 0 * scores
        assert np.array(z)[used] == pytest.approx(expected, abs=1e-7)


def test_equal_standardized_scores_are_equal_to_the_last_digit():
    a = [0.1, 0.2, 0.7, 0.3, NAN]
    z = data.z_scores(data.swap_vectors([1, 2, 3, 4, 5], a, [score * 30 - 7 for score in a]))
    assert z[0][:4] == z[1][:4]
    assert len(set(z[0][:4])) == 4


def test_items_with_a_human_score_and_a_score_of_each_metric_can_be_swapped():
    lines = [1, NAN, 3, 4, 5, 2], [1, 2, NAN, 4, NAN, 3], [1, 2, 3, NAN, NAN, 2]
    with pytest.warns(
        tk.CoverageWarning, match=r"compared on 2 of 4 segments: x and y have no scores of 1 segment each"
    ):
        explorer = SwapExplorer(*lines, names=("x", "y"))
    with pytest.warns(tk.CoverageWarning):
        found = tk.significance.permutation_test(*lines, "acc_eq")
    with pytest.warns(tk.CoverageWarning):
        scores = data.swap_vectors(*lines)
    assert data.items(scores) == [0, 5]
    assert (explorer.observed, explorer.test.pvalue) == (found.difference, found.pvalue)


def test_json_takes_what_the_browser_is_given():
    fixed = data.swaps_by_hand(data.swap_vectors([1, NAN, 3], [5, 5, 5], [1, 2, NAN]), ("x", "y"))
    assert json.loads(json.dumps(fixed, allow_nan=False)) == fixed
    assert fixed["human"] == [1, None, None]
    assert fixed["note"] == "x and y: one score for all items, so never significant"  # one score of y counts
    assert fixed["metrics"][0]["z"] == [0, None, None]
    assert [entry["name"] for entry in fixed["coefficients"]] == list(tk.COEFFICIENTS)


def test_as_many_ways_to_swap_as_the_test_tries():
    human, a, b = np.random.default_rng(1).normal(size=(3, data.FEW_ITEMS))
    found = permutation_test(human, a, b, n_resamples=2**data.FEW_ITEMS - 1)
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
        data.swap_vectors(*scores)


@pytest.mark.parametrize("names", [("a",), ("a", "a"), ("a", " "), ("a", 1), ("a", "b", "c"), "ab", 5, None])
def test_names_that_are_refused(names):
    with pytest.raises(tk.InputError, match="names: must be two different texts"):
        data.two_names(names)


@pytest.fixture
def explorer():
    return SwapExplorer(HUMAN, A, B, names=("x", "y"))


def same_test(found, coefficient, seed=0, scores=(HUMAN, A, B)):
    expected = permutation_test(*scores, coefficient, n_resamples=4095, rng=seed)
    assert (found.pvalue, found.values, found.signature) == (expected.pvalue, expected.values, expected.signature)
    assert (found.samples == expected.samples).all()


def test_the_test_is_tiekits_own(explorer):
    same_test(explorer.test, "acc_eq")
    assert explorer.test.exact
    explorer.coefficient = "kendall"
    assert explorer.coefficient == "tau_b"
    same_test(explorer.test, "tau_b")
    assert explorer.observed == explorer.test.difference == explorer.difference


def test_the_seed_is_that_of_the_test():
    scores = np.random.default_rng(5).integers(0, 4, (3, 20))
    explorer = SwapExplorer(*scores, seed=7)
    same_test(explorer.test, "acc_eq", 7, scores)
    explorer.seed = 8
    same_test(explorer.test, "acc_eq", 8, scores)
    assert not explorer.test.exact


@pytest.mark.parametrize("coefficient", list(tk.COEFFICIENTS))
def test_the_difference_is_that_of_the_swapped_standardized_scores(explorer, coefficient):
    explorer.coefficient, explorer.swapped = coefficient, [7, 1, 5]
    assert explorer.swapped == [1, 5, 7]
    a, b = map(np.array, data.z_scores(data.swap_vectors(HUMAN, A, B)))
    mask = np.isin(np.arange(9), [1, 5, 7])
    values = [
        tk.correlate([*HUMAN[:8], NAN], np.where(mask, one, two), coefficient).value for one, two in ((b, a), (a, b))
    ]
    assert explorer.difference == pytest.approx(values[0] - values[1], abs=1e-12)


def test_what_the_browser_changes_is_read_in_python(explorer):
    changes = []
    explorer.observe(lambda change: changes.append(change["name"]))
    explorer.set_state({"coefficient": "pearson", "swapped": [0, 3], "draws": 210, "seed": 3})
    assert (explorer.coefficient, explorer.swapped, explorer.draws, explorer.seed) == ("pearson", [0, 3], 210, 3)
    assert {"coefficient", "swapped", "draws", "seed", "test", "observed", "difference"} <= set(changes)
    same_test(explorer.test, "pearson", 3)
    explorer.set_state({"draws": "all"})
    assert explorer.data()["draws"] == "all"


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("coefficient", "tau_x", "coefficient: must be one of"),
        ("swapped", [8], r"swapped: must be a list, each one of 0, 1, 2, 3, 4, 5, 6, 7, found \[8\]"),
        ("swapped", [1.0], "swapped: must be a list"),
        ("swapped", np.zeros((2, 2)), "swapped: must be a list"),
        ("draws", -1, 'draws: must be "all" or a whole number from 0 to 9999, found -1'),
        ("draws", "every", "draws: must be .* found 'every'"),
        ("seed", 2**32, "seed: must be a whole number from 0 to"),
    ],
)
def test_a_wrong_assignment_changes_nothing(explorer, name, value, message):
    before = explorer.data(), explorer.test, explorer.difference
    with pytest.raises(tk.InputError, match=message):
        setattr(explorer, name, value)
    assert (explorer.data(), explorer.test, explorer.difference) == before


def test_all_ways_only_where_they_are_few():
    explorer = SwapExplorer([1] * 13, range(13), range(13))
    with pytest.raises(tk.InputError, match="draws: must be a whole number from 0 to 9999, found 'all'"):
        explorer.draws = "all"


def test_an_undefined_difference_is_nan():
    explorer = SwapExplorer([1, 2, 3], [5, 5, 5], [1, 2, 3], coefficient="tau_b")
    assert np.isnan(explorer.observed)
    assert np.isnan(explorer.difference)
    assert explorer.test.pvalue == 1
    explorer = SwapExplorer([], [], [])
    assert np.isnan(explorer.difference)


def test_its_page_holds_everything(explorer, tmp_path):
    explorer.swapped, explorer.draws = [2], 30
    explorer.to_html(tmp_path / "swap.html")
    text = (tmp_path / "swap.html").read_text(encoding="utf-8")
    assert len(text) < 200_000
    assert '"swapped": [2], "draws": 30, "seed": 0' in text
    assert "x: 1 2 3 3 7 3 5 5 nan · y: 20 10 20 60 80 80 70 60 40." in text
    assert repr(explorer).startswith("SwapExplorer: A permutation test by hand. human: 1 2 3")


def run_test(**settings):
    rng = np.random.default_rng(3)
    human, a, b = rng.integers(0, 5, (3, 4, 9)).astype(float)
    return tk.significance.permutation_test(human, a, b, n_resamples=99, **settings)


def test_a_test_that_was_run_is_shown_as_it_is(tmp_path):
    test = run_test(rng=2**40)
    explorer = SwapExplorer(test, names=("x", "y"))
    assert explorer.test is test
    assert explorer.observed == explorer.difference == test.difference
    shown = json.loads(json.dumps(explorer.data(), allow_nan=False))
    assert shown["samples"] == test.samples.round(12).tolist()
    assert (shown["values"], shown["most"], shown["exact"]) == (list(test.values), 99, False)
    assert shown["coefficients"] == [{"name": test.coefficient, "label": "acc_eq* by item"}]
    assert shown["what"] == "Here all scores of a segment are swapped together."
    explorer.draws = 99
    for name, value, message in (
        ("draws", 100, "draws: must be a whole number from 0 to 99, found 100"),
        ("draws", "all", "draws: must be a whole number from 0 to 99, found 'all'"),
        ("coefficient", "tau_b", "coefficient: the test has been run with 'acc_eq\\*', found 'tau_b'"),
        ("seed", 3, "seed: the test has been run with"),
        ("swapped", [0], "swapped: must be a list, each one of"),
    ):
        with pytest.raises(tk.InputError, match=message):
            setattr(explorer, name, value)
    assert explorer.draws == 99
    explorer.to_html(tmp_path / "test.html")
    assert f"x and y. {test.signature}." in (tmp_path / "test.html").read_text("utf-8").replace("&#x27;", "'")


def test_what_is_too_large_to_be_swapped_by_hand_is_tested_first():
    rng = np.random.default_rng(4)
    scores = rng.normal(size=(3, 61))
    explorer = SwapExplorer(*scores, coefficient="pearson", seed=5, n_resamples=20)
    expected = permutation_test(*scores, "pearson", n_resamples=20, rng=5)
    assert (explorer.test.samples == expected.samples).all()
    matrices = rng.normal(size=(3, 4, 5))
    found = SwapExplorer(*matrices, grouping="system", swap="systems", n_resamples=9)
    assert (
        found.test.signature == permutation_test(*matrices, grouping="system", swap="systems", n_resamples=9).signature
    )
    synthetic = tk.read_mtme(Path(tk.__file__).parents[1] / "data", "synthetic", "qaa-qab")
    explorer = SwapExplorer(synthetic, "Contour", "Ladder", n_resamples=9)
    assert [metric["name"] for metric in explorer.data()["metrics"]] == ["Contour", "Ladder"]
    assert explorer.draws == 0


def test_a_constant_metric_is_named():
    test = tk.significance.permutation_test([[1, 2, 3]] * 2, [[1, 1, 1]] * 2, [[1, 2, 3]] * 2, "acc_eq", n_resamples=9)
    assert data.swaps_of_test(test, ("x", "y"))["note"] == "x: one score for all items, so never significant"


@pytest.mark.parametrize("arguments", [([1, 2], [1, 2]), ([1, 2], None, [1, 2]), ([1, 2],)])
def test_two_metrics_are_needed(arguments):
    with pytest.raises(tk.InputError, match=r"a and b: must be (the scores or the names of )?two metrics"):
        SwapExplorer(*arguments)


def test_an_undefined_test_is_refused():
    test = tk.significance.permutation_test([1, 2, 3], [5, 5, 5], [1, 2, 3], "tau_b")
    with pytest.raises(tk.InputError, match="test: the difference must be defined"):
        SwapExplorer(test)
