"""How are JSON objects read? One in each line, or all of them in one array."""

from __future__ import annotations

import json
from typing import Any

from tiekit.base.errors import ReadError
from tiekit.base.names import short
from tiekit.readers._text import quoted

Records = list[dict[str, Any]]


def read_records(path: str, text: str) -> tuple[list[int], Records]:
    """The line of each object, or its place in an array, and the objects."""
    if text.lstrip().startswith("["):
        found = _loaded(path, text, None)
        numbered = list(enumerate(found, start=1))
    else:
        numbered = _lines(path, text)
    for number, record in numbered:
        if not isinstance(record, dict):
            raise ReadError(
                path, f"expected an object with the fields of a row, found {quoted(str(record))}", line=number
            )
    if not numbered:
        raise ReadError(path, "holds an empty array; expected one object per system and segment")
    return [number for number, _ in numbered], [record for _, record in numbered]


def begins_with_row(head: bytes) -> bool:
    """Whether the first object of a file holds texts and numbers, and no objects or arrays."""
    text = head.decode("utf-8-sig", errors="ignore").lstrip().removeprefix("[").lstrip()
    try:
        found, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and not any(isinstance(value, (dict, list)) for value in found.values())


def _lines(path: str, text: str) -> list[tuple[int, Any]]:
    """The value in each line; one object over several lines is refused as such."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    try:
        whole = json.loads(text) if len(lines) > 1 or not _is_flat(lines[0][1]) else None
    except (ValueError, RecursionError):
        whole = None
    if isinstance(whole, dict):
        keys = ", ".join(short(str(key)) for key in list(whole)[:5])
        raise ReadError(
            path,
            f"is one JSON object ({quoted(keys)}); expected an array of "
            "objects, or one object in each line; tk.read knows the files of COMET and of other tools",
        )
    return [(number, _loaded(path, line, number)) for number, line in lines]


def _is_flat(line: str) -> bool:
    """Whether a single line is an object of texts and numbers, so a row."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return True
    return isinstance(found, dict) and not all(isinstance(value, (dict, list)) for value in found.values())


def _loaded(path: str, text: str, line: int | None) -> Any:
    """The value of a text in JSON."""
    try:
        found = json.loads(text)
        if "\\u" in text:
            json.dumps(found, ensure_ascii=False).encode()
        return found
    except UnicodeEncodeError:
        problem = "holds half of a character, such as \\ud800; write the file again as UTF-8"
        raise ReadError(path, problem, line=line) from None
    except (ValueError, RecursionError) as error:
        number = line or getattr(error, "lineno", None)
        reason = getattr(error, "msg", "nested too deeply" if isinstance(error, RecursionError) else str(error))
        raise ReadError(
            path, f"is not JSON ({reason}); write one object in each line, or an array of objects", line=number
        ) from None
