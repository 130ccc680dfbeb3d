"""How consistently does a measure rank metrics? The ranking on half of the segments against that on the other half."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from tiekit.arguments import Exclude
from tiekit.coefficients.coefficient import Coefficient
from tiekit.coefficients.per_group import ROUNDING, values_per_group
from tiekit.coefficients.registry import get_coefficient
from tiekit.counting.grouping import group
from tiekit.counting.means import merge_near_equal
from tiekit.errors import InputError
from tiekit.measures.catalog import GAO_MEASURES, Measures, as_measures
from tiekit.measures.datasets import Datasets, Names, Scored, digest_of_sets, read_datasets
from tiekit.measures.memory import remember
from tiekit.measures.power import DiscriminativePower
from tiekit.parallel import run_parts
from tiekit.progress import Progress, showing
from tiekit.resampling.draws import DRAWS_A_PART, Draws
from tiekit.resampling.panel import make_panel
from tiekit.result import Result
from tiekit.scores import FloatArray, IntArray, check_count
from tiekit.seeds import seed_of
from tiekit.signature import __version__, signature

RANK_DIGITS = 12
"""Values that agree to this many decimals share a rank: further digits are rounding noise."""


@dataclass(frozen=True, eq=False, repr=False)
class RankingConsistency(Result):
    """How alike measures rank metrics on a random half of the segments and on the other half.

    Attributes
    ----------
    by_dataset : pandas.DataFrame
        Mean coefficient of the two rankings, one row per measure, one column per data set: −1 to 1, higher is better;
        undefined splits are left out.
    n_undefined : pandas.DataFrame
        Number of splits without a value, of the same shape: all metrics tie on one half, or fewer than two have a
        value.
    coefficient : str
        What compares the two rankings.
    n_splits, seed : int
        What was asked for.
    digest : str
        Digest of all scores.
    """

    _number: ClassVar[str | None] = None

    by_dataset: pd.DataFrame
    n_undefined: pd.DataFrame
    coefficient: str
    n_splits: int
    seed: int
    digest: str = field(repr=False)

    @property
    def mean(self) -> pd.Series:
        """Each measure's mean over the data sets where it is defined: the RC value of Table 2."""
        return pd.Series(self.by_dataset.mean(axis=1), name="RC")

    @property
    def signature(self) -> str:
        """One line that makes the numbers reproducible."""
        return signature(
            measures=",".join(map(str, self.by_dataset.index)),
            value="ranking consistency",
            datasets=self.by_dataset.shape[1],
            coefficient=self.coefficient,
            undefined="drop",
            splits=self.n_splits,
            data=self.digest,
            seed=self.seed,
        )


def ranking_consistency(
    datasets: Datasets,
    measures: Measures = GAO_MEASURES,
    *,
    metrics: Names = None,
    human: Names = None,
    exclude: Exclude = None,
    cells: str | None = None,
    n_splits: int = 1000,
    coefficient: str = "tau_b",
    rng: np.random.Generator | int | None = None,
    n_jobs: int | None = None,
    progress: Progress | bool | None = None,
    memory: Any = None,
) -> RankingConsistency:
    """Split the segments in half at random, rank the metrics on each half, and compare the two rankings.

    Parameters
    ----------
    datasets, measures, metrics, human, exclude, rng, n_jobs, progress
        As for `discriminative_power`; at least two segments. All metrics are evaluated on the same halves.
    n_splits : int
        Number of random splits. Of an odd number of segments the first half is the smaller one.
    coefficient : str
        What compares the two rankings: ``"tau_b"`` as in the paper, or another of `COEFFICIENTS`. Values that agree to
        1e-12 tie; a metric without a value on one half is left out.
    memory : joblib.Memory, optional
        Keeps each metric's values on the halves as soon as they are computed, see `discriminative_power`.
    cells : {"common", "own"} or None
        Which cells are compared: those that all metrics of a data set have scored, which is also what None means, with
        a `CoverageWarning` where that leaves something out; or each metric's own.

    Returns
    -------
    RankingConsistency

    Raises
    ------
    InputError
        For fewer than two metrics or segments, unknown names, and what `correlate` refuses.

    References
    ----------
    Gao et al. (2024), section 4.2 and Algorithm 2, arXiv 2410.16834.

    Examples
    --------
    >>> human = [[1, 2, 3, 1], [2, 3, 1, 3], [3, 1, 3, 2]]
    >>> metrics = {"exact": human, "none": [[2, 1, 1, 3], [1, 1, 3, 2], [1, 3, 2, 1]]}
    >>> ranking_consistency({"toy": (human, metrics)}, ["item/tau_b"], n_splits=20).mean.to_dict()
    {'item/tau_b': 1.0}
    """
    asked = as_measures(measures)
    checked = read_datasets(
        datasets, metrics, human, exclude, cells=cells, groupings=[measure.grouping for measure in asked]
    )
    entry, size, seed = get_coefficient(coefficient), check_count("n_splits", n_splits), seed_of(rng)
    for name, (gold, _) in checked.items():
        if gold.shape[1] < 2:
            raise InputError(f"datasets: {name}: halves need at least two segments, found {gold.shape[1]}")
    names = tuple(measure.name for measure in asked)
    parts = [(name, metric) for name, (_, scores) in checked.items() for metric in scores]
    shared = checked, names, size, seed, memory
    with showing(progress, "split") as told:
        values = dict(zip(parts, run_parts(_halve, shared, parts, n_jobs=n_jobs, progress=told), strict=True))
    means, undefined = {}, {}
    for name, (_, scores) in checked.items():
        found = _compare_halves(np.stack([values[name, metric] for metric in scores], axis=-1), entry)
        means[name], undefined[name] = found.mean(axis=1).to_numpy(), found.isna().sum(axis=1).to_numpy()
    index = pd.Index(names, name="measure")
    frames = [pd.DataFrame(found, index).rename_axis(columns="dataset") for found in (means, undefined)]
    return RankingConsistency(frames[0], frames[1], entry.name, size, seed, digest_of_sets(checked))


