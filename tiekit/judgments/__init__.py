"""Which value can any metric reach where judges contradict each other?

From 2008 to 2016, WMT's judges ranked five translations of a segment at a time. `tiekit.read_rankings` reads such files
as `Rankings`; `Preferences` are the pairwise judgments in them: which of two translations is better. Where judges
disagree, or prefer A to B, B to C and C to A, no metric can agree with all of them.

- `agreement`: how well do judges agree with themselves and with each other (Cohen's kappa)?
- `attainable`: which is the best value that any metric can reach?
- `judge_metric`: which value does a given metric reach?
- `resolve`: keep one judgment for each pair of translations, the outcome of the majority.

For the app, importable but inner: `TIES`, `count_judged`, `score_matrix`, `with_own_names`.
"""

from tiekit.judgments.agreement import Agreement, JudgedMetric, Kappa, agreement, judge_metric
from tiekit.judgments.agreement import count_judged as count_judged
from tiekit.judgments.agreement import score_matrix as score_matrix
from tiekit.judgments.caps import Attainable, attainable, resolve
from tiekit.judgments.rankings import TIES as TIES
from tiekit.judgments.rankings import Preferences, Rankings
from tiekit.judgments.rankings import with_own_names as with_own_names
from tiekit.judgments.reader import read_darr, read_rankings

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
    "read_darr",
    "read_rankings",
    "resolve",
]
