import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import tiekit as tk
from tests import reference
from tests.strategies import vectors

SYMBOLS = ("C", "D", "T_h", "T_m", "T_hm", "n", "k")
EPSILONS = st.sampled_from([0.0, 5e-324, 0.1, 0.5, 1.0, 2.0, 1e300, float("inf")])


def count(human, metric, epsilon=0.0):
    """Counts by symbol; what is all but tied is told elsewhere."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tk.NearTieWarning)
        return tk.count_pairs(human, metric, epsilon=epsilon)


@given(vectors(max_size=30), EPSILONS)
def test_counts_equal_the_definition(pair, epsilon):
    found = count(*pair, epsilon)
    assert dict(zip(SYMBOLS, found.row.tolist(), strict=True)) == reference.counts(*pair, epsilon)
    assert found.n_missing == len(pair[0]) - found.n_scores


@given(vectors(families=("tenths", "continuous")))
def test_counts_equal_the_definition_at_every_observed_difference(pair):
    for epsilon in reference.candidates([pair]):
        assert count(*pair, epsilon).row.tolist() == list(reference.counts(*pair, epsilon).values())


@given(vectors(), EPSILONS, st.randoms(use_true_random=False))
def test_order_and_sign_of_items_do_not_matter(pair, epsilon, random):
    items = list(zip(*pair, strict=True))
    random.shuffle(items)
    shuffled = [h for h, _ in items], [m for _, m in items]
    flipped = [-h for h in pair[0]], [-m for m in pair[1]]
    assert count(*shuffled, epsilon) == count(*pair, epsilon) == count(*flipped, epsilon)


@given(vectors())
def test_swapping_sides_swaps_their_ties(pair):
    one, other = count(*pair), count(pair[1], pair[0])
    assert (one.ties_human, one.ties_metric) == (other.ties_metric, other.ties_human)
    assert (one.concordant, one.discordant, one.ties_both) == (other.concordant, other.discordant, other.ties_both)


@given(vectors(), EPSILONS)
def test_parts_sum_to_all_pairs(pair, epsilon):
    found = count(*pair, epsilon)
    assert found.total == found.n_scores * (found.n_scores - 1) // 2


@given(vectors(), EPSILONS)
def test_classified_pairs_are_the_counted_pairs(pair, epsilon):
    frame = tk.classify_pairs(*pair, epsilon=epsilon)
    found = count(*pair, epsilon)
    assert {kind: int((frame["kind"] == kind).sum()) for kind in frame["kind"].cat.categories} == {
        kind: getattr(found, kind) for kind in ("concordant", "discordant", "ties_human", "ties_metric", "ties_both")
    }
    assert (frame["i"] < frame["j"]).all()


def test_numbers_of_pairs_exceed_32_bits():
    n = 100_000
    found = tk.count_pairs(np.zeros(n), np.arange(n))
    assert found.ties_human == n * (n - 1) // 2 > 2**32


def test_large_vectors_agree_with_scipy():
    from scipy.stats import kendalltau

    rng = np.random.default_rng(1)
    human, metric = rng.integers(0, 40, 20_000), rng.integers(0, 3000, 20_000)
    found = tk.count_pairs(human, metric)
    assert tk.COEFFICIENTS["tau_b"].value(found) == pytest.approx(kendalltau(human, metric).statistic, abs=1e-12)


def test_ties_are_inclusive_and_exact_in_float64():
    assert tk.count_pairs([1, 2, 3, 4, 5], [0.1, 0.2, 0.3, 0.4, 0.5], epsilon=0.1).ties_metric == 3


def test_missing_scores_are_left_out_on_either_side():
    found = tk.count_pairs([1, None, 3, 4], [1, 2, float("nan"), 4])
    assert (found.concordant, found.total, found.n_missing) == (1, 1, 2)


def test_masked_scores_are_missing():
    masked = np.ma.masked_array([1.0, 99.0, 3.0], mask=[False, True, False])
    assert tk.count_pairs(masked, [1, 2, 3]).n_missing == 1


@pytest.mark.parametrize("n", [0, 1])
def test_too_few_scores_make_no_pair(n):
    assert tk.count_pairs([1.0] * n, [2.0] * n).total == 0


def test_near_ties_are_counted_and_reported():
    human = [-1.2, -1.2000000000000002, 0, -5]
    with pytest.warns(tk.NearTieWarning, match="human: 1 distinct scores"):
        found = tk.count_pairs(human, [1, 2, 3, 4])
    assert found.ties_human == 0


@pytest.mark.parametrize(
    ("human", "metric", "message"),
    [
        ([1, 2], [1, 2, 3], r"metric: must have the shape of human, \(2,\), found \(3,\)"),
        ([1, float("inf")], [1, 2], "human: scores must be finite, found inf"),
        ([1, 2], [1, float("-inf")], "metric: scores must be finite, found -inf"),
        (["1", "2"], [1, 2], "human: scores must be numbers"),
        ([1, 2], [1, "x"], "metric: scores must be numbers"),
        ([1, object()], [1, 2], "human: scores must be numbers"),
        ([[1, 2]], [[1, 2]], "human: must be a vector"),
        (5, 5, "human: must be a vector"),
        ([[1, 2], [3]], [1, 2], "human: rows must have one length"),
        ([2**53, 2**53 + 2], [1, 2], r"human: whole numbers must lie within 2\*\*53"),
        ([2**53 + 2, None], [1, 2], r"human: whole numbers must lie within 2\*\*53"),
        ([1, 10**400], [1, 2], "human: scores must fit float64"),
        ([1, 2], [1, 2j], "metric: scores must be numbers"),
        (np.array(["2020-01-01", "2021-01-01"], "M8[D]"), [1, 2], "human: scores must be numbers"),
    ],
)
def test_bad_scores_are_refused_by_name(human, metric, message):
    with pytest.raises(tk.InputError, match=message):
        tk.count_pairs(human, metric)


def test_large_scores_that_are_no_whole_numbers_may_have_gaps():
    assert tk.count_pairs([1e99, None, 1e98], [1.0, 2.0, 3.0]).discordant == 1


@pytest.mark.parametrize("epsilon", [-0.1, float("nan"), "0.1", None, True, 1j])
def test_bad_epsilons_are_refused(epsilon):
    with pytest.raises(tk.InputError, match="epsilon: must be a number of at least 0"):
        tk.count_pairs([1, 2], [1, 2], epsilon=epsilon)


@pytest.mark.campaign
def test_counting_works_where_nothing_can_be_cached(tmp_path):
    """A package folder that cannot be written and no home: compiled anew, but counted."""
    package = Path(tk.__file__).parent
    (tmp_path / "tiekit").mkdir()
    for file in package.rglob("*.py"):
        target = tmp_path / "tiekit" / file.relative_to(package)
        target.parent.mkdir(exist_ok=True)
        target.write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    for folder in (tmp_path / "tiekit", tmp_path / "tiekit" / "readers"):
        (folder / "__pycache__").write_text("in the way")
    code = "import tiekit as tk; print(tk.__file__, tk.count_pairs([1, 2, 2], [1, 2, 3]).concordant)"
    environment = {"PATH": os.environ["PATH"], "HOME": "/proc/nope", "PYTHONPATH": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.split() == [str(tmp_path / "tiekit" / "__init__.py"), "2"], done.stderr


def test_scores_whose_range_overflows_are_no_near_ties():
    assert tk.count_pairs([1, 2, 3], [-1.7e308, 0.0, 1.7e308]).concordant == 3  # no warning, which would be an error
    with pytest.warns(tk.NearTieWarning, match="metric: 1 distinct"):
        tk.count_pairs([1, 2, 3], [0.0, 1.0, 1.7e308])


def test_relative_pairs_of_the_largest_scores_are_classified():
    kinds = tk.classify_pairs([1, 2], [-1.7e308, 1.7e308], epsilon=0.5, difference="relative")
    assert len(kinds) == 1


@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
@given(vectors(max_size=8))
@example(([-1.0, -1.0, -1.0], [-1.7e308, -1.7e308, 1.7e308]))
def test_relative_pairs_tie_where_calibration_with_relative_differences_ties_them(pair):
    human, metric = pair
    best = tk.calibrate(human, metric, difference="relative")
    listed = tk.classify_pairs(human, metric, epsilon=best.epsilon, difference="relative")
    tied = listed["kind"].isin(["ties_metric", "ties_both"]).mean() if len(listed) else float("nan")
    assert tied == pytest.approx(best.meaning.tied, nan_ok=True)
    assert best.epsilon in {0.0, *listed["metric_difference"].abs()}


def test_a_difference_is_absolute_or_relative():
    with pytest.raises(tk.InputError, match="must be absolute or relative, found 'half'"):
        tk.classify_pairs([1, 2], [1, 2], difference="half")
