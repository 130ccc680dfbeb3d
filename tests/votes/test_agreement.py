"""Agreement of votes against definitions written out here: MT-bench's two, kappa, the tables of WMT, thresholds."""

import fnmatch
import math
import random
import warnings
from collections import Counter
from fractions import Fraction
from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
import tiekit.votes.votes as votes_module
from tests.strategies import examples
from tiekit.core.pairs import PairCounts
from tiekit.core.registry import COEFFICIENTS, evaluate_table
from tiekit.votes import (
    MEASURES,
    Votes,
    calibrate_threshold,
    cohen_kappa,
    compare_judges,
    read_votes,
    share_answers,
    votes_of_scores,
)

NAN = math.nan
NAMES = ("A", "B", "C")


@st.composite
def cast(draw, preferences=(-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, NAN), most=14):
    """Rows of votes, in both orders and with repetitions."""
    vote = st.tuples(
        st.sampled_from("123"),
        st.permutations(NAMES).map(lambda names: tuple(names[:2])),
        st.sampled_from(preferences),
        st.sampled_from(["ann", "bob"]),
        st.integers(0, 1),
    )
    found = draw(st.lists(vote, min_size=1, max_size=most))
    return [(item, *names, preference, judge, turn) for item, names, preference, judge, turn in found]


def outcome(preference, threshold=0.0):
    return 0 if abs(preference) <= threshold else 1 if preference > 0 else -1


def paired(judge, human, threshold=0.0, human_threshold=0.0):
    """Outcomes (human, judge, item) of every two votes on the same two answers, for the first by name."""
    found = []
    for item, a, b, preference, _, turn in human:
        for item2, a2, b2, other, _, turn2 in judge:
            same = item == item2 and turn == turn2 and {a, b} == {a2, b2}
            if same and not math.isnan(preference) and not math.isnan(other):
                gold = outcome(preference, human_threshold) * (1 if a < b else -1)
                found.append((gold, outcome(other, threshold) * (1 if a2 < b2 else -1), item))
    return found


def share(pairs):
    return sum(gold == vote for gold, vote, _ in pairs) / len(pairs) if pairs else NAN


def kappa(pairs):
    """Cohen's, of every pair in both orders of the answers."""
    both = [(sign * gold, sign * vote) for gold, vote, _ in pairs for sign in (1, -1)]
    left, right = Counter(gold for gold, _ in both), Counter(vote for _, vote in both)
    expected = Fraction(sum(left[k] * right[k] for k in (-1, 0, 1)), len(both) ** 2)
    observed = Fraction(sum(gold == vote for gold, vote in both), len(both))
    return (observed - expected) / (1 - expected) if expected < 1 else NAN


@examples(150)
@given(cast(), cast(), st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.0, 1.0]))
def test_every_number_is_that_of_the_definition(judge, human, threshold, human_threshold):
    limits = {"threshold": threshold, "human_threshold": human_threshold}
    pairs = paired(judge, human, threshold, human_threshold)
    votes, gold = Votes.from_rows(judge), Votes.from_rows(human)
    about = {(i, frozenset((a, b)), t) for i, a, b, _, _, t in judge}
    if about.isdisjoint((i, frozenset((a, b)), t) for i, a, b, _, _, t in human):
        with pytest.raises(tk.InputError, match="judge: no vote of the judge and of the human is about the same"):
            tk.votes.agreement(votes, gold, **limits)
        return
    found = tk.votes.agreement(votes, gold, **limits)
    ordered = [pair for pair in pairs if pair[0] and pair[1]]
    assert (found.n, found.n_without_ties) == (len(pairs), len(ordered))
    assert found.with_ties == pytest.approx(share(pairs), nan_ok=True)
    assert found.without_ties == pytest.approx(share(ordered), nan_ok=True)
    assert found.kappa == pytest.approx(kappa(pairs) if pairs else NAN, nan_ok=True, abs=1e-12)
    assert found.chance.value == pytest.approx(found.kappa, nan_ok=True, abs=1e-12)
    expected = [[sum(pair[:2] == (gold, vote) for pair in pairs) for vote in (1, 0, -1)] for gold in (1, 0, -1)]
    assert found.counts.tolist() == expected == found.table.to_numpy().tolist()
    assert float(found) == pytest.approx(found.with_ties, nan_ok=True)


