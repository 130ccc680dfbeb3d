"""How is a file or a folder written so that nobody finds half of it? Beside its place, and then put there."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from uuid import uuid4


def write_file(path: str | os.PathLike[str], text: str) -> None:
    """Write a text as UTF-8; whoever is interrupted leaves the old file as it was.

    What is no regular file, such as a pipe, is written to directly; of a link, the file that it names is replaced.
    """
    place = Path(path)
    if place.exists() and not place.is_file():
        place.write_text(text, encoding="utf-8", newline="\n")
        return
    place = place.resolve()
    fresh = place.with_name(f".tiekit-{uuid4().hex}")
    try:
        with fresh.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if place.exists():
            shutil.copymode(place, fresh)
        fresh.replace(place)
    except BaseException:
        with suppress(OSError):
            fresh.unlink()
        raise


def write_folder(folder: Path, files: Mapping[str, str]) -> None:
    """Write texts by their paths below a folder; other files that it holds stay.

    The folder is made beside its place, with those files, and the two are exchanged. Whoever is killed between the two
    steps of that leaves the old folder beside it, with a name that ends in ``.old``; the next call puts it back.
    """
    folder = folder.resolve()
    old, fresh = folder.with_name(f".{folder.name}.old"), folder.with_name(f".tiekit-{uuid4().hex}")
    folder.parent.mkdir(parents=True, exist_ok=True)
    if old.exists() and not folder.exists():
        old.rename(folder)
    try:
        if folder.exists():
            shutil.copytree(folder, fresh, symlinks=True)
        for path, text in files.items():
            (fresh / path).parent.mkdir(parents=True, exist_ok=True)
            write_file(fresh / path, text)
        shutil.rmtree(old, ignore_errors=True)
        if folder.exists():
            folder.rename(old)
        fresh.rename(folder)
    except BaseException:
        if old.exists() and not folder.exists():
            old.rename(folder)
        raise
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)
