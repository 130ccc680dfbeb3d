"""What does a leaderboard look like in a paper? A table of booktabs like Tables 11–19 of Deutsch et al. (2023)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import pandas as pd

from tiekit.coefficients.coefficient import Coefficient
from tiekit.coefficients.registry import COEFFICIENTS
from tiekit.coefficients.system_level import SYSTEM_LEVEL
from tiekit.latex import escape, number, tabular
from tiekit.ranking.fairness import CHECKS, SIGN_MEANS, Check, has_fairness, signs_of, write


class HasEnds(Protocol):
    """What is read of a `tiekit.significance.Interval`."""

    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...


def latex_table(
    board: pd.DataFrame,
    columns: Sequence[str],
    intervals: Mapping[str, HasEnds] | None = None,
    signed: str | None = None,
) -> str:
    """Return a booktabs table like Tables 11–19 of the paper: values with ranks, the best in bold, ε* last.

    A column ``cluster`` and intervals by metric, where there are any, follow the values; columns on fairness come last.
    The signatures are those of the metric ``signed``, or of the first row. A row that was renamed has no signature.
    """
    heads = [f"{_level(c)}${_entry(c).latex}{'^*' if c.endswith('*') else ''}$" for c in columns]
    heads += ["interval"] if intervals else []
    heads += ["cluster"] if "cluster" in board else []
    starred = [column[:-1] for column in columns if column.endswith("*")]
    heads += [rf"{_level(name)}$\epsilon^*({_entry(name).latex})$" for name in starred]
    checks = CHECKS if has_fairness(board) else ()
    heads += [escape(check.label) for check in checks]
    rows = []
    for name in board.index:
        cells = [_cell(board, name, column) for column in columns]
        cells += [_ends(intervals.get(name))] if intervals else []
        cells += [number(board.loc[name, "cluster"], ".0f")] if "cluster" in board else []
        cells += [number(board.loc[name, f"epsilon({coefficient})"], ".4g") for coefficient in starred]
        cells += [_fair(check, board.loc[name, check.column]) for check in checks]
        rows.append([escape(name), *cells])
    usage = "Needs \\usepackage{booktabs}. Values and ranks; a dagger: a mean over fewer groups than others have."
    usage += f" A double dagger: {SIGN_MEANS}." if any(signs_of(board, column).any() for column in columns) else ""
    usage += f" Bad: {'; '.join(f'{c.label}, {c.rule}' for c in checks)}." if checks else ""
    known = [board.attrs["signatures"][column] for column in columns]
    wanted = list(board.index[:1]) if signed is None else [signed]
    signatures = [of_metric[name] for of_metric in known for name in wanted if name in of_metric]
    of = "the first row" if signed is None else escape(signed)
    return tabular([["Metric", *heads]], rows, [usage, *([f"Signatures of {of}:", *signatures] if signatures else [])])


def _entry(column: str) -> Coefficient:
    name = column.rpartition("/")[2].removesuffix("*")
    return SYSTEM_LEVEL.get(name) or COEFFICIENTS[name]


def _level(column: str) -> str:
    """The grouping that a column was asked by, before its symbol."""
    grouping, slash, _ = column.rpartition("/")
    return f"{escape(grouping.replace('_', ' '))} " if slash else ""


def _cell(board: pd.DataFrame, name: str, column: str) -> str:
    """A value with its rank; a dagger where the mean is over fewer groups than others have."""
    value, rank = (board[one][name] for one in (column, f"rank({column})"))
    groups = board.get(f"groups({column})")
    if pd.isna(rank):
        return "--"
    text = f"{number(value)} ({rank})"
    text = rf"\textbf{{{text}}}" if rank == 1 else text
    is_fewer = groups is not None and groups[name] < groups.max()
    text += r"$^\ddagger$" if signs_of(board, column)[name] else ""
    return text + (r"$^\dagger$" if is_fewer else "")


def _fair(check: Check, value: float) -> str:
    """A number on fairness."""
    return "--" if value != value else escape(write(check, value)).replace("−", "$-$")


def _ends(interval: HasEnds | None) -> str:
    return "--" if interval is None else f"[{number(interval.low)}, {number(interval.high)}]"