@examples(100)
@given(cast(), cast())
def test_weights_of_wmt_tables_are_those_of_the_registry(judge, human):
    pairs = paired(judge, human)
    if not pairs:
        return
    found = tk.votes.agreement(Votes.from_rows(judge), Votes.from_rows(human))
    kinds = Counter(0 if g and g == v else 1 if g and v else 3 if g else 2 if v else 4 for g, v, _ in pairs)
    counts = PairCounts(*(kinds[place] for place in range(5)), 0, 0)
    assert set(tk.COEFFICIENTS) - set(MEASURES) == {"pearson", "spearman", "tau_c"}
    for name in MEASURES[3:]:
        expected = pytest.approx(COEFFICIENTS[name].value(counts), nan_ok=True)
        values = [found.value(name), found.value(COEFFICIENTS[name])]
        if COEFFICIENTS[name].table:
            values.append(evaluate_table(COEFFICIENTS[name].table, counts))
        assert all(value == expected for value in values)
    assert found.value("with_ties") == found.value("acc_eq") == pytest.approx(found.value([1, 0, 0, 0, 1]))
    assert found.value("tau_13") == pytest.approx(2 * found.without_ties - 1, nan_ok=True)


def test_the_two_agreements_of_mt_bench_on_a_table_made_by_hand():
    table = {("win", "win"): 5, ("win", "tie"): 2, ("tie", "loss"): 1, ("tie", "tie"): 3, ("loss", "win"): 1}
    size = {"win": 1, "tie": 0, "loss": -1}
    cells = [cell for cell, number in table.items() for _ in range(number)]
    human = Votes.from_rows([(str(i), "A", "B", size[gold]) for i, (gold, _) in enumerate(cells)])
    judge = Votes.from_rows([(str(i), "A", "B", size[vote]) for i, (_, vote) in enumerate(cells)])
    found = tk.votes.agreement(judge, human)
    assert (found.with_ties, found.n) == (8 / 12, 12)  # setup S1: 5 wins and 3 ties agree
    assert (found.without_ties, found.n_without_ties) == (5 / 6, 6)  # setup S2: ties of either side are left out
    assert (found.human_ties, found.judge_ties) == (4 / 12, 5 / 12)
    assert found.counts.tolist() == [[5, 2, 0], [0, 3, 1], [1, 0, 0]]
    expected = 4 / 12 * 5 / 12 + 8 / 12 * 7 / 12 / 2
    assert found.kappa == pytest.approx((8 / 12 - expected) / (1 - expected))


def test_several_human_votes_each_meet_the_judge():
    human = [("1", "A", "B", vote, f"expert_{i}", 1) for i, vote in enumerate((1, 1, 0, -1))]
    votes = Votes.from_rows([*human, ("1", "B", "A", -1, "gpt", 1), ("1", "A", "B", -1, "gpt", 2)])
    found = tk.votes.agreement(votes.by("gpt"), votes.by("expert_*"))
    assert (found.n, found.with_ties, found.without_ties, found.coverage) == (4, 0.5, 2 / 3, 1.0)
    among = tk.votes.agreement(votes.by("expert_*"))
    assert (among.n, among.with_ties, among.n_without_ties, among.without_ties) == (6, 1 / 6, 3, 1 / 3)
    rows = [
        ("1", "A", "B", 0, "human"),
        ("1", "A", "B", 1, "gpt"),
        ("2", "A", "B", 0, "gpt"),
        ("2", "A", "B", 0, "human"),
    ]
    for order in permutations(rows):
        alone = tk.votes.agreement(Votes.from_rows(order))
        assert (alone.human_ties, alone.judge_ties, alone.counts.tolist()) == (1, 0.5, [[0] * 3, [1, 1, 0], [0] * 3])
    majority = tk.votes.agreement(votes.by("gpt"), votes.by("expert_*").majority())
    assert (majority.n, majority.with_ties) == (1, 1.0)


def test_abstentions_and_coverage():
    human = Votes.from_rows([("1", "A", "B", 1), ("2", "A", "B", 1), ("3", "A", "B", NAN), ("4", "A", "B", 0)])
    judge = Votes.from_rows([("1", "A", "B", NAN), ("2", "A", "B", 1), ("3", "A", "B", 0), ("9", "A", "B", 0)])
    found = tk.votes.agreement(judge, human)
    assert (found.n, found.n_abstained, found.coverage, found.with_ties) == (1, 2, 1 / 3, 1.0)
    silent = tk.votes.agreement(Votes.from_rows([("1", "A", "B", NAN)]), human)
    assert silent.n == 0
    assert all(math.isnan(one) for one in (silent.with_ties, silent.without_ties, silent.kappa, silent.human_ties))


