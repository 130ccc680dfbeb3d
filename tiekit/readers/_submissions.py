"""Which columns does a submission to WMT's metrics task have? Their number, or a header, tells the year."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from pathlib import Path

from tiekit.base.errors import ReadError
from tiekit.readers._rows import Rows, open_rows
from tiekit.readers._text import quoted

LAYOUTS = {
    6: ("metric", "language_pair", "testset", "reference", "system", "score"),
    7: ("metric", "language_pair", "testset", "domain", "reference", "system", "score"),
    8: ("metric", "language_pair", "testset", "reference", "system", "document", "segment", "score"),
    9: ("metric", "language_pair", "testset", "domain", "document", "reference", "system", "segment", "score"),
}
"""The columns of files by their number: 6 and 7 are one score per system, 8 is 2020, 9 is 2022–2024."""

HEADER_2025 = ("doc_id", "segment_id", "source_lang", "target_lang", "system_id", "overall")
"""What the header of a file of 2025 holds, among others."""

PARTS = {
    "language_pair": "Language pair",
    "testset": "Test set",
    "reference": "Reference",
    "metric": "Metric",
    "domain": "Domain",
}
"""What a file may hold several of, in the order in which one chooses."""

REFERENCE = re.compile(r"(src|all|ref.*)", re.IGNORECASE)
"""How references are named from 2022 on; ``src`` is none."""


@dataclass(frozen=True)
class Submission:
    """The columns of a file by their names, and whether it has one score per system only."""

    rows: Rows
    columns: Mapping[str, Sequence[str]]
    width: int

    @property
    def is_2025(self) -> bool:
        return self.width > max(LAYOUTS)

    @property
    def whole_systems(self) -> bool:
        return self.width in (6, 7)

    def where(self, part: str, value: str) -> Submission:
        """The rows whose cell in a column is this value."""
        kept = [cell == value for cell in self.columns[part]]
        if all(kept):
            return self
        columns = {name: list(compress(cells, kept)) for name, cells in self.columns.items()}
        return Submission(
            replace(self.rows, lines=list(compress(self.rows.lines, kept)), cells=()), columns, self.width
        )

    def usual(self, part: str) -> str | None:
        """The choice that nobody is asked for: the whole test set, and what counts in the shared task."""
        common = {"domain": "all", "testset": "official"}.get(part)
        return common if common in self.columns[part] else None

    def asked(self) -> tuple[str, ...]:
        """The parts that a user may have to choose."""
        parts = [part for part in PARTS if part in self.columns]
        return tuple(part for part in parts if part != "domain" or self.whole_systems)


def open_submission(source: str | Path | Mapping[str, bytes]) -> Submission:
    """The columns of a file, told by their number or by the header."""
    rows = open_rows(source, "file of scores", "\t")
    first: Sequence[str] = [cell.strip() for cell in rows.cells[0]]
    folded = [cell.casefold() for cell in first]
    if set(HEADER_2025) <= set(folded):
        return _open_2025(rows, folded)
    if len(first) == 1:
        rows = replace(rows, cells=[row[0].split() for row in rows.cells])
        first = rows.cells[0]
    if "score" in first[-1].casefold() and len(rows.cells) > 1:
        rows = rows.below_header()
    width = len(rows.cells[0])
    if width not in LAYOUTS:
        expected = "6 to 9 cells (METRIC LP TESTSET … SYSTEM … SCORE), or the header of 2025"
        problem = f"found {width} cells, expected {expected}; a table of other columns is read by read_table"
        raise ReadError(rows.path, problem, line=rows.lines[0])
    columns = rows.columns(LAYOUTS[width])
    _refuse_other_kinds(rows, columns, width)
    return Submission(rows, columns, width)


def _open_2025(rows: Rows, header: list[str]) -> Submission:
    """The columns of a file of 2025, under the names of the earlier ones."""
    if len(set(header)) < len(header):
        twice = next(name for name in header if header.count(name) > 1)
        raise ReadError(rows.path, f"two columns are named {quoted(twice)}; rename one of them", line=rows.lines[0])
    body = rows.below_header()
    found = body.columns(header)
    columns = {
        "language_pair": [f"{s}-{t}" for s, t in zip(found["source_lang"], found["target_lang"], strict=True)],
        "system": found["system_id"],
        "document": found["doc_id"],
        "segment": found["segment_id"],
        "score": found["overall"],
    }
    optional = {"testset": "set_id", "domain": "domain_name", "method": "method"}
    columns |= {name: found[column] for name, column in optional.items() if column in found}
    return Submission(body, columns, max(LAYOUTS) + 1)


def _refuse_other_kinds(rows: Rows, columns: Mapping[str, Sequence[str]], width: int) -> None:
    """Files of as many columns that hold something else: scores of documents, and the submissions of 2019."""
    if width == 7 and (rows.stem.endswith(".doc") or not all(map(REFERENCE.fullmatch, set(columns["reference"])))):
        problem = "holds one score per document, which is not compared here; read the file of segments (.seg.score)"
        raise ReadError(rows.path, problem, line=rows.lines[0])
    if width == 6 and all(cell.isdigit() for cell in columns["system"]):
        problem = "has six columns with a number in the fifth, as files of segments had in 2019"
        raise ReadError(
            rows.path, f"{problem}; insert the reference as the fourth column and the document as the sixth"
        )
