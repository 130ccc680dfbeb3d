"""The lower half of the Calibration page: epsilon of a metric of an evaluation set."""

import re

import numpy as np
import pandas as pd
import pytest

import tiekit as tk
from tests.app.reading import frame
from tiekit.readers import data_file
from ui.calibration import other_data
from ui.work import presets

PAGE = "3_Calibration"
METRIC = "Contour-refA"


def scores(data, metric=METRIC, human="mqm"):
    chosen = data.select()
    return chosen.human[human], chosen.metrics[metric]


def said(app, start):
    """The one text that begins so, without Markdown's escapes."""
    texts = [element.value.replace("\\", "") for element in app.markdown]
    return next(text for text in texts if start in text)


def result(app, label="acc_eq"):
    """Value at 0, value at epsilon*, epsilon* as the page says them."""
    text = said(app, "none sampled")
    rises = re.search(rf"{label} rises from (\S+) at ε = 0 to (\S+) at ε\* = (\S+?)\.\*\*", text)
    if rises:
        return tuple(float(number.replace("−", "-")) for number in rises.groups())
    value = re.search(rf"{label} is highest, (\S+), at ε\* = 0", text)[1]
    return float(value), float(value), 0.0


def written(found):
    return float(f"{found.value_at_zero:.4f}"), float(f"{found.value:.4f}"), float(f"{found.epsilon:.5g}")


def test_it_opens_on_a_metric_that_gains_from_ties(open_app, synthetic):
    app = open_app(PAGE)
    first = app.selectbox(key="metric").value
    found = tk.calibrate(*scores(synthetic, first))
    assert found.epsilon > 0
    assert result(app) == written(found)
    assert f"{found.n_pairs:,} pairs in {found.n_groups:,} groups" in said(app, "none sampled")
    assert app.selectbox(key="metric").options[-1] == "Constant-src"


def test_what_epsilon_means_is_the_librarys(open_app, synthetic):
    found = tk.calibrate(*scores(synthetic), grouping="global")
    shown = frame(open_app(PAGE, metric=METRIC, grouping="global"), "What ε* means").iloc[:, 1].tolist()
    meaning = found.meaning
    assert float(shown[0]) == found.epsilon
    assert shown[1:] == [
        f"{meaning.deviations:.3f}",
        f"{meaning.percentile:.1f} %",
        f"{100 * meaning.tied:.1f} %",
        f"{100 * meaning.tied_by_human:.1f} %",
    ]


@pytest.mark.parametrize(("folds", "grouping"), [("2", "item"), ("5", "global")])
def test_parts_are_whole_documents_as_the_library_deals_them(open_app, synthetic, folds, grouping):
    app = open_app(PAGE, metric=METRIC, folds=folds, grouping=grouping)
    found = tk.cross_validate(*scores(synthetic), grouping=grouping, folds=int(folds), documents=synthetic.documents)
    shown = frame(app, "lost")
    assert len(shown) == int(folds)
    for cells, row in zip(shown.to_numpy().tolist(), found.folds.itertuples(), strict=True):
        held_out, own, lost = cells[-3:]
        assert held_out == f"{row.value:.4f} at {row.epsilon:.5g}"
        assert own == f"{row.own_value:.4f} at {row.own_epsilon:.5g}"
        assert lost == f"{row.loss:.4f}"
    words = said(app, "Cross-validated")
    assert f"Cross-validated acc_eq {found.value:.4f}" in words
    assert f"a part would have {found.folds['own_value'].mean():.4f} on average" in words
    assert f"In-sample, on all together: {found.in_sample.value:.4f}" in words
    assert ("across parts" in words) == (grouping != "item")


def test_from_domain_to_domain(open_app, synthetic):
    shown = open_app(PAGE, metric=METRIC).dataframe[0].value
    found = {name: tk.calibrate(*scores(synthetic.select(domain=name))) for name in ("chat", "news")}
    for row, one in zip(shown.to_numpy().tolist(), found, strict=True):
        assert row[0] == f"{one} ({found[one].epsilon:.5g})"
        for cell, other in zip(row[1:], found, strict=True):
            moved = tk.transfer(found[one], *scores(synthetic.select(domain=other)))
            expected = f"{moved.value:.4f} " + ("(own)" if one == other else f"(−{moved.loss:.4f})")
            assert cell == expected