@examples(80)
@given(cast(), cast(), st.permutations(NAMES), st.randoms(use_true_random=False))
def test_names_and_order_of_rows_do_not_matter(judge, human, names, random):
    if not paired(judge, human):
        return
    renamed = dict(zip(NAMES, names, strict=True))
    sides = [[(i, renamed[a], renamed[b], *rest) for i, a, b, *rest in rows] for rows in (judge, human)]
    for rows in sides:
        random.shuffle(rows)
    before = tk.votes.agreement(*map(Votes.from_rows, (judge, human)))
    after = tk.votes.agreement(*map(Votes.from_rows, sides))
    for name in MEASURES:
        assert before.value(name) == pytest.approx(after.value(name), nan_ok=True)
    sides = [Votes.from_rows(rows) for rows in (human, judge)]
    mirrored = tk.votes.agreement(*sides)
    assert (mirrored.counts == before.counts.T).all()


def test_kappa_of_the_table_is_that_of_the_votes_as_they_stand():
    """Of the page's table: observed minus expected agreement of its rows and columns, as scikit-learn has it."""
    votes = read_votes("data/votes/synthetic.csv")
    for name, of_table, symmetrized in (("Atlas", "0.258", "0.335"), ("Boreas", "0.376", "0.417")):
        found = tk.votes.agreement(votes.by(name), votes.by("person"))
        assert (f"{found.kappa_of_table:.3f}", f"{found.kappa:.3f}") == (of_table, symmetrized)
        n, chance = found.counts.sum(), found.counts.sum(axis=0) @ found.counts.sum(axis=1) / found.counts.sum() ** 2
        assert found.kappa_of_table == pytest.approx((np.trace(found.counts) / n - chance) / (1 - chance), abs=1e-15)
        turned = found.counts + found.counts[::-1, ::-1]
        assert cohen_kappa(turned).value == pytest.approx(found.kappa, abs=1e-15)


@examples(200)
@given(cast(most=8), cast(most=8))
def test_kappa_is_compared_as_fractions(judge, human):
    if not (pairs := paired(judge, human)):
        return
    found = calibrate_threshold(Votes.from_rows(judge), Votes.from_rows(human), "kappa")
    exact = {limit: kappa(paired(judge, human, limit)) for limit in found.candidates.tolist()}
    best = max((value for value in exact.values() if value == value), default=NAN)
    assert found.epsilon == next((limit for limit, value in exact.items() if value == best), 0.0)
    assert found.value == pytest.approx(float(best), abs=1e-15, nan_ok=True)
    agreed = tk.votes.agreement(Votes.from_rows(judge), Votes.from_rows(human))
    assert agreed.kappa == float(kappa(pairs)) or kappa(pairs) != kappa(pairs)
    assert agreed.chance.value == 0 or kappa(pairs) != 0  # κ of chance is 0, not nearly so


@examples(40)
@given(cast(), cast(), st.sampled_from(["acc_eq", "tau_eq", "without_ties", "kappa", "tau_14"]))
def test_the_threshold_is_the_smallest_best_one(judge, human, measure):
    pairs = paired(judge, human)
    if not pairs:
        return
    sides = Votes.from_rows(judge), Votes.from_rows(human)
    found = calibrate_threshold(*sides, measure)
    sizes = {0.0, *(abs(row[3]) for row in judge if not math.isnan(row[3]))}
    values = {limit: tk.votes.agreement(*sides, threshold=limit).value(measure) for limit in sorted(sizes)}
    defined = {limit: value for limit, value in values.items() if value == value}
    best = max(defined.values(), default=NAN)
    smallest = min((limit for limit, value in defined.items() if value == best), default=0.0)
    assert found.value == pytest.approx(best, nan_ok=True)
    assert found.epsilon == smallest
    assert found.value_at_zero == pytest.approx(values[0.0], nan_ok=True)
    curve = found.curve().set_index("epsilon")
    for limit in curve.index:
        at = tk.votes.agreement(*sides, threshold=limit)
        assert curve.loc[limit, "without_ties"] == pytest.approx(at.without_ties, nan_ok=True)
        assert curve.loc[limit, "judge_ties"] == pytest.approx(at.judge_ties)
    assert all(one <= other for one, other in pairwise(curve["judge_ties"]))


