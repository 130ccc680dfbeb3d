"""Does ε* hold on other data? It is judged on other documents, other domains and other language pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, partial
from itertools import chain, product
from typing import NamedTuple, TypeAlias

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

import tiekit as tk
from tiekit.core import (
    DOCUMENT_GROUPINGS,
    FloatArray,
    IntArray,
    Progress,
    assign_folds,
    calibrate_scores,
    digest_of,
    evaluate_threshold,
    fit_fold,
    part_of,
)
from tiekit.errors import collect_warnings
from tiekit.readers import data_file
from ui.calibration.on_set import CalibrationNumbers, MetricToCalibrate
from ui.evalset import largest
from ui.link.controls import choose
from ui.page import papers, tables
from ui.work import result_cache
from ui.work.text import format_epsilon, format_number, plain, rows_of

WITHIN_A_PART = ("item", *DOCUMENT_GROUPINGS)
"""The groupings whose pairs lie within a document, so that no pair is of two parts."""

PRINTED = "deutsch2023_tables.csv"
"""Tables 11 to 19 of the paper."""

Part: TypeAlias = tuple[FloatArray, FloatArray, tuple[str, ...] | None]
"""Human and metric scores of a domain or a language pair, and its documents."""

Judged: TypeAlias = list[list[tuple[float, float, float]]]
"""One row per part that gives ε*, one cell per part that it is judged on: ε*, its value there, and the loss."""


class Folds(NamedTuple):
    """The fold and the document of every segment; what identifies them and the segments' domains."""

    of_segment: IntArray
    documents: IntArray
    key: str


def cross_validation(case: MetricToCalibrate, found: CalibrationNumbers) -> None:
    """Show the cross-validation over whole documents, and the transfer from each domain to the others."""
    count = len(set(case.data.documents)) or len(case.data.segments)
    named = "documents, each in one part as a whole" if case.data.documents else "segments, as no documents are named"
    parts = [str(number) for number in (2, 3, 5, 10) if number <= count]
    if not parts:
        st.info("There is only one document, so none is left to judge by.")
        return
    st.markdown(
        f"ε is found on some documents and judged on the others ({count:,} {named}); with two folds, each half is "
        "judged by the other's ε."
    )
    folds = int(choose("Number of folds", parts, "folds"))
    domains, number = largest.domains_of(case.data)
    apart = case.selection.once("folds", partial(_assign_folds, case, folds), folds)
    fit = partial(fit_fold, *case.scores, *case.settings)
    tasks: dict[str, result_cache.Task] = {
        f"part {fold + 1}": (
            (fold, folds, apart.key, *case.key),
            partial(fit, apart.of_segment == fold, apart.documents, by_name=case.documents is not None),
        )
        for fold in range(folds)
    }
    names = list(tasks)
    transfer = "domains", *domains, apart.key, *case.key
    if len(domains) > 1:
        tasks["domains"] = transfer, partial(_judge_domains, case, domains)
    done = result_cache.compute("Judging ε elsewhere", tasks)
    if rows := {name: done[name] for name in names if name in done}:
        key = "folds", case.metric, bool(case.data.documents), found.value, *(tasks[name][0] for name in rows)
        shown, values, said = result_cache.once(key, partial(_tabulate_folds, case, found, [*rows.values()]))
        words = f"{case.label} of {case.metric}, each part judged by the others' ε"
        tables.show(shown, f"{case.file_stem}-held-out", words, values=values)
        st.markdown(said)
        by_document = case.selection.grouping in DOCUMENT_GROUPINGS  # then the arguments name the documents already
        documents = "" if by_document else ", documents=chosen.documents or None"
        arguments = f"{case.arguments}, folds={folds}{documents}"
        case.show_code("held out", f"held_out = tk.cross_validate({arguments})\nheld_out.value, held_out.folds")
    if "domains" in done:
        shown, exactly = result_cache.once(("transfer", *transfer), partial(_tabulate, domains, done["domains"]))
        st.markdown(
            f"**From domain to domain:** {plain(case.label)} with another domain's ε\\*, in brackets what is lost."
            f" {largest.say_largest(number, 'domains', 'compared')}"
        )
        words = f"{case.label} of {case.metric} on each domain with each domain's ε*"
        tables.grid(shown, f"{case.file_stem}-domains", words, values=exactly, hide_index=True)


