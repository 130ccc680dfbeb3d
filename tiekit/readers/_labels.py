"""Which system and which segment does a row of a table belong to? Columns of labels by their usual names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tiekit.base.errors import ReadError, shown
from tiekit.readers._columns import Table, listed, plain_name
from tiekit.sets.evalset import SINGLE_SYSTEM

ALIASES: dict[str, tuple[str, ...]] = {
    "system": (
        *("system", "sys", "system_id", "sys_id", "sysid", "system_name", "mt_system", "model", "model_id", "modelid"),
        *("model_name", "generator", "candidate"),
    ),
    "segment": (
        *("segment", "seg", "segment_id", "seg_id", "segid", "segment_number", "item", "item_id", "itemid", "sid"),
        *(
            "utt",
            "utt_id",
            "uttid",
            "utterance",
            "question_id",
            "prompt_id",
            "query_id",
            "qid",
            "instance",
            "instance_id",
            "example_id",
        ),
        *("sample_id", "sentence_id", "sent_id", "line_id", "line", "id", "idx", "index", "src", "source"),
    ),
    "domain": ("domain",),
    "document": ("document", "doc", "document_id", "doc_id", "docid"),
}
"""Usual names of the columns of labels, in lower case; the first one that is there counts."""

TEXTS = frozenset({"src", "source"})
"""Names of columns of texts: they tell segments apart only where systems are named."""

ROW_COUNTS = frozenset({"id", "idx", "index", "line"})
"""Names of columns that may count the rows."""

MIXED = frozenset({"lp", "lang_pair", "langpair", "language_pair", "testset", "test_set", "set_id"})
"""Names of columns with one value for all rows of a set."""

LARGEST_SCAN = 100_000
"""In longer tables no column is looked for that tells repeated rows apart."""


@dataclass(frozen=True)
class Labels:
    """The columns of labels; several columns of the segment are joined."""

    system: str | None
    segment: tuple[str, ...]
    domain: str | None
    document: str | None

    @property
    def all(self) -> set[str]:
        """Every column of labels."""
        return {name for name in (self.system, *self.segment, self.domain, self.document) if name is not None}


@dataclass(frozen=True)
class Rows:
    """The system and the segment of every row, what was done to find them, and what was assumed."""

    systems: Sequence[str]
    segments: Sequence[str]
    notes: tuple[str, ...] = ()
    guess: str = ""


def find_labels(
    table: Table,
    system: str | None,
    segment: str | Iterable[str] | None,
    domain: str | None,
    document: str | None,
) -> Labels:
    """The columns of labels: those asked for, or those with a usual name."""
    known = {plain_name(name): name for name in reversed(list(table.columns))}

    def one(kind: str, asked: str | None) -> str | None:
        if asked is not None:
            return table.named(kind, asked)[0]
        return next((known[alias] for alias in ALIASES[kind] if alias in known), None)

    found = one("system", system)
    if system is None and found is not None and plain_name(found) == "candidate" and not _repeats(table.cells(found)):
        found = None
    segments = table.named("segment", segment) if segment is not None else _segment(table, known, found)
    return Labels(found, segments, one("domain", domain), one("document", document))


def _segment(table: Table, known: Mapping[str, str], system: str | None) -> tuple[str, ...]:
    """The column with a usual name of segments; one that only counts the rows comes last."""
    usual = [known[alias] for alias in ALIASES["segment"] if alias in known]
    if system is None:
        usual = [name for name in usual if plain_name(name) not in TEXTS]
    if len(usual) > 1 and system is not None and _repeats(table.cells(system)):
        counts = {name for name in usual if plain_name(name) in ROW_COUNTS and not _repeats(table.cells(name))}
        usual = [*(name for name in usual if name not in counts), *counts]
    return tuple(usual[:1])


def _repeats(cells: Sequence[str]) -> bool:
    """Whether a label stands in several rows."""
    return len(set(cells)) < len(cells)


def name_rows(table: Table, labels: Labels, others: Iterable[str]) -> Rows:
    """The system and the segment of every row; ``others`` are columns of texts that are no labels."""
    size = len(table.lines)
    if labels.system is None:
        segments = _joined(table, labels.segment) or [str(number + 1) for number in range(size)]
        if labels.segment and _repeats(segments):
            column = " + ".join(labels.segment)
            problem = f"column {shown(column)} names a segment more than once, and no column names systems"
            raise ReadError(table.path, f"{problem}; pass system=COLUMN; found: {listed(table.columns)}", line=1)
        likely = [name for name in others if 1 < len(set(table.cells(name))) <= size / 2]
        what = "row" if not labels.segment else f"label in {shown(' + '.join(labels.segment))}"
        note = f"No column names systems: every {what} is a segment of one system, {SINGLE_SYSTEM!r}."
        guess = f"no column is named like systems ({listed(likely)}?), so all rows are of one system" if likely else ""
        return Rows([SINGLE_SYSTEM] * size, segments, (note,) if table.headed else (), guess)
    systems = table.cells(labels.system)
    if labels.segment:
        segments = _joined(table, labels.segment)
        return _with_documents(table, labels, systems, segments)
    if _repeats(systems):
        problem = f"expected the columns system and segment; found: {listed(table.columns)}"
        raise ReadError(table.path, f"{problem}; name them with system= and segment=", line=1)
    note = f"No column names segments: the table has one score per system, of the segment {SINGLE_SYSTEM!r}."
    return Rows(systems, [SINGLE_SYSTEM] * size, (note,))


def _joined(table: Table, columns: Sequence[str]) -> list[str]:
    """The labels of one column, or of several joined by colons."""
    parts = [table.cells(column) for column in columns]
    if len(parts) < 2:
        return list(parts[0]) if parts else []
    return [":".join(row) if all(row) else "" for row in zip(*parts, strict=True)]


def _with_documents(table: Table, labels: Labels, systems: Sequence[str], segments: list[str]) -> Rows:
    """Segments that are numbered in each document anew get the document's name before their own."""
    document = labels.document
    if document is None or document in labels.segment:
        return Rows(systems, segments)
    documents = table.cells(document)
    alone = len(set(zip(systems, segments, strict=True)))
    both = len(set(zip(systems, documents, segments, strict=True)))
    if alone == both:
        return Rows(systems, segments)
    columns = f"{shown(document)} and {shown(labels.segment[0])}"
    note = f"Segments are numbered in each document, so their names are those of columns {columns}."
    return Rows(systems, _joined(table, (document, *labels.segment)), (note,))


