"""How are COMET's results read? The JSON of comet-score, and what it prints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tiekit.base.errors import ReadError, quote
from tiekit.base.names import known_names, row_names, short
from tiekit.base.validation import FloatArray
from tiekit.readers._cells import lay_out, line_label
from tiekit.readers._json import all_texts, compact, parse_json, refuse, to_score
from tiekit.readers._numbers import parse_scores
from tiekit.readers._questions import Format, check_text
from tiekit.readers._source import TextFile, read_text
from tiekit.sets.evalset import EvalSet
from tiekit.sets.labels import are_counted

FIELD = "COMET"
_TEXTS = ("src", "mt", "ref")


def read_comet(source: str | Path | Mapping[str, bytes], *, metric: str = FIELD, name: str | None = None) -> EvalSet:
    """Read segment scores from ``comet-score --to_json FILE``, or from what ``comet-score`` printed.

    The JSON file is an object: each system's path, with a list of one object per segment in the order of the segments.
    The printed lines are ``PATH<tab>Segment 0<tab>score: 0.9100``; the lines with the systems' own scores are skipped.

    Parameters
    ----------
    source : path, or mapping of one name to bytes
        The file.
    metric : str
        Name of the metric in the set. Objects without a field ``COMET`` must have a field of this name.
    name : str, optional
        Name of the set; None: the name of the file without its ending.

    Returns
    -------
    EvalSet
        One metric, no human score. Systems are named by their paths as given; segments ``"1"`` to ``"n"``. Sources,
        references and outputs are kept from a JSON file. Higher is better; null and NaN are missing.

    Raises
    ------
    ReadError
        If systems have different numbers of segments or other sources, or a score is no number; the message names the
        file and the line, or the system and its segment.

    References
    ----------
    github Unbabel/COMET, ``comet/cli/score.py``.

    Examples
    --------
    >>> data = read_comet({"out.json": b'{"a.txt": [{"COMET": 0.5}], "b.txt": [{"COMET": 0.7}]}'}, metric="COMET-22")
    >>> data.systems, data.metrics["COMET-22"]
    (('a.txt', 'b.txt'), array([[0.5],
           [0.7]]))
    >>> read_comet({"out.txt": b"a.txt\\tSegment 0\\tscore: 0.5000\\na.txt\\tscore: 0.5000\\n"}).metrics["COMET"]
    array([[0.5]])
    """
    check_text("metric", metric)
    file = read_text(source, "result of comet-score")
    return (_from_json if file.is_json else _from_lines)(file, metric, file.stem if name is None else name)


def _from_json(file: TextFile, metric: str, name: str) -> EvalSet:
    """The set of an object that holds a list of objects for each system."""
    path, found = file.path, _lists(file)
    first, *_ = found
    key = FIELD if FIELD in found[first][0] else metric
    texts = {kind: {system: all_texts(found[system], kind) for system in found} for kind in _TEXTS}
    for kind, what in (("src", "source"), ("ref", "reference")):
        _check_same(path, texts[kind], what)
    reference = texts["ref"][first]
    return numbered_evalset(
        name,
        found,
        {metric: [[_score(path, system, *item, key) for item in enumerate(found[system], 1)] for system in found]},
        sources=texts["src"][first],
        references={"ref": reference} if reference else {},
        outputs={system: outputs for system, outputs in texts["mt"].items() if outputs},
        digest=file.digest,
        notes=(f"comet-score JSON: the field {key} of {len(found)} systems, {len(found[first]):,} segments each",),
    )


def _lists(file: TextFile) -> dict[str, list[dict[str, Any]]]:
    """The list of each system, all of one length."""
    found, what = parse_json(file.path, file.text), "segments (objects, as comet-score --to_json writes them)"
    if not isinstance(found, dict) or not found:
        refuse(file.path, f"an object with a list of {what} for each system", found)
    first, *_ = found
    for system, items in found.items():
        if not isinstance(items, list) or not items or not all(isinstance(item, dict) for item in items):
            refuse(file.path, f"a list of {what} for {quote(system)}", items)
        if not system.strip():
            raise ReadError(file.path, "holds a system without a name; name it")
        check_lengths(file.path, (first, len(found[first])), (system, len(items)))
    return found


def numbered_evalset(
    name: str, systems: Iterable[str], metrics: Mapping[str, Sequence[Sequence[float] | FloatArray]], **known: Any
) -> EvalSet:
    """The scores of metrics, one row per system, of segments named by their number."""
    matrices = {metric: np.array(rows) for metric, rows in metrics.items()}
    size = next(iter(matrices.values())).shape[1]
    return EvalSet(name, "", tuple(systems), row_names(size), {}, matrices, **known)


def _score(path: str, system: str, place: int, item: Mapping[str, Any], key: str) -> float:
    """The score of one segment."""
    if key not in item:
        numbers = [field for field, value in item.items() if isinstance(value, int | float)]
        hint = f"; pass metric={short(numbers[0])!r}" if numbers else ""
        problem = f"segment {place} of {quote(system)} has no field {quote(key)}, only {known_names(item)}"
        raise ReadError(path, problem + hint)
    return to_score(path, item[key], place=f" for segment {place} of {quote(system)}")


def _check_same(path: str, texts: Mapping[str, tuple[str, ...]], what: str) -> None:
    """Refuse systems whose segments have other sources or references: they are not the same segments."""
    first, *_ = texts
    for system, found in texts.items():
        for place, (text, expected) in enumerate(zip(found, texts[first], strict=False), start=1):
            if text != expected:
                problem = f"segment {place} of {quote(system)} has another {what} than that of {quote(first)}"
                raise ReadError(path, f"{problem}; score all systems on the same segments, in the same order")


def check_lengths(path: str, first: tuple[str, int], other: tuple[str, int]) -> None:
    """Refuse a system that has not as many segments as the first one."""
    if first[1] != other[1]:
        problem = f"{quote(other[0])} has {other[1]:,} segments, but {quote(first[0])} has {first[1]:,}"
        raise ReadError(path, f"{problem}; score all systems on the same segments")


def _from_lines(file: TextFile, metric: str, name: str) -> EvalSet:
    """The set of the lines that comet-score prints."""
    path = file.path
    rows = [(line, *_split(path, line, row, name)) for line, row in enumerate(file.lines, start=1) if row.strip()]
    segments = sorted((row for row in rows if row[2]), key=lambda row: int(row[2]))
    if not segments:
        problem = "holds scores of whole systems only; run comet-score without --only_system, or with --to_json"
        raise ReadError(path, problem, line=rows[0][0])
    lines, systems, labels, tokens = zip(*segments, strict=True)
    cells = lay_out(path, systems, labels, lines)
    counts = cells.raters
    rated = dict(zip(cells.systems, counts.sum(axis=1).tolist(), strict=True))
    for one in rated.items():
        check_lengths(path, (cells.systems[0], rated[cells.systems[0]]), one)
    for place in np.flatnonzero(counts.min(axis=0) == 0)[:1]:
        problem = f"segment {cells.segments[place]} is not there for every system; copy all of the output"
        raise ReadError(path, problem)
    note = f"printed by comet-score: {len(cells.systems)} systems, {len(cells.segments):,} segments each"
    scores = {metric: cells.matrix(parse_scores(tokens, lines, path))}
    data = cells.evalset(file, {}, scores, name=name, notes=(note,))
    # All lines from 0 on are places, as those of the JSON are, and no names of segments.
    return replace(data, segments=row_names(len(data.segments))) if are_counted(data.segments) else data


def _split(path: str, line: int, row: str, name: str) -> tuple[str, str, str]:
    """System, segment (empty for the score of a whole system) and score of a line; one system may go unnamed."""
    *names, last = (cell.strip() for cell in row.split("\t"))
    if last.startswith("score:") and len(names) <= 2:
        token = last.removeprefix("score:").strip()
        number = names.pop().removeprefix("Segment ") if names and names[-1].startswith("Segment ") else ""
        label = line_label(number) if number else ""
        if label is not None and len(names) <= 1:
            return (names[0] if names else name), label, token
    expected = "PATH<tab>Segment 0<tab>score: 0.91, as comet-score prints it"
    raise ReadError(path, f"expected {expected}; found {quote(row)}; delete what is not a score", line=line)


def _recognizes(_name: str, head: bytes) -> bool:
    """Whether the first list holds objects with COMET's fields, or the first line is one that comet-score prints."""
    start = compact(head)
    if start.startswith(b'{"'):
        key, mark, rest = start.partition(b'":[{')
        return bool(mark) and b'":' not in key and (b'"mt":' in rest or b'"COMET":' in rest)
    cells = head.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")[0].strip().split(b"\t")
    segment = len(cells) > 1 and cells[-2].startswith(b"Segment ")
    return cells[-1].startswith(b"score:") and (segment or len(cells) == 2)


FORMAT = Format(
    name="comet",
    label="COMET: the JSON file or the output of comet-score",
    upload="The result of comet-score",
    recognizes=_recognizes,
    read=read_comet,
)
