"""How is a file with delimiters read? Row by row, with the line on which each row begins."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from pathlib import Path

from tiekit.errors import InputError, ReadError
from tiekit.readers._text import File


def one_file(argument: str, source: str | Path | Mapping[str, bytes], expected: str) -> File:
    """The file at a path, or the only one of a mapping."""
    if not isinstance(source, Mapping):
        return File(Path(source).name, str(source), Path(source))
    if len(source) != 1:
        raise InputError(f"{argument}: expected one {expected}, found {len(source)} files")
    [(path, content)] = source.items()
    return File(Path(path).name, path, content)


def read_rows(path: str, text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """The line and the cells of every row that is not empty; a damaged quotation is refused."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for row in reader:
            if row:
                yield line, row
            line = reader.line_num + 1
    except csv.Error as error:
        raise ReadError(path, f"is not a table ({error}); check its quotation marks", line=line) from None
