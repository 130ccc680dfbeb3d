"""What did the caller pass to a reader? Files, a folder or a table in memory; bytes become texts and numbers."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import re
import stat
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any, TypeAlias

import numpy as np
import pandas as pd

from tiekit.base.atomic import UNFINISHED, is_unfinished
from tiekit.base.errors import InputError, ReadError, quote
from tiekit.base.names import ALIASES, did_you_mean, is_ending, known_names
from tiekit.base.names import plain_name as label_name
from tiekit.base.validation import is_default
from tiekit.readers._records import has_scores_in_lists_alone, labeled_rows, lists_by_name, table_rows, where_rows_are

Source: TypeAlias = str | Path | Mapping[str, bytes]
"""A folder or a file by its path, or the contents of files by name."""

MAX_BYTES = 64 * 2**20
"""Maximum number of bytes of a file."""

NOTHING_INSIDE = (
    "holds no files with scores and no test set; give the folder that holds them, or of files in folders below a list: "
    "sorted(pathlib.Path(FOLDER).glob('*/FILE'))"
)

MOST_PARTS = 10_000
"""Maximum number of parts of a file packed by gzip: each takes 20 µs, however short it is."""

MAX_RATIO, ALWAYS_UNPACKED = 100, 16 * 2**20
"""Maximum number of bytes that a compressed file unpacks to, for each of its own; so many bytes it may always have."""

GZIP = ".gz"
"""What the name of a compressed file ends in; it is found and known by its name without it."""


POINTER = b"version https://git-lfs"
POINTED = "is a pointer of Git LFS, which stands for the file; fetch that with git lfs pull"


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
            if not any(part.startswith(".") for part in name.split("/")):
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
        data = unzip(file.path, file.read())
        self._seen[file.name] = hashlib.sha256(data).hexdigest()
        return decode(file.path, data)

    def lines(self, file: File) -> list[str]:
        """The lines of a file, without line ends."""
        return self.text(file).removesuffix("\n").split("\n")

    @property
    def digest(self) -> str:
        """SHA-256 of the names and bytes of all files that were read, in any order and before they were compressed."""
        return hashlib.sha256(repr(sorted(self._seen.items())).encode()).hexdigest()


_UNPACKED = re.compile(r"(?<=\.xlsx)\.tsv$|(?<=\.parquet)\.tsv$|\.(gz|bz2|xz)$", re.IGNORECASE)


def file_stem(path: str) -> str:
    """The name of a file without folders, that of its packer and its ending; or that of what it was unpacked from.

    What else follows a dot is part of the name: gpt-4.1 is not gpt-4, and T5.large not T5.
    """
    name = Path(_UNPACKED.sub("", Path(path).name))
    return (name.stem if is_ending(name.suffix[1:]) else name.name) or path


def check_source(argument: str, source: object) -> None:
    """Refuse what is neither a path nor contents of files by name."""
    if isinstance(source, Mapping):
        wrong = [name for name, content in source.items() if not (isinstance(name, str) and isinstance(content, bytes))]
        if wrong:
            found = type(source[wrong[0]]).__name__
            raise InputError(f"{argument}: expected bytes by the name of their file, found {found} for {wrong[0]!r}")
    elif not isinstance(source, (str, Path)):
        raise InputError(
            f"{argument}: expected a path, or bytes by the name of their file, found {quote(repr(source))}"
        )
    elif is_unfinished(source):
        raise ReadError(str(source), UNFINISHED)


def unzip(path: str, data: bytes) -> bytes:
    """The contents of a file that may be compressed with gzip; one that grows beyond the limit is refused."""
    if not data.startswith(b"\x1f\x8b"):
        return data
    if (parts := data.count(b"\x1f\x8b\x08")) > MOST_PARTS:
        raise ReadError(path, f"holds {parts:,} packed parts one after the other; unpack it, and pack it as one")
    most = min(MAX_BYTES, max(ALWAYS_UNPACKED, MAX_RATIO * len(data)))
    try:
        with gzip.open(io.BytesIO(data)) as file:
            content = file.read(most + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise ReadError(path, f"cannot be decompressed ({error}); fetch it again, or unpack it") from None
    if len(content) > most:
        limit = f"{most:,} bytes ({most >> 20} MB), the limit for {len(data):,} packed bytes"
        raise ReadError(path, f"unpacks to more than {limit}; split it, or give it unpacked")
    return content


RARE_NULS = 100
"""A file with at most one NUL in so many characters is a text that a program damaged, and not another kind of file."""


def decode(path: str, data: bytes) -> str:
    """Decode UTF-8 with or without a byte order mark, or UTF-16 with one; also compressed.

    Lines end in LF or CRLF, or all of them in CR.
    """
    data = unzip(path, data)
    if data.startswith(POINTER):
        raise ReadError(path, POINTED)
    try:
        data = data.decode("utf-16").encode() if data.startswith(UTF16) else data
        data = data.replace(b"\r\n", b"\n")  # before letters take four bytes each
        text = (data if b"\n" in data else data.replace(b"\r", b"\n")).decode("utf-8-sig")
        bad = text.find("\0")
    except UnicodeDecodeError as error:
        text, bad = "", error.start
    if bad >= 0:
        line = (text.count("\n", 0, bad) if text else data.count(b"\n", 0, bad)) + 1
        if 0 < RARE_NULS * text.count("\0") <= len(text):
            remedy = "delete it, in Python by path.write_bytes(path.read_bytes().replace(bytes(1), b''))"
            raise ReadError(path, f"has a NUL character (\\x00), which is in no text; {remedy}", line=line)
        raise ReadError(path, f"is not a text file in UTF-8; save it as UTF-8{_advise_encoding(path, data)}", line=line)
    if not text or text.isspace():
        raise ReadError(path, "is empty; expected at least one line of text")
    return text


def _advise_encoding(path: str, data: bytes) -> str:
    """How pandas reads a table in another encoding; of UTF-16, every second byte of most letters is 0."""
    if PurePosixPath(path.lower()).suffix not in (".csv", ".tsv"):
        return ""
    first = data.partition(b"\n")[0]
    reads = next((f", sep={mark!r}" for mark in "\t;" if mark.encode() in first), "")
    nuls = [data[start:LONGEST_LINE:2].count(0) for start in (0, 1)]
    if any(nuls):
        encoding, others = "utf-16-be" if nuls[0] > nuls[1] else "utf-16-le", ""
    else:
        encoding, others = "cp1252", " (of Windows; of a Mac it is mac_roman, of Chinese gb18030)"
    return f", or pass pandas.read_csv(PATH{reads}, encoding={encoding!r}){others} in Python"


def one_file(argument: str, source: str | Path | Mapping[str, bytes], expected: str) -> File:
    """The file at a path, or the only one of a mapping."""
    check_source(argument, source)
    if not isinstance(source, Mapping):
        return File(Path(source).name, str(source), Path(source))
    if len(source) != 1:
        raise InputError(f"{argument}: expected one {expected}, found {len(source)} files")
    [(path, content)] = source.items()
    return File(Path(path).name, path, content)


def files_by_stem(source: str | Path | Sequence[str | Path] | Mapping[str, bytes]) -> dict[str, File]:
    """The files at paths, or those of a mapping, by their names without folders and endings."""
    paths = [source] if isinstance(source, str | Path) else source
    if isinstance(paths, Mapping):
        files = [File(path, path, content) for path, content in paths.items()]
    elif isinstance(paths, Sequence) and all(isinstance(path, str | Path) for path in paths):
        files = [File(str(path), str(path), Path(path)) for path in paths]
    else:
        raise InputError(f"source: must be a path, several paths, or bytes by name, found {type(source).__name__}")
    if not files:
        raise InputError("source: expected at least one file, found none")
    named: dict[str, File] = {}
    for file in files:
        first = named.setdefault(stem := file_stem(file.path), file)
        if first is not file:
            raise InputError(f"source: {file.path} and {first.path} are both named {stem!r}; rename one")
    return named


@dataclass(frozen=True)
class TextFile:
    """The text of one file: ``path`` is how its owner named it, ``stem`` its name without folders and endings."""

    path: str
    text: str
    digest: str

    @property
    def stem(self) -> str:
        """The name without folders, ``.gz`` and its ending."""
        return file_stem(self.path)

    @property
    def lines(self) -> list[str]:
        """The lines, without line ends."""
        return self.text.removesuffix("\n").split("\n")

    @property
    def is_json(self) -> bool:
        """Whether it begins as an object or a list in JSON."""
        return self.text.lstrip()[0] in "{["


def read_text(source: str | Path | Mapping[str, bytes], expected: str, argument: str = "source") -> TextFile:
    """The text of the file at a path, or of the only one of a mapping."""
    file, files = one_file(argument, source, expected), Files({})
    return TextFile(file.path, files.text(file), files.digest)


HEAD, PACKED_HEAD = 4096, 2**16
"""The number of bytes at the start of a file from which its format is recognized, and of those that unpack to them."""

UTF16 = (b"\xff\xfe", b"\xfe\xff")


LONGEST_LINE = 2**20
"""Maximum number of bytes of a first line, or of a first object, that is looked at as a whole."""


def head_of(content: bytes, most: int = HEAD) -> bytes:
    """The first bytes of a file that may be compressed with gzip, as UTF-8 without a byte order mark, from
    the first line that is not empty on.

    Where a file is damaged, this is what can be read before the damage.
    """
    if content.startswith(b"\x1f\x8b"):
        try:
            content = zlib.decompressobj(31).decompress(content[: max(PACKED_HEAD, most)], most)
        except zlib.error:
            return b""
    head = content[:most]
    if head.startswith(UTF16):
        head = head.decode("utf-16", "ignore").encode("utf-8", "ignore")
    head = head.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    return head if b"\n" in head else head.replace(b"\r", b"\n")


def top_of(content: bytes) -> bytes:
    """The same bytes, and the rest of the first line where they are only a part of it, with some lines below."""
    head = head_of(content)
    if b"\n" in head:
        return head
    head = head_of(content, LONGEST_LINE)
    end = head.find(b"\n")
    return head if end < 0 else head[: end + HEAD]


_MARKS = re.compile(rb'"[^"]*"?|[][{}]')
MOST_MARKS = 20_000
"""Maximum number of braces, brackets and texts of a first object that is looked at: many short ones take long."""
_FIRST_OF_LIST = re.compile(rb"\[\s*(?=\{)")


def object_of(content: bytes) -> bytes:
    """The start of JSON with the whole of its first object, or of the first one in a list; empty of anything else."""
    if not _begins_json(head_of(content)):
        return b""
    head = head_of(content, LONGEST_LINE)
    plain = head.replace(rb"\\", b"__").replace(rb"\"", b"__")  # of the same length
    first, inner = plain.lstrip().removeprefix(b"[").lstrip(), _FIRST_OF_LIST.search(plain)
    for start in (len(plain) - len(first), inner.end() if inner else len(plain)):
        depth = 0
        for mark in islice(_MARKS.finditer(plain, start), MOST_MARKS):
            depth += {b"{": 1, b"}": -1}.get(mark[0], 0)
            if depth <= 0:
                return head[: mark.end() + HEAD] if mark[0] == b"}" else b""
    return b""


def _begins_json(head: bytes) -> bool:
    """Whether the start of a file is that of an object or a list."""
    return head.lstrip()[:1] in (b"{", b"[")


def plain_name(name: str) -> str:
    """A file's name without the ending of its compression."""
    return name[: -len(".gz")] if name.lower().endswith(".gz") else name


