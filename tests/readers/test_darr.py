"""Judgments that were made of direct assessments: pairs of translations, those that differ enough."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests.fuzz.case import Case, problem_of
from tests.readers.refusals import refusals
from tests.strategies import examples
from tiekit.readers import read_darr

SAMPLES = Path(__file__).parent / "samples"
HEADER = "LP DATA SID BETTER WORSE\n"


def test_close_pairs_are_left_out_and_counted():
    rankings = read_darr(SAMPLES / "DArr-toy.csv")
    assert (rankings.systems, rankings.judges) == (("Elk", "Owl", "Yak"), ("DA",))
    assert rankings.language_pairs == ("qa-qb", "qb-qa")
    assert (rankings.n_sets, rankings.skipped) == (3, {"a smaller difference": 1})
    frame = rankings.select("qa-qb").preferences().frame()
    assert frame[["segment", "first", "second", "outcome"]].to_numpy().tolist() == [
        ["hill.3_0", "Elk", "Owl", -1],
        ["hill.3_0", "Owl", "Yak", 1],
    ]
    assert read_darr(SAMPLES / "DArr-toy.csv", threshold=0).n_sets == 4
    one = read_darr(SAMPLES / "DArr-toy.csv", language_pair="qb-qa")
    assert (one.n_sets, one.skipped) == (1, {"another language pair": 3})
    assert read_darr(SAMPLES / "DArr-toy.csv", threshold=100).n_sets == 0


def test_the_judgments_are_what_judgments_take():
    preferences = read_darr(SAMPLES / "DArr-toy.csv", threshold=0).preferences()
    assert tk.judgments.attainable(preferences).cap == 1


@examples(10)
@given(
    st.lists(
        st.tuples(st.sampled_from(["qa-qb", "qb-qa"]), st.sampled_from("12"), st.permutations("ABC")),
        min_size=1,
        max_size=8,
    )
)
def test_what_is_written_is_read(judged):
    lines = "".join(f"{pair} set {segment} {order[0]} {order[1]}\n" for pair, segment, order in judged)
    rankings = read_darr({"d.csv": (HEADER + lines).encode()})
    for place, (pair, segment, order) in enumerate(judged):
        assert [rankings.systems[code] for code in rankings.system[place]] == [*order[:2]]
        assert rankings.rank[place].tolist() == [1, 2]
        assert rankings.segments[rankings.segment[place]] == segment
        assert rankings.language_pairs[rankings.pair_of_segment[rankings.segment[place]]] == pair


test_what_is_refused = refusals(
    lambda text: read_darr({"d.csv": text.encode()}),
    [
        ("a b c d e\n", 1, "found 'a b c d e', expected the header LP"),
        ("lp,src,ref,pos,neg,data\nqa-qb,a,b,c,d,set\n", 1, "which systems wrote them"),
        (HEADER, 1, "has a header and no rows"),
        (HEADER + "qa-qb set 1 A\n", 2, "found 4 cells, expected 5"),
        (HEADER + "qa-qb set 1 A B\nqa-qb set 1 A A\n", 3, "found 'A' as BETTER and as WORSE; expected"),
        (HEADER + "qa-qb set 1 A B -3\n", 2, "found the difference -3; expected that of"),
        (HEADER + "qa-qb set 1 A B x\n", 2, "'x' in column '6' is not a score"),
    ],
)


def test_parts_are_chosen():
    content = {"d.csv": (HEADER + "qa-qb set1 1 A B\nqa-qb set2 1 B A\n").encode()}
    with pytest.raises(tk.InputError, match=r"testset: d.csv holds several, set1, set2"):
        read_darr(content)
    chosen = read_darr(content, testset="set2")
    assert (chosen.n_sets, chosen.skipped) == (1, {"another test set": 1})
    with pytest.raises(tk.InputError, match="language_pair: there is no 'x'; known: qa-qb"):
        read_darr(content, testset="set1", language_pair="x")
    with pytest.raises(tk.InputError, match="threshold: must be a number of at least 0, found -1"):
        read_darr(content, threshold=-1)


@pytest.mark.real
def test_the_shared_samples(real_data):
    rankings = read_darr(real_data.parent / "formats/DArr-seglevel.csv")
    assert (rankings.systems, rankings.segments) == (("OPPO.1", "zlabs.2"), ("abc.1_3",))
    with pytest.raises(tk.ReadError, match=r"2019-daRR.csv, line 1: holds texts"):
        read_darr(real_data.parent / "formats/2019-daRR.csv")


def test_many_short_lines_take_little_memory():
    text = b"1\t.5\n" + 629_145 * b"2\t.7\n"
    assert problem_of(Case("short lines", len(text), lambda: read_darr({"pairs.tsv": text}))) is None
