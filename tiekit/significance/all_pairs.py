"""Which of many metrics differ? A permutation test of every two, for one measure or for many at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from tiekit.coefficients.measure import Measure, get_measure
from tiekit.counting.scores import FloatArray, check_pair
from tiekit.errors import InputError
from tiekit.parallel import run_parts
from tiekit.progress import Progress
from tiekit.resampling.draws import plan_swaps
from tiekit.resampling.panel import Epsilon, Panel, as_matrix, make_panel
from tiekit.resampling.schemes import SWAPS, check_kind, check_swap
from tiekit.seeds import check_number, seed_of
from tiekit.signature import digest_of, signature
from tiekit.significance.clusters import correct_pvalues, rank_clusters
from tiekit.significance.pair_outcomes import compare_pairs
from tiekit.significance.permutation import ALTERNATIVES, differing, extreme, is_constant


@dataclass(frozen=True, eq=False)
class Comparison:
    """Many metrics, tested two by two.

    Attributes
    ----------
    values : pandas.Series
        By metric, the best first; undefined ones last.
    pvalues : pandas.DataFrame
        Metric × metric in that order: p-values of row against column; NaN on the diagonal and where undefined, 1
        where one is constant.
    constant : tuple of str
        Metrics that give all scored cells the same: their p-value of 1 says that nothing was put to a test, so they
        take no part in `clusters` and `pairs`.
    coefficient, grouping, swap, alternative, n_resamples, seed, digest
        What was asked for, of which scores.
    """

    values: pd.Series
    pvalues: pd.DataFrame
    constant: tuple[str, ...]
    coefficient: str
    grouping: str
    swap: str
    alternative: str
    n_resamples: int
    seed: int
    digest: str = field(repr=False)

    def clusters(self, alpha: float = 0.05, correction: str | None = None) -> pd.Series:
        """Ranks that metrics share where they cannot be told apart, see `rank_clusters`.

        Returns
        -------
        pandas.Series of Int64
            By metric, the best first; missing for those `untested`, which count for no correction either.

        Raises
        ------
        InputError
            Where pair outcomes were swapped: their p-values are far too small to decide anything.
        """
        if caution := SWAPS[self.swap].caution:
            raise InputError(f"swap: {self.swap} decide no clusters; {caution}")
        found, tested = self.pvalues, [name for name in self.values.index if name not in self.untested]
        ranks = pd.Series(pd.NA, self.values.index, "Int64", name="cluster")
        ranks[tested] = rank_clusters(found.loc[tested, tested], alpha=alpha, correction=correction)
        return ranks

    def pairs(self, correction: str | None = None) -> pd.DataFrame:
        """List every two metrics, the better first, with their p-value as it is and corrected for their number.

        Returns
        -------
        pandas.DataFrame
            A row a pair: ``first``, ``second``, ``difference`` of their values (first minus second), ``pvalue`` and
            ``corrected``, see `correct_pvalues`; both NaN where one of them is `untested`.

        Raises
        ------
        InputError
            For an unknown correction.
        """
        names, untested = list(self.values.index), set(self.untested)
        rows = [
            (
                a,
                b,
                float(self.values[a] - self.values[b]),
                float("nan") if {a, b} & untested else float(self.pvalues.loc[a, b]),
            )
            for a, b in combinations(names, 2)
        ]
        found = pd.DataFrame(rows, columns=["first", "second", "difference", "pvalue"])
        return found.assign(corrected=correct_pvalues(found["pvalue"].to_numpy(np.float64), correction))

    @property
    def untested(self) -> tuple[str, ...]:
        """Constant metrics and those whose value is undefined, the best first."""
        return tuple(str(name) for name, value in self.values.items() if name in self.constant or value != value)

    @property
    def signature(self) -> str:
        """One line that makes the numbers reproducible."""
        return signature(
            test="permutation",
            metrics=len(self.values),
            swap=self.swap,
            alternative=self.alternative,
            coefficient=self.coefficient,
            grouping=self.grouping,
            undefined="drop",
            resamples=self.n_resamples,
            data=self.digest,
            seed=self.seed,
        )


def compare_metrics(
    human: ArrayLike,
    metrics: Mapping[str, ArrayLike],
    coefficient: str = "acc_eq",
    *,
    grouping: str | None = None,
    swap: str = "segments",
    epsilon: float | str = 0.0,
    alternative: str = "two-sided",
    n_resamples: int = 999,
    rng: np.random.Generator | int = 0,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> Comparison:
    """Test every two of many metrics, all on the same resamples.

    Parameters
    ----------
    human, coefficient, grouping, swap, epsilon, alternative, n_resamples, rng, n_jobs, progress
        As for `permutation_test`. One-sided, ``"greater"`` asks whether the metric of the row is better.
    metrics : mapping of str to array_like
        Two at least, all of the shape of human.

    Returns
    -------
    Comparison

    Raises
    ------
    InputError
        For fewer than two metrics, and as `permutation_test`.

    Examples
    --------
    >>> human = [[1, 2, 3, 1, 2, 3], [2, 3, 1, 2, 3, 1], [3, 1, 2, 3, 1, 2]]
    >>> good, bad = human, [[3, 2, 1, 3, 2, 1], [2, 1, 3, 2, 1, 3], [1, 3, 2, 1, 3, 2]]
    >>> found = compare_metrics(human, {"bad": bad, "good": good}, "tau_b")
    >>> found.values.to_dict(), float(found.pvalues.loc["good", "bad"]), found.clusters().to_dict()
    ({'good': 1.0, 'bad': -1.0}, 0.03125, {'good': 1, 'bad': 2})
    """
    asked = _check(human, metrics, [(grouping, coefficient)], swap, alternative)
    tests = _test_pairs(asked, epsilon, n_resamples, seed_of(rng), n_jobs, progress)
    values = pd.Series({name: float(value[0]) for name, value in tests.by_metric.items()}, name=asked.measures[0].name)
    order = values.sort_values(ascending=False, kind="stable").index
    pvalues = pd.DataFrame(np.nan, index=values.index, columns=values.index)
    for (first, second), forth, back in zip(combinations(asked.metrics, 2), tests.forth, tests.back, strict=True):
        pvalues.loc[first, second], pvalues.loc[second, first] = forth[0], back[0]
    measure = asked.measures[0]
    starred = measure.calibrated or isinstance(epsilon, str)
    return Comparison(
        values=values[order],
        pvalues=pvalues.loc[order, order],
        constant=tuple(name for name, metric in asked.metrics.items() if is_constant(asked.human, metric)),
        coefficient=measure.coefficient.name + ("*" if starred else ""),
        grouping=measure.grouping,
        swap=swap,
        alternative=alternative,
        n_resamples=n_resamples,
        seed=tests.seed,
        digest=digest_of(asked.human, *asked.metrics.values()),
    )


def swap_test(
    human: ArrayLike,
    metrics: Mapping[str, ArrayLike],
    measures: Sequence[tuple[str | None, str]],
    *,
    swap: str = "both",
    n_resamples: int = 999,
    rng: np.random.Generator | int = 0,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Test every two metrics by many measures on the same resamples: the p-values of Algorithm 1 of Gao et al.

    Parameters
    ----------
    human, metrics, swap, n_resamples, rng, n_jobs, progress
        As for `compare_metrics`.
    measures : sequence of (grouping, coefficient)
        As in ``("system_means", "pearson")``, ``("item", "acc_eq*")``.

    Returns
    -------
    pandas.DataFrame
        Two-sided p-values: a row a pair of metrics, indexed by both names; a column a measure, ``item/acc_eq*``.

    Raises
    ------
    InputError
        As `compare_metrics`; for swapped pairs, which are a law of one measure.

    References
    ----------
    Gao et al. (2024), Algorithm 1, arXiv 2410.16834.

    Examples
    --------
    >>> human, other = [[1, 2, 3], [2, 3, 1], [3, 1, 2]], [[3, 2, 1], [2, 1, 3], [1, 3, 2]]
    >>> swap_test(human, {"good": human, "bad": other}, [("item", "tau_b"), ("global", "pearson")], swap="segments")
                  item/tau_b  global/pearson
    first second
    good  bad           0.25            0.25
    """
    asked = _check(human, metrics, measures, swap, "two-sided")
    if not SWAPS[swap].of_scores:
        raise InputError(f"swap: {swap} are swapped by compare_metrics, one measure at a time")
    tests = _test_pairs(asked, 0.0, n_resamples, seed_of(rng), n_jobs, progress)
    pairs = pd.MultiIndex.from_tuples(list(combinations(asked.metrics, 2)), names=["first", "second"])
    return pd.DataFrame(tests.forth, index=pairs, columns=[measure.name for measure in asked.measures])


