"""Calibration where human ties count more or less: against every candidate tried in exact arithmetic, and samples."""

import itertools
import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests import reference
from tests.strategies import examples, matrices, vectors
from tiekit.core import _threshold_search as _objectives
from tiekit.core import reweighting as _weighted_pairs

pytestmark = [
    pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning"),
    pytest.mark.filterwarnings("ignore::tiekit.CalibrationWarning"),
]

NAN = float("nan")
COUNTED = [name for name, entry in tk.COEFFICIENTS.items() if entry.takes_epsilon]
GROUPINGS = st.sampled_from(["global", "item", "system"])
KEEPS = st.tuples(*[st.sampled_from([0.0, 0.1, 0.25, 1 / 3, 0.5, 0.9, 1.0])] * 2)
EXACT = {"acc_eq": (1, 0, 0, 0, 1), "tau_eq": (1, -1, -1, -1, 1), "tau_a": (1, -1, 0, 0, 0)}
"""What a pair of each kind, C D T_h T_m T_hm, adds to the numerator."""


def weighed(c, name, keep):
    """A coefficient of weighed counts, or None where it divides by zero: a fraction where it is one."""
    tied, untied = map(Fraction, keep)
    kinds = [c["C"] * untied, c["D"] * untied, c["T_h"] * tied, c["T_m"] * untied, c["T_hm"] * tied]
    total = sum(kinds)
    if not total:
        return None
    if name in EXACT:
        return sum(a * b for a, b in zip(kinds, EXACT[name], strict=True)) / total
    n = (1 + math.sqrt(1 + 8 * total)) / 2
    value = reference.coefficient(name, dict(zip(("C", "D", "T_h", "T_m", "T_hm"), kinds, strict=True), n=n, k=c["k"]))
    return None if math.isnan(value) else float(value)


def brute(parts, name, keep):
    """The smallest best candidate and the mean there, every one tried."""
    best = 0.0, None
    for epsilon in reference.candidates(parts):
        values = [weighed(reference.counts(*part, epsilon), name, keep) for part in parts]
        defined = [value for value in values if value is not None]
        if defined:
            mean = sum(defined) / len(defined)
            if best[1] is None or mean > best[1] + (0 if name in EXACT else 1e-12):
                best = epsilon, mean
    return best[0], math.nan if best[1] is None else float(best[1])


