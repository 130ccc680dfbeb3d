"""What opens the page? Cards that the user ranks, the judges' majorities, and a gauge of what any ranking reaches."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

import tiekit as tk
from tiekit.figures import FIGURES
from ui.judgments.inputs import METRIC, TypedRankings
from ui.page import stage
from ui.work.text import vector


def show(typed: TypedRankings, scores: dict[str, float], entry: tk.Coefficient) -> Callable[[], str]:
    """Show the figure; return what writes it as a page of its own."""
    figure = FIGURES["rerank"]
    shown = figure.data(typed.letters, typed.lines, [*scores.values()], entry)
    stage.show(figure, shown, "rerank", _hear)
    return partial(figure.page, shown, f"Ranks by {len(typed.lines)} judges of {', '.join(typed.letters)}.")


def _hear(said: dict[str, Any]) -> None:
    """Write the user's ranking into the line of the metric's scores, which the link keeps."""
    if "metric" in said:
        st.session_state[METRIC] = vector([float(score) for score in said["metric"]])
