"""Algorithm 1, step by step: typed scores, all their candidates, and what changes at each of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.core import ROUNDING, SYMBOLS, FloatArray, IntArray, calibrate_scores, count_sorted, digest_of
from tiekit.figures import calibration_page
from ui.link import link
from ui.link.controls import choose
from ui.page import lecture, predict, shell, tables
from ui.typed import lines
from ui.work import downloads, presets
from ui.work.text import exact, format_number, plain, vector, warn_of_ties

FIRST = f"{presets.FIRST}: m2"

LINES = ("cal_h", "cal_m")

CLOSE = 1e-9
"""Candidates closer than this share of the largest get an explanation."""

EVERY = 10**6
"""More thresholds than typed scores have: each of them is a candidate."""

SPOKEN_PAIRS = 66
"""The most pairs that are named one by one in a picture's description; of more it says how many are of each kind."""

ROWS = 10
"""The most new ties that are listed one by one."""


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
        return _frame(*self._step(at))

    def table(self, at: int) -> pa.Table:
        """Return the same pairs as a chart takes them."""
        return _table(*self._step(at))

    def _step(self, at: int) -> tuple[Any, ...]:
        thresholds = self.candidates[at], self.candidates[max(at - 1, 0)]
        return tuple(self.human), tuple(self.metric), *thresholds, self.difference


_frame = lru_cache(maxsize=64)(charts.step_frame)
"""Cached, because every part of a step needs the same frame."""


@lru_cache(maxsize=64)
def _table(*step: Any) -> pa.Table:
    """The same frame as Arrow: all of a class take the same steps, and Streamlit converts a frame at each run."""
    return pa.Table.from_pandas(_frame(*step))


def choose_walk() -> CandidateWalk | None:
    """Let the user choose scores and a coefficient; None where there is no pair to count."""
    examples = _examples()
    first = dict(zip(LINES, examples[FIRST], strict=True))
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
    nothing: tuple[list[float], dict[str, list[float]], dict[str, int]] = [], {}, {}
    human, metrics, _ = lines.last_valid("toy", nothing)  # of the Toy lab, whose lines are the last of the three
    own = {f"From the Toy lab: {name}": (vector(human), vector(scores)) for name, scores in metrics.items()}
    new = {name: lines for name, lines in own.items() if lines not in found.values()}
    return {FIRST: found[FIRST], **new, **found}


def _choose_example(examples: dict[str, tuple[str, str]]) -> None:
    now = st.session_state
    present = tuple(map(link.of_page().value, LINES))
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
    """The candidates in order, and one row of counts per candidate.

    They are kept for all visitors; do not change them.
    """
    found = calibrate_scores(np.array(human), np.array(metric), "acc_eq", None, difference)
    candidates = found.curve(EVERY, progress=False)["epsilon"].tolist()
    return candidates, np.array([count_sorted(found.grouped.scores, epsilon).sum(axis=0) for epsilon in candidates])


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


def pictures(walk: CandidateWalk, at: int) -> None:
    """Draw every pair at the present candidate, with new ties outlined, and the curve so far."""
    matrix, curve = st.columns([2, 3], gap="large")
    with matrix:
        frame = walk.frame(at)
        fresh = [f"{row.i} and {row.j}" for row in frame[frame["fresh"]].itertuples()]
        words = lines.tally(tk.PairCounts(*walk.counts[at].tolist()))
        words += f"; new ties: {', '.join(fresh) if 0 < len(fresh) <= SPOKEN_PAIRS else len(fresh)}"
        figure = charts.matrix_chart(len(walk.human), shell.theme(), fresh=bool(fresh))
        shell.draw(
            walk.table(at),
            figure,
            f"Pairs at ε = {exact(walk.candidates[at])}: {words}",
            "cal_pairs",
            charts.KIND_STYLE.values(),
        )
    with curve:
        best, now, label = walk.best(at), not np.isnan(walk.curve[at]), walk.entry.label
        if best is None:
            st.info(f"{plain(label)} is undefined at every candidate: there is no curve.")
            return
        span = (walk.candidates[-1], float(np.nanmin(walk.curve)), float(np.nanmax(walk.curve)))
        height, on_left = charts.matrix_height(len(walk.human)), walk.candidates[best] > span[0] / 2
        figure = charts.curve_chart(label, span, height, shell.theme(), now=now, on_left=on_left)
        frame = charts.curve_frame(walk.candidates[: at + 1], walk.curve[: at + 1], best)
        words = f"{label} from {walk.result(0)} to {walk.result(at)}; best so far {walk.result(best)}"
        shell.draw(frame, figure, words, "cal_curve")


def say(walk: CandidateWalk, at: int) -> None:
    """Say what this candidate changes, how it compares with the best so far, and at the last one what epsilon* is."""
    name, counts, best = plain(walk.entry.label), walk.counts[at], walk.best(at)
    value = " → ".join(format_number(value) for value in walk.curve[max(at - 1, 0) : at + 1])
    if walk.shows_right_pairs:
        value += f", {counts[0] + counts[4]} of {counts[:5].sum()} pairs right"
    if np.isnan(walk.curve[at]):
        value += f", for {tk.core.why_undefined(tk.PairCounts(*counts.tolist()))}"
    number = int(walk.frame(at)["fresh"].sum())
    these = "The pair that differs" if number == 1 else f"The {number} pairs that differ"
    share = "a share of " * (walk.difference == "relative")
    these += f" by exactly {share}{exact(walk.candidates[at])} on the metric {'is' if number == 1 else 'are'} tied now."
    these = (
        these if at else f"Only equal metric scores tie so far ({counts[3] + counts[4]} of {counts[:5].sum()} pairs)."
    )
    st.markdown(f"{these} **{name}: {value}.** {_verdict(walk, at, best)}")
    if at == len(walk.candidates) - 1 and best is not None:
        st.success(
            f"That was the last candidate. The smallest ε with the largest {name} is "
            f"**ε\\* = {exact(walk.candidates[best])}**: {name}\\* = {format_number(walk.curve[best])}."
        )


