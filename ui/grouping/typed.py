"""Which pairs does a grouping compare, and which metric wins by it? Small matrices of scores under all four."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.coefficients.correlation import average, values_per_group
from tiekit.counting.grouping import Grouped, group
from tiekit.counting.means import row_means
from tiekit.counting.pairs import near_tie_notes
from tiekit.counting.scores import FloatArray
from ui.base import notebook, work
from ui.base.text import exact, format_number, plain
from ui.evalset.groupings import grouping_phrase, name_in_words
from ui.grouping.input import Scores, examples
from ui.link.controls import choose
from ui.page import lecture, predict, shell, tables

NEITHER = "neither"
SMALL = 4
"""Segments of a picture that can stand in a row of four."""

SAME = 1e-12
"""Values closer than this share a rank, as in a leaderboard."""


def pictures(scores: Scores) -> None:
    """One score, and under each grouping the scores that it is compared with."""
    with st.container(horizontal=True):
        system = choose("A score: of which system?", _numbers(scores.shape[0]), "grp_system")
        segment = choose("On which segment?", _numbers(scores.shape[1]), "grp_segment")
    at = int(system) - 1, int(segment) - 1
    marks = " · ".join(f"**{glyph}** {meaning}" for glyph, meaning in charts.ROLE_STYLE.values() if glyph)
    st.markdown(f"The human's scores; a frame is a group. {marks}.")
    groupings, per_row = list(tk.GROUPINGS), 2 if lecture.is_on() or scores.shape[1] > SMALL else 4
    for first in range(0, len(groupings), per_row):
        for grouping, column in zip(groupings[first : first + per_row], st.columns(per_row, gap="medium"), strict=True):
            with column:
                _picture(scores, grouping, at)


def _numbers(last: int) -> list[str]:
    return [str(number) for number in range(1, last + 1)]


def _picture(scores: Scores, grouping: str, at: tuple[int, int]) -> None:
    frame, words, sentence = work.once(
        ("compared", scores.human, grouping, at), partial(_compared, scores, grouping, at)
    )
    st.subheader(name_in_words(grouping).capitalize(), divider="gray")
    figure = charts.compared_chart(*scores.shape, shell.theme(), means=grouping == "system_means")
    shell.draw(frame, figure, words, f"grp_{grouping}")
    st.markdown(sentence)


def _compared(scores: Scores, grouping: str, at: tuple[int, int]) -> tuple[pa.Table, str, str]:
    """What the picture is drawn over, what it shows in words, and the sentence under it."""
    frame = charts.compared_frame(scores.human, grouping, *at)
    found, compared = group(scores.human, scores.human, grouping), frame[frame["role"] == "compared"]
    groups, pairs = found.index.size, found.n_pairs
    counted = f"{pairs} pair{'s' * (pairs != 1)} in {groups} group{'s' * (groups != 1)}"
    partners = ", ".join(
        f"system {system}" + f" segment {segment}" * (segment > 0)
        for system, segment in zip(compared["system"], compared["segment"], strict=True)
    )
    words = f"{name_in_words(grouping)}: {counted}; system {at[0] + 1} segment {at[1] + 1} is compared with "
    sentence = f"{tk.GROUPINGS[grouping].capitalize()}: **{counted}**, {len(compared)} of them with ●."
    return pa.Table.from_pandas(frame), words + (partners or "nothing"), sentence


@dataclass(frozen=True)
class GroupingValues:
    """Two metrics under every grouping by one coefficient."""

    scores: Scores
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
        """What to say of scores that all but tie."""
        return sorted({note for grouped in self.groups.values() for note in near_tie_notes(grouped.scores)})

    def ahead(self, grouping: str) -> str:
        """The metric with the larger value, or neither."""
        return ahead(self.means[grouping])

    @property
    def label(self) -> str:
        """The coefficient, safe in Markdown."""
        return plain(self.entry.label)


def ahead(values: dict[str, float]) -> str:
    """Who of two has the larger value, up to rounding; neither where one has none."""
    (first, one), (second, other) = values.items()
    if np.isnan(one - other) or abs(one - other) < SAME:
        return NEITHER
    return first if one > other else second


def choose_coefficient(scores: Scores) -> GroupingValues:
    """Let the user choose the coefficient."""
    order = ["acc_eq", *(name for name in tk.COEFFICIENTS if name != "acc_eq")]
    entry = tk.COEFFICIENTS[choose("Judged by which coefficient?", order, "grp_coefficient")]
    key = "judged", scores.human, tuple(scores.metrics.items()), entry.name
    judged = work.once(key, partial(GroupingValues, scores, entry))
    with st.container():
        for note in judged.notes:
            st.warning(f"{plain(note)}: what looks like a tie is none to the computer.")
    return judged


def predict_winners(judged: GroupingValues) -> bool:
    """Ask who wins without grouping and by item, where the scores are an example's; own scores show at once."""
    example = judged.scores.example
    if example is None:
        return True
    why = examples()[example]["why"]
    questions = {
        "global": f"Which metric has the higher {judged.label} **without grouping**, all translations with all?",
        "item": f"And **by item**, the mean over the segments? Which has the higher {judged.label}?",
    }
    return all(
        predict.predict_first(
            f"grouping {example} {judged.entry.name} {by}",
            question,
            _options(judged, by, why[by] if judged.entry.name == examples()[example]["coefficient"] else ""),
            judged.ahead(by),
        )
        for by, question in questions.items()
    )


