"""Which number is reported, for one group of scores and for all groups?"""

from tiekit.coefficients.coefficient import Coefficient, OfCounts, OfMatrix, OfScores
from tiekit.coefficients.registry import COEFFICIENTS, evaluate_table, why_undefined
from tiekit.coefficients.tie_effects import bucket_curve, correlate_untied
from tiekit.coefficients.undefined import groups_in_common, reasons_per_group

__all__ = [
    "COEFFICIENTS",
    "Coefficient",
    "OfCounts",
    "OfMatrix",
    "OfScores",
    "bucket_curve",
    "correlate_untied",
    "evaluate_table",
    "groups_in_common",
    "reasons_per_group",
    "why_undefined",
]
