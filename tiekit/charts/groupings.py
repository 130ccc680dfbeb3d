"""Which scores does a grouping compare, and where does the ranking of metrics reverse?"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from tiekit.charts.style import GRID, INK, PICKED, Figure, styled
from tiekit.core.grouping import row_means

ROLE_STYLE = {
    "chosen": ("●", "the chosen score"),
    "compared": ("↔", "compared with it"),
    "apart": ("", "not compared with it"),
    "missing": ("–", "missing"),
}
"""Glyph and meaning of each role that a cell has beside the chosen one."""


def compared_frame(human: ArrayLike, grouping: str, system: int, segment: int) -> pd.DataFrame:
    """Say which scores a grouping compares with the score of one cell.

    Parameters
    ----------
    human : array_like, shape (systems, segments)
        Human scores; NaN is a missing score.
    grouping : str
        A name of `GROUPINGS`.
    system, segment : int
        Row and column of the chosen cell, counted from 0.

    Returns
    -------
    pandas.DataFrame
        One row per cell, for system means one per system: ``system`` and ``segment`` (counted from 1; 0 for a mean),
        ``score``, its ``role`` (a name of `ROLE_STYLE`), ``glyph``, ``shown`` (the score as text), the ``group`` it
        belongs to, and the sides of its rectangle, ``left``, ``right``, ``top`` and ``bottom``.
    """
    scores = np.asarray(human, np.float64)
    if grouping == "system_means":
        scores = row_means(scores, ~np.isnan(scores))[:, None]
    rows, columns = (index.ravel() for index in np.indices(scores.shape))
    group = {"item": columns, "system": rows}.get(grouping, np.zeros(scores.size, int))
    is_mean = grouping == "system_means"
    chosen = (rows == system) & (is_mean | (columns == segment))
    missing = np.isnan(scores).ravel()
    compared = (group == group[chosen]) & ~missing[chosen]
    role = np.select([missing, chosen, compared], ["missing", "chosen", "compared"], "apart")
    width = np.shape(human)[1] if is_mean else 1
    frame = pd.DataFrame({"system": rows + 1, "segment": 0 if is_mean else columns + 1, "score": scores.ravel()})
    frame = frame.assign(role=role, glyph=[ROLE_STYLE[name][0] for name in role], group=group)
    shown = ["" if np.isnan(score) else f"{score:.4g}".replace("-", "−") for score in frame["score"]]
    return frame.assign(shown=shown, left=columns, right=columns + width, top=rows, bottom=rows + 1)


@lru_cache
def compared_chart(n_systems: int, n_segments: int, theme: str, *, means: bool) -> Figure:
    """Draw the cells of `compared_frame` in their places, with a border around each group.

    ``means`` says that the cells are means of systems.
    """
    blue, orange = PICKED[theme]
    on_blue = "#FFFFFF" if theme == "light" else "#000000"
    numbers: Any = {"domain": False, "ticks": False, "grid": False, "labelExpr": "format(datum.value + 0.5, 'd')"}

    def places(number: int) -> Any:
        return alt.Axis(values=[place + 0.5 for place in range(number)], **numbers)

    across = alt.Scale(domain=[-0.05, n_segments + 0.05], nice=False, zero=False)
    down = alt.Scale(domain=[n_systems + 0.05, -0.05], nice=False, zero=False)
    segments: Any = {"title": "mean", "axis": alt.Axis(**{**numbers, "labelExpr": "' '"})}
    segments = segments if means else {"title": "segment", "axis": places(n_segments)}
    systems: Any = {"title": "system", "scale": down, "axis": places(n_systems)}
    x, y = alt.X("left:Q", scale=across, **segments), alt.Y("top:Q", **systems)
    box = alt.Chart().encode(x=x, x2="right:Q", y=y, y2="bottom:Q")
    fill = alt.Color("role:N", scale=alt.Scale(domain=["chosen", "compared"], range=[orange, blue]), legend=None)
    tooltip = ["system:N", "segment:N", "score:Q", "role:N"]
    seen = box.transform_filter("datum.role == 'chosen' || datum.role == 'compared'")
    words = alt.Chart().transform_calculate(x="(datum.left + datum.right) / 2", y="(datum.top + datum.bottom) / 2")
    inks = {"chosen": "#000000", "compared": on_blue}
    tests: Any = [{"test": f"datum.role == '{role}'", "value": color} for role, color in inks.items()]
    ink: Any = {"condition": tests, "value": INK[theme]}
    at = words.encode(x=alt.X("x:Q", scale=across, **segments), y=alt.Y("y:Q", **systems))
    groups = alt.Chart().transform_aggregate(
        left="min(left)", right="max(right)", top="min(top)", bottom="max(bottom)", groupby=["group"]
    )
    layers = [
        box.mark_rect(filled=False, stroke=GRID[theme]).encode(tooltip=tooltip),
        seen.mark_rect(stroke=GRID[theme]).encode(color=fill, tooltip=tooltip),
        at.mark_text(fontSize=16 if n_segments < 6 else 13, dy=-7).encode(text="shown:N", color=alt.ColorValue(**ink)),
        at.mark_text(fontSize=14, dy=11, fontWeight="bold").encode(text="glyph:N", color=alt.ColorValue(**ink)),
        groups.mark_rect(filled=False, stroke=INK[theme], strokeWidth=3, cornerRadius=4).encode(
            x=x, x2="right:Q", y=y, y2="bottom:Q"
        ),
    ]
    return styled(alt.layer(*layers).properties(height=56 * n_systems + 70), theme)


def turn_frame(values: pd.DataFrame) -> pd.DataFrame:
    """Return values of metrics (columns) by grouping (rows) in long form; ``place`` is the position of the grouping."""
    rows = [
        {"grouping": grouping, "metric": metric, "value": value, "place": place}
        for metric in values
        for place, (grouping, value) in enumerate(values[metric].items())
    ]
    return pd.DataFrame(rows, columns=["grouping", "metric", "value", "place"])


@lru_cache
def turn_chart(groupings: tuple[str, ...], metrics: tuple[str, ...], label: str, theme: str) -> Figure:
    """Draw one line per metric over the groupings of `turn_frame`; where lines cross, the ranking reverses."""
    legend = alt.Legend(title=None, orient="top", symbolSize=160)
    color = alt.Color("metric:N", scale=alt.Scale(domain=metrics, range=PICKED[theme]), legend=legend)
    shape = alt.Shape("metric:N", scale=alt.Scale(domain=metrics, range=["circle", "square"]), legend=legend)
    dash = alt.StrokeDash("metric:N", scale=alt.Scale(domain=metrics, range=[[1, 0], [7, 4]]), legend=None)
    across = alt.Axis(labelAngle=0, labelOverlap=False, grid=True)
    x = alt.X("grouping:N", sort=list(groupings), title=None, axis=across, scale=alt.Scale(domain=groupings))
    base = alt.Chart().encode(x=x, y=alt.Y("value:Q", title=label, axis=alt.Axis(tickCount=6)))
    tooltip = ["metric:N", "grouping:N", alt.Tooltip("value:Q", format=".4f")]
    layers = [
        base.mark_line(strokeWidth=3).encode(color=color, strokeDash=dash),
        base.mark_point(size=160, filled=True, opacity=1).encode(color=color, shape=shape, tooltip=tooltip),
    ]
    return styled(alt.layer(*layers).properties(height=320), theme)
