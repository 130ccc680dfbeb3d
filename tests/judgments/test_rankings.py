"""Preferences, agreement and what a metric can reach: against plain loops and every order of a few translations."""

import functools
import itertools
import math
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

import tiekit as tk
from tests.strategies import examples
from tiekit.judgments import _best_order, _order_kernels
from tiekit.readers import data_file

CAPPED = ("tau_10", "tau_13", "tau_14", "acc_eq")
NUMBERS = ("cap", "floor", "reachable", "reachable_floor")
CIRCLE = [
    ("ann", "1", {"A": 1, "B": 2, "C": 3}),
    ("bob", "1", {"B": 1, "C": 2, "A": 3}),
    ("eve", "1", {"C": 1, "A": 2, "B": 3}),
]


@st.composite
def row_lists(draw, systems="ABC", segments="12", most=6):
    """Sets of two systems or more with ranks from 1 to 3, some left blank."""
    ranks = st.sampled_from([1, 2, 3, 1, 2, 3, None])
    one = st.tuples(
        st.sampled_from("xyz"),
        st.sampled_from(segments),
        st.dictionaries(st.sampled_from(systems), ranks, min_size=2, max_size=len(systems)),
    )
    return draw(st.lists(one, min_size=1, max_size=most))


def plain(rows, ties=True):
    """Judgments (judge, set, segment, first, second, outcome) by the definition; first < second."""
    found = []
    for number, (judge, segment, ranks) in enumerate(rows):
        for a, b in itertools.combinations(sorted(ranks), 2):
            if ranks[a] is not None and ranks[b] is not None:
                outcome = (ranks[b] > ranks[a]) - (ranks[b] < ranks[a])
                if ties or outcome:
                    found.append((judge, number, segment, a, b, outcome))
    return found


def formula(name, c, d, t_h, t_m, t_hm):
    """The definitions of Deutsch et al. (2023), Table 1, as fractions; None where undefined."""
    up, down = {
        "tau_10": (c - d - t_m, c + d + t_m),
        "tau_13": (c - d, c + d),
        "tau_14": (c - d, c + d + t_m),
        "acc_eq": (c + t_hm, c + d + t_h + t_m + t_hm),
    }[name]
    return Fraction(up, down) if down else None


def plain_value(judgments, score, name):
    """A coefficient of a metric, ``score[system, segment]``, counted one judgment after another."""
    counts = [0] * 5
    for _, _, segment, a, b, outcome in judgments:
        gap = score[a, segment] - score[b, segment]
        kind = (0 if outcome * gap > 0 else 1) if outcome and gap else 2 if gap else 3 if outcome else 4
        counts[kind] += 1
    return formula(name, *counts)


@functools.cache
def levels(n):
    """Every way to give n items levels, ties included."""
    return [combo for combo in itertools.product(range(n), repeat=n) if set(combo) == set(range(max(combo) + 1))]


def every_metric(judgments, systems):
    """Scores of every order of the judged segments' translations, and whether none tie."""
    segments = sorted({judgment[2] for judgment in judgments})
    for combo in itertools.product(levels(len(systems)), repeat=len(segments)):
        scores = {(s, g): level[i] for g, level in zip(segments, combo, strict=True) for i, s in enumerate(systems)}
        yield scores, all(len(set(level)) == len(systems) for level in combo)


def extremes(judgments, systems, name):
    """Largest and smallest value of metrics that tie nothing, and of all."""
    untied, every = [], []
    for scores, strict in every_metric(judgments, systems):
        value = plain_value(judgments, scores, name)
        if value is not None:
            every.append(value)
            if strict:
                untied.append(value)
    return max(untied), min(untied), max(every), min(every)


