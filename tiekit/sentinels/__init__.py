"""Is an evaluation fair to discrete and to continuous metrics?

A sentinel is a metric that must not win. `perturb` makes one: it adds noise to a discrete metric and keeps the order of
different scores, so the sentinel knows nothing more than the metric, and any gain is unfair. `tie_shares` calibrates
metrics as if the human tied other shares of the pairs; `calibrate_reweighted` is one such calibration, and
`keep_for_share` gives its probabilities. `held_out_shares` takes the threshold from other segments. `rank_intervals`
gives the best and worst rank of each metric over the shares of published test sets, `published_tie_shares`.

`grid_of` finds the grid that makes a metric's ties, such as bfloat16 or whole numbers, and `tie_range` what
a coefficient can be where these ties are broken.

A probe is a metric with too little information to judge a translation. `with_probes` adds those of `PROBES` to an
evaluation set, to see how far the length of a text, or the segment alone, gets under each grouping. `length_bias` and
`metric_correlations` show which metrics use the same signals.

For the app, importable but inner: `BITES`, `intervals_of`, `lengths`.
"""

from tiekit.core.reweighting import Reweighted
from tiekit.core.ties import Grid, grid_of
from tiekit.sentinels.bias import (
    PROBES,
    LengthBias,
    Probe,
    length_bias,
    metric_correlations,
    probes,
    with_probes,
)
from tiekit.sentinels.bias import lengths as lengths
from tiekit.sentinels.reweighting import calibrate_reweighted, keep_for_share
from tiekit.sentinels.shares import BITES as BITES
from tiekit.sentinels.shares import held_out_shares, perturb, published_tie_shares, rank_intervals, tie_shares
from tiekit.sentinels.shares import intervals_of as intervals_of
from tiekit.sentinels.tie_range import TieRange, tie_range

__all__ = [
    "PROBES",
    "Grid",
    "LengthBias",
    "Probe",
    "Reweighted",
    "TieRange",
    "calibrate_reweighted",
    "grid_of",
    "held_out_shares",
    "keep_for_share",
    "length_bias",
    "metric_correlations",
    "perturb",
    "probes",
    "published_tie_shares",
    "rank_intervals",
    "tie_range",
    "tie_shares",
    "with_probes",
]
