"""How are files read that are packed? Excel workbooks, Parquet, and zip archives of one file: as what they hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tiekit.base.errors import ReadError
from tiekit.base.results import slots
from tiekit.readers._archives import ARRAYS, is_packed
from tiekit.readers._questions import Choice, Choices, Format, Upload
from tiekit.sets.evalset import EvalSet


def read_archive(files: Mapping[str, bytes], **choices: Any) -> EvalSet:
    """Read files that are packed, as `tiekit.read` does: each as the format of what it holds."""
    _check(files)
    data: EvalSet = slots.read(files, **choices)
    return data


def _check(files: Upload) -> None:
    """Refuse an archive that is compressed once more: it would be taken for an archive again and again."""
    for name, content in files.items():
        if not is_packed(content):
            raise ReadError(name, "is an archive that is compressed again; unpack it to the archive or the file in it")


def _ask(files: Upload, chosen: Choices) -> Iterator[Choice]:
    """Ask what the format of the contents asks."""
    _check(files)
    entry, inner = slots.open_archives(files)
    yield from entry.questions(inner, chosen)


def _code(files: Upload, chosen: Choices) -> str:
    """The call of `tiekit.read`, which looks inside by itself."""
    names = list(files)
    source = repr(names[0] if len(names) == 1 else names)
    return f"tk.read({', '.join([source, *(f'{key}={value!r}' for key, value in chosen.items())])})"


FORMAT = Format(
    name="archive",
    label="an Excel workbook, Parquet, or a zip archive of one file",
    upload="The workbook or archive",
    recognizes=lambda name, head: is_packed(head) and not name.lower().endswith(ARRAYS),
    read=read_archive,
    several=True,
    asks=_ask,
    code=_code,
)