@examples(30)
@given(row_lists())
def test_preferences_are_those_of_plain_loops(rows):
    rankings = tk.judgments.Rankings.from_rows(rows)
    assert rankings.n_sets == len(rows)
    assert rankings.n_blank == sum(rank is None for *_, ranks in rows for rank in ranks.values())
    kept, omitted = rankings.preferences("keep"), rankings.preferences()
    frame = kept.frame()
    found = frame[["judge", "set", "segment", "first", "second", "outcome"]]
    assert sorted(found.itertuples(index=False, name=None)) == sorted(plain(rows))
    assert omitted.n_judgments == len(plain(rows, ties=False))
    assert omitted.n_omitted == kept.n_judgments - omitted.n_judgments
    outcomes: dict = {}
    for *_, segment, a, b, outcome in plain(rows):
        outcomes.setdefault((segment, a, b), []).append(outcome)
    assert kept.n_pairs == len(outcomes)
    assert kept.repeated == sum(len(some) > 1 for some in outcomes.values())
    assert kept.contradictory == sum({-1, 1} <= set(some) for some in outcomes.values())
    assert kept.unanimous == sum(len(some) > 1 == len(set(some)) for some in outcomes.values())
    wins = kept.matrix().to_numpy()
    assert wins.sum() == omitted.n_judgments
    assert sum(kept.matrix(segment).to_numpy() for segment in rankings.segments).tolist() == wins.tolist()


@pytest.mark.parametrize("name", CAPPED)
@examples(30)
@given(st.one_of(row_lists(), row_lists(systems="ABCD", segments="1")))
def test_no_order_does_better_and_one_does_as_well(name, rows):
    judgments = plain(rows)
    found = tk.judgments.attainable(tk.judgments.Rankings.from_rows(rows), name)
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


@examples(25)
@given(row_lists())
def test_the_cap_decides_every_pair_by_itself(rows):
    pairs: dict = {}
    for *_, segment, a, b, outcome in plain(rows):
        pairs.setdefault((segment, a, b), []).append(outcome)
    margins = [(abs(sum(some)), sum(map(abs, some))) for some in pairs.values() if any(some)]
    counts = [[some.count(outcome) for outcome in (-1, 0, 1)] for some in pairs.values()]
    rankings = tk.judgments.Rankings.from_rows(rows)
    if margins:
        cap = sum(margin for margin, _ in margins) / sum(n for _, n in margins)
        for name in CAPPED[:3]:
            assert (tk.judgments.attainable(rankings, name).cap, tk.judgments.attainable(rankings, name).floor) == (
                cap,
                -cap,
            )
        assert tk.judgments.attainable(rankings, "tau_13").cap_tying == max(margin / n for margin, n in margins)
        assert tk.judgments.attainable(rankings, "tau_10").floor_tying == -1
    if counts:
        found, n = tk.judgments.attainable(rankings, "acc_eq"), sum(map(sum, counts))
        assert (found.cap, found.floor) == (sum(map(max, counts)) / n, sum(map(min, counts)) / n)


@examples(12)
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
    rankings = tk.judgments.Rankings.from_rows(rows)
    metric = {(system, segment): -ord(system) for system in "ABCDEF" for segment in "12"}
    reverse = {cell: -score for cell, score in metric.items()}
    for name in CAPPED:
        found = tk.judgments.attainable(rankings, name)
        assert tk.judgments.judge_metric(rankings, metric, name).value == found.cap == found.reachable
        if name != "acc_eq":
            assert tk.judgments.judge_metric(rankings, reverse, name).value == found.floor == found.reachable_floor
        assert found.n_intransitive == 0
    assert tk.judgments.attainable(tk.judgments.resolve(rankings)).cap == 1


@examples(40)
@given(row_lists(systems="ABCDE", most=8), st.sampled_from(CAPPED))
def test_the_best_scores_reach_what_is_reachable(rows, name):
    rankings = tk.judgments.Rankings.from_rows(rows)
    found = tk.judgments.attainable(rankings, name)
    value = tk.judgments.judge_metric(rankings, found.best, name).value
    assert value == pytest.approx(found.reachable, abs=0, nan_ok=True)
    judged = {(a, segment) for *_, segment, a, _, outcome in plain(rows) if outcome or name == "acc_eq"}
    judged |= {(b, segment) for *_, segment, _, b, outcome in plain(rows) if outcome or name == "acc_eq"}
    assert np.isfinite(found.best).sum() == len(judged)


