"""How are WMT's error span annotations read? The export of Appraise, and the files of 2024 and 2025 with texts."""

from __future__ import annotations

import csv
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tiekit.base.errors import ReadError, quote
from tiekit.base.names import known_names
from tiekit.base.validation import FloatArray
from tiekit.readers._cells import lay_out, line_label
from tiekit.readers._columns import delimiter_of, read_rows
from tiekit.readers._json import compact, refuse, stream_objects, to_score
from tiekit.readers._numbers import NUMBER, parse_scores
from tiekit.readers._questions import Format, choose, question
from tiekit.readers._source import TextFile, one_file, read_text
from tiekit.sets.documents import COUNTED_WHOLE
from tiekit.sets.evalset import EvalSet

REFERENCE = "refA"
"""The standard reference, which was rated like a system."""

MARK = "_#_"


class SegmentId(NamedTuple):
    """An identifier ``en-ja_#_news_#_DOCUMENT_#_12`` by its parts; ``label`` names the segment within its pair."""

    language_pair: str
    domain: str
    document: str
    label: str


def split_id(path: str, text: str, line: int) -> SegmentId:
    """Take an identifier apart.

    WMT24's number is the line in the test set. WMT25's, whose pairs name a region (``en-ja_JP``), counts within the
    document, so the label is all that follows the pair.
    """
    pair, *rest = text.split(MARK)
    if len(rest) < 3 or not all((pair, rest[0], rest[1], rest[-1])):
        problem = f"expected an identifier PAIR{MARK}DOMAIN{MARK}DOCUMENT{MARK}NUMBER, found {quote(text)}"
        raise ReadError(path, f"{problem}; use the file that WMT published", line=line)
    number = None if "_" in pair else line_label(rest[-1])
    return SegmentId(pair, rest[0], MARK.join(rest[1:-1]), number or MARK.join(rest))


COLUMNS = "annotator, system, line, type, source language, target language, score, document, flag, spans, start, end"
TYPES = frozenset({"TGT", "BAD", "REF", "CHK", "SRC"})

_MARKS = re.compile(r"#(bad|dup|duplicate|incomplete)\d*$")
IN_DOCUMENT = "#"
"""What stands between a document and the system that translated it, in the campaigns of ESA."""

_TYPED = re.compile(r'"error_type":\s*["\[]')
SEVERITIES = {"critical": 5, "major": 5, "minor": 1}
MQM_NOTE = (
    "all scores are 0 and error spans have types, so the score is mqm: -5 for each major error, -1 for each minor one, "
    "-0.1 for punctuation, -25 for a non-translation"
)

_CODES = """
ara ar  arz ar  ben bn  bul bg  ces cs  chi zh  cze cs  dan da  deu de  ell el  eng en  est et  fin fi  fra fr  fre fr
ger de  guj gu  hau ha  heb he  hin hi  hrv hr  hun hu  iku iu  ind id  isl is  ita it  jpn ja  kat ka  kaz kk  khm km
kor ko  lav lv  lit lt  nld nl  nob no  plk pl  pol pl  por pt  pus ps  ron ro  rus ru  slk sk  slv sl  spa es  srp sr
swe sv  tam ta  tha th  tur tr  ukr uk  vie vi  xho xh  zho zh  zul zu
"""
_TWO_LETTERS = dict(zip(_CODES.split()[::2], _CODES.split()[1::2], strict=True))
"""Codes of two letters by those of three (ISO 639); a language without one keeps its three letters."""


class _Row(NamedTuple):
    """One annotation of an export that counts."""

    line: int
    system: str
    segment: SegmentId
    score: str
    annotator: str
    spans: str
    end: str


def appraise_pairs(source: str | Path | Mapping[str, bytes]) -> tuple[str, ...]:
    """List the language pairs of an export of Appraise, see `read_appraise`.

    Examples
    --------
    >>> appraise_pairs({"esa.csv": b"a1,SysA,0,TGT,eng,jpn,80,doc1,False,[],1,2\\n"})
    ('en-ja',)
    """
    return tuple(_read_export(source)[1])


