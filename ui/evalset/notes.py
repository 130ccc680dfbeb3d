"""What is said of the scores of an open set: notes on them, and which metrics are probes?"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import streamlit as st

import tiekit as tk
from tiekit.ranking import ComparisonInputs, MetricValues, Note, collect_notes
from ui.work.reader_words import on_page
from ui.work.text import plain

WHAT_TO_DO = {
    tk.NearTieWarning: "If they should be ties, round the scores under “{drawer}”.",
    tk.DirectionWarning: "If lower scores are better, say so under “{drawer}”.",
    tk.CoverageWarning: "",
    tk.CalibrationWarning: "Calibrate acc_eq or tau_eq, which credit a correct tie.",
}

DRAWER = "drawer of the scores"
"""The session's key for the label of the page's drawer."""

MOST_NOTES = 5
"""So many notes on how files were read are shown."""


def drawer(label: str) -> AbstractContextManager[Any]:
    """Return the page's drawer for systems, direction and rounding; notes on the scores will name it."""
    st.session_state[DRAWER] = label
    return st.expander(label)


def notes_on(contest: ComparisonInputs, results: Mapping[str, MetricValues]) -> list[Note]:
    """Return what is suspicious about the scores, without the cells that are left out: `Selection.say` names these."""
    return [note for note in collect_notes(contest, results) if note[1] not in contest.cell_notes]


def say_notes(found: Iterable[Note], minor: AbstractContextManager[Any] | None = None) -> None:
    """Show the notes on the scores; those that change no ranking in an expander, in the place ``minor``."""
    label = st.session_state.get(DRAWER, "")
    to_do = {kind: plain(text.format(drawer=label)) for kind, text in WHAT_TO_DO.items()}
    texts: dict[type[tk.TiekitWarning], list[str]] = {kind: [] for kind in WHAT_TO_DO}
    for category, text in found:
        texts[category].append(text)
    for kind in (tk.DirectionWarning, tk.CoverageWarning, tk.CalibrationWarning):
        for text in texts[kind]:
            st.warning(f"{plain(text)}. {to_do[kind]}".strip())
    if texts[tk.NearTieWarning]:
        with minor or nullcontext(), st.expander("Check rounding: some scores are almost equal"):
            st.markdown("\n".join(f"- {plain(text)}" for text in texts[tk.NearTieWarning]))
            st.markdown(to_do[tk.NearTieWarning])


def say_reading(data: tk.EvalSet, guess: str = "", warned: Iterable[str] = ()) -> None:
    """Say under an upload what its reader did, and what it guessed about the columns of a table, in one line.

    What it ``warned`` of is said elsewhere.
    """
    known = [text.casefold() for text in warned]
    notes = [note for note in data.notes if not any(note.casefold().rstrip(".") in text for text in known)]
    said = [f"{guess.rpartition('; ')[0]}; change it above if this is wrong."] if guess else []
    said += notes[:MOST_NOTES]
    said += [f"And {len(notes) - MOST_NOTES} more notes."] * (len(notes) > MOST_NOTES)
    sentences = [text[:1].upper() + text[1:].rstrip(".") + "." for text in said]
    if sentences:
        st.caption(on_page(" ".join(sentences)))


def mark_probes(probes: Iterable[str]) -> dict[str, str]:
    """Return the names of probes as a table shows them."""
    return {name: f"◆ {name}" for name in probes}


def count_metrics(number: int, probes: int = 0) -> str:
    """Return how many metrics there are in words, probes counted separately."""
    metrics = number - probes
    words = f"{metrics} metric{'s' * (metrics != 1)}"
    return f"{words} and {probes} probe{'s' * (probes != 1)}" if probes else words


def say_probes(probes: Collection[str]) -> None:
    """Say how probes are marked, and which of them knows too much."""
    with st.container():
        if probes:
            st.markdown(
                "◆ marks a **probe**: a score that cannot judge translations (it knows only the source, only the "
                "output, or nothing). A metric that ranks below a probe has not shown that it judges translations. "
                "See the page *When people tie less*."
            )
        for name in (name for name in probes if tk.sentinels.PROBES[name].leaks):
            st.warning(
                f"**{plain(name)}** is computed from the human scores themselves. No metric knows them, so a metric "
                "need not rank above it."
            )
