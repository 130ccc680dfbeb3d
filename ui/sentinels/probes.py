"""How high does a spurious signal rank? Probes that know only the source, only the candidate or nothing."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit.signature import digest_of
from ui.base.frames import cell
from ui.base.text import format_number, plain
from ui.evalset import by_grouping, choices
from ui.evalset.compared_set import ComparedSet
from ui.evalset.groupings import grouping_phrase
from ui.link.controls import choose
from ui.page import glossary, predict, tables

LEAK = "segment mean"
COLUMNS = ("tau_b", "pearson", "tau_a", "acc_eq", "acc_eq*", "spearman")
FIRST, AMONG, LAST, NOWHERE = "ahead of every metric", "among the metrics", "behind every metric", "it has no value"

REASONS = {
    "global": (
        "Think of what most pairs compare: two translations of two segments, one of which is harder.",
        "It cannot tell two translations of a segment apart, but it knows which segments are hard, and most pairs are "
        "of two segments.",
    ),
    "item": (
        "Within a segment all translations have the same score here.",
        "Within a segment it orders nothing; what that is worth depends on the coefficient.",
    ),
}
"""Why a prediction is wrong, and why the answer is right."""


def ranks_of_probes(case: ComparedSet) -> None:
    """Show a small leaderboard of metrics and probes under every grouping, after a prediction."""
    st.markdown(
        "A **probe** is no metric: it is made of one simple thing, named below, which does not add up to judging a "
        "translation. Where a probe earns a high rank, something else than judging translations is rewarded."
    )
    glossary.terms("probe", "spurious correlation", "grouping")
    probes = case.probes
    rows = [
        (name, tk.sentinels.PROBES[name].knows, "yes" if tk.sentinels.PROBES[name].leaks else "no") for name in probes
    ]
    known = pd.DataFrame(rows, columns=["probe", "knows", "leaks the gold"])
    tables.show(known, "probes", "The probes, what each knows, and whether it leaks the human scores")
    st.markdown("\n".join(f"- **{name}:** {plain(tk.sentinels.PROBES[name].meaning)}" for name in probes))
    if "source length" not in probes:
        st.info("This set holds neither texts nor their lengths, so the probes that measure length are left out.")
    column = choose("Coefficient", COLUMNS, "sen_measure", help=by_grouping.CALIBRATED)
    contest = replace(case.contest, metrics={**case.metrics, **probes})
    contests = {by: replace(contest, grouping=by) for by in choices.groupings(case.data)}
    ranked = by_grouping.GroupingContests(case.selection, contests, column)
    table = by_grouping.evaluate_all(ranked, probes)
    if table is None:
        return
    values = table[0]
    if LEAK not in values.index or _predict_ranks(case, values, list(probes), column):
        _show(ranked, table, list(probes))
        _what_leaks(case, values, list(probes))
        plainly, starred = ranked.wanted
        wanted = {"column": column, "groupings": list(contests), "coefficients": plainly, "starred": starred}
        call = CALL.format(human=case.rated, **wanted)
        case.show_code("probes by grouping", list(case.metrics), call, lengths=True)


def _predict_ranks(case: ComparedSet, values: pd.DataFrame, probes: list[str], column: str) -> bool:
    """Let the user predict the rank of the segment mean without grouping and by item."""
    metrics, key = values.drop(index=probes, errors="ignore"), digest_of(case.human)
    for by in ("global", "item"):
        if by not in values or metrics.empty:
            continue
        value, best, worst = cell(values, LEAK, by), metrics[by].max(), metrics[by].min()
        truth = NOWHERE if value != value else FIRST if value > best else LAST if value < worst else AMONG
        mistaken, why = REASONS["item" if by == "item" else "global"]
        options = {FIRST: mistaken, AMONG: mistaken, LAST: mistaken, NOWHERE: mistaken} | {truth: why}
        number = "It has none" if truth == NOWHERE else format_number(value)
        options[truth] = f"{number}; the best metric has {format_number(best)}. {options[truth]}"
        question = f"**{LEAK}** gives every translation of a segment one score, the mean of the human's. Where is it "
        question = f"{question}{grouping_phrase(by)}?"
        if not predict.predict_first(f"probe {by}: {column} {key}", question, options, truth, is_about_files=True):
            return False
    return True


def _show(ranked: by_grouping.GroupingContests, table: by_grouping.GroupingTable, probes: list[str]) -> None:
    values, numbers, shown, _ = table
    marked = shown.rename(index={name: f"◆ {name}" for name in probes})
    words = f"{ranked.label} and rank of {len(values)} metrics and probes by grouping; ◆ is a probe"
    tables.grid(marked, "probes-by-grouping", words, values=numbers, height="content")
    st.markdown(f"{plain(ranked.label)}, and the rank among all in brackets. ◆ is a probe.")


def _what_leaks(case: ComparedSet, values: pd.DataFrame, probes: list[str]) -> None:
    """Say each probe's best rank, and what the segment mean takes from the human scores."""
    metrics = values.drop(index=probes, errors="ignore")
    lines = []
    for name in values.index.intersection(probes):
        beaten = {by: int((metrics[by] < cell(values, name, by)).sum()) for by in map(str, values)}
        words = ", ".join(f"{number} {grouping_phrase(by)}" for by, number in beaten.items() if number)
        words = f"{words}, of {len(metrics)} metrics" if words else "no metric under any grouping"
        lines.append(f"- **{name}** outranks {words}.")
    st.markdown("\n".join(lines))
    if LEAK in values.index:
        st.warning(
            "The segment mean **leaks the gold**: it is made of the very scores that it is judged by, of the "
            "translation too. No metric could know it; it shows how far knowing the segment alone would carry. By item "
            "it is constant: acc\\_eq then gives it the share of human ties, "
            f"{format_number(tk.count_ties(case.human, grouping='item').share)}, coefficients that need an "
            f"order nothing."
        )


CALL = """with_probes = tk.sentinels.with_probes(chosen, human={human!r}, exclude=())
{{
    grouping: tk.leaderboard(
        with_probes, {human!r}, grouping=grouping, coefficients={coefficients}, calibrated={starred}, exclude=()
    )[{column!r}].to_dict()
    for grouping in {groupings}
}}"""