def test_a_constant_metric_does_no_harm(open_app, synthetic):
    app = open_app(PAGE, metric="Constant-src")
    assert result(app) == written(tk.calibrate(*scores(synthetic, "Constant-src")))
    assert "tying more pairs would not help" in said(app, "none sampled")
    app.selectbox(key="coefficient").select("tau_b").run()
    assert not app.exception
    assert any("undefined here" in info.value for info in app.info)


def test_a_metric_that_falls_is_pointed_out_and_the_switch_is_its_own(open_app):
    rng = np.random.default_rng(4)
    human = rng.integers(0, 4, 80)
    errors = -human + rng.normal(size=80)
    text = "\n".join(["human,TER", *(f"{h},{m}" for h, m in zip(human, errors, strict=True))])
    app = open_app(PAGE, source="my files", layout="one table (CSV or TSV)")
    app.file_uploader[0].upload("ter.csv", text.encode()).run()
    assert any("falls where the human score rises" in warning.value for warning in app.warning)
    app.button_group(key="lower").set_value(["TER"]).run()
    assert not app.exception
    assert not app.warning
    assert result(app) == written(tk.calibrate(human, -errors))


@pytest.mark.parametrize("lines", ["human,m\n,1\n,2\n,3", "human,m\n1,\n2,\n,3", "human,m\n1,2"], ids=["h", "m", "1"])
def test_where_nothing_can_be_compared_there_is_a_message_and_nothing_else(open_app, lines):
    app = open_app(PAGE, source="my files", layout="one table (CSV or TSV)")
    app.file_uploader[0].upload("empty.csv", lines.encode()).run()
    assert not app.exception
    told = [element.value for element in (*app.info, *app.error)]
    assert any("undefined here" in text or "number" in text or "score" in text for text in told), told
    assert not any("ε\\*" in element.value and "Interpretation:" in element.value for element in app.markdown)
    assert not any(chart.proto.alt.startswith("Curve of") for chart in app.get("vega_lite_chart"))


# ------------------------------------------------------------------------------------------- other language pairs


def test_the_synthetic_pairs_are_judged_by_each_others_epsilon(open_app):
    app = open_app("3_Calibration")
    metric = app.selectbox(key="metric").value
    shown = frame(app, "on qaa-qac")
    one, other = (presets.sample(pair) for pair in ("qaa-qab", "qaa-qac"))
    expected = tk.transfer(tk.calibrate(one, metric), other, metric)
    assert shown["ε* of"][0] == f"qaa-qab ({expected.epsilon:.5g})"
    assert shown["on qaa-qac"][0] == f"{expected.value:.4f} (−{expected.loss:.4f})"
    assert shown["on qaa-qab"][0] == f"{tk.calibrate(one, metric).value:.4f} (own)"


def test_where_one_pair_is_open_the_printed_thresholds_are_shown(open_app):
    app = open_app("3_Calibration", source="WMT22 Chinese–English")
    text = " ".join(one.value for one in app.markdown)
    assert "only one pair is open" in text
    shown = frame(app, "zh-en")
    printed = pd.read_csv(data_file("papers/deutsch2023_tables.csv"))
    rows = printed[(printed["grouping"] == "item") & (printed["metric"] == "Metric-X")]
    [row] = [row for _, row in shown.iterrows() if row["metric"] == "Metric-X"]
    assert {pair: float(row[pair]) for pair in rows["language_pair"]} == dict(
        zip(rows["language_pair"], rows["epsilon(acc_eq)"], strict=True)
    )


@pytest.mark.parametrize("grouping", ["item", "system", "global", "system_means"])
def test_printed_thresholds_are_by_grouping(grouping):
    assert other_data.printed_thresholds(grouping).empty == (grouping == "system_means")
