"""Which scores does a grouping compare with one? A picture for each grouping."""

from __future__ import annotations

from functools import partial

import pyarrow as pa
import streamlit as st

import tiekit as tk
from tiekit import charts
from tiekit.counting.grouping import group
from ui.base import work
from ui.evalset.groupings import name_in_words
from ui.grouping.input import ToyMatrices
from ui.link.controls import choose
from ui.page import lecture, shell

SMALL = 4
"""The most segments of a picture that fits in a row of four."""


def draw_groups(scores: ToyMatrices) -> None:
    """Draw, for one score, the scores that it is compared with under each grouping."""
    with st.container(horizontal=True):
        system = choose("A score: of which system?", _numbers(scores.shape[0]), "grp_system")
        segment = choose("On which segment?", _numbers(scores.shape[1]), "grp_segment")
    at = int(system) - 1, int(segment) - 1
    marks = " · ".join(f"**{glyph}** {meaning}" for glyph, meaning in charts.ROLE_STYLE.values() if glyph)
    st.markdown(f"The human's scores; a frame is a group. {marks}.")
    groupings, per_row = list(tk.GROUPINGS), 2 if lecture.is_on() or scores.shape[1] > SMALL else 4
    for first in range(0, len(groupings), per_row):
        for grouping, column in zip(groupings[first : first + per_row], st.columns(per_row, gap="medium"), strict=True):
            with column:
                _picture(scores, grouping, at)


def _numbers(last: int) -> list[str]:
    return [str(number) for number in range(1, last + 1)]


def _picture(scores: ToyMatrices, grouping: str, at: tuple[int, int]) -> None:
    frame, words, sentence = work.once(
        ("compared", scores.human, grouping, at), partial(_compared, scores, grouping, at)
    )
    st.subheader(name_in_words(grouping).capitalize(), divider="gray")
    figure = charts.compared_chart(*scores.shape, shell.theme(), means=grouping == "system_means")
    shell.draw(frame, figure, words, f"grp_{grouping}")
    st.markdown(sentence)


def _compared(scores: ToyMatrices, grouping: str, at: tuple[int, int]) -> tuple[pa.Table, str, str]:
    """The frame of the picture, what it shows in words, and the sentence under it."""
    frame = charts.compared_frame(scores.human, grouping, *at)
    found, compared = group(scores.human, scores.human, grouping), frame[frame["role"] == "compared"]
    groups, pairs = found.index.size, found.n_pairs
    counted = f"{pairs} pair{'s' * (pairs != 1)} in {groups} group{'s' * (groups != 1)}"
    partners = ", ".join(
        f"system {system}" + f" segment {segment}" * (segment > 0)
        for system, segment in zip(compared["system"], compared["segment"], strict=True)
    )
    words = f"{name_in_words(grouping)}: {counted}; system {at[0] + 1} segment {at[1] + 1} is compared with "
    sentence = f"{tk.GROUPINGS[grouping].capitalize()}: **{counted}**, {len(compared)} of them with ●."
    return pa.Table.from_pandas(frame), words + (partners or "nothing"), sentence
