"""Counting, coefficients, groupings and calibration: arrays in, frozen results out."""

from tiekit.core.calibration import DIFFERENCES, Calibration, Meaning, calibrate
from tiekit.core.coefficients import Coefficient, OfCounts, OfMatrix, OfScores
from tiekit.core.correlation import Correlation, correlate
from tiekit.core.cross_validation import CrossValidation, HeldOut, cross_validate, transfer
from tiekit.core.grouping import GROUPINGS, group
from tiekit.core.measure import groups_in_common
from tiekit.core.pairs import KINDS, PairCounts, classify_pairs, count_pairs
from tiekit.core.registry import COEFFICIENTS, evaluate_table, why_undefined
from tiekit.core.tie_effects import add_noise, chance_level
from tiekit.core.ties import Ties, break_ties, count_ties, to_buckets

__all__ = [
    "COEFFICIENTS",
    "DIFFERENCES",
    "GROUPINGS",
    "KINDS",
    "Calibration",
    "Coefficient",
    "Correlation",
    "CrossValidation",
    "HeldOut",
    "Meaning",
    "OfCounts",
    "OfMatrix",
    "OfScores",
    "PairCounts",
    "Ties",
    "add_noise",
    "break_ties",
    "calibrate",
    "chance_level",
    "classify_pairs",
    "correlate",
    "count_pairs",
    "count_ties",
    "cross_validate",
    "evaluate_table",
    "group",
    "groups_in_common",
    "to_buckets",
    "transfer",
    "why_undefined",
]
