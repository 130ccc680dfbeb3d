"""Which measure of agreement should one trust?

A measure is a grouping and a coefficient, as in ``"item/acc_eq*"``; the star asks for each metric's best epsilon.
`GAO_MEASURES` are the twelve of Gao et al. (2024), `all_measures` lists all of them, `evaluate_measures` evaluates
many measures of many metrics at once, `measure_agreement` says which ones rank metrics alike. A good measure tells
metrics apart (`discriminative_power`) and ranks them alike on either half of the data (`ranking_consistency`);
`compare_measures` shows both side by side. `granularity` and `simulate_granularity` ask what coarser scores do.

Three measures belong to no grouping (`SYSTEM_LEVEL`): `pairwise_accuracy`, `soft_pairwise_accuracy` and
`pairwise_difference_pearson` compare systems, or differences between scores.
"""

from tiekit.coefficients.system_level import (
    SYSTEM_LEVEL,
    pairwise_accuracy,
    pairwise_difference_pearson,
    soft_pairwise_accuracy,
)
from tiekit.measures.coarsening import granularity, granularity_of_samples
from tiekit.measures.consistency import RankingConsistency, compare_measures, ranking_consistency
from tiekit.measures.evaluate import GAO_MEASURES, all_measures, datasets_of, evaluate_measures, measure_agreement
from tiekit.measures.power import DiscriminativePower, discriminative_power
from tiekit.measures.simulation import Population, SimulatedGranularity, discretize, simulate, simulate_granularity

__all__ = [
    "GAO_MEASURES",
    "SYSTEM_LEVEL",
    "DiscriminativePower",
    "Population",
    "RankingConsistency",
    "SimulatedGranularity",
    "all_measures",
    "compare_measures",
    "datasets_of",
    "discretize",
    "discriminative_power",
    "evaluate_measures",
    "granularity",
    "granularity_of_samples",
    "measure_agreement",
    "pairwise_accuracy",
    "pairwise_difference_pearson",
    "ranking_consistency",
    "simulate",
    "simulate_granularity",
    "soft_pairwise_accuracy",
]
