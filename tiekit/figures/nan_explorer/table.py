"""What is each coefficient of each segment, and what is its average under each rule for undefined segments?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from tiekit.base.errors import InputError
from tiekit.base.near_ties import warn_near_ties
from tiekit.base.validation import FloatArray
from tiekit.core.coefficients import Coefficient, average
from tiekit.core.grouping import group
from tiekit.core.measure import groups_in_common
from tiekit.core.pairs import count_sorted
from tiekit.core.registry import COEFFICIENTS
from tiekit.ranking.board import POLICIES, RANK_DIGITS
from tiekit.sets.arguments import Exclude, Human, read_metrics, source_of, source_of_human
from tiekit.sets.evalset import EvalSet

MOST_METRICS = 8
MOST_SYSTEMS = 60
MOST_SEGMENTS = 60
MOST_SCORES = 5_400
"""The largest numbers of metrics, systems, segments and scores that one figure shows."""

Metrics = Mapping[str, ArrayLike] | str | Iterable[str] | None
"""Matrices by the metric's name, or names of metrics of an `EvalSet`; None is all of the set's."""


class Averages(NamedTuple):
    """The averages of one coefficient.

    Attributes
    ----------
    means : dict of str to dict of str to float
        By metric and rule (``drop``, ``zero``, ``common``); NaN where there is none.
    undefined, groups : dict of str to int
        By metric: segments of two or more scored systems on which it is undefined; all segments of so many.
    common : int
        Segments on which every metric that is defined anywhere is defined.
    """

    means: dict[str, dict[str, float]]
    undefined: dict[str, int]
    groups: dict[str, int]
    common: int

    def ranking(self, rule: str) -> dict[str, int | None]:
        """Return each metric's rank, the best first; None, at the end, where it has no average."""
        rounded = {name: round(found[rule], RANK_DIGITS) for name, found in self.means.items()}
        ranks = {
            name: None if value != value else 1 + sum(other > value for other in rounded.values())
            for name, value in rounded.items()
        }
        return dict(sorted(ranks.items(), key=lambda item: item[1] or len(ranks) + 1))


class SegmentTable:
    """Human scores and those of metrics, segment by segment.

    Parameters
    ----------
    data, metrics, human, exclude
        As for `tiekit.correlate`, matrices systems × segments; ``metrics`` are matrices by name, or names.

    Attributes
    ----------
    human : ndarray, shape (systems, segments)
    metrics : dict of str to ndarray of that shape
    systems, segments : tuple of str
        Their names: the set's, a frame's labels, or numbers from 1.

    Raises
    ------
    InputError
        The scores are no matrices of one shape, or there are too many systems or metrics to be shown.
    """

    def __init__(
        self, data: Human, metrics: Metrics, human: str | ArrayLike | None = None, exclude: Exclude = None
    ) -> None:
        self.human, self.metrics = read_metrics(data, metrics, human, exclude)
        if self.human.ndim != 2 or not self.human.size:
            raise InputError(f"human: must be a matrix systems × segments, found the shape {self.human.shape}")
        if not 1 <= len(self.metrics) <= MOST_METRICS:
            raise InputError(f"metrics: must be 1 to {MOST_METRICS}, found {len(self.metrics)}; name the ones to show")
        if self.human.shape[0] > MOST_SYSTEMS:
            raise InputError(f"human: must have at most {MOST_SYSTEMS} systems, found {self.human.shape[0]}")
        self.systems, self.segments = _names(human if data is None else data, exclude, self.human.shape)
        self._counts = {}  # by metric the segments with two or more scored systems, and their counts
        for name, scores in self.metrics.items():
            grouped = group(self.human, scores, "item")
            of_metric = source_of(data, f"metrics[{name!r}]", name, scores)
            warn_near_ties(grouped.scores.near_ties, source_of_human(data, human, self.human), of_metric)
            self._counts[name] = grouped.index, count_sorted(grouped.scores, 0.0)

    def per_segment(self, entry: Coefficient) -> dict[str, FloatArray]:
        """Return a coefficient by metric, one value per segment; NaN where it is undefined."""
        found = {}
        for name, (index, counts) in self._counts.items():
            found[name] = np.full(len(self.segments), np.nan)
            found[name][index] = entry.from_counts(counts)
        return found

    def averages(self, entry: Coefficient) -> Averages:
        """Return a coefficient's averages over all segments."""
        per_segment = self.per_segment(entry)
        ranked = {name: values for name, values in per_segment.items() if not np.isnan(values).all()}
        common = groups_in_common(ranked) if ranked else np.zeros(len(self.segments), np.bool_)
        groups = {name: per_segment[name][index] for name, (index, _) in self._counts.items()}
        means = {
            name: (average(groups[name], "drop"), average(groups[name], "zero"), average(values[common], "drop"))
            for name, values in per_segment.items()
        }
        return Averages(
            {name: dict(zip(POLICIES, found, strict=True)) for name, found in means.items()},
            {name: int(np.isnan(values).sum()) for name, values in groups.items()},
            {name: values.size for name, values in groups.items()},
            int(common.sum()),
        )

    @cached_property
    def shown(self) -> list[int]:
        """The segments that are shown: all, or as many as there is room for.

        Half of these are the first on which some metrics are undefined and others are not, as they make the averages
        differ; the others are the first of the rest. Where one kind is short, there are more of the other.
        """
        n_systems, n_segments = self.human.shape
        room = min(MOST_SEGMENTS, MOST_SCORES // (n_systems * (len(self.metrics) + 1)))
        if n_segments <= room:
            return list(range(n_segments))
        some, others = np.flatnonzero(self.differ).tolist(), np.flatnonzero(~self.differ).tolist()
        half = max(1, room // 2)
        return sorted([*some[:half], *others, *some[half:]][:room])

    @cached_property
    def differ(self) -> NDArray[np.bool_]:
        """Where some metrics are undefined and others are not, by any of the coefficients."""
        by_entry = [[*self.per_segment(entry).values()] for entry in of_counts().values()]
        missing = np.isnan(by_entry).any(axis=0)
        return np.asarray(missing.any(axis=0) & ~missing.all(axis=0))


def of_counts() -> dict[str, Coefficient]:
    """Return the coefficients that are made of counts of pairs."""
    return {name: entry for name, entry in COEFFICIENTS.items() if entry.formula is not None}


def _names(source: object, exclude: Exclude, shape: tuple[int, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    if isinstance(source, EvalSet):
        chosen = source.select(exclude=exclude)
        return chosen.systems, chosen.segments
    if isinstance(source, pd.DataFrame):
        return tuple(map(str, source.index)), tuple(map(str, source.columns))
    systems, segments = (tuple(str(number) for number in range(1, size + 1)) for size in shape)
    return systems, segments
