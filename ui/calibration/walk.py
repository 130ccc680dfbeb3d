"""Which candidate of Algorithm 1 is shown? Typed scores, all their candidates, and the steps through them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

import numpy as np
import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.core import ROUNDING, FloatArray, IntArray
from ui.link import link
from ui.link.controls import choose
from ui.page import lecture
from ui.typed import lines
from ui.work import presets
from ui.work.text import exact, format_number, vector, warn_of_ties

ToyScores: TypeAlias = tuple[list[float], dict[str, list[float]], dict[str, int]]
"""The human scores of the Toy lab, its metrics by name, and the line of each."""

FIRST = f"{presets.FIRST}: m2"

LINES = ("cal_h", "cal_m")

CLOSE = 1e-9
"""Candidates closer than this share of the largest get an explanation."""


@dataclass(frozen=True, eq=False)
class CandidateWalk:
    """Algorithm 1 on two vectors: every candidate, and the counts and the coefficient's value at each."""

    human: list[float]
    metric: list[float]
    entry: tk.Coefficient
    candidates: list[float]
    counts: IntArray
    curve: FloatArray
    difference: str = "absolute"

    @property
    def shows_right_pairs(self) -> bool:
        """Whether the coefficient is the share of right pairs, so that it can be told by their number."""
        return self.entry.handles_ties and self.entry.range == (0.0, 1.0)

    def best(self, at: int) -> int | None:
        """Return the first candidate up to number ``at`` with the largest value; None where all are undefined."""
        values = self.curve[: at + 1]
        return None if np.isnan(values).all() else int(np.argmax(values >= np.nanmax(values) - ROUNDING))

    def result(self, at: int) -> str:
        """Return a candidate's value and epsilon in words."""
        return f"{format_number(self.curve[at])} at ε = {exact(self.candidates[at])}"

    def frame(self, at: int) -> pd.DataFrame:
        """Return the pairs at a candidate; fresh are those that the candidate before did not tie."""
        thresholds = self.candidates[at], self.candidates[max(at - 1, 0)]
        return _frame(tuple(self.human), tuple(self.metric), *thresholds, self.difference)


_frame = lru_cache(maxsize=64)(charts.step_frame)
"""Cached, because every part of a step needs the same frame."""


def choose_walk() -> CandidateWalk | None:
    """Let the user choose scores and a coefficient; None where there is no pair to count."""
    examples = _examples()
    first = dict(zip(("cal_h", "cal_m"), examples[FIRST], strict=True))
    link.of_page().fill("cal", {**first, "cal_eps": "0"}, {"cal_eps": link.is_number})
    left, middle, right = st.columns(3, gap="medium")
    with left:
        _choose_example(examples)
    with middle:
        counted = [name for name, entry in tk.COEFFICIENTS.items() if entry.takes_epsilon]
        names = ["acc_eq", *(name for name in reversed(counted) if name != "acc_eq")]
        entry = tk.COEFFICIENTS[choose("Coefficient to maximize", names, "cal_coefficient", printed=tk.charts.label_of)]
    with right:
        difference = choose("Differences between scores", list(tk.core.DIFFERENCES), "cal_difference")
    with st.expander("Edit scores"):
        human, metric = _score_lines(*map(tk.parse_vector, examples[FIRST]))
    with st.container():
        if not entry.handles_ties:
            st.warning(warn_of_ties(entry.label))
    candidates, counts = _count(tuple(human), tuple(metric), difference)
    if not counts[0, :5].any():
        st.markdown("No pair yet: at least two items need both scores.")
        return None
    return CandidateWalk(human, metric, entry, candidates, counts, entry.from_counts(counts), difference)


def _examples() -> dict[str, tuple[str, str]]:
    """Lines for h and m by name: the presets' metrics that have something to calibrate, and the Toy lab's scores."""
    found = {
        f"{name}: {metric}": (vector(preset["human"]), vector(scores))
        for name, preset in presets.presets().items()
        for metric, scores in preset["metrics"].items()
        if len(set(scores)) > 1
    }
    nothing: ToyScores = [], {}, {}
    human, metrics, _ = lines.last_valid("toy", nothing)
    own = {f"From the Toy lab: {name}": (vector(human), vector(scores)) for name, scores in metrics.items()}
    new = {name: lines for name, lines in own.items() if lines not in found.values()}
    return {FIRST: found[FIRST], **new, **found}