def test_kappa_is_cohens():
    random.seed(3)
    for size in (2, 3, 5):
        left, right = ([random.randrange(size) for _ in range(40)] for _ in range(2))
        table = [
            [sum(pair == (i, j) for pair in zip(left, right, strict=True)) for j in range(size)] for i in range(size)
        ]
        expected = sum(left.count(k) * right.count(k) for k in range(size)) / 1600
        observed = sum(a == b for a, b in zip(left, right, strict=True)) / 40
        found = cohen_kappa(table)
        assert found.value == pytest.approx((observed - expected) / (1 - expected))
    assert math.isnan(cohen_kappa([[0, 0], [0, 0]]).value)
    assert math.isnan(cohen_kappa([[4, 0], [0, 0]]).value)
    for wrong, message in (([[1, 2, 3]], "square"), ([[1, -1], [0, 1]], "counts"), ([[0.5, 1], [0, 1]], "counts")):
        with pytest.raises(tk.InputError, match=f"table: .*{message}"):
            cohen_kappa(wrong)


def test_what_is_no_measure_or_no_votes_is_refused():
    human = Votes.from_rows([("1", "A", "B", 1)])
    found = tk.votes.agreement(human, Votes.from_rows([("1", "A", "B", 1)]))
    for name in ("pearson", "tau_c"):
        with pytest.raises(tk.InputError, match=f"measure: must be one of with_ties.*found '{name}', which needs"):
            found.value(name)
    with pytest.raises(tk.InputError, match=r"judge: must be Votes, such as .* found list"):
        tk.votes.agreement([1], human)
    with pytest.raises(tk.InputError, match="epsilon"):
        tk.votes.agreement(human, Votes.from_rows([("1", "A", "B", 1)]), threshold=-1)
    with pytest.raises(tk.InputError, match="judges: no judge is called 'gtp-4'; "):
        Votes.from_rows([("1", "A", "B", 1, "gpt-4")]).by("gtp-4")


def test_a_pattern_fits_what_it_fits_in_a_shell_and_long_names_of_files_are_no_patterns():
    names = ["expert_1", "expert_10", "expert", "gpt[4]", "[" + "?" * 300]
    votes = Votes.from_rows([("1", "A", "B", 1, name) for name in names])
    for wanted in ("expert_*", "expert*", "*", "expert_?", "e*1*", "[eg]*", *names):
        fitting = [name for name in names if name == wanted or fnmatch.fnmatchcase(name, wanted)]
        assert sorted(votes.by(wanted).judges) == sorted(fitting), wanted
    fnmatch._compile_pattern.cache_clear()
    votes.by(names[-1])
    votes.by("expert_*")
    assert not fnmatch._compile_pattern.cache_info().currsize, "Python would keep what it makes of these"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("1", "A", "A", 1), "a and b .* found 'A' twice"),
        (("1", "A", "B", math.inf), "preference .* found inf"),
        (("1", "A", "B", "yes"), "preference .* found 'yes'"),
        (("1", "", "B", 1), "a must be a name"),
        (("1", "A"), "must be .* found 2 fields"),
        (("1", "A", "B", 0, "x", 0, "odd"), "tie must be one of"),
    ],
)
def test_a_row_that_is_no_vote_is_refused(row, message):
    with pytest.raises(tk.InputError, match=f"rows: row 2: {message}"):
        Votes.from_rows([("1", "A", "B", 1), row])
    with pytest.raises(tk.InputError, match="rows: there is no vote"):
        Votes.from_rows([])


