"""A value by decimals kept is that of the rounded scores."""

import numpy as np
import pytest

import tiekit as tk
from tiekit.measures import by_decimals

RNG = np.random.default_rng(6)
HUMAN = RNG.integers(0, 4, (5, 30)).astype(float)
METRIC = HUMAN / 10 + RNG.normal(size=HUMAN.shape) / 9
METRIC[0, 0] = np.nan


def test_each_row_is_that_of_rounded_scores():
    measures = ["item/tau_b", "global/acc_eq*", "system/pearson"]
    found = by_decimals(HUMAN, METRIC, [0, 1, 2, 9], measures)
    assert list(found.columns) == ["levels", "tied", *measures]
    for places, row in found.iterrows():
        rounded = METRIC.round(places)
        assert row["levels"] == np.unique(rounded[~np.isnan(rounded)]).size
        assert row["tied"] == tk.count_ties(rounded, where=HUMAN, grouping="item").share
        for measure in measures:
            assert row[measure] == pytest.approx(tk.correlate(HUMAN, rounded, measure).value, abs=1e-12, nan_ok=True)
    assert found.loc[9, "tied"] == 0


def test_vectors_and_sets():
    vector = by_decimals(HUMAN[1], METRIC[1], [1, -1], "global/tau_b")
    assert vector.loc[1, "global/tau_b"] == tk.correlate(HUMAN[1], METRIC[1].round(1), "tau_b").value
    assert np.isnan(vector.loc[-1, "global/tau_b"])
    assert vector.loc[-1, "tied"] == 1
    data = tk.load("synthetic", "qaa-qab")
    assert by_decimals(data, "Contour").index.tolist() == list(range(7))


@pytest.mark.parametrize("decimals", [[], [301], [1.5], ["1"]])
def test_other_decimals_are_refused(decimals):
    with pytest.raises(tk.InputError, match=r"^decimals: must be"):
        by_decimals(HUMAN, METRIC, decimals)