def read_appraise(
    source: str | Path | Mapping[str, bytes],
    *,
    language_pair: str | None = None,
    name: str | None = None,
    by_rater: bool = False,
    spans: bool = False,
) -> EvalSet:
    """Read human scores from an export of Appraise: error span annotations (ESA) of WMT24 and WMT25.

    The file is a CSV of 12 columns, with or without a header: annotator, system, line, type, source language, target
    language, score, document, flag, spans, start, end. Rows of type BAD (bad references, to check annotators), of
    tutorials and of documents marked ``#bad``, ``#dup`` or ``#incomplete`` are left out, as WMT24 does. Several scores
    of one translation are averaged. Lines are counted from 0 in the file, and from 1 in ``segments``.

    Where documents are ``DOCUMENT#SYSTEM``, as in the campaigns of ESA (WMT23), the third column counts what each
    annotator saw. The segments are then ``DOCUMENT:1``, ``DOCUMENT:2`` and so on, in the order of the document; where a
    document was rated in parts of several sizes, the parts that are not of the most usual one are left out, as their
    places are not known. Where all scores are 0 and error spans have types, the score is ``mqm``: minus 5 for each
    major error, 1 for each minor one, 0.1 for punctuation and 25 for a non-translation.

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
        The human score ``esa`` from 0 to 100 (or ``mqm``), with documents and, where the file tells them, domains. It
        holds no metric. A translation without annotation is NaN. ``refA`` counts as the standard reference. The notes
        say how many rows were left out, and how many scores are averages.

    Raises
    ------
    ReadError
        If a row does not have 12 columns or its score is not a number from 0 to 100; the message names file and line.
    InputError
        If the file has several language pairs and none is chosen; the message lists them.

    References
    ----------
    The rules are those of ``humeval/merge_to_jsonl.py``, github wmt-conference/wmt24-news-systems; the campaigns are
    those of Kocmi et al. (2024), Error Span Annotation, github wmt-conference/ErrorSpanAnnotation.

    Examples
    --------
    >>> data = read_appraise({"esa.csv": b"a1,SysA,0,TGT,eng,jpn,80,doc1,False,[],1,2\\n"
    ...                                  b"a2,SysA,0,TGT,eng,jpn,90,doc1,False,[],1,2\\n"
    ...                                  b"a1,SysA,0,BAD,eng,jpn,10,doc1#bad,False,[],1,2\\n"})
    >>> data.language_pair, data.segments, data.human["esa"]
    ('en-ja', ('1',), array([[85.]]))
    """
    file, by_pair, dropped = _read_export(source)
    pair = choose("language_pair", language_pair, by_pair, file.path)
    rows = by_pair[pair]
    lines = [row.line for row in rows]
    scores, kind = parse_scores([row.score for row in rows], lines, file.path), "esa"
    if not scores.any() and any(_TYPED.search(row.spans) for row in rows):
        kind, scores = "mqm", np.array([-sum(map(_weight, marked)) for marked in _spans(file.path, rows)])
    for place in np.flatnonzero((scores < 0) | (scores > 100))[: kind == "esa"]:
        problem = f"found the score {rows[place].score}, expected 0 to 100; delete the row if it was not rated"
        raise ReadError(file.path, problem, line=lines[place])
    segments = [row.segment for row in rows]
    labels = [one.label for one in segments]
    cells = lay_out(file.path, [row.system for row in rows], labels, lines, aggregate="mean")
    domains = [one.domain for one in segments]
    several = int((cells.raters > 1).sum())
    notes = [
        f"Appraise export: {len(rows):,} rows of {pair} kept, {int((cells.raters > 0).sum()):,} translations rated",
        *([f"{several:,} translations have several ratings; their mean is the score"] if several else []),
        *([MQM_NOTE] if kind == "mqm" else []),
        *([f"left out of the whole file: {_describe(dropped)}"] if dropped else []),
        *([COUNTED_WHOLE] if all(one.label.startswith(f"{one.document}:") for one in segments) else []),
    ]
    human = cells.with_raters(kind, scores, [row.annotator for row in rows] if by_rater else ())
    if spans:
        human[SPANS] = cells.matrix(np.array([-float(len(marked)) for marked in _spans(file.path, rows)]))
    return cells.evalset(
        file,
        human,
        {},
        name=name,
        pair=pair,
        documents=cells.labels([row.segment.document for row in rows], lines, "the column of documents"),
        domains=cells.labels(domains, lines, "the column of documents") if all(domains) else (),
        standard_reference=REFERENCE if REFERENCE in cells.systems else None,
        gold=kind,
        notes=tuple(notes),
    )


