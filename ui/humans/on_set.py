"""Which human scores has the open set, and which ranks do they have among its metrics?"""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit.core import Progress, digest_of
from tiekit.humans import HumanRanking, rank_humans
from ui.evalset.compared_set import ComparedSet
from ui.page import tables
from ui.work import result_cache
from ui.work.text import format_number, plain

COLUMN = "acc_eq*"
RESAMPLES = 199


def list_scores(case: ComparedSet) -> None:
    """Show how many translations each human score has, how many it shares with the judging one, and its ties."""
    gold, rows = ~np.isnan(case.human), []
    for name, scores in case.data.human.items():
        known, ties = ~np.isnan(scores), tk.count_ties(np.array(scores)).share
        rows.append((name, int(known.sum()), int((known & gold).sum()), int(np.unique(scores[known]).size), ties))
    heads = ["human score", "translations", f"shared with {case.rated}", "distinct scores", "tied pairs by item"]
    values = pd.DataFrame(rows, columns=heads)
    shown = values.copy().astype(object)
    for head in heads[1:4]:
        shown[head] = [f"{number:,}" for number in values[head]]
    shown[heads[0]], shown[heads[4]] = (
        [plain(name) for name in values[heads[0]]],
        [f"{x:.1%}" for x in values[heads[4]]],
    )
    shown.columns = [plain(head) for head in heads]
    tables.show(shown, "human scores", f"{len(rows)} human scores of the open set", values=values)
    st.markdown(
        "Only translations that all have can be compared. **Check who rated:** if the same person gave both scores, "
        "they agree for that reason too. `tk.humans.split_raters` divides the raters of one score into two groups."
    )


def rank(case: ComparedSet) -> None:
    """Judge the other human scores beside the metrics by the chosen one."""
    if len(case.data.human) == 1:
        st.info(f"The open set has one human score, {plain(case.rated)}, so there is none to judge.")
        return
    scores = digest_of(*case.data.human.values(), *case.metrics.values())
    names = tuple(case.metrics)
    task = (
        ("human rows", scores, case.rated, tuple(case.data.human), names),
        partial(_rank, case.data, case.rated, names),
    )
    done = result_cache.compute("Judging human scores", {"human scores": task})
    if not done:
        return
    found: HumanRanking = done["human scores"]
    shown = pd.DataFrame(
        {
            "rank": [str(one) for one in found.table["rank"]],
            "kind": found.table["kind"],
            COLUMN: [format_number(value) for value in found.table["value"]],
            "95 % interval": [
                f"{format_number(low)} to {format_number(high)}"
                for low, high in zip(found.table["low"], found.table["high"], strict=True)
            ],
            "own ties": [f"{format_number(100 * share, '.1f')} %" for share in found.table["ties"]],
        }
    ).rename_axis("score")
    tables.grid(shown, "humans as metrics", f"{len(shown)} scores judged by {case.rated}", values=found.table)
    st.markdown(_say(found))
    call = f"tk.humans.rank_humans(data, {case.rated!r}, metrics={list(names)!r}, exclude=(), n_resamples={RESAMPLES})"
    case.show_code("humans as metrics", list(names), call, humans=list(case.data.human))


def _say(found: HumanRanking) -> str:
    """The ranks of the human scores in a sentence."""
    humans = found.table[found.table["kind"] == "human"]
    ranks = [f"{plain(str(name))} has rank {row['rank']}" for name, row in humans.iterrows()]
    by = f"Judged by {plain(found.human)} on {found.n_cells:,} translations that all have"
    ties = f"{plain(found.human)} ties {found.human_ties:.0%} of the pairs"
    return f"**{by}: {', '.join(ranks)} of {len(found.table)}.** {ties}."


def _rank(data: tk.EvalSet, human: str, metrics: tuple[str, ...], progress: Progress) -> HumanRanking:
    return rank_humans(data, human, metrics=metrics, exclude=(), n_resamples=RESAMPLES, n_jobs=1, progress=progress)
