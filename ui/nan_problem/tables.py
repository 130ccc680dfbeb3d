"""Which groups have no value, and which metric wins when these are dropped, count as 0, or are dropped for all?"""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pandas as pd
import streamlit as st

from tiekit import charts
from tiekit.ranking import POLICIES
from ui.link import link
from ui.link.controls import choose
from ui.nan_problem.by_group import GroupValues, Standing
from ui.page import predict, tables
from ui.work import downloads, result_cache
from ui.work.text import format_number, percent, plain

CHOICES = 4
"""The number of metrics offered in the prediction of the winner."""

SPOKEN = 6
"""The most pairs of metrics that are named."""

HISTORY = "as WMT did in 2022 where it averaged τ\\_b over groups"

SHARED = "several metrics share rank 1"


def compare(judged: GroupValues, key: str, *, asks: bool = True) -> None:
    """Show the ranking under drop; after a prediction, if it ``asks``, those under the other rules."""
    aside = [name for name in judged.metrics if name not in judged.ranked]
    if aside:
        st.markdown(
            f"Not ranked here: {plain(', '.join(aside))}. {judged.label} is undefined in every group; counted as 0, "
            "the mean is 0."
        )
    if len(judged.ranked) < 2:
        st.info("Fewer than two metrics have a value, so there is no ranking.")
        return
    used = {policy: [one.used for one in judged.standings[policy].values()] for policy in POLICIES}
    lost = used["drop"] != used["zero"]
    st.markdown(f"**drop**, {HISTORY if lost else 'where no group is dropped here'}: {_lead(judged, 'drop')}.")
    if asks and set(used["drop"]) != {judged.n_common} and not _predict_leader(judged, key):
        _table(judged, ("drop",), key)
        return
    _table(judged, POLICIES, key)
    if lost:
        st.markdown(_words(judged))
    _show_code(judged, key)


def _lead(judged: GroupValues, policy: str) -> str:
    """Which metric leads, with which value, over how many groups."""
    leaders = judged.leaders(policy)
    if not leaders:
        return "no group has a value for every metric"
    value, _, used = judged.standings[policy][leaders[0]]
    verb = "lead" if len(leaders) > 1 else "leads"
    groups = f"{used:,} group{'s' * (used != 1)}"
    return f"**{plain(' and '.join(leaders))}** {verb} with {format_number(value)} over {groups}"


def _predict_leader(judged: GroupValues, key: str) -> bool:
    """Let the user predict the leader under a policy whose leader is not that of drop, if there is one."""
    asked = [policy for policy in ("common", "zero") if judged.leaders(policy)]
    policy = next((one for one in asked if judged.leaders(one) != judged.leaders("drop")), asked[0])
    leaders = judged.leaders(policy)
    truth = plain(leaders[0]) if len(leaders) == 1 else SHARED
    dropped, by_drop = judged.standings["drop"], judged.by_drop
    offered = [name for name in by_drop if name in by_drop[:CHOICES] or name == leaders[0]]
    options = {
        plain(name): f"It has {format_number(judged.standings[policy][name].value)} there, against "
        f"{format_number(dropped[name].value)} over its own {dropped[name].used:,} groups."
        for name in offered
    }
    options[SHARED] = "They have the same mean there." if truth == SHARED else "One metric is ahead."
    scores = " ".join(f"{name} {judged.digests[name]}" for name in judged.ranked)
    questions = {
        "common": f"Which metric is best on the {judged.n_common:,} groups that have a value for every metric?",
        "zero": f"Which metric is best when a group without a value counts as 0, over all {judged.n_groups:,} groups?",
    }
    return predict.predict_first(
        f"{key}: {judged.entry.name} {judged.contest.grouping} {scores}",
        f"Under drop each mean covers different groups. {questions[policy]}",
        options,
        truth,
        is_about_files=not judged.is_typed,
    )


def _table(judged: GroupValues, policies: tuple[str, ...], key: str) -> None:
    """Show one row per metric in the order of drop, and one column per policy."""
    shown, values = result_cache.once(("ranking", policies, *judged.key), lambda: _ranking(judged, policies))
    words = "; ".join(f"{policy}: {', '.join(judged.leaders(policy)) or 'no metric'} first" for policy in policies)
    tables.grid(
        shown, f"ranking {key}", f"{judged.entry.label} under {words}", values=values, height="content", width="content"
    )
    st.markdown("Each cell: mean (rank) · number of groups in the mean. ★ marks rank 1.")


