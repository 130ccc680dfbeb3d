"""The leaderboard: computed with progress, kept for the session, and downloaded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, TypeVar

import pandas as pd
import streamlit as st

from tiekit import charts
from tiekit.ranking import Contest, MetricValues, add_system_level, assemble, evaluate, latex_table
from tiekit.significance import Comparison
from ui.evalset.notes import notes_on, say_notes
from ui.leaderboard import export
from ui.leaderboard.question import Question
from ui.work import downloads, result_cache
from ui.work.result_cache import Task
from ui.work.text import plain

T = TypeVar("T")


def compute(question: Question, minor: AbstractContextManager[Any]) -> pd.DataFrame | None:
    """Compute the leaderboard and show notes on suspicious scores; None if it was canceled before the first metric.

    Notes that change no ranking are shown in the place ``minor``.
    """
    contest, tasks = question.contest, tasks_of(question, question.contest)
    results = result_cache.compute("Counting pairs and calibrating" if question.calibrated else "Counting pairs", tasks)
    if not results:
        return None
    say_notes(notes_on(contest, results), minor)
    asked = question.undefined, tuple(contest.selection.items()), question.system_level
    made_of = *asked, *(tasks[name][0] for name in results)
    st.session_state["board_of"] = made_of
    return once("board", partial(_make, question, contest, results))


def of_two(question: Question, names: tuple[str, str]) -> tuple[pd.DataFrame, Contest] | None:
    """Return the leaderboard of two metrics alone, and the scores that it compares: those that both have.

    None where the visitor has stopped it. Raises `TiekitError` where they have too few in common.
    """
    contest = question.selection.contest_of(names)
    results = result_cache.compute("Comparing the two metrics", tasks_of(question, contest))
    return (_make(question, contest, results), contest) if len(results) == 2 else None


def tasks_of(question: Question, contest: Contest) -> dict[str, Task]:
    """Return what is computed of each metric."""
    wanted, tasks = (question.counted, question.calibrated), dict[str, Task]()
    for name, digest in contest.digests.items():
        key = (name, contest.selection["human"], contest.groups_key, digest, *wanted)
        tasks[name] = key, partial(evaluate, contest, name, *wanted)
    return tasks


def _make(question: Question, contest: Contest, results: Mapping[str, MetricValues]) -> pd.DataFrame:
    is_any = question.counted or question.calibrated
    made = assemble(contest, results, question.undefined) if is_any else _empty(results)
    return _with_system_level(made, question, contest)


def _empty(results: Mapping[str, MetricValues]) -> pd.DataFrame:
    """A leaderboard that has no value columns yet."""
    board = pd.DataFrame({"coverage": {name: result.coverage for name, result in results.items()}})
    board.attrs["signatures"] = {}
    return board.rename_axis("metric")


def _with_system_level(board: pd.DataFrame, question: Question, contest: Contest) -> pd.DataFrame:
    """Add the system-level numbers; rank by the last of them if there are no other columns."""
    for name in question.system_level:
        with st.spinner(f"Comparing systems: {charts.label_of(name)} …"):
            add_system_level(board, contest, name)
    only = question.system_level if not (question.counted or question.calibrated) else ()
    return board.sort_values(only[-1], ascending=False, kind="stable") if only else board


def once(what: str, make: Callable[[], T], *choices: str) -> T:
    """Return something made of the present leaderboard and of choices, computed once for all visitors."""
    return result_cache.once((what, st.session_state["board_of"], *choices), make)


def numbers_of(board: pd.DataFrame) -> pd.DataFrame:
    """Return the leaderboard without signatures, which pandas would copy at every step."""
    numbers = pd.DataFrame(board)
    numbers.attrs = {name: value for name, value in board.attrs.items() if name == "human_lengths"}
    return numbers


def file_stem(question: Question) -> str:
    """Return a file name for a leaderboard, without the extension."""
    contest = question.contest.selection
    parts = [*contest["set"].split("/"), contest["human"], question.contest.grouping]
    return "-".join(part.replace(" ", "_") for part in parts if part)


def offer_downloads(board: pd.DataFrame, question: Question, found: Comparison | None) -> None:
    """Offer the downloads, with what was tested; show the signatures of one metric: the user's, or else the first."""
    own = [name for name in question.added if name in board.index]
    signed = own[-1] if own else None
    left, middle, right = st.columns(3)
    file = file_stem(question)
    with left:
        downloads.offer("Table as CSV", board.to_csv, f"{file}.csv", "text/csv", width="stretch")
    with middle:
        text = partial(latex_table, board, question.columns, signed=signed)
        downloads.offer("Table as LaTeX", text, f"{file}.tex", "text/x-tex", width="stretch")
    with right:
        label = "Every number with its signature and test (CSV)"
        downloads.offer(
            label,
            lambda: export.with_signatures(board, question.columns, found).to_csv(index=False),
            f"{file}-signatures.csv",
            "text/csv",
            width="stretch",
        )
    name = str(board.index[0]) if signed is None else signed
    with st.expander(f"Signatures of the numbers of {plain(name)}"):
        lines = [board.attrs["signatures"][column][name] for column in question.columns]
        st.code("\n".join(lines), language=None, wrap_lines=True)
    st.markdown("As a notebook: notebooks/05_leaderboard.ipynb.")
