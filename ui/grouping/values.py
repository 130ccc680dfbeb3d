"""Which metric wins under which grouping, and how does a grouping become one number? Typed scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.core import FloatArray, Grouped, average, group, near_tie_notes, row_means, values_per_group
from tiekit.figures import FIGURES
from ui.evalset.groupings import grouping_phrase, name_in_words
from ui.grouping.inputs import SEGMENTS, SYSTEMS, ToyMatrices, examples
from ui.link.controls import choose
from ui.page import shell, stage, tables
from ui.work import downloads, result_cache
from ui.work.text import exact, format_number, join_words, plain

NEITHER = "neither"

SAME = 1e-12
"""Values closer than this share a rank, as in a leaderboard."""


FIGURE = FIGURES["grouping"]
MOVING = stage.Moving(
    "grouping",
    "grouping",
    {"grouping": "grp_grouping", "cell": "grp_cell"},
    {"grouping": "global", "cell": None},
)

LARGEST = {"systems": [""] * SYSTEMS, "segments": [""] * SEGMENTS}
"""The largest scores of the page, in which a cell of a link must lie."""

CALL = """values = {{}}
for grouping in tk.GROUPINGS:
    for name, metric in (({0!r}, first), ({1!r}, second)):
        values[grouping, name] = tk.correlate(human, metric, {2!r}, grouping=grouping).value
values"""


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


def ahead(values: Mapping[str, float]) -> str:
    """Return which of two metrics has the larger value, up to rounding; neither where one has none."""
    (first, one), (second, other) = values.items()
    if np.isnan(one - other) or abs(one - other) < SAME:
        return NEITHER
    return first if one > other else second


def show(judged: GroupingValues) -> None:
    """Show the figure."""
    stage.show(FIGURE, _data(judged), "grp_figure", MOVING.keep)


def offer_page(judged: GroupingValues) -> None:
    """Offer the figure as a page of its own."""
    names = " and ".join(judged.scores.metrics)
    made = f"{judged.scores.example or 'Typed scores'}: {names}, by {judged.entry.label}."
    downloads.embed(lambda: FIGURE.page(_data(judged), made), "grouping.html")


def _data(judged: GroupingValues) -> dict[str, Any]:
    """What the figure shows: the scores, and what the user did with it."""
    scores = judged.scores
    moved = MOVING.read(LARGEST)
    cell = moved["cell"]
    if cell is not None and (cell[0] >= scores.shape[0] or cell[1] >= scores.shape[1]):
        cell = None  # picked when there were more systems or segments
    fixed = FIGURE.data(scores.human, scores.metrics, judged.entry.name, *scores.names)
    return {**fixed, "grouping": moved["grouping"], "cell": cell}


def choose_coefficient(scores: ToyMatrices) -> GroupingValues:
    """Let the user choose the coefficient."""
    order = ["acc_eq", *(name for name in tk.COEFFICIENTS if name != "acc_eq")]
    entry = tk.COEFFICIENTS[choose("Coefficient", order, "grp_coefficient", printed=charts.label_of)]
    key = "judged", scores.human, tuple(scores.metrics.items()), entry.name
    judged = result_cache.once(key, partial(GroupingValues, scores, entry))
    with st.container():
        for note in judged.notes:
            st.warning(f"{plain(note)}, though they may look equal.")
    return judged


def explain(judged: GroupingValues) -> None:
    """Say what the scores are, and what decides without grouping and by item; nothing of typed scores."""
    name = judged.scores.example
    if name is None:
        return
    example = examples()[name]
    st.markdown(f"**{plain(name)}.** {plain(example['about'])}")
    if judged.entry.name == example["coefficient"]:
        why = example["why"]
        st.markdown(f"*Without grouping:* {plain(why['global'])} *By item:* {plain(why['item'])}")


def verdict(judged: GroupingValues) -> None:
    """Show both metrics under every grouping: a table, the lines, which rankings flip, the code."""
    left, right = st.columns([2, 3], gap="large")
    values = pd.DataFrame.from_dict(judged.means, orient="index").rename_axis("grouping")
    with left:
        shown = values.map(format_number).rename(index=name_in_words, columns=plain).reset_index()
        winners = {by: judged.ahead(by) for by in tk.GROUPINGS}
        shown["winner"] = [*map(plain, winners.values())]
        words = f"{judged.entry.label} of two metrics by grouping"
        tables.show(shown, "value by grouping", words, values=values.reset_index())
        st.markdown(f"**{say_reversals(winners)}**")
    with right:
        draw_reversals(values, judged.entry.label, "grp_turn")
    one, two = judged.scores.metrics.values()
    data = {"human": judged.scores.human, "first": one, "second": two}
    downloads.show_code("Values by grouping", CALL.format(*judged.scores.metrics, judged.entry.name), data)


def say_reversals(winners: dict[str, str]) -> str:
    """Say which metric wins by which grouping."""
    won: dict[str, list[str]] = {}
    for grouping, winner in winners.items():
        won.setdefault(winner, []).append(grouping_phrase(grouping))
    named = sorted(won.items(), key=lambda one: one[0] == NEITHER)
    parts = [f"{name if name == NEITHER else plain(name)} wins {join_words(where)}" for name, where in named]
    opening = "The ranking flips: " if len(set(won) - {NEITHER}) == 2 else "The ranking does not flip: "
    return opening + "; ".join(parts) + "."


def draw_reversals(values: pd.DataFrame, label: str, key: str) -> None:
    """Draw one line per metric (column) over the groupings (rows)."""
    shown = values.rename(index=name_in_words)
    words = "; ".join(
        f"{by} " + ", ".join(f"{name} {format_number(value)}" for name, value in row.items())
        for by, row in shown.to_dict("index").items()
    )
    figure = charts.turn_chart(tuple(shown.index), tuple(shown.columns), label, shell.theme())
    shell.draw(charts.turn_frame(shown), figure, f"{label} by grouping: {words}", key)


def show_averaging(judged: GroupingValues) -> None:
    """Show how the groups of a grouping become one number: each group's value, and the mean."""
    left, right = st.columns([2, 3], gap="large")
    with left:
        names = {name_in_words(name): name for name in ("item", "system", "system_means", "global")}
        by = names[choose("Grouping", list(names), "grp_steps")]
        if by == "system_means":
            st.markdown("First each system's scores are averaged:")
            _means(judged.scores)
        for name in judged.scores.metrics:
            st.markdown(f"**{plain(name)}:** {_sum(judged.per_group[by, name])}")
        st.markdown(_weights(judged, by))
    with right:
        metrics = judged.scores.metrics
        table = pd.DataFrame({"group": _group_names(by, judged)})
        table["pairs"] = _pairs(judged, by)
        for name in metrics:
            table[plain(name)] = [format_number(value) for value in judged.per_group[by, name]]
        if by in ("item", "system"):
            mean = (f"**{format_number(judged.means[by][name])}**" for name in metrics)
            table.loc[len(table)] = ["**mean**", "", *mean]
        tables.show(table, "value of each group", f"{judged.entry.label} of each group {grouping_phrase(by)}")


