"""tiekit: how tied scores decide the evaluation of machine-translation and text-generation metrics.

>>> import tiekit as tk
>>> tk.count_pairs([0, 0, 0, 0, 1, 2], [0, 0, 0, 0, 2, 1]).concordant
8
"""

from tiekit.calibration.curve import Meaning
from tiekit.calibration.exact import DIFFERENCES, Calibration, calibrate
from tiekit.calibration.held_out import CrossValidation, HeldOut, cross_validate, transfer
from tiekit.calibration.reweighted import Reweighted, calibrate_reweighted, keep_for_share
from tiekit.coefficients.correlation import Correlation, correlate
from tiekit.coefficients.registry import COEFFICIENTS, Coefficient, evaluate_table, why_undefined
from tiekit.coefficients.system_level import (
    SYSTEM_LEVEL,
    pairwise_accuracy,
    pairwise_difference_pearson,
    soft_pairwise_accuracy,
)
from tiekit.coefficients.tie_effects import bucket_curve, correlate_untied
from tiekit.coefficients.undefined import groups_in_common, reasons_per_group
from tiekit.counting.grouping import GROUPINGS
from tiekit.counting.pairs import PairCounts, classify_pairs, count_pairs
from tiekit.counting.ties import Ties, break_ties, count_ties, to_buckets
from tiekit.errors import (
    CalibrationWarning,
    CoverageWarning,
    DirectionWarning,
    InputError,
    NearTieWarning,
    ReadError,
    TiekitError,
    TiekitWarning,
    TruncationWarning,
)
from tiekit.evalset import EvalSet
from tiekit.judgments.caps import Attainable, attainable
from tiekit.judgments.kappa import Agreement, Kappa, agreement
from tiekit.judgments.metric import JudgedMetric, judge_metric
from tiekit.judgments.rankings import Preferences, Rankings, resolve
from tiekit.measures.coarsening import granularity, granularity_of_samples
from tiekit.measures.consistency import RankingConsistency, compare_measures, ranking_consistency
from tiekit.measures.evaluate import GAO_MEASURES, all_measures, datasets_of, evaluate_measures, measure_agreement
from tiekit.measures.power import DiscriminativePower, discriminative_power
from tiekit.measures.simulation import Population, SimulatedGranularity, discretize, simulate, simulate_granularity
from tiekit.ranking.board import leaderboard
from tiekit.readers import list_mtme, preview_table, read_mtme, read_rankings, read_score_files, read_table
from tiekit.readers.vector import parse_vector
from tiekit.resampling.draws import RESAMPLES, SWAPS
from tiekit.sentinels.bias import LengthBias, length_bias, metric_correlations
from tiekit.sentinels.noise import perturb
from tiekit.sentinels.probe_metrics import PROBES, Probe, probes, with_probes
from tiekit.sentinels.shares import held_out_shares, tie_shares
from tiekit.signature import __version__
from tiekit.significance.all_pairs import Comparison, compare_metrics, swap_test
from tiekit.significance.clusters import CORRECTIONS, correct_pvalues, rank_clusters
from tiekit.significance.intervals import Interval, bonett_wright, bootstrap_interval
from tiekit.significance.permutation import PermutationTest, permutation_test
from tiekit.significance.williams import WilliamsTest, williams_test

__all__ = [
    "COEFFICIENTS",
    "CORRECTIONS",
    "DIFFERENCES",
    "GAO_MEASURES",
    "GROUPINGS",
    "PROBES",
    "RESAMPLES",
    "SWAPS",
    "SYSTEM_LEVEL",
    "Agreement",
    "Attainable",
    "Calibration",
    "CalibrationWarning",
    "Coefficient",
    "Comparison",
    "Correlation",
    "CoverageWarning",
    "CrossValidation",
    "DirectionWarning",
    "DiscriminativePower",
    "EvalSet",
    "HeldOut",
    "InputError",
    "Interval",
    "JudgedMetric",
    "Kappa",
    "LengthBias",
    "Meaning",
    "NearTieWarning",
    "PairCounts",
    "PermutationTest",
    "Population",
    "Preferences",
    "Probe",
    "RankingConsistency",
    "Rankings",
    "ReadError",
    "Reweighted",
    "SimulatedGranularity",
    "TiekitError",
    "TiekitWarning",
    "Ties",
    "TruncationWarning",
    "WilliamsTest",
    "__version__",
    "agreement",
    "all_measures",
    "attainable",
    "bonett_wright",
    "bootstrap_interval",
    "break_ties",
    "bucket_curve",
    "calibrate",
    "calibrate_reweighted",
    "classify_pairs",
    "compare_measures",
    "compare_metrics",
    "correct_pvalues",
    "correlate",
    "correlate_untied",
    "count_pairs",
    "count_ties",
    "cross_validate",
    "datasets_of",
    "discretize",
    "discriminative_power",
    "evaluate_measures",
    "evaluate_table",
    "granularity",
    "granularity_of_samples",
    "groups_in_common",
    "held_out_shares",
    "judge_metric",
    "keep_for_share",
    "leaderboard",
    "length_bias",
    "list_mtme",
    "measure_agreement",
    "metric_correlations",
    "pairwise_accuracy",
    "pairwise_difference_pearson",
    "parse_vector",
    "permutation_test",
    "perturb",
    "preview_table",
    "probes",
    "rank_clusters",
    "ranking_consistency",
    "read_mtme",
    "read_rankings",
    "read_score_files",
    "read_table",
    "reasons_per_group",
    "resolve",
    "simulate",
    "simulate_granularity",
    "soft_pairwise_accuracy",
    "swap_test",
    "tie_shares",
    "to_buckets",
    "transfer",
    "why_undefined",
    "williams_test",
    "with_probes",
]
