"""The same translation twice: do raters tie it, and do metrics?

Different systems often produce the same translation of a segment. For these pairs, and only for them, the right answer
is known: a tie. `audit` says of each human score and each metric how many of them it ties, and how far apart it scores
the others: its noise floor ε₀, found without any human score. `repair` shows what values and ranks become when these
pairs alone are tied, and how much of what calibration gives a metric is that. ``tie_identical=True`` ties them in
`tiekit.correlate`, `tiekit.calibrate` and `tiekit.leaderboard`; `EvalSet.identical` holds which texts are the same.
"""

from tiekit.research.identical import Audit, Repair, audit, repair

__all__ = ["Audit", "Repair", "audit", "repair"]
