"""How do bytes become texts and numbers? Files on disk or in memory, with errors that name the line."""

from __future__ import annotations

import gzip
import hashlib
import io
import re
import stat
import zlib
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tiekit.base.errors import InputError, ReadError

Source: TypeAlias = str | Path | Mapping[str, bytes]
"""A folder or a file by its path, or the contents of files by name."""

MAX_BYTES = 64 * 2**20
"""The largest file that is read."""

GZIP = ".gz"
"""What the name of a compressed file ends in; it is found and known by its name without it."""

MISSING = frozenset({"None", "none", "null", "NULL", "nan", "NaN", "NAN", "NA", "N/A"})
"""What stands for a missing score."""

NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
COMMAS_READ = "Decimal commas were read as decimal points."
"""What is noted where they were."""

THOUSANDS = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d*)?", re.ASCII)


@dataclass(frozen=True)
class File:
    """One file: `name` is its place in the layout, `path` is how its owner named it."""

    name: str
    path: str
    content: Path | bytes

    @property
    def base(self) -> str:
        """The name without folders."""
        return self.name.rpartition("/")[2]

    def read(self) -> bytes:
        """The bytes; what is too large, or no file at all, is refused before it is read."""
        if isinstance(self.content, bytes):
            self._check_size(len(self.content))
            return self.content
        try:
            found = self.content.stat()
            if not stat.S_ISREG(found.st_mode):
                problem = "is a folder" if stat.S_ISDIR(found.st_mode) else "is a pipe or a device"
                raise ReadError(self.path, f"{problem}, not a file; name the file that holds the scores")
            self._check_size(found.st_size)
            with self.content.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
        except (OSError, ValueError) as error:
            raise ReadError(
                self.path, f"cannot be read ({error}); check its name and whether you may read it"
            ) from error
        self._check_size(len(data))
        return data

    def _check_size(self, size: int) -> None:
        """Refuse what is larger than the limit."""
        if size > MAX_BYTES:
            limit = f"{MAX_BYTES:,} ({MAX_BYTES >> 20} MB)"
            raise ReadError(self.path, f"has {size:,} bytes; the limit is {limit}; split it")


class Files:
    """A folder on disk, or a mapping of relative paths to bytes such as an upload.

    Nothing above the folder is read. A file is read when it is needed, and its digest is kept.
    """

    def __init__(self, source: Source, argument: str = "root") -> None:
        check_source(argument, source)
        self.root = "uploaded files" if isinstance(source, Mapping) else str(source)
        self._seen: dict[str, str] = {}
        self._source = source if isinstance(source, Mapping) else Path(source)
        try:
            there = not isinstance(self._source, Path) or self._source.is_dir()
        except (OSError, ValueError) as error:
            raise ReadError(self.root[:80], f"cannot be a folder ({error})") from error
        if not there:
            raise ReadError(self.root, "there is no such folder; expected the folder that holds the test sets")

    def find(self, pattern: str) -> list[File]:
        """The files that match ``folder/*.ext``, by name; a mapping may have folders before those of the pattern.

        A file ``NAME.ext.gz`` is found as ``NAME.ext``.
        """
        depth = len(PurePosixPath(pattern).parts)
        found: dict[str, File] = {}
        for path, content in self._matches(pattern):
            name = "/".join(PurePosixPath(path.replace("\\", "/")).parts[-depth:]).removesuffix(GZIP)
            if name in found:
                raise ReadError(path, f"is a second file for {name} beside {found[name].path}; keep one of them")
            if not name.rpartition("/")[2].startswith("."):
                found[name] = File(name, path, content)
        return [found[name] for name in sorted(found)]

    def _matches(self, pattern: str) -> list[tuple[str, Path | bytes]]:
        if isinstance(self._source, Path):
            found = dict.fromkeys(path for ending in ("", GZIP) for path in self._source.glob(pattern + ending))
            return [(str(path), path) for path in found if path.is_file()]
        names = (PurePosixPath(path.replace("\\", "/").removesuffix(GZIP)) for path in self._source)
        matches = (name.match(pattern) for name in names)
        return [item for item, match in zip(self._source.items(), matches, strict=True) if match]

    def text(self, file: File) -> str:
        """The text of a file, as `decode` returns it."""
        data = unzipped(file.path, file.read())
        self._seen[file.name] = hashlib.sha256(data).hexdigest()
        return decode(file.path, data)

    def lines(self, file: File) -> list[str]:
        """The lines of a file, without line ends."""
        return self.text(file).removesuffix("\n").split("\n")

    @property
    def digest(self) -> str:
        """SHA-256 of the names and bytes of all files that were read, in any order and before they were compressed."""
        return hashlib.sha256(repr(sorted(self._seen.items())).encode()).hexdigest()


