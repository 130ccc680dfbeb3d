"""Raters in two groups: nobody is in both, means are by hand, and the division shares the most cells."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests.strategies import examples
from tiekit.readers import read_appraise, read_humeval, read_mqm_ratings
from tiekit.research.humans import divide

SAMPLES = Path(__file__).parents[2] / "readers" / "samples"
NAN = np.nan


def test_each_rater_of_raw_mqm_has_a_score():
    data = read_mqm_ratings(SAMPLES / "mqm_toy.tsv", by_rater=True)
    assert tk.humans.raters_of(data) == ("mqm-r1", "mqm-r2")
    np.testing.assert_allclose(data.human["mqm-r1"], [[-5.1, -25], [-1, NAN]])
    np.testing.assert_allclose(data.human["mqm-r2"], [[0, NAN], [NAN, 0]])
    plain = read_mqm_ratings(SAMPLES / "mqm_toy.tsv")
    np.testing.assert_array_equal(plain.human["mqm"], data.human["mqm"])
    assert (list(plain.human), data.gold, data.digest) == (["mqm"], "mqm", plain.digest)
    assert list(tk.read(SAMPLES / "mqm_toy.tsv", by_rater=True).human) == list(data.human)


def test_raters_of_raw_mqm_are_split():
    halves = tk.humans.split_raters(read_mqm_ratings(SAMPLES / "mqm_toy.tsv", by_rater=True))
    np.testing.assert_allclose(halves.human["mqm-gold"], [[-5.1, -25], [-1, NAN]])
    np.testing.assert_allclose(halves.human["mqm-other"], [[0, NAN], [NAN, 0]])
    assert halves.gold == "mqm-gold"
    assert halves.raters["mqm-other"].tolist() == [[1, 0], [0, 1]]
    assert halves.notes[-3:] == (
        "mqm-gold is the mean of mqm-r1",
        "mqm-other is the mean of mqm-r2",
        "1 cells are rated by both groups, which share no rater",
    )


def test_annotators_of_esa_are_kept():
    data = read_humeval(SAMPLES / "humeval_2025.jsonl", by_rater=True, language_pair="cs-de_DE")
    assert tk.humans.raters_of(data) == ("esa-a1", "esa-a2", "esa-a3")
    at = data.systems.index("Kite")
    assert [data.human[name][at, 0] for name in ("esa", "esa-a1", "esa-a2")] == [80, 90, 70]
    assert data.human["esa-a2"][at, 2] == 50
    assert np.isnan(data.human["esa-a3"][at]).all()
    assert data.gold == "esa"
    lists, plain = (
        read_humeval(SAMPLES / "humeval_2024.jsonl", language_pair="en-is", by_rater=by_rater)
        for by_rater in (True, False)
    )
    np.testing.assert_array_equal(lists.human["esa"], plain.human["esa"])


def test_annotators_of_appraise_are_kept():
    rows = [("a1", "A", 0, 80), ("a2", "A", 0, 90), ("a2", "B", 0, 40)]
    text = "".join(f"{who},{system},{line},TGT,eng,jpn,{score},d,False,[],1,2\n" for who, system, line, score in rows)
    data = read_appraise({"esa.csv": text.encode()}, by_rater=True)
    assert {name: scores.tolist() for name, scores in data.human.items() if name != "esa"} == {
        "esa-a1": [[80.0], [pytest.approx(NAN, nan_ok=True)]],
        "esa-a2": [[90.0], [40.0]],
    }


def test_a_score_without_annotator_is_refused():
    line = b'{"scores": {"A": {"human1": 70}}, "src_text": "a", "tgt_text": {}, "doc_id": "cs-de_DE_#_news_#_d1_#_0"}'
    with pytest.raises(tk.ReadError, match='"annotator" beside "human1" of'):
        read_humeval({"h.jsonl": line}, by_rater=True)


@examples(60)
@given(st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=2, max_size=6))
def test_no_division_shares_more_cells(rated):
    rated = np.array(rated)
    most = 0
    for group in product((True, False), repeat=len(rated)):
        inside = np.array(group)
        if inside.any() and not inside.all():
            most = max(most, int((rated[inside].any(axis=0) & rated[~inside].any(axis=0)).sum()))
    found = divide(rated)
    assert found[0]
    assert not found.all()
    assert (rated[found].any(axis=0) & rated[~found].any(axis=0)).sum() == most


def test_many_raters_are_searched():
    rng = np.random.default_rng(1)
    rated = np.zeros((20, 300), bool)
    for cell in range(300):  # each cell by one of the first ten and one of the last ten
        rated[[rng.integers(10), 10 + rng.integers(10)], cell] = True
    found = divide(rated, 0)
    assert (rated[found].any(axis=0) & rated[~found].any(axis=0)).all()
    assert found.tolist() == [True] * 10 + [False] * 10


def test_what_cannot_be_split_is_refused():
    human = {"mqm": [[0.0]], "mqm-r1": [[0.0]]}
    data = tk.EvalSet("toy", "", ("A",), ("1",), human, {}, gold="mqm")
    with pytest.raises(tk.InputError, match="mqm has one rater"):
        tk.humans.split_raters(data)
    with pytest.raises(tk.InputError, match="no scores of single raters"):
        tk.humans.raters_of(data, "mqm-r1")
    two = tk.EvalSet("toy", "", ("A",), ("1",), human | {"mqm-r2": [[0.0]]}, {}, gold="mqm")
    with pytest.raises(tk.InputError, match="but not all"):
        tk.humans.split_raters(two, raters=["mqm-r1", "mqm-r2"])


@pytest.mark.real
def test_raters_of_a_real_file(real_data):
    data = read_mqm_ratings(real_data / "mqm-ratings" / "mqm_ted_ende.tsv", by_rater=True)
    names = tk.humans.raters_of(data)
    each = np.array([data.human[name] for name in names])
    np.testing.assert_allclose(np.nanmean(np.where(np.isnan(each).all(axis=0), 0, each), axis=0)[
        ~np.isnan(data.human["mqm"])
    ], data.human["mqm"][~np.isnan(data.human["mqm"])], atol=1e-12)  # fmt: skip
