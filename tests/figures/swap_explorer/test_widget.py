"""The swap explorer in a notebook: its traits, tiekit's own test beside them, and a page of its own."""

import numpy as np
import pytest
import traitlets

import tiekit as tk
from tiekit.figures.swap_explorer.data import standardized, vectors
from tiekit.significance.permutation import permutation_test
from tiekit.widgets import SwapExplorer

NAN = float("nan")
HUMAN = [1, 2, 3, 4, 5, 5, 7, 8, 2]
A, B = [1, 2, 3, 3, 7, 3, 5, 5, NAN], [20, 10, 20, 60, 80, 80, 70, 60, 40]


@pytest.fixture
def explorer():
    return SwapExplorer(HUMAN, A, B, names=("x", "y"))


def same_test(found, coefficient, seed=0, scores=(HUMAN, A, B)):
    expected = permutation_test(*scores, coefficient, n_resamples=4095, rng=seed, cells="own")
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
    explorer.coefficient, explorer.swapped = coefficient, [8, 1, 5]
    assert explorer.swapped == [1, 5, 8]
    a, b = map(np.array, standardized(vectors(HUMAN, A, B)))
    mask = np.isin(np.arange(9), [1, 5, 8])
    values = [tk.correlate(HUMAN, np.where(mask, one, two), coefficient).value for one, two in ((b, a), (a, b))]
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
        ("swapped", [9], r"swapped: must be items that can be swapped, \[0, 1, 2, 3, 4, 5, 6, 7, 8\]; found 9"),
        ("swapped", [-1], "swapped: must be items"),
        ("swapped", [True], "swapped: must be items"),
        ("swapped", 0.5, "swapped: must be items"),
        ("swapped", [1.0], "swapped: must be items"),
        ("swapped", np.zeros((2, 2)), "swapped: must be items"),
        ("draws", -1, "draws: must be a whole number of at least 0"),
        ("draws", 10_000, "draws: must be at most 9999, found 10000"),
        ("draws", "every", "draws: must be a number or \"all\", found 'every'"),
        ("seed", 2**32, "seed: must be at most 4294967295"),
        ("seed", 1.0, "seed: must be a whole number"),
    ],
)
def test_a_wrong_assignment_changes_nothing(explorer, name, value, message):
    before = explorer.data(), explorer.test, explorer.difference
    with pytest.raises(tk.InputError, match=message):
        setattr(explorer, name, value)
    assert (explorer.data(), explorer.test, explorer.difference) == before


def test_all_ways_only_where_they_are_few():
    explorer = SwapExplorer([1] * 13, range(13), range(13))
    with pytest.raises(tk.InputError, match="draws: must be a number, found 'all'"):
        explorer.draws = "all"


def test_results_are_read_only(explorer):
    for name in ("test", "observed", "difference"):
        with pytest.raises(traitlets.TraitError, match="read-only"):
            setattr(explorer, name, 1.0)


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
