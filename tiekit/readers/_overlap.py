"""Do systems share segments? Asked of a table that is a set by itself, where ids may be those of answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from tiekit.base.errors import RoleWarning, quote, warn
from tiekit.base.names import count_different
from tiekit.readers._columns import Table, Texts
from tiekit.readers._told_steps import where_frame
from tiekit.sets.evalset import EvalSet

FEWEST, MOST_SHARED = 20, 0.02
"""Fewer segments than the first number are not asked about, nor those of which two systems share a larger share."""

_SIGNS = "-_:/| "


def ask_shared(table: Table, data: EvalSet, system: str | None, columns: Sequence[str]) -> None:
    """Warn where hardly any segment has scores of two systems, with the step that names what systems share.

    ``columns`` name the documents and segments.
    """
    if system is None or len(data.systems) < 2 or len(data.segments) < FEWEST:
        return
    known = np.zeros((len(data.systems), len(data.segments)), dtype=np.bool_)
    for one in (*data.human.values(), *data.metrics.values()):
        known |= ~np.isnan(one)
    scored = known.any(axis=0)
    shared = int((known.sum(axis=0) > 1).sum())
    if not known.any() or known.any(axis=1).sum() < 2 or shared > MOST_SHARED * scored.sum():
        return
    told = f"{shared:,} of {int(scored.sum()):,} segments have scores of two systems"
    step = _step(table, system, columns)
    warn(f"{table.path}: {told}, so systems cannot be compared on the same segments; {step}", RoleWarning)


def _step(table: Table, system: str, columns: Sequence[str]) -> str:
    """How segments get names that systems share: without the names of systems, from a column, or counted."""
    names, where = table.cells(system), where_frame(table, system)
    for column in columns:
        cells = table.cells(column)
        if all(name in cell for name, cell in zip(names, cells, strict=True)):
            bare = Texts(cell.replace(name, "", 1).strip(_SIGNS) for name, cell in zip(names, cells, strict=True))
            if 2 * count_different(bare) <= count_different(cells):
                short = f"label.replace(name, '', 1).strip({_SIGNS!r})"
                pairs = f"zip(frame[{system!r}], frame[{column!r}])"
                what = f"column {quote(column)} holds the names of the systems, so take them off"
                return f"{what}: frame[{column!r}] = [{short} for name, label in {pairs}]{where}"
    for column in table.columns:
        cells = table.cells(column)
        are_fewer = column not in {system, *columns} and 2 * count_different(cells) <= len(names)
        if are_fewer and count_different(names, cells) == len(names):
            return f"if column {quote(column)} names what was translated or answered, pass segment={column!r}"
    advice = "give a column that names what was translated or answered, segment=COLUMN"
    if len({*Counter(names).values()}) == 1 and columns:
        count = f"frame[{columns[-1]!r}] = frame.groupby({system!r}).cumcount() + 1"
        advice += f"; or, if the rows of all systems are in one order, {count}{where}"
    return advice
