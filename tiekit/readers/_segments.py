"""What is said of every segment? Its domain, its document and its texts, one line a segment."""

from __future__ import annotations

import json

from tiekit.base.errors import ReadError
from tiekit.readers._text import File, Files, quoted

UNTRANSLATED = "[No translation supplied]"
"""A line that says that there is no text."""


def read_labels(files: Files, file: File) -> list[tuple[str, str]]:
    """Domain and document of each segment, the first two fields of its line."""
    rows = [line.split() for line in files.lines(file)]
    for number, row in enumerate(rows, start=1):
        if len(row) < 2:
            problem = f"expected two fields, DOMAIN DOCUMENT; found {len(row)}: {quoted(' '.join(row))}"
            raise ReadError(file.path, problem, line=number)
    return [(row[0], row[1]) for row in rows]


def read_texts(files: Files, file: File, key: str, size: int | None = None) -> tuple[str, ...]:
    """Read one text per line, or from a ``.jsonl`` file one object per line with the text under `key`.

    ``null`` in an object and a line `UNTRANSLATED` are empty texts.
    """
    texts = tuple(files.lines(file))
    if file.name.endswith(".jsonl"):
        texts = tuple(_json_text(file.path, number, line, key) for number, line in enumerate(texts, start=1))
    if size is not None:
        check_length(file, len(texts), size)
    return tuple("" if text == UNTRANSLATED else text for text in texts)


def _json_text(path: str, number: int, line: str, key: str) -> str:
    """The text in a line of a ``.jsonl`` file."""
    try:
        text = json.loads(line)[key]
    except (ValueError, KeyError, TypeError, RecursionError):
        text = 0
    if text is not None and not isinstance(text, str):
        raise ReadError(path, f'expected {{"{key}": "..."}}, found {quoted(line)}', line=number)
    return text or ""


def check_length(file: File, found: int, expected: int, *, line: int | None = None, what: str = "segments") -> None:
    """Refuse a file, or the lines of a system of which `line` is the last, without exactly one entry per segment."""
    if found != expected:
        twice = " (does the block occur twice?)" if found == 2 * expected else ""
        raise ReadError(file.path, f"found {found} {what}, expected {expected}{twice}", line=line or found)
