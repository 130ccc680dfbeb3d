"""Ties counted, made and broken, against plain definitions and the figures of Deutsch et al. (2023)."""

import math
from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import tiekit as tk
from tests import reference
from tests.strategies import matrices, vectors

GROUPINGS = ("item", "system", "global")


def columns(matrix):
    return list(zip(*matrix, strict=True))


def groups_of(scores, other, grouping):
    """The scores of each group, cells with both only."""
    parts = reference.groups(scores.tolist(), other.tolist(), grouping)
    return [[own for own, _ in reference.scored(*part)] for part in parts]


@given(matrices(), st.sampled_from(GROUPINGS), st.sampled_from([0.0, -1.0, 0.5]))
def test_ties_are_counted_pair_by_pair(pair, grouping, at):
    own, other = pair
    found = tk.count_ties(own, grouping=grouping, where=other, at=at)
    parts = groups_of(own, other, grouping)
    pairs = [pair for part in parts for pair in combinations(part, 2)]
    tied = [a for a, b in pairs if a == b]
    assert (found.n_groups, found.n_scores) == (len(parts), sum(map(len, parts)))
    assert (found.n_pairs, found.n_tied, found.n_tied_at) == (len(pairs), len(tied), tied.count(at))
    if pairs:
        assert (found.share, found.share_at) == (len(tied) / len(pairs), tied.count(at) / len(pairs))
    else:
        assert math.isnan(found.share)
        assert math.isnan(found.share_at)


@given(vectors())
def test_ties_of_a_vector_are_those_of_scipy(pair):
    own = np.array([score for score in pair[0] if score == score])
    found = tk.count_ties(pair[0])
    sizes = np.unique(own, return_counts=True)[1]
    assert found.n_tied == sum(math.comb(int(size), 2) for size in sizes)
    if found.n_pairs:
        assert stats.tiecorrect(stats.rankdata(own)) == pytest.approx(
            1 - sum(float(size) ** 3 - size for size in sizes) / (own.size**3 - own.size)
        )


def test_ties_of_system_means():
    found = tk.count_ties([[0, 2], [1, 1], [3, 3]], grouping="system_means", at=1)
    assert (found.n_pairs, found.n_tied, found.n_tied_at) == (3, 1, 1)


def test_a_metrics_missing_score_leaves_the_human_score_out():
    assert tk.count_ties([0, 0, 1, 1], where=[1, math.nan, 2, 3]).n_tied == 1


@given(vectors(), st.integers(1, 40))
def test_buckets_divide_the_whole_range_into_equal_parts(pair, k):
    scores = [score for score in pair[0] if score == score]
    found = tk.to_buckets(pair[0], k)
    assert np.array_equal(np.isnan(found), np.isnan(np.array(pair[0], float)))
    buckets = found[~np.isnan(found)]
    if len(set(scores)) < 2:
        assert not buckets.any()
        return
    low, high = Fraction(min(scores)), Fraction(max(scores))
    for score, bucket in zip(scores, buckets.tolist(), strict=True):
        place = (Fraction(score) - low) / (high - low) * k
        nearest = round(place)
        allowed = {math.floor(place)}
        if abs(place - nearest) < Fraction(1, 10**12):  # float64 may fall on the other side of a boundary
            allowed |= {nearest - 1, nearest}
        assert bucket in {min(number, k - 1) for number in allowed}
    assert (buckets.min(), buckets.max()) == (0, k - 1)
    by_score = buckets[np.argsort(scores, kind="stable")]
    assert (np.diff(by_score) >= 0).all()


def test_buckets_by_hand():
    assert tk.to_buckets([0, 1, 2, 3, 4, 5, 6, 7, 8], 4).tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 3]
    assert tk.to_buckets([[-4.0, -2.0], [0.0, 4.0]], 2).tolist() == [[0, 0], [1, 1]]
    assert tk.to_buckets([-1.7e308, 0.1e308, 1.7e308], 3).tolist() == [0, 1, 2]
    assert tk.to_buckets([0.0, 5e-324], 2).tolist() == [0, 1]
    assert tk.to_buckets([1, 2, 3], np.int32(1)).tolist() == [0, 0, 0]
    assert tk.to_buckets([], 3).size == 0
    assert np.isnan(tk.to_buckets([math.nan], 3)).all()


@pytest.mark.parametrize("k", [0, -1, 2.0, "2", True, 2**53 + 1, None])
def test_what_is_no_number_of_buckets(k):
    with pytest.raises(tk.InputError, match=r"^k: "):
        tk.to_buckets([1, 2], k)


@given(vectors(), st.integers(0, 100))
def test_broken_ties_leave_an_order_that_agrees_with_the_scores(pair, seed):
    scores = np.array(pair[0], float)
    found = tk.break_ties(scores, seed)
    scored = ~np.isnan(scores)
    assert np.array_equal(np.isnan(found), ~scored)
    assert sorted(found[scored]) == list(range(scored.sum()))
    for i, j in permutations(np.flatnonzero(scored), 2):
        assert scores[i] >= scores[j] or found[i] < found[j]
    assert np.array_equal(found, tk.break_ties(scores, np.random.default_rng(seed)), equal_nan=True)


