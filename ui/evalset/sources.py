"""Which evaluation set is open? A bundled one, files that were uploaded, or a folder on this computer."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import urlsplit

import streamlit as st

import tiekit as tk
from tiekit.core import short
from tiekit.readers import ARCHIVE_URL, NO_TESTSET, SETS, Step, default_folder, known_testsets
from ui.evalset import upload
from ui.evalset.notes import say_reading
from ui.link import controls, link, own_data
from ui.link.controls import choose
from ui.page import predict
from ui.work import presets, upload_quota
from ui.work.bounded_reading import LOOPBACK, is_for_others
from ui.work.public_url import is_owner
from ui.work.reader_process import read_for_page
from ui.work.reader_words import on_page
from ui.work.text import count_noun, plain

WANTED, SAID = "download_wanted", "download_said"
"""The session's keys for the download that is under way, and for what became of the last one."""

ALLOWED = "folders allowed"
"""The session's key for the folders that the visitor has asked for, as typed."""


def offer_testsets() -> None:
    """Offer to download a test set, and do so; then the control of the key "folder", drawn after this, holds it.

    Only for visitors who sit at the server's own machine.
    """
    with st.expander("Download a test set"):
        known = {name: pairs for name, pairs in known_testsets().items() if name.startswith("wmt")}
        testset = choose("Test set to download", list(known)[::-1], "download_testset")
        folder = st.text_input(
            "Folder that it goes into", str(default_folder()), key="download_folder", max_chars=LONGEST_PATH
        )
        keep = st.toggle("Keep the archive, so that further test sets need no download", key="download_keep")
        st.markdown(_say_what(testset, len(known[testset]), folder))
        begin = {WANTED: (testset, folder, keep), SAID: None}
        told: dict[str, Any] = {"on_click": st.session_state.update, "args": (begin,)}
        st.button("Download", key="download", disabled=not folder.strip(), **told)
    if under_way := st.session_state.get(WANTED):
        _run(*under_way)
    if said := st.session_state.get(SAID):
        is_error, text = said
        (st.error if is_error else st.info)(text)


def _say_what(testset: str, number: int, folder: str) -> str:
    url = os.environ.get("TIEKIT_ARCHIVE_URL") or ARCHIVE_URL
    size = " of about 900 MB" if url == ARCHIVE_URL else ""
    return (
        f"The archive of mt-metrics-eval is one file{size} from {plain(urlsplit(url).hostname or url)}. It is "
        f"downloaded into {plain(folder)}, {testset} with {count_noun(number, 'language pair')} is unpacked there, and "
        "the archive is deleted unless you keep it. A download that is stopped or broken leaves nothing behind, and "
        "begins anew."
    )


def _run(testset: str, folder: str, keep: bool) -> None:
    """Download with progress; a press on the button ends this run at the next step, and nothing is left behind."""
    place = st.empty()
    with place.container(horizontal=True, vertical_alignment="bottom"):
        bar = st.progress(0.0, f"{testset}: asking the server …")
        st.button("Stop", key="download_stop", on_click=_end, args=("Stopped. Press Download to begin anew.",))

    def tell(step: Step) -> None:
        bar.progress(step.fraction or 0.0, f"{testset}: {step}")

    try:
        root = tk.download(testset, os.path.expanduser(folder), keep=keep, progress=tell)
    except tk.TiekitError as error:
        _end(plain(str(error)), is_error=True)
    else:
        st.session_state["folder"], st.session_state["folder_testset"] = str(root), testset
        allow(str(root))
        _end(f"{testset} is in {plain(str(root))}.")
    place.empty()


def _end(said: str, *, is_error: bool = False) -> None:
    st.session_state.update({WANTED: None, SAID: (is_error, said)})


PUBLISHED = {
    name: (testset, pair) for testset, pairs in SETS.items() if testset != "synthetic" for pair, name in pairs.items()
}
"""The published sets that come along: test set and language pair by the name for a page."""

