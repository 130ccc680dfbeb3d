"""What no metric can exceed: caps, floors and what is reachable, against every order of the systems, and on WMT13."""

import itertools
import math
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests.judgments.by_hand import CAPPED, CIRCLE, NUMBERS, extremes, levels, plain, row_lists
from tests.strategies import examples
from tiekit.judgments import Rankings, _order_kernels, agreement, attainable, judge_metric, resolve
from tiekit.judgments import caps as _best_order


@pytest.mark.parametrize("name", CAPPED)
@examples(12)
@given(st.one_of(row_lists(), row_lists(systems="ABCD", segments="1")))
def test_no_order_does_better_and_one_does_as_well(name, rows):
    judgments = plain(rows)
    found = attainable(Rankings.from_rows(rows), name)
    counting = [one for one in judgments if one[-1]] if name != "acc_eq" else judgments
    assert found.n_judgments == len(counting)
    if not counting:
        assert all(math.isnan(getattr(found, number)) for number in NUMBERS)
        return
    systems = "ABCD" if any("D" in ranks for *_, ranks in rows) else "ABC"
    most, least, most_tying, least_tying = map(float, extremes(judgments, systems, name))
    if name == "acc_eq":
        most, least = most_tying, least_tying
    assert (found.reachable, found.reachable_floor) == (most, least)
    assert (found.reachable_tying, found.reachable_floor_tying) == (most_tying, least_tying)
    assert found.reachable_at_most == found.reachable <= found.cap <= found.cap_tying
    assert found.reachable_tying <= found.cap_tying
    assert found.floor_tying <= found.floor <= found.reachable_floor
    assert found.exact
    assert found.loss == found.cap - found.reachable


@examples(10)
@given(row_lists())
def test_the_cap_decides_every_pair_by_itself(rows):
    pairs: dict = {}
    for *_, segment, a, b, outcome in plain(rows):
        pairs.setdefault((segment, a, b), []).append(outcome)
    margins = [(abs(sum(some)), sum(map(abs, some))) for some in pairs.values() if any(some)]
    counts = [[some.count(outcome) for outcome in (-1, 0, 1)] for some in pairs.values()]
    rankings = Rankings.from_rows(rows)
    if margins:
        cap = sum(margin for margin, _ in margins) / sum(n for _, n in margins)
        for name in CAPPED[:3]:
            assert (attainable(rankings, name).cap, attainable(rankings, name).floor) == (cap, -cap)
        assert attainable(rankings, "tau_13").cap_tying == max(margin / n for margin, n in margins)
        assert attainable(rankings, "tau_10").floor_tying == -1
    if counts:
        found, n = attainable(rankings, "acc_eq"), sum(map(sum, counts))
        assert (found.cap, found.floor) == (sum(map(max, counts)) / n, sum(map(min, counts)) / n)


@examples(5)
@given(
    st.lists(st.tuples(st.sampled_from("12"), st.permutations("ABCDEF"), st.integers(2, 6)), min_size=1, max_size=4),
    st.lists(st.integers(0, 1), min_size=4, max_size=4),
    st.integers(0, 1),
)
def test_without_circles_who_follows_the_majority_reaches_the_cap(sets, minorities, more):
    """Every set is ranked in alphabetical order by some judges, and the other way round by fewer."""
    rows = []
    for (segment, systems, size), minority in zip(sets, minorities, strict=False):
        shown = sorted(systems[:size])
        ranks = {system: place + 1 for place, system in enumerate(shown)}
        turned = {system: size - place for place, system in enumerate(shown)}
        rows += [("x", segment, ranks)] * (minority + 1 + more) + [("y", segment, turned)] * minority
    rankings = Rankings.from_rows(rows)
    metric = {(system, segment): -ord(system) for system in "ABCDEF" for segment in "12"}
    reverse = {cell: -score for cell, score in metric.items()}
    for name in CAPPED:
        found = attainable(rankings, name)
        assert judge_metric(rankings, metric, name).value == found.cap == found.reachable
        if name != "acc_eq":
            assert judge_metric(rankings, reverse, name).value == found.floor == found.reachable_floor
        assert found.n_intransitive == 0
    assert attainable(resolve(rankings)).cap == 1


