"""How close does the user's own metric come to the cap, and of what is WMT's τ the mean?"""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

import tiekit as tk
from ui.judgments.caps import ROUNDING, SEGMENT, TIES_COUNT, TIES_GAIN, TypedCaps, gains_by_tying
from ui.judgments.inputs import COEFFICIENTS
from ui.page import predict, tables
from ui.work import downloads, result_cache
from ui.work.text import format_number, plain, vector


def own_metric(caps: TypedCaps, scores: dict[str, float]) -> None:
    """Show the user's metric by every coefficient, beside what any metric can reach."""
    if not _predict_tying(caps):
        return
    shown, table = result_cache.once(("own metric", *caps.key, repr(scores)), lambda: _by_coefficient(caps, scores))
    values = dict(zip(COEFFICIENTS, table["yours"].tolist(), strict=True))
    left, right = st.columns(2, gap="large")
    with left:
        tables.show(shown, "your metric", "Your ranking, and what any metric can reach", values=table)
    with right:
        st.markdown(
            "**lowest** and **highest**: what any metric reaches that gives each translation one score, ties allowed. "
            "**cap**: the value of following the majority on every pair. For τ, a majority of ties cannot count in "
            "favor of any metric; the cap of τ\\_13 is that of a metric without ties."
        )
        _puzzle(caps, values)
    call = (
        f"rankings = tk.judgments.Rankings.from_rows({caps.typed.rows})\n"
        f'metric = {{(name, "{SEGMENT}"): score for name, score in zip({caps.typed.letters!r}, scores)}}\n'
        f"[tk.judgments.judge_metric(rankings, metric, name).value for name in {list(COEFFICIENTS)}]"
    )
    downloads.show_code("Your metric on judgments", call, {"scores": list(scores.values())})


def _by_coefficient(caps: TypedCaps, scores: dict[str, float]) -> tuple[pa.Table, pd.DataFrame]:
    """One row per coefficient: the user's metric and what any metric can reach; as shown and for a file."""
    rows = [
        {
            "coefficient": plain(tk.COEFFICIENTS[name].label),
            "yours": tk.judgments.judge_metric(caps.preferences, _cells(scores), name).value,
            "lowest": caps.found[name].reachable_floor_tying,
            "highest": caps.found[name].reachable_tying,
            "cap": caps.found[name].cap,
        }
        for name in COEFFICIENTS
    ]
    table = pd.DataFrame(rows)
    return pa.Table.from_pandas(table.map(lambda cell: cell if isinstance(cell, str) else format_number(cell))), table


def _cells(scores: dict[str, float]) -> dict[tuple[str, str], float]:
    return {(name, SEGMENT): score for name, score in scores.items()}


def _predict_tying(caps: TypedCaps) -> bool:
    """Let the user predict what tying does to τ_13, if the judgments are an example's and it was not asked before."""
    name, limit = caps.typed.example, caps.found["tau_13"]
    if name is None or caps.entry.name == "tau_13" or np.isnan(limit.cap):
        return True
    most = limit.reachable_tying
    nothing = "No set of pairs that scores can keep untied does better than the best order."
    reasons = {format_number(most): TIES_GAIN if gains_by_tying(limit) else nothing}
    reasons.setdefault("1.000", "The judges do not all agree on any set of pairs that scores can keep untied.")
    reasons.setdefault(format_number(limit.cap), TIES_COUNT)
    reasons.setdefault("0.000", "τ\\_14 is 0 where everything is tied, but τ\\_13 is undefined there.")
    return predict.predict_first(
        f"judgments tying: {name}",
        "τ\\_13 = (C − D) / (C + D) does not count pairs that the metric ties. What is the **largest τ\\_13** that a "
        "metric can reach here, if it may tie?",
        dict(sorted(reasons.items())),
        format_number(most),
    )


def _puzzle(caps: TypedCaps, values: dict[str, float]) -> None:
    """A puzzle: raise τ_13 as far as possible by tying; the answer is checked at once."""
    limit, yours, honest = caps.found["tau_13"], values["tau_13"], values["tau_14"]
    most, words = limit.reachable_tying, f"τ\\_13 is {format_number(yours)}, τ\\_14 is {format_number(honest)}"
    with st.container():
        if np.isnan(limit.cap):
            return
        if not gains_by_tying(limit):
            st.info(f"Tying gains nothing under τ\\_13 here. Your ranking: {words}.")
        elif np.isnan(yours):
            st.info("**Puzzle:** all pairs that count are tied, so τ\\_13 is undefined. Leave one pair untied.")
        elif yours > most - ROUNDING:
            st.success(
                f"**Solved:** {words}. Your metric ties what the judges dispute, and τ\\_13 does not count it. "
                "τ\\_14, which WMT used from 2014 to 2016, keeps these ties in the denominator."
            )
        else:
            st.info(
                f"**Puzzle:** tie cards until τ\\_13 is {format_number(most)}. Your ranking: {words}. C cannot be tied "
                "with both A and B while A and B differ."
            )


