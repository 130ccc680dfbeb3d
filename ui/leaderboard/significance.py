"""Which differences of the leaderboard are significant? p-values, clusters and intervals of a column that is tested."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import pandas as pd
import pyarrow as pa
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.charts import NOT_TESTED
from tiekit.core import DOCUMENT_GROUPINGS, Progress, get_measure
from tiekit.errors import collect_warnings
from tiekit.ranking import ComparisonInputs
from tiekit.significance import RESAMPLES, SWAPS, Comparison, Redraw, Swap, usual_swap
from ui.evalset import choices, notes
from ui.leaderboard.question import Question
from ui.link.controls import choose, choose_among_few
from ui.page import glossary, shell, tables
from ui.work import presets, result_cache
from ui.work.text import count_noun, format_number, plain

NOTHING, CLUSTERS, INTERVALS = "off", "p-values and clusters", "intervals"

CORRECTIONS = {"none": None, "Holm": "holm", "Bonferroni": "bonferroni", "Benjamini–Hochberg": "bh"}
CORRECTIONS |= {"Benjamini–Yekutieli": "by"}
ALPHA = presets.SIGNIFICANT

NAMED = ("row", "column", "metric")
"""The fields of a picture's axes that hold names of metrics."""

WHOLE_DOCUMENTS = (
    "Mean scores in documents are compared, so whole documents are swapped and resampled: anything smaller would "
    "change the means themselves."
)

COMPARE = """found = tk.significance.compare_metrics(
    human, metrics, {coefficient!r}, grouping={grouping!r}, swap={swap!r}{documents}{cells}
)
found.{end}"""

BOUND = """{{
    name: tk.significance.bootstrap_interval(
        human, scores, {coefficient!r}, grouping={grouping!r}, resample={resample!r}{documents}
    )
    for name, scores in metrics.items()
}}"""


@dataclass(frozen=True)
class TestedColumn:
    """A column of the leaderboard, and what is swapped or resampled to test it."""

    question: Question
    column: str
    unit: str

    @property
    def label(self) -> str:
        """The number as a chart names it."""
        return charts.label_of(self.column)

    @property
    def contest(self) -> ComparisonInputs:
        """The scores that are compared."""
        return self.question.contest

    @property
    def grouping(self) -> str | None:
        """The grouping of the tests; None where the coefficient has only one."""
        entry = tk.measures.SYSTEM_LEVEL.get(self.column)
        return self.contest.grouping if entry is None or len(entry.groupings) > 1 else None

    @property
    def documents(self) -> tuple[str, ...] | None:
        """The document of each segment where documents are swapped, drawn or compared."""
        needed = [schemes[self.unit].needs_documents for schemes in (SWAPS, RESAMPLES) if self.unit in schemes]
        return self.contest.documents if any(needed) or self.contest.grouping in DOCUMENT_GROUPINGS else None

    @property
    def resampling(self) -> dict[str, Any]:
        """The arguments of an interval of the column, after the scores and the coefficient; of a test too."""
        how = {"grouping": self.grouping, "documents": self.documents}
        return {**how, "n_resamples": presets.RESAMPLES, "rng": presets.SEED}

    @property
    def test_arguments(self) -> dict[str, Any]:
        """The arguments of a test of the column, after the scores and the coefficient."""
        return {**self.resampling, "swap": self.unit, "cells": "own" if self.question.selection.own_cells else None}

    @property
    def key(self) -> tuple[object, ...]:
        """What results depend on besides the scores."""
        return self.column, self.contest.grouping, self.unit, self.documents, presets.RESAMPLES

    @staticmethod
    def units(question: Question, schemes: Mapping[str, Swap] | Mapping[str, Redraw], column: str) -> list[str]:
        """Return what can be swapped or resampled to test a column, what suits it first.

        Means of documents stay whole, so there it is documents alone.
        """
        contest = question.contest
        entry = tk.measures.SYSTEM_LEVEL.get(column)
        by = contest.grouping if entry is None or contest.grouping in entry.groupings else None
        measure = get_measure(column, by, documents=bool(contest.documents))
        known = [name for name, scheme in schemes.items() if contest.documents or not scheme.needs_documents]
        known = [name for name in known if measure.of_means or not schemes[name].of_means]
        if contest.grouping != "document_means":
            return sorted(known, key=lambda name: name != usual_swap(measure))
        return [name for name in known if schemes[name].needs_documents]

    @classmethod
    def by_usual(
        cls, question: Question, schemes: Mapping[str, Swap] | Mapping[str, Redraw], column: str
    ) -> TestedColumn:
        """Return a column with what is usually swapped or resampled to test it."""
        return cls(question, column, cls.units(question, schemes, column)[0])

    @staticmethod
    def testable(question: Question) -> list[str]:
        """Return the columns that can be resampled, in the order in which they are offered: those by group first."""
        grouping, level = question.contest.grouping, tk.measures.SYSTEM_LEVEL
        by_group = [column for column in question.columns[::-1] if column not in level]
        allowed = {name for name, entry in level.items() if len(entry.groupings) == 1 or grouping in entry.groupings}
        return by_group + [column for column in question.columns if column in allowed]

    def show_code(self, name: str, form: str, **asked: str) -> None:
        """Show a call on the `human` scores and the `metrics` that the leaderboard compares."""
        selection, documents = self.question.selection, "" if self.documents is None else ", documents=chosen.documents"
        call = form.format(coefficient=self.column, grouping=self.grouping, documents=documents, **asked)
        selection.show_code(name, f"{selection.scores_code()}\n{call}", selection.names)


