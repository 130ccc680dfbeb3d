"""What the page Sentinels says of each probe: which metric follows it most, and where none can."""

from __future__ import annotations

import numpy as np

import tiekit as tk
from ui.sentinels import signals


def test_the_closest_metric_is_named_and_a_probe_that_is_constant_in_every_group_has_none():
    human = np.array([[1.0, 5, 2], [3, 4, 9], [2, 7, 7]])
    length = np.array([[3.0, 1, 2], [1, 3, 1], [2, 2, 3]])
    per_segment = np.tile([1.0, 2, 3], (3, 1))
    scores = {signals.HUMAN: human, "near": 2 * length, "far": human, "length": length, "mean": per_segment}
    found = tk.sentinels.metric_correlations(scores, coefficient="pearson", grouping="item")
    words = signals._likest(found, ["length", "mean"], ["near", "far"]).splitlines()
    with_human = f"{found.loc['length', signals.HUMAN]:.3f}".replace("-", "−")
    assert words == [
        f"- **length** is closest to near, 1.000; the human has {with_human}.",
        "- **mean**: undefined, because it is constant in every group.",
    ]