def check_source(argument: str, source: object) -> None:
    """Refuse what is neither a path nor contents of files by name."""
    if isinstance(source, Mapping):
        wrong = [name for name, content in source.items() if not (isinstance(name, str) and isinstance(content, bytes))]
        if wrong:
            found = type(source[wrong[0]]).__name__
            raise InputError(f"{argument}: expected bytes by the name of their file, found {found} for {wrong[0]!r}")
    elif not isinstance(source, (str, Path)):
        raise InputError(
            f"{argument}: expected a path, or bytes by the name of their file, found {quoted(repr(source))}"
        )


def unzipped(path: str, data: bytes) -> bytes:
    """The contents of a file that may be compressed with gzip; one that grows beyond the limit is refused."""
    if not data.startswith(b"\x1f\x8b"):
        return data
    try:
        with gzip.open(io.BytesIO(data)) as file:
            content = file.read(MAX_BYTES + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise ReadError(path, f"cannot be decompressed ({error}); fetch it again, or unpack it") from None
    if len(content) > MAX_BYTES:
        raise ReadError(path, f"unpacks to more than {MAX_BYTES:,} bytes ({MAX_BYTES >> 20} MB); split it")
    return content


def decode(path: str, data: bytes) -> str:
    """Decode UTF-8 with or without a byte order mark, or UTF-16 with one; also compressed.

    Lines end in LF or CRLF, or all of them in CR.
    """
    data = unzipped(path, data)
    try:
        text = data.decode("utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig")
        bad = text.find("\0")
    except UnicodeDecodeError as error:
        text, bad = "", error.start
    if bad >= 0:
        line = (text.count("\n", 0, bad) if text else data.count(b"\n", 0, bad)) + 1
        raise ReadError(path, "is not a text file in UTF-8; save it as UTF-8", line=line)
    if not text.strip():
        raise ReadError(path, "is empty; expected at least one line of text")
    text = text.replace("\r\n", "\n")
    return text if "\n" in text else text.replace("\r", "\n")


def quoted(text: str) -> str:
    """Quote what was found, at most 40 characters of it."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


def parse_scores(
    tokens: Sequence[str], lines: Sequence[int], path: str, *, missing: AbstractSet[str], column: str = ""
) -> NDArray[np.float64]:
    """Turn fields without spaces into numbers, NaN where missing; ``lines[i]`` is the line of ``tokens[i]``."""
    try:
        known = tokens if missing.isdisjoint(tokens) else ["nan" if token in missing else token for token in tokens]
        values = np.array(list(map(float, known)), dtype=np.float64)
        plain = _plain("".join(tokens)) and not np.isinf(values).any() and not _lost(tokens, values)
    except ValueError:
        plain = False
    n_missing = int(np.isnan(values).sum()) if plain else 0
    if not plain or (n_missing and n_missing != sum(token in missing for token in tokens)):
        for token, line in zip(tokens, lines, strict=True):
            if token not in missing:
                _check_score(token, path, line, f" in column {quoted(column)}" if column else "")
    return values


def are_decimals(rows: Sequence[str]) -> bool:
    """Whether commas in lines of one number each are decimal without doubt: before each stands 0, or before one -0.

    Of other whole numbers with a comma between them, each may be a score by itself.
    """
    before = [row.partition(",")[0] for row in rows if DECIMAL_COMMA.fullmatch(row)]
    return any(whole in ("-0", "+0", "", "-", "+") for whole in before) or bool(before and {*before} == {"0"})


def _plain(text: str) -> bool:
    """Whether there are only characters that a number may have."""
    return text.isascii() and "_" not in text  # float() also accepts 1_000 and digits of other scripts


def _lost(tokens: Sequence[str], values: NDArray[np.float64]) -> bool:
    """Whether a number is so small that only 0 is left of it."""
    return any(is_tiny(tokens[place]) for place in np.flatnonzero(values == 0).tolist())


def is_tiny(token: str) -> bool:
    """Whether the text of a zero has another digit than 0 before its exponent."""
    return bool(token.lower().partition("e")[0].strip("+-0."))


def _check_score(token: str, path: str, line: int, place: str) -> None:
    """Refuse a field that is not a finite number."""
    found = f"{quoted(token)}{place}"
    if THOUSANDS.fullmatch(token):
        plain = quoted(token.replace(",", ""))[1:-1]
        decimal = (
            f"{quoted(token.replace(',', '.'))[1:-1]} if it is decimal, " if DECIMAL_COMMA.fullmatch(token) else ""
        )
        problem = f"{found} has a comma; write {decimal}{plain} if it divides thousands"
    elif DECIMAL_COMMA.fullmatch(token):
        problem = f"{found} has a decimal comma; expected a decimal point, {quoted(token.replace(',', '.'))[1:-1]}"
    elif not NUMBER.fullmatch(token):
        problem = f"{found} is not a score; expected a finite number, or None where it is missing"
    elif np.isinf(float(token)):
        problem = f"{found} is too large; expected a finite number"
    elif float(token) == 0 and is_tiny(token):
        problem = f"{found} is too small to be told from 0; write 0, or multiply all scores by a number"
    else:
        return
    raise ReadError(path, problem, line=line)