def test_differences(question: Question) -> None:
    """Let the user choose a test or intervals, and show them."""
    glossary.terms("permutation test", "p-value", "rank cluster", "bootstrap interval")
    chosen = choose_among_few("Test the differences", (NOTHING, CLUSTERS, INTERVALS), "resampled")
    if chosen == NOTHING:
        st.markdown(
            "Ranks alone do not show which differences are due to chance: on other segments another metric might lead. "
            "**Significance**, below the table, adds the clusters of the coefficient that the table is ranked by. Here "
            "you see every p-value, and can test another coefficient, swap differently or correct for many tests. "
            f"Each takes {presets.RESAMPLES} resamples of every metric: seconds for most "
            "coefficients by item, minutes for others. The bar says how long, from the first resamples."
        )
        return
    if question.undefined != "drop":
        st.markdown("Resamples always leave undefined groups out (*drop*), even if the table above does not.")
    columns = TestedColumn.testable(question)
    if not columns:
        st.info("These coefficients have no value by this grouping, so there is nothing to test.")
        return
    why = WHOLE_DOCUMENTS if question.contest.grouping == "document_means" else None
    one, two, three = st.columns(3, gap="medium")
    with one:
        column = choose("Test which coefficient?", columns, "resampled_column", printed=charts.label_of)
    with two:
        if chosen == CLUSTERS:
            swaps = TestedColumn.units(question, SWAPS, column)
            unit = choose("What is swapped between the two metrics?", swaps, "resampled_swap", help=why)
        else:
            draws = TestedColumn.units(question, RESAMPLES, column)
            unit = choose("What is resampled?", draws, "resampled_draw", help=why)
    tested = TestedColumn(question, column, unit)
    if chosen == INTERVALS:
        _show_intervals(tested)
        return
    with three:
        correction = choose("Correction for many tests", list(CORRECTIONS), "resampled_correction")
    _test_all_pairs(tested, CORRECTIONS[correction])


# ------------------------------------------------------------------------------------ p-values of every two metrics


def key_of(tested: TestedColumn) -> tuple[object, ...]:
    """Return what the tests of every two metrics depend on."""
    contest = tested.contest
    return "clusters", *tested.key, tested.question.selection.own_cells, tuple(contest.metrics), contest.digest


def compare(tested: TestedColumn, title: str) -> Comparison | None:
    """Test every two metrics, with progress; None where the visitor has stopped it."""
    found: Comparison | None = result_cache.compute(title, tasks_of(tested)).get(tested.label)
    return found


def tasks_of(tested: TestedColumn) -> dict[str, result_cache.Task]:
    """Return the test of every two metrics."""
    return {tested.label: (key_of(tested), partial(_compare, tested))}


def _compare(tested: TestedColumn, progress: Progress) -> Comparison:
    contest = tested.contest
    return tk.significance.compare_metrics(
        contest.rated, contest.metrics, tested.column, **tested.test_arguments, progress=progress
    )


