"""Which picture belongs to which result? What ``.plot()`` returns."""

from __future__ import annotations

from functools import singledispatch
from typing import TypeAlias

import altair as alt
import pandas as pd

from tiekit.base.errors import InputError
from tiekit.charts.distributions import (
    distribution_chart,
    distribution_frame,
    interval_chart,
    interval_frame,
    pvalue_chart,
    pvalue_frame,
    scatter_chart,
    scatter_frame,
    swap_chart,
    swap_frame,
)
from tiekit.charts.pairs import accuracy_chart, accuracy_frame, value_chart
from tiekit.charts.rankings import (
    cap_chart,
    cap_frame,
    dot_chart,
    dot_frame,
    rank_chart,
    rank_frame,
    unity_chart,
    unity_frame,
)
from tiekit.charts.style import Figure
from tiekit.core.calibration import Calibration
from tiekit.core.correlation import Correlation
from tiekit.core.grouping import row_means
from tiekit.core.registry import get_coefficient
from tiekit.core.system_level import label_of
from tiekit.identical import STEPS, Audit, Repair
from tiekit.judgments.agreement import Agreement, JudgedMetric, Kappa
from tiekit.judgments.caps import Attainable
from tiekit.judgments.rankings import Preferences
from tiekit.official.result import OfficialRanking
from tiekit.ranking.leaderboard import Leaderboard
from tiekit.ranking.standing import Standing
from tiekit.sets.evalset import EvalSet
from tiekit.significance.clusters import Comparison
from tiekit.significance.intervals import Interval
from tiekit.significance.permutation import PermutationTest

Chart: TypeAlias = alt.LayerChart

WIDTH = 480
"""In pixels; the height is that of the figure."""

GROUND = {"light": "#FFFFFF", "dark": "#171614"}
"""The background of a picture that is saved."""

Drawn = tuple[Figure, pd.DataFrame]


def chart_of(shown: object, theme: str, what: str | None = None) -> Chart:
    """Draw a result; ``what`` is a column of a leaderboard or the name of a score of a set."""
    if theme not in GROUND:
        raise InputError(f"theme: must be one of {', '.join(GROUND)}, found {theme!r}")
    figure, frame = figure_and_frame(shown, theme, what)
    padding = dict.fromkeys(("left", "right", "top", "bottom"), 5) | figure.get("padding", {})
    chart = alt.LayerChart.from_dict(figure)
    return chart.properties(data=frame, width=WIDTH, background=GROUND[theme], padding=padding)


@singledispatch
def figure_and_frame(shown: object, *_: object) -> Drawn:
    """Return figure and frame of a result."""
    raise InputError(f"there is no picture of a {type(shown).__name__}")


@figure_and_frame.register
def _(shown: EvalSet, theme: str, what: str) -> Drawn:
    kept = shown.select()
    frame = distribution_frame({**kept.metrics, **kept.human}[what])
    return distribution_chart(what, "translations", theme), frame


@figure_and_frame.register
def _(shown: Correlation, theme: str, *_: object) -> Drawn:
    if shown.per_group.size > 1:
        frame = distribution_frame(shown.per_group, {"mean": shown.value})
        return distribution_chart(label_of(shown.coefficient), "groups", theme), frame
    human, metric = shown.scores
    if shown.grouping == "system_means":
        cells = ~pd.isna(human) & ~pd.isna(metric)
        human, metric = row_means(human, cells), row_means(metric, cells)
    return scatter_chart(theme), scatter_frame(human, metric)


@figure_and_frame.register
def _(shown: Calibration, theme: str, *_: object) -> Drawn:
    curve = shown.curve()
    frame = accuracy_frame(curve, shown.coefficient, shown.epsilon)
    on_left = bool(shown.epsilon > frame["epsilon"].max() / 2)
    return accuracy_chart(label_of(shown.coefficient), "epsilon", "ε", theme, on_left=on_left), frame


@figure_and_frame.register
def _(shown: PermutationTest, theme: str, *_: object) -> Drawn:
    frame = swap_frame(shown.samples, shown.difference, alternative=shown.alternative)
    title = f"difference of {label_of(shown.coefficient)}"
    return swap_chart(title, theme, one_sided=shown.alternative != "two-sided"), frame


