"""Human scores as rows: the same cells for all, the values of `correlate`, and what the bundled set says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import tiekit as tk

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
    with pytest.raises(tk.InputError, match="no human score but mqm"):
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