WMT22, SYNTHETIC = next(iter(PUBLISHED)), "a synthetic set"
FILES, FOLDER = "my files", "a folder on this computer"
KEPT = ("source", "pair", "layout", "folder", "folder_testset", "folder_pair")
"""The choices by which a set stays open on the next page."""

PAIRS = ("qaa-qab", "qaa-qac")
LONGEST_PATH = 4096
"""Maximum number of characters of a folder's path."""

FORWARDED = ("forwarded", "x-forwarded", "x-real", "x-client", "x-original", "via", "cf-", "true-client", "fly-")
"""The beginnings of header names that proxies add."""


Pairs: TypeAlias = "tuple[tuple[str, Callable[[], tk.EvalSet]], ...]"
"""Language pairs, each with what reads its set."""


@dataclass(frozen=True, eq=False)
class OpenSet:
    """An evaluation set and the Python expression that reads it; of uploaded files it holds only the names.

    ``said`` is what the reader warned of, ``added`` are the metrics that the user put beside those of the set, and
    ``others`` the language pairs of the test set. The ``name`` is for a set whose own name is only a code.
    """

    data: tk.EvalSet
    code: str
    said: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    others: Pairs = ()
    name: str = ""

    @property
    def title(self) -> str:
        """The set's name for a page."""
        return plain(self.name) or title(self.data)


def choose_evalset(
    place: AbstractContextManager[Any] | None = None,
    notice: AbstractContextManager[Any] | None = None,
    *,
    needs_metrics: bool = True,
) -> OpenSet | None:
    """Let the user open an evaluation set; None while there is none, with the reason on the page.

    Where scores come from is chosen in ``place``, what else is needed where this is called. In ``notice`` it is said
    when a link was made with other data. A set without metrics is opened only where the page can do without
    (``needs_metrics=False``).
    """
    controls.keep_between_pages(KEPT)
    with place or nullcontext():
        source = choose("Which scores?", [*PUBLISHED, SYNTHETIC, FILES, *[FOLDER] * _is_local()], "source")
    with st.container():  # what follows stays in its place, whatever this set needs
        return _open(source, notice, needs_metrics=needs_metrics)


def _open(source: str, notice: AbstractContextManager[Any] | None, *, needs_metrics: bool) -> OpenSet | None:
    """Open the set of a source, and say what hinders."""
    try:
        if source in PUBLISHED:
            opened: OpenSet | None = open_published(source)
        else:
            opened = {SYNTHETIC: _open_synthetic, FILES: _upload, FOLDER: _open_folder}[source]()
    except tk.TiekitError as error:
        st.error(_word(str(error), source))
        kept = st.session_state.get(f"opened_{source}")
        if kept is not None:
            st.info(f"Still open: {title(kept[1].data)}.")
        opened = kept[1] if kept else None
    with notice or st.container():
        is_bundled = source in (*PUBLISHED, SYNTHETIC)
        own = "" if opened is None or is_bundled else f"{opened.data.digest[:12]} {_name(opened.data)}"
        predict.note_own_files(are_open=not is_bundled)
        st.session_state["open source"] = source
        own_data.keep_in_link("data", source, own, is_bundled=is_bundled)
    is_complete = opened is not None and _is_complete(opened, source, needs_metrics=needs_metrics)
    if (steps := _steps_of(source)) is not None:
        steps.draw_new()
    return opened if is_complete else None


def _steps_of(source: str) -> upload.Steps | None:
    """The steps of the files that are uploaded, if these are open."""
    steps: upload.Steps | None = st.session_state.get(upload.STEPS)
    return steps if source == FILES else None


def _word(message: str, source: str) -> str:
    """A message of a reader in the words of the page; its steps are offered where the files are uploaded."""
    steps = _steps_of(source)
    return on_page(message) if steps is None else steps.add(message)


def is_usual() -> bool:
    """Return whether the set of the lesson is open; it can be asked before `choose_evalset`."""
    of_page = link.of_page()
    usual = WMT22 if of_page.is_restored else st.session_state.get("open source", WMT22)
    return str(of_page.early_value("source") or usual) == WMT22


