"""How are files with one score per line read? One file per system, or one per metric."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import numpy as np

from tiekit.base.errors import InputError, ReadError, quote
from tiekit.base.names import short
from tiekit.base.validation import FloatArray
from tiekit.readers._amounts import check_rows, each_line
from tiekit.readers._json import compact
from tiekit.readers._numbers import (
    COMMAS_READ,
    DECIMAL_COMMA,
    MISSING,
    are_decimals,
    number_like,
    parse_scores,
    with_minus,
)
from tiekit.readers._questions import Choice, Choices, Format, Upload, check_text
from tiekit.readers._source import File, Files, files_by_stem
from tiekit.readers.formats.comet import check_lengths, numbered_evalset
from tiekit.sets.evalset import EvalSet

FilesAre: TypeAlias = Literal["systems", "metrics"]

EQUALS = " = "
_BARE = re.compile(r"BLEU|chrF\d?\+*|TER")
"""The metrics that sacreBLEU names without a signature, too."""

LOWER_IS_BETTER = frozenset({"TER"})
_PLAIN = frozenset("0123456789.+-eE")
_ENOUGH = 4096
AT_ONCE = 2**15
"""The number of lines whose scores become numbers at once."""

MOST_SCORES = 5
"""A file in which one line in so many is no score is taken for a file of scores with a slip."""


@dataclass(frozen=True)
class _Lines:
    """One file: its scores in the order of the lines, and the metric that sacreBLEU names in each line."""

    path: str
    scores: FloatArray
    metric: str | None
    commas: bool = False


def read_score_lines(
    source: str | Path | Sequence[str | Path] | Mapping[str, bytes],
    *,
    files_are: FilesAre = "systems",
    metric: str | None = None,
    system: str = "all",
    name: str | None = None,
) -> EvalSet:
    """Read files with one score per line, in the order of the segments.

    A line is a number (sacreBLEU with ``-sl -b``, BLEURT, Remedy), a missing score (``nan``, ``NA``, ``None``,
    ``null``), or sacreBLEU's ``chrF2|nrefs:1|case:mixed = 43.1`` or ``chrF2 = 43.1`` (``-sl`` without ``-b``). Decimal
    commas are read, and a note says so, where they are decimal without doubt (``-0,25``, or ``0,91`` in all lines).

    Parameters
    ----------
    source : path, several paths, or mapping of names to bytes
        The files. All have one line for each segment.
    files_are : {"systems", "metrics"}
        Whether each file holds the scores of another system, by one metric, or of another metric, for one system.
    metric : str, optional
        Name of the metric where files are systems. None: as sacreBLEU's lines or the first line name it, otherwise
        ``score``.
    system : str
        Name of the system where files are metrics.
    name : str, optional
        Name of the set; None: the name of the first file without its ending.

    Returns
    -------
    EvalSet
        Systems or metrics are named after the files, without folders and the last ending; segments are ``"1"`` to
        ``"n"``. There is no human score. TER, on which lower is better, is negated where sacreBLEU names it; for
        other such metrics use `EvalSet.adjusted`.

    Raises
    ------
    ReadError
        If a line is not one number, or files have different numbers of lines; the message names file and line.
    InputError
        If two files have one name, or ``files_are`` is neither.

    References
    ----------
    github mjpost/sacrebleu and google-research/bleurt.

    Examples
    --------
    >>> data = read_score_lines({"SysA.txt": b"0.91\\n0.55\\n", "SysB.txt": b"0.31\\n0.95\\n"}, metric="BLEURT")
    >>> data.systems, data.metrics["BLEURT"]
    (('SysA', 'SysB'), array([[0.91, 0.55],
           [0.31, 0.95]]))
    >>> read_score_lines({"A.txt": b"chrF2|nrefs:1 = 43.1\\n"}).metrics["chrF2"]
    array([[43.1]])
    """
    if files_are not in get_args(FilesAre):
        raise InputError(f"files_are: must be one of {', '.join(get_args(FilesAre))}, found {files_are!r}")
    check_text("system", system)
    if metric is not None:
        check_text("metric", metric)
    files, named = Files({}), dict[str, _Lines]()
    for called, file in files_by_stem(source).items():
        named[called] = _read(files, file)
        first = next(iter(named))
        check_lengths(file.path, (first, len(named[first].scores)), (called, len(named[called].scores)))
    scores = {
        called: -lines.scores if lines.metric in LOWER_IS_BETTER else lines.scores for called, lines in named.items()
    }
    negated = sorted({str(lines.metric) for lines in named.values()} & LOWER_IS_BETTER)
    is_system = files_are == "systems"
    return numbered_evalset(
        first if name is None else name,
        named if is_system else (system,),
        {_metric_of(named, metric): list(scores.values())} if is_system else {one: [scores[one]] for one in scores},
        digest=files.digest,
        notes=(
            f"one score per line: {len(named)} files, taken for {files_are}, of {len(scores[first]):,} segments",
            *(f"{one} is negated, as lower is better on it" for one in negated),
            *([COMMAS_READ] if any(lines.commas for lines in named.values()) else []),
        ),
    )


def _metric_of(named: Mapping[str, _Lines], metric: str | None) -> str:
    """The metric of all files: as asked for, or as sacreBLEU names it."""
    if metric is not None:
        return metric
    (first, lines), *others = named.items()
    for called, other in others:
        if other.metric != lines.metric:
            here, there = (short(found.metric or "numbers") for found in (other, lines))
            problem = f"holds {here}, but {quote(first)} holds {there}"
            raise ReadError(
                other.path, f"{problem}; pass files_are='metrics' if each file of {called} is another metric"
            )
    return lines.metric or "score"


def _read(files: Files, file: File) -> _Lines:
    """The scores of one file."""
    text = files.text(file).rstrip()
    if compact(text[:_ENOUGH].encode()).startswith((b"{", b"[")):
        problem = "is JSON with the score of a whole system; run sacrebleu with -sl, which prints one score per segment"
        raise ReadError(file.path, problem, line=1)
    header, _, rest = text.partition("\n")
    called = header.strip().strip('"') if _is_header(header, rest[:_ENOUGH].split("\n")) else ""
    text = rest if called else text
    numbers = range(1 + bool(called), text.count("\n") + 2 + bool(called))
    check_rows(file.path, len(numbers))
    first, _ = _split(text.partition("\n")[0].strip())
    commas = "," in text and are_decimals(_tokens(file.path, text, numbers))
    tokens, scores = _tokens(file.path, text, numbers), np.empty(len(numbers))
    for start in range(0, len(numbers), AT_ONCE):
        some, lines = list(islice(tokens, AT_ONCE)), numbers[start : start + AT_ONCE]
        some = _with_points(file.path, some, lines) if commas else some
        scores[start : start + AT_ONCE] = parse_scores(some, lines, file.path)
    return _Lines(file.path, scores, called or first, commas)


def _tokens(path: str, text: str, numbers: Sequence[int]) -> Iterator[str]:
    """The score of each line, whose lines have these numbers, as text; all lines are of one kind."""
    named = EQUALS in text
    first, _ = _split(text.partition("\n")[0].strip())
    for line, row in zip(numbers, map(str.strip, each_line(text)), strict=True):
        metric, token = _split(row) if named else (None, row)
        if metric != first:
            problem = f"expected {f'a score of {short(first)}' if first else 'a number alone'} as in line {numbers[0]}"
            raise ReadError(path, f"{problem}, found {quote(row)}; keep one kind of line", line=line)
        if not token or " " in token or "\t" in token:
            problem = f"expected one score per line, found {quote(row)}; "
            problem += "leave this line out if it is a mean, or " * bool(row) + "write nan where a score is missing"
            raise ReadError(path, problem, line=line)
        yield token


def _is_header(header: str, rows: Sequence[str]) -> bool:
    """Whether the first line is the name of a column: one word above scores, the next of which is a number."""
    word = header.strip()
    return bool(
        rows
        and _is_score(rows[0].strip())
        and word
        and len(word.split()) == 1
        and not _is_score(word)
        and not any(mark in word for mark in "=,;")
        and not number_like(word)
    )


def _with_points(path: str, tokens: Sequence[str], numbers: Sequence[int]) -> list[str]:
    """Scores with decimal points for decimal commas; both in one file are refused."""
    for line, token in zip(numbers, tokens, strict=True):
        if "." in token:
            problem = f"found a decimal point, {quote(token)}, where other lines have decimal commas"
            raise ReadError(path, f"{problem}; write decimal points in all", line=line)
    return [token.replace(",", ".") if DECIMAL_COMMA.fullmatch(token) else token for token in tokens]


def _split(row: str) -> tuple[str | None, str]:
    """The metric that sacreBLEU names in a line, and the score; further numbers, as BLEU has them, are left out."""
    signature, equals, rest = row.partition(EQUALS)
    if not equals:
        return None, row
    mark = "|" if "|" in signature or _BARE.fullmatch(signature) else "+"
    return signature.partition(mark)[0], rest.split(" ")[0]


def _recognizes(name: str, head: bytes) -> bool:
    """Whether every line is one number or one of sacreBLEU's, or the file is sacreBLEU's JSON."""
    start = compact(head)
    if start.startswith((b'{"name":', b'[{"system":')):
        is_one = start.startswith(b"{") and b'"score":' in start  # a list may be a table
        return is_one or b'"BLEU":"' in start or b'"chrF2":"' in start
    if name.lower().endswith((".json", ".jsonl")):
        return False
    rows = head.decode("utf-8", "replace").removeprefix("\ufeff").rstrip().split("\n")
    whole = rows[:-1] if len(head) >= _ENOUGH and len(rows) > 1 else rows
    rows = [row.strip() for row in whole]
    if len(rows) > 1 and _is_header(rows[0], rows[1:]):
        rows = rows[1:]
    commas = are_decimals(rows)
    odd = [row for row in rows if not (_is_score(row) or (commas and DECIMAL_COMMA.fullmatch(row)))]
    is_mean = len(head) < _ENOUGH and odd == rows[-1:]
    if not is_mean and any(" " in row or "\t" in row or DECIMAL_COMMA.fullmatch(row) for row in odd):
        return False
    return len(rows) >= MOST_SCORES * len(odd)  # the reader names the line of what is none


def _is_score(row: str) -> bool:
    """Whether a line is one score, perhaps with sacreBLEU's signature."""
    metric, token = _split(row)
    if metric is not None and not ("|" in row or "+" in row or _BARE.fullmatch(metric)):
        return False
    return bool(token) and (
        (token in MISSING and any(map(str.isalpha, token)))
        or (_PLAIN.issuperset(with_minus(token)) and any(c.isdigit() for c in token))
    )


def _ask(files: Upload, _chosen: Choices) -> Iterator[Choice]:
    """Ask what the files are, if there are several."""
    if len(files) > 1:
        label = "What does each file hold?"
        yield Choice("files_are", label, get_args(FilesAre), get_args(FilesAre)[:1], "lines_are", several=False)


FORMAT = Format(
    name="score_lines",
    label="files with one score per line (sacreBLEU -sl, BLEURT, Remedy)",
    upload="The files of scores",
    several=True,
    recognizes=_recognizes,
    read=read_score_lines,
    asks=_ask,
)