def test_every_order_of_a_tie_is_equally_likely():
    rng = np.random.default_rng(1)
    seen = [tuple(tk.break_ties([5, 5, 3, 5], rng)) for _ in range(3000)]
    orders, counts = np.unique(seen, axis=0, return_counts=True)
    assert len(orders) == 6
    assert stats.chisquare(counts).pvalue > 1e-6
    assert (orders[:, 2] == 0).all()


@pytest.mark.parametrize("rng", [-1, 1.5, "1", True, [1]])
def test_what_is_no_seed(rng):
    with pytest.raises(tk.InputError, match=r"^rng: "):
        tk.break_ties([1, 2], rng)


def mean_over_all_orders(human, metric, name):
    """A coefficient's mean over all ways of breaking ties, each group by each order of its items."""
    found = {
        tuple(sorted(range(len(metric)), key=lambda i: (metric[i], order[i])))
        for order in permutations(range(len(metric)))
    }
    values = []
    for order in found:
        places = np.argsort(order)
        values.append(reference.coefficient(name, reference.counts(human, places.tolist())))
    return np.mean(values)


@pytest.mark.parametrize(
    ("human", "metric"),
    [([1, 2, 3, 4], [0, 0, 0, 1]), ([1, 1, 2, 3], [5, 4, 4, 4]), ([3, 1, 2, 2, 1], [1, 1, 0, 0, 0])],
)
def test_broken_ties_make_tau_10_what_tau_14_was(human, metric):
    expected = mean_over_all_orders(human, metric, "tau_10")
    assert tk.correlate(human, metric, "tau_14").value == pytest.approx(expected)
    assert mean_over_all_orders(human, metric, "tau_13") == pytest.approx(expected)
    found = tk.correlate_untied(human, metric, rng=3, repeats=1000)
    assert found.mean() == pytest.approx(expected, abs=5 * found.std() / math.sqrt(1000) + 1e-12)
    assert found.std() > 0
    assert tk.correlate(human, metric, "tau_10").value < expected


@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
@given(matrices(), st.sampled_from(GROUPINGS), st.sampled_from(["tau_10", "tau_b", "acc_eq"]))
def test_repetitions_are_the_correlations_of_broken_scores(pair, grouping, name):
    human, metric = pair
    rng = np.random.default_rng(5)
    expected = [
        tk.correlate(
            human, tk.break_ties(np.where(np.isnan(human), np.nan, metric), rng), name, grouping=grouping
        ).value
        for _ in range(3)
    ]
    found = tk.correlate_untied(human, metric, name, grouping=grouping, rng=5, repeats=3)
    assert np.array_equal(found, expected, equal_nan=True)


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("repeats", 0),
        ("repeats", 1.5),
        ("rng", -1),
        ("coefficient", "pearson"),
        ("grouping", "system_means"),
        ("undefined", "x"),
    ],
)
def test_what_correlate_untied_refuses(argument, value):
    arguments = {"rng": 1} | {argument: value}
    with pytest.raises(tk.InputError, match=f"^{argument}: "):
        tk.correlate_untied([[1, 2], [3, 4]], [[1, 2], [3, 4]], **arguments)


@given(matrices(), st.sampled_from(GROUPINGS))
def test_reasons_say_which_coefficients_are_undefined(pair, grouping):
    human, metric = pair
    found = iter(tk.reasons_per_group(human, metric, grouping=grouping))
    parts = {"item": zip(human.T, metric.T, strict=True), "system": zip(human, metric, strict=True)}
    for h, m in parts.get(grouping, [(human.ravel(), metric.ravel())]):
        reason, c = next(found), reference.counts(h.tolist(), m.tolist())
        if c["n"] < 2:
            assert reason == "fewer than two items have both scores"
            continue
        assert ("human" in reason) == math.isnan(reference.coefficient("tau_10", c))
        assert (("human" in reason) or ("metric" in reason)) == math.isnan(reference.coefficient("tau_b", c))
        assert bool(reason) == math.isnan(reference.coefficient("tau_13", c))
    assert not list(found)


@given(st.lists(st.lists(st.sampled_from([0.5, -1.0, math.nan]), min_size=4, max_size=4), min_size=1, max_size=4))
def test_groups_in_common_are_defined_for_all(rows):
    found = tk.groups_in_common({str(number): row for number, row in enumerate(rows)})
    assert found.tolist() == [all(value == value for value in column) for column in columns(rows)]


def test_groups_in_common_needs_a_mapping():
    with pytest.raises(tk.InputError, match="per_group: must be a mapping of metrics to arrays, found NoneType"):
        tk.groups_in_common(None)


@pytest.mark.parametrize("per_group", [{}, {"a": [1.0], "b": [1.0, 2.0]}])
def test_groups_in_common_needs_groups_that_fit(per_group):
    with pytest.raises(tk.InputError, match=r"^per_group: "):
        tk.groups_in_common(per_group)


