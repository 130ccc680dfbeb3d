"""What are two metrics worth under each grouping? Typed scores, group by group and on average."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

import tiekit as tk
from tiekit.core import FloatArray, Grouped, average, group, near_tie_notes, values_per_group
from ui.grouping.inputs import ToyMatrices
from ui.work.text import plain

NEITHER = "neither"

SAME = 1e-12
"""Values closer than this share a rank, as in a leaderboard."""


@dataclass(frozen=True)
class GroupingValues:
    """Two metrics under every grouping by one coefficient."""

    scores: ToyMatrices
    entry: tk.Coefficient

    @cached_property
    def groups(self) -> dict[tuple[str, str], Grouped]:
        """The scores by grouping and metric."""
        found = self.scores.metrics.items()
        return {(by, name): group(self.scores.human, rows, by) for by in tk.GROUPINGS for name, rows in found}

    @cached_property
    def per_group(self) -> dict[tuple[str, str], FloatArray]:
        """The coefficient of each group; NaN where it is undefined or there is no pair."""
        return {key: grouped.spread(values_per_group(grouped, self.entry)) for key, grouped in self.groups.items()}

    @cached_property
    def means(self) -> dict[str, dict[str, float]]:
        """The means over groups by grouping and metric."""
        return {
            by: {name: average(self.per_group[by, name], "drop") for name in self.scores.metrics} for by in tk.GROUPINGS
        }

    @cached_property
    def notes(self) -> list[str]:
        """Notes on scores that nearly tie."""
        return sorted({note for grouped in self.groups.values() for note in near_tie_notes(grouped.scores)})

    def ahead(self, grouping: str) -> str:
        """The metric with the larger value, or neither."""
        return ahead(self.means[grouping])

    @property
    def label(self) -> str:
        """The coefficient, safe in Markdown."""
        return plain(self.entry.label)


def ahead(values: dict[str, float]) -> str:
    """Return which of two metrics has the larger value, up to rounding; neither where one has none."""
    (first, one), (second, other) = values.items()
    if np.isnan(one - other) or abs(one - other) < SAME:
        return NEITHER
    return first if one > other else second