@examples(16)
@given(row_lists(systems="ABCDE", most=8), st.sampled_from(CAPPED))
def test_the_best_scores_reach_what_is_reachable(rows, name):
    rankings = Rankings.from_rows(rows)
    found = attainable(rankings, name)
    value = judge_metric(rankings, found.best, name).value
    assert value == pytest.approx(found.reachable, abs=0, nan_ok=True)
    judged = {(a, segment) for *_, segment, a, _, outcome in plain(rows) if outcome or name == "acc_eq"}
    judged |= {(b, segment) for *_, segment, _, b, outcome in plain(rows) if outcome or name == "acc_eq"}
    assert np.isfinite(found.best).sum() == len(judged)


@examples(8)
@given(row_lists(systems="ABCDE", most=8), st.sampled_from(CAPPED), st.randoms(use_true_random=False))
def test_neither_order_of_rows_nor_names_matter(rows, name, random):
    shuffled = random.sample(rows, len(rows))
    renamed = [(judge, segment, {chr(200 - ord(s)): r for s, r in ranks.items()}) for judge, segment, ranks in shuffled]
    one = Rankings.from_rows(rows)
    for other in map(Rankings.from_rows, (shuffled, renamed)):
        first, second = attainable(one, name), attainable(other, name)
        for number in first.__dataclass_fields__:
            if number != "best":
                assert getattr(first, number) == pytest.approx(getattr(second, number), abs=0, nan_ok=True), number
        assert repr(agreement(one)) == repr(agreement(other))
    mixed = Rankings.from_rows(shuffled)
    np.testing.assert_array_equal(attainable(one, name).best, attainable(mixed, name).best)


@examples(16)
@given(
    row_lists(systems="ABCDE", segments="1", most=9),
    st.sampled_from(CAPPED),
    st.sampled_from(
        [
            {"MOST_ITEMS": {False: 1, True: 1}},
            {"MOST_ITEMS": {False: 1, True: 1}, "MOST_ORDERED": 2},
            {"MOST_STEPS": {"exact": 80, "good": 12}},
        ]
    ),
)
def test_what_is_too_large_is_bounded(rows, name, limits):
    rankings = Rankings.from_rows(rows)
    exact = attainable(rankings, name)
    with pytest.MonkeyPatch.context() as patch:
        for limit, value in limits.items():
            patch.setattr(_best_order, limit, value)
        found = attainable(rankings, name)
    if found.exact:
        assert found.reachable == pytest.approx(exact.reachable, abs=0, nan_ok=True)
    else:
        assert found.reachable <= exact.reachable <= found.reachable_at_most <= found.cap
        assert judge_metric(rankings, found.best, name).value == found.reachable
        assert exact.reachable_floor <= found.reachable_floor
        assert "exact:False" in found.signature


def plain_good_order(over, level, may_tie, places):
    """As `good_order`, with the loss of every place counted anew."""
    n = len(places)

    def loss(place, item):
        others = [other for other in range(n) if other != item]
        above = sum(over[item, other] for other in others if place < places[other])
        below = sum(over[other, item] for other in others if place > places[other])
        return above + below + sum(level[item, other] for other in others if place == places[other])

    moved = True
    while moved:
        moved = False
        for item in range(n):
            places[:] = 2 * np.unique(places, return_inverse=True)[1] + 1
            best = places[item]
            for place in range(0, max(places) + 2, 1 if may_tie else 2):
                if loss(place, item) < loss(best, item):
                    best, moved = place, True
            places[item] = best
    return sum(loss(places[item], item) for item in range(n)) // 2