EXPECTED = (
    "expected the path of a file or a folder, a list of paths, bytes, a mapping of file names to bytes, a pandas "
    "DataFrame, a list of dicts, an array, or a dict of scores by system"
)
MAX_FILES = 1000
"""Maximum number of files that are read from a folder."""

MOST_BYTES = 512 * 2**20
"""Maximum number of bytes, in all files, that are read at once."""

LONGEST_PATH = 4096
BINARY = (bytes, bytearray, memoryview)
BYTES = "bytes"
"""The name of contents that came without one."""


@dataclass(frozen=True, eq=False)
class ResolvedSource:
    """What was passed: files by name (without folders, where these differ), a table, or lists and arrays of scores.

    ``label`` is for messages.
    """

    label: str
    files: Mapping[str, Path | bytes] = field(default_factory=dict)
    folder: Path | None = None
    table: Any = None
    scores: Any = None

    def path(self, name: str) -> str:
        """A file as its owner named it."""
        content = self.files[name]
        return name if isinstance(content, bytes) else str(content)

    def first_bytes(self) -> dict[str, bytes]:
        """The start of every file, longer of one that may be JSON."""
        most = min(LONGEST_LINE, max(PACKED_HEAD, MAX_BYTES // max(len(self.files), 1)))
        firsts = {name: self._read(name, HEAD) for name in self.files}
        cut = [name for name, first in firsts.items() if len(first) == HEAD and _begins_json(head_of(first))]
        return firsts | {name: self._read(name, most) for name in cut}

    def first(self, name: str) -> bytes:
        """The start of a file."""
        return self._read(name, HEAD)

    def contents(self, names: Sequence[str]) -> dict[str, bytes]:
        """The files of these names; more than `MOST_BYTES` are refused before they are read.

        How large a single file may be is its reader's to say.
        """
        sizes = {name: self._size(name) for name in names}
        if sum(sizes.values()) > MOST_BYTES:
            largest = max(names, key=lambda name: sizes[name])
            problem = f"has {sizes[largest]:,} bytes; the limit is {MOST_BYTES >> 20} MB for all files; split it"
            raise ReadError(self.path(largest), problem)
        return {name: self._read(name) for name in names}

    def _size(self, name: str) -> int:
        """The number of bytes of a file."""
        content = self.files[name]
        if isinstance(content, bytes):
            return len(content)
        with _readable(self.path(name)):
            return content.stat().st_size

    def _read(self, name: str, most: int = -1) -> bytes:
        """The bytes of a file, or the first of them where it lies on the disk."""
        content = self.files[name]
        if isinstance(content, bytes):
            return content
        with _readable(self.path(name)), content.open("rb") as file:
            return file.read(most)


@contextmanager
def _readable(path: str) -> Iterator[None]:
    """Turn what the system refuses into an error that names the file."""
    try:
        yield
    except OSError as error:
        raise ReadError(path, f"cannot be read ({error})") from None


def resolve_source(source: Any) -> ResolvedSource:
    """Find out what a source is; nothing but names is read yet."""
    if isinstance(source, (str, os.PathLike)):
        return _path(_as_path(source))
    if isinstance(source, BINARY):
        return ResolvedSource(BYTES, {BYTES: bytes(source)})
    source = as_pandas(source)
    if isinstance(source, pd.Series) and source.index.nlevels > 1:
        source = source.to_frame("score" if source.name is None else source.name)
    if isinstance(source, pd.DataFrame):
        return ResolvedSource("DataFrame", table=source)
    if isinstance(source, Mapping):
        try:
            return _mapping(source)
        except InputError as error:
            if told := where_rows_are(source, "source"):
                raise InputError(f"source: {told}") from None
            raise error
    if isinstance(source, Sequence) and source and all(isinstance(row, Mapping) for row in source):
        return ResolvedSource("list of dicts", table=list(source))
    if hasattr(source, "__array__") or _are_scores(source):
        if isinstance(source, pd.Series) and not is_default(source.index):
            named = f"with the index {known_names(map(str, source.index[:3]))}, …"
            raise InputError(
                f"source: found a Series {named}; pass one with the levels system and segment, or SERIES.to_dict() "
                "where its labels are one system's segments, or it holds a list of scores for each system"
            )
        return ResolvedSource("list" if isinstance(source, Sequence) else type(source).__name__, scores=source)
    if isinstance(source, (Sequence, set, frozenset)) and all(isinstance(path, (str, os.PathLike)) for path in source):
        return _paths([_as_path(path) for path in source])
    found = f"{type(source).__name__}" if source is not None else "None"
    hint = "; pass its contents, source.read()" if hasattr(source, "read") else ""
    raise InputError(f"source: {EXPECTED}; found {found}{hint}")


def as_pandas(source: Any) -> Any:
    """A table of another library, such as polars, or an array with names of columns as pandas'; all else as it is.

    So are the tables of a dict that have several columns.
    """
    if getattr(getattr(source, "dtype", None), "names", None):
        return pd.DataFrame(source)
    if isinstance(source, Mapping) and source and all(map(_is_table, source.values())):
        return {
            key[0] if isinstance(key, tuple) and len(key) == 1 else key: as_pandas(one) for key, one in source.items()
        }
    if not isinstance(source, type) and callable(collect := getattr(source, "collect", None)):  # polars' LazyFrame
        source = collect()
    if not hasattr(source, "to_pandas") or isinstance(source, type):
        return source
    try:
        return source.to_pandas()
    except ImportError as error:
        problem = f"its table, {type(source).__name__}, cannot become one of pandas ({error})"
        raise InputError(f"source: {problem}; install that, or pass pandas.DataFrame(source.to_dict())") from None


def _is_table(source: object) -> bool:
    """Whether something is a table, of pandas or of another library, with several columns."""
    is_frame = isinstance(source, pd.DataFrame) or (hasattr(source, "to_pandas") and hasattr(source, "columns"))
    return is_frame and len(getattr(source, "columns", ())) > 1


def _are_scores(source: object) -> bool:
    """Whether a list holds numbers, or lists and arrays."""
    if not isinstance(source, (list, tuple)) or not source:
        return False
    return all(isinstance(row, (int, float, np.number, list, tuple, np.ndarray)) or row is None for row in source)


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


def _path(path: Path) -> ResolvedSource:
    """A file or a folder."""
    if _is_folder(path):
        return ResolvedSource(str(path), dict(_inside(path)), folder=path)
    _check_file(path)
    return ResolvedSource(path.name, {path.name: path})


def _paths(paths: Sequence[Path]) -> ResolvedSource:
    """Several files, by their names without folders where these differ, or by their folders where names are one."""
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
    folders = [path.absolute().parent.name for path in paths]
    if len(set(names)) == 1 < len(set(folders)) == len(paths):  # a folder of each system: out/bart/scores.csv
        names = [folder + names[0][names[0].find(".") :] * ("." in names[0]) for folder in folders]
    if len(set(names)) < len(names):
        names = [path.as_posix() for path in paths]
    return ResolvedSource(describe_files(names), dict(zip(names, paths, strict=True)))


def _mapping(source: Mapping[Any, Any]) -> ResolvedSource:
    """Contents by name, the columns of a table, or scores by name."""
    if not source:
        raise InputError(f"source: the mapping is empty; {EXPECTED}")
    if whole := table_rows(source):
        return ResolvedSource("dict of columns", table=whole)
    source = {name: labeled_rows(some) or some for name, some in source.items()}
    rows = {name: some for name, some in source.items() if isinstance(some, (list, tuple)) and _are_rows(some)}
    is_one = len(rows) == 1 and all(np.isscalar(one) for name, one in source.items() if name not in rows)
    if len(rows) == len(source) > 1 and (by_metric := lists_by_name(rows)):
        return ResolvedSource("dict of rows", scores=by_metric)
    if is_one and has_scores_in_lists_alone(next(iter(rows.values()))[0]):
        raise InputError(f"source: {where_rows_are(source, 'source')}")
    if rows and (is_one or len(rows) == len(source)):
        return ResolvedSource("dict of rows", table=_join_rows(rows))
    inner = [one for one in source.values() if isinstance(one, Mapping)]
    beside = [one for one in source.values() if np.isscalar(one)]
    if len(inner) == 1 and len(beside) == len(source) - 1:
        below = [*beside, *inner[0].values()]
        if any(isinstance(one, str) or (isinstance(one, (list, tuple)) and _are_rows(one)) for one in below):
            resolved = _mapping(inner[0])  # what has a text beside it, or holds rows
            if resolved.scores is not None and (told := where_rows_are(source, "source")):
                raise InputError(f"source: {told}")
            return resolved
    if all(isinstance(name, str) and isinstance(content, BINARY) for name, content in source.items()):
        return ResolvedSource(describe_files(list(source)), {name: bytes(content) for name, content in source.items()})
    if all(isinstance(name, tuple) and len(name) == 2 for name in source):  # (system, segment), in either order
        nested: dict[Any, dict[Any, Any]] = {}
        for (row, column), score in source.items():
            nested.setdefault(row, {})[column] = score
        source = nested
    for name, content in source.items():
        if isinstance(content, (*BINARY, str)) or not isinstance(name, (str, int, np.integer)):
            found = f"{name!r:.60} with {type(content).__name__}"
            raise InputError(
                f"source: a mapping must be of file names to bytes, or of systems to scores, found {found}; "
                "pass columns as a DataFrame"
            )
    lists = (list, tuple, np.ndarray, pd.Series)
    columns = [list(content) for content in source.values() if isinstance(content, lists)]
    has_texts = any(isinstance(cell, str) for column in columns for cell in column[:1])
    if has_texts and len(columns) == len(source) and len(set(map(len, columns))) == 1:
        return ResolvedSource("dict of columns", table=pd.DataFrame(dict(zip(source, columns, strict=True))))
    return ResolvedSource("dict", scores=source)


def _are_rows(some: Sequence[Any]) -> bool:
    """Whether a list holds dicts."""
    return bool(some) and all(isinstance(row, Mapping) for row in some)


def _join_rows(rows: Mapping[Any, Sequence[Mapping[Any, Any]]]) -> list[Mapping[Any, Any]]:
    """The only list of rows, or those of all systems, or, where rows name these, of all segments, or metrics."""
    first, *others = rows.values()
    if not others:
        return list(first)
    named = [name for name in first[0] if label_name(str(name)) in ALIASES["system"]]
    is_segment = any(label_name(str(name)) in ALIASES["segment"] for name in first[0])
    are_segments = named and not is_segment and len({str(row.get(named[0])) for row in first}) == len(first)
    kind = "segment" if are_segments else "metric" if named else "system"
    return [{kind: str(key), **row} for key, some in rows.items() for row in some]


def describe_files(names: Sequence[str]) -> str:
    """The files as a note calls them."""
    if len(names) == 1:
        return names[0]
    return f"{len(names)} files ({', '.join(names[:3])}{', …' if len(names) > 3 else ''})"


def _is_folder(path: Path) -> bool:
    """Whether a path is a folder; one that cannot exist, such as one with a NUL, is refused."""
    if is_unfinished(path):
        raise ReadError(str(path), UNFINISHED)
    try:
        path.stat()
        return path.is_dir()
    except FileNotFoundError:
        return False
    except (OSError, ValueError) as error:
        raise ReadError(quote(str(path)), f"cannot be read ({error}); check the path") from None


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
    likely = [name for name in beside if did_you_mean(path.stem, [Path(name).stem])]  # an ending says nothing
    hint = (
        did_you_mean(path.name, likely)
        or f"in its folder there are {known_names(sorted(beside)) if beside else 'no files'}"
    )
    raise ReadError(str(path), f"there is no such file or folder; {hint}")


def _inside(folder: Path) -> Iterator[tuple[str, Path]]:
    """The files of a folder that are not hidden, by name."""
    with _readable(str(folder)):
        files = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    return ((path.name, path) for path in files)


def check_number(given: ResolvedSource) -> None:
    """Refuse a folder of very many files, or of none."""
    if not given.files:
        raise ReadError(given.label, NOTHING_INSIDE)
    if len(given.files) > MAX_FILES:
        raise ReadError(given.label, f"holds {len(given.files):,} files; give a list of those that belong together")
