"""What the figure of groupings is given, as JSON takes it."""

import json
import math

import pytest

import tiekit as tk
from tiekit.figures.grouping.data import given
from tiekit.figures.grouping.page import FIGURE, KEYS, TITLE

HUMAN, METRICS = [[1, math.nan], [2, 3]], {"a": [[1, 2], [3, math.nan]], "b": [[4, 3], [2, 1]]}


def test_missing_scores_are_null_and_systems_are_numbered():
    data = json.loads(json.dumps(given(HUMAN, METRICS, "tau_b"), allow_nan=False))
    assert data["human"] == [[1, None], [2, 3]]
    assert data["metrics"][0] == {"name": "a", "scores": [[1, 2], [3, None]]}
    assert (data["systems"], data["segments"]) == (["system 1", "system 2"], ["segment 1", "segment 2"])
    assert data["coefficient"] == {"name": "tau_b", "label": tk.COEFFICIENTS["tau_b"].label}
    assert given(HUMAN, METRICS, "tau_b", ["x", "y"], ["7", "8"])["systems"] == ["x", "y"]


def test_an_unknown_coefficient_is_refused():
    with pytest.raises(tk.InputError, match="tau_z"):
        given(HUMAN, METRICS, "tau_z")


def test_it_becomes_a_page_of_its_own():
    text = FIGURE.as_page(given(HUMAN, METRICS, "acc_eq"), KEYS, TITLE, "Two metrics.")
    assert "openFigure" in text
    assert "system 2" in text
