"""Calibration, Sentinels and MQM or ESA compare within documents; the numbers equal groups that pandas builds."""

import json
import re
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.app.calibration.test_calibrated import METRIC, result, said, table, written
from tests.app.code import both
from tests.app.mqm_or_esa.test_mqm_or_esa import figure as few_ties
from tests.app.reading import frame, text
from tests.app.sentinels.test_sentinels import answer
from ui.work.presets import sample

BY = pytest.mark.parametrize("by", ["document", pytest.param("document_means", marks=pytest.mark.campaign)])
PAGES = ("3_Calibration", "6_Sentinels", "10_MQM_or_ESA")
DISCRETE = "Judge-src"
pytestmark = pytest.mark.filterwarnings("ignore::tiekit.TiekitWarning")  # the page says them in words


@pytest.fixture(scope="module")
def data():
    return sample("qaa-qab").select()


def figure(app, name):
    component = next(one for one in app.get("bidi_component") if one.proto.component_name == name)
    return json.loads(component.proto.json)


def groups(data, metric, by):
    """Human and metric scores of each document: of its translations, or the systems' means over its segments."""
    cells = {"human": data.human["mqm"], "metric": data.metrics[metric]}
    tall = pd.DataFrame(
        {
            name: pd.DataFrame(scores).melt(ignore_index=False).set_index("variable", append=True)["value"]
            for name, scores in cells.items()
        }
    ).dropna()
    tall["document"] = [data.documents[segment] for _, segment in tall.index]
    tall["system"] = [system for system, _ in tall.index]
    if by == "document_means":
        tall = tall.groupby(["document", "system"], as_index=False)[["human", "metric"]].mean()
    return [(rows["human"].to_numpy(), rows["metric"].to_numpy()) for _, rows in tall.groupby("document")]


def by_hand(data, metric, by, epsilon=0.0):
    """acc_eq, the mean over the documents of the share of right pairs."""
    values = []
    for human, scores in groups(data, metric, by):
        i, j = np.array(list(combinations(range(len(human)), 2))).T
        h, m = human[i] - human[j], scores[i] - scores[j]
        h[np.abs(h) < 1e-9] = 0.0  # means that differ by rounding alone
        tied = np.abs(m) <= epsilon + 1e-12
        values.append(np.where(h == 0, tied, ~tied & (np.sign(h) == np.sign(m))).mean())
    return float(np.mean(values))


@pytest.mark.parametrize("page", PAGES)
def test_without_documents_no_page_offers_them(open_app, page):
    app = open_app(page, source="my files", layout="one table (CSV or TSV)")
    rows = [f"s{i},{j},{(i * j) % 3},{i + j / 7}" for i in range(3) for j in range(6)]
    app.file_uploader[0].upload("mine.csv", "\n".join(["system,segment,human,m", *rows]).encode()).run()
    assert not app.exception
    assert app.selectbox(key="grouping").options == ["item", "global", "system", "system means"]


@BY
def test_a_metric_is_calibrated_by_document(open_app, data, shown, by):
    app = open_app("3_Calibration", metric=METRIC, grouping=by.replace("_", " "))
    found = tk.calibrate(data, METRIC, grouping=by)
    assert result(app) == written(found)
    assert found.value == pytest.approx(by_hand(data, METRIC, by, found.epsilon), abs=1e-12)
    assert found.value_at_zero == pytest.approx(by_hand(data, METRIC, by), abs=1e-12)
    assert f"{found.n_pairs:,} pairs in {len(set(data.documents))} groups" in said(app, "none sampled")
    for one in json.loads(figure(app, "calibration_explorer")["texts"]["curves"]):
        best = tk.calibrate(data, one["name"], grouping=by)
        assert (one["epsilons"][one["best"]], one["values"][one["best"]]) == (best.epsilon, best.value)
    for values in both(shown, "calibrated"):
        assert values[:2] == (found.epsilon, found.value)


