"""Can ties make a metric win where no segment is left out? The most that acc_eq can gain by tying."""

from __future__ import annotations

import numpy as np
import streamlit as st

import tiekit as tk
from tiekit.core import average
from tiekit.figures import worst
from ui.nan_problem.inputs import Segments, Typed
from ui.work.text import format_number, plain


def reachable(human: Segments, metric: Segments) -> float:
    """Return the largest acc_eq that tying can reach: correct orderings stay, and all human ties become correct."""
    shares = []
    for row, scores in zip(human, metric, strict=True):
        counts = tk.count_pairs(row, scores)
        if counts.total:
            shares.append((counts.concordant + counts.ties_human + counts.ties_both) / counts.total)
    return float(np.mean(shares)) if shares else float("nan")


def say_bound(typed: Typed, tied: Typed) -> None:
    """Say what tying the worst metric's scores has changed under acc_eq, and what it can reach at most."""
    entry = tk.COEFFICIENTS["acc_eq"]
    name = worst(typed.human, typed.metrics, entry)
    start, now = (average(values(one.human, one.metrics[name], entry), "drop") for one in (typed, tied))
    best, others = reachable(typed.human, typed.metrics[name]), [one for one in typed.metrics if one != name]
    if np.isnan(start) or not others:
        return
    rival = max(average(values(typed.human, typed.metrics[one], entry), "drop") for one in others)
    text = (
        f"Under acc\\_eq every segment has a value. A tie can make only those pairs correct that the human ties too: "
        f"{plain(name)} starts at {format_number(start)}, has {format_number(now)} now and can reach at most "
        f"{format_number(best)}."
    )
    if best < rival:
        text += f" The best metric has {format_number(rival)}, so **no tying makes {plain(name)} win here**."
    st.markdown(text + " Where the human ties much, ties can raise raw acc\\_eq; so compare calibrated values.")


def values(human: Segments, metric: Segments, entry: tk.Coefficient) -> np.ndarray:
    """Return the coefficient segment by segment."""
    return np.array([entry.value(tk.count_pairs(h, m)) for h, m in zip(human, metric, strict=True)])
