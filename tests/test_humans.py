"""Human scores as rows on the cells of all, and raters in two groups: nobody is in both."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tiekit as tk
from tests.strategies import examples
from tiekit.humans import divide
from tiekit.readers import read_appraise, read_humeval, read_mqm_ratings

NAN = np.nan

HUMAN = {
    "mqm": [[-5, 0, -1, 0], [0, -1, -1, NAN], [-1, -1, -5, -2]],
    "da": [[40, 90, 80, 3], [95, 70, 60, 8], [80, NAN, 20, 9]],
    "sqm": [[4, 5, 4, 3], [6, 5, 4, 2], [5, 4, 1, 2]],
}

METRICS = {"BLEU": [[9, 9, 8, 7], [9, 8, 7, 1], [9, 9, 9, 9]], "chrF": [[1, 2, NAN, 4], [2, 3, 4, 5], [1, 5, 6, 7]]}

DATA = tk.EvalSet("toy", "", ("A", "B", "C"), tuple("1234"), HUMAN, METRICS, gold="mqm", documents=tuple("xxyy"))


def test_all_are_judged_on_the_cells_that_all_have():
    found = tk.humans.rank_humans(DATA, coefficient="acc_eq", n_resamples=50)
    common = ~np.any([np.isnan(x) for x in (*DATA.human.values(), *DATA.metrics.values())], axis=0)
    assert found.n_cells == common.sum() == 9
    assert (found.n_systems, found.n_segments) == (3, 4)
    assert found.note == "compared on 9 of 11 cells: da and chrF have no scores of 1 cell each"
    gold = np.where(common, DATA.human["mqm"], NAN)
    for name, row in found.table.iterrows():
        scores = DATA.human[name] if name in HUMAN else DATA.metrics[name]
        assert row["value"] == tk.correlate(gold, np.array(scores), "acc_eq").value
        assert row["kind"] == ("human" if name in HUMAN else "metric")
        assert row["low"] <= row["value"] <= row["high"]
        assert row["ties"] == tk.count_ties(np.where(common, scores, NAN)).share
    assert found.table["value"].is_monotonic_decreasing
    assert found.human_ties == tk.count_ties(gold).share
    assert (found.human, found.grouping, found.coefficient, found.resamples) == ("mqm", "item", "acc_eq", 50)
    assert "HumanRanking(" in repr(found)
    assert found.to_dict()["signature"] == found.signature
    with pytest.raises(TypeError):
        float(found)


def test_fewer_rows_have_more_cells():
    found = tk.humans.rank_humans(DATA, "da", "tau_b", humans="mqm", metrics=(), n_resamples=0, grouping="global")
    assert found.n_cells == 10
    assert found.table["low"].isna().all()
    assert list(found.table.index) == ["mqm"]
    by_document = tk.humans.rank_humans(DATA, coefficient="acc_eq", grouping="document", n_resamples=0)
    assert by_document.table["ties"].isna().all()


@pytest.mark.filterwarnings("ignore::tiekit.DirectionWarning")
def test_a_leaderboard_has_rows_of_humans():
    with pytest.warns(tk.CoverageWarning, match="on 10 of 11 cells: da has no scores of 1 cell;"):
        board = tk.leaderboard(DATA, humans=["da"], metrics="BLEU", coefficients="acc_eq")
    assert set(board.index) == {"da", "BLEU"}
    ranked = tk.humans.rank_humans(DATA, coefficient="acc_eq", humans="da", metrics="BLEU", n_resamples=0).table
    assert board.loc["da", "acc_eq"] == ranked.loc["da", "value"]
    assert list(tk.humans.with_humans(DATA).metrics) == ["da", "sqm", "BLEU", "chrF"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"humans": "mqm"}, "mqm is the score that judges"),
        ({"humans": "esa"}, "humans: "),
        ({"n_resamples": -1}, "n_resamples"),
    ],
)
def test_what_is_refused(options, message):
    with pytest.raises(tk.InputError, match=message):
        tk.humans.rank_humans(DATA, **options)


def test_a_set_with_one_human_score_has_nobody_to_judge():
    with pytest.raises(tk.InputError, match=r"no human score but mqm, .*tk.read\(source, human=\["):
        tk.humans.rank_humans(replace(DATA, human={"mqm": DATA.human["mqm"]}))
    halves = np.full((2, 3, 4), NAN)
    halves[0, :, :2], halves[1, :, 2:] = 1, 1
    with pytest.raises(tk.InputError, match="no cell is scored by"):
        tk.humans.rank_humans(replace(DATA, metrics=dict(zip("ab", halves, strict=True))))
    with pytest.raises(tk.InputError, match="'da' is the name of a metric"):
        tk.humans.with_humans(replace(DATA, metrics={"da": DATA.human["da"]}))


@pytest.mark.filterwarnings("ignore::tiekit.NearTieWarning")
def test_direct_assessment_ranks_with_chrf():
    metrics = ["chrF", "metricx_xxl_MQM_2020"]
    found = tk.humans.rank_humans(tk.load_wmt22(), humans=["wmt-appraise", "wmt"], metrics=metrics, n_resamples=199)
    values = found.table["value"].round(3).to_dict()
    expected = {"wmt-appraise": 0.450, "chrF-refA": 0.443, "wmt": 0.442, "metricx_xxl_MQM_2020-refA": 0.542}
    assert values == expected
    assert found.table.loc["wmt-appraise", "low"] < 0.450 < found.table.loc["wmt-appraise", "high"]
    assert found.n_cells == 10472


SAMPLES = Path(__file__).parent / "readers" / "samples"


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
