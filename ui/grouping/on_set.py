"""What does the grouping do to the ranking of metrics on the open evaluation set?"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.coefficients.correlation import average
from tiekit.counting.grouping import group
from tiekit.counting.pairs import FloatArray
from tiekit.ranking.board import RANK_DIGITS, Contest, Note, Result, evaluate, notes, prepare
from tiekit.signature import digest_of
from ui.base import notebook, work
from ui.base.text import plain
from ui.base.work import Task
from ui.evalset import choices, open
from ui.grouping.typed import ahead, draw_turns, how, spoken, turns, written
from ui.leaderboard import board
from ui.link.controls import choose, choose_many
from ui.page import tables


@dataclass(frozen=True, eq=False)
class Case:
    """What is compared: the metrics of an evaluation set under every grouping, by one coefficient."""

    opened: tk.EvalSet
    contests: dict[str, Contest]
    column: str
    chosen: dict[str, object]

    @property
    def label(self) -> str:
        """The coefficient, as printed."""
        return charts.label_of(self.column)

    @property
    def wanted(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Coefficients as they are, and calibrated ones."""
        return ((), (self.column[:-1],)) if self.column.endswith("*") else ((self.column,), ())


def ask(data: tk.EvalSet) -> Case | None:
    """Let the user choose what is compared; None where that leaves nothing, with the reason."""
    one, two, three = st.columns(3, gap="medium")
    with one:
        human = choices.choose_human(data)
    with two:
        column = choose("Coefficient", _columns(), "grp_measure", help=CALIBRATED)
    with three:
        domain = choices.choose_domain(data)
    with st.expander("More choices: metrics, systems, direction, rounding"):
        metrics = choose_many("Metrics", list(data.metrics), list(data.metrics), "shown_metrics")
        exclude, adjusted = choices.leave_out(data), choices.adjust(data)
    chosen = {"exclude": exclude, "domain": domain}
    try:
        contest = prepare(adjusted, human, metrics=metrics, **chosen)
    except tk.TiekitError as error:
        st.error(plain(str(error)))
        return None
    contests = {by: replace(contest, grouping=by) for by in choices.groupings(data)}
    choices.say_compared(contests["global"])
    return Case(data, contests, column, chosen)


MOST = "the one that turns round most"
"""Always the first on offer, so that a link that names nobody means the same everywhere."""

CALIBRATED = "A star: calibrated, scores at most ε* apart are tied; ε* is fitted for each metric and grouping."


def _columns() -> list[str]:
    """τ_a first: a constant group is worth 0 to it, not undefined."""
    return ["tau_a", "acc_eq*", *(name for name in tk.COEFFICIENTS if name != "tau_a")]


def show(case: Case) -> None:
    """How many pairs, who has which rank, what turns round."""
    _pair_table(case)
    table = evaluate_all(case)
    if table is None:
        return
    values, numbers, shown, moves = table
    if case.column == "tau_a":
        st.markdown(
            "This opens on τ\\_a, not on acc\\_eq as the first example: raw acc\\_eq would credit a metric that ties "
            "all for every tie of the human, while τ\\_a gives it 0, and has a value in every group."
        )
    words = f"{case.label} and rank of {len(values)} metrics by grouping"
    tables.grid(shown, "ranks by grouping", words, values=numbers, height="content")
    st.markdown(
        f"{plain(case.label)}, and the rank in brackets. Metrics without a value in a grouping have no rank there."
    )
    st.markdown(moves)
    if len(values) > 1 and values.shape[1] > 1:
        _two(case, values)
    _show_code(case)


def _show_code(case: Case) -> None:
    """The code; its notebook holds the human score and the metrics that it needs."""
    human, coefficients, calibrated = case.contests["global"].selection["human"], *map(list, case.wanted)
    metrics = list(case.contests["global"].metrics)
    call = CALL.format(
        groupings=list(case.contests),
        data=f"data{choices.adjusting(metrics)}",
        metrics=metrics,
        column=case.column,
        human=human,
        coefficients=coefficients,
        calibrated=calibrated,
        **case.chosen,
    )
    data = replace(
        case.opened,
        human={human: case.opened.human[human]},
        metrics={name: case.opened.metrics[name] for name in metrics},
        gold=human,
    )
    notebook.show("Ranks by grouping", call, {"data": data}, open.source_code(case.opened))


CALL = """values = {{}}
for grouping in {groupings}:
    board = tk.leaderboard(
        {data},
        {human!r},
        metrics={metrics},
        grouping=grouping,
        coefficients={coefficients},
        calibrated={calibrated},
        exclude={exclude},
        domain={domain!r},
    )
    values[grouping] = board[{column!r}].to_dict()
values"""


def _pair_table(case: Case) -> None:
    human = case.contests["global"].human
    key = "pairs by grouping", digest_of(human), *case.contests
    shown, table = work.once(key, partial(_count_pairs, human, tuple(case.contests)))
    tables.show(shown, "pairs by grouping", "Groups and pairs of each grouping", values=table)