def mixture(table: Table) -> list[str]:
    """What to say of columns such as that of the language pair where they hold several values."""
    columns = [name for name in table.columns if plain_name(name) in MIXED]
    numbers = {name: len(set(table.cells(name))) for name in columns}
    return [
        f"column {shown(name)} holds {number} values, all taken together"
        for name, number in numbers.items()
        if number > 1
    ]


VOTES = (
    "holds votes between two outputs (model_a, model_b), not scores; give one row per system and segment, with scores"
)
BETTER = (
    "says which of two texts is better, without scores and systems; read DArr-seglevel.csv of the same year with "
    "tiekit.readers.read_darr"
)
RANKS = "ranks five systems in each line, without scores; read it with tk.read_rankings"

_NO_SCORES = {("model_a", "model_b"): VOTES, ("src", "pos", "neg"): BETTER, ("system1id", "system1rank"): RANKS}
"""What a table without scores is, by its columns."""


def refuse_votes(table: Table) -> None:
    """Refuse a table of votes between two outputs, or of ranks."""
    columns = {plain_name(name) for name in table.columns}
    for names, problem in _NO_SCORES.items():
        if columns.issuperset(names):
            raise ReadError(table.path, problem, line=1)


def tell_apart(table: Table, rows: Rows, others: Iterable[str]) -> str:
    """Advice where a system and segment have several rows: which column tells them apart."""
    if len(table.lines) <= LARGEST_SCAN:
        for name in others:
            cells = table.cells(name)
            if len(set(zip(rows.systems, rows.segments, cells, strict=True))) == len(cells):
                return (
                    f'column {shown(name)} tells such rows apart: pass aggregate="mean" to average them, '
                    f"scorer={shown(name)} and score=COLUMN to compare its values as metrics, or "
                    f"segment=[…, {shown(name)}] to keep them as segments"
                )
    return 'keep one of the two rows, or pass aggregate="mean"'
