"""What do k buckets of equal width do to a metric? Its coefficients over k, and acc_eq without buckets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

import tiekit as tk
from tiekit.core import (
    FloatArray,
    Grouped,
    Progress,
    average,
    best_epsilon,
    count_within,
    group_checked,
    part_of,
    values_per_group,
)
from ui.nan_problem.by_group import GroupValues
from ui.work.text import plain

KS = (*range(2, 21), 25, 30, 40, 50, 75, 100)
"""Numbers of buckets along the curves, and on the slider."""


class BucketCurves(NamedTuple):
    """Curves over k; every group's values without buckets; acc_eq calibrated, and with one score for all.

    ``kept`` is the mean of the scores without buckets over the groups that still have a value with k buckets.
    """

    curve: pd.DataFrame
    kept: pd.Series
    untouched: dict[str, FloatArray]
    epsilon: float
    calibrated: float
    all_tied: float


@dataclass(frozen=True, eq=False)
class Trial:
    """One metric whose scores go into buckets, judged by one coefficient."""

    source: GroupValues
    metric: str
    entry: tk.Coefficient

    @property
    def scores(self) -> tuple[FloatArray, FloatArray]:
        """Human and metric."""
        return self.source.contest.human, self.source.contest.metrics[self.metric]

    @property
    def names(self) -> tuple[str, str]:
        """The coefficients that are drawn."""
        return self.entry.name, "acc_eq"

    @property
    def label(self) -> str:
        """The coefficient, safe in Markdown."""
        return plain(self.entry.label)

    @property
    def key(self) -> tuple[str, ...]:
        """What the curve depends on."""
        return self.source.contest.grouping, self.entry.name, self.source.digests[self.metric]

    def compute(self, progress: Progress) -> BucketCurves:
        """Compute all numbers that do not depend on the chosen k."""
        (human, metric), grouping, parts = self.scores, self.source.contest.grouping, []
        untouched = {name: self.per_group(metric, name) for name in self.names}
        kept = {}
        for place, k in enumerate(KS):
            progress(place / len(KS) / 2)
            parts.append(tk.bucket_curve(human, metric, [k], self.names, grouping=grouping))
            is_left = ~np.isnan(self.per_group(tk.to_buckets(metric, k), self.entry.name))
            kept[k] = average(untouched[self.entry.name][is_left], "drop")
        accuracy, grouped = tk.COEFFICIENTS["acc_eq"], self.group_metric(metric)
        epsilon = best_epsilon(grouped, accuracy, count_within(grouped.scores, 0.0), part_of(progress, 1, 2))
        return BucketCurves(
            pd.concat(parts),
            pd.Series(kept),
            untouched,
            epsilon,
            average(values_per_group(grouped, accuracy, epsilon), "drop"),
            average(self.per_group(np.where(np.isnan(metric), np.nan, 0.0), "acc_eq"), "drop"),
        )

    def group_metric(self, metric: FloatArray) -> Grouped:
        """Return the human scores and these scores of the metric, grouped."""
        return group_checked(self.scores[0], metric, self.source.contest.grouping)

    def per_group(self, metric: FloatArray, name: str) -> FloatArray:
        """Return a coefficient of every group with these scores of the metric."""
        grouped = self.group_metric(metric)
        return grouped.spread(values_per_group(grouped, tk.COEFFICIENTS[name]))


def mean_and_groups(values: FloatArray) -> tuple[float, int]:
    """Return the mean over the groups with a value, and their number."""
    return average(values, "drop"), int((~np.isnan(values)).sum())