def _read_export(
    source: str | Path | Mapping[str, bytes],
) -> tuple[TextFile, dict[str, list[_Row]], Counter[str]]:
    """The rows that count, by language pair and in the order of the test set, and how many others, by the reason."""
    file = read_text(source, "export of Appraise")
    found: dict[str, list[_Row]] = {}
    dropped: Counter[str] = Counter()
    for line, row in read_rows(file.path, file.text, delimiter_of(file.text)):
        if line == 1 and len(row) == 12 and row[3].strip() not in TYPES:
            continue  # names of the columns
        if len(row) != 12:
            problem = f"found {len(row)} cells, expected 12 ({COLUMNS}); export the annotations of Appraise again"
            raise ReadError(file.path, problem, line=line)
        reason = _reason_to_leave_out(row)
        if reason:
            dropped[reason] += 1
        else:
            segment = _segment(file.path, row, line)
            found.setdefault(segment.language_pair, []).append(
                _Row(line, _system(row), segment, row[6].strip(), row[0].strip(), row[9], row[11])
            )
    if not found:
        raise ReadError(file.path, f"has no row that counts; left out: {_describe(dropped)}; export all annotations")
    for pair, rows in found.items():
        if all(IN_DOCUMENT in row.segment.document for row in rows):
            found[pair] = _by_document(rows, dropped)
        else:  # numbers by size; other labels stay in the order of the file
            rows.sort(key=lambda row: int(row.segment.label) if row.segment.label.isdigit() else 0)
    return file, found, dropped


def _by_document(rows: Sequence[_Row], dropped: Counter[str]) -> list[_Row]:
    """Rows whose numbers count what an annotator saw, by document and place in it; what has no place is left out."""
    parts: dict[tuple[str, str, str], dict[int, _Row]] = {}
    for row in rows:
        document, number = row.segment.document.partition(IN_DOCUMENT)[0], int(row.segment.label)
        part = parts.setdefault((document, row.system, row.annotator), {})
        dropped["that their annotator changed later"] += number in part
        part[number] = max(part.get(number, row), row, key=lambda one: _time(one.end))
    sizes: dict[str, Counter[int]] = {}
    for (document, _, _), part in parts.items():
        sizes.setdefault(document, Counter())[len(part)] += 1
    found, places = [], {document: place for place, document in enumerate(sizes)}
    for (document, _, _), part in parts.items():
        if len(part) != sizes[document].most_common(1)[0][0]:
            dropped["of parts of documents whose place is not known"] += len(part)
            continue
        for place, (_, row) in enumerate(sorted(part.items()), start=1):
            segment = row.segment._replace(document=document, label=f"{document}:{place}")
            found.append((places[document], place, row._replace(segment=segment)))
    dropped += Counter()  # no reason without rows
    return [row for _, _, row in sorted(found, key=lambda item: item[:2])]


def _time(text: str) -> float:
    """When a row was saved; 0 where that is no number."""
    return float(text) if NUMBER.fullmatch(text.strip()) else 0.0


def _weight(span: object) -> float:
    """The weight of one error span."""
    known = span if isinstance(span, dict) else {}
    kind = json.dumps(known.get("error_type")).casefold()
    if "non-translation" in kind:
        return 25
    severity = str(known.get("severity")).casefold()
    return 0.1 if "punctuation" in kind and severity in SEVERITIES else SEVERITIES.get(severity, 0)


def _spans(path: str, rows: Sequence[_Row]) -> Iterator[list[object]]:
    """The error spans that each row marks."""
    for row in rows:
        try:
            marked = json.loads(row.spans or "[]")
        except (ValueError, RecursionError):
            marked = None
        if not isinstance(marked, list):
            problem = f"found the spans {quote(row.spans)}, expected a list in JSON"
            raise ReadError(path, f"{problem}; export the annotations of Appraise again", line=row.line)
        yield marked


def _reason_to_leave_out(row: Sequence[str]) -> str:
    """Why a row does not count; empty if it does."""
    document = row[7]
    if row[3] == "BAD":
        return "of type BAD"
    if "-tutorial" in document or "-tutorial" in row[2]:
        return "of tutorials"
    mark = _MARKS.search(document)
    return f"of documents marked #{mark[1]}" if mark else ""


