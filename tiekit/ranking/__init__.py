"""Which metric agrees best with the human scores?

`leaderboard` answers in one call. What else this module holds is the engine behind it, for applications that evaluate
one metric at a time and keep what they know: `lay_out` says who is compared on which cells, `evaluate` gives the values
of one metric, `assemble` puts metrics into a `Leaderboard`, and `collect_notes` says what a reader of it must know.
"""

from tiekit.base.results import RANK_DIGITS as RANK_DIGITS
from tiekit.ranking.board import POLICIES as POLICIES
from tiekit.ranking.board import assemble as assemble
from tiekit.ranking.board import leaderboard
from tiekit.ranking.diagnostics import CHECKS as CHECKS
from tiekit.ranking.diagnostics import DEVIATION as DEVIATION
from tiekit.ranking.diagnostics import FOLDS as FOLDS
from tiekit.ranking.diagnostics import SIGN as SIGN
from tiekit.ranking.diagnostics import add_fairness as add_fairness
from tiekit.ranking.diagnostics import exceeds_limit as exceeds_limit
from tiekit.ranking.diagnostics import fairness_of as fairness_of
from tiekit.ranking.diagnostics import format_check as format_check
from tiekit.ranking.diagnostics import has_fairness as has_fairness
from tiekit.ranking.diagnostics import notes_of as notes_of
from tiekit.ranking.diagnostics import signs_of as signs_of
from tiekit.ranking.diagnostics import texts_and_lengths as texts_and_lengths
from tiekit.ranking.engine import ComparisonInputs as ComparisonInputs
from tiekit.ranking.engine import MetricValues as MetricValues
from tiekit.ranking.engine import Note as Note
from tiekit.ranking.engine import collect_notes as collect_notes
from tiekit.ranking.engine import evaluate as evaluate
from tiekit.ranking.engine import lay_out as lay_out
from tiekit.ranking.engine import metric_notes as metric_notes
from tiekit.ranking.leaderboard import Leaderboard
from tiekit.ranking.leaderboard import latex_table as latex_table
from tiekit.ranking.leaderboard import ordinal as ordinal
from tiekit.ranking.standing import standing_of as standing_of
from tiekit.sets.assumptions import say_assumed as say_assumed
from tiekit.sets.cells import OWN_CELLS as OWN_CELLS

__all__ = ["Leaderboard", "leaderboard"]
