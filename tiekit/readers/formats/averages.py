"""How are WMT's averages over raters read? One line per system and segment: direct assessments and MQM, 2016–2022."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from tiekit.base.errors import ReadError, quote
from tiekit.readers._cells import Aggregate, lay_out
from tiekit.readers._columns import Table
from tiekit.readers._numbers import number_like
from tiekit.readers._questions import Format
from tiekit.readers._rows import ColumnLayout, head_line, open_rows
from tiekit.sets.evalset import EvalSet

DA = ColumnLayout(("SYS", "SID", "RAW.SCR", "Z.SCR", "N"))
MQM = ColumnLayout(("system", "mqm_avg_score", "seg_id"))
MQM_CONVERTED = ColumnLayout(("system", "document", "place", "mqm_avg_score"), header=(), most=100)
"""How lines begin that a converter of ratings wrote; each rater's score follows."""

_PAIR = re.compile(r"ad-seg-scores-([a-z]{2,3}-[a-z]{2,3})", re.ASCII)


def read_da_averages(
    source: str | Path | Mapping[str, bytes], *, language_pair: str | None = None, aggregate: Aggregate = "error"
) -> EvalSet:
    """Read direct assessments that were averaged over raters, as WMT published them for each language pair.

    The header is ``SYS SID RAW.SCR Z.SCR N``; blanks separate the cells of a line. ``SID`` is DOCUMENT_NUMBER, where
    the last underscore divides and the number counts from 0. ``RAW.SCR`` is on the scale of 0 to 100; ``Z.SCR`` was
    standardized for each rater, and WMT ranked systems by it. ``N`` is the number of assessments.

    Parameters
    ----------
    source : path, or mapping of one name to bytes
        The file, such as ``ad-seg-scores-en-de.csv``.
    language_pair : str, optional
        None: the one in the name of the file.
    aggregate : {"error", "mean", "median"}
        What is done with several lines of one system and segment.

    Returns
    -------
    EvalSet
        The human scores ``da`` and ``da-z`` (the gold score) and no metric. Segments are named ``DOCUMENT:NUMBER`` and
        counted from 1, as `read_submission` names those of 2020.

    Raises
    ------
    ReadError
        For another header, lines without five cells, a SID without a number, what is no number, and cells that come
        twice; the message names file and line.

    References
    ----------
    Barrault et al. (2020), Findings of WMT20, aclanthology.org/2020.wmt-1.1; github WMT-Metrics-task/wmt20-metrics.

    Examples
    --------
    >>> data = read_da_averages({"ad-seg-scores-en-de.csv": b"SYS SID RAW.SCR Z.SCR N \\nA news.7_0 71.5 -0.25 2 \\n"})
    >>> data.language_pair, data.segments, data.human["da"].tolist(), data.human["da-z"].tolist()
    ('en-de', ('news.7:1',), [[71.5]], [[-0.25]])
    """
    table = open_rows(source, "file of averages", None).table(DA)
    places = [_place(table, line, sid) for line, sid in zip(table.lines, table.cells("SID"), strict=True)]
    segments = [f"{document}:{number}" for document, number in places]
    cells = lay_out(table.path, table.cells("SYS"), segments, table.lines, aggregate=aggregate, columns=2)
    pair = _PAIR.match(Path(table.path).name)
    number = table.numbers("N", missing=frozenset())
    return EvalSet(
        table.stem,
        language_pair if language_pair is not None else pair[1] if pair else "",
        cells.systems,
        cells.segments,
        human={"da": cells.matrix(table.numbers("RAW.SCR")), "da-z": cells.matrix(table.numbers("Z.SCR"))},
        metrics={},
        documents=cells.labels([document for document, _ in places], table.lines, "column 'SID'"),
        gold="da-z",
        digest=table.digest,
        notes=(
            f"Direct assessments: each score is the mean of {int(number.min())} to {int(number.max())} assessments.",
        ),
    )