class Asked(NamedTuple):
    """Checked arguments: matrices, measures, what is swapped, which alternative."""

    human: FloatArray
    metrics: dict[str, FloatArray]
    measures: tuple[Measure, ...]
    swap: str
    alternative: str


class Outcomes(NamedTuple):
    """Each metric's values by measure; p-values, shape (pairs, measures), of the first against the second and back."""

    by_metric: dict[str, FloatArray]
    forth: FloatArray
    back: FloatArray
    seed: int


def _check(
    human: ArrayLike,
    metrics: Mapping[str, ArrayLike],
    measures: Sequence[tuple[str | None, str]],
    swap: str,
    alternative: str,
) -> Asked:
    if len(metrics) < 2:
        raise InputError(f"metrics: there must be two at least, found {len(metrics)}")
    check_kind("swap", swap, SWAPS)
    check_kind("alternative", alternative, ALTERNATIVES)
    scores = {}
    for name, metric in metrics.items():
        try:
            h, scores[str(name)] = check_pair(human, metric)
        except InputError as error:
            raise InputError(f"metrics: {name}: {error}") from error
    check_swap(swap, h.ndim)
    found = tuple(get_measure(coefficient, grouping, h.ndim) for grouping, coefficient in measures)
    return Asked(as_matrix(h), {name: as_matrix(m) for name, m in scores.items()}, found, swap, alternative)