@given(matrices(), st.sampled_from(GROUPINGS), st.lists(st.integers(1, 9), min_size=1, max_size=3, unique=True))
def test_the_bucket_curve_is_the_correlation_of_the_buckets(pair, grouping, ks):
    human, metric = pair
    curve = tk.bucket_curve(human, metric, ks, grouping=grouping)
    assert curve.index.tolist() == ks
    for k, row in curve.iterrows():
        parts = reference.groups(human.tolist(), tk.to_buckets(metric, k).tolist(), grouping)
        for name in ("tau_b", "acc_eq"):
            values = [reference.coefficient(name, reference.counts(*part)) for part in parts]
            defined = [value for value in values if value == value]
            assert row[f"groups({name})"] == len(defined)
            assert row[name] == pytest.approx(np.mean(defined) if defined else math.nan, nan_ok=True)


def test_one_bucket_leaves_tau_b_no_group_and_acc_eq_all():
    curve = tk.bucket_curve([[1, 1], [2, 1], [3, 2]], [[0.1, 0.4], [0.2, 0.5], [0.3, 0.9]], [1])
    assert curve.loc[1, ["acc_eq", "groups(tau_b)", "groups(acc_eq)"]].tolist() == [pytest.approx(1 / 6), 0, 2]
    assert math.isnan(curve.loc[1, "tau_b"])


# ------------------------------------------------------------------------------------------- the real WMT22 zh-en


@pytest.fixture(scope="module")
def zh_en(wmt22_zh_en):
    return wmt22_zh_en.select()


METRIC_X, MATESE = "metricx_xxl_MQM_2020-refA", "MATESE-refA"


@pytest.mark.parametrize(
    ("grouping", "pairs", "tied", "at_zero", "printed"),
    [
        ("global", 395_493_750, 102_719_769, 87_047_415, ("395m", "103m (26%)", "87m (22%)")),
        ("item", 196_875, None, None, ("197k", "82k (42%)", "63k (32%)")),
        ("system", None, None, None, ("26m", "7m (26%)", "6m (22%)")),
    ],
)
def test_tables_3_and_9(zh_en, grouping, pairs, tied, at_zero, printed):
    found = tk.count_ties(zh_en.human["mqm"], grouping=grouping)
    assert found.n_scores == 28_125
    for number, expected in ((found.n_pairs, pairs), (found.n_tied, tied), (found.n_tied_at, at_zero)):
        assert expected in (None, number)
    unit = {"m": 1e6, "k": 1e3}[printed[0][-1]]
    written = tuple(f"{number / unit:.0f}{printed[0][-1]}" for number in (found.n_pairs, found.n_tied, found.n_tied_at))
    assert (written[0], f"{written[1]} ({found.share:.0%})", f"{written[2]} ({found.share_at:.0%})") == printed


@pytest.mark.parametrize(
    ("metric", "printed"),
    [(METRIC_X, "0.2%"), ("COMET-22-refA", "0.1%"), (MATESE, "39.6%"), ("GEMBA-Dav3-DA-refA", "56.5%")],
)
def test_table_4(zh_en, metric, printed):
    """The paper prints 56.6 % for GEMBA."""
    found = tk.count_ties(zh_en.metrics[metric], grouping="item", where=zh_en.human["mqm"])
    assert f"{found.share:.1%}" == printed


def test_buckets_of_metric_x(zh_en):
    """Figure 3: the fewer buckets, the fewer groups, and the higher their mean."""
    curve = tk.bucket_curve(zh_en.human["mqm"], zh_en.metrics[METRIC_X], [5, 10])
    assert [f"{value:.4f}" for value in curve["tau_b"]] == ["0.3065", "0.3015"]
    assert curve["groups(tau_b)"].tolist() == [1434, 1704]
    assert curve["groups(acc_eq)"].tolist() == [1875, 1875]


@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_groups_that_are_defined(zh_en):
    human = zh_en.human["mqm"]
    found = {name: tk.correlate(human, zh_en.metrics[name], "tau_b") for name in (METRIC_X, MATESE)}
    assert [one.n_groups for one in found.values()] == [1775, 1694]
    common = tk.groups_in_common({name: one.per_group for name, one in found.items()})
    both = ~np.isnan(found[METRIC_X].per_group) & ~np.isnan(found[MATESE].per_group)
    assert common.sum() == both.sum() <= 1694


@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_matese_with_its_ties_broken(zh_en):
    """Section 6.1 says of en-de: "improved by large margins simply by randomly breaking all ties"."""
    human, metric = zh_en.human["mqm"], zh_en.metrics[MATESE]
    assert f"{tk.correlate(human, metric, 'tau_10').value:.3f}" == "-0.108"
    found = tk.correlate_untied(human, metric, rng=1, repeats=10)
    assert found.mean() == pytest.approx(tk.correlate(human, metric, "tau_14").value, abs=0.003)
    assert f"{found.mean():.2f}" == "0.22"
    assert 0 < found.std() < 0.01
