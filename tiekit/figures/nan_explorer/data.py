"""What is the NaN explorer shown? Scores of segments, formulas, and the averages where not all segments are shown."""

from __future__ import annotations

from typing import Any

import numpy as np

from tiekit.base.errors import InputError
from tiekit.base.results import REASON_STYLE, digest_of
from tiekit.figures.given import is_whole, kinds, line
from tiekit.figures.nan_explorer.table import Averages, SegmentTable, of_counts
from tiekit.ranking.board import POLICIES

Cell = tuple[int, str]
"""A segment, the first being 0, and the name of a metric."""


def fixed(table: SegmentTable) -> dict[str, Any]:
    """Return what no choice changes, as JSON takes it; ``averages`` is null where the browser can compute them."""
    all_shown = len(table.shown) == len(table.segments)
    return {
        "systems": table.systems,
        "places": table.shown,
        "segments": [table.segments[place] for place in table.shown],
        "total": len(table.segments),
        "differing": int(table.differ[table.shown].sum()),
        "human": _by_segment(table.human, table.shown),
        "metrics": [
            {"name": name, "scores": _by_segment(scores, table.shown)} for name, scores in table.metrics.items()
        ],
        "averages": None if all_shown else {name: _json(table.averages(entry)) for name, entry in of_counts().items()},
        "coefficients": coefficients(),
        "style": {"kinds": kinds(), "reasons": reasons()},
    }


def coefficients() -> list[dict[str, Any]]:
    """Return the coefficients of counts; ``everywhere`` are those that are defined wherever there is a pair."""
    return [
        {
            "name": name,
            "label": entry.label,
            "formula": entry.formula.text,
            "low": entry.range[0],
            "everywhere": entry.formula.divides_by_pairs,
        }
        for name, entry in of_counts().items()
        if entry.formula is not None
    ]


def reasons() -> list[dict[str, str]]:
    """Return how a cell without a value looks, and what the reason is called."""
    return [
        {"reason": reason, "color": color, "on": "#FFFFFF" if glyph == "m" else "#000000", "glyph": glyph}
        for reason, (color, glyph, _) in REASON_STYLE.items()
    ]


def check_cell(table: SegmentTable, cell: Any) -> Cell | None:
    """Check a chosen cell: a segment that is shown, by its place from 0, and a metric by its name."""
    if cell is None:
        return None
    if (
        not isinstance(cell, (list, tuple))
        or len(cell) != 2
        or not isinstance(cell[1], str)
        or cell[1] not in table.metrics
    ):
        raise InputError(f"cell: must be a segment and one of {', '.join(table.metrics)}, found {cell!r}")
    if not is_whole(cell[0]) or cell[0] not in table.shown:
        raise InputError(f"cell: must be a segment that is shown, the first being 0, found {cell[0]!r}")
    return int(cell[0]), cell[1]


def made(table: SegmentTable) -> str:
    """Return which scores the figure shows."""
    digest = digest_of(np.array([table.human, *table.metrics.values()]))
    return (
        f"{len(table.systems):,} systems on {len(table.segments):,} segments, scores of the human and of "
        f"{', '.join(table.metrics)}, digest {digest}."
    )


def _by_segment(scores: Any, shown: list[int]) -> list[list[float | None]]:
    return [line(scores[:, place].tolist()) for place in shown]


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
