"""How is epsilon* found? Algorithm 1 of Deutsch et al. (2023) on typed scores, one candidate after the other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.coefficients.correlation import ROUNDING
from tiekit.coefficients.formula import SYMBOLS
from tiekit.counting.scores import FloatArray, IntArray
from tiekit.signature import digest_of
from ui.base import notebook, presets
from ui.base.text import exact, exploited, format_number, plain, vector
from ui.link import state
from ui.link.controls import choose
from ui.page import lecture, predict, shell, tables
from ui.typed import lines

FIRST = f"{presets.FIRST}: m2"

LINES = ("cal_h", "cal_m")

CLOSE = 1e-9
"""Candidates closer than this share of the largest are explained."""

SPOKEN_PAIRS = 66
"""A picture of more pairs says in words how many are of each kind, not each pair."""

ROWS = 10
"""New ties that are told one by one."""


@dataclass(frozen=True, eq=False)
class Walk:
    """Algorithm 1 on two vectors: every candidate, and the counts and the coefficient's value at each."""

    human: list[float]
    metric: list[float]
    entry: tk.Coefficient
    candidates: list[float]
    counts: IntArray
    curve: FloatArray

    def best(self, at: int) -> int | None:
        """The first of the candidates up to number ``at`` with their largest value; None where all are undefined."""
        values = self.curve[: at + 1]
        return None if np.isnan(values).all() else int(np.argmax(values >= np.nanmax(values) - ROUNDING))

    def result(self, at: int) -> str:
        """A candidate's value and epsilon in words."""
        return f"{format_number(self.curve[at])} at ε = {exact(self.candidates[at])}"

    def frame(self, at: int) -> pd.DataFrame:
        """The pairs at a candidate; fresh are those that the candidate before did not tie."""
        thresholds = self.candidates[at], self.candidates[max(at - 1, 0)]
        return _frame(tuple(self.human), tuple(self.metric), *thresholds)


_frame = lru_cache(maxsize=64)(charts.step_frame)
"""Every part of a step asks for the same."""


def choose_walk() -> Walk | None:
    """Let the user choose scores and a coefficient; None where there is no pair to count."""
    examples = _examples()
    first = dict(zip(("cal_h", "cal_m"), examples[FIRST], strict=True))
    state.open_link("cal", {**first, "cal_eps": "0"}, {"cal_eps": state.is_number})
    left, right = st.columns([2, 3], gap="large")
    with left:
        _choose_example(examples)
        counted = [name for name, entry in tk.COEFFICIENTS.items() if entry.takes_epsilon]
        names = ["acc_eq", *(name for name in reversed(counted) if name != "acc_eq")]
        entry = tk.COEFFICIENTS[choose("Which coefficient shall be largest?", names, "cal_coefficient")]
    with right:
        human, metric = _score_lines(*map(tk.parse_vector, examples[FIRST]))
    with st.container():
        if not entry.handles_ties:
            st.warning(exploited(entry.label))
    candidates, counts = _count(tuple(human), tuple(metric))
    if not counts[0, :5].any():
        st.markdown("No pair yet: at least two items need both scores.")
        return None
    return Walk(human, metric, entry, candidates, counts, entry.from_counts(counts))


def _examples() -> dict[str, tuple[str, str]]:
    """Lines for h and m by name: the presets' metrics that have something to calibrate, and the Toy lab's scores."""
    found = {
        f"{name}: {metric}": (vector(preset["human"]), vector(scores))
        for name, preset in presets.presets().items()
        for metric, scores in preset["metrics"].items()
        if len(set(scores)) > 1
    }
    human, metrics, _ = st.session_state.get("toy_fits", ([], {}, {}))
    own = {f"From the Toy lab: {name}": (vector(human), vector(scores)) for name, scores in metrics.items()}
    new = {name: lines for name, lines in own.items() if lines not in found.values()}
    return {FIRST: found[FIRST], **new, **found}


def _choose_example(examples: dict[str, tuple[str, str]]) -> None:
    now = st.session_state
    present = tuple(now.get(key, st.query_params.get(key)) for key in ("cal_h", "cal_m"))
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
    """A line for h and one for m, each with its message; while they do not fit, the last scores that did."""
    human, metric = st.session_state.get("cal_fits", (human, metric))
    text = lines.line("cal_h", "Human scores h, one for each translation")
    with st.container():
        new_human = lines.read(text, "h")
    text = lines.line("cal_m", "The metric's scores m")
    with st.container():
        new_metric = lines.read_as_many(text, "m", len(human if new_human is None else new_human))
        if new_human is None or new_metric is None:
            st.info(f"The steps still use h = {vector(human)} and m = {vector(metric)}.")
        else:
            human, metric = new_human, new_metric
    st.session_state["cal_fits"] = human, metric
    return human, metric


