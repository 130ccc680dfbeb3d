"""What error does sampling make? ε* of every k-th pair by Algorithm 2, judged on all pairs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import pandas as pd
import pyarrow as pa
import streamlit as st

import tiekit as tk
from tiekit.core import Progress, calibrate_every_kth, calibrate_scores, gains_of, part_of
from ui.calibration.on_set import CalibrationNumbers, MetricToCalibrate
from ui.page import tables
from ui.work import result_cache
from ui.work.text import format_epsilon, format_number, plain

OF_MEANS = ("system_means", "document_means")
"""The groupings of mean scores, of which there are few pairs."""

STARTS = 5
"""So many different samples of each size are taken: every k-th pair, from different first pairs."""

FEWEST, MOST = 100, 500_000
"""The smallest and largest number of pairs in a sample."""


class Sampled(NamedTuple):
    """What a sample of the pairs finds, and what its threshold is worth on all pairs."""

    k: int
    pairs: int
    epsilon: float
    claimed: float
    value: float


def every_kth(case: MetricToCalibrate, found: CalibrationNumbers) -> None:
    """Show ε* and the calibrated coefficient of samples of the pairs beside the exact ones."""
    st.markdown(
        "Algorithm 1 counts all pairs again for each candidate. Algorithm 2 sorts the pairs by their difference once, "
        "then turns one pair after the other into a tie and keeps the best value on its way. Without grouping there "
        "are too many pairs to list, so the paper takes only every k-th one. What does that change?"
    )
    if gains_of(tk.COEFFICIENTS[case.coefficient]) is None or case.difference != "absolute":
        st.info(
            "Choose acc\\_eq, τ\\_eq or τ\\_a and absolute differences: only for these does each pair add its share."
        )
        return
    if case.selection.grouping in OF_MEANS or not _steps(found.n_pairs):
        st.info("These are so few pairs that nobody would sample them.")
        return
    task = (("every k-th", *case.key), partial(_samples, case, found.n_pairs))
    done = result_cache.compute("Calibrating on samples", {case.metric: task}).get(case.metric)
    if done is None:
        return
    worst = max(done, key=lambda one: abs(one.claimed - found.value))
    shown = result_cache.once(("sampled table", found.value, *case.key), partial(_tabulate, case, found, done))
    words = f"{case.label} of {case.metric}, calibrated on samples of the pairs"
    tables.show(shown, f"{case.file_stem}-sampled", words, values=partial(pd.DataFrame, done))
    label = plain(case.label)
    st.markdown(
        f"{STARTS} samples of each size, which begin at different pairs. The largest error of {label}\\* is "
        f"**{format_number(worst.claimed - found.value, '+.4f')}**, on {worst.pairs:,} pairs: the best of many "
        "thresholds on a sample also fits its chance. tiekit needs no sample: its search finds ε\\* of all pairs."
    )


def _tabulate(case: MetricToCalibrate, found: CalibrationNumbers, done: list[Sampled]) -> pa.Table:
    """One row for all pairs, and one for each size of samples."""
    rows = []
    for k in dict.fromkeys(one.k for one in done):
        some = [one for one in done if one.k == k]
        spans = (
            _span([one.epsilon for one in some], format_epsilon),
            _span([one.claimed for one in some], _four),
            _span([one.value for one in some], _four),
        )
        rows.append((f"every {k:,}th", f"{some[0].pairs:,}", *spans))
    label = plain(case.label)
    exact = _four(found.value)
    rows.insert(0, ("every pair", f"{found.n_pairs:,}", format_epsilon(found.epsilon), exact, exact))
    heads = ["calibrated on", "pairs", "ε\\*", f"{label}\\* on the sample", f"{label} on all pairs at this ε"]
    return pa.Table.from_pandas(pd.DataFrame(rows, columns=heads))


def _four(value: float) -> str:
    return format_number(value, ".4f")


def _span(values: list[float], written: Callable[[float], str]) -> str:
    low, high = written(min(values)), written(max(values))
    return low if low == high else f"{low} to {high}"


def _steps(pairs: int) -> list[int]:
    """The numbers k of which a sample is neither too small nor too large."""
    return [k for k in (10, 100, 1_000, 10_000, 100_000) if FEWEST <= pairs // k <= MOST]


def _samples(case: MetricToCalibrate, pairs: int, progress: Progress) -> list[Sampled]:
    """Every k-th pair for each k and each start."""
    whole, done = calibrate_scores(*case.scores, *case.settings, part_of(progress, 0, 2), case.documents), []
    steps = [(k, start * k // STARTS) for k in _steps(pairs) for start in range(STARTS)]
    for number, (k, start) in enumerate(steps, 1):
        size, epsilon, claimed = calibrate_every_kth(*case.scores, *case.settings[:2], k, start, case.documents)
        done.append(Sampled(k, size, epsilon, claimed, whole.value_at(epsilon)))
        progress((1 + number / len(steps)) / 2)
    return done
