"""Which metric wins under which grouping? The coefficient, the table, the lines, and which rankings flip."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit import charts
from ui.evalset.groupings import grouping_phrase, name_in_words
from ui.grouping.inputs import ToyMatrices, examples
from ui.grouping.values import NEITHER, GroupingValues
from ui.link.controls import choose
from ui.page import shell, tables
from ui.work import downloads, result_cache
from ui.work.text import format_number, plain


def choose_coefficient(scores: ToyMatrices) -> GroupingValues:
    """Let the user choose the coefficient."""
    order = ["acc_eq", *(name for name in tk.COEFFICIENTS if name != "acc_eq")]
    entry = tk.COEFFICIENTS[choose("Coefficient", order, "grp_coefficient", printed=charts.label_of)]
    key = "judged", scores.human, tuple(scores.metrics.items()), entry.name
    judged = result_cache.once(key, partial(GroupingValues, scores, entry))
    with st.container():
        for note in judged.notes:
            st.warning(f"{plain(note)}: scores that look equal are not counted as ties.")
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
        shown["winner"] = [plain(judged.ahead(by)) for by in tk.GROUPINGS]
        words = f"{judged.entry.label} of two metrics by grouping"
        tables.show(shown, "value by grouping", words, values=values.reset_index())
        st.markdown(f"**{say_reversals({by: judged.ahead(by) for by in tk.GROUPINGS})}**")
    with right:
        draw_reversals(values, judged.entry.label, "grp_turn")
    one, two = judged.scores.metrics.values()
    data = {"human": judged.scores.human, "first": one, "second": two}
    downloads.show_code("Values by grouping", CALL.format(*judged.scores.metrics, judged.entry.name), data)


CALL = """values = {{}}
for grouping in tk.GROUPINGS:
    for name, metric in (({0!r}, first), ({1!r}, second)):
        values[grouping, name] = tk.correlate(human, metric, {2!r}, grouping=grouping).value
values"""


def say_reversals(winners: dict[str, str]) -> str:
    """Say which metric wins by which grouping."""
    won: dict[str, list[str]] = {}
    for grouping, winner in winners.items():
        won.setdefault(winner, []).append(grouping_phrase(grouping))
    parts = [f"{plain(name)} wins {_join_words(where)}" for name, where in won.items() if name != NEITHER]
    parts += [f"neither wins {_join_words(where)}" for name, where in won.items() if name == NEITHER]
    opening = "The ranking flips: " if len(set(won) - {NEITHER}) == 2 else "The ranking does not flip: "
    return opening + "; ".join(parts) + "."


def _join_words(words: list[str]) -> str:
    """Words with commas and an "and"."""
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def draw_reversals(values: pd.DataFrame, label: str, key: str) -> None:
    """Draw one line per metric (column) over the groupings (rows)."""
    shown = values.rename(index=name_in_words)
    words = "; ".join(
        f"{by} " + ", ".join(f"{name} {format_number(value)}" for name, value in row.items())
        for by, row in shown.to_dict("index").items()
    )
    figure = charts.turn_chart(tuple(shown.index), tuple(shown.columns), label, shell.theme())
    shell.draw(charts.turn_frame(shown), figure, f"{label} by grouping: {words}", key)
