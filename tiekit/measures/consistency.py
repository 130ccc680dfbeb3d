"""How steadily does a measure rank metrics? From half of the segments to the other; and measures side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from tiekit.coefficients.per_group import ROUNDING, values_per_group
from tiekit.coefficients.registry import get_coefficient
from tiekit.counting.grouping import group
from tiekit.counting.means import merge_near_equal
from tiekit.errors import InputError
from tiekit.measures.evaluate import (
    GAO_MEASURES,
    Dataset,
    MeasureLike,
    Scored,
    as_measures,
    check_count,
    check_datasets,
)
from tiekit.measures.power import DiscriminativePower, digest_of_sets, kept
from tiekit.parallel import run_parts
from tiekit.progress import Progress
from tiekit.resampling.draws import DRAWS_A_PART, Draws
from tiekit.resampling.panel import make_panel
from tiekit.scores import FloatArray, IntArray
from tiekit.seeds import seed_of
from tiekit.signature import __version__, signature

RANK_DIGITS = 12
"""Values that agree to so many decimals share a rank: what lies beyond is rounding."""


@dataclass(frozen=True, eq=False)
class RankingConsistency:
    """How steadily measures rank metrics when half of the segments is taken at random, and the other half.

    Attributes
    ----------
    by_dataset : pandas.DataFrame
        Mean coefficient of the two rankings, a row a measure, a column a data set: −1 to 1, higher is better;
        undefined splits left out.
    n_undefined : pandas.DataFrame
        Splits without a value, of the same shape: a half on which all metrics tie, or fewer than two have a value.
    coefficient : str
        What compares the two rankings.
    n_splits, seed : int
    digest : str
        Of all scores.
    """

    by_dataset: pd.DataFrame
    n_undefined: pd.DataFrame
    coefficient: str
    n_splits: int
    seed: int
    digest: str = field(repr=False)

    @property
    def mean(self) -> pd.Series:
        """By measure, the mean over the data sets where it is defined: the RC value of Table 2."""
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
    datasets: Mapping[str, Dataset],
    measures: Sequence[MeasureLike] = GAO_MEASURES,
    *,
    n_splits: int = 1000,
    coefficient: str = "tau_b",
    rng: np.random.Generator | int = 0,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    memory: Any = None,
) -> RankingConsistency:
    """Split the segments in half at random, rank the metrics on each half, and compare the two rankings.

    Parameters
    ----------
    datasets, measures, rng, n_jobs, progress
        As for `discriminative_power`; two segments at least. All metrics are judged on the same halves.
    n_splits : int
        Of an odd number of segments the first half is the smaller one.
    coefficient : str
        Compares the two rankings: ``"tau_b"`` as in the paper, or another of `COEFFICIENTS`. Values that agree to 1e-12
        tie; a metric without a value on one half is left out.
    memory : joblib.Memory, optional
        Keeps each metric's values on the halves as soon as they are found, see `discriminative_power`.

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
    asked, checked = as_measures(measures), check_datasets(datasets)
    entry, size, seed = get_coefficient(coefficient), check_count("n_splits", n_splits), seed_of(rng)
    for name, (human, _) in checked.items():
        if human.shape[1] < 2:
            raise InputError(f"datasets: {name}: halves need two segments at least, found {human.shape[1]}")
    names = tuple(measure.name for measure in asked)
    parts = [(name, metric) for name, (_, metrics) in checked.items() for metric in metrics]
    shared = checked, names, size, seed, memory
    values = dict(zip(parts, run_parts(_halve, shared, parts, n_jobs=n_jobs, progress=progress), strict=True))
    means, undefined = {}, {}
    for name, (_, metrics) in checked.items():
        halves = merge_near_equal(np.stack([values[name, metric] for metric in metrics], axis=-1), ROUNDING)
        first, second = halves.transpose(1, 2, 0, 3).reshape(2, -1, len(metrics))  # a row a measure and split
        grouped = group(first, second, "system")
        found = pd.DataFrame(grouped.spread(values_per_group(grouped, entry)).reshape(len(names), size))
        means[name], undefined[name] = found.mean(axis=1).to_numpy(), found.isna().sum(axis=1).to_numpy()
    index = pd.Index(names, name="measure")
    frames = [pd.DataFrame(found, index).rename_axis(columns="dataset") for found in (means, undefined)]
    return RankingConsistency(frames[0], frames[1], entry.name, size, seed, digest_of_sets(checked))


def _halve(
    datasets: Mapping[str, Scored], names: tuple[str, ...], size: int, seed: int, memory: Any, part: tuple[str, str]
) -> FloatArray:
    human, metrics = datasets[part[0]]
    found: FloatArray = kept(memory, values_on_halves)(__version__, human, metrics[part[1]], names, size, seed)
    return found


def values_on_halves(
    version: str,  # noqa: ARG001  a new version of tiekit finds the numbers again
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
    """1 for the segments of the first half, shape (splits, segments); the same whoever draws them."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(part,)))
    return (rng.random((size, n_segments)).argsort(axis=1) < n_segments // 2).astype(np.int64)


def compare_measures(power: DiscriminativePower, consistency: RankingConsistency) -> pd.DataFrame:
    """Set measures side by side, as in Table 2 of Gao et al. (2024).

    Parameters
    ----------
    power : DiscriminativePower
    consistency : RankingConsistency
        Of the same measures.

    Returns
    -------
    pandas.DataFrame
        By measure: grouping, coefficient, DP (lower is better), rank(DP), RC (higher is better), rank(RC); 1 is best,
        ranks are missing where values are undefined.

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
