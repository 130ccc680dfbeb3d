"""Which column of the leaderboard is tested, and what is resampled?"""

from __future__ import annotations

from dataclasses import dataclass

from tiekit import charts
from tiekit.ranking.contest import Contest
from ui.base import resampling
from ui.leaderboard.question import Question


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
    def key(self) -> tuple[object, ...]:
        """What results depend on besides the scores."""
        return self.column, self.contest.grouping, self.unit, resampling.RESAMPLES

    def show_code(self, name: str, call: str) -> None:
        """Show a call on the `human` scores and the `metrics` that the leaderboard compares."""
        selection = self.question.selection
        selection.show_code(name, f"{selection.scores_code()}\n{call}", selection.names)