def _place(table: Table, line: int, sid: str) -> tuple[str, int]:
    """Document and number in it, from 1 on."""
    document, _, number = sid.rpartition("_")
    if not document or not (number.isascii() and number.isdigit() and len(number) < 10):
        problem = f"{quote(sid)} in column 'SID' does not end in an underscore and a number"
        raise ReadError(table.path, f"{problem}; write DOCUMENT_NUMBER, such as news.7_0", line=line)
    return document, int(number) + 1


def read_mqm_averages(
    source: str | Path | Mapping[str, bytes], *, language_pair: str = "", aggregate: Aggregate = "error"
) -> EvalSet:
    """Read MQM scores that were averaged over raters, as published beside the ratings of WMT 2020–2022.

    The header is ``system mqm_avg_score seg_id``; blanks or tabs separate the cells of a line. The scores are negative:
    higher is better. ``None`` is a segment that was not rated. Lines without a header ``SYSTEM DOCUMENT PLACE SCORE
    rater1=… rater2=…``, as mt-metrics-eval's converter of ratings writes them, are read as well; their segments are
    named ``DOCUMENT:PLACE``.

    Parameters
    ----------
    source : path, or mapping of one name to bytes
        The file, such as ``mqm_newstest2020_ende.avg_seg_scores.tsv``.
    language_pair : str
        The file does not name it.
    aggregate : {"error", "mean", "median"}
        What is done with several lines of one system and segment.

    Returns
    -------
    EvalSet
        The human score ``mqm`` and no metric. Segments are named by ``seg_id``, the line of the test set, from 1 on.

    Raises
    ------
    ReadError
        For another header, lines without three cells, what is no number, and cells that come twice; the message names
        file and line.

    References
    ----------
    github google/wmt-mqm-human-evaluation; Freitag et al. (2021), doi:10.1162/tacl_a_00437.

    Examples
    --------
    >>> data = read_mqm_averages({"mqm.tsv": b"system mqm_avg_score seg_id\\nA\\t-1.500000 1\\nA\\tNone 2\\n"})
    >>> data.human["mqm"].tolist(), data.segments
    ([[-1.5, nan]], ('1', '2'))
    """
    rows = open_rows(source, "file of averages", None)
    table = rows.table(MQM_CONVERTED if _has_raters(rows.cells[0]) else MQM)
    documents = table.columns.get("document")
    segments = (
        [f"{document}:{place}" for document, place in zip(documents, table.cells("place"), strict=True)]
        if documents is not None
        else table.cells("seg_id")
    )
    cells = lay_out(table.path, table.cells("system"), segments, table.lines, aggregate=aggregate)
    scores = cells.matrix(table.numbers("mqm_avg_score"))
    missing = int(np.isnan(scores).sum())
    return EvalSet(
        table.stem,
        language_pair,
        cells.systems,
        cells.segments,
        {"mqm": scores},
        {},
        documents=cells.labels(table.cells("document"), table.lines, "the column of documents") if documents else (),
        gold="mqm",
        digest=table.digest,
        notes=("MQM scores that were averaged over raters.", *[f"{missing:,} cells have no score."] * (missing > 0)),
    )


def _has_raters(cells: Sequence[str]) -> bool:
    """Whether a line ends in scores of raters."""
    width = len(MQM_CONVERTED.names)
    return len(cells) > width and number_like(cells[width - 1]) and all("=" in cell for cell in cells[width:])


DA_FORMAT = Format(
    name="da_averages",
    label="averages of direct assessments (ad-seg-scores)",
    upload="The averages",
    several=False,
    recognizes=lambda _, head: DA.begins_head(head),
    read=read_da_averages,
)

MQM_FORMAT = Format(
    name="mqm_averages",
    label="MQM averages (avg_seg_scores)",
    upload="The averages",
    several=False,
    recognizes=lambda _, head: MQM.begins_head(head) or _has_raters(head_line(head).split()),
    read=read_mqm_averages,
)
