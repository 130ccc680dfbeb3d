"""Which metric wins by the official rules of WMT23, and by other weights?"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit.official import Preset, Task
from ui.leaderboard import official_folder, ranking
from ui.link.controls import slide, toggle
from ui.page import glossary, lecture
from ui.work import downloads, result_cache
from ui.work.text import cell, format_number, percent, plain

WEIGHTS = tuple(map(str, range(7)))
"""What a slider offers; the official weights are 1 and 3."""

EACH, UNMAPPED = "official_each", "official_unmapped"
"""The keys of the two switches."""

CALL = """rules, printed = tk.official.read_preset("wmt23"), tk.official.printed_values("wmt23")
weights = {weights!r}
tk.official.average_tasks(printed.drop(columns="average"), weights, {mapped})"""


class Kind(NamedTuple):
    """Tasks of one measure: how they are called, and the key of their weight."""

    label: str
    short: str
    key: str


KINDS = {
    "system_means/pairwise_accuracy": Kind("accuracy over all pairs of systems", "accuracy", "official_accuracy"),
    "system_means/pearson": Kind("r of systems, per language pair", "r of systems", "official_systems"),
    "global/pearson": Kind("r of segments, per language pair", "r of segments", "official_segments"),
    "item/acc_eq*": Kind("acc_eq*, per language pair", "acc_eq*", "official_item"),
}


@cache
def _official_values() -> tuple[Preset, pd.DataFrame, pd.DataFrame]:
    """The rules of WMT23, the values of its tasks, and what the official weights make of them."""
    rules = tk.official.read_preset("wmt23")
    values = tk.official.printed_values("wmt23").drop(columns="average")
    return rules, values, tk.official.average_tasks(values, rules.weights, rules.mapped)


def show(root: str) -> None:
    """Show the lesson and, where a folder of test sets is open, an official ranking of what is in it."""
    st.header("The official WMT ranking")
    st.markdown(
        "The official ranking of WMT23 is a weighted average of ten numbers per metric. Change the weights and see "
        "which metric wins."
    )
    rules, values, official = _official_values()
    st.markdown(
        f"These are the {len(values)} primary metrics and baselines of 2023. One number is the "
        "accuracy over all pairs of systems, of three language pairs together; the others are Pearson's r of systems, "
        "r of segments and acc\\_eq\\* by item, of each language pair. Try 0 for both weights of segments (r of "
        "segments and acc\\_eq\\*), so that only systems count: GEMBA-MQM wins."
    )
    glossary.terms("system level", "acc_eq")
    weights, mapped = _choose_weights(rules)
    if not any(weights.values()):
        st.info("Every weight is 0. Give at least one task a weight above 0.")
    else:
        key = "official ranking", tuple(weights.items()), mapped, lecture.is_on()
        board, data = result_cache.once(key, partial(_average, rules, values, official, weights, mapped))
        is_official = mapped == rules.mapped and weights == {task.name: task.weight for task in rules.tasks}
        st.markdown(say_winner(board, official, is_official=is_official))
        ranking.draw(data, "official_ranking")
        call = CALL.format(weights=weights, mapped="rules.mapped" if mapped else "()")
        downloads.show_code("WMT23-official-ranking", call, {})
    st.markdown(
        "Source: the rules are those of the [WMT23 metrics task](https://aclanthology.org/2023.wmt-1.51) (Freitag et "
        "al., 2023). The values are computed from the [public scores](https://github.com/wmt-conference/"
        "ErrorSpanAnnotation) of its metrics and MQM raters, and equal those of WMT's program, mt-metrics-eval."
    )
    if root:
        official_folder.rank_folder(root)


def _average(
    rules: Preset, values: pd.DataFrame, official: pd.DataFrame, weights: Mapping[str, float], mapped: tuple[str, ...]
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """The metrics with these weights, as a frame and as the browser shows it."""
    board = tk.official.average_tasks(values, weights, mapped)
    return board, table(board, official, rules.tasks, weights, is_large=lecture.is_on())


def _choose_weights(rules: Preset) -> tuple[dict[str, float], tuple[str, ...]]:
    """Let the user choose the weight of every task, and which tasks are mapped."""
    each = toggle("One weight per task", EACH)
    usual = {task.measure: f"{task.weight:.0f}" for task in rules.tasks}
    chosen: dict[str, str] = {}
    columns = st.columns(5 if each else len(KINDS), gap="medium")
    if each:
        for number, task in enumerate(rules.tasks):
            with columns[number % len(columns)]:
                chosen[task.name] = slide(_heading(task), WEIGHTS, usual[task.measure], f"official_task_{number}")
    else:
        for column, (measure, kind) in zip(columns, KINDS.items(), strict=True):
            with column:
                weight = slide(f"Weight of {kind.label}", WEIGHTS, usual[measure], kind.key)
            chosen |= {task.name: weight for task in rules.tasks if task.measure == measure}
    with st.container(horizontal=True, vertical_alignment="center"):
        unmapped = toggle("Average r itself, not (r + 1)/2", UNMAPPED)
        st.button("Official weights", key="official_again", on_click=_set, args=(rules, usual))
        only = {measure: weight if "system_means" in measure else "0" for measure, weight in usual.items()}
        st.button("Only systems", key="official_only", on_click=_set, args=(rules, only))
    return {name: float(weight) for name, weight in chosen.items()}, () if unmapped else rules.mapped


def _set(rules: Preset, weights: Mapping[str, str]) -> None:
    """Set all sliders, and average as WMT did."""
    state = {kind.key: weights[measure] for measure, kind in KINDS.items()}
    state |= {f"official_task_{number}": weights[task.measure] for number, task in enumerate(rules.tasks)}
    st.session_state.update(state)
    st.session_state[UNMAPPED] = False


def say_winner(board: pd.DataFrame, official: pd.DataFrame, *, is_official: bool) -> str:
    """Return a sentence: who wins with these weights, and what the official ones say."""
    first, second = _at(board, 1), board.index[1]
    win = "win" if len(first) > 1 else "wins"
    names, best = _join(first), format_number(cell(board, first[0], "average"))
    if is_official:
        ahead = f"ahead of {plain(second)} ({format_number(cell(board, second, 'average'))})"
        return f"**By the official weights {names} {win} with an average of {best}**, {ahead}."
    now = f"**With these weights {names} {win} with an average of {best}.**"
    if first == _at(official, 1):
        same = "they win" if len(first) > 1 else "it wins"
        return f"{now} By the official weights {same} too ({format_number(cell(official, first[0], 'average'))})."
    champion = official.index[0]
    places = ", ".join(f"{plain(name)} has rank {cell(official, name, 'rank')}" for name in first)
    value = format_number(cell(official, champion, "average"))
    return f"{now} By the official weights {plain(champion)} wins ({value}), and {places}."


def _at(board: pd.DataFrame, rank: int) -> list[str]:
    return [str(name) for name in board.index[board["rank"] == rank]]


def _join(names: list[str]) -> str:
    return " and ".join(map(plain, names))


def _heading(task: Task) -> str:
    """A task in a few words."""
    where = "all" if len(task.language_pairs) > 1 else task.language_pairs[0]
    return f"{where}: {KINDS[task.measure].short}"


def table(
    board: pd.DataFrame,
    official: pd.DataFrame,
    tasks: tuple[Task, ...],
    weights: Mapping[str, float],
    *,
    is_large: bool = False,
) -> dict[str, Any]:
    """Return what the browser shows: averages and ranks, now and official, and the tasks' values."""
    names, total = [str(name) for name in board.index], sum(weights.values())
    columns = [
        {"key": "metric", "label": "Metric", "help": ""},
        {"key": "average", "label": "Average (rank)", "help": "With the weights above."},
        {"key": "official", "label": "Official average (rank)", "help": "With the official weights."},
    ]
    places = {name: place for place, name in enumerate(sorted(names, key=str.casefold), 1)}
    rows: dict[str, dict[str, Any]] = {name: {"metric": ranking.cell(name, places[name])} for name in names}
    for key, source in (("average", board), ("official", official)):
        for name in names:
            value, rank = float(cell(source, name, "average")), int(cell(source, name, "rank"))
            text = f"{'★ ' if rank == 1 else ''}{format_number(value)} ({rank})"
            rows[name][key] = {**ranking.cell(text, rank, value=value), "isBest": rank == 1}
    for task in tasks:
        share = percent(weights[task.name] / total)
        columns.append({"key": task.name, "label": f"{_heading(task)}, {share}", "help": f"Weight {share}"})
        ranks = board[task.name].rank(ascending=False, method="min")
        for name in names:
            value, rank = float(cell(board, name, task.name)), int(ranks[name])
            rows[name][task.name] = {**ranking.cell(format_number(value), rank, value=value), "isBest": rank == 1}
    return {
        "columns": columns,
        "rows": [
            {"name": name, "mark": "", "isNew": False, "order": place, "cells": rows[name]}
            for place, name in enumerate(names)
        ],
        "sorted": "average",
        "tested": None,
        "alt": f"{len(names)} metrics of WMT23, best first by the weighted average: {names[0]} leads",
        "large": is_large,
    }
