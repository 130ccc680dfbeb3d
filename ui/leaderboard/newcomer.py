"""How does the user put his own metric beside those of the set? He adds its files; what matched is said beside them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

import tiekit as tk
from tiekit.readers import recognize
from ui.evalset import sources, upload
from ui.evalset.sources import OpenSet
from ui.leaderboard.added_files import AddedFiles, group_files
from ui.link import controls, link, own_data
from ui.work import downloads, upload_quota
from ui.work.text import plain

EXAMPLE = "example.seg.score"
"""A file that shows how scores can be given."""

LINK = "added"
"""The link's key for the added files."""


def add_metrics(opened: OpenSet, place: AbstractContextManager[Any], notice: AbstractContextManager[Any]) -> OpenSet:
    """Let the user add metrics to the open set, in a popover in ``place``; return the set with them.

    Files that the link names and that are not here are asked for in ``notice``.
    """
    scope = f"{opened.data.name} {opened.data.language_pair}"
    added: list[AddedFiles] = st.session_state.setdefault("added_files", {}).setdefault(scope, [])
    found, named = opened, own_data.files_of_link(LINK, scope)
    with place, st.popover("Add a metric", icon=":material/add:", width="stretch"):
        _upload(added)
        for one in added:
            with st.container(border=True):
                found = _add(one, found, added, named)
        _say_where_texts_are(opened.data)
    own = [f"{_digest(one.read[1])} {one.label}" for one in added if one.read is not None]
    missing = own_data.keep_files_in_link(LINK, own, scope)
    if missing:
        with notice:
            _ask_for(missing)
    new = tuple(name for name in found.data.metrics if name not in opened.data.metrics)
    _follow(st.session_state.get("added_before", ()), new)
    st.session_state["added_before"] = new
    return replace(found, added=new)


def _follow(before: tuple[str, ...], now: tuple[str, ...]) -> None:
    """Choose a new metric as the first of two; let choices follow where metrics were renamed."""
    if len(before) == len(now) and before != now:
        for key in ("shown_metrics", "lower"):
            controls.rename_options(key, dict(zip(before, now, strict=True)))
    if set(now) - set(before):
        st.session_state["first"] = now[-1]


def _upload(added: list[AddedFiles]) -> None:
    """A field that hands its files on and is empty again."""
    number = st.session_state.setdefault("added_number", 0)
    key = f"added files {number}"

    def take() -> None:
        files = group_files([(file.name, file.getvalue()) for file in st.session_state[key] or []])
        added.extend(AddedFiles(number + place, group) for place, group in enumerate(files))
        st.session_state["added_number"] = number + max(len(files), 1)

    st.file_uploader(
        "Files with the scores of your metric, in any format",
        accept_multiple_files=True,
        key=key,
        on_change=take,
        max_upload_size=upload.LARGEST,
    )
    upload_quota.warn_if_refused(key)
    st.caption("They stay in memory for this session and are never saved.")


def _digest(scores: tk.EvalSet) -> str:
    """The digits by which a link names scores."""
    return scores.digest[:12]


def _add(one: AddedFiles, before: OpenSet, added: list[AddedFiles], named: Mapping[str, str]) -> OpenSet:
    """Show what was given and what matched; return the set with it, or the one before where it is refused."""
    head, away = st.columns([3, 1], vertical_alignment="center")
    head.markdown(f"**{plain(one.label)}**")
    away.button("Remove", key=f"added {one.number} remove", on_click=_remove, args=(one, added), width="stretch")
    other, outcome, described, asked = (st.container() for _ in range(4))
    try:
        with asked:
            wanted = one.choose("format", "Format", upload.labels(), upload.RECOGNIZE)
            entry = upload.format_of(one.files, wanted)
            answers = one.choices(entry, before.data)
        scores, doubts = one.scores(entry, answers)
        outcome.markdown(upload.name_recognized_format(entry, wanted))
        _compare_with_link(one.label, _digest(scores), named, other)
        with described:
            given = one.describe(scores, before.data)
        joined, said = one.join(before.data, scores, given)
    except tk.TiekitError as error:
        with outcome:
            if wanted == upload.RECOGNIZE and recognize(one.files) is None:
                _say_unknown(one, before.data)
            else:
                st.error(plain(str(error).removeprefix("source: ")))  # it stands beside the file
        return before
    with outcome:
        _say(joined.notes[len(before.data.notes) + 1 :], [*doubts, *said])  # the first one says which format it is
    named = {"format": entry.name} if wanted == entry.label else {}
    return replace(before, data=joined, code=f"{before.code}{_code(one, {**given, **named, **answers})}")