@figure_and_frame.register
def _(shown: Comparison, theme: str, *_: object) -> Drawn:
    names = tuple(map(str, shown.pvalues.index))
    return pvalue_chart(names, theme), pvalue_frame(shown.pvalues, untested=shown.untested)


@figure_and_frame.register
def _(shown: Interval, theme: str, *_: object) -> Drawn:
    title = label_of(shown.coefficient)
    if shown.samples.size:
        marks = {"value": shown.value, "low": shown.low, "high": shown.high}
        return distribution_chart(title, "resamples", theme), distribution_frame(shown.samples, marks)
    ends = (shown.value, shown.low, shown.high)
    return interval_chart((shown.method,), title, theme), interval_frame({shown.method: ends})


@figure_and_frame.register
def _(shown: Standing, theme: str, *_: object) -> Drawn:
    ends = shown.rows[["value", "low", "high"]].dropna(subset="value").T.ffill().T  # a dot where there is no interval
    names = [f"✚ {name}" if name == shown.metric else str(name) for name in ends.index]
    whole = dict(zip(names, ends.astype(float).itertuples(index=False, name=None), strict=True))
    return interval_chart(tuple(whole), label_of(shown.comparison.coefficient), theme), interval_frame(whole)


@figure_and_frame.register
def _(shown: Attainable, theme: str, *_: object) -> Drawn:
    name, entry = "any metric", get_coefficient(shown.coefficient)
    return cap_chart((name,), entry.label, entry.range[0], theme), cap_frame({name: shown})


@figure_and_frame.register
def _(shown: Agreement, theme: str, *_: object) -> Drawn:
    return _bars({"κ within judges": shown.within.value, "κ between judges": shown.between.value}, theme)


@figure_and_frame.register
def _(shown: Kappa, theme: str, *_: object) -> Drawn:
    return _bars({"κ": shown.value, "P(A)": shown.observed, "P(E)": shown.expected}, theme)


@figure_and_frame.register
def _(shown: JudgedMetric, theme: str, *_: object) -> Drawn:
    title = label_of(shown.coefficient)
    if shown.sets.empty:
        return _bars({title: shown.value}, theme)
    frame = distribution_frame(shown.sets["value"], {"value": shown.value})
    return distribution_chart(title, "ranked sets", theme), frame


@figure_and_frame.register
def _(shown: Preferences, theme: str, *_: object) -> Drawn:
    frame = unity_frame(shown)
    return unity_chart(tuple(frame["judgments"].unique()), theme), frame


@figure_and_frame.register
def _(shown: Leaderboard, theme: str, what: str | None) -> Drawn:
    columns = shown.value_columns
    if what is not None or len(columns) == 1:
        return _dots(shown[what or columns[0]], shown.get("cluster"), label_of(what or columns[0]), theme)
    best = tuple(map(str, shown.index[:2]))
    frame, alone = rank_frame(shown, columns, best), len(shown) <= len(best)
    return rank_chart(tuple(columns), len(shown), best, theme, alone=alone, names=True), frame


@figure_and_frame.register
def _(shown: Audit, theme: str, *_: object) -> Drawn:
    return _dots(shown.table["tied"], None, "share of identical translations that are tied", theme)


@figure_and_frame.register
def _(shown: Repair, theme: str, *_: object) -> Drawn:
    before, after = (shown.table[f"rank({step})"] for step in STEPS[:2])
    best = tuple(map(str, (before - after).abs().sort_values(ascending=False, kind="stable").index[:2]))
    frame, alone = rank_frame(shown.table, STEPS, best), len(shown.table) <= len(best)
    return rank_chart(STEPS, len(shown.table), best, theme, alone=alone, names=True), frame


@figure_and_frame.register
def _(shown: OfficialRanking, theme: str, *_: object) -> Drawn:
    return _dots(shown.average, shown.clusters if shown.clusters.notna().any() else None, "average", theme)


def _dots(values: pd.Series, clusters: pd.Series | None, title: str, theme: str) -> Drawn:
    frame = dot_frame(values, clusters)
    return dot_chart(tuple(frame["metric"]), title, theme, clusters=clusters is not None), frame


def _bars(values: dict[str, float], theme: str) -> Drawn:
    shown = [f"{value:.3f}" if value == value else "undefined" for value in values.values()]
    frame = pd.DataFrame({"label": list(values), "value": list(values.values()), "shown": shown})
    return value_chart(tuple(values), theme), frame