@examples(20)
@given(row_lists(systems="ABCDE", most=8), st.sampled_from(CAPPED), st.randoms(use_true_random=False))
def test_neither_order_of_rows_nor_names_matter(rows, name, random):
    shuffled = random.sample(rows, len(rows))
    renamed = [(judge, segment, {chr(200 - ord(s)): r for s, r in ranks.items()}) for judge, segment, ranks in shuffled]
    one = tk.judgments.Rankings.from_rows(rows)
    for other in map(tk.judgments.Rankings.from_rows, (shuffled, renamed)):
        first, second = tk.judgments.attainable(one, name), tk.judgments.attainable(other, name)
        for number in first.__dataclass_fields__:
            if number != "best":
                assert getattr(first, number) == pytest.approx(getattr(second, number), abs=0, nan_ok=True), number
        assert repr(tk.judgments.agreement(one)) == repr(tk.judgments.agreement(other))
    mixed = tk.judgments.Rankings.from_rows(shuffled)
    np.testing.assert_array_equal(tk.judgments.attainable(one, name).best, tk.judgments.attainable(mixed, name).best)


@examples(40)
@given(row_lists(systems="ABCDE", segments="1", most=9), st.sampled_from(CAPPED))
def test_what_is_too_large_is_bounded(rows, name):
    rankings = tk.judgments.Rankings.from_rows(rows)
    exact = tk.judgments.attainable(rankings, name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_best_order, "MOST_ITEMS", {False: 1, True: 1})
        found = tk.judgments.attainable(rankings, name)
    if found.exact:
        assert found.reachable == pytest.approx(exact.reachable, abs=0, nan_ok=True)
    else:
        assert found.reachable <= exact.reachable <= found.reachable_at_most <= found.cap
        assert tk.judgments.judge_metric(rankings, found.best, name).value == found.reachable
        assert exact.reachable_floor <= found.reachable_floor
        assert "exact:False" in found.signature


@pytest.mark.parametrize("name", ["tau_14", "acc_eq"])
@pytest.mark.parametrize("n", [13, 16, 17])
def test_many_in_a_circle(name, n):
    """Of n wishes in a circle one is not granted; up to 16 (with ties 13) the best order is found."""
    rows = [("x", "1", {f"s{i}": 1, f"s{(i + 1) % n}": 2}) for i in range(n)]
    found = tk.judgments.attainable(tk.judgments.Rankings.from_rows(rows), name)
    true, most = {"tau_14": ((n - 2) / n, 16), "acc_eq": ((n - 1) / n, 13)}[name]
    assert true - 2 * (n > most) / n <= found.reachable <= true
    assert (found.exact, found.reachable_at_most == 1) == (n <= most, n > most)


@examples(40)
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
    found = tk.judgments.attainable(tk.judgments.Rankings.from_rows(CIRCLE))
    assert (found.cap, found.floor) == (3 / 9, -3 / 9)  # two against one, three times
    assert (found.reachable, found.n_triples, found.n_intransitive) == (1 / 9, 1, 1)  # two majorities of three
    assert tk.judgments.attainable(tk.judgments.Rankings.from_rows(CIRCLE), "acc_eq").cap == 6 / 9
    # Nobody is unanimously better, so not even ties drive tau_13 to 1; A above B and C: 2 + 1 for, 1 + 2 against.
    assert tk.judgments.attainable(tk.judgments.Rankings.from_rows(CIRCLE), "tau_13").cap_tying == 1 / 3
    assert tk.judgments.attainable(tk.judgments.Rankings.from_rows(CIRCLE), "tau_13").reachable_tying == 1 / 9


