"""How does a file come from a server, although the connection breaks?"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from tiekit.archive.disk import need_room, note, noted, writing
from tiekit.archive.step import MB, Teller
from tiekit.base.errors import DownloadError
from tiekit.base.results import __version__

if TYPE_CHECKING:
    from requests import Response

GZIP = b"\x1f\x8b"
CHUNK = 2**16
TIMEOUT = (15.0, 60.0)
"""Seconds to wait for a connection, and for the next bytes."""

TRIES = 5
"""So many tries in a row that bring next to nothing end a download."""

ENOUGH = 2**18
"""A try that brings so many bytes more than were ever here is no failure."""

PAUSE = 1.0
"""Seconds before the second try; doubled with each further one."""

OTHER_COPY = "If the archive has moved, pass its address as url= or set TIEKIT_ARCHIVE_URL"


class _InterruptedError(Exception):
    """A try failed in a way that another one may mend."""


@dataclass(frozen=True)
class Version:
    """Which version of which file a part belongs to, as its server said.

    The validator is what If-Range takes: a strong ETag, else the time of the last change.
    """

    url: str
    validator: str | None = None
    size: int | None = None


def fetch(url: str, target: Path, tell: Teller) -> None:
    """Bring the whole file to ``target``; what ``TARGET.part`` already holds of it is not transferred again.

    Raises
    ------
    DownloadError
        If the server has no such archive or does not answer, if the connection breaks too often, or if the disk is
        full. The part stays, and the next call goes on from there.
    """
    transfer = _Transfer(url, target, tell)
    furthest, failures = transfer.have, 0
    while True:
        try:
            transfer.attempt()
            break
        except _InterruptedError as problem:
            failures = 0 if transfer.have >= furthest + ENOUGH else failures + 1
            furthest = max(furthest, transfer.have)
            if failures >= TRIES or not transfer.reached:
                raise DownloadError(f"{shown(url)}: {problem}. {transfer.how_far()}") from problem
            time.sleep(PAUSE * 2 ** max(failures - 1, 0))
    with writing(target.parent):
        os.replace(transfer.part, target)


def notes_of(target: Path) -> Path:
    """Where it is noted which version of which file this is."""
    return target.with_name(f"{target.name}.json")


def version_of(target: Path) -> Version | None:
    """Which version of which file lies at ``target``, or is on its way there."""
    notes = noted(notes_of(target))
    url, validator, size = (notes.get(field.name) for field in fields(Version))
    if not isinstance(url, str):
        return None
    return Version(url, validator if isinstance(validator, str) else None, size if isinstance(size, int) else None)


def shown(url: str) -> str:
    """An address without the user's name and password that it may hold."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


