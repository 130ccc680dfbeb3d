"""How sure is each metric's value? Bootstrap intervals of all metrics of the leaderboard."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.core import Progress
from tiekit.significance import RESAMPLES
from ui.leaderboard import answer
from ui.leaderboard.tested_column import TestedColumn
from ui.page import shell, tables
from ui.work import presets, result_cache
from ui.work.text import count_noun, format_number, plain

BOUND = """{{
    name: tk.significance.bootstrap_interval(
        human, scores, {coefficient!r}, grouping={grouping!r}, resample={resample!r}{documents}
    )
    for name, scores in metrics.items()
}}"""


class Bounds(NamedTuple):
    """A value and its interval."""

    value: float
    low: float
    high: float
    n_undefined: int
    signature: str


def show_intervals(tested: TestedColumn) -> None:
    """Show the value of every metric with its bootstrap interval."""
    done = bounds_of(tested, "Resampling, metric by metric")
    if not done:
        return
    found = {name: done[name] for name in sorted(done, key=lambda name: _order(done[name].value))}
    frame = charts.interval_frame({name: bounds[:3] for name, bounds in found.items()})
    words = "; ".join(f"{name} {_with_bounds(bounds)}" for name, bounds in found.items())
    left, right = st.columns([3, 2], gap="large")
    with left:
        figure = charts.interval_chart(tuple(found), tested.label, shell.theme())
        figure = answer.mark_added(figure, tested.question.added)
        shell.draw(frame, figure, f"{tested.label} with 95 % intervals: {words}", "intervals")
    with right:
        shown = pd.DataFrame(
            {f"{tested.label} [95 %]": [_with_bounds(bounds) for bounds in found.values()]}, frame["metric"]
        )
        values = pd.DataFrame(found.values(), index=frame["metric"])
        tables.grid(shown, "intervals", f"Intervals: {words}", values=values, height="content")
    st.markdown(
        f"**Resampled: {RESAMPLES[tested.unit].text}**, {presets.RESAMPLES} times; thresholds ε\\* stay as they "
        "are. Two intervals may overlap although the metrics differ significantly: both are judged on the same "
        "segments, and what is hard for one is hard for the other. Only p-values compare them."
        + _say_undefined({name: bounds.n_undefined for name, bounds in found.items() if bounds.n_undefined})
    )
    asked = {"grouping": tested.grouping, "resample": tested.unit, "documents": tested.documents_code}
    call = BOUND.format(coefficient=tested.column, **asked)
    tested.show_code("intervals", call)


def bounds_of(tested: TestedColumn, title: str) -> dict[str, Bounds]:
    """Resample every metric's value, with progress; only the finished ones where the visitor has stopped it."""
    contest, tasks = tested.contest, {}
    for name in contest.metrics:
        key = ("interval", *tested.key, contest.digests[name])
        tasks[name] = key, partial(_bound, tested, name)
    return result_cache.compute(title, tasks)


def _say_undefined(undefined: dict[str, int]) -> str:
    """How many resamples of which metrics were left out, as a sentence; nothing where none was."""
    parts = [f"{count_noun(number, 'resample')} of {plain(name)}" for name, number in undefined.items()]
    return f" Left out because the coefficient is undefined on them: {', '.join(parts)}." if parts else ""


def _bound(tested: TestedColumn, metric: str, progress: Progress) -> Bounds:
    contest = tested.contest
    found = tk.significance.bootstrap_interval(
        contest.human_of(metric),
        contest.metrics[metric],
        tested.column,
        grouping=tested.grouping,
        resample=tested.unit,
        documents=tested.documents,
        n_resamples=presets.RESAMPLES,
        rng=presets.SEED,
        progress=progress,
    )
    return Bounds(found.value, found.low, found.high, found.n_undefined, found.signature)


def _order(value: float) -> tuple[bool, float]:
    return value != value, -value


def _with_bounds(bounds: Bounds) -> str:
    if bounds.value != bounds.value:
        return format_number(bounds.value)
    return f"{format_number(bounds.value)} [{format_number(bounds.low)}, {format_number(bounds.high)}]"
