"""How are submissions to WMT's metrics task read? The files that metrics were handed in with, from 2020 on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from tiekit.base.errors import InputError, ReadError, RoleWarning, quote, warn
from tiekit.base.names import count_different
from tiekit.readers._cells import Aggregate, Cells, count_rows, join_names, lay_out
from tiekit.readers._columns import ColumnLayout, Rows, Table, Texts, head_line, open_rows
from tiekit.readers._questions import Choice, Choices, Format, Upload, choose, question
from tiekit.sets.evalset import EvalSet

_TESTSET = ("metric", "language_pair", "testset")
LAYOUTS = {
    len(names): ColumnLayout(names, header=())
    for names in (
        (*_TESTSET, "reference", "system", "score"),
        (*_TESTSET, "domain", "reference", "system", "score"),
        (*_TESTSET, "reference", "system", "document", "segment", "score"),
        (*_TESTSET, "domain", "document", "reference", "system", "segment", "score"),
    )
}
"""The columns of files by their number: 6 and 7 are one score per system, 8 is 2020, 9 is 2022–2024."""

HEADER_2025 = ("doc_id", "segment_id", "source_lang", "target_lang", "system_id", "overall")
"""What the header of a file of 2025 holds, among others."""

PARTS = {
    "language_pair": "Language pair",
    "testset": "Test set",
    "reference": "Reference",
    "metric": "Metric",
    "domain": "Domain",
}
"""What a file may hold several of, in the order in which one chooses."""

REFERENCE = re.compile(r"(src|all|ref.*)", re.IGNORECASE)
"""How references are named from 2022 on; ``src`` is none."""


@dataclass(frozen=True)
class Submission:
    """The columns of a file, and how many it has: they say whether there is one score per system only."""

    table: Table
    width: int

    @property
    def is_2025(self) -> bool:
        return self.width > max(LAYOUTS)

    @property
    def whole_systems(self) -> bool:
        return "segment" not in self.table.columns

    @property
    def counts_in_documents(self) -> bool:
        """Whether segments are counted in each document anew: always in 2020, where systems come first, and 2025."""
        columns = [*self.table.columns]
        if self.is_2025 or "document" not in columns or self.whole_systems:
            return self.is_2025
        rows = [self.table.cells(name) for name in ("system", "segment", "document")]
        return columns.index("system") < columns.index("document") or count_rows(*rows[:2]) < count_rows(*rows)

    def where(self, part: str, value: str) -> Submission:
        """The rows whose cell in a column is this value."""
        return replace(self, table=self.table.where(part, value))

    def usual(self, part: str) -> str | None:
        """The choice that nobody is asked for: the whole test set, and what counts in the shared task."""
        common = {"domain": "all", "testset": "official"}.get(part)
        return common if common in self.table.cells(part) else None

    def parts_to_choose(self) -> tuple[str, ...]:
        """The parts that a user may have to choose."""
        parts = [part for part in PARTS if part in self.table.columns]
        return tuple(part for part in parts if part != "domain" or self.whole_systems)


def open_submission(source: str | Path | Mapping[str, bytes]) -> Submission:
    """The columns of a file, told by their number or by the header."""
    rows = open_rows(source, "file of scores", "\t")
    head = rows.head()
    first = [cell.strip() for cell in head[0]]
    folded = [cell.casefold() for cell in first]
    if set(HEADER_2025) <= set(folded):
        return _open_2025(rows, folded)
    if len(first) == 1:
        rows = replace(rows, divide=lambda line: line.partition("\t")[0].split())
        first = rows.head()[0]
    rows = replace(rows, skipped=int("score" in first[-1].casefold() and len(head) > 1))
    width = len(rows.head()[0])
    if width not in LAYOUTS:
        expected = "6 to 9 cells (METRIC LP TESTSET … SYSTEM … SCORE), or the header of 2025"
        problem = f"found {width} cells, expected {expected}; a table of other columns is read by read_table"
        raise ReadError(rows.path, problem, line=rows.begin)
    table = _by_content(rows.table(LAYOUTS[width]))
    _refuse_other_kinds(table)
    return Submission(table, width)


def _by_content(table: Table) -> Table:
    """The columns under the names that their cells tell, where some of those published are missing or exchanged."""
    names = [*table.columns]
    fourth, fifth, sixth = (table.cells(names[at]) for at in (3, 4, 5))
    is_reference = [_are_references(cells) for cells in (fourth, fifth, sixth)]
    found: tuple[str, ...] = ()
    if len(names) == 7 and all(map(str.isdecimal, sixth)) and not is_reference[1]:
        found = ("reference" if is_reference[0] else "document", "system", "segment")
    elif len(names) == 8 and is_reference[1]:
        found = ("document", "reference", "system", "segment")
    elif len(names) == 8 and 1 < count_different(fourth) < count_different(fifth) == count_rows(fourth, fifth):
        found = ("domain", "document", "system", "segment")
    elif len(names) == 8 and _are_turned(fifth, sixth, table.cells(names[6])):
        found = ("reference", "document", "system", "segment")
    elif len(names) == 9 and is_reference[1] and not is_reference[2]:
        found = ("domain", "reference", "document", "system", "segment")
    if not found:
        return table
    return replace(table, columns=dict(zip((*_TESTSET, *found, "score"), table.columns.values(), strict=True)))


def _are_turned(systems: Sequence[str], documents: Sequence[str], segments: Sequence[str]) -> bool:
    """Whether the column of systems says for each segment the same, as documents do, and that of documents does not."""
    size = count_different(segments)
    return count_different(systems) > 1 and count_rows(systems, segments) == size < count_rows(documents, segments)


def _are_references(cells: Sequence[str]) -> bool:
    return all(map(REFERENCE.fullmatch, {*cells}))


def _open_2025(rows: Rows, header: list[str]) -> Submission:
    """The columns of a file of 2025, under the names of the earlier ones."""
    if len(set(header)) < len(header):
        twice = next(name for name in header if header.count(name) > 1)
        raise ReadError(rows.path, f"two columns are named {quote(twice)}; rename one of them", line=rows.begin)
    table = rows.table(ColumnLayout(tuple(header)))
    pairs = zip(table.cells("source_lang"), table.cells("target_lang"), strict=True)
    columns: dict[str, Sequence[str]] = {"language_pair": Texts(f"{source}-{target}" for source, target in pairs)}
    names = {"system": "system_id", "document": "doc_id", "segment": "segment_id", "score": "overall"}
    names |= {"testset": "set_id", "domain": "domain_name", "method": "method"}
    columns |= {name: table.cells(column) for name, column in names.items() if column in table.columns}
    return Submission(replace(table, columns=columns), max(LAYOUTS) + 1)


def _refuse_other_kinds(table: Table) -> None:
    """Files of as many columns that hold something else: scores of documents, and the submissions of 2019."""
    is_whole, width = "segment" not in table.columns, len(table.columns)
    if is_whole and width == 7 and (table.stem.endswith(".doc") or not _are_references(table.cells("reference"))):
        problem = "holds one score per document, which is not compared here; read the file of segments (.seg.score)"
        raise ReadError(table.path, problem, line=table.lines[0])
    if width == 6 and all(cell.isdigit() for cell in table.cells("system")):
        problem = "has six columns with a number in the fifth, as files of segments had in 2019"
        raise ReadError(
            table.path, f"{problem}; insert the reference as the fourth column and the document as the sixth"
        )


Role = Literal["metric", "human"]

_PAIR = re.compile(r"[a-z]{2,3}-[a-z]{2,3}(_\w+)?", re.ASCII)


def read_submission(
    source: str | Path | Mapping[str, bytes],
    *,
    language_pair: str | None = None,
    testset: str | None = None,
    reference: str | None = None,
    metric: str | None = None,
    domain: str | None = None,
    role: Role | None = None,
    aggregate: Aggregate = "error",
) -> EvalSet:
    """Read a submission to WMT's metrics task: one metric's scores of many systems, in any order of lines.

    A file without a header, or with one line of names first, has tabs between its cells. Files of 2020 have 8 columns
    (METRIC LP TESTSET REFSET SYSTEM DOC SEGMENT SCORE, segments counted within each document), those of 2022–2024 have
    9 (METRIC LP TESTSET DOMAIN DOCUMENT REFERENCE SYSTEM SEGMENT SCORE, segments counted in the whole test set).
    Domain, document or reference may be left out where the cells tell which column is which. The file of 2025 has a
    header with ``doc_id``, ``segment_id``, ``source_lang``, ``target_lang``, ``system_id`` and ``overall``. Scores of
    whole systems (6 columns in 2020, 7 since 2022) become one segment named ``all``.

    Parameters
    ----------
    source : path, or mapping of one name to bytes
        The file, also compressed with gzip.
    language_pair, testset, reference, metric, domain : str, optional
        Which part to read, where the file holds several. In a file of 2025 the test set is its ``set_id``, by default
        ``official``. A domain is chosen only in a file of 7 columns, by default ``all``, the whole test set.
    role : {"metric", "human"}, optional
        Whose scores a file of 2025 holds: metrics and people share one format. None: a metric's, with a warning.
    aggregate : {"error", "mean", "median", "sum"}
        What is done with several rows of one system and segment.

    Returns
    -------
    EvalSet
        One metric (or one human score) and nothing else. It is named ``METRIC-REFERENCE`` where the reference is
        ``src`` or begins with ``ref``, otherwise as in the file. Segments are named by their number in the test set,
        and in files of 2020 and 2025 ``DOCUMENT:NUMBER``; ``None``, ``nan``, ``NA`` and empty are missing scores.

    Raises
    ------
    ReadError
        For lines of another number of columns, scores of documents, what is no number, and cells that come twice; the
        message names file and line.
    InputError
        Where there are several language pairs, test sets, references or metrics and none is chosen: it lists them.

    References
    ----------
    wmt-metrics-task.github.io; github wmt-conference/wmt25-mteval; the files of WMT 2020's metrics task.

    Examples
    --------
    >>> lines = "".join(f"chrF\\ten-de\\tset\\tnews\\td1\\trefA\\t{system}\\t1\\t4{system}\\n" for system in "01")
    >>> data = read_submission({"chrF.seg.score": lines.encode()})
    >>> data.metrics["chrF-refA"].tolist(), data.systems, data.domains
    ([[40.0], [41.0]], ('0', '1'), ('news',))
    """
    every = open_submission(source)
    wanted = {
        "language_pair": language_pair,
        "testset": testset,
        "reference": reference,
        "metric": metric,
        "domain": domain,
    }
    if role not in (None, "metric", "human"):
        raise InputError(f"role: must be 'metric' or 'human', found {role!r}")
    part, chosen = every, dict.fromkeys(PARTS, "")
    for name, choice in wanted.items():
        if name in every.parts_to_choose():
            chosen[name] = choose(name, choice or part.usual(name), part.table.cells(name), every.table.path)
            part = part.where(name, chosen[name])
        elif choice is not None and not (name == "metric" and every.is_2025):
            known = ", ".join(every.parts_to_choose())
            raise InputError(f"{name}: cannot be chosen in {every.table.path}, which has: {known}; leave it out")
    cells = _lay_out(part, aggregate)
    scores = cells.matrix(part.table.numbers("score"), "score")
    if every.is_2025 and role is None:
        guess = "its column overall is taken for a metric's scores"
        say = 'pass role="metric" or role="human" to say whose scores they are'
        warn(f"{every.table.path}: {guess}; {say}", RoleWarning)
    people = every.is_2025 and role == "human"
    name = _score_name(part, chosen, metric, people)

    def labels(kind: str) -> tuple[str, ...]:
        if kind not in part.table.columns or part.whole_systems:
            return ()
        return cells.labels(part.table.cells(kind), part.table.lines, f"the column of {kind}s")

    return cells.evalset(
        every.table,
        {name: scores} if people else {},
        {} if people else {name: scores},
        name=chosen["testset"] or None,
        pair=chosen["language_pair"],
        documents=labels("document"),
        domains=labels("domain"),
        standard_reference=chosen["reference"] if chosen["reference"] in cells.systems else None,
        gold=name if people else None,
        notes=_notes(every, part, scores.size - int((scores == scores).sum())),
    )


def _lay_out(part: Submission, aggregate: Aggregate) -> Cells:
    """Find the cell of each row; segments that are counted within their document are named with it."""
    table = part.table
    segments = ["all"] * len(table.lines) if part.whole_systems else table.cells("segment")
    if part.counts_in_documents:
        segments = join_names(table.cells("document"), segments)
    return lay_out(table.path, table.cells("system"), segments, table.lines, aggregate=aggregate)


def _score_name(part: Submission, chosen: Mapping[str, str], metric: str | None, people: bool) -> str:
    """The name of the only score: the protocol, or the metric, with the reference where it has a usual name."""
    if part.is_2025:
        methods = dict.fromkeys(part.table.columns.get("method", ()))
        return "+".join(methods).lower() or "human" if people else metric or part.table.stem
    has_usual_name = REFERENCE.fullmatch(chosen["reference"])
    return f"{chosen['metric']}-{chosen['reference']}" if has_usual_name else chosen["metric"]


def _is_published(every: Submission) -> bool:
    """Whether a file has the columns of its number of them that were published."""
    return (*every.table.columns,) == LAYOUTS[every.width].names


def _notes(every: Submission, part: Submission, missing: int) -> tuple[str, ...]:
    """What was read, what was left out and what is missing."""
    kinds = {6: "systems, 2020", 7: "systems, 2022–2024", 8: "segments, 2020", 9: "segments, 2022–2024"}
    kind = "2025" if every.is_2025 else kinds[every.width] if _is_published(every) else "segments"
    notes = [f"A submission to WMT's metrics task ({kind})."]
    if left := len(every.table.lines) - len(part.table.lines):
        notes.append(
            f"{left:,} of {len(every.table.lines):,} rows belong to other parts of the file and were left out."
        )
    if missing:
        notes.append(f"{missing:,} cells have no score.")
    return tuple(notes)


def _recognizes(_name: str, head: bytes) -> bool:
    """Whether the first line has the columns of a submission."""
    line = head_line(head)
    cells = line.split("\t") if "\t" in line else line.split()
    if set(HEADER_2025) <= {cell.strip().casefold() for cell in cells}:
        return True
    return len(cells) in LAYOUTS and (_PAIR.fullmatch(cells[1]) is not None or cells[1] == "LANG-PAIR")


def _ask(files: Upload, chosen: Choices) -> Iterator[Choice]:
    """Ask for the parts of which there are several."""
    part = open_submission(files)
    if part.is_2025:
        yield Choice("role", "Whose scores are these?", ("metric", "human"), (), "file_role", several=False)
    for name in part.parts_to_choose():
        found = part.table.cells(name)
        usual = part.usual(name)
        if usual is None:
            yield from question(name, PARTS[name], found)
        part = part.where(name, chosen.get(name) or usual or found[0])


FORMAT = Format(
    name="submission",
    label="a submission to WMT's metrics task",
    upload="The submission (.seg.score, .sys.score or .tsv)",
    recognizes=_recognizes,
    read=read_submission,
    asks=_ask,
)