def _is_complete(opened: OpenSet, source: str, *, needs_metrics: bool) -> bool:
    """Whether there is something to compare; if not, what to do is said, and so is what the reader warned of."""
    for text in opened.said:
        st.warning(_word(text, source))
    if not opened.data.human:
        st.info(
            "These files hold no human scores, so there is nothing to compare them with. Open a set that has some, and "
            "put these files beside it: **Add scores** on the page *Leaderboard*."
        )
    elif needs_metrics and not opened.data.metrics:
        st.info(
            "These files hold human scores, but no metric. Open them on the page *Leaderboard*: **Add scores** puts "
            "one beside them."
        )
    return bool(opened.data.human and (opened.data.metrics or not needs_metrics))


def title(data: tk.EvalSet) -> str:
    """Return an evaluation set's name for a page."""
    return plain(_name(data))


def _name(data: tk.EvalSet) -> str:
    return short(f"{data.name} {data.language_pair}".strip())


def opened_root() -> str:
    """Return the folder of test sets on this computer that is open, an empty text if none is."""
    is_open = st.session_state.get("source") == FOLDER and _is_local() and is_allowed(st.session_state["folder"])
    return _root_of(_typed_folder(st.session_state["folder"]))[0] if is_open else ""


def allow(folder: str) -> None:
    """Note that the visitor, and not only a link, wants a folder of this computer to be opened."""
    st.session_state.setdefault(ALLOWED, set()).add(folder)


def is_allowed(folder: str) -> bool:
    """Return whether the visitor asked for a folder in this session."""
    return folder in st.session_state.get(ALLOWED, ())


def _typed_folder(path: str) -> Path:
    """A path as somebody typed it, or a link holds it."""
    if path.replace("\\", "/").startswith("//"):
        raise tk.ReadError(short(path), "is a folder of another computer; copy it to this one first")
    try:
        folder = Path(path).expanduser()
        folder.exists()
    except (OSError, RuntimeError, ValueError) as error:
        raise tk.ReadError(short(path), f"cannot be a folder ({error}); write the whole path") from error
    return folder


def _is_local() -> bool:
    """Whether server and visitor are on one machine: the server is bound to loopback, and no proxy forwards.

    A proxy on the same machine may add no header, so whoever serves others sets `PUBLIC`. Other accounts of the machine
    lack the secret of the address that the server printed.
    """
    headers = st.context.headers
    host = headers.get("Host", "").rsplit(":", 1)[0].strip("[]")
    forwarded = any(name.lower().startswith(FORWARDED) for name in headers)
    return not is_for_others() and host in LOOPBACK and not forwarded and is_owner()


def open_published(name: str = WMT22) -> OpenSet:
    """Return a published set that comes along, by its name for a page; usually the one that is open at first."""
    testset, pair = PUBLISHED[name]
    pairs = [one for kind, one in PUBLISHED.values() if kind == testset]
    others = tuple((one, partial(tk.load, testset, one)) for one in pairs if len(pairs) > 1)
    code = "tk.load_wmt22()" if name == WMT22 else f"tk.load({testset!r}, {pair!r})"
    return OpenSet(tk.load(testset, pair), code, others=others, name=name)


def _open_synthetic() -> OpenSet:
    pair = choose("Language pair", PAIRS, "pair")
    st.markdown(
        "This set is **synthetic**: invented systems, text and scores, made so that the effects of ties show. "
        "It is no evidence about real metrics."
    )
    data = presets.sample(pair)
    code = f'tk.readers.read_mtme("data", {data.name!r}, {data.language_pair!r})'
    return OpenSet(data, code, others=tuple((one, partial(presets.sample, one)) for one in PAIRS))


