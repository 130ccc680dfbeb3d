"""The search for epsilon, forced to split where it would rather list."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import tiekit as tk
from tests import reference
from tests.strategies import examples, matrices, vectors
from tiekit.core import _threshold_search as _objectives
from tiekit.core import _threshold_search as _search
from tiekit.core.grouping import group
from tiekit.core.pairs import count_within

pytestmark = pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")
COUNTED = [name for name, entry in tk.COEFFICIENTS.items() if entry.takes_epsilon]
GROUPINGS = st.sampled_from(["global", "item", "system", "system_means"])


@pytest.fixture(params=[0, 1, 4], ids="lists of {} pairs".format)
def short_lists(request, monkeypatch):
    for what in ("LISTED", "REPLAYED"):
        monkeypatch.setattr(_objectives, f"{what}_PER_SCORE", 0)
        monkeypatch.setattr(_objectives, f"{what}_AT_LEAST", request.param)


@pytest.mark.usefixtures("short_lists")
class TestSplitting:
    @examples(80)
    @given(vectors())
    def test_vectors_equal_trying_every_candidate(self, pair):
        epsilon, value = reference.calibrate([pair])
        found = tk.calibrate(*pair)
        assert (found.epsilon, found.value) == (epsilon, pytest.approx(value, abs=1e-12, nan_ok=True))

    @examples(80)
    @given(matrices(), GROUPINGS, st.sampled_from(["absolute", "relative"]))
    def test_groups_equal_trying_every_candidate(self, pair, grouping, difference):
        parts = reference.groups(*[x.tolist() for x in pair], grouping)
        relative = difference == "relative"
        slack = 0.0 if relative else reference.slack(*pair, grouping)
        epsilon, value = reference.calibrate(parts, relative=relative, slack=slack)
        found = tk.calibrate(*pair, grouping=grouping, difference=difference)
        assert (found.epsilon, found.value) == (epsilon, pytest.approx(value, abs=1e-12, nan_ok=True))

    @examples(60)
    @example(
        (np.array([[0.1, 0.1, 0.1], [0.1, *[math.nan] * 2]]), np.array([[-1.0] * 3, [0.0] * 3])),
        "system_means",
        "tau_a",
    )
    @given(matrices(("few", "tenths")), GROUPINGS, st.sampled_from(COUNTED))
    def test_every_coefficient_equals_trying_every_candidate(self, pair, grouping, name):
        parts = reference.groups(*[x.tolist() for x in pair], grouping)
        epsilon, value = reference.calibrate(parts, name, slack=reference.slack(*pair, grouping))
        found = tk.calibrate(*pair, name, grouping=grouping)
        assert (found.epsilon, found.value) == (epsilon, pytest.approx(value, abs=1e-9, nan_ok=True))

    @given(st.integers(0, 2**32 - 1))
    @examples(2)
    def test_an_order_of_rows_or_columns_moves_no_bit_of_epsilon(self, seed):
        rng = np.random.default_rng(seed)
        human, metric = rng.integers(0, 3, (5, 12)).astype(float), rng.random((5, 12))
        metric[rng.random((5, 12)) < 0.1] = np.nan
        rows, columns = rng.permutation(5), rng.permutation(12)
        for grouping in ("global", "item", "system"):
            for name in ("acc_eq", "tau_b"):
                one = tk.calibrate(human, metric, name, grouping=grouping)
                other = tk.calibrate(human[rows][:, columns], metric[rows][:, columns], name, grouping=grouping)
                assert (one.epsilon, one.value) == (other.epsilon, other.value)


def every_candidate(human, metric):
    """Algorithm 2 for acc_eq of vectors: all pairs, one sort."""
    i, j = np.triu_indices(human.size, 1)
    signed, tied = metric[i] - metric[j], human[i] == human[j]
    concordant = np.sign(signed) == np.sign(human[i] - human[j])  # or tied by both
    right = int(concordant.sum())
    gain = np.where(signed == 0, 0, tied.astype(np.int64) - concordant)
    difference = np.abs(signed)
    order = np.argsort(difference)
    difference = difference[order]
    total = np.concatenate(([right], right + np.cumsum(gain[order])))
    candidate = np.concatenate(([0.0], difference))
    total[:-1][candidate[1:] == candidate[:-1]] = -1
    best = int(np.argmax(total))
    return candidate[best], total[best] / difference.size


@pytest.mark.parametrize("seed", [pytest.param(n, marks=[pytest.mark.campaign] * (n % 7 > 0)) for n in range(12)])
def test_thousands_of_scores_equal_the_full_sorted_list(seed):
    """Two million pairs, many times what is listed at once."""
    rng = np.random.default_rng(seed)
    human = rng.choice([0.0, -1.0, -5.0, -25.0], 2_000, p=[0.6, 0.2, 0.1, 0.1]) + rng.integers(0, 3, 2_000) * (seed % 2)
    metric = human * 0.02 * (seed % 3) + rng.normal(size=2_000)
    metric = [metric, np.round(metric, 2), np.exp(30 * metric)][seed // 4]
    found = tk.calibrate(human, metric)
    assert (found.epsilon, found.value) == every_candidate(human, metric)


@pytest.mark.parametrize(
    ("names", "size"),
    [
        pytest.param(("metricx_xxl_MQM_2020-refA",), 2_000, id="continuous"),
        pytest.param(("MATESE-refA", "BLEU-refA"), 2_000, id="tied"),
        pytest.param((), 5_000, id="all", marks=pytest.mark.campaign),
    ],
)
def test_real_metrics_cut_to_thousands_of_scores_equal_the_full_sorted_list(wmt22_zh_en, names, size):
    data = wmt22_zh_en.select()
    human = data.human["mqm"]
    cells = np.random.default_rng(1).choice(np.flatnonzero(~np.isnan(human).ravel()), size, replace=False)
    for name in names or data.metrics:
        pair = human.ravel()[cells], data.metrics[name].ravel()[cells]
        found = tk.calibrate(*pair)
        assert (found.epsilon, found.value) == every_candidate(*pair), name


def test_groups_of_unequal_size_equal_every_candidate_of_a_sample():
    """Systems of 300 to 600 scores; candidates that differ by less than float64 sums can tell are compared exactly."""
    rng = np.random.default_rng(8)
    human, metric = rng.integers(0, 3, (4, 600)).astype(float), rng.integers(0, 40, (4, 600)) / 8
    for row, size in enumerate((300, 450, 500, 600)):
        metric[row, size:] = np.nan
    found = tk.calibrate(human, metric, grouping="system")
    parts = reference.groups(human.tolist(), metric.tolist(), "system")
    candidates = np.arange(40) / 8
    values = []
    for epsilon in candidates:
        counted = [tk.count_pairs(*part, epsilon=epsilon) for part in parts]
        values.append(sum(Fraction(c.concordant + c.ties_both, c.total) for c in counted))
    assert found.epsilon == candidates[values.index(max(values))]


def test_candidates_that_tie_as_fractions_are_told_apart_from_rounding():
    """2/6 + 1/15 = 1/6 + 1/10 + 2/15, but the second sum is larger in float64; the smaller candidate wins."""
    sizes = np.array([3, 4, 5, 6])
    metric = np.full((4, 6), np.nan)
    for row, size in enumerate(sizes):
        metric[row, :size] = np.arange(size)
    grouped = group(np.nan_to_num(metric), metric, "system")
    objective = _objectives.WholeNumbers(grouped, count_within(grouped.scores, 0.0).counts, np.array([-1, 0, 1]))
    first, second = np.array([0, 2, 0, 1]), np.array([0, 1, 1, 2])
    pairs = sizes * (sizes - 1) // 2
    assert (first / pairs).cumsum()[-1] < (second / pairs).cumsum()[-1]
    race = [
        _search.Candidate(epsilon, objective.worth(total), [total, 0])
        for epsilon, total in ((0.5, first), (0.7, second))
    ]
    assert _search._leaders(race, objective.slack) == race
    assert objective.settle(race) == 0.5
    for change, winner in ((np.array([1, 0, 0, -3]), 0.1), (np.array([-1, 0, 0, 4]), 0.5)):  # 2/15 more, 1/15 less
        smaller = _search.Candidate(0.1, 0.0, [first + change, 0])
        assert objective.settle([smaller, *race]) == winner
    better = _search.Candidate(0.9, objective.worth(second + 1), [second + 1, 0])
    assert _search._leaders([*race, better], objective.slack) == [better]


@given(st.data())
@examples(120)
def test_a_formula_never_exceeds_its_upper_bound(data):
    name = data.draw(st.sampled_from(COUNTED))
    pair = data.draw(vectors(max_size=8, families=("few", "tenths")))
    low, middle, high = sorted(data.draw(st.lists(st.sampled_from([0.0, 0.1, 0.5, 1.0, 2.0]), min_size=3, max_size=3)))
    at = [tk.count_pairs(*pair, epsilon=epsilon).row for epsilon in (low, middle, high)]
    formula = tk.COEFFICIENTS[name].formula
    value, upper = float(formula(at[1])), float(formula.upper(np.minimum(at[0], at[2]), np.maximum(at[0], at[2])))
    if np.isnan(upper):
        assert np.isnan(value)
    elif not np.isnan(value):
        assert value <= upper + 1e-12
    if low == high and upper < np.inf:
        assert upper == pytest.approx(value)


def test_a_search_opens_a_small_part_of_the_pairs(monkeypatch):
    """A curve as flat as this one, and yet of 12.5 million pairs less than a fifth is ever listed."""
    listed = []
    original = _objectives.WholeNumbers.best_between
    monkeypatch.setattr(
        _objectives.WholeNumbers,
        "best_between",
        lambda self, low, high, size, floor: listed.append(size) or original(self, low, high, size, floor),
    )
    rng = np.random.default_rng(0)
    quality = rng.normal(size=5_000)
    found = tk.calibrate(np.maximum(np.round(quality), 0), quality + rng.normal(scale=0.6, size=5_000))
    assert 0 < found.epsilon < 3
    assert 0 < sum(listed) < found.n_pairs / 5
