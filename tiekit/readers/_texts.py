"""Which texts does a table hold beside its scores? Those of the set to which these are added, to be compared."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import compress, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tiekit.base.errors import ReadError, RoleWarning, quote, warn
from tiekit.base.names import TEXTS, are_nameless, count_different, known_names, plain_name
from tiekit.readers._cells import Cells, number_labels
from tiekit.readers._columns import Table
from tiekit.readers._labels import Labels, RowLabels
from tiekit.readers._numbers import MISSING
from tiekit.sets.alignment import Alignment
from tiekit.sets.evalset import EvalSet
from tiekit.sets.same_texts import ALIKE, REFUSED, KnownTexts, text_key

_SOURCES = ("src", "source", "src_text", "source_text", "source_segment", "source_sentence", "original")
_OUTPUTS = (
    *("mt", "hyp", "hypothesis", "translation", "mt_text", "mt_output", "system_output", "sys_output", "hyp_text"),
    *("hypothesis_text", "translation_text", "translated_text", "translated", "candidate"),
)
_TARGETS = ("target", "tgt", "target_text", "target_segment", "target_sentence")
"""Names of columns of outputs, or of references, which are the same for all systems."""

_OWN_SOURCES = (*_SOURCES, "prompt", "question", "input", "user_input", "instruction", "query")
_OWN_OUTPUTS = (*_OUTPUTS, *_TARGETS, "output", "model_output", "response", "answer", "completion", "generated_text")
"""Names of further columns of texts in a table that is a set by itself: people rated these."""

MOST_KEPT = 200_000
"""Maximum number of rows of a table whose texts are kept in the set that it becomes."""

NOT_KEPT = "The set keeps no texts of"
"""How a note begins on columns of texts with which those of added scores cannot be compared."""

_DIFFER = "they differ within a segment, or are the same in most segments"

_NEIGHBORS = re.compile(r"context|prev|next|before|after|preced|follow|neighbo|history|window")
"""How columns are named that hold texts of other rows on purpose."""

SAMPLE = 400
"""So many cells tell what a column holds."""

MOST_COLUMNS = 16
"""Maximum number of columns of texts that are compared with those of a set."""


def texts_of(table: Table, cells: Cells, columns: Iterable[str], known: KnownTexts) -> dict[str, Any]:
    """The sources, outputs and references in a table of scores that are added to a set.

    A column whose cells are texts of the set holds these, whatever its name; one of a usual name may hold others. A
    column whose cells are mostly single words, such as names of files or data sets, holds none.
    """
    own = [name for name in columns if not _NEIGHBORS.search(plain_name(name))]
    read: dict[str, _Column] = {}
    names = [name for name in own if _are_texts(table, name)][:MOST_COLUMNS]
    chosen = _by_content(table, cells, names, known, read)
    plain = {plain_name(name.rpartition(".")[2]): name for name in names if name not in chosen.values()}
    for kind, usual_names in (("sources", _SOURCES), ("outputs", (*_OUTPUTS, *_TARGETS))):
        column = next((plain[name] for name in usual_names if name in plain), "")
        if not column or kind in {one for one, _ in chosen}:
            continue
        read[column] = read.get(column) or _Column(table.cells(column))
        if plain_name(column.rpartition(".")[2]) not in _TARGETS or not read[column].is_shared(cells):
            chosen[kind, ""] = column
    found: dict[str, Any] = {}
    for (kind, name), column in chosen.items():
        if kind == "outputs":
            found[kind] = cells.outputs(read[column].every())
        elif 2 * len({*read[column].texts}) >= len(cells.segments):
            whole = _per_segment(cells, read[column], table.lines, "source" if kind == "sources" else "reference")
            found[kind] = {name: whole} if name and whole else () if name else whole
    return {kind: one for kind, one in found.items() if one}


def own_texts(
    table: Table, cells: Cells, columns: Iterable[str], system: str | None = None
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The sources and outputs of a table that is a set by itself, by usual names of columns, and what to say of them.

    Scores that are added to the set find their places by them. No table is refused for its texts: sources that are
    others in rows of one segment are left out, and told where they are those of other segments.
    """
    own = [name for name in columns if not _NEIGHBORS.search(plain_name(name)) and _are_texts(table, name)]
    plain = {plain_name(name.rpartition(".")[2]): name for name in reversed(own)}
    kinds = {"sources": _OWN_SOURCES, "outputs": _OWN_OUTPUTS}
    named = {kind: [plain[name] for name in usual_names if name in plain] for kind, usual_names in kinds.items()}
    if len(table.lines) > MOST_KEPT:
        names = known_names([quote(some[0]) for some in named.values() if some])
        return {}, (f"{NOT_KEPT} {names}, as there are more than {MOST_KEPT:,} rows.",) if names else ()
    sources = (_sources_of(table, cells, name, system) for name in named["sources"])
    outputs = (_outputs_of(cells, _Column(table.cells(name))) for name in named["outputs"])
    found = {"sources": next(filter(None, sources), ()), "outputs": next(filter(None, outputs), {})}
    if not any(found.values()):
        rest = [name for name in own if 2 * count_different(table.cells(name)) >= len(cells.segments)]
        names = known_names(map(quote, rest))
        why = _DIFFER if any(named.values()) else "no column is called source or output"
        return {}, (f"{NOT_KEPT} {names}: {why}.",) if rest else ()
    return {kind: one for kind, one in found.items() if one}, ()


