"""What is the NaN explorer shown? Scores of segments, averages under each rule, and ties that a hand has made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tiekit.base.errors import InputError
from tiekit.base.results import RANK_DIGITS, REASON_STYLE
from tiekit.base.validation import SHOWN, FloatArray, digest_of, warn_near_ties
from tiekit.core.coefficients import Coefficient, average, values_per_group
from tiekit.core.grouping import group_checked
from tiekit.core.measure import groups_in_common
from tiekit.core.pairs import count_sorted
from tiekit.core.registry import COEFFICIENTS
from tiekit.figures.arguments import Metrics, Segment, read_given
from tiekit.figures.figures import FIGURES
from tiekit.figures.figures import MOST_SCORES as MOST_BY_HAND
from tiekit.figures.json_values import kinds, line
from tiekit.ranking.board import POLICIES
from tiekit.sets.arguments import Exclude, Human, source_of, source_of_human

FIGURE = FIGURES["nan_explorer"]
TITLE_OF_PUZZLE = "The NaN problem: make the worse metric win"

MOST_METRICS = 8
MOST_SYSTEMS = 60
MOST_SEGMENTS = 60
MOST_SCORES = 5_400
"""Maximum numbers of metrics, systems, segments and scores that one figure shows."""

Rows = Sequence[Sequence[float]]
"""One row per segment, with one score per system."""

Tie = list[int]
"""A segment and two systems, counted from 0."""


class Averages(NamedTuple):
    """The averages of one coefficient by metric and rule, NaN where there is none.

    Of each metric ``groups`` counts the segments with two or more scored systems, ``undefined`` those of them on which
    it is undefined; ``common`` the segments on which every metric is defined that is defined anywhere.
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
    """Human scores and those of metrics, systems × segments, as `tiekit.correlate` takes them.

    Systems and segments have the set's names, a frame's labels, or numbers from 1. The first eight metrics and sixty
    systems are taken, of a puzzle as many segments as fit. Raises InputError where the scores are no matrices of one
    shape.
    """

    def __init__(
        self,
        data: Human,
        metrics: Metrics,
        human: str | ArrayLike | None = None,
        exclude: Exclude = None,
        segment: Segment = None,
        cells: str | None = None,
        *,
        puzzle: bool = False,
    ) -> None:
        given = read_given(data, metrics, human, exclude, segment).on_cells(cells)
        if given.human.ndim != 2 or not given.human.size:
            raise InputError(f"human: must be a matrix systems × segments, found the shape {given.human.shape}")
        room = max(1, MOST_BY_HAND // min(given.human.shape[0], MOST_SYSTEMS)) if puzzle else 0
        given = given.fit(MOST_METRICS, MOST_SYSTEMS, room).say("NaNExplorer")
        self.human, self.metrics, self.systems, self.segments = given[:4]
        self.aside = given.aside
        self.scope = given.scope("item")
        near, gold = [], source_of_human(data, human, self.human)
        self._counts = {}  # by metric the segments with two or more scored systems, and their counts
        for name, scores in self.metrics.items():
            grouped = group_checked(self.human, scores, "item")
            near.append((grouped.scores.near_ties, gold, source_of(data, f"metrics[{name!r}]", name, scores)))
            self._counts[name] = grouped.index, count_sorted(grouped.scores, 0.0)
        warn_near_ties(*near)

    def with_ties(self, metric: str, ties: Sequence[Tie]) -> SegmentTable:
        """Return the same table with scores of a metric tied, as `tie_scores` does."""
        scores = np.transpose(tie_scores(self.metrics[metric].T.tolist(), ties))
        grouped, found = group_checked(self.human, scores, "item"), copy(self)
        found.metrics = {**self.metrics, metric: scores}
        found._counts = {**self._counts, metric: (grouped.index, count_sorted(grouped.scores, 0.0))}
        return found

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


def data_of_table(table: SegmentTable) -> dict[str, Any]:
    """Return what no choice changes, as JSON takes it; ``averages`` is null where the browser can compute them."""
    all_shown = len(table.shown) == len(table.segments)
    scores = {name: _by_segment(one, table.shown) for name, one in table.metrics.items()}
    segments = [table.segments[place] for place in table.shown]
    return {
        **_scores(_by_segment(table.human, table.shown), scores, table.systems, segments),
        "aside": [line(row) for row in _by_segment(table.aside, table.shown)] if np.isfinite(table.aside).any() else [],
        "places": table.shown,
        "total": len(table.segments),
        "differing": int(table.differ[table.shown].sum()),
        "averages": None if all_shown else {name: _json(table.averages(entry)) for name, entry in of_counts().items()},
    }


def nan_puzzle(
    human: Rows, metrics: Mapping[str, Rows], entry: Coefficient, systems: Sequence[str], segments: Sequence[str]
) -> dict[str, Any]:
    """Return what the puzzle shows, with its state at first: scores of the worst metric are tied to make it win."""
    return {
        **_scores(human, metrics, systems, segments),
        "goal": worst(human, metrics, entry),
        "coefficient": entry.name,
        "undefined": "drop",
        "cell": None,
        "ties": [],
    }


def _scores(
    human: Rows, metrics: Mapping[str, Rows], systems: Sequence[str], segments: Sequence[str]
) -> dict[str, Any]:
    """Return the scores of segments that are all shown, and how they look."""
    return {
        "systems": [*systems],
        "segments": [*segments],
        "aside": [],
        "places": [*range(len(segments))],
        "total": len(segments),
        "differing": 0,
        "human": [line(row) for row in human],
        "metrics": [{"name": name, "scores": [line(row) for row in rows]} for name, rows in metrics.items()],
        "averages": None,
        "coefficients": [_coefficient(entry) for entry in of_counts().values()],
        "goal": None,
        "style": {"kinds": kinds(), "reasons": reasons()},
    }


def _coefficient(entry: Coefficient) -> dict[str, Any]:
    """Return what is shown of a coefficient; ``everywhere``: it is defined wherever there is a pair."""
    formula = {"formula": entry.formula.text, "everywhere": entry.formula.divides_by_pairs} if entry.formula else {}
    return {"name": entry.name, "label": entry.label, "low": entry.range[0], **formula}


def reasons() -> list[dict[str, str]]:
    """Return how a cell without a value looks, and what the reason is called."""
    return [
        {"reason": reason, "color": color, "on": "#FFFFFF" if glyph == "m" else "#000000", "glyph": glyph}
        for reason, (color, glyph, _) in REASON_STYLE.items()
    ]


def origin_of(table: SegmentTable) -> str:
    """Return which scores the figure shows."""
    digest = digest_of(np.array([table.human, *table.metrics.values()]))
    return (
        f"{len(table.systems):,} systems on {len(table.segments):,} segments, scores of the human and of "
        f"{', '.join(table.metrics)}, digest {digest[:SHOWN]}."
    )


def _by_segment(scores: FloatArray, shown: Sequence[int]) -> list[list[float]]:
    """Return the scores of segments, those of all systems in a row."""
    rows: list[list[float]] = scores.T[[*shown]].tolist()
    return rows


def _json(found: Averages) -> dict[str, Any]:
    metrics = [
        {
            **dict(zip(POLICIES, line([*values.values()]), strict=True)),
            "undefined": found.undefined[name],
            "groups": found.groups[name],
        }
        for name, values in found.means.items()
    ]
    return {"common": found.common, "metrics": metrics}


def tie_scores(scores: Rows, ties: Sequence[Tie]) -> list[list[float]]:
    """Return scores of which two become the lower one, and so do all between them: no pair changes its order."""
    rows = [[*row] for row in scores]
    for segment, *pair in ties:
        low, high = sorted(rows[segment][system] for system in pair)
        rows[segment] = [low if low <= score <= high else score for score in rows[segment]]
    return rows


def worst(human: Rows, metrics: Mapping[str, Rows], entry: Coefficient) -> str:
    """Return the metric with the lowest mean over the segments with a value; of several, or of none, the last."""
    means = {
        name: average(values_per_group(group_checked(np.transpose(human), np.transpose(rows), "item"), entry), "drop")
        for name, rows in metrics.items()
    }
    known = [mean for mean in means.values() if mean == mean]
    return [name for name, mean in means.items() if not known or mean == min(known)][-1]
