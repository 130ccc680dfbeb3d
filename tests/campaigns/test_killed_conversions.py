"""A hundred conversions are killed at random moments, by each signal: the old set stays, or the new one is there."""

from __future__ import annotations

import signal
from pathlib import Path

from tests.sets.killed import kill_conversions


def test_a_hundred_killed_conversions_leave_the_old_set_or_the_new(tmp_path: Path) -> None:
    signals = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)
    assert kill_conversions(tmp_path, 100, seed=35, signals=signals) == {False, True}