def _assign_folds(case: MetricToCalibrate, folds: int) -> Folds:
    """Assign every segment to a fold."""
    of_segment, documents = assign_folds(len(case.data.segments), folds, case.data.documents or None)
    first: dict[str, int] = {}
    domains = np.array([first.setdefault(name, len(first)) for name in case.data.domains], np.int64)
    for numbers in (of_segment, documents):
        numbers.flags.writeable = False
    key = digest_of(*(numbers.astype(float) for numbers in (of_segment, documents, domains)))
    return Folds(of_segment, documents, key)


def _judge_domains(case: MetricToCalibrate, domains: list[str], progress: Progress) -> Judged:
    def parts() -> Iterator[Part]:
        for columns in largest.segments_of(domains, case.data.domains):
            human, metric = (scores[:, columns] for scores in case.scores)
            named = case.documents
            yield human, metric, None if named is None else tuple(named[column] for column in columns.tolist())

    return _judge(case, parts(), len(domains), progress)


def _judge(case: MetricToCalibrate, parts: Iterable[Part], number: int, progress: Progress) -> Judged:
    """Find the ε* of each part, and judge each by that of each."""
    found = [
        calibrate_scores(human, metric, *case.settings, part_of(progress, at, 2 * number), documents)
        for at, (human, metric, documents) in enumerate(parts)
    ]
    judged: Judged = [[] for _ in found]
    for at, (one, other) in enumerate(product(range(len(found)), repeat=2)):
        of = evaluate_threshold(found[one], found[other])
        judged[one].append((of.epsilon, of.value, of.loss))
        progress((1 + (at + 1) / len(found) ** 2) / 2)
    return judged


def _tabulate_folds(
    case: MetricToCalibrate, found: CalibrationNumbers, parts: list[dict[str, float]]
) -> tuple[pa.Table, pd.DataFrame, str]:
    """The table of the parts as shown and in numbers, and what it says."""
    label, folds = plain(case.label), pd.DataFrame(parts)
    rows = [
        (
            f"{number} ({row.documents:,.0f})",
            f"{format_number(row.value, '.4f')} at {format_number(row.epsilon, '.5g')}",
            f"{format_number(row.own_value, '.4f')} at {format_epsilon(row.own_epsilon)}",
            format_number(row.loss, ".4f"),
        )
        for number, row in enumerate(rows_of(folds), 1)
    ]
    unit = "documents" if case.data.documents else "segments"
    shown = pd.DataFrame(rows, columns=[f"Part ({unit})", f"{label} at the others' ε", "at its own ε\\*", "lost"])
    lowest, highest = folds["epsilon"].min(), folds["epsilon"].max()
    value, own, loss = (format_number(folds[name].mean(), ".4f") for name in ("value", "own_value", "loss"))
    words = f"**Cross-validated {label} {value}**, ε {format_epsilon(lowest)} to {format_epsilon(highest)}. "
    words += f"At its own ε\\* a part would have {own} on average, so an ε from "
    words += f"elsewhere costs {loss}. In-sample, on all together: {format_number(found.value, '.4f')}"
    apart = case.contest.grouping not in WITHIN_A_PART
    words += " (that compares pairs across parts too, so it may be higher or lower for that reason alone)." * apart
    is_defined = folds["value"].notna().any()
    said = words + "." * (not apart) if is_defined else f"{label} is undefined in every part."
    return pa.Table.from_pandas(shown), folds, said


def _tabulate(parts: list[str], judged: Judged) -> tuple[pa.Table, pd.DataFrame]:
    """One row per part (a domain, a language pair) that gives epsilon, one column per part that it is judged on.

    Twice: as shown, and in numbers.
    """
    names, rows = [name or "(no name)" for name in parts], []
    for origin, cells in zip(names, judged, strict=True):
        epsilon = cells[0][0]
        row = {"ε* of": f"{origin} ({format_epsilon(epsilon)})" if epsilon == epsilon else origin}
        for name, (_, value, lost) in zip(names, cells, strict=True):
            beside = "(own)" if name == origin else f"(−{format_number(lost, '.4f')})"
            row[f"on {name}"] = f"{format_number(value, '.4f')} {beside}" if value == value else format_number(value)
        rows.append(row)
    exactly = pd.DataFrame(
        [(*pair, *cell) for pair, cell in zip(product(names, names), chain(*judged), strict=True)],
        columns=["epsilon of", "on", "epsilon", "value", "lost"],
    )
    return pa.Table.from_pandas(pd.DataFrame(rows)), exactly


