"""How are WMT's human scores read as Hugging Face's tables have them? One row per translation, without segment ids."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from tiekit.base.errors import ReadError
from tiekit.base.names import find_name
from tiekit.readers._cells import Cells, lay_out
from tiekit.readers._columns import Table, delimiter_of, head_line, read_columns
from tiekit.readers._questions import Choice, Choices, Format, Upload, choose, question
from tiekit.readers._source import read_text
from tiekit.sets.evalset import EvalSet

NEEDED = ("lp", "src", "mt", "score")
USED = (*NEEDED, "ref", "raw", "system", "domain", "year")
ALL = "all"
"""The name of the only system where the table names none."""


def read_huggingface(
    source: str | Path | Mapping[str, bytes] | pd.DataFrame,
    *,
    language_pair: str | None = None,
    year: str | int | None = None,
    score: str = "score",
    name: str | None = None,
) -> EvalSet:
    """Read a table of WMT's human scores: one row per translation, with its source but without an id of the segment.

    Columns are ``lp``, ``src``, ``mt`` and ``score``, and where they are there ``ref``, ``system``, ``domain`` and
    ``year``; others are not used. Rows of one source text (within language pair, year and domain) are one segment.
    Source texts that occur twice in a test set cannot be told apart: their rows are joined, and the mean is the score,
    as it is for several raters of one translation. A note says how many rows were joined.

    Parameters
    ----------
    source : path, mapping of one name to bytes, or DataFrame
        The file (CSV), or the table.
    language_pair, year : str, optional
        Which part to read, where there are several.
    score : str
        The column of scores: ``score``, or ``raw`` in the table of direct assessments, where ``score`` is standardized.
    name : str, optional
        The name of the human score; None: ``mqm``, ``da`` or ``sqm`` if the file's name holds it, otherwise ``human``.

    Returns
    -------
    EvalSet
        One human score and no metric, with sources, references and domains. Segments are named ``src1``, ``src2``, … in
        the order of their first rows, which is not that of the test set. Where no column names systems, as in the table
        of direct assessments, each row is a segment of a single system named ``all``: only the grouping ``global`` says
        something then.

    Raises
    ------
    ReadError
        For a table without these columns, rows of another length, and scores that are no numbers; the message names
        file and line.
    InputError
        Where there are several language pairs or years and none is chosen: it lists them.

    References
    ----------
    The cards of huggingface.co/datasets/RicardoRei/wmt-mqm-human-evaluation, wmt-da-human-evaluation and
    wmt-sqm-human-evaluation.

    Examples
    --------
    >>> table = "lp,src,mt,score,system\\nen-de,Hi,Ho,-1,A\\nen-de,Hi,Na,-5,B\\nen-de,Hi,Ho,-2,A\\n"
    >>> data = read_huggingface({"mqm.csv": table.encode()})
    >>> data.human["mqm"].tolist(), data.segments, data.sources
    ([[-1.5], [-5.0]], ('src1',), ('Hi',))
    >>> data.notes
    ('1 cells have several rows (up to 2), from several raters or from equal source texts: their mean is used.',)
    """
    every = _open(source)
    part = every.where("lp", pair := choose("language_pair", language_pair, every.cells("lp"), every.path))
    years = part.cells("year") if "year" in part.columns else ()
    chosen = choose("year", None if year is None else str(year), years, every.path) if years else ""
    part = part.where("year", chosen) if years else part
    score = find_name("score", score, [column for column in part.columns if column in ("score", "raw")])
    cells, notes = _lay_out(part)
    first = np.unique(cells.columns, return_index=True)[1].tolist()  # of each segment
    name = name or next((kind for kind in ("mqm", "da", "sqm") if kind in every.stem.lower()), "human")

    def per_segment(column: str) -> tuple[str, ...]:
        return tuple(part.cells(column)[row] for row in first) if column in part.columns else ()

    references = per_segment("ref")
    return cells.evalset(
        every,
        {name: cells.matrix(part.numbers(score))},
        {},
        name=f"wmt{chosen[-2:]}" if chosen else None,
        pair=pair,
        domains=per_segment("domain"),
        sources=per_segment("src"),
        references={"ref": references} if references else {},
        outputs=cells.outputs(part.cells("mt"), complete=True),
        gold=name,
        notes=notes,
    )


def _open(source: str | Path | Mapping[str, bytes] | pd.DataFrame) -> Table:
    """The columns that are used, as text."""
    if isinstance(source, pd.DataFrame):
        named = {str(column): source[column].tolist() for column in source.columns if column in USED}
        columns = {name: tuple("" if pd.isna(cell) else str(cell) for cell in cells) for name, cells in named.items()}
        digest = hashlib.sha256(repr(columns).encode("utf-8", "surrogatepass")).hexdigest()
        table = Table("the DataFrame", digest, range(1, len(source) + 1), columns)
    else:
        table = read_columns(read_text(source, "table"))
        table = replace(table, columns={name: cells for name, cells in table.columns.items() if name in USED})
    missing = [column for column in NEEDED if column not in table.columns]
    if missing or not table.lines:
        problem = f"lacks {', '.join(missing) or 'rows'}; expected a table with the columns {', '.join(NEEDED)}"
        raise ReadError(table.path, f"{problem}; read other tables with read_table", line=1)
    return table


def _lay_out(part: Table) -> tuple[Cells, tuple[str, ...]]:
    """The cell of each row, and what was joined."""
    rows = len(part.lines)
    if "system" not in part.columns:
        cells = lay_out(part.path, [ALL] * rows, [f"row{place + 1}" for place in range(rows)], part.lines)
        return cells, (f"The table names no systems: each row is a segment of a single system named {ALL!r}.",)
    keys = zip(part.cells("domain") if "domain" in part.columns else [""] * rows, part.cells("src"), strict=True)
    numbers: dict[tuple[str, str], str] = {}
    segments = [numbers.setdefault(key, f"src{len(numbers) + 1}") for key in keys]
    cells = lay_out(part.path, part.cells("system"), segments, part.lines, aggregate="mean")
    joined = int((cells.raters > 1).sum())
    several = f"{joined:,} cells have several rows (up to {cells.raters.max()})"
    return cells, (f"{several}, from several raters or from equal source texts: their mean is used.",) * (joined > 0)


def _ask(files: Upload, chosen: Choices) -> Iterator[Choice]:
    """Ask for language pair and year, where there are several."""
    table = _open(files)
    pairs = table.cells("lp")
    yield from question("language_pair", "Language pair", pairs)
    part = table.where("lp", chosen.get("language_pair") or pairs[0])
    yield from question("year", "Year", part.cells("year") if "year" in part.columns else ())


def _recognizes(_name: str, head: bytes) -> bool:
    """Whether the header has the columns of such a table."""
    line = head_line(head).casefold()
    return set(NEEDED) <= {cell.strip(' "') for cell in line.split(delimiter_of(line))}


FORMAT = Format(
    name="huggingface",
    label="a Hugging Face table of WMT's human scores",
    upload="The table (CSV)",
    recognizes=_recognizes,
    read=read_huggingface,
    asks=_ask,
)
