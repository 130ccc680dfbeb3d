"""What does one step of Algorithm 1 of Deutsch et al. (2023) change? Pairs, counts and the curve at one candidate."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.core import ROUNDING, SYMBOLS, digest_of
from tiekit.figures import calibration_page
from ui.calibration.walk import CandidateWalk
from ui.page import predict, shell, tables
from ui.typed import lines
from ui.work import downloads
from ui.work.text import exact, format_number, plain

SPOKEN_PAIRS = 66
"""The most pairs that are named one by one in a picture's description; of more it says how many are of each kind."""

ROWS = 10
"""The most new ties that are listed one by one."""


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
            frame,
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
    shown = pd.DataFrame(rows, columns=["pairs", "before", "now", "change"])
    with left:
        words = f"Pairs of each kind before and at ε = {exact(walk.candidates[at])}"
        tables.show(shown, "calibration-pairs", words, values=pd.DataFrame(numbers, columns=shown.columns))
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
    tables.show(pd.DataFrame(rows), "calibration-new-ties", "Pairs that have just become ties")
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
    downloads.embed(lambda: _page(walk, at), "calibration.html", of="these scores")


def _page(walk: CandidateWalk, at: int) -> str:
    """The present candidate as a page of its own, on which it can be dragged."""
    found = tk.calibrate(walk.human, walk.metric, walk.entry.name, difference=walk.difference)
    return calibration_page(found, "m", walk.candidates[at])