def _system(row: Sequence[str]) -> str:
    """The system of a row, without the name of the test set where the document names it alone."""
    system, (_, _, named) = row[1].strip(), row[7].partition(IN_DOCUMENT)
    return named if named and system.endswith(f".{named}") else system


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


def _describe(dropped: Counter[str]) -> str:
    return ", ".join(f"{number:,} rows {reason}" for reason, number in dropped.most_common())


def _is_export(_name: str, head: bytes) -> bool:
    """Whether the first row, or that below names, has 12 columns with a type and two languages of three letters."""
    first = head.decode("utf-8", "replace").removeprefix("\ufeff").split("\n", 2)[:2]
    try:
        rows = list(csv.reader(first, delimiter=delimiter_of(first[0])))
    except csv.Error:
        return False
    return any(
        len(row) == 12 and row[3] in TYPES and all(len(code) == 3 and code.isalpha() for code in row[4:6])
        for row in rows
    )


_REFERENCES = re.compile(r"ref[A-Z]")
_HUMAN = re.compile(r"human\d{0,3}", re.ASCII)
_ERRORS = re.compile(r"errors\d{0,3}", re.ASCII)
SPANS = "spans"
EMPTY = "is empty; expected one object per segment"


@dataclass
class _Pair:
    """The segments of one language pair."""

    segments: dict[str, tuple[SegmentId, int]] = field(default_factory=dict)
    sources: list[str] = field(default_factory=list)
    texts: list[dict[str, str]] = field(default_factory=list)
    ratings: list[tuple[int, str, str, str, float]] = field(default_factory=list)
    """Of each score: the line, system, segment, name and score."""


def humeval_pairs(source: str | Path | Mapping[str, bytes]) -> tuple[str, ...]:
    """List the language pairs in a file of human scores, see `read_humeval`.

    Examples
    --------
    >>> line = b'{"scores": {}, "src_text": "a", "tgt_text": {}, "doc_id": "cs-de_DE_#_news_#_d1_#_0"}'
    >>> humeval_pairs({"humeval.jsonl": line})
    ('cs-de_DE',)
    """
    file = one_file("source", source, "file of human scores")
    items = stream_objects(file, len)
    pairs = tuple(dict.fromkeys(_identify(file.path, line, item).language_pair for line, item in items))
    if not pairs:
        raise ReadError(file.path, EMPTY)
    return pairs


def read_humeval(
    source: str | Path | Mapping[str, bytes],
    *,
    language_pair: str | None = None,
    name: str | None = None,
    by_rater: bool = False,
    spans: bool = False,
) -> EvalSet:
    """Read human scores and texts from ``wmt24-genmt-humeval.jsonl`` or ``wmt25-genmt-humeval.jsonl``.

    Each line is an object for one segment, with ``scores``, ``src_text``, ``tgt_text`` and ``doc_id``. A system's
    score is an object with ``human1`` and ``human2`` (WMT25), or a list of objects with a ``score`` each (WMT24).
    Files of up to 256 MB are read line by line.

    Parameters
    ----------
    source : path, or mapping of one name to bytes
        The file.
    language_pair : str, optional
        One of the file's pairs, such as ``cs-de_DE``; needed where it has several.
    name : str, optional
        Name of the set; None: the name of the file without its ending.
    by_rater : bool
        Whether the human scores are the mean of all annotators, ``esa``, which is the gold score, and those of each
        annotator, ``esa-ANNOTATOR``, instead of ``esa-human1`` and the like.
    spans : bool
        Whether the human score ``spans`` is made too: the number of marked error spans, negated, as a mean over all
        annotators; 0 is none.

    Returns
    -------
    EvalSet
        It holds no metric. Human scores are named after the protocol, ``esa`` unless the file names one: from
        ``human1`` and ``human2`` come ``esa-human1``, ``esa-human2`` and ``esa-merged``, their mean (of those that
        are there), and ``esa-human1`` is the gold score, as in mt-metrics-eval; a list becomes ``esa``, the mean of
        its scores. Systems are those with a score; segments that were not selected for evaluation stay, with NaN. A
        segment's name is its line in the test set (WMT24), or what follows the pair in its ``doc_id`` (WMT25).
        Sources, outputs and references are kept; an output that the file lacks is empty. ``refA`` counts as the
        standard reference.

    Raises
    ------
    ReadError
        If a line is not such an object or a score is no number; the message names file and line.
    InputError
        If the file has several language pairs and none is chosen; the message lists them.

    References
    ----------
    github wmt-conference/wmt24-news-systems and wmt-conference/wmt25-general-mt.

    Examples
    --------
    >>> line = (b'{"scores": {"A": {"human1": 70, "human2": 90}}, "src_text": "Ahoj", "tgt_text": {"A": "Hallo"},'
    ...         b' "doc_id": "cs-de_DE_#_news_#_d1_#_0"}')
    >>> data = read_humeval({"humeval.jsonl": line})
    >>> data.segments, data.gold, data.human["esa-merged"]
    (('news_#_d1_#_0',), 'esa-human1', array([[80.]]))
    """
    file, digest = one_file("source", source, "file of human scores"), hashlib.sha256()
    found: dict[str, _Pair] = {}
    for line, item in stream_objects(file, digest.update):
        segment = _identify(file.path, line, item)
        pair = found.setdefault(segment.language_pair, _Pair())
        if language_pair == segment.language_pair or (language_pair is None and len(found) == 1):
            _add(pair, file.path, line, segment, item, by_rater, spans)
    if not found:
        raise ReadError(file.path, EMPTY)
    chosen = choose("language_pair", language_pair, found, file.path)
    if chosen != language_pair and language_pair is not None:
        return read_humeval(source, language_pair=chosen, name=name, by_rater=by_rater, spans=spans)
    return _evalset(TextFile(file.path, "", digest.hexdigest()), chosen, found[chosen], name)


