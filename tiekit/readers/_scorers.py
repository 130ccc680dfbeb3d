"""Tables with a row for each system, segment and scorer: the scores of every scorer, and whether metrics have any."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tiekit.base.errors import InputError, ReadError, RoleWarning, quote, warn
from tiekit.base.names import known_names
from tiekit.base.validation import FloatArray, IntArray
from tiekit.readers._cells import Cells, rows_by_label
from tiekit.readers._columns import Table
from tiekit.readers._score_names import likely_score


class Scorers:
    """The rows of each scorer, and the scores of all."""

    def __init__(self, table: Table, scorer: str | None, score: str | None) -> None:
        if (scorer is None) != (score is None):
            lacking = "score" if score is None else "scorer"
            raise InputError(f"{lacking}: name both the column of scorers (scorer=) and that of their scores (score=)")
        self._table = table
        self.columns: tuple[str, ...] = ()
        self._rows: dict[str, IntArray] = {}
        if scorer is None or score is None:
            return
        self.columns = (*table.find_columns("scorer", scorer), *table.find_columns("score", score))
        self._rows = rows_by_label(table.cells(self.columns[0]))
        if "" in self._rows:
            line = table.lines[int(self._rows[""][0])]
            raise ReadError(table.path, f"found an empty cell in column {scorer!r}; expected a name", line=line)
        twice = next((name for name in self._rows if name in table.columns and name not in self.columns), None)
        if twice is not None:
            raise ReadError(table.path, f"{quote(twice)} is a column and a scorer; rename one of them")

    @property
    def names(self) -> tuple[str, ...]:
        """The scorers in the order in which they first occur."""
        return tuple(self._rows)

    def rows_of_one(self, table: Table) -> Table:
        """The rows of the scorer that has most, in which what names rows does not repeat for each scorer."""
        if not self._rows:
            return table
        most = max(self._rows, key=lambda name: len(self._rows[name]))
        return table.keep([cell == most for cell in table.cells(self.columns[0])])

    def raw(self, names: Iterable[str]) -> dict[str, FloatArray]:
        """The scores of these scorers and columns, row by row."""
        scores = self._table.scores(self.columns[1]) if self.columns else np.empty(0)
        return {name: scores[self._rows[name]] if name in self._rows else self._table.scores(name) for name in names}

    def matrices(
        self, cells: Cells, names: Iterable[str], advice: Callable[[], str] | None, *, is_human: bool = False
    ) -> dict[str, FloatArray]:
        """The scores of these scorers and columns as matrices; ``advice`` is for a scorer with two rows of a cell."""
        scores = self._table.scores(self.columns[1]) if self.columns else np.empty(0)
        found: dict[str, FloatArray] = {}
        for name in names:
            if name in self._rows:
                rows = self._rows[name]
                lines = [self._table.lines[row] for row in rows.tolist()]
                found[name] = cells.part(rows, lines, advice).matrix(scores[rows])
            else:
                found[name] = self._of_column(cells, name, is_human=is_human)
        return found

    def _of_column(self, cells: Cells, name: str, *, is_human: bool) -> FloatArray:
        """The scores of a column; they must be the same for all scorers of a cell unless they are averaged."""
        values = self._table.scores(name)
        is_joined = bool(self.columns) and cells.aggregate in ("mean", "median")
        is_same = self.columns and cells.aggregate in ("error", "sum")
        matrix = (replace(cells, aggregate="error") if is_same else cells).matrix(values)
        if is_same:
            differs = (matrix.reshape(-1)[cells.places] != values) & ~np.isnan(values)
            if differs.any():
                row = int(np.argmax(differs))
                system, segment = cells.systems[cells.rows[row]], cells.segments[cells.columns[row]]
                cell = f"system {quote(system)} and segment {quote(segment)}"
                problem = f"column {quote(name)} has several scores for {cell}"
                step = f"leave it out, metrics={[*self.names]!r}"
                if is_human:
                    step = 'leave it out, human=(), or pass aggregate="mean" if each row is a rating'
                raise ReadError(self._table.path, f"{problem}; {step}", line=self._table.lines[row])
        if is_joined and ((matrix.reshape(-1)[cells.places] != values) & ~np.isnan(values)).any():
            over = f"{quote(self.columns[0])} ({known_names(self.names, most=3)})"
            told = f"each score of {quote(name)} is the {cells.aggregate} over rows of several {over}"
            warn(f"{self._table.path}: {told}; metrics={[*self.names]!r} keeps these apart", RoleWarning)
        return matrix


def check_matches(
    table: Table, cells: Cells, human: Mapping[str, FloatArray], metrics: Mapping[str, FloatArray]
) -> None:
    """Refuse a metric without a score where there is a human score."""
    if not human:
        return
    rated = np.zeros((len(cells.systems), len(cells.segments)), dtype=np.bool_)
    for matrix in human.values():
        rated |= ~np.isnan(matrix)
    for name, matrix in metrics.items():
        scored = ~np.isnan(matrix)
        if (scored & rated).any():
            continue
        if not scored.any():
            raise ReadError(table.path, f"the metric {quote(name)} has no scores; leave it out with metrics=")
        if not rated.any():
            problem = f"the human scores, {known_names(map(quote, human))}, are all missing"
            likely = likely_score([*metrics], {}) or name
            step = f"pass human={likely!r} if these are human scores, or human=() if there are none"
            raise ReadError(table.path, f"{problem}, but {quote(likely)} has scores; {step}")
        where = f"human scores are of {_where(cells, rated)} and its own of {_where(cells, scored)}"
        raise ReadError(
            table.path,
            f"the metric {quote(name)} has no score where there is a human score: {where}; give both the same names",
        )


def _where(cells: Cells, there: NDArray[np.bool_]) -> str:
    """The first systems and segments that have a score."""
    rows, columns = np.nonzero(there)
    systems, segments = (
        [names[place] for place in np.unique(places).tolist()]
        for names, places in ((cells.systems, rows), (cells.segments, columns))
    )
    return " on ".join(known_names(map(quote, names), most=3) for names in (systems, segments))
