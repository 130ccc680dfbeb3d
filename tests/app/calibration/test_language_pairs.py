"""ε* of one language pair on another is what `tiekit.transfer` gives, and printed thresholds are those of the paper."""

from __future__ import annotations

import pandas as pd
import pytest

import tiekit as tk
from tiekit.readers import data_file
from ui.calibration import other_data
from ui.work import presets


def table_of(app, column):
    [found] = [frame.value for frame in app.dataframe if column in frame.value]
    return found


def test_the_synthetic_pairs_are_judged_by_each_others_epsilon(open_app):
    app = open_app("3_Calibration")
    metric = app.selectbox(key="metric").value
    shown = table_of(app, "on qaa-qac")
    one, other = (presets.sample(pair) for pair in ("qaa-qab", "qaa-qac"))
    expected = tk.transfer(tk.calibrate(one, metric), other, metric)
    assert shown["ε* of"][0] == f"qaa-qab ({expected.epsilon:.5g})"
    assert shown["on qaa-qac"][0] == f"{expected.value:.4f} (−{expected.loss:.4f})"
    assert shown["on qaa-qab"][0] == f"{tk.calibrate(one, metric).value:.4f} (own)"


def test_where_one_pair_is_open_the_printed_thresholds_are_shown(open_app):
    app = open_app("3_Calibration", source="WMT22 Chinese–English")
    text = " ".join(one.value for one in app.markdown)
    assert "only one pair is open" in text
    shown = table_of(app, "zh-en")
    printed = pd.read_csv(data_file("papers/deutsch2023_tables.csv"))
    rows = printed[(printed["grouping"] == "item") & (printed["metric"] == "Metric-X")]
    [row] = [row for _, row in shown.iterrows() if row["metric"] == "Metric-X"]
    assert {pair: float(row[pair]) for pair in rows["language_pair"]} == dict(
        zip(rows["language_pair"], rows["epsilon(acc_eq)"], strict=True)
    )


@pytest.mark.parametrize("grouping", ["item", "system", "global", "system_means"])
def test_printed_thresholds_are_by_grouping(grouping):
    assert other_data.printed_thresholds(grouping).empty == (grouping == "system_means")
