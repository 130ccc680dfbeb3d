"""What did the caller pass to a reader? Files by name, a folder in a layout, or a table in memory."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import pandas as pd

from tiekit.base.errors import InputError, ReadError
from tiekit.base.names import did_you_mean
from tiekit.readers._head import HEAD
from tiekit.readers._text import quoted

EXPECTED = (
    "expected the path of a file or a folder, a list of paths, bytes, a mapping of file names to bytes, a pandas "
    "DataFrame or a list of dicts"
)
MAX_FILES = 1000
"""The largest number of files that are read from a folder."""

MOST_BYTES = 512 * 2**20
"""So many bytes, in all files, are read at once."""

LONGEST_PATH = 4096
BYTES = "bytes"
"""The name of contents that came without one."""


@dataclass(frozen=True, eq=False)
class Given:
    """What was passed, in one form.

    Attributes
    ----------
    label : str
        What messages and notes call it.
    files : mapping of str to path or bytes
        By name without folders, where these differ.
    folder : Path, optional
        The folder that the files are from.
    table : DataFrame or list of dicts, optional
    """

    label: str
    files: Mapping[str, Path | bytes] = field(default_factory=dict)
    folder: Path | None = None
    table: Any = None

    def path(self, name: str) -> str:
        """A file as its owner named it."""
        content = self.files[name]
        return name if isinstance(content, bytes) else str(content)

    def first_bytes(self) -> dict[str, bytes]:
        """The start of every file."""
        return {name: _first(self.path(name), content) for name, content in self.files.items()}

    def contents(self, names: Sequence[str]) -> dict[str, bytes]:
        """The files of these names; more than `MOST_BYTES` are refused before they are read.

        How large a single file may be is its reader's to say.
        """
        sizes = {name: _size(self.path(name), self.files[name]) for name in names}
        if sum(sizes.values()) > MOST_BYTES:
            largest = max(names, key=lambda name: sizes[name])
            problem = f"has {sizes[largest]:,} bytes; the limit is {MOST_BYTES >> 20} MB for all files; split it"
            raise ReadError(self.path(largest), problem)
        return {name: _content(self.path(name), self.files[name]) for name in names}


def take(source: Any) -> Given:
    """Find out what a source is; nothing but names is read yet."""
    if isinstance(source, (str, os.PathLike)):
        return _path(_as_path(source))
    if isinstance(source, (bytes, bytearray, memoryview)):
        return Given(BYTES, {BYTES: bytes(source)})
    if isinstance(source, pd.Series) and source.index.nlevels > 1:
        source = source.to_frame("score" if source.name is None else source.name)
    if isinstance(source, pd.DataFrame):
        return Given("DataFrame", table=source)
    if isinstance(source, Mapping):
        return _mapping(source)
    if isinstance(source, Sequence) and source and all(isinstance(row, Mapping) for row in source):
        return Given("list of dicts", table=list(source))
    if isinstance(source, (Sequence, set, frozenset)) and all(isinstance(path, (str, os.PathLike)) for path in source):
        return _paths([_as_path(path) for path in source])
    found = f"{type(source).__name__}" if source is not None else "None"
    hint = "; pass its contents, source.read()" if hasattr(source, "read") else ""
    raise InputError(f"source: {EXPECTED}; found {found}{hint}")


def _as_path(source: str | os.PathLike[str]) -> Path:
    """The path that a text is, with the home folder for ``~``."""
    text = os.fsdecode(source)
    if not text.strip():
        raise InputError("source: the path is empty; " + EXPECTED)
    if "\n" in text or len(text) > LONGEST_PATH:
        raise InputError(f"source: found a text of {len(text):,} characters, which is no path; pass contents as bytes")
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise ReadError(text, f"cannot be found ({error}); write the whole path") from None


def _path(path: Path) -> Given:
    """A file or a folder."""
    if _is_folder(path):
        return Given(str(path), dict(_inside(path)), folder=path)
    _check_file(path)
    return Given(path.name, {path.name: path})


def _paths(paths: Sequence[Path]) -> Given:
    """Several files, by their names without folders where these differ."""
    if not paths:
        raise InputError(f"source: the list is empty; {EXPECTED}")
    for path in paths:
        if _is_folder(path):
            raise ReadError(str(path), "is a folder; give its files, or the folder alone")
        _check_file(path)
    if len(set(paths)) < len(paths):
        twice = next(path for place, path in enumerate(paths) if path in paths[:place])
        raise ReadError(str(twice), "is given twice; give each file once")
    names = [path.name for path in paths]
    if len(set(names)) < len(names):
        names = [path.as_posix() for path in paths]
    return Given(said(names), dict(zip(names, paths, strict=True)))


def _mapping(source: Mapping[Any, Any]) -> Given:
    """Contents by name."""
    if not source:
        raise InputError(f"source: the mapping is empty; {EXPECTED}")
    for name, content in source.items():
        if not isinstance(name, str) or not isinstance(content, (bytes, bytearray, memoryview)):
            found = f"{name!r:.60} with {type(content).__name__}"
            raise InputError(
                f"source: a mapping must be of file names to bytes, found {found}; pass columns as a DataFrame"
            )
    return Given(said(list(source)), {name: bytes(content) for name, content in source.items()})


def said(names: Sequence[str]) -> str:
    """The files as a note calls them."""
    if len(names) == 1:
        return names[0]
    return f"{len(names)} files ({', '.join(names[:3])}{', …' if len(names) > 3 else ''})"


def _is_folder(path: Path) -> bool:
    """Whether a path is a folder; one that cannot exist, such as one with a NUL, is refused."""
    try:
        path.stat()
        return path.is_dir()
    except FileNotFoundError:
        return False
    except (OSError, ValueError) as error:
        raise ReadError(quoted(str(path)), f"cannot be read ({error}); check the path") from None


def _check_file(path: Path) -> None:
    """Refuse what is no regular file: a file that is not there, a pipe, a device."""
    if path.is_file():
        return
    if path.exists():
        raise ReadError(str(path), "is neither a file nor a folder but a pipe or a device; save it to a file first")
    try:
        beside = [entry.name for entry in islice(path.parent.iterdir(), MAX_FILES)]
    except OSError:
        raise ReadError(str(path), f"does not exist, nor does its folder, {path.parent}; check the path") from None
    hint = (
        did_you_mean(path.name, beside) or f"in its folder there are {said(sorted(beside)) if beside else 'no files'}"
    )
    raise ReadError(str(path), f"there is no such file or folder; {hint}")


def _inside(folder: Path) -> Iterator[tuple[str, Path]]:
    """The files of a folder that are not hidden, by name."""
    try:
        files = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    except OSError as error:
        raise ReadError(str(folder), f"cannot be read ({error})") from None
    return ((path.name, path) for path in files)


def check_number(given: Given) -> None:
    """Refuse a folder of very many files, or of none."""
    if not given.files:
        raise ReadError(given.label, "holds no files with scores and no test set; give the folder that holds them")
    if len(given.files) > MAX_FILES:
        raise ReadError(given.label, f"holds {len(given.files):,} files; give a list of those that belong together")


def _size(path: str, content: Path | bytes) -> int:
    """The number of bytes."""
    try:
        return len(content) if isinstance(content, bytes) else content.stat().st_size
    except OSError as error:
        raise ReadError(path, f"cannot be read ({error})") from None


def _content(path: str, content: Path | bytes) -> bytes:
    """All bytes of a file."""
    try:
        return content if isinstance(content, bytes) else content.read_bytes()
    except OSError as error:
        raise ReadError(path, f"cannot be read ({error})") from None


def _first(path: str, content: Path | bytes) -> bytes:
    """The start of a file."""
    if isinstance(content, bytes):
        return content
    try:
        with content.open("rb") as file:
            return file.read(HEAD)
    except OSError as error:
        raise ReadError(path, f"cannot be read ({error})") from None
