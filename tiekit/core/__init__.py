"""Counting, coefficients, groupings and calibration: arrays in, frozen results out.

It works by itself, without pandas or any file: `count_pairs`, `correlate`, `group`, `calibrate`, `count_ties`. The
functions of `tiekit` with the same names also take an `EvalSet`. What else this module holds is inner: the app computes
with it, and it may change with any version.
"""

from tiekit.base.names import short as short
from tiekit.base.parallel import Progress as Progress
from tiekit.base.parallel import part_of as part_of
from tiekit.base.parallel import tell as tell
from tiekit.base.parallel import with_progress as with_progress
from tiekit.base.results import KIND_STYLE as KIND_STYLE
from tiekit.base.results import Plotted as Plotted
from tiekit.base.results import Result as Result
from tiekit.base.results import ResultOfScores as ResultOfScores
from tiekit.base.validation import SHOWN as SHOWN
from tiekit.base.validation import FloatArray as FloatArray
from tiekit.base.validation import IntArray as IntArray
from tiekit.base.validation import digest_of as digest_of
from tiekit.core.calibration import DIFFERENCES, Calibration, Meaning, calibrate
from tiekit.core.calibration import best_epsilon as best_epsilon
from tiekit.core.calibration import calibrate_every_kth as calibrate_every_kth
from tiekit.core.calibration import calibrate_scores as calibrate_scores
from tiekit.core.calibration import gains_of as gains_of
from tiekit.core.coefficients import ROUNDING as ROUNDING
from tiekit.core.coefficients import Coefficient, OfCounts, OfMatrix, OfScores
from tiekit.core.coefficients import Table as Table
from tiekit.core.coefficients import average as average
from tiekit.core.coefficients import values_per_group as values_per_group
from tiekit.core.correlation import Correlation, correlate
from tiekit.core.cross_validation import CrossValidation, HeldOut, cross_validate, transfer
from tiekit.core.cross_validation import assign_folds as assign_folds
from tiekit.core.cross_validation import evaluate_threshold as evaluate_threshold
from tiekit.core.cross_validation import fit_fold as fit_fold
from tiekit.core.cross_validation import fit_folds as fit_folds
from tiekit.core.formula import SYMBOLS as SYMBOLS
from tiekit.core.formula import Formula as Formula
from tiekit.core.grouping import DEFAULT_GROUPING as DEFAULT_GROUPING
from tiekit.core.grouping import DOCUMENT_GROUPINGS as DOCUMENT_GROUPINGS
from tiekit.core.grouping import GROUPINGS, group
from tiekit.core.grouping import PAPER_NAMES as PAPER_NAMES
from tiekit.core.grouping import Grouped as Grouped
from tiekit.core.grouping import document_places as document_places
from tiekit.core.grouping import group_checked as group_checked
from tiekit.core.grouping import row_means as row_means
from tiekit.core.measure import get_measure as get_measure
from tiekit.core.measure import groups_in_common
from tiekit.core.pairs import KINDS, PairCounts, classify_pairs, count_pairs
from tiekit.core.pairs import count_sorted as count_sorted
from tiekit.core.pairs import count_within as count_within
from tiekit.core.pairs import near_tie_notes as near_tie_notes
from tiekit.core.pairs import sort_scores as sort_scores
from tiekit.core.registry import COEFFICIENTS, evaluate_table, why_undefined
from tiekit.core.registry import LEFT_OUT as LEFT_OUT
from tiekit.core.registry import coefficient_of_weights as coefficient_of_weights
from tiekit.core.registry import parse_weight as parse_weight
from tiekit.core.reweighting import own_share as own_share
from tiekit.core.reweighting import reach_in_mean as reach_in_mean
from tiekit.core.reweighting import reachable as reachable
from tiekit.core.system_level import swaps_of as swaps_of
from tiekit.core.ties import Ties, add_noise, break_ties, chance_level, count_ties, is_discrete, to_buckets

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
    "is_discrete",
    "to_buckets",
    "transfer",
    "why_undefined",
]