def _options(judged: GroupingValues, grouping: str, why: str) -> dict[str, str]:
    """Each answer with what speaks for or against it; the names are those of our examples."""
    values = {name: format_number(value) for name, value in judged.means[grouping].items()}
    options = {name: f"It has {value}." for name, value in values.items()} | {NEITHER: "One metric is ahead."}
    numbers = ", ".join(f"{name} {value}" for name, value in values.items())
    return options | {judged.ahead(grouping): f"{plain(why)} {judged.label}: {numbers}."}


def verdict(judged: GroupingValues) -> None:
    """Both metrics under every grouping: a table, the lines, what reverses, the code."""
    left, right = st.columns([2, 3], gap="large")
    values = pd.DataFrame.from_dict(judged.means, orient="index").rename_axis("grouping")
    with left:
        shown = values.map(format_number).rename(index=name_in_words, columns=plain).reset_index()
        shown["ahead"] = [plain(judged.ahead(by)) for by in tk.GROUPINGS]
        words = f"{judged.entry.label} of two metrics by grouping"
        tables.show(shown, "value by grouping", words, values=values.reset_index())
        st.markdown(f"**{say_reversals({by: judged.ahead(by) for by in tk.GROUPINGS})}**")
    with right:
        draw_reversals(values, judged.entry.label, "grp_turn")
    one, two = judged.scores.metrics.values()
    data = {"human": judged.scores.human, "first": one, "second": two}
    notebook.show("Values by grouping", CALL.format(*judged.scores.metrics, judged.entry.name), data)


CALL = """values = {{}}
for grouping in tk.GROUPINGS:
    for name, metric in (({0!r}, first), ({1!r}, second)):
        values[grouping, name] = tk.correlate(human, metric, {2!r}, grouping=grouping).value
values"""


def say_reversals(winners: dict[str, str]) -> str:
    """What reverses between groupings, in words."""
    won: dict[str, list[str]] = {}
    for grouping, winner in winners.items():
        won.setdefault(winner, []).append(grouping_phrase(grouping))
    parts = [f"{plain(name)} is ahead {' and '.join(where)}" for name, where in won.items() if name != NEITHER]
    parts += [f"neither {' and '.join(where)}" for name, where in won.items() if name == NEITHER]
    opening = "The ranking reverses: " if len(set(won) - {NEITHER}) == 2 else "Nothing reverses: "
    return opening + "; ".join(parts) + "."


def draw_reversals(values: pd.DataFrame, label: str, key: str) -> None:
    """A line a metric (column) over the groupings (rows)."""
    shown = values.rename(index=name_in_words)
    words = "; ".join(
        f"{by} " + ", ".join(f"{name} {format_number(value)}" for name, value in row.items())
        for by, row in shown.to_dict("index").items()
    )
    figure = charts.turn_chart(tuple(shown.index), tuple(shown.columns), label, shell.theme())
    shell.draw(charts.turn_frame(shown), figure, f"{label} by grouping: {words}", key)


