"""What does calibration do at this share of human ties, and what should one report instead of one rank?"""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

import tiekit as tk
from tiekit.figures import NOISE_ENDING
from ui.evalset.compared_set import ComparedSet
from ui.evalset.groupings import grouping_phrase
from ui.evalset.tie_kinds import ties_of
from ui.page import tables
from ui.sentinels.few_ties import Curves, evaluate_held_out
from ui.work import result_cache
from ui.work.text import format_number, percent, plain

LEVEL = 0.0005
"""A smaller gain does not show in three decimals."""

AT_SHARE = {
    "value_at_zero": ("acc_eq", "%.3f"),
    "value": ("acc_eq*", "%.3f"),
    "epsilon": ("ε*", "%.4g"),
    "value of noise": ("acc_eq* with noise", "%.3f"),
    "gain": ("gain of noise", "%+.3f"),
}
"""What is shown of each metric at a share of human ties: its heading and its form."""


def show(case: ComparedSet, grouping: str, curves: Curves, share: float) -> None:
    """Show how many pairs people tie elsewhere, what calibration does at a share, and what to report then."""
    st.header("How many pairs do people tie?")
    show_published_shares(case, grouping)
    st.header("What can calibration do here?")
    at_share(curves, share)
    st.header("What to report instead of one rank")
    instead(case, grouping, curves)


def show_published_shares(case: ComparedSet, grouping: str) -> None:
    """Show the share of human ties of this set beside those of published ones."""
    name = f"this set: {case.contest.selection['set']}{f', {grouping_phrase(grouping)}' * (grouping != 'item')}"
    here = name, case.rated, ties_of(case, grouping).share, "counted here"
    same = (case.data.name, case.data.language_pair) if grouping == "item" else ("", "")
    shown, values = result_cache.once(("published ties", here, same), partial(_tables_of_shares, here, same))
    tables.show(shown, "published-ties", "Share of pairs that people tie, by test set", values=values)


def _tables_of_shares(here: tuple[str, str, float, str], same: tuple[str, str]) -> tuple[pa.Table, pd.DataFrame]:
    """Shares of published sets and of this one, as they are shown and as they are; a set that is open stands once."""
    found = tk.sentinels.published_tie_shares()
    is_open = (found["testset"] == same[0]) & (found["language_pair"] == same[1])
    found = found[~(is_open & (found["protocol"].str.casefold() == here[1].casefold()))]
    values = pd.DataFrame(
        {
            "test set": found["testset"].str.upper() + " " + found["language_pair"],
            "human score": found["protocol"],
            "pairs tied": found["share"],
            "source": found["source"],
        }
    )
    values = pd.concat([values, pd.DataFrame([here], columns=values.columns)]).sort_values(
        "pairs tied", kind="stable", ignore_index=True
    )
    shown = pd.DataFrame(
        {
            "set": [
                f"{testset}, {score}" for testset, score in zip(values["test set"], values["human score"], strict=True)
            ],
            "pairs tied": [percent(share, 1) for share in values["pairs tied"]],
            "source": values["source"].str.partition(": data/")[0].str.replace("/", "/\u200b"),  # may break on a phone
        }
    ).map(plain)
    return pa.Table.from_pandas(shown), values


def at_share(curves: Curves, share: float) -> None:
    """Show what calibration adds to each metric of the picture at the chosen share, and what noise adds."""
    at = curves.at(share)
    names = [name for name in curves.shown if not name.endswith(NOISE_ENDING) and name in at.index]
    rows = []
    for name in names:
        zero, best, epsilon = (float(at[column][name]) for column in ("value_at_zero", "value", "epsilon"))
        noisy = float(at["value"].get(name + NOISE_ENDING, np.nan))
        rows.append((name, zero, best, epsilon, noisy, noisy - best))
    values = pd.DataFrame(rows, columns=["metric", *AT_SHARE])
    st.markdown(_say(at, names, _of_ties(curves, float(at["share"].iloc[0]))))
    tables.grid(
        values,
        "calibration-at-share",
        f"What calibration and noise add with {_of_ties(curves, float(at['share'].iloc[0]))}",
        headings={name: heading for name, (heading, _) in AT_SHARE.items()},
        formats={name: form for name, (_, form) in AT_SHARE.items()},
        placeholder="–",
        hide_index=True,
        height="content",
    )


def _of_ties(curves: Curves, share: float) -> str:
    """A share of human ties in words."""
    return f"{percent(share)} human ties" + " in the mean over groups" * (curves.share_of == "mean")


