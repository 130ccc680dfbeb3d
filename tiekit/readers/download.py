"""How do published test sets come from the archive of mt-metrics-eval into a folder?

`pooch` transfers the archive, checks its digest and keeps it; `tarfile` unpacks it with its data filter.
"""

from __future__ import annotations

import errno
import gzip
import hashlib
import json
import os
import re
import shutil
import sys
import tarfile
import tempfile
import time
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from tiekit.base.atomic import replace_folder, write_file
from tiekit.base.errors import DownloadError, InputError, LeftOutWarning, warn
from tiekit.base.names import as_names, find_name, short
from tiekit.base.parallel import Bar, showing
from tiekit.base.results import __version__
from tiekit.readers.facts import known_testsets

ARCHIVE_URL = "https://data.statmt.org/wmt26/mt-metrics-eval-v2.tgz"
"""The public archive of mt-metrics-eval v2: all test sets in one file of about 900 MB."""

NO_FILE = re.compile(
    r"[:\\<>\"|?*]|[. ]$|^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)\s*(\..*)?$", re.IGNORECASE
)
"""What no part of a file's name may be on Windows: a drive, a device, or a name that stands for another."""

CACHE = "tiekit-archive"
"""The folder beside the test sets in which archives are kept."""

RECORD = ".tiekit.json"
"""The file of a test set that lists the language pairs that were unpacked."""

EVERY = "*"
"""Stands in a record for all language pairs."""

CHUNK = 2**16
INTERVAL = 0.1
"""Seconds between two calls of a progress function."""

TIMEOUT = (15.0, 60.0)
"""Seconds to wait for a connection, and for the next bytes."""

SECONDS_TO_KEEP = 24 * 3600
"""Age in seconds from which on the temporary folder of another process is taken for one that was killed."""

MAX_READ = 2**16
"""Maximum number of bytes that are read of an archive at once, and so of the description of one file."""

MAX_MEMBERS, LONGEST_NAME = 200_000, 300
"""Maximum number of files and folders in an archive."""

MAX_BYTES = 64 * 10**9
"""Maximum number of bytes in an archive, unpacked."""

MAX_PACKED = 16 * 10**9
"""Maximum number of bytes of an archive as it is sent."""

MAX_WANTED = 16 * 10**9
"""Maximum number of bytes that are written."""

OTHER_COPY = "If the archive has moved, pass its address as url= or set TIEKIT_ARCHIVE_URL"


@dataclass(frozen=True)
class Step:
    """How far a download is.

    Attributes
    ----------
    stage : str
        ``"download"`` or ``"unpack"``.
    done, total : int, int or None
        Bytes of the archive that this stage has done, and all of them; None where the size is not known.

    Examples
    --------
    >>> print(Step("download", 250_000_000, 912_000_000))
    downloading: 250 of 912 MB
    """

    stage: Literal["download", "unpack"]
    done: int = 0
    total: int | None = None

    @property
    def fraction(self) -> float | None:
        """The fraction of this stage that is done, from 0 to 1; None where the size is not known."""
        return min(self.done / self.total, 1.0) if self.total else None

    def __str__(self) -> str:
        """One line for people."""
        whole = f" of {self.total / 1e6:,.0f}" if self.total else ""
        return f"{self.stage}ing: {self.done / 1e6:,.0f}{whole} MB"


