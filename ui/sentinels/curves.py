"""What do the parts of the sentinels page share? Noise, weights of pairs, and the picture over the share of ties."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import ArrayLike

import tiekit as tk
from tiekit import charts
from tiekit.core import FloatArray, add_noise
from tiekit.sentinels import BITES
from ui.page import shell
from ui.work.text import format_epsilon, format_number, percent, plain

CLOSE = 0.005
"""Values that differ by at most this are called level."""

DEVIATION = 0.01
"""The standard deviation of the noise, for the paper's variance of 0.0001."""

SAME = 1e-12
"""Values closer than this are equal: they differ by rounding."""


def perturb_scores(scores: ArrayLike, seed: int = 0) -> tuple[FloatArray, str]:
    """Return a metric's sentinel, and a note where the noise is limited, instead of a warning."""
    noisy, step = add_noise(np.asarray(scores, np.float64), DEVIATION, np.random.default_rng(seed))
    note = ""
    if step / 2 < BITES * DEVIATION:
        note = (
            f"Two scores are only {format_epsilon(step)} apart: the noise is cut at half of that, so it is "
            f"narrower than asked for."
        )
    return noisy, note


def fractions_to_keep(human: ArrayLike, share: float) -> tuple[float, float] | None:
    """Return the fractions of tied and untied pairs to keep for a ``share`` of human ties; None if it is impossible."""
    try:
        tied, untied = tk.sentinels.keep_for_share(human, share)
    except tk.InputError:
        return None
    return tied, untied


@dataclass(frozen=True, eq=False)
class ShareCurves:
    """Curves over the share of human ties: a picture for the coefficient and one for ε*; the set's own share."""

    found: pd.DataFrame
    curves: dict[str, dict[float, float]]
    frame: pd.DataFrame
    kinds: dict[str, str]
    titles: dict[str, str]
    words: dict[str, str]
    own: float

    def first(self) -> dict[str, float]:
        """Return the values without human ties, by metric."""
        return {name: curve[0.0] for name, curve in self.curves.items() if 0.0 in curve}


def lay_out(found: pd.DataFrame, kinds: dict[str, str], label: str, tied: float) -> ShareCurves:
    """Return what is drawn of curves, and what is said about them.

    Parameters
    ----------
    found : DataFrame
        One row per metric and share: ``metric``, ``share``, ``value``, ``n_pairs``, and ``deviations``, ε* in standard
        deviations.
    kinds : dict of str to str
        By metric "discrete", "sentinel" or "continuous".
    label : str
        The coefficient's.
    tied : float
        The share of human ties among all pairs.
    """
    titles = {"value": f"{label}*", "epsilon": "ε*, in standard deviations of the metric"}
    frame = charts.share_frame(found.assign(epsilon=found["deviations"]), kinds)
    curves = {
        column: {
            str(name): dict(zip(rows["share"].tolist(), rows[column].tolist(), strict=True))
            for name, rows in frame.groupby("metric", sort=False)
        }
        for column in titles
    }
    words = {}
    for column, title in titles.items():
        ends = {name: list(curve.values()) for name, curve in curves[column].items()}
        spans = "; ".join(
            f"{name} {format_number(span[0])} to {format_number(span[-1])}" for name, span in ends.items()
        )
        words[column] = f"{title} over the share of human ties, {percent(tied)} in this set: {spans}"
    return ShareCurves(found, curves["value"], frame, kinds, titles, words, tied)


def draw_shares(shares: ShareCurves, key: str) -> None:
    """Draw a calibrated coefficient and its ε* over the share of human ties, side by side; ``key`` names the files."""
    names, kinds = tuple(shares.kinds), tuple(shares.kinds.values())
    for (column, title), place in zip(shares.titles.items(), st.columns(2, gap="medium"), strict=True):
        with place:
            figure = charts.share_chart(column, title, names, kinds, shell.theme())
            shell.draw(shares.frame, figure, shares.words[column], f"{key}_{column}")


def say_meeting(values: Mapping[str, Mapping[float, float]], metric: str, sentinel: str) -> str:
    """Return where a metric is behind its sentinel, where it is ahead, and from where on they are level, in words."""
    mine, noisy, name = values[metric], values[sentinel], plain(metric)
    gaps = {share: noisy[share] - value for share, value in mine.items() if noisy[share] == noisy[share]}
    far = [share for share, gap in gaps.items() if abs(gap) > CLOSE]
    if not far:
        return f"**{name} and its sentinel are nowhere more than {CLOSE} apart.**"
    behind = [share for share in far if gaps[share] > 0]
    ahead = min(far, key=lambda share: gaps[share])
    words = f"**{name} is nowhere more than {CLOSE} behind its sentinel**"
    if behind:
        numbers = format_number(mine[behind[0]]), format_number(noisy[behind[0]])
        words = f"**At {percent(behind[0])} human ties {name} has {numbers[0]}, its sentinel {numbers[1]}**"
    if gaps[ahead] < 0:
        words += (
            f"; at {percent(ahead)} {name} is ahead, {format_number(mine[ahead])} against {format_number(noisy[ahead])}"
        )
    later = [share for share in gaps if share > far[-1]]
    return f"{words}; from {percent(later[0])} on they are at most {CLOSE} apart." if later else f"{words}."
