"""How are WMT's averages of direct assessments read? One line per system and segment, 2016–2020."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from tiekit.base.errors import ReadError
from tiekit.readers._cells import Aggregate, lay_out
from tiekit.readers._questions import Format
from tiekit.readers._rows import Rows, check_header, head_line, open_rows
from tiekit.readers._source import quoted
from tiekit.sets.evalset import EvalSet

HEADER = ("SYS", "SID", "RAW.SCR", "Z.SCR", "N")

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
    rows = open_rows(source, "file of averages", None)
    check_header(rows, HEADER)
    below = rows.below_header()
    columns = below.columns(HEADER)
    places = [_place(below, line, sid) for line, sid in zip(below.lines, columns["SID"], strict=True)]
    segments = [f"{document}:{number}" for document, number in places]
    cells = lay_out(rows.path, columns["SYS"], segments, below.lines, aggregate=aggregate, columns=2)
    named = _PAIR.match(Path(rows.path).name)
    number = below.scores(columns["N"], column="N", missing=frozenset())
    few, most = int(number.min()), int(number.max())
    return EvalSet(
        rows.stem,
        language_pair if language_pair is not None else named[1] if named else "",
        cells.systems,
        cells.segments,
        human={
            "da": cells.matrix(below.scores(columns["RAW.SCR"], column="RAW.SCR")),
            "da-z": cells.matrix(below.scores(columns["Z.SCR"], column="Z.SCR")),
        },
        metrics={},
        documents=cells.labels([document for document, _ in places], below.lines, "column 'SID'"),
        gold="da-z",
        digest=rows.digest,
        notes=(f"Direct assessments: each score is the mean of {few} to {most} assessments.",),
    )


def _place(rows: Rows, line: int, sid: str) -> tuple[str, int]:
    """Document and number in it, from 1 on."""
    document, _, number = sid.rpartition("_")
    if not document or not (number.isascii() and number.isdigit() and len(number) < 10):
        problem = f"{quoted(sid)} in column 'SID' does not end in an underscore and a number"
        raise ReadError(rows.path, f"{problem}; write DOCUMENT_NUMBER, such as news.7_0", line=line)
    return document, int(number) + 1


FORMAT = Format(
    name="da_averages",
    label="averages of direct assessments (ad-seg-scores)",
    upload="The averages",
    several=False,
    recognizes=lambda _, head: tuple(head_line(head).split()) == HEADER,
    read=read_da_averages,
)
