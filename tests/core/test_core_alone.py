"""The core works by itself: whatever else the library needs is out of reach here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

ALONE = """
import importlib.abc, sys

class Forbid(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"pandas", "altair", "streamlit", "joblib", "click", "requests", "pooch"}:
            raise ImportError(f"{name} is out of reach here")

sys.meta_path.insert(0, Forbid())
from tiekit import core

human, metric = [[0, 1, 1, None], [1, 1, 0, 2]], [[0.1, 0.3, 0.2, 0.4], [0.5, 0.2, 0.3, 0.1]]
print(core.count_pairs(human[1], metric[1]).concordant)
print(core.correlate(human, metric, "tau_b", grouping="global").n_groups)
print(core.group(human, metric, "system").sizes.tolist())
print(core.calibrate(human, metric).epsilon)
print(core.count_ties(human).n_tied)
print(core.correlate(human, metric))
print(*sorted({name.split(".")[1] for name in sys.modules if name.startswith("tiekit.")}))
"""


def test_the_core_counts_correlates_groups_and_calibrates_with_nothing_else_in_reach() -> None:
    done = subprocess.run([sys.executable, "-c", ALONE], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    concordant, n_groups, sizes, epsilon, n_tied, text, *_, rooms = done.stdout.splitlines()
    assert (concordant, n_groups, sizes, n_tied) == ("1", "1", "[3, 4]", "1")
    assert float(epsilon) >= 0
    assert text.startswith("Correlation(")
    assert rooms == "base core"
