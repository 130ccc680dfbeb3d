"""Which scores does a grouping compare, and where does the ranking of metrics reverse?"""

from __future__ import annotations

from functools import lru_cache

import altair as alt
import pandas as pd

from tiekit.charts.style import PICKED, Figure, styled


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