def download(
    testset: str | Iterable[str],
    folder: str | Path | None = None,
    *,
    language_pair: str | Iterable[str] | None = None,
    url: str | None = None,
    sha256: str | None = None,
    keep: bool = False,
    force: bool = False,
    progress: Callable[[Step], None] | bool | None = None,
) -> Path:
    """Download test sets from the public archive of mt-metrics-eval, and return the folder for `read_mtme`.

    The archive is one file of about 900 MB that holds all test sets, so name all that you need in one call, or keep
    the archive. Only the wanted test sets are unpacked, and they appear in the folder when all of them are complete:
    a download that is interrupted leaves nothing behind, and begins anew when it is called again. A test set that is
    there is not downloaded again.

    Parameters
    ----------
    testset : str or iterable of str
        Such as ``"wmt23"``; a name that does not exist is answered with those that do.
    folder : path, optional
        Where the folder of the test set goes. By default, the folder that the environment variable ``TIEKIT_DATA``
        names, else one in the user's cache.
    language_pair : str or iterable of str, optional
        Unpack only these language pairs of each test set, such as ``"en-de"``. None unpacks all.
    url : str, optional
        Address (http or https) of another archive in the same layout, a ``.tgz``. By default, the address in the
        environment variable ``TIEKIT_ARCHIVE_URL``, else that of the public archive.
    sha256 : str, optional
        The SHA-256 digest that the archive must have. Without it, the archive is trusted as its server is.
    keep : bool
        Keep the archive in the subfolder ``tiekit-archive``, so that further test sets need no download; delete the
        subfolder whenever you like. Otherwise nothing is kept but the test sets.
    force : bool
        Unpack (and download, if the archive is not kept) although the test set is there. Files that the archive does
        not hold, such as your own scores, stay.
    progress : function of a Step, or bool, optional
        Called now and then with the stage and with bytes done and in total (`Step.stage`, `Step.done`, `Step.total`).
        Raise an exception to stop. None and True show a bar on a terminal or in a notebook, after a second; False
        shows none.

    Returns
    -------
    Path
        The folder that holds the folders of the test sets: the first argument of `read_mtme`.

    Raises
    ------
    DownloadError
        If the server refuses or does not answer, if the disk is full, if the archive is damaged, has another digest or
        would write outside the folder, or if the test set is not in it. The message says what to do.
    InputError
        If the public archive has no such test set or language pair, or an argument breaks a rule.

    Notes
    -----
    Links in an archive are left out with a `LeftOutWarning`. Several processes may download into the same folder: each
    downloads by itself, and the last one's files stay.

    References
    ----------
    The archive is that of github google-research/mt-metrics-eval; its README names the papers to cite.

    Examples
    --------
    >>> import tiekit as tk
    >>> root = tk.download("wmt23", language_pair="en-de")  # doctest: +SKIP
    >>> data = tk.read_mtme(root, "wmt23", "en-de")  # doctest: +SKIP
    """
    url = os.environ.get("TIEKIT_ARCHIVE_URL") or ARCHIVE_URL if url is None else url
    if not (isinstance(url, str) and re.match(r"https?://(\[.+\]|[^/?#\s\[])", url)):
        raise InputError(f"url: must be an address that begins with https:// or http://, found {url!r}")
    testsets, pairs = _check_names(testset, language_pair, known_only=url == ARCHIVE_URL)
    if sha256 is not None and not (isinstance(sha256, str) and re.fullmatch("[0-9a-fA-F]{64}", sha256)):
        raise InputError(f"sha256: must be 64 hexadecimal digits, found {sha256!r}")
    if not isinstance(folder, str | os.PathLike | None):
        raise InputError(f"folder: must be a path, found {folder!r}")
    root = default_folder() if folder is None else Path(folder).expanduser()
    if not force and all(_is_there(root / name, pairs) for name in testsets):
        return root
    with showing(False if callable(progress) else progress, "download") as bar:
        meter = _Meter(progress if callable(progress) else lambda step: _show(bar, step))
        with _disk_errors(root, meter):
            root.mkdir(parents=True, exist_ok=True)
            _delete_leftovers(root)
            with tempfile.TemporaryDirectory(prefix=".tiekit-", dir=root) as fresh:
                kept = root / CACHE / f"{hashlib.sha256(url.encode()).hexdigest()[:16]}.tgz"
                archive = kept if keep or kept.exists() else Path(fresh) / kept.name
                _fetch(url, archive, sha256, meter)
                with _archive_errors(url, archive, meter):
                    _unpack(archive, Path(fresh) / "sets", testsets, pairs, meter)
                for name in testsets:
                    with replace_folder(root / name) as folder:
                        _move_files(Path(fresh) / "sets" / name, folder)
                        write_file(folder / RECORD, json.dumps(sorted({*_pairs_there(folder), *(pairs or [EVERY])})))
    return root


def default_folder() -> Path:
    """Return where test sets go unless told otherwise: ``TIEKIT_DATA``, or a folder in the user's cache."""
    if named := os.environ.get("TIEKIT_DATA"):
        return Path(named).expanduser()
    import pooch  # when it is needed

    return Path(pooch.os_cache("tiekit")) / "mt-metrics-eval-v2"


def _check_names(
    testset: str | Iterable[str], pairs: str | Iterable[str] | None, *, known_only: bool
) -> tuple[list[str], list[str] | None]:
    """The test sets and pairs by name; those that cannot be in the public archive are refused before a download."""
    names = list(dict.fromkeys(as_names(testset, "testset")))
    chosen = None if pairs is None else list(dict.fromkeys(as_names(pairs, "language_pair")))
    for argument, values in (("testset", names), ("language_pair", chosen)):
        if values is not None and not values:
            raise InputError(f"{argument}: must name at least one")
        for value in values or ():
            if not isinstance(value, str) or not re.fullmatch(r"\w[\w.+-]*", value) or value == CACHE:
                raise InputError(f"{argument}: expected a plain name such as wmt22 or zh-en, found {value!r}")
    if known_only:
        known = known_testsets()
        names = [find_name("testset", name, known) for name in names]
        for name in names:
            for pair in chosen or ():
                if pair not in known[name]:
                    raise InputError(f"language_pair: {name} has no {pair!r}; it has {', '.join(known[name])}")
    return names, chosen