def _choose_example(examples: dict[str, tuple[str, str]]) -> None:
    now = st.session_state
    present = tuple(link.of_page().value(key) for key in ("cal_h", "cal_m"))
    now["cal_example"] = next((name for name, example in examples.items() if example == present), None)

    def load() -> None:
        if now["cal_example"] and not lines.typed_meanwhile("cal", LINES):
            now["cal_h"], now["cal_m"] = examples[now["cal_example"]]
            _go_to(0.0)

    lines.note_lines("cal", LINES)
    st.selectbox(
        "Start from an example", list(examples), key="cal_example", placeholder="your own scores", on_change=load
    )
    lecture.walk(list(examples), "cal_example", load)


def _score_lines(human: list[float], metric: list[float]) -> tuple[list[float], list[float]]:
    """A line for h and one for m, each with its message; the last valid scores while they do not fit."""
    human, metric = lines.last_valid("cal", (human, metric))
    text = lines.line("cal_h", "Human scores h, one per translation")
    with st.container():
        new_human = lines.read(text, "h")
    text = lines.line("cal_m", "Metric scores m")
    with st.container():
        new_metric = lines.read_as_many(text, "m", len(human if new_human is None else new_human))
        if new_human is None or new_metric is None:
            st.info(f"The steps still use h = {vector(human)} and m = {vector(metric)}.")
        else:
            human, metric = new_human, new_metric
    lines.keep_valid("cal", (human, metric))
    return human, metric


@lru_cache(maxsize=200)
def _count(
    human: tuple[float, ...], metric: tuple[float, ...], difference: str = "absolute"
) -> tuple[list[float], IntArray]:
    """The candidates in order, and one row of counts per candidate: a pair becomes a tie at its own distance.

    They are kept for all visitors; do not change them.
    """
    pairs = tk.classify_pairs(human, metric, difference=difference)
    distance = pairs["metric_difference"].abs().to_numpy()
    candidates = np.union1d(0.0, distance)
    counts = np.tile(tk.count_pairs(human, metric).row, (candidates.size, 1))
    for kind, now, then in (("concordant", 0, 3), ("discordant", 1, 3), ("ties_human", 2, 4)):
        tied = np.searchsorted(np.sort(distance[pairs["kind"] == kind]), candidates, side="right")
        counts[:, now] -= tied
        counts[:, then] += tied
    return candidates.tolist(), counts


def choose_step(walk: CandidateWalk) -> int:
    """Show buttons and a slider through the candidates; return the number of the present one, from 0."""
    last = len(walk.candidates) - 1
    best = walk.best(last)
    buttons, slider = st.columns([2, 3], gap="large", vertical_alignment="center")
    with slider:
        at = walk.candidates.index(lines.threshold(walk.candidates, "cal_eps", "Threshold ε"))
    with buttons, st.container(horizontal=True):
        for label, disabled in {"Back": at == 0, "Next": at == last, "Go to the best": best in (None, at)}.items():
            st.button(label, on_click=_press, args=(label, walk.candidates, best or 0), disabled=disabled)
    with st.container():
        if any(0 < b - a < CLOSE * walk.candidates[-1] for a, b in pairwise(walk.candidates)):
            st.markdown(
                "Some candidates differ in the last digit only: decimals such as 0.1 are not stored exactly, so 0.3 − "
                "0.2 is slightly less than 0.2 − 0.1. tiekit compares what is stored; whole numbers avoid this."
            )
    st.subheader(f"Candidate {at + 1} of {last + 1}: ε = {exact(walk.candidates[at])}")
    return at


def _press(label: str, candidates: list[float], best: int) -> None:
    """Step from the candidate that is current when the click arrives; the page may be some clicks old."""
    at = int(np.searchsorted(candidates, float(st.session_state["cal_eps"]), side="right")) - 1
    target = {"Back": at - 1, "Next": at + 1, "Go to the best": best}[label]
    _go_to(candidates[min(max(target, 0), len(candidates) - 1)])


def _go_to(epsilon: float) -> None:
    st.session_state["cal_eps"] = st.session_state["cal_eps_wanted"] = exact(epsilon)