@examples(40)
@given(matrices(), GROUPINGS, KEEPS, st.sampled_from(list(EXACT)))
def test_weights_equal_trying_every_candidate(pair, grouping, keep, name):
    found = tk.sentinels.calibrate_reweighted(*pair, name, grouping=grouping, keep_tied=keep[0], keep_untied=keep[1])
    epsilon, value = brute(reference.groups(*[x.tolist() for x in pair], grouping), name, keep)
    assert found.epsilon == epsilon
    assert found.value == pytest.approx(value, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize(("keep_untied", "epsilon"), [(1.0, 0.0), (0.1, 0.0), (0.031, 0.0), (0.03, 1.0), (0.01, 1.0)])
def test_groups_weigh_alike_whatever_share_of_their_pairs_is_tied(keep_untied, epsilon):
    """Epsilon 1 wins one of 1 + 65p in the first group and loses p of 3p in the second: better where p < 2/65."""
    human, metric = np.full((2, 12, 2), NAN)
    human[:, 0], metric[:, 0] = [1, *range(1, 12)], [0, 1, *range(10, 110, 10)]
    human[:3, 1], metric[:3, 1] = [1, 2, 3], [0, 0.5, 10]
    assert tk.sentinels.calibrate_reweighted(human, metric, keep_untied=keep_untied).epsilon == epsilon


def test_candidates_that_are_equal_but_for_rounding_are_compared_as_fractions():
    """At 3 a third of the first group's pairs is right and two thirds of the second's, at 4 none and all."""
    human, metric = [[1, 1], [2, 1], [0, 1]], [[4, 4], [0, 0], [0, 3]]
    found = tk.sentinels.calibrate_reweighted(human, metric, keep_tied=0.5)
    assert found.value_at(3) == pytest.approx(found.value_at(4), abs=1e-15)
    assert found.epsilon == 3


@pytest.mark.parametrize("name", [name for name in COUNTED if name not in EXACT])
@examples(10)
@given(pair=matrices(("few", "tenths")), grouping=GROUPINGS, keep=KEEPS)
def test_every_coefficient_equals_trying_every_candidate(name, pair, grouping, keep):
    found = tk.sentinels.calibrate_reweighted(*pair, name, grouping=grouping, keep_tied=keep[0], keep_untied=keep[1])
    epsilon, value = brute(reference.groups(*[x.tolist() for x in pair], grouping), name, keep)
    assert found.value == pytest.approx(value, abs=1e-9, nan_ok=True)
    assert found.epsilon == epsilon


@pytest.mark.parametrize("name", ["acc_eq", "tau_b"])
@examples(16)
@given(pair=matrices(("tenths", "continuous")), grouping=GROUPINGS, keep=KEEPS)
def test_a_search_that_may_list_few_pairs_finds_the_same(name, pair, grouping, keep):
    asked = {"grouping": grouping, "keep_tied": keep[0], "keep_untied": keep[1]}
    whole = tk.sentinels.calibrate_reweighted(*pair, name, **asked)
    with pytest.MonkeyPatch.context() as patch:
        for size in ("LISTED_AT_LEAST", "REPLAYED_AT_LEAST"):
            patch.setattr(_objectives, size, 2)
        for size in ("LISTED_PER_SCORE", "REPLAYED_PER_SCORE"):
            patch.setattr(_objectives, size, 0)
        found = tk.sentinels.calibrate_reweighted(*pair, name, **asked)
    assert found.epsilon == whole.epsilon
    assert found.value == pytest.approx(whole.value, abs=0, nan_ok=True)


@examples(20)
@given(st.one_of(vectors(), matrices()), st.sampled_from(COUNTED), GROUPINGS)
def test_with_every_pair_it_is_calibration(pair, name, grouping):
    by = None if np.ndim(pair[0]) == 1 else grouping
    whole = tk.calibrate(*pair, name, grouping=by)
    sample = tk.sentinels.calibrate_reweighted(*pair, name, grouping=by, sample=True, rng=3)
    for found in (tk.sentinels.calibrate_reweighted(*pair, name, grouping=by), sample):
        for fact in ("epsilon", "value", "value_at_zero"):
            assert getattr(found, fact) == pytest.approx(getattr(whole, fact), rel=0, abs=0, nan_ok=True), fact
        for fact in ("n_pairs", "n_groups", "n_undefined", "coefficient", "grouping"):
            assert getattr(found, fact) == getattr(whole, fact), fact
        assert found.share_of_ties == pytest.approx(
            tk.count_ties(pair[0], where=pair[1], grouping=by).share, nan_ok=True
        )


@examples(16)
@given(matrices(), GROUPINGS, KEEPS, st.randoms())
def test_the_order_of_rows_and_columns_does_not_matter(pair, grouping, keep, random):
    asked = {"grouping": grouping, "keep_tied": keep[0], "keep_untied": keep[1]}
    rows, columns = (random.sample(range(size), size) for size in pair[0].shape)
    found = tk.sentinels.calibrate_reweighted(*pair, **asked)
    turned = tk.sentinels.calibrate_reweighted(*[side[rows][:, columns] for side in pair], **asked)
    assert turned.epsilon == found.epsilon
    assert turned.value == pytest.approx(found.value, rel=0, abs=0, nan_ok=True)


@examples(20)
@given(vectors(families=("few", "tenths")), KEEPS, st.integers(0, 99))
def test_a_sample_equals_trying_every_candidate_on_its_pairs(pair, keep, seed):
    human, metric = map(np.asarray, pair)
    found = tk.sentinels.calibrate_reweighted(
        human, metric, keep_tied=keep[0], keep_untied=keep[1], sample=True, rng=seed
    )
    draws = np.random.default_rng(seed).random(len(human) * (len(human) - 1) // 2)
    kept = [
        (human[i] == human[j], (human[i] < human[j]) == (metric[i] < metric[j]), abs(metric[i] - metric[j]))
        for (i, j), draw in zip(combinations(range(len(human)), 2), draws, strict=True)
        if not np.isnan([*human[[i, j]], *metric[[i, j]]]).any() and draw < keep[0 if human[i] == human[j] else 1]
    ]
    assert found.n_pairs == len(kept)
    if not kept:
        assert found.epsilon == 0
        assert math.isnan(found.value)
        assert math.isnan(found.share_of_ties)
        return
    assert found.share_of_ties == pytest.approx(np.mean([tied for tied, *_ in kept]))

    def right(epsilon):
        return sum(tied if gap <= epsilon else alike and not tied for tied, alike, gap in kept)

    candidates = sorted({0.0} | {gap for *_, gap in kept})
    best = max(map(right, candidates))
    assert found.epsilon == next(epsilon for epsilon in candidates if right(epsilon) == best)
    assert found.value == pytest.approx(best / len(kept), abs=0)
    for epsilon in candidates:
        assert found.value_at(epsilon) == pytest.approx(right(epsilon) / len(kept), abs=0)


@pytest.mark.parametrize("grouping", ["global", "item", "system", "system_means"])
@pytest.mark.parametrize("name", ["acc_eq", "tau_b"])
@pytest.mark.filterwarnings("ignore::tiekit.OrientationWarning")
def test_weights_and_samples_agree(grouping, name):
    rng = np.random.default_rng(5)
    quality = rng.normal(size=(40, 12) if grouping == "item" else (12, 22))
    if grouping == "system_means":
        quality = np.tile(rng.normal(size=(150, 1)), 3)
    human = np.round(quality)
    metric = quality + rng.normal(scale=0.4, size=quality.shape)
    asked = {"grouping": grouping, "keep_tied": 0.3, "keep_untied": 0.8}
    weights = tk.sentinels.calibrate_reweighted(human, metric, name, **asked)
    samples = [
        tk.sentinels.calibrate_reweighted(human, metric, name, **asked, sample=True, rng=seed) for seed in range(12)
    ]
    for fact in ("value", "value_at_zero", "share_of_ties"):
        drawn = [getattr(sample, fact) for sample in samples]
        assert np.mean(drawn) == pytest.approx(getattr(weights, fact), abs=0.012), fact
    assert np.mean([sample.n_pairs for sample in samples]) == pytest.approx(weights.n_pairs, rel=0.01)
    assert weights.value_at(0.3) == pytest.approx(np.mean([sample.value_at(0.3) for sample in samples]), abs=0.012)


def test_every_metric_gets_the_same_sample_even_where_scores_are_missing():
    rng = np.random.default_rng(0)
    human = rng.integers(0, 4, (8, 30)).astype(float)
    metric = rng.normal(size=(8, 30))
    missing = np.where(rng.random((8, 30)) < 0.2, np.nan, metric)
    asked = {"keep_tied": 0.4, "keep_untied": 0.6, "sample": True, "rng": 11}
    one, other = (tk.sentinels.calibrate_reweighted(human, -metric, **asked) for metric in (metric, metric**3))
    assert (one.n_pairs, one.share_of_ties) == (other.n_pairs, other.share_of_ties)
    kept = [
        sorted(tk.sentinels.calibrate_reweighted(human, m, **asked).pairs.difference.tolist())
        for m in (metric, missing)
    ]
    assert 0 < len(kept[1]) < len(kept[0])
    assert set(kept[1]) < set(kept[0])


def test_more_is_kept_the_larger_the_probability():
    human, metric = np.random.default_rng(1).integers(0, 3, (2, 60)).astype(float)
    kept = [
        tk.sentinels.calibrate_reweighted(human, metric, keep_tied=p, sample=True, rng=2).n_pairs
        for p in (0, 0.2, 0.5, 1)
    ]
    assert kept == sorted(set(kept))


@examples(16)
@given(st.one_of(vectors(), matrices()), GROUPINGS, st.floats(0, 1))
def test_expected_shares_are_met(pair, grouping, share):
    human, _ = pair
    by = None if np.ndim(human) == 1 else grouping
    try:
        keep = tk.sentinels.keep_for_share(human, share, grouping=by)
    except tk.InputError:
        ties = tk.count_ties(human, grouping=by)
        assert (share > 0 and not ties.n_tied) or (share < 1 and ties.n_tied == ties.n_pairs)
        return
    found = tk.sentinels.calibrate_reweighted(human, human, grouping=by, keep_tied=keep.tied, keep_untied=keep.untied)
    assert found.share_of_ties == pytest.approx(share, abs=1e-9, rel=1e-9)
    assert max(keep) == 1
    assert min(keep) >= 0


@examples(60)
@given(matrices(), st.sampled_from(["item", "system", "global"]), st.floats(0, 1))
def test_a_constant_metric_has_just_the_share_of_the_mean(pair, grouping, share):
    """A share of the mean is the value of a metric that ties everything; by brute force over the human's pairs."""
    human = np.asarray(pair[0], float)
    by_group = {"item": human.T, "system": human, "global": human.reshape(1, -1)}[grouping]
    pairs = [[a == b for a, b in itertools.combinations(g[~np.isnan(g)], 2)] for g in by_group]
    pairs = [one for one in pairs if one]
    try:
        keep = tk.sentinels.keep_for_share(human, share, grouping=grouping, share_of="mean")
    except tk.InputError:
        throughout, without = (sum(all(t == kind for t in one) for one in pairs) for kind in (True, False))
        assert not pairs or share <= throughout / len(pairs) or share >= 1 - without / len(pairs)
        return
    weights = [[keep.tied if tied else keep.untied for tied in one] for one in pairs]
    shares = [
        sum(w for w, tied in zip(weight, one, strict=True) if tied) / sum(weight)
        for weight, one in zip(weights, pairs, strict=True)
        if sum(weight)
    ]
    assert np.mean(shares) == pytest.approx(share, abs=1e-12)
    assert max(keep) == 1
    asked = {"grouping": grouping, "keep_tied": keep.tied, "keep_untied": keep.untied}
    for metric in (np.zeros_like(human), np.where(np.isnan(human), np.nan, 7.0)):
        found = tk.sentinels.calibrate_reweighted(human, metric, **asked)
        assert (found.value, found.share_in_mean) == (pytest.approx(share, abs=1e-12),) * 2
        assert tk.count_ties(human, grouping=grouping).in_mean(*keep) == pytest.approx(share, abs=1e-12)


def test_shares_of_the_mean_that_cannot_be_reached_are_refused():
    human = [[1, 1, 1, 1], [1, 2, 1, 2], [1, 3, 2, 3]]  # items: all tied, none, one tie, none
    ties = tk.count_ties(human)
    assert (ties.share, ties.in_mean()) == (pytest.approx(4 / 12), pytest.approx((1 + 0 + 1 / 3 + 0) / 4))
    with pytest.raises(tk.InputError, match=r"share: 0\.25 of the groups are tied throughout and 0\.5 have no tie"):
        tk.sentinels.keep_for_share(human, 0.2, share_of="mean")
    assert tk.sentinels.keep_for_share(human, 0, share_of="mean") == (0, 1)
    assert tk.sentinels.keep_for_share(human, ties.in_mean(), share_of="mean") == (1, 1)
    keep = tk.sentinels.keep_for_share(human, 0.3, share_of="mean")
    assert keep == (pytest.approx(0.5), 1)  # of the item with one tie, 1/5 is left: (1 + 1/5) / 4
    with pytest.raises(tk.InputError, match="share_of: must be one of pairs, mean, found 'groups'"):
        tk.sentinels.keep_for_share(human, 0.3, share_of="groups")


def test_the_own_share_leaves_nothing_out():
    human = [1, 2, 2, 3, 3, 3, 1]
    assert tk.sentinels.keep_for_share(human, tk.count_ties(human).share) == (1, 1)
    assert tk.sentinels.keep_for_share([[1, 1], [1, 2]], 0.25, grouping="item") == (pytest.approx(1 / 3), 1)


def test_by_hand():
    """Four human ties of ten pairs, each counting a half: 8 pairs. At 0: C = 5, T_hm = 0."""
    human, metric = [1, 1, 2, 2, 2], [1, 3, 4, 6, 2]
    found = tk.sentinels.calibrate_reweighted(human, metric, keep_tied=0.5)
    assert (found.n_pairs, found.share_of_ties, found.value_at_zero) == (8, 0.25, 5 / 8)
    assert found.value_at(1) == 3 / 8  # 1-2, 3-4 and 3-2 tie and should not: two of them were right
    assert found.value_at(2) == (3 + 3 * 0.5) / 8  # only 1-4, 1-6 and 3-6 are apart; 1-3, 4-6 and 4-2 tie right
    assert (found.epsilon, found.value) == (0, 5 / 8)
    few = tk.sentinels.calibrate_reweighted(human, metric, keep_untied=0.1)
    assert (few.epsilon, few.value) == (4, pytest.approx((4 + 0.1) / 4.6))


def test_nothing_kept_is_undefined():
    for sample in (False, True):
        found = tk.sentinels.calibrate_reweighted([1, 2, 3], [1, 2, 3], keep_untied=0, sample=sample)
        assert (found.epsilon, found.n_pairs, found.n_groups, found.n_undefined) == (0, 0, 0, 1)
        assert [math.isnan(x) for x in (found.value, found.value_at_zero, found.share_of_ties)] == [True] * 3
    empty = tk.sentinels.calibrate_reweighted([], [])
    assert (empty.epsilon, empty.n_pairs, empty.n_undefined) == (0, 0, 0)


def test_a_number_can_be_made_again():
    found = tk.sentinels.calibrate_reweighted([1, 2, 2, 3], [1, 5, 6, 9], keep_tied=0.5, sample=True, rng=7)
    for fact in ("coefficient:acc_eq*", "grouping:vector", "keep_tied:0.5", "keep_untied:1.0", "seed:7"):
        assert fact in found.signature.split("|")
    generator = tk.sentinels.calibrate_reweighted([1, 2], [1, 2], sample=True, rng=np.random.default_rng(0))
    assert "seed:generator" in generator.signature
    assert "seed:0" in tk.sentinels.calibrate_reweighted([1, 2], [1, 2], sample=True).signature.split("|")
    assert "seed:none" in tk.sentinels.calibrate_reweighted([1, 2], [1, 2]).signature


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"keep_tied": 1.1}, "keep_tied: must be a number from 0 to 1, found 1.1"),
        ({"keep_untied": -0.1}, "keep_untied: must be"),
        ({"keep_tied": math.nan}, "keep_tied: must be"),
        ({"keep_tied": True}, "keep_tied: must be"),
        ({"keep_tied": "all"}, "keep_tied: must be"),
        ({"coefficient": "pearson"}, "coefficient: pearson knows no ties"),
        ({"sample": True, "rng": -1}, "rng: must be"),
        ({"rng": 3}, "rng: nothing is drawn unless sample=True, found 3"),
        ({"sample": "all"}, "sample: must be True or False, found 'all'"),
        ({"coefficient": "item/acc_eq*", "grouping": "global"}, "grouping: 'global' contradicts"),
        ({"grouping": "sentence"}, "grouping: "),
    ],
)
def test_what_is_refused(change, message):
    with pytest.raises(tk.InputError, match=message):
        tk.sentinels.calibrate_reweighted([[1, 2], [2, 3]], [[1, 2], [2, 3]], **change)


