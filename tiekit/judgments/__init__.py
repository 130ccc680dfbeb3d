"""Which value can any metric reach where judges contradict each other?

From 2008 to 2016, WMT's judges ranked five translations of a segment at a time. `tiekit.read_rankings` reads such files
as `Rankings`; `Preferences` are the pairwise judgments in them: which of two translations is better. Where judges
disagree, or prefer A to B, B to C and C to A, no metric can agree with all of them.

- `agreement`: how well do judges agree with themselves and with each other (Cohen's kappa)?
- `attainable`: which is the best value that any metric can reach?
- `judge_metric`: which value does a given metric reach?
- `resolve`: keep one judgment for each pair of translations, the outcome of the majority.
"""

from tiekit.judgments.caps import Attainable, attainable
from tiekit.judgments.kappa import Agreement, Kappa, agreement
from tiekit.judgments.majority import resolve
from tiekit.judgments.metric import JudgedMetric, judge_metric
from tiekit.judgments.preferences import Preferences
from tiekit.judgments.rankings import Rankings

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
