"""How are MetricX's results read? What `predict` writes, and the table that `evaluate` reads."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tiekit.base.errors import InputError, ReadError, RoleWarning, quote, warn
from tiekit.base.names import ALIASES, TEXTS, known_names, row_names
from tiekit.readers._cells import Aggregate, lay_out
from tiekit.readers._columns import Table, read_columns, with_points
from tiekit.readers._json import compact, objects, to_name, to_score
from tiekit.readers._questions import Format, check_text
from tiekit.readers._score_names import is_named_human
from tiekit.readers._source import read_text
from tiekit.readers.formats.comet import check_lengths
from tiekit.sets.evalset import EvalSet

_SCORE, _HUMAN = "prediction", "label"
_SOURCE, _OUTPUT = "source", "hypothesis"
_SYSTEM = ("system_id", "system", "model", "model_id", *(name for name in ALIASES["system"] if name != "candidate"))
_NUMBERED = ("segment_id", "segment", "seg_id")
_SEGMENT = (*_NUMBERED, "id", "example_id", *(name for name in ALIASES["segment"] if name not in TEXTS))


def read_metricx(
    source: str | Path | Mapping[str, bytes],
    *,
    metric: str = "MetricX",
    first_segment: int | None = None,
    aggregate: Aggregate = "error",
    name: str | None = None,
) -> EvalSet:
    """Read MetricX's predictions: JSON Lines from ``predict``, or JSON Lines or CSV for ``evaluate``.

    ``prediction`` is an error score from 0 to 25, on which lower is better. It is negated here, so that higher is
    better.

    Parameters
    ----------
    source : path, or mapping of one name to bytes
        The file.
    metric : str
        Name of the metric in the set.
    first_segment : int, optional
        The number in ``segment_id`` that stands for the first segment; None: 0, or 1 if no number is smaller.
    aggregate : {"error", "mean", "median", "sum"}
        What is done with several rows of one system and segment.
    name : str, optional
        Name of the set; None: the name of the file without its ending.

    Returns
    -------
    EvalSet
        The metric, and the human score ``label`` (higher is better) where the file has one. A numbered segment is
        named by its line from 1 on. Rows without a segment are numbered within their system; rows without a system
        belong to one system with the name of the file. Sources and outputs (``source``, ``hypothesis``) are kept.

    Raises
    ------
    ReadError
        If a row lacks ``prediction`` or it is no number, or systems have other sources for a segment; the message names
        file and line.
    InputError
        If ``first_segment`` is no whole number.

    Warns
    -----
    RoleWarning
        If no row has the first segment: perhaps the numbers begin with another one.

    References
    ----------
    github google-research/metricx.

    Examples
    --------
    >>> rows = b"system_id,segment_id,label,prediction\\nA,0,-1,1.25\\nA,1,0,0.25\\n"
    >>> data = read_metricx({"eval.csv": rows}, metric="MetricX-24")
    >>> data.metrics["MetricX-24"], data.human["label"], data.segments
    (array([[-1.25, -0.25]]), array([[-1.,  0.]]), ('1', '2'))
    """
    check_text("metric", metric)
    if first_segment is not None and (not isinstance(first_segment, int) or isinstance(first_segment, bool)):
        raise InputError(f"first_segment: must be a whole number, found {first_segment!r}")
    file = read_text(source, "file of predictions")
    path, items = file.path, objects(file.path, file.text) if file.is_json else _rows(read_columns(file))
    for line, item in items:
        if _SCORE not in item:
            problem = f'has no "{_SCORE}", only {known_names(item)}; run MetricX\'s predict on the file first'
            raise ReadError(path, problem, line=line)
    lines = [line for line, _ in items]
    called = file.stem if name is None else name
    systems = [
        to_name(path, next((item[key] for key in _SYSTEM if key in item), called), "a system", line=line)
        for line, item in items
    ]
    segments, first = _segments(path, items, systems, first_segment)
    cells = lay_out(path, systems, segments, lines, aggregate=aggregate, columns=2)
    scores = -np.array([to_score(path, item[_SCORE], line=line, place=f" in {_SCORE}") for line, item in items])
    human = [to_score(path, item.get(_HUMAN), line=line, place=f" in {_HUMAN}") for line, item in items]
    rated = any(_HUMAN in item for _, item in items)
    note = f"MetricX: {len(items):,} predictions, negated as lower is better on them"
    rows = [item for _, item in items]
    others = items[0][1].keys() - {_SCORE, _HUMAN, *_SYSTEM, *_SEGMENT}
    left = sorted(key for key in others if is_named_human(key) and type(items[0][1][key]) in (int, float))
    if left:
        told = f"took {_SCORE} for MetricX's errors, negated, and left out {known_names(left)}"
        warn(f"{path}: {told}; if it is another model's, pass format='table'", RoleWarning)
    return cells.evalset(
        file,
        {_HUMAN: cells.matrix(np.array(human), _HUMAN)} if rated else {},
        {metric: cells.matrix(scores, f"{_SCORE}, negated")},
        name=called,
        sources=cells.sources(_texts(rows, _SOURCE), lines),
        outputs=cells.outputs(_texts(rows, _OUTPUT)),
        gold=_HUMAN if rated else None,
        notes=(note, *([] if first is None else [f"segment_id {first} is segment 1"])),
    )


def _texts(rows: Sequence[Mapping[str, Any]], key: str) -> list[str]:
    """The text of each row under a key; none at all where no row has one."""
    found = [row.get(key) for row in rows]
    return [text if isinstance(text, str) else "" for text in found] if any(found) else []


def _rows(table: Table) -> list[tuple[int, dict[str, Any]]]:
    """The rows of a CSV or TSV by column, each with its line."""
    delimiter = ";" if table.commas else ","
    columns = [with_points([cell.strip() for cell in table.cells(name)], delimiter) for name in table.columns]
    rows = (dict(zip(table.columns, row, strict=True)) for row in zip(*columns, strict=True))
    return list(zip(table.lines, rows, strict=True))


def _segments(
    path: str, items: Sequence[tuple[int, Mapping[str, Any]]], systems: Sequence[str], first: int | None
) -> tuple[Sequence[str], int | None]:
    """The label of each row's segment, and the number that stands for the first one, where there are numbers."""
    key = next((key for key in _SEGMENT if any(key in item for _, item in items)), None) or _naming(
        path, items, systems
    )
    if key is None and len(set(systems)) == 1:
        return row_names(len(items)), None
    if key is None:
        counts = {system: itertools.count(1) for system in systems}
        places = [next(counts[system]) for system in systems]
        lengths = dict(zip(systems, places, strict=True))
        for system, number in lengths.items():
            check_lengths(path, (systems[0], lengths[systems[0]]), (system, number))
        return list(map(str, places)), None
    names = [to_name(path, item.get(key), f'a segment in "{key}"', line=line) for line, item in items]
    if key not in _NUMBERED or not all(name.isascii() and name.isdigit() and len(name) < 10 for name in names):
        return names, None
    numbers = list(map(int, names))
    smallest = min(numbers)
    taken = (1 if smallest == 1 else 0) if first is None else first
    if smallest != taken or (taken == 1 and first is None):
        problem = f"the smallest segment number is {smallest}, and {taken} is taken for the first segment"
        warn(f"{path}: {problem}; if that is wrong, pass first_segment=", RoleWarning)
    return [str(number - taken + 1) for number in numbers], taken


