"""Does epsilon* hold on other data? It is found on some documents or one domain and judged on the others."""

from __future__ import annotations

from functools import partial
from itertools import chain, product
from typing import NamedTuple, TypeAlias

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

from tiekit.core import (
    DOCUMENT_GROUPINGS,
    IntArray,
    Progress,
    assign_folds,
    calibrate_scores,
    digest_of,
    evaluate_threshold,
    fit_fold,
    part_of,
)
from ui.calibration.on_set import CalibrationNumbers, MetricToCalibrate
from ui.link.controls import choose
from ui.page import tables
from ui.work import result_cache
from ui.work.result_cache import Task
from ui.work.text import format_epsilon, format_number, plain, rows_of

WITHIN_A_PART = ("item", *DOCUMENT_GROUPINGS)
"""The groupings whose pairs lie within a document, so that no pair is of two parts."""


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
    domains = list(dict.fromkeys(case.data.domains))
    apart = case.selection.once("folds", partial(_folds, case, folds), folds)
    tasks: dict[str, Task] = {
        f"part {fold + 1}": ((fold, folds, apart.key, *case.key), partial(_fold, case, apart, fold))
        for fold in range(folds)
    }
    transfer = "domains", *domains, apart.key, *case.key
    if len(domains) > 1:
        tasks["domains"] = transfer, partial(_domains, case, domains)
    done = result_cache.compute("Judging ε elsewhere", tasks)
    rows = [done[name] for name in tasks if name in done and name != "domains"]
    if rows:
        of_rows = (tasks[name][0] for name in tasks if name in done and name != "domains")
        key = "folds", case.metric, bool(case.data.documents), found.value, *of_rows
        shown, values, said = result_cache.once(key, partial(_tabulate_folds, case, found, rows))
        words = f"{case.label} of {case.metric}, each part judged by the others' ε"
        tables.show(shown, f"{case.file_stem}-held-out", words, values=values)
        st.markdown(said)
        by_document = case.selection.grouping in DOCUMENT_GROUPINGS  # then the arguments name the documents already
        documents = "" if by_document else ", documents=chosen.documents or None"
        arguments = f"{case.arguments}, folds={folds}{documents}"
        case.show_code("held out", f"held_out = tk.cross_validate({arguments})\nheld_out.value, held_out.folds")
    if "domains" in done:
        shown, exactly = result_cache.once(("transfer", *transfer), partial(tabulate, domains, done["domains"]))
        st.markdown(
            f"**From domain to domain:** {plain(case.label)} with another domain's ε\\*, in brackets what is lost."
        )
        words = f"{case.label} of {case.metric} on each domain with each domain's ε*"
        tables.grid(shown, f"{case.file_stem}-domains", words, values=exactly, hide_index=True)


class Folds(NamedTuple):
    """The fold and the document of every segment; what identifies them and the segments' domains."""

    of_segment: IntArray
    documents: IntArray
    key: str


def _folds(case: MetricToCalibrate, folds: int) -> Folds:
    """Assign every segment to a fold."""
    of_segment, documents = assign_folds(len(case.data.segments), folds, case.data.documents or None)
    _, domains = np.unique(np.array(case.data.domains, np.str_), return_inverse=True)
    for numbers in (of_segment, documents):
        numbers.flags.writeable = False
    return Folds(
        of_segment, documents, digest_of(*(numbers.astype(float) for numbers in (of_segment, documents, domains)))
    )


def _fold(case: MetricToCalibrate, apart: Folds, fold: int, progress: Progress) -> dict[str, float]:
    inside, by_name = apart.of_segment == fold, case.documents is not None
    return fit_fold(*case.scores, *case.settings, inside, apart.documents, progress, by_name=by_name)


TransferredEpsilon: TypeAlias = tuple[float, float, float]
"""The epsilon of one domain, its value on another, and the loss against that one's own epsilon."""


def _domains(case: MetricToCalibrate, domains: list[str], progress: Progress) -> list[list[TransferredEpsilon]]:
    """One row per domain that gives epsilon, one cell per domain that it is judged on."""
    found = []
    for number, name in enumerate(domains):
        columns = np.array([domain == name for domain in case.data.domains])
        human, metric = (scores[:, columns] for scores in case.scores)
        documents = None if case.documents is None else tuple(np.array(case.documents)[columns].tolist())
        found.append(
            calibrate_scores(human, metric, *case.settings, part_of(progress, number, len(domains)), documents)
        )
    judged = [[evaluate_threshold(one, other) for other in found] for one in found]
    return [[(one.epsilon, one.value, one.loss) for one in row] for row in judged]


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


def tabulate(domains: list[str], judged: list[list[TransferredEpsilon]]) -> tuple[pa.Table, pd.DataFrame]:
    """Return one row per part (a domain, a language pair) that gives epsilon, one column per part that it is judged on.

    Twice: as shown, and in numbers.
    """
    names, rows = [name or "(no name)" for name in domains], []
    for origin, cells in zip(names, judged, strict=True):
        epsilon = cells[0][0]
        row = {"ε* of": f"{origin} ({format_epsilon(epsilon)})" if epsilon == epsilon else origin}
        for name, (_, value, lost) in zip(names, cells, strict=True):
            beside = "(own)" if name == origin else f"(−{format_number(lost, '.4f')})"
            row[f"on {name}"] = f"{format_number(value, '.4f')} {beside}" if value == value else format_number(value)
        rows.append(row)
    shown = pd.DataFrame(rows)
    exactly = pd.DataFrame(
        [(*pair, *cell) for pair, cell in zip(product(names, names), chain(*judged), strict=True)],
        columns=["epsilon of", "on", "epsilon", "value", "lost"],
    )
    return pa.Table.from_pandas(shown), exactly