@examples(12)
@given(st.integers(1, 9), st.booleans(), st.randoms(use_true_random=False))
def test_a_good_order_is_that_of_plain_loops(n, may_tie, random):
    over, level = (np.array([[random.randint(0, 4) for _ in range(n)] for _ in range(n)]) for _ in "ol")
    level = level + level.T
    one = np.array(random.sample(range(n), n))
    other = one.copy()
    assert _order_kernels.good_order(over, level, may_tie, one) == plain_good_order(over, level, may_tie, other)
    assert one.tolist() == other.tolist()


@examples(12)
@given(row_lists(systems="ABCDE", most=8), st.sampled_from(CAPPED), st.integers(1, 3))
def test_triples_are_counted_some_at_a_time(rows, name, number):
    rankings = Rankings.from_rows(rows)
    whole = attainable(rankings, name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_best_order, "TRIPLES_AT_ONCE", number)
        found = attainable(rankings, name)
    assert (found.n_triples, found.n_intransitive) == (whole.n_triples, whole.n_intransitive)


@pytest.mark.parametrize("name", CAPPED)
def test_who_waits_can_cancel_between_any_two_groups(name):
    """Three circles of 20: each is at least one step of the work, and none is begun after a cancel."""
    rows = [("x", str(s), {f"s{i}": 1, f"s{(i + 1) % 20}": 2}) for s in range(3) for i in range(20)]
    shares = []
    attainable(Rankings.from_rows(rows), name, progress=shares.append)
    assert len(set(shares)) >= 3
    assert 0 <= min(shares) <= max(shares) <= 1

    def cancel(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        attainable(Rankings.from_rows(rows), name, progress=cancel)


@pytest.mark.campaign
@pytest.mark.parametrize("name", CAPPED)
def test_a_circle_of_thousands_takes_seconds_and_a_beat_comes_each_second(name):
    """2,000 translations in a circle, 6,000 beyond the limit, and cliques of random judgments."""
    random = np.random.default_rng(1)
    for n, segments, wins in ((2000, 1, None), (6000, 1, None), (16, 400, random), (60, 200, random)):
        rows = []
        for segment in range(segments):
            if wins is None:
                pairs = [(i, (i + 1) % n) for i in range(n)]
            else:
                pairs = [pair[:: wins.choice([-1, 1])] for pair in itertools.combinations(range(n), 2)]
            rows += [("x", str(segment), {f"s{a}": 1, f"s{b}": 2}) for a, b in pairs]
        preferences = Rankings.from_rows(rows).preferences("keep")
        beats = [time.process_time()]
        attainable(preferences, name, progress=lambda _, beats=beats: beats.append(time.process_time()))
        assert beats[-1] - beats[0] < 60
        assert max(np.diff(beats)) < 1.5


@pytest.mark.parametrize("name", ["tau_14", "acc_eq"])
@pytest.mark.parametrize("n", [13, 16, 17])
def test_many_in_a_circle(name, n):
    """Of n wishes in a circle one is not granted; up to 16 (with ties 13) the best order is found."""
    rows = [("x", "1", {f"s{i}": 1, f"s{(i + 1) % n}": 2}) for i in range(n)]
    found = attainable(Rankings.from_rows(rows), name)
    true, most = {"tau_14": ((n - 2) / n, 16), "acc_eq": ((n - 1) / n, 13)}[name]
    assert true - 2 * (n > most) / n <= found.reachable <= true
    assert (found.exact, found.reachable_at_most == 1) == (n <= most, n > most)


@examples(16)
@given(st.integers(2, 6), st.booleans(), st.randoms(use_true_random=False))
def test_the_search_finds_the_order_that_loses_least(n, may_tie, random):
    over, level = (np.array([[random.randint(0, 3) for _ in range(n)] for _ in range(n)]) for _ in "ol")
    level = level + level.T
    for i, j in itertools.combinations(range(n), 2):  # some choice of each pair loses nothing
        choice = random.randint(0, 2 if may_tie else 1)
        if choice < 2:
            over[((i, j), (j, i))[choice]] = 0
        else:
            level[i, j] = level[j, i] = 0

    def loss(places):
        pairs = itertools.combinations(range(n), 2)
        given = [(places[i] - places[j], i, j) for i, j in pairs]
        return sum(level[i, j] if not d else over[i, j] if d < 0 else over[j, i] for d, i, j in given)

    least = min(loss(combo) for combo in levels(n) if may_tie or len(set(combo)) == n)
    places = np.arange(n)
    good = _order_kernels.good_order(over, level, may_tie, places)
    assert good == loss(places) >= least
    found = _order_kernels.best_order(over, level, may_tie, good, places)
    assert found == loss(places) == least
    assert may_tie or len(set(places.tolist())) == n


def test_a_circle_by_hand():
    found = attainable(Rankings.from_rows(CIRCLE))
    assert (found.cap, found.floor) == (3 / 9, -3 / 9)  # two against one, three times
    assert (found.reachable, found.n_triples, found.n_intransitive) == (1 / 9, 1, 1)  # two majorities of three
    assert attainable(Rankings.from_rows(CIRCLE), "acc_eq").cap == 6 / 9
    # Nobody is unanimously better, so not even ties drive tau_13 to 1; A above B and C: 2 + 1 for, 1 + 2 against.
    assert attainable(Rankings.from_rows(CIRCLE), "tau_13").cap_tying == 1 / 3
    assert attainable(Rankings.from_rows(CIRCLE), "tau_13").reachable_tying == 1 / 9


def test_two_judges_disagree_about_one_pair_by_hand():
    rows = [("ann", "1", {"A": 1, "B": 2, "C": 3}), ("bob", "1", {"A": 2, "B": 1, "C": 3})]
    rankings = Rankings.from_rows(rows)
    found = attainable(rankings, "tau_13")
    assert (found.cap, found.cap_tying, found.reachable_tying) == (4 / 6, 1, 1)
    tie_ab = {("A", "1"): 2, ("B", "1"): 2, ("C", "1"): 1}
    assert [judge_metric(rankings, tie_ab, name).value for name in CAPPED] == [2 / 6, 1, 4 / 6, 4 / 6]
    resolved = resolve(rankings)
    assert (resolved.n_judgments, resolved.n_omitted, resolved.contradictory) == (2, 1, 0)
    assert resolved.frame()["judge"].unique().tolist() == ["majority"]
    assert judge_metric(resolved, tie_ab).value == 1
    assert math.isnan(judge_metric(resolved, tie_ab).pooled)


def test_intransitive_indifference():
    """A = B, B = C, A > C, each unanimously: no scores do that; without ties there is no triple at all."""
    rows = [("x", "1", {"A": 1, "B": 1}), ("x", "1", {"B": 1, "C": 1}), ("x", "1", {"A": 1, "C": 2})]
    rankings = Rankings.from_rows(rows)
    found = attainable(rankings, "acc_eq")
    assert (found.cap, found.reachable, found.n_triples, found.n_intransitive) == (1, 2 / 3, 1, 1)
    assert attainable(rankings, "tau_14").n_triples == 0
    assert attainable(rankings.preferences("omit"), "acc_eq").cap == 1


@pytest.mark.real
def test_wmt13_french_english(real_data):
    rankings = tk.read_rankings(real_data / "relative-ranking" / "newstest2013-fr-en-sample.csv")
    assert (rankings.n_sets, len(rankings.segments), len(rankings.judges)) == (9996, 2278, 218)
    kept, omitted = rankings.preferences("keep"), rankings.preferences()
    assert (kept.n_judgments, omitted.n_judgments, omitted.n_omitted) == (99960, 80741, 19219)
    assert (omitted.n_pairs, omitted.repeated, omitted.contradictory) == (45683, 13923, 5588)
    assert attainable(omitted).cap == pytest.approx(0.7899, abs=5e-5)
    best = attainable(kept, "acc_eq")
    assert (round(best.cap, 4), round(best.reachable, 4), best.exact) == (0.8389, 0.8185, True)
    assert judge_metric(kept, best.best, "acc_eq").value == best.reachable
