"""Small data sets that tests of measures share, and measures that differ."""

import numpy as np

SMALL = ("global/tau_b", "item/acc_eq", "system/pearson", "system_means/spearman")


def toy(n_systems=4, n_segments=6, n_metrics=3, seed=0, levels=5):
    rng = np.random.default_rng(seed)
    human = rng.integers(0, levels, (n_systems, n_segments)).astype(float)
    return human, {f"m{i}": np.round(4 * rng.normal(human, 1 + i)) / 4 for i in range(n_metrics)}