def test_a_share_that_no_pairs_have_is_refused():
    for human, share, tied in (([1, 2, 3], 0.5, "0 of 3"), ([1, 1], 0.5, "1 of 1"), ([1, 1, 2], 1.5, "from 0 to 1")):
        with pytest.raises(tk.InputError, match=tied):
            tk.sentinels.keep_for_share(human, share)


def test_too_many_pairs_are_not_sampled(monkeypatch):
    monkeypatch.setattr(_weighted_pairs, "MOST_SAMPLED", 9)
    tk.sentinels.calibrate_reweighted([1, 2, 3, 4], [1, 2, 3, 4], sample=True, rng=0)
    with pytest.raises(tk.InputError, match="sample: it is drawn from at most 9 pairs"):
        tk.sentinels.calibrate_reweighted([1, 2, 3, 4, 5], [1, 2, 3, 4, 5], sample=True, rng=0)
    assert tk.sentinels.calibrate_reweighted([1, 2, 3, 4, 5], [1, 2, 3, 4, 5]).n_pairs == 10


@pytest.mark.filterwarnings("default::tiekit.CalibrationWarning", "default::tiekit.NearTieWarning")
def test_warnings_name_the_caller():
    with pytest.warns(tk.CalibrationWarning, match="tau_b does not handle ties") as caught:
        tk.sentinels.calibrate_reweighted([1, 2, 3], [1, 2, 3], "tau_b")
    assert caught[0].filename == __file__
    with pytest.warns(tk.NearTieWarning, match="metric: 1 distinct scores") as caught:
        tk.sentinels.calibrate_reweighted([1, 2, 3], [0.3, 0.1 + 0.2, 1], keep_tied=0.5)
    assert caught[0].filename == __file__


def test_progress_stops_the_search():
    def stop(share):
        raise KeyboardInterrupt(share)

    with pytest.raises(KeyboardInterrupt):
        tk.sentinels.calibrate_reweighted([1, 2, 2], [1, 2, 3], keep_tied=0.5, progress=stop)
