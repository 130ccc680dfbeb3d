"""How are the files of MATEO read? Sheets of sentences with one metric each, and the table of corpus scores."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tiekit.base.errors import ReadError, quote
from tiekit.base.validation import FloatArray
from tiekit.readers._archives import IN_PAIRS, are_in_pairs, is_packed, is_workbook, read_workbook
from tiekit.readers._columns import Table, delimiter_of, head_line, read_rows
from tiekit.readers._questions import Format
from tiekit.readers._source import decode, file_stem, one_file
from tiekit.sets.evalset import EvalSet

LOWER_IS_BETTER = frozenset({"ter"})
"""Metrics of MATEO that count errors, in lower case; they are negated."""


def _systems(sheet: Table) -> tuple[str, ...]:
    """The systems that have a column of scores."""
    return tuple(name[: -len(IN_PAIRS)] for name in sheet.columns if name.casefold().endswith(IN_PAIRS))


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
    digest = hashlib.sha256(file.name.encode("utf-8", "surrogatepass") + b"\0" + data).hexdigest()
    if is_workbook(data):
        sheets = {
            name: _sheet(f"{file.path}, sheet {name}", digest, list(sheet))
            for name, sheet in read_workbook(file.path, data).items()
            if len(sheet)
        }
    else:
        text = decode(file.path, data)
        mark = delimiter_of(text)
        found = list(read_rows(file.path, text, mark))
        sheets = {metric or file_stem(file.name): _sheet(file.path, digest, found, commas=mark == ";")}
    name = Path(file.name).stem
    whole = next((sheet for sheet in sheets.values() if not _systems(sheet)), None)
    if whole is not None:
        return _evalset(name, *_whole_systems(whole), digest=digest)
    title, first = next(iter(sheets.items()))
    systems = _systems(first)
    for other, sheet in sheets.items():
        if _systems(sheet) != systems or len(sheet.lines) != len(first.lines):
            problem = f"the sheet {quote(other)} has other systems or sentences than {quote(title)}"
            raise ReadError(file.path, f"{problem}; save the sheets as single files")
        if odd := next((one for one in systems if sheet.columns.get(one, ()) != first.columns.get(one, ())), ""):
            problem = f"the sheet {quote(other)} has other texts of {odd} than {quote(title)}, so it is no other metric"
            step = "pandas.concat(pandas.read_excel(PATH, sheet_name=None), names=['system', 'segment']).reset_index()"
            raise ReadError(file.path, f"{problem}; if each sheet is a system, pass {step} in Python")
    columns = [next(key for key in first.columns if key.casefold() == f"{one}{IN_PAIRS}".casefold()) for one in systems]
    return _evalset(
        name,
        "Sentences of MATEO.",
        systems,
        tuple(str(place) for place in range(1, len(first.lines) + 1)),
        {key: np.array([sheet.numbers(column) for column in columns]) for key, sheet in sheets.items()},
        sources=first.columns.get("src", ()),
        references={"ref": first.columns["ref"]} if "ref" in first.columns else {},
        outputs={one: first.columns[one] for one in systems if one in first.columns},
        digest=digest,
    )


def _evalset(
    name: str,
    note: str,
    systems: Sequence[str],
    segments: Sequence[str],
    scores: Mapping[str, FloatArray],
    **known: Any,
) -> EvalSet:
    """The set of scores that are better when higher, and of others, which are negated."""
    negated = {key for key in scores if key.casefold() in LOWER_IS_BETTER}
    metrics = {key: -matrix if key in negated else matrix for key, matrix in scores.items()}
    notes = (note, *(f"{key} is negated: lower is better." for key in scores if key in negated))
    return EvalSet(name, "", tuple(systems), tuple(segments), {}, metrics, notes=notes, **known)


def _sheet(path: str, digest: str, rows: Sequence[tuple[int, Sequence[str]]], *, commas: bool = False) -> Table:
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
    columns = dict(zip(header, cells, strict=True))
    sheet = Table(path, digest, [number for number, _ in rows[1:]], columns, commas=commas)
    if not _systems(sheet) and header[0].casefold() != "system":
        expected = f"expected pairs of columns such as hyp.txt and hyp.txt{IN_PAIRS}, or a column system and metrics"
        raise ReadError(path, f"found the columns {quote(', '.join(header))}; {expected}", line=line)
    return sheet


def _whole_systems(sheet: Table) -> tuple[str, Sequence[str], tuple[str], dict[str, FloatArray]]:
    """A note, the systems, the only segment, and one score per system and metric."""
    header, *found = sheet.columns
    systems = sheet.cells(header)
    for place, system in enumerate(systems):
        if not system or system in systems[:place]:
            problem = f"found the system {quote(system)}; expected a name that no other row has"
            raise ReadError(sheet.path, f"{problem}; rename it", line=sheet.lines[place])
    if not found:
        raise ReadError(sheet.path, "has no metric; expected one column per metric after system", line=1)
    scores = {column: sheet.numbers(column)[:, np.newaxis] for column in found}
    return "Scores of whole systems by MATEO: one segment named all.", systems, ("all",), scores


def _recognizes(name: str, head: bytes) -> bool:
    """Whether its columns come in pairs of texts and scores."""
    if is_packed(head):
        return False  # `packed` looks inside
    line = head_line(head)
    cells = {cell.strip('" ').casefold() for cell in line.split(delimiter_of(line))}
    is_whole = Path(name).name.lower().startswith("mateo-evaluation") and line.casefold().startswith("system")
    return is_whole or are_in_pairs(cells)


FORMAT = Format(
    name="mateo",
    label="a download of MATEO (.xlsx, .csv or .tsv)",
    upload="The file of MATEO",
    recognizes=_recognizes,
    read=read_mateo,
)
