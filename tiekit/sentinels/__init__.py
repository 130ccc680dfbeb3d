"""Is an evaluation fair to discrete and to continuous metrics?

A sentinel is a metric that must not win: `perturb` adds noise to a discrete metric without changing a strict order,
so whatever it gains, it gains unfairly. `tie_shares` evaluates metrics as if the human tied other shares of the pairs,
and `calibrate_reweighted` is one such calibration; `keep_for_share` draws a sample with that share instead.
`held_out_shares` takes the threshold from other segments.

A probe is a metric that has not read the translation: `with_probes` adds those of `PROBES` to an evaluation set, to
see what the length of a text or the segment alone earns under each grouping. `length_bias` and `metric_correlations`
say which metrics use the same signals.
"""

from tiekit.calibration.reweighted import Reweighted, calibrate_reweighted, keep_for_share
from tiekit.sentinels.bias import LengthBias, length_bias, metric_correlations
from tiekit.sentinels.noise import perturb
from tiekit.sentinels.probe_metrics import PROBES, Probe, probes, with_probes
from tiekit.sentinels.shares import held_out_shares, tie_shares

__all__ = [
    "PROBES",
    "LengthBias",
    "Probe",
    "Reweighted",
    "calibrate_reweighted",
    "held_out_shares",
    "keep_for_share",
    "length_bias",
    "metric_correlations",
    "perturb",
    "probes",
    "tie_shares",
    "with_probes",
]
