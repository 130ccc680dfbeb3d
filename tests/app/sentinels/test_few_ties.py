"""When people tie less: the picture's ranks, the tables say what the library says; scenes are true of WMT22."""

from types import SimpleNamespace

import numpy as np
import pytest

import tiekit as tk
from tests.app.reading import figure, frame, text
from tiekit.figures import NOISE_ENDING
from ui.evalset import tie_kinds
from ui.sentinels.report import _tables_of_shares

PAGE = "6_Sentinels"


def test_the_picture_and_the_tables_hold_the_librarys_numbers(open_app, data):
    app = open_app(PAGE)
    given, human = figure(app, "few_ties"), data.human["mqm"]
    expected = tk.sentinels.rank_intervals(data, exclude=())
    found = frame(app, "ranks, calibrated")
    assert found["rank"].tolist() == expected["rank"].tolist()
    spans = [f"{b}–{w}" if b != w else f"{b}" for b, w in zip(expected["best"], expected["worst"], strict=True)]
    spans = ["–" if span.startswith("<NA>") else span for span in spans]
    assert found["ranks, calibrated"].tolist() == spans
    for metric in given["metrics"]:
        scores = data.metrics[metric["of"]]
        scores = tk.sentinels.perturb(scores, rng=0) if metric["name"].endswith(NOISE_ENDING) else scores
        at = tk.sentinels.tie_shares(human, {"m": scores}, shares=[0.08])["value"][0]
        assert metric["values"][given["shares"].index(0.08)] == pytest.approx(at)
        if metric["kind"] != "sentinel":
            assert (metric["best"], metric["worst"]) <= tuple(expected.loc[metric["name"], ["best", "worst"]])
    for name in found.index:
        row = found.loc[name]
        assert row["acc_eq"] == pytest.approx(tk.correlate(human, data.metrics[name], "acc_eq").value)
        assert row["acc_eq*"] == pytest.approx(tk.correlate(human, data.metrics[name], "acc_eq*").value)
        assert row["τ_eq"] == pytest.approx(tk.correlate(human, data.metrics[name], "tau_eq").value)
        assert row["τ_eq*"] == pytest.approx(tk.correlate(human, data.metrics[name], "tau_eq*").value)
    folds = tk.cross_validate(data, found.index[0], exclude=())
    assert found["acc_eq*, held out"].iloc[0] == pytest.approx(folds.value)
    assert found["lost"].iloc[0] == pytest.approx(folds.folds["loss"].mean())


def test_calibration_is_explained_at_the_share_of_the_picture(open_app, data):
    app = open_app(PAGE, tied="0.3")
    assert figure(app, "few_ties")["share"] == 0.3
    assert "With 30 % human ties" in text(app)
    shown = frame(app, "value_at_zero").set_index("metric")
    assert len(shown) > 1
    for name, row in shown.iterrows():
        own = tk.sentinels.tie_shares(data.human["mqm"], {"m": data.metrics[name]}, shares=[0.3]).iloc[0]
        assert row["value_at_zero"] == own["value_at_zero"]
        assert row["value"] == own["value"]


def test_the_published_sets_stand_beside_this_one(open_app, data):
    shown = frame(open_app(PAGE), "pairs tied")
    own = tk.count_ties(data.human["mqm"]).share
    assert len(shown) == 9
    assert f"{100 * own:.1f} %" in [cell.replace("\\.", ".") for cell in shown["pairs tied"]]


@pytest.mark.parametrize("human", [[[1, 1], [1, 1]], [[1, 2], [2, 1]]])
def test_where_no_other_share_can_be_reached_the_page_says_so(human):
    known = {"pairs_key": lambda by: (by,), "documents": None}
    case = SimpleNamespace(key=(str(human),), human=np.array(human, float), rated="h", **known)
    assert not tie_kinds.can_be_shown(case, "item")


@pytest.mark.parametrize(("rated", "more"), [("mqm", 0), ("wmt-appraise", 1)])
def test_a_set_that_is_published_stands_once_in_the_table(rated, more):
    here = "this set: WMT22 zh-en", rated, 0.5, "counted here"
    _, shown = _tables_of_shares(here, ("wmt22", "zh-en"))
    assert len(shown) == len(tk.sentinels.published_tie_shares()) + more


def test_the_weight_of_ties_in_the_mean_is_what_a_constant_metric_gets(open_app, data):
    given = figure(open_app(PAGE), "tie_shares")
    weights = dict(zip(given["shares"], given["weights"], strict=True))
    human = data.human["mqm"]
    tied, untied = tk.sentinels.keep_for_share(human, 0.08)
    shares = []
    for column in human.T:
        scores = column[~np.isnan(column)]
        equal = (scores[:, None] == scores[None, :])[np.triu_indices(scores.size, 1)]
        weight = tied * equal.sum() + untied * (~equal).sum()
        if weight:
            shares.append(tied * equal.sum() / weight)
    assert weights[0.08] == pytest.approx(np.mean(shares), abs=1e-12)


@pytest.mark.campaign
def test_shares_of_the_mean_reach_every_part_of_the_page(open_app, data):
    """That they are the library's is tested on Sentinels, which computes them alike."""
    app = open_app(PAGE, ties_in_mean="true", tied="0.3")
    given, ties = figure(app, "few_ties"), tk.count_ties(data, exclude=())
    assert (given["share_of"], given["own"]) == ("mean", ties.in_mean())
    assert any(
        "below 11.0 % (except 0 %)" in one.value for one in app.caption
    )  # that many segments are tied throughout
    expected = tk.sentinels.rank_intervals(data, share_of="mean", exclude=())
    assert frame(app, "ranks, calibrated")["rank"].tolist() == expected["rank"].tolist()
    assert "With 30 % human ties in the mean over groups" in text(app)
    cells = [cell.replace("\\.", ".") for cell in frame(app, "pairs tied")["pairs tied"]]
    assert f"{100 * ties.share:.1f} %" in cells  # the table of pairs still counts pairs
