"""What is compared on the open evaluation set? The choice that all parts of a page share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import streamlit as st

import tiekit as tk
from tiekit.core import FloatArray
from ui.evalset import choices, notes, sources
from ui.evalset.selection import SelectedScores, Selection
from ui.evalset.sources import OpenSet
from ui.work import result_cache

LOOKED_AT = 2_000_000
"""So many scores of metrics at most are calibrated to find out which metrics a page shows at first: about a second."""


@dataclass(frozen=True, eq=False)
class ComparedSet(SelectedScores):
    """An evaluation set as its pages compare it: the systems and the domain that were chosen."""

    @property
    def opened(self) -> tk.EvalSet:
        """What was read."""
        return self.selection.source.data

    @property
    def exclude(self) -> list[str]:
        """Systems that are left out."""
        return list(self.selection.exclude)

    @property
    def domain(self) -> str | None:
        """The domain; None for all."""
        return self.selection.domain

    @property
    def human(self) -> FloatArray:
        """The human scores, systems × segments."""
        return self.contest.human

    @property
    def metrics(self) -> Mapping[str, FloatArray]:
        """The scores of the metrics that are compared with each other, without those that stand apart."""
        return self.contest.ranked

    @cached_property
    def key(self) -> tuple[str, ...]:
        """What all results depend on: scores, names and lengths."""
        return self.contest.digest, self.opened.digest, self.rated, *self.data.systems, str(self.domain), *self.metrics

    @property
    def levels(self) -> dict[str, int]:
        """How many distinct scores each metric has."""

        def count() -> dict[str, int]:
            return {name: levels(scores) for name, scores in self.metrics.items()}

        return result_cache.once(("levels", *self.key), count)

    @cached_property
    def probes(self) -> dict[str, FloatArray]:
        """The scores of the probes; those of length are missing where it is unknown."""

        def make() -> dict[str, FloatArray]:
            return tk.sentinels.probes(self.data, human=self.rated, exclude=())

        return result_cache.once(("scores of probes", *self.key), make)

    def pairs_key(self, grouping: str) -> tuple[str, ...]:
        """What says which cells a grouping compares: its name, and the documents where it is by document."""
        return replace(self.contest, grouping=grouping).groups_key

    @property
    def rated(self) -> str:
        """The human score's name."""
        return self.selection.human

    def show_code(
        self, name: str, metrics: Sequence[str], call: str, *, humans: Sequence[str] = (), lengths: bool = False
    ) -> None:
        """Show the call; its notebook holds the human scores and the metrics that it needs."""
        lines = f"{self.selection.selecting_code(metrics)}\n{call}"
        self.selection.show_code(name, lines, metrics, humans=humans, lengths=lengths)


def choose_compared(opened: OpenSet) -> ComparedSet | None:
    """Let the user choose what is compared; None where that leaves nothing, with the reason."""
    one, two = st.columns(2, gap="medium")
    with one:
        human = choices.choose_human(opened.data)
    with two:
        domain = choices.choose_domain(opened.data)
    with notes.drawer("Systems, direction of scores, rounding"):
        exclude, adjustment = choices.choose_excluded(opened.data), choices.choose_adjustment(opened.data)
    selection = Selection(opened, human, tuple(opened.data.metrics), exclude, domain, adjustment)
    return ComparedSet(selection) if selection.say() else None


def open_compared() -> ComparedSet | None:
    """Let the user open an evaluation set and choose what is compared; None, with the reason, where nothing is."""
    with st.container(border=True):
        opened = sources.choose_evalset()
    return None if opened is None else choose_compared(opened)


def levels(scores: FloatArray) -> int:
    """Count distinct scores."""
    return int(np.unique(scores[~np.isnan(scores)]).size)


def scores_to_look_at(human: FloatArray, metrics: Mapping[str, FloatArray]) -> tuple[FloatArray, dict[str, FloatArray]]:
    """Return the scores by which a page finds out what it shows at first: of a large set those of every nth segment."""
    step = max(1, -(-human.size * len(metrics) // LOOKED_AT))
    return human[:, ::step], {name: scores[:, ::step] for name, scores in metrics.items()}