def _identify(path: str, line: int, item: Mapping[str, Any]) -> SegmentId:
    """The segment of an object."""
    if not isinstance(item.get("doc_id"), str) or not isinstance(item.get("scores"), dict):
        refuse(path, 'one segment with "scores" and "doc_id", as WMT published it', item, line=line)
    return split_id(path, item["doc_id"], line)


def _add(
    pair: _Pair, path: str, line: int, segment: SegmentId, item: Mapping[str, Any], by_rater: bool, spans: bool
) -> None:
    """Keep texts and ratings of one segment."""
    _, before = pair.segments.setdefault(segment.label, (segment, line))
    if before != line:
        problem = f"found the segment {quote(segment.label)} again, after line {before}; keep one of the two lines"
        raise ReadError(path, problem, line=line)
    source, texts = item.get("src_text", ""), item.get("tgt_text", {})
    if not isinstance(source, str):
        refuse(path, 'a text in "src_text"', source, line=line)
    if not isinstance(texts, dict) or not all(isinstance(text, str | None) for text in texts.values()):
        refuse(path, 'one text per system in "tgt_text"', texts, line=line)
    pair.sources.append(source)
    pair.texts.append({system: text for system, text in texts.items() if text is not None})
    for system, given in item["scores"].items():
        if not system.strip():
            raise ReadError(path, "found a system without a name; name it", line=line)
        named = _scores(path, line, system, given, by_rater)
        pair.ratings += [(line, system, segment.label, human, score) for human, score in named]
        for one in (given if isinstance(given, list) else [given]) if spans else ():
            marked = [found for key, found in one.items() if _ERRORS.fullmatch(key) and isinstance(found, list)]
            pair.ratings += [(line, system, segment.label, SPANS, -float(len(found))) for found in marked]


def _scores(path: str, line: int, system: str, given: Any, by_rater: bool) -> Iterator[tuple[str, float]]:
    """The scores that a system got for one segment, with their names: of protocols, and of those who gave them."""
    ones, of = given if isinstance(given, list) else [given], f" of {quote(system)}"
    if not all(isinstance(one, dict) for one in ones):
        refuse(path, f'an object with "human1", or a list of objects with "score",{of}', given, line=line)
    for one in ones:
        protocol = _protocol(one)
        for key in ["score"] if isinstance(given, list) else filter(_HUMAN.fullmatch, one):
            score = to_score(path, one.get(key), line=line, place=of)
            if not by_rater:
                numbered = key not in ("score", "human")
                yield f"{protocol}-{key}" if numbered else protocol, score
                if numbered:
                    yield f"{protocol}-merged", score
            elif key in one:
                annotator = one.get(f"annotator{key.removeprefix('human').removeprefix('score')}")
                if not isinstance(annotator, str) or not annotator.strip():
                    refuse(path, f'an "annotator" beside "{key}"{of}', annotator, line=line)
                yield protocol, score
                yield f"{protocol}-{annotator.strip()}", score