# -------------------------------------------------------------------------------------------------------- the mean

EASY, HARD = "easy", "hard"
SETS = [("Ann", EASY, {"A": 1, "B": 2, "C": 3}), ("Ben", HARD, {"A": 1, "B": 2, "C": 3})]
SCORES = {EASY: {"A": 9, "B": 8, "C": 7}, HARD: {"A": 3, "B": 2, "C": 1}}
"""A metric that orders the translations of two segments as their judges do, and knows which segment is hard."""


@cache
def _two_sets() -> tuple[pa.Table, pd.DataFrame, tk.judgments.JudgedMetric]:
    """The example, as shown and for a file, and its metric's values."""
    rows = [
        {
            "segment": segment,
            "judge": judge,
            "ranks of A B C": vector([*ranks.values()]),
            "metric": vector([*SCORES[segment].values()]),
        }
        for judge, segment, ranks in SETS
    ]
    table = pd.DataFrame(rows)
    cells = {(name, segment): score for segment, found in SCORES.items() for name, score in found.items()}
    return pa.Table.from_pandas(table), table, tk.judgments.judge_metric(tk.judgments.Rankings.from_rows(SETS), cells)


def mean_of_sets(caps: TypedCaps, scores: dict[str, float]) -> None:
    """Show that WMT's τ is a weighted mean of the τ of ranked sets, and what one τ of all translations would be."""
    st.markdown(
        "No judge ranked all translations of a test set. There are many sets of five, by different judges and of "
        "different segments. So WMT's τ is not Kendall's τ of one ranking: it is a **weighted mean of the τ of each "
        "set**."
    )
    shown, table, example = _two_sets()
    tables.show(shown, "two ranked sets", "Two ranked sets of different segments, and a metric's scores", values=table)
    whole, pooled = format_number(example.value), format_number(example.pooled)
    is_shown = predict.predict_first(
        "judgments pooled",
        f"WMT's τ\\_14 of this metric is **{whole}**: all six judgments are right. And **one τ\\_14 over all six "
        "translations**, treating ranks as scores?",
        {
            "0.000": "The six pairs within the sets still agree.",
            pooled: "Nine more pairs, of two segments: the metric finds all of the easy one better. The ranks say so "
            "for 3, contradict it for 3 and tie 3, so C = 9 and D = 3. Yet no judge ever compared these.",
            whole: "Within a set nothing changes. But now A of the one segment meets B of the other.",
        },
        pooled,
    )
    if is_shown:
        _sets(caps, scores)


def _sets(caps: TypedCaps, scores: dict[str, float]) -> None:
    """Show the typed sets with their τ and weights, and three ways to average them."""
    shown, sets, found = result_cache.once(("sets", *caps.key, repr(scores)), lambda: _set_by_set(caps, scores))
    st.markdown(f"{caps.label} of your ranking on each ranked set above:")
    left, right = st.columns([3, 2], gap="large")
    with left:
        tables.show(shown, "ranked sets", f"{caps.entry.label} of each ranked set", values=sets)
        st.markdown("The weight is the number of pairs in the formula's divisor: a judge's ties make it smaller.")
    with right:
        st.markdown(
            f"- Weighted by the pairs that count: **{format_number(found.weighted_mean)}**. This is WMT's {caps.label}"
            f": all judgments pooled give {format_number(found.value)}.\n"
            f"- Every set with the same weight: {format_number(found.mean)}.\n"
            f"- One {caps.label} over all translations of all sets: {format_number(found.pooled)}. It compares ranks "
            "of different judges; WMT does not use it."
        )


def _set_by_set(caps: TypedCaps, scores: dict[str, float]) -> tuple[pa.Table, pd.DataFrame, tk.judgments.JudgedMetric]:
    """The user's metric set by set, as shown and for a file, and as a whole."""
    found = tk.judgments.judge_metric(caps.preferences, _cells(scores), caps.entry.name)
    sets = found.sets.drop(columns="segment").reset_index(drop=True)
    counts = ["C", "D", "T_m", *(["T_h", "T_hm"] if caps.entry.handles_ties else [])]
    shown = sets[["judge", *counts, "value", "weight"]].astype(object)
    shown["judge"] = shown["judge"].map(plain)
    shown["value"] = shown["value"].map(format_number)
    return pa.Table.from_pandas(shown.rename(columns=plain)), sets, found