def _ranking(judged: GroupValues, policies: tuple[str, ...]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The table as shown and in numbers."""
    index = pd.Index(judged.by_drop, name="metric")
    columns = {policy: [judged.standings[policy][name] for name in judged.by_drop] for policy in policies}
    shown = pd.DataFrame({policy: map(_cell, column) for policy, column in columns.items()}, index=index)
    values = {
        f"{what} {policy}": [getattr(one, what) for one in column]
        for policy, column in columns.items()
        for what in Standing._fields
    }
    return shown, pd.DataFrame(values, index=index)


def _cell(found: Standing) -> str:
    if found.rank is None:
        return "undefined"
    return f"{'★ ' * (found.rank == 1)}{format_number(found.value)} ({found.rank}) · {found.used:,}"


def _words(judged: GroupValues) -> str:
    """The best metric under each rule, and which pairs of metrics it reverses."""
    lines = [
        f"- **drop** leaves groups without a value out of that metric's mean: {_lead(judged, 'drop')}.",
        f"- **zero** counts them as 0: {_lead(judged, 'zero')}. {_reversals(judged, 'zero')}",
        f"- **common** leaves them out for every metric: {_lead(judged, 'common')}. {_reversals(judged, 'common')}",
    ]
    return "\n".join(lines)


def _reversals(judged: GroupValues, policy: str) -> str:
    flips = judged.flips("drop", policy)
    if not flips:
        return "No pair of metrics is reversed." if judged.leaders(policy) else ""
    named = ", ".join(f"{plain(behind)} passes {plain(ahead)}" for ahead, behind in flips[:SPOKEN])
    more = f" and {len(flips) - SPOKEN} more" if len(flips) > SPOKEN else ""
    return f"Compared with drop, {named}{more}."


TYPED = 'chosen = tk.EvalSet("typed", "", {systems}, {segments}, {{"human": human}}, {{{metrics}}})'

CALL = """options = {{
    "metrics": {metrics},
    "grouping": {grouping!r},
    "coefficients": [{name!r}],
    "calibrated": (),
    "exclude": (),
}}
boards = {{
    policy: tk.leaderboard(chosen, {human!r}, undefined=policy, **options) for policy in ("drop", "zero", "common")
}}
{{policy: board[{name!r}].to_dict() for policy, board in boards.items()}}"""


def _show_code(judged: GroupValues, key: str) -> None:
    """Show the calls that make the ranking: typed scores are written out, an evaluation set is read."""
    selection, name = judged.selection, judged.entry.name
    call = CALL.format(human=selection.human, metrics=judged.ranked, grouping=selection.grouping, name=name)
    if not judged.is_typed:
        lines = f"{selection.selecting_code(judged.ranked)}\n{call}"
        selection.show_code(f"ranking {key}", lines, judged.ranked)
        return
    contest, data = selection.contest, selection.source.data
    variables = {name: f"metric_{number}" for number, name in enumerate(judged.ranked, 1)}
    metrics = ", ".join(f"{name!r}: {variable}" for name, variable in variables.items())
    built = TYPED.format(systems=data.systems, segments=data.segments, metrics=metrics)
    scores = {variable: contest.metrics[name] for name, variable in variables.items()}
    downloads.show_code(f"ranking {key}", f"{built}\n{call}", {"human": contest.human} | scores)


ROWS = 20
"""The number of groups on one page of the grid."""

SOME, ANY, ALL = "without a value for some metrics only", "without a value for at least one metric", "all"
"""Which groups the grid shows; metrics that have no value anywhere do not count."""

IN_LINK = {"page": lambda text: text.isdecimal() and int(text) >= 1}
"""What a link can hold: a check for each key."""


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
    meant = "; ".join(f"**{plain(charts.REASON_STYLE[reason][1])}** {reason}" for reason in present)
    none = f"No value of {judged.label}, because {meant}."
    st.markdown(none if present else f"{judged.label} has a value everywhere.")


def _count(judged: GroupValues) -> tuple[pd.DataFrame, list[str], int]:
    """The table, the reasons that occur, and the number of groups without a value for any metric."""
    lost = {
        name: Counter(one.reasons[at] for at in np.flatnonzero(np.isnan(judged.per_group[name])))
        for name, one in judged.metrics.items()
    }
    present = [reason for reason in charts.REASON_STYLE if any(reason in reasons for reasons in lost.values())]
    rows = {
        name: {"has a value": len(judged.groups) - reasons.total()}
        | {"{1} {2}".format(*charts.REASON_STYLE[reason]): reasons[reason] for reason in present}
        | {"pairs tied": judged.metrics[name].ties.share}
        for name, reasons in lost.items()
    }
    frame = pd.DataFrame.from_dict(rows, orient="index").rename_axis("metric")
    return frame, present, int(np.isnan(list(judged.per_group.values())).all(axis=0).sum())


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
    pages, page = max(1, math.ceil(which.size / ROWS)), 1
    if pages > 1:
        if not 1 <= int(st.session_state.get("page", 1)) <= pages:
            st.session_state["page"] = 1
        with two:
            page = int(st.pagination(pages, key="page", bind="query-params"))
    shown = which[(page - 1) * ROWS : page * ROWS]
    if not shown.size:
        st.info("There is no such group.")
        return
    cells = {
        name: [charts.group_words(values[at], judged.metrics[name].reasons[at]) for at in shown]
        for name, values in judged.per_group.items()
    }
    index = pd.Index([judged.groups[at] for at in shown], name=judged.contest.grouping)
    values = pd.DataFrame(index=index)
    for name, of_all in judged.per_group.items():
        reasons = [judged.metrics[name].reasons[at] if np.isnan(of_all[at]) else "" for at in shown]
        values[name], values[f"reason({name})"] = of_all[shown], reasons
    words = (
        f"{judged.entry.label} of {len(shown)} of {which.size:,} groups, page {page} of {pages}, or why there is none"
    )
    styler = pd.DataFrame(cells, index=index).style.map(lambda words: _color(str(words)))
    tables.grid(styler, "values by group", words, values=values, height="content")


def _color(words: str) -> str:
    """The style of a cell without a value: the color of the reason, and ink that is readable on it."""
    for background, glyph, name in charts.REASON_STYLE.values():
        if words == f"{glyph}  {name}":
            return f"background-color: {background}; color: {'#FFFFFF' if glyph == 'm' else '#000000'}"
    return ""