def _compare_halves(values: FloatArray, entry: Coefficient) -> pd.DataFrame:
    """Agreement of the two rankings, one row per measure, one column per split.

    Values have the shape (splits, 2, measures, metrics).
    """
    size, _, n_measures, n_metrics = values.shape
    halves = merge_near_equal(values, ROUNDING)
    first, second = halves.transpose(1, 2, 0, 3).reshape(2, -1, n_metrics)  # one row per measure and split
    grouped = group(first, second, "system")
    return pd.DataFrame(grouped.spread(values_per_group(grouped, entry)).reshape(n_measures, size))


def _halve(
    datasets: Mapping[str, Scored], names: tuple[str, ...], size: int, seed: int, memory: Any, part: tuple[str, str]
) -> FloatArray:
    """One metric's values on both halves, computed or remembered."""
    human, metrics = datasets[part[0]]
    found: FloatArray = remember(memory, values_on_halves)(__version__, human, metrics[part[1]], names, size, seed)
    return found


def values_on_halves(
    version: str,  # noqa: ARG001  a new version of tiekit computes the numbers again
    human: FloatArray,
    metric: FloatArray,
    names: tuple[str, ...],
    size: int,
    seed: int,
) -> FloatArray:
    """One metric's values on both halves of every split, shape (splits, 2, measures)."""
    panel, found = make_panel(human, (metric,), as_measures(names)), []
    for part, first in enumerate(range(0, size, DRAWS_A_PART)):
        halves = draw_halves(human.shape[1], min(DRAWS_A_PART, size - first), seed, part)
        chosen = np.concatenate((halves, 1 - halves))
        drawn = panel.values(Draws(False, np.ones((len(chosen), human.shape[0]), np.int64), chosen))
        found.append(drawn[:, 0].reshape(2, len(halves), -1).swapaxes(0, 1))
    return np.concatenate(found)


def draw_halves(n_segments: int, size: int, seed: int, part: int) -> IntArray:
    """1 for the segments of the first half, shape (splits, segments); the same for every metric and worker."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(part,)))
    return (rng.random((size, n_segments)).argsort(axis=1) < n_segments // 2).astype(np.int64)


def compare_measures(power: DiscriminativePower, consistency: RankingConsistency) -> pd.DataFrame:
    """Compare measures by power and consistency, as in Table 2 of Gao et al. (2024).

    Parameters
    ----------
    power : DiscriminativePower
    consistency : RankingConsistency
        Both of the same measures.

    Returns
    -------
    pandas.DataFrame
        One row per measure: grouping, coefficient, DP (lower is better), rank(DP), RC (higher is better), rank(RC).
        Rank 1 is best; ranks are missing where values are undefined.

    Raises
    ------
    InputError
        For different measures.
    """
    table = pd.DataFrame({"DP": power.mean, "RC": consistency.mean})
    if list(power.mean.index) != list(consistency.mean.index):
        raise InputError("consistency: must have the measures of power, in their order")
    for column, lower in (("DP", True), ("RC", False)):
        table[f"rank({column})"] = table[column].round(RANK_DIGITS).rank(ascending=lower, method="min").astype("Int64")
    table[["grouping", "coefficient"]] = [name.split("/") for name in table.index]
    return table[["grouping", "coefficient", "DP", "rank(DP)", "RC", "rank(RC)"]]