def _open_folder() -> OpenSet | None:
    place = st.container()
    offer_testsets()  # may fill in the folder
    controls.write_if_not("", "folder")
    path = place.text_input(
        "Path of the folder of a test set, or of one that holds several, such as ~/mt-metrics-eval-v2",
        key="folder",
        bind="query-params",
        max_chars=LONGEST_PATH,
        on_change=lambda: allow(st.session_state["folder"]),
    )
    if not path:
        st.info("Type the path of the folder of test sets on this computer.")
        return None
    if not is_allowed(path):
        st.warning(f"The link of this page names a folder of this computer: {plain(short(path))}")
        st.button("Open this folder", key="folder_allow", on_click=allow, args=(path,))
        return None
    path, testset = _root_of(_typed_folder(path))
    there = tk.readers.list_mtme(path)
    testset, pair = _testset(there, testset)
    folder = Path(path) / testset
    files = sorted(file for file in folder.rglob(f"*{pair}*") if file.is_file())
    files += sorted(file for inner in folder.rglob(pair) for file in inner.rglob("*") if file.is_file())
    state = tuple((str(file), *_stamp(file)) for file in files)
    code = f"tk.readers.read_mtme({path!r}, {testset!r}, {pair!r})"
    read = partial(tk.readers.read_mtme, path, testset)
    opened = _remember(FOLDER, (path, testset, pair, state), code, partial(read, pair), {})
    return replace(opened, others=tuple((one, partial(read, one)) for one in there[testset]))


def _stamp(file: Path) -> tuple[int, int]:
    """When a file was changed and how long it is; it may have been deleted since it was listed."""
    try:
        found = file.stat()
    except OSError as error:
        raise tk.ReadError(str(file), f"cannot be read ({error})") from error
    return found.st_mtime_ns, found.st_size


def _root_of(folder: Path) -> tuple[str, str | None]:
    """The folder of test sets, and the test set whose own folder was given."""
    is_testset = (folder / "human-scores").is_dir() or (folder / "metric-scores").is_dir()
    return (str(folder.parent), folder.name) if is_testset else (str(folder), None)


def _testset(found: dict[str, tuple[str, ...]], wanted: str | None) -> tuple[str, str]:
    if not found or (wanted is not None and wanted not in found):
        raise tk.InputError(NO_TESTSET)
    testset = wanted or choose("Test set", list(found), "folder_testset")
    return testset, choose("Language pair", found[testset], "folder_pair")


def _upload() -> OpenSet | None:
    if (before := _steps_of(FILES)) is not None:
        before.is_drawn = False
    given = upload.choose_files()
    if given is None:
        return _last_upload()
    steps = upload.steps_for(given)
    answered = upload.ask(given, steps.choose())
    if answered is None:
        return None
    entry, files, (answers, guess) = given.format, given.files, answered
    told = upload.as_tuples(answers)
    opened = _remember(FILES, given.key(told), entry.call(files, answers), partial(entry.read, files, **told), files)
    say_reading(opened.data, guess, opened.said)
    if len(opened.data.systems) == 1:
        upload.offer_columns(given, steps, opened.said)
    return opened


def _last_upload() -> OpenSet | None:
    """What was uploaded earlier in this session; Streamlit itself forgets the files when the page changes."""
    kept = st.session_state.get(f"opened_{FILES}")
    if kept is None:
        st.info("Upload files above. They stay in memory for this session and are never saved.")
        return None
    opened: OpenSet = kept[1]
    st.info(f"Using your earlier upload: {title(opened.data)}.")
    return opened


def _remember(
    source: str, key: Hashable, code: str, read: Callable[[], tk.EvalSet], files: Mapping[str, bytes]
) -> OpenSet:
    """Read each set of files once; keep the result for this session, with the Python that reads the rankings."""
    kept = st.session_state.get(f"opened_{source}")
    if kept is None or kept[0] != key:
        data, found, held = upload_quota.read(partial(read_for_page, read), files, key, len(code))
        said = tuple(text for _, text in found)
        st.session_state[f"opened_{source}"] = kept = (key, OpenSet(data, code, said), held)
    opened: OpenSet = kept[1]
    return opened
