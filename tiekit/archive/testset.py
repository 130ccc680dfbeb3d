"""How does a published test set come into a folder, whole or not at all?"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from tiekit.archive.disk import alone, writing
from tiekit.archive.place import WORK, Place, is_there
from tiekit.archive.step import Step, Teller
from tiekit.archive.unpack import Wanted
from tiekit.base.errors import InputError
from tiekit.base.names import as_names, find_name
from tiekit.base.parallel import Bar, showing
from tiekit.readers.facts import known_testsets

ARCHIVE_URL = "https://data.statmt.org/wmt26/mt-metrics-eval-v2.tgz"
"""The public archive of mt-metrics-eval v2: all test sets in one file of about 900 MB."""


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
    the archive. A broken download goes on where it stopped. Only the wanted test sets are unpacked, and each appears in
    the folder when it is complete. A test set that is there is not downloaded again.

    Parameters
    ----------
    testset : str or iterable of str
        Such as ``"wmt23"``; `tiekit.archive.testsets` lists them.
    folder : path, optional
        Where the folder of the test set goes. By default, the folder that the environment variable ``TIEKIT_DATA``
        names, else one in the user's cache.
    language_pair : str or iterable of str, optional
        Unpack only these language pairs of each test set, such as ``"en-de"``. None unpacks all.
    url : str, optional
        Address (http or https) of another archive in the same layout, a ``.tgz``. By default, the address in the
        environment variable ``TIEKIT_ARCHIVE_URL``, else that of the public archive.
    sha256 : str, optional
        The SHA-256 digest that the archive must have. Without it, the digest of the first download is remembered in the
        folder, and later downloads from the same address must have it.
    keep : bool
        Keep the archive in the subfolder ``tiekit-archive``, so that further test sets need no download. Otherwise it
        is deleted when the test sets are unpacked.
    force : bool
        Unpack (and download, if the archive is not kept) although the test set is there. Files that the archive does
        not hold, such as your own scores, stay.
    progress : function of a Step, or bool, optional
        Called now and then with the stage and with bytes done and in total. Raise an exception to stop; what is there
        is kept, and the next call goes on from there. None and True show a bar on a terminal or in a notebook, after a
        second; False shows none.

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
    If another process downloads into the same folder, this one waits until it has finished, and then takes what is
    there. Links in an archive are left out with a `LeftOutWarning`.

    References
    ----------
    The archive is that of github google-research/mt-metrics-eval; its README names the papers to cite.

    Examples
    --------
    >>> import tiekit as tk
    >>> root = tk.download("wmt23", language_pair="en-de")  # doctest: +SKIP
    >>> data = tk.read_mtme(root, "wmt23", "en-de")  # doctest: +SKIP
    """
    url = _checked_url(os.environ.get("TIEKIT_ARCHIVE_URL") or ARCHIVE_URL if url is None else url)
    wanted = _wanted(testset, language_pair, known_only=url == ARCHIVE_URL)
    if sha256 is not None and not (isinstance(sha256, str) and re.fullmatch("[0-9a-fA-F]{64}", sha256)):
        raise InputError(f"sha256: must be 64 hexadecimal digits, found {sha256!r}")
    if not isinstance(folder, str | os.PathLike | None):
        raise InputError(f"folder: must be a path, found {folder!r}")
    digest = sha256.lower() if sha256 else None
    root = default_folder() if folder is None else Path(folder).expanduser()
    if not force and is_there(root, wanted, digest):
        return root
    work = root / WORK
    with _telling(progress) as tell, writing(root):
        work.mkdir(parents=True, exist_ok=True)
        with alone(work / "lock", tell):
            if force or not is_there(root, wanted, digest):
                Place(root, url, digest, tell).fill(wanted, keep=keep)
    return root


@contextmanager
def _telling(progress: Callable[[Step], None] | bool | None) -> Iterator[Teller]:
    """What tells the caller's function each step, or shows it as a bar."""
    given = progress if callable(progress) else None
    with showing(False if callable(progress) else progress, "download") as bar:

        def show(step: Step) -> None:
            if isinstance(bar, Bar):
                bar.label = step.stage
                bar(step.fraction or 0.0)

        yield Teller(given or show)


def testsets() -> dict[str, tuple[str, ...]]:
    """List the test sets of the public archive that tiekit knows, with their language pairs.

    Examples
    --------
    >>> "en-de" in testsets()["wmt23"]
    True
    """
    return known_testsets()


def default_folder() -> Path:
    """Return where test sets go unless told otherwise: ``TIEKIT_DATA``, or a folder in the user's cache."""
    if named := os.environ.get("TIEKIT_DATA"):
        return Path(named).expanduser()
    home = Path.home()
    if sys.platform == "win32":
        cache = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        cache = home / "Library" / "Caches"
    else:
        named = os.environ.get("XDG_CACHE_HOME", "")
        cache = Path(named) if Path(named).is_absolute() else home / ".cache"
    return cache / "tiekit" / "mt-metrics-eval-v2"


def _checked_url(url: str) -> str:
    try:
        parts = urlsplit(url)
        fine = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except (ValueError, TypeError, AttributeError):
        fine = False
    if not fine:
        raise InputError(f"url: must be an address that begins with https:// or http://, found {url!r}")
    return url


def _wanted(testset: str | Iterable[str], pairs: str | Iterable[str] | None, *, known_only: bool) -> Wanted:
    """The test sets and pairs by name; those that cannot be in the public archive are refused before a download."""
    names = list(dict.fromkeys(as_names(testset, "testset")))
    chosen = None if pairs is None else list(dict.fromkeys(as_names(pairs, "language_pair")))
    for argument, values in (("testset", names), ("language_pair", ["-"] if chosen is None else chosen)):
        if not values:
            raise InputError(f"{argument}: must name at least one")
        for value in values if argument == "testset" or chosen is not None else ():
            if not isinstance(value, str) or not re.fullmatch(r"\w[\w.+-]*", value) or value == WORK:
                raise InputError(f"{argument}: expected a plain name such as wmt22 or zh-en, found {value!r}")
    if known_only:
        known = testsets()
        names = [find_name("testset", name, known) for name in names]
        for name in names:
            for pair in chosen or ():
                if pair not in known[name]:
                    raise InputError(f"language_pair: {name} has no {pair!r}; it has {', '.join(known[name])}")
    return Wanted(tuple(names), None if chosen is None else tuple(chosen))
