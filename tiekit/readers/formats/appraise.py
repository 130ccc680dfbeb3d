"""How is an export of Appraise read? Error span annotations (ESA) of WMT24 and WMT25, a CSV without a header."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tiekit.base.errors import ReadError, quote
from tiekit.base.validation import FloatArray
from tiekit.readers._cells import MARK, SegmentId, lay_out, line_label, split_id
from tiekit.readers._numbers import parse_scores
from tiekit.readers._questions import Format, choose, question
from tiekit.readers._rows import delimiter_of, read_rows
from tiekit.readers._source import file_stem, read_text
from tiekit.sets.evalset import EvalSet

COLUMNS = "annotator, system, line, type, source language, target language, score, document, flag, spans, start, end"
TYPES = frozenset({"TGT", "BAD", "REF", "CHK", "SRC"})
REFERENCE = "refA"

_CODES = """
ara ar  arz ar  ben bn  bul bg  ces cs  chi zh  cze cs  dan da  deu de  ell el  eng en  est et  fin fi  fra fr  fre fr
ger de  guj gu  hau ha  heb he  hin hi  hrv hr  hun hu  iku iu  ind id  isl is  ita it  jpn ja  kat ka  kaz kk  khm km
kor ko  lav lv  lit lt  nld nl  nob no  plk pl  pol pl  por pt  pus ps  ron ro  rus ru  slk sk  slv sl  spa es  srp sr
swe sv  tam ta  tha th  tur tr  ukr uk  vie vi  xho xh  zho zh  zul zu
"""
_TWO_LETTERS = dict(zip(_CODES.split()[::2], _CODES.split()[1::2], strict=True))
"""Codes of two letters by those of three (ISO 639); a language without one keeps its three letters."""


class _Row(NamedTuple):
    """One annotation that counts."""

    line: int
    system: str
    segment: SegmentId
    score: str
    annotator: str
    spans: str


@dataclass(frozen=True)
class _Export:
    """The annotations of a file by language pair, and how many others it has, by the reason to leave them out."""

    path: str
    digest: str
    rows: Mapping[str, Sequence[_Row]]
    dropped: Counter[str]


def appraise_pairs(source: str | Path | Mapping[str, bytes]) -> tuple[str, ...]:
    """List the language pairs of an export of Appraise, see `read_appraise`.

    Examples
    --------
    >>> appraise_pairs({"esa.csv": b"a1,SysA,0,TGT,eng,jpn,80,doc1,False,[],1,2\\n"})
    ('en-ja',)
    """
    return tuple(_read(source).rows)


def read_appraise(
    source: str | Path | Mapping[str, bytes],
    *,
    language_pair: str | None = None,
    name: str | None = None,
    by_rater: bool = False,
    spans: bool = False,
) -> EvalSet:
    """Read human scores from an export of Appraise: error span annotations (ESA) of WMT24 and WMT25.

    The file is a CSV of 12 columns without a header: annotator, system, line, type, source language, target language,
    score, document, flag, spans, start, end. Rows of type BAD (bad references, to check annotators), of tutorials and
    of documents marked ``#bad``, ``#dup`` or ``#incomplete`` are left out, as WMT24 does. Several scores of one
    translation are averaged. Lines are counted from 0 in the file, and from 1 in ``segments``.

    Parameters
    ----------
    source : path, or mapping of one name to bytes
        The file.
    language_pair : str, optional
        One of the file's pairs, such as ``en-ja``; needed where it has several.
    name : str, optional
        Name of the set; None: the name of the file without its ending.
    by_rater : bool
        Whether each annotator's scores are kept too, as human scores ``esa-ANNOTATOR``.
    spans : bool
        Whether the human score ``spans`` is made too: the number of marked error spans, negated; 0 is none.

    Returns
    -------
    EvalSet
        The human score ``esa`` from 0 to 100, with documents and, where the file tells them, domains. It holds no
        metric. A translation without annotation is NaN. ``refA`` counts as the standard reference. The notes say how
        many rows were left out, and how many scores are averages.

    Raises
    ------
    ReadError
        If a row does not have 12 columns or its score is not a number from 0 to 100; the message names file and line.
    InputError
        If the file has several language pairs and none is chosen; the message lists them.

    References
    ----------
    The rules are those of ``humeval/merge_to_jsonl.py``, github wmt-conference/wmt24-news-systems.

    Examples
    --------
    >>> data = read_appraise({"esa.csv": b"a1,SysA,0,TGT,eng,jpn,80,doc1,False,[],1,2\\n"
    ...                                  b"a2,SysA,0,TGT,eng,jpn,90,doc1,False,[],1,2\\n"
    ...                                  b"a1,SysA,0,BAD,eng,jpn,10,doc1#bad,False,[],1,2\\n"})
    >>> data.language_pair, data.segments, data.human["esa"]
    ('en-ja', ('1',), array([[85.]]))
    """
    export = _read(source)
    pair = choose("language_pair", language_pair, export.rows, export.path)
    rows = export.rows[pair]
    lines = [row.line for row in rows]
    scores = parse_scores([row.score for row in rows], lines, export.path)
    for place in np.flatnonzero((scores < 0) | (scores > 100))[:1]:
        problem = f"found the score {rows[place].score}, expected 0 to 100; delete the row if it was not rated"
        raise ReadError(export.path, problem, line=lines[place])
    labels = [row.segment.label for row in rows]
    cells = lay_out(export.path, [row.system for row in rows], labels, lines, aggregate="mean")
    domains = [row.segment.domain for row in rows]
    several = int((cells.raters > 1).sum())
    notes = [
        f"Appraise export: {len(rows):,} rows of {pair} kept, {int((cells.raters > 0).sum()):,} translations rated",
        *([f"{several:,} translations have several ratings; their mean is the score"] if several else []),
        *([f"left out of the whole file: {_describe(export.dropped)}"] if export.dropped else []),
    ]
    return EvalSet(
        file_stem(export.path) if name is None else name,
        pair,
        cells.systems,
        cells.segments,
        cells.with_raters("esa", scores, [row.annotator for row in rows] if by_rater else ())
        | ({"spans": cells.matrix(-_numbers_of_spans(export.path, rows))} if spans else {}),
        {},
        documents=cells.labels([row.segment.document for row in rows], lines, "the column of documents"),
        domains=cells.labels(domains, lines, "the column of documents") if all(domains) else (),
        standard_reference=REFERENCE if REFERENCE in cells.systems else None,
        gold="esa",
        digest=export.digest,
        notes=tuple(notes),
    )


def _read(source: str | Path | Mapping[str, bytes]) -> _Export:
    """The rows that count, by language pair and in the order of their lines in the test set."""
    file = read_text(source, "export of Appraise")
    found: dict[str, list[_Row]] = {}
    dropped: Counter[str] = Counter()
    for line, row in read_rows(file.path, file.text, delimiter_of(file.text)):
        if len(row) != 12:
            problem = f"found {len(row)} cells, expected 12 ({COLUMNS}); export the annotations of Appraise again"
            raise ReadError(file.path, problem, line=line)
        reason = _reason_to_leave_out(row)
        if reason:
            dropped[reason] += 1
        else:
            segment = _segment(file.path, row, line)
            found.setdefault(segment.language_pair, []).append(
                _Row(line, row[1].strip(), segment, row[6].strip(), row[0].strip(), row[9])
            )
    if not found:
        raise ReadError(file.path, f"has no row that counts; left out: {_describe(dropped)}; export all annotations")
    ordered = {pair: sorted(rows, key=lambda row: _order(row.segment)) for pair, rows in found.items()}
    return _Export(file.path, file.digest, ordered, dropped)


def _numbers_of_spans(path: str, rows: Sequence[_Row]) -> FloatArray:
    """How many error spans each row marks."""
    found = []
    for row in rows:
        try:
            marked = json.loads(row.spans or "[]")
        except (ValueError, RecursionError):
            marked = None
        if not isinstance(marked, list):
            problem = f"found the spans {quote(row.spans)}, expected a list in JSON"
            raise ReadError(path, f"{problem}; export the annotations of Appraise again", line=row.line)
        found.append(float(len(marked)))
    return np.array(found)


def _reason_to_leave_out(row: Sequence[str]) -> str:
    """Why a row does not count; empty if it does."""
    document = row[7]
    if row[3] == "BAD":
        return "of type BAD"
    if "-tutorial" in document or "-tutorial" in row[2]:
        return "of tutorials"
    mark = document.rpartition("#")[2]
    return f"of documents marked #{mark}" if document.endswith(("#bad", "#dup", "#incomplete")) else ""


def _segment(path: str, row: Sequence[str], line: int) -> SegmentId:
    """Language pair, domain, document and label of a row's segment."""
    if MARK in row[2]:
        return split_id(path, row[2], line)
    label = line_label(row[2].strip())
    if label is None:
        problem = f"expected the segment's line in the third column, counted from 0; found {quote(row[2])}"
        raise ReadError(path, f"{problem}; export the annotations of Appraise again", line=line)
    languages = [code.strip().lower() for code in row[4:6]]
    if not all(code.isalpha() and len(code) < 4 for code in languages):
        problem = f"expected two languages such as eng and jpn in columns 5 and 6; found {quote(' '.join(row[4:6]))}"
        raise ReadError(path, f"{problem}; export the annotations of Appraise again", line=line)
    kind, _, rest = row[7].partition("_")
    domain = kind.split("-")[2] if rest and kind.startswith("test-") and kind.count("-") == 2 else ""
    return SegmentId("-".join(_TWO_LETTERS.get(code, code) for code in languages), domain, row[7], label)


def _order(segment: SegmentId) -> tuple[int, str]:
    """Numbers by size; other labels stay in the order of the file."""
    return (int(segment.label), "") if segment.label.isdigit() else (0, "")


def _describe(dropped: Counter[str]) -> str:
    return ", ".join(f"{number:,} rows {reason}" for reason, number in dropped.most_common())


def _recognizes(_name: str, head: bytes) -> bool:
    """Whether the first row has 12 columns with a type and two languages of three letters."""
    first = head.decode("utf-8", "replace").removeprefix("\ufeff").partition("\n")[0]
    try:
        row = next(csv.reader([first], delimiter=delimiter_of(first)), [])
    except csv.Error:
        return False
    return len(row) == 12 and row[3] in TYPES and all(len(code) == 3 and code.isalpha() for code in row[4:6])


FORMAT = Format(
    name="appraise",
    label="human scores from Appraise (ESA, CSV without a header)",
    upload="The export",
    several=False,
    recognizes=_recognizes,
    read=read_appraise,
    asks=lambda files, _: question(
        "language_pair", "Language pair", appraise_pairs(files), key="upload_pair", always=True
    ),
)
