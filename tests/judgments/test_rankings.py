"""Rankings become judgments; what is refused, and what a language pair or a name is."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests.judgments.by_hand import CAPPED, CIRCLE, NUMBERS, plain, row_lists
from tests.strategies import examples
from tiekit.judgments import agreement, attainable, judge_metric, reader, resolve, with_own_names
from tiekit.readers import data_file


@examples(12)
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


def test_language_pairs_are_judged_apart():
    rankings = tk.read_rankings(data_file("rankings/synthetic.csv"))
    for name in CAPPED:
        table = attainable(rankings, name, by="language_pair")
        assert list(table.columns[:3]) == ["cap", "floor", "cap_tying"]
        for pair in rankings.language_pairs:
            found = attainable(rankings.select(pair), name)
            assert table.loc[pair, "cap"] == found.cap
            assert table.loc[pair, "n_intransitive"] == found.n_intransitive > 0
            assert found.reachable < found.cap
    together = attainable(rankings)
    parts = [attainable(rankings.select(pair)) for pair in rankings.language_pairs]
    assert together.n_judgments == sum(part.n_judgments for part in parts)
    weights = [part.n_judgments for part in parts]
    assert together.cap == pytest.approx(np.average([part.cap for part in parts], weights=weights))
    kappas = agreement(rankings, by="language_pair")
    assert kappas.loc["qaa-qac", "κ within"] == agreement(rankings.select("qaa-qac")).within.value
    with pytest.raises(tk.InputError, match="must be of one language pair"):
        judge_metric(rankings, {})
    with pytest.raises(tk.InputError, match="must be one of qaa-qab, qaa-qac, found 'de-en'"):
        rankings.select("de-en")


def test_no_judgment_no_value():
    empty = tk.judgments.Rankings.from_rows([])
    for name in CAPPED:
        found = attainable(empty, name)
        assert all(math.isnan(getattr(found, number)) for number in (*NUMBERS, "cap_tying", "floor_tying"))
        assert math.isnan(judge_metric(empty, {}, name).value)
    assert (empty.preferences().n_judgments, resolve(empty).n_judgments) == (0, 0)
    assert math.isnan(agreement(empty).between.value)
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
    found = attainable(tk.judgments.Rankings.from_rows([("x", "1", {f"s{i}": 1 for i in range(20)})]), "acc_eq")
    assert (found.reachable, found.exact, found.n_triples, found.n_intransitive) == (1, True, 1140, 0)


def test_segments_of_one_name_in_two_language_pairs_are_two():
    header = "srclang,trglang,srcIndex,judgeId," + ",".join(f"system{i}Id,system{i}rank" for i in range(1, 6))
    lines = ["de,en,7,ann,A,1,B,2,C,3,D,4,E,5", "fr,en,7,ann,A,5,B,4,C,3,D,2,E,1"]
    rankings = tk.read_rankings({"r.csv": "\n".join([header, *lines]).encode()})
    scores = {(system, 7): -ord(system) for system in "ABCDE"}
    values = [judge_metric(rankings.select(pair), scores).value for pair in ("de-en", "fr-en")]
    assert values == [1, -1]
    assert attainable(rankings).cap == 1
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
        (lambda: attainable(rankings, "tau_b"), "coefficient: must be one of tau_10, tau_13, tau_14, acc_eq"),
        (lambda: attainable(rankings, by="set"), "by: must be 'language_pair' or None, found 'set'"),
        (lambda: attainable([1]), "preferences: must be Preferences or Rankings, found list"),
        (lambda: judge_metric(rankings, [[1]]), r"scores: must have the shape \(systems, segments\), \(3, 1\)"),
        (lambda: judge_metric(rankings, {"A": 1.0}), r"scores: keys must be \(system, segment\), found 'A'"),
        (lambda: judge_metric(rankings, {}, "tau_c"), "coefficient: tau_c is not made of counts of pairs alone"),
        (lambda: judge_metric(rankings, {}, "pearson"), "coefficient: pearson is not made of counts"),
        (lambda: judge_metric(rankings, {}, "acc_eq*"), "coefficient: 'acc_eq\\*' asks for a calibrated"),
        (lambda: rankings.preferences().matrix("9"), "segment: there is no segment '9'"),
    ):
        with pytest.raises(tk.InputError, match=message):
            call()


def test_rankings_and_preferences_are_shown_in_one_line():
    rankings = tk.judgments.Rankings.from_rows(CIRCLE)
    assert repr(rankings) == "Rankings(3 sets, 3 judges, 3 systems, 1 segments, 1 language pairs)"
    assert repr(rankings.preferences()) == "Preferences(9 judgments of 3 pairs, ties='omit')"


def file_of(sets):
    """A file of rankings: language, segment, and the five systems of each set, ranked from 1 to 5."""
    lines = [f"{language},b,{segment},j,{','.join(map(str, five))},1,2,3,4,5" for language, segment, five in sets]
    head = ["srclang,trglang,srcIndex,judgeId", *(f"system{i}Id" for i in range(1, 6))]
    return {"x.csv": "\n".join([",".join([*head, *(f"system{i}rank" for i in range(1, 6))]), *lines]).encode()}


def five(n):
    return [5 * n + place for place in range(5)]


@pytest.mark.parametrize(
    ("sets", "message"),
    [
        ([(n, 1, five(0)) for n in range(101)], "has 101 language pairs; the limit is 100; split it"),
        ([("a", 1, five(n)) for n in range(401)], "has 2,005 systems; the limit is 2,000; split it"),
        (
            [("a", n, five(n % 400)) for n in range(1001)],
            "has 2,002,000 cells of one language pair, 2,000 systems × 1,001 segments; the limit is 2,000,000; split",
        ),
        (
            [(n % 12, n, five(12 * (n // 12 % 33) + n % 12)) for n in range(10_200)],
            "has 20,196,000 cells, 1,980 systems × 10,200 segments; the limit is 20,000,000; split it, by language",
        ),
    ],
)
def test_what_would_take_far_more_than_the_file_is_refused_before_it_is_laid_out(sets, message):
    with pytest.raises(tk.ReadError, match=f"x.csv: {re.escape(message)}"):
        tk.read_rankings(file_of(sets))


@examples(8)
@given(row_lists(systems="ABCDE", most=8))
def test_triples_are_counted_before_they_are_laid_out(rows):
    """As many as there are translations judged beside two later ones; with all pairs judged, those are all triples."""
    rankings = tk.judgments.Rankings.from_rows(rows)
    beside: dict = {}
    for _, _, segment, first, second, _ in plain(rows):
        beside.setdefault((segment, first), set()).add(second)
    assert reader._count_triples(rankings) == sum(math.comb(len(some), 2) for some in beside.values())


def test_too_many_triples_are_refused(monkeypatch):
    clique = file_of([("a", 1, five(0))])
    monkeypatch.setattr(reader, "MOST_TRIPLES", 9)
    with pytest.raises(tk.ReadError, match="has 10 triples of translations; the limit is 9; split it"):
        tk.read_rankings(clique)
    monkeypatch.setattr(reader, "MOST_TRIPLES", 10)
    assert attainable(tk.read_rankings(clique)).n_triples == 10


def test_a_text_where_a_name_stands_is_refused(monkeypatch):
    monkeypatch.setattr(reader, "LONGEST_NAME", 11)
    assert tk.read_rankings(file_of([("a" * 9, 1, five(0))])).language_pairs == ("aaaaaaaaa-b",)
    with pytest.raises(tk.ReadError, match="found 'aaaaaaaaaa-b', which has 12 characters, where a name stands"):
        tk.read_rankings(file_of([("a" * 10, 1, five(0))]))


@examples(8)
@given(row_lists(), st.sampled_from(CAPPED))
def test_names_that_do_not_occur_change_no_number(rows, name):
    """Sets of a language pair, among others that come first and last by their names."""
    more = [("x", str(n), {system: 1, "B": 2}) for n, system in ((0, "0"), (9, "Z"))]
    both = tk.judgments.Rankings.from_rows([*more, *rows])
    here = np.isin(both.segment, [place for place, one in enumerate(both.segments) if one in {r[1] for r in rows}])
    parts = {part: getattr(both, part)[here] for part in ("segment", "judge", "system", "rank")}
    own, alone = with_own_names(replace(both, **parts)), tk.judgments.Rankings.from_rows(rows)
    assert (own.systems, own.segments) == (alone.systems, alone.segments)
    assert repr(attainable(own, name)) == repr(attainable(alone, name))
    np.testing.assert_array_equal(own.system, alone.system)
