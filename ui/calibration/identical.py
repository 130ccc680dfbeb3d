"""The same translation twice: do raters and metrics of the open set tie it, and what is it worth to do so?"""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd
import pyarrow as pa
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.core import Progress, digest_of
from ui.calibration.on_set import CalibrationNumbers, MetricToCalibrate
from ui.page import shell
from ui.work import result_cache
from ui.work.text import format_epsilon, format_number, plain, rows_of


def show(case: MetricToCalibrate, found: CalibrationNumbers) -> None:
    """Show which share of the identical translations each score ties, and what the chosen metric gains by tying all."""
    selection = case.selection
    if case.data.identical is None:
        st.info("The set has no outputs, so nobody knows which translations are identical.")
        return
    digest = case.every_metric.once("digest of identical", partial(_digest, case))
    audit = ("identical", digest, selection.human, *case.data.human, *case.data.metrics), partial(_audit, case)
    table = result_cache.compute("Comparing identical translations", {"all scores": audit}).get("all scores")
    if table is None:
        return
    row, human = (table.loc[score].to_dict() for score in (case.metric, selection.human))
    if not row["pairs"]:
        st.info(f"No two translations of a segment that {plain(case.metric)} scored are identical.")
        return
    name, label = plain(case.metric), plain(case.label)
    st.markdown(
        "Where two systems give the same translation, a score that reads the segment alone should tie them. "
        f"**Of {row['pairs']:,} such pairs {name} ties {_percent(row['tied'])}; of {human['pairs']:,} the human score "
        f"{plain(selection.human)} ties {_percent(human['tied'])}.** The noise floor of {name}, the smallest ε that "
        f"ties 99 % of them, is {format_epsilon(row['epsilon_0'])}; ε\\* is {format_epsilon(found.epsilon)}."
    )
    if not selection.grouping.endswith("_means"):
        repair = ("repaired", digest, *case.key), partial(_repair, case)
        tied = result_cache.compute("Tying identical translations", {case.metric: repair}).get(case.metric)
        if tied is not None:
            before, now, best = (format_number(value, ".4f") for value in (found.value_at_zero, tied, found.value))
            st.markdown(
                f"If these pairs alone are tied, {label} goes from {before} at ε = 0 to {now}; at ε\\* it is {best}. "
                "Part of a gain may come with any ties in these segments, identical or not."
            )
    frame, names, words = case.every_metric.once("identical dots", partial(_dots, table))
    if names:
        title = "share of identical translations that are tied"
        figure = charts.dot_chart(names, title, shell.theme(), clusters=False)
        shell.draw(frame, figure, f"Identical translations that are tied: {words}", "identical")
    st.markdown(f"{(table['tied'] == 1).sum()} of {len(table)} human scores and metrics tie all of them.")
    call = f"found = tk.identical.audit(chosen, {selection.human!r}, metrics={[case.metric]!r}, exclude=())"
    rows = f"found.table.loc[{[case.metric, selection.human]!r}, ['pairs', 'tied', 'epsilon_0']]"
    lines = f"{selection.selecting_code([case.metric])}\n{call}\n{rows}"
    selection.show_code(f"{case.file_stem}-identical", lines, [case.metric], lengths=True)


def _digest(case: MetricToCalibrate) -> str:
    """What says which scores are compared, and which translations are identical."""
    assert case.data.identical is not None
    return digest_of(case.data.identical, *case.data.human.values(), *case.data.metrics.values())


def _audit(case: MetricToCalibrate, progress: Progress) -> pd.DataFrame:
    """What an audit says of every score."""
    how: dict[str, Any] = {"exclude": (), "n_resamples": 0, "progress": progress}
    return tk.identical.audit(case.data, case.selection.human, **how).table


def _dots(table: pd.DataFrame) -> tuple[pa.Table, tuple[str, ...], str]:
    """The dots of the scores that do not tie all, their names, and both in words."""
    frame = charts.dot_frame(table["tied"][table["tied"] < 1])
    words = "; ".join(f"{one.metric} {_percent(one.value)}" for one in rows_of(frame))
    return pa.Table.from_pandas(frame), tuple(frame["metric"]), words


def _repair(case: MetricToCalibrate, progress: Progress) -> float:
    """The value of the chosen metric with identical translations tied."""
    how: dict[str, Any] = {"metrics": [case.metric], "grouping": case.selection.grouping, "exclude": ()}
    found = tk.identical.repair(case.data, case.selection.human, case.coefficient, **how, progress=progress)
    return float(found.table["identical tied"].iloc[0])


def _percent(share: float) -> str:
    return f"{format_number(100 * share, '.1f')} %"
