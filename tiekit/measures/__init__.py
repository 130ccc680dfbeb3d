"""Which measure of agreement should one trust?

A measure is a grouping and a coefficient, written ``"item/acc_eq*"``; a star asks for each metric's best epsilon.
`GAO_MEASURES` are the twelve measures of Gao et al. (2024), `all_measures` lists all of them. `evaluate_measures`
evaluates many metrics by many measures, `measure_agreement` compares how measures rank metrics. A good measure tells
metrics apart (`discriminative_power`) and ranks them alike on either half of the data (`ranking_consistency`);
`compare_measures` shows both in one table. `granularity` and `simulate_granularity` show the effect of coarse scores;
`estimate_population` finds the simulation's parameters in a data set.
`by_decimals` shows what rounding costs, `segments_needed` how many segments tell two metrics apart.
`which_number` says which number to report, from five answers about the data; `chance_level` what acc_eq a metric gets
that knows nothing of the human scores.
The others take an `EvalSet` or arrays; `datasets_of` makes one data set of each human score.

Three measures compare systems, or differences between scores, and have no value per group (`SYSTEM_LEVEL`):
`pairwise_accuracy`, `soft_pairwise_accuracy` and `pairwise_difference_pearson`.

For the app, importable but inner: `HEADINGS`, `Dataset`, `agreement_of`, `answers_of`, `disputed_neighbors`,
`facts_of`, `questions`.
"""

from tiekit.core.system_level import SYSTEM_LEVEL
from tiekit.core.ties import chance_level
from tiekit.measures.coarsening import by_decimals, granularity, granularity_of_samples
from tiekit.measures.evaluate import (
    GAO_MEASURES,
    all_measures,
    datasets_of,
    evaluate_measures,
    measure_agreement,
    pairwise_accuracy,
    pairwise_difference_pearson,
    soft_pairwise_accuracy,
)
from tiekit.measures.evaluate import Dataset as Dataset
from tiekit.measures.evaluate import agreement_of as agreement_of
from tiekit.measures.evaluate import disputed_neighbors as disputed_neighbors
from tiekit.measures.guide import HEADINGS as HEADINGS
from tiekit.measures.guide import Advice, which_number
from tiekit.measures.guide import answers_of as answers_of
from tiekit.measures.guide import facts_of as facts_of
from tiekit.measures.guide import questions as questions
from tiekit.measures.population import (
    Population,
    SimulatedGranularity,
    discretize,
    estimate_population,
    simulate,
    simulate_granularity,
)
from tiekit.measures.power import (
    DiscriminativePower,
    RankingConsistency,
    compare_measures,
    discriminative_power,
    ranking_consistency,
)
from tiekit.measures.sample_size import SegmentsNeeded, segments_needed

__all__ = [
    "GAO_MEASURES",
    "SYSTEM_LEVEL",
    "Advice",
    "DiscriminativePower",
    "Population",
    "RankingConsistency",
    "SegmentsNeeded",
    "SimulatedGranularity",
    "all_measures",
    "by_decimals",
    "chance_level",
    "compare_measures",
    "datasets_of",
    "discretize",
    "discriminative_power",
    "estimate_population",
    "evaluate_measures",
    "granularity",
    "granularity_of_samples",
    "measure_agreement",
    "pairwise_accuracy",
    "pairwise_difference_pearson",
    "ranking_consistency",
    "segments_needed",
    "simulate",
    "simulate_granularity",
    "soft_pairwise_accuracy",
    "which_number",
]
