"""Which column of the leaderboard is tested, and what is resampled?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import tiekit as tk
from tiekit import charts
from tiekit.core import DOCUMENT_GROUPINGS, get_measure
from tiekit.ranking import Contest
from tiekit.significance import RESAMPLES, SWAPS, Redraw, Swap, usual_swap
from ui.leaderboard.question import Question
from ui.work import presets

WHOLE_DOCUMENTS = (
    "Mean scores in documents are compared, so whole documents are swapped and resampled: anything smaller would "
    "change the means themselves."
)


@dataclass(frozen=True)
class TestedColumn:
    """A column of the leaderboard, and what is swapped or resampled to test it."""

    question: Question
    column: str
    unit: str

    @property
    def label(self) -> str:
        """The number as a chart names it."""
        return charts.label_of(self.column)

    @property
    def contest(self) -> Contest:
        """The scores that are compared."""
        return self.question.contest

    @property
    def grouping(self) -> str | None:
        """The grouping of the tests; None where the coefficient has only one."""
        entry = tk.measures.SYSTEM_LEVEL.get(self.column)
        return self.contest.grouping if entry is None or len(entry.groupings) > 1 else None

    @property
    def documents(self) -> tuple[str, ...] | None:
        """The document of each segment where documents are swapped, drawn or compared."""
        needed = [schemes[self.unit].needs_documents for schemes in (SWAPS, RESAMPLES) if self.unit in schemes]
        return self.contest.documents if any(needed) or self.contest.grouping in DOCUMENT_GROUPINGS else None

    @property
    def test(self) -> dict[str, Any]:
        """The arguments of a test of the column, after the scores and the coefficient."""
        return {
            "grouping": self.grouping,
            "swap": self.unit,
            "documents": self.documents,
            "n_resamples": presets.RESAMPLES,
            "rng": presets.SEED,
            "cells": "own" if self.question.selection.own_cells else None,
        }

    @property
    def documents_code(self) -> str:
        """The argument of a call that names the documents."""
        return "" if self.documents is None else ", documents=chosen.documents"

    @property
    def key(self) -> tuple[object, ...]:
        """What results depend on besides the scores."""
        return self.column, self.contest.grouping, self.unit, self.documents, presets.RESAMPLES

    @staticmethod
    def units(question: Question, schemes: Mapping[str, Swap] | Mapping[str, Redraw], column: str) -> list[str]:
        """Return what can be swapped or resampled to test a column, what suits it first.

        Means of documents stay whole, so there it is documents alone.
        """
        contest = question.contest
        entry = tk.measures.SYSTEM_LEVEL.get(column)
        by = contest.grouping if entry is None or contest.grouping in entry.groupings else None
        measure = get_measure(column, by, documents=bool(contest.documents))
        known = [name for name, scheme in schemes.items() if contest.documents or not scheme.needs_documents]
        known = [name for name in known if measure.of_means or not schemes[name].of_means]
        if contest.grouping != "document_means":
            return sorted(known, key=lambda name: name != usual_swap(measure))
        return [name for name in known if schemes[name].needs_documents]

    @staticmethod
    def why_documents(question: Question) -> str | None:
        """Say why whole documents alone can be swapped or resampled; None where other units can be, too."""
        return WHOLE_DOCUMENTS if question.contest.grouping == "document_means" else None

    @staticmethod
    def testable(question: Question) -> list[str]:
        """Return the columns that can be resampled, in the order in which they are offered: those by group first."""
        grouping, level = question.contest.grouping, tk.measures.SYSTEM_LEVEL
        by_group = [column for column in question.columns[::-1] if column not in level]
        allowed = {name for name, entry in level.items() if len(entry.groupings) == 1 or grouping in entry.groupings}
        return by_group + [column for column in question.columns if column in allowed]

    def show_code(self, name: str, call: str) -> None:
        """Show a call on the `human` scores and the `metrics` that the leaderboard compares."""
        selection = self.question.selection
        selection.show_code(name, f"{selection.scores_code()}\n{call}", selection.names)
