"""Agreement of judges as of all pairs of judgments, and a metric against judgments, counted one by one."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

import tiekit as tk
from tests.judgments.by_hand import CAPPED, plain, plain_value, row_lists
from tests.strategies import examples
from tiekit.judgments import Rankings, agreement, judge_metric


@examples(16)
@given(row_lists(systems="ABCD"))
def test_agreement_is_that_of_all_pairs_of_judgments(rows):
    judgments = plain(rows)
    tally = {True: [0, 0], False: [0, 0]}
    for one, other in itertools.combinations(judgments, 2):
        if one[2:5] == other[2:5]:
            tally[one[0] == other[0]][0] += 1
            tally[one[0] == other[0]][1] += one[-1] == other[-1]
    found = agreement(Rankings.from_rows(rows))
    for kappa, (n, agreed) in ((found.within, tally[True]), (found.between, tally[False])):
        assert (kappa.n, kappa.n_agreed) == (n, agreed)
        if n:
            both_ways = [one[-1] for one in judgments] + [-one[-1] for one in judgments]
            chance = sum((both_ways.count(outcome) / len(both_ways)) ** 2 for outcome in (-1, 0, 1))
            assert kappa.expected == pytest.approx(chance)
            expected = (agreed / n - chance) / (1 - chance) if chance < 1 else float("nan")
            assert kappa.value == pytest.approx(expected, nan_ok=True)
        else:
            assert math.isnan(kappa.value)


def test_kappa_by_hand():
    """Ten judgments, two of them ties: P(E) = .2² + .4² + .4² = .36; of five pairs four agree."""
    rows = [("ann", str(i), {"A": 1, "B": 2}) for i in range(4)] + [("bob", str(i), {"A": 1, "B": 2}) for i in range(3)]
    rows += [("bob", "3", {"A": 2, "B": 1}), ("ann", "4", {"A": 1, "B": 1}), ("bob", "4", {"A": 2, "B": 2})]
    found = agreement(Rankings.from_rows(rows))
    assert (found.share_tied, found.between.observed, found.within.n) == (0.2, 0.8, 0)
    assert found.between.value == pytest.approx((0.8 - 0.36) / (1 - 0.36))
    values = found.between.to_dict()
    assert {name: values[name] for name in ("value", "observed", "n", "n_agreed")} == {
        "value": found.between.value,
        "observed": 0.8,
        "n": 5,
        "n_agreed": 4,
    }
    assert found.to_dict()["between"] == values


@examples(10)
@given(row_lists(systems="ABCD"), st.sampled_from(CAPPED), st.lists(st.integers(0, 3), min_size=8, max_size=8))
def test_a_judged_metric_is_counted_judgment_by_judgment(rows, name, numbers):
    cells = [(system, segment) for system in "ABCD" for segment in "12"]
    scores = dict(zip(cells, numbers, strict=True))
    rankings = Rankings.from_rows(rows)
    found = judge_metric(rankings, scores, name)
    expected = plain_value(plain(rows), scores, name)
    assert found.value == pytest.approx(float("nan") if expected is None else float(expected), nan_ok=True, abs=1e-15)
    assert found.counts.total == len(plain(rows))
    assert found.weighted_mean == pytest.approx(found.value, nan_ok=True, abs=1e-12)
    for number, row in found.sets.iterrows():
        of_set = plain_value([one for one in plain(rows) if one[1] == number], scores, name)
        assert row["value"] == pytest.approx(float("nan") if of_set is None else float(of_set), nan_ok=True)
    frame = pd.Series(scores).unstack()  # noqa: PD010
    for same in (frame, frame.reindex(index=rankings.systems, columns=rankings.segments).to_numpy()):
        assert judge_metric(rankings, same, name).signature == found.signature


def test_the_tau_of_a_set_is_kendalls_and_the_whole_is_no_tau():
    """Untied sets: SciPy's τ of each; the mean of five-item τ; and one τ of all translations is another number."""
    rng = np.random.default_rng(7)
    ranks, scores = [rng.permuted(np.arange(1, 6)) for _ in range(6)], rng.normal(size=(5, 6))
    names = list("ABCDE")
    rows = [("x", str(i), dict(zip(names, rank.tolist(), strict=True))) for i, rank in enumerate(ranks)]
    found = judge_metric(Rankings.from_rows(rows), scores, "tau_14")
    taus = [kendalltau(-rank, scores[:, i]).statistic for i, rank in enumerate(ranks)]
    np.testing.assert_allclose(found.sets["value"], taus)
    assert found.value == pytest.approx(np.mean(taus)) == pytest.approx(found.mean)
    flat_ranks, flat_scores = -np.array(ranks), scores.T
    pairs = [np.sign(x[:, None] - x[None, :]) for x in (flat_ranks.ravel(), flat_scores.ravel())]
    ordered = pairs[0] != 0
    assert found.pooled == pytest.approx((pairs[0] * pairs[1])[ordered].mean())
    assert abs(found.pooled - found.value) > 0.01