def _say_unknown(one: AddedFiles, data: tk.EvalSet) -> None:
    """Say in plain words that a file cannot be read and what one must look like, with an example of this set."""
    st.error(
        f"We cannot read {plain(one.label)}. It needs one line per translation: the system, a tab, and the score, the "
        f"{len(data.segments):,} segments of the first system first. If it is of another format, choose it above."
    )
    lines = [f"{system}\t0.5\n" for system in data.systems for _ in data.segments]
    downloads.offer("Example file", partial("".join, lines), EXAMPLE, "text/plain", key=f"added {one.number} example")


def _compare_with_link(name: str, digest: str, named: Mapping[str, str], place: AbstractContextManager[Any]) -> None:
    """Say in a place that a file is another one than the file of this name that the link was made with."""
    wanted = [one for one, of in named.items() if of == name]
    if wanted and digest not in named:
        with place:
            st.warning(
                f"This is another {plain(name)} than the link was made with: digest {digest} here, "
                f"{' and '.join(wanted)} there. What the page shows is of the file given here."
            )


def _say(notes: tuple[str, ...], doubts: list[tuple[type[tk.TiekitWarning], str]]) -> None:
    """Say what matched and what did not, and what was guessed; what a warning says is no note too."""
    st.success(plain(notes[-1]))
    warned = {text.partition(": ")[2] for category, text in doubts if category is not tk.LeftOutWarning}
    for text in notes[:-1]:
        if text.partition(": ")[2] not in warned:
            st.markdown(plain(text))
    for category, whole in doubts:
        text = whole.removeprefix("source: ")
        if category is tk.DirectionWarning:
            st.warning(f"{plain(text.split('; if ')[0])}. If lower is better on it, switch on **Lower is better**.")
        elif category is not tk.LeftOutWarning or text not in notes:
            st.warning(plain(text))


def _code(one: AddedFiles, given: Mapping[str, Any]) -> str:
    """The call that adds the same scores."""
    names = list(one.files)
    source = repr(names[0] if len(names) == 1 else names)
    return f".with_scores({', '.join([source, *(f'{name}={value!r}' for name, value in given.items())])})"


def _remove(one: AddedFiles, added: list[AddedFiles]) -> None:
    added.remove(one)
    if one.read is not None:
        own_data.ask_no_more(LINK, _digest(one.read[1]))


def _ask_for(missing: list[tuple[str, str]]) -> None:
    """Ask for the files of the link; choices in it that may be theirs are not called damaged."""
    for key in ("shown_metrics", "lower", "first", "second", "ranks"):
        link.of_page().check(key, lambda _: [])
    files = ", ".join(f"**{plain(name)}** (digest {digest})" for digest, name in missing)
    asked, declined = st.columns([6, 1], vertical_alignment="center")
    again = "the same file" if len(missing) == 1 else "the same files"
    asked.info(f"This link was made with {files}. Upload {again} under **Add a metric**.")
    declined.button(
        "Continue without", key="without_added", on_click=own_data.ask_no_more, args=(LINK,), width="stretch"
    )


def _say_where_texts_are(data: tk.EvalSet) -> None:
    with st.expander("What must the file look like, and where are the texts?"):
        st.markdown(
            "A file names systems and segments, or it has **one score per line in the order systems × segments**: "
            f"first all {len(data.segments):,} segments of the first system, then all of the next. The systems in "
            f"their order: {plain(', '.join(data.systems))}. One file per system works, too, named after the system."
            "\n\n"
            f"The texts of {sources.title(data)}, if it is one of WMT's test sets, are in the public "
            "[archive of mt-metrics-eval](https://data.statmt.org/wmt26/mt-metrics-eval-v2.tgz) (912 MB), in the "
            "folder of the test set: `sources`, `references` and `system-outputs`. In Python, "
            f'`tk.download("{data.name}")` fetches them.'
        )
