"""The lower half of the Calibration page: epsilon of a metric of an evaluation set."""

import re

import numpy as np
import pytest

import tiekit as tk
from ui.work.presets import DATA

PAGE = "3_Calibration"
METRIC = "Contour-refA"


@pytest.fixture(scope="module")
def sample():
    return tk.read_mtme(DATA, "synthetic", "qaa-qab")


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


def alt(app, start):
    return next(chart.proto.alt for chart in app.get("vega_lite_chart") if chart.proto.alt.startswith(start))


def table(app, heading):
    return next(shown.value for shown in app.table if heading in shown.value.columns)


def test_it_opens_on_a_metric_that_gains_from_ties(open_app, sample):
    app = open_app(PAGE)
    first = app.selectbox(key="metric").value
    found = tk.calibrate(*scores(sample, first))
    assert found.epsilon > 0
    assert result(app) == written(found)
    assert f"{found.n_pairs:,} pairs in {found.n_groups:,} groups" in said(app, "none sampled")
    assert app.selectbox(key="metric").options[-1] == "Constant-src"


def test_what_epsilon_means_is_the_librarys(open_app, sample):
    found = tk.calibrate(*scores(sample), grouping="global")
    shown = table(open_app(PAGE, metric=METRIC, grouping="global"), "What ε* means").iloc[:, 1].tolist()
    meaning = found.meaning
    assert float(shown[0]) == found.epsilon
    assert shown[1:] == [
        f"{meaning.deviations:.3f}",
        f"{meaning.percentile:.1f} %",
        f"{100 * meaning.tied:.1f} %",
        f"{100 * meaning.tied_by_human:.1f} %",
    ]


@pytest.mark.parametrize(("folds", "grouping"), [("2", "item"), ("5", "global")])
def test_parts_are_whole_documents_as_the_library_deals_them(open_app, sample, folds, grouping):
    app = open_app(PAGE, metric=METRIC, folds=folds, grouping=grouping)
    found = tk.cross_validate(*scores(sample), grouping=grouping, folds=int(folds), documents=sample.documents)
    shown = table(app, "lost")
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


def test_from_domain_to_domain(open_app, sample):
    shown = open_app(PAGE, metric=METRIC).dataframe[0].value
    found = {name: tk.calibrate(*scores(sample.select(domain=name))) for name in ("chat", "news")}
    for row, one in zip(shown.to_numpy().tolist(), found, strict=True):
        assert row[0] == f"{one} ({found[one].epsilon:.5g})"
        for cell, other in zip(row[1:], found, strict=True):
            moved = tk.transfer(found[one], *scores(sample.select(domain=other)))
            expected = f"{moved.value:.4f} " + ("(own)" if one == other else f"(−{moved.loss:.4f})")
            assert cell == expected


def test_a_constant_metric_does_no_harm(open_app, sample):
    app = open_app(PAGE, metric="Constant-src")
    assert result(app) == written(tk.calibrate(*scores(sample, "Constant-src")))
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