def _count_pairs(human: FloatArray, groupings: Iterable[str]) -> tuple[pa.Table, pd.DataFrame]:
    """Groups and pairs of each grouping, as shown and as numbers."""
    rows = []
    for by in groupings:
        found = group(human, human, by)
        rows.append((spoken(by), found.index.size, found.n_pairs))
    table = pd.DataFrame(rows, columns=["grouping", "groups", "pairs of human scores"])
    shown = table.map(lambda cell: cell if isinstance(cell, str) else f"{cell:,}")
    return pa.Table.from_pandas(shown), table


class Table(NamedTuple):
    """Values, a row a metric, a column a grouping; the same with ranks; both as shown; what turns round."""

    values: pd.DataFrame
    numbers: pd.DataFrame
    shown: pd.DataFrame
    moves: str


def evaluate_all(case: Case, probes: Collection[str] = ()) -> Table | None:
    """Judge every metric under every grouping; None where the work was stopped before anything was there.

    Of ``probes`` nothing is said that is suspicious about a metric.
    """
    everywhere = case.contests["global"]
    digests = {name: digest_of(everywhere.human, scores) for name, scores in everywhere.metrics.items()}
    tasks: dict[str, Task] = {}
    for by, contest in case.contests.items():
        for name, digest in digests.items():
            key = ("grouping", name, contest.selection["human"], by, digest, *case.wanted)
            tasks[f"{spoken(by)}: {name}"] = key, partial(evaluate, contest, name, *case.wanted)
    found: dict[str, Result] = work.do("Comparing under each grouping", tasks)
    if not found:
        return None
    key = "ranks by grouping", *probes, *(tasks[name][0] for name in found)
    said, tabled = work.once(key, partial(_tabulate, case, list(digests), found, probes))
    board.say_notes(said)
    return tabled


def _tabulate(
    case: Case, names: list[str], found: dict[str, Result], probes: Collection[str]
) -> tuple[dict[Note, None], Table]:
    """The notes on the results, and what `evaluate_all` gives."""
    values = pd.DataFrame(np.nan, names, list(case.contests))
    said: dict[Note, None] = {}
    for by in case.contests:
        results = {name: found[key] for name in names if (key := f"{spoken(by)}: {name}") in found}
        metrics = {name: result for name, result in results.items() if name not in probes}
        said |= dict.fromkeys(notes(metrics)) if metrics else {}
        for name, result in results.items():
            values.loc[name, by] = average(result.per_group[case.column][result.is_group], "drop")
    values = values.sort_values("global", ascending=False, kind="stable")
    ranks = values.round(RANK_DIGITS).rank(ascending=False, method="min")
    shown = pd.DataFrame(index=values.index.rename("metric"))
    for by in values.columns:
        pairs = zip(values[by], ranks[by], strict=True)
        shown[spoken(by)] = [
            "undefined" if value != value else f"{written(value)} ({rank:.0f})" for value, rank in pairs
        ]
    return said, Table(values, values.join(ranks.add_prefix("rank ")), shown, _moves(values, ranks))


def _moves(values: pd.DataFrame, ranks: pd.DataFrame) -> str:
    """How many pairs of metrics change their order, and who moves farthest."""
    turned, number = int((_turns(values) > 0).sum()) // 2, len(values)
    if not turned:
        return "No two metrics change their order between groupings."
    spread = (ranks.max(axis=1) - ranks.min(axis=1)).fillna(0)
    row = ranks.loc[spread.idxmax()]
    return (
        f"**{turned} of {number * (number - 1) // 2} pairs of metrics change their order between groupings.** "
        f"{plain(str(row.name))} moves farthest: rank {row.min():.0f} {how(row.idxmin())}, "
        f"{row.max():.0f} {how(row.idxmax())}."
    )


def _turns(values: pd.DataFrame) -> FloatArray:
    """How far each two metrics turn round: the smaller of the largest leads that they have over each other, or 0."""
    rounded = values.to_numpy().round(RANK_DIGITS)
    gaps = np.nan_to_num(rounded[:, None] - rounded[None])
    lead = gaps.max(axis=2, initial=0.0)
    return np.asarray(np.minimum(lead, lead.T))


def _two(case: Case, values: pd.DataFrame) -> None:
    """Two metrics, at first those that turn round most between groupings of single translations."""
    names = [str(name) for name in values.index]
    turned = _turns(values.drop(columns="system_means", errors="ignore"))
    st.subheader("Two metrics")
    left, right = st.columns([2, 3], gap="large")
    with left:
        first = choose("First metric", [MOST, *sorted(names)], "grp_first")
        first = names[int(turned.max(axis=1).argmax())] if first == MOST else first
        others = [name for name in names if name != first]
        second = choose("Second metric", [MOST, *sorted(others)], "grp_second")
        second = (
            max(others, key=lambda name: turned[names.index(first), names.index(name)]) if second == MOST else second
        )
        couple = values.loc[[first, second]].T
        winners = {str(by): ahead(row) for by, row in couple.to_dict("index").items()}
        st.markdown(f"**{turns(winners)}**")
        if couple.isna().to_numpy().any():
            st.markdown("Where a metric ties every pair of every group, some coefficients are undefined.")
    with right:
        draw_turns(couple, case.label, "grp_two")
