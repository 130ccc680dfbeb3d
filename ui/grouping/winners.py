"""Which metric wins under which grouping? A prediction, the table, the lines, and what reverses."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit import charts
from ui.base import notebook, work
from ui.base.text import format_number, plain
from ui.evalset.groupings import grouping_phrase, name_in_words
from ui.grouping.input import ToyMatrices, examples
from ui.grouping.values import NEITHER, GroupingValues
from ui.link.controls import choose
from ui.page import predict, shell, tables


def choose_coefficient(scores: ToyMatrices) -> GroupingValues:
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
    """Let the user predict who wins, if the scores are an example's; return whether the answer may be drawn."""
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
            f"grouping {by}: {example} {judged.entry.name}",
            question,
            _options(judged, by, why[by] if judged.entry.name == examples()[example]["coefficient"] else ""),
            judged.ahead(by),
        )
        for by, question in questions.items()
    )


def _options(judged: GroupingValues, grouping: str, why: str) -> dict[str, str]:
    """Each answer with the reason why it is right or wrong."""
    values = {name: format_number(value) for name, value in judged.means[grouping].items()}
    options = {name: f"It has {value}." for name, value in values.items()} | {NEITHER: "One metric is ahead."}
    numbers = ", ".join(f"{name} {value}" for name, value in values.items())
    return options | {judged.ahead(grouping): f"{plain(why)} {judged.label}: {numbers}."}


def verdict(judged: GroupingValues) -> None:
    """Show both metrics under every grouping: a table, the lines, what reverses, the code."""
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
    """Return what reverses between groupings, in words."""
    won: dict[str, list[str]] = {}
    for grouping, winner in winners.items():
        won.setdefault(winner, []).append(grouping_phrase(grouping))
    parts = [f"{plain(name)} is ahead {' and '.join(where)}" for name, where in won.items() if name != NEITHER]
    parts += [f"neither {' and '.join(where)}" for name, where in won.items() if name == NEITHER]
    opening = "The ranking reverses: " if len(set(won) - {NEITHER}) == 2 else "Nothing reverses: "
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