def _group_names(by: str, judged: GroupingValues) -> list[str]:
    """The systems or segments that groups are of."""
    systems, segments = judged.scores.names
    return [plain(name) for name in {"item": segments, "system": systems}.get(by, ["all"])]


def _pairs(judged: GroupingValues, by: str) -> list[str]:
    """The number of pairs of each group; two numbers where the metrics differ."""
    counts = [_pair_counts(judged.groups[by, name]) for name in judged.scores.metrics]
    return [" / ".join(map(str, dict.fromkeys(row))) for row in zip(*counts, strict=True)]


def _pair_counts(grouped: Grouped) -> list[int]:
    sizes = np.nan_to_num(grouped.spread(grouped.sizes.astype(float)), nan=1.0).astype(int)
    return [size * (size - 1) // 2 for size in sizes.tolist()]


def _means(scores: ToyMatrices) -> None:
    """Show the means that are compared; a metric's are over the cells that it and the human have scored."""
    human = np.asarray(scores.human)
    table = pd.DataFrame({"system": [plain(name) for name in scores.names[0]]})
    table["human"] = row_means(human, ~np.isnan(human))
    for name, rows in scores.metrics.items():
        metric = np.asarray(rows)
        table[plain(name)] = row_means(metric, ~np.isnan(human) & ~np.isnan(metric))
    shown = table.map(lambda cell: cell if isinstance(cell, str) else exact(float(f"{cell:.4g}")))
    tables.show(shown, "means of systems", "Mean scores of each system", values=table)


def _sum(values: FloatArray) -> str:
    """A mean, written out as a sum."""
    defined = [value for value in values if not np.isnan(value)]
    if not defined:
        return "no group has a value, so there is no mean."
    mean = format_number(average(values, "drop"))
    if len(values) == 1:
        return f"{mean}, the value of the only group."
    left_out = len(values) - len(defined)
    rest = f"; {left_out} without a value {'are' if left_out > 1 else 'is'} excluded" * (left_out > 0)
    return f"({' + '.join(map(format_number, defined))}) / {len(defined)} = **{mean}**{rest}."


def _weights(judged: GroupingValues, by: str) -> str:
    """A sentence on the weights of groups, with the value of all pairs together where it would differ."""
    text = "Every group has the same weight, however many pairs it has."
    if by in ("global", "system_means"):
        return "There is one group, so no values are averaged."
    counts = {name: np.array(_pair_counts(judged.groups[by, name])) for name in judged.scores.metrics}
    formula = judged.entry.formula  # divided by pairs, the mean weighted by pairs is that of all pairs
    if not (formula and formula.divides_by_pairs) or all(len(set(found[found > 0])) < 2 for found in counts.values()):
        return text
    together = [
        f"{plain(name)} {format_number(float(np.nansum(judged.per_group[by, name] * found)) / found.sum())}"
        for name, found in counts.items()
    ]
    return f"{text} All their pairs pooled would give {', '.join(together)}."
