"""What did the user upload? Files whose format is recognized, or named by the user, and what it asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from typing import Protocol, TypeVar

import streamlit as st

import tiekit as tk
from tiekit.readers import FORMATS, LONGEST_LINE, Choice, Choices, Format
from ui.link.controls import choose, choose_many
from ui.work import bounded_reading, reader_process, upload_quota
from ui.work.reader_words import AS_IT_IS, HERE, STEP, on_page, steps_of
from ui.work.sizes import size_of
from ui.work.text import plain

RECOGNIZE = "recognize the files"
MOST_FILES = 5_000
"""So many files are read at once; a test set of WMT has at most some 2,000."""


STEPS = "steps of files"
"""The session's key for the steps that messages on its files name."""

ASKED, MOST_ASKED = "asked of files", 40
"""The session's key for what was found out about its files, and how much of that is kept."""

T = TypeVar("T")


class GivenFile(Protocol):
    """One uploaded file."""

    name: str

    def getvalue(self) -> bytes:
        """Return its contents."""
        ...


@dataclass(frozen=True, eq=False)
class Uploaded:
    """Files by name, their format, and what tells them from others of the same names."""

    files: Mapping[str, bytes]
    format: Format
    identity: Hashable

    def key(self, told: Choices) -> Hashable:
        """What tells the set that is read with these answers from others."""
        return self.format.name, self.identity, digest_of(told)


def labels() -> list[str]:
    """Return what can be chosen as the format: to recognize it, or one by its label."""
    return [RECOGNIZE, *(entry.label for entry in FORMATS.values())]


def choose_files() -> Uploaded | None:
    """Let the user upload files or a folder, and name their format where it is not recognized; None without files."""
    for_files, for_folder, for_format = st.columns(3, gap="medium")
    with for_format:
        wanted = choose("Format", labels(), "layout")
    with for_files:
        named = _format_of(wanted)
        label = named.upload if named and named.several != "directory" else "Files with scores, in any format"
        files = st.file_uploader(
            label, accept_multiple_files=True, key="upload files", max_upload_size=upload_quota.LARGEST
        )
    with for_folder:
        label = "Or a folder in mt-metrics-eval layout"
        folder = st.file_uploader(
            label, accept_multiple_files="directory", key="upload folder", max_upload_size=upload_quota.LARGEST
        )
    upload_quota.warn_if_refused("files")
    chosen = files or folder
    if not chosen:
        return None
    contents, identity = by_name(chosen), tuple((file.name, file.file_id) for file in chosen)
    entry = format_of(contents, identity, wanted)
    with for_format:
        st.markdown(name_recognized_format(entry, wanted))
    if files and folder:
        st.info("Only the files are read; remove them to read the folder.")
    return Uploaded(contents, entry, identity)


def by_name(chosen: Sequence[GivenFile]) -> dict[str, bytes]:
    """Return the contents of files by name; refuse two files of one name."""
    check_number(len(chosen))
    name, times = Counter(file.name for file in chosen).most_common(1)[0] if chosen else ("", 1)
    if times > 1:
        raise tk.ReadError(name, "was uploaded twice; upload files with different names")
    return {file.name: file.getvalue() for file in chosen}


def check_number(files: int) -> None:
    """Refuse more files than anybody compares at once."""
    if files > MOST_FILES:
        raise tk.InputError(
            f"These are {files:,} files; up to {MOST_FILES:,} are read at once. Upload the folder of one test set, or "
            "the files of one language pair."
        )


def format_of(files: Mapping[str, bytes], identity: Hashable, wanted: str, *, together: bool = False) -> Format:
    """Return the format whose label the user names, or the first one that recognizes the files.

    Several files of a format that is a single file are refused, unless they are read ``together``.
    """
    entry = _format_of(wanted) or known_format(files, identity)
    if isinstance(entry, tk.ReadError):
        raise copy(entry)  # the kept one would hold the files by its frames
    if len(files) > 1 and not entry.several and not together:
        listed = ", ".join(list(files)[:3])
        raise tk.InputError(
            f"The format is “{entry.label}”, which is a single file, but there are {len(files)} ({listed}). Remove all "
            "but one; metrics of other files can be added on the page Leaderboard."
        )
    return entry


