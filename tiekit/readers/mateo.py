"""How are the files of MATEO read? Sheets of sentences with one metric each, and the table of corpus scores."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tiekit.base.errors import ReadError
from tiekit.base.validation import FloatArray
from tiekit.readers._choose import no_questions, read_code
from tiekit.readers._delimited import delimiter_of, one_file, read_rows, with_points
from tiekit.readers._rows import MISSING, head_line
from tiekit.readers._text import File, decode, parse_scores, quoted
from tiekit.readers._workbook import Row, is_workbook, read_workbook
from tiekit.readers.format import Format
from tiekit.sets.evalset import EvalSet

SUFFIX = "_score"
TEXTS = ("src", "ref")
LOWER_IS_BETTER = frozenset({"ter"})
"""Metrics of MATEO that count errors, in lower case; they are negated."""

Column = tuple[str, ...]


@dataclass(frozen=True)
class _Sheet:
    """The cells of one metric: a text and a score of each system in each line."""

    path: str
    metric: str
    lines: Sequence[int]
    columns: Mapping[str, Column]
    delimiter: str = ","

    @property
    def systems(self) -> tuple[str, ...]:
        return tuple(name[: -len(SUFFIX)] for name in self.columns if name.casefold().endswith(SUFFIX))

    def scores_of(self, system: str) -> FloatArray:
        """The scores of a system."""
        return self.scores(next(name for name in self.columns if name.casefold() == f"{system}{SUFFIX}".casefold()))

    def scores(self, column: str) -> FloatArray:
        """The numbers of a column; higher is better."""
        sign = -1.0 if (self.metric or column).casefold() in LOWER_IS_BETTER else 1.0
        cells = with_points(self.columns[column], self.delimiter)
        return sign * parse_scores(cells, self.lines, self.path, missing=MISSING, column=column)


def read_mateo(source: str | Path | Mapping[str, bytes], *, metric: str | None = None) -> EvalSet:
    """Read what MATEO, the web tool for machine-translation evaluation, lets one download.

    - Scores of sentences: a workbook (.xlsx) with one sheet per metric, or one such sheet saved as CSV or TSV. Its
      columns are ``ref`` (and ``src``), and for every system its file's name with the texts, and that name followed
      by ``_score``. A workbook needs openpyxl (``pip install 'tiekit[excel]'``).
    - Scores of whole systems (``mateo-evaluation.tsv`` or ``.xlsx``): a column ``system``, then one column per metric.
      They become one segment named ``all``.

    Parameters
    ----------
    source : path, or mapping of one name to bytes
        The file.
    metric : str, optional
        The name of the metric in a sheet saved as CSV or TSV; None: the name of the file without its ending.

    Returns
    -------
    EvalSet
        Metrics, which are named as the sheets are, and no human score. Systems are named as their files are. Segments
        are the sentences, named 1, 2, … in their order. ``ter`` is negated, since lower is better.

    Raises
    ------
    ReadError
        For other columns, sheets of other sentences, what is no number, and workbooks that cannot be opened or unpack
        to more than 24 MB; the message names the file and the line.

    References
    ----------
    Vanroy et al. (2023), MATEO, aclanthology.org/2023.eamt-1.52; github BramVanroy/mateo-demo.

    Examples
    --------
    >>> table = b"ref,h1.txt,h1.txt_score,h2.txt,h2.txt_score\\nHi,Hi,0.9,Ho,0.3\\n"
    >>> data = read_mateo({"comet.csv": table})
    >>> data.systems, data.metrics["comet"].tolist(), data.outputs["h2.txt"]
    (('h1.txt', 'h2.txt'), [[0.9], [0.3]], ('Ho',))
    """
    file = one_file("source", source, "file of MATEO")
    data = file.read()
    sheets = list(_sheets(file, data, metric))
    digest = hashlib.sha256(file.name.encode("utf-8", "surrogatepass") + b"\0" + data).hexdigest()
    whole = [sheet for sheet in sheets if not sheet.systems]
    if whole:
        return _whole_systems(whole[0], Path(file.name).stem, digest)
    first = sheets[0]
    for sheet in sheets:
        if sheet.systems != first.systems or len(sheet.lines) != len(first.lines):
            problem = f"the sheet {quoted(sheet.metric)} has other systems or sentences than {quoted(first.metric)}"
            raise ReadError(file.path, f"{problem}; save the sheets as single files")
    segments = tuple(str(place) for place in range(1, len(first.lines) + 1))
    metrics = {sheet.metric: np.array([sheet.scores_of(name) for name in first.systems]) for sheet in sheets}
    return EvalSet(
        Path(file.name).stem,
        "",
        first.systems,
        segments,
        {},
        metrics,
        sources=first.columns.get("src", ()),
        references={"ref": first.columns["ref"]} if "ref" in first.columns else {},
        outputs={name: first.columns[name] for name in first.systems if name in first.columns},
        digest=digest,
        notes=("Sentences of MATEO.", *_negated(metrics)),
    )


def _sheets(file: File, data: bytes, metric: str | None) -> Iterator[_Sheet]:
    """The sheets of a workbook, or the only one of a text file."""
    if is_workbook(data):
        for name, rows in read_workbook(file.path, data).items():
            if rows:
                yield _sheet(f"{file.path}, sheet {name}", name, rows)
        return
    text = decode(file.path, data)
    delimiter = delimiter_of(text)
    name = metric or Path(file.name.removesuffix(".gz")).stem
    found = list(read_rows(file.path, text, delimiter))
    yield _sheet(file.path, name, found, delimiter)


def _sheet(path: str, metric: str, rows: Sequence[Row], delimiter: str = ",") -> _Sheet:
    """The columns of a sheet by their names; cells that are missing at the end of a row are empty."""
    line, header = rows[0][0], [cell.strip() for cell in rows[0][1]]
    while header and not header[-1]:
        header.pop()
    for place, name in enumerate(header):
        if not name or name in header[:place]:
            problem = f"column {place + 1} is named {quoted(name)}; expected a name that no other column has"
            raise ReadError(path, f"{problem}; rename it", line=line)
    for number, row in rows[1:]:
        if any(row[len(header) :]):
            raise ReadError(path, f"found {len(row)} cells, expected {len(header)} as in the header", line=number)
    if len(rows) < 2:
        raise ReadError(path, "has a header and no rows; expected one row per sentence or system", line=line)
    cells = zip(*([*row, *[""] * len(header)][: len(header)] for _, row in rows[1:]), strict=True)
    sheet = _Sheet(path, metric, [number for number, _ in rows[1:]], dict(zip(header, cells, strict=True)), delimiter)
    if not sheet.systems and header[0].casefold() != "system":
        expected = f"expected pairs of columns such as hyp.txt and hyp.txt{SUFFIX}, or a column system and metrics"
        raise ReadError(path, f"found the columns {quoted(', '.join(header))}; {expected}", line=line)
    return sheet


def _whole_systems(sheet: _Sheet, name: str, digest: str) -> EvalSet:
    """One score per system and metric."""
    header, *found = sheet.columns
    systems = sheet.columns[header]
    for place, system in enumerate(systems):
        if not system or system in systems[:place]:
            problem = f"found the system {quoted(system)}; expected a name that no other row has"
            raise ReadError(sheet.path, f"{problem}; rename it", line=sheet.lines[place])
    if not found:
        raise ReadError(sheet.path, "has no metric; expected one column per metric after system", line=1)
    table = _Sheet(sheet.path, "", sheet.lines, sheet.columns, sheet.delimiter)
    metrics = {column: table.scores(column)[:, np.newaxis] for column in found}
    notes = ("Scores of whole systems by MATEO: one segment named all.", *_negated(metrics))
    return EvalSet(name, "", systems, ("all",), {}, metrics, digest=digest, notes=notes)


def _negated(metrics: Mapping[str, FloatArray]) -> tuple[str, ...]:
    """Which metrics were negated."""
    return tuple(f"{name} is negated: lower is better." for name in metrics if name.casefold() in LOWER_IS_BETTER)


def _recognizes(name: str, head: bytes) -> bool:
    """Whether it is a workbook, or its columns come in pairs of texts and scores."""
    if is_workbook(head):
        return name.lower().endswith(".xlsx")
    line = head_line(head)
    cells = {cell.strip('" ').casefold() for mark in "\t;," for cell in line.split(mark)}
    scored = {cell for cell in cells if cell.endswith(SUFFIX)}
    is_whole = Path(name).name.lower().startswith("mateo-evaluation") and line.casefold().startswith("system")
    return is_whole or any(cell.removesuffix(SUFFIX) in cells for cell in scored)


FORMAT = Format(
    name="mateo",
    label="a download of MATEO (.xlsx, .csv or .tsv)",
    upload="The file of MATEO",
    several=False,
    recognizes=_recognizes,
    read=read_mateo,
    asks=no_questions,
    code=read_code("mateo"),
)