def test_sets_weigh_by_the_pairs_that_count():
    """The set of three pairs is right, that of one wrong: (3 − 1) / 4, while the sets' mean is 0."""
    rows = [("x", "1", {"A": 1, "B": 2, "C": 3}), ("x", "2", {"A": 1, "B": 2, "C": 2}), ("x", "2", {"B": 1, "C": 1})]
    scores = {("A", "1"): 3, ("B", "1"): 2, ("C", "1"): 1, ("A", "2"): 1, ("B", "2"): 2, ("C", "2"): None}
    found = judge_metric(Rankings.from_rows(rows), scores)
    assert (found.value, found.mean, found.sets["weight"].tolist()) == (0.5, 0, [3, 1])
    assert (found.n_missing, found.counts.n_missing, found.counts.n_scores) == (3, 1, 5)


def test_close_scores_tie():
    rankings = Rankings.from_rows([("x", "1", {"A": 1, "B": 2, "C": 3})])
    scores = {("A", "1"): 0.75, ("B", "1"): 0.25, ("C", "1"): -1.0}
    assert judge_metric(rankings, scores, "tau_10", epsilon=0.5).value == 1 / 3  # inclusive
    assert judge_metric(rankings, scores, "tau_10", epsilon=0.4999).value == 1


@pytest.fixture
def rankings() -> Rankings:
    return Rankings.from_rows([("ann", "2", {"B": 1, "A": 2, "refA": 3}), ("bob", "1", {"A": 1, "odd": 2, "B": 2})])


@pytest.fixture
def data() -> tk.EvalSet:
    human = np.arange(12.0).reshape(4, 3)
    scores = [[3, 4, 1], [1, 5, 2], [9, 4, 3], [0, 0, 4]]
    return tk.EvalSet(
        "toy",
        "en-de",
        ("A", "B", "refA", "odd"),
        ("1", "2", "3"),
        {"mqm": human},
        {"COMET-22-refA": scores, "chrF": -np.array(scores)},
        standard_reference="refA",
        outliers=("odd",),
    )


def test_a_set_and_a_name_give_what_its_scores_give_without_reference_and_outliers(rankings, data):
    found = judge_metric(rankings, data, metric="COMET-22")
    cells = {("A", "1"): 3, ("A", "2"): 4, ("B", "1"): 1, ("B", "2"): 5}
    assert found.signature == judge_metric(rankings, cells).signature
    assert (found.value, found.counts.total, found.n_missing) == (1, 2, 4)
    everybody = judge_metric(rankings, data, metric="comet-22", exclude=())
    cells |= {("refA", "2"): 4, ("refA", "1"): 9, ("odd", "1"): 0, ("odd", "2"): 0}
    assert everybody.signature == judge_metric(rankings, cells).signature
    assert (everybody.n_missing, everybody.counts.total) == (0, 6)
    some = judge_metric(rankings, data, metric="COMET-22", exclude="A")
    assert (some.n_missing, some.counts.total) == (4, 2)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({}, "metric: must be a name, found None"),
        ({"metric": "COMET"}, "metric: there is no 'COMET'; did you mean COMET-22-refA?"),
        ({"metric": "chrF", "exclude": "C"}, "exclude: there is no system 'C'"),
    ],
)
def test_what_a_set_does_not_hold_is_refused(rankings, data, asked, message):
    with pytest.raises(tk.InputError, match=rf"^{message}"):
        judge_metric(rankings, data, **asked)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("ann", "1", {"X": 1, "Y": 2})], "scores: no ranked system is in the set"),
        ([("ann", "77", {"A": 1, "B": 2})], "scores: no ranked segment is in the set"),
    ],
)
def test_a_set_with_other_names_is_refused(data, rows, message):
    with pytest.raises(tk.InputError, match=message):
        judge_metric(Rankings.from_rows(rows), data, metric="chrF")


@pytest.mark.parametrize(("argument", "value"), [("metric", "chrF"), ("exclude", ())])
def test_names_need_a_set(rankings, argument, value):
    with pytest.raises(tk.InputError, match=f"^{argument}: needs an EvalSet as scores, found dict"):
        judge_metric(rankings, {}, **{argument: value})
