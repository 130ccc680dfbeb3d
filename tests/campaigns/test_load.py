"""The benchmark of many sessions plays its lesson to the end, and every session finds its own numbers."""

from __future__ import annotations

import pytest

from benchmarks import load
from benchmarks.cases import Sizes

pytestmark = pytest.mark.browser


def test_a_short_lesson_is_played_through(monkeypatch):
    monkeypatch.setattr(load, "RUNS", ((1, 2),))
    monkeypatch.setattr(load, "MINUTES", 3)
    monkeypatch.setattr(load, "PAUSE", (0.1, 0.2))
    steps, memory, own = load.rows(Sizes(), None)
    assert steps.case.startswith("2 sessions, ")
    assert int(steps.case.split(", ")[1].split()[0]) >= 12  # so that Calibration's own numbers are looked at
    assert int(memory.tiekit.split()[0]) > 0
    assert own.tiekit.endswith("of one core")
