"""What is in a folder of test sets: the archive on its way, what was unpacked, and what is whole?"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from dataclasses import asdict
from pathlib import Path
from urllib.parse import urlsplit

from tiekit.archive.disk import digest_of, note, noted
from tiekit.archive.step import Teller
from tiekit.archive.transfer import Version, fetch, notes_of, shown, version_of
from tiekit.archive.unpack import BadArchiveError, Wanted, unpack
from tiekit.base.errors import DownloadError

WORK = "tiekit-archive"
"""The folder beside the test sets in which everything lies that is not complete or checked."""

RECORD = ".tiekit.json"
EVERY = "*"
"""Stands in a record for all language pairs."""


def is_there(root: Path, wanted: Wanted, digest: str | None) -> bool:
    """Whether everything wanted was unpacked here before, from the archive with this digest if one is given."""
    for testset in wanted.testsets:
        record = noted(root / testset / RECORD)
        found = [record.get(pair, record.get(EVERY)) for pair in wanted.pairs or (EVERY,)]
        if any(one is None or digest not in {None, one} for one in found):
            return False
    return True


class Place:
    """A folder of test sets and the archive that they come from, while nobody else works there."""

    def __init__(self, root: Path, url: str, digest: str | None, tell: Teller) -> None:
        self.root, self.url, self.digest, self.tell = root, url, digest, tell
        self.work = root / WORK
        name = urlsplit(url).path.rpartition("/")[2]
        self.archive = self.work / (name if re.fullmatch(r"\w[\w.+-]{,99}", name, re.ASCII) else "archive.tgz")
        self.rejected = self.work / f"{self.archive.name}.rejected"
        self.kept = self.work / f"{self.archive.name}.kept"
        self.digests = self.work / "sha256.json"

    def fill(self, wanted: Wanted, *, keep: bool) -> None:
        """Bring the archive, check it, and unpack what is wanted."""
        self._tidy_up()
        if not self._has_archive():
            self.kept.unlink(missing_ok=True)
            fetch(self.url, self.archive, self.tell)
        found = self._check()
        if keep:
            self.kept.touch()
        try:
            self._unpack(wanted, found)
        except BadArchiveError as problem:
            self._discard()
            raise DownloadError(f"{problem}. It was deleted; call again to download it anew") from problem
        note(self.digests, noted(self.digests) | {shown(self.url): found})
        self.rejected.unlink(missing_ok=True)
        if not self.kept.exists():
            self._discard()

    def _has_archive(self) -> bool:
        """Whether the whole archive is here, left by an earlier call."""
        if self.digest and self.rejected.exists() and digest_of(self.rejected, self.tell) == self.digest:
            os.replace(self.rejected, self.archive)
            note(notes_of(self.archive), asdict(Version(shown(self.url))))
            return True
        version = version_of(self.archive)
        return self.archive.exists() and version is not None and version.url == shown(self.url)

    def _check(self) -> str:
        """The digest of the archive; one that is not as expected is put aside."""
        found = digest_of(self.archive, self.tell)
        remembered = noted(self.digests).get(shown(self.url))
        expected = self.digest or remembered
        if expected in {None, found}:
            return found
        os.replace(self.archive, self.rejected)
        self._discard()
        whose = "sha256=" if self.digest else "the first download from there"
        raise DownloadError(
            f"{shown(self.url)}: the archive has another digest than {whose} says: expected {expected}, found {found}. "
            f"It is not used, and lies in {self.rejected}. If its publisher has changed it and you trust it, call "
            f"again with sha256={found!r}; otherwise call again to download it anew"
        )

    def _unpack(self, wanted: Wanted, digest: str) -> None:
        """Unpack beside the test sets, add what was there before, and put each test set into its place as a whole."""
        fresh = Path(tempfile.mkdtemp(prefix="unpacked-", dir=self.work))
        try:
            unpack(self.archive, fresh, wanted, self.tell)
            for testset in wanted.testsets:
                there, new = self.root / testset, fresh / testset
                before = noted(there / RECORD) if wanted.pairs else {}
                note(new / RECORD, before | dict.fromkeys(wanted.pairs or (EVERY,), digest))
                _add_missing(there, new)
                _exchange(there, new, fresh / "before" / testset)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)

    def _tidy_up(self) -> None:
        """Put back what a process that was killed had just put aside, and delete its unfinished folders."""
        for left in self.work.glob("unpacked-*"):
            for old in left.glob("before/*"):
                if not (self.root / old.name).exists():
                    os.replace(old, self.root / old.name)
            shutil.rmtree(left, ignore_errors=True)

    def _discard(self) -> None:
        for path in (self.archive, self.kept, notes_of(self.archive)):
            path.unlink(missing_ok=True)


def _add_missing(old: Path, new: Path) -> None:
    """Copy the files of a folder that another one lacks; a link stays a link."""
    for folder, _, names in os.walk(old):
        for name in names:
            source = Path(folder) / name
            target = new / source.relative_to(old)
            if not target.exists() and not target.is_symlink():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target, follow_symlinks=False)


def _exchange(there: Path, new: Path, aside: Path) -> None:
    """Put a folder into its place, and what was there aside."""
    aside.parent.mkdir(exist_ok=True)
    if there.exists() or there.is_symlink():
        os.replace(there, aside)
    try:
        os.replace(new, there)
    except OSError:
        if aside.exists():
            os.replace(aside, there)
        raise
