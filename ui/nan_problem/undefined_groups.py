"""Which groups have no value, and why? Counts by reason, and a grid of groups and metrics."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pandas as pd
import streamlit as st

from tiekit import charts
from tiekit.core import FloatArray
from ui.link import link
from ui.link.controls import choose
from ui.nan_problem.by_group import GroupValues
from ui.page import tables
from ui.work import result_cache
from ui.work.text import percent, plain

ROWS = 20
"""The number of groups on one page of the grid."""

SOME, ANY, ALL = "without a value for some metrics only", "without a value for at least one metric", "all"
"""Which groups the grid shows; metrics that have no value anywhere do not count."""

IN_LINK = {"page": lambda text: text.isdecimal() and int(text) >= 1}
"""What a link can hold: a check for each key."""


def _legend(reasons: set[str], judged: GroupValues) -> str:
    """Show what the symbols that occur in the grid mean."""
    if not reasons:
        return f"{judged.label} has a value everywhere."
    meant = [
        f"**{plain(glyph)}** {reason}" for reason, (_, glyph, _) in charts.REASON_STYLE.items() if reason in reasons
    ]
    return f"No value of {judged.label}, because {'; '.join(meant)}."


def count_table(judged: GroupValues) -> None:
    """Show how many groups of each metric have a value, how many are lost for which reason, and how much it ties."""
    frame, present, nobody = result_cache.once(("groups by reason", *judged.key), lambda: _count(judged))
    words = "; ".join(f"{name} {number:,}" for name, number in frame["has a value"].items())
    if nobody:
        st.markdown(f"**{nobody:,} of {len(judged.groups):,} groups have no value for any metric.**")
    human = next(iter(judged.metrics.values())).human_ties
    if human.n_pairs:
        st.markdown(
            f"The human ties {percent(human.share, 1)} of {human.n_pairs:,} pairs, {percent(human.share_at, 1)} with "
            "the score 0, which in MQM means no error."
        )
    tables.grid(
        frame.assign(**{"pairs tied": 100 * frame["pairs tied"]}),
        "groups by reason",
        f"Groups of {len(judged.groups):,} with a value of {judged.entry.label}: {words}",
        values=frame,
        formats={"pairs tied": "%.1f%%"},
        placeholder="undefined",
        height="content",
    )
    with st.container(key="narrow"):
        st.caption("Swipe the table sideways to see all columns.")
    st.markdown(_legend(present, judged))


def _count(judged: GroupValues) -> tuple[pd.DataFrame, set[str], int]:
    """The table, the reasons that occur, and the number of groups without a value for any metric."""
    lost = {name: _count_reasons(judged, name) for name in judged.metrics}
    present = [reason for reason in charts.REASON_STYLE if any(reason in reasons for reasons in lost.values())]
    rows = {
        name: {"has a value": len(judged.groups) - reasons.total()}
        | {_heading(reason): reasons[reason] for reason in present}
        | {"pairs tied": judged.metrics[name].ties.share}
        for name, reasons in lost.items()
    }
    frame = pd.DataFrame.from_dict(rows, orient="index").rename_axis("metric")
    return frame, set(present), int(np.isnan(list(judged.per_group.values())).all(axis=0).sum())


def _count_reasons(judged: GroupValues, name: str) -> Counter[str]:
    """A metric's groups without a value, by reason."""
    missing = np.isnan(judged.per_group[name])
    return Counter(reason for reason, gone in zip(judged.metrics[name].reasons, missing, strict=True) if gone)


def _heading(reason: str) -> str:
    _, glyph, name = charts.REASON_STYLE[reason]
    return f"{glyph} {name}"


def grid(judged: GroupValues) -> None:
    """Show the cells of a large set, one page of groups at a time, if the user or a link has opened them."""
    linked = link.of_page().has_any(("page", "which"))
    folded = st.expander("Group by group", linked, key="grid", on_change="rerun")
    if folded.open:
        with folded:
            _grid(judged)


def _grid(judged: GroupValues) -> None:
    missing = np.isnan([judged.per_group[name] for name in judged.ranked or judged.metrics])
    some = missing.any(axis=0)
    wanted = {SOME: some & ~missing.all(axis=0), ANY: some, ALL: np.ones(len(judged.groups), bool)}
    one, two = st.columns([1, 2], gap="medium", vertical_alignment="bottom")
    with one:
        which = np.flatnonzero(wanted[choose("Which groups?", [SOME, ANY, ALL], "which")])
    pages = max(1, math.ceil(which.size / ROWS))
    with two:
        if pages > 1:
            if not 1 <= int(st.session_state.get("page", 1)) <= pages:
                st.session_state["page"] = 1
            page = int(st.pagination(pages, key="page", bind="query-params"))
        else:
            page = 1
    shown = which[(page - 1) * ROWS : page * ROWS]
    if not shown.size:
        st.info("There is no such group.")
        return
    cells = {
        name: [charts.group_words(values[at], judged.metrics[name].reasons[at]) for at in shown]
        for name, values in judged.per_group.items()
    }
    frame = pd.DataFrame(cells, index=pd.Index([judged.groups[at] for at in shown], name=judged.contest.grouping))
    numbers: dict[str, FloatArray | list[str]] = {}
    for name, of_all in judged.per_group.items():
        numbers[name] = of_all[shown]
        numbers[f"reason({name})"] = [judged.metrics[name].reasons[at] if np.isnan(of_all[at]) else "" for at in shown]
    words = (
        f"{judged.entry.label} of {len(shown)} of {which.size:,} groups, page {page} of {pages}, or why there is none"
    )
    values = pd.DataFrame(numbers, index=frame.index)
    tables.grid(
        frame.style.map(lambda words: _color(str(words))), "values by group", words, values=values, height="content"
    )


def _color(words: str) -> str:
    """The style of a cell without a value: the color of the reason, and ink that is readable on it."""
    for background, glyph, name in charts.REASON_STYLE.values():
        if words == f"{glyph}  {name}":
            return f"background-color: {background}; color: {'#FFFFFF' if glyph == 'm' else '#000000'}"
    return ""
