"""How does a grouping become one number? Each group's value, and their mean written out."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from tiekit.core import FloatArray, Grouped, average, row_means
from ui.evalset.groupings import grouping_phrase, name_in_words
from ui.grouping.inputs import ToyMatrices
from ui.grouping.values import GroupingValues
from ui.link.controls import choose
from ui.page import tables
from ui.work.text import exact, format_number, plain


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
