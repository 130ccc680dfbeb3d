"""Is there room, who else works in this folder, and what was noted in it?"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from tiekit.archive.step import MB, Teller
from tiekit.base.errors import DownloadError

POLL = 0.2
"""Seconds between two looks at whether another process has finished."""

CHUNK = 2**20
_FULL = {errno.ENOSPC, errno.EDQUOT}

if sys.platform == "win32":
    import msvcrt

    def _try_to_lock(file: IO[bytes]) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _try_to_lock(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def alone(path: Path, tell: Teller) -> Iterator[None]:
    """Work while nobody else does; wait until then.

    The operating system holds the lock and frees it when its process ends, however it ends: none is ever stale.
    """
    with path.open("ab") as file:
        while True:
            try:
                _try_to_lock(file)
                break
            except OSError as error:
                if error.errno not in {errno.EAGAIN, errno.EACCES, errno.EDEADLK}:
                    raise
            tell("wait")
            time.sleep(POLL)
        yield


@contextmanager
def writing(folder: Path) -> Iterator[None]:
    """Turn what the operating system says about a folder into a `DownloadError`."""
    try:
        yield
    except OSError as error:
        if error.errno in {None, errno.EPIPE}:  # not of a disk, but of what a progress function raised
            raise
        if error.errno in _FULL:
            raise DownloadError(
                f"{folder}: no space is left on this disk. Nothing that was complete is lost: make room, or choose "
                "another folder, and call again"
            ) from error
        raise DownloadError(f"{folder}: cannot be used ({error})") from error


def need_room(folder: Path, size: int, purpose: str) -> None:
    """Refuse to begin what does not fit on the disk."""
    free = shutil.disk_usage(folder).free
    if size > free:
        raise DownloadError(
            f"{folder}: {purpose} needs {size / MB:,.0f} MB, but only {free / MB:,.0f} MB are free on this disk. Make "
            "room, or choose another folder, and call again"
        )


def digest_of(path: Path, tell: Teller) -> str:
    """The SHA-256 of a file, in hexadecimal digits."""
    digest, total = hashlib.sha256(), path.stat().st_size
    with path.open("rb") as file:
        while data := file.read(CHUNK):
            digest.update(data)
            tell("check", file.tell(), total)
    return digest.hexdigest()


def noted(path: Path) -> dict[str, Any]:
    """What a file of notes says; nothing where it is missing or damaged."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def note(path: Path, notes: Mapping[str, Any]) -> None:
    """Write a file of notes, whole or not at all."""
    draft = path.with_name(f"{path.name}.new")
    draft.write_text(json.dumps(notes, indent=1) + "\n", encoding="utf-8")
    os.replace(draft, path)