@lru_cache(maxsize=200)
def _count(human: tuple[float, ...], metric: tuple[float, ...]) -> tuple[list[float], IntArray]:
    """The candidates in order, and the counts at each, a row a candidate: a pair becomes a tie at its own distance.

    Nobody changes them: they are kept for all visitors.
    """
    pairs = tk.classify_pairs(human, metric)
    distance = pairs["metric_difference"].abs().to_numpy()
    candidates = np.union1d(0.0, distance)
    counts = np.tile(tk.count_pairs(human, metric).row, (candidates.size, 1))
    for kind, now, then in (("concordant", 0, 3), ("discordant", 1, 3), ("ties_human", 2, 4)):
        tied = np.searchsorted(np.sort(distance[pairs["kind"] == kind]), candidates, side="right")
        counts[:, now] -= tied
        counts[:, then] += tied
    return candidates.tolist(), counts


def step(walk: Walk) -> int:
    """Buttons and a slider through the candidates; the number of the present one, from 0."""
    last = len(walk.candidates) - 1
    best = walk.best(last)
    buttons, slider = st.columns([2, 3], gap="large", vertical_alignment="center")
    with slider:
        at = walk.candidates.index(lines.threshold(walk.candidates, "cal_eps", "ε, one candidate after the other"))
    with buttons, st.container(horizontal=True):
        for label, disabled in {"Back": at == 0, "Next": at == last, "To the best": best in (None, at)}.items():
            st.button(label, on_click=_press, args=(label, walk.candidates, best or 0), disabled=disabled)
    with st.container():
        if any(0 < b - a < CLOSE * walk.candidates[-1] for a, b in pairwise(walk.candidates)):
            st.markdown(
                "Some candidates differ in the last digit only: decimals such as 0.1 are not exact in the computer, so "
                "0.3 − 0.2 is a little less than 0.2 − 0.1. tiekit compares what is stored; whole numbers avoid it."
            )
    st.subheader(f"Candidate {at + 1} of {last + 1}: ε = {exact(walk.candidates[at])}")
    return at


def _press(label: str, candidates: list[float], best: int) -> None:
    """From where the walk stands when the click arrives: the page may have been drawn some clicks before."""
    at = int(np.searchsorted(candidates, float(st.session_state["cal_eps"]), side="right")) - 1
    target = {"Back": at - 1, "Next": at + 1, "To the best": best}[label]
    _go_to(candidates[min(max(target, 0), len(candidates) - 1)])


def _go_to(epsilon: float) -> None:
    st.session_state["cal_eps"] = st.session_state["cal_eps_wanted"] = exact(epsilon)


def pictures(walk: Walk, at: int) -> None:
    """Every pair at the present candidate, new ties outlined; beside it the curve so far."""
    matrix, curve = st.columns([2, 3], gap="large")
    with matrix:
        frame = walk.frame(at)
        fresh = [f"{row.i} and {row.j}" for row in frame[frame["fresh"]].itertuples()]
        words = lines.tally(tk.count_pairs(walk.human, walk.metric, epsilon=walk.candidates[at]))
        words += f"; new ties: {', '.join(fresh) if 0 < len(fresh) <= SPOKEN_PAIRS else len(fresh)}"
        figure = charts.matrix_chart(len(walk.human), shell.theme(), fresh=bool(fresh))
        shell.draw(frame, figure, f"Pairs at ε = {exact(walk.candidates[at])}: {words}", "cal_pairs")
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