@BY
def test_epsilon_of_documents_is_judged_on_others(open_app, data, shown, by):
    app = open_app("3_Calibration", metric=METRIC, grouping=by.replace("_", " "), folds="3")
    found = tk.cross_validate(data, METRIC, grouping=by, folds=3)
    for cells, row in zip(table(app, "lost").to_numpy().tolist(), found.folds.itertuples(), strict=True):
        assert cells[1:3] == [f"{row.value:.4f} at {row.epsilon:.5g}", f"{row.own_value:.4f} at {row.own_epsilon:.5g}"]
    assert "across parts" not in said(app, "Cross-validated")  # a pair is of one document, so of one part
    for values in both(shown, "held out"):
        assert values[0] == found.value
    parts = {name: data.select(domain=name) for name in ("chat", "news")}
    moved = tk.transfer(tk.calibrate(parts["chat"], METRIC, grouping=by), parts["news"], METRIC)
    domains = next(one.value for one in app.dataframe if "on news" in one.value)
    assert domains["on news"][0] == f"{moved.value:.4f} (−{moved.loss:.4f})"
    other = tk.transfer(tk.calibrate(data, METRIC, grouping=by), sample("qaa-qac"), METRIC)
    pairs = next(one.value for one in app.dataframe if "on qaa-qac" in one.value)
    assert pairs["on qaa-qac"][0] == f"{other.value:.4f} (−{other.loss:.4f})"
    so_few = any("so few pairs" in info.value for info in app.info)
    assert so_few == (by == "document_means")


@BY
def test_shares_of_ties_are_by_document(open_app, data, shown, by):
    links = {"grouping": by.replace("_", " "), "sen_metrics": [DISCRETE, METRIC]}
    app = open_app("6_Sentinels", **links, part="tied pairs")
    given, own = figure(app, "tie_shares"), tk.count_ties(data, grouping=by).share
    expected = tk.sentinels.tie_shares(data, [DISCRETE, METRIC], grouping=by)
    assert given["own"] == pytest.approx(own)
    for one in given["metrics"]:
        if one["name"] in (DISCRETE, METRIC):
            rows = expected[expected["metric"] == one["name"]]
            assert one["values"] == pytest.approx(rows["value"].tolist(), abs=1e-6)
            at = rows[rows["own"]].iloc[0]
            assert at["value"] == pytest.approx(by_hand(data, one["name"], by, at["epsilon"]), abs=1e-12)
    ties = [np.abs(h[:, None] - h[None])[np.triu_indices(len(h), 1)] < 1e-9 for h, _ in groups(data, METRIC, by)]
    cell = table(app, "human score").set_index("human score").loc["mqm", by.replace("_", " ")]
    assert cell == f"{100 * np.concatenate(ties).mean():.1f} %"
    for values in both(shown, "tied pairs"):
        assert values[by] == pytest.approx(own)


@BY
def test_whole_documents_are_held_out_by_document(open_app, data, shown, by):
    links = {"grouping": by.replace("_", " "), "sen_metrics": [DISCRETE, METRIC]}
    app = open_app("6_Sentinels", **links, part="held out", sen_folds="3")
    assert "A fifth of the documents is held out" in text(app)
    assert "across parts" not in text(app)
    found = tk.cross_validate(data, METRIC, grouping=by, folds=3)
    cells = frame(app, "cross-validated").loc[METRIC]
    assert cells["cross-validated"].startswith(f"{found.value:.3f} (")
    assert cells["in-sample"].startswith(f"{by_hand(data, METRIC, by, found.in_sample.epsilon):.3f} (")
    expected = tk.sentinels.held_out_shares(data, [DISCRETE, METRIC], grouping=by)
    for values in both(shown, "held out"):
        rows = values[values["metric"].isin([DISCRETE, METRIC])].sort_values(["metric", "share"], ignore_index=True)
        pd.testing.assert_frame_equal(rows, expected.sort_values(["metric", "share"], ignore_index=True))


@BY
def test_probes_and_metrics_are_correlated_by_document(open_app, data, shown, by):
    links = {"sen_between_by": by.replace("_", " "), "sen_between": "tau_b", "shown_metrics": [DISCRETE, METRIC]}
    app = open_app("6_Sentinels", **links, part="metric by metric")
    assert not [*app.exception, *app.warning]
    values = [
        tk.correlate(human, metric, "tau_b").value for human, metric in groups(data, METRIC, by) if np.ptp(human) > 0
    ]
    shown_value = frame(app, METRIC).loc["the human", METRIC]
    assert shown_value == f"{np.nanmean(values):.3f}".replace("-", "−")
    for found in both(shown, "metric by metric"):
        assert found.loc["the human", METRIC] == pytest.approx(np.nanmean(values), abs=1e-12)


