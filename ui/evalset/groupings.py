"""What are the groupings called, and how good are all metrics under every one of them?"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.core import PAPER_NAMES, FloatArray, average
from tiekit.ranking import RANK_DIGITS, ComparisonInputs, MetricValues, Note, evaluate
from ui.evalset import notes
from ui.evalset.selection import SelectedScores
from ui.page import tables
from ui.work import result_cache
from ui.work.result_cache import Task
from ui.work.text import format_ranked, plain


def paper_names() -> None:
    """What papers call the groupings."""
    tables.show(_names(), "names of groupings", "What papers call the groupings")
    st.markdown("Careful with **item**: Gao's item level is what the others call by system.")


@cache
def _names() -> pa.Table:
    return pa.Table.from_pandas(pd.DataFrame({"here": [name_in_words(name) for name in tk.GROUPINGS], **PAPER_NAMES}))


def name_in_words(grouping: str) -> str:
    """A grouping's name in a sentence."""
    return "without grouping" if grouping == "global" else grouping.replace("_", " ")


def grouping_phrase(grouping: str) -> str:
    """A grouping as an adverb."""
    return name_in_words(grouping) if grouping == "global" else f"by {name_in_words(grouping)}"


@dataclass(frozen=True, eq=False)
class GroupingContests(SelectedScores):
    """The metrics of a selection under every grouping, compared by one coefficient."""

    contests: Mapping[str, ComparisonInputs]
    column: str

    @property
    def label(self) -> str:
        """The coefficient, as printed."""
        return charts.label_of(self.column)

    @property
    def wanted(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The coefficients without and with calibration."""
        return ((), (self.column[:-1],)) if self.column.endswith("*") else ((self.column,), ())


CALIBRATED = "★: calibrated. Metric scores within ε* count as tied; ε* is fitted for each metric and grouping."


class GroupingTable(NamedTuple):
    """Values, one row per metric and one column per grouping; the same as ranks; both as shown; what reverses."""

    values: pd.DataFrame
    numbers: pd.DataFrame
    shown: pd.DataFrame
    moves: str


def evaluate_all(case: GroupingContests, probes: Collection[str] = ()) -> GroupingTable | None:
    """Evaluate every metric under every grouping; None if the work was canceled before anything was finished.

    No notes are shown on ``probes``.
    """
    tasks = tasks_of(case)
    found: dict[str, MetricValues] = result_cache.compute("Comparing under each grouping", tasks)
    if not found:
        return None
    parts = "ranks by grouping", *probes, *(tasks[name][0] for name in found)
    said, tabled = result_cache.once(parts, partial(_tabulate, case, found, probes))
    notes.say_notes(said)
    return tabled


def tasks_of(case: GroupingContests) -> dict[str, Task]:
    """Return what is computed of each metric under each grouping."""
    digests, tasks = case.contests["global"].digests, dict[str, Task]()
    for by, contest in case.contests.items():
        for name, digest in digests.items():
            key = ("grouping", name, contest.selection["human"], *contest.groups_key, digest, *case.wanted)
            tasks[f"{name_in_words(by)}: {name}"] = key, partial(evaluate, contest, name, *case.wanted)
    return tasks


def _tabulate(
    case: GroupingContests, found: dict[str, MetricValues], probes: Collection[str]
) -> tuple[dict[Note, None], GroupingTable]:
    """The notes on the results, and what `evaluate_all` gives."""
    names = list(case.contests["global"].metrics)
    values = pd.DataFrame(np.nan, names, list(case.contests))
    said: dict[Note, None] = {}
    for by, contest in case.contests.items():
        results = {name: found[key] for name in names if (key := f"{name_in_words(by)}: {name}") in found}
        metrics = {name: result for name, result in results.items() if name not in probes}
        said |= dict.fromkeys(notes.notes_on(contest, metrics)) if metrics else {}
        for name, result in results.items():
            values.loc[name, by] = average(result.per_group[case.column][result.is_group], "drop")
    values = values.sort_values("global", ascending=False, kind="stable")
    ranks = values.round(RANK_DIGITS).rank(ascending=False, method="min")
    shown = pd.DataFrame(index=values.index.rename("metric"))
    for by in values.columns:
        pairs = zip(values[by], ranks[by], strict=True)
        shown[name_in_words(by)] = [format_ranked(value, rank) for value, rank in pairs]
    return said, GroupingTable(values, values.join(ranks.add_prefix("rank ")), shown, _moves(values, ranks))


def _moves(values: pd.DataFrame, ranks: pd.DataFrame) -> str:
    """How many pairs of metrics reverse, and which metric moves farthest."""
    turned, number = int((reversal_gaps(values) > 0).sum()) // 2, len(values)
    if not turned:
        return "No two metrics change their order between groupings."
    spread = (ranks.max(axis=1) - ranks.min(axis=1)).fillna(0)
    row = ranks.loc[str(spread.idxmax())]
    return (
        f"**{turned} of {number * (number - 1) // 2} pairs of metrics change their order between groupings.** "
        f"{plain(str(row.name))} moves farthest: rank {row.min():.0f} {grouping_phrase(str(row.idxmin()))}, "
        f"{row.max():.0f} {grouping_phrase(str(row.idxmax()))}."
    )


def reversal_gaps(values: pd.DataFrame) -> FloatArray:
    """Return, for every two metrics, the smaller of their largest leads over each other; 0 without a reversal."""
    rounded = values.to_numpy().round(RANK_DIGITS)
    gaps = np.nan_to_num(rounded[:, None] - rounded[None])
    lead = gaps.max(axis=2, initial=0.0)
    return np.asarray(np.minimum(lead, lead.T))