def _format_of(label: str) -> Format | None:
    """The format of this label."""
    return next((entry for entry in FORMATS.values() if entry.label == label), None)


def known_format(files: Mapping[str, bytes], identity: Hashable) -> Format | tk.ReadError:
    """Return the format of files by their names and first bytes alone, or why they have none; the session keeps it."""

    def find() -> Format | tk.ReadError:
        try:
            return FORMATS[read_firsts(reader_process.name_format, files)]
        except tk.ReadError as error:
            return copy(error)

    return _keep(("format", identity), find)


def read_firsts(call: Callable[[Mapping[str, bytes]], T], files: Mapping[str, bytes]) -> T:
    """Return what a call finds out from the names and first bytes of files, which are somebody's as all of them."""
    firsts = {name: content[:LONGEST_LINE] for name, content in files.items()}
    return bounded_reading.read(partial(call, firsts), firsts)[0]


def name_recognized_format(entry: Format, wanted: str) -> str:
    """Return a sentence that says which format was recognized; nothing where the user named it."""
    return "" if wanted == entry.label else f"Recognized: **{plain(entry.label)}**."


def ask(given: Uploaded, step: Choices) -> tuple[Choices, str] | None:
    """Let the user answer what the format needs beside a step, and return what it guesses besides.

    None while an answer is missing, with what is missing. Where there is nothing to choose from, the reader is told
    nothing, and says what it finds.
    """
    answers: Choices = dict(step)
    missing, guess, unasked = [], "", list[str]()
    if "scorer" in step:  # its cells name the human scores and metrics
        return step, ""
    for one in questions(given.format, given.files, given.identity, answers, reader_process.Use(), given.key):
        guess = guess or one.guess
        if one.argument == "score_column":  # a set needs human scores too: the next questions are about both columns
            continue
        if one.several and not one.options:
            answers[one.argument] = []
            unasked.append(one.argument)
            continue
        if one.several:
            answers[one.argument] = choose_many(one.label, one.options, one.usual, one.key)
        else:
            answers[one.argument] = choose(one.label, one.options, one.key)
        missing += [one.needed] * (not answers[one.argument])
    if missing:
        _refuse_with_step(given, step)
        st.info(f"{missing[0]} {ALONE}")
        return None
    return {name: one for name, one in answers.items() if name not in unasked}, guess


def _refuse_with_step(given: Uploaded, step: Choices) -> None:
    """Refuse files in which something is still to be chosen as their reader does, if it says what to do about them."""

    def find() -> tk.TiekitError | None:
        try:
            call = partial(reader_process.check_reading, given.format.name, given.files, as_tuples(step))
            bounded_reading.read(call, given.files)
        except tk.TiekitError as error:
            return copy(error)
        return None

    error = _keep(("unanswered", given.key(step)), find)
    if error is not None and (steps_of(str(error), given.format) or "labels={" in str(error)):
        raise copy(error)


ALONE = "A metric without human scores is put beside those of a set: **Add scores** on the page *Leaderboard*."
"""What to do with files in which nothing is to be chosen as human scores."""