@BY
def test_probes_have_a_column_of_the_chosen_documents(open_app, data, by):
    links = {"part": "probes", "grouping": by.replace("_", " "), "sen_measure": "acc_eq"}
    app = open_app("6_Sentinels", **links)
    answer(app, "", "")
    values = frame(app, by.replace("_", " "))[by.replace("_", " ")]
    assert values[METRIC].startswith(f"{by_hand(data, METRIC, by):.3f} (")


@BY
@pytest.mark.campaign
def test_ranks_over_shares_are_by_document(open_app, data, shown, by):
    app = open_app("10_MQM_or_ESA", grouping=by.replace("_", " "))
    expected = tk.sentinels.rank_intervals(data, grouping=by)
    found = frame(app, "ranks, calibrated")
    assert found["rank"].tolist() == expected["rank"].tolist()
    own = tk.count_ties(data, grouping=by).share
    assert few_ties(app)["own"] == pytest.approx(own)
    for name in (METRIC, DISCRETE):
        best = tk.calibrate(data, name, grouping=by)
        assert found.loc[name, "acc_eq*"] == pytest.approx(by_hand(data, name, by, best.epsilon), abs=1e-12)
        assert found.loc[name, "acc_eq"] == pytest.approx(by_hand(data, name, by), abs=1e-12)
        folds = tk.cross_validate(data, name, grouping=by)
        assert found.loc[name, "acc_eq*, held out"] == pytest.approx(folds.value)
    rows = next(one.value for one in app.table if "pairs tied" in one.value)
    mine = rows[rows["set"].str.startswith("this set")].iloc[0]
    assert mine["set"].endswith(f", by {by.replace('_', ' ')}, mqm")
    assert mine["pairs tied"].replace("\\", "") == f"{100 * own:.1f} %"
    for values in both(shown, "rank intervals"):
        pd.testing.assert_frame_equal(values, expected)


def test_documents_whose_means_never_tie_have_no_other_shares(open_app):
    rng = np.random.default_rng(0)
    rows = [f"s{i},{j},{j // 3},{rng.random():.6f},{rng.random():.3f}" for i in range(4) for j in range(12)]
    for page in PAGES[1:]:
        app = open_app(page, source="my files", layout="one table (CSV or TSV)", grouping="document means")
        head = "system,segment,document,human,m"
        app.file_uploader[0].upload("mine.csv", "\n".join([head, *rows]).encode()).run()
        assert not [*app.exception, *app.error]
        assert len([info for info in app.info if re.search("ties no pair here", info.value)]) == 1


@BY
@pytest.mark.parametrize("page", PAGES)
def test_the_same_scores_in_other_documents_are_computed_anew(open_app, page, by):
    rng = np.random.default_rng(3)
    human, metric = rng.integers(0, 3, (4, 24)), rng.integers(0, 9, (4, 24))
    for documents in (list("aaaabbbbccccddddeeeeffff"), list("abcdef" * 4)):
        rows = [f"s{i},{j},{documents[j]},{human[i, j]},{metric[i, j]}" for i in range(4) for j in range(24)]
        app = open_app(page, source="my files", layout="one table (CSV or TSV)", grouping=by.replace("_", " "))
        lines = "\n".join(["system,segment,document,human,m", *rows])
        app.file_uploader[0].upload("mine.csv", lines.encode()).run()
        assert not app.exception
        asked = {"grouping": by, "documents": documents}
        if page == "3_Calibration":
            assert result(app) == written(tk.calibrate(human, metric, **asked))
        else:
            name, own = {"6_Sentinels": "tie_shares", "10_MQM_or_ESA": "few_ties"}[page], tk.count_ties(human, **asked)
            given = figure(app, name)
            assert given["own"] == pytest.approx(own.share)
            expected = tk.sentinels.tie_shares(human, {"m": metric}, shares=given["shares"], **asked)["value"]
            [values] = [one["values"] for one in given["metrics"] if one["name"] == "m"]
            assert values == pytest.approx(expected.tolist(), abs=1e-6)