def say(walk: Walk, at: int) -> None:
    """What this candidate changes, how it stands beside the best so far, and at the last one epsilon*."""
    name, counts, best = plain(walk.entry.label), walk.counts[at], walk.best(at)
    value = " → ".join(format_number(value) for value in walk.curve[max(at - 1, 0) : at + 1])
    if walk.entry.name == "acc_eq":
        value += f", {counts[0] + counts[4]} of {counts[:5].sum()} pairs right"
    if np.isnan(walk.curve[at]):
        value += f", for {tk.coefficients.why_undefined(tk.PairCounts(*counts.tolist()))}"
    number = int(walk.frame(at)["fresh"].sum())
    these = "The pair that differs" if number == 1 else f"The {number} pairs that differ"
    these += f" by exactly {exact(walk.candidates[at])} on the metric {'is' if number == 1 else 'are'} tied now."
    these = (
        these if at else f"Only equal metric scores tie so far ({counts[3] + counts[4]} of {counts[:5].sum()} pairs)."
    )
    st.markdown(f"{these} **{name}: {value}.** {_verdict(walk, at, best)}")
    if at == len(walk.candidates) - 1 and best is not None:
        st.success(
            f"That was the last candidate. The smallest ε with the largest {name} is "
            f"**ε\\* = {exact(walk.candidates[best])}**: {name}\\* = {format_number(walk.curve[best])}."
        )


def _verdict(walk: Walk, at: int, best: int | None) -> str:
    """How a candidate stands beside the best so far."""
    if best is None:
        return "So there is no best."
    if best == at:
        return "The best so far." if at else "The first value, so the one to beat."
    if walk.curve[at] >= walk.curve[best] - ROUNDING:
        return f"As good as the best so far, {walk.result(best)}, but the smaller ε keeps its place."
    return f"The best so far stays {walk.result(best)}."


def changes(walk: Walk, at: int) -> None:
    """The five counts before and now, a legend of the picture too; the pairs that have just become ties."""
    left, right = st.columns([2, 3], gap="large")
    rows, numbers = [], []
    for (_, glyph, label), symbol, before, now in zip(
        charts.KIND_STYLE.values(), SYMBOLS, walk.counts[max(at - 1, 0)], walk.counts[at], strict=False
    ):
        kind = f"**{plain(glyph)}** {label}{'' if glyph == symbol else f' ({plain(symbol)})'}"
        change = format_number(now - before, "+d")
        numbers.append([label, before, now, now - before])
        rows.append([kind, str(before), *((f"**{now}**", f"**{change}**") if now != before else (str(now), ""))])
    shown = pd.DataFrame(rows, columns=["pairs", "before", "now", "change"])
    with left:
        words = f"Pairs of each kind before and at ε = {exact(walk.candidates[at])}"
        tables.show(shown, "calibration-pairs", words, values=pd.DataFrame(numbers, columns=shown.columns))
    with right:
        _new_ties(walk, at)


def _new_ties(walk: Walk, at: int) -> None:
    if len(walk.candidates) == 1:
        return
    if at == 0:
        st.markdown("Which pairs will tie first, and what will that do to the value? Predict, then press **Next**.")
        return
    fresh = walk.frame(at).query("fresh")
    rows = []
    for i, j, before, now in fresh[["i", "j", "before", "kind"]].head(ROWS).itertuples(index=False):
        row = {"items": f"{i}, {j}", "metric": _compared(walk.metric, i, j), "human": _compared(walk.human, i, j)}
        row["before → now"] = f"{charts.KIND_STYLE[before][2]} → {charts.KIND_STYLE[now][2]}"
        if walk.entry.name == "acc_eq":
            row["right pairs"] = {"ties_human": "one more", "concordant": "one fewer"}.get(before, "no change")
        rows.append(row)
    tables.show(pd.DataFrame(rows), "calibration-new-ties", "Pairs that have just become ties")
    if len(fresh) > ROWS:
        st.markdown(f"… and {len(fresh) - ROWS} more.")


def ask(walk: Walk) -> None:
    """Let the user predict where epsilon* lies, before or instead of stepping there."""
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
    predict.ask(f"walk {key} {walk.entry.name}", "Where is the best ε of these scores?", options, truth)


def _compared(scores: list[float], i: int, j: int) -> str:
    one, other = scores[i - 1], scores[j - 1]
    return plain(f"{exact(one)} {'=' if one == other else '<' if one < other else '>'} {exact(other)}")


def show_code(walk: Walk, at: int) -> None:
    """The same in Python: epsilon*, the whole curve, the counts at the present candidate."""
    call = (
        f"best = tk.calibrate(h, m, {walk.entry.name!r})\n"
        f"counts = tk.count_pairs(h, m, epsilon={exact(walk.candidates[at])})\n"
        "best.epsilon, best.value, counts, best.curve()"
    )
    notebook.show("calibration-step-by-step", call, {"h": walk.human, "m": walk.metric})