def ask_texts(data: EvalSet, alignment: Alignment) -> None:
    """Warn of rows with texts, but no labels, that were taken in their order, as the set kept no texts of its table."""
    scores = alignment.scores
    if alignment.verified is not None or not are_nameless(scores.segments) or not (scores.sources or scores.outputs):
        return
    if note := next((note for note in data.notes if NOT_KEPT in note), ""):
        told = "its rows have texts, but no labels, and were taken in their order, as there is nothing to compare"
        why = f"{note[:1].lower()}{note[1:].rstrip('.')}"
        step = "read that table again with its sources so called, frame.rename(columns={COLUMN: 'source'})"
        step = "give the rows the labels of that table" if _DIFFER in note else step
        warn(f"source: {told}: {why}; {step}", RoleWarning)


def _sources_of(table: Table, cells: Cells, column: str, system: str | None) -> tuple[str, ...]:
    """The source of each segment; none where they hardly differ, or are others in rows of one segment.

    A warning tells where they are those of other segments, as where each system's rows are numbered anew.
    """
    texts = _Column(table.cells(column))
    if 2 * len(texts.texts) < len(cells.segments):
        return ()
    same, usual = _usual_texts(cells, texts)
    found = usual if same.sum() >= ALIKE * texts.known.sum() else ()
    known, other, named = texts.known, texts.known & ~same, {*usual}
    moved = other & np.array([text in named for text in texts.texts])[texts.codes]
    if system is None or not 2 * moved.sum() >= other.sum() > 1:
        return found
    row = int(np.argmax(moved))
    text, segment = quote(texts.texts[texts.codes[row]]), quote(cells.segments[cells.columns[row]])
    step = f"tk.read(…, segment={column!r})"
    if np.unique(cells.rows[known] * len(texts.texts) + texts.codes[known]).size < known.sum():
        again = f"frame.groupby([{system!r}, {column!r}]).cumcount().astype(str)"
        step = f"frame.assign(segment=frame[{column!r}] + ' ' + {again}), with segment='segment'"
    where = f"line {table.lines[row]:,}: found {text} in column {column!r}, but most rows of segment {segment} have"
    more = f"another text; {moved.sum():,} of {len(moved):,} rows have the text of another segment"
    more += ", so scores of different texts count as one segment"
    warn(f"{table.path}, {where} {more}; if the texts are right, pass {step}", RoleWarning)
    return found


def _outputs_of(cells: Cells, texts: _Column) -> dict[str, tuple[str, ...]]:
    """The outputs of each system; none where they hardly differ, or are the same for all systems."""
    if 2 * len(texts.texts) < len(cells.segments) or (len(cells.systems) > 1 and texts.is_shared(cells)):
        return {}
    return cells.outputs(texts.every())


class _Column:
    """The different texts of a column, nothing for missing ones, and the number of each row's among them."""

    def __init__(self, cells: Sequence[str]) -> None:
        self.codes, names = number_labels(cells)
        self.texts = ["" if cell in MISSING else cell for cell in names]

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which rows have a text."""
        return np.fromiter(map(bool, self.texts), np.bool_, len(self.texts))[self.codes]

    def every(self) -> list[str]:
        """The text of each row."""
        return list(map(self.texts.__getitem__, self.codes.tolist()))

    def is_shared(self, cells: Cells) -> bool:
        """Whether all systems have the same text in nearly all segments."""
        known, columns = self.known, cells.columns
        segments = np.unique(columns[known]).size
        pairs = np.unique((columns * len(self.texts) + self.codes)[known]).size
        return bool(known.sum() > segments and pairs <= segments / ALIKE)


def _by_content(
    table: Table, cells: Cells, names: Sequence[str], known: KnownTexts, read: dict[str, _Column]
) -> dict[tuple[str, str], str]:
    """The columns that hold texts of the set, by kind; of several the one with most of them and fewest empty cells.

    The ones that may do so are added to those that are ``read``.
    """
    best: dict[tuple[str, str], tuple[float, ...]] = {}
    for place, column in enumerate(names):
        every = table.cells(column)
        shares = known.by_text(_sample(every), every) or known.by_length(compress(every, cells.rows == 0))
        if not shares:
            continue
        texts = read[column] = _Column(every)
        if 2 * len(texts.texts) < len(cells.segments):
            continue
        wanted = {"sources", "references"} if texts.is_shared(cells) else {"sources", "outputs"}
        wanted |= {"sources", "references", "outputs"} if len(cells.systems) == 1 else set()
        shares = {kind: share for kind, share in shares.items() if kind[0] in wanted}
        if shares:
            kind = max(shares, key=lambda one: shares[one])
            is_usual = plain_name(column.rpartition(".")[2]) in (*_SOURCES, *_OUTPUTS, *_TARGETS)
            mine = shares[kind], int(texts.known.sum()), is_usual, -place
            best[kind] = max(best.get(kind, mine), mine)
    return {kind: names[-int(place)] for kind, (*_, place) in best.items()}


def name_by_sources(table: Table, labels: Labels, known: KnownTexts) -> Labels:
    """Labels whose segments are named by a column of the set's sources, whatever its name, where nothing else does."""
    if labels.system is None or labels.segment or count_different(table.cells(labels.system)) == len(table.lines):
        return labels
    free = [name for name in table.columns if name not in labels.all and not _NEIGHBORS.search(plain_name(name))]
    found = [name for name in free if _are_sources(table, labels, name, known)]
    return replace(labels, segment=tuple(found[:1]))


