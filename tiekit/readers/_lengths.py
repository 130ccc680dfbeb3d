"""How are lengths read that stand in for texts? A table beside the score files: a line a segment, a column a text."""

from __future__ import annotations

import re

from tiekit.base.errors import ReadError
from tiekit.readers._segments import check_length
from tiekit.readers._text import File, Files, quoted
from tiekit.sets.scores import Counts, Lengths

HEAD = re.compile(r"(sources|(references|system-outputs)/([^/]+))")
"""The head of a column: the folder of the texts in the layout, and the name of the reference or the system."""

COUNT = re.compile(r"[0-9]{1,9}")


def read_lengths(files: Files, file: File | None, size: int) -> Lengths:
    """Read numbers of characters: a header, then one line per segment, with tabs between the cells."""
    if file is None:
        return Lengths()
    header, *rows = [line.split("\t") for line in files.lines(file)]
    for place, head in enumerate(header):
        if head in header[:place] or not HEAD.fullmatch(head):
            expected = "sources, references/NAME and system-outputs/NAME, each once"
            raise ReadError(file.path, f"found the column {quoted(head)}; expected {expected}", line=1)
    for line, row in enumerate(rows, start=2):
        if len(row) != len(header):
            raise ReadError(file.path, f"found {len(row)} cells, expected {len(header)}", line=line)
        wrong = next((cell for cell in row if not COUNT.fullmatch(cell)), None)
        if wrong is not None:
            raise ReadError(file.path, f"{quoted(wrong)} is no number of characters", line=line)
    check_length(file, len(rows), size, line=len(rows) + 1)
    columns = dict(zip(header, (tuple(map(int, cells)) for cells in zip(*rows, strict=True)), strict=True))

    def under(folder: str) -> dict[str, Counts]:
        return {head.removeprefix(folder): counts for head, counts in columns.items() if head.startswith(folder)}

    return Lengths(columns.get("sources", ()), under("references/"), under("system-outputs/"))
