"""How are published MQM averages read? One line per system and segment, WMT 2020–2022."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from tiekit.readers._cells import Aggregate, lay_out
from tiekit.readers._columns import number_like
from tiekit.readers._questions import Format
from tiekit.readers._rows import check_header, head_line, open_rows
from tiekit.sets.evalset import EvalSet

HEADER = ("system", "mqm_avg_score", "seg_id")
CONVERTED = ("system", "document", "place", "mqm_avg_score")
"""How lines begin that a converter of ratings wrote; each rater's score follows."""

MOST_CELLS = 100


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
    if _has_raters(rows.cells[0]):
        below, columns = rows, rows.columns(CONVERTED, most=MOST_CELLS)
        places = zip(columns["document"], columns["place"], strict=True)
        segments: Sequence[str] = [f"{document}:{place}" for document, place in places]
    else:
        check_header(rows, HEADER)
        below = rows.below_header()
        columns = below.columns(HEADER)
        segments = columns["seg_id"]
    cells = lay_out(rows.path, columns["system"], segments, below.lines, aggregate=aggregate)
    scores = cells.matrix(below.scores(columns["mqm_avg_score"], column="mqm_avg_score"))
    missing = int(np.isnan(scores).sum())
    notes = ("MQM scores that were averaged over raters.", *[f"{missing:,} cells have no score."] * (missing > 0))
    return EvalSet(
        rows.stem,
        language_pair,
        cells.systems,
        cells.segments,
        {"mqm": scores},
        {},
        documents=cells.labels(columns["document"], below.lines, "the column of documents")
        if "document" in columns
        else (),
        gold="mqm",
        digest=rows.digest,
        notes=notes,
    )


def _has_raters(cells: Sequence[str]) -> bool:
    """Whether a line ends in scores of raters."""
    width = len(CONVERTED)
    return len(cells) > width and number_like(cells[width - 1]) and all("=" in cell for cell in cells[width:])


def _recognizes(_name: str, head: bytes) -> bool:
    """Whether there is the header of averages, or scores of raters in the first line."""
    cells = head_line(head).split()
    return tuple(cell.casefold() for cell in cells) == HEADER or _has_raters(cells)


FORMAT = Format(
    name="mqm_averages",
    label="MQM averages (avg_seg_scores)",
    upload="The averages",
    several=False,
    recognizes=_recognizes,
    read=read_mqm_averages,
)
