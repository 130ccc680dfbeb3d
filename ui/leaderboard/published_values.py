"""Which values did a paper print? Deutsch et al. (2023), Tables 11–19, as a leaderboard and beside computed values."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from tiekit import charts
from tiekit.readers import data_file
from ui.leaderboard import ranking
from ui.leaderboard.question import Question, numbers_of, once
from ui.link.controls import choose
from ui.page import papers, tables
from ui.work.text import format_number

COMPUTED, PRINTED = "computed here", "printed by Deutsch et al. (2023)"
COLUMNS = ["tau_a", "tau_b", "tau_c", "tau_10", "tau_13", "tau_14", "acc_eq", "acc_eq*"]


@cache
def _all() -> pd.DataFrame:
    """All nine tables, one row per metric and table."""
    return pd.read_csv(data_file("papers/deutsch2023_tables.csv"))


def board(language_pair: str, grouping: str) -> pd.DataFrame:
    """Return a printed table in the form of a leaderboard; its thresholds have two decimals."""
    rows = _all()
    found = rows[(rows["language_pair"] == language_pair) & (rows["grouping"] == grouping)].set_index("metric")
    return found.assign(coverage=1.0, **{f"groups({column})": 1 for column in COLUMNS})


def is_wanted() -> bool:
    """Let the user choose between values computed from scores and printed ones."""
    return choose("Values", [COMPUTED, PRINTED], "values") == PRINTED


def show(control: AbstractContextManager[Any]) -> None:
    """Show one of the printed tables and how its ranks change; which one is chosen in ``control``."""
    rows = _all()
    with control:
        pair = choose("Language pair (WMT22)", list(rows["language_pair"].unique()), "printed_pair")
        grouping = choose("Which pairs are compared?", ["item", "system", "global"], "printed_grouping")
    shown = board(pair, grouping)
    number = int(shown["table"].iloc[0])
    st.markdown(f"**Table {number} as printed: {len(shown)} metrics, {pair}, grouped by {grouping}.** {say(shown)}")
    marks = ranking.Marks(chosen=ranking.choose_metric(shown, COLUMNS))
    ranking.draw(ranking.table(numbers_of(shown), COLUMNS, marks), "ranking")
    st.header("How do ranks change with the coefficient?")
    ranking.show_ranks(shown, COLUMNS, f"Table {number} of Deutsch et al. (2023), {pair}, grouped by {grouping}")()
    st.markdown(
        f"Source: {papers.DEUTSCH.cite(f'Table {number}')}. The paper prints 0.000 where a coefficient is undefined "
        "for the constant metric, and ranks it. Without grouping and by system the authors calibrated on a sample of "
        "pairs, so acc\\_eq\\* may be lower than acc\\_eq."
    )


def say(shown: pd.DataFrame) -> str:
    """Return what happens to MaTESe, the metric with the most ties; with the reason where the paper gives it."""
    one = shown.loc["MaTESe"]
    text = (
        f"MaTESe has rank {one['rank(tau_b)']} by τ\\_b, {one['rank(tau_10)']} by τ\\_10 and {one['rank(acc_eq*)']} "
        "by acc\\_eq\\*."
    )
    facts = pd.read_csv(data_file("papers/deutsch2023_nan_problem.csv"))
    facts = facts[(facts["language_pair"] == one["language_pair"]) & (facts["grouping"] == one["grouping"])]
    if facts.empty:
        return text
    own, rival, same = facts.to_dict("records")
    return (
        f"{text} Its τ\\_b is a mean over {own['segments']} segments, that of {rival['metric']} over "
        f"{rival['segments']:,}. On the same {same['segments']} segments {same['metric']} is better: "
        f"{format_number(same['tau_b'])} against {format_number(own['tau_b'])}."
    )


def compare(frame: pd.DataFrame, question: Question) -> None:
    """Show computed values beside the printed ones where the same scores are compared: WMT22 zh-en, MQM."""
    found = once(
        "printed beside",
        lambda: compare_with_printed(numbers_of(frame), question),
        str(question.selection.domain),
        repr(question.selection.exclude),
    )
    if found is None:
        return
    number, shown, values, equal = found
    with st.expander(f"Compare with Table {number} of Deutsch et al. (2023)"):
        st.markdown(
            f"{equal} of {len(values)} values equal the printed ones in all three decimals. Each cell shows the value "
            f"computed here and, where it differs, the printed one. Source: {papers.DEUTSCH.cite('Tables 11 to 19')}."
        )
        words = f"Values computed here and printed in Table {number} of Deutsch et al. (2023)"
        tables.grid(shown, f"Deutsch-2023-table-{number}", words, values=values)


def compare_with_printed(frame: pd.DataFrame, question: Question) -> tuple[int, pd.DataFrame, pd.DataFrame, int] | None:
    """Return the number of the printed table, both values as shown and as numbers, and how many are equal."""
    contest, columns = question.contest, [column for column in COLUMNS if column in question.columns]
    usual = question.selection.exclude == question.selection.source.data.default_exclude
    is_same = contest.selection["set"] == "wmt22/zh-en" and contest.selection["human"] == "mqm" and usual
    if not is_same or question.selection.domain or contest.grouping not in ("item", "system", "global"):
        return None
    paper = board("zh-en", contest.grouping)
    names = pd.read_csv(data_file("papers/deutsch2023_names.csv"), index_col="stored")["printed"]
    rows = [
        (name, column, float(frame[column][name]), float(paper[column][names[name]]))
        for name in frame.index.intersection(names.index)
        for column in columns
    ]
    if not rows:
        return None
    values = pd.DataFrame(rows, columns=["metric", "coefficient", "computed", "printed"])
    rounded = values["computed"].map(lambda value: round(float(value), 3))
    equal = np.isclose(rounded, values["printed"], atol=1e-9)
    words = [
        format_number(computed) if same else f"{format_number(computed)} (printed {format_number(printed)})"
        for computed, printed, same in zip(values["computed"], values["printed"], equal, strict=True)
    ]
    labels = {column: charts.label_of(column) for column in columns[::-1]}
    shown = values.assign(text=words).pivot(index="metric", columns="coefficient", values="text")  # noqa: PD010
    ordered = shown.loc[[name for name in frame.index if name in shown.index], list(labels)].rename(columns=labels)
    return int(paper["table"].iloc[0]), ordered.rename_axis(columns=None), values, int(equal.sum())
