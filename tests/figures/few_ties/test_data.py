"""The figure of few ties is given ranks among all metrics, a sentinel's in its metric's place, and rank intervals."""

import json

import numpy as np
import pandas as pd
import pytest

from tiekit.figures import FIGURES, FIRST_SHARE
from tiekit.figures import few_ties as data
from tiekit.figures.json_values import read_story

NAN = float("nan")
SHARES = [0.0, 0.067, 0.3, 0.53, 0.6]
VALUES = {
    "coarse": [0.1, 0.4, 0.5, 0.6, 0.7],
    "coarse + noise": [0.6, 0.55, 0.5, 0.6, 0.7],
    "fine": [0.8, 0.5, 0.4, NAN, 0.6],
    "other": [0.7, 0.6, 0.45, 0.5, 0.8],
}
KINDS = {"coarse": "discrete", "coarse + noise": "sentinel", "fine": "continuous", "other": "continuous"}


def found_values():
    rows = [
        (name, share, value) for name, values in VALUES.items() for share, value in zip(SHARES, values, strict=True)
    ]
    return pd.DataFrame(rows, columns=["metric", "share", "value"])


@pytest.fixture
def found():
    return found_values()


def by_name(given):
    return {metric["name"]: metric for metric in given["metrics"]}


def test_ranks_are_among_all_metrics(found):
    given = data.figure_data(found, ["coarse", "coarse + noise", "fine"], KINDS, "acc_eq", 0.3)
    metrics = by_name(given)
    assert list(metrics) == ["coarse", "coarse + noise", "fine"]
    assert given["total"] == 3
    assert metrics["coarse"]["ranks"] == [3, 3, 1, 1, 2]
    assert metrics["coarse + noise"]["ranks"] == [3, 2, 1, 1, 2]  # "coarse" itself is no rival of its noise
    assert metrics["fine"]["ranks"] == [1, 2, 3, None, 3]
    assert metrics["fine"]["values"] == [0.8, 0.5, 0.4, None, 0.6]
    json.dumps(given, allow_nan=False)


def test_intervals_are_over_the_published_shares_and_the_sets_own(found):
    metrics = by_name(data.figure_data(found, ["coarse", "fine"], KINDS, "acc_eq", 0.3))
    assert (metrics["coarse"]["best"], metrics["coarse"]["worst"]) == (1, 3)
    assert (metrics["fine"]["best"], metrics["fine"]["worst"]) == (2, 3)  # rank 1 without any human tie is left out
    own = by_name(data.figure_data(found, ["fine"], KINDS, "acc_eq", 0.0))
    assert own["fine"]["best"] == 1


@pytest.mark.parametrize(
    ("asked", "chosen"), [("", "coarse"), ("fine", "fine"), ("coarse + noise", "coarse"), ("x", "coarse")]
)
def test_the_metric_that_stands_out(found, asked, chosen):
    assert data.figure_data(found, list(KINDS), KINDS, "acc_eq", 0.3, asked)["chosen"] == chosen
    assert data.figure_data(found, ["fine", "other"], KINDS, "acc_eq", 0.3, "x")["chosen"] == "other"


def test_the_page_of_its_own_holds_the_published_sets(found):
    given = data.figure_data(found, list(KINDS), KINDS, "acc_eq", 0.3)
    assert {"name": "WMT24 en-zh", "protocol": "ESA", "share": 0.067} in given["sets"]
    assert given["share"] == FIRST_SHARE
    lesson = read_story()["pages"][5]
    assert all(f" {100 * FIRST_SHARE:.0f} %" in one["question"] for one in (lesson, lesson["app"]))
    text = FIGURES["few_ties"].page(given, "Made up.")
    assert "WMT22 en-de" in text
    assert "coarse + noise" in text


def test_without_any_value_there_is_no_rank(found):
    given = data.figure_data(found.assign(value=np.nan), ["fine"], KINDS, "acc_eq", 0.3)
    assert (given["metrics"][0]["best"], given["metrics"][0]["ranks"]) == (None, [None] * 5)
