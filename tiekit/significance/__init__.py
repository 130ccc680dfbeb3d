"""Is the difference between two metrics significant, and how certain is a value?

`permutation_test` swaps scores between two metrics and asks how often their agreement with the human scores then
differs at least as much as it does. `compare_metrics` does so for every two metrics and puts them into clusters, as
WMT prints them (``compare_metrics(data, "acc_eq*").clusters()``); `swap_test` gives p-values by several measures at
once. `bootstrap_interval` resamples segments, systems or both. `williams_test` and `bonett_wright` are formulas that
need no resamples. `SWAPS` and `RESAMPLES` list what can be swapped and resampled, each a `Swap` or a `Redraw`;
`CORRECTIONS` how p-values of many tests are corrected. All functions take an evaluation set and names of metrics, or
arrays. No p-value of a permutation test is 0, a metric that is constant never differs significantly, and one seed
gives the same numbers on any number of cores.

For the app, importable but inner: `usual_swap`.
"""

from tiekit.significance.clusters import CORRECTIONS, Comparison, correct_pvalues, rank_clusters
from tiekit.significance.compare import compare_metrics, swap_test
from tiekit.significance.intervals import Interval, bonett_wright, bootstrap_interval
from tiekit.significance.permutation import PermutationTest, permutation_test
from tiekit.significance.schemes import RESAMPLES, SWAPS, Redraw, Swap
from tiekit.significance.schemes import usual_swap as usual_swap
from tiekit.significance.williams import WilliamsTest, williams_test

__all__ = [
    "CORRECTIONS",
    "RESAMPLES",
    "SWAPS",
    "Comparison",
    "Interval",
    "PermutationTest",
    "Redraw",
    "Swap",
    "WilliamsTest",
    "bonett_wright",
    "bootstrap_interval",
    "compare_metrics",
    "correct_pvalues",
    "permutation_test",
    "rank_clusters",
    "swap_test",
    "williams_test",
]
