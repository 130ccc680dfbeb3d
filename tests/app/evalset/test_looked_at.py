"""What a page shows at first is found out from so many scores, however large the set is."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import tiekit as tk
from ui.calibration import on_set
from ui.evalset import compared_set, tie_kinds

MOST = 600


@pytest.fixture
def case(monkeypatch):
    """A set with four times as many scores as are looked at, as a page compares it."""
    monkeypatch.setattr(compared_set, "LOOKED_AT", MOST)
    draw = np.random.default_rng(1)
    human = draw.integers(0, 9, (4, 200)).astype(float)
    metrics = {"noise": draw.random(human.shape), "good": human + draw.random(human.shape), "flat": 0 * human}
    names, segments = tuple("abcd"), tuple(map(str, range(200)))
    data = tk.EvalSet("set", "", names, segments, {"human": human}, metrics)
    return SimpleNamespace(
        data=data, human=human, metrics=metrics, key=("looked at",), levels=dict.fromkeys(metrics, 99)
    )


@pytest.mark.parametrize(
    ("module", "name", "found"),
    [
        (on_set, "calibrate_scores", lambda case: on_set._best_first(case.data)[0] == "good"),
        (tie_kinds, "calibrate_scores", lambda case: "good" in tie_kinds.usual(case)),
    ],
)
def test_what_is_shown_at_first_is_found_out_from_so_many_scores(monkeypatch, case, module, name, found):
    seen, call = [], getattr(module, name)

    def counted(human, scores, *others):
        seen.append(human.size * (len(scores) if isinstance(scores, dict) else 1))
        return call(human, scores, *others)

    monkeypatch.setattr(module, name, counted)
    assert found(case)
    assert 0 < sum(seen) <= MOST


def test_of_a_small_set_all_scores_are_looked_at():
    human = np.zeros((2, 3))
    assert compared_set.scores_to_look_at(human, {"m": human})[0].shape == human.shape