def _test_all_pairs(tested: TestedColumn, correction: str | None) -> None:
    """Test every two metrics; show p-values as a picture, clusters and all pairs as tables."""
    if len(tested.contest.ranked) < 2:
        st.info("There is one metric only.")
        return
    if choices.are_too_many(len(tested.contest.metrics)):
        return
    found = compare(tested, "Testing every two metrics")
    if found is None:
        return

    def frame() -> pa.Table:
        made = charts.pvalue_frame(found.pvalues, alpha=ALPHA, correction=correction, untested=found.untested)
        return pa.Table.from_pandas(made)

    names, probes, is_cautious = tuple(found.pvalues.index), tested.question.probes, SWAPS[tested.unit].caution
    left, right = st.columns([3, 2], gap="large")
    with left:
        number = notes.count_metrics(len(names), len(probes))
        words = f"p-values of every two of {number}, {tested.label}, best first: {_say_neighbors(found)}"
        figure = mark_added(charts.pvalue_chart(names, shell.theme()), tested.question.added)
        shell.draw(result_cache.once(("p", key_of(tested), correction), frame), figure, words, "p_values")
        st.markdown(
            "Each square is the p-value of its row's metric against its column's, where "
            f"{plain(SWAPS[tested.unit].text.split(' (')[0])}. The stronger the color, the smaller p."
            + " The squares show uncorrected p-values; the clusters use the corrected ones (table below)."
            * (correction is not None)
        )
    with right:
        if is_cautious:
            st.warning(
                "Outcomes of pairs of one segment depend on each other. This test, WMT's of calibrated accuracy, calls "
                "metrics different far too often, so it is not used for clusters."
            )
            st.markdown(_say_untested(found))
        else:
            _show_clusters(found, tested.label, correction, probes)
    _list_pairs(tested, found, correction)
    end = "pvalues" if is_cautious else f"clusters({ALPHA}, {correction!r})"
    cells = ', cells="own"' * tested.question.selection.own_cells
    tested.show_code("clusters", COMPARE, swap=tested.unit, cells=cells, end=end)


def _say_neighbors(found: Comparison) -> str:
    """The p-values of neighbors in rank, and the metrics without one."""
    with_p = [name for name in found.pvalues.index if name not in found.untested]
    neighbors = [f"{a} and {b} {format_number(found.pvalues.loc[a, b])}" for a, b in pairwise(with_p)]
    return ", ".join(neighbors) + "".join(f"; {name} not tested" for name in found.untested)


def mark_added(figure: dict[str, Any], added: Collection[str]) -> dict[str, Any]:
    """Return a figure whose axes show added metrics in bold and with a ✚."""

    def walk(part: Any) -> Any:
        if isinstance(part, list):
            return [walk(one) for one in part]
        if not isinstance(part, dict):
            return part
        found = {key: walk(value) for key, value in part.items()}
        if isinstance(found.get("axis"), dict) and found.get("field") in NAMED:
            test = f"indexof({list(added)!r}, datum.value) >= 0"
            bold = {"condition": {"test": test, "value": "bold"}, "value": "normal"}
            label = f"{test} ? '✚ ' + datum.label : datum.label"
            found["axis"] = {**found["axis"], "labelFontWeight": bold, "labelExpr": label}
        return found

    return dict(walk(figure)) if added else figure


def _show_clusters(found: Comparison, label: str, correction: str | None, probes: Collection[str]) -> None:
    """Show the clusters of metrics that share a rank, and how to read them."""
    with collect_warnings() as coarse:
        cluster, of_metric = found.clusters(ALPHA, correction), pd.Series(found.values)
    values = pd.DataFrame({"value": of_metric, "cluster": cluster}).rename_axis("metric")
    shown = values[["cluster"]].assign(**{label: [format_number(value) for value in of_metric]})
    ranked = cluster.dropna()
    words = "; ".join(f"{name} {place}" for name, place in ranked.items())
    words += "".join(f"; {name} not tested" for name in found.untested)
    styler = shown.rename(index=notes.mark_probes(probes)).style.format({"cluster": str}, na_rep=NOT_TESTED)
    alt = f"Clusters at 5 %: {words}"
    tables.grid(styler, "clusters", alt, values=values, height="content", placeholder=NOT_TESTED)
    if len(ranked) > 1:
        places = int(ranked.max())
        first = list(ranked.index[ranked == 1])
        lead = f"{plain(first[0])} leads alone" if len(first) == 1 else f"{len(first)} share the first rank"
        number = notes.count_metrics(len(ranked), len(ranked.index.intersection(list(probes))))
        st.markdown(
            f"**{places} cluster{'s' * (places > 1)} of {number} at p ≤ .05: {lead}.** Within a "
            "cluster no difference is significant. Metrics of neighboring clusters need not differ either: a cluster "
            "ends with the first metric that differs from any of it."
        )
    said = [f"**Too few resamples:** {plain(message.partition(': ')[2])}." for _, message in coarse]
    st.markdown("\n\n".join(filter(None, (*said, _say_untested(found)))))


