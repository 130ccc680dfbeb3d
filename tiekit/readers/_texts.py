"""Which texts does a table hold beside its scores? Sources and outputs, to be compared with those of a set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tiekit.base.errors import ReadError, quote
from tiekit.base.names import TEXTS, count_different, plain_name
from tiekit.readers._cells import Cells, number_labels
from tiekit.readers._columns import Table
from tiekit.readers._numbers import MISSING
from tiekit.readers._roles import Labels, RowLabels
from tiekit.sets.same_texts import REFUSED, text_key

_SOURCES = ("src", "source", "src_text", "source_text", "source_segment", "source_sentence", "original")
_OUTPUTS = (
    *("mt", "hyp", "hypothesis", "translation", "mt_text", "mt_output", "system_output", "sys_output", "hyp_text"),
    *("hypothesis_text", "translation_text", "translated_text", "translated", "candidate"),
)
_TARGETS = ("target", "tgt", "target_text", "target_segment", "target_sentence")
"""Names of columns of outputs, or of references, which are the same for all systems."""


def texts_of(table: Table, cells: Cells, columns: Iterable[str]) -> dict[str, Any]:
    """The sources and outputs of a table for its set, from those of its columns of texts that are named like them.

    A column whose cells are mostly single words, such as names of files or data sets, is none.
    """
    named = {plain_name(name.rpartition(".")[2]): name for name in columns}
    found: dict[str, Any] = {}
    if (texts := _first_of(table, named, _SOURCES)) and 2 * count_different(texts) >= len(cells.segments):
        found["sources"] = _sources(cells, texts, table.lines)
    texts = _first_of(table, named, _OUTPUTS)
    if not texts and (texts := _first_of(table, named, _TARGETS)) and _are_shared(cells, texts):
        texts = []
    if texts:
        found["outputs"] = cells.outputs(texts)
    return found


def tell_repeated_apart(labels: Labels, rows: RowLabels) -> RowLabels:
    """Rows whose segments are named by sources, of which a system has some twice, with numbers behind these."""
    if [plain_name(name) in TEXTS for name in labels.segment] != [True]:
        return rows
    times, segments = Counter[tuple[str, str]](), list[str]()
    for system, segment in zip(rows.systems, rows.segments, strict=True):
        times[system, segment] += 1
        number = times[system, segment]
        segments.append(f"{segment} ({number})" if segment and number > 1 else segment)
    return replace(rows, segments=segments)


def _first_of(table: Table, named: dict[str, str], names: Sequence[str]) -> list[str]:
    """The cells of the first column of such a name, with nothing for missing ones; empty where they are no texts."""
    column = next((named[name] for name in names if name in named), None)
    texts = ["" if cell in MISSING else cell for cell in table.cells(column)] if column is not None else []
    several = sum(" " in text or not text.isascii() for text in texts)
    return texts if 2 * several >= sum(map(bool, texts)) > 0 else []


def _are_shared(cells: Cells, texts: Sequence[str]) -> bool:
    """Whether all systems have the same text in each segment."""
    codes, names = number_labels(texts)
    return np.unique(cells.columns * len(names) + codes).size == len(cells.segments) < len(texts)


def _sources(cells: Cells, texts: Sequence[str], lines: Sequence[int]) -> tuple[str, ...]:
    """The source of each segment, which most of its rows have; none where most rows have another one.

    A system of which most sources are those of other segments is refused.
    """
    codes, names = number_labels([text_key(text) for text in texts])
    known = np.array([bool(text) for text in texts])
    pairs, times = np.unique(cells.columns[known] * len(names) + codes[known], return_counts=True)
    pairs = pairs[np.argsort(times, kind="stable")]
    usual = np.full(len(cells.segments), -1)
    usual[pairs // len(names)] = pairs % len(names)  # the last one counts, which comes most often
    same = known & (codes == usual[cells.columns])
    if same.sum() < REFUSED * known.sum():
        return ()
    rows, right = (np.bincount(cells.rows[some], minlength=len(cells.systems)) for some in (known, same))
    for odd in np.flatnonzero(right < REFUSED * rows)[:1].tolist():
        row = int(np.argmax(known & ~same & (cells.rows == odd)))
        segment, system = (quote(name) for name in (cells.segments[cells.columns[row]], cells.systems[odd]))
        problem = f"found another source for segment {segment} of {system} than the other systems have"
        problem += f" ({right[odd]:,} of {rows[odd]:,} of its sources are the same)"
        remedy = "score all systems on the same segments, in the same order, or leave out the column of sources"
        raise ReadError(cells.path, f"{problem}; {remedy}", line=lines[row])
    found = [""] * len(cells.segments)
    for row in np.flatnonzero(same)[::-1].tolist():
        found[cells.columns[row]] = texts[row]
    return tuple(found)
