"""How does a reader find the old or the new, never a half? What is written stands beside it and is exchanged."""

from __future__ import annotations

import ctypes
import errno
import os
import re
import secrets
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ModuleNotFoundError:  # Windows
    fcntl = None  # type: ignore[assignment]

AT_CWD, EXCHANGE = -100, 2
"""What Linux calls a path that is not relative to an open folder, and a rename of two things at once."""

SECONDS_TO_KEEP = 24 * 3600
"""Age from which on leftovers are taken for those of a process that was killed, where no lock tells."""

UNFINISHED = "was never finished: whoever wrote it was stopped. Write it again, or delete it"
"""What to say of a path that `is_unfinished`."""

_MARK = re.compile(r"\..*\.writing-[0-9a-f]{8}")
_LONGEST_NAME = 50


def is_unfinished(path: str | os.PathLike[str]) -> bool:
    """Whether a path is, or lies in, what a writer that was killed left behind."""
    return any(_MARK.fullmatch(part) for part in Path(path).absolute().parts)


def write_file(path: str | os.PathLike[str], text: str) -> None:
    """Write a text in UTF-8, whole or not at all; links are followed, and a file that was there keeps its rights.

    One that may not be written is refused, though its folder would allow to replace it.
    """
    place, data = Path(path), text.encode()
    if place.exists() and not place.is_file():
        place.write_bytes(data)  # a pipe or a device; a folder refuses
        return
    place = Path(os.path.realpath(place))
    if place.exists() and not os.access(place, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(place))
    with _place_beside(place) as fresh:
        with fresh.open("xb") as file:
            if place.exists():
                shutil.copymode(place, fresh)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, place)


@contextmanager
def replace_folder(folder: str | os.PathLike[str]) -> Iterator[Path]:
    """Change a folder as a whole or not at all; it is made if it is not there.

    Yields a folder that holds the same files. Write into it by `write_file` alone, as files are the same on the disk
    until they are replaced. What lies behind a link inside the folder is changed file by file.
    """
    place = Path(os.path.realpath(folder))
    place.parent.mkdir(parents=True, exist_ok=True)
    with _place_beside(place) as fresh:
        if place.exists():
            shutil.copytree(place, fresh, symlinks=True, copy_function=_link)
        else:
            fresh.mkdir()
        yield fresh
        if not place.exists():
            os.rename(fresh, place)
        elif not _exchange_at_once(fresh, place):
            _exchange_in_steps(fresh, place)


@contextmanager
def _place_beside(place: Path) -> Iterator[Path]:
    """A path beside another, which nobody reads; what stands there at the end is deleted."""
    fresh = place.with_name(f".{place.name[:_LONGEST_NAME]}.writing-{secrets.token_hex(4)}")
    with _only_writer(place.parent) as alone:
        try:
            _delete_leftovers(place, alone=alone)
            yield fresh
        except OSError as error:
            if str(error.filename).startswith(str(fresh)):
                error.filename = str(error.filename).replace(str(fresh), str(place))
            raise
        finally:
            _delete(fresh)


@contextmanager
def _only_writer(folder: Path) -> Iterator[bool]:
    """Wait until no other writes in a folder; False where the system has no such locks."""
    opened, alone = None, False
    try:
        if fcntl:
            with suppress(OSError):  # as on some network disks
                opened = os.open(folder, os.O_RDONLY)
                fcntl.flock(opened, fcntl.LOCK_EX)
                alone = True
        yield alone
    finally:
        if opened is not None:
            os.close(opened)


def _delete_leftovers(place: Path, *, alone: bool) -> None:
    """Delete what a writer that was killed left; an old folder that it had moved away comes back."""
    if not place.parent.is_dir():
        return
    for path in list(place.parent.iterdir()):
        old = re.fullmatch(rf"\.{re.escape(place.name)}\.before-[0-9a-f]{{8}}", path.name)
        mine = path.name.startswith(f".{place.name[:_LONGEST_NAME]}.writing-") and _MARK.fullmatch(path.name)
        if not (old or mine) or not (alone or time.time() - path.lstat().st_mtime > SECONDS_TO_KEEP):
            continue
        if old and not place.exists():
            os.rename(path, place)
        else:
            _delete(path)


def _exchange_at_once(one: Path, other: Path) -> bool:
    """Exchange two folders in one step; False where the system cannot."""
    rename = getattr(ctypes.CDLL(None), "renameat2", None) if sys.platform == "linux" else None
    return rename is not None and rename(AT_CWD, os.fsencode(one), AT_CWD, os.fsencode(other), EXCHANGE) == 0


def _exchange_in_steps(one: Path, other: Path) -> None:
    """Exchange two folders; who is killed between the steps leaves the old one for `_delete_leftovers`."""
    aside = other.with_name(f".{other.name}.before-{one.name[-8:]}")
    try:
        os.rename(other, aside)
        os.rename(one, other)
    finally:
        if other.exists():
            _delete(aside)
        else:
            os.rename(aside, other)


def _link(source: str, target: str) -> None:
    """One file under two names; where the disk has no such links, a copy."""
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        shutil.copy2(source, target)


def _delete(path: Path) -> None:
    """Delete a file or a folder, if it is there and may be deleted."""
    shutil.rmtree(path, ignore_errors=True)
    with suppress(OSError):
        path.unlink()