def _pairs_there(folder: Path) -> set[str]:
    """The language pairs of a test set that were unpacked; none where the record is missing or damaged."""
    try:
        return set(json.loads((folder / RECORD).read_bytes()))
    except (OSError, ValueError, TypeError, RecursionError):
        return set()


def _delete_leftovers(root: Path) -> None:
    """Delete what a process that was killed could not, once it is certain that nobody uses it."""
    for folder in root.glob(".tiekit-*"):
        if time.time() - folder.stat().st_mtime > SECONDS_TO_KEEP:
            shutil.rmtree(folder, ignore_errors=True)


def _is_there(folder: Path, pairs: list[str] | None) -> bool:
    recorded = _pairs_there(folder)
    return EVERY in recorded or (pairs is not None and recorded.issuperset(pairs))


class _Meter:
    """Passes steps on to a progress function, at most ten times a second; `pooch` takes it for a progress bar."""

    def __init__(self, tell: Callable[[Step], None]) -> None:
        self.total, self.is_telling, self._tell, self._done, self._last = 0, False, tell, 0, 0.0

    def update(self, size: int) -> None:
        """Add so many bytes that were downloaded."""
        self._done = min(self._done + size, self.total or sys.maxsize)
        if self._done > MAX_PACKED:
            raise DownloadError(f"the archive has more than {MAX_PACKED / 1e6:,.0f} MB, the limit. Nothing was changed")
        self.reach(Step("download", self._done, self.total or None))

    def reset(self) -> None:
        """Begin anew, as `pooch` does at the end to show all."""
        self._done = 0

    def close(self) -> None:
        """Do nothing: a bar is closed by whoever made it."""

    def reach(self, step: Step) -> None:
        """Tell how far it is; what the function raises ends the download, and is no error of ours: ``is_telling``."""
        now = time.monotonic()
        if step.done == step.total or now - self._last >= INTERVAL:
            self._last = now
            self.is_telling = True
            self._tell(step)
            self.is_telling = False


def _show(bar: Any, step: Step) -> None:
    if isinstance(bar, Bar):
        bar.label = step.stage
        bar(step.fraction or 0.0)


def _fetch(url: str, archive: Path, sha256: str | None, meter: _Meter) -> None:
    """Bring an archive to its place, whole or not at all; one that is there is only checked."""
    import pooch  # when they are needed: `import tiekit` loads no HTTP client
    import requests

    answers: list[requests.Response] = []

    def before_reading(response: requests.Response, **_: Any) -> None:
        answers.append(response)
        response.raw.headers.pop("Content-Encoding", None)  # that the file is compressed is no reason to unpack it
        if url.startswith("https:") and not response.url.startswith("https:"):
            raise DownloadError(
                f"{_public_url(url)}: leads to an address without encryption, {_public_url(response.url)}"
            )

    pooch.get_logger().setLevel("WARNING")
    headers = {"Accept-Encoding": "identity", "User-Agent": f"tiekit/{__version__}"}
    downloader = pooch.HTTPDownloader(
        meter, chunk_size=CHUNK, timeout=TIMEOUT, headers=headers, hooks={"response": before_reading}
    )
    digest = sha256 and sha256.lower()
    try:
        pooch.retrieve(url, digest, fname=archive.name, path=archive.parent, downloader=downloader)
    except requests.RequestException as error:
        answer, said = error.response, "the connection failed"
        if answer is not None:
            said = f"the server answered {answer.status_code} {answer.reason}"
        raise DownloadError(
            f"{_public_url(url)}: {said} ({type(error).__name__}). Nothing was changed; call again to download from "
            f"the beginning. {OTHER_COPY}"
        ) from error
    except ValueError as error:
        if meter.is_telling:
            raise
        said = "the archive has another digest than sha256= says, so it is not used"
        if sha256 is None:
            said = "it, or where it leads, is no address; call again with another one"
        raise DownloadError(f"{_public_url(url)}: {said} ({error})") from error
    finally:
        for each in answers:
            each.close()


def _public_url(url: str) -> str:
    """An address without the user's name and password that it may hold."""
    return re.sub(r"//[^/?#]*@", "//", url)


@contextmanager
def _disk_errors(root: Path, meter: _Meter) -> Iterator[None]:
    """Turn what the operating system says about a folder into a `DownloadError`."""
    try:
        yield
    except OSError as error:
        if meter.is_telling:
            raise
        full = error.errno in {errno.ENOSPC, errno.EDQUOT}
        said = "no space is left on this disk" if full else f"cannot be used ({error})"
        raise DownloadError(f"{root}: {said}. Make room or choose another folder, and call again") from error