@dataclass
class Steps:
    """The steps that messages on uploaded files name: by their words, what their reader is told."""

    key: Hashable
    entry: Format
    offered: dict[str, Choices] = field(default_factory=dict)
    is_stale: bool = False
    is_drawn: bool = True

    def choose(self) -> Choices:
        """Let the user take one of them; what the reader is told, nothing where none is taken."""
        if not self.offered:
            return {}
        return self.offered.get(choose(STEP, [AS_IT_IS, *self.offered], "file_step"), {})

    def add(self, message: str) -> str:
        """Return a message in the words of the page, and offer its steps."""
        new = steps_of(message, self.entry)
        self.offer(new)
        return on_page(message, new, where=HERE if self.is_drawn else AGAIN)

    def offer(self, new: dict[str, Choices]) -> None:
        """Offer further steps."""
        self.is_stale |= not new.keys() <= self.offered.keys()
        self.offered |= new

    def draw_new(self) -> None:
        """Draw the page again if the control does not offer all of them."""
        if self.is_stale:
            self.is_stale = False
            st.rerun()


AGAIN = "Upload the file again to choose how it is read."
"""Where the steps of files are that are not on the page any more."""


def steps_for(given: Uploaded) -> Steps:
    """Return the steps of the files that are uploaded, which the session keeps."""
    key, kept = (given.identity, given.format.name), st.session_state.get(STEPS)
    if kept is None or kept.key != key:
        st.session_state[STEPS] = kept = Steps(key, given.format)
    found: Steps = kept
    found.is_drawn = True
    return found


def offer_columns(given: Uploaded, steps: Steps, warned: Iterable[str]) -> None:
    """Offer the columns of labels of a table whose rows are all of one system: one may name the systems.

    That is said unless its reader ``warned`` of it.
    """
    if given.format.name != "table":
        return
    call = partial(reader_process.label_columns, given.files)
    columns: tuple[str, ...] = _keep(("columns", given.identity), lambda: bounded_reading.read(call, given.files)[0])
    steps.offer({f"system={name!r}": {"system": name} for name in columns})
    if columns and not any("system=" in text for text in warned):
        st.info(f"All rows are of one system. If a column names the systems, choose it under **{STEP}**.")


def digest_of(told: Choices) -> str:
    """Return what tells answers from others in keys that a session keeps."""
    return sha256(repr(told).encode("utf-8", "surrogatepass")).hexdigest()


def as_tuples(answers: Choices) -> Choices:
    """Return answers as readers are told them, whichever control they come from."""
    return {name: tuple(one) if isinstance(one, list) else one for name, one in answers.items()}


def questions(
    entry: Format,
    files: Mapping[str, bytes],
    identity: Hashable,
    answers: Choices,
    use: reader_process.Use,
    key: Callable[[Choices], Hashable],
) -> Iterator[Choice]:
    """Return what a format asks, one after another, each answer in ``answers`` before the next one.

    What is in ``answers`` before the first one is known unasked, and with it the ``identity`` of the files.

    The files are read once for all of them, and for their ``use``, whose ``key`` depends on what their reader is told;
    and again where an answer is not the usual one.
    """

    def look_ahead() -> tuple[reader_process.Asked, upload_quota.Kept]:
        with bounded_reading.refuse_once(("asked", asked)):
            call = partial(reader_process.look_ahead, entry.name, files, given, known, use)
            (found, read), _ = bounded_reading.read(call, files)
            if read:
                upload_quota.keep_ahead(key(read[0]), *read[1:])
            return found, upload_quota.hold(size_of(found))

    place, ahead, known = 0, reader_process.Asked(), dict(answers)
    while True:
        given = as_tuples(answers)
        if place >= len(ahead) or ahead[place][0] != {name: given[name] for name in given.keys() - known}:
            asked = identity, entry.name, digest_of({name: given[name] for name in given.keys() - known})
            ahead, _ = _keep(asked, look_ahead)
        one = ahead[place][1]
        if isinstance(one, tk.TiekitError):
            raise copy(one)
        if one is None:
            return
        yield one
        place += 1


def _keep(key: Hashable, call: Callable[[], T]) -> T:
    """Return what a call finds out; the session keeps it."""
    kept = st.session_state.setdefault(ASKED, {})
    if key not in kept:
        found = call()
        if len(kept) >= MOST_ASKED:
            del kept[next(iter(kept))]
        kept[key] = found
    result: T = kept[key]
    return result