def _protocol(given: Mapping[str, Any]) -> str:
    """The protocol as the file names it, or ESA."""
    named = given.get("protocol")
    return named.strip().lower() if isinstance(named, str) and named.strip() else "esa"


def _evalset(file: TextFile, pair: str, found: _Pair, name: str | None) -> EvalSet:
    """The set of one language pair."""
    if not found.ratings:
        raise ReadError(file.path, f"has no human score of {pair}; choose another language pair")
    human = _matrices(file.path, found)
    systems = tuple(dict.fromkeys(system for _, system, *_ in found.ratings))
    ids = [segment for segment, _ in found.segments.values()]
    having = {system for texts in found.texts for system in texts}
    references = sorted(filter(_REFERENCES.fullmatch, having))
    unrated = sorted(having - {*systems, *references})
    rated = np.any([~np.isnan(scores).all(axis=0) for scores in human.values()], axis=0).sum()
    first = [one for one in human if one.endswith("-human1")]
    notes = [f"human scores of WMT's general task: {rated:,} of {len(ids):,} segments of {pair} are rated"]
    lists = [one for one in human if "-" not in one and one != SPANS]
    averages = first or lists or [one for one in human if one != SPANS]
    notes += [f"{one} is the mean of all scores that a translation got" for one in lists]
    if unrated:
        notes.append(f"left out, as nobody rated them: {known_names(unrated)}")

    def texts_of(system: str) -> tuple[str, ...]:
        return tuple(texts.get(system, "") for texts in found.texts)

    return EvalSet(
        file.stem if name is None else name,
        pair,
        systems,
        tuple(segment.label for segment in ids),
        human,
        {},
        documents=tuple(segment.document for segment in ids),
        domains=tuple(segment.domain for segment in ids),
        sources=tuple(found.sources),
        references={one: texts_of(one) for one in references},
        outputs={one: texts_of(one) for one in systems if one in having},
        standard_reference=REFERENCE if REFERENCE in systems else None,
        gold=averages[0] if len(averages) == 1 else None,
        digest=file.digest,
        notes=tuple(notes),
    )


def _matrices(path: str, found: _Pair) -> dict[str, FloatArray]:
    """Each human score as (systems, segments), with the segments that nobody rated."""
    lines, systems, segments, humans, scores = zip(*found.ratings, strict=True)
    names = sorted(set(humans))
    cells = lay_out(path, systems, segments, lines, aggregate="mean", columns=len(names))
    places = {label: place for place, label in enumerate(found.segments)}
    columns = [places[label] for label in cells.segments]
    matrices = {name: np.full((len(cells.systems), len(places)), np.nan) for name in names}
    for name, matrix in matrices.items():
        matrix[:, columns] = cells.matrix(np.where(np.array(humans) == name, scores, np.nan))
    return matrices


_SCORES_OF = re.compile(rb'"scores":\{("(?:[^"\\]|\\.)*":[\[{]|\})')
"""How the scores of systems begin, each in an object or a list; a judge's of several aspects are numbers."""


def _is_humeval(_name: str, head: bytes) -> bool:
    """Whether the first line begins as an object of one segment with its scores."""
    start = compact(head)
    known = (b'"doc_id":', b'"src_text":', b'"human1":', b'"annotator')
    is_of_systems = _SCORES_OF.search(start) is not None and b'"system":' not in start
    return start.startswith(b"{") and is_of_systems and any(key in start for key in known)


APPRAISE_FORMAT = Format(
    name="appraise",
    label="human scores from Appraise (ESA, CSV)",
    upload="The export",
    recognizes=_is_export,
    read=read_appraise,
    asks=lambda files, _: question(
        "language_pair", "Language pair", appraise_pairs(files), key="upload_pair", always=True
    ),
)

HUMEVAL_FORMAT = Format(
    name="humeval",
    label="human scores of WMT24 or WMT25 (…-humeval.jsonl)",
    upload="The file of human scores",
    recognizes=_is_humeval,
    read=read_humeval,
    asks=lambda files, _: question(
        "language_pair", "Language pair", humeval_pairs(files), key="upload_pair", always=True
    ),
)
