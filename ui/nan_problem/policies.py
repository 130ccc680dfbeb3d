"""Which metric wins when groups without a value are dropped, count as 0, or are dropped for all?"""

from __future__ import annotations

import pandas as pd
import streamlit as st

from tiekit.ranking import POLICIES
from ui.nan_problem.by_group import GroupValues
from ui.page import predict, tables
from ui.work import downloads, result_cache
from ui.work.text import format_number, plain

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
    lost = any(judged.groups_used("drop", name) < judged.groups_used("zero", name) for name in judged.ranked)
    st.markdown(f"**drop**, {HISTORY if lost else 'where no group is dropped here'}: {_lead(judged, 'drop')}.")
    if asks and judged.groups_differ and not _predict_leader(judged, key):
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
    value, used = format_number(judged.value(policy, leaders[0])), judged.groups_used(policy, leaders[0])
    verb = "lead" if len(leaders) > 1 else "leads"
    groups = f"{used:,} group{'s' * (used != 1)}"
    return f"**{plain(' and '.join(leaders))}** {verb} with {value} over {groups}"


def _predict_leader(judged: GroupValues, key: str) -> bool:
    """Let the user predict the leader under a policy whose leader is not that of drop, if there is one."""
    asked = [policy for policy in ("common", "zero") if judged.leaders(policy)]
    policy = next((one for one in asked if judged.leaders(one) != judged.leaders("drop")), asked[0])
    leaders = judged.leaders(policy)
    truth = plain(leaders[0]) if len(leaders) == 1 else SHARED
    by_drop = sorted(judged.ranked, key=lambda name: judged.rank("drop", name) or 0)
    offered = [name for name in by_drop if name in by_drop[:CHOICES] or name == leaders[0]]
    options = {
        plain(name): f"It has {format_number(judged.value(policy, name))} there, against "
        f"{format_number(judged.value('drop', name))} over its own {judged.groups_used('drop', name):,} groups."
        for name in offered
    }
    options[SHARED] = "They have the same mean there." if truth == SHARED else "One metric is ahead."
    scores = " ".join(f"{name} {judged.digests[name]}" for name in judged.ranked)
    questions = {
        "common": f"Which metric is best on the {judged.n_common:,} groups that have a value for every metric?",
        "zero": "Which metric is best when a group without a value counts as 0, over all "
        f"{judged.groups_used('zero', by_drop[0]):,} groups?",
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
    names = sorted(judged.ranked, key=lambda name: judged.rank("drop", name) or 0)
    shown = pd.DataFrame(
        {policy: [_cell(judged, policy, name) for name in names] for policy in policies},
        index=pd.Index(names, name="metric"),
    )
    values = pd.DataFrame(
        {
            f"{what} {policy}": [find(policy, name) for name in names]
            for policy in policies
            for what, find in (("value", judged.value), ("rank", judged.rank), ("used", judged.groups_used))
        },
        index=shown.index,
    )
    return shown, values


def _cell(judged: GroupValues, policy: str, name: str) -> str:
    rank = judged.rank(policy, name)
    if rank is None:
        return "undefined"
    star = "★ " if rank == 1 else ""
    return f"{star}{format_number(judged.value(policy, name))} ({rank}) · {judged.groups_used(policy, name):,}"


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