def _are_sources(table: Table, labels: Labels, column: str, known: KnownTexts) -> bool:
    """Whether a column holds the sources of the set, or has a usual name of such."""
    if not _are_texts(table, column):
        return False
    every, systems = table.cells(column), table.cells(str(labels.system))
    first = compress(every, map(systems[0].__eq__, systems))
    shares = known.by_text(_sample(every), every) or known.by_length(first)
    if shares:
        return max(shares, key=lambda kind: shares[kind])[0] == "sources"
    return plain_name(column.rpartition(".")[2]) in _SOURCES


def tell_repeated_apart(table: Table, labels: Labels, rows: RowLabels, beside: Sequence[KnownTexts]) -> RowLabels:
    """Rows whose segments are named by sources, of which a system has some twice, with numbers behind these."""
    if len(labels.segment) != 1 or labels.system is None:
        return rows
    [column] = labels.segment
    if plain_name(column) not in TEXTS and not (beside and _are_sources(table, labels, column, beside[0])):
        return rows
    times, segments = Counter[tuple[str, str]](), list[str]()
    for system, segment in zip(rows.systems, rows.segments, strict=True):
        times[system, segment] += 1
        number = times[system, segment]
        segments.append(f"{segment} ({number})" if segment and number > 1 else segment)
    return replace(rows, segments=segments)


def _sample(cells: Collection[str]) -> list[str]:
    """Some of the cells that are not missing, from the whole column."""
    return [cell for cell in islice(cells, 0, None, max(1, len(cells) // SAMPLE)) if cell not in MISSING]


def _are_texts(table: Table, column: str) -> bool:
    """Whether half of the cells hold several words, or letters that are not Latin."""
    if isinstance(table.columns[column], np.ndarray):
        return False
    some = _sample(table.cells(column))
    return 2 * sum(" " in text or not text.isascii() for text in some) >= len(some) > 0


def _per_segment(cells: Cells, texts: _Column, lines: Sequence[int], what: str) -> tuple[str, ...]:
    """The source (or reference) of each segment that most of its rows have; none where most rows have another one.

    A system of which most of them are those of other segments is refused.
    """
    columns, systems, known = cells.columns, cells.rows, texts.known
    same, found = _usual_texts(cells, texts)
    if same.sum() < REFUSED * known.sum():
        return ()
    rows, right = (np.bincount(systems[some], minlength=len(cells.systems)) for some in (known, same))
    for odd in np.flatnonzero(right < REFUSED * rows)[:1].tolist():
        row = int(np.argmax(known & ~same & (systems == odd)))
        segment, system = (quote(name) for name in (cells.segments[columns[row]], cells.systems[odd]))
        problem = f"found another {what} for segment {segment} of {system} than the other systems have"
        problem += f" ({right[odd]:,} of {rows[odd]:,} of its {what}s are the same)"
        remedy = f"score all systems on the same segments, in the same order, or leave out the column of {what}s"
        raise ReadError(cells.path, f"{problem}; {remedy}", line=lines[row])
    return found


def _usual_texts(cells: Cells, texts: _Column) -> tuple[NDArray[np.bool_], tuple[str, ...]]:
    """Which rows have the text that most rows of their segment have, and that text of each segment."""
    columns, known = cells.columns, texts.known
    keys, names = number_labels(list(map(text_key, texts.texts)))
    codes = keys[texts.codes]
    pairs, times = np.unique(columns[known] * len(names) + codes[known], return_counts=True)
    pairs = pairs[np.argsort(times, kind="stable")]
    usual = np.full(len(cells.segments), -1)
    usual[pairs // len(names)] = pairs % len(names)  # the last one counts, which comes most often
    same = known & (codes == usual[columns])
    first = np.full(len(cells.segments), -1)
    first[columns[same][::-1]] = texts.codes[same][::-1]
    return same, tuple(texts.texts[code] if code >= 0 else "" for code in first.tolist())
