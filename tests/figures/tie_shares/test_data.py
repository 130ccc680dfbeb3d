"""The figure of human ties is given the library's values; the best discrete metric stands out at first."""

import json

import numpy as np
import pytest

import tiekit as tk
from tiekit.figures import FIGURES
from tiekit.figures import tie_shares as data


@pytest.fixture(scope="module")
def found():
    wmt22 = tk.load_wmt22().select(exclude=tk.load_wmt22().default_exclude)
    matese = wmt22.metrics["MATESE-refA"]
    metrics = {"MATESE-refA": matese, "MATESE-refA + noise": tk.sentinels.perturb(matese, rng=0)}
    with pytest.warns(tk.NearTieWarning):
        return tk.sentinels.tie_shares(wmt22.human["mqm"], metrics, shares=[0.0, 0.08, 0.4])


KINDS = {"MATESE-refA": "discrete", "MATESE-refA + noise": "sentinel"}


def test_noise_makes_matese_better_where_the_human_ties_few_pairs(found):
    given = data.figure_data(found, KINDS, "acc_eq", 0.4155)
    values = {metric["name"]: metric["values"] for metric in given["metrics"]}
    assert given["shares"] == [0.0, 0.08, 0.4]
    assert [f"{values[name][1]:.3f}" for name in KINDS] == ["0.476", "0.515"]
    assert (given["chosen"], given["share"], given["label"]) == ("MATESE-refA", 0.08, "acc_eq*")
    assert [metric["of"] for metric in given["metrics"]] == ["MATESE-refA"] * 2
    assert "MATESE-refA" in FIGURES["tie_shares"].page(given, "Made up.")


def test_what_is_undefined_is_null(found):
    gaps = found.assign(value=np.where(found["share"] == 0, np.nan, found["value"]))
    given = data.figure_data(gaps, KINDS, "acc_eq", 0.0, "MATESE-refA + noise", 0.4)
    assert [metric["values"][0] for metric in given["metrics"]] == [None, None]
    assert (given["chosen"], given["share"]) == ("MATESE-refA", 0.4)
    json.dumps(given, allow_nan=False)