def _say(at: pd.DataFrame, names: list[str], ties: str) -> str:
    """What calibration does for the metric that it helps most, and what noise does for a discrete one."""
    added = (at["value"] - at["value_at_zero"]).loc[names]
    words = [f"**With {ties}** calibration makes ties, but breaks none."]
    if added.max() > LEVEL:
        most = str(added.idxmax())
        numbers = f"{format_number(at['value_at_zero'][most])} to {format_number(at['value'][most])}"
        words.append(f"It raises acc\\_eq of {plain(most)} from {numbers}.")
    gains = {
        name: at["value"][name + NOISE_ENDING] - at["value"][name] for name in names if name + NOISE_ENDING in at.index
    }
    if gains:
        best = max(gains, key=lambda name: gains[name])
        values = f"{format_number(at['value'][best + NOISE_ENDING])} against {format_number(at['value'][best])}"
        words.append(
            f"The ties of {plain(best)} stay: random noise instead of them gives {values}."
            if gains[best] > LEVEL
            else "Random noise adds to no discrete metric here: calibration ties again what it told apart."
        )
    return " ".join(words)


def instead(case: ComparedSet, grouping: str, curves: Curves) -> None:
    """Show each metric's rank with its interval, with and without calibration, and at held-out thresholds."""
    starred, held = curves.intervals("value"), evaluate_held_out(case, grouping)
    widest = (starred["worst"] - starred["best"]).astype(float)
    if widest.notna().any():
        name = str(widest.idxmax())
        rank, best, worst = (starred[column][name] for column in ("rank", "best", "worst"))
        st.markdown(
            f"**{plain(name)} has rank {rank} by this set's own ties, but ranks from {best} to {worst} over the shares "
            "of published sets.** A rank interval says so; the rank alone does not."
        )
    shown, table = curves.once(("instead", tuple(held)), lambda: _instead(curves, held))
    formats = dict.fromkeys(table.columns[3:], "%.3f")
    words = f"Ranks of {len(table)} metrics over human tie shares, with and without calibration"
    options = {"formats": formats, "placeholder": "–", "height": "content"}
    tables.grid(shown, "rank-intervals", words, values=table, **options)
    of_mean = curves.share_of == "mean"
    reached = " that can be reached in the mean over groups (they were counted among all pairs)" * of_mean
    st.markdown(
        f"Ranks: from the best to the worst over the shares of published sets{reached} and this set's own. τ\\_eq is "
        "2 · acc\\_eq − 1, so it ranks alike. Held out: five parts of whole documents, each at the ε\\* of the others; "
        "lost: how much less that is than the part's own optimum."
    )
    names = list(case.metrics)
    asked = f"grouping={grouping!r}, human={case.rated!r}" + ', share_of="mean"' * of_mean
    call = f"tk.sentinels.rank_intervals(chosen, {names!r}, {asked}, exclude=())"
    case.show_code("rank intervals", names, call)


def _instead(curves: Curves, held: dict[str, dict[str, float]]) -> tuple[pa.Table, pd.DataFrame]:
    """Ranks and values of every metric, to be shown and to be kept."""
    starred, plain_values = curves.intervals("value"), curves.intervals("value_at_zero")
    own = curves.at(curves.own)
    folds = pd.DataFrame.from_dict(held, orient="index", columns=["value", "loss"])
    table = pd.DataFrame(
        {
            "rank": starred["rank"],
            "ranks, calibrated": _spans(starred),
            "ranks, not calibrated": _spans(plain_values.loc[starred.index]),
            "acc_eq*": own["value"].reindex(starred.index),
            "acc_eq": own["value_at_zero"].reindex(starred.index),
            "τ_eq*": 2 * own["value"].reindex(starred.index) - 1,
            "τ_eq": 2 * own["value_at_zero"].reindex(starred.index) - 1,
            "acc_eq*, held out": folds["value"].reindex(starred.index).astype(float),
            "lost": folds["loss"].reindex(starred.index).astype(float),
        }
    )
    return pa.Table.from_pandas(table), table


def _spans(intervals: pd.DataFrame) -> pd.Series:
    """Rank intervals in words."""
    rows = zip(intervals["best"], intervals["worst"], strict=True)
    spans = ["–" if pd.isna(best) else f"{best}" if best == worst else f"{best}–{worst}" for best, worst in rows]
    return pd.Series(spans, index=intervals.index)