def test_two_judges_disagree_about_one_pair_by_hand():
    rows = [("ann", "1", {"A": 1, "B": 2, "C": 3}), ("bob", "1", {"A": 2, "B": 1, "C": 3})]
    rankings = tk.judgments.Rankings.from_rows(rows)
    found = tk.judgments.attainable(rankings, "tau_13")
    assert (found.cap, found.cap_tying, found.reachable_tying) == (4 / 6, 1, 1)
    tie_ab = {("A", "1"): 2, ("B", "1"): 2, ("C", "1"): 1}
    assert [tk.judgments.judge_metric(rankings, tie_ab, name).value for name in CAPPED] == [2 / 6, 1, 4 / 6, 4 / 6]
    resolved = tk.judgments.resolve(rankings)
    assert (resolved.n_judgments, resolved.n_omitted, resolved.contradictory) == (2, 1, 0)
    assert resolved.frame()["judge"].unique().tolist() == ["majority"]
    assert tk.judgments.judge_metric(resolved, tie_ab).value == 1
    assert math.isnan(tk.judgments.judge_metric(resolved, tie_ab).pooled)


def test_intransitive_indifference():
    """A = B, B = C, A > C, each unanimously: no scores do that; without ties there is no triple at all."""
    rows = [("x", "1", {"A": 1, "B": 1}), ("x", "1", {"B": 1, "C": 1}), ("x", "1", {"A": 1, "C": 2})]
    rankings = tk.judgments.Rankings.from_rows(rows)
    found = tk.judgments.attainable(rankings, "acc_eq")
    assert (found.cap, found.reachable, found.n_triples, found.n_intransitive) == (1, 2 / 3, 1, 1)
    assert tk.judgments.attainable(rankings, "tau_14").n_triples == 0
    assert tk.judgments.attainable(rankings.preferences("omit"), "acc_eq").cap == 1


@examples(40)
@given(row_lists(systems="ABCD"))
def test_agreement_is_that_of_all_pairs_of_judgments(rows):
    judgments = plain(rows)
    tally = {True: [0, 0], False: [0, 0]}
    for one, other in itertools.combinations(judgments, 2):
        if one[2:5] == other[2:5]:
            tally[one[0] == other[0]][0] += 1
            tally[one[0] == other[0]][1] += one[-1] == other[-1]
    found = tk.judgments.agreement(tk.judgments.Rankings.from_rows(rows))
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
    found = tk.judgments.agreement(tk.judgments.Rankings.from_rows(rows))
    assert (found.share_tied, found.between.observed, found.within.n) == (0.2, 0.8, 0)
    assert found.between.value == pytest.approx((0.8 - 0.36) / (1 - 0.36))


@examples(25)
@given(row_lists(systems="ABCD"), st.sampled_from(CAPPED), st.lists(st.integers(0, 3), min_size=8, max_size=8))
def test_a_judged_metric_is_counted_judgment_by_judgment(rows, name, numbers):
    cells = [(system, segment) for system in "ABCD" for segment in "12"]
    scores = dict(zip(cells, numbers, strict=True))
    rankings = tk.judgments.Rankings.from_rows(rows)
    found = tk.judgments.judge_metric(rankings, scores, name)
    expected = plain_value(plain(rows), scores, name)
    assert found.value == pytest.approx(float("nan") if expected is None else float(expected), nan_ok=True, abs=1e-15)
    assert found.counts.total == len(plain(rows))
    assert found.weighted_mean == pytest.approx(found.value, nan_ok=True, abs=1e-12)
    for number, row in found.sets.iterrows():
        of_set = plain_value([one for one in plain(rows) if one[1] == number], scores, name)
        assert row["value"] == pytest.approx(float("nan") if of_set is None else float(of_set), nan_ok=True)
    frame = pd.Series(scores).unstack()  # noqa: PD010
    for same in (frame, frame.reindex(index=rankings.systems, columns=rankings.segments).to_numpy()):
        assert tk.judgments.judge_metric(rankings, same, name).signature == found.signature


def test_the_tau_of_a_set_is_kendalls_and_the_whole_is_no_tau():
    """Untied sets: SciPy's τ of each; the mean of five-item τ; and one τ of all translations is another number."""
    rng = np.random.default_rng(7)
    ranks, scores = [rng.permuted(np.arange(1, 6)) for _ in range(6)], rng.normal(size=(5, 6))
    names = list("ABCDE")
    rows = [("x", str(i), dict(zip(names, rank.tolist(), strict=True))) for i, rank in enumerate(ranks)]
    found = tk.judgments.judge_metric(tk.judgments.Rankings.from_rows(rows), scores, "tau_14")
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
    found = tk.judgments.judge_metric(tk.judgments.Rankings.from_rows(rows), scores)
    assert (found.value, found.mean, found.sets["weight"].tolist()) == (0.5, 0, [3, 1])
    assert (found.n_missing, found.counts.n_missing, found.counts.n_scores) == (3, 1, 5)