def test_compared_judges_are_in_order_and_each_as_alone():
    votes = read_votes("data/votes/synthetic.csv")
    human = votes.by("person")
    plain = compare_judges(votes, human, measures="tau_eq")
    assert list(plain.index) == ["Boreas", "Atlas"]
    calibrated = compare_judges(votes, human, threshold="calibrated")
    assert list(calibrated.index) == ["Atlas", "Boreas"]  # counting ties otherwise changes who is better
    assert plain["without_ties"].idxmax() == "Atlas"
    for name in plain.index:
        alone = tk.votes.agreement(votes.by(name), human)
        for measure in ("with_ties", "kappa", "tau_eq"):
            assert plain.loc[name, measure] == alone.value(measure)
        assert calibrated.loc[name, "epsilon"] == calibrate_threshold(votes.by(name), human).epsilon
    given_limits = compare_judges(votes, human, "A*", threshold={"Atlas": 0.9})
    assert given_limits.loc["Atlas", "epsilon"] == 0.9
    for wrong in ({"threshold": "best"}, {"threshold": {"Atlas": 1.0}}, {"judges": "nobody"}, {"measures": "odd"}):
        with pytest.raises(tk.InputError, match=next(iter(wrong)).removesuffix("s")):
            compare_judges(votes, human, **wrong)
    with pytest.raises(tk.InputError, match="judges: every judge of votes is one of human's"):
        compare_judges(human, human)


def test_scores_become_votes_and_go_through_the_leaderboard():
    rows = [
        {"model": model, "question_id": str(item), "human": human, "judge": judge}
        for item, scores in enumerate(
            ([(5, 4.5), (3, 4.5), (1, 2)], [(2, 3), (2, 1.5), (4, 5)], [(1, 1), (5, 4), (3, 4)])
        )
        for model, (human, judge) in zip(NAMES, scores, strict=True)
    ]
    data = tk.read_table(rows, human="human", metrics="judge")
    board = tk.leaderboard(data, coefficients=["acc_eq"], calibrated=[])
    votes = {name: votes_of_scores(data, name) for name in ("human", "judge")}
    found = tk.votes.agreement(votes["judge"], votes["human"])
    assert found.n == 9
    assert board.loc["judge", "acc_eq"] == pytest.approx(found.with_ties)  # equal groups: the mean is that of all pairs
    with pytest.raises(tk.InputError, match="score: there is no 'jugde'; did you mean"):
        votes_of_scores(data, "jugde")
    with pytest.raises(tk.InputError, match="data: must be an EvalSet, found list"):
        votes_of_scores(rows, "judge")


def skipping(name, kept, equal):
    """A judge that votes on some of ten items: A wins where it equals the human, otherwise B."""
    return [(str(item), "A", "B", 1 if item in equal else -1, name) for item in kept]


EASY_ONLY = [
    *((str(item), "A", "B", 1, "ann") for item in range(10)),
    *skipping("bold", range(10), {0, 1, 2, 3, 4, 5}),  # 6 of all 10, and all of the easy six
    *skipping("shy", range(6), {0, 1, 2, 3, 4}),  # 5 of the easy six
]


def test_judges_are_compared_on_the_votes_of_all_which_reverses_the_order():
    """On its own six easy items shy has 5/6 and bold 6/10 of all ten; on the same six bold has all."""
    votes = Votes.from_rows(EASY_ONLY)
    text = r"compared on 6 of 10 human votes: shy has no votes on 4; cells=\"own\" takes each judge on its own votes"
    with pytest.warns(tk.CoverageWarning, match=text):
        found = compare_judges(votes, votes.by("ann"))
    assert found["with_ties"].to_dict() == {"bold": 1.0, "shy": 5 / 6}
    assert list(found.index) == ["bold", "shy"]
    assert found["n"].tolist() == [6, 6]
    assert found["coverage"].to_dict() == {"bold": 1.0, "shy": 0.6}
    assert (found.attrs["cells"], found.attrs["n_votes"], found.attrs["left_out"] in text) == ("common", 6, True)
    own = compare_judges(votes, votes.by("ann"), cells="own")
    assert own["with_ties"].to_dict() == {"shy": 5 / 6, "bold": 0.6}
    assert list(own.index) == ["shy", "bold"]
    assert own["n"].to_dict() == {"bold": 10, "shy": 6}
    assert own.attrs == {"cells": "own", "n_votes": 10, "left_out": ""}
    bold, shy = share_answers([votes.by("bold"), votes.by("shy")])
    assert [one.n_votes for one in (bold, shy)] == [6, 6]
    assert tk.votes.agreement(bold, votes.by("ann")).with_ties == 1.0


