"""Where does the user's metric stand? Ranks, cluster and neighbors in sentences, and its mark in pictures."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.errors import collect_warnings
from tiekit.significance import SWAPS
from ui.leaderboard.board import numbers_of
from ui.leaderboard.question import Question
from ui.work import presets
from ui.work.text import cell, format_number, format_p, plain

NAMED = ("row", "column", "metric")
"""The fields of a picture's axes that hold names of metrics."""

TWO_METRICS = "Two metrics, coefficient by coefficient"
"""The heading under which any two metrics are compared."""

ANCHOR = "two-metrics"

COMPARE = f"Compare with another metric below: [{TWO_METRICS}](#{ANCHOR})."


def say(board: pd.DataFrame, question: Question, found: tk.significance.Comparison | None) -> None:
    """Say where each added metric stands; with what was tested, where that was asked for."""
    board = numbers_of(board)
    for name in question.added:
        if name in question.contest.apart:
            st.markdown(f"✚ {below_the_others(found, name)}")
        elif name in board.index:
            said = f"✚ {ranks(board, question.columns, name)} {difference(found, name)}".strip()
            st.markdown(f"{said} {COMPARE}" if len(board) > 1 else said)


def ranks(board: pd.DataFrame, columns: list[str], name: str) -> str:
    """Return a metric's rank by each coefficient as a sentence, the last column's first."""
    first, *others = reversed(columns)
    label, value = plain(charts.label_of(first)), cell(board, name, first)
    if value != value:
        words = f"**{plain(name)}** has no rank by {label}, which is undefined for it"
    else:
        number = int(board[first].notna().sum())
        place = ordinal(int(cell(board, name, f"rank({first})")))
        words = f"**{plain(name)}** is **{place} of {number}** by {label} ({format_number(value)})"
    by_rank: dict[str, list[str]] = {}
    for column in reversed(others):
        rank = cell(board, name, f"rank({column})")
        by_rank.setdefault("undefined" if pd.isna(rank) else ordinal(int(rank)), []).append(
            plain(charts.label_of(column))
        )
    return "; ".join([words, *(f"{place} by {_join_words(labels)}" for place, labels in by_rank.items())]) + "."


def below_the_others(found: tk.significance.Comparison | None, name: str) -> str:
    """Say from which metrics one without a rank differs, on the translations that both have scored."""
    start = f"**{plain(name)}** has no rank"
    if found is None:
        return f"{start}: choose **clusters** under **Significance** to compare it with each of the others. {COMPARE}"
    pairs = found.apart[(found.apart["first"] == name) & found.apart["pvalue"].notna()]
    is_far = pairs["pvalue"] <= presets.SIGNIFICANT
    sides = {"better": is_far & (pairs["difference"] > 0), "worse": is_far & (pairs["difference"] < 0)}
    said = [
        f"it is significantly {how} than {_join_words([plain(str(other)) for other in pairs['second'][side]])}"
        for how, side in sides.items()
        if side.any()
    ]
    near = int((~is_far).sum())
    said += [f"it does not differ significantly from {'one' if near == 1 else near} of them"] * bool(near)
    return (
        f"{start}. Compared with each of the others on the translations that both have scored, {'; '.join(said)}. "
        f"Each p is of {found.n_resamples} swaps of whole segments. {COMPARE}"
    )


def _join_words(words: list[str]) -> str:
    return " and ".join([*filter(None, [", ".join(words[:-1])]), words[-1]])


def difference(found: tk.significance.Comparison | None, name: str) -> str:
    """Return a metric's cluster, and whether it differs from the next metrics above and below, as sentences."""
    if found is None or name not in found.pvalues.index:
        return ""
    if name in found.constant:
        return "It gives every translation the same score, so no difference from another metric can be tested."
    if name in found.untested:
        return ""
    with collect_warnings() as coarse:
        clusters = found.clusters(presets.SIGNIFICANT).dropna()
    tested = [str(other) for other in clusters.index]
    place, is_like_neighbor = tested.index(name), False
    said = [f"It is in cluster {clusters[name]} of {int(clusters.max())}."]
    for where, near in (("above", tested[place - 1 : place]), ("below", tested[place + 1 : place + 2])):
        for other in near:
            said.append(f"Next {where} is {plain(other)}: {_comparison_of(found, name, other)}.")
            is_alike = float(cell(found.pvalues, name, other)) > presets.SIGNIFICANT
            is_like_neighbor |= is_alike and clusters[name] != clusters[other]
    if is_like_neighbor:
        said.append("Metrics of neighboring clusters need not differ significantly.")
    said.append(f"Each p is of {found.n_resamples} swaps of {SWAPS[found.swap].label}.")
    return " ".join([*said, *(f"These {message.partition(': ')[2]}." for _, message in coarse)])


def _comparison_of(found: tk.significance.Comparison, name: str, other: str) -> str:
    p, value_of = float(cell(found.pvalues, name, other)), pd.Series(found.values)
    if value_of[name] == value_of[other]:
        return f"the values are equal ({format_p(p)})"
    verdict = "significant" if p <= presets.SIGNIFICANT else "not significant"
    return f"the difference is {verdict} ({format_p(p)})"


def ordinal(number: int) -> str:
    """Return a number as 1st, 2nd, 3rd, 4th."""
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def mark_added(figure: dict[str, Any], added: Collection[str]) -> dict[str, Any]:
    """Return a figure whose axes show added metrics in bold and with a ✚."""

    def walk(part: Any) -> Any:
        if isinstance(part, list):
            return [walk(one) for one in part]
        if not isinstance(part, dict):
            return part
        found = {key: walk(value) for key, value in part.items()}
        if isinstance(found.get("axis"), dict) and found.get("field") in NAMED:
            test = f"indexof({list(added)!r}, datum.value) >= 0"
            bold = {"condition": {"test": test, "value": "bold"}, "value": "normal"}
            label = f"{test} ? '✚ ' + datum.label : datum.label"
            found["axis"] = {**found["axis"], "labelFontWeight": bold, "labelExpr": label}
        return found

    return dict(walk(figure)) if added else figure