def test_close_scores_tie():
    rankings = tk.judgments.Rankings.from_rows([("x", "1", {"A": 1, "B": 2, "C": 3})])
    scores = {("A", "1"): 0.75, ("B", "1"): 0.25, ("C", "1"): -1.0}
    assert tk.judgments.judge_metric(rankings, scores, "tau_10", epsilon=0.5).value == 1 / 3  # inclusive
    assert tk.judgments.judge_metric(rankings, scores, "tau_10", epsilon=0.4999).value == 1


def test_language_pairs_are_judged_apart():
    rankings = tk.read_rankings(data_file("rankings/synthetic.csv"))
    for name in CAPPED:
        table = tk.judgments.attainable(rankings, name, by="language_pair")
        for pair in rankings.language_pairs:
            found = tk.judgments.attainable(rankings.select(pair), name)
            assert table.loc[pair, "cap"] == found.cap
            assert table.loc[pair, "n_intransitive"] == found.n_intransitive > 0
            assert found.reachable < found.cap
    together = tk.judgments.attainable(rankings)
    parts = [tk.judgments.attainable(rankings.select(pair)) for pair in rankings.language_pairs]
    assert together.n_judgments == sum(part.n_judgments for part in parts)
    weights = [part.n_judgments for part in parts]
    assert together.cap == pytest.approx(np.average([part.cap for part in parts], weights=weights))
    kappas = tk.judgments.agreement(rankings, by="language_pair")
    assert kappas.loc["qaa-qac", "κ within"] == tk.judgments.agreement(rankings.select("qaa-qac")).within.value
    with pytest.raises(tk.InputError, match="must be of one language pair"):
        tk.judgments.judge_metric(rankings, {})
    with pytest.raises(tk.InputError, match="must be one of qaa-qab, qaa-qac, found 'de-en'"):
        rankings.select("de-en")


def test_no_judgment_no_value():
    empty = tk.judgments.Rankings.from_rows([])
    for name in CAPPED:
        found = tk.judgments.attainable(empty, name)
        assert all(math.isnan(getattr(found, number)) for number in (*NUMBERS, "cap_tying", "floor_tying"))
        assert math.isnan(tk.judgments.judge_metric(empty, {}, name).value)
    assert (empty.preferences().n_judgments, tk.judgments.resolve(empty).n_judgments) == (0, 0)
    assert math.isnan(tk.judgments.agreement(empty).between.value)
    alone = tk.judgments.Rankings.from_rows([("x", "1", {"A": 1}), ("x", "1", {"B": None, "C": 2})])
    assert (alone.n_sets, alone.n_blank, alone.preferences("keep").n_judgments) == (2, 1, 0)


@pytest.mark.parametrize("rank", [0, -2, 1.5, "1", True, math.inf])
def test_what_is_no_rank(rank):
    with pytest.raises(tk.InputError, match=r"rows: set 2: a rank must be a whole number of at least 1, found "):
        tk.judgments.Rankings.from_rows([("x", "1", {"A": 1, "B": 2}), ("x", "1", {"A": 1, "B": rank})])


@pytest.mark.parametrize("blank", [None, math.nan, -1])
def test_blank_ranks(blank):
    rankings = tk.judgments.Rankings.from_rows([("x", "1", {"A": 1, "B": blank, "C": 2.0})])
    assert (rankings.n_blank, rankings.preferences().n_judgments) == (1, 1)


def test_names_are_in_their_natural_order():
    rankings = tk.judgments.Rankings.from_rows(
        [("j", segment, {"s": 1, "t": 2}) for segment in ("10", "2", "b", "1", "a", "9" * 5000)]
    )
    assert rankings.segments == ("1", "2", "10", "9" * 5000, "a", "b")  # a name, too long to be read as a number


