"""Is a metric's place fair? Columns on ties, noise, length, held-out ε and coverage, computed when asked for."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from tiekit.ranking import CHECKS, add_fairness, fairness_of, has_fairness, is_bad, notes_of, texts_of, write
from ui.leaderboard.board import once
from ui.leaderboard.question import Question
from ui.link.controls import toggle
from ui.work import result_cache
from ui.work.result_cache import Task
from ui.work.text import plain


def add(frame: pd.DataFrame, question: Question, place: AbstractContextManager[Any]) -> pd.DataFrame:
    """Return the leaderboard with the columns on fairness if the user asks for them, in ``place``."""
    with place:
        if not toggle("Columns on fairness: ties, noise, length, held-out ε, coverage", "fairness"):
            return frame
    contest, texts, tasks = question.contest, texts_of(question.data), dict[str, Task]()
    lengths = tuple(values.tobytes() for values in texts.lengths.values())
    of_set = contest.grouping, texts.documents, hash(lengths)
    for name, digest in contest.digests.items():
        key = ("fairness", name, digest, *of_set)
        tasks[name] = key, partial(fairness_of, contest, name, texts, 0)
    done = result_cache.compute("Measuring fairness", tasks)
    if not set(map(str, frame.index)) <= set(done):
        return frame

    def make() -> pd.DataFrame:
        made = frame.copy()
        add_fairness(made, done, contest.human, texts)
        return made

    made = once("fair board", make, *map(str, of_set))
    st.session_state["board_of"] = (*st.session_state["board_of"], "fairness")
    return made


def columns(board: pd.DataFrame) -> dict[str, tuple[str, str, dict[str, tuple[str, float]]]]:
    """Return heading, explanation, and each metric's text and number of the columns; a triangle marks what is bad."""
    of_human, found = board.attrs.get("human_lengths", {}), {}
    for check in CHECKS if has_fairness(board) else ():
        human = of_human.get(check.column, 0.0)
        cells = {
            str(name): (f"{'▲ ' * is_bad(check, value, human)}{write(check, value)}", float(value))
            for name, value in zip(board.index, board[check.column], strict=True)
        }
        found[check.column] = check.label, f"▲: {check.rule}.", cells
    return found


def say(board: pd.DataFrame) -> None:
    """Show a sentence for each number that is bad, where the columns are there."""
    if not has_fairness(board):
        return
    notes = once("fairness notes", partial(notes_of, board))
    lines = [f"- {plain(line)}" for name in notes for line in notes[name]]
    rules = "; ".join(f"{check.label}: {check.rule}" for check in CHECKS)
    with st.expander(f"What the ▲ mean: {len(lines)} remarks on {sum(map(bool, notes.values()))} metrics"):
        st.markdown("\n".join(lines) or "No number is beyond its limit.")
        st.markdown(f"Limits: {plain(rules)}. Noise is drawn with seed 0.")
