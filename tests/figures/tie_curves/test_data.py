"""The thinned curves hold exact values, the best threshold among them, and never many points."""

import json

import numpy as np
import pytest

import tiekit as tk
from tiekit.figures.tie_curves import data
from tiekit.figures.tie_curves.page import KEYS, as_page

SETTINGS = "acc_eq", "item", "absolute"


@pytest.fixture
def scores():
    rng = np.random.default_rng(5)
    return rng.integers(0, 4, (8, 40)).astype(float), rng.normal(size=(8, 40))


@pytest.mark.parametrize("settings", [SETTINGS, ("tau_eq", "global", "absolute"), ("acc_eq", "system", "relative")])
def test_each_point_is_what_the_library_says(scores, settings):
    coefficient, grouping, difference = settings
    best = tk.calibrate(*scores, coefficient, grouping=grouping, difference=difference)
    curve = data.thin_curve(*scores, settings)
    assert len(curve.epsilons) <= 200
    assert curve.epsilons[curve.best] == best.epsilon
    assert curve.values[curve.best] == best.value
    assert (curve.values[0], curve.tied[0]) == (best.value_at_zero, 0)
    assert max(curve.values) == best.value
    assert curve.tied == sorted(curve.tied)
    assert curve.tied[curve.best] == pytest.approx(best.meaning.tied, abs=1e-5)
    assert curve.human == pytest.approx(best.meaning.tied_by_human)
    if difference == "absolute":
        assert best.epsilon / curve.deviation == pytest.approx(best.meaning.deviations)
    else:
        assert curve.deviation is None


def test_a_constant_metric_reaches_the_share_of_human_ties(scores):
    human, metric = scores
    constant = data.constant_value(human, SETTINGS)
    assert constant == pytest.approx(tk.count_ties(human, grouping="item").share)
    assert data.thin_curve(human, metric, SETTINGS).values[-1] == pytest.approx(constant)
    assert data.constant_value(human, ("tau_b", "item", "absolute")) is None


def test_where_there_is_nothing_to_compare_there_is_no_curve():
    assert data.thin_curve(np.array([[1.0, 2.0]]), np.array([[1.0, 2.0]]), SETTINGS) is None


def test_a_page_holds_the_curves_and_what_moves(scores):
    curves = {"<m>": data.thin_curve(*scores, SETTINGS)}
    given = data.given(curves, "acc_eq", 0.25, "gone")
    assert (given["chosen"], given["tied"], set(KEYS) <= set(given)) == ("<m>", None, True)
    json.dumps(given, allow_nan=False)
    assert "\\u003Cm>" in as_page(given, "Made up.")()