def averaging(judged: GroupingValues) -> None:
    """How a grouping makes one number of its groups: each group's value, and the mean."""
    left, right = st.columns([2, 3], gap="large")
    with left:
        order = [name_in_words(name) for name in ("item", "system", "system_means", "global")]
        by = choose("Which grouping step by step?", order, "grp_steps").replace(" ", "_")
        if by == "system_means":
            st.markdown("First each system's scores become one, their mean:")
            _means(judged.scores)
        for name in judged.scores.metrics:
            st.markdown(f"**{plain(name)}:** {_sum(judged.per_group[by, name])}")
        st.markdown(_weights(judged, by))
    with right:
        metrics = judged.scores.metrics
        table = pd.DataFrame({"group": _group_names(by, judged.groups[by, next(iter(metrics))].n_possible)})
        table["pairs"] = _pairs(judged, by)
        for name in metrics:
            table[plain(name)] = [format_number(value) for value in judged.per_group[by, name]]
        if by in ("item", "system"):
            mean = (f"**{format_number(judged.means[by][name])}**" for name in metrics)
            table.loc[len(table)] = ["**mean**", "", *mean]
        tables.show(table, "value of each group", f"{judged.entry.label} of each group {grouping_phrase(by)}")


def _group_names(by: str, number: int) -> list[str]:
    unit = {"item": "segment", "system": "system"}.get(by)
    return [f"{unit} {place}" for place in range(1, number + 1)] if unit else ["all"]


def _pairs(judged: GroupingValues, by: str) -> list[str]:
    """Pairs of each group; two numbers where the metrics' differ."""
    counts = [_pair_counts(judged.groups[by, name]) for name in judged.scores.metrics]
    return [" / ".join(map(str, dict.fromkeys(row))) for row in zip(*counts, strict=True)]


def _pair_counts(grouped: Grouped) -> list[int]:
    sizes = np.nan_to_num(grouped.spread(grouped.sizes.astype(float)), nan=1.0).astype(int)
    return [size * (size - 1) // 2 for size in sizes.tolist()]


def _means(scores: Scores) -> None:
    """The means that are compared; a metric's are over the cells that it and the human have scored."""
    human = np.asarray(scores.human)
    table = pd.DataFrame({"system": range(1, len(human) + 1)})
    table["human"] = row_means("human", human, ~np.isnan(human))
    for name, rows in scores.metrics.items():
        metric = np.asarray(rows)
        table[plain(name)] = row_means("metric", metric, ~np.isnan(human) & ~np.isnan(metric))
    shown = table.astype(object).map(lambda value: exact(float(f"{value:.4g}")))
    tables.show(shown, "means of systems", "Mean scores of each system", values=table)


def _sum(values: FloatArray) -> str:
    """A mean written out."""
    defined = [value for value in values if not np.isnan(value)]
    if not defined:
        return "no group has a value, so there is no mean."
    mean = format_number(average(values, "drop"))
    if len(values) == 1:
        return f"{mean}, the only group's value."
    left_out = len(values) - len(defined)
    rest = f"; {left_out} without a value {'are' if left_out > 1 else 'is'} left out" * (left_out > 0)
    return f"({' + '.join(map(format_number, defined))}) / {len(defined)} = **{mean}**{rest}."


def _weights(judged: GroupingValues, by: str) -> str:
    """That each group weighs the same, and what all pairs together would give where it matters."""
    text = "Every group weighs the same, however many pairs it has."
    if by in ("global", "system_means"):
        return "There is one group, so nothing is averaged afterwards."
    counts = {name: np.array(_pair_counts(judged.groups[by, name])) for name in judged.scores.metrics}
    formula = judged.entry.formula  # divided by pairs, a mean weighted by pairs is the value of all pairs together
    if not (formula and formula.divides_by_pairs) or all(len(set(found[found > 0])) < 2 for found in counts.values()):
        return text
    together = [
        f"{plain(name)} {format_number(float(np.nansum(judged.per_group[by, name] * found)) / found.sum())}"
        for name, found in counts.items()
    ]
    return f"{text} All their pairs in one pot would give {', '.join(together)}."
