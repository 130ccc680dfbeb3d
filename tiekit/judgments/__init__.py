"""What can any metric reach where judges contradict each other?

`Rankings` are the relative rankings that WMT collected from 2008 to 2016 (`tiekit.read_rankings` reads them), and
`Preferences` the pairwise judgments in them. `agreement` measures how well judges agree with themselves and with each
other (Cohen's kappa). `attainable` finds the best value that any metric can reach, pair by pair or with one score for
each translation, and `judge_metric` the value of a given metric. `resolve` leaves one judgment for each pair.
"""

from tiekit.judgments.caps import Attainable, attainable
from tiekit.judgments.kappa import Agreement, Kappa, agreement
from tiekit.judgments.metric import JudgedMetric, judge_metric
from tiekit.judgments.rankings import Preferences, Rankings, resolve

__all__ = [
    "Agreement",
    "Attainable",
    "JudgedMetric",
    "Kappa",
    "Preferences",
    "Rankings",
    "agreement",
    "attainable",
    "judge_metric",
    "resolve",
]
