"""How does a file of lines SYSTEM SCORE become one row per system?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tiekit.base.errors import ReadError
from tiekit.base.names import known_names
from tiekit.base.validation import IntArray
from tiekit.readers._segments import check_length
from tiekit.readers._text import MISSING, File, Files, parse_scores, quoted


@dataclass(frozen=True)
class Blocks:
    """One score file: its numbers, line by line, and the lines of each system, counted from 0."""

    file: File
    values: NDArray[np.float64]
    lines: Mapping[str, IntArray]

    @property
    def usual_length(self) -> int:
        """The number of lines of most systems."""
        lengths = Counter(len(lines) for lines in self.lines.values())
        return max(lengths, key=lambda length: (lengths[length], length))

    @property
    def one_line_each(self) -> bool:
        """Whether every line begins with another word."""
        return len(self.values) == len(self.lines) > 1

    def check_names(self) -> None:
        """Ask what a file means whose lines all begin with another word."""
        if self.one_line_each:
            first, second = list(self.lines)[:2]
            problem = f"every line begins with another word ({quoted(first)}, {quoted(second)}, …)"
            meant = "expected SYSTEM SCORE, with a line for each segment of a system"
            advice = "write the system's name before each of its scores; name scores of whole systems .sys.score"
            raise ReadError(self.file.path, f"{problem}; {meant}: {advice}", line=2)

    def check_lengths(self, size: int) -> None:
        """Refuse a system that does not have one line per segment."""
        if size > 1:
            self.check_names()
        for system, lines in self.lines.items():
            what = f"scores of {quoted(system)}"
            check_length(self.file, len(lines), size, line=int(lines[-1]) + 1, what=what)

    def matrix(self, rows: Mapping[str, int], size: int) -> NDArray[np.float64]:
        """One row per system, NaN where the file has none of its scores; an unknown system is refused."""
        self.check_lengths(size)
        matrix = np.full((len(rows), size), np.nan)
        for system, lines in self.lines.items():
            if system not in rows:
                expected = f"expected one that has outputs: {known_names(rows)}"
                raise ReadError(self.file.path, f"unknown system {quoted(system)}; {expected}", line=int(lines[0]) + 1)
            matrix[rows[system]] = self.values[lines]
        return matrix

    def lacking(self, systems: Iterable[str], may_lack: Collection[str]) -> list[str]:
        """The systems without a line, apart from those that the file may lack."""
        return [system for system in systems if system not in self.lines and system not in may_lack]


def read_blocks(files: Files, file: File) -> Blocks:
    """Read lines SYSTEM SCORE; those of a system are in the order of the segments, others may stand between them."""
    names, tokens = _fields(file.path, files.text(file).rstrip())
    values = parse_scores(tokens, range(1, len(tokens) + 1), file.path, missing=MISSING)
    places: dict[str, int] = {}
    codes = np.array([places.setdefault(name, len(places)) for name in names])
    ends = np.cumsum(np.bincount(codes))[:-1]
    return Blocks(file, values, dict(zip(places, np.split(np.argsort(codes, kind="stable"), ends), strict=True)))


def _fields(path: str, text: str) -> tuple[Sequence[str], Sequence[str]]:
    """The systems and the scores of all lines, as text."""
    words = text.split()
    gaps = np.frombuffer(text.encode(), np.uint8)
    gaps = gaps[(gaps == ord("\t")) | (gaps == ord(" ")) | (gaps == ord("\n"))]
    in_line, at_end = gaps[::2] != ord("\n"), gaps[1::2] == ord("\n")
    if len(words) == len(gaps) + 1 and len(in_line) > len(at_end) and in_line.all() and at_end.all():
        return words[::2], words[1::2]  # the usual case: faster than splitting every line
    rows = [line.split() for line in text.split("\n")]
    for number, row in enumerate(rows, start=1):
        if len(row) != 2:
            expected = "SYSTEM SCORE (system names cannot hold spaces)"
            problem = f"expected two fields, {expected}; found {len(row)}: {quoted(' '.join(row))}"
            raise ReadError(path, problem, line=number)
    return [name for name, _ in rows], [token for _, token in rows]


def usual_length(scores: Iterable[Blocks]) -> int:
    """The number of lines of most files' systems: the number of segments if no other file has it."""
    files = list(scores)
    lengths = Counter(one.usual_length for one in [one for one in files if not one.one_line_each] or files)
    return max(lengths, key=lambda length: (lengths[length], length))
