"""Compile the counting loops ahead of their first use, or load them from the cache on disk."""

from __future__ import annotations

from dataclasses import replace

import numpy as np


def warm_up() -> None:
    """Compile every loop that counts pairs or orders of items."""
    from tiekit.core.calibration import calibrate_scores, spread_of_differences
    from tiekit.core.grouping import group_checked
    from tiekit.core.pairs import count_within
    from tiekit.judgments._order_kernels import best_order, depths, good_order

    human = np.array([[0.0, 1.0, 1.0], [1.0, 1.0, 0.0], [0.0, 2.0, 1.0]])
    metric = np.array([[0.0, 1.0, 2.0], [2.0, 3.0, 5.0], [4.0, 7.0, 9.0]])
    uneven = np.where(metric == 5.0, np.nan, metric)
    for scores, grouping in ((metric, "item"), (metric, "global"), (uneven, "item")):
        for name in ("acc_eq", "tau_b"):
            found = calibrate_scores(human, scores, name, grouping, "absolute")
    spread_of_differences(found.grouped.scores, 2)
    grouped = group_checked(human, metric, "item", identical=np.ones((3, 3), np.int64))
    count_within(replace(grouped.scores, human_margin=1.0), 0.0)
    nothing, places = np.zeros((2, 2), np.int64), np.zeros(2, np.int64)
    best_order(nothing, nothing, True, good_order(nothing, nothing, True, places), places)
    depths(places[:0], places[:0], 1)


def warm_up_resampling() -> None:
    """Compile every loop that counts again for each resample."""
    from tiekit.significance.compare import compare_metrics, swap_test
    from tiekit.significance.intervals import bootstrap_interval
    from tiekit.significance.permutation import permutation_test

    human, metric = [[0.0, 1.0, 1.0], [1.0, 1.0, 0.0]], [[0.0, 1.0, 2.0], [2.0, 3.0, 5.0]]
    names = ("tau_c", "spearman", "pearson")
    measures = [f"{grouping}/{name}" for grouping in ("global", "system_means") for name in names]
    swap_test(human, {"a": metric, "b": human}, [*measures, "global/tau_b", "spa"], n_jobs=1)
    permutation_test(human, metric, human, epsilon="recalibrated", n_jobs=1)
    bootstrap_interval(human, metric, "global/pearson", n_resamples=1, n_jobs=1)
    compare_metrics(human, {"a": metric, "b": human}, swap="pairs", n_resamples=1, n_jobs=1)