def _verdict(walk: CandidateWalk, at: int, best: int | None) -> str:
    """How a candidate compares with the best so far, in words."""
    if best is None:
        return "There is no best value yet."
    if best == at:
        return "The best so far." if at else "The starting value."
    if walk.curve[at] >= walk.curve[best] - ROUNDING:
        return f"As good as the best so far, {walk.result(best)}, and on equal values we keep the smaller ε."
    return f"The best so far stays {walk.result(best)}."


def changes(walk: CandidateWalk, at: int) -> None:
    """Show the five counts before and now, which is also the picture's legend, and the pairs that have become ties."""
    left, right = st.columns([2, 3], gap="large")
    rows, numbers = [], []
    for (_, glyph, label), symbol, before, now in zip(
        charts.KIND_STYLE.values(), SYMBOLS, walk.counts[max(at - 1, 0)], walk.counts[at], strict=False
    ):
        kind = f"**{plain(glyph)}** {label}{'' if glyph == symbol else f' ({plain(symbol)})'}"
        change = format_number(now - before, "+d")
        numbers.append([label, before, now, now - before])
        rows.append([kind, str(before), *((f"**{now}**", f"**{change}**") if now != before else (str(now), ""))])
    names = ["pairs", "before", "now", "change"]
    shown = pa.Table.from_pylist([dict(zip(names, row, strict=True)) for row in rows])
    with left:
        words = f"Pairs of each kind before and at ε = {exact(walk.candidates[at])}"
        tables.show(shown, "calibration-pairs", words, values=partial(pd.DataFrame, numbers, columns=names))
    with right:
        _new_ties(walk, at)


def _new_ties(walk: CandidateWalk, at: int) -> None:
    if len(walk.candidates) == 1:
        return
    if at == 0:
        st.markdown("Which pairs will tie first, and how will that change the value? Predict, then press **Next**.")
        return
    fresh = walk.frame(at).query("fresh")
    rows = []
    for i, j, before, now in fresh[["i", "j", "before", "kind"]].head(ROWS).itertuples(index=False):
        row = {
            "items": f"{i}, {j}",
            "metric": _comparison_of(walk.metric, i, j),
            "human": _comparison_of(walk.human, i, j),
        }
        row["before → now"] = f"{charts.KIND_STYLE[before][2]} → {charts.KIND_STYLE[now][2]}"
        if walk.shows_right_pairs:
            row["right pairs"] = {"ties_human": "one more", "concordant": "one fewer"}.get(before, "no change")
        rows.append(row)
    tables.show(pa.Table.from_pylist(rows), "calibration-new-ties", "Pairs that have just become ties")
    if len(fresh) > ROWS:
        st.markdown(f"… and {len(fresh) - ROWS} more.")


def predict_best(walk: CandidateWalk) -> None:
    """Let the user predict where epsilon* lies; return whether the answer may be drawn."""
    last = len(walk.candidates) - 1
    best = walk.best(last)
    if best is None or last < 2:
        return
    zero, between, all_tied = "At 0", "In between", "At the largest distance, where all pairs are tied"
    options = {
        zero: "Then no pair that the human ties would be worth tying: look at the pairs marked h.",
        between: "Then some ties would have to gain more than they cost, and others cost more than they gain.",
        all_tied: "Then the metric's order would be worth less than the human's ties.",
    }
    truth = zero if best == 0 else all_tied if best == last else between
    values = ", ".join(dict.fromkeys(walk.result(at) for at in (0, best, last)))
    options[truth] = f"{plain(walk.entry.label)} is {plain(values)}."
    key = digest_of(np.array([walk.human, walk.metric]))
    predict.predict_first(f"walk: {key} {walk.entry.name}", "Where is the best ε of these scores?", options, truth)


def _comparison_of(scores: list[float], i: int, j: int) -> str:
    one, other = scores[i - 1], scores[j - 1]
    return plain(f"{exact(one)} {'=' if one == other else '<' if one < other else '>'} {exact(other)}")


def show_code(walk: CandidateWalk, at: int) -> None:
    """Show the same in Python: epsilon*, the whole curve, and the counts at the present candidate."""
    how, counts, per_kind = "", "counts = tk.count_pairs", ""
    if walk.difference == "relative":
        how, counts, per_kind = ", difference='relative'", "counts = tk.classify_pairs", '["kind"].value_counts()'
    call = (
        f"best = tk.calibrate(h, m, {walk.entry.name!r}{how})\n"
        f"{counts}(h, m, epsilon={exact(walk.candidates[at])}{how}){per_kind}\n"
        "best.epsilon, best.value, counts, best.curve()"
    )
    downloads.show_code("calibration-step-by-step", call, {"h": walk.human, "m": walk.metric})

    def write() -> str:
        """The present candidate as a page of its own, on which it can be dragged."""
        found = tk.calibrate(walk.human, walk.metric, walk.entry.name, difference=walk.difference)
        return calibration_page(found, "m", walk.candidates[at])

    downloads.embed(write, "calibration.html", of="these scores")
