"""Which members of an archive are written, and where? Nothing outside the folder, no link, no device."""

from __future__ import annotations

import gzip
import io
import re
import tarfile
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO

from tiekit.archive.disk import need_room, writing
from tiekit.archive.step import MB, Teller
from tiekit.base.errors import DownloadError, LeftOutWarning, warn

CHUNK = 2**20
BLOCK = tarfile.BLOCKSIZE
MOST_HEADER = 2**16
"""So many bytes may describe one member."""

MOST_MEMBERS = 2_000_000
MOST_BYTES = 64 * 10**9
"""So much may be in an archive, unpacked."""

MOST_WANTED = 16 * 10**9
"""So much is written at most."""

MOST_NOTED = 1000
"""So many names of test sets and language pairs a message may draw on."""


class BadArchiveError(DownloadError):
    """An archive is damaged, or made to do harm."""


@dataclass(frozen=True)
class Wanted:
    """The test sets to unpack, and of each the language pairs; None is all of them."""

    testsets: tuple[str, ...]
    pairs: tuple[str, ...] | None = None

    def place(self, parts: tuple[str, ...]) -> PurePosixPath | None:
        """Where a member goes, below the folder of test sets; None if it is not wanted.

        It is found as ``TESTSET/KIND/LP*`` or with one folder before that.
        """
        inner = parts if parts[0] in self.testsets else parts[1:]
        if len(inner) < 3 or inner[0] not in self.testsets or any(part.startswith(".") for part in inner):
            return None
        return PurePosixPath(*inner) if self.pairs is None or self.pair_of(inner[2]) is not None else None

    def pair_of(self, name: str) -> str | None:
        """The wanted language pair that a file or a folder belongs to."""
        return next((pair for pair in self.pairs or () if name == pair or name.startswith(f"{pair}.")), None)


@dataclass
class _Seen:
    """What was written, and what else is in the archive, for messages."""

    size: int = 0
    written: set[tuple[str, str | None]] = field(default_factory=set)
    held: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    links: list[str] = field(default_factory=list)

    def note(self, parts: tuple[str, ...]) -> None:
        """Note the test set and the language pair of a score file."""
        if "human-scores" in parts[1:-1] or "metric-scores" in parts[1:-1]:
            at = parts.index("human-scores" if "human-scores" in parts else "metric-scores")
            pair = parts[at + 1].partition(".")[0]
            if len(self.held) < MOST_NOTED and len(self.held[parts[at - 1]]) < MOST_NOTED:
                self.held[parts[at - 1]].add(pair[:40])


def unpack(archive: Path, into: Path, wanted: Wanted, tell: Teller) -> None:
    """Write the wanted files of a ``.tgz`` into a new folder, in one pass and in little memory.

    Raises
    ------
    BadArchiveError
        If the archive is damaged or cut, if a name in it leads out of the folder, if a device or the same file twice
        is in it, or if it is larger than any real one.
    DownloadError
        If there is no room, or if a wanted test set or language pair is not in the archive.
    """
    seen = _Seen()
    with archive.open("rb") as packed:
        total = archive.stat().st_size
        for member, data in _members(packed, archive.name):
            tell("unpack", packed.tell(), total)
            parts = _parts(member.name, archive.name)
            if not parts:
                continue
            seen.note(parts)
            place = wanted.place(parts)
            if place is None or member.isdir():
                continue
            if member.issym() or member.islnk():
                seen.links.append(member.name)
                continue
            _write(member, data, into / place, seen, archive.name)
            seen.written.add((place.parts[0], wanted.pair_of(place.parts[2])))
        tell("unpack", total, total)
    _check_found(wanted, seen, archive)
    if seen.links:
        warn(
            f"{archive.name}: links are never unpacked; {len(seen.links)} are left out, among them {seen.links[0]!r}",
            LeftOutWarning,
        )


def _write(member: tarfile.TarInfo, data: _Forward, path: Path, seen: _Seen, archive: str) -> None:
    if not member.isreg() or member.issparse():
        raise BadArchiveError(f"{archive}: {member.name!r} is neither a file nor a folder")
    seen.size += member.size
    if seen.size > MOST_WANTED:
        raise BadArchiveError(f"{archive}: holds more than {MOST_WANTED / MB:,.0f} MB of these test sets")
    with writing(path.parent):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            need_room(path.parent, member.size, f"unpacking {member.name!r}")
            file = path.open("xb")
        except (FileExistsError, NotADirectoryError):
            raise BadArchiveError(f"{archive}: {member.name!r} is in it twice") from None
        with file:
            for piece in data.pieces(member.size):
                file.write(piece)


