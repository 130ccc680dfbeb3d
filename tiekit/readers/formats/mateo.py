"""How are the files of MATEO read? Sheets of sentences with one metric each, and the table of corpus scores."""

from __future__ import annotations

import hashlib
import io
import warnings
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tiekit.base.errors import ReadError, quote
from tiekit.base.validation import FloatArray
from tiekit.readers._numbers import parse_scores
from tiekit.readers._questions import Format
from tiekit.readers._rows import delimiter_of, head_line, read_rows, with_points
from tiekit.readers._source import File, decode, one_file
from tiekit.sets.evalset import EvalSet

MAX_SHEETS = 24 * 2**20
"""Maximum number of bytes that sheets and texts may unpack to: a million cells."""

MAX_REST = 2**18
"""Maximum number of bytes that the list of sheets may unpack to; styles and pictures are not unpacked."""

MAX_COLUMNS = 1_000
MAX_WORKBOOK_CELLS = 2_000_000

PARTS = ("[Content_Types].xml", "_rels/.rels", "xl/workbook.xml", "xl/_rels/workbook.xml.rels")
SHARED_TEXTS = "xl/sharedStrings.xml"
SHEETS = "xl/worksheets/"

Row = tuple[int, list[str]]
"""The number of a row in its sheet, and its cells."""


def is_workbook(data: bytes) -> bool:
    """Whether these are the first bytes of an archive, as a workbook is."""
    return data.startswith(b"PK\x03\x04")


def read_workbook(path: str, data: bytes) -> Mapping[str, Sequence[Row]]:
    """The rows of every sheet that are not empty, by the sheet's name."""
    try:
        import openpyxl
    except ImportError:
        problem = "is an Excel workbook, which needs openpyxl: pip install 'tiekit[excel]', or save each sheet as CSV"
        raise ReadError(path, problem) from None
    try:
        kept = _without_styles(path, data)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what openpyxl does not know, such as styles, holds no scores
            book = openpyxl.load_workbook(io.BytesIO(kept), read_only=True, data_only=True)
            return _rows_by_sheet(path, book.worksheets)
    except ReadError:
        raise
    except Exception as error:  # a damaged workbook can fail anywhere in openpyxl
        problem = f"is not a workbook that can be opened ({type(error).__name__}: {str(error)[:80]})"
        raise ReadError(path, f"{problem}; save it again as .xlsx, or each sheet as CSV") from None


def _without_styles(path: str, data: bytes) -> bytes:
    """The archive with nothing but sheets and texts; one that unpacks to more than the limits is refused.

    The sizes are those that the archive declares: Python's zipfile never unpacks more than these.
    """
    kept = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(kept, "w") as smaller:
        parts = [
            part for part in archive.infolist() if part.filename in (*PARTS, SHARED_TEXTS) or _is_sheet(part.filename)
        ]
        rest = sum(part.file_size for part in parts if part.filename in PARTS)
        size = sum(part.file_size for part in parts)
        if rest > MAX_REST or size - rest > MAX_SHEETS:
            limit = f"the limit is {MAX_SHEETS >> 20} MB of cells"
            raise ReadError(path, f"unpacks to {size:,} bytes; {limit}; save each sheet as CSV")
        for part in parts:
            smaller.writestr(part.filename, archive.read(part))
    return kept.getvalue()


def _is_sheet(name: str) -> bool:
    return name.startswith(SHEETS) and name.endswith(".xml")


def _rows_by_sheet(path: str, worksheets: Sequence[Any]) -> dict[str, list[Row]]:
    """The rows of every sheet, as wide as its first row."""
    found: dict[str, list[Row]] = {}
    left = MAX_WORKBOOK_CELLS
    for sheet in worksheets:
        sheet.reset_dimensions()  # a file may declare any size
        width = min(max(map(len, sheet.iter_rows(values_only=True, max_row=1)), default=1), MAX_COLUMNS)
        rows = []
        for number, values in enumerate(sheet.iter_rows(values_only=True, max_col=max(width, 1)), start=1):
            left -= max(len(values), 100)
            if left < 0:
                raise ReadError(path, f"has more than {MAX_WORKBOOK_CELLS:,} cells; save each sheet as CSV")
            cells = [_text(value) for value in values]
            if any(cells):
                rows.append((number, cells))
        found[str(sheet.title)] = rows
    if not any(found.values()):
        raise ReadError(path, f"has no cells in its sheets {quote(', '.join(found))}; save it again")
    return found


def _text(value: object) -> str:
    """A cell as text: numbers with all their digits, empty where there is nothing."""
    return "" if value is None else repr(value) if isinstance(value, float) else str(value)


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
        return sign * parse_scores(cells, self.lines, self.path, column=column)


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
            problem = f"the sheet {quote(sheet.metric)} has other systems or sentences than {quote(first.metric)}"
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
        notes=("Sentences of MATEO.", *_note_negated(metrics)),
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
            problem = f"column {place + 1} is named {quote(name)}; expected a name that no other column has"
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
        raise ReadError(path, f"found the columns {quote(', '.join(header))}; {expected}", line=line)
    return sheet


def _whole_systems(sheet: _Sheet, name: str, digest: str) -> EvalSet:
    """One score per system and metric."""
    header, *found = sheet.columns
    systems = sheet.columns[header]
    for place, system in enumerate(systems):
        if not system or system in systems[:place]:
            problem = f"found the system {quote(system)}; expected a name that no other row has"
            raise ReadError(sheet.path, f"{problem}; rename it", line=sheet.lines[place])
    if not found:
        raise ReadError(sheet.path, "has no metric; expected one column per metric after system", line=1)
    table = _Sheet(sheet.path, "", sheet.lines, sheet.columns, sheet.delimiter)
    metrics = {column: table.scores(column)[:, np.newaxis] for column in found}
    notes = ("Scores of whole systems by MATEO: one segment named all.", *_note_negated(metrics))
    return EvalSet(name, "", systems, ("all",), {}, metrics, digest=digest, notes=notes)


def _note_negated(metrics: Mapping[str, FloatArray]) -> tuple[str, ...]:
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
    recognizes=_recognizes,
    read=read_mateo,
)
