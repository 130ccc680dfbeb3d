"""Pages compare within documents and say so; their numbers are the library's, whose tests build the groups by hand."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.app.code import both
from tests.app.reading import alts, boxes, figure, frame, text
from tests.app.uploads import upload
from ui.evalset.sources import FILES
from ui.work.presets import sample

BY = pytest.mark.parametrize("by", ["document", pytest.param("document_means", marks=pytest.mark.campaign)])
PAGES = ("3_Calibration", "6_Sentinels")
METRIC, DISCRETE = "Contour-refA", "Judge-src"
FEW = ["Contour-refA", "Contour-QE-src", "Ladder-refA"]
BOARD = {"shown_metrics": FEW, "coefficients": ["acc_eq"], "table_tests": "neither"}
pytestmark = pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")  # the page says them in words


@pytest.fixture(scope="module")
def data():
    return sample("qaa-qab").select()


def table_of(human, metric, documents=None):
    """A long table as bytes, with the document of each segment where there are any."""
    columns = {"human": np.ravel(human), "m": np.ravel(metric)}
    systems, segments = np.indices(np.shape(human)).reshape(2, -1)
    named = {"document": np.array(documents)[segments]} if documents else {}
    return pd.DataFrame({"system": systems, "segment": segments, **named, **columns}).to_csv(index=False).encode()


@pytest.mark.parametrize("page", PAGES)
def test_without_documents_no_page_offers_them(open_app, page):
    app = open_app(page, source=FILES)
    upload(app, None, ("mine.csv", table_of(np.arange(18).reshape(3, 6) % 4, np.arange(18).reshape(3, 6) % 7)))
    assert app.selectbox(key="grouping").options == ["item", "global", "system", "system means"]


@BY
def test_a_metric_is_calibrated_and_held_out_by_document(open_app, data, shown, by):
    app = open_app("3_Calibration", metric=METRIC, grouping=by.replace("_", " "), folds="3")
    found = tk.calibrate(data, METRIC, grouping=by)
    assert f"{found.n_pairs:,} pairs in {len(set(data.documents))} groups" in text(app)
    for one in json.loads(figure(app, "calibration_explorer")["texts"]["curves"]):
        best = tk.calibrate(data, one["name"], grouping=by)
        assert (one["epsilons"][one["best"]], one["values"][one["best"]]) == (best.epsilon, best.value)
    for calibrated, held_out in zip(both(shown, "calibrated"), both(shown, "held out"), strict=True):
        assert calibrated[:2] == (found.epsilon, found.value)
        assert held_out[0] == tk.cross_validate(data, METRIC, grouping=by, folds=3).value
    assert "across parts" not in text(app)  # a pair is of one document, so of one part
    other = tk.transfer(found, sample("qaa-qac"), METRIC)
    assert frame(app, "on qaa-qac")["on qaa-qac"].iloc[0] == f"{other.value:.4f} (−{other.loss:.4f})"
    assert ("so few pairs" in boxes(app, "info")) == (by == "document_means")


@BY
@pytest.mark.parametrize(
    "part",
    ["tied pairs", *(pytest.param(one, marks=pytest.mark.campaign) for one in ("held out", "metric by metric"))],
)
def test_sentinels_compare_within_documents(open_app, data, shown, by, part):
    name = by.replace("_", " ")
    links = {"grouping": name, "sen_between_by": name, "sen_between": "tau_b"}
    chosen = {"sen_metrics": [DISCRETE, METRIC], "shown_metrics": [DISCRETE, METRIC]}
    app = open_app("6_Sentinels", part=part, **links, **chosen)
    [values, _] = both(shown, part)
    if part == "tied pairs":
        assert values[by] == pytest.approx(tk.count_ties(data, grouping=by).share)
        assert figure(app, "tie_shares")["own"] == pytest.approx(values[by])
    elif part == "held out":
        assert "A fifth of the documents is held out" in text(app)
        expected = tk.sentinels.held_out_shares(data, [DISCRETE, METRIC], grouping=by)
        rows = values[values["metric"].isin([DISCRETE, METRIC])]
        pd.testing.assert_frame_equal(
            *(one.sort_values(["metric", "share"], ignore_index=True) for one in (rows, expected))
        )
    else:
        expected = tk.correlate(data, METRIC, "tau_b", grouping=by).value
        assert values.loc["the human", METRIC] == pytest.approx(expected, abs=1e-12)
        assert frame(app, METRIC).loc["the human", METRIC] == f"{expected:.3f}"


@BY
def test_the_leaderboard_tests_differences_by_document(open_app, data, shown, by):
    grouping, swap = by.replace("_", " "), "documents" if by == "document_means" else "segments"
    app = open_app("5_Leaderboard", **BOARD, grouping=grouping, resampled="p-values and clusters")
    found = tk.significance.compare_metrics(data, FEW, "acc_eq*", grouping=by, swap=swap)
    assert both(shown, "clusters")[0].tolist() == found.clusters().tolist()
    unit = app.selectbox(key="resampled_swap")
    assert (unit.value, unit.options == ["documents"]) == (swap, by == "document_means")
    assert ("whole documents are swapped" in (unit.help or "")) == (by == "document_means")
    app = open_app("5_Leaderboard", **BOARD, grouping=grouping, resampled="intervals")
    for name in FEW:
        interval = tk.significance.bootstrap_interval(data, name, "acc_eq*", grouping=by, resample=swap)
        assert f"[{interval.low:.3f}, {interval.high:.3f}]" in "".join(alts(app))


@BY
def test_two_metrics_are_tested_by_document_under_every_scheme(open_app, data, by):
    links = {"msr_part": "what is swapped", "msr_first": FEW[1], "msr_second": FEW[2], "grouping": by.replace("_", " ")}
    app = open_app("8_Measures", source="a synthetic set", msr_by="acc_eq", **links)
    found = tk.significance.permutation_test(data, *FEW[1:], "acc_eq", grouping=by, swap="documents")
    assert f"Difference: {found.difference:.3f}" in text(app).replace("−", "-")
    labels = app.selectbox(key="msr_scheme").options
    assert ("whole documents" in labels, len(labels)) == (True, 1 if by == "document_means" else 6)


def test_whole_documents_are_swapped_for_discriminative_power(open_app, shown):
    links = {"msr_groupings": ["item"], "msr_coefficients": ["tau_b"], "msr_metrics": FEW, "msr_swap": "documents"}
    app = open_app("8_Measures", msr_part="power and consistency", **links)
    assert "all scores of a document's segments are swapped together" in text(app)
    assert "swap='documents', documents=chosen.documents" in shown["power and consistency"][0]


@BY
def test_groups_without_a_value_are_documents(open_app, data, shown, by):
    app = open_app("2_NaN_problem", grouping=by.replace("_", " "), shown_metrics=FEW)
    assert not boxes(app, "error", "warning")
    board = tk.leaderboard(data, metrics=FEW, coefficients=["tau_b"], calibrated=(), grouping=by)
    assert f"**{board.index[0]}** leads with {board['tau_b'].iloc[0]:.3f}" in text(app)
    assert both(shown, "ranking evaluation set")[0]["drop"] == board["tau_b"].to_dict()
    assert "The evaluation set above is grouped by document." in text(app)
    assert app.selectbox(key="bucket_scores").options == ["the typed segments"]


@pytest.mark.campaign
@pytest.mark.parametrize("page", PAGES[1:])
def test_documents_whose_means_never_tie_have_no_other_shares(open_app, page):
    rng = np.random.default_rng(0)
    app = open_app(page, grouping="document means")
    documents = [str(segment // 3) for segment in range(12)]
    upload(app, None, ("mine.csv", table_of(rng.random((4, 12)), rng.random((4, 12)), documents)))
    assert boxes(app).count("ties no pair here") == 1


@BY
@pytest.mark.parametrize(("page", "name"), [(PAGES[0], ""), (PAGES[1], "few_ties")])
def test_the_same_scores_in_other_documents_are_computed_anew(open_app, page, name, by):
    rng = np.random.default_rng(3)
    human, metric = rng.integers(0, 3, (4, 24)), rng.integers(0, 9, (4, 24))
    for documents in (list("aaaabbbbccccddddeeeeffff"), list("abcdef" * 4)):
        app = open_app(page, source=FILES, grouping=by.replace("_", " "))  # no other set is computed before
        upload(app, None, ("mine.csv", table_of(human, metric, documents)))
        asked = {"grouping": by, "documents": documents}
        if page == "3_Calibration":
            [curve] = json.loads(figure(app, "calibration_explorer")["texts"]["curves"])
            assert curve["values"][curve["best"]] == tk.calibrate(human, metric, **asked).value
        else:
            given = figure(app, name)
            assert given["own"] == pytest.approx(tk.count_ties(human, **asked).share)
            expected = tk.sentinels.tie_shares(human, {"m": metric}, shares=given["shares"], **asked)["value"]
            [values] = [one["values"] for one in given["metrics"] if one["name"] == "m"]
            assert values == pytest.approx(expected.tolist(), abs=1e-6)