def test_a_silent_judge_takes_no_votes_and_too_few_in_common_are_refused():
    silent = [(str(item), "A", "B", NAN, "mute") for item in range(10)]
    votes = Votes.from_rows([*EASY_ONLY, *silent])
    with pytest.warns(tk.CoverageWarning, match="on 6 of 10 human votes: shy has no votes on 4;"):
        found = compare_judges(votes, votes.by("ann"))
    assert found["n"].to_dict() == {"bold": 6, "shy": 6, "mute": 0}
    assert found["with_ties"].isna().to_dict() == {"bold": False, "shy": False, "mute": True}
    votes = Votes.from_rows([*EASY_ONLY, *skipping("late", range(5, 10), {7})])
    message = r"judges: bold, late, shy voted on the same two answers of 1 item, .* leave out late; cells=\"own\""
    with pytest.raises(tk.InputError, match=message):
        compare_judges(votes, votes.by("ann"))
    assert len(compare_judges(votes, votes.by("ann"), cells="own")) == 3
    with pytest.raises(tk.InputError, match="cells: must be"):
        compare_judges(votes, votes.by("ann"), cells="all")
    with pytest.raises(tk.InputError, match=r"judges: must be Votes"):
        share_answers([[1]])


@examples(40)
@given(cast(), cast(), cast())
def test_compared_judges_stand_on_the_answers_of_all(one, other, human):
    """As if nobody had judged anything else; by sets of answers."""
    sides = [[(*row[:4], name) for row in rows] for name, rows in (("one", one), ("other", other))]
    people = Votes.from_rows([(*row[:4], "person") for row in human])
    about = [{(row[0], frozenset(row[1:3])) for row in rows if row[3] == row[3]} for rows in sides]
    voted = {(row[0], frozenset(row[1:3])) for row in human if row[3] == row[3]}
    common = about[0] & about[1]
    if not all(each & voted for each in about) or len({item for item, _ in common & voted}) < 2:
        return
    votes = Votes.from_rows([row for rows in sides for row in rows])
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = compare_judges(votes, people)
    assert bool(said) == (about[0] & voted != about[1] & voted)
    for name, rows in zip(("one", "other"), sides, strict=True):
        kept = [row for row in rows if (row[0], frozenset(row[1:3])) in common]
        expected = tk.votes.agreement(Votes.from_rows(kept), people)
        assert found.loc[name, "n"] == expected.n
        assert found.loc[name, "with_ties"] == expected.with_ties


def test_more_pairs_of_votes_than_the_limit_are_refused_before_they_are_made(monkeypatch):
    """Six votes of one side on the same two answers meet five of the other; so do both orders of one judge."""
    judge = Votes.from_rows([("1", "A", "B", 1), ("2", "A", "B", 1)] * 5)
    human = Votes.from_rows([("1", "A", "B", 1), ("3", "A", "B", 1)] * 6)
    monkeypatch.setattr(votes_module, "MOST_PAIRED", 29)
    message = "30 pairs of votes are about the same two answers; the limit is 29; keep fewer votes on each"
    with pytest.raises(tk.InputError, match=message):
        tk.votes.agreement(judge, human)
    both = Votes.from_rows([("1", "A", "B", 1), ("1", "B", "A", 1)] * 6)
    with pytest.raises(tk.InputError, match="36 pairs of votes"):
        tk.votes.swap_consistency(both)
    monkeypatch.setattr(votes_module, "MOST_PAIRED", 36)
    assert tk.votes.agreement(judge, human).n == 30
    assert tk.votes.swap_consistency(both).n == 36


def test_the_same_names_in_another_order_are_the_same_answers():
    rng = random.Random(2)
    rows = [(str(item), *rng.sample("ABC", 2), rng.choice([-1, 0, 1])) for item in range(60)]
    judge, human = Votes.from_rows(rows[:50]), Votes.from_rows(rows[::-1])
    assert judge.items != human.items
    assert (
        tk.votes.agreement(judge, human).counts.tolist()
        == np.diag(np.diag(tk.votes.agreement(judge, human).counts)).tolist()
    )
    assert tk.votes.agreement(judge, human).n == 50


def test_answers_are_shared_without_a_name_for_each_vote(monkeypatch):
    """A file may name an item once for thousands of votes."""
    rows = [(item, "A", "B", 1, judge) for item in "12" for judge in ("ann", "bob")]
    both = [
        Votes.from_rows([row for row in rows if row[4] == judge][:size]) for judge, size in (("ann", 2), ("bob", 1))
    ]
    monkeypatch.setattr(Votes, "frame", None)
    assert [one.n_votes for one in share_answers(both)] == [1, 1]