class _Transfer:
    """One file on its way, in as many tries as it takes."""

    def __init__(self, url: str, target: Path, tell: Teller) -> None:
        self.url, self.target, self.tell = url, target, tell
        self.part = target.with_name(f"{target.name}.part")
        self.reached = False
        """Whether the server has answered at all."""

        found = version_of(target)
        self.version = found if found is not None and found.url == shown(url) else None

    @property
    def have(self) -> int:
        """So many bytes are here."""
        return self.part.stat().st_size if self.part.exists() else 0

    def how_far(self) -> str:
        """What is here, and what to do."""
        whole = f" of {self.version.size / MB:,.1f}" if self.version and self.version.size else ""
        return (
            f"{self.have / MB:,.1f}{whole} MB are here ({self.part}); call again to go on from there"
            if self.have
            else f"Look whether this machine reaches the server, then call again. {OTHER_COPY}"
        )

    def attempt(self) -> None:
        """Go on from what is here, or begin anew where that cannot be."""
        start = self._start()
        if start and self.version and start == self.version.size:
            return
        with self._answer(start) as response:
            if start and not self._continues(response, start):
                if response.status_code in {206, 416}:  # the file has changed or is shorter: ask for all of it
                    self.version = None
                    raise _InterruptedError("the file on the server has changed")
                start = 0
            chunks: Iterator[bytes] = response.raw.stream(CHUNK, decode_content=False)
            first = _next(chunks)
            if not start:
                if response.status_code != 200:
                    raise _InterruptedError(f"the server answered {response.status_code} where nothing called for it")
                _refuse_page(self.url, response, first)
                self._begin(response)
            size = self.version.size if self.version else None
            with writing(self.part.parent):
                need_room(self.part.parent, (size or 0) - start, "the rest of the archive")
                self._write(start, first, chunks, size)
        if size is not None and self.have != size:
            raise _InterruptedError(f"the connection ended after {self.have:,} of {size:,} bytes")

    def _start(self) -> int:
        """From where to go on: 0 unless it is certain which version of the file the part belongs to."""
        if self.version is None or self.version.validator is None:
            return 0
        return self.have if self.version.size is None or self.have <= self.version.size else 0

    @contextmanager
    def _answer(self, start: int) -> Iterator[Response]:
        import requests  # when it is needed: `import tiekit` loads no HTTP client
        from urllib3.exceptions import HTTPError

        headers = {"Accept-Encoding": "identity", "User-Agent": f"tiekit/{__version__}"}
        if start and self.version and self.version.validator:
            headers |= {"Range": f"bytes={start}-", "If-Range": self.version.validator}
        try:
            with requests.get(self.url, headers=headers, stream=True, timeout=TIMEOUT) as response:
                self.reached = True
                _refuse_status(self.url, response)
                yield response
        except (requests.TooManyRedirects, requests.exceptions.InvalidURL, requests.exceptions.InvalidSchema) as error:
            raise DownloadError(f"{shown(self.url)}: leads nowhere ({error}). {OTHER_COPY}") from error
        except requests.Timeout as error:
            raise _InterruptedError("the server did not answer in time") from error
        except (requests.RequestException, HTTPError) as error:
            said = "the connection broke" if self.reached else "there is no connection to the server"
            raise _InterruptedError(f"{said} ({_cause(error)})") from error

    def _continues(self, response: Response, start: int) -> bool:
        """Whether these are the bytes that follow ours, of the same version."""
        if response.status_code != 206 or self.version is None:
            return False
        match = re.fullmatch(r"bytes (\d{1,18})-\d{1,18}/(\d{1,18}|\*)", response.headers.get("Content-Range", ""))
        if match is None or int(match[1]) != start:
            return False
        same_size = self.version.size is None or match[2] in {str(self.version.size), "*"}
        return same_size and _validator(response) in {self.version.validator, None}

    def _begin(self, response: Response) -> None:
        """Note which version this is; a part of another one goes first."""
        length = response.headers.get("Content-Length", "")
        size = int(length) if re.fullmatch(r"\d{1,18}", length) else None
        self.version = Version(shown(self.url), _validator(response), size)
        with writing(self.part.parent):
            self.part.unlink(missing_ok=True)
            note(notes_of(self.target), asdict(self.version))

    def _write(self, start: int, first: bytes, chunks: Iterator[bytes], size: int | None) -> None:
        done, data = start, first
        with self.part.open("ab") as file:
            while data:
                file.write(data)
                done += len(data)
                self.tell("download", done, size)
                data = _next(chunks)


def _next(chunks: Iterator[bytes]) -> bytes:
    """The next bytes that came; none at the end."""
    return next((chunk for chunk in chunks if chunk), b"")


def _validator(response: Response) -> str | None:
    tag = response.headers.get("ETag", "")
    return tag if tag.startswith('"') else response.headers.get("Last-Modified")


def _refuse_status(url: str, response: Response) -> None:
    """Raise unless the answer is one that `attempt` can use."""
    code, reason = response.status_code, response.reason or "no reason given"
    if url.startswith("https:") and not response.url.startswith("https:"):
        raise DownloadError(f"{shown(url)}: leads to an address without encryption, {shown(response.url)}")
    if code in {408, 425, 429} or code >= 500:
        raise _InterruptedError(f"the server answered {code} ({reason})")
    if code not in {200, 206, 416}:
        said = {404: "there is no such file", 410: "there is no such file", 403: "the server refuses to give this file"}
        raise DownloadError(
            f"{shown(url)}: {said.get(code, 'the server gave no file')} ({code} {reason}). {OTHER_COPY}"
        )


def _refuse_page(url: str, response: Response, first: bytes) -> None:
    """Raise where the server sent a page, for people, instead of an archive."""
    if not first or not GZIP.startswith(first[:2]):  # a connection may break after one byte
        kind = response.headers.get("Content-Type", "of no stated type")
        begins = first[:60].decode("utf-8", "replace").split("\n")[0].strip()
        raise DownloadError(
            f"{shown(url)}: the server sent no gzip archive but something else ({kind}), which begins with {begins!r}. "
            f"Perhaps a network asks you to log in: open the address in a browser. {OTHER_COPY}"
        )


def _cause(error: BaseException) -> str:
    """The innermost reason, in one line."""
    reason = getattr(error, "reason", None) or (error.args[0] if error.args else None)
    if isinstance(reason, BaseException):
        return _cause(reason)
    return str(reason or error).replace("\n", " ")[:200] or type(error).__name__