@contextmanager
def _archive_errors(url: str, archive: Path, meter: _Meter) -> Iterator[None]:
    """Turn what is wrong with an archive into a `DownloadError`, and delete the archive."""
    try:
        yield
    except (tarfile.TarError, EOFError, zlib.error, gzip.BadGzipFile, ValueError) as error:
        if meter.is_telling:
            raise
        archive.unlink()
        raise DownloadError(
            f"{_public_url(url)}: the archive is damaged, hostile or none at all, and was deleted ({error}). Call "
            "again to download it anew; where a network asks you to log in, open the address in a browser first. "
            f"{OTHER_COPY}"
        ) from error


class _BoundedGzip(gzip.GzipFile):
    """A compressed file that `tarfile` cannot be made to read into memory as a whole."""

    def read(self, size: int | None = -1) -> bytes:
        """Read at most so many bytes."""
        if size is None or not 0 <= size <= MAX_READ:
            raise tarfile.ReadError(f"a file in it is described in more than {MAX_READ:,} bytes")
        return super().read(size)


def _unpack(archive: Path, into: Path, testsets: list[str], pairs: list[str] | None, meter: _Meter) -> None:
    """Write the wanted files of an archive into a new folder, in one pass, and read its checksum at the end."""
    held: dict[str, set[str]] = defaultdict(set)
    written: set[tuple[str, str | None]] = set()
    links: list[str] = []
    size, after, total = 0, 0, archive.stat().st_size
    with (
        archive.open("rb") as packed,
        _BoundedGzip(fileobj=packed) as data,
        tarfile.open(fileobj=data, mode="r:") as tar,
    ):
        for number, member in enumerate(tar):
            if number >= MAX_MEMBERS or member.offset_data + member.size > MAX_BYTES:
                raise tarfile.ReadError(f"it holds more than {MAX_MEMBERS:,} files or {MAX_BYTES / 1e6:,.0f} MB")
            meter.reach(Step("unpack", packed.tell(), total))
            place = _place(member.name, testsets, held)
            if place is None or member.isdir():
                continue
            pair = next((pair for pair in pairs or () if f"{place.parts[2]}.".startswith(f"{pair}.")), None)
            if pairs and pair is None:
                continue
            if member.issym() or member.islnk():
                links.append(member.name)
                continue
            size += member.size
            if size > MAX_WANTED:
                raise tarfile.ReadError(f"it holds more than {MAX_WANTED / 1e6:,.0f} MB of these test sets")
            tar.extract(member.replace(name=str(place), deep=False), into, filter="data")
            written.add((place.parts[0], pair))
        while rest := len(data.read(CHUNK)):
            meter.reach(Step("unpack", packed.tell(), total))
            after += rest
            if after > MAX_WANTED:
                raise tarfile.ReadError(f"more than {MAX_WANTED / 1e6:,.0f} MB follow its last file")
    meter.reach(Step("unpack", total, total))
    for name in testsets:
        for pair in pairs or (None,):
            if (name, pair) not in written:
                _refuse_absent(name, pair, held)
    if links:
        warn(f"links in an archive are never unpacked; {len(links)} left out, among them {links[0]!r}", LeftOutWarning)


def _refuse_absent(testset: str, pair: str | None, held: dict[str, set[str]]) -> None:
    said, names = f"testset: there is no {testset!r}", list(held)
    if testset in held:
        said, names = f"language_pair: there is no {pair!r} in {testset}", list(held[testset])
    raise DownloadError(f"{said} in this archive; there are {', '.join(sorted(names)[:60]) or 'none at all'}")


def _place(name: str, testsets: list[str], held: dict[str, set[str]]) -> PurePosixPath | None:
    """Where a member goes below the folder of test sets; None if it is of no wanted one.

    A test set is found at the top or in one folder, as ``TESTSET/KIND/LP*``; ``held`` notes all that score files name.
    """
    parts = PurePosixPath(name).parts
    for kind in {"human-scores", "metric-scores"}.intersection(parts[1:-1]):
        at = parts.index(kind, 1)
        held[parts[at - 1]].add(parts[at + 1].partition(".")[0])
    inner = parts if parts[:1] and parts[0] in testsets else parts[1:]
    if len(inner) < 3 or inner[0] not in testsets or any(part.startswith(".") and part != ".." for part in inner):
        return None
    if (
        len(name) > LONGEST_NAME
        or not name.isprintable()
        or any(NO_FILE.search(part) for part in inner if part != "..")
    ):
        raise tarfile.ReadError(f"{short(name)!r} is not the name of a file on every system")
    return PurePosixPath(*inner)


def _move_files(source: Path, target: Path) -> None:
    """Move files to where they belong; those that are there already and not in the source stay."""
    for file in [path for path in source.rglob("*") if path.is_file()]:
        place = target / file.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        os.replace(file, place)