def _naming(path: str, items: Sequence[tuple[int, Mapping[str, Any]]], systems: Sequence[str]) -> str | None:
    """The first field with whole numbers, or with texts without spaces, of which each row of a system has another."""
    for key in (
        sorted(items[0][1].keys() - {_SCORE, _HUMAN, _SOURCE, _OUTPUT, "reference", *_SYSTEM}) if len(items) > 1 else ()
    ):
        found = [item.get(key) for _, item in items]
        is_name = all(type(one) is int or (isinstance(one, str) and one and " " not in one) for one in found)
        if is_name and len({*zip(systems, found, strict=True)}) == len(items):
            warn(f"{path}: took {quote(key)} for the segments, as it tells the rows of a system apart", RoleWarning)
            return key
    return None


_EVALUATED = b"system_id", b"segment_id", b"label"
"""What stands beside predictions without texts, so that they are MetricX's and not those of any other model."""


def _recognizes(_name: str, head: bytes) -> bool:
    """Whether the first object or the header has MetricX's fields."""
    start = compact(head)
    if start.startswith((b"{", b"[{")):
        first = compact(head.lstrip().partition(b"\n")[0])
        is_evaluated = all(b'"%s":' % key in first for key in _EVALUATED)
        is_predicted = b'"prediction":' in start and b'"prediction":{' not in start
        return is_predicted and (b'"hypothesis":' in first or is_evaluated)
    first = head.removeprefix(b"\xef\xbb\xbf").partition(b"\n")[0].replace(b"\t", b",").replace(b";", b",")
    header = {cell.strip(b' \r"').lower() for cell in first.split(b",")}
    return header >= {*_EVALUATED, b"prediction"} and len(header) <= 5


FORMAT = Format(
    name="metricx",
    label="MetricX: predictions (JSON Lines or CSV)",
    upload="The predictions",
    recognizes=_recognizes,
    read=read_metricx,
)
