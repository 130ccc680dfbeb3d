"""The pages of their own that a page offers hold what it shows."""

from __future__ import annotations

import json

import pytest

import tiekit as tk
from ui.work import downloads
from ui.work.presets import sample


@pytest.fixture
def embedded(monkeypatch):
    """The pages of their own that a page offers, by file name; nothing of the session may be asked for later."""
    found = {}
    monkeypatch.setattr(downloads, "embed", lambda make, file, **_: found.update({file: make}))
    return lambda: {file: make() for file, make in found.items()}


def data_in(text):
    """What a page of its own is given."""
    given, _ = json.JSONDecoder().raw_decode(text.partition("$entry.show(")[2])
    return given


def test_the_lab_is_embedded_as_it_is(open_app, embedded):
    open_app("1_Toy_lab", h="1 2 3", m1="3 2 2", metrics="1", eps="1", pair="1-3")
    [(file, text)] = embedded().items()
    given = data_in(text)
    assert file == "toy-lab.html"
    assert (given["human"], given["epsilon"], given["pair"]) == ([1, 2, 3], 1, [0, 2])
    assert given["metrics"][0]["scores"] == [3, 2, 2]


def test_calibrations_are_embedded_as_they_are(open_app, embedded):
    open_app("3_Calibration", cal_h="1 2 3", cal_m="1 2 4", metric="Contour-QE-src")
    given = {file: data_in(text) for file, text in embedded().items()}
    assert len(given) == 3
    alone = [one for file, one in given.items() if file.endswith("calibration.html")]
    own, toy = sorted(alone, key=lambda one: one["curve"] is None)
    assert (toy["human"], toy["metric"]) == ([1, 2, 3], [1, 2, 4])
    found = tk.calibrate(sample("qaa-qab"), "Contour-QE-src")
    assert own["epsilon"] == own["curve"]["epsilons"][own["curve"]["best"]] == found.epsilon
    [every] = [one for one in given.values() if one not in alone]
    chosen = next(curve for curve in every["curves"] if curve["name"] == every["chosen"] == "Contour-QE-src")
    assert (chosen["epsilons"][chosen["best"]], chosen["values"][chosen["best"]]) == (found.epsilon, found.value)
    assert max(len(curve["epsilons"]) for curve in every["curves"]) <= 200