def _parts(name: str, archive: str) -> tuple[str, ...]:
    """The folders and the name of a member; one that could lead elsewhere is refused, on any system."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\\" in name or "\0" in name or re.match(r"[A-Za-z]:", name):
        raise BadArchiveError(f"{archive}: {name[:200]!r} would be written outside the folder")
    return path.parts


def _members(packed: IO[bytes], name: str) -> Iterator[tuple[tarfile.TarInfo, _Forward]]:
    """Each member with the archive, read up to its data; at the end, the checksum of the whole is checked."""
    data = _Forward(gzip.GzipFile(fileobj=packed, mode="rb"), name)
    try:
        with closing(_Tar(fileobj=data, mode="r")) as tar:
            for _ in range(MOST_MEMBERS):
                data.allow_header()
                if (member := tar.next()) is None:
                    break
                tar.members.clear()  # else it remembers every member
                data.seek(member.offset_data)
                yield member, data
            else:
                raise BadArchiveError(f"{name}: has more than {MOST_MEMBERS:,} members")
    except (tarfile.TarError, ValueError) as error:
        raise BadArchiveError(f"{name}: is damaged ({error})") from error
    if data.last != bytes(BLOCK):
        raise BadArchiveError(f"{name}: is damaged or ends too early")
    for _ in data.pieces(None):
        pass


class _Tar(tarfile.TarFile):
    members: list[tarfile.TarInfo]


class _Forward(io.RawIOBase):
    """The unpacked bytes of an archive from front to back, as `tarfile` reads them, within limits."""

    def __init__(self, source: gzip.GzipFile, name: str) -> None:
        super().__init__()
        self._source, self._name, self._position, self._header = source, name, 0, MOST_HEADER
        self.last = b""
        """What was read last."""

    def allow_header(self) -> None:
        """From here on a header is read."""
        self._header = MOST_HEADER

    def read(self, size: int = -1, /) -> bytes:
        """Read a part of a header."""
        self._header -= size if size >= 0 else MOST_HEADER + 1
        if self._header < 0:
            raise BadArchiveError(f"{self._name}: describes a member in more than {MOST_HEADER:,} bytes")
        self.last = b"".join(self.pieces(size, whole=False))
        return self.last

    def pieces(self, size: int | None, *, whole: bool = True) -> Iterator[bytes]:
        """The next ``size`` bytes, or all; ``whole`` says that so many must be there."""
        while size is None or size > 0:
            try:
                piece = self._source.read(CHUNK if size is None else min(size, CHUNK))
            except (EOFError, zlib.error, gzip.BadGzipFile) as error:
                raise BadArchiveError(f"{self._name}: is damaged or ends too early ({error})") from error
            self._position += len(piece)
            if self._position > MOST_BYTES:
                raise BadArchiveError(f"{self._name}: holds more than {MOST_BYTES / MB:,.0f} MB")
            if not piece:
                if whole and size is not None:
                    raise BadArchiveError(f"{self._name}: ends in the middle of a file")
                return
            yield piece
            size = None if size is None else size - len(piece)

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Go forward."""
        if whence or offset < self._position:
            raise BadArchiveError(f"{self._name}: is damaged (it leads back to what was read)")
        for _ in self.pieces(offset - self._position):
            pass
        return self._position

    def tell(self) -> int:
        """So many bytes were read."""
        return self._position


def _check_found(wanted: Wanted, seen: _Seen, archive: Path) -> None:
    found = {testset for testset, _ in seen.written}
    for testset in wanted.testsets:
        if testset not in found and testset not in seen.held:
            raise DownloadError(
                f"testset: there is no {testset!r} in {archive.name}; there are {_listed(seen.held)}. The archive is "
                "kept, so that another call is quick"
            )
        for pair in wanted.pairs or (None,):
            if (testset, pair) not in seen.written:
                raise DownloadError(
                    f"language_pair: there is no {pair!r} in {testset} of {archive.name}; there are "
                    f"{_listed(seen.held[testset])}. The archive is kept, so that another call is quick"
                )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)[:60]) or "none at all"
