"""Is the difference between two metrics real, or chance?

`permutation_test` swaps scores between two metrics and asks how often their agreement with the human scores then
differs as much as it does. `compare_metrics` does so for every two metrics of a set and puts them into clusters, as WMT
prints them. `swap_test` takes several measures at once. `bootstrap_interval` resamples segments, systems or both.
`williams_test` and `bonett_wright` are formulas, where there are some. `SWAPS` and `RESAMPLES` name what can be
swapped and resampled, `CORRECTIONS` how many tests at once are corrected for.

No test reports a p-value of 0, and a metric that is constant, or equal to the other one, never differs significantly.
The same seed gives the same numbers on any number of cores.
"""

from tiekit.resampling.schemes import RESAMPLES, SWAPS
from tiekit.significance.all_pairs import Comparison, compare_metrics, swap_test
from tiekit.significance.clusters import CORRECTIONS, correct_pvalues, rank_clusters
from tiekit.significance.intervals import Interval, bonett_wright, bootstrap_interval
from tiekit.significance.permutation import PermutationTest, permutation_test
from tiekit.significance.williams import WilliamsTest, williams_test

__all__ = [
    "CORRECTIONS",
    "RESAMPLES",
    "SWAPS",
    "Comparison",
    "Interval",
    "PermutationTest",
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
