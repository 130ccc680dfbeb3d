"""Columns that join a system and a metric become one metric each, and bounds beside them are left out."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import tiekit as tk

pytestmark = pytest.mark.filterwarnings("ignore::tiekit.RoleWarning", "ignore::tiekit.LeftOutWarning")

WHOLE = tk.load("wmt22", "zh-en")
ROWS = [place for place, row in enumerate(WHOLE.metrics["BLEU-refA"]) if not np.isnan(row).any()][:6]
SYSTEMS, SEGMENTS = tuple(WHOLE.systems[row] for row in ROWS), WHOLE.segments[:40]
COMET, BLEU = (WHOLE.metrics[name][ROWS, :40] for name in ("COMET-20-refA", "BLEU-refA"))
DATA = tk.EvalSet("toy", "", SYSTEMS, SEGMENTS, {"mqm": WHOLE.human["mqm"][ROWS, :40]}, {})


def wide(**metrics: np.ndarray) -> pd.DataFrame:
    """A column for each name, in which {} stands for the system."""
    columns = {
        name.format(system): row for name, rows in metrics.items() for system, row in zip(SYSTEMS, rows, strict=True)
    }
    return pd.DataFrame(columns, index=pd.Index(SEGMENTS, name="segment"))


@pytest.mark.parametrize("names", [("{}_comet", "{}_bleu"), ("{} - comet", "{} - bleu"), ("comet-{}", "bleu-{}")])
@pytest.mark.parametrize("kind", ["csv", "frame", "turned", "shuffled"])
def test_columns_of_two_metrics_are_two_metrics(tmp_path, names, kind) -> None:
    frame = wide(**dict(zip(names, (COMET, BLEU), strict=True)))
    frame = frame[[*frame.columns[::-1]]] if kind == "turned" else frame
    frame = frame.sample(frac=1, axis=0, random_state=3) if kind == "shuffled" else frame
    frame.to_csv(path := tmp_path / "scores.csv")
    source = path if kind == "csv" else frame
    more = DATA.with_scores(source)
    np.testing.assert_array_equal(more.metrics["comet"], COMET)
    np.testing.assert_array_equal(more.metrics["bleu"], BLEU)
    alone = DATA.with_scores(source, metrics="comet", name="x")
    np.testing.assert_array_equal(alone.metrics["x"], COMET)
    assert [*alone.metrics] == ["x"]


@pytest.mark.parametrize(("name", "called"), [("{} - comet", "comet"), ("{}", "export")])
def test_bounds_of_an_export_of_weights_and_biases_are_left_out(tmp_path, name, called) -> None:
    frame = wide(**{name: COMET, f"{name}__MIN": COMET - 1, f"{name}__MAX": COMET + 1})
    frame.reset_index(drop=True).rename_axis("Step").to_csv(path := tmp_path / "export.csv")
    more = DATA.with_scores(path)
    assert [*more.metrics] == [called]
    np.testing.assert_array_equal(more.metrics[called], COMET)


def test_columns_of_two_persons_are_divided_by_the_step() -> None:
    frame = wide(**{"{}_r1": COMET, "{}_r2": BLEU})
    with pytest.raises(tk.InputError, match="by themselves, such as") as found:
        DATA.with_scores(frame)
    step = re.search(r"such as (.*)$", str(found.value))[1]
    for source in (frame, frame.reset_index()):
        more = DATA.with_scores(eval(step, {"FRAME": source}), name="x")
        np.testing.assert_array_equal(more.metrics["x"], COMET)
