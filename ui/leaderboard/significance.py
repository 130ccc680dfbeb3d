"""Are the leaderboard's differences real? p-values of every two metrics, clusters, intervals: computed on demand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import pandas as pd
import pyarrow as pa
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.counting.scores import FloatArray
from tiekit.progress import Progress
from tiekit.resampling.draws import RESAMPLES, SWAPS
from tiekit.signature import digest_of
from ui.base import notebook, resampling, work
from ui.base.text import format_number, plain
from ui.evalset import open, probes
from ui.leaderboard import significance_tables
from ui.leaderboard.question import Question
from ui.link import controls
from ui.link.controls import choose, choose_among_few
from ui.page import glossary, shell, tables

NOTHING, CLUSTERS, INTERVALS = "nothing yet", "p-values and clusters", "intervals"
CORRECTIONS = {"none": None, "Holm": "holm", "Bonferroni": "bonferroni", "Benjamini–Hochberg": "bh"}
CORRECTIONS |= {"Benjamini–Yekutieli": "by"}
ALPHA = resampling.SIGNIFICANT


class Bounds(NamedTuple):
    """A value and its interval."""

    value: float
    low: float
    high: float
    n_undefined: int
    signature: str


@dataclass(frozen=True)
class Asked:
    """Which number of the leaderboard is looked at, and what makes it random."""

    question: Question
    column: str
    drawn: str

    @property
    def label(self) -> str:
        """The number as a chart names it."""
        return charts.label_of(self.column)

    @property
    def key(self) -> tuple[object, ...]:
        """What results depend on beside the scores."""
        return self.column, self.question.contest.grouping, self.drawn, resampling.RESAMPLES


def lesson(question: Question) -> None:
    """Let the user ask for what takes resamples, and show it."""
    glossary.terms("permutation test", "p-value", "rank cluster", "bootstrap interval")
    chosen = choose_among_few("What shall be computed?", (NOTHING, CLUSTERS, INTERVALS), "resampled")
    if chosen == NOTHING:
        st.markdown(
            "A rank says nothing of chance: on other segments another metric might lead. Choose what shall be "
            f"computed; it takes {resampling.RESAMPLES} resamples of each metric, seconds or less here."
        )
        return
    if question.undefined != "drop":
        st.markdown("Resamples leave undefined groups out, as *drop* does, whatever the table above does.")
    columns = [column for column in question.columns[::-1] if column not in tk.measures.SYSTEM_LEVEL]
    if not columns:
        st.info("Of numbers that compare systems nothing is drawn again here: choose another coefficient, too.")
        return
    one, two, three = st.columns(3, gap="medium")
    with one:
        column = choose("Of which number?", columns, "resampled_column")
    with two:
        if chosen == CLUSTERS:
            drawn = choose("What changes places between two metrics?", list(SWAPS), "resampled_swap")
        else:
            drawn = choose("What is drawn again?", list(RESAMPLES), "resampled_draw")
    if chosen == INTERVALS:
        _intervals(Asked(question, column, drawn))
        return
    with three:
        correction = choose("Correction for many tests", list(CORRECTIONS), "resampled_correction")
    _clusters(Asked(question, column, drawn), correction)


# ---------------------------------------------------------------------------------------- p-values and clusters


def _clusters(asked: Asked, correction: str) -> None:
    contest = asked.question.contest
    if len(contest.metrics) < 2:
        st.info("There is one metric only.")
        return
    key = ("clusters", *asked.key, tuple(contest.metrics), digest_of(contest.human, *contest.metrics.values()))
    title = "Testing every two metrics"
    done = work.do(title, {asked.label: (key, partial(_compare, asked))})
    if asked.label not in done:
        return
    found: tk.significance.Comparison = done[asked.label]
    names, corrected = tuple(found.pvalues.index), CORRECTIONS[correction]
    frame = work.once(("p", key, correction), partial(_frame, found, corrected))
    left, right = st.columns([3, 2], gap="large")
    with left:
        number = probes.how_many(len(names), len(asked.question.probes))
        words = f"p-values of every two of {number}, {asked.label}, best first: {_few(found)}"
        shell.draw(frame, charts.pvalue_chart(names, shell.theme()), words, "p_values")
        st.markdown(
            f"Row against column; {_say_swap(asked.drawn)} The stronger the colour, the smaller p."
            + _of_many(corrected)
        )
    with right:
        if asked.drawn == "pairs":
            st.warning(
                "Outcomes of pairs of one segment depend on each other. This test, WMT's of calibrated accuracy, calls "
                "metrics different far too often, so it decides no clusters here."
            )
            st.markdown(significance_tables.say_untested(found))
        else:
            significance_tables.clusters(found, asked.label, ALPHA, corrected, asked.question.probes)
    significance_tables.pairs(found, asked.label, corrected, key)
    call = COMPARE.format(
        coefficient=asked.column,
        grouping=contest.grouping,
        swap=asked.drawn,
        end="pvalues" if asked.drawn == "pairs" else f"clusters({ALPHA}, {corrected!r})",
    )
    _show_code("clusters", asked.question, call)


def _compare(asked: Asked, progress: Progress) -> tk.significance.Comparison:
    contest = asked.question.contest
    return tk.significance.compare_metrics(
        contest.human,
        contest.metrics,
        asked.column,
        grouping=contest.grouping,
        swap=asked.drawn,
        n_resamples=resampling.RESAMPLES,
        rng=resampling.SEED,
        progress=progress,
    )


def _frame(found: tk.significance.Comparison, correction: str | None) -> pa.Table:
    frame = charts.pvalue_frame(found.pvalues, alpha=ALPHA, correction=correction, untested=found.untested)
    return pa.Table.from_pandas(frame)


def _few(found: tk.significance.Comparison) -> str:
    """The p-values of neighbours, and who has none."""
    tested = [name for name in found.pvalues.index if name not in found.untested]
    neighbours = [f"{a} and {b} {found.pvalues.loc[a, b]:.3f}" for a, b in pairwise(tested)]
    return ", ".join(neighbours) + "".join(f"; {name} not tested" for name in found.untested)


def _say_swap(swap: str) -> str:
    return f"what changes places: {plain(SWAPS[swap].split(' (')[0])}."


def _of_many(correction: str | None) -> str:
    return (
        ""
        if correction is None
        else " The squares show p as it is; the clusters are made of corrected values, which the table below has."
    )


# ---------------------------------------------------------------------------------------------------- intervals


def _intervals(asked: Asked) -> None:
    contest, tasks = asked.question.contest, {}
    for name, scores in contest.metrics.items():
        key = ("interval", *asked.key, digest_of(contest.human, scores))
        tasks[name] = key, partial(_bound, asked, scores)
    done: dict[str, Bounds] = work.do("Drawing again, metric by metric", tasks)
    if not done:
        return
    found = {name: done[name] for name in sorted(done, key=lambda name: _order(done[name].value))}
    frame = charts.interval_frame({name: bounds[:3] for name, bounds in found.items()})
    words = "; ".join(f"{name} {_with_bounds(bounds)}" for name, bounds in found.items())
    left, right = st.columns([3, 2], gap="large")
    with left:
        figure = charts.interval_chart(tuple(found), asked.label, shell.theme())
        shell.draw(frame, figure, f"{asked.label} with 95 % intervals: {words}", "intervals")
    with right:
        shown = pd.DataFrame(
            {f"{asked.label} [95 %]": [_with_bounds(bounds) for bounds in found.values()]}, frame["metric"]
        )
        values = pd.DataFrame(found.values(), index=frame["metric"])
        tables.grid(shown, "intervals", f"Intervals: {words}", values=values, height="content")
    undefined = {name: bounds.n_undefined for name, bounds in found.items() if bounds.n_undefined}
    st.markdown(
        f"**Drawn again: {RESAMPLES[asked.drawn]}**, {resampling.RESAMPLES} times; thresholds ε\\* stay as they are. "
        "Two intervals may overlap although the metrics differ significantly: both are judged on the same segments, "
        "and what is hard for one is hard for the other. Only p-values compare them."
        + (f" Left out as undefined: {plain(str(undefined))}." if undefined else "")
    )
    call = BOUND.format(
        coefficient=asked.column,
        grouping=contest.grouping,
        resample=asked.drawn,
    )
    _show_code("intervals", asked.question, call)


def _bound(asked: Asked, scores: FloatArray, progress: Progress) -> Bounds:
    contest = asked.question.contest
    found = tk.significance.bootstrap_interval(
        contest.human,
        scores,
        asked.column,
        grouping=contest.grouping,
        resample=asked.drawn,
        n_resamples=resampling.RESAMPLES,
        rng=resampling.SEED,
        progress=progress,
    )
    return Bounds(found.value, found.low, found.high, found.n_undefined, found.signature)


def _order(value: float) -> tuple[bool, float]:
    return value != value, -value


def _with_bounds(bounds: Bounds) -> str:
    if bounds.value != bounds.value:
        return format_number(bounds.value)
    return f"{format_number(bounds.value)} [{format_number(bounds.low)}, {format_number(bounds.high)}]"


# --------------------------------------------------------------------------------------------------- two metrics


def two(question: Question, first: str, second: str) -> dict[str, float]:
    """On demand, p-values of two metrics by column, NaN where nothing was tested; empty unless they are asked for."""
    if not controls.toggle("Test the differences: whole segments change places", "test_two"):
        return {}
    contest, tasks = question.contest, {}
    sides = contest.metrics[first], contest.metrics[second]
    for column in (name for name in question.columns if name not in tk.measures.SYSTEM_LEVEL):
        key = ("two", column, contest.grouping, digest_of(contest.human, *sides))
        tasks[charts.label_of(column)] = key, partial(_test, question, *sides, column)
    done = work.do("Swapping segments, number by number", tasks)
    return {column: done[charts.label_of(column)] for column in question.columns if charts.label_of(column) in done}


def _test(question: Question, a: FloatArray, b: FloatArray, column: str, progress: Progress) -> float:
    contest = question.contest
    found = tk.significance.permutation_test(
        contest.human,
        a,
        b,
        column,
        grouping=contest.grouping,
        n_resamples=resampling.RESAMPLES,
        rng=resampling.SEED,
        progress=progress,
    )
    return float("nan") if found.note else found.pvalue  # of a constant metric


def _show_code(name: str, question: Question, call: str) -> None:
    """The call on the scores that the leaderboard compares."""
    selection = CHOSEN.format(preparing=question.preparing)
    load = f"{open.source_code(question.data)}\n{question.adding}".rstrip()
    notebook.show(name, f"{selection}{call}", {"data": question.data}, load)


CHOSEN = """from tiekit.ranking.contest import prepare

contest = {preparing}
"""

COMPARE = """found = tk.significance.compare_metrics(
    contest.human, contest.metrics, {coefficient!r}, grouping={grouping!r}, swap={swap!r}
)
found.{end}"""

BOUND = """{{
    name: tk.significance.bootstrap_interval(
        contest.human, scores, {coefficient!r}, grouping={grouping!r}, resample={resample!r}
    )
    for name, scores in contest.metrics.items()
}}"""