def test_any_number_may_be_equal():
    found = tk.judgments.attainable(
        tk.judgments.Rankings.from_rows([("x", "1", {f"s{i}": 1 for i in range(20)})]), "acc_eq"
    )
    assert (found.reachable, found.exact, found.n_triples, found.n_intransitive) == (1, True, 1140, 0)


def test_segments_of_one_name_in_two_language_pairs_are_two():
    header = "srclang,trglang,srcIndex,judgeId," + ",".join(f"system{i}Id,system{i}rank" for i in range(1, 6))
    lines = ["de,en,7,ann,A,1,B,2,C,3,D,4,E,5", "fr,en,7,ann,A,5,B,4,C,3,D,2,E,1"]
    rankings = tk.read_rankings({"r.csv": "\n".join([header, *lines]).encode()})
    scores = {(system, 7): -ord(system) for system in "ABCDE"}
    values = [tk.judgments.judge_metric(rankings.select(pair), scores).value for pair in ("de-en", "fr-en")]
    assert values == [1, -1]
    assert tk.judgments.attainable(rankings).cap == 1
    french = rankings.preferences().select("fr-en")
    assert french.matrix("7").loc["E", "A"] == 1 == french.matrix().loc["E", "A"]
    with pytest.raises(tk.InputError, match="segment: '7' is in several language pairs"):
        rankings.preferences().matrix("7")


def test_what_is_no_system():
    for ranks in ({"": 1, "A": 2}, {1: 1, "1": 2}):
        with pytest.raises(tk.InputError, match="rows: set 1: systems must have different names, found"):
            tk.judgments.Rankings.from_rows([("x", "1", ranks)])


def test_wrong_words():
    rankings = tk.judgments.Rankings.from_rows(CIRCLE)
    for call, message in (
        (lambda: rankings.preferences("drop"), "ties: must be one of omit, keep, found 'drop'"),
        (
            lambda: tk.judgments.attainable(rankings, "tau_b"),
            "coefficient: must be one of tau_10, tau_13, tau_14, acc_eq, found",
        ),
        (lambda: tk.judgments.attainable(rankings, by="set"), "by: must be 'language_pair' or None, found 'set'"),
        (lambda: tk.judgments.attainable([1]), "preferences: must be Preferences or Rankings, found list"),
        (
            lambda: tk.judgments.judge_metric(rankings, [[1]]),
            r"scores: must have the shape \(systems, segments\), \(3, 1\)",
        ),
        (
            lambda: tk.judgments.judge_metric(rankings, {"A": 1.0}),
            r"scores: keys must be \(system, segment\), found 'A'",
        ),
        (
            lambda: tk.judgments.judge_metric(rankings, {}, "tau_c"),
            "coefficient: tau_c is not made of counts of pairs alone",
        ),
        (lambda: tk.judgments.judge_metric(rankings, {}, "pearson"), "coefficient: pearson is not made of counts"),
        (lambda: rankings.preferences().matrix("9"), "segment: there is no segment '9'"),
    ):
        with pytest.raises(tk.InputError, match=message):
            call()


@pytest.mark.real
def test_wmt13_french_english(real_data):
    rankings = tk.read_rankings(real_data / "relative-ranking" / "newstest2013-fr-en-sample.csv")
    assert (rankings.n_sets, len(rankings.segments), len(rankings.judges)) == (9996, 2278, 218)
    kept, omitted = rankings.preferences("keep"), rankings.preferences()
    assert (kept.n_judgments, omitted.n_judgments, omitted.n_omitted) == (99960, 80741, 19219)
    assert (omitted.n_pairs, omitted.repeated, omitted.contradictory) == (45683, 13923, 5588)
    assert tk.judgments.attainable(omitted).cap == pytest.approx(0.7899, abs=5e-5)
    best = tk.judgments.attainable(kept, "acc_eq")
    assert (round(best.cap, 4), round(best.reachable, 4), best.exact) == (0.8389, 0.8185, True)
    assert tk.judgments.judge_metric(kept, best.best, "acc_eq").value == best.reachable
