"""Are the scores of a column on the rows of the other scores? Asked of a table that is a set by itself."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tiekit.base.errors import OrderWarning, quote, warn
from tiekit.base.names import without_reference
from tiekit.readers._copies import FEWEST_DIFFERENT, PROBE, only_rise
from tiekit.readers._moves import better_move
from tiekit.readers._order import FEWEST, FITS, MOST_ASKED
from tiekit.sets.evalset import EvalSet
from tiekit.sets.labels import labels_as_numbers
from tiekit.sets.scores import FloatMatrix

FEWEST_ENDS = 3
"""Number of different numbers of rows that systems have, at least, where rows were left out by chance."""

MOST_SEGMENTS, MOST_SYSTEMS = 256, 4
"""Maximum numbers of segments and systems in which moves are tried."""


def ask_own_order(path: str, data: EvalSet, system: str | None) -> None:
    """Warn of a column that fits the mean of the others better once all its scores are moved, or that was sorted.

    Of several such columns the one is told that would gain most, and the others again without it. Not asked of probes
    by their names, nor of fewer than `FEWEST` segments.
    """
    scores = {
        name: one for name, one in {**data.human, **data.metrics}.items() if not PROBE.search(without_reference(name))
    }
    if len(scores) < 2 or len(data.segments) < FEWEST:
        return
    for name in [name for name in scores if _is_sorted(scores[name])]:
        if not all(map(_is_sorted, scores.values())):
            what = f"the scores of each system in column {quote(name)} are in the order of their size, row by row"
            warn(f"{path}: {what}; was the column sorted by itself?", OrderWarning)
            del scores[name]
    asked = [name for name in scores if len(scores) > 2 or name in data.metrics][:MOST_ASKED]
    while len(scores) > 1 and (found := max(_moves(scores, asked), default=None)):
        _, name, move, value, now = found
        where = f"{abs(move):,} row{'s' * (abs(move) > 1)} {'down' if move > 0 else 'up'}"
        by = f".groupby({system!r})" if system else ""
        step = f"frame[{name!r}] = frame{by}[{name!r}].shift({move})"
        warn(
            f"{path}: column {quote(name)} agrees better with the other scores if it is moved {where} in each system "
            f"(mean correlation of a system {value:.2f}, now {now:.2f}); if it was moved, {step}",
            OrderWarning,
        )
        del scores[name]
        asked.remove(name)


def ask_numbers(path: str, data: EvalSet, system: str | None) -> None:
    """Ask whether rows were left out before those of each system were numbered: most systems end at another number."""
    if system is None or data.documents or len(data.systems) < FEWEST_ENDS:
        return
    known = np.zeros((len(data.systems), len(data.segments)), dtype=np.bool_)
    for one in (*data.human.values(), *data.metrics.values()):
        known |= ~np.isnan(one)
    ends = known.sum(axis=1)
    different, times = np.unique(ends, return_counts=True)
    if len(different) < FEWEST_ENDS or 2 * times.max() > len(ends) or 2 * different[0] < different[-1]:
        return
    numbers = labels_as_numbers(data.segments)
    if not any({*numbers} == {*range(start, start + len(numbers))} for start in (0, 1)):
        return
    if (known[:, np.argsort(numbers)] == (np.arange(len(numbers)) < ends[:, None])).all():
        step = f"frame['segment'] = frame.groupby({system!r}).cumcount() + 1, before frame.dropna()"
        warn(
            f"{path}: the rows of each system are numbered without a gap, but systems have different numbers of rows "
            f"({ends.min():,} to {ends.max():,}); if rows were left out before they were numbered, scores stand beside "
            f"those of other segments: number the rows first, {step}",
            OrderWarning,
        )


def _moves(scores: dict[str, FloatMatrix], asked: list[str]) -> Iterator[tuple[float, str, int, float, float]]:
    """What columns gain that fit the mean of the others better once moved, their names, moves and correlations."""
    rows = np.unique(np.linspace(0, len(next(iter(scores.values()))) - 1, MOST_SYSTEMS).astype(np.int64))
    alike = {name: _brought_alike(matrix[rows, :MOST_SEGMENTS]) for name, matrix in scores.items()}
    total = np.sum([np.nan_to_num(one) for one in alike.values()], axis=0)
    number = np.sum([~np.isnan(one) for one in alike.values()], axis=0)
    for name in asked:
        others = number - ~np.isnan(alike[name])
        rest = np.where(others, (total - np.nan_to_num(alike[name])) / np.maximum(others, 1), np.nan)
        found = better_move(alike[name], [rest])
        if found is not None and found[1] >= FITS:
            move, value, now = found
            yield value - now, name, move, value, now


def _brought_alike(matrix: FloatMatrix) -> FloatMatrix:
    """Scores of mean 0 and standard deviation 1."""
    known = matrix[~np.isnan(matrix)]
    return (matrix - known.mean()) / (known.std() or 1.0) if known.size else matrix


def _is_sorted(matrix: FloatMatrix) -> bool:
    """Whether the scores of each of several systems only rise, or only fall, from the first segment to the last."""
    rows = [row[~np.isnan(row)] for row in matrix]
    return len(rows) > 1 and all(
        np.unique(row).size >= FEWEST_DIFFERENT and (only_rise(row) or only_rise(-row)) for row in rows
    )
