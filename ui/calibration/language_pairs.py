"""Does the ε* of one language pair hold on another? On the other pairs of the open set; otherwise as a paper prints."""

from __future__ import annotations

from functools import cache, partial

import pandas as pd
import pyarrow as pa
import streamlit as st

import tiekit as tk
from tiekit.core import DOCUMENT_GROUPINGS, FloatArray, Progress, calibrate_scores, evaluate_threshold, part_of
from tiekit.errors import collect_warnings
from tiekit.readers import data_file
from ui.calibration.held_out_data import TransferredEpsilon, tabulate
from ui.calibration.on_set import MetricToCalibrate
from ui.page import papers, tables
from ui.work import result_cache
from ui.work.text import format_number, plain

PRINTED = "deutsch2023_tables.csv"
"""Tables 11 to 19 of the paper."""


def transfer(case: MetricToCalibrate) -> None:
    """Show what another pair's ε* costs on each pair where the open set has several, else the printed thresholds."""
    others = {pair: read for pair, read in case.selection.source.others if pair != case.data.language_pair}
    if not others:
        _show_printed_thresholds(case)
        return
    own = case.data.language_pair
    task = ("language pairs", own, *others, *case.key), partial(_evaluate_pairs, case)
    found = result_cache.compute("Calibrating on the other language pairs", {case.metric: task}).get(case.metric)
    if found is None:
        return
    names, judged = found
    if len(names) < 2:
        human = plain(case.selection.human)
        st.info(f"No other language pair has scores of {plain(case.metric)} and the human score {human}.")
        return
    shown, exactly = tabulate(names, judged)
    st.markdown(
        f"**From language pair to language pair:** {plain(case.label)} with another pair's ε\\*, in brackets what is "
        "lost."
    )
    words = f"{case.label} of {case.metric} on each language pair with each pair's ε*"
    tables.grid(shown, f"{case.metric}-language-pairs", words, values=exactly, hide_index=True)


def _evaluate_pairs(case: MetricToCalibrate, progress: Progress) -> tuple[list[str], list[list[TransferredEpsilon]]]:
    """The pairs that have these scores; one row per pair that gives epsilon, one cell per pair it is judged on."""
    every = {case.data.language_pair: (*case.scores, case.documents)}
    for pair, read in case.selection.source.others:
        if pair in every:
            continue
        with collect_warnings():  # whoever opens that pair is told
            scores = _scores(case, read())
        if scores is not None:
            every[pair] = scores
    found = [
        calibrate_scores(human, metric, *case.settings, part_of(progress, number, len(every)), documents)
        for number, (human, metric, documents) in enumerate(every.values())
    ]
    judged = [[evaluate_threshold(one, other) for other in found] for one in found]
    return list(every), [[(one.epsilon, one.value, one.loss) for one in row] for row in judged]


def _scores(case: MetricToCalibrate, data: tk.EvalSet) -> tuple[FloatArray, FloatArray, tuple[str, ...] | None] | None:
    """Human and metric scores of another pair, adjusted alike, and its documents; None where it has no such scores."""
    selection = case.selection
    if case.metric not in data.metrics or selection.human not in data.human:
        return None
    if selection.grouping in DOCUMENT_GROUPINGS and not data.documents:
        return None
    lower = tuple(name for name in selection.adjustment.lower if name in (*data.human, *data.metrics))
    kept = data.adjusted(lower_is_better=lower, decimals=selection.adjustment.decimals).select()
    return kept.human[selection.human], kept.metrics[case.metric], kept.documents or None


def _show_printed_thresholds(case: MetricToCalibrate) -> None:
    """Show the thresholds that the paper prints for three language pairs of WMT22; what they cost it does not print."""
    st.markdown(
        "**From language pair to language pair:** only one pair is open, so what another pair's ε\\* would cost cannot "
        "be computed here. Open a folder of test sets with several pairs to see it (*Which scores?*)."
    )
    rows, shown, most, listed = _threshold_tables(case.selection.grouping)
    if rows.empty:
        return
    st.markdown(
        "The paper prints ε\\* of acc\\_eq for three language pairs of WMT22. It differs from pair to pair, most for "
        f"{plain(most)}: {listed}. Source: {papers.DEUTSCH.cite('Tables 11 to 19')}."
    )
    words = "Printed ε* of acc_eq on three language pairs of WMT22"
    tables.grid(shown, "printed-epsilons", words, values=rows.reset_index(), hide_index=True)


@cache
def _threshold_tables(grouping: str) -> tuple[pd.DataFrame, pa.Table, str, str]:
    """The printed thresholds, the same as shown, and where they differ most, with its values."""
    rows = printed_thresholds(grouping)
    if rows.empty:
        return rows, pa.table({}), "", ""
    shown = rows.map(partial(format_number, form=".2f"))
    positive = rows[rows.min(axis=1) > 0]
    most = str((positive.max(axis=1) / positive.min(axis=1)).idxmax())
    listed = ", ".join(f"{value} ({pair})" for pair, value in shown.loc[most].items())
    return rows, pa.Table.from_pandas(shown.reset_index()), most, listed


@cache
def printed_thresholds(grouping: str) -> pd.DataFrame:
    """Return the printed ε* of acc_eq, not to be changed: metrics that have one on every pair × language pairs."""
    rows = pd.read_csv(data_file(f"papers/{PRINTED}"))
    rows = rows[rows["grouping"] == grouping]
    return rows.pivot_table(index="metric", columns="language_pair", values="epsilon(acc_eq)", sort=False).dropna()