# ------------------------------------------------------------------------------------------------ other language pairs


def transfer(case: MetricToCalibrate) -> None:
    """Show what another pair's ε* costs on each pair where the open set has several, else the printed thresholds."""
    own = case.data.language_pair
    others = [pair for pair, _ in case.selection.source.others if pair != own]
    if not others:
        _show_printed_thresholds(case)
        return
    task = ("language pairs", own, *others, *case.key), partial(_judge_pairs, case)
    found = result_cache.compute("Calibrating on the other language pairs", {case.metric: task}).get(case.metric)
    if found is None:
        return
    number, names, judged = found
    if len(names) < 2:
        human = plain(case.selection.human)
        st.info(f"No other language pair has scores of {plain(case.metric)} and the human score {human}.")
        return
    shown, exactly = _tabulate(names, judged)
    st.markdown(
        f"**From language pair to language pair:** {plain(case.label)} with another pair's ε\\*, in brackets what is "
        f"lost. {largest.say_largest(number, 'language pairs', 'compared')}"
    )
    words = f"{case.label} of {case.metric} on each language pair with each pair's ε*"
    tables.grid(shown, f"{case.metric}-language-pairs", words, values=exactly, hide_index=True)


def _judge_pairs(case: MetricToCalibrate, progress: Progress) -> tuple[int, list[str], Judged]:
    """How many pairs have these scores, the largest of them, and what each one's threshold is worth on each."""
    every: dict[str, Part] = {case.data.language_pair: (*case.scores, case.documents)}
    for pair, read in case.selection.source.others:
        if pair in every:
            continue
        with collect_warnings():  # whoever opens that pair is told
            scores = _scores(case, read())
        if scores is not None:
            every[pair] = scores
    names = largest.largest({name: human.shape[1] for name, (human, _, _) in every.items()})
    return len(every), names, _judge(case, map(every.__getitem__, names), len(names), progress)


def _scores(case: MetricToCalibrate, data: tk.EvalSet) -> Part | None:
    """The scores of another pair, adjusted alike; None where it has no such scores."""
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
    rows = printed_thresholds(case.selection.grouping)
    if rows.empty:
        return
    shown, most, listed = _write_printed_thresholds(case.selection.grouping)
    st.markdown(
        "The paper prints ε\\* of acc\\_eq for three language pairs of WMT22. It differs from pair to pair, most for "
        f"{plain(most)}: {listed}. Source: {papers.DEUTSCH.cite('Tables 11 to 19')}."
    )
    words = "Printed ε* of acc_eq on three language pairs of WMT22"
    tables.grid(shown, "printed-epsilons", words, values=rows.reset_index, hide_index=True)


@cache
def printed_thresholds(grouping: str) -> pd.DataFrame:
    """Return the printed ε* of acc_eq, not to be changed: metrics that have one on every pair × language pairs."""
    rows = pd.read_csv(data_file(f"papers/{PRINTED}"))
    rows = rows[rows["grouping"] == grouping]
    return rows.pivot_table(index="metric", columns="language_pair", values="epsilon(acc_eq)", sort=False).dropna()


@cache
def _write_printed_thresholds(grouping: str) -> tuple[pa.Table, str, str]:
    """The same in words, the metric whose ε* differs most, and its values."""
    rows = printed_thresholds(grouping)
    shown, positive = rows.map(partial(format_number, form=".2f")), rows[rows.min(axis=1) > 0]
    most = str((positive.max(axis=1) / positive.min(axis=1)).idxmax())
    listed = ", ".join(f"{value} ({pair})" for pair, value in shown.loc[most].items())
    return pa.Table.from_pandas(shown.reset_index()), most, listed