def _say_untested(found: Comparison) -> str:
    """Return why some metrics have no p-value."""
    flat, others = (
        plain(", ".join(name for name in found.untested if (name in found.constant) == is_constant))
        for is_constant in (True, False)
    )
    lines = [
        f"**Not tested: {flat}.** A constant metric cannot be tested: its p is 1 whatever its value, so it belongs to "
        "no cluster." * bool(flat),
        f"**Not tested: {others}.** Without a value there is no difference to test." * bool(others),
    ]
    return "\n\n".join(filter(None, lines))


def _list_pairs(tested: TestedColumn, found: Comparison, correction: str | None) -> None:
    """Show one row per pair of metrics, with p uncorrected and, if one is asked for, corrected."""

    def make() -> tuple[pd.DataFrame, pd.DataFrame]:
        values = found.pairs(correction)
        values = values.drop(columns="corrected") if correction is None else values
        shown = values[["first", "second"]].assign(difference=values["difference"].map(format_number))
        for column, label in {"pvalue": "p", "corrected": "corrected p"}.items():
            if column in values:
                shown[label] = [format_number(value, missing=NOT_TESTED) for value in values[column]]
        return shown, values

    with st.expander("p-values of every two metrics as a table"):
        shown, values = result_cache.once(("pairs", correction, *key_of(tested)), make)
        words = f"{len(values)} pairs of metrics by {tested.label}, the better first, with the difference and p-values"
        tables.grid(shown, "p-values", words, values=values, hide_index=True)
        if correction is not None:
            st.markdown("Clusters use the corrected p, not the uncorrected one.")


# ------------------------------------------------------------------------------------------- intervals of all metrics


class Bounds(NamedTuple):
    """A value and its interval."""

    value: float
    low: float
    high: float
    n_undefined: int
    signature: str

    @property
    def ends(self) -> str:
        """The interval in words; empty where the value is undefined."""
        return "" if self.value != self.value else f"[{format_number(self.low)}, {format_number(self.high)}]"

    def __str__(self) -> str:
        return f"{format_number(self.value)} {self.ends}".strip()


def bounds_of(tested: TestedColumn, title: str) -> dict[str, Bounds]:
    """Resample every metric's value, with progress; only the finished ones where the visitor has stopped it."""
    contest = tested.contest
    return result_cache.compute(
        title,
        {
            name: (("interval", *tested.key, contest.digests[name]), partial(_bound, tested, name))
            for name in contest.metrics
        },
    )


def _bound(tested: TestedColumn, metric: str, progress: Progress) -> Bounds:
    scores, how = (tested.contest.human_of(metric), tested.contest.metrics[metric]), tested.resampling
    found = tk.significance.bootstrap_interval(*scores, tested.column, resample=tested.unit, **how, progress=progress)
    return Bounds(found.value, found.low, found.high, found.n_undefined, found.signature)


def _show_intervals(tested: TestedColumn) -> None:
    """Show the value of every metric with its bootstrap interval."""
    done = bounds_of(tested, "Resampling, metric by metric")
    if not done:
        return
    found = dict(sorted(done.items(), key=lambda one: (one[1].value != one[1].value, -one[1].value)))
    frame = charts.interval_frame({name: bounds[:3] for name, bounds in found.items()})
    words = "; ".join(f"{name} {bounds}" for name, bounds in found.items())
    left, right = st.columns([3, 2], gap="large")
    with left:
        figure = mark_added(charts.interval_chart(tuple(found), tested.label, shell.theme()), tested.question.added)
        shell.draw(frame, figure, f"{tested.label} with 95 % intervals: {words}", "intervals")
    with right:
        shown = pd.DataFrame({f"{tested.label} [95 %]": list(map(str, found.values()))}, frame["metric"])
        values = pd.DataFrame(found.values(), index=frame["metric"])
        tables.grid(shown, "intervals", f"Intervals: {words}", values=values, height="content")
    undefined = [
        f"{count_noun(bounds.n_undefined, 'resample')} of {plain(name)}"
        for name, bounds in found.items()
        if bounds.n_undefined
    ]
    st.markdown(
        f"**Resampled: {RESAMPLES[tested.unit].text}**, {presets.RESAMPLES} times; thresholds ε\\* stay as they "
        "are. Two intervals may overlap although the metrics differ significantly: both are judged on the same "
        "segments, and what is hard for one is hard for the other. Only p-values compare them."
        + f" Left out because the coefficient is undefined on them: {', '.join(undefined)}."
        * bool(undefined)
    )
    tested.show_code("intervals", BOUND, resample=tested.unit)