def _test_pairs(
    asked: Asked,
    epsilon: Epsilon,
    n_resamples: int,
    seed: int,
    n_jobs: int | None,
    progress: Progress | None,
) -> Outcomes:
    """Lay every metric out by itself once, then test each pair."""
    alone = [make_panel(asked.human, (metric,), asked.measures, epsilon) for metric in asked.metrics.values()]
    values = {name: panel.observed()[0, 0] for name, panel in zip(asked.metrics, alone, strict=True)}
    pairs = list(combinations(range(len(alone)), 2))
    shared = (asked, alone, check_number(n_resamples), seed)
    found = np.array(list(run_parts(_test_pair, shared, pairs, n_jobs=n_jobs, progress=progress)))
    return Outcomes(values, found[:, 0], found[:, 1], seed)


def _test_pair(asked: Asked, alone: Sequence[Panel], n_resamples: int, seed: int, pair: tuple[int, int]) -> FloatArray:
    """P-values forth and back, shape (2, measures)."""
    panel = alone[pair[0]].beside(alone[pair[1]])
    human, (a, b) = panel.human, panel.metrics
    plan = plan_swaps(asked.swap, differing(human, a, b), n_resamples, seed)
    source = panel if SWAPS[asked.swap].of_scores else compare_pairs(panel)
    observed = source.observed()[0]
    difference = observed[0] - observed[1]
    counts = np.zeros((2, difference.size), np.int64)
    other = {"greater": "less", "less": "greater"}.get(asked.alternative, asked.alternative)
    for part in plan.parts:
        drawn = source.draw(plan, part)
        samples = drawn[:, 0] - drawn[:, 1]
        for i, alternative in enumerate((asked.alternative, other)):
            counts[i] += extreme(samples, difference, alternative).sum(axis=0)
    more = 0 if plan.exact else 1
    pvalues = np.where(np.isnan(difference), np.nan, (counts + more) / (plan.size + more))
    return np.ones_like(pvalues) if is_constant(human, a) or is_constant(human, b) else pvalues
