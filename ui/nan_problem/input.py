"""Which segments does the user type? The examples and lines of the NaN page, kept in the link."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
import streamlit as st

import tiekit as tk
from ui.base import presets
from ui.base.text import plain, vector
from ui.typed import lines

FILE = "nan_presets.toml"
NAMES = ("A", "B", "C")
KEYS = {name: f"nan_{name.lower()}" for name in NAMES}
LINES = ["nan_h", *KEYS.values()]
MOST_SEGMENTS = 12

Segments: TypeAlias = list[list[float]]
"""One row per segment, with one score per system."""


def examples() -> dict[str, dict[str, Any]]:
    """Return the examples by name."""
    return presets.presets(FILE)


def line_of(rows: Segments) -> str:
    """Return segments as a line that `read` reads back."""
    return " | ".join(vector(row) for row in rows)


def _as_state(preset: Mapping[str, Any]) -> dict[str, str]:
    """An example as the values of the lines; that of a metric that it lacks is empty."""
    metrics = {KEYS[name]: line_of(preset["metrics"].get(name, [])) for name in NAMES}
    return {"nan_h": line_of(preset["human"]), **metrics}


def starting_values() -> dict[str, str]:
    """Return the first example."""
    first = next(iter(examples().values()))
    return _as_state(first) | {"nan_coefficient": first["coefficient"]}


def choose_example() -> None:
    """Let the user choose an example, which fills every line and sets the coefficient."""

    def bring_coefficient(preset: Mapping[str, Any]) -> None:
        st.session_state["nan_coefficient"] = preset["coefficient"]

    lines.offer_examples("nan", LINES, examples(), _as_state, also=bring_coefficient)


def type_scores() -> tk.EvalSet:
    """Let the user type a line for the human and for each metric; return the last valid scores."""
    st.markdown("A bar `|` ends a segment. In each stands a score for every system, `nan` where one is missing.")
    text = lines.line("nan_h", "Human scores, segment by segment")
    with st.container():
        human = read(text, "human")
    metrics = {}
    for name in NAMES:
        label = f"Scores of metric {name}" + ", may be empty" * (name == NAMES[-1])
        text = lines.line(KEYS[name], label)
        with st.container():
            metrics[name] = None if human is None else read_as_many(text, name, human) if text or name != "C" else []
    fits = None
    if human is not None and None not in metrics.values():
        fits = human, {name: rows for name, rows in metrics.items() if rows}
    first = next(iter(examples().values()))
    return as_evalset(*lines.last_that_fits("nan", fits, (first["human"], first["metrics"])))


def as_evalset(human: Segments, metrics: dict[str, Segments]) -> tk.EvalSet:
    """Return typed segments as an evaluation set: systems in rows, segments in columns."""
    scores = np.array(human, float).T
    systems, segments = (tuple(str(number) for number in range(1, size + 1)) for size in scores.shape)
    given = {name: np.array(rows, float).T for name, rows in metrics.items()}
    return tk.EvalSet("typed", "", systems, segments, {"human": scores}, given)


def read(text: str, name: str) -> Segments | None:
    """Return the segments of a line, with equally many scores in each; None, with the message under it, if invalid."""
    parts = text.strip().strip("|").split("|")
    if len(parts) > MOST_SEGMENTS:
        st.error(f"{plain(name)} has {len(parts)} segments; up to {MOST_SEGMENTS} are drawn. Below one opens files.")
        return None
    rows = []
    for number, part in enumerate(parts, 1):
        row = lines.read(part, f"{name}, segment {number}")
        if row is None:
            return None
        rows.append(row)
        if len(row) != len(rows[0]):
            st.error(
                f"{plain(name)}, segment {number} has {len(row)} scores and segment 1 has {len(rows[0])}: give one for "
                "every system, nan where it is missing."
            )
            return None
    if len(rows[0]) < 2:
        st.error(f"{plain(name)}: a segment needs the scores of at least two systems.")
        return None
    return rows


def read_as_many(text: str, name: str, human: Segments) -> Segments | None:
    """Return the segments of a line that must match the human's in segments and systems."""
    rows = read(text, name)
    if rows is not None and (len(rows), len(rows[0])) != (len(human), len(human[0])):
        st.error(
            f"{plain(name)} has {len(rows)} segments of {len(rows[0])} systems, the human {len(human)} of "
            f"{len(human[0])}: give as many."
        )
        return None
    return rows
